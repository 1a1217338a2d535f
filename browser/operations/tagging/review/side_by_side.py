# SPDX-License-Identifier: MIT
"""Arrange photos with similar ones side by side, so that one gesture answers for several."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

AS_SURE: Final = 0.4
"""Maximum difference of confidence between similar photos side by side."""

_CERTAIN_CONFIDENCE: Final = 0.9  # photos at least this certain keep their places: there is little to answer
_WINDOW: Final = 16  # maximum number of photos that one may overtake
_MAX_SIMILAR_DISTANCE: Final = 1.2  # maximum distance of similar photos, in median distances to the second nearest
_MAX_GROUP: Final = 8  # photos of a group; in larger groups, a common percentage would mean little
_COMPARED_PHOTOS: Final = 3  # photos of a group to which its next one must be near


class Arranged(NamedTuple):
    """An arrangement of photos."""

    order: NDArray[np.intp]
    """Shape (n,)."""
    groups: NDArray[np.intp]
    """In that order: group number of each photo, from 0; shape (n,)."""


def side_by_side(
    rows: NDArray[np.floating], confidences: NDArray[np.floating], line: int, as_sure: float = AS_SURE
) -> Arranged:
    """Return groups of similar photos, arranged by descending mean confidence.

    The most confident remaining photo starts a group. The `_WINDOW` next photos join it if they are similar to one of
    its photos, at most `as_sure` less confident, and on the same side of the line. Photos are similar if their distance
    is at most `_MAX_SIMILAR_DISTANCE` times the median distance of a photo to its second nearest.

    Parameters
    ----------
    rows : ndarray of float, shape (n, d)
        Coordinates of the photos.
    confidences : ndarray of float, shape (n,)
        0..1, descending.
    line : int
        Number of photos above the line; no photo changes sides.
    as_sure : float
        Maximum difference of confidence at which one photo may precede another.

    Returns
    -------
    Arranged
        On each side of the line, the mean confidence descends from group to group.
    """
    X = rows.astype(np.float64)
    squares = np.square(X).sum(axis=1)
    distances = np.sqrt(np.maximum(squares[:, None] + squares - 2 * (X @ X.T), 0))
    alike = distances <= _alike(distances)
    sure = int((confidences >= _CERTAIN_CONFIDENCE).sum())
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
    """Return the maximum distance of similar photos: typically a photo has one or two similar ones."""
    if len(distances) < 3:
        return 0.0
    second = np.partition(distances, 2, axis=1)[:, 2]  # the nearest is the photo itself
    return _MAX_SIMILAR_DISTANCE * float(np.median(second))


def _group(lead: int, window: list[int], distances: NDArray[np.float64], alike: NDArray[np.bool_]) -> list[int]:
    """Return a photo and similar photos from a window, ordered such that each is near the last few before it."""
    group = [lead]
    while window and len(group) < _MAX_GROUP:
        joins = alike[np.ix_(window, group)].any(axis=1)
        if not joins.any():
            break
        near = np.where(joins, distances[np.ix_(window, group[-_COMPARED_PHOTOS:])].mean(axis=1), np.inf)
        group.append(window.pop(int(np.argmin(near))))
    return group
