# SPDX-License-Identifier: MIT
"""The window in right-to-left layout: columns are mirrored, painted content is not, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QItemSelectionModel, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from focal_photos.browser.models.metrics.reasons import Bar
from focal_photos.browser.views.base.tree_view import TreeView
from focal_photos.browser.views.metrics.why_panel import PartBars
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.places import modes
from tests.browser.views.test_every_text import cut_off
from tests.browser.views.window_steps import walk_to


@pytest.fixture
def turned(qapp: QApplication) -> Iterator[QApplication]:
    """Set the application to right-to-left layout."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield qapp
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def x_of(driver: WindowDriver, widget: QWidget) -> int:
    return widget.mapTo(driver.window, widget.rect().center()).x()


def test_columns_and_arrows_are_mirrored(turned: QApplication, open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder)
    walk_to(driver, 3)
    window = driver.window
    assert x_of(driver, window.right_column) < x_of(driver, window.photos) < x_of(driver, window.sidebar)
    trail = window.top_bar.trail
    assert x_of(driver, trail.forward_button) < x_of(driver, trail.back_button)
    sides = [button.icon().pixmap(16, 16).toImage() for button in (trail.back_button, trail.forward_button)]
    turned.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    plain = open_window(library_folder.parent / "other").window.top_bar.trail
    assert [one.icon().pixmap(16, 16).toImage() for one in (plain.forward_button, plain.back_button)] == sides


_CAPTION = 16  # rows of pixels at the foot of a tile with only its caption
_EDGE = 4  # columns of pixels at each side of a tile that may show its frame


