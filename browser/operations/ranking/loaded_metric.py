# SPDX-License-Identifier: MIT
"""A metric ready to use: its learner and the feature space in which it was trained."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text, counted
from focal_photos.browser.operations.describing import descriptors, enabled
from focal_photos.browser.operations.jobs.errors import OutdatedMetricError, UnreadableMetricError
from focal_photos.browser.operations.ranking import space
from focal_photos.learners import persistence
from focal_photos.learners.core import feature_space
from focal_photos.learners.core.arrays.distinct import common
from focal_photos.learners.core.learner import base, plugin_check
from focal_photos.learners.galleries.row_gallery import Gallery, gallery_rows, row_gallery
from focal_photos.plugin_registry import is_foreign


@dataclass(frozen=True, eq=False)
class LoadedMetric:
    """A metric ready to use."""

    metric: Metric
    find_space: Callable[[], feature_space.FeatureSpace]
    """Returns the value of `space`."""
    learner: base.DistanceLearner | None
    """Maps coordinates to rows (`learners.galleries.row_gallery`). None: the coordinates are the rows."""
    key: str
    """Key under which the rows are stored."""

    @cached_property
    def space(self) -> feature_space.FeatureSpace:
        """The feature space that maps descriptors to coordinates."""
        return self.find_space()

    def embed(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        """Map coordinates (n, p) to rows (n, r): an embedding or another input of the metric's distance."""
        if self.learner is None:
            return points
        try:
            with plugin_check.foreign_errors(self.learner):
                return gallery_rows(self.learner, points)
        except base.LearnerError as error:
            if not is_foreign(type(self.learner)):
                raise
            raise UnreadableMetricError(
                "The metric {0} cannot be used ({1}): choose another one, or train again.", self.metric.name, error
            ) from error

    def gallery(self, rows: NDArray[np.float32]) -> Gallery:
        """Return a gallery that ranks rows by the metric."""
        return row_gallery(self.learner, rows)

    @property
    def gains_by_neighbors(self) -> bool:
        """Whether rankings by shared neighbours are better than rankings by the metric's distance alone."""
        return self.learner is None or self.learner.gains_by_neighbors

    @property
    def keys(self) -> list[str]:
        """Keys of the descriptors in the space."""
        return [family.name for family in self.space.families]

    @property
    def dimension(self) -> int:
        """Length r of a row."""
        point = np.zeros((1, self.space.families_[-1].stop), dtype=np.float32)
        return int(self.embed(point).shape[1])


def load_metric(library: Library, metric: Metric) -> LoadedMetric:
    """Load a metric.

    Raises
    ------
    UnreadableMetricError
        If its file is missing, damaged or of a newer version, or photos lack descriptors that it was trained on.
    NothingIndexedError
        If no photo is described yet.
    """
    file = library.metrics.path(metric)
    if file is None:
        current = space.current_space(library)
        return LoadedMetric(metric, lambda: current, None, space.space_key(current))
    try:
        parts = persistence.load(file)
        digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    except (persistence.PersistenceError, OSError) as error:
        raise UnreadableMetricError(
            "The metric {0} cannot be used ({1}): choose another one, or train again.", metric.name, error
        ) from error
    used_space, learner = parts.get("space"), parts.get("learner")
    if not isinstance(used_space, feature_space.FeatureSpace) or not isinstance(learner, base.DistanceLearner):
        raise UnreadableMetricError("The file of the metric {0} contains no metric: train again.", metric.name)
    loaded = LoadedMetric(metric, lambda: used_space, learner, f"metric-{metric.name}-{digest}")
    require_vectors(library, loaded)
    return loaded


def require_vectors(library: Library, loaded: LoadedMetric) -> None:
    """Check that photos have the descriptors on which a metric was trained, or will get them.

    Photos lack descriptors if the user has switched a descriptor off since, or its code has changed. An earlier version
    of a descriptor that was fitted again to more photos can still be computed: rankings then contain the photos that
    have it, until all are described (`operations.library.describe_for_metrics`). Missing photos cannot be described
    again; they are left out of rankings by this metric, as long as other photos have the descriptors.

    Raises
    ------
    UnreadableMetricError
        If photos lack a descriptor and will not get it automatically. The message names the remedy.
        `OutdatedMetricError` if only another version of the descriptor can be computed.
    """
    ids = space.described(library)
    for key in loaded.keys:
        store = library.vectors.open(key)
        without = ids if store is None else store.missing(ids)
        if 0 < len(without) < len(ids):
            if key in outgrown_keys(library, loaded.keys):
                continue
            without = common(without, library.photos.ids("-missing"))
        lacking = len(without)
        if lacking or store is None:
            name, title = descriptors.name_of(key), description_title(library, key)
            learner = loaded.metric.learner
            if name not in enabled.enabled_names(library):
                raise UnreadableMetricError(
                    "{0} was learned from {1}, which {2}: switch it on again in the settings (focal descriptors --on "
                    "{3}), train again (focal train --learner {4}), or choose another metric (focal metrics --use "
                    "NAME).",
                    loaded.metric.text,
                    title,
                    counted(lacking, "1 photo lacks", "{0} photos lack"),
                    name,
                    learner,
                )
            raise OutdatedMetricError(
                "{0} was learned from {1}, which describes photos differently now: train again (focal train --learner "
                "{2}), or choose another metric (focal metrics --use NAME).",
                loaded.metric.text,
                title,
                learner,
            )


def outgrown_keys(library: Library, keys: Sequence[str]) -> list[str]:
    """Return the keys of a metric whose descriptors are switched on and can be computed for photos that lack them."""
    names = frozenset(enabled.enabled_names(library))
    return [key for key in descriptors.global_by_keys(library, keys) if descriptors.name_of(key) in names]


def description_title(library: Library, key: str) -> str:
    """Return the title of a descriptor for the user."""
    name = descriptors.name_of(key)
    known = enabled.all_descriptors(library, [name]).get(name)
    return name if known is None else Text(known.title)
