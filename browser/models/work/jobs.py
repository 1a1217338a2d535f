"""Long background work: indexing, training and suggesting, with messages about the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.photos.formatting import (
    metric_title,
    passed_over_in_words,
    photos_in_words,
    taught_in_words,
)
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.message import Message, MessageAction, Severity
from focal_photos.browser.operations.jobs.errors import NothingIndexedError, NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import Runner, TaskState, TaskStatus
from focal_photos.features.decoding.decoders.dicom_signature import INSTALL

if TYPE_CHECKING:
    from focal_photos.browser.operations.library.index import IndexReport
    from focal_photos.browser.operations.metadata.imports.take_over import MetadataReport
    from focal_photos.browser.operations.photos.scan import ScanReport
    from focal_photos.browser.operations.tagging.suggest import SuggestReport
    from focal_photos.browser.operations.training.learner_table import LearnerInfo as LearnerInfo
    from focal_photos.browser.operations.training.train import Outcome

REFRESH_SECONDS = 2.0
LEAST_CONFIDENCE = 0.05
"""Omit suggestions below this confidence: rejecting them costs more work than they save."""


class Jobs(QObject):
    """Starts compute jobs and reports their results.

    Signals
    -------
    changed : ChangeSet
        A job has written something.
    busy_changed : None
        `indexing`, `training` or `suggesting` may have changed.
    photos_arriving : None
        Indexing has begun, or found more photos (at most every `REFRESH_SECONDS`).
    described : ndarray of int64, shape (n,)
        New photos that were just described.
    files_changed : None
        Files were edited, moved or lost: cached pictures may be outdated.
    message_posted : Message
        The result of a job.
    metric_updated : None
        The current metric has learned from a judgement, so rankings have changed.
    neighbors_found : None
        Rankings by shared neighbours may have improved.
    suggested : tuple of int
        Suggesting has ended for these photos; empty: for all untagged photos.
    """

    changed = Signal(object)
    busy_changed = Signal()
    photos_arriving = Signal()
    _taken_over = Signal(object)  # emitted in the index lane
    _first_suggested = Signal(object)  # emitted in the suggest lane
    described = Signal(object)
    files_changed = Signal()
    message_posted = Signal(object)
    metric_updated = Signal()
    neighbors_found = Signal()
    suggested = Signal(object)

    def __init__(self, library: Library, ranker: Ranker, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._ranker = ranker
        self._runner = runner
        self.wanted: Sequence[int] = ()
        """Photos to describe before all others, the most wanted first; replaced, never modified."""
        self._taken_over.connect(self._tell_taken_over)
        self._first_suggested.connect(self.changed)
        self._indexing: set[int] = set()
        self._changed_paths: dict[Path, None] = {}
        self._describe = True
        self._training: int | None = None
        self._quiet = False
        self._next_training: tuple[str | None] | None = None
        """A training requested by the user while an automatic one is running."""
        self._former_metric: int | None = None
        self._unused: Outcome | None = None
        """The unused result of the last training, if it gained nothing; discarded by the next training."""
        self._suggesting: int | None = None
        self._renewing: int | None = None
        self._following: int | None = None
        self._follow_again = False
        self._sidecars_changed = False
        self._found: MetadataReport | None = None
        """The last report whose tags were offered for import."""
        self._comparing: int | None = None
        self._compare = True
        self._refreshed = 0.0
        runner.task_changed.connect(self._task_changed)

    @property
    def indexing(self) -> bool:
        """Whether photos are being indexed."""
        return bool(self._indexing)

    @property
    def training(self) -> bool:
        """Whether a training that the user requested is running or waiting."""
        return self._training is not None and (not self._quiet or self._next_training is not None)

    @property
    def suggesting(self) -> bool:
        """Whether tags are being suggested."""
        return self._suggesting is not None

    def open_folders(self, folders: Sequence[Path]) -> None:
        """Add folders to the library and index their photos."""
        self._index(list(folders), self.tr("Indexing {0}").format(", ".join(path.name for path in folders)))

    def rescan(self, *, quiet: bool = True) -> None:
        """Look for new, changed and vanished files in all folders, and finish interrupted work.

        With `quiet`, report only news and problems.
        """
        self._index([], self.tr("Looking for changes"), quiet=quiet)

    def take_changes(self, paths: Sequence[Path]) -> None:
        """Scan changed files and folders once no other indexing is running."""
        self._changed_paths.update(dict.fromkeys(paths))
        self._take_waiting_changes()

    def take_sidecars(self) -> None:
        """Import changed sidecars once no other indexing is running."""
        self._sidecars_changed = True
        self._take_waiting_sidecars()

    def describe_for_metrics(self) -> None:
        """Describe photos added after a metric was learned with its descriptors, if it is in use or has a name.

        A running indexing does this already.
        """
        library = self._library

        def work() -> Job[bool]:
            from focal_photos.browser.operations.library.describe_for_metrics import describe_for_metrics

            return describe_for_metrics(library)

        def done(anything: bool) -> None:
            if anything:
                self.photos_arriving.emit()

        if not self._indexing:
            self._runner.start(self.tr("Describing photos"), work, done, lane="index")

    def describe(self, *, retry: bool = False) -> None:
        """Compute the descriptors that the settings request; with `retry`, also for photos that could not be read."""
        self._index([], self.tr("Describing photos"), retry=retry)

    @property
    def learners(self) -> tuple[LearnerInfo, ...]:
        """All learners, family by family."""
        from focal_photos.browser.operations.training.learner_table import learner_table

        return learner_table()

    @property
    def automatic(self) -> LearnerInfo:
        """The entry that chooses a learner automatically."""
        from focal_photos.browser.operations.training.learner_table import AUTOMATIC

        return AUTOMATIC

    def retrain(
        self, learner: str | None = None, *, quiet: bool = False, parameters: Mapping[str, float] | None = None
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
        """
        if self._training is not None:
            if self._quiet and not quiet:
                self._next_training = (learner,)
                self.busy_changed.emit()
            return
        library, self._quiet = self._library, quiet

        def done(outcome: Outcome) -> None:
            if outcome.metric is not None or outcome.trained is None:
                self.changed.emit(ChangeSet(self.tr("Train a metric"), frozenset({Kind.METRICS})))
            if not quiet:
                self._tell_trained(outcome)

        title = self.tr("Training")

        def work() -> Job[Outcome]:
            from focal_photos.browser.operations.training.train import same_again, train_for_gain

            name = learner or same_again(library)
            if quiet:
                return (yield from train_for_gain(library, name, by_itself=True))
            self._former_metric, self._unused = library.metrics.current().id, None
            return (yield from train_for_gain(library, name, parameters=parameters))

        text = self.tr("There is nothing to learn from yet: judge or tag a few photos first.")
        failed = (lambda _error: True) if quiet else self._nothing(text)
        self._training = self._runner.start(title, work, done, failed, lane="learn")
        self.busy_changed.emit()

    def use_former_metric(self) -> None:
        """Rank by the metric that was in use before the last training, as one undo step."""
        library, wanted = self._library, self._former_metric
        if wanted is not None:
            attempt = self.tr("Changing the metric")
            self._runner.write(attempt, lambda: library.metrics.set_current(wanted), self.changed.emit)

    def use_nevertheless(self) -> None:
        """Save the metric of the last training although it gained nothing, as one undo step."""
        from focal_photos.browser.operations.training.train import keep_nevertheless

        library, outcome = self._library, self._unused
        if outcome is None or (self._training is not None and not self._quiet):
            text = self.tr("That metric is no longer available: train again.")
            self.message_posted.emit(Message(text, Severity.WARNING))
            return

        def done(metric: Metric) -> None:
            self._unused = None
            self.changed.emit(ChangeSet(self.tr("Train a metric"), frozenset({Kind.METRICS})))
            text = self.tr("{0} is now in use. Undo goes back.")
            self.message_posted.emit(Message(text.format(metric_title(metric)), action=MessageAction.FORMER_METRIC))

        self._quiet = False
        self._training = self._runner.start(
            self.tr("Training"), lambda: keep_nevertheless(library, outcome), done, lane="learn"
        )
        self.busy_changed.emit()

    def _tell_trained(self, outcome: Outcome) -> None:
        """Report the result and gain of a training; a metric without gain is not saved unless the user asks."""
        from focal_photos.browser.operations.training.automatic import Choice
        from focal_photos.browser.operations.training.held_out import sentence
        from focal_photos.learners.evaluation.selection import TELLING, Gained

        metric, found = outcome.metric, outcome.found
        if metric is None:
            self._tell_nothing_gained(outcome)
            return
        if isinstance(found, Choice):
            self.message_posted.emit(Message(in_words(found.sentence), action=MessageAction.FORMER_METRIC))
            return
        taught = taught_in_words(metric.judgements, metric.tagged)
        if not (metric.judgements or metric.tagged):
            text = self.tr("{0} is ready; it does not learn from judgements or tags.").format(metric_title(metric))
        elif found is None and metric.judgements + metric.tagged >= TELLING:
            text = self.tr("Learned from {0}. Improvement was not measured.").format(taught)
        elif found is None or found.gained is Gained.TOO_FEW:
            text = self.tr("Learned from {0}. Too few to measure improvement.").format(taught)
        else:
            text = self.tr("Learned from {0}: {1}").format(taught, in_words(sentence(found)))
        self.message_posted.emit(Message(text, action=MessageAction.FORMER_METRIC))

    def _tell_nothing_gained(self, outcome: Outcome) -> None:
        from focal_photos.browser.operations.training.automatic import Choice
        from focal_photos.browser.operations.training.held_out import sentence

        found, trained, former = outcome.found, outcome.trained, self._former_metric
        self._unused = outcome if trained is not None else None
        if isinstance(found, Choice):
            text = in_words(found.sentence)
        else:
            assert found is not None, "it was measured"
            assert trained is not None, "it was learned here"
            text = f"{in_words(trained.title)}: {in_words(sentence(found))}"
        action = MessageAction.TRAINED_METRIC
        if trained is not None:
            text += " " + self.tr("The previous metric stays in use.")
        else:
            changed = former != self._library.metrics.current().id
            action = MessageAction.FORMER_METRIC if changed else MessageAction.NONE
        self.message_posted.emit(Message(text, action=action))

    def follow(self) -> None:
        """Update the current metric with new judgements; calls during an update are merged into one more."""
        from focal_photos.browser.operations.training.online_update import follow

        if self._following is not None:
            self._follow_again = True
            return
        library, ranker = self._library, self._ranker

        def done(updated: bool) -> None:
            if updated:
                self.metric_updated.emit()

        title = self.tr("Applying the judgement")
        self._following = self._runner.start(title, lambda: follow(library, ranker), done, lane="follow")

    def find_neighbors(self) -> None:
        """Find the neighbourhoods of all photos under the current metric, unless indexing is running.

        After a cancellation or a failure, this starts again only once photos or the metric have changed.
        """
        if self._comparing is not None or self._indexing or not self._compare:
            return
        ranker = self._ranker

        def done(better: bool) -> None:
            if better:
                self.neighbors_found.emit()

        title = self.tr("Comparing neighbourhoods")
        self._comparing = self._runner.start(
            title, partial(ranker.find_neighbors, elsewhere=True), done, lane="neighbors"
        )

    def suggest(self, photo_ids: Sequence[int] = (), first: Sequence[int] = ()) -> None:
        """Suggest tags for some photos, or for all untagged ones, beginning with those in `first`."""
        if self._suggesting is not None:
            return
        library, ranker, ids = self._library, self._ranker, list(photo_ids) or None

        def done(report: SuggestReport) -> None:
            self.changed.emit(ChangeSet(self.tr("Suggest tags"), frozenset({Kind.SUGGESTIONS})))
            self.suggested.emit(tuple(ids or ()))
            if report.suggestions:
                text = self.tr("Tags suggested for {0}: A accepts, X rejects.")
                text = text.format(photos_in_words(report.photos))
                self.message_posted.emit(Message(text, action=MessageAction.SHOW_SUGGESTIONS))
            else:
                if ids:
                    text = self.tr(
                        "No further tag is likely for the selection. Ctrl+G without a selection suggests tags for all"
                        " photos."
                    )
                else:
                    text = self.tr("No tag to suggest yet. Tag a few photos of each kind first.")
                self.message_posted.emit(Message(text, Severity.WARNING))

        def work() -> Job[SuggestReport]:
            from focal_photos.browser.operations.tagging.suggest import suggest

            told = self._first_suggested.emit
            return suggest(
                library,
                ranker,
                ids,
                minimum_confidence=LEAST_CONFIDENCE,
                first=first,
                first_kept=told,
                witnesses=False,
            )

        failed = self._nothing(self.tr("Tag a few photos first."))
        self._suggesting = self._runner.start(self.tr("Suggesting tags"), work, done, failed, lane="suggest")
        self.busy_changed.emit()

    def renew_suggestions(self) -> None:
        """Renew the open suggestions, because photos have other neighbours now."""
        library, ranker = self._library, self._ranker

        def done(_report: SuggestReport) -> None:
            self.changed.emit(ChangeSet(self.tr("Suggest tags"), frozenset({Kind.SUGGESTIONS})))

        def work() -> Job[SuggestReport]:
            from focal_photos.browser.operations.tagging.suggest import suggest

            asked = library.photos.ids("suggested")
            return suggest(library, ranker, asked, minimum_confidence=LEAST_CONFIDENCE, witnesses=False)

        if self._renewing is not None:
            self._runner.cancel(self._renewing)
        failed = self._nothing("")
        self._renewing = self._runner.start(self.tr("Suggesting again"), work, done, failed, lane="suggest")

    # ------------------------------------------------------------------ private
    def _tell_taken_over(self, report: MetadataReport) -> None:
        """Show imported metadata at once, since describing photos may take hours."""
        if report.changes:
            self.changed.emit(report.changes)
            self.photos_arriving.emit()
        texts = [self._say_taken_over(report)] if report.changes else []
        if report.left_out:
            path, reason = report.left_out[0]
            texts.append(self.tr("{0}: {1}").format(shown(path.name), reason))
            if len(report.left_out) > 1:
                texts.append(self.tr("So it is with {0:,} in all.").format(len(report.left_out)))
        severity = Severity.WARNING if report.left_out else Severity.INFO
        if texts:
            self.message_posted.emit(Message(" ".join(texts), severity))
        self._offer_import(report)

    def _offer_import(self, report: MetadataReport) -> None:
        """Offer to import tags found in files, if the user has not chosen yet."""
        self._found = report
        if report.found_tags:
            text = QCoreApplication.translate("jobs", "Found %n tags in {0}.", "", report.found_tags)
            text = text.format(photos_in_words(report.found_photos))
            self.message_posted.emit(Message(text, action=MessageAction.IMPORT_TAGS))

    def _tell_turned(self, changes: ChangeSet) -> None:
        """Follow photos whose files another program has rotated, and log it."""
        if changes:
            self.changed.emit(changes)
            text = self.tr(
                "Another program has rotated the files of {0}. They are shown as they are now; Undo rotates them back."
            )
            self.message_posted.emit(Message(text.format(photos_in_words(len(changes.photo_ids))), quiet=True))

    def forget_found_tags(self) -> None:
        """Stop offering tags found in files, because the user has imported them."""
        self._found = None

    def _say_taken_over(self, report: MetadataReport) -> str:
        counts = [
            QCoreApplication.translate("jobs", "%n tags", "", report.tags) if report.tags else "",
            QCoreApplication.translate("jobs", "%n ratings", "", report.ratings) if report.ratings else "",
            QCoreApplication.translate("jobs", "%n labels", "", report.labels) if report.labels else "",
        ]
        text = self.tr("Imported {0} from {1}.")
        return text.format(", ".join(filter(None, counts)), photos_in_words(report.photos))

    def _nothing(self, text: str) -> Callable[[Exception], bool]:
        """Return a handler that explains what to do first if there is nothing to learn from.

        If a learner needs more data, the message is its own.
        """

        def failed(error: Exception) -> bool:
            if isinstance(error, NothingIndexedError):
                if text:
                    self.message_posted.emit(Message(self._nothing_described()))
                return True
            if isinstance(error, NothingToLearnError):
                if text:
                    self.message_posted.emit(Message(text if not error.__cause__ else in_words(str(error))))
                return True
            return False

        return failed

    def _nothing_described(self) -> str:
        """Explain what to do if no photo is described."""
        if self._indexing:
            return self.tr("No photo is described yet: wait until the first ones are.")
        return self.tr("There are no photos to learn from yet: open a folder first.")

    def _index(self, folders: list[Path], title: str, *, quiet: bool = False, retry: bool | None = None) -> None:
        """Index folders; `retry` is None for new photos, and a bool to complete the data of known photos."""
        library = self._library
        self._describe = True

        def done(report: IndexReport) -> None:
            scan = report.scan
            # work that was interrupted earlier is now complete
            finished = retry is None and not report.new and report.extract.done > scan.changed
            following = MessageAction.SHOW_FOLDER if folders else MessageAction.REVIEW
            if scan.changed or scan.moved or scan.missing or report.failed:
                self.files_changed.emit()
            self.changed.emit(ChangeSet("", frozenset({Kind.ROOTS, Kind.PHOTOS})))
            self._tell_turned(report.turned)
            # With a folder given, as at every start, files that failed before are not reported again: they are in the
            # list.
            failed = len(report.newly_failed) if folders else len(report.failed)
            if failed and (report.new or finished or not quiet):
                unreadable = self.tr("Files that could not be read: {0}.").format(failed)
                text = f"{self._indexed(report)} {unreadable}{self._left_out(scan)}"
                # the status bar also links to the list of these files, as long as there are any
                good = (report.new or finished) and report.files > len(report.failed)
                offer = following if good else MessageAction.SHOW_FAILURES
                self.message_posted.emit(Message(text, Severity.WARNING, offer))
            elif retry is not None and not report.new:
                done_photos = report.extract.done
                text = QCoreApplication.translate("jobs", "%n photos were described in {0:.0f} s.", "", done_photos)
                if not done_photos:
                    text = self.tr("Done: all photos have what is switched on.")
                self.message_posted.emit(Message(text.format(report.seconds)))
            elif scan.missing:
                text = self.tr("{0} photos have no file any more. Their tags and judgements stay.")
                if scan.missing == 1:
                    text = self.tr("1 photo has no file any more. Its tags and judgements stay.")
                message = Message(text.format(scan.missing), Severity.WARNING, MessageAction.SHOW_MISSING)
                self.message_posted.emit(message)
            elif folders and not report.files:
                text = self.tr("There are no photos in {0}.").format(", ".join(shown(path.name) for path in folders))
                text = " ".join(filter(None, (text + self._left_out(scan), passed_over_in_words(scan.passed_over))))
                self.message_posted.emit(Message(text, Severity.WARNING))
            elif report.new or finished or not (quiet or scan.unreachable):
                offer = following if report.new or finished else MessageAction.NONE
                self.message_posted.emit(Message(self._indexed(report) + self._left_out(scan), action=offer))
                if self._found is report.metadata:  # this message would otherwise hide the offer
                    self._offer_import(report.metadata)

            if scan.newly_passed_over and report.files:
                self.message_posted.emit(Message(passed_over_in_words(scan.passed_over), quiet=True))
            self.described.emit(report.newly_described)
            for path, reason in scan.unreachable:
                if quiet and path not in scan.newly_unreachable:
                    continue  # reported when it went offline; the list of folders shows it
                text = self.tr("{0}: {1}").format(shown(str(path)), reason)
                self.message_posted.emit(Message(text, Severity.WARNING, MessageAction.RELOCATE))

        def work() -> Job[IndexReport]:
            from focal_photos.browser.operations.library.index import index

            return index(
                library,
                folders,
                retry=bool(retry),
                first=lambda: self.wanted,
                taken_over=self._taken_over.emit,
            )

        self._indexing.add(self._runner.start(title, work, done, lane="index"))
        self.busy_changed.emit()
        self.photos_arriving.emit()

    def _indexed(self, report: IndexReport) -> str:
        """Return a sentence on the indexed photos, including copies."""
        copies = report.scan.placed - report.scan.moved
        text = self.tr("{0} indexed, {1} of them new, in {2:.0f} s.")
        if report.new and report.new + copies == report.files:  # nothing was known before
            text = self.tr("{0} indexed in {2:.0f} s.")
            if copies == 1:
                text += " " + self.tr("1 more file is a copy of one of them.")
            elif copies:
                text += " " + self.tr("{3} more files are copies of them.")
        elif not (report.scan.anything or report.extract.done):
            text = self.tr("Nothing has changed: {0}.")
        elif not report.new:
            text = self.tr("{0} indexed in {2:.0f} s.")
        return text.format(photos_in_words(report.photos), report.new, report.seconds, copies)

    def _left_out(self, scan: ScanReport) -> str:
        """Return a sentence on photos that were skipped; empty if there are none."""
        if not scan.without_pydicom:
            return ""
        text = self.tr("{0} DICOM files were left out, which need pydicom: {1}")
        return " " + text.format(scan.without_pydicom, INSTALL)

    def _take_waiting_changes(self) -> None:
        if self._indexing or not self._changed_paths:
            return
        library, paths, describe = self._library, list(self._changed_paths), self._describe
        self._changed_paths.clear()

        def done(report: IndexReport) -> None:
            scan = report.scan
            if not scan.anything:
                return
            if scan.changed or scan.moved or scan.missing or scan.placed or report.failed:
                self.files_changed.emit()
            self.changed.emit(ChangeSet("", frozenset({Kind.PHOTOS})))
            self._tell_turned(report.turned)
            self.described.emit(report.newly_described)

        def work() -> Job[IndexReport]:
            from focal_photos.browser.operations.library.index import index

            return index(
                library,
                changed=paths,
                describe=describe,
                first=lambda: self.wanted,
                taken_over=self._taken_over.emit,
            )

        self._indexing.add(self._runner.start(self.tr("Taking in what has changed"), work, done, lane="index"))
        self.busy_changed.emit()

    def _take_waiting_sidecars(self) -> None:
        if self._indexing or not self._sidecars_changed:
            return
        self._sidecars_changed = False
        library = self._library

        def done(report: MetadataReport) -> None:
            if report.changes or report.found_tags:
                self._tell_taken_over(report)

        def work() -> Job[MetadataReport]:
            from focal_photos.browser.operations.metadata.read_metadata import read_metadata

            return read_metadata(library)

        self._indexing.add(self._runner.start(self.tr("Reading sidecars"), work, done, lane="index"))
        self.busy_changed.emit()

    def _task_changed(self, state: TaskState) -> None:
        ended = state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING)
        if state.number in self._indexing:
            if ended:
                self._indexing.discard(state.number)
                self._compare = True
            if state.status in (TaskStatus.CANCELLED, TaskStatus.FAILED):
                self.changed.emit(ChangeSet("", frozenset({Kind.ROOTS, Kind.PHOTOS})))
                if state.status is TaskStatus.CANCELLED:
                    self._describe = False  # until the user requests it
                    self.message_posted.emit(Message(self.tr("Indexing was stopped. F5 goes on where it was.")))
            elif time.monotonic() - self._refreshed >= REFRESH_SECONDS:
                self._refreshed = time.monotonic()
                self.photos_arriving.emit()
        if ended and state.number == self._training:
            self._training = None
            self._compare = True
            if self._next_training is not None:
                (learner,), self._next_training = self._next_training, None
                self.retrain(learner)
        if ended and state.number == self._suggesting:
            self._suggesting = None
        if ended and state.number == self._comparing:
            self._comparing = None
            self._compare = state.status is TaskStatus.DONE
        if ended and state.number == self._renewing:
            self._renewing = None
        if ended and state.number == self._following:
            self._following = None
            if self._follow_again:
                self._follow_again = False
                self.follow()
        if ended:
            self.busy_changed.emit()
            self._take_waiting_changes()
            self._take_waiting_sidecars()
