# SPDX-License-Identifier: MIT
"""Test whether two thumbnails show the same picture, possibly resized, compressed or slightly cropped."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Box, Region

MIN_CORRELATION: Final = 0.965
"""Minimum correlation of equal pictures."""

_SIDE: Final = 32
_CUT_SHARES: Final = (0.0, 0.015, 0.03, 0.05)  # shares cut off at each side
_FRAME: Final = 24  # grey levels by which a pixel within the frame differs from the usual edge
_LEAST_PIXELS: Final = 8
_LEAST_SIDE: Final = 12  # pixels of the thumbnail: in smaller regions, much looks the same
_MOST_CACHED: Final = 2048

WHOLE_PICTURE: Final = Region(0.0, 0.0, 1.0, 1.0)
"""The region of a whole picture."""

Prints = NDArray[np.float32]


def correlation(one: Prints, other: Prints) -> float:
    """Return the largest correlation of two pictures, -1..1, with or without cropping either of them.

    Pixels in which both pictures show their frame are ignored: different photos in the same wide frame, or of objects
    on the same background, would otherwise correlate.

    Parameters
    ----------
    one, other : ndarray of float32, shape (4, 1024)
        Results of `cuts`.
    """
    pairs = [(one[0], cut) for cut in other] + [(cut, other[0]) for cut in one[1:]]
    return max(_correlation(*pair) for pair in pairs)


def _correlation(one: Prints, other: Prints) -> float:
    inside = (np.abs(one) > _FRAME) | (np.abs(other) > _FRAME)
    if inside.sum() < _LEAST_PIXELS:
        return 0.0
    x, y = one[inside], other[inside]
    x, y = x - x.mean(), y - y.mean()
    lengths = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / lengths if lengths else 0.0


def cuts(thumbnail: bytes | None, region: Region = WHOLE_PICTURE) -> Prints | None:
    """Return the grey values of a picture or a region of it, complete and cropped on all sides.

    0 is the usual grey of its edge. None if the picture is missing, unreadable, without structure, or the region is
    smaller than `_LEAST_SIDE` pixels.
    """
    from PIL import Image, UnidentifiedImageError

    if thumbnail is None:
        return None
    try:
        grey = Image.open(io.BytesIO(thumbnail)).convert("L")
    except (OSError, UnidentifiedImageError):
        return None
    left, top, right, bottom = (
        side * length for side, length in zip((region.x0, region.y0, region.x1, region.y1), grey.size * 2, strict=True)
    )
    width, height = right - left, bottom - top
    if region != WHOLE_PICTURE and min(width, height) < _LEAST_SIDE:
        return None
    boxes = [
        (left + cut * width, top + cut * height, right - cut * width, bottom - cut * height) for cut in _CUT_SHARES
    ]
    sides = (_SIDE, _SIDE)
    found = np.stack([np.asarray(grey.resize(sides, Image.Resampling.LANCZOS, box), dtype=np.float32) for box in boxes])
    if found.std(axis=(1, 2)).min() < 1:  # on average one grey level of difference: noise
        return None
    whole = found[0]
    edge = np.concatenate([whole[0], whole[-1], whole[:, 0], whole[:, -1]])
    return found.reshape(len(_CUT_SHARES), -1) - np.float32(np.median(edge))


class Pictures:
    """Cache of the pictures of photos or boxes used last.

    Parameters
    ----------
    read : callable
        Returns the thumbnail of a photo id.
    boxes : mapping of int to Box
        Boxes by their items (`catalog.facts.learning.items`).
    """

    def __init__(self, read: Callable[[int], bytes | None], boxes: Mapping[int, Box] = MappingProxyType({})) -> None:
        self._read, self._boxes = read, boxes
        self._cached: OrderedDict[int, Prints | None] = OrderedDict()

    def same(self, one: int, other: int) -> bool:
        """Return whether two photos or boxes show the same picture."""
        both = self.cuts(one), self.cuts(other)
        return both[0] is not None and both[1] is not None and correlation(*both) >= MIN_CORRELATION  # type: ignore[arg-type]

    def cuts(self, item: int) -> Prints | None:
        """Return the result of `cuts` for a photo or a box."""
        if item not in self._cached:
            box = self._boxes.get(item)
            self._cached[item] = cuts(self._read(item)) if box is None else cuts(self._read(box.photo_id), box.region)
            if len(self._cached) > _MOST_CACHED:
                self._cached.popitem(last=False)
        self._cached.move_to_end(item)
        return self._cached[item]
