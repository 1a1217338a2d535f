# SPDX-License-Identifier: MIT
"""The matching part of a photo, enlarged while the pointer rests on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.views.photos.grid.hover import Hover

REST_MILLISECONDS: Final = 350
"""Time for which the pointer rests on a match before it is enlarged."""

FindMatch = Callable[[QPointF], bool]
"""Returns whether a point of the viewport is on a match and not on a button."""


class MatchZoom(QObject):
    """Enlarges the match under the resting pointer until the pointer leaves its tile.

    Parameters
    ----------
    hover : Hover
        Reports the pointer.
    """

    def __init__(self, photos: GridModel, hover: Hover, find: FindMatch) -> None:
        super().__init__(hover)
        self._photos, self._hover, self._find = photos, hover, find
        self._row = -1
        self._timer = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._timer.timeout.connect(self._enlarge)
        hover.pointed.connect(self._follow)

    def _follow(self, point: QPointF | None) -> None:
        if self._row >= 0 and self._row == self._hover.row:
            return
        self._timer.stop()
        if self._row >= 0:
            self._row = -1
            self._photos.enlarge(None)
        if point is not None and self._find(point):
            self._timer.start()

    def _enlarge(self) -> None:
        row = self._hover.row
        if 0 <= row < len(self._photos.ids) and QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self._row = row
            self._photos.enlarge(self._photos.photo_id(row))
