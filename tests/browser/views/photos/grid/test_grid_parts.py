# SPDX-License-Identifier: MIT
"""Selection, keys, scrolling and hovering of a grid without its widget."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from pytestqt.qtbot import QtBot

from focal_photos.browser.models.photos.trail import GridPosition
from focal_photos.browser.views.photos.grid import grid_scroll
from focal_photos.browser.views.photos.grid.tile_arrangement import TILE_SIZES, TileMargins, TileShape
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton
from tests.browser.views.photos.grid.conftest import NONE, PAGE, WIDTH, GridParts

Key = Qt.Key
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


# ---------------------------------------------------------------- places
def test_tiles_are_mirrored_in_right_to_left_languages(parts: GridParts) -> None:
    plain = [parts.tiles.rect(row) for row in range(12)]
    band = QRect(QPoint(10, 10), QPoint(150, 50))
    assert parts.tiles.rows_in(band) == [(0, 1)]
    parts.tiles.mirrored = True
    for row, rect in enumerate(plain):
        turned = parts.tiles.rect(row)
        assert (turned.left(), turned.right()) == (WIDTH - 1 - rect.right(), WIDTH - 1 - rect.left())
        assert [parts.tiles.row_at(point) for point in (turned.topLeft(), turned.bottomRight())] == [row, row]
    assert parts.tiles.rows_in(band) == [(2, 3)]


def test_a_row_without_a_place_has_an_empty_rectangle(parts: GridParts) -> None:
    assert [parts.tiles.rect(row).isEmpty() for row in (-1, 0, 11, 12)] == [True, False, False, True]
    assert parts.tiles.row_at(QPoint(50, 350)) == -1


def test_a_band_separates_the_weak_matches(parts: GridParts) -> None:
    assert parts.tiles.band.isEmpty()
    parts.show(range(1, 13), weak=6)
    assert parts.tiles.band == QRect(0, 200, WIDTH, 20)
    assert (parts.tiles.rect(5).bottom(), parts.tiles.rect(6).top()) == (199, 220)


@pytest.mark.parametrize("shape", TileShape)
def test_pictures_have_the_size_of_their_part_of_the_cell(parts: GridParts, shape: TileShape) -> None:
    parts.tiles.shape = shape
    parts.show(range(1, 14), wide=True)
    margins = TileMargins(gap=6, padding=4, caption=18)
    parts.tiles.arrange(WIDTH, margins, 20)
    parts.scroll.lay_out(GridPosition(), PAGE)
    assert (margins.width, margins.height) == (14, 28)
    for row in range(13):
        cell, size = parts.tiles.rect(row), parts.tiles.picture_size(row, 2.0)
        width, height = 2 * (cell.width() - 14), 2 * (cell.height() - 28)
        if shape is TileShape.SQUARE:  # cropped at two sides
            aspect = parts.photos.aspect(row)
            assert (size.width, size.height) == (max(width, height * aspect), max(height, width / aspect))
        else:
            assert (size.width, size.height) == (width, height)


def test_the_height_of_a_framed_tile_includes_its_caption(parts: GridParts) -> None:
    parts.tiles.shape = TileShape.FRAMED
    parts.tiles.arrange(WIDTH, TileMargins(gap=6, padding=5, caption=18), 20)
    assert parts.tiles.cell_size(0) == QSize(100, round(6 + 5 + (100 - 6 - 10) * 0.72 + 18))


def test_columns_and_cell_sizes_are_those_of_the_visible_line(parts: GridParts) -> None:
    assert (parts.tiles.columns(0), parts.tiles.cell_size(0)) == (4, QSize(100, 100))
    parts.tiles.shape = TileShape.JUSTIFIED
    parts.show(range(1, 14), wide=True)
    layout = parts.tiles.layout
    for line in range(layout.lines):
        top, (first, end) = layout.line_top(line), layout.line_rows(line)
        assert parts.tiles.columns(top) == end - first
        assert parts.tiles.cell_size(top) == parts.tiles.rect(first).size()
    parts.show(range(0))
    assert (parts.tiles.columns(0), parts.tiles.cell_size(0)) == (1, QSize(1, 1))


def test_zooming_takes_the_next_size(parts: GridParts) -> None:
    parts.tiles.tile_size = 200
    assert [parts.tiles.neighboring_size(steps) for steps in (-1, 0, 1)] == [158, 188, 224]
    assert [parts.tiles.neighboring_size(steps) for steps in (-99, 99)] == [TILE_SIZES[0], TILE_SIZES[-1]]


# ---------------------------------------------------------------- selection
def test_shift_selects_from_the_photo_that_keys_have_reached(parts: GridParts) -> None:
    parts.selection.choose(6)
    parts.keyboard.go_to(1)
    parts.selection.choose(3, SHIFT)
    assert parts.selection.ids() == [2, 3, 4]


def test_shift_has_no_anchor_among_other_photos(parts: GridParts) -> None:
    parts.selection.choose(6)
    parts.show(range(20, 32))
    parts.selection.choose(3, SHIFT)
    assert parts.selection.ids() == [23]


def test_only_changes_by_the_user_are_reported(parts: GridParts) -> None:
    changes: list[object] = []
    parts.selection.changed.connect(changes.append)
    parts.selection.choose(1)
    parts.selection.show_photos([3, 4, 99])
    assert parts.selection.ids() == [3, 4]
    parts.selection.clear()
    assert changes == [(2,), ()]


def test_a_position_restores_its_photos_as_far_as_they_are_shown(parts: GridParts) -> None:
    changes: list[object] = []
    parts.selection.changed.connect(changes.append)
    parts.selection.restore(GridPosition(None, 0, 5, (3, 4, 99)))
    assert parts.selection.ids() == [3, 4]
    assert parts.selection.current_id() == 5
    parts.photos.beginResetModel()  # a reset of the model clears the selection without a signal
    parts.photos.endResetModel()
    parts.selection.restore(GridPosition())
    assert changes == [(3, 4), (3, 4), ()]
    assert parts.selection.current_id() is None


def test_a_restored_photo_keeps_its_place_until_the_user_moves_on(parts: GridParts) -> None:
    parts.photos.arrange(np.array([2, 3, 4, 1, *range(5, 13)], dtype=np.int64), left=1)
    parts.lay_out()
    parts.selection.restore(GridPosition(None, 0, 1, ()))
    assert parts.photos.place_of(1) == -1, "its successor is the first photo now"
    parts.selection.choose(4)
    assert parts.photos.place_of(1) == 3


def test_all_photos_are_selected_once_the_rest_has_arrived(parts: GridParts) -> None:
    parts.show(range(1, 6), total=8)
    parts.selection.select_all()
    assert parts.selection.ids() == []
    parts.photos.extend(np.array([6, 7, 8], dtype=np.int64))
    assert parts.selection.ids() == list(range(1, 9))
    assert len(parts.selection.rows().toList()) == 1


def test_a_selected_photo_is_included_as_it_is(parts: GridParts) -> None:
    parts.selection.choose(1)
    parts.selection.choose(3, CTRL)
    parts.selection.include(1)
    assert parts.selection.ids() == [2, 4]
    parts.selection.include(5)
    assert parts.selection.ids() == [6]
    assert parts.selection.rows_in(QRect(0, 0, 150, 50)).indexes() == [parts.photos.index(0), parts.photos.index(1)]


# ---------------------------------------------------------------- keys
@pytest.mark.parametrize(
    ("start", "key", "row"),
    [
        (5, Key.Key_Left, 4),
        (5, Key.Key_Right, 6),
        (5, Key.Key_Up, 1),
        (5, Key.Key_Down, 9),
        (5, Key.Key_Home, 0),
        (5, Key.Key_End, 11),
        (1, Key.Key_PageDown, 9),
        (9, Key.Key_PageUp, 1),
        (0, Key.Key_Left, 0),
        (0, Key.Key_Right, 1),
        (11, Key.Key_Right, 11),
        (1, Key.Key_Up, 1),
        (10, Key.Key_Down, 10),
        (None, Key.Key_End, 11),
        (None, Key.Key_Right, 0),
    ],
)
def test_keys_move_the_current_photo(parts: GridParts, start: int | None, key: Key, row: int) -> None:
    if start is not None:
        parts.keyboard.go_to(start)
    assert parts.keyboard.press(key, NONE)
    assert parts.selection.current.row() == row
    assert parts.selection.ids() == [row + 1]


def test_arrow_keys_are_mirrored_in_right_to_left_languages(parts: GridParts) -> None:
    parts.tiles.mirrored = True
    parts.keyboard.go_to(5)
    parts.keyboard.press(Key.Key_Left, NONE)
    assert parts.selection.current.row() == 6
    parts.keyboard.press(Key.Key_Right, NONE)
    assert parts.selection.current.row() == 5


def test_shift_selects_up_to_the_new_place_and_ctrl_only_moves(parts: GridParts) -> None:
    parts.keyboard.go_to(2)
    parts.keyboard.press(Key.Key_Down, SHIFT)
    assert parts.selection.ids() == [3, 4, 5, 6, 7]
    parts.keyboard.press(Key.Key_Right, CTRL)
    assert parts.selection.current.row() == 7
    assert parts.selection.ids() == [3, 4, 5, 6, 7]


def test_letters_and_keys_of_the_window_move_nothing(parts: GridParts) -> None:
    assert not parts.keyboard.press(Key.Key_A, NONE)
    assert not parts.keyboard.press(Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert parts.selection.current_id() is None


def test_an_empty_grid_has_no_current_photo(parts: GridParts) -> None:
    parts.show(range(0))
    for key in (Key.Key_Home, Key.Key_End, Key.Key_Down):
        parts.keyboard.press(key, NONE)
    parts.keyboard.step(1)
    assert parts.selection.current_id() is None


def test_keys_start_at_the_first_visible_photo(parts: GridParts) -> None:
    parts.bar.setValue(40)
    parts.keyboard.press(Key.Key_Down, NONE)
    assert parts.selection.current.row() == 0
    parts.selection.restore(GridPosition())
    parts.photos.beginResetModel()
    parts.photos.endResetModel()
    parts.bar.setMaximum(200)
    parts.bar.setValue(110)
    parts.keyboard.press(Key.Key_Down, NONE)
    assert parts.selection.current.row() == 4


def test_a_step_after_a_judgement_starts_at_the_former_place(parts: GridParts) -> None:
    parts.keyboard.go_to(4)
    parts.photos.arrange(np.array([1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 5], dtype=np.int64), left=5)
    parts.lay_out()
    parts.selection.restore(GridPosition(None, 0, 5, (5,)))
    parts.keyboard.step(1)
    assert parts.selection.ids() == [6]
    parts.keyboard.step(-1)
    assert parts.selection.ids() == [4]


def test_keys_start_before_the_first_photo_if_the_judged_one_was_there(parts: GridParts) -> None:
    parts.photos.arrange(np.array([2, 3, 4, 1, *range(5, 13)], dtype=np.int64), left=1)
    parts.lay_out()
    parts.selection.restore(GridPosition(None, 0, 1, ()))
    parts.keyboard.press(Key.Key_Right, NONE)
    assert parts.selection.ids() == [2]


def test_a_movement_down_lays_out_the_lines_that_it_needs(parts: GridParts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid_scroll, "BLOCK", 6)
    parts.show(range(1, 25))
    parts.keyboard.go_to(5)
    parts.keyboard.press(Key.Key_Up, NONE)
    assert parts.tiles.layout.laid == 6
    parts.keyboard.go_to(5)
    parts.keyboard.press(Key.Key_Down, NONE)
    assert parts.selection.ids() == [10]


def test_other_keys_do_not_wait_for_the_rest_of_a_ranking(parts: GridParts) -> None:
    parts.show(range(1, 6), total=8)
    parts.keyboard.press(Key.Key_Home, NONE)
    assert parts.selection.ids() == [1]


def test_end_waits_for_the_rest_of_a_ranking(parts: GridParts) -> None:
    more = np.array([6, 7, 8], dtype=np.int64)
    parts.show(range(1, 6), total=8)
    parts.keyboard.go_to(2)
    parts.keyboard.press(Key.Key_End, SHIFT)
    assert parts.selection.current.row() == 2
    parts.photos.extend(more)
    assert parts.selection.ids() == [3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("then", ["another key", "the mouse"])
def test_end_does_not_override_a_later_action(parts: GridParts, then: str) -> None:
    parts.show(range(1, 6), total=8)
    parts.keyboard.press(Key.Key_End, NONE)
    if then == "the mouse":
        parts.keyboard.go_to(0)
        parts.keyboard.stop_waiting()
    else:
        parts.keyboard.press(Key.Key_Home, NONE)
    parts.photos.extend(np.array([6, 7, 8], dtype=np.int64))
    assert parts.selection.current.row() == 0


# ---------------------------------------------------------------- scrolling
def test_the_scroll_bar_covers_the_laid_out_content(parts: GridParts) -> None:
    bar = parts.bar
    assert (bar.minimum(), bar.maximum(), bar.pageStep(), bar.singleStep()) == (0, 300 - PAGE, PAGE, 25)
    parts.scroll.fit(1000)
    assert (bar.minimum(), bar.maximum()) == (0, 0)


def test_a_row_is_scrolled_into_sight_with_as_little_as_possible(parts: GridParts) -> None:
    for row, top in ((11, 50), (5, 50), (0, 0), (8, 50)):
        parts.scroll.show(row)
        assert parts.scroll.top == top
    parts.scroll.show(5, centered=True)
    assert parts.scroll.top == 25


def test_rows_are_laid_out_in_blocks_between_events(
    parts: GridParts, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(grid_scroll, "BLOCK", 12)
    extended: list[int] = []
    parts.scroll.extended.connect(lambda: extended.append(parts.tiles.layout.laid))
    parts.show(range(1, 101))
    assert parts.tiles.layout.laid == 12
    parts.scroll.go_to(GridPosition(90, 5))
    assert parts.scroll.top == 0, "the photo has no place yet"
    assert parts.scroll.position() == GridPosition(90, 5)
    qtbot.waitUntil(lambda: parts.tiles.complete, timeout=60_000)
    assert parts.scroll.top == parts.tiles.rect(89).top() + 5
    assert extended == [], "the visible part was complete from the beginning"
    parts.show(range(100, 0, -1))
    parts.scroll.show(80)
    assert parts.tiles.complete


def test_more_rows_in_sight_are_reported(parts: GridParts, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    monkeypatch.setattr(grid_scroll, "BLOCK", 6)
    extended: list[int] = []
    parts.scroll.extended.connect(lambda: extended.append(parts.tiles.layout.laid))
    parts.show(range(1, 25))
    qtbot.waitUntil(lambda: parts.tiles.complete, timeout=60_000)
    assert extended == [12]


def test_a_restored_position_starts_in_the_same_line(parts: GridParts) -> None:
    parts.show(range(1, 41))
    parts.scroll.go_to(GridPosition(9, 100_000))
    assert parts.tiles.first_row(parts.scroll.top) == 8, "the next lines are not skipped"
    parts.scroll.go_to(GridPosition(9, 30))
    assert parts.scroll.position() == GridPosition(9, 30)
    parts.scroll.go_to(GridPosition(None, 0))
    assert parts.scroll.position() == GridPosition()


# ---------------------------------------------------------------- the pointer
def test_a_resting_pointer_points_at_no_tile_until_it_moves(parts: GridParts) -> None:
    painted: list[int] = []
    parts.button = TileButton.SIMILAR
    parts.hover.repaint_wanted.connect(painted.append)
    parts.hover.move(parts.point(3))
    assert (parts.hover.row, parts.hover.row_now()) == (3, 3)
    assert parts.hover.tile_at(parts.point(3).toPointF()) == (3, TileButton.SIMILAR)
    parts.hover.rest()
    parts.hover.move(parts.point(3) + QPoint(2, 0))
    assert (parts.hover.row, parts.hover.row_now()) == (-1, -1)
    assert parts.hover.tile_at(parts.point(3).toPointF()) == (3, None)
    parts.hover.scrolled()
    assert parts.hover.row == 3
    parts.hover.rest()
    parts.hover.move(parts.point(3) + QPoint(20, 0))
    assert parts.hover.row == 3
    parts.hover.move(None)
    assert parts.hover.row == -1
    assert painted == [3] * 6


def test_the_name_at_the_keyboard_disappears_when_the_pointer_reaches_a_tile(parts: GridParts) -> None:
    parts.keyboard.press(Key.Key_End, NONE)
    assert parts.delegate.named == 11
    parts.hover.move(parts.point(2))
    assert parts.delegate.named == -1