def pixels(image: QImage) -> NDArray[np.uint8]:
    """Return the pixels of an image, uint8 (h, w, 4)."""
    converted = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(converted.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()


def test_tiles_and_bars_look_the_same_in_both_directions(
    driver: WindowDriver, theme: object, qapp: QApplication
) -> None:
    walk_to(driver, 3)
    driver.window.photos.grid.set_captions(True)
    driver.wait_until_idle("captions")
    bars = PartBars(driver.window.theme)
    bars.resize(300, 60)
    bars.show_bars((Bar("Shared neighbours", 0.5), Bar("Colour", 0.1, 0.3)))
    painted = []
    grid = driver.grid
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        qapp.setLayoutDirection(direction)
        driver.wait_until_idle("the layout")
        shown, tiles = (
            grid.viewport().grab().toImage(),
            [grid.visualRect(grid.model().index(row, 0)) for row in range(grid.columns)],
        )
        painted.append((bars.grab().toImage(), [shown.copy(rect) for rect in tiles]))
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert painted[0][0] == painted[1][0]
    for left_to_right, right_to_left in zip(painted[0][1], painted[1][1], strict=True):
        one, other = pixels(left_to_right), pixels(right_to_left)
        assert np.array_equal(one[-_CAPTION:], other[-_CAPTION:])
        # the photo is the same, but rounding may move it by a pixel
        photos = [
            each[: -2 * _CAPTION, _EDGE:-_EDGE] for each in (one, *(np.roll(other, by, axis=1) for by in (-1, 0, 1)))
        ]
        assert any(np.array_equal(photos[0], moved) for moved in photos[1:])


@pytest.mark.slow
@pytest.mark.parametrize("shape", list(TileShape))
def test_rows_of_photos_mouse_and_keys_are_mirrored(driver: WindowDriver, shape: TileShape, qapp: QApplication) -> None:
    walk_to(driver, 3)
    grid = driver.grid
    grid.set_shape(shape)
    driver.wait_until_idle("the shape")
    rows, width = range(12), grid.viewport().width()

    def rects() -> list[QRect]:
        return [grid.visualRect(grid.model().index(row, 0)) for row in rows]

    def band(start: QPoint, end: QPoint) -> list[int]:
        grid.setSelection(QRect(start, end), QItemSelectionModel.SelectionFlag.ClearAndSelect)
        return grid.selected_ids()

    plain, columns = rects(), grid.columns
    chosen = band(plain[0].center(), plain[1].center())
    assert len(chosen) == 2
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        driver.wait_until_idle("the layout")
        turned = rects()
        for here, there in zip(plain, turned, strict=True):
            assert (here.top(), here.size()) == (there.top(), there.size())
            assert here.left() == width - there.left() - there.width()
        assert turned[0].left() > turned[1].left(), "the first photo is at the right"
        for row, rect in enumerate(turned):
            if grid.viewport().rect().contains(rect):
                for point in (rect.topLeft(), rect.bottomRight(), rect.center()):
                    assert grid.indexAt(point).row() == row
        assert band(turned[1].center(), turned[0].center()) == chosen
        driver.click(0)
        driver.press(Qt.Key.Key_Left)
        assert grid.currentIndex().row() == 1
        driver.press(Qt.Key.Key_Right)
        assert grid.currentIndex().row() == 0
        driver.press(Qt.Key.Key_Down)
        below = grid.currentIndex().row()
        assert columns - 1 <= below <= columns + 1
        assert grid.visualRect(grid.currentIndex()).top() > turned[0].top()
        grid.clearSelection()
        start = QPoint(turned[columns - 1].center())
        QTest.mousePress(grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, start)
        QTest.mouseMove(grid.viewport(), turned[columns - 2].center())
        QTest.mouseRelease(
            grid.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.ControlModifier,
            turned[columns - 2].center(),
        )
        ids = driver.session.grid.ids
        assert set(grid.selected_ids()) == {int(ids[columns - 2]), int(ids[columns - 1])}
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    driver.wait_until_idle("the layout")
    assert rects() == plain


def test_the_line_of_review_starts_at_the_right(driver: WindowDriver, qapp: QApplication) -> None:
    library = driver.session.library
    ids = library.photos.ids().tolist()
    library.tags.change(ids[:4], ["one"])
    library.tags.change(ids[4:8], ["other"])
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        driver.press(Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        driver.wait_until_idle("the first question", 120)
        review, grid = driver.session.review, driver.window.modes.review_page.grid
        assert len(review.answers.photo_ids) > grid.columns + 1
        review.tiles.move_line(1)
        first, second = (grid.visualRect(grid.model().index(row, 0)) for row in (0, 1))
        points = grid.line_points(1)
        assert points[0].x() > points[-1].x()
        assert [points[1].x(), points[2].x()] == [first.left()] * 2 == [second.right() + 1] * 2
        assert grid.line_at(QPointF(second.left(), second.center().y())) == 2
        assert grid.line_at(QPointF(first.right(), first.center().y())) == 0
        start, end = QPointF(first.left(), first.center().y()).toPoint(), QPoint(second.left(), second.center().y())
        QTest.mousePress(grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
        QTest.mouseMove(grid.viewport(), end)
        QTest.mouseRelease(grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)
        assert review.answers.line == 2
        grid.setFocus()
        driver.press(Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
        assert review.answers.line == 3
        driver.press(Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
        assert review.answers.line == 2
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_the_arrow_of_a_folded_entry_points_at_the_entry(driver: WindowDriver, qapp: QApplication) -> None:
    tree = TreeView(driver.window.theme, 9.0)
    model = QStandardItemModel()
    folded = QStandardItem("folded")
    folded.appendRow(QStandardItem("child"))
    model.appendRow(folded)
    tree.setModel(model)
    drawn = []
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        tree.setLayoutDirection(direction)
        image = QImage(40, 20, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        tree.drawBranches(painter, QRect(0, 0, 40, 20), model.index(0, 0))
        painter.end()
        drawn.append(image)
    opaque = [{(x, y) for x in range(40) for y in range(20) if one.pixelColor(x, y).alpha() > 100} for one in drawn]
    assert opaque[0]
    assert opaque[1] == {(39 - x, y) for x, y in opaque[0]}


@pytest.mark.slow
@pytest.mark.parametrize("size", [QSize(1024, 700), QSize(1366, 768)], ids=["1024", "1366"])
def test_nothing_is_cut_off_in_any_mode(
    turned: QApplication, open_window: OpenWindow, library_folder: Path, size: QSize
) -> None:
    driver = open_window(library_folder)
    driver.window.resize(size)
    walk_to(driver, 3)
    driver.click(2)
    driver.wait_until_idle("the selection")
    found = [f"{name}: {text}" for name, root in modes(driver) for text in cut_off(root)]
    assert not found, "\n".join(dict.fromkeys(found))
