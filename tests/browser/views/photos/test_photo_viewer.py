"""Zooming and panning a single photo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from browser.views.photos.photo_viewer import LARGEST, PhotoViewer
from browser.walkthrough.keys_and_mouse import Hands


@pytest.fixture
def viewer(hands: Hands) -> PhotoViewer:
    hands.click(1)
    hands.settle("the ranking")
    hands.key(Qt.Key.Key_E)
    hands.settle("the photo")
    return hands.window.viewer


def test_zooming_keeps_the_point_under_the_pointer(viewer: PhotoViewer) -> None:
    rect = viewer._rect()
    spot = QPointF(rect.left() + rect.width() * 0.5, rect.top() + rect.height() * 0.6)
    viewer.zoom(4, spot)
    after = viewer._rect()
    assert (spot.x() - after.left()) / after.width() == pytest.approx(0.5, abs=0.01)
    assert (spot.y() - after.top()) / after.height() == pytest.approx(0.6, abs=0.01)


def test_zoom_has_bounds(viewer: PhotoViewer) -> None:
    fitted = viewer.scale
    for _ in range(50):
        viewer.zoom(2)
    assert viewer.scale == LARGEST
    for _ in range(50):
        viewer.zoom(0.5)
    assert viewer.scale == pytest.approx(min(fitted, 1.0))


def test_the_photo_cannot_be_dragged_out_of_sight(viewer: PhotoViewer) -> None:
    viewer.zoom(LARGEST)
    for _ in range(40):
        viewer._pan(QPointF(1000, 1000))
    rect = viewer._rect()
    assert rect.right() >= viewer.width() - 1
    assert rect.bottom() >= viewer.height() - 1
    viewer.toggle_full_size()
    assert viewer._rect().center().x() == pytest.approx(viewer.width() / 2, abs=1)


def test_dragging_moves_the_photo(viewer: PhotoViewer) -> None:
    viewer.zoom(LARGEST)
    before = viewer._rect().topLeft()
    middle = viewer.rect().center()
    QTest.mousePress(viewer, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(viewer, middle + QPoint(30, 20))
    QTest.mouseRelease(viewer, Qt.MouseButton.LeftButton, pos=middle + QPoint(30, 20))
    assert viewer._rect().topLeft() == before + QPointF(30, 20)


def test_judging_in_the_viewer_means_its_photo(hands: Hands, viewer: PhotoViewer) -> None:
    hands.key(Qt.Key.Key_Space)
    hands.settle("the next photo")
    hands.key(Qt.Key.Key_D)
    hands.settle("judging")
    assert viewer.photo_id is not None
    assert list(hands.navigator.marks) == [viewer.photo_id]
    assert viewer.grab().width() == viewer.width()


def test_the_viewer_ends_where_the_ranking_ends(hands: Hands, viewer: PhotoViewer) -> None:
    hands.key(Qt.Key.Key_Backspace)
    focal = viewer.photo_id
    hands.key(Qt.Key.Key_Backspace)
    assert viewer.photo_id == focal
    hands.key(Qt.Key.Key_Return)
    hands.settle("the ranking")
    assert not viewer.isVisible()
    assert hands.navigator.focal_id == focal
