# SPDX-License-Identifier: MIT
"""A photo with the frame of a suggested box, which the user corrects by mouse or keys."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.boxes.box_geometry import Handle, handle_at, moved, on_screen, resized
from focal_photos.browser.views.photos.boxes.box_painting import paint_handles
from focal_photos.browser.views.photos.region_strip import RegionPicture

_HANDLE_DISTANCE: Final = 9.0
"""Distance in pixels within which a handle is grabbed."""
_MIN_SIDE: Final = 6.0
"""Smallest side of the frame in pixels of the screen."""


class FramePicture(RegionPicture):
    """Handles resize the frame, a drag inside moves it, a drag elsewhere or with Shift draws another one.

    The keys are those of `RegionPicture`; Enter, too, takes the frame (`searched`).
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._held: tuple[QPointF, Region, Handle | None] | None = None
        """The place of the press, the frame then, and the handle there."""
        self.setMouseTracking(True)

    def _take_drawn(self, region: Region) -> None:
        self.set_region(region)

    @property
    def frame(self) -> QRectF | None:
        """The rectangle of the frame in the widget; None without a photo."""
        photo = self._photo()
        return None if photo is None or self.region is None else on_screen(self.region, photo)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photo, the frame and its handles."""
        super().paintEvent(event)
        frame = self.frame
        if frame is not None and self._drawn is None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_handles(painter, frame, self._theme.color("focal-on-photo"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grab a handle or the frame, or begin another one."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        frame, at = self.frame, event.position()
        if frame is None or self.region is None or event.button() != Qt.MouseButton.LeftButton:
            return
        handle = handle_at(frame, at, _HANDLE_DISTANCE)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not shift and (handle is not None or frame.contains(at)):
            self._held = at, self.region, handle
        else:
            self._start = at

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move or resize the frame, or draw another one."""
        photo = self._photo()
        if self._held is None or photo is None:
            self._show_cursor(event.position())
            super().mouseMoveEvent(event)
            return
        start, region, handle = self._held
        by = event.position() - start
        across, down = by.x() / photo.width(), by.y() / photo.height()
        least = QSizeF(_MIN_SIDE / photo.width(), _MIN_SIDE / photo.height())
        self.set_region(moved(region, across, down) if handle is None else resized(region, handle, across, down, least))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        if self._held is not None:
            self._held = None
        else:
            super().mouseReleaseEvent(event)

    def _show_cursor(self, at: QPointF) -> None:
        frame = self.frame
        handle = None if frame is None else handle_at(frame, at, _HANDLE_DISTANCE)
        if frame is not None and handle is None and frame.contains(at):
            shape = Qt.CursorShape.SizeAllCursor
        elif handle is None:
            shape = Qt.CursorShape.CrossCursor
        elif not handle.across or not handle.down:
            shape = Qt.CursorShape.SizeVerCursor if handle.down else Qt.CursorShape.SizeHorCursor
        else:
            same = handle.across == handle.down
            shape = Qt.CursorShape.SizeFDiagCursor if same else Qt.CursorShape.SizeBDiagCursor
        self.setCursor(shape)
