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
_MOST_CACHED: Final = 2048

Prints = NDArray[np.float32]


def correlation(one: Prints, other: Prints) -> float:
    """Return the largest correlation of two pictures, -1..1, with or without cropping either of them.

    Parameters
    ----------
    one, other : ndarray of float32, shape (4, 1024)
        Results of `cuts`.
    """
    return float(max((one[0] @ other.T).max(), (other[0] @ one.T).max()))


def cuts(thumbnail: bytes | None) -> Prints | None:
    """Return the grey values of a picture, complete and cropped on all sides, each with mean 0 and length 1.

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
    found = []
    for cut in _CUT:
        box = (cut * width, cut * height, width - cut * width, height - cut * height)
        values = np.asarray(grey.resize((_SIDE, _SIDE), Image.Resampling.LANCZOS, box=box), dtype=np.float32).ravel()
        values -= values.mean()
        length = float(np.linalg.norm(values))
        if length < _SIDE:  # on average one grey level of difference: noise
            return None
        found.append(values / length)
    return np.stack(found)


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
