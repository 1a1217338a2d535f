# SPDX-License-Identifier: MIT
"""The supporting neighbours of the suggestion on a photo, shown over the foot of the grid while they are wanted."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.tiles import PhotoCard
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.supporter_strip import SupporterStrip
from focal_photos.browser.views.review.review_grid import ReviewGrid

_MARGIN = 16  # pixels at each side of the strip


class SupporterOverlay(QObject):
    """Finds and shows the supporting neighbours.

    Parameters
    ----------
    page : QWidget
        Page of the grid; it calls `place` when its size changes.
    """

    def __init__(self, session: Session, theme: Theme, grid: ReviewGrid, page: QWidget) -> None:
        super().__init__(page)
        self._review: Review = session.review
        self._grid = grid
        self._page = page
        self._photo_id = -1
        """The photo whose supporting neighbours are wanted; -1 for none."""
        self.strip = SupporterStrip(session.loader, theme, page)
        self.strip.wrong.connect(self._untag)
        grid.supporters_wanted.connect(self._want)

    @property
    def shown(self) -> bool:
        """Whether they are shown."""
        return self.strip.isVisible()

    def toggle(self) -> None:
        """Show those of the current photo, or hide them."""
        row = self._grid.currentIndex().row()
        self._want(self._review.answers.photo_ids[row] if row >= 0 else -1, row >= 0 and not self.shown)

    def hide(self) -> None:
        """Hide them, and those that are still being read."""
        self._photo_id = -1
        self.strip.hide()

    def place(self) -> None:
        """Place them at the foot of the grid."""
        grid, strip = self._grid, self.strip
        foot = grid.mapTo(self._page, grid.rect().bottomLeft()).y()
        height = strip.sizeHint().height()
        strip.setGeometry(_MARGIN, foot - height - 12, self._page.width() - 2 * _MARGIN, height)
        strip.raise_()

    def _want(self, photo_id: int, wanted: bool) -> None:
        if not wanted:
            self.hide()
            return
        self._photo_id = photo_id
        self._review.supporters.find(photo_id, lambda cards: self._show(photo_id, cards))

    def _show(self, photo_id: int, cards: list[PhotoCard]) -> None:
        question = self._review.question
        if photo_id == self._photo_id and question is not None and question.tag is not None:
            self.strip.show_cards(question.tag, cards)
            self.strip.show()
            self.place()

    def _untag(self, photo_id: int) -> None:
        self.hide()
        self._review.supporters.untag(photo_id)
