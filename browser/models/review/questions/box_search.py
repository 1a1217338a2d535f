# SPDX-License-Identifier: MIT
"""The search for questions about suggested boxes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Signal

from focal_photos.browser.models.base.model import Services
from focal_photos.browser.models.review.questions.question_search import FoundQuestions, QuestionSearch
from focal_photos.browser.models.review.questions.review_record import ReviewRecord
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.queries import by_region
from focal_photos.browser.operations.tagging.boxes import box_questions


class BoxSearch(QuestionSearch):
    """Searches for suggested boxes in the photos of a scope."""

    windows_wanted = Signal()
    """Photos must be described for it first; `again` then searches."""

    def __init__(self, services: Services, record: ReviewRecord) -> None:
        super().__init__(services, record)
        self.waiting = False
        """Whether a search waits until photos are described."""

    @property
    def _asks_for_photos(self) -> bool:
        return False

    def again(self) -> None:
        """Search if a search waited for descriptions."""
        if self.waiting:
            self.start()

    def _forget(self) -> None:
        """Do nothing: a search keeps no data."""

    def _work(self) -> Callable[[], Job[FoundQuestions]]:
        library, record, scope, limits = self._library, self._record, self._scope, self._within
        passed, answered = frozenset(record.passed), record.answered

        def work() -> Job[FoundQuestions]:
            within = limits.grown(scope.ids(library))
            present = library.photos.ids("-missing")
            untagged = within.within(library.photos.ids("untagged -missing"))
            questions = yield from box_questions.box_questions(
                library, passed=passed, answered=answered.tags, scope=within
            )
            names = frozenset(tag.name for tag in library.tags.all())
            return FoundQuestions(
                questions,
                [],
                frozenset(),
                np.sort(present),
                names=names,
                in_work=frozenset(),
                right={},
                retrains=False,
                metric_tagged=0,
                tagged_count=0,
                within=within,
                photo_count=len(within.within(present)),
                untagged_count=len(untagged),
            )

        return work

    def _found(self, found: FoundQuestions) -> None:
        self.waiting = False
        super()._found(found)

    def _failed(self, error: Exception) -> bool:
        if not isinstance(error, by_region.NoWindowsError) or self.read_only:
            self.waiting = False
            return super()._failed(error)
        asks, self.waiting = not self.waiting, True
        super()._failed(error)
        self.obstacle = self.tr("Photos are being described for suggested boxes. This takes a while the first time.")
        self.failed.emit()
        if asks:
            self.windows_wanted.emit()
        return True
