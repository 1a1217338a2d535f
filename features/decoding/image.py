"""The decoded photo that all descriptors of it share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.opencv import cv2

S = TypeVar("S")
T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True)
class ImageHeader:
    """What a photo says of itself.

    Attributes
    ----------
    format : str
        ``"JPEG"``, ``"PNG"``, ... as Pillow names it; ``"RAW"`` for camera raw files, ``"array"`` for
        `WorkingImage.from_array`.
    width, height : int
        Size in pixels of the full image, right way up.
    taken : datetime or None
        When the camera says it was taken, in the camera's own time (EXIF has no time zone).
    warning : str
        What is wrong with a file that can be decoded all the same: it is incomplete. Empty: nothing.
    """

    format: str
    width: int
    height: int
    taken: datetime | None = None
    warning: str = ""


class WorkingImage:
    """The decoded photo that all descriptors share.

    Attributes
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        sRGB, right way up, C-contiguous and read-only.
    header : ImageHeader
        The photo's own size, format and date.
    """

    def __init__(self, rgb: NDArray[np.uint8], header: ImageHeader) -> None:
        if rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3 or 0 in rgb.shape:
            raise ValueError(f"An image is uint8 (h, w, 3) and not empty, this is {rgb.dtype} {rgb.shape}.")
        # A view, so that the caller's own array keeps its flags.
        self.rgb: NDArray[np.uint8] = np.ascontiguousarray(rgb).view()
        self.rgb.setflags(write=False)
        self.header = header
        self._cache: dict[Hashable, object] = {}

    @classmethod
    def from_array(cls, rgb: NDArray[np.uint8]) -> WorkingImage:
        """Wrap pixels (h, w, 3) uint8 that come from elsewhere; they are neither copied nor resized."""
        return cls(rgb, ImageHeader("array", rgb.shape[1], rgb.shape[0]))

    def cached(self, key: Hashable, compute: Callable[[], S]) -> S:
        """Return what `compute` gives, computed at the first call with this key only.

        Descriptors share intermediates through it: filter responses, edges, points, vectors of a local
        descriptor. What is kept must not be changed by anyone.

        Parameters
        ----------
        key : hashable
            A descriptor or a tuple that begins with a name; the same key always means the same computation.
        compute : callable
            Without arguments.
        """
        if key not in self._cache:
            self._cache[key] = compute()
        return self._cache[key]  # type: ignore[return-value]

    @functools.cached_property
    def gray(self) -> NDArray[np.float32]:
        """Luma (ITU-R BT.601) in 0..255, float32 (h, w), read-only; not rounded to whole grey levels."""
        gray = cv2.transform(self.rgb.astype(np.float32), np.array([[0.299, 0.587, 0.114]], np.float32))
        return _read_only(gray.reshape(self.rgb.shape[:2]).astype(np.float32, copy=False))

    @functools.cached_property
    def gray_levels(self) -> NDArray[np.uint8]:
        """Luma rounded to whole grey levels, uint8 (h, w), read-only."""
        return _read_only(cv2.cvtColor(self.rgb, cv2.COLOR_RGB2GRAY).astype(np.uint8, copy=False))

    @functools.cached_property
    def hsv(self) -> NDArray[np.uint8]:
        """Hue, saturation and value, each over the full range 0..255, uint8 (h, w, 3), read-only."""
        return _read_only(cv2.cvtColor(self.rgb, cv2.COLOR_RGB2HSV_FULL).astype(np.uint8, copy=False))


def _read_only(array: NDArray[T]) -> NDArray[T]:
    array.setflags(write=False)
    return array
