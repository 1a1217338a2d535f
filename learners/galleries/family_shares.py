"""How much each feature family adds to the squared distance of two photos, under any metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.galleries.row_gallery import Gallery
from focal_photos.learners.galleries.shapley import shapley_values

Embed = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""From coordinates (m, p) to rows (m, r), see `learners.galleries.row_gallery.gallery_rows`."""

MakeGallery = Callable[[NDArray[np.float32]], Gallery]
"""From rows (m, r) to the gallery that compares them."""


def family_shares(
    embed: Embed,
    make_gallery: MakeGallery,
    one: NDArray[np.float32],
    other: NDArray[np.float32],
    families: Sequence[FeatureFamily],
    *,
    orders: int | None = None,
) -> NDArray[np.float64]:
    """Split the squared distance of two photos among the feature families.

    A set of families is worth the squared distance of a photo to itself with the coordinates of the other one in these
    families, the mean of both photos' sides; each family gets its Shapley value of that
    (`learners.galleries.shapley.shapley_values`). So the shares add up to the squared distance, less what a photo is
    away from itself (0 of every metric). The mean makes them the same both ways round, wherever the distance is.

    For metrics that are a sum over the families this is that sum; for linear ones each family's own part and half of
    what it has in common with the others, which may be below 0; for all others (kernels, trees, bits) the exact
    differences when families are left out, averaged over all orders of leaving them out.

    Parameters
    ----------
    embed : callable
    make_gallery : callable
    one, other : ndarray of float32, shape (p,)
        Coordinates of the two photos.
    families : sequence of FeatureFamily
        Which columns belong to which family; they cover all p.
    orders : int, optional
        See `learners.galleries.shapley.shapley_values`.

    Returns
    -------
    ndarray of float64, shape (f,)

    Raises
    ------
    LearnerError
        The families do not cover the columns.
    """
    if len(one) != len(other) or [family.start for family in families] + [len(one)] != [
        0,
        *(family.stop for family in families),
    ]:
        raise LearnerError(f"The families must cover the {len(one)} columns without gaps, in order.")
    sizes = [family.stop - family.start for family in families]

    def worth(sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        theirs = np.repeat(sets, sizes, axis=1)
        total = np.zeros(len(sets))
        for here, there in ((one, other), (other, one)):
            rows = embed(np.concatenate([here[None], np.where(theirs, there, here)]).astype(np.float32))
            far = make_gallery(rows).distances(rows[0], np.arange(1, len(rows)))
            total += np.square(far, dtype=np.float64) / 2
        return total

    return shapley_values(worth, len(families), orders=orders)
