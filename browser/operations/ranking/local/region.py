# SPDX-License-Identifier: MIT
"""Weights by region: a box drawn on a focal image marks its important patches."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Photo, Region
from focal_photos.browser.operations.ranking.local.patches import PhotoPatches
from focal_photos.features.decoding.limits import WORKING_SIDE, fit_within
from focal_photos.learners.local.local_distances import FocalImage

OUTSIDE: Final = 0.2
"""Factor of a learned weight outside the region."""

PRIOR: Final = 0.5
"""Share of all weight that is distributed equally among the patches in the region."""


def inside(patches: PhotoPatches, region: Region, photo: Photo) -> NDArray[np.bool_]:
    """Return a mask of the patches in a region of a photo, bool (M,)."""
    size = fit_within((photo.width or 1, photo.height or 1), WORKING_SIDE)
    x, y = ((np.concatenate(patches.points) + 0.5) / np.array(size)).T
    found: NDArray[np.bool_] = (region.x0 <= x) & (x <= region.x1) & (region.y0 <= y) & (y <= region.y1)
    return found


def emphasised(model: FocalImage, inner: NDArray[np.bool_]) -> FocalImage:
    """Return a focal image with larger weights in a region and the same sum of weights.

    Half of all weight is distributed equally among the patches inside. The other half follows the learned weights, with
    those outside reduced to a fifth. The result is a convex combination of two admissible weight vectors, so the
    distance belongs to the same family (Frome et al. 2006, eq. 1). Without patches inside, nothing changes.

    Parameters
    ----------
    model : FocalImage
        A focal image of M patches.
    inner : ndarray of bool, shape (M,)
    """
    total = float(model.weights.sum())
    if not inner.any() or total <= 0:
        return model
    learned = model.weights.astype(np.float64) * np.where(inner, 1.0, OUTSIDE)
    prior = inner / inner.sum()
    share = learned / learned.sum() if learned.sum() > 0 else prior
    weights = total * (PRIOR * prior + (1 - PRIOR) * share)
    return model._replace(weights=weights.astype(np.float32))
