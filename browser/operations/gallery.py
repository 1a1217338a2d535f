"""The photos under a metric: its embedding of all described photos, stored and grown with the library."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.catalog.records import Metric
from browser.operations.errors import UnreadableMetricError
from browser.operations.progress import Job, Meter
from browser.operations.space import coordinates, current_space, described, space_key
from features import DESCRIPTORS
from learners.base import DistanceLearner, EmbeddingMixin
from learners.feature_space import FeatureSpace
from learners.persistence import PersistenceError, load

_BLOCK: Final = 2048  # photos embedded at a time
_KEPT: Final = 8  # learned metrics whose embeddings stay on disk; those of others are made again when asked for


@dataclass(frozen=True)
class LoadedMetric:
    """A metric that is ready to use.

    Attributes
    ----------
    metric : Metric
    space : FeatureSpace
        From descriptors to coordinates.
    learner : DistanceLearner or None
        From coordinates to the embedding; None: the coordinates are the embedding.
    key : str
        Under which the embedding is stored.
    """

    metric: Metric
    space: FeatureSpace
    learner: DistanceLearner | None
    key: str

    def embed(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        """Map coordinates (n, p) to the embedding (n, r), where Euclidean distance is the metric."""
        if self.learner is None:
            return points
        if not isinstance(self.learner, EmbeddingMixin):
            raise UnreadableMetricError(f"The metric {self.metric.name} cannot rank: choose another one.")
        rows: NDArray[np.float32] = self.learner.transform(points)
        return rows

    @property
    def dimension(self) -> int:
        """Length r of a row of the embedding."""
        point = np.zeros((1, self.space.groups_[-1].stop), dtype=np.float32)
        return int(self.embed(point).shape[1])


def load_metric(library: Library, metric: Metric) -> LoadedMetric:
    """Make a metric ready to use.

    Raises
    ------
    UnreadableMetricError
        Its file is missing, damaged or of a newer version.
    NothingIndexedError
        No photo is described yet.
    """
    file = library.metrics.path(metric)
    if file is None:
        space = current_space(library)
        return LoadedMetric(metric, space, None, space_key(space))
    try:
        parts = load(file)
        digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    except (PersistenceError, OSError) as error:
        raise UnreadableMetricError(
            f"The metric {metric.name} cannot be used ({error}): choose another one, or train again."
        ) from error
    kept, learner = parts.get("space"), parts.get("learner")
    if not isinstance(kept, FeatureSpace) or not isinstance(learner, DistanceLearner):
        raise UnreadableMetricError(f"The file of the metric {metric.name} holds no metric: train again.")
    known = {str(descriptor.key) for descriptor in DESCRIPTORS.values()}
    if not known.issuperset(group.name for group in kept.groups):
        raise UnreadableMetricError(
            f"The metric {metric.name} was trained on descriptors of another version: train again."
        )
    return LoadedMetric(metric, kept, learner, f"metric-{metric.name}-{digest}")


def embedding(library: Library, loaded: LoadedMetric) -> Job[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    """Return the embedding of all described photos; photos that are new to it are added and stored.

    Yields
    ------
    Progress

    Returns
    -------
    ids : ndarray of int64, shape (n,)
    rows : ndarray of float32, shape (n, r)
        Memory-mapped where possible.
    """
    store = library.vectors.store(loaded.key, loaded.dimension)
    lacking = store.missing(described(library))
    meter = Meter("Preparing the ranking", len(lacking))
    kept: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
    for start in range(0, len(lacking), _BLOCK):
        yield meter.state()
        ids = lacking[start : start + _BLOCK]
        try:
            points = coordinates(library, loaded.space, ids)
        except KeyError:  # a scan found a file edited meanwhile: it is described anew first
            ids = ids[np.isin(ids, described(library))]
            points = coordinates(library, loaded.space, ids)
        if library.read_only:
            kept.append((ids, loaded.embed(points)))
        elif len(ids):
            store.append(ids, loaded.embed(points))
        yield meter.advance(len(ids))
    ids, rows = store.snapshot()
    if kept:
        return np.concatenate([ids, *(some for some, _ in kept)]), np.concatenate([rows, *(some for _, some in kept)])
    return ids, rows


def drop_old_embeddings(library: Library) -> None:
    """Delete the stored embeddings of all but the current and the newest metrics; they can be made again."""
    metrics = [metric for metric in library.metrics.all() if metric.file is not None]
    kept = {metric.name for metric in metrics[-_KEPT:]} | {library.metrics.current().name}
    for key in list(library.vectors.keys()):
        if key.startswith("metric-") and key.removeprefix("metric-").rpartition("-")[0] not in kept:
            library.vectors.remove(key)
