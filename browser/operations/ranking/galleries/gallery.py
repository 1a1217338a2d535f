# SPDX-License-Identifier: MIT
"""All described photos under a metric: their rows, saved and extended with the library, and their gallery."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.vectors import Vectors, VectorStore
from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.settings import INDEX_FROM
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.ranking import space
from focal_photos.browser.operations.ranking.loaded_metric import LoadedMetric, require_vectors
from focal_photos.learners import persistence
from focal_photos.learners.core.linalg import nearest_first
from focal_photos.learners.galleries import inverted_file
from focal_photos.learners.galleries.float_gallery import RankedRows
from focal_photos.learners.galleries.reciprocal import (
    MAX_RERANKED,
    NearestRows,
    ReciprocalNeighbors,
    build,
    build_around,
    on_request,
    scale_of,
)
from focal_photos.learners.galleries.row_gallery import Gallery, row_gallery

if TYPE_CHECKING:
    from focal_photos.learners.core.learner.base import DistanceLearner

_BLOCK: Final = 2048  # photos embedded at once


_RETAINED_METRICS: Final = (
    4  # recently used learned metrics whose rows stay on disk; the rows of others are made again when needed
)
_USES: Final = "rows-used.json"  # in `derived/`: time of the last use of the rows of each key


def embedding(library: Library, loaded: LoadedMetric) -> Job[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    """Return the rows of all described photos; rows of new photos are computed and stored.

    The rows of a learned metric are made from coordinates in its space. If coordinates in that space are stored, those
    of new photos are stored too, so that all metrics share them.

    Returns
    -------
    ids : ndarray of int64, shape (n,)
    rows : ndarray of float32, shape (n, r)
        Memory-mapped where possible.

    Raises
    ------
    UnreadableMetricError
        If photos lack descriptors on which the metric was trained.
    """
    if loaded.metric.file is not None or loaded.learner is not None:
        require_vectors(library, loaded)

    own_space = space.space_key(loaded.space)
    if loaded.key != own_space and own_space in library.vectors.keys() and not library.read_only:  # noqa: SIM118 - no mapping
        yield from _stored_rows(library, replace(loaded, learner=None, key=own_space))
    return (yield from _stored_rows(library, loaded))


def _stored_rows(library: Library, loaded: LoadedMetric) -> Job[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    store = library.vectors.store(loaded.key, loaded.dimension)
    lacking = store.missing(space.described(library, loaded.keys))
    meter = Meter(Text("Preparing the ranking"), len(lacking))
    blocks: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
    for start in range(0, len(lacking), _BLOCK):
        yield meter.state()
        ids = lacking[start : start + _BLOCK]
        try:
            points = space.coordinates(library, loaded.space, ids)
        except KeyError:  # a scan found an edited file meanwhile, which must be described again first
            ids = ids[np.isin(ids, space.described(library, loaded.keys))]
            points = space.coordinates(library, loaded.space, ids)
        if library.read_only:
            blocks.append((ids, loaded.embed(points)))
        elif len(ids):
            store.append(ids, loaded.embed(points))
        yield meter.advance(len(ids))
    if not library.read_only:
        store.close_gaps()  # gaps left by edited or removed photos; mapped rows take no memory
    ids, rows = store.snapshot()
    if blocks:
        return np.concatenate([ids, *(some for some, _ in blocks)]), np.concatenate(
            [rows, *(some for _, some in blocks)]
        )
    return ids, rows


def note_use(library: Library, loaded: LoadedMetric) -> None:
    """Record that the rows of a metric are in use; read-only libraries record nothing."""
    if library.read_only or loaded.learner is None:
        return
    uses = {**_uses(library), loaded.key: time.time()}
    with suppress(OSError), atomic_file(library.path / "derived" / _USES) as stream:
        stream.write(json.dumps(uses).encode())


def drop_old_rows(library: Library) -> None:
    """Delete the stored rows of all but the current and the last used metrics; they can be made again."""
    uses, metrics = _uses(library), [metric for metric in library.metrics.all() if metric.file is not None]
    # Among metrics without a recorded use, the newest were used last.
    age = {metric.name: place for place, metric in enumerate(metrics)}
    stored = {key: _metric_name(key) for key in library.vectors.keys() if key.startswith("metric-")}  # noqa: SIM118 - no mapping
    order = sorted(stored, key=lambda key: (uses.get(key, 0.0), age.get(stored[key], -1)), reverse=True)
    recent = [key for key in order if stored[key] in age][:_RETAINED_METRICS]
    for key, name in stored.items():
        if key not in recent and name != library.metrics.current().name:
            library.vectors.remove(key)


def _metric_name(key: str) -> str:
    return key.removeprefix("metric-").rpartition("-")[0]


def _uses(library: Library) -> dict[str, float]:
    """Return the time of last use of rows, seconds by key; empty if unknown or damaged."""
    try:
        found = json.loads((library.path / "derived" / _USES).read_bytes())
        return {str(key): float(at) for key, at in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def is_large(library: Library, count: int) -> bool:
    """Return whether a number of photos calls for an index and is enough to build one."""
    if not 0 < INDEX_FROM.get(library) < count:
        return False

    return count >= inverted_file.MIN_POINTS


Source = tuple[list[VectorStore], dict[str, NDArray[np.int64]]]
"""Stores of the families in the library's space, and the photo ids in these and in a metric's own stores, by key."""


class Neighbors:
    """The known neighbourhoods of the photos of a gallery. Thread-safe."""

    def __init__(self, gallery: Gallery) -> None:
        self._gallery = gallery
        self._lock = threading.Lock()
        self._all: ReciprocalNeighbors | None = None
        self._scale: float | None = None
        self.cached_scale: Callable[[Callable[[], float]], float] = lambda find: find()
        """Returns the saved scale, or computes it with its argument."""
        self.cached_nearest: Callable[[], NearestRows | None] = lambda: None
        """Returns the saved nearest photos of each photo; None if none are saved for these rows."""
        self.stamp = ""
        """State of the stored rows; empty unless all rows are stored."""
        self._on_request: ReciprocalNeighbors | None = None
        self._looked = False  # whether saved neighbours were looked for
        self._last: tuple[bytes, ReciprocalNeighbors] | None = None

    @property
    def of_all(self) -> ReciprocalNeighbors | None:
        """Neighbourhoods of all photos; None if unknown."""
        return self._all

    @of_all.setter
    def of_all(self, found: ReciprocalNeighbors) -> None:
        self._all, self._on_request, self._last = found, None, None

    @property
    def are_of_nearest(self) -> bool:
        """Whether `around` last returned neighbourhoods among the photos nearest to a query."""
        return self._last is not None

    @property
    def scale(self) -> float:
        """Scale of the gallery (`learners.galleries.reciprocal.scale_of`)."""
        if self._scale is None:
            self._scale = self.cached_scale(lambda: scale_of(self._gallery))
        return self._scale

    def around(self, query: NDArray[np.float32]) -> ReciprocalNeighbors:
        """Return the neighbourhoods of all photos if available, else those among the nearest to a query (r,).

        All neighbourhoods are available at once for few photos. If the nearest photos are saved, they are computed on
        demand.
        """
        with self._lock:
            if self._all is not None:
                return self._all
            if len(self._gallery) <= MAX_RERANKED:
                self._all = build(self._gallery, scale=self.scale)
                return self._all
            if not self._looked:
                nearest, self._looked = self.cached_nearest(), True
                self._on_request = None if nearest is None else on_request(self._gallery, nearest, self.scale)
            if self._on_request is not None:
                return self._on_request
            content = query.tobytes()
            if self._last is None or self._last[0] != content:
                self._last = content, build_around(self._gallery, query, scale=self.scale, first=MAX_RERANKED)
            return self._last[1]


@dataclass(frozen=True, eq=False)
class MetricGallery:
    """All described photos under a metric."""

    loaded: LoadedMetric
    ids: NDArray[np.int64]
    """Shape (n,)."""
    rows: NDArray[np.float32]
    """Row i belongs to photo ``ids[i]``, in the form used by the metric's gallery; shape (n, r)."""
    gallery: Gallery
    """Ranks the rows; its queries are rows too."""
    source: Source | None
    """State of the stores it was made from. None: made from a note (`noted_space`), for a single ranking."""
    neighbors: Neighbors = field(init=False, repr=False)
    """Neighbourhoods of the photos; a copy with other rows starts with none."""

    def __post_init__(self) -> None:
        """Start without neighbourhoods."""
        object.__setattr__(self, "neighbors", Neighbors(self.gallery))

    @cached_property
    def row_table(self) -> NDArray[np.int32]:
        """The row of each photo id, int32 (largest id + 1,); -1 for absent photos."""
        table = np.full(int(self.ids.max(initial=0)) + 1, -1, dtype=np.int32)
        table[self.ids] = np.arange(len(self.ids), dtype=np.int32)
        return table

    @cached_property
    def _in_order(self) -> bool:
        """Whether ids ascend, so that ties in row order are ties in id order."""
        return bool((np.diff(self.ids) > 0).all())

    def row_of(self, photo_id: int) -> int | None:
        """Return the row of a photo, or None."""
        row = int(self.rows_of(np.array([photo_id]))[0])
        return None if row < 0 else row

    def rows_of(self, ids: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the rows of photos (m,), intp; -1 for absent photos."""
        table = self.row_table
        inside = (ids >= 0) & (ids < len(table))
        return np.where(inside, table[np.where(inside, ids, 0)], -1).astype(np.intp)

    def mask(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return a mask of the rows of photos `ids` (m,): bool (n,)."""
        rows = self.rows_of(ids)
        mask = np.zeros(len(self.ids), dtype=bool)
        mask[rows[rows >= 0]] = True
        return mask

    @property
    def owned_bytes(self) -> int:
        """Memory in bytes, without mapped files and memory shared with others."""
        graph = self.neighbors.of_all
        rows = 0 if _is_mapped(self.rows) else self.rows.nbytes
        others = (self.__dict__.get("row_table"), self.gallery.__dict__.get("quantized"), graph)
        return rows + 4 * len(self.ids) + sum(0 if one is None else one.nbytes for one in others)

    def nearest(
        self,
        query: NDArray[np.float32],
        count: int | None = None,
        *,
        own: int | None = None,
        rerank: bool = False,
        allowed: NDArray[np.bool_] | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the nearest photos.

        Parameters
        ----------
        query : ndarray of float32, shape (r,)
        count : int, optional
            Number of photos; default: all.
        own : int, optional
            The row of the query, if it is in the gallery.
        rerank : bool
            Whether shared neighbours count (`learners.galleries.reciprocal`), instead of the metric's distance alone.
        allowed : ndarray of bool, shape (n,), optional
            Rows that may be returned; default: all. Their distances do not depend on it.

        Returns
        -------
        ids : ndarray of int64, shape (n,)
        distances : ndarray of float32, shape (n,)
            Ascending; ties by id.
        """
        neighbors = self.neighbors.around(query) if rerank and len(self.ids) else None

        def rank(k: int | None) -> RankedRows:
            if neighbors is None:
                return self.gallery.rank(query, k, allowed=allowed)
            return neighbors.rank(self.gallery, query, own=own, k=k, allowed=allowed)

        rows, distances = rank(None if count is None else count + 1)
        if self._in_order and neighbors is None:
            return self.ids[rows[:count]], distances[:count]
        if count is not None and 0 < count < len(rows) and distances[count - 1] == distances[count]:
            rows, distances = rank(None)  # break a tie at the end by id
        ids, distances = nearest_first(distances, self.ids[rows])
        return ids[:count], distances[:count]

    def similarities(self, rows: NDArray[np.intp], others: NDArray[np.intp] | None = None) -> NDArray[np.float32]:
        """Return the kernel between photos: 1 - the distance of `nearest` with `rerank`.

        Until the neighbourhoods of all photos are known, those of the photos nearest to ``rows[0]`` are used, as in its
        ranking. Put the focal image first.

        Parameters
        ----------
        rows : ndarray of intp, shape (m,)
            At least one.
        others : ndarray of intp, shape (c,), optional
            Default: all.

        Returns
        -------
        ndarray of float32, shape (c, m)
            See `learners.galleries.reciprocal.ReciprocalNeighbors.similarities`.
        """
        return self.neighbors.around(self.rows[rows[0]]).similarities(self.gallery, rows, others)

    def similarity_sums(self, rows: NDArray[np.intp], weights: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return ``similarities(rows) @ weights``, float32 (n,), for weights (m,), in the time of one query."""
        return self.neighbors.around(self.rows[rows[0]]).similarity_sums(self.gallery, rows, weights)

    def shared_neighbors(self, one: int, other: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the photos in the neighbourhoods of both rows, which explain their nearness.

        Returns
        -------
        ids : ndarray of int64, shape (n,)
            Largest weight first, without the two photos.
        weights : ndarray of float32, shape (n,)
            The smaller of the weights in the two neighbourhoods, 0..1; their sum is at most 1.
        """
        rows, weights = self.neighbors.around(self.rows[one]).in_common(one, other)
        return self.ids[rows], weights

    def among(self, rows: NDArray[np.intp]) -> Gallery:
        """Return a gallery of some of the photos."""
        return self.loaded.gallery(np.ascontiguousarray(self.rows[rows]))


@dataclass(frozen=True, eq=False)
class StoredRows:
    """Reference to the rows of a gallery for a subprocess that does not have the library open.

    The learner is not pickled, which would block the interpreter; the subprocess reads it from its file.
    """

    vectors: Path
    key: str
    """Key under which the rows are stored."""
    metric: Metric
    file: Path | None
    """File of the metric; None: it has no learner."""
    ids: NDArray[np.int64]
    """Shape (n,)."""
    learner: DistanceLearner | None
    """See `LoadedMetric`."""

    @classmethod
    def of(cls, library: Library, gallery: MetricGallery) -> StoredRows:
        """Return a reference to the rows of a gallery, whose metric must be as it was trained."""
        vectors, loaded = library.path / "derived" / "vectors", gallery.loaded
        file = library.metrics.path(loaded.metric)
        return cls(vectors, loaded.key, loaded.metric, file, gallery.ids, loaded.learner)

    def __getstate__(self) -> dict[str, object]:
        """Return the state without the learner."""
        return {**self.__dict__, "learner": None}

    def gallery(self, rows: NDArray[np.float32]) -> Gallery:
        """Return a gallery that ranks rows by the metric."""
        if self.learner is not None or self.file is None:
            return row_gallery(self.learner, rows)

        return row_gallery(persistence.load(self.file)["learner"], rows)

    def read(self) -> NDArray[np.float32] | None:
        """Return the rows (n, r), mapped; None if not all are stored, as in a read-only library."""
        store = Vectors(self.vectors, read_only=True).open(self.key)
        try:
            return None if store is None else store.rows(self.ids)
        except KeyError:
            return None


def _is_mapped(rows: NDArray[np.float32]) -> bool:
    """Return whether rows are mapped from a file; the system can free their pages at any time."""
    base: object = rows
    while isinstance(base, np.ndarray):
        if isinstance(base, np.memmap):
            return True
        base = base.base
    return False
