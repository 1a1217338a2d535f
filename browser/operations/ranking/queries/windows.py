# SPDX-License-Identifier: MIT
"""Windows of photos as rows of numbers, and the window nearest to a region."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.catalog.facts.records import Region
from focal_photos.features.fitted.fisher_windows import WIDTH, WINDOWS


def unit_windows(store: CodeStore, ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the windows of photos (n,), of unit length: float32 (n, 55, 144); 0 without points.

    Parameters
    ----------
    store : CodeStore
        Codes of windows, of all the photos.
    """
    rows = store.rows(ids).view(np.int8).reshape(len(ids), len(WINDOWS), WIDTH).astype(np.float32)
    lengths = np.sqrt(np.einsum("nwd,nwd->nw", rows, rows))
    rows /= np.maximum(lengths, 1.0)[:, :, None]
    return rows


def overlaps(region: Region) -> NDArray[np.float32]:
    """Return the overlap of a region with each window, as a share of their union: (55,)."""
    low, high = np.array([region.x0, region.y0]), np.array([region.x1, region.y1])
    sides = np.clip(np.minimum(WINDOWS[:, 2:], high) - np.maximum(WINDOWS[:, :2], low), 0, None)
    shared = sides.prod(axis=1)
    union = (WINDOWS[:, 2:] - WINDOWS[:, :2]).prod(axis=1) + (high - low).prod() - shared
    return np.asarray(shared / union, np.float32)


def nearest_window(region: Region) -> int:
    """Return the number of the window that overlaps most with a region."""
    return int(overlaps(region).argmax())
