# SPDX-License-Identifier: MIT
"""Stacks of duplicates outside rankings: one photo represents its group while the user culls."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.duplicates import find_duplicates

_WANTED: Final = CacheEntry[bool]("whether photos in folder order are stacked")


def stack_in_folder_order(library: Library, on: bool) -> None:
    """Show groups as stacks outside rankings, or all photos again, for this session."""
    library.cache.put(_WANTED, None, on)


def stack(library: Library, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], dict[int, int]] | None:
    """Return photos in order with groups stacked; None if nothing is stacked.

    The photo proposed for keeping (the best rated, in bursts the sharpest) takes the place of the first photo of its
    group.

    Parameters
    ----------
    ids : ndarray of int64, shape (n,)

    Returns
    -------
    ids : ndarray of int64, shape (m,)
    counts : dict of int to int
        Number of other photos represented by each top photo.
    """
    if not library.cache.get(_WANTED, None):
        return None

    known = find_duplicates.known_duplicates(library)
    if known is None or not known.groups:
        return None
    kept, counts = find_duplicates.fold(known, ids, find_duplicates.unfolded(library), np.empty(0, dtype=np.int64))
    if kept.all():
        return None
    here = set(ids.tolist())
    tops = {
        first: next(each for each in known.groups[known.table[first]].photo_ids if each in here) for first in counts
    }
    stacked = np.array([tops.get(each, each) for each in ids[kept].tolist()], dtype=np.int64)
    return stacked, {tops[first]: count for first, count in counts.items()}
