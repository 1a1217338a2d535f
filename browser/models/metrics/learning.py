# SPDX-License-Identifier: MIT
"""The learning guide: an explanation of each learner, its parameters, and the metric in use."""

from __future__ import annotations

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.work.jobs.training import Training
from focal_photos.browser.operations.training import learning_guide


class Learning(Model):
    """Reads the data of the page, and trains with the parameters set there."""

    changed = Signal()
    """The learners or the metric in use have changed."""

    def __init__(self, services: Services, training: Training) -> None:
        super().__init__(services)
        self._training = training
        self.guides: tuple[learning_guide.LearnerGuide, ...] = ()
        self.current: learning_guide.CurrentMetric | None = None
        self.given: dict[str, dict[str, float]] = {}
        """Changed parameters by learner; the others have their defaults."""
        self.as_printed: set[str] = set()
        """Learners to be trained as printed in their papers."""
        self._shown = False
        self._feed.subscribe(self._take_changes, Kind.METRICS)

    @property
    def training(self) -> bool:
        """Whether a metric is being trained."""
        return self._training.running

    def read(self) -> None:
        """Read the data again."""
        library, self._shown = self._library, True

        def done(found: tuple[tuple[learning_guide.LearnerGuide, ...], learning_guide.CurrentMetric]) -> None:
            self.guides, self.current = found
            self.changed.emit()

        self._runner.read(
            "learning", lambda: (learning_guide.learner_guides(library), learning_guide.current_metric(library)), done
        )

    def _take_changes(self, _changes: ChangeSet) -> None:
        """Read again if the page was ever shown."""
        if self._shown:
            self.read()

    def give(self, learner: str, name: str, value: float | None) -> None:
        """Set a parameter for the next training of a learner; None restores the default."""
        own = self.given.setdefault(learner, {})
        if value is None:
            own.pop(name, None)
        else:
            own[name] = value

    def print_as(self, learner: str, paper: bool) -> None:
        """Set whether a learner is trained as printed in its paper."""
        (self.as_printed.add if paper else self.as_printed.discard)(learner)

    def train(self, learner: str) -> None:
        """Train a learner with the user's parameters; trained as printed, it takes some of them from its paper."""
        paper = learner in self.as_printed
        fixed = self._printed(learner) if paper else frozenset[str]()
        given = {name: value for name, value in self.given.get(learner, {}).items() if name not in fixed}
        self._training.retrain(learner, parameters=given, paper=paper)

    def _printed(self, learner: str) -> frozenset[str]:
        return next((guide.printed for guide in self.guides if guide.info.name == learner), None) or frozenset()
