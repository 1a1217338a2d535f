# SPDX-License-Identifier: MIT
"""Zooming and panning a single photo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from focal_photos.browser.tasks.pictures import FullPicture
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.photo_viewer import MAX_ZOOM, PhotoViewer
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver


@pytest.fixture
def viewer(driver: WindowDriver) -> PhotoViewer:
    driver.walk(1)
    driver.wait_until_idle("the ranking")
    driver.press(Qt.Key.Key_E)
    driver.wait_until_idle("the photo")
    return driver.window.photos.viewer


def test_zooming_keeps_the_point_under_the_pointer(viewer: PhotoViewer) -> None:
    rect = viewer.photo_rect()
    spot = QPointF(rect.left() + rect.width() * 0.5, rect.top() + rect.height() * 0.6)
    viewer.zoom(4, spot)
    after = viewer.photo_rect()
    assert (spot.x() - after.left()) / after.width() == pytest.approx(0.5, abs=0.01)
    assert (spot.y() - after.top()) / after.height() == pytest.approx(0.6, abs=0.01)


def test_zoom_has_bounds(viewer: PhotoViewer) -> None:
    fitted = viewer.scale
    for _ in range(50):
        viewer.zoom(2)
    assert viewer.scale == MAX_ZOOM
    for _ in range(50):
        viewer.zoom(0.5)
    assert viewer.scale == pytest.approx(min(fitted, 1.0))


def test_the_photo_cannot_be_dragged_out_of_sight(viewer: PhotoViewer) -> None:
    viewer.zoom(MAX_ZOOM)
    for _ in range(40):
        viewer.pan(QPointF(1000, 1000))
    rect = viewer.photo_rect()
    assert rect.right() >= viewer.width() - 1
    assert rect.bottom() >= viewer.height() - 1
    viewer.toggle_full_size()
    assert viewer.photo_rect().center().x() == pytest.approx(viewer.width() / 2, abs=1)


def test_a_viewer_without_a_picture_may_have_no_size(driver: WindowDriver, theme: Theme, qtbot: QtBot) -> None:
    viewer = PhotoViewer(driver.session, theme)
    qtbot.addWidget(viewer)
    for size in (0, 40, 0):
        viewer.resize(size, 0)
        viewer.pan(QPointF(3, 3))
        assert viewer.photo_rect().size() == QSizeF(size, 0)


def test_dragging_moves_the_photo(viewer: PhotoViewer) -> None:
    viewer.zoom(MAX_ZOOM)
    before = viewer.photo_rect().topLeft()
    middle = viewer.rect().center()
    QTest.mousePress(viewer, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(viewer, middle + QPoint(30, 20))
    QTest.mouseRelease(viewer, Qt.MouseButton.LeftButton, pos=middle + QPoint(30, 20))
    assert viewer.photo_rect().topLeft() == before + QPointF(30, 20)


def test_judging_in_the_viewer_affects_its_photo(driver: WindowDriver, viewer: PhotoViewer) -> None:
    driver.press(Qt.Key.Key_Right)
    driver.wait_until_idle("the next photo")
    driver.press(Qt.Key.Key_D)
    driver.wait_until_idle("judging")
    assert viewer.photo_id is not None
    assert list(driver.navigator.marks) == [viewer.photo_id]
    assert viewer.grab().width() == viewer.width()


def test_the_viewer_ends_where_the_ranking_ends(driver: WindowDriver, viewer: PhotoViewer) -> None:
    driver.press(Qt.Key.Key_Backspace)
    focal = viewer.photo_id
    driver.press(Qt.Key.Key_Backspace)
    assert viewer.photo_id == focal
    driver.press(Qt.Key.Key_Return)
    driver.wait_until_idle("the ranking")
    assert not viewer.isVisible()
    assert driver.navigator.focal_id == focal


def test_a_late_picture_of_another_photo_is_not_shown(driver: WindowDriver, viewer: PhotoViewer) -> None:
    late = viewer.photo_id
    assert late is not None
    driver.press(Qt.Key.Key_Right)
    driver.wait_until_idle("the next photo")
    shown = viewer.grab().toImage()
    red = QImage(300, 200, QImage.Format.Format_RGB32)
    red.fill(QColor("red"))
    viewer._arrived(late, FullPicture(red))
    assert viewer.grab().toImage() == shown


def test_viewing_the_first_photo_keeps_the_selection(driver: WindowDriver) -> None:
    for row in (2, 5, 6):
        driver.click(row, CTRL)
    selected = driver.grid.selected_ids()
    driver.press(Qt.Key.Key_E)
    driver.wait_until_idle("the photo")
    assert driver.navigator.targets == (selected[0],)
    driver.press(Qt.Key.Key_Escape)
    assert driver.grid.selected_ids() == selected
