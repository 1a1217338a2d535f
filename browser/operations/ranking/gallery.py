"""All described photos under a metric: their rows, stored and grown with the library, and the gallery of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from browser.catalog.arrays.vectors import VectorStore
from browser.catalog.library import Library
from browser.operations.jobs.progress import Job, Meter
from browser.operations.ranking.loaded_metric import LoadedMetric, require_vectors
from browser.operations.ranking.space import coordinates, described
from learners.galleries.row_gallery import Gallery

_BLOCK: Final = 2048  # photos embedded at a time


_KEPT: Final = 8  # learned metrics whose embeddings stay on disk; those of others are made again when asked for


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
        except KeyError:  # a scan found a file edited meanwhile: it is described again first
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


Source = tuple[list[VectorStore], dict[str, NDArray[np.int64]]]
"""Stores of the families that make the library's space, and the photos in these and a metric's own, by key."""


@dataclass(frozen=True, eq=False)
class MetricGallery:
    """All described photos under a metric.

    Attributes
    ----------
    ids : ndarray of int64, shape (n,)
    rows : ndarray of float32, shape (n, r)
        Row i is the photo ``ids[i]``, as the metric's gallery keeps it.
    gallery : Gallery
        Ranks the rows; its queries are rows too.
    source : Source
        What it was made of.
    """

    loaded: LoadedMetric
    ids: NDArray[np.int64]
    rows: NDArray[np.float32]
    gallery: Gallery
    source: Source

    def row_of(self, photo_id: int) -> int | None:
        """Return the row of a photo, or None."""
        found = np.flatnonzero(self.ids == photo_id)
        return int(found[0]) if len(found) else None

    def nearest(
        self, query: NDArray[np.float32], count: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the ids of the nearest photos, all if `count` is not given, and their distances; ties by id."""
        rows, distances = self.gallery.rank(query, None if count is None else count + 1)
        if count is not None and 0 < count < len(rows) and distances[count - 1] == distances[count]:
            rows, distances = self.gallery.rank(query)  # a tie at the end: which of them come first by id?
        order = np.lexsort((self.ids[rows], distances))[:count]
        return self.ids[rows[order]], distances[order]

    def among(self, rows: NDArray[np.intp]) -> Gallery:
        """Return a gallery of some of the photos."""
        return self.loaded.gallery(np.ascontiguousarray(self.rows[rows]))
