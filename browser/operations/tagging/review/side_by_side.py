"""Photos in an order in which alike ones stand side by side, so that one gesture answers for several."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

AS_SURE: Final = 0.4
"""Difference up to which one photo is about as sure as another."""

_SURE: Final = 0.9  # so sure ones keep their places: there is little to answer
_WINDOW: Final = 16  # places by which a photo is moved back at the most
_LAST: Final = 3  # photos that the next one is to be like


def side_by_side(
    rows: NDArray[np.floating], confidences: NDArray[np.floating], as_sure: float = AS_SURE
) -> NDArray[np.intp]:
    """Return an order that is roughly that of confidence, and in which the next photo is like those before it.

    Of the `_WINDOW` surest that are left, the one nearest to the last three comes next: what is flipped is then flipped
    in runs. A photo that was passed over `_WINDOW` times is next whatever it is like.

    Parameters
    ----------
    rows : ndarray of float, shape (n, d)
        What the photos look like.
    confidences : ndarray of float, shape (n,)
        0..1, descending.
    as_sure : float
        Difference of confidence up to which one photo may stand before another.

    Returns
    -------
    ndarray of intp, shape (n,)
    """
    X = rows.astype(np.float64)
    squares = np.square(X).sum(axis=1)
    distances = np.sqrt(np.maximum(squares[:, None] + squares - 2 * (X @ X.T), 0))
    sure = int((confidences >= _SURE).sum())
    order, left = list(range(sure)), list(range(sure, len(X)))
    while left:
        overdue = not order or len(order) - left[0] >= _WINDOW
        near_enough = [i for i in left[:_WINDOW] if confidences[i] >= confidences[left[0]] - as_sure]
        near = distances[np.ix_(near_enough, order[-_LAST:])]
        order.append(left.pop(0 if overdue else int(np.argmin(near.mean(axis=1)))))
    return np.array(order, dtype=np.intp)
