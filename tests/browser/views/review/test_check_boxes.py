# SPDX-License-Identifier: MIT
"""Check tags on boxes in the real window: the scope, and boxes kept, renamed and deleted by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.facts.records import Box
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.operations.ranking.queries.by_region import prepares_regions
from focal_photos.browser.views.review.check_page import CheckPage
from focal_photos.browser.walkthrough.window_driver import CTRL, NONE, SHIFT, WindowDriver
from tests.browser import region_album
from tests.browser.catalog.albums import id_of
from tests.browser.copies import copied_with_photos
from tests.browser.region_album import place
from tests.browser.views.conftest import OpenWindow
from tests.conftest import MadeOnce

Key = Qt.Key
EACH = 12
WRONG = "rings_5"
"""Photo whose box has the name of the other kind."""


def box_album(made_once: MadeOnce, tmp_path: Path, *, prepared: bool) -> Path:
    """Return the folder of a library with a box around every object."""

    def fill(made: Path) -> None:
        region_album.make(made, prepared=prepared, each=EACH)
        with Library.open(made / "library") as library:
            library.boxes.add(
                (id_of(library, made / "photos" / f"{name}.png"), place(number), "bars" if name == WRONG else kind)
                for kind in region_album.KINDS
                for number in range(EACH)
                for name in [f"{kind}_{number}"]
            )

    name = f"named boxes {prepared}"
    return copied_with_photos(made_once(name, fill), tmp_path / "photos", tmp_path / "library")


@pytest.fixture
def driver_of_boxes(open_window: OpenWindow, made_once: MadeOnce, tmp_path: Path) -> WindowDriver:
    return open_window(box_album(made_once, tmp_path, prepared=True), watching=False)


def wrong_box(driver: WindowDriver) -> Box:
    library = driver.session.library
    return next(box for box in library.boxes.all() if library.photos.paths([box.photo_id])[0].stem == WRONG)


def check(driver: WindowDriver) -> CheckPage:
    """Open Check tags and show boxes, by keys."""
    driver.press(Key.Key_K, CTRL | SHIFT)
    driver.wait_until_idle("the list of photos", 120)
    page = driver.window.modes.review_page.check_page
    driver.press(Key.Key_R, CTRL | SHIFT)
    driver.wait_until_idle("the list of boxes", 120)
    assert driver.session.scope.boxes
    return page


def test_a_wrong_box_is_shown_as_a_crop_and_renamed_by_a_key(driver_of_boxes: WindowDriver) -> None:
    driver, wrong = driver_of_boxes, wrong_box(driver_of_boxes)
    library = driver.session.library
    page, model = check(driver), driver.session.review_pages.check_tags
    assert [one.photo_id for one in model.found] == [item_of(wrong.id)]
    assert page.question.text().startswith(f"A box in {WRONG}.png is named bars. It looks like rings")
    assert page.against.text() == "Similar boxes named differently:"
    driver.wait_until_idle("the crops")
    shown = page.picture._image.pixmap()
    crop = wrong.region
    assert shown.width() / shown.height() == pytest.approx(
        (crop.x1 - crop.x0) * region_album.SIZE[0] / ((crop.y1 - crop.y0) * region_album.SIZE[1]), rel=0.05
    )
    driver.press(Key.Key_X)
    driver.wait_until_idle("renaming")
    assert wrong_box(driver).tag == "rings"
    assert library.tags.of([wrong.photo_id])[wrong.photo_id] == ["rings"]
    assert page.words.text() == "Nothing stands out."
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert wrong_box(driver).tag == "bars"


def test_enter_keeps_a_box_and_delete_removes_it(driver_of_boxes: WindowDriver) -> None:
    driver, wrong = driver_of_boxes, wrong_box(driver_of_boxes)
    library = driver.session.library
    page, model = check(driver), driver.session.review_pages.check_tags
    driver.press(Key.Key_Return)
    driver.wait_until_idle("keeping")
    assert library.confirmations.tags() == {(wrong.photo_id, "bars")}
    assert wrong_box(driver).tag == "bars", "Enter never removes a name"
    page.again_button.click()
    driver.wait_until_idle("the list", 120)
    assert not model.found
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    page.again_button.click()
    driver.wait_until_idle("the list", 120)
    assert [one.photo_id for one in model.found] == [item_of(wrong.id)]
    driver.press(Key.Key_Delete)
    driver.wait_until_idle("deleting")
    assert not library.boxes.get([wrong.id])
    assert library.tags.of([wrong.photo_id])[wrong.photo_id] == []
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    assert library.boxes.get([wrong.id])[0].tag == "bars"


def test_the_button_switches_back_to_photos_and_is_hidden_elsewhere(driver_of_boxes: WindowDriver) -> None:
    driver = driver_of_boxes
    page, bar = check(driver), driver.window.modes.review_page.scope_bar
    assert bar.boxes_button.isVisible()
    assert bar.boxes_button.isChecked()
    assert page.delete_button.isVisible()
    QTest.mouseClick(bar.boxes_button, Qt.MouseButton.LeftButton, NONE)
    driver.wait_until_idle("the list of photos", 120)
    assert not driver.session.scope.boxes
    assert not page.delete_button.isVisible()
    assert all(one.photo_id > 0 for one in driver.session.review_pages.check_tags.found)
    driver.press(Key.Key_Escape)
    assert driver.window.modes.review_page.isVisible()
    assert not bar.boxes_button.isVisible(), "the questions are about photos"


def test_the_scope_limits_the_boxes(driver_of_boxes: WindowDriver) -> None:
    driver = driver_of_boxes
    driver.session.navigator.show_collection(Collection("path:bars"))
    driver.wait_until_idle("the filter")
    check(driver)
    model = driver.session.review_pages.check_tags
    assert not model.found
    driver.press(Key.Key_X, CTRL | SHIFT)
    driver.wait_until_idle("the whole library", 120)
    assert [one.photo_id for one in model.found] == [item_of(wrong_box(driver).id)]


def test_without_boxes_the_scope_is_not_shown(driver: WindowDriver) -> None:
    driver.press(Key.Key_K, CTRL | SHIFT)
    driver.wait_until_idle("the list", 120)
    assert not driver.window.modes.review_page.scope_bar.boxes_button.isVisible()
    driver.press(Key.Key_R, CTRL | SHIFT)
    assert not driver.session.scope.boxes


def test_when_the_last_box_is_removed_photos_are_shown_again(driver_of_boxes: WindowDriver) -> None:
    driver = driver_of_boxes
    check(driver)
    driver.session.editor.remove_boxes([box.id for box in driver.session.library.boxes.all()], lambda: None)
    driver.wait_until_idle("the removal", 120)
    assert not driver.session.scope.boxes
    assert not driver.window.modes.review_page.scope_bar.boxes_button.isVisible()


def test_boxes_are_checked_without_searches_by_a_region(
    open_window: OpenWindow, made_once: MadeOnce, tmp_path: Path
) -> None:
    driver = open_window(box_album(made_once, tmp_path, prepared=False), watching=False)
    page, model = check(driver), driver.session.review_pages.check_tags
    driver.wait_until(lambda: model.searched, "the list of boxes", 180)
    assert not prepares_regions(driver.session.library)
    assert [one.photo_id for one in model.found] == [item_of(wrong_box(driver).id)]
    assert page.words.text().startswith("The names of 1 boxes are probably wrong.")
