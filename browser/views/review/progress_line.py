# SPDX-License-Identifier: MIT
"""The number of photos or boxes left in a review, and the approximate time for the photos."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLabel

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.session import Session

_MINUTE: Final = 60.0  # seconds


class ProgressLine(QLabel):
    """Shows the remaining work: "14 of 240 left, about 3 minutes"."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setProperty("variant", "soft")
        self.setObjectName("reviewProgress")
        self._session = session
        session.review.state_changed.connect(self.show_progress)
        session.review_pages.photo_by_photo.changed.connect(self.show_progress)
        session.review_pages.ask_next.changed.connect(self.show_progress)
        self._asks_next = False
        self.show_progress()

    def set_asks_next(self, on: bool) -> None:
        """Set whether *Ask me next* is shown, which may ask about boxes."""
        self._asks_next = on
        self.show_progress()

    def show_progress(self) -> None:
        """Update the numbers."""
        review = self._session.review
        left, photos = self._session.review_pages.photo_by_photo.left, review.progress.photo_count
        text, asked = "", self._session.review_pages.ask_next
        if self._asks_next and asked.about_boxes:
            if asked.boxes_left:
                text = self.tr("{0} of {1} boxes left").format(grouped(asked.boxes_left), grouped(asked.drawn))
        elif left:
            text = self.tr("{0} of {1} left").format(grouped(left), grouped(photos))
            seconds = review.progress.pace.seconds_for(left)
            if seconds is not None:
                text = f"{text}, {duration(seconds)}"
        self.setText(text)


def duration(seconds: float) -> str:
    """Return an approximate duration in minutes or hours: ``about 3 minutes``."""
    minutes = round(seconds / _MINUTE)
    if minutes <= 1:
        return QCoreApplication.translate("duration", "about a minute")
    if minutes < 90:
        return QCoreApplication.translate("duration", "about %n minutes", "", minutes)
    return QCoreApplication.translate("duration", "about %n hours", "", round(minutes / 60))
