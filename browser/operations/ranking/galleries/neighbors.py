# SPDX-License-Identifier: MIT
"""The neighbourhoods of all photos under a metric: found in the background, saved and extended with the library."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery, StoredRows
from focal_photos.browser.operations.workers import subprocess_call, worker_process
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.core.progress import ProgressReport
from focal_photos.learners.galleries.reciprocal import (
    MAX_RERANKED,
    NearestRows,
    ReciprocalNeighbors,
    build,
    find_nearest,
    grow_nearest,
)
from focal_photos.learners.galleries.row_gallery import Gallery

MAX_PHOTOS: Final = 200_000
"""Number of photos above which rankings use only neighbourhoods among those nearest to a focal image.

Finding all neighbourhoods would take hours.
"""

STAGE: Final = Text("Comparing neighbourhoods")

_MIN_SUBPROCESS_PHOTOS: Final = 10_000  # photos above which the search takes much longer than starting a process

_PREFIX: Final = "neighbors-"


def wants_neighbors(gallery: MetricGallery, most: int = MAX_PHOTOS) -> bool:
    """Return whether the neighbourhoods of all photos are still to be found in the background."""
    return MAX_RERANKED < len(gallery.ids) <= most and gallery.neighbors.of_all is None


def attach_nearest(library: Library, gallery: MetricGallery) -> None:
    """Connect a gallery to the nearest photos that `find_neighbors` saved for its rows, if any."""
    stamp, n = gallery.neighbors.stamp, len(gallery.ids)
    if not stamp or n <= MAX_RERANKED:
        return
    file = _file(library, gallery)

    def read() -> NearestRows | None:
        stored = _read(file, stamp)
        return None if stored is None or len(stored.prints) != n else stored.nearest

    gallery.neighbors.cached_nearest = read


def find_neighbors(
    library: Library, gallery: MetricGallery, *, keep: bool = True, most: int = MAX_PHOTOS, in_subprocess: bool = False
) -> Job[bool]:
    """Find the neighbourhoods of all photos, so that rankings use them.

    The nearest photos of each photo are saved under ``derived/``. Later searches cover only photos that are new, were
    edited or have lost a neighbour.

    Parameters
    ----------
    keep : bool
        Whether the rows belong to the metric's key and results are saved.
    most : int
        Number of photos above which nothing is done.
    in_subprocess : bool
        Whether a long search runs in a subprocess, because some of its steps block the interpreter.

    Returns
    -------
    bool
        Whether rankings may have changed.
    """
    if not wants_neighbors(gallery, most):
        return False
    file = _file(library, gallery)

    def work(report: ProgressReport) -> None:
        report(0.001)
        stored = StoredRows.of(library, gallery)
        neighbors = gallery.neighbors
        task = _Task(stored, neighbors.scale, file if keep else None, neighbors.stamp, library.read_only)
        graph = None
        if in_subprocess and keep and len(gallery.ids) > _MIN_SUBPROCESS_PHOTOS:
            graph = _found_in_subprocess(task, report)
        if graph is None:
            graph = task.found(gallery.rows, gallery.gallery, report)
        if keep and not library.read_only:
            _drop_others(library, file)
        gallery.neighbors.of_all = graph

    yield from in_thread(STAGE, work)
    return True


@dataclass(frozen=True, eq=False)
class _Task:
    """Input of the search; `file` is None if nothing is saved."""

    stored: StoredRows
    scale: float
    file: Path | None
    stamp: str
    read_only: bool

    def found(self, rows: NDArray[np.float32], gallery: Gallery, report: ProgressReport) -> ReciprocalNeighbors:
        """Return the neighbourhoods of rows (n, r), given their gallery."""
        prints = row_prints(self.stored.ids, rows)
        stored = None if self.file is None else _read(self.file)
        if stored is not None and np.array_equal(stored.prints, prints):
            nearest = stored.nearest
        else:
            nearest = _search(gallery, prints, stored, lambda done: report(0.9 * done))
            stored = None
        is_stored = stored is not None and self.stamp in ("", stored.stamp)
        if self.file is not None and not self.read_only and not is_stored:
            _write(self.file, _Stored(prints, nearest, self.stamp))
        graph = build(gallery, nearest, scale=self.scale)
        report(1.0)
        return graph


def _found_in_subprocess(task: _Task, report: ProgressReport) -> ReciprocalNeighbors | None:
    """Run the search in a subprocess; return None if none can be started or the rows are unavailable there."""
    # no memory for a subprocess; this process has its share
    with suppress(subprocess_call.LostError, worker_process.StartError):
        return subprocess_call.run_in_subprocess(_found, task, report=report)
    return None


def _found(task: _Task, report: ProgressReport, _tell: object) -> ReciprocalNeighbors | None:
    """Run a search in a process without an open library; return None if the rows are unavailable."""
    rows = task.stored.read()
    return None if rows is None else task.found(rows, task.stored.gallery(rows), report)


def _search(
    gallery: Gallery,
    prints: NDArray[np.uint64],
    stored: _Stored | None,
    report: ProgressReport,
) -> NearestRows:
    if stored is None:
        return find_nearest(gallery, progress=report)
    former = stored.prints
    order = np.argsort(prints)
    places = order[np.minimum(np.searchsorted(prints, former, sorter=order), len(order) - 1)]
    places = np.where(prints[places] == former, places, -1).astype(np.intp)
    return grow_nearest(gallery, stored.nearest, places, progress=report)


def row_prints(ids: NDArray[np.int64], rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return a hash of the id and row of each photo, uint64 (n,)."""
    factors = np.random.default_rng(0).integers(0, 1 << 63, rows.shape[1] + 1, dtype=np.uint64) * 2 + 1
    found = np.empty(len(ids), dtype=np.uint64)
    for part in blocks(len(ids)):
        bits = np.ascontiguousarray(rows[part]).view(np.uint32).astype(np.uint64)
        found[part] = bits @ factors[1:] + ids[part].astype(np.uint64) * factors[0]
    return found


