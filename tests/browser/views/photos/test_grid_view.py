# SPDX-License-Identifier: MIT
"""The grid in the window: painting, layout, and a ranking whose rest is still to come."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem

from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.models.photos.navigation import arrangement
from focal_photos.browser.views.base.theme import scaled_font
from focal_photos.browser.views.photos.grid import grid_scroll
from focal_photos.browser.views.photos.grid.tile_arrangement import TILE_SIZES, TileShape
from focal_photos.browser.views.photos.grid.tile_delegate import MARK, TileDelegate
from focal_photos.browser.walkthrough.window_driver import NONE, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import walk_to

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize("photo", ["white", "black"])
def test_the_current_photo_is_visible_on_any_picture(open_window: OpenWindow, tmp_path: Path, photo: str) -> None:
    (tmp_path / "photos").mkdir()
    Image.new("RGB", (120, 90), photo).save(tmp_path / "photos" / "plain.png")
    driver = open_window(tmp_path / "new", tmp_path / "photos")
    driver.wait_until_idle("the photo", 120)
    grid = driver.grid
    picture = grid.parts_of(0).picture.toRect().adjusted(1, 1, -1, -1)

    def other_pixels() -> int:
        image = grid.viewport().grab(picture).toImage()
        places = product(range(image.width()), range(image.height()))
        shades = [image.pixelColor(x, y).lightness() for x, y in places]
        return sum(shade < 200 if photo == "white" else shade > 55 for shade in shades)

    tile = picture.width() * picture.height()
    driver.wait_until(lambda: other_pixels() < tile // 2, "the picture")
    grid.make_current(0)
    grid.clearSelection()
    grid.setFocus()
    driver.wait_until_idle("the frame")
    assert picture.width() < other_pixels() < tile // 2


def test_visible_tiles_are_painted_once_while_lower_rows_are_laid_out(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.grid.set_tile_size(TILE_SIZES[-1])
    driver.wait_until_idle("large tiles")
    painted: list[int] = []
    paint = TileDelegate.paint

    def noted(delegate: TileDelegate, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        painted.append(index.row())
        paint(delegate, painter, option, index)

    monkeypatch.setattr(TileDelegate, "paint", noted)
    monkeypatch.setattr(grid_scroll, "BLOCK", 12)
    driver.grid._lay_out_again()
    assert driver.grid._tiles.layout.laid == 12
    assert driver.grid._tiles.layout.height > driver.grid.viewport().height()
    driver.wait_until(lambda: driver.grid._tiles.layout.laid == 32, "all rows")
    driver.wait_until_idle("all rows")
    assert painted.count(0) == 1


@pytest.mark.slow
@pytest.mark.parametrize("captions", [False, True])
@pytest.mark.parametrize("shape", TileShape)
def test_thumbnails_are_requested_in_the_painted_size(driver: WindowDriver, shape: TileShape, captions: bool) -> None:
    driver.grid.set_shape(shape)
    driver.grid.set_captions(captions)
    driver.wait_until_idle("the tiles")
    for row in range(3):
        picture, wanted = driver.grid.parts_of(row).picture, driver.grid._box(row)
        if shape is TileShape.SQUARE:  # cropped at two sides
            assert min(wanted.width, wanted.height) == round(min(picture.width(), picture.height()))
        else:
            assert (wanted.width, wanted.height) == (round(picture.width()), round(picture.height()))


# ---------------------------------------------------------------- a ranking whose rest is still to come
@pytest.fixture
def beginning(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], list[int]]:
    """Return a function that goes to a photo, and acts while only the first five of the ranking are shown."""
    monkeypatch.setattr(arrangement, "FIRST_PHOTOS", 5)
    monkeypatch.setattr(arrangement, "MAX_WHOLE_RANKING", 7)

    def walk(act: Callable[[], object]) -> list[int]:
        counts: list[int] = []

        def shown() -> None:
            counts.append(driver.session.grid.rowCount())
            act()

        driver.navigator.arranged.connect(shown)
        driver.navigator.focus(driver.session.grid.photo_id(3))
        driver.wait_until_idle("the ranking")
        driver.navigator.arranged.disconnect(shown)
        return counts

    return walk


def press(driver: WindowDriver, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(driver.grid, key, modifier)


Beginning = Callable[[Callable[[], object]], list[int]]


def test_end_moves_to_the_last_photo_of_the_whole_ranking(driver: WindowDriver, beginning: Beginning) -> None:
    assert beginning(lambda: press(driver, Qt.Key.Key_End)) == [5]
    assert driver.session.grid.rowCount() == 31
    assert driver.grid.currentIndex().row() == 30
    bar = driver.grid.verticalScrollBar()
    assert bar.value() == bar.maximum()


def test_name_and_tags_are_above_the_buttons_if_they_would_be_cut(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    grid, delegate = driver.grid, driver.grid._delegate
    beside, above = 0, 0
    for size, captions in ((150, False), (150, True), (320, False), (90, False)):
        grid.set_tile_size(size)
        grid.set_captions(captions)
        driver.wait_until_idle("the tiles")
        for row in range(driver.session.grid.rowCount()):
            tile = driver.session.grid.data(driver.session.grid.index(row), Role.TILE)
            parts, option = grid.parts_of(row), grid._option()
            area, texts = delegate.strip_lines(parts, tile, option, buttons=True)
            if not texts or area.width() <= 20:
                continue  # there is no text
            places = [parts.buttons[each] for each in delegate.offered(tile) if each in parts.buttons]
            assert parts.picture.contains(area)
            assert area.bottom() < parts.picture.bottom() - 6, "the dashes around the current photo cover no letter"
            assert not any(place.intersects(area) for place in places)
            alone, _ = delegate.strip_lines(parts, tile, option, buttons=False)
            metrics = QFontMetricsF(scaled_font(option.font, 0.9))
            needed = max(metrics.horizontalAdvance(text) for text in texts)
            if area.bottom() < alone.bottom():
                above += 1
                assert area.width() == alone.width()
                assert area.top() > parts.picture.top() + MARK + 5, "the marks of the photo are not covered"
            elif needed <= area.width():
                beside += 1
            assert delegate.says_all(parts, tile, option) == (
                needed <= area.width() and texts == delegate.strip_texts(tile)
            )
    assert beside
    assert above


def test_a_click_on_a_partly_visible_tile_does_not_scroll(driver: WindowDriver) -> None:
    grid, bar = driver.grid, driver.grid.verticalScrollBar()
    grid.set_tile_size(240)
    driver.wait_until_idle("the layout")
    bar.setValue(grid.visualRect(driver.session.grid.index(0)).height() // 2)
    page, top = grid.viewport().height(), bar.value()
    assert 0 < top < bar.maximum()
    cut = [row for row in range(32) if _cut(grid.visualRect(driver.session.grid.index(row)), page)]
    assert len(cut) >= 4, "tiles at both edges are cut"
    for row in (cut[0], cut[-1]):
        seen = grid.visualRect(driver.session.grid.index(row)).intersected(grid.viewport().rect())
        QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, NONE, seen.center())
        driver.wait_until_idle("the selection")
        assert grid.selected_ids() == [driver.session.grid.photo_id(row)]
        assert bar.value() == top
    driver.press(Key.Key_Down)
    assert bar.value() > top, "the keyboard scrolls to the current photo"


def _cut(rect: QRect, page: int) -> bool:
    return rect.top() < 0 < rect.bottom() or rect.top() < page < rect.bottom()


def test_no_scroll_bar_is_painted_without_overflow(driver: WindowDriver) -> None:
    grid, bar = driver.grid, driver.grid.verticalScrollBar()

    def colors() -> set[int]:
        image = bar.grab().toImage()
        return {image.pixel(x, y) for x in range(image.width()) for y in range(0, image.height(), 5)}

    grid.set_tile_size(320)
    driver.wait_until_idle("large tiles")
    assert bar.maximum() > 0
    assert len(colors()) > 1
    driver.session.editor.tag(driver.session.grid.ids.tolist()[:2], ["two"])
    driver.wait_until_idle("tagging")
    driver.navigator.show_tag("two")
    driver.wait_until_idle("two photos")
    assert bar.maximum() == 0
    assert len(colors()) == 1
