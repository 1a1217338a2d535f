# SPDX-License-Identifier: MIT
"""Record of the answered and open questions of Review; only the answers themselves are saved in the library."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.review.questions.question_matching import renamed
from focal_photos.browser.operations.tagging.review.answered_questions import AnsweredQuestions
from focal_photos.learners.tags.confidence.answered import Answered

REMEMBERED: Final = 50
"""Number of answers that correct confidences, and that undo can bring back."""


@dataclass(frozen=True)
class Moment:
    """The skipped pairs and the answers at one moment."""

    passed: frozenset[tuple[int, str]]
    answered: AnsweredQuestions


class ReviewRecord:
    """Answers and skipped pairs, photos and new kinds, which exclude further questions."""

    def __init__(self) -> None:
        self.passed: set[tuple[int, str]] = set()
        """Pairs of photo and tag that the user left open."""
        self.answered = AnsweredQuestions()
        """Answers that correct the confidence of later questions; they outlast the end of Review."""
        self.finished: set[int] = set()
        """Single photos with an answer."""
        self.left_open: set[int] = set()
        """Photos that were proposed as new kinds and left open."""
        self.skips_photos = False
        """Whether to ask about no single photos."""

    def begin(self) -> None:
        """Ask about everything again, because Review was opened."""
        self.passed.clear()
        self.finished.clear()
        self.left_open.clear()
        self.skips_photos = False

    def answer(self, tag: str | None, observed: Answered) -> None:
        """Record the answers to a question about a tag; None: about a new kind."""
        kinds, tags = self.answered.kinds, self.answered.tags
        if tag is None:
            self.answered = replace(self.answered, kinds=(*kinds, observed)[-REMEMBERED:])
        else:
            self.answered = replace(self.answered, tags=(*tags, observed)[-REMEMBERED:])

    def skip(self, photo_ids: Iterable[int], tag: str) -> None:
        """Do not ask again whether photos carry a tag."""
        self.passed.update((photo_id, tag) for photo_id in photo_ids)

    def finish_photo(self, photo_id: int, not_these: Iterable[str]) -> None:
        """Ask no more about a single photo; skip tags that the user has ruled out for it."""
        self.finished.add(photo_id)
        self.passed.update((photo_id, tag) for tag in not_these)

    def reopen_photo(self, photo_id: int, not_these: Iterable[str]) -> None:
        """Revert `finish_photo`."""
        self.finished.discard(photo_id)
        self.passed.difference_update((photo_id, tag) for tag in not_these)

    def follow_name(self, old: str, new: str) -> None:
        """Rename a tag and the tags below it."""
        self.passed = {(photo_id, renamed(tag, old, new)) for photo_id, tag in self.passed}

    # ------------------------------------------------------------------ undo
    def moment(self) -> Moment:
        """Return the present state, for undo."""
        return Moment(frozenset(self.passed), self.answered)

    def undo(self, before: Moment, after: Moment) -> None:
        """Revert the effects of one answer; pairs left open since stay open."""
        self.passed -= after.passed - before.passed
        self.answered = before.answered

    def redo(self, after: Moment) -> None:
        """Restore the effects of an answer."""
        self.passed |= after.passed
        self.answered = after.answered
