"""The photos under a metric: a row for each described photo, stored and grown with the library."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from browser.catalog.facts.records import Metric
from browser.catalog.library import Library
from browser.operations.describing.descriptors import name_of, ready
from browser.operations.describing.enabled import chosen
from browser.operations.jobs.errors import UnreadableMetricError
from browser.operations.jobs.progress import Job, Meter
from browser.operations.ranking.space import coordinates, current_space, described, space_key
from learners.core.base import DistanceLearner
from learners.core.feature_space import FeatureSpace
from learners.galleries.row_gallery import Gallery, gallery_rows, row_gallery
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
        From coordinates to rows (`learners.galleries.row_gallery`); None: the coordinates are the rows.
    key : str
        Under which the rows are stored.
    """

    metric: Metric
    space: FeatureSpace
    learner: DistanceLearner | None
    key: str

    def embed(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        """Map coordinates (n, p) to rows (n, r): an embedding, or what else the metric's distance is made from."""
        return points if self.learner is None else gallery_rows(self.learner, points)

    def gallery(self, rows: NDArray[np.float32]) -> Gallery:
        """Return a gallery that ranks such rows by the metric."""
        return row_gallery(self.learner, rows)

    @property
    def keys(self) -> list[str]:
        """Keys of the descriptors that the space is made of."""
        return [group.name for group in self.space.groups]

    @property
    def dimension(self) -> int:
        """Length r of a row."""
        point = np.zeros((1, self.space.groups_[-1].stop), dtype=np.float32)
        return int(self.embed(point).shape[1])


def load_metric(library: Library, metric: Metric) -> LoadedMetric:
    """Make a metric ready to use.

    Raises
    ------
    UnreadableMetricError
        Its file is missing, damaged or of a newer version, or photos lack what it was trained on.
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
    loaded = LoadedMetric(metric, kept, learner, f"metric-{metric.name}-{digest}")
    require_vectors(library, loaded)
    return loaded


def require_vectors(library: Library, loaded: LoadedMetric) -> None:
    """Make sure that all described photos have what a metric was trained on.

    They may not where a descriptor was switched off since, or has learned anew from more photos.

    Raises
    ------
    UnreadableMetricError
        Some lack it; the message says what to do.
    """
    ids = described(library)
    for key in loaded.keys:
        store = library.vectors.open(key)
        lacking = len(ids) if store is None else len(store.missing(ids))
        if lacking or store is None:
            name = name_of(key)
            if any(str(one.key) == key for one in ready(library)):
                remedy = "run focal index, or open the window again"
            elif name in chosen(library):
                remedy = "train again, or choose another metric"  # it has learned anew, or its code changed
            else:
                remedy = f"train again, choose another metric, or focal descriptors --on {name} and focal index"
            photos = "1 photo lacks" if lacking == 1 else f"{lacking} photos lack"
            raise UnreadableMetricError(
                f"The metric {loaded.metric.name} was trained on {name} as it was then, which {photos}: {remedy}."
            )


def embedding(library: Library, loaded: LoadedMetric) -> Job[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    """Return the rows of all described photos; photos that are new are added and stored.

    Yields
    ------
    Progress

    Returns
    -------
    ids : ndarray of int64, shape (n,)
    rows : ndarray of float32, shape (n, r)
        Memory-mapped where possible.

    Raises
    ------
    UnreadableMetricError
        Photos lack what the metric was trained on.
    """
    if loaded.metric.file is not None or loaded.learner is not None:
        require_vectors(library, loaded)
    store = library.vectors.store(loaded.key, loaded.dimension)
    lacking = store.missing(described(library, loaded.keys))
    meter = Meter("Preparing the ranking", len(lacking))
    kept: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
    for start in range(0, len(lacking), _BLOCK):
        yield meter.state()
        ids = lacking[start : start + _BLOCK]
        try:
            points = coordinates(library, loaded.space, ids)
        except KeyError:  # a scan found a file edited meanwhile: it is described anew first
            ids = ids[np.isin(ids, described(library, loaded.keys))]
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
