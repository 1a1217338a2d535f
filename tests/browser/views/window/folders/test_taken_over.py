# SPDX-License-Identifier: MIT
"""Metadata of other programs is shown as soon as indexing has imported it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt

from focal_photos.browser.catalog.facts.records import Mark
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from focal_photos.features.metadata.xmp import merge_xmp
from tests.browser.operations.metadata.test_read_metadata import import_all_tags
from tests.browser.views.conftest import OpenWindow


@pytest.fixture
def driver(open_window: OpenWindow, tmp_path: Path) -> WindowDriver:
    """Return a window on separate photos, because those of other tests must not get sidecars."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(3):
        Image.new("RGB", (64, 48), (80 * number, 90, 40)).save(folder / f"{number}.jpg")
    with Library.open(tmp_path / "library") as library:
        set_enabled(library, ["color_moments"])
    return open_window(tmp_path / "library", folder)


def test_tags_of_a_sidecar_are_imported_and_reported(driver: WindowDriver) -> None:
    said: list[str] = []
    session = driver.session
    import_all_tags(session.library)
    session.notices.posted.connect(lambda message: said.append(message.text))
    driver.click(0, CTRL)
    driver.wait_until_idle("the selection")
    (photo,) = driver.navigator.selected
    (path,) = session.library.photos.paths([photo])
    path.with_name(path.name + ".xmp").write_bytes(merge_xmp(None, ["from/elsewhere"], 5, None))
    driver.press(Qt.Key.Key_F5)
    driver.wait_until_idle("indexing")
    assert said[0] == "Imported 1 tags, 1 ratings from 1 photos."  # plural forms are a translation
    assert ("from/elsewhere", 1) in session.tagging.target_tags.now.counts
    assert session.tagging.target_tags.now.mark == Mark(5)
    assert session.overview.now.undo == "Import tags and ratings of 1 photo"
    driver.press(Qt.Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert session.tagging.target_tags.now.counts == ()
    assert session.tagging.target_tags.now.mark == Mark()
    driver.press(Qt.Key.Key_F5)
    driver.wait_until_idle("indexing")
    assert session.tagging.target_tags.now.counts == ()
    assert len([text for text in said if text.startswith("Imported")]) == 1


def test_skipped_values_are_reported_with_the_reason(driver: WindowDriver) -> None:
    said: list[str] = []
    session = driver.session
    session.notices.posted.connect(lambda message: said.append(message.text))
    path, other = session.library.photos.paths(session.grid.ids[:2].tolist())
    packet = merge_xmp(None, ["x"], None, None).replace(b">x<", b">Paris, France<")
    path.with_name(path.name + ".xmp").write_bytes(packet)
    driver.press(Qt.Key.Key_F5)
    driver.wait_until_idle("indexing")
    why = "The tag “Paris, France” was left out. A tag cannot contain a comma or a semicolon, which separate tags: "
    assert said[0] == f"{path.name}: {why}leave them out."
    assert session.library.journal.undo_label() is None
    path.with_name(path.name + ".xmp").write_bytes(packet.replace(b"Paris", b"Nancy"))
    other.with_name(other.name + ".xmp").write_bytes(packet)
    driver.press(Qt.Key.Key_F5)
    driver.wait_until_idle("indexing")
    assert [text for text in said if text.endswith("2 files are affected in total.")]
