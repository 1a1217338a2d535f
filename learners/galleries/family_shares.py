# SPDX-License-Identifier: MIT
"""Shares of the feature families in the squared distance of two photos, under any metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery
from focal_photos.learners.galleries.shapley import shapley_values

if TYPE_CHECKING:  # ranking without a learned metric loads no learners
    from focal_photos.learners.core.learner.base import DistanceLearner


def family_shares(
    learner: DistanceLearner | None,
    one: NDArray[np.float32],
    other: NDArray[np.float32],
    families: Sequence[FeatureFamily],
    *,
    orders: int | None = None,
) -> NDArray[np.float64]:
    """Split the squared distance of a photo to another, or to n others, among the feature families.

    The value of a set of families is the squared distance of a photo to itself with the coordinates of the other photo
    in these families, averaged over both directions. Each family gets its Shapley value
    (`learners.galleries.shapley.shapley_values`), so the shares sum to the squared distance less the distance of a
    photo to itself (0 for every metric). The average makes them symmetric whenever the distance is.

    For metrics that are a sum over families, the shares are the terms of the sum. For linear metrics, each share is the
    family's own part plus half of its cross terms with the others, and may be negative. For all others
    (kernels, trees, bits) it is the exact difference when the family is left out, averaged over all orders of leaving
    families out.

    Parameters
    ----------
    learner : DistanceLearner or None
        None: Euclidean distance of the coordinates.
    one : ndarray of float32, shape (p,)
    other : ndarray of float32, shape (p,) or (n, p)
        Coordinates of the photos.
    families : sequence of FeatureFamily
        Families and their columns; they cover all p.
    orders : int, optional
        See `learners.galleries.shapley.shapley_values`.

    Returns
    -------
    ndarray of float64, shape (f,) or (n, f)

    Raises
    ------
    LearnerError
        If the families do not cover the columns.
    """
    others = np.atleast_2d(other)
    if len(one) != others.shape[1] or [family.start for family in families] + [len(one)] != [
        0,
        *(family.stop for family in families),
    ]:
        raise LearnerError(f"The families must cover the {len(one)} columns without gaps, in order.")
    sizes = [family.stop - family.start for family in families]

    def worth(sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        theirs = np.repeat(sets, sizes, axis=1)
        sides = [side for another in others for side in ((one, another), (another, one))]
        mixed = [np.concatenate([here[None], np.where(theirs, there, here)]) for here, there in sides]
        points = np.concatenate(mixed).astype(np.float32)
        # Mapped at once, because a metric's setup costs more than mapping some hundred rows.
        rows = points if learner is None else gallery_rows(learner, points)
        places = np.arange(len(rows)).reshape(len(sides), -1)
        pairs = np.repeat(places[:, 0], len(sets)), places[:, 1:].ravel()
        far = row_gallery(learner, rows).pair_distances(*pairs)
        square = np.square(far, dtype=np.float64).reshape(len(others), 2, len(sets))
        return np.ascontiguousarray(square.mean(axis=1).T)

    shares = shapley_values(worth, len(families), orders=orders).T
    return shares[0] if np.ndim(other) == 1 else shares
