# SPDX-License-Identifier: MIT
"""Suggesting of tags in the background, with messages about the results."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.models.work.jobs.nothing_to_learn import explain_nothing
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.tagging import suggest
from focal_photos.browser.tasks.runner import TaskState, TaskStatus

LEAST_CONFIDENCE = 0.05
"""Omit suggestions below this confidence: rejecting them costs more work than they save."""


class Suggesting(Model):
    """Suggests tags, and renews open suggestions."""

    running_changed = Signal()
    """`running` may have changed."""
    suggested = Signal(object)
    """Suggesting has ended for these photos; empty: for all untagged photos (tuple of int)."""
    _first_suggested = Signal(object)  # emitted in the suggest lane

    def __init__(self, services: Services, overview: LibraryOverview, indexing: Indexing) -> None:
        super().__init__(services)
        self._indexing = indexing
        self._suggesting: int | None = None
        self._renewing: int | None = None
        self._overview, self._metric = overview, overview.now.metric
        overview.changed.connect(self._follow_metric)
        self._first_suggested.connect(self._feed.publish)
        self._runner.task_changed.connect(self._task_changed)

    @property
    def running(self) -> bool:
        """Whether tags are being suggested."""
        return self._suggesting is not None

    def suggest(self, photo_ids: Sequence[int] = (), first: Sequence[int] = ()) -> None:
        """Suggest tags for some photos, or for all untagged ones, beginning with those in `first`."""
        if self._suggesting is not None:
            return
        library, ranker, ids = self._library, self._ranker, list(photo_ids) or None

        def done(report: suggest.SuggestReport) -> None:
            self._feed.publish(ChangeSet(self.tr("Suggest tags"), frozenset({Kind.SUGGESTIONS})))
            self.suggested.emit(tuple(ids or ()))
            if report.suggestions:
                text = self.tr("Tags suggested for {0}: A accepts, X rejects.")
                text = text.format(photos_in_words(report.photos))
                self._notices.post(text, action=MessageAction.SHOW_SUGGESTIONS)
            else:
                if ids:
                    text = self.tr(
                        "No further tag is likely for the selection. Ctrl+G without a selection suggests tags for all"
                        " photos."
                    )
                else:
                    text = self.tr("No tag to suggest yet. Tag a few photos of each kind first.")
                self._notices.post(text, Severity.WARNING)

        def work() -> Job[suggest.SuggestReport]:
            first_ready = self._first_suggested.emit
            return suggest.suggest(
                library,
                ranker,
                ids,
                minimum_confidence=LEAST_CONFIDENCE,
                first=first,
                first_saved=first_ready,
                supporters=False,
            )

        failed = explain_nothing(self.tr("Tag a few photos first."), self._indexing, self._notices.post)
        self._suggesting = self._runner.start(self.tr("Suggesting tags"), work, done, failed, lane="suggest")
        self.running_changed.emit()

    def _follow_metric(self) -> None:
        """Renew the suggestions after a change of the metric in use."""
        overview, before = self._overview.now, self._metric
        self._metric = overview.metric
        if before is not None and overview.metric != before and overview.open_suggestions:
            self.renew_suggestions()

    def renew_suggestions(self) -> None:
        """Renew the open suggestions, because photos have other neighbours now."""
        library, ranker = self._library, self._ranker
        if library.read_only:
            return

        def done(_report: suggest.SuggestReport) -> None:
            self._feed.publish(ChangeSet(self.tr("Suggest tags"), frozenset({Kind.SUGGESTIONS})))

        def work() -> Job[suggest.SuggestReport]:
            photo_ids = library.photos.ids("suggested")
            return suggest.suggest(library, ranker, photo_ids, minimum_confidence=LEAST_CONFIDENCE, supporters=False)

        if self._renewing is not None:
            self._runner.cancel(self._renewing)
        failed = explain_nothing("", self._indexing, self._notices.post)
        self._renewing = self._runner.start(self.tr("Suggesting again"), work, done, failed, lane="suggest")

    def _task_changed(self, state: TaskState) -> None:
        if state.status in (TaskStatus.WAITING, TaskStatus.RUNNING):
            return
        if state.number == self._suggesting:
            self._suggesting = None
            self.running_changed.emit()
        if state.number == self._renewing:
            self._renewing = None
