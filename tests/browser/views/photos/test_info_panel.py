# SPDX-License-Identifier: MIT
"""Information about the selected photo: facts, and why it is close to the focal image."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGridLayout, QLabel

from focal_photos.browser.catalog.facts.records import Information, Mark, Reading, Written
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.photos.shared_neighbors import NeighborPicture
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.conftest import OpenWindow

ALT = Qt.KeyboardModifier.AltModifier


def pictures(driver: WindowDriver) -> list[NeighborPicture]:
    return driver.window.right_column.information.shared_neighbors.pictures()


def test_neighbours_shared_with_the_focal_image_are_shown_and_a_click_walks_on(driver: WindowDriver) -> None:
    row = driver.window.right_column.information.shared_neighbors
    assert not row.isVisible()
    driver.walk(1)
    driver.wait_until_idle("the ranking")
    assert not row.isVisible()
    driver.click(0, CTRL)
    driver.wait_until_idle("why it is close")
    focal, selected = driver.navigator.focal_id, driver.navigator.selected
    assert focal is not None
    expected = driver.session.ranker.shared_neighbors(focal, selected[0], limit=5)
    assert 0 < len(expected) == len(pictures(driver))
    assert row.isVisible()
    names = [driver.session.library.photos.get([int(one)])[0].path.name for one in expected]
    assert [picture.toolTip() for picture in pictures(driver)] == names
    driver.click(1, CTRL)  # two photos are selected
    driver.wait_until_idle("why they are near")
    assert not row.isVisible()
    assert pictures(driver) == []
    driver.click(1, CTRL)
    driver.wait_until_idle("why it is close")
    picture = pictures(driver)[0]
    name = picture.toolTip()
    QTest.mouseClick(picture, Qt.MouseButton.LeftButton)
    driver.wait_until_idle("the ranking")
    assert driver.focal_name() == name
    assert not row.isVisible()


def test_rankings_need_not_count_shared_neighbours(driver: WindowDriver) -> None:
    driver.walk(1)
    driver.wait_until_idle("the ranking")
    driver.click(0, CTRL)
    driver.wait_until_idle("why it is close")
    focal, selected = driver.navigator.focal_id, driver.navigator.selected
    assert focal is not None
    before = driver.session.grid.ids.tolist()
    action = driver.window.window_actions.share_neighbors
    assert action.isChecked()
    action.trigger()
    driver.wait_until_idle("the setting")
    assert not action.isChecked()
    plain = driver.session.ranker.rank(focal, rerank=False)
    assert driver.session.grid.ids.tolist() == plain.photo_ids.tolist() != before
    assert driver.navigator.selected == selected
    assert not driver.window.right_column.information.shared_neighbors.isVisible()
    action.trigger()
    driver.wait_until_idle("the setting")
    assert driver.session.grid.ids.tolist() == before
    assert driver.window.right_column.information.shared_neighbors.isVisible()


# ---------------------------------------------------------------------- ratings, labels and the camera
def facts(driver: WindowDriver) -> dict[str, str]:
    texts = [one.full_text() if isinstance(one, ElidedLabel) else one.text() for one in _labels(driver)]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _labels(driver: WindowDriver) -> list[QLabel | ElidedLabel]:
    grid = driver.window.right_column.information.findChild(QGridLayout)
    assert isinstance(grid, QGridLayout)
    found = [item.widget() for index in range(grid.count()) if (item := grid.itemAt(index)) is not None]
    return [one for one in found if isinstance(one, QLabel | ElidedLabel)]


def test_keys_rate_and_label_the_selection(driver: WindowDriver) -> None:
    library = driver.session.library
    said: list[str] = []
    driver.session.notices.posted.connect(lambda message: said.append(message.text))
    driver.press(Qt.Key.Key_4, ALT)
    driver.press(Qt.Key.Key_7, ALT)
    assert said == ["Select the photos to rate first.", "Select the photos to label first."]
    assert library.journal.undo_label() is None
    driver.click(0, CTRL)
    driver.wait_until_idle("the selection")
    assert not {"Rating", "Label", "Camera", "Lens", "Exposure"} & facts(driver).keys()
    (first,) = driver.navigator.selected
    driver.press(Qt.Key.Key_4, ALT)
    driver.wait_until_idle("rating")
    driver.press(Qt.Key.Key_6, ALT)
    driver.wait_until_idle("labelling")
    assert library.marks.of([first])[first] == Mark(4, "Red")
    assert (facts(driver)["Rating"], facts(driver)["Label"]) == ("★★★★", "Red")
    driver.click(1, CTRL)
    both = driver.navigator.selected
    driver.press(Qt.Key.Key_X, ALT)
    driver.wait_until_idle("rejecting")
    assert [library.marks.of(both)[one].rating for one in both] == [-1, -1]
    assert driver.session.overview.now.undo == "Rate 2 photos: rejected"
    driver.press(Qt.Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    driver.press(Qt.Key.Key_0, ALT)
    driver.wait_until_idle("taking the rating off")
    assert library.marks.of(both) == {both[0]: Mark(None, "Red"), both[1]: Mark()}


def test_camera_data_is_shown_without_the_place(driver: WindowDriver) -> None:
    library = driver.session.library
    driver.click(0, CTRL)
    (photo,) = driver.navigator.selected
    information = Information("Canon EOS\n5D", "EF50mm", "1/250 s  f/2.8", 48.1, 11.5)
    library.information.record([Reading(photo, "", "", Written(), information)])
    library.marks.set([photo], rating=2)
    driver.session.feed.publish(ChangeSet("", frozenset({Kind.MARKS}), frozenset({photo})))
    driver.wait_until_idle("the facts")
    shown = facts(driver)
    assert (shown["Camera"], shown["Lens"], shown["Exposure"]) == ("Canon EOS�5D", "EF50mm", "1/250 s  f/2.8")
    assert not [text for text in shown.values() if "48" in text or "11.5" in text]


def test_a_read_only_library_allows_no_rating(open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder, read_only=True)
    driver.click(0, CTRL)
    for key in (Qt.Key.Key_4, Qt.Key.Key_6):  # of a rating and of a label
        driver.press(key, ALT)
        driver.wait_until_idle("nothing")
    (photo,) = driver.navigator.selected
    assert driver.session.library.marks.of([photo])[photo] == Mark()


def test_missing_files_and_others_with_the_same_content_are_listed(own_photos: WindowDriver) -> None:
    driver = own_photos
    driver.click(0)
    driver.wait_until_idle("the photo")
    assert "Same file" not in facts(driver)
    [path] = driver.session.library.photos.paths(driver.navigator.selected)
    copies = [path.with_name("z" + path.name), path.with_name("zz" + path.name)]
    for copy in copies:
        copy.write_bytes(path.read_bytes())
    driver.session.jobs.indexing.rescan()
    driver.wait_until_idle("looking for changes", 120)
    assert [value for value in facts(driver).values() if Path(value) in copies] == [str(copy) for copy in copies]
    assert facts(driver)["Same file"] == str(copies[0])

    def state() -> list[str]:
        return [each.full_text() for each in driver.window.right_column.information.findChildren(ElidedLabel)]

    assert "The file is missing" not in state()
    content = path.read_bytes()
    for file in (path, *copies):
        file.unlink()
    driver.session.jobs.indexing.rescan()
    driver.wait_until_idle("looking for changes", 120)
    assert "The file is missing" in state()
    path.write_bytes(content)
    driver.session.jobs.indexing.rescan()
    driver.wait_until_idle("looking for changes", 120)
    assert "The file is missing" not in state()
