# SPDX-License-Identifier: MIT
"""Names proposed for the photos of a new kind."""

from __future__ import annotations

from PySide6.QtCore import Signal

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.operations.tagging.review.proposed_names import proposed_names


class NameProposals(Model):
    """Reads the names of folders and files that the proposed photos of a new kind share."""

    changed = Signal()
    """`names` has changed."""

    def __init__(self, services: Services, review: Review) -> None:
        super().__init__(services)
        self._review = review
        self.names: list[str] = []
        """The best one first; empty for a question about a tag."""
        review.tiles.shown.connect(self._read)

    def _read(self) -> None:
        """Read the names for the current question."""
        library, question = self._library, self._review.question
        self._show([])
        if question is None or question.tag is not None:
            return
        ids = question.photo_ids[: max(question.line, 1)].tolist()

        def done(names: list[str]) -> None:
            if self._review.question is question:
                self._show(names)

        self._runner.read("names", lambda: proposed_names(library, ids), done, aside=True)

    def _show(self, names: list[str]) -> None:
        if names != self.names:
            self.names = names
            self.changed.emit()
