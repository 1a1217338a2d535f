"""A photo to begin with: one whose nearest photos are much closer to it than the others are."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

NEAREST: Final = 6
"""Neighbours that count."""
_SAMPLE: Final = 128  # photos that are compared with the others
_OTHERS: Final = 4096
_COPY: Final = 0.1
"""Distance, in median distances, below which two photos count as copies: they show nothing about similarity."""


def good_example(ids: NDArray[np.int64], rows: NDArray[np.float32]) -> int | None:
    """Return the photo whose neighbourhood stands out most; None where there are too few photos to tell.

    Of up to 128 photos, evenly spaced, each is compared with up to 4,096 others, evenly spaced too. The one wins that
    is nearest to its `NEAREST`-th nearest photo, copies left out, in units of its median distance: a short burst makes
    no good example.

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
    if n < NEAREST + 2:
        return None
    others = np.linspace(0, n - 1, min(n, _OTHERS)).astype(np.intp)
    compared = rows[others].astype(np.float32)
    best, chosen = np.inf, None
    for row in np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.intp).tolist():
        distances = np.linalg.norm(compared - rows[row].astype(np.float32), axis=1)[others != row]
        middle = float(np.median(distances))
        near = distances[distances > _COPY * middle]
        if middle <= 0 or len(near) < NEAREST:
            continue
        score = float(np.partition(near, NEAREST - 1)[NEAREST - 1]) / middle
        if score < best:
            best, chosen = score, int(ids[row])
    return chosen
