# SPDX-License-Identifier: MIT
"""Suggested boxes in the real window: accepted above the line, rejected, corrected and undone, by keys and mouse."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from focal_photos.browser.catalog.facts.records import Region, TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.photos.boxes.box_geometry import on_screen
from focal_photos.browser.views.photos.palette import tag_color
from focal_photos.browser.views.review.boxes.box_page import BoxPage
from focal_photos.browser.walkthrough.window_driver import CTRL, NONE, SHIFT, WindowDriver, pause
from tests.browser import region_album
from tests.browser.catalog.albums import id_of
from tests.browser.copies import copied_with_photos
from tests.browser.region_album import place
from tests.browser.views.conftest import OpenWindow
from tests.conftest import MadeOnce

Key = Qt.Key
EACH, DRAWN = 12, 3
"""Photos of each kind, and those of them with a box."""


class BoxDriver:
    """Drives the page of suggested boxes."""

    def __init__(self, driver: WindowDriver) -> None:
        self.driver, self.session, self.library = driver, driver.session, driver.session.library
        self.review = driver.session.review_pages.boxes

    @property
    def page(self) -> BoxPage:
        return self.driver.window.modes.review_page.box_page

    def settle(self) -> None:
        self.driver.wait_until_idle("the boxes", 120)

    def open(self) -> None:
        """Open the page with its key."""
        self.driver.press(Key.Key_B, CTRL | SHIFT)
        self.settle()

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press a key in the focused widget, and wait."""
        self.driver.press(key, modifiers)
        self.settle()

    def enter(self) -> None:
        """Press Enter when it is accepted again."""
        self.driver.wait_until(lambda: self.page.ready, "another Enter")
        self.press(Key.Key_Return)

    @property
    def tag(self) -> str | None:
        return None if self.review.question is None else self.review.question.tag

    def name(self, photo_id: int) -> str:
        return self.library.photos.paths([photo_id])[0].stem

    @property
    def shown(self) -> list[str]:
        return [self.name(photo_id) for photo_id in self.review.answers.photo_ids]

    def drawn(self) -> dict[str, tuple[str | None, Region, TagSource]]:
        """Return the boxes that were not drawn by hand, by name of the photo."""
        return {
            self.name(box.photo_id): (box.tag, box.region, box.source)
            for box in self.library.boxes.all()
            if box.source is not TagSource.HAND
        }

    def rejected(self) -> list[tuple[str, str]]:
        return [(self.name(one.photo_id), one.tag) for one in self.library.boxes.rejected()]

    def click(self, row: int) -> None:
        """Click a tile."""
        grid = self.page.grid
        QTest.mouseClick(
            grid.viewport(), Qt.MouseButton.LeftButton, NONE, grid.visualRect(grid.model().index(row, 0)).center()
        )
        self.settle()

    def grid_photo(self, row: int) -> QRectF | None:
        """Return the place of the whole photo of a tile."""
        return self.page.grid.photo_at(row)

    def draw(self, row: int, region: Region, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Drag a box on the photo of a tile, given as displayed."""
        photo, viewport = self.grid_photo(row), self.page.grid.viewport()
        assert photo is not None
        rect = on_screen(region, photo)
        QTest.mousePress(viewport, Qt.MouseButton.LeftButton, modifiers, rect.topLeft().toPoint())
        for step in (0.2, 0.5, 1.0):
            QTest.mouseMove(viewport, (rect.topLeft() + (rect.bottomRight() - rect.topLeft()) * step).toPoint())
            pause(5)
        QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, modifiers, rect.bottomRight().toPoint())
        self.settle()

    def regions(self, name: str) -> list[Region]:
        """Return the boxes of a photo."""
        (photo_id,) = [one for one in self.library.photos.ids("").tolist() if self.name(one) == name]
        return [box.region for box in self.library.boxes.of([photo_id]).get(photo_id, ())]

    def frame_of(self, row: int) -> Region:
        found = self.review.tiles.grid.window(self.review.answers.photo_ids[row])
        assert found is not None
        return found

    def number(self, row: int) -> int:
        return int(self.shown[row].split("_")[1])


def overlap(one: Region, other: Region) -> float:
    """Return the intersection over union."""
    width = max(min(one.x1, other.x1) - max(one.x0, other.x0), 0.0)
    height = max(min(one.y1, other.y1) - max(one.y0, other.y0), 0.0)
    sizes = [(each.x1 - each.x0) * (each.y1 - each.y0) for each in (one, other)]
    return width * height / (sum(sizes) - width * height)


@pytest.fixture
def folder(made_once: MadeOnce, tmp_path: Path) -> Path:
    """Folder of a library with boxes around the rings and bars of four photos each."""

    def fill(made: Path) -> None:
        region_album.make(made, prepared=True, each=EACH)
        with Library.open(made / "library") as library:
            ids = [
                (id_of(library, made / "photos" / f"{kind}_{number}.png"), place(number), kind)
                for kind in region_album.KINDS
                for number in range(DRAWN)
            ]
            library.boxes.add(ids)

    return copied_with_photos(made_once("suggested boxes", fill), tmp_path / "photos", tmp_path / "library")


@pytest.fixture
def boxes(open_window: OpenWindow, folder: Path) -> BoxDriver:
    """Return the open page."""
    found = BoxDriver(open_window(folder, watching=False))
    found.open()
    return found


# ---------------------------------------------------------------------- the questions
def test_the_key_shows_crops_of_a_tag_the_surest_first(boxes: BoxDriver) -> None:
    assert boxes.driver.window.mode is Mode.REVIEW
    assert boxes.page.isVisible()
    assert boxes.page.grid.hasFocus()
    assert boxes.tag in region_album.KINDS
    assert boxes.page.title.full_text() == boxes.tag
    shown = list(boxes.review.current.shown)
    assert shown == sorted(shown, reverse=True)
    first = [name.split("_")[0] for name in boxes.shown[:4]]
    assert first == [boxes.tag] * 4
    assert boxes.review.answers.line == sum(sure >= 0.5 for sure in shown)
    assert {boxes.number(row) for row in range(4)}.isdisjoint(range(DRAWN)), "photos with a box get no other one"
    assert all(overlap(boxes.frame_of(row), place(boxes.number(row))) > 0.3 for row in range(4))
    tile = boxes.page.grid.model().index(0, 0).data(Role.TILE)
    assert tile.image.width() >= 256, "large enough for the part"


def test_the_number_of_untagged_photos_is_not_shown_beside_boxes(boxes: BoxDriver) -> None:
    progress = boxes.driver.window.modes.review_page.findChild(QLabel, "reviewProgress")
    assert progress is not None
    boxes.open()
    assert boxes.tag is not None
    assert not progress.isVisible()
    QTest.mouseClick(boxes.page.back_button, Qt.MouseButton.LeftButton)
    boxes.settle()
    assert progress.isVisible()


def test_c_shows_only_the_parts_and_whole_photos_again(boxes: BoxDriver) -> None:
    def card() -> float:
        """Return the share of the tile that the white card with the thing takes."""
        grid = boxes.page.grid
        area = grid.parts_of(0).picture.toRect()
        picture = grid.viewport().grab(area).toImage()
        pixels = [picture.pixelColor(x, y) for x in range(0, area.width(), 3) for y in range(0, area.height(), 3)]
        return sum(min(one.red(), one.green(), one.blue()) > 190 for one in pixels) / len(pixels)

    assert card() < 0.15
    assert boxes.grid_photo(0) is not None
    boxes.press(Key.Key_C)
    assert card() > 0.25
    assert boxes.grid_photo(0) is None, "a drag flips a row of parts"
    boxes.press(Key.Key_C)
    assert card() < 0.15


def test_enter_accepts_all_above_the_line_and_rejects_flipped_ones(boxes: BoxDriver) -> None:
    tag = boxes.tag
    for _ in range(3 - boxes.review.answers.line):
        boxes.press(Key.Key_Right, CTRL)
    for _ in range(boxes.review.answers.line - 3):
        boxes.press(Key.Key_Left, CTRL)
    assert boxes.review.answers.line == 3
    first, second, third = boxes.shown[:3]
    frame = boxes.frame_of(0)
    boxes.click(1)
    boxes.enter()
    found = boxes.drawn()
    assert found.keys() == {first, third}
    assert (found[first][0], found[first][2]) == (tag, TagSource.ACCEPTED)
    assert overlap(found[first][1], frame) > 0.999
    assert boxes.rejected() == [(second, tag)]
    photo = id_of(boxes.library, boxes.library.roots.all()[0].path / f"{first}.png")
    assert tag in boxes.library.tags.of([photo])[photo]
    assert boxes.tag != tag, "another tag is asked about"
    boxes.press(Key.Key_Z, CTRL)
    assert boxes.drawn() == {}
    assert boxes.rejected() == []
    assert boxes.tag == tag, "undo asks again"
    assert boxes.shown[:3] == [first, second, third]
    assert boxes.review.answers.no == [boxes.review.answers.photo_ids[1]]
    boxes.press(Key.Key_Z, CTRL | SHIFT)
    assert boxes.drawn().keys() == {first, third}


def test_x_rejects_space_flips_and_tab_leaves_open(boxes: BoxDriver) -> None:
    tag, first = boxes.tag, boxes.shown[0]
    boxes.review.tiles.move_line(2)
    boxes.press(Key.Key_X)
    assert boxes.review.answers.no == [boxes.review.answers.photo_ids[0]]
    assert boxes.page.grid.currentIndex().row() == 1
    boxes.press(Key.Key_Space)
    assert len(boxes.review.answers.no) == 2
    boxes.press(Key.Key_Space)
    assert len(boxes.review.answers.no) == 1
    boxes.driver.wait_until(lambda: boxes.page.ready, "another key")
    boxes.press(Key.Key_Tab)
    assert boxes.rejected() == [(first, tag)]
    assert boxes.drawn() == {}, "the others are open"
    assert boxes.tag != tag


def test_accepted_boxes_survive_a_restart_and_are_not_suggested_again(
    boxes: BoxDriver, open_window: OpenWindow, folder: Path
) -> None:
    tag = boxes.tag
    boxes.review.tiles.move_line(2)
    names = boxes.shown[:2]
    boxes.enter()
    boxes.session.close()
    again = BoxDriver(open_window(folder, watching=False))
    again.open()
    assert again.drawn().keys() == set(names)
    while again.tag not in (tag, None):
        again.driver.wait_until(lambda: again.page.ready, "another key")
        again.press(Key.Key_Tab)
    assert set(names).isdisjoint(again.shown)


@pytest.mark.parametrize(("begun", "pointed"), [(False, False), (True, False), (False, True)])
def test_improved_frames_reorder_only_an_untouched_question(boxes: BoxDriver, *, begun: bool, pointed: bool) -> None:
    order, tag, viewport = list(boxes.shown), boxes.tag, boxes.page.grid.viewport()
    if pointed:
        QCursor.setPos(viewport.mapToGlobal(viewport.rect().center()))
        boxes.settle()
    assert viewport.underMouse() == pointed
    if begun:
        boxes.press(Key.Key_Right)
    searches: list[None] = []
    boxes.review.search.started.connect(lambda: searches.append(None))
    boxes.session.review_pages.frames.improved.emit()
    boxes.settle()
    assert len(searches) == (not (begun or pointed))
    assert boxes.tag == tag
    assert sorted(boxes.shown) == sorted(order)
    shown = list(boxes.review.current.shown)
    assert shown == sorted(shown, reverse=True)
    assert (begun or pointed) <= (boxes.shown == order)


def test_answers_correct_the_confidences_of_the_next_question(boxes: BoxDriver) -> None:
    first = boxes.review.question
    assert first is not None
    np.testing.assert_array_equal(first.confidences, first.stated)
    boxes.review.tiles.move_line(10)
    boxes.enter()
    second = boxes.review.question
    assert second is not None
    assert (second.confidences > second.stated).all()


# ---------------------------------------------------------------------- corrections
def drag(boxes: BoxDriver, start: QPointF, end: QPointF, modifiers: Qt.KeyboardModifier = NONE) -> None:
    picture = boxes.page.picture
    QTest.mousePress(picture, Qt.MouseButton.LeftButton, modifiers, start.toPoint())
    for step in range(1, 5):
        QTest.mouseMove(picture, (start + (end - start) * step / 4).toPoint())
        pause(5)
    QTest.mouseRelease(picture, Qt.MouseButton.LeftButton, modifiers, end.toPoint())


def photo_rect(boxes: BoxDriver) -> QRectF:
    found = boxes.page.picture._photo()
    assert found is not None
    return found


def test_a_corner_is_dragged_and_enter_accepts_the_corrected_box_at_once(boxes: BoxDriver) -> None:
    first, order = boxes.shown[0], boxes.shown
    before = boxes.frame_of(0)
    boxes.review.tiles.flip([2])
    flipped = boxes.review.answers.photo_ids[2]
    boxes.press(Key.Key_E)
    picture = boxes.page.picture
    assert picture.isVisible()
    assert picture.hasFocus()
    frame = picture.frame
    assert frame is not None
    photo = photo_rect(boxes)
    moved_by = QPointF(-0.05 * photo.width(), -0.08 * photo.height())
    drag(boxes, frame.bottomRight(), frame.bottomRight() + moved_by)
    corrected = picture.region
    assert corrected is not None
    assert (corrected.x0, corrected.y0) == (before.x0, before.y0)
    assert corrected.x1 == pytest.approx(before.x1 - 0.05, abs=0.01)
    assert corrected.y1 == pytest.approx(before.y1 - 0.08, abs=0.01)
    assert boxes.drawn() == {}
    boxes.press(Key.Key_Return)
    assert boxes.drawn().keys() == {first}
    assert overlap(boxes.drawn()[first][1], corrected) > 0.999
    assert boxes.page.grid.isVisible()
    assert boxes.page.grid.hasFocus()
    assert boxes.shown == order, "the others are still asked about"
    assert boxes.page.grid.currentIndex().row() == 1
    assert flipped in boxes.review.answers.flipped
    assert not boxes.review.answers.is_yes(0), "the suggested box is not accepted too"
    boxes.press(Key.Key_Z, CTRL)
    assert boxes.drawn() == {}
    assert boxes.shown == order
    assert boxes.frame_of(0) == before


def test_a_frame_is_moved_by_keys_and_by_dragging_inside(boxes: BoxDriver) -> None:
    before = boxes.frame_of(0)
    QTest.mouseClick(boxes.page.correct_button, Qt.MouseButton.LeftButton)
    boxes.settle()
    picture = boxes.page.picture
    boxes.press(Key.Key_Right)
    boxes.press(Key.Key_Down, SHIFT)
    region = picture.region
    assert region is not None
    assert region.x0 == pytest.approx(min(before.x0 + 0.02, 1 - (before.x1 - before.x0)))
    assert region.y1 == pytest.approx(min(before.y1 + 0.02, 1))
    frame = picture.frame
    assert frame is not None
    drag(boxes, frame.center(), frame.center() + QPointF(-30, 0))
    assert picture.region is not None
    assert picture.region.x0 < region.x0
    photo = photo_rect(boxes)
    drag(boxes, photo.topLeft() + QPointF(3, 3), photo.center(), SHIFT)
    drawn = picture.region
    assert drawn is not None
    assert overlap(drawn, Region(0, 0, 0.5, 0.5)) > 0.9, "with Shift, another frame is drawn"
    assert picture.isVisible(), "drawing does not accept"
    boxes.press(Key.Key_Escape)
    assert boxes.page.grid.isVisible()
    assert boxes.drawn() == {}
    assert boxes.frame_of(0) == before
    boxes.press(Key.Key_Escape)
    assert boxes.driver.window.modes.review_page.question_page.isVisible()


def test_the_last_suggestion_is_corrected_too(boxes: BoxDriver) -> None:
    tag, last = boxes.tag, boxes.shown[0]
    question = boxes.review.question
    assert question is not None
    boxes.review.questions = [question.taken(np.array([0]))]
    boxes.review._show(boxes.review.questions[0])
    boxes.press(Key.Key_E)
    boxes.press(Key.Key_Return)
    assert boxes.drawn()[last][0] == tag


# ---------------------------------------------------------------------- boxes drawn on tiles
HERE, THERE = Region(0.05, 0.05, 0.35, 0.4), Region(0.6, 0.55, 0.95, 0.95)


def test_a_drag_over_the_frame_replaces_it_and_is_one_step_of_undo(boxes: BoxDriver) -> None:
    tag, order, first = boxes.tag, boxes.shown, boxes.shown[0]
    boxes.review.tiles.move_line(2)
    frame = boxes.frame_of(0)
    whole = Region(max(frame.x0 - 0.1, 0), max(frame.y0 - 0.1, 0), min(frame.x1 + 0.1, 1), min(frame.y1 + 0.1, 1))
    boxes.draw(0, whole)
    (saved,) = boxes.regions(first)
    assert overlap(saved, whole) > 0.9
    assert boxes.drawn()[first][0] == tag, "saved before Enter"
    assert boxes.shown == order
    assert boxes.review.answers.yes == [boxes.review.answers.photo_ids[1]]
    boxes.enter()
    assert boxes.regions(first) == [saved]
    assert boxes.rejected() == []
    assert boxes.drawn().keys() == {first, order[1]}
    boxes.press(Key.Key_Z, CTRL)
    assert boxes.drawn().keys() == {first}
    boxes.press(Key.Key_Z, CTRL)
    assert boxes.drawn() == {}
    assert boxes.shown == order
    assert boxes.review.answers.is_yes(0), "Review asks about the suggested box again"
    boxes.press(Key.Key_Z, CTRL | SHIFT)
    assert boxes.regions(first) == [saved]
    assert boxes.shown == order
    assert not boxes.review.answers.is_yes(0)


def test_drags_beside_the_frame_add_boxes_and_the_frame_is_accepted_too(boxes: BoxDriver) -> None:
    first, frame = boxes.shown[0], boxes.frame_of(0)
    boxes.review.tiles.move_line(1)
    beside = [one for one in (HERE, THERE) if overlap(one, frame) == 0]
    for one in beside:
        boxes.draw(0, one)
    assert beside
    assert len(boxes.regions(first)) == len(beside)
    boxes.enter()
    assert len(boxes.regions(first)) == len(beside) + 1
    assert overlap(boxes.regions(first)[-1], frame) > 0.999


def test_a_photo_that_was_seen_whole_is_not_asked_about_again(boxes: BoxDriver) -> None:
    tag, seen = boxes.tag, boxes.review.current.seen_ids
    accepted = boxes.shown[0]
    assert 1 < len(seen) < len(boxes.shown)
    boxes.review.tiles.move_line(1)
    boxes.enter()
    assert boxes.drawn().keys() == {accepted}
    while boxes.tag not in (tag, None):
        boxes.enter()
    assert set(seen).isdisjoint(boxes.review.answers.photo_ids)


def test_a_click_on_a_photo_with_a_drawn_box_accepts_its_frame_too(boxes: BoxDriver) -> None:
    first = boxes.shown[0]
    boxes.review.tiles.move_line(0)
    boxes.draw(0, boxes.frame_of(0))
    assert boxes.review.answers.yes == []
    boxes.click(0)
    assert boxes.review.answers.yes == [boxes.review.answers.photo_ids[0]]
    pause(QApplication.doubleClickInterval() + 50)
    boxes.click(0)
    assert boxes.review.answers.yes == []
    assert len(boxes.regions(first)) == 1


def test_the_tile_shows_the_drawn_box(boxes: BoxDriver) -> None:
    tag = boxes.tag
    assert tag is not None
    boxes.draw(0, HERE)
    photo = boxes.grid_photo(0)
    assert photo is not None
    edge = on_screen(HERE, photo).bottomLeft() + QPointF(20, 0)
    QCursor.setPos(0, 0)
    picture = boxes.page.grid.viewport().grab().toImage()
    below = [picture.pixelColor(round(edge.x()), round(edge.y()) + by) for by in range(-2, 3)]
    assert tag_color(tag) in below


def test_quick_drags_are_all_saved(boxes: BoxDriver) -> None:
    viewport = boxes.page.grid.viewport()
    for row in range(3):
        photo = boxes.grid_photo(row)
        assert photo is not None
        rect = on_screen(HERE, photo)
        QTest.mousePress(viewport, Qt.MouseButton.LeftButton, NONE, rect.topLeft().toPoint())
        QTest.mouseMove(viewport, rect.center().toPoint())
        QTest.mouseMove(viewport, rect.bottomRight().toPoint())
        QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, NONE, rect.bottomRight().toPoint())
    names = boxes.shown[:3]
    boxes.settle()
    assert boxes.drawn().keys() == set(names)
    for left in (2, 1, 0):
        boxes.press(Key.Key_Z, CTRL)
        assert boxes.drawn().keys() == set(names[:left])


def test_a_ctrl_drag_draws_and_saves_the_answers(boxes: BoxDriver) -> None:
    names = boxes.shown[:2]
    boxes.review.tiles.move_line(2)
    boxes.draw(0, boxes.frame_of(0), CTRL)
    assert boxes.drawn().keys() == set(names)
    assert len(boxes.regions(names[0])) == 1


@pytest.mark.parametrize("quarters", [1, 2])
def test_a_box_on_the_tile_of_a_rotated_photo_is_kept_unrotated(
    open_window: OpenWindow, folder: Path, quarters: int
) -> None:
    driver = open_window(folder, watching=False)
    library = driver.session.library
    driver.session.editor.publish(library.rotations.rotate(driver.session.grid.ids.tolist(), quarters))
    boxes = BoxDriver(driver)
    boxes.open()
    name, number = boxes.shown[0], boxes.number(0)
    boxes.draw(0, rotated_region(place(number), quarters))
    assert overlap(boxes.drawn()[name][1], place(number)) > 0.8


@pytest.mark.parametrize("quarters", [1, 2])
def test_rotated_photos_show_and_keep_the_right_part(open_window: OpenWindow, folder: Path, quarters: int) -> None:
    driver = open_window(folder, watching=False)
    library = driver.session.library
    driver.session.editor.publish(library.rotations.rotate(driver.session.grid.ids.tolist(), quarters))
    boxes = BoxDriver(driver)
    boxes.open()
    name, number = boxes.shown[0], boxes.number(0)
    shown = boxes.frame_of(0)
    assert overlap(shown, rotated_region(place(number), quarters)) > 0.3
    boxes.press(Key.Key_E)
    photo = photo_rect(boxes)
    assert (photo.height() > photo.width()) == (quarters == 1)
    drawn = rotated_region(place(number), quarters)
    corner = QPointF(photo.left() + drawn.x0 * photo.width(), photo.top() + drawn.y0 * photo.height())
    size = QPointF((drawn.x1 - drawn.x0) * photo.width(), (drawn.y1 - drawn.y0) * photo.height())
    drag(boxes, corner, corner + size, SHIFT)
    boxes.press(Key.Key_Return)
    assert overlap(boxes.drawn()[name][1], place(number)) > 0.9


# ---------------------------------------------------------------------- other libraries
def test_without_boxes_the_page_says_what_to_do(open_window: OpenWindow, folder: Path) -> None:
    driver = open_window(folder, watching=False)
    library = driver.session.library
    driver.session.editor.publish(library.boxes.remove([box.id for box in library.boxes.all()]))
    boxes = BoxDriver(driver)
    boxes.open()
    assert "draw boxes" in boxes.page._nothing.text()
    assert boxes.page.back_button.hasFocus()
    boxes.press(Key.Key_Escape)
    assert boxes.driver.window.modes.review_page.question_page.isVisible()
    assert not boxes.driver.window.modes.review_page.question_page.heading.boxes_button.isVisible()


def test_photos_are_described_first_if_needed(open_window: OpenWindow, made_once: MadeOnce, tmp_path: Path) -> None:
    made = made_once("many regions not prepared", partial(region_album.make, prepared=False, each=EACH))
    folder = copied_with_photos(made, tmp_path / "photos", tmp_path / "library")
    driver = open_window(folder, watching=False)
    library = driver.session.library
    root = library.roots.all()[0].path
    kinds = [
        (id_of(library, root / f"{kind}_{number}.png"), place(number), kind)
        for kind in region_album.KINDS
        for number in range(DRAWN)
    ]
    driver.session.editor.publish(library.boxes.add(kinds))
    boxes = BoxDriver(driver)
    titles: list[str] = []
    driver.session.runner.task_changed.connect(lambda state: titles.append(state.title))
    boxes.open()
    driver.wait_until(lambda: boxes.tag is not None, "the suggestions", 120)
    assert "Preparing suggested boxes" in titles


def test_a_read_only_library_shows_suggestions_but_saves_none(open_window: OpenWindow, folder: Path) -> None:
    boxes = BoxDriver(open_window(folder, read_only=True, watching=False))
    boxes.open()
    assert boxes.tag is not None
    assert not boxes.page.accept_button.isEnabled()
    boxes.press(Key.Key_E)
    assert not boxes.page.picture.isVisible()
    boxes.draw(0, boxes.frame_of(0))
    boxes.press(Key.Key_Return)
    assert boxes.drawn() == {}


def test_only_photos_of_the_scope_are_asked_about(open_window: OpenWindow, folder: Path) -> None:
    driver = open_window(folder, watching=False)
    library = driver.session.library
    root = library.roots.all()[0].path
    chosen = [id_of(library, root / f"{kind}_{number}.png") for kind in region_album.KINDS for number in (4, 5, 6)]
    driver.session.editor.publish(library.tags.change(chosen, ["chosen"]))
    driver.navigator.set_query("tag:chosen")
    boxes = BoxDriver(driver)
    boxes.settle()
    boxes.open()
    assert boxes.tag is not None
    assert {boxes.number(row) for row in range(len(boxes.shown))} <= {4, 5, 6}


def test_the_button_in_review_and_the_chips(boxes: BoxDriver) -> None:
    tag = boxes.tag
    button = boxes.driver.window.modes.review_page.question_page.heading.boxes_button
    (chip,) = [each for each in boxes.page.findChildren(QPushButton) if each.accessibleName().startswith("Continue")]
    QTest.mouseMove(chip, QPoint(3, 3))
    QTest.mouseMove(chip, QPoint(12, 8))
    pause(30)
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    boxes.settle()
    assert boxes.tag != tag
    QTest.mouseClick(boxes.page.back_button, Qt.MouseButton.LeftButton)
    boxes.settle()
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    boxes.settle()
    assert boxes.page.isVisible()
    boxes.driver.window.show_mode(Mode.BROWSE)
    boxes.settle()
    assert not boxes.review.active
