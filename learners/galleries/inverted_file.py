# SPDX-License-Identifier: MIT
"""An inverted file: points in lists by nearest centre, so that a query is compared with a few lists only."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.core.progress import ProgressReport, no_report

if TYPE_CHECKING:
    import faiss

AXES: Final = 128
"""Number of principal axes on which candidates are compared; points of fewer coordinates are used unchanged."""

MIN_POINTS: Final = 1000
"""Minimum number of points of an inverted file; with fewer there is nothing to gain."""

_CENTERS: Final = 2.0  # times the square root of the number of points
_MOST_CENTERS: Final = 65_536
_SAMPLE: Final = 40  # sampled points per centre
_ROUNDS: Final = 8  # of k-means
_ROWS: Final = 1 << 16  # points added at a time
_LEARNING: Final = 0.4  # share of the time spent on the centres


class InvertedFile:
    """Points in one list for each of about ``2 sqrt(n)`` centres, with one byte per coordinate.

    A query is compared with the points in the lists of the nearest centres, on the first 128 principal axes. The
    results are candidates for an exact comparison; a near point in another list is missed.

    Parameters
    ----------
    index : faiss.Index
    probes : int
        Number of lists searched per query.

    References
    ----------
    .. [1] J. Sivic and A. Zisserman, "Video Google", ICCV 2003: lists by the nearest of k-means' centres.
    .. [2] H. Jégou, M. Douze and C. Schmid, "Product quantization for nearest neighbor search", PAMI 33 (2011),
       section IV: candidates of several lists. Departure: one byte per coordinate instead of a product quantizer,
       since candidates are compared again and memory suffices.
    """

    def __init__(self, index: faiss.Index, probes: int = 64) -> None:
        self._index = index
        self._lists: Any = _faiss().extract_index_ivf(index)
        self._lists.nprobe = max(1, min(probes, self._lists.nlist))

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def index(self) -> faiss.Index:
        """The faiss index."""
        return self._index

    @property
    def dimension(self) -> int:
        """Number of coordinates of a point."""
        return int(self._index.d)

    @classmethod
    def build(
        cls, points: NDArray[np.floating], ids: NDArray[np.int64], *, progress: ProgressReport | None = None
    ) -> Self:
        """Learn centres from a seeded sample and assign all points to their lists.

        Parameters
        ----------
        points : ndarray of float, shape (n, d)
            At least 1,000; may be a memory map, of which the sample and one block at a time are in memory.
        ids : ndarray of int64, shape (n,)
            Distinct ids that `candidates` returns.
        progress : callable, optional
            Called with the share done, 0..1; may raise to cancel.

        Raises
        ------
        LearnerError
            If there are too few points, or the package faiss is missing.
        """
        faiss, report = _faiss(), progress or no_report
        n, d = points.shape
        if n < MIN_POINTS:
            raise LearnerError(f"An inverted file needs {MIN_POINTS} points, there are {n}.")
        centers = max(1, int(min(_CENTERS * np.sqrt(n), _MOST_CENTERS, n // _SAMPLE)))
        drawn = np.sort(np.random.default_rng(0).choice(n, min(n, _SAMPLE * centers), replace=False))
        sample = np.ascontiguousarray(points[drawn], dtype=np.float32)
        turned = faiss.PCAMatrix(d, AXES) if d > AXES else None
        if turned is not None:
            turned.train(sample)
            sample = turned.apply(sample)
        report(0.02)
        found = sample[np.sort(np.random.default_rng(0).permutation(len(sample))[:centers])]
        for done in range(_ROUNDS):  # one iteration at a time, so that a cancelled build ends soon
            means = faiss.Kmeans(sample.shape[1], centers, niter=1, seed=1, max_points_per_centroid=_SAMPLE)
            means.train(sample, init_centroids=found)
            found = means.centroids
            report(_LEARNING * (done + 1) / _ROUNDS)
        quantizer = faiss.IndexFlatL2(sample.shape[1])
        quantizer.add(found)
        lists = faiss.IndexIVFScalarQuantizer(
            quantizer, sample.shape[1], centers, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_L2
        )
        quantizer.this.disown()
        lists.own_fields = True
        lists.train(sample)
        index = lists
        if turned is not None:
            index = faiss.IndexPreTransform(turned, lists)
            turned.this.disown()
            lists.this.disown()
            index.own_fields = True
        made = cls(index)
        made.add(points, ids, progress=lambda share: report(_LEARNING + (1 - _LEARNING) * share))
        return made

    def add(
        self, points: NDArray[np.floating], ids: NDArray[np.int64], *, progress: ProgressReport | None = None
    ) -> None:
        """Add points (n, d) with new ids (n,)."""
        report = progress or no_report
        for part in blocks(len(ids), _ROWS):
            self._index.add_with_ids(np.ascontiguousarray(points[part], dtype=np.float32), ids[part])
            report(part.stop / len(ids))

    def remove(self, ids: NDArray[np.int64]) -> None:
        """Remove points; unknown ids are skipped."""
        if len(ids):
            self._lists.remove_ids(np.ascontiguousarray(ids, dtype=np.int64))
            self._index.ntotal = self._lists.ntotal

    def candidates(self, query: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        """Return the ids of at most `count` points that are approximately nearest to a query (d,): int64 (c,)."""
        _, found = self._index.search(np.ascontiguousarray(query[None], dtype=np.float32), min(count, len(self)))
        kept: NDArray[np.int64] = found[0][found[0] >= 0].astype(np.int64, copy=False)
        return kept

    def write(self, path: Path) -> None:
        """Write the inverted file.

        Raises
        ------
        OSError
        """
        try:
            _faiss().write_index(self._index, str(path))
        except RuntimeError as error:
            raise OSError(f"{path.name} cannot be written") from error

    @classmethod
    def read(cls, path: Path, *, mapped: bool = True) -> Self:
        """Read a file written by `write`; `mapped`: lists stay in the file until they are searched, and cannot grow.

        The file is not checked for damage: pass only files known to be intact.

        Raises
        ------
        LearnerError
            If it cannot be read, or the package faiss is missing.
        """
        faiss = _faiss()
        try:
            return cls(faiss.read_index(str(path), faiss.IO_FLAG_MMAP if mapped else 0))
        except (RuntimeError, AttributeError) as error:
            raise LearnerError(f"{path.name} holds no inverted file.") from error


def faiss_installed() -> bool:
    """Return whether the package faiss is installed, without loading it."""
    return importlib.util.find_spec("faiss") is not None


def _faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise LearnerError(
            "An index needs the package faiss: install Focal's extra index (in its checkout: pip install '.[index]')."
        ) from error
    return faiss
