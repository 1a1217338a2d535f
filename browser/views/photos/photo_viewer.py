# SPDX-License-Identifier: MIT
"""A viewer for one photo, with zoom and pan."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.photos.formatting import rating_text
from focal_photos.browser.models.photos.tiles import PhotoCard
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.pictures import STORED_SIDE, FullPicture, PictureRequest, picture, read_picture, warm_up
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.painting import paint_mark, paint_relations
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.heat_map import paint_heat

MAX_ZOOM: Final = 8.0
MARGIN: Final = 14
FULL_SIDE: Final = 8192
"""Longest side to decode, in pixels; larger photos are shown at this size."""
WARM_UP_MILLISECONDS: Final = 300
"""Delay before the decoder process is started after the window has opened; visible content comes first."""


class PhotoViewer(QWidget):
    """Shows a photo: fitted at first, then zoomed and moved by wheel, keys and mouse."""

    closed = Signal()
    """Esc was pressed, to return to the grid."""
    stepped = Signal(int)
    """The user requests the next (1) or previous (-1) photo."""
    view_changed = Signal()
    """The user zoomed or moved the photo."""
    decoded = Signal()
    """The photo has been decoded in full size."""

    def __init__(self, session: Session, theme: Theme, *, channel: str = "picture") -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Photo"))
        self._session = session
        self._theme = theme
        self._channel = channel
        self.photo_id: int | None = None
        self._card: PhotoCard | None = None
        self._image: QImage | None = None
        self._failure = ""
        self._request = PictureRequest()
        self._full = False
        self._quarters = 0  # quarter turns for painting; a stand-in picture is already rotated
        self._scale: float | None = None
        self._center = QPointF(0.5, 0.5)
        self._dragged: QPointF | None = None
        session.navigator.marks_changed.connect(self.update)
        session.local_view.heat_changed.connect(self.update)
        session.feed.subscribe(self._follow_rotations, Kind.ROTATIONS)
        theme.changed.connect(self.update)
        self._warm_up = QTimer(self, singleShot=True, interval=WARM_UP_MILLISECONDS)
        self._warm_up.timeout.connect(warm_up)
        self._warm_up.start()

    # ------------------------------------------------------------------ content
    def show_photo(self, photo_id: int, card: PhotoCard | None) -> None:
        """Show a photo, fitted: a cached picture at once, and its full size once it is decoded."""
        self.photo_id, self._card = photo_id, card
        self._image = self._session.loader.image(photo_id, PixelSize(2048, 2048))
        self._full, self._quarters, self._scale, self._center = False, 0, None, QPointF(0.5, 0.5)
        self.setAccessibleDescription(card.name if card else "")
        self.update()
        self._failure = ""
        self._request.cancel()
        request = self._request = PictureRequest()
        library = self._session.library
        self._session.runner.read(
            self._channel,
            lambda: read_picture(library, photo_id, FULL_SIDE, request),
            lambda picture: self._arrived(photo_id, picture),
        )

    @property
    def card(self) -> PhotoCard | None:
        """The data of the photo; None until they are read."""
        return self._card

    def set_card(self, card: PhotoCard | None) -> None:
        """Update the data of the photo."""
        self._card = card
        self.setAccessibleDescription(card.name if card else "")
        self.update()

    def _arrived(self, photo_id: int, found: FullPicture) -> None:
        if photo_id == self.photo_id:
            self._failure = found.failure
            if not found.image.isNull() or self._image is None:
                view = self.view
                # otherwise the stand-in picture stays
                self._image, self._full, self._quarters = found.image, True, found.quarters
                self.show_view(view)  # the photo has more pixels than the stand-in picture
                self.decoded.emit()
            if found.failure:
                name = self._card.name if self._card else ""
                self.setAccessibleDescription(f"{name}. {found.failure}")
            self.update()

    def _follow_rotations(self, changes: ChangeSet) -> None:
        """Follow a rotation by the user."""
        photo_id, library = self.photo_id, self._session.library
        if photo_id is not None and photo_id in changes.photo_ids:
            turns = lambda: library.rotations.of([photo_id])[photo_id]  # noqa: E731
            self._session.runner.read(
                f"{self._channel} turned", turns, lambda quarters: self._rotate(photo_id, quarters)
            )

    def _rotate(self, photo_id: int, quarters: int) -> None:
        if photo_id != self.photo_id:
            return
        if self._full:
            self._quarters = quarters
            self._scale, self._center = None, QPointF(0.5, 0.5)
            self.pan(QPointF())
        elif self._failure:  # a small picture is shown instead
            library, small = self._session.library, PixelSize(STORED_SIDE, STORED_SIDE)
            self._session.runner.read(
                f"{self._channel} small", lambda: picture(library, photo_id, small), partial(self._stand_in, photo_id)
            )
        else:  # the pending picture will be read in its new rotation
            self.show_photo(photo_id, self._card)

    def _stand_in(self, photo_id: int, image: QImage) -> None:
        if photo_id == self.photo_id and not self._full:
            self._image = image
            self.update()

    def _size(self) -> tuple[int, int]:
        """Return width and height of the photo as displayed, in its own pixels."""
        if self._image is None or self._image.isNull():
            return 0, 0
        size = self._image.width(), self._image.height()
        return size[::-1] if self._quarters % 2 else size

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height of the photo as displayed, in its own pixels; (0, 0) unless it is shown in full size."""
        return self._size() if self._full and max(self._size()) < FULL_SIDE else (0, 0)

    @property
    def quarters(self) -> int | None:
        """Clockwise quarter turns of the displayed photo; None while a stand-in picture is shown, already rotated."""
        return self._quarters if self._full else None

    # ------------------------------------------------------------------ zoom and pan
    @property
    def scale(self) -> float:
        """Screen pixels for each pixel of the photo."""
        return self._fit() if self._scale is None else self._scale

    @property
    def view(self) -> tuple[float | None, QPointF]:
        """The zoom relative to the fitted size (None: fitted), and the point of the photo in the middle, 0..1."""
        return None if self._scale is None else self._scale / self._fit(), QPointF(self._center)

    def show_view(self, view: tuple[float | None, QPointF]) -> None:
        """Show the same view as another viewer, without a signal."""
        larger, center = view
        self._scale = None if larger is None else min(larger * self._fit(), MAX_ZOOM)
        self._center = QPointF(center)
        self._keep_in_sight(QPointF())

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Magnify by a factor, keeping the point `at` of the widget in place; the middle if None."""
        if self._image is None or self._image.isNull():
            return
        spot = at if at is not None else QPointF(self.rect().center())
        before = self.photo_rect()
        share = QPointF((spot.x() - before.left()) / before.width(), (spot.y() - before.top()) / before.height())
        scale = min(max(self.scale * factor, min(self._fit(), 1.0)), MAX_ZOOM)
        self._scale = None if abs(scale - self._fit()) < 1e-6 else scale
        after = self.photo_rect()
        moved = QPointF(
            after.left() + share.x() * after.width() - spot.x(),
            after.top() + share.y() * after.height() - spot.y(),
        )
        self.pan(moved)

    def toggle_full_size(self, at: QPointF | None = None) -> None:
        """Toggle between fitted and actual size."""
        if self._scale is None:
            self.zoom(1.0 / self.devicePixelRatioF() / self._fit(), at)
        else:
            self._scale = None
            self._center = QPointF(0.5, 0.5)
            self.pan(QPointF())

    def _fit(self) -> float:
        if self._image is None or self._image.isNull():
            return 1.0
        room = self.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        wide, high = self._size()
        scale = min(room.width() / wide, room.height() / high)
        # a small photo is enlarged to a limit; a thumbnail shown instead of the photo fills its place
        return max(0.01, min(scale, 4.0) if self._full else scale)

    def photo_rect(self) -> QRectF:
        """Return the rectangle of the whole photo, in widget coordinates."""
        if self._image is None or self._image.isNull():
            return QRectF(self.rect())
        width, height = (side * self.scale for side in self._size())
        left = self.width() / 2 - self._center.x() * width
        top = self.height() / 2 - self._center.y() * height
        return QRectF(left, top, width, height)

    def pan(self, by: QPointF) -> None:
        """Move the view over the photo by some screen pixels, up to its edges."""
        self._keep_in_sight(by)
        self.view_changed.emit()

    def _keep_in_sight(self, by: QPointF) -> None:
        rect = self.photo_rect()
        shares = []
        for center, move, size, room in (
            (self._center.x(), by.x(), rect.width(), self.width()),
            (self._center.y(), by.y(), rect.height(), self.height()),
        ):
            half = room / 2 / size if size > 0 else 0.5  # without a picture, the size is that of the widget
            shares.append(0.5 if half >= 0.5 else min(max(center + move / size, half), 1 - half))
        self._center = QPointF(*shares)
        self.update()

    # ------------------------------------------------------------------ events
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photo, its name and its mark."""
        painter = QPainter(self)
        theme = self._theme
        painter.fillRect(self.rect(), theme.color("canvas"))
        if self._image is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("text-soft"))
        if self._image.isNull():
            reason = self._card.photo.failure if self._card and self._card.photo.failure else self._failure
            inside = self.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWrapAnywhere
            painter.drawText(inside, flags, reason or self.tr("The file is missing or cannot be read."))
            return
        rect = self.photo_rect()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self.scale < 3)
        visible = rect.intersected(QRectF(self.rect()))
        place = QTransform.fromTranslate(rect.center().x(), rect.center().y()).rotate(90 * self._quarters)
        place.scale(self.scale, self.scale).translate(-self._image.width() / 2, -self._image.height() / 2)
        part = place.inverted()[0].mapRect(visible)
        painter.save()
        painter.setTransform(place, combine=True)
        painter.drawImage(part, self._image, part)
        painter.restore()
        heat = self._session.local_view.shown_map
        if heat is not None and self.photo_id == self._session.navigator.focal_id:
            paint_heat(painter, heat, rect)
        if self._card is not None:
            rating = "" if self._card.rating is None else f"   {rating_text(self._card.rating)}"
            text = f"{self._card.name}   {round(100 * self.scale)} %{rating}"
            room = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-10, -5, 10, 5)
            room.moveBottomLeft(QPointF(MARGIN, self.height() - MARGIN))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("window", 0.82))
            painter.drawRoundedRect(room, 6, 6)
            painter.setPen(theme.color("text"))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
        if self._failure:
            self._paint_failure(painter)
        mark = self._session.navigator.marks.get(self.photo_id) if self.photo_id is not None else None
        if mark is not None:
            paint_mark(painter, theme, mark, QRectF(MARGIN, MARGIN, 34, 34))
        relations = self._session.navigator.relations.get(self.photo_id or -1, frozenset())
        paint_relations(painter, theme, QPointF(MARGIN, MARGIN + (40 if mark is not None else 0)), relations)

    def _paint_failure(self, painter: QPainter) -> None:
        """Paint above a small picture why there is no better one, and what to do."""
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWrapAnywhere
        inside = self.rect().adjusted(3 * MARGIN, 2 * MARGIN, -3 * MARGIN, -MARGIN)
        room = QRectF(painter.boundingRect(inside, flags, self._failure)).adjusted(-10, -6, 10, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("window", 0.9))
        painter.drawRoundedRect(room, 6, 6)
        painter.setPen(self._theme.color("text"))
        painter.drawText(room.adjusted(10, 6, -10, -6), flags, self._failure)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        if event.angleDelta().y():
            self.zoom(1.2 ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start to drag the photo."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the photo."""
        if self._dragged is not None:
            self.pan(self._dragged - event.position())
            self._dragged = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag."""
        self._dragged = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Toggle between fitted and actual size."""
        self.toggle_full_size(event.position())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step or pan with arrows, zoom with plus and minus, fit with 0, close with Esc."""
        key = event.key()
        step = 80.0
        moves = {
            Qt.Key.Key_Left: QPointF(-step, 0),
            Qt.Key.Key_Right: QPointF(step, 0),
            Qt.Key.Key_Up: QPointF(0, -step),
            Qt.Key.Key_Down: QPointF(0, step),
        }
        if key == Qt.Key.Key_Escape:
            self.closed.emit()
        elif key in moves and self._scale is not None:
            self.pan(moves[Qt.Key(key)])
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageUp):
            self.stepped.emit(-1)
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self.stepped.emit(1)
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel the decoding of a photo."""
        super().hideEvent(event)
        if not event.spontaneous():  # not when the window is minimized
            self._request.cancel()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the photo in sight."""
        super().resizeEvent(event)
        self._keep_in_sight(QPointF())
