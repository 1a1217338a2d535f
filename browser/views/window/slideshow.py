# SPDX-License-Identifier: MIT
"""An automatic slideshow."""

from __future__ import annotations

import random

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QMainWindow

from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.describing.settings import SLIDESHOW_RANDOM, SLIDESHOW_SECONDS
from focal_photos.browser.views.window.photo_area import PhotoArea


class Slideshow(QObject):
    """Shows the photos of the grid alone, in order or at random, in full screen.

    Parameters
    ----------
    window : QMainWindow
        Fills the screen during the slideshow.
    """

    def __init__(self, window: QMainWindow, session: Session, photos: PhotoArea) -> None:
        super().__init__(window)
        self._window, self._session, self._photos = window, session, photos
        self._rng = random.Random()
        self.running = False
        self.timer = QTimer(self, singleShot=True)
        self.timer.timeout.connect(self._next)
        self._order: list[int] = []
        self._random = False
        self._filled = False
        photos.viewer_closed.connect(self.stop)

    def toggle(self) -> None:
        """Start with the current photo, pause or resume."""
        if not self.running:
            self._begin()
        elif self.timer.isActive():
            self.timer.stop()
            self._say(self.tr("Paused. Press the same key to continue, Esc to end."))
        else:
            self._next()

    def stop(self) -> None:
        """End at the current photo."""
        if self.running:
            self.running = False
            self.timer.stop()
            if self._filled and self._window.isFullScreen():
                self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowFullScreen)

    def _begin(self) -> None:
        if not len(self._session.grid.ids):
            self._say(self.tr("There are no photos to show."))
            return
        library = self._session.library

        def done(chosen: tuple[int, bool]) -> None:
            self.timer.setInterval(1000 * chosen[0])
            self._photos.open_viewer()
            viewed = self._photos.viewer.photo_id
            if viewed is None:
                return
            self.running = True
            self._order = []
            if chosen[1]:
                self._order = [photo_id for photo_id in self._session.grid.ids.tolist() if photo_id != viewed]
                self._rng.shuffle(self._order)
            self._random = chosen[1]
            self._filled = not self._window.isFullScreen()
            self._window.setWindowState(self._window.windowState() | Qt.WindowState.WindowFullScreen)
            self.timer.start()

        def read() -> tuple[int, bool]:
            return SLIDESHOW_SECONDS.get(library), SLIDESHOW_RANDOM.get(library)

        self._session.runner.read("slideshow", read, done)

    def _next(self) -> None:
        """Show the next photo, or end after the last one."""
        photos, grid = self._photos, self._session.grid
        if not self.running or not photos.viewing:
            self.stop()
            return
        shown = photos.viewer.photo_id
        if self._random:
            self._order = [photo_id for photo_id in self._order if photo_id != shown and grid.row_of(photo_id) >= 0]
            following = self._order.pop() if self._order else None
        else:
            row = (grid.row_of(shown) if shown is not None else -1) + 1
            if row >= len(grid.ids) and not grid.complete:
                grid.when_complete(self._next)
                return
            following = grid.photo_id(row) if row < len(grid.ids) else None
        if following is None:
            self.stop()
            self._say(self.tr("End of the slideshow."))
            return
        photos.show_in_viewer(following)
        self.timer.start()

    def _say(self, text: str) -> None:
        self._session.notices.post(text)
