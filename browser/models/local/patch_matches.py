# SPDX-License-Identifier: MIT
"""The best-matching patches of two photos, as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.photos.tiles import PhotoCard

if TYPE_CHECKING:
    from focal_photos.browser.operations.ranking.local.explain import PatchMatches


@dataclass(frozen=True)
class MatchedPair:
    """A patch of the focal image and its best match on the other photo."""

    kind: int
    """Index in `LocalView.kinds`."""
    share: float
    """Share of the pair in the total similarity, 0..1."""
    focal: tuple[float, float]
    other: tuple[float, float]
    """`focal` and `other`: x and y as shares of the width and the height of each photo."""


@dataclass(frozen=True)
class Matches:
    """The best-matching patches of the focal image and another photo, the most important first."""

    focal: PhotoCard
    other: PhotoCard
    pairs: tuple[MatchedPair, ...]


def matched_pairs(found: PatchMatches) -> tuple[MatchedPair, ...]:
    """Convert matches to plain values."""
    rows = zip(found.kind.tolist(), found.share.tolist(), found.focal.tolist(), found.other.tolist(), strict=True)
    return tuple(MatchedPair(kind, share, (*focal,), (*other,)) for kind, share, focal, other in rows)
