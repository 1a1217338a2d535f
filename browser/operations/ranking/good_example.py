# SPDX-License-Identifier: MIT
"""Choose a photo to start with: one whose nearest photos are much closer to it than the rest."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

NEIGHBORS: Final = 6
"""Number of neighbours that count."""
_SAMPLE: Final = 128  # candidate photos, each compared with up to `_SAMPLED_PHOTOS`
_SAMPLED_PHOTOS: Final = 4096
_COPY: Final = 0.1
"""Distance, in units of the median distance, below which two photos count as copies and are ignored."""


def good_example(ids: NDArray[np.int64], rows: NDArray[np.float32]) -> int | None:
    """Return the photo whose neighbourhood stands out most, or None if there are too few photos.

    Up to 128 evenly spaced photos are each compared with up to 4,096 evenly spaced others. The photo with the smallest
    distance to its `NEIGHBORS`-th nearest photo wins, in units of its median distance. Copies do not count, so that a
    short burst makes no good example.

    Parameters
    ----------
    ids : ndarray of int64, shape (n,)
    rows : ndarray of float32 or float16, shape (n, d)
        Euclidean coordinates of the photos.

    Returns
    -------
    int or None
        A photo id.
    """
    n = len(ids)
    if n < NEIGHBORS + 2:
        return None
    others = np.linspace(0, n - 1, min(n, _SAMPLED_PHOTOS)).astype(np.intp)
    compared = rows[others].astype(np.float32)
    best, chosen = np.inf, None
    for row in np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.intp).tolist():
        distances = np.linalg.norm(compared - rows[row].astype(np.float32), axis=1)[others != row]
        middle = float(np.median(distances))
        near = distances[distances > _COPY * middle]
        if middle <= 0 or len(near) < NEIGHBORS:
            continue
        score = float(np.partition(near, NEIGHBORS - 1)[NEIGHBORS - 1]) / middle
        if score < best:
            best, chosen = score, int(ids[row])
    return chosen
