# SPDX-License-Identifier: MIT
"""Rank the first photos of a search by a region by the patches in the region, too."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.ranking.local.patches import patches_of, with_patches
from focal_photos.browser.operations.ranking.local.region import inside
from focal_photos.browser.operations.workers.threads import thread_pool
from focal_photos.learners.local.local_distance import rescaling

SHORTLIST: Final = 2000
"""Number of photos that are ranked again; all in smaller libraries."""

WEIGHT: Final = 0.35
"""Weight of the patches; .2 to .7 are alike, and with 1 a region that windows find well loses."""

_MIN_PHOTOS: Final = 2  # photos whose distances have a deviation


def rank_region_locally(
    library: Library,
    metric: Metric,
    photo_id: int,
    region: Region,
    ids: NDArray[np.int64],
    distances: NDArray[np.float32],
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Reorder photos found by a region of a photo by its patches inside the region.

    The distance of the patches is the mean of their rescaled elementary distances, with equal weights: those learned
    for the whole photo say which of its parts matter, and here the user has chosen one. It and the distance of the
    windows are brought to mean 0 and deviation 1 over the first `SHORTLIST` photos with patches, which are ordered by
    the distance of the windows + `WEIGHT` x that of the patches (tests/benchmarks/parts/patches.py).

    Parameters
    ----------
    metric : Metric
        A metric of local distances.
    ids : ndarray of int64, shape (n,)
        Photos without the focal image, in the order of their windows.
    distances : ndarray of float32, shape (n,)
        Ascending.

    Returns
    -------
    ids : ndarray of int64, shape (n,)
        Unchanged if there are no patches: of the metric, in the region or in the photos.
    distances : ndarray of float32, shape (n,)
        Ascending, at least 0, in the unit of the distances of the windows. Photos without patches, and those behind the
        first ones, follow in their order.
    """
    try:
        local = local_metric(library, metric)
        (photo,) = library.photos.get([photo_id])
        patches = patches_of(library, local.keys, photo)
        short = np.isin(ids, with_patches(library, local.keys, ids[:SHORTLIST]))
        inner = inside(patches, region, photo)
        if not inner.any() or np.count_nonzero(short) < _MIN_PHOTOS:
            return ids, distances
        candidates = Candidates(library, local.keys, ids[short])
        with thread_pool() as executor:
            every = candidates.distances(patches, inner, executor=executor)
    except OperationError:
        return ids, distances
    of_windows = distances[short].astype(np.float64)
    of_patches = (every * rescaling(every)).astype(np.float64).mean(axis=1)
    mean, deviation = of_windows.mean(), of_windows.std()
    spread = of_patches.std()
    if not deviation or not spread:
        return ids, distances
    moved = mean + deviation * (of_patches - of_patches.mean()) / spread
    both = (of_windows + WEIGHT * moved) / (1 + WEIGHT)
    near = ids[short]
    order = np.lexsort((near, both))
    found = np.maximum(both[order], 0)
    rest = np.maximum(distances[~short], found[-1])
    return np.concatenate([near[order], ids[~short]]), np.concatenate([found, rest]).astype(np.float32)
