# SPDX-License-Identifier: MIT
"""The tile and the button under the pointer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QPointF, Signal

from focal_photos.browser.views.base.pointer import Pointer
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton, TileDelegate

FindTile = Callable[[QPointF], tuple[int, TileButton | None]]
"""Point of the viewport -> row of the tile there, or -1, and its button there."""


class Hover(QObject):
    """Shows the buttons of the tile under the pointer, and the name of the tile that the keyboard has reached.

    Parameters
    ----------
    delegate : TileDelegate
        Paints the buttons and the name.
    """

    repaint_wanted = Signal(int)
    """The tile of this row looks different now."""
    pointed = Signal(object)
    """The pointer has moved to a point of the viewport; None if it points at nothing (QPointF or None)."""

    def __init__(self, delegate: TileDelegate, find: FindTile) -> None:
        super().__init__(delegate)
        self._delegate = delegate
        self._find = find
        self._pointer = Pointer()

    @property
    def row(self) -> int:
        """Row under the pointer, or -1."""
        return self._delegate.hovered

    @property
    def points(self) -> bool:
        """Whether the pointer has moved since other photos came under it; until then it points at no tile."""
        return self._pointer.points

    def tile_at(self, point: QPointF) -> tuple[int, TileButton | None]:
        """Return the row of the tile at a point, or -1, and its button there if the pointer points at it."""
        row, button = self._find(point)
        return row, button if self.points else None

    def row_now(self) -> int:
        """Return the row under the pointer after the tiles have moved, or -1."""
        place = self._pointer.place
        return self._find(QPointF(place))[0] if place is not None and self.points else -1

    def move(self, point: QPoint | None) -> None:
        """Show the buttons of the tile at a point; None: the pointer has left the grid."""
        self._pointer.move(point)
        aimed = QPointF(point) if point is not None and self.points else None
        self._show(*self._find(aimed) if aimed is not None else (-1, None))
        self.pointed.emit(aimed)

    def rest(self) -> None:
        """Hide the buttons because other photos have come under the pointer."""
        self._pointer.rest()
        self._show(-1, None)
        self.pointed.emit(None)

    def scrolled(self) -> None:
        """Show the buttons of the tile that the wheel has moved under the pointer."""
        self._pointer.aim()
        self.move(self._pointer.place)

    def name(self, row: int) -> None:
        """Show the name of the row that the keyboard has reached; -1: of none."""
        before, self._delegate.named = self._delegate.named, row
        if before != row:
            self._repaint(before, row)

    def _show(self, row: int, button: TileButton | None) -> None:
        delegate = self._delegate
        before = delegate.hovered, delegate.hovered_button
        delegate.hovered, delegate.hovered_button = row, button
        if row >= 0:
            self.name(-1)
        if before != (row, button):
            self._repaint(before[0], row)

    def _repaint(self, *rows: int) -> None:
        for row in set(rows) - {-1}:
            self.repaint_wanted.emit(row)
