"""Rank photos by local distances: exactly within a shortlist that a global metric gives."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.catalog.records import Metric
from browser.operations.crew import crew
from browser.operations.errors import NoPatchesError
from browser.operations.local_belonging import belonging
from browser.operations.local_learn import MOST, focal_image
from browser.operations.local_metric import LocalMetric, local_metric
from browser.operations.local_patches import Candidates, PhotoPatches, patches_outside, with_patches
from learners.local_distance import rescaling

SHORTLIST: Final = MOST
"""Photos that are ranked by the local distance; all there are, in a library of up to so many."""

_ENOUGH: Final = 0.5
"""Share of the photos that must have learned for an image from elsewhere to be ranked by their probabilities."""

Order = tuple[NDArray[np.int64], NDArray[np.float32]]


def rank_locally(
    library: Library,
    metric: Metric,
    focal_id: int | None,
    source: Path | bytes | None,
    ids: NDArray[np.int64],
    distances: NDArray[np.float32],
) -> Order:
    """Rank photos anew that a global metric has ranked.

    A focal image of the library has a distance of its own: the weighted sum of its patches' rescaled distances to the
    nearest patches of the other photo. It has no unit, and those of two focal images cannot be compared. Where nothing
    was learned yet it is learned now; where there is nothing to learn from, all patches weigh the same.

    An image from elsewhere has learned nothing. If at least half of the shortlisted photos have, these are ranked by
    how probable each finds it that the image belongs with it; the distance is 1 - that probability. The others follow,
    as below. Else all patches of the image weigh the same.

    An image without an edge has no patches, and is ranked by the global metric.

    Only the `SHORTLIST` photos nearest under the global metric are ranked anew, those of them that have patches. The
    rest follows in the global order, each at the largest of the local distances times how many times farther than the
    nearest of the rest it is under the global metric: numbers go on rising, and mean no more than that.

    Parameters
    ----------
    library : Library
    metric : Metric
        Of local distances.
    focal_id : int or None
        Of the focal image, if it is in the library.
    source : Path or bytes or None
        The focal image, if it is not in the library as it is now.
    ids : ndarray of int64, shape (n,)
        Photos without the focal image, in the order of the global metric.
    distances : ndarray of float32, shape (n,)
        Ascending.

    Returns
    -------
    ids : ndarray of int64, shape (n,)
    distances : ndarray of float32, shape (n,)
        Ascending.

    Raises
    ------
    OperationError
        The metric cannot be read, or the patches of the focal image are not worked out yet.
    """
    local = local_metric(library, metric)
    try:
        return _by_patches(library, local, focal_id, source, ids, distances)
    except NoPatchesError:
        return ids, distances


def _by_patches(
    library: Library,
    local: LocalMetric,
    focal_id: int | None,
    source: Path | bytes | None,
    ids: NDArray[np.int64],
    distances: NDArray[np.float32],
) -> Order:
    short = np.isin(ids, with_patches(library, local.keys, ids[:SHORTLIST]))
    near = ids[short]
    if source is None and focal_id is not None:
        (photo,) = library.photos.get([focal_id])
        patches, model = focal_image(library, local, photo)
        used = model.weights > 0
        found = _elementary(library, local, near, patches, used) @ (model.weights * model.factors)[used]
        order = np.lexsort((near, found))
        near, found = near[order], found[order]
    else:
        patches = patches_outside(library, local.keys, source if source is not None else b"")
        near, found = _from_outside(library, local, near, patches)
        short = np.isin(ids, near)
    return _joined(near, np.asarray(found, np.float64), ids[~short], distances[~short])


def _from_outside(
    library: Library, local: LocalMetric, near: NDArray[np.int64], patches: PhotoPatches
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the photos that an image from elsewhere is compared with, and how far they are."""
    learned = belonging(library, local, near)
    if len(learned.ids) >= _ENOUGH * len(near):
        # Where probabilities cannot be told from 0, their exponents still can.
        exponents = learned.exponents(patches)
        order = np.lexsort((learned.ids, exponents))
        return learned.ids[order], 1 - learned.probabilities(exponents[order])
    every = _elementary(library, local, near, patches, None)
    found = (every * rescaling(every)).mean(axis=1, dtype=np.float64)
    order = np.lexsort((near, found))
    return near[order], found[order]


def _elementary(
    library: Library, local: LocalMetric, ids: NDArray[np.int64], patches: PhotoPatches, used: NDArray[np.bool_] | None
) -> NDArray[np.float32]:
    with crew() as executor:
        return Candidates(library, local.keys, ids).distances(patches, used, executor=executor)


def _joined(
    near: NDArray[np.int64], found: NDArray[np.float64], rest: NDArray[np.int64], distances: NDArray[np.float32]
) -> Order:
    """Return photos ranked by a local distance, and after them those that only the global metric ranks."""
    beyond = distances.astype(np.float64)
    if len(found) and len(rest):
        start = float(beyond[0])
        beyond = beyond / start if start > 0 else 1 + beyond
        beyond *= max(float(found[-1]), float(np.finfo(np.float32).tiny))
    return np.concatenate([near, rest]), np.concatenate([found, beyond]).astype(np.float32)
