# SPDX-License-Identifier: MIT
"""Test whether two thumbnails show the same picture, possibly resized, compressed or slightly cropped."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

SAME: Final = 0.965
"""Minimum correlation of equal pictures."""

_SIDE: Final = 32
_CUT: Final = (0.0, 0.015, 0.03, 0.05)  # shares cut off at each side
_FRAME: Final = 24  # grey levels by which a pixel within the frame differs from the usual edge
_LEAST_PIXELS: Final = 8
_MOST_CACHED: Final = 2048

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


def cuts(thumbnail: bytes | None) -> Prints | None:
    """Return the grey values of a picture, complete and cropped on all sides; 0 is the usual grey of its edge.

    None if the picture is missing, unreadable or without structure.
    """
    from PIL import Image, UnidentifiedImageError

    if thumbnail is None:
        return None
    try:
        grey = Image.open(io.BytesIO(thumbnail)).convert("L")
    except (OSError, UnidentifiedImageError):
        return None
    width, height = grey.size
    boxes = [(cut * width, cut * height, width - cut * width, height - cut * height) for cut in _CUT]
    sides = (_SIDE, _SIDE)
    found = np.stack([np.asarray(grey.resize(sides, Image.Resampling.LANCZOS, box), dtype=np.float32) for box in boxes])
    if found.std(axis=(1, 2)).min() < 1:  # on average one grey level of difference: noise
        return None
    whole = found[0]
    edge = np.concatenate([whole[0], whole[-1], whole[:, 0], whole[:, -1]])
    return found.reshape(len(_CUT), -1) - np.float32(np.median(edge))


class Pictures:
    """Cache of the pictures of photos used last.

    Parameters
    ----------
    read : callable
        Returns the thumbnail of a photo id.
    """

    def __init__(self, read: Callable[[int], bytes | None]) -> None:
        self._read = read
        self._cached: OrderedDict[int, Prints | None] = OrderedDict()

    def same(self, one: int, other: int) -> bool:
        """Return whether two photos show the same picture."""
        both = self._cuts(one), self._cuts(other)
        return both[0] is not None and both[1] is not None and correlation(*both) >= SAME  # type: ignore[arg-type]

    def _cuts(self, photo_id: int) -> Prints | None:
        if photo_id not in self._cached:
            self._cached[photo_id] = cuts(self._read(photo_id))
            if len(self._cached) > _MOST_CACHED:
                self._cached.popitem(last=False)
        self._cached.move_to_end(photo_id)
        return self._cached[photo_id]
