# SPDX-License-Identifier: MIT
"""Boxes follow zoom, rotation, other photos, and changes from elsewhere; read-only libraries and kills."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.views.photos.palette import tag_color
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.photos.boxes.box_driver import BoxDriver, Key, close_to


@pytest.fixture
def boxes(driver: WindowDriver) -> BoxDriver:
    """Return the viewer on the first photo, in box mode."""
    found = BoxDriver(driver)
    found.open()
    found.press(Key.Key_B)
    return found


def test_a_box_drawn_at_pixels_of_the_zoomed_photo_has_exactly_these(boxes: BoxDriver) -> None:
    viewer = boxes.viewer
    viewer.zoom(100, QPointF(viewer.rect().center()))
    wide, high = viewer.pixels
    photo, scale = viewer.photo_rect(), viewer.scale
    first = [round(-side / scale) + 5 for side in (photo.left(), photo.top())]
    corners = [
        QPointF(photo.left() + (first[0] + n) * scale, photo.top() + (first[1] + n) * scale).toPoint() for n in (0, 20)
    ]
    boxes.drag(corners[0], corners[1])
    (box,) = boxes.stored()
    assert box.region.x0 * wide == pytest.approx(first[0])
    assert box.region.y0 * high == pytest.approx(first[1])
    assert box.region.x1 * wide == pytest.approx(first[0] + 20)
    assert box.region.y1 * high == pytest.approx(first[1] + 20)
    rect = boxes.rect()
    assert (rect.left(), rect.width()) == pytest.approx((photo.left() + first[0] * scale, 20 * scale))
    viewer.toggle_full_size()
    viewer.zoom(0.01)
    fitted = viewer.photo_rect()
    assert boxes.rect().left() == pytest.approx(fitted.left() + first[0] * fitted.width() / wide)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_boxes_turn_with_the_photo(boxes: BoxDriver, turns: int) -> None:
    boxes.draw(0.1, 0.2, 0.4, 0.5, "dog")
    stored = boxes.stored()[0].region
    for _ in range(turns):
        boxes.press(Key.Key_Greater)
    assert boxes.stored()[0].region == stored
    shown = boxes.layer.region_of(boxes.model.boxes[0])
    assert shown == rotated_region(stored, turns)
    photo, rect = boxes.viewer.photo_rect(), boxes.rect()
    assert (rect.left() - photo.left()) / photo.width() == pytest.approx(shown.x0)
    boxes.draw(0.45, 0.45, 0.58, 0.98, "cat")
    assert close_to(rotated_region(boxes.stored()[1].region, turns), 0.45, 0.45, 0.58, 0.98)
    boxes.click(boxes.at((shown.x0 + shown.x1) / 2, (shown.y0 + shown.y1) / 2))
    assert boxes.model.current is not None
    assert boxes.model.current.tag == "dog"
    boxes.press(Key.Key_Right)
    nudged = rotated_region(boxes.stored()[0].region, turns)
    assert nudged.x0 > shown.x0
    assert nudged.y0 == pytest.approx(shown.y0, abs=0.01)


def test_a_box_is_painted_in_the_color_of_its_tag(boxes: BoxDriver) -> None:
    boxes.draw(0.2, 0.3, 0.6, 0.7, "dog")
    boxes.press(Key.Key_Escape)
    image, rect = boxes.viewer.grab().toImage(), boxes.rect()
    colors = {image.pixelColor(round(rect.left()) + by, round(rect.center().y())).rgb() for by in (-1, 0, 1)}
    assert tag_color("dog").rgb() in colors
    assert tag_color("dog") == tag_color("dog")
    assert len({tag_color(f"tag {number}").name() for number in range(100)}) == 16


# ---------------------------------------------------------------------- changes from elsewhere
def test_changes_from_elsewhere_are_shown(boxes: BoxDriver) -> None:
    session, library = boxes.driver.session, boxes.driver.session.library
    box = boxes.draw(0.2, 0.3, 0.6, 0.7, "dog")
    assert boxes.viewer.photo_id is not None
    session.naming.rename_tag("dog", "animal/dog")
    boxes.settle()
    assert [one.tag for one in boxes.model.boxes] == ["animal/dog"]
    assert boxes.model.recent == ["animal/dog"]
    session.feed.publish(library.boxes.add([(boxes.viewer.photo_id, Region(0, 0, 0.1, 0.1), "cat")]))
    boxes.settle()
    assert [one.tag for one in boxes.model.boxes] == ["animal/dog", "cat"]
    session.feed.publish(library.boxes.remove([box.id]))
    boxes.settle()
    assert [one.tag for one in boxes.model.boxes] == ["cat"]
    session.feed.publish(library.tags.change([boxes.viewer.photo_id], remove=["cat"]))
    boxes.settle()
    assert [one.tag for one in boxes.model.boxes] == [None]


def test_undo_and_redo_follow_every_edit(boxes: BoxDriver) -> None:
    boxes.draw(0.2, 0.3, 0.6, 0.7, "dog")
    drawn = boxes.stored()[0].region
    boxes.drag(boxes.at(0.4, 0.5), boxes.at(0.5, 0.5))
    moved = boxes.stored()[0].region
    boxes.press(Key.Key_Delete)
    states = [[(one.region, one.tag) for one in boxes.model.boxes]]
    for _ in range(4):
        boxes.press(Key.Key_Z, CTRL)
        states.append([(one.region, one.tag) for one in boxes.model.boxes])
    assert states == [[], [(moved, "dog")], [(drawn, "dog")], [(drawn, None)], []]
    assert boxes.tags() == []
    for expected in reversed(states[:-1]):
        boxes.press(Key.Key_Y, CTRL)
        assert [(one.region, one.tag) for one in boxes.model.boxes] == expected


def test_undoing_a_drawn_box_closes_its_name(boxes: BoxDriver) -> None:
    boxes.drag(boxes.at(0.2, 0.2), boxes.at(0.5, 0.5))
    assert boxes.field.isVisible()
    boxes.press(Key.Key_Z, CTRL)
    assert not boxes.stored()
    assert not boxes.field.isVisible()
    assert boxes.viewer.hasFocus()


def test_an_edited_photo_marks_its_boxes_until_they_are_checked(own_photos: WindowDriver) -> None:
    boxes, session = BoxDriver(own_photos), own_photos.session
    photo_id = boxes.open()
    boxes.press(Key.Key_B)
    boxes.draw(0.2, 0.2, 0.6, 0.6, "dog")
    (photo,) = session.library.photos.get([photo_id])
    with Image.open(photo.path) as image:
        image.resize((image.width // 2 + 40, image.height // 2)).save(photo.path)
    session.jobs.indexing.rescan()
    boxes.settle()
    (box,) = boxes.model.boxes
    assert box.uncertain
    assert "edited since" in boxes.list.rows.item(0).toolTip()
    at = boxes.at(0.4, 0.4)
    QApplication.sendEvent(boxes.layer, QHelpEvent(QEvent.Type.ToolTip, at, boxes.layer.mapToGlobal(at)))
    assert "edited since" in QToolTip.text()
    boxes.drag(at, at + QPoint(40, 0))
    assert not boxes.model.boxes[0].uncertain
    assert "edited since" not in boxes.list.rows.item(0).toolTip()


# ---------------------------------------------------------------------- read-only libraries, and kills
def test_a_read_only_library_shows_boxes_and_draws_none(open_window: OpenWindow, library_folder: Path) -> None:
    library = Library.open(library_folder)
    first = int(library.photos.ids()[0])
    library.boxes.add([(photo, Region(0.2, 0.2, 0.6, 0.6), "dog") for photo in library.photos.ids().tolist()])
    library.close()
    boxes = BoxDriver(open_window(library_folder, read_only=True, watching=False))
    boxes.open()
    assert len(boxes.model.boxes) == 1
    assert boxes.list.isVisible()
    assert not boxes.list.remove_button.isVisible()
    boxes.press(Key.Key_B)
    assert not boxes.model.editing
    assert "read-only" in boxes.driver.message_text
    QTest.mousePress(boxes.layer, Qt.MouseButton.LeftButton, pos=boxes.at(0.7, 0.7))
    QTest.mouseRelease(boxes.layer, Qt.MouseButton.LeftButton, pos=boxes.at(0.9, 0.9))
    boxes.list.rows.setFocus()
    boxes.list.rows.setCurrentRow(0)
    boxes.press(Key.Key_Delete)
    assert len(boxes.driver.session.library.boxes.of([first])[first]) == 1


def test_a_drawn_box_is_stored_before_its_name_is_asked(boxes: BoxDriver, library_folder: Path) -> None:
    """A kill at this moment loses nothing: another connection reads the box."""
    boxes.drag(boxes.at(0.2, 0.2), boxes.at(0.5, 0.5))
    assert boxes.field.isVisible()
    reader = Library.open(library_folder, read_only=True)
    assert reader.boxes.count() == 1
    reader.close()
