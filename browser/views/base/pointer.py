# SPDX-License-Identifier: MIT
"""The pointer of the mouse, which counts as pointing at something only after it has moved there."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication


class Pointer:
    """The place of the pointer, and whether it has moved since the content changed.

    A click changes the content under the pointer, and the second half of a double-click would hit the new content. So
    buttons under the pointer respond only while `points` is True.
    """

    def __init__(self) -> None:
        self.place: QPoint | None = None
        """Its place in coordinates of the view; None outside the view."""
        self.points = True
        """Whether it has moved since the last `rest`, by more than a hand moves during a double-click."""
        self._last: QPoint | None = None
        self._rests_at: QPoint | None = None

    def rest(self) -> None:
        """Record that the content has changed."""
        self.points = False
        self._rests_at = self._last

    def aim(self) -> None:
        """Record that the user has moved the content under the pointer with the wheel."""
        self.points = True

    def move(self, place: QPoint | None) -> None:
        """Set the place of the pointer; None if it has left the view."""
        self.place = place
        if place is None:
            return
        self._last = place
        if not self.points:
            start = self._rests_at if self._rests_at is not None else place
            self._rests_at = start
            self.points = (place - start).manhattanLength() > QGuiApplication.styleHints().mouseDoubleClickDistance()
