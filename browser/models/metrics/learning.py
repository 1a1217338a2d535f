"""How it learns: each learner in plain words, what can be set, and what can be seen of the metric in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.work.jobs import Jobs
from focal_photos.browser.tasks.runner import Runner

if TYPE_CHECKING:
    from focal_photos.browser.operations.training.learning_guide import CurrentMetric, LearnerGuide


class Learning(QObject):
    """Reads what the page shows, and trains with what a person set there.

    Signals
    -------
    changed : None
        The learners or the metric in use.
    """

    changed = Signal()

    def __init__(self, library: Library, runner: Runner, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library, self._runner, self._jobs = library, runner, jobs
        self.guides: tuple[LearnerGuide, ...] = ()
        self.current: CurrentMetric | None = None
        self.given: dict[str, dict[str, float]] = {}
        """By learner, what the person set to other than the learner's own."""
        self._shown = False

    @property
    def read_only(self) -> bool:
        """Whether nothing can be trained."""
        return self._library.read_only

    @property
    def training(self) -> bool:
        """Whether a metric is being trained."""
        return self._jobs.training

    def read(self) -> None:
        """Read it again."""
        from focal_photos.browser.operations.training.learning_guide import current_metric, learner_guides

        library, self._shown = self._library, True

        def done(found: tuple[tuple[LearnerGuide, ...], CurrentMetric]) -> None:
            self.guides, self.current = found
            self.changed.emit()

        self._runner.read("learning", lambda: (learner_guides(library), current_metric(library)), done)

    def take_changes(self, changes: ChangeSet) -> None:
        """Read again after a change of metrics, if it was ever shown."""
        if self._shown and Kind.METRICS in changes.kinds:
            self.read()

    def give(self, learner: str, name: str, value: float | None) -> None:
        """Set a parameter for the next training of a learner; None leaves it to the learner."""
        own = self.given.setdefault(learner, {})
        if value is None:
            own.pop(name, None)
        else:
            own[name] = value

    def train(self, learner: str) -> None:
        """Train with what was set."""
        self._jobs.retrain(learner, parameters=dict(self.given.get(learner, {})))
