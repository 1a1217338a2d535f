"""Teach by region: a box on a focal image says which of its patches matter."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Photo, Region
from focal_photos.browser.operations.ranking.local.patches import PhotoPatches
from focal_photos.features.decoding.limits import WORKING_SIDE, fit_within
from focal_photos.learners.local.local_distances import FocalImage

OUTSIDE: Final = 0.2
"""What a learned weight outside the region counts beside one inside."""

PRIOR: Final = 0.5
"""Share of all weight that the patches in the region have alike, whatever was learned: it may have been nothing."""


def inside(patches: PhotoPatches, region: Region, photo: Photo) -> NDArray[np.bool_]:
    """Return which patches of a photo lie in a region of it, bool (M,)."""
    size = fit_within((photo.width or 1, photo.height or 1), WORKING_SIDE)
    x, y = ((np.concatenate(patches.points) + 0.5) / np.array(size)).T
    found: NDArray[np.bool_] = (region.x0 <= x) & (x <= region.x1) & (region.y0 <= y) & (y <= region.y1)
    return found


def emphasised(model: FocalImage, inner: NDArray[np.bool_]) -> FocalImage:
    """Return a focal image whose patches in a region weigh more, and together with the others as much as before.

    Half of all weight is shared alike by the patches inside; the other half is as it was learned, those outside
    counting a fifth. The weights are a convex combination of two that are allowed, so that the distance is one of the
    same family (Frome et al. 2006, eq. 1). No patch inside: nothing changes.

    Parameters
    ----------
    model : FocalImage
        Of M patches.
    inner : ndarray of bool, shape (M,)

    Returns
    -------
    FocalImage
    """
    total = float(model.weights.sum())
    if not inner.any() or total <= 0:
        return model
    learned = model.weights.astype(np.float64) * np.where(inner, 1.0, OUTSIDE)
    prior = inner / inner.sum()
    share = learned / learned.sum() if learned.sum() > 0 else prior
    weights = total * (PRIOR * prior + (1 - PRIOR) * share)
    return model._replace(weights=weights.astype(np.float32))
