# SPDX-License-Identifier: MIT
"""The photos to which the space for tags and its neighbourhoods are fitted, as in the program."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.tagging.plausible import MIN_FOREIGN_SHARE, are_left_out
from focal_photos.learners.tags.confidence.foreign import ForeignOdds
from tests.benchmarks.common.photo_sets import Ints


def plausible_rows(
    odds: ForeignOdds, every: Ints, tagged: Ints, others: Ints, shares: NDArray[np.float64] | None = None
) -> Ints:
    """Return the positions in `every` (n,) of the photos that are not left out: intp (k,), ascending.

    Parameters
    ----------
    odds : ForeignOdds
        Fitted to tagged photos, with the rows `others` as the untagged ones.
    every, tagged, others : ndarray of intp
        Rows of all photos, ascending, and of the tagged and the other ones.
    shares : ndarray of float64, shape (u,), optional
        Shares of foreign photos in the folders of the others; default: all are in one folder.
    """
    strange = np.zeros(len(every), bool)
    shares = np.full(len(others), odds.share_) if shares is None else shares
    strange[np.searchsorted(every, others)] = odds.are_foreign(odds.untagged_, shares) & (shares > MIN_FOREIGN_SHARE)
    if not are_left_out(strange, len(tagged), len(every)):
        return np.arange(len(every))
    return np.flatnonzero(~strange)
