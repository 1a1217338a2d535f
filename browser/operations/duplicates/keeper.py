# SPDX-License-Identifier: MIT
"""Choose which of several duplicates to keep, with the reason."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

import numpy as np

from focal_photos.browser.catalog.facts.marks import REJECTED

_MIN_PIXEL_RATIO: Final = 1.02  # minimum ratio of pixels
_MIN_SHARPNESS_RATIO: Final = 1.15  # minimum ratio of sharpness; smaller differences are noise
_MIN_BYTES_RATIO: Final = 1.05  # minimum ratio of bytes


class Reason(StrEnum):
    """Deciding criterion."""

    RATED = "rated"
    NAMED = "named"
    LARGEST = "largest"
    SHARPEST = "sharpest"
    LEAST_COMPRESSED = "least compressed"
    FIRST = "first"


@dataclass(frozen=True)
class Member:
    """Properties of one of the photos, or of the boxes."""

    photo_id: int
    """Item of `catalog.facts.learning.items`."""
    pixels: int
    bytes: int
    rating: int | None
    sharpness: float
    """>= 0, of the thumbnail; 0 without one."""
    taken: datetime | None
    of_photo: int | None = None
    """The photo of a box; None for photos."""
    tag: str | None = None
    """The name of a box."""


def propose(members: Sequence[Member], *, by_sharpness: bool = True) -> tuple[list[Member], Reason]:
    """Return the photos, the one to keep first, and the deciding criterion.

    The user's rating or name comes first, then pixels, sharpness and bytes, each only if it clearly exceeds that of the
    others, and finally the earliest time.

    Parameters
    ----------
    members : sequence of Member
        At least one.
    by_sharpness : bool
        Whether sharpness counts. It must not for copies of one photo, where edges of JPEG blocks would count as
        sharpness.
    """
    by_time = sorted(members, key=lambda one: (one.taken is None, one.taken or datetime.min, abs(one.photo_id)))
    left = by_time
    reason = Reason.FIRST
    criteria: list[tuple[Reason, Callable[[Member], float], float]] = [
        (Reason.RATED, _stars, 1.0),
        (Reason.NAMED, lambda one: one.tag is not None, 1.0),
        (Reason.LARGEST, lambda one: one.pixels, _MIN_PIXEL_RATIO),
        (Reason.SHARPEST, lambda one: one.sharpness, _MIN_SHARPNESS_RATIO),
        (Reason.LEAST_COMPRESSED, lambda one: one.bytes, _MIN_BYTES_RATIO),
    ]
    for criterion, value, factor in criteria:
        if criterion is Reason.SHARPEST and not by_sharpness:
            continue
        best = max(map(value, left))
        near = [one for one in left if value(one) * factor >= best]
        if len(near) < len(left):
            reason = criterion
        left = near
        if len(left) == 1:
            break
    keep = left[0]
    return [keep, *(one for one in by_time if one is not keep)], reason


def _stars(member: Member) -> float:
    """Return the rating as a number that ascends with quality; unrated is between rejected and one star."""
    return 1.0 if member.rating is None else 0.0 if member.rating == REJECTED else 1.0 + member.rating


def sharpness(thumbnail: bytes | None) -> float:
    """Return the mean square of a picture's Laplacian divided by the variance of its grey values; >= 0.

    It does not depend on contrast. 0 if the picture is missing or unreadable.
    """
    from PIL import Image, UnidentifiedImageError

    if thumbnail is None:
        return 0.0
    try:
        grey = np.asarray(Image.open(io.BytesIO(thumbnail)).convert("L"), dtype=np.float64)
    except (OSError, UnidentifiedImageError):
        return 0.0
    spread = float(grey.var())
    if min(grey.shape) < 3 or spread < 1:
        return 0.0
    inner = grey[1:-1, 1:-1]
    laplacian = grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:] - 4 * inner
    return float(np.square(laplacian).mean()) / spread
