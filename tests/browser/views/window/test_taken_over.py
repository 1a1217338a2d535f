"""What other programs wrote is shown as soon as indexing has taken it over."""

from __future__ import annotations

from PySide6.QtCore import Qt

from browser.catalog.facts.records import Mark
from browser.operations.metadata.xmp import merge_xmp
from browser.walkthrough.window_driver import CTRL, WindowDriver


def test_tags_of_a_sidecar_come_in_and_are_told(driver: WindowDriver) -> None:
    said: list[str] = []
    session = driver.session
    session.message_posted.connect(lambda message: said.append(message.text))
    driver.click(0, CTRL)
    driver.wait_until_idle("the selection")
    (photo,) = driver.navigator.selected
    (path,) = session.library.photos.paths([photo])
    path.with_name(path.name + ".xmp").write_bytes(merge_xmp(None, ["from/elsewhere"], 5, None))
    driver.press(Qt.Key.Key_F5)
    driver.wait_until_idle("indexing")
    assert said[0] == "Taken over: 1 tag of 1 kind, 1 rating from 1 photo."
    assert ("from/elsewhere", 1) in session.target_tags.counts
    assert session.target_tags.mark == Mark(5)
    assert session.overview.undo == "Take over tags and ratings of 1 photo"
    driver.press(Qt.Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert session.target_tags.counts == ()
    assert session.target_tags.mark == Mark()
    driver.press(Qt.Key.Key_F5)
    driver.wait_until_idle("indexing")
    assert session.target_tags.counts == ()
    assert len([text for text in said if text.startswith("Taken over")]) == 1
