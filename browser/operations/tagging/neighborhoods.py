# SPDX-License-Identifier: MIT
"""Photos that share neighbours, used to find tags, questions and new kinds."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.learners.core.learner.base import ProgressReport, no_report
from focal_photos.learners.galleries.reciprocal import ReciprocalNeighbors, build
from focal_photos.learners.tags.label_spreading import Spreading, mutual_graph

MAX_PHOTOS: Final = 5000
"""Number of photos whose neighbourhoods are found while the user waits, in two seconds; of more, a sample is used."""

_SAMPLE: Final = 3000

_FEWEST_WITHIN: Final = 20
"""Minimum number of photos with separate neighbourhoods: among fewer, too few are neighbours."""


@dataclass(frozen=True, eq=False)
class Neighborhoods:
    """The neighbourhoods of photos."""

    ids: NDArray[np.int64]
    """Shape (n,)."""
    graph: ReciprocalNeighbors
    """Row i belongs to photo ``ids[i]``; if only some rows are covered, the others share neighbours with none."""
    complete: bool
    """Whether it contains all photos of the gallery, in its order."""

    def shared(self, rows: NDArray[np.intp]) -> scipy.sparse.csr_array:
        """Return the share of neighbours that rows (m,) and all photos have in common: float32 (m, n)."""
        found = scipy.sparse.csr_array(self.graph.shared(rows))
        found.resize((len(rows), len(self.ids)))
        return found

    def mutual(self) -> scipy.sparse.csr_array:
        """Return the graph on which labels are spread, (n, n): see `mutual_graph`."""
        graph, covered = mutual_graph(self.graph.weights), self.graph.covered
        if covered is None:
            return graph
        edges, n = graph.tocoo(), len(self.ids)
        return scipy.sparse.csr_array((edges.data, (covered[edges.row], covered[edges.col])), shape=(n, n))


_SAMPLES: Final = CacheEntry[Neighborhoods]("neighbourhoods of a sample of the photos of a large library")


def find_neighborhoods(
    library: Library, looks: MetricGallery, untagged: NDArray[np.int64], report: ProgressReport = no_report
) -> Neighborhoods | None:
    """Return the neighbourhoods of the photos in a gallery; None without photos.

    The result covers all photos if their neighbourhoods are known or quickly found, otherwise a sample, with neighbours
    within the sample. Two thirds of the sample are untagged. When less than a third is still untagged, another sample
    is drawn.

    Parameters
    ----------
    untagged : ndarray of int64, shape (q,)
        Ids of untagged photos in `looks`, ascending: candidates for questions.
    report : callable
        Called with the completed share, 0..1; may raise to cancel.
    """
    n = len(looks.ids)
    if n == 0:
        return None
    if looks.neighbors.of_all is None and n <= MAX_PHOTOS:
        looks.neighbors.of_all = build(looks.gallery, scale=looks.neighbors.scale, progress=report)
    if looks.neighbors.of_all is not None:
        return Neighborhoods(looks.ids, looks.neighbors.of_all, True)
    stamp = weakref.ref(looks)
    sample = library.cache.get(_SAMPLES, stamp)
    if sample is None or _worn_out(sample, untagged):
        # By id, independent of the order of description: the same library gives the same sample.
        order = np.argsort(looks.ids)
        rows = np.sort(order[_drawn(np.isin(looks.ids[order], untagged))])
        graph = build(looks.among(rows), scale=looks.neighbors.scale, progress=report)
        sample = Neighborhoods(looks.ids[rows], graph, False)
        library.cache.put(_SAMPLES, stamp, sample)
    return sample


_CACHED_NEIGHBORHOODS: Final = CacheEntry[Neighborhoods](
    "neighbourhoods of some photos, with neighbours among them only"
)


def find_neighborhoods_within(
    library: Library, looks: MetricGallery, ids: NDArray[np.int64], report: ProgressReport = no_report
) -> Neighborhoods | None:
    """Return the neighbourhoods of some photos, with neighbours among these photos only.

    Kinds of photos in a folder are smaller than those in the whole library. Among the nearest photos of the library,
    photos of one folder look alike because those of other folders differ more.

    Parameters
    ----------
    ids : ndarray of int64, shape (m,)
        Photos in `looks`, ascending.
    report : callable
        See `find_neighborhoods`.

    Returns
    -------
    Neighborhoods or None
        None for too few or too many photos, and for all photos.
    """
    if not _FEWEST_WITHIN <= len(ids) <= min(MAX_PHOTOS, len(looks.ids) - 1):
        return None
    stamp = weakref.ref(looks), ids.tobytes()
    found = library.cache.get(_CACHED_NEIGHBORHOODS, stamp)
    if found is None:
        graph = build(looks.among(looks.row_table[ids].astype(np.intp)), progress=report)
        found = Neighborhoods(ids, graph, False)
        library.cache.put(_CACHED_NEIGHBORHOODS, stamp, found)
    return found


_SPREADING: Final = CacheEntry[Spreading]("spread of tagged photos over the neighbourhoods")


def spreading_on(library: Library, neighborhoods: Neighborhoods) -> Spreading:
    """Return label spreading on the neighbourhoods, cached with the spread of the photos tagged last."""
    stamp = weakref.ref(neighborhoods.graph)
    spreading = library.cache.get(_SPREADING, stamp)
    if spreading is None:
        spreading = Spreading(neighborhoods.mutual())
        library.cache.put(_SPREADING, stamp, spreading)
    return spreading


def _worn_out(sample: Neighborhoods, untagged: NDArray[np.int64]) -> bool:
    """Return whether less than half as many photos of a sample are untagged as in a new one."""
    open_ = int(np.isin(sample.ids, untagged).sum())
    return 2 * open_ < min(len(untagged), 2 * _SAMPLE // 3)


def _drawn(untagged: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the indices of a seeded sample, ascending: two thirds untagged, or all untagged photos."""
    rng = np.random.default_rng(0)
    queries, others = (rng.permutation(np.flatnonzero(which)) for which in (untagged, ~untagged))
    count = max(min(len(queries), 2 * _SAMPLE // 3), _SAMPLE - len(others))
    return np.sort(np.concatenate([queries[:count], others[: _SAMPLE - count]]))
