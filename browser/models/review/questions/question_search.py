# SPDX-License-Identifier: MIT
"""The search for the next questions, in the background."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.scope import Scope
from focal_photos.browser.models.review.questions.question_matching import postponed
from focal_photos.browser.models.review.questions.review_record import ReviewRecord
from focal_photos.browser.operations.describing.settings import RETRAIN
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.tagging import incremental_tags
from focal_photos.browser.operations.tagging.review import photo_by_photo, review
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.browser.tasks.messages import in_words

T = TypeVar("T")


class SearchState(Enum):
    """The state of the search."""

    IDLE = auto()
    SEARCHING = auto()
    SEARCHING_AGAIN = auto()
    """Something has changed since the search began, so that another one follows it."""


@dataclass(frozen=True)
class FoundQuestions:
    """The result of a search."""

    questions: list[review.Question]
    photos: list[photo_by_photo.OpenPhoto]
    """Photos to ask about one by one, if no question would find several photos of a tag."""
    untagged: frozenset[int]
    present: NDArray[np.int64]
    """Photos of the library that are not missing, in ascending order."""
    names: frozenset[str]
    """All tags."""
    in_work: frozenset[int]
    """Photos that were untagged at some time during the review; they may get several tags, one after the other."""
    right: dict[int, bool]
    """Whether the best suggestion for a tagged photo is right, the photo left out."""
    retrains: bool
    """Whether to train a metric automatically."""
    metric_tagged: int
    """Number of tagged photos that the current metric was trained on."""
    tagged_count: int
    """Number of tagged photos in the library."""
    within: QuestionScope
    photo_count: int
    untagged_count: int
    """`photo_count` and `untagged_count`: number of photos within the scope, and of untagged ones among them."""

    def contains(self, photo_ids: NDArray[np.int64]) -> bool:
        """Return whether all these photos are present."""
        places = np.searchsorted(self.present, photo_ids)
        return bool(np.all(places < len(self.present))) and np.array_equal(self.present[places], photo_ids)


class QuestionSearch(Model):
    """Searches for questions within a scope; requests during a search are merged into one more search.

    Parameters
    ----------
    record : ReviewRecord
        Excludes pairs and photos.

    Signals
    -------
    failed, cancelled : None
    """

    started = Signal()
    """A search for questions has begun."""
    found = Signal(object)
    """A search for questions has ended, and no other follows (FoundQuestions)."""
    photos_found = Signal(object)
    """A search for single photos has ended (list of OpenPhoto)."""
    failed = Signal()
    cancelled = Signal()

    def __init__(self, services: Services, record: ReviewRecord) -> None:
        super().__init__(services)
        self.state = SearchState.IDLE
        self.loaded = False
        """Whether a search has ended."""
        self.obstacle = ""
        self._record = record
        self._opened = False
        self._scope = Scope()
        self._limits = self._within = EVERYTHING
        """The limits without photos, and with all photos that were in the scope since the review was opened.

        An answer may remove a photo from a filter, but must not remove it from the questions.
        """
        self._in_work: frozenset[int] = frozenset()

    # ------------------------------------------------------------------ limits
    def limit(self, scope: Scope, left_out: frozenset[str], *, new_kinds: bool) -> bool:
        """Limit the questions; return whether the limits have changed."""
        before = self._scope, self._limits.left_out, self._limits.new_kinds
        if (scope, left_out, new_kinds) == before:
            return False
        self._scope = scope
        self._limits = self._within = QuestionScope(None, left_out, new_kinds)
        return True

    def open(self) -> None:
        """Begin with the photos now in the scope."""
        self._opened = True
        self._within = self._limits

    def close(self) -> None:
        """Release the memory of the search, now or after it."""
        self._opened = False
        self._forget()

    def _forget(self) -> None:
        incremental_tags.forget(self._library)

    # ------------------------------------------------------------------ searching
    def start(self) -> None:
        """Search for questions."""
        if self.state is not SearchState.IDLE:
            self.state = SearchState.SEARCHING_AGAIN
            return
        self.state = SearchState.SEARCHING
        self.obstacle = ""
        self._run(self._work(), self._found)
        self.started.emit()

    def start_photos(self) -> bool:
        """Search only for photos to ask about one by one, because pairs left open are no longer questions.

        Return whether the search began.
        """
        if not self._asks_for_photos or self.state is not SearchState.IDLE:
            return False
        self.state = SearchState.SEARCHING
        find, in_work, within = self._find_photos(), self._in_work, self._within
        self._run(lambda: find(in_work, within), self._photos_found)
        return True

    def _run(self, work: Callable[[], Job[T]], done: Callable[[T], None]) -> None:
        title = self.tr("Finding the next question")
        self._runner.start(title, work, done, self._failed, self._cancelled, lane="review")

    @property
    def _asks_for_photos(self) -> bool:
        return not self._record.skips_photos and not self._library.read_only

    def _find_photos(self) -> Callable[[frozenset[int], QuestionScope], Job[list[photo_by_photo.OpenPhoto]]]:
        """Return a function that finds photos to ask about one by one, with the present record."""
        library, ranker, record = self._library, self._ranker, self._record
        passed, answered, finished = frozenset(record.passed), record.answered, frozenset(record.finished)

        def find(in_work: frozenset[int], within: QuestionScope) -> Job[list[photo_by_photo.OpenPhoto]]:
            return photo_by_photo.find_open_photos(
                library,
                ranker,
                passed=passed,
                answered=answered,
                unfinished=in_work,
                finished=finished,
                scope=within,
            )

        return find

    def _work(self) -> Callable[[], Job[FoundQuestions]]:
        library, ranker, record, scope, limits = self._library, self._ranker, self._record, self._scope, self._within
        passed, answered, left_open = frozenset(record.passed), record.answered, frozenset(record.left_open)
        before, asks_for_photos, find_photos = self._in_work, self._asks_for_photos, self._find_photos()

        def work() -> Job[FoundQuestions]:
            ids, present = library.photos.ids("untagged -missing"), library.photos.ids("-missing")
            untagged = frozenset(ids.tolist())
            in_work = before | untagged
            within = limits.grown(scope.ids(library))
            questions = yield from review.review(
                library, ranker, passed=passed, answered=answered, unfinished=in_work, scope=within
            )
            questions = postponed(questions, left_open)
            photos: list[photo_by_photo.OpenPhoto] = []
            if asks_for_photos and all(question.again or question.slow for question in questions):
                photos = yield from find_photos(in_work, within)
            return FoundQuestions(
                questions,
                photos,
                untagged,
                np.sort(present),
                names=frozenset(tag.name for tag in library.tags.all()),
                in_work=in_work,
                right=review.held_out_right(library, ranker),
                retrains=RETRAIN.get(library),
                metric_tagged=library.metrics.current().tagged,
                tagged_count=len(present) - len(ids),
                within=within,
                photo_count=len(within.within(present)),
                untagged_count=len(within.within(ids)),
            )

        return work

    def _end(self) -> bool:
        """Record the end of a search, and start another if it was requested; return whether none follows."""
        again = self.state is SearchState.SEARCHING_AGAIN
        self.state = SearchState.IDLE
        if again:
            self.start()
        return not again

    def _found(self, found: FoundQuestions) -> None:
        self.loaded = True
        if not self._opened:
            self._forget()
        if self._end():
            self.found.emit(found)

    def keep(self, found: FoundQuestions) -> None:
        """Continue with the photos of a result that is in use."""
        self._in_work, self._within = found.in_work, found.within

    def _photos_found(self, photos: list[photo_by_photo.OpenPhoto]) -> None:
        if self._end():
            self.photos_found.emit(photos)

    def _failed(self, error: Exception) -> bool:
        self.state, self.loaded = SearchState.IDLE, True
        known = isinstance(error, OperationError)
        self.obstacle = in_words(str(error)) if known else ""
        self.failed.emit()
        return known

    def _cancelled(self) -> None:
        self.state, self.loaded = SearchState.IDLE, True
        self.cancelled.emit()
