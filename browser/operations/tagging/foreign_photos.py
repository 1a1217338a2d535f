# SPDX-License-Identifier: MIT
"""Photos that are unlike all tagged ones: their detection in the coordinates of rankings, and their share by folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.tagging.annotated import some_of, with_rare_tags
from focal_photos.learners.core.arrays.distinct import distinct
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.tags.confidence.foreign import ForeignOdds
from focal_photos.learners.tags.confidence.tag_confidence import TagConfidence
from focal_photos.learners.tags.confidence.unlikeness import Nearness
from focal_photos.learners.tags.tag_ridge import TagScores

COMPARED: Final = 800
"""Maximum number of tagged photos with which others are compared."""

_MAX_UNTAGGED: Final = 600  # untagged photos in this comparison: the time grows with the cube of both
_BLOCK: Final = 2048  # photos whose coordinates are in memory at once


@dataclass(frozen=True, eq=False)
class ForeignPhotos:
    """Detector of photos unlike all tagged ones, in the coordinates of rankings."""

    looks: MetricGallery
    odds: ForeignOdds
    nearness: Nearness
    ids: NDArray[np.int64]
    """Training photos, ascending; shape (s,)."""
    log_odds: NDArray[np.float64]
    p_values: NDArray[np.float64]
    nearer: NDArray[np.float64]
    """`log_odds`, `p_values` and `nearer`: results for the training photos, each left out in turn; shape (s,)."""
    kind_left_out: NDArray[np.float64]
    """The last if all photos of its tag are untagged; NaN for untagged photos; shape (s,)."""
    folders: FolderShares | None
    """Shares of foreign photos by folder; None if all untagged photos are in one folder."""

    def shares(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the shares of foreign photos in the folders of photos (q,): float64 (q,), 0..1."""
        return np.full(len(ids), self.odds.share_) if self.folders is None else self.folders.of(ids)[:, 0]

    def signs(self, ids: NDArray[np.int64]) -> ForeignSigns:
        """Return the signs of photos (q,); all must be in `looks`."""
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        learned = self.ids[at] == ids
        found = ForeignSigns(self.log_odds[at], self.p_values[at], self.nearer[at])
        others = np.flatnonzero(~learned)
        for part in blocks(len(others), _BLOCK):
            rows = np.asarray(self.looks.rows[self.looks.row_table[ids[others[part]]]])
            found.log_odds[others[part]], found.p_values[others[part]] = self.odds.signs(rows)
            found.nearer[others[part]] = self.nearness.of(rows)
        return found

    def kinds_left_out(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return `kind_left_out` of photos (q,): NaN for others than the tagged training photos."""
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[at] == ids, self.kind_left_out[at], np.nan)


class ForeignSigns(NamedTuple):
    """Signs of photos that no tag explains: log odds of a foreign photo, p-values, and `Nearness`; float64 (q,)."""

    log_odds: NDArray[np.float64]
    p_values: NDArray[np.float64]
    nearer: NDArray[np.float64]


def compare_with_tagged(
    library: Library,
    looks: MetricGallery,
    ids: NDArray[np.int64],
    tags: scipy.sparse.csr_array,
    untagged: NDArray[np.int64],
) -> ForeignPhotos | None:
    """Fit the detector to samples of photos (s,) with tags (s, m) and of untagged ones; None if no photo has a tag."""
    tagged = np.flatnonzero(np.diff(tags.indptr))
    if not len(tagged):
        return None
    chosen = tagged[with_rare_tags(scipy.sparse.csr_array(tags[tagged]), COMPARED)]
    untagged = some_of(untagged, _MAX_UNTAGGED)
    compared = np.concatenate([ids[chosen], untagged])
    rows = np.asarray(looks.rows[looks.row_table[compared]])
    odds = ForeignOdds().fit(rows[: len(chosen)], rows[len(chosen) :])
    known = odds.unlikeness_
    others = known.p_values(known.of(rows[len(chosen) :])) if len(untagged) else np.empty(0)
    p = np.concatenate([known.own_p_values, others])
    nearness = Nearness().fit(rows[: len(chosen)], scipy.sparse.csr_array(tags[chosen]), rows[len(chosen) :])
    order = np.argsort(compared)
    log_odds = np.concatenate([odds.left_out_, odds.untagged_])
    nearer = np.concatenate([nearness.left_out_, nearness.of_untagged_])
    kinds = np.concatenate([nearness.kind_left_out_, np.full(len(untagged), np.nan)])

    def shares(numbers: NDArray[np.intp], count: int) -> NDArray[np.float64]:
        return odds.shares_by_folder(odds.untagged_, numbers, count)[:, None]

    folders = _shares_by_folder(library, untagged, shares, [odds.share_])
    found = (log_odds[order], p[order], nearer[order], kinds[order])
    return ForeignPhotos(looks, odds, nearness, compared[order], *found, folders)


@dataclass(frozen=True, eq=False)
class FolderShares:
    """Shares of c causes, such as "foreign", among the untagged photos of each folder."""

    library: Library
    folders: NDArray[np.int64]
    """Numbers of folders (`Photos.folder_numbers`), ascending; shape (f,)."""
    shares: NDArray[np.float64]
    """Those of the folders, and last those of the library; shape (f + 1, c)."""

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the shares of the folders of photos (q,): float64 (q, c)."""
        numbers = self.library.photos.folder_numbers(ids)
        at = np.minimum(np.searchsorted(self.folders, numbers), len(self.folders) - 1)
        return self.shares[np.where(self.folders[at] == numbers, at, len(self.folders))]


def find_folder_shares(
    library: Library,
    confidence: TagConfidence,
    untagged: NDArray[np.int64],
    scores: TagScores | None,
    foreign: NDArray[np.float64],
) -> FolderShares | None:
    """Estimate the shares of new kinds and of foreign photos from untagged photos.

    Each folder has its own shares. With common ones, a second folder of photos unlike the tagged ones would make known
    photos of the first less certain, and some of its photos would get wrong tags with confidence. ALGORITHMS.md, 5.13.

    Parameters
    ----------
    confidence : TagConfidence
        Fitted to these photos.
    untagged : ndarray of int64, shape (u,)
        Untagged photos, or a sample of them.
    scores : TagScores or None
        Their scores; None if new kinds are not estimated.
    foreign : ndarray of float64, shape (u,)
        Log odds that they are foreign.

    Returns
    -------
    FolderShares or None
        None if all are in one folder.
    """
    estimate = partial(confidence.shares_by_folder, scores, foreign)
    return _shares_by_folder(library, untagged, estimate, [confidence.none_share_, confidence.foreign_share_])


def _shares_by_folder(
    library: Library,
    ids: NDArray[np.int64],
    estimate: Callable[[NDArray[np.intp], int], NDArray[np.float64]],
    of_library: list[float],
) -> FolderShares | None:
    """Return the shares by `estimate`, called with the folders of photos, 0, 1, ..., and their count; None for one."""
    numbers = library.photos.folder_numbers(ids)
    folders = distinct(numbers)
    if len(folders) < 2:
        return None
    found = estimate(np.searchsorted(folders, numbers), len(folders))
    return FolderShares(library, folders, np.vstack([found, of_library]))
