# SPDX-License-Identifier: MIT
"""The effect of arrow, Home, End and Page keys in a grid."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView

from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.views.photos.grid.grid_scroll import GridScroll
from focal_photos.browser.views.photos.grid.grid_selection import GridSelection
from focal_photos.browser.views.photos.grid.hover import Hover
from focal_photos.browser.views.photos.grid.tile_arrangement import TileArrangement

_Action: Final = QAbstractItemView.CursorAction
_MOVES: Final[dict[int, QAbstractItemView.CursorAction]] = {
    Qt.Key.Key_Left: _Action.MoveLeft,
    Qt.Key.Key_Right: _Action.MoveRight,
    Qt.Key.Key_Up: _Action.MoveUp,
    Qt.Key.Key_Down: _Action.MoveDown,
    Qt.Key.Key_Home: _Action.MoveHome,
    Qt.Key.Key_End: _Action.MoveEnd,
    Qt.Key.Key_PageUp: _Action.MovePageUp,
    Qt.Key.Key_PageDown: _Action.MovePageDown,
}
_LINES_AHEAD: Final = 50
"""Number of lines that a movement down may need below the current one."""
_OF_THE_WINDOW: Final = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class GridKeyboard:
    """Moves the current photo with keys.

    Parameters
    ----------
    hover : Hover
        Shows the name of the photo that the keyboard has reached.
    """

    def __init__(
        self, photos: GridModel, tiles: TileArrangement, scroll: GridScroll, selection: GridSelection, hover: Hover
    ) -> None:
        self._photos = photos
        self._tiles = tiles
        self._scroll = scroll
        self._selection = selection
        self._hover = hover
        self._waits_for_end = False
        """Whether End was pressed last, and the last row has not arrived yet."""

    def press(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Move the current photo, or select up to its new place with Shift; return whether the key does so.

        End waits for the rest of a ranking, unless another key or the mouse is pressed first.
        """
        self.stop_waiting()
        action = _MOVES.get(key)
        if action is None or modifiers & _OF_THE_WINDOW:
            return False
        if action is _Action.MoveEnd and not self._photos.complete:
            self._waits_for_end = True
            self._photos.when_complete(lambda: self._move(action, modifiers) if self._waits_for_end else None)
        else:
            self._move(action, modifiers)
        return True

    def stop_waiting(self) -> None:
        """Do not move to the end when the rest of the ranking arrives."""
        self._waits_for_end = False

    def step(self, by: int) -> None:
        """Make the next (1) or previous (-1) photo the current one, and select it alone."""
        current = self._selection.current_id()
        self.go_to(0 if current is None else self._photos.place_of(current) + by)

    def go_to(self, row: int) -> None:
        """Make a row the current one, select it alone, and scroll to it."""
        if 0 <= row < len(self._photos.ids):
            self._selection.choose_only(row)
            self._scroll.show(row)

    def _move(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> None:
        row = self.target(action)
        if row >= 0:
            self._selection.choose(row, modifiers, by_mouse=False)
            self._scroll.show(row)
            self._hover.name(row)

    def target(self, action: QAbstractItemView.CursorAction) -> int:
        """Return the row that a movement reaches, or -1; from a judged photo, start at its former place."""
        last = len(self._photos.ids) - 1
        if last < 0 or action is _Action.MoveEnd:
            return last
        if action is _Action.MoveHome:
            return 0
        current = self._selection.current_id()
        if current is None:
            return min(self._tiles.first_row(self._scroll.top), last)
        place = min(self._photos.place_of(current), last)
        if place < 0:
            return 0
        self._scroll.reach(place)
        if action in (_Action.MoveLeft, _Action.MovePrevious, _Action.MoveRight, _Action.MoveNext):
            back = _Action.MoveRight if self._tiles.mirrored else _Action.MoveLeft
            return min(max(place + (-1 if action in (back, _Action.MovePrevious) else 1), 0), last)
        up = action in (_Action.MoveUp, _Action.MovePageUp)
        return self._row_above_or_below(place, up=up, paged=action in (_Action.MovePageUp, _Action.MovePageDown))

    def _row_above_or_below(self, row: int, *, up: bool, paged: bool) -> int:
        layout, scroll = self._tiles.layout, self._scroll
        if not up and not self._tiles.complete and layout.line_of(row) > layout.lines - _LINES_AHEAD:
            scroll.reach(layout.laid)
        if not paged:
            return layout.row_beside(row, -1 if up else 1)
        line = layout.line_of(row)
        to = layout.line_at(layout.line_top(line) + (-scroll.page if up else scroll.page))
        to = min(to, line - 1) if up else max(to, line + 1)
        return layout.row_beside(row, min(max(to, 0), layout.lines - 1) - line)
