# SPDX-License-Identifier: MIT
"""Full screen: everything except the photos is hidden, and shown again afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from focal_photos.browser.views.base.layouts import holds_keyboard
from focal_photos.browser.views.window.photo_area import PhotoArea


class FullScreen:
    """Hides and shows the parts of the window around the photos."""

    def __init__(self, parts: Sequence[QWidget], photos: PhotoArea) -> None:
        self._parts = parts
        self._photos = photos
        self._hidden: list[QWidget] = []

    def follow(self, full: bool) -> None:
        """Follow a change of the window's state."""
        if full == bool(self._hidden):
            return
        if full:
            self._hidden = [part for part in self._parts if not part.isHidden()]
            held = any(holds_keyboard(part) for part in self._hidden)
            for part in self._hidden:
                part.hide()
            if held and self._photos.isVisible():
                self._photos.focus_photos()
        else:
            for part in self._hidden:
                part.show()
            self._hidden = []
        self._photos.set_alone(full)
