# SPDX-License-Identifier: MIT
"""Rank photos by local distances, exactly within a shortlist given by a global metric."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NoPatchesError
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.focal_gallery import focal_image_gallery
from focal_photos.browser.operations.ranking.local.focal_image import focal_image
from focal_photos.browser.operations.ranking.local.metric import LocalMetric, local_metric
from focal_photos.browser.operations.ranking.local.patches import (
    PhotoPatches,
    patches_of,
    patches_outside,
    with_patches,
)
from focal_photos.browser.operations.workers.threads import thread_pool
from focal_photos.learners.local.calibration import find_relatives
from focal_photos.learners.local.local_distance import rescaling
from focal_photos.learners.local.local_distances import FocalImage

SHORTLIST: Final = 2000
"""Number of photos ranked by the local distance; all in smaller libraries."""

Order = tuple[NDArray[np.int64], NDArray[np.float32]]


def rank_locally(
    library: Library,
    metric: Metric,
    focal_id: int | None,
    source: Path | bytes | None,
    ids: NDArray[np.int64],
    distances: NDArray[np.float32],
) -> Order:
    """Reorder photos ranked by a global metric by a local distance.

    A focal image of the library has its own distance: the weighted sum of its patches' rescaled distances to the
    nearest patches of the other photo. It has no unit; distances of two focal images cannot be compared. If it was not
    learned yet, it is learned now.

    An image outside the library, or one without training data, is ranked by its relatives: the photos according to
    which the focal image most probably belongs with them. The distance is 1 - the mean of the probabilities that the
    three nearest relatives give a photo, weighted by those that they give the focal image. If no relative finds it
    probable, all patches of the focal image weigh the same.

    The paper ranks instead by the probability that each photo itself gives the focal image, which leaves photos that
    have learned nothing unordered. Precision@10 of photos without tags on 33 classes of Caltech-101, with 10 photos of
    each class tagged and 5 untagged: among the tagged photos .556 as in the paper, .679 by relatives; among all .678 by
    relatives, .368 with equal weights (tests/benchmarks/quality/local_distances_untagged.py).

    An image without edges has no patches and is ranked by the global metric.

    Only the `SHORTLIST` photos nearest under the global metric are ranked locally, if they have patches. The rest
    follow in the global order. Each of them gets the largest local distance, multiplied by the ratio of its global
    distance to that of the nearest of the rest, so that the numbers ascend; they have no other meaning.

    Parameters
    ----------
    metric : Metric
        A metric of local distances.
    source : Path or bytes or None
        The focal image, if it is not in the library or has changed.
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
        If the metric cannot be read, or the patches of the focal image are not computed yet.
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
        if model.triplets:
            candidates = Candidates(library, local.keys, near)
            found = _distances(candidates, patches, model)
            order = np.lexsort((near, found))
            near, found = near[order], found[order]
        elif library.regions.of(focal_id) is not None:  # the user has marked the important region
            near, found = _by_weights(library, local, near, patches, model.weights)
        else:
            near, found = _unlearned(library, local, near, patches)
    else:
        patches = patches_outside(library, local.keys, source if source is not None else b"")
        near, found = _unlearned(library, local, near, patches)
    return _joined(near, np.asarray(found, np.float64), ids[~short], distances[~short])


def _unlearned(
    library: Library, local: LocalMetric, near: NDArray[np.int64], patches: PhotoPatches
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return photos ranked for a focal image that has learned nothing, and their distances."""
    candidates = Candidates(library, local.keys, near)
    logarithms = _by_relatives(library, local, candidates, patches)
    if logarithms is not None:
        # Logarithms distinguish probabilities that round to 0.
        order = np.lexsort((near, -logarithms))
        return near[order], -np.expm1(np.minimum(logarithms[order], 0))
    return _by_weights(library, local, near, patches, np.ones(len(patches)), candidates)


def _by_weights(
    library: Library,
    local: LocalMetric,
    near: NDArray[np.int64],
    patches: PhotoPatches,
    weights: NDArray[np.floating],
    candidates: Candidates | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return photos ranked by the weighted mean of the patches' rescaled distances, without learning."""
    with thread_pool() as executor:
        every = (candidates or Candidates(library, local.keys, near)).distances(patches, executor=executor)
    found = (every * rescaling(every)).astype(np.float64) @ (weights / weights.sum())
    order = np.lexsort((near, found))
    return near[order], found[order]


def _by_relatives(
    library: Library, local: LocalMetric, candidates: Candidates, patches: PhotoPatches
) -> NDArray[np.float64] | None:
    """Return the logarithms of the mean probabilities given by the relatives of an image; None without relatives."""
    models = local.models(library)
    # From all photos, so that a filter does not change the relatives.
    learned = focal_image_gallery(library, local, with_patches(library, local.keys, np.array(sorted(models), np.int64)))
    if not len(learned.ids):
        return None
    exponents = learned.exponents(patches)
    relatives = find_relatives(exponents)
    if relatives is None:
        return None
    theirs = []
    for photo_id in learned.ids[relatives.places].tolist():
        (photo,) = library.photos.get([photo_id])
        model = learned.models[photo_id]
        found = _distances(candidates, patches_of(library, local.keys, photo), model)
        theirs.append(found * model.slope + model.offset)
    return relatives.say(np.stack(theirs))


def _distances(candidates: Candidates, patches: PhotoPatches, model: FocalImage) -> NDArray[np.float64]:
    """Return the distances of the candidates from a focal image under its own distance."""
    used = model.weights > 0
    with thread_pool() as executor:
        found = candidates.distances(patches, used, executor=executor)
    return np.asarray(found @ (model.weights * model.factors)[used], np.float64)


def _joined(
    near: NDArray[np.int64], found: NDArray[np.float64], rest: NDArray[np.int64], distances: NDArray[np.float32]
) -> Order:
    """Return photos ranked by a local distance, followed by those ranked only by the global metric."""
    beyond = distances.astype(np.float64)
    if len(found) and len(rest):
        start = float(beyond[0])
        beyond = beyond / start if start > 0 else 1 + beyond
        beyond *= max(float(found[-1]), float(np.finfo(np.float32).tiny))
    return np.concatenate([near, rest]), np.concatenate([found, beyond]).astype(np.float32)
