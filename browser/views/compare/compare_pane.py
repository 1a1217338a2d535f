"""One of the compared photos, with zoom and pan, and a line of its data."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QWidget

from focal_photos.browser.catalog.facts.marks import MAX_RATING, REJECTED
from focal_photos.browser.models.photos.comparison import ComparedPhoto
from focal_photos.browser.models.photos.formatting import file_size
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import in_column
from focal_photos.browser.views.base.theme import Theme, set_property
from focal_photos.browser.views.photos.photo_viewer import PhotoViewer


class _Photo(PhotoViewer):
    """The photo; the page has the keyboard focus."""

    pressed = Signal()

    def __init__(self, session: Session, theme: Theme, channel: str) -> None:
        super().__init__(session, theme, channel=channel)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

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
