# SPDX-License-Identifier: MIT
"""The sizes of the window, its columns and its tiles, saved from one start to the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtWidgets import QMainWindow, QSplitter

from focal_photos.browser.views.photos.grid.grid_view import GridView

_FIRST_SIZE: Final = QSize(1440, 900)
_FRAME_SIZE: Final = QSize(16, 48)
"""Size of the window frame and title bar that the system draws, in pixels."""


class SavedSizes:
    """Restores and saves the sizes of a window.

    Parameters
    ----------
    splitters : mapping of str to QSplitter
        By the names under which their states are saved.
    """

    def __init__(
        self, settings: QSettings, window: QMainWindow, splitters: Mapping[str, QSplitter], grid: GridView
    ) -> None:
        self._settings = settings
        self._window = window
        self._splitters = splitters
        self._grid = grid

    def restore(self) -> None:
        """Set the saved sizes, or those of a first start."""
        settings, window = self._settings, self._window
        # The first window must fit on a small screen; Qt checks a saved size itself.
        window.resize(_FIRST_SIZE.boundedTo(window.screen().availableSize() - _FRAME_SIZE))
        geometry = settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            window.restoreGeometry(geometry)
        for name, splitter in self._splitters.items():
            state = settings.value(name)
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
        size = settings.value("grid/tile_size")
        if isinstance(size, (int, str)) and str(size).isdecimal():
            self._grid.set_tile_size(int(size))

    def save(self) -> None:
        """Save the sizes."""
        settings = self._settings
        settings.setValue("window/geometry", self._window.saveGeometry())
        for name, splitter in self._splitters.items():
            settings.setValue(name, splitter.saveState())
        settings.setValue("grid/tile_size", self._grid.tile_size)
        settings.sync()
