# SPDX-License-Identifier: MIT
"""The effect of clicks, double-clicks and drags in each state of the mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.views.photos.grid.grid_mouse import DraggingPhotos, Idle, Judged, Pressed
from focal_photos.browser.views.photos.grid.rubber_band import RubberBand
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton
from tests.browser.views.photos.grid.conftest import NO_BUTTON, GridParts

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
RIGHT = Qt.MouseButton.RightButton
FAR, NEAR = QPoint(15, 0), QPoint(3, 0)


# ---------------------------------------------------------------- clicks
def test_a_click_selects_one_photo(parts: GridParts) -> None:
    parts.click(2)
    parts.click(5)
    assert parts.selection.ids() == [6]
    assert parts.selection.current_id() == 6
    assert parts.state() == Idle()
    assert parts.signals == []


def test_a_press_selects_and_a_release_on_selected_photos_leaves_only_one(parts: GridParts) -> None:
    parts.press(2)
    assert parts.selection.ids() == [3]
    assert parts.state() == Pressed(3, parts.point(2), before=[])
    parts.release(2)
    parts.click(4, SHIFT)
    parts.press(3)
    assert parts.selection.ids() == [3, 4, 5], "they might be dragged"
    parts.release(3)
    assert parts.selection.ids() == [4]


def test_ctrl_toggles_a_photo_and_shift_selects_a_range(parts: GridParts) -> None:
    parts.click(1)
    parts.click(4, CTRL)
    assert parts.selection.ids() == [2, 5]
    parts.click(1, CTRL)
    assert parts.selection.ids() == [5]
    parts.click(6, SHIFT)
    assert parts.selection.ids() == [2, 3, 4, 5, 6, 7]
    parts.click(8, CTRL)
    parts.click(10, CTRL | SHIFT)
    assert parts.selection.ids() == [2, 3, 4, 5, 6, 7, 9, 10, 11]


def test_a_click_beside_the_photos_deselects_all_unless_ctrl_is_held(parts: GridParts) -> None:
    parts.click(1)
    parts.click(-1, CTRL)
    assert parts.selection.ids() == [2]
    parts.click(-1)
    assert parts.selection.ids() == []


def test_one_click_chooses_a_photo_if_it_walks(parts: GridParts) -> None:
    parts.selection.choose(1)
    parts.mouse.walks_on_click = True
    parts.click(-1)
    parts.press(5)
    assert parts.signals == []
    parts.release(5)
    assert parts.signals == [("photo_chosen", 6)]
    assert parts.selection.ids() == [2], "the selection is not changed"
    parts.click(4, CTRL)
    assert parts.signals == [("photo_chosen", 6)], "with Ctrl, a click selects"


@pytest.mark.parametrize("walks", [False, True])
def test_a_press_released_elsewhere_is_no_click(parts: GridParts, walks: bool) -> None:
    parts.mouse.walks_on_click = walks
    parts.press(1)
    parts.release(2)
    parts.double_click(2)
    assert parts.selection.ids() == ([] if walks else [2])
    assert parts.signals == []
    assert parts.state() == Idle()


def test_the_pressed_photo_is_chosen_although_others_arrived(parts: GridParts) -> None:
    parts.mouse.walks_on_click = True
    spot = parts.point(5)
    parts.press(spot)
    parts.show(range(12, 0, -1))
    parts.release(spot)
    assert parts.signals == [("photo_chosen", 6)]


def test_a_press_is_void_if_the_grid_no_longer_has_the_photo(parts: GridParts) -> None:
    parts.mouse.walks_on_click = True
    parts.press(5)
    parts.show(range(100, 112))
    parts.release(5)
    assert parts.signals == []


def test_another_button_ends_a_press(parts: GridParts) -> None:
    parts.mouse.walks_on_click = True
    parts.press(5)
    parts.press(5, button=RIGHT)
    assert parts.state() == Idle()
    parts.move(parts.point(5) + FAR)
    parts.release(5)
    assert parts.signals == []


# ---------------------------------------------------------------- double-clicks
def test_a_double_click_chooses_a_photo_and_restores_the_selection(parts: GridParts) -> None:
    parts.click(1)
    parts.click(2, SHIFT)
    for row in (6, 1):  # an unselected and a selected photo
        parts.click(row)
        assert parts.selection.ids() == [row + 1]
        parts.double_click(row)
        assert parts.selection.ids() == [2, 3], "so that Back shows it again"
        assert parts.signals.pop() == ("photo_chosen", row + 1)


def test_a_double_click_opens_a_photo_if_one_click_chooses_it(parts: GridParts) -> None:
    parts.mouse.walks_on_click = True
    spot = parts.point(3)
    parts.click(spot)
    parts.show(range(12, 0, -1))
    parts.double_click(spot + QPoint(1, 1))
    assert parts.signals == [("photo_chosen", 4), ("photo_opened", 4)], "another photo is there now"
    parts.double_click(spot)
    assert len(parts.signals) == 2


def test_a_press_elsewhere_forgets_the_click(parts: GridParts) -> None:
    parts.click(3)
    parts.press(-1)
    parts.double_click(-1)
    assert parts.signals == []


# ---------------------------------------------------------------- buttons of tiles
@pytest.mark.parametrize(
    ("button", "verdict"), [(TileButton.SIMILAR, Verdict.SIMILAR), (TileButton.DISSIMILAR, Verdict.DISSIMILAR)]
)
def test_a_second_press_on_a_judging_button_hits_no_other_photo(
    parts: GridParts, button: TileButton, verdict: Verdict
) -> None:
    parts.button = button
    parts.click(3)
    assert parts.signals == [("judged", [4], verdict)]
    assert parts.state() == Judged()
    parts.hover.rest()  # another photo has come under the pointer
    parts.press(3)
    parts.move(parts.point(3) + NEAR)
    parts.release(3)
    assert len(parts.signals) == 1
    assert parts.selection.ids() == []
    assert parts.state() == Judged()
    parts.move(parts.point(3) + FAR, held=NO_BUTTON)
    parts.click(3)
    assert parts.signals[1:] == [("judged", [4], verdict)], "the pointer has moved there"
    parts.button = None
    parts.click(3)
    assert parts.selection.ids() == [4]
    assert parts.state() == Idle()


def test_a_double_click_on_a_judging_button_judges_twice(parts: GridParts) -> None:
    parts.button = TileButton.SIMILAR
    parts.click(3)
    parts.double_click(3)
    parts.release(3)
    assert parts.signals == [("judged", [4], Verdict.SIMILAR)] * 2


@pytest.mark.parametrize("button", [TileButton.SIMILAR, TileButton.WALK, TileButton.UNFOLD])
def test_a_button_acts_when_it_is_released_there(parts: GridParts, button: TileButton) -> None:
    parts.button = button
    parts.press(3)
    assert parts.signals == [], "not on the press"
    parts.move(parts.point(3) + FAR)
    assert parts.signals == [], "a movement on the button is no drag"
    parts.release(parts.point(3) + FAR)
    assert len(parts.signals) == 1
    parts.move(parts.point(5), held=NO_BUTTON)
    for elsewhere in (4, 7):  # the same button of another photo
        parts.press(3)
        parts.move(elsewhere)
        parts.release(elsewhere)
    parts.press(3)
    parts.button = None
    parts.release(parts.point(3) + NEAR)
    assert len(parts.signals) == 1, "released beside the button"
    assert parts.selection.ids() == []
    assert parts.state() == Idle()


def test_another_button_of_the_mouse_or_a_new_order_ends_the_press_of_a_button(parts: GridParts) -> None:
    parts.button = TileButton.SIMILAR
    parts.press(3)
    parts.press(3, button=RIGHT)
    parts.release(3)
    parts.press(3)
    parts.show(range(12, 0, -1))
    parts.hover.rest()  # as the view does
    parts.release(3)
    assert parts.signals == []


@pytest.mark.parametrize(("button", "signal"), [(TileButton.WALK, "photo_chosen"), (TileButton.UNFOLD, "unfolded")])
def test_the_other_buttons_rest_the_pointer(parts: GridParts, button: TileButton, signal: str) -> None:
    parts.button = button
    parts.click(3)
    assert parts.signals == [(signal, 4)]
    assert parts.state() == Idle()
    assert not parts.hover.points
    assert parts.hover.row == -1
    parts.double_click(3)
    assert parts.signals == [(signal, 4)], "the button under the resting pointer is not pressed"


# ---------------------------------------------------------------- drags
@pytest.mark.parametrize(("row", "dragged"), [(1, [1, 2]), (4, [5])])
def test_a_drag_takes_the_selected_photos_or_the_pressed_one(parts: GridParts, row: int, dragged: list[int]) -> None:
    seen: list[object] = []
    parts.mouse.dragged.connect(lambda: seen.append((parts.state(), parts.selection.ids())))
    parts.click(0)
    parts.click(1, SHIFT)
    parts.press(row)
    parts.move(parts.point(row) + NEAR)
    assert seen == []
    parts.move(parts.point(row) + FAR, held=NO_BUTTON)
    assert seen == [], "the button was released outside the window"
    parts.move(parts.point(row) + FAR)
    assert seen == [(DraggingPhotos(), dragged)]
    assert parts.state() == Idle()
    parts.release(row)
    assert parts.selection.ids() == dragged


def test_a_photo_that_disappeared_is_not_dragged(parts: GridParts) -> None:
    parts.press(1)
    parts.show(range(100, 112))
    parts.move(parts.point(1) + FAR)
    assert parts.signals == []
    assert parts.state() == Idle()


def test_a_rubber_band_from_beside_the_photos_selects_the_tiles_it_touches(parts: GridParts) -> None:
    parts.show(range(1, 7))  # two in the second line
    parts.click(0)
    start = QPoint(350, 150)
    parts.press(start)
    assert parts.mouse.band is None
    parts.move(start - NEAR)
    assert parts.mouse.band is None
    parts.move(QPoint(150, 160))
    assert isinstance(parts.state(), RubberBand)
    assert parts.selection.ids() == [6]
    parts.move(QPoint(150, 60))
    assert parts.selection.ids() == [2, 3, 4, 6]
    parts.release(QPoint(150, 60))
    assert parts.state() == Idle()
    assert parts.selection.ids() == [2, 3, 4, 6]
    assert parts.signals == []


def test_a_rubber_band_with_ctrl_starts_on_a_photo_and_keeps_the_selection(parts: GridParts) -> None:
    parts.click(9)
    parts.press(1, CTRL)
    parts.move(2)
    parts.release(2, CTRL)
    assert parts.selection.ids() == [2, 3, 10]


def test_a_rubber_band_at_the_edge_scrolls(parts: GridParts, qtbot: QtBot) -> None:
    parts.press(1, CTRL)
    parts.move(QPoint(150, 245))
    assert parts.selection.ids() == [2, 6, 10]
    qtbot.waitUntil(lambda: parts.bar.value() == parts.bar.maximum(), timeout=60_000)
    assert parts.mouse.band is not None
    assert parts.mouse.band.rect.bottom() == 245 + parts.bar.value()
    parts.move(QPoint(150, 5))
    qtbot.waitUntil(lambda: parts.bar.value() == 0, timeout=60_000)
    parts.press(1, button=RIGHT)
    assert parts.mouse.band is not None, "another button does not end it"
    parts.release(1)
    assert parts.mouse.band is None


def test_a_rubber_band_away_from_the_edges_does_not_scroll(parts: GridParts) -> None:
    parts.bar.setValue(20)
    parts.press(5, CTRL)
    for y in (24, 226):
        parts.move(QPoint(250, y))
        assert parts.mouse.band is not None
        parts.mouse.band._scrolling.timeout.emit()
        assert parts.bar.value() == 20
