"""What is shown of a local distance, as plain values and pictures; made in a background thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QImage

from browser.models.local.heat import heat, heat_image
from browser.models.photos.tiles import PhotoCard
from browser.operations.ranking.local.parts import FocalPatches, PatchMatches


@dataclass(frozen=True)
class HeatMap:
    """The focal image's weights as maps.

    Attributes
    ----------
    photo_id : int
    maps : tuple of QImage
        To be laid over the photo: of all patches, then of each kind.
    shares : tuple of float
        Part of all weight that each map shows; the first is 1.
    learned : bool
        False where all patches weigh the same, because nothing is known about the photo yet.
    reach : tuple of float
        How far a patch of each kind reaches, as a share of the photo's longer side.
    """

    photo_id: int
    maps: tuple[QImage, ...]
    shares: tuple[float, ...]
    learned: bool
    reach: tuple[float, ...]


@dataclass(frozen=True)
class MatchedPair:
    """A patch of the focal image and the one that it matches best on the other photo.

    Attributes
    ----------
    kind : int
        Number in `LocalView.kinds`.
    share : float
        0..1: the part of all that speaks for the other photo.
    focal, other : (float, float)
        x and y as shares of the width and the height of either photo.
    """

    kind: int
    share: float
    focal: tuple[float, float]
    other: tuple[float, float]


@dataclass(frozen=True)
class Matches:
    """The best-matching patches of the focal image and another photo, those that say most first."""

    focal: PhotoCard
    other: PhotoCard
    pairs: tuple[MatchedPair, ...]


def make_heat_map(patches: FocalPatches, aspect: float) -> HeatMap:
    """Return the maps of a focal image's patches; for a background thread.

    Parameters
    ----------
    patches : FocalPatches
    aspect : float
        Width of the photo over its height.
    """
    of_kind = [patches.kind == number for number in range(len(patches.kinds))]
    groups = [np.ones(len(patches.kind), bool), *of_kind]
    total = max(float(patches.weights.sum()), 1e-12)
    return HeatMap(
        patches.photo_id,
        tuple(heat_image(heat(patches.points[g], patches.weights[g], patches.radii[g], aspect)) for g in groups),
        tuple(float(patches.weights[g].sum()) / total for g in groups),
        bool(np.ptp(patches.weights) > 0) if len(patches.weights) else False,
        tuple(float(patches.radii[g].max(initial=0.0)) for g in of_kind),
    )


def matched_pairs(found: PatchMatches) -> tuple[MatchedPair, ...]:
    """Return matches as plain values."""
    rows = zip(found.kind.tolist(), found.share.tolist(), found.focal.tolist(), found.other.tolist(), strict=True)
    return tuple(MatchedPair(kind, share, (*focal,), (*other,)) for kind, share, focal, other in rows)
