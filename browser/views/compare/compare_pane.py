# SPDX-License-Identifier: MIT
"""One of the compared photos, with zoom and pan, and a line of its data."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from focal_photos.browser.catalog.facts.marks import MAX_RATING, REJECTED
from focal_photos.browser.catalog.facts.records import Box
from focal_photos.browser.models.photos.comparison import ComparedPhoto
from focal_photos.browser.models.photos.formatting import file_size
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import in_column
from focal_photos.browser.views.base.painting import paint_window
from focal_photos.browser.views.base.theme import Theme, set_property
from focal_photos.browser.views.photos.boxes.box_geometry import on_screen
from focal_photos.browser.views.photos.boxes.box_painting import box_color, paint_frame, paint_name
from focal_photos.browser.views.photos.photo_viewer import PhotoViewer


class _Photo(PhotoViewer):
    """The photo with its boxes; the page has the keyboard focus."""

    pressed = Signal()

    def __init__(self, session: Session, theme: Theme, channel: str) -> None:
        super().__init__(session, theme, channel=channel)
        self._boxes: tuple[Box, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_boxes(self, boxes: tuple[Box, ...]) -> None:
        """Show the boxes of the photo."""
        if boxes != self._boxes:
            self._boxes = boxes
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photo, the match of a ranking by a region, and the boxes."""
        super().paintEvent(event)
        card, whole, photo = self.card, QRectF(self.rect()), self.photo_rect()
        match = None if self.photo_id is None else self._session.grid.window(self.photo_id)
        if card is None or not (self._boxes or match):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if match is not None:
            paint_window(painter, self._theme, on_screen(match, photo))
        quarters = card.quarters if self.quarters is None else self.quarters
        for box in self._boxes:
            rect = on_screen(rotated_region(box.region, quarters), photo)
            paint_frame(painter, rect, box_color(box), dashed=box.tag is None)
            paint_name(painter, self._theme, box, rect, whole=whole, current=False)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make this the current photo, and start to drag."""
        self.pressed.emit()
        super().mousePressEvent(event)


class ComparePane(QFrame):
    """A photo with a line of data.

    Parameters
    ----------
    place : int
        Number of the pane, from 0.
    """

    def __init__(self, session: Session, theme: Theme, place: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("comparePane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.photo = _Photo(session, theme, f"compare {place}")
        self.line = ElidedLabel("", "soft")
        self.line.setContentsMargins(8, 0, 8, 0)
        in_column((self.photo, 1), self.line, margins=(3, 3, 3, 5), spacing=4, parent=self)
        self.show_current(False)
        self.hide()

    def show_photo(self, photo_id: int, known: ComparedPhoto | None) -> None:
        """Show a photo, or update its data."""
        card = known.card if known is not None else None
        if self.photo.photo_id != photo_id:
            self.photo.show_photo(photo_id, card)
        else:
            self.photo.set_card(card)
        self.photo.show_boxes(() if known is None else known.boxes)
        self.line.setText("" if known is None else self._text(known))

    def show_current(self, current: bool) -> None:
        """Frame the current pane."""
        set_property(self, "current", "true" if current else "false")

    def _text(self, known: ComparedPhoto) -> str:
        photo, mark = known.card.photo, known.mark
        rating = mark.rating
        parts = []
        if rating == REJECTED:
            parts.append(self.tr("rejected"))
        elif rating is not None:
            parts.append("\N{BLACK STAR}" * rating + "\N{WHITE STAR}" * (MAX_RATING - rating))
        if mark.label:
            parts.append(mark.label)
        parts.append(", ".join(known.card.tags) or self.tr("no tags"))
        if photo.width and photo.height:
            parts.append(f"{photo.width} \N{MULTIPLICATION SIGN} {photo.height}")
        parts.append(file_size(photo.bytes))
        return "   \N{MIDDLE DOT}   ".join(parts)
