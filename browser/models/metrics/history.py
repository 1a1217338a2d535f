# SPDX-License-Identifier: MIT
"""The metrics of a library, with their training data and improvement."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.learning.metrics import MetricTitleError
from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.formatting import file_size, metric_title
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.exchange.lenses import open_lens, share_lens, try_lens
from focal_photos.browser.operations.exchange.lenses.portable import export_metric
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.training import held_out, learner_table
from focal_photos.browser.tasks.messages import Localized, in_words
from focal_photos.browser.tasks.runner import TaskState, TaskStatus
from focal_photos.learners.evaluation import selection


@dataclass(frozen=True)
class MetricRow:
    """One metric of the history."""

    metric: Metric
    learner: str
    """Title of the learner."""
    current: bool
    held_out: selection.HeldOut | None = None

    @property
    def score(self) -> str:
        """Score on held-out data: ``74 %``; empty if not measured, or with too few photos to say it."""
        found = self.held_out
        if found is None or found.gained is selection.Gained.TOO_FEW:
            return ""
        return f"{Localized(100 * found.score):.{held_out.decimals(found)}f} %"

    @property
    def gain(self) -> str:
        """Gain over Euclidean distance with 95 % limits: ``+11 ± 6``; empty if not measured or with too few photos."""
        found = self.held_out
        if found is None or found.gained is selection.Gained.TOO_FEW:
            return ""
        around, places = held_out.limits(found), held_out.decimals(found)
        gain = f"{Localized(100 * found.gain):+.{places}f}"
        return f"{gain} \N{PLUS-MINUS SIGN} {Localized(around):.{places}f}" if around else gain


class History(Model):
    """Lists the metrics, and renames, deletes, measures and selects them."""

    changed = Signal()
    """`rows` or `measuring` has changed."""
    rename_refused = Signal(int, str, str)
    """A refused name: the metric, the typed name, and the reason."""
    lens_tried = Signal(object, str)
    """A lens was tried: its file, and the result in words (Path, str)."""
    trying_changed = Signal()
    """`trying` has changed."""

    def __init__(self, services: Services, editor: Editor) -> None:
        super().__init__(services)
        self._editor = editor
        self.rows: tuple[MetricRow, ...] = ()
        """The Euclidean metric first, then the newest."""
        self._measuring: int | None = None
        self._trying: int | None = None
        self._shown = False
        self._runner.task_changed.connect(self._task_changed)
        self._feed.subscribe(self._take_changes, Kind.METRICS)

    @property
    def current(self) -> MetricRow | None:
        """The metric in use; None before the history was read."""
        return next((row for row in self.rows if row.current), None)

    @property
    def previous(self) -> MetricRow | None:
        """The metric learned before the one in use, or else the Euclidean one; None if that is in use."""
        current = self.current
        if current is None or current.metric.file is None:
            return None
        older = [row for row in self.rows if row.metric.file is not None and row.metric.id < current.metric.id]
        return max(older, key=lambda row: row.metric.id) if older else self.rows[0]

    def verdict(self) -> str:
        """Say whether the metric in use ranks better than plain distance; empty if nothing was learned."""
        row = self.current
        if row is None or row.metric.file is None:
            return ""
        found = row.held_out
        if found is None:
            return self.tr("Improvement was not measured.")
        text = {
            selection.Gained.TOO_FEW: self.tr("Too little data to measure improvement."),
            selection.Gained.NOTHING: self.tr("No measurable improvement: {0} % right, {1} % without learning."),
            selection.Gained.PERHAPS: self.tr("Possibly better: {0} % right, {1} % without learning."),
            selection.Gained.SURELY: self.tr("Better: {0} % right, {1} % without learning."),
        }[found.gained]
        if found.gained is selection.Gained.NOTHING and found.gain < 0:
            text = self.tr("Worse: {0} % right, {1} % without learning.")
        shares = (f"{Localized(100 * share):.{held_out.decimals(found)}f}" for share in (found.score, found.euclidean))
        return text.format(*shares)

    @property
    def measuring(self) -> bool:
        """Whether a metric is being measured."""
        return self._measuring is not None

    @property
    def trying(self) -> bool:
        """Whether a lens is being tried."""
        return self._trying is not None

    def _take_changes(self, _changes: ChangeSet) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Read the history again if it was ever shown, since reading it loads the learners."""
        if self._shown:
            self.read()

    def read(self) -> None:
        """Read the history."""
        library, self._shown = self._library, True

        def find() -> tuple[MetricRow, ...]:
            titles = {one.name: one.title for one in (learner_table.AUTOMATIC, *learner_table.learner_table())}
            measured, current = held_out.saved_held_out(library), library.metrics.current().id
            rows = [
                MetricRow(one, titles.get(one.learner, one.title), one.id == current, measured.get(one.id))
                for one in library.metrics.all()
            ]
            return tuple(sorted(rows, key=lambda row: (row.metric.file is not None, -row.metric.id)))

        def done(rows: tuple[MetricRow, ...]) -> None:
            if rows != self.rows:
                self.rows = rows
                self.changed.emit()

        self._runner.read("metric history", find, done)

    def use(self, metric_id: int) -> None:
        """Rank by a metric from now on."""
        self._editor.choose_metric(metric_id)

    def rename(self, metric_id: int, title: str) -> None:
        """Rename a metric."""
        metrics = self._library.metrics

        def rename() -> ChangeSet:
            # The catalogue compares with the English titles; these are the titles that the window shows.
            shown_as = {metric_title(one).casefold() for one in metrics.all() if one.id != metric_id}
            clean = " ".join(title.split())
            if clean.casefold() in shown_as:
                raise MetricTitleError("There is a metric {0} already: choose another name.", clean)
            return metrics.rename(metric_id, title)

        def failed(error: Exception) -> bool:
            if isinstance(error, MetricTitleError):
                reason = in_words(str(error))
                self._notices.post(reason, Severity.WARNING)
                self.changed.emit()  # restore the old name in the view
                self.rename_refused.emit(metric_id, title, reason)
                return True
            return False

        self._runner.write(self.tr("Renaming the metric"), rename, self._editor.publish, failed)

    def delete(self, metric_ids: Sequence[int]) -> None:
        """Delete metrics; the Euclidean one stays."""
        metrics = self._library.metrics
        wanted = [row.metric.id for row in self.rows if row.metric.id in metric_ids and row.metric.file is not None]
        if wanted:
            attempt = self.tr("Deleting the metric")
            self._runner.write(attempt, lambda: metrics.delete(wanted), self._editor.publish)

    def share(self, metric_id: int, file: Path) -> None:
        """Export a metric as a lens; the user has confirmed replacing a file."""
        library = self._library

        def work() -> Job[tuple[str, int]]:
            yield Meter(title).state()
            metric = library.metrics.get(metric_id)
            return metric_title(metric), share_lens.share_lens(library, metric, file)

        def done(result: tuple[str, int]) -> None:
            text = self.tr("{0} was saved as {1} ({2}). It contains no photos.")
            name, size = result
            self._notices.post(text.format(shown(name), shown(str(file)), file_size(size)))

        title = self.tr("Sharing a metric")
        self._runner.start(title, work, done, lane="lens")

    def export(self, metric_id: int, folder: Path, form: export_metric.Portable) -> None:
        """Export a metric for programs without Focal, to a new folder."""
        library = self._library

        def work() -> Job[str]:
            metric = library.metrics.get(metric_id)
            yield from export_metric.export_metric(library, metric, folder, form)
            return metric_title(metric)

        def done(name: str) -> None:
            text = self.tr("{0} was saved in {1}, with a model card. It contains no photos.")
            self._notices.post(text.format(shown(name), shown(str(folder))))

        self._runner.start(self.tr("Sharing a metric"), work, done, lane="lens")

    def try_lens(self, file: Path) -> None:
        """Measure the gain of a lens over the metric in use, without opening it."""
        library = self._library
        if self._trying is not None:
            return

        def done(trial: try_lens.LensTrial) -> None:
            self.lens_tried.emit(file, in_words(try_lens.sentence(trial)))

        title = self.tr("Trying a lens")
        self._trying = self._runner.start(title, lambda: try_lens.try_lens(library, file), done, lane="lens")
        self.trying_changed.emit()

    def open_lens(self, file: Path) -> None:
        """Import a lens and rank by it, in one undo step."""
        library = self._library

        def done(metric: Metric) -> None:
            self._editor.publish(ChangeSet("", frozenset({Kind.METRICS})))
            text = self.tr("{0} is now in use. Undo goes back.")
            self._notices.post(text.format(shown(metric_title(metric))))

        self._runner.start(self.tr("Opening a lens"), lambda: open_lens.open_lens(library, file), done, lane="lens")

    def measure(self, metric_id: int) -> None:
        """Measure the gain of a metric on held-out data, and save it."""
        library = self._library
        if self._measuring is not None:
            return

        def work() -> Job[tuple[Metric, selection.HeldOut | None]]:
            metric = library.metrics.get(metric_id)
            found = yield from held_out.held_out(library, metric)
            if found is not None:
                held_out.keep_held_out(library, metric, found)
            return metric, found

        def done(result: tuple[Metric, selection.HeldOut | None]) -> None:
            metric, found = result
            text = self.tr("{0}: too few tags and judgements to measure, or this learner takes too long.")
            if found is not None:
                text = f"{{0}}: {in_words(held_out.sentence(found))}"
            self._notices.post(text.format(metric_title(metric)))
            self.read()

        title = self.tr("Measuring the improvement")
        self._measuring = self._runner.start(title, work, done, lane="measure")
        self.changed.emit()

    def _task_changed(self, state: TaskState) -> None:
        if state.number == self._measuring and state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING):
            self._measuring = None
            self.changed.emit()
        if state.number == self._trying and state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING):
            self._trying = None
            self.trying_changed.emit()
