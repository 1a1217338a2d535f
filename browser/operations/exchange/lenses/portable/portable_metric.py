# SPDX-License-Identifier: MIT
"""A metric as steps from the descriptors of photos to an embedding."""

from __future__ import annotations

from dataclasses import dataclass

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.lenses.metric_parts import metric_parts
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking import space as spaces
from focal_photos.learners import LEARNERS
from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin
from focal_photos.learners.core.map_steps import MapSteps


@dataclass(frozen=True, eq=False)
class PortableMetric:
    """A metric that other programs can compute."""

    title: str
    learner_name: str
    """Name in the table of learners."""
    learner: DistanceLearner | None
    """None: Euclidean distance in the feature space."""
    families: tuple[FeatureFamily, ...]
    """Families of the input: the name of a family is the key of its descriptor."""
    steps: MapSteps
    """Steps from rows of descriptors to rows whose Euclidean distance is the metric."""

    @property
    def width(self) -> int:
        """Number of descriptor values of a photo."""
        return self.steps.widths[0]

    @property
    def dimension(self) -> int:
        """Number of coordinates of the embedding."""
        return self.steps.widths[-1]


def portable_metric(library: Library, metric: Metric) -> PortableMetric:
    """Read a metric as steps.

    Raises
    ------
    OperationError
        If the metric has no embedding, depends on single photos, or cannot be read.
    NothingIndexedError
        If it is the Euclidean metric and no photo is described yet.
    """
    if metric.file is None:
        return steps_of(metric.title, metric.learner, spaces.current_space(library), None)
    parts = metric_parts(library, metric)
    return steps_of(metric.title, parts.learner_name(metric), parts.space, parts.learner)


def steps_of(title: str, name: str, space: FeatureSpace, learner: DistanceLearner | None) -> PortableMetric:
    """Return the steps of a feature space and a learner; raises OperationError if the learner has no embedding."""
    steps = MapSteps(space.n_features_in_)
    coordinates = space.add_steps(steps, 0)
    if learner is not None:
        if not isinstance(learner, EmbeddingMixin):
            raise OperationError(
                "{0} compares photos in pairs and has no coordinates, so other programs cannot use it: "
                "share it as a lens, or train another learner.",
                LEARNERS[name].title if name in LEARNERS else name,
            )
        learner.add_steps(steps, coordinates)
    return PortableMetric(title, name, learner, tuple(space.families), steps)
