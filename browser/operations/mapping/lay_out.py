# SPDX-License-Identifier: MIT
"""Arrange all photos, or all boxes, on a plane so that those near under a metric are side by side."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import spatial

from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import global_by_keys
from focal_photos.browser.operations.describing.extraction.describe_boxes import describe_boxes
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery, StoredRows
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.workers.subprocess_call import LostError, run_in_subprocess
from focal_photos.browser.operations.workers.worker_process import StartError
from focal_photos.learners.core.arrays.distinct import without
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import blocks, one_thread
from focal_photos.learners.galleries.reciprocal import build, find_nearest, neighborhood_size
from focal_photos.learners.galleries.row_gallery import Gallery
from focal_photos.learners.galleries.sparse_rows import SparseRows

STAGE: Final = Text("Arranging the map")

MAX_ARRANGED: Final = 20_000
"""Maximum number of photos arranged by their neighbours; others are placed beside the nearest of these."""

MAX_IN_A_ROW: Final = 6
"""Number of photos up to which they are placed in a row along their direction of largest variance.

The neighbours of so few photos mean little.
"""

_GATHERING, _SPREADING = 100, 200
"""Iterations in which similar photos gather (attraction times `_EXAGGERATION`) and then spread.

With three times as many, the nearest photos on the map were of the same class in .558 instead of .556 of cases on
Caltech-101.
"""

_EXAGGERATION: Final = 12
_TELL_EVERY: Final = 10
# photos above which forces are interpolated: 2,000 take 1.2 s or 2.6 s interpolated, 8,000 take 8.3 s or 4.3 s
_MIN_FFT_PHOTOS: Final = 3000
_MAX_NEW_SHARE: Final = 0.2
"""Share of photos without position above which all are arranged again."""

_MAX_PLACED_HERE: Final = 200  # photos placed beside others in less time than starting a process

_PREFIX: Final = "map-"

Places = NDArray[np.float32]
Tell = Callable[["PhotoMap"], None]


@dataclass(frozen=True, eq=False)
class BoxRows(StoredRows):
    """Rows of boxes under a metric."""

    rows: NDArray[np.float32]

    def read(self) -> NDArray[np.float32]:
        """Return the rows (n, r)."""
        return self.rows


def box_rows(library: Library, gallery: MetricGallery) -> Job[BoxRows]:
    """Describe all boxes like photos, and return their rows under the metric of a gallery.

    Raises
    ------
    OperationError
        If there is no box, or a descriptor of the metric can no longer be computed.
    """
    loaded = gallery.loaded
    by_key = global_by_keys(library, loaded.keys)
    boxes = [box for box in reversed(library.boxes.all()) if not box.uncertain]
    if len(by_key) < len(loaded.keys):
        raise OperationError("The metric {0} cannot compare boxes: train again.", loaded.metric.text)
    described = yield from describe_boxes(library, boxes, [by_key[key] for key in loaded.keys])
    if not described.boxes:
        raise OperationError("There is no box on a photo that is present: draw a box first.")
    rows = yield from in_thread(STAGE, lambda _: loaded.embed(loaded.space.transform(described.vectors)), keeps=False)
    return BoxRows(
        **{**vars(StoredRows.of(library, gallery)), "ids": np.array([item_of(box.id) for box in described.boxes])},
        rows=rows,
    )


@dataclass(frozen=True, eq=False)
class PhotoMap:
    """The positions of photos."""

    metric: Metric
    """Metric under which near photos are side by side."""
    ids: NDArray[np.int64]
    """Photos or boxes (`catalog.facts.learning.items`); shape (n,)."""
    places: Places
    """Right and down, in a square of side 1 around (0, 0); or, of `principal_components`, points at most .5 from the
    origin; shape (n, 2) or (n, 3)."""
    typical: NDArray[np.float32]
    """Number of neighbourhoods that contain the photo; 0 for photos placed beside others; shape (n,)."""


def lay_out(
    library: Library,
    ranker: Ranker,
    *,
    start: PhotoMap | None = None,
    tell: Tell | None = None,
    most: int = MAX_ARRANGED,
    in_subprocess: bool = True,
    boxes: bool = False,
) -> Job[PhotoMap]:
    """Compute the positions of all described photos under the current metric as trained, or those of all boxes.

    They are saved under ``derived/``. Later photos are placed beside the nearest photo. If more than a fifth are new,
    all photos are arranged again, starting from their present positions.

    Parameters
    ----------
    start : PhotoMap, optional
        A map under another metric, whose positions are the initial ones, so that the user can follow photos.
    tell : callable, optional
        Called from a thread with intermediate maps.
    most : int
        See `MAX_ARRANGED`.
    in_subprocess : bool
        Whether a long computation runs in a subprocess: it is mostly Python between small matrix products, which blocks
        the interpreter, and its library takes a second to load.
    boxes : bool
        Whether to arrange boxes, which are described like photos. Their map is not saved.

    Raises
    ------
    OperationError
        If nothing is indexed, or the metric's file is damaged.

    References
    ----------
    L. van der Maaten and G. Hinton, "Visualizing data using t-SNE", JMLR 2008, by openTSNE (P. G. Policar, M. Strazar
    and B. Zupan, 2024; interpolated forces of G. C. Linderman et al., 2019). Departures: two photos attract each other
    by their weights in each other's neighbourhoods (`learners.galleries.reciprocal`), which need no choice of a
    perplexity. In large libraries, only a sample is arranged, and other photos are placed beside the nearest sampled
    photo.
    """
    yield Progress(STAGE, 0)

    def made(task: _Task, rows: NDArray[np.float32], report: ProgressReport) -> PhotoMap:
        found = _placed_in_subprocess(task, report, tell) if in_subprocess and task.is_long else None
        return found or task.placed(rows, report, tell or _ignore)

    gallery = ranker.gallery(as_trained=True)
    if boxes:
        stored = yield from box_rows(library, gallery)
        task = _Task(stored, None, None, start, most)
        return (yield from in_thread(STAGE, lambda report: made(task, stored.rows, report), keeps=False))
    file = library.path / "derived" / f"{_PREFIX}{gallery.loaded.key}.npz"

    def work(report: ProgressReport) -> PhotoMap:
        report(0.001)
        saved = _read(file, gallery.loaded.metric)
        found = saved if saved is not None and np.array_equal(saved.ids, gallery.ids) else None
        if found is None:
            found = made(_Task.of(library, gallery, saved, start, most), gallery.rows, report)
        if not library.read_only:
            _write(file, found)
            _drop_others(library, file)
        return found

    return (yield from in_thread(STAGE, work))


def principal_components(library: Library, ranker: Ranker, *, boxes: bool = False) -> Job[PhotoMap]:
    """Project all described photos on the first three principal components under the current metric as trained.

    With `boxes`, project all boxes instead; see `lay_out`.

    The components are those of the metric's coordinates, of at most 2,000 photos at equal intervals. They keep their
    proportions. The typical photos are unknown (0), and nothing is saved.

    Raises
    ------
    OperationError
        If nothing is indexed, or the metric's file is damaged.

    References
    ----------
    L. Yang et al., "A boosting framework for visuality-preserving distance metric learning and its application to
    medical image retrieval", IEEE PAMI 32(1), 2010, Fig. 3, which shows the features, not a learned metric.
    """
    yield Progress(STAGE, 0)
    gallery = ranker.gallery(as_trained=True)
    stored, rows = StoredRows.of(library, gallery), gallery.rows
    if boxes:
        stored = of_boxes = yield from box_rows(library, gallery)
        rows = of_boxes.rows

    def work(report: ProgressReport) -> PhotoMap:
        report(0.001)
        points = _projected(np.asarray(stored.gallery(rows).rows), 3)
        points -= points.mean(axis=0)
        far = float(np.sqrt(np.square(points).sum(axis=1).max(initial=0)))
        zeros = np.zeros(len(points), np.float32)
        return PhotoMap(stored.metric, stored.ids, points / np.float32(2 * far or 1), zeros)

    return (yield from in_thread(STAGE, work, keeps=False))


def _ignore(_: PhotoMap) -> None:
    """Ignore an intermediate map."""


@dataclass(frozen=True, eq=False)
class _Task:
    """Input of a layout: stored rows, known weights of neighbours, a saved map, and options of `lay_out`."""

    stored: StoredRows
    weights: SparseRows | None
    saved: PhotoMap | None
    start: PhotoMap | None
    most: int

    @classmethod
    def of(
        cls, library: Library, gallery: MetricGallery, saved: PhotoMap | None, start: PhotoMap | None, most: int
    ) -> _Task:
        n = len(gallery.ids)
        if saved is not None and not _can_grow(saved.ids, gallery.ids):
            saved = None
        known = gallery.neighbors.of_all if saved is None and 10 * neighborhood_size(n) < n <= most else None
        weights = known.weights if known is not None and known.covered is None else None
        stored = StoredRows.of(library, gallery)
        return cls(stored, weights, saved, start if saved is None else None, most)

    @property
    def ids(self) -> NDArray[np.int64]:
        """All photos, int64 (n,)."""
        return self.stored.ids

    @property
    def is_long(self) -> bool:
        """Whether it takes longer than starting a process."""
        if self.saved is None:
            return len(self.ids) > MAX_IN_A_ROW
        return bool(np.count_nonzero(_rows_in(self.saved.ids, self.ids) < 0) > _MAX_PLACED_HERE)

    def placed(self, rows: NDArray[np.float32], report: ProgressReport, tell: Tell) -> PhotoMap:
        """Return the map of rows (n, r)."""
        if self.saved is not None:
            return _grown(self, self.saved, rows, report)
        return _found(self, rows, report, tell)


def _placed_in_subprocess(task: _Task, report: ProgressReport, tell: Tell | None) -> PhotoMap | None:
    """Compute the map in a subprocess; None if none can be started or the rows are unavailable there."""
    try:
        return run_in_subprocess(_placed, task, report=report, tell=tell or _ignore)
    except (LostError, StartError):  # no memory for a subprocess; this process has its share
        return None


def _placed(task: _Task, report: ProgressReport, tell: Tell) -> PhotoMap | None:
    """Compute a map in a process without an open library."""
    rows = task.stored.read()
    return None if rows is None else task.placed(rows, report, tell)


def _can_grow(saved: NDArray[np.int64], ids: NDArray[np.int64]) -> bool:
    """Return False if too many photos have no position in a map."""
    return len(ids) > MAX_IN_A_ROW and bool(np.count_nonzero(_rows_in(saved, ids) < 0) <= _MAX_NEW_SHARE * len(ids))


def _grown(task: _Task, saved: PhotoMap, points: NDArray[np.float32], report: ProgressReport) -> PhotoMap:
    """Return a saved map extended to the present photos."""
    rows = _rows_in(saved.ids, task.ids)
    placed = rows >= 0
    places, typical = np.zeros((len(rows), 2), np.float32), np.zeros(len(rows), np.float32)
    places[placed], typical[placed] = saved.places[rows[placed]], saved.typical[rows[placed]]
    new = np.flatnonzero(~placed)
    if len(new):
        _lie_beside(task, points, np.flatnonzero(placed), new, places, report)
    return PhotoMap(task.stored.metric, task.ids, places, typical)


def _found(task: _Task, points: NDArray[np.float32], report: ProgressReport, tell: Tell) -> PhotoMap:
    n = len(task.ids)
    sample = np.arange(n) if n <= task.most else np.sort(np.random.default_rng(0).choice(n, task.most, replace=False))
    among = task.stored.gallery(points if n <= task.most else np.ascontiguousarray(points[sample]))
    first = _first_places(np.asarray(among.rows), task.ids[sample], task.start)
    places, typical = np.zeros((n, 2), np.float32), np.zeros(n, np.float32)
    share = len(sample) / n if n else 1.0

    def so_far(some: Places) -> PhotoMap:
        return PhotoMap(task.stored.metric, task.ids[sample], _in_square(some), typical[sample])

    if n > MAX_IN_A_ROW:
        weights = task.weights if task.weights is not None else _weights(among, report)
        typical[sample] = np.bincount(weights.indices[weights.data > 0], minlength=len(sample))

        def iterated(part: float, some: Places) -> None:
            report(0.2 + (0.2 + 0.6 * share) * part)
            tell(so_far(some))

        first = _spread(weights, first, iterated)
    else:
        order = np.argsort(np.argsort(first[:, 0], kind="stable"))
        first = np.stack([order, np.zeros(n)], axis=1).astype(np.float32)
    places[sample] = _in_square(first)
    others = without(np.arange(n), sample)
    if len(others):
        done = 0.4 + 0.6 * share
        _lie_beside(task, points, sample, others, places, lambda part: report(done + (1 - done) * part))
    return PhotoMap(task.stored.metric, task.ids, places, typical)


def _weights(gallery: Gallery, report: ProgressReport) -> SparseRows:
    """Return the photos' weights in each other's neighbourhoods, which for few photos are wider than in rankings."""
    n = len(gallery)
    nearest = find_nearest(
        gallery, neighbors=max(neighborhood_size(n), min(10, n // 3)), progress=lambda done: report(0.18 * done)
    )
    return build(gallery, nearest).weights


def _first_places(rows: NDArray[np.float32], ids: NDArray[np.int64], start: PhotoMap | None) -> Places:
    """Return the projections on the two directions of largest variance, (n, 2), or the former positions."""
    if start is not None:
        found = _rows_in(start.ids, ids)
        if np.count_nonzero(found >= 0) > len(ids) / 2:
            before = np.zeros((len(ids), 2), dtype=np.float32)
            before[found >= 0] = start.places[found[found >= 0]]
            return before
    return _projected(rows, 2)


def _projected(rows: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Return the projections on the directions of largest variance, (n, count)."""
    some = np.asarray(rows[:: max(1, len(rows) // 2000)], dtype=np.float64)
    mean = some.mean(axis=0)
    _, _, directions = np.linalg.svd(some - mean, full_matrices=False)
    axes = np.zeros((rows.shape[1], count))
    axes[:, : len(directions[:count])] = directions[:count].T
    # Fix the signs of the directions, so that the same photos give the same map.
    axes *= np.where(axes[np.abs(axes).argmax(axis=0), np.arange(count)] < 0, -1, 1)
    places = np.empty((len(rows), count), dtype=np.float32)
    for part in blocks(len(rows)):
        places[part] = (rows[part] - mean) @ axes
    return places


def _spread(weights: SparseRows, first: Places, iterated: Callable[[float, Places], None]) -> Places:
    # Imported here: it loads more than the rest of this floor together.
    from openTSNE import TSNEEmbedding
    from openTSNE.affinity import PrecomputedAffinities

    shape = (len(first), len(first))
    directed = scipy.sparse.csr_matrix((weights.data.astype(np.float64), weights.indices, weights.indptr), shape=shape)
    attraction = scipy.sparse.csr_matrix(directed + directed.T)
    spread = first[:, 0].std() or 1.0
    # Identical positions would never separate.
    apart = np.random.default_rng(0).normal(0, 1e-6, first.shape)
    embedding: Any = TSNEEmbedding(
        np.asarray(first / spread * 1e-4 + apart, dtype=np.float64),
        PrecomputedAffinities(attraction),
        negative_gradient_method="fft" if len(first) > _MIN_FFT_PHOTOS else "bh",
        n_jobs=1,  # threads that wait actively slow everything down on busy cores
        random_state=0,
    )
    done = 0

    def report_iteration(_iteration: int, _error: float, places: Any) -> bool:
        nonlocal done
        done += _TELL_EVERY
        iterated(min(1.0, done / (_GATHERING + _SPREADING)), np.asarray(places, dtype=np.float32))
        return False

    callbacks = {"callbacks": report_iteration, "callbacks_every_iters": _TELL_EVERY}
    embedding = embedding.optimize(_GATHERING, exaggeration=_EXAGGERATION, momentum=0.5, **callbacks)
    embedding = embedding.optimize(_SPREADING, momentum=0.8, **callbacks)
    found: Places = np.asarray(embedding, dtype=np.float32)
    return found


def _in_square(places: Places) -> Places:
    """Return positions moved and scaled into a square of side 1 around (0, 0)."""
    if not len(places):
        return places
    low, high = places.min(axis=0), places.max(axis=0)
    return np.asarray((places - (low + high) / 2) / (max(high - low) or 1), dtype=np.float32)


def _lie_beside(
    task: _Task,
    points: NDArray[np.float32],
    placed: NDArray[np.intp],
    others: NDArray[np.intp],
    places: Places,
    report: ProgressReport,
) -> None:
    """Place others, rows (m,), beside the nearest positioned photo, within half the distance to its own neighbour."""
    among = task.stored.gallery(np.ascontiguousarray(points[placed]))
    room = _room(places[placed])
    for part in blocks(len(others)):
        some = others[part]
        with one_thread():
            nearest = among.rank_many(points[some], 1)[0][:, 0]
        # The direction depends only on the photo, so that it never changes.
        angle = (task.ids[some] * 2.399963) % (2 * np.pi)
        far = room[nearest] * (0.3 + 0.4 * ((task.ids[some] * 0.618034) % 1))
        places[some] = places[placed[nearest]] + np.stack([np.cos(angle), np.sin(angle)], axis=1) * far[:, None]
        report(part.stop / len(others))


def _room(places: Places) -> NDArray[np.float64]:
    """Return the distance from each position to the nearest other one, (n,)."""
    if len(places) < 2:
        return np.full(len(places), 0.1)
    distances: NDArray[np.float64] = spatial.cKDTree(places).query(places, k=2)[0][:, 1]
    return distances


def _rows_in(ids: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the indices of photos in ids, -1 for absent ones, (m,)."""
    if not len(ids):
        return np.full(len(wanted), -1, dtype=np.intp)
    order = np.argsort(ids, kind="stable")
    rows = order[np.minimum(np.searchsorted(ids, wanted, sorter=order), len(ids) - 1)]
    return np.where(ids[rows] == wanted, rows, -1).astype(np.intp)


def _read(file: Path, metric: Metric) -> PhotoMap | None:
    """Return the saved map, or None if missing or damaged; it is derived data and is made again."""
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            ids, places, typical = arrays["ids"], arrays["places"], arrays["typical"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    kinds = (ids.dtype, places.dtype, typical.dtype) == (np.int64, np.float32, np.float32)
    n = len(ids) if ids.ndim == 1 else -1
    if not kinds or places.shape != (n, 2) or typical.shape != (n,) or not np.isfinite(places).all():
        return None
    return PhotoMap(metric, ids, places, typical)


def _write(file: Path, found: PhotoMap) -> None:
    try:
        with atomic_file(file) as stream:
            np.savez(stream, ids=found.ids, places=found.places, typical=found.typical)
    except OSError:
        return  # the disk is full; the map is made again next time


def _drop_others(library: Library, file: Path) -> None:
    """Delete the maps of metrics whose rows are no longer stored."""
    stored = set(library.vectors.keys())
    for other in file.parent.glob(f"{_PREFIX}*.npz"):
        if other != file and other.stem.removeprefix(_PREFIX) not in stored:
            other.unlink(missing_ok=True)