class _Stored(NamedTuple):
    """Content of a file: `row_prints`, nearest rows, and the state of the stored rows (empty in older files)."""

    prints: NDArray[np.uint64]
    nearest: NearestRows
    stamp: str


def _file(library: Library, gallery: MetricGallery) -> Path:
    return library.path / "derived" / f"{_PREFIX}{gallery.loaded.key}.npz"


def _read(file: Path, stamp: str | None = None) -> _Stored | None:
    """Return the saved neighbours; None if missing, damaged or with another stamp than the given one."""
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            found = arrays["stamp"].tobytes().decode() if "stamp" in arrays.files else ""
            if stamp is not None and stamp != found:
                return None
            prints, rows, reach = arrays["prints"], arrays["rows"], arrays["reach"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    n = len(prints)
    fits = prints.shape == (n,) and reach.shape == (n,) and rows.ndim == 2 and len(rows) == n
    kinds = (prints.dtype, rows.dtype, reach.dtype) == (np.uint64, np.int32, np.float32)
    if not fits or not kinds or not n or rows.min(initial=0) < 0 or rows.max(initial=0) >= n:
        return None
    return _Stored(prints, NearestRows(rows, reach), found)


def _write(file: Path, stored: _Stored) -> None:
    stamp = np.frombuffer(stored.stamp.encode(), dtype=np.uint8)
    try:
        with atomic_file(file) as stream:
            np.savez(stream, stamp=stamp, prints=stored.prints, rows=stored.nearest.rows, reach=stored.nearest.reach)
    except OSError:
        return  # the disk is full; neighbours are found again next time


def _drop_others(library: Library, file: Path) -> None:
    """Delete the files of rows that are no longer stored."""
    stored = set(library.vectors.keys())
    for other in file.parent.glob(f"{_PREFIX}*.npz"):
        if other != file and other.stem.removeprefix(_PREFIX) not in stored:
            other.unlink(missing_ok=True)
