"""Which photos of a library share their neighbours: what tags, questions and new kinds are found by."""

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

MOST: Final = 5000
"""Photos whose neighbourhoods are found while somebody waits: two seconds. Of more a sample stands for all."""

_SAMPLE: Final = 3000


@dataclass(frozen=True, eq=False)
class Neighborhoods:
    """The neighbourhoods of photos.

    Attributes
    ----------
    ids : ndarray of int64, shape (n,)
    graph : ReciprocalNeighbors
        Its row i is the photo ``ids[i]``.
    complete : bool
        Whether these are all photos of the gallery, in its order.
    """

    ids: NDArray[np.int64]
    graph: ReciprocalNeighbors
    complete: bool

    def shared(self, rows: NDArray[np.intp]) -> scipy.sparse.csr_array:
        """Return the share of their neighbourhoods that rows (m,) and all photos have in common: float32 (m, n)."""
        return scipy.sparse.csr_array(self.graph.shared(rows))


_SAMPLES: Final = CacheEntry[Neighborhoods]("neighbourhoods of a sample of the photos of a large library")


def find_neighborhoods(
    library: Library, looks: MetricGallery, untagged: NDArray[np.int64], report: ProgressReport = no_report
) -> Neighborhoods | None:
    """Return the neighbourhoods of the photos of a gallery; None of no photos.

    Those of all, where they are known or can be found quickly; otherwise those of a sample, among themselves. Of the
    sample two thirds are untagged; as these are tagged and fewer than a third are left, another sample is drawn.

    Parameters
    ----------
    library : Library
    looks : MetricGallery
    untagged : ndarray of int64, shape (q,)
        Ids of untagged photos that `looks` has, ascending: what is asked about.
    report : callable
        Called with the share done, 0..1; raise in it to cancel.
    """
    n = len(looks.ids)
    if n == 0:
        return None
    if looks.neighbors.of_all is None and n <= MOST:
        looks.neighbors.of_all = build(looks.gallery, scale=looks.neighbors.scale, progress=report)
    if looks.neighbors.of_all is not None:
        return Neighborhoods(looks.ids, looks.neighbors.of_all, True)
    stamp = weakref.ref(looks)
    sample = library.cache.get(_SAMPLES, stamp)
    if sample is None or _worn_out(sample, untagged):
        # By their numbers, whatever the order in which they were described: the same library gives the same sample.
        order = np.argsort(looks.ids)
        rows = np.sort(order[_drawn(np.isin(looks.ids[order], untagged))])
        graph = build(looks.among(rows), scale=looks.neighbors.scale, progress=report)
        sample = Neighborhoods(looks.ids[rows], graph, False)
        library.cache.put(_SAMPLES, stamp, sample)
    return sample


def _worn_out(sample: Neighborhoods, untagged: NDArray[np.int64]) -> bool:
    """Return whether the photos of a sample are tagged but for less than half of what another would have."""
    open_ = int(np.isin(sample.ids, untagged).sum())
    return 2 * open_ < min(len(untagged), 2 * _SAMPLE // 3)


def _drawn(untagged: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the numbers of a seeded sample, ascending: two thirds of them untagged, or all that are."""
    rng = np.random.default_rng(0)
    asked, others = (rng.permutation(np.flatnonzero(which)) for which in (untagged, ~untagged))
    count = max(min(len(asked), 2 * _SAMPLE // 3), _SAMPLE - len(others))
    return np.sort(np.concatenate([asked[:count], others[: _SAMPLE - count]]))
