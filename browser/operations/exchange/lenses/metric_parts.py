# SPDX-License-Identifier: MIT
"""The feature space and the learner of a metric, read from its file to be exported."""

from __future__ import annotations

from typing import NamedTuple

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.learners import LEARNERS
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.persistence import PersistenceError, load


class MetricParts(NamedTuple):
    """Parts of a metric, and the content of its file."""

    space: FeatureSpace
    learner: DistanceLearner
    content: bytes

    def learner_name(self, metric: Metric) -> str:
        """Return the name of the learner in the table, also if Automatic has chosen it."""
        return next((name for name, kind in LEARNERS.items() if type(self.learner) is kind), metric.learner)


def metric_parts(library: Library, metric: Metric) -> MetricParts:
    """Read a metric that has a file.

    Raises
    ------
    OperationError
        If the file is missing or damaged, or the metric is of local distances.
    """
    try:
        file = library.metrics.path(metric)
        if file is None:
            raise PersistenceError("nothing was learned")
        parts = load(file)
        content = file.read_bytes()
    except (PersistenceError, OSError) as error:
        raise OperationError("The metric {0} cannot be read ({1}): choose another one.", metric.name, error) from error
    space, learner = parts.get("space"), parts.get("learner")
    if (
        set(parts) != {"space", "learner"}
        or not isinstance(space, FeatureSpace)
        or not isinstance(learner, DistanceLearner)
    ):
        raise OperationError(
            "The metric {0} depends on single photos, so it cannot be shared: choose another metric.", metric.name
        )
    return MetricParts(space, learner, content)
