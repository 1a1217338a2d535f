"""Photos in an order in which alike ones stand side by side, so that one gesture answers for several."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

AS_SURE: Final = 0.4
"""Difference of confidence up to which alike photos stand side by side."""

_SURE: Final = 0.9  # photos as sure as this keep their places: there is little to answer
_WINDOW: Final = 16  # most photos that one may come before
_ALIKE: Final = 1.2  # distance of alike photos, in typical distances to the second nearest
_LARGEST: Final = 8  # photos of a group, whose percentage would else say little
_LAST: Final = 3  # photos of a group that its next one is to be near


class Arranged(NamedTuple):
    """An order of photos.

    Attributes
    ----------
    order : ndarray of intp, shape (n,)
    groups : ndarray of intp, shape (n,)
        In that order: the number of the group of alike photos that each belongs to, from 0.
    """

    order: NDArray[np.intp]
    groups: NDArray[np.intp]


def side_by_side(
    rows: NDArray[np.floating], confidences: NDArray[np.floating], line: int, as_sure: float = AS_SURE
) -> Arranged:
    """Return an order in which mean confidence falls from group to group, and groups of alike photos.

    The surest photo that is left begins a group. Photos join it that are alike one of its photos, among the `_WINDOW`
    next surest, if they are at most `as_sure` less sure and on the same side of the line. Photos are alike if their
    distance is at most `_ALIKE` times the median distance of a photo to its second nearest.

    Parameters
    ----------
    rows : ndarray of float, shape (n, d)
        Coordinates of the photos.
    confidences : ndarray of float, shape (n,)
        0..1, descending.
    line : int
        Number of photos above the line; no photo changes sides.
    as_sure : float
        Difference of confidence up to which one photo may stand before another.

    Returns
    -------
    Arranged
        On each side of the line the mean confidence falls from group to group.
    """
    X = rows.astype(np.float64)
    squares = np.square(X).sum(axis=1)
    distances = np.sqrt(np.maximum(squares[:, None] + squares - 2 * (X @ X.T), 0))
    alike = distances <= _alike(distances)
    sure = int((confidences >= _SURE).sum())
    found, left = [[i] for i in range(sure)], list(range(sure, len(X)))
    while left:
        lead = left[0]
        window = [i for i in left[1 : _WINDOW + 1] if confidences[i] >= confidences[lead] - as_sure]
        found.append(_group(lead, [i for i in window if (i < line) == (lead < line)], distances, alike))
        left = [i for i in left if i not in found[-1]]
    found.sort(key=lambda group: (group[0] >= line, -float(confidences[group].mean())))
    order = np.array([i for group in found for i in group], dtype=np.intp)
    return Arranged(order, np.repeat(np.arange(len(found)), [len(group) for group in found]).astype(np.intp))


def _alike(distances: NDArray[np.float64]) -> float:
    """Return the distance up to which photos are alike: typically a photo has one or two that are."""
    if len(distances) < 3:
        return 0.0
    second = np.partition(distances, 2, axis=1)[:, 2]  # the nearest is the photo itself
    return _ALIKE * float(np.median(second))


def _group(lead: int, window: list[int], distances: NDArray[np.float64], alike: NDArray[np.bool_]) -> list[int]:
    """Return a photo and those of a window that are alike one of its group, each near the last few before it."""
    group = [lead]
    while window and len(group) < _LARGEST:
        joins = alike[np.ix_(window, group)].any(axis=1)
        if not joins.any():
            break
        near = np.where(joins, distances[np.ix_(window, group[-_LAST:])].mean(axis=1), np.inf)
        group.append(window.pop(int(np.argmin(near))))
    return group
