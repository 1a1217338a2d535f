# SPDX-License-Identifier: MIT
"""Training of metrics in the background, with messages about the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.photos.formatting import metric_title, training_data_in_words
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.models.work.jobs.nothing_to_learn import explain_nothing
from focal_photos.browser.operations.jobs.errors import OutdatedMetricError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.training import automatic, held_out, learner_table, online_update, train
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import TaskState, TaskStatus
from focal_photos.learners.evaluation import selection


class Training(Model):
    """Trains metrics, and updates the one in use with each judgement."""

    running_changed = Signal()
    """`running` may have changed."""
    ended = Signal()
    """A training has finished, failed or been cancelled."""
    metric_updated = Signal()
    """The current metric has learned from a judgement, so rankings have changed."""

    def __init__(self, services: Services, overview: LibraryOverview, indexing: Indexing) -> None:
        super().__init__(services)
        self._indexing = indexing
        self._training: int | None = None
        self._quiet = False
        self._next_training: Callable[[], None] | None = None
        """A training requested by the user while an automatic one is running."""
        self._former_metric: int | None = None
        self.reported_metric: int | None = None
        """The metric that was current when a training was last reported; the offers of that report refer to it."""
        self._unused: train.Outcome | None = None
        """The unused result of the last training, if it gained nothing; discarded by the next training."""
        self._overview = overview
        self._to_follow = False
        """Whether there is something new to learn once the overview, and with it the metric in use, was read."""
        self._following: int | None = None
        self._follow_again = False
        self._runner.task_changed.connect(self._task_changed)
        overview.changed.connect(self._follow_overview)
        indexing.ended.connect(self._renew)
        self._feed.subscribe(self._take_changes, Kind.JUDGEMENTS, Kind.METRICS, Kind.PHOTOS)

    @property
    def running(self) -> bool:
        """Whether a training that the user requested is running or waiting."""
        return self._training is not None and (not self._quiet or self._next_training is not None)

    @property
    def learners(self) -> tuple[learner_table.LearnerInfo, ...]:
        """All learners, family by family."""
        return learner_table.learner_table()

    @property
    def automatic(self) -> learner_table.LearnerInfo:
        """The entry that chooses a learner automatically."""
        return learner_table.AUTOMATIC

    def retrain(
        self,
        learner: str | None = None,
        *,
        quiet: bool = False,
        parameters: Mapping[str, float] | None = None,
        paper: bool = False,
    ) -> None:
        """Learn a new metric from all judgements and tags.

        Parameters
        ----------
        learner : str, optional
            Default: the learner trained last (`browser.operations.training.train.same_again`).
        quiet : bool
            Whether the training is automatic: it reports neither success nor too little data, and joins the user's last
            undo step. A training that the user requests meanwhile starts after it.
        parameters : mapping of str to float, optional
            Parameters of the learner; its defaults apply otherwise.
        paper : bool
            Whether the parameters of the learner as printed in its paper apply otherwise.
        """
        if self._training is not None:
            if self._quiet and not quiet:
                self._next_training = partial(self.retrain, learner, parameters=parameters, paper=paper)
                self.running_changed.emit()
            return
        library, self._quiet = self._library, quiet

        def done(outcome: train.Outcome) -> None:
            if outcome.metric is not None or outcome.trained is None:
                self._feed.publish(ChangeSet(self.tr("Train a metric"), frozenset({Kind.METRICS})))
            if not quiet:
                self._report_trained(outcome)

        title = self.tr("Training")

        def work() -> Job[train.Outcome]:
            name = learner or train.same_again(library)
            if quiet:
                return (yield from train.train_for_gain(library, name, by_itself=True))
            self._former_metric, self._unused = library.metrics.current().id, None
            return (yield from train.train_for_gain(library, name, parameters=parameters, paper=paper))

        text = self.tr("There is nothing to learn from yet: judge or tag a few photos first.")
        failed = (lambda _error: True) if quiet else explain_nothing(text, self._indexing, self._notices.post)
        self._training = self._runner.start(title, work, done, failed, lane="learn")
        self.running_changed.emit()

    def _renew(self) -> None:
        """Train the current metric again if this version of Focal describes photos differently."""
        library = self._library

        def done(outdated: bool) -> None:
            if outdated and self._training is None:
                self._notices.post(
                    self.tr("This version of Focal describes photos differently. The metric is trained again.")
                )
                self.retrain(quiet=True)

        if not library.read_only:
            self._runner.read("outdated metric", lambda: train.is_outdated(library), done)

    def use_former_metric(self) -> None:
        """Rank by the metric that was in use before the last training, as one undo step."""
        library, wanted = self._library, self._former_metric
        if wanted is not None:
            attempt = self.tr("Changing the metric")
            self._runner.write(attempt, lambda: library.metrics.set_current(wanted), self._feed.publish)

    def use_nevertheless(self) -> None:
        """Save the metric of the last training although it gained nothing, as one undo step."""
        library, outcome = self._library, self._unused
        if outcome is None or (self._training is not None and not self._quiet):
            text = self.tr("That metric is no longer available: train again.")
            self._notices.post(text, Severity.WARNING)
            return

        def done(metric: Metric) -> None:
            self._unused = None
            self._feed.publish(ChangeSet(self.tr("Train a metric"), frozenset({Kind.METRICS})))
            text = self.tr("{0} is now in use. Undo goes back.")
            self._report(text.format(metric_title(metric)), MessageAction.FORMER_METRIC)

        self._quiet = False
        self._training = self._runner.start(
            self.tr("Training"), lambda: train.keep_nevertheless(library, outcome), done, lane="learn"
        )
        self.running_changed.emit()

    def _report_trained(self, outcome: train.Outcome) -> None:
        """Report the result and gain of a training; a metric without gain is not saved unless the user asks."""
        metric, found = outcome.metric, outcome.found
        if metric is None:
            self._report_nothing_gained(outcome)
            return
        if isinstance(found, automatic.Choice):
            self._report(in_words(found.sentence), MessageAction.FORMER_METRIC)
            return
        data = training_data_in_words(metric.judgements, metric.tagged)
        if not (metric.judgements or metric.tagged):
            text = self.tr("{0} is ready; it does not learn from judgements or tags.").format(metric_title(metric))
        elif found is None and metric.judgements + metric.tagged >= selection.MIN_QUESTIONS:
            text = self.tr("Learned from {0}. Improvement was not measured.").format(data)
        elif found is None or found.gained is selection.Gained.TOO_FEW:
            text = self.tr("Learned from {0}. Too little data to measure improvement.").format(data)
        else:
            text = self.tr("Learned from {0}: {1}").format(data, in_words(held_out.sentence(found)))
        self._report(text, MessageAction.FORMER_METRIC)

    def _report_nothing_gained(self, outcome: train.Outcome) -> None:
        found, trained, former = outcome.found, outcome.trained, self._former_metric
        self._unused = outcome if trained is not None else None
        if isinstance(found, automatic.Choice):
            text = in_words(found.sentence)
        else:
            assert found is not None, "it was measured"
            assert trained is not None, "it was learned here"
            text = f"{in_words(trained.title)}: {in_words(held_out.sentence(found))}"
        action = MessageAction.TRAINED_METRIC
        if trained is not None:
            text += " " + self.tr("The previous metric stays in use.")
        else:
            changed = former != self._library.metrics.current().id
            action = MessageAction.FORMER_METRIC if changed else MessageAction.NONE
        self._report(text, action)

    def _report(self, text: str, action: MessageAction) -> None:
        self.reported_metric = self._library.metrics.current().id
        self._notices.post(text, action=action)

    def _take_changes(self, _changes: ChangeSet) -> None:
        self._to_follow = True

    def _follow_overview(self) -> None:
        if self._to_follow:
            self._to_follow = False
            if online_update.follows(self._overview.now.metric):
                self.follow()

    def follow(self) -> None:
        """Update the current metric with new judgements; calls during an update are merged into one more."""
        if self._following is not None:
            self._follow_again = True
            return
        library, ranker = self._library, self._ranker

        def done(updated: bool) -> None:
            if updated:
                self.metric_updated.emit()

        def failed(error: Exception) -> bool:
            return isinstance(error, OutdatedMetricError)  # `_renew` trains it again

        title = self.tr("Applying the judgement")
        self._following = self._runner.start(
            title, lambda: online_update.follow(library, ranker), done, failed, lane="follow"
        )

    def _task_changed(self, state: TaskState) -> None:
        if state.status in (TaskStatus.WAITING, TaskStatus.RUNNING):
            return
        if state.number == self._training:
            self._training = None
            self.ended.emit()
            if self._next_training is not None:
                requested, self._next_training = self._next_training, None
                requested()
            self.running_changed.emit()
        if state.number == self._following:
            self._following = None
            if self._follow_again:
                self._follow_again = False
                self.follow()
