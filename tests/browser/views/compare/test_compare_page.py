# SPDX-License-Identifier: MIT
"""Photos side by side in the real window, by keys and mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from focal_photos.browser.catalog.facts.records import Mark, Region, Verdict
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.compare.compare_pane import ComparePane
from focal_photos.browser.views.photos.boxes.box_geometry import on_screen
from focal_photos.browser.views.photos.palette import tag_color
from focal_photos.browser.walkthrough.window_driver import ALT, CTRL, SHIFT, WindowDriver

Key = Qt.Key


class CompareDriver:
    """Drives the page of a window."""

    def __init__(self, driver: WindowDriver) -> None:
        self.driver, self.session = driver, driver.session
        self.page, self.comparison = driver.window.modes.compare_page, driver.session.comparison

    def open(self, *rows: int) -> None:
        """Select photos of the grid and compare them."""
        for row in rows:
            self.driver.click(row, CTRL)
        self.driver.wait_until_idle("the selection")
        self.driver.grid.setFocus()
        self.press(Key.Key_C)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the focused widget, and wait."""
        self.driver.press(key, modifiers)
        self.driver.wait_until_idle("what the key does")

    def row(self, row: int) -> int:
        return self.session.grid.photo_id(row)

    @property
    def mode(self) -> Mode:
        return self.driver.window.mode

    @property
    def ids(self) -> list[int]:
        return list(self.comparison.photo_ids)

    @property
    def shown(self) -> list[ComparePane]:
        return [pane for pane in self.page.panes if pane.isVisible()]

    def zoom_in(self, pane: ComparePane, at: QPointF) -> None:
        """Turn the wheel over a point of a photo."""
        spot = pane.photo.mapToGlobal(at)
        none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        QApplication.sendEvent(pane.photo, QWheelEvent(at, spot, QPoint(), QPoint(0, 480), *none, False))


@pytest.fixture
def comparing(driver: WindowDriver) -> CompareDriver:
    return CompareDriver(driver)


def test_selected_photos_are_side_by_side_and_esc_returns_to_the_grid(comparing: CompareDriver) -> None:
    comparing.open(1, 4, 6)
    assert comparing.mode == "compare"
    assert comparing.driver.window.top_bar.mode_buttons[Mode.COMPARE].isChecked()
    wanted = [comparing.row(row) for row in (1, 4, 6)]
    assert [pane.photo.photo_id for pane in comparing.shown] == wanted
    xs = [pane.mapTo(comparing.page, QPoint()).x() for pane in comparing.shown]
    assert xs == sorted(set(xs))
    comparing.press(Key.Key_Escape)
    assert comparing.mode is Mode.BROWSE
    assert sorted(comparing.driver.grid.selected_ids()) == sorted(wanted)
    assert comparing.driver.navigator.targets == tuple(comparing.driver.navigator.selected)


def test_at_most_four_photos_are_compared_in_two_rows(comparing: CompareDriver) -> None:
    comparing.open(0, 1, 2, 3, 4)
    assert len(comparing.shown) == 4
    corners = {(pane.x() > 40, pane.y() > 40) for pane in comparing.shown}
    assert len(corners) == 4


def test_without_a_selection_the_focal_image_is_compared_with_the_current_photo(comparing: CompareDriver) -> None:
    comparing.driver.walk(3)
    comparing.driver.wait_until_idle("the ranking")
    focal = comparing.driver.navigator.focal_id
    comparing.driver.press(Key.Key_C)
    comparing.driver.wait_until_idle("the photos")
    assert comparing.comparison.photo_ids[0] == focal
    assert len(set(comparing.comparison.photo_ids)) == 2
    assert comparing.comparison.current == 1, "the keys act on the other photo"


def test_zoom_and_pan_are_locked_together_and_can_be_unlocked(comparing: CompareDriver) -> None:
    comparing.open(0, 1)
    one, other = comparing.shown
    comparing.zoom_in(one, QPointF(60, 60))
    larger, center = one.photo.view
    assert larger is not None
    assert larger > 1.5
    assert other.photo.view[0] == pytest.approx(larger)
    assert (other.photo.view[1] - center).manhattanLength() < 0.05
    QTest.mousePress(other.photo, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(90, 90))
    QTest.mouseMove(other.photo, QPoint(60, 70))
    QTest.mouseRelease(other.photo, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(60, 70))
    assert one.photo.view[1] != center, "dragging one photo moves the other"
    comparing.press(Key.Key_L)
    assert not comparing.page.lock_button.isChecked()
    before = other.photo.view
    comparing.zoom_in(one, QPointF(60, 60))
    assert one.photo.view[0] != pytest.approx(before[0])
    assert other.photo.view == before
    QTest.mouseClick(comparing.page.lock_button, Qt.MouseButton.LeftButton)
    current = comparing.shown[comparing.comparison.current].photo.view
    assert all(pane.photo.view[0] == pytest.approx(current[0]) for pane in comparing.shown)


