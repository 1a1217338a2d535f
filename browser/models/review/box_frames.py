# SPDX-License-Identifier: MIT
"""Improves the frames of the suggested boxes that are asked about, in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.review.questions.question_matching import regions_of, tags_of
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.tagging.boxes import suggest_boxes

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.boxes.suggest_boxes import SuggestedBox
    from focal_photos.browser.operations.tagging.review.review import Question

_MAX_IMPROVED: Final = 60
"""Number of first boxes of a question whose frames are improved; others are unlikely or out of sight."""


class BoxFrames(Model):
    """Improves the frames of each question, then describes the boxes of the next ones; photos are decoded for it.

    Parameters
    ----------
    review : Review
        Asks about suggested boxes.
    """

    improved = Signal()
    """Frames of the current question have changed, and their confidences would."""

    def __init__(self, services: Services, review: Review) -> None:
        super().__init__(services)
        self._review = review
        self._task: int | None = None
        review.tiles.shown.connect(self._begin)

    def _begin(self) -> None:
        self._stop()
        present = self._review.question
        if present is not None:
            self._improve([present, *(each for each in self._review.questions if each is not present)])

    def _improve(self, questions: list[Question]) -> None:
        question = questions[0]
        if question.tag is None or question.regions is None:
            return
        tag, shown, library = question.tag, question.shown, self._library
        regions, names, ids = regions_of(question), tags_of(question), question.photo_ids[:_MAX_IMPROVED].tolist()
        wanted = [
            suggest_boxes.SuggestedBox(photo, regions[photo], names[photo], float(shown[row]))
            for row, photo in enumerate(ids)
        ]

        def work() -> Job[list[SuggestedBox]]:
            return suggest_boxes.refine_boxes(library, wanted)

        def done(found: list[SuggestedBox]) -> None:
            self._task = None
            now = self._review.question
            if now is not None and now.tag == tag:
                present = regions_of(now)
                # the user may have answered some of them meanwhile
                same = {one.photo_id: one.region for one in found if present.get(one.photo_id) == regions[one.photo_id]}
                changed = {photo: region for photo, region in same.items() if region != regions[photo]}
                self._review.reframe(changed)
                if changed:
                    self.improved.emit()
            if questions[1:]:
                self._improve(questions[1:])

        def failed(_error: Exception) -> bool:
            self._task = None
            return True  # the frames stay as suggested

        self._task = self._runner.start(self.tr("Improving suggested boxes"), work, done, failed, lane="frames")

    def _stop(self) -> None:
        if self._task is not None:
            self._runner.cancel(self._task)
            self._task = None
