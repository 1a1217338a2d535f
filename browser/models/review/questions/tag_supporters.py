# SPDX-License-Identifier: MIT
"""The supporting neighbours of the current question's tag."""

from __future__ import annotations

from collections.abc import Callable

from focal_photos.browser.models.base.model import Services
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.review.questions.current_question import CurrentQuestion
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.tagging.review import review


class TagSupporters:
    """Reads the photos because of which a tag is proposed, and removes the tag from a wrong one."""

    def __init__(self, services: Services, editor: Editor, current: CurrentQuestion) -> None:
        self._library, self._ranker, self._runner = services.library, services.ranker, services.runner
        self._editor = editor
        self._current = current

    def find(self, photo_id: int, done: Callable[[list[PhotoCard]], None]) -> None:
        """Read the cards of the supporting neighbours of the current tag on a photo."""
        library, ranker, tag = self._library, self._ranker, self._current.tag
        if tag is None:
            return

        def read() -> list[PhotoCard]:
            ids = review.supporters(library, ranker, photo_id, tag)
            cards = fetch_cards(library, ids)
            return [cards[each] for each in ids if each in cards]

        self._runner.read("supporters", read, done)

    def untag(self, photo_id: int) -> None:
        """Remove the current tag from a supporting neighbour."""
        tag = self._current.tag
        if tag is not None and not self._library.read_only:
            self._editor.tag([photo_id], remove=[tag])
