# SPDX-License-Identifier: MIT
"""A rectangle that is stretched with the mouse and selects the tiles it meets."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QObject, QPoint, QRect, QTimer, Signal
from PySide6.QtWidgets import QScrollBar

from focal_photos.browser.views.photos.grid.grid_selection import GridSelection

_EDGE: Final = 24
"""Distance in pixels from the upper and lower edge at which a rubber band scrolls."""


class RubberBand(QObject):
    """Selects the tiles between its start and the pointer, and scrolls while the pointer is at an edge.

    Parameters
    ----------
    start : QPoint
        Place in the viewport.
    kept : QItemSelection
        Rows that stay selected.
    bar : QScrollBar
        Vertical scroll bar of the grid; its page step is the height of the viewport.
    """

    stretched = Signal()
    """`rect` has changed."""

    def __init__(self, start: QPoint, kept: QItemSelection, selection: GridSelection, bar: QScrollBar) -> None:
        super().__init__(bar)
        self._before = kept
        self._selection = selection
        self._bar = bar
        self._start = self._end = self._in_content(start)
        self._pointer = start
        self._scrolling = QTimer(self, interval=30)
        self._scrolling.timeout.connect(self._scroll)
        self._scrolling.start()

    @property
    def rect(self) -> QRect:
        """The rectangle in the content."""
        return QRect(self._start, self._end).normalized()

    def stretch(self, point: QPoint) -> None:
        """Stretch the band to a point of the viewport."""
        self._pointer, self._end = point, self._in_content(point)
        rows = self._selection.rows_in(self.rect)
        rows.merge(self._before, QItemSelectionModel.SelectionFlag.Select)
        self._selection.replace(rows)
        self.stretched.emit()

    def close(self) -> None:
        """Remove the band; its tiles stay selected."""
        self._scrolling.stop()
        self.stretched.emit()
        self.deleteLater()

    def _scroll(self) -> None:
        """Scroll while the band is held at the upper or lower edge."""
        y = self._pointer.y()
        beyond = min(y - _EDGE, 0) + max(y - self._bar.pageStep() + _EDGE, 0)
        if beyond:
            self._bar.setValue(self._bar.value() + beyond)
            self.stretch(self._pointer)

    def _in_content(self, point: QPoint) -> QPoint:
        return point + QPoint(0, self._bar.value())
