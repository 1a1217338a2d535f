# SPDX-License-Identifier: MIT
"""The progress of Review: the photos that are left, the pace, and the gain since the last round."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.review.questions.pace import Pace
from focal_photos.browser.models.review.questions.question_search import FoundQuestions
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.describing.settings import RETRAIN

_EARLY: Final = 10  # tagged photos from which the first round is measured, and a metric trained
_GROWTH: Final = 1.5  # growth of the tagged photos from round to round, and from training to training


@dataclass(frozen=True)
class RoundGain:
    """The gain of the last round: leave-one-out accuracy of the best suggestion for tagged photos."""

    before: float
    after: float
    """`before` and `after`: shares 0..1 of the same photos: those that were tagged when the round began."""
    photos: int
    """Number of these photos."""


class ReviewProgress(QObject):
    """Counts photos and measures rounds; a round ends when the number of tagged photos has grown by half."""

    retrain_wanted = Signal()
    """Enough was tagged to train a metric."""

    def __init__(self, editor: Editor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self.pace = Pace()
        self.gained: RoundGain | None = None
        self.photo_count = 0
        self.untagged_count = 0
        """`photo_count` and `untagged_count`: number of photos in the scope, and of untagged ones among them, as of the
        last search."""
        self._right: dict[int, bool] = {}
        """Correct suggestions when the round began."""
        self._tagged_at_training = 0
        """Number of tagged photos in the library when a training was last requested."""

    def take(self, found: FoundQuestions, *, writable: bool) -> None:
        """Compute the gain since the round began, begin another if enough was tagged, and request a training."""
        self.photo_count, self.untagged_count = found.photo_count, found.untagged_count
        right = found.right
        both = right.keys() & self._right.keys()
        self.gained = None
        if both:
            shares = [sum(each[photo_id] for photo_id in both) / len(both) for each in (self._right, right)]
            self.gained = RoundGain(shares[0], shares[1], len(both))
        if len(right) >= max(_EARLY, _GROWTH * len(self._right)):
            self._right = right
        self._tagged_at_training = min(self._tagged_at_training, found.tagged_count)  # tags may have been undone
        learned = max(found.metric_tagged, self._tagged_at_training)
        if found.retrains and writable and found.tagged_count >= max(_EARLY, _GROWTH * learned):
            self._tagged_at_training = found.tagged_count
            self.retrain_wanted.emit()

    def set_retraining(self, on: bool) -> None:
        """Set whether a metric is trained automatically between questions."""
        self._editor.set_switch(RETRAIN, on)
