"""A pointer that rests means nothing that has come under it: only one that has moved there points at something."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication


class Pointer:
    """Where the pointer is, and whether it has moved since what is shown has changed.

    A click changes what lies under the pointer, and the second half of a double-click falls on whatever that is now.
    Hence buttons under the pointer answer only while `points` holds.

    Attributes
    ----------
    place : QPoint or None
        Where it is in the coordinates of the view; None outside of it.
    points : bool
        Whether it has moved since the last `rest`, by more than a hand moves between the halves of a double-click.
    """

    def __init__(self) -> None:
        self.place: QPoint | None = None
        self.points = True
        self._last: QPoint | None = None
        self._rests_at: QPoint | None = None

    def rest(self) -> None:
        """Take notice that something else is shown now."""
        self.points = False
        self._rests_at = self._last

    def aim(self) -> None:
        """Take notice that the person has brought what is shown under the pointer, by the wheel."""
        self.points = True

    def move(self, place: QPoint | None) -> None:
        """Take over where the pointer is; None where it has left the view."""
        self.place = place
        if place is None:
            return
        self._last = place
        if not self.points:
            start = self._rests_at if self._rests_at is not None else place
            self._rests_at = start
            self.points = (place - start).manhattanLength() > QGuiApplication.styleHints().mouseDoubleClickDistance()
