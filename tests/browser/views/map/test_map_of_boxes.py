# SPDX-License-Identifier: MIT
"""The map of boxes in the real window: crops, colours by name, naming after a lasso, and searches by a region."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from focal_photos.browser.models.map.library_map import ColorBy
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.operations.ranking.queries.query import RegionQuery
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.walkthrough.window_driver import CTRL, NONE, SHIFT, WindowDriver
from tests.browser import region_album
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.map.test_map_page import everything, middle, page, surround
from tests.browser.views.review.test_check_boxes import EACH, box_album
from tests.conftest import MadeOnce

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
BOXES = 2 * EACH


@pytest.fixture
def mapped(open_window: OpenWindow, made_once: MadeOnce, tmp_path: Path) -> WindowDriver:
    """Return a window that shows the map of 24 boxes."""
    driver = open_window(box_album(made_once, tmp_path, prepared=True), watching=False)
    QTest.mouseClick(driver.window.top_bar.mode_buttons[Mode.MAP], LEFT)
    wait_for_map(driver)
    driver.press(Key.Key_R, CTRL | SHIFT)
    wait_for_map(driver)
    return driver


def wait_for_map(driver: WindowDriver) -> None:
    driver.wait_until(lambda: driver.session.map.drawing is not None and not driver.session.map.busy, "the map", 180)
    driver.wait_until_idle("the map")


def test_crops_lie_beside_those_of_their_kind_and_have_the_colours_of_their_names(mapped: WindowDriver) -> None:
    canvas, library_map, library = page(mapped).canvas, mapped.session.map, mapped.session.library
    assert sum(tile.count for tile in canvas.tiles) == BOXES
    assert all(tile.photo_id < 0 for tile in canvas.tiles)
    image = mapped.session.loader.image(canvas.tiles[0].photo_id, canvas._painting.tile_size)
    assert image is not None
    region, size = region_album.place(0), region_album.SIZE
    shape = (region.x1 - region.x0) * size[0] / ((region.y1 - region.y0) * size[1])
    assert image.width() / image.height() == pytest.approx(shape, rel=0.1), "the part of the photo is shown"
    drawing = library_map.drawing
    assert drawing is not None
    rings = ["rings" in library.photos.paths([box.photo_id])[0].stem for box in reversed(library.boxes.all())]
    rest = [not one for one in rings]
    away = abs(drawing.places[rings].mean(axis=0) - drawing.places[rest].mean(axis=0)).max()
    assert away > drawing.places[rings].std(axis=0).max()
    assert {(entry.name, entry.count) for entry in library_map.legend} == {("bars", EACH + 1), ("rings", EACH - 1)}
    library_map.choose_colors(ColorBy.FOLDERS)
    mapped.wait_until_idle("colours")
    assert [(entry.name, entry.count) for entry in library_map.legend] == [("photos", BOXES)]


def test_a_lasso_and_a_tag_name_boxes_without_another_map(mapped: WindowDriver) -> None:
    library, library_map = mapped.session.library, mapped.session.map
    before = library_map.drawing
    assert before is not None
    surround(mapped, everything(mapped))
    assert len(library_map.selected) == BOXES
    assert mapped.navigator.selected == (), "keys for photos have no effect"
    mapped.press(Key.Key_T)
    assert page(mapped).field.hasFocus()
    mapped.type("thing")
    mapped.press(Key.Key_Return)
    mapped.wait_until_idle("naming")
    assert {box.tag for box in library.boxes.all()} == {"thing"}
    wait_for_map(mapped)
    after = library_map.drawing
    assert after is not None
    assert (after.places == before.places).all(), "boxes stay in place when they are named"
    assert [(entry.name, entry.count) for entry in library_map.legend] == [("thing", BOXES)]
    mapped.session.editor.undo()
    mapped.wait_until_idle("undo")
    assert {box.tag for box in library.boxes.all()} == set(region_album.KINDS)


def test_a_double_click_searches_by_the_box(mapped: WindowDriver) -> None:
    canvas = page(mapped).canvas
    item, at = canvas.tiles[0].photo_id, middle(mapped, 0)
    (box,) = mapped.session.library.boxes.get([-item])
    QTest.mouseClick(canvas, LEFT, NONE, at)
    QTest.mouseDClick(canvas, LEFT, NONE, at)
    mapped.wait_until_idle("the ranking")
    assert mapped.window.mode is Mode.BROWSE
    assert mapped.navigator.part == RegionQuery(box.photo_id, box.region)


def test_a_double_click_shows_the_ranking_if_a_photo_was_in_the_preview_before(mapped: WindowDriver) -> None:
    mapped.window.show_mode(Mode.BROWSE)
    photos = mapped.window.photos
    photos.grid.make_current(0)
    mapped.press(Key.Key_Space)
    mapped.wait_until(lambda: photos.viewing, "the preview")
    QTest.mouseClick(mapped.window.top_bar.mode_buttons[Mode.MAP], LEFT)
    wait_for_map(mapped)
    QTest.mouseDClick(page(mapped).canvas, LEFT, NONE, middle(mapped, 0))
    mapped.wait_until_idle("the ranking")
    assert mapped.navigator.part is not None
    assert mapped.window.mode is Mode.BROWSE
    assert not photos.viewing


def test_a_removed_box_leaves_the_map_and_the_photos_of_boxes_can_be_shown(mapped: WindowDriver) -> None:
    library, canvas = mapped.session.library, page(mapped).canvas
    one = canvas.tiles[0].photo_id
    mapped.session.editor.remove_boxes([-one], lambda: None)
    mapped.wait_until_idle("the removal")
    wait_for_map(mapped)
    drawing = mapped.session.map.drawing
    assert drawing is not None
    assert one not in drawing.ids[drawing.shown].tolist()
    assert len(drawing) == BOXES - 1
    QTest.mouseClick(canvas, LEFT, NONE, middle(mapped, 0))
    (item,) = mapped.session.map.selected
    QTest.mouseClick(page(mapped).show_button, LEFT)
    mapped.wait_until_idle("the photo")
    assert mapped.window.mode is Mode.BROWSE
    assert mapped.navigator.grid.ids.tolist() == [library.boxes.get([-item])[0].photo_id]


def test_the_scope_limits_the_boxes_and_photos_come_back(mapped: WindowDriver) -> None:
    session = mapped.session
    mapped.press(Key.Key_Escape)
    mapped.window.show_mode(Mode.BROWSE)
    session.navigator.show_collection(Collection("path:bars"))
    mapped.wait_until_idle("the filter")
    QTest.mouseClick(mapped.window.top_bar.mode_buttons[Mode.MAP], LEFT)
    wait_for_map(mapped)
    assert session.map.boxes
    assert session.map.drawing is not None
    assert session.map.drawing.shown.sum() == EACH
    QTest.mouseClick(page(mapped).scope_bar.boxes_button, LEFT)
    wait_for_map(mapped)
    assert not session.map.boxes
    assert all(tile.photo_id > 0 for tile in page(mapped).canvas.tiles)
    assert session.map.drawing.shown.sum() == EACH


def test_boxes_of_a_read_only_library_are_shown_without_searches_by_a_region(
    open_window: OpenWindow, made_once: MadeOnce, tmp_path: Path
) -> None:
    driver = open_window(box_album(made_once, tmp_path, prepared=False), read_only=True, watching=False)
    QTest.mouseClick(driver.window.top_bar.mode_buttons[Mode.MAP], LEFT)
    wait_for_map(driver)
    driver.press(Key.Key_R, CTRL | SHIFT)
    wait_for_map(driver)
    assert sum(tile.count for tile in page(driver).canvas.tiles) == BOXES
    assert all(tile.photo_id < 0 for tile in page(driver).canvas.tiles)
    driver.press(Key.Key_R, CTRL | SHIFT)
    wait_for_map(driver)
    assert page(driver).canvas.isVisible()
    assert not driver.session.map.boxes


def test_the_map_beside_the_grid_shows_photos(mapped: WindowDriver) -> None:
    mapped.window.show_mode(Mode.BROWSE)
    mapped.press(Key.Key_F9, CTRL)
    wait_for_map(mapped)
    assert mapped.session.scope.boxes
    assert not mapped.session.map.boxes
