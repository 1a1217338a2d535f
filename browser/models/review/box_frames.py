"""Improves the frames of the suggested boxes that are asked about, in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.review.questions.question_matching import regions_of
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.tagging.boxes import suggest_boxes

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.boxes.suggest_boxes import SuggestedBox

_MOST: Final = 60
"""Number of first boxes of a question whose frames are improved; others are unlikely or out of sight."""


class BoxFrames(Model):
    """Improves the frames of each question; photos are decoded for it.

    Parameters
    ----------
    review : Review
        Asks about suggested boxes.
    """

    def __init__(self, services: Services, review: Review) -> None:
        super().__init__(services)
        self._review = review
        self._task: int | None = None
        self._known: dict[tuple[int, str, Region], Region] = {}
        """Improved frames by photo, tag and suggested frame, because a later search suggests the same ones."""
        review.tiles.shown.connect(self._improve)

    def _improve(self) -> None:
        self._stop()
        question = self._review.question
        if question is None or question.tag is None or question.regions is None:
            return
        tag, rows = question.tag, range(min(_MOST, len(question.photo_ids)))
        regions, ids = regions_of(question), question.photo_ids.tolist()
        settled = {photo: found for photo in ids if (found := self._known.get((photo, tag, regions[photo])))}
        if settled:
            self._review.reframe(settled)
        improved = set(self._known.values())
        done_before = {photo for photo in ids if regions[photo] in improved}
        done_before |= {photo for photo, name in self._review.corrected if name == tag}
        lacking = [row for row in rows if ids[row] not in settled and ids[row] not in done_before]
        if not lacking:
            return
        shown = question.shown
        library = self._library

        def work() -> Job[list[SuggestedBox]]:
            wanted = [
                suggest_boxes.SuggestedBox(ids[row], regions[ids[row]], tag, float(shown[row])) for row in lacking
            ]
            return suggest_boxes.refine_boxes(library, wanted)

        def done(found: list[SuggestedBox]) -> None:
            self._task = None
            self._known |= {(one.photo_id, tag, regions[one.photo_id]): one.region for one in found}
            now = self._review.question
            if now is None or now.tag != tag:
                return
            present = regions_of(now)
            # the user may have answered or corrected some of them meanwhile
            same = {one.photo_id: one.region for one in found if present.get(one.photo_id) == regions[one.photo_id]}
            self._review.reframe({photo: region for photo, region in same.items() if region != regions[photo]})

        def failed(_error: Exception) -> bool:
            self._task = None
            return True  # the frames stay as suggested

        self._task = self._runner.start(self.tr("Improving suggested boxes"), work, done, failed, lane="frames")

    def _stop(self) -> None:
        if self._task is not None:
            self._runner.cancel(self._task)
            self._task = None