def test_keys_zoom_and_pan_the_current_photo(comparing: CompareDriver) -> None:
    comparing.open(0, 1)
    for _ in range(4):
        comparing.press(Key.Key_Plus)
    larger, center = comparing.shown[0].photo.view
    assert larger is not None
    comparing.press(Key.Key_Right, SHIFT)
    assert comparing.shown[0].photo.view[1].x() > center.x()
    assert comparing.comparison.current == 0, "Shift and an arrow pan the photo"
    comparing.press(Key.Key_Minus)
    smaller = comparing.shown[1].photo.view[0]
    assert smaller is not None
    assert smaller < larger


def test_the_next_photo_replaces_the_current_one(comparing: CompareDriver) -> None:
    comparing.open(0, 1)
    comparing.press(Key.Key_Space)
    assert comparing.ids == [comparing.row(2), comparing.row(1)], "photos on show are skipped"
    comparing.press(Key.Key_Right)
    comparing.press(Key.Key_Space)
    assert comparing.ids == [comparing.row(2), comparing.row(3)]
    comparing.press(Key.Key_Backspace)
    assert comparing.ids == [comparing.row(2), comparing.row(1)]
    assert comparing.shown[1].photo.photo_id == comparing.row(1)
    comparing.press(Key.Key_Backspace)
    comparing.press(Key.Key_Backspace)
    assert comparing.ids == [comparing.row(2), comparing.row(0)], "no photo precedes the first"
    comparing.press(Key.Key_Escape)
    selected = {comparing.row(0), comparing.row(1)}
    assert set(comparing.driver.navigator.targets) == selected, "then keys act on the selection of the grid"
    assert set(comparing.driver.window.photos.ids_to_judge()) == selected


def test_the_next_or_an_added_photo_shows_the_same_section(comparing: CompareDriver) -> None:
    comparing.open(0, 1)
    comparing.zoom_in(comparing.shown[0], QPointF(40, 40))
    view = comparing.shown[1].photo.view
    comparing.press(Key.Key_Space)
    assert comparing.shown[0].photo.view[0] == pytest.approx(view[0])
    comparing.press(Key.Key_Space, SHIFT)
    views = [pane.photo.view for pane in comparing.shown]
    assert len(views) == 3
    assert all(larger == pytest.approx(views[0][0]) for larger, _ in views)


def test_photos_are_removed_and_added(comparing: CompareDriver) -> None:
    comparing.open(0, 1, 2)
    comparing.press(Key.Key_Right)
    comparing.press(Key.Key_Backspace, SHIFT)
    assert comparing.ids == [comparing.row(0), comparing.row(2)]
    assert not comparing.page.fewer_button.isEnabled()
    comparing.press(Key.Key_Backspace, SHIFT)
    assert len(comparing.comparison.photo_ids) == 2
    comparing.press(Key.Key_Space, SHIFT)
    assert comparing.ids == [comparing.row(0), comparing.row(2), comparing.row(3)]
    assert comparing.comparison.current == 2
    QTest.mouseClick(comparing.page.more_button, Qt.MouseButton.LeftButton)
    comparing.driver.wait_until_idle("the fourth")
    assert len(comparing.shown) == 4
    assert not comparing.page.more_button.isEnabled()


def test_keys_act_on_the_current_photo_only(comparing: CompareDriver) -> None:
    comparing.driver.walk(0)
    comparing.driver.wait_until_idle("the ranking")
    focal = comparing.driver.navigator.focal_id
    assert focal is not None
    comparing.open(2, 5)
    first, second = comparing.comparison.photo_ids
    library = comparing.session.library
    comparing.press(Key.Key_S)
    QTest.mouseClick(comparing.shown[1].photo, Qt.MouseButton.LeftButton, pos=QPoint(30, 30))
    assert comparing.comparison.current_id == second
    comparing.press(Key.Key_D)
    assert library.judgements.of(focal) == {first: Verdict.SIMILAR, second: Verdict.DISSIMILAR}
    comparing.press(Key.Key_4, ALT)
    comparing.press(Key.Key_Left)
    comparing.press(Key.Key_X, ALT)
    assert library.marks.of([first, second]) == {first: Mark(-1), second: Mark(4)}
    assert "rejected" in comparing.shown[0].line.text()
    assert "★★★★☆" in comparing.shown[1].line.text()


def test_tags_are_typed_and_given_by_digits(comparing: CompareDriver) -> None:
    comparing.open(2, 5)
    first, second = comparing.comparison.photo_ids
    comparing.press(Key.Key_T)
    assert comparing.page.field.hasFocus()
    comparing.driver.type("sharp")
    comparing.press(Key.Key_Return)
    comparing.press(Key.Key_Escape)
    assert comparing.mode is Mode.COMPARE, "Esc first leaves the field"
    assert comparing.page.hasFocus()
    tags = comparing.session.library.tags
    assert tags.of([first, second]) == {first: ["sharp"], second: []}
    assert "sharp" in comparing.shown[0].line.text()
    comparing.driver.wait_until(lambda: "sharp" in comparing.session.tagging.pinned.tags, "the digit of the new tag")
    digit = comparing.session.tagging.pinned.tags.index("sharp") + 1
    comparing.press(Key.Key_Right)
    comparing.press(Qt.Key(Key.Key_0.value + digit))
    assert tags.of([second]) == {second: ["sharp"]}
    comparing.press(Key.Key_Z, CTRL)
    assert tags.of([second]) == {second: []}
    assert "sharp" not in comparing.shown[1].line.text()


def test_the_current_photo_is_judged_nearer_than_the_other(comparing: CompareDriver) -> None:
    comparing.driver.walk(0)
    comparing.driver.wait_until_idle("the ranking")
    library, focal = comparing.session.library, comparing.driver.navigator.focal_id
    said: list[str] = []
    comparing.session.notices.posted.connect(lambda message: said.append(message.text))
    comparing.open(2, 5)
    first, second = comparing.ids
    comparing.press(Key.Key_N, SHIFT)
    assert library.judged_relations.relative() == [(focal, first, second)]
    comparing.press(Key.Key_Right)
    comparing.press(Key.Key_N, SHIFT)
    assert library.judged_relations.relative() == [(focal, second, first)], "the opposite judgement replaces it"
    comparing.press(Key.Key_Space, SHIFT)
    assert len(comparing.ids) == 3
    comparing.press(Key.Key_N, SHIFT)
    assert said[-1] == "Rank by one focal image and compare two other photos: the framed one is nearer."
    assert len(library.judged_relations.relative()) == 1


def test_the_focal_image_may_be_compared_too(comparing: CompareDriver) -> None:
    comparing.driver.walk(0)
    comparing.driver.wait_until_idle("the ranking")
    focal = comparing.driver.navigator.focal_id
    comparing.open(2)
    comparing.press(Key.Key_Space, SHIFT)
    assert comparing.ids[0] == focal
    other, current = comparing.ids[1:]
    comparing.press(Key.Key_N, SHIFT)
    assert comparing.session.library.judged_relations.relative() == [(focal, current, other)]


def test_boxes_are_shown_on_rotated_photos_too(comparing: CompareDriver) -> None:
    library, editor = comparing.session.library, comparing.session.editor
    first, second = comparing.row(0), comparing.row(1)
    drawn = Region(0.2, 0.3, 0.5, 0.6)
    editor.publish(library.boxes.add([(first, drawn, "dog")]))
    editor.publish(library.rotations.rotate([first], 1))
    comparing.open(0, 1)

    def framed(pane: ComparePane, region: Region) -> bool:
        """Return whether all sides of a region have the colour of the tag's boxes."""
        rect, picture = on_screen(region, pane.photo.photo_rect()), pane.photo.grab().toImage()
        color = tag_color("dog")
        sides = [
            QPointF(rect.center().x(), rect.top()),
            QPointF(rect.center().x(), rect.bottom()),
            QPointF(rect.left(), rect.center().y()),
            QPointF(rect.right(), rect.center().y()),
        ]
        around = [QPoint(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1)]
        return all(any(picture.pixelColor(side.toPoint() + by) == color for by in around) for side in sides)

    assert framed(comparing.shown[0], rotated_region(drawn, 1))
    assert not framed(comparing.shown[1], drawn)
    editor.publish(library.boxes.add([(second, drawn, "dog")]))
    comparing.driver.wait_until_idle("the new box")
    assert framed(comparing.shown[1], drawn)
    editor.publish(library.boxes.remove([box.id for box in library.boxes.all()]))
    comparing.driver.wait_until_idle("no boxes")
    assert not framed(comparing.shown[0], rotated_region(drawn, 1))
