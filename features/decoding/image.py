# SPDX-License-Identifier: MIT
"""The decoded photo shared by all descriptors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.limits import fit_within

SMALL_SIDE: Final = 128
"""Longest side in pixels of `WorkingImage.small`."""

_LEAST_SIDE: Final = 4  # pixels of a part

S = TypeVar("S")
T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True)
class ImageHeader:
    """Facts from a photo's header."""

    format: str
    """Pillow's name, ``"JPEG"``, ``"PNG"``, ...; ``"RAW"`` for camera raw files, ``"array"`` for
    `WorkingImage.from_array`."""
    width: int
    height: int
    """`width` and `height`: size in pixels of the full image, upright."""
    taken: datetime | None = None
    """Date taken, in the camera's local time (EXIF has no time zone)."""
    warning: str = ""
    """Warning about a file that is incomplete but can be decoded; otherwise empty."""
    orientation: int = 1
    """EXIF orientation of the stored pixels, 1 to 8."""


class WorkingImage:
    """The decoded photo shared by all descriptors.

    Attributes
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)
        sRGB, upright, C-contiguous and read-only.
    header : ImageHeader
        Full size, format and date of the photo.
    results : dict
        Results that descriptors share, by descriptor or by a tuple that begins with a name; see `cached`.
    """

    def __init__(self, rgb: NDArray[np.uint8], header: ImageHeader) -> None:
        if rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3 or 0 in rgb.shape:
            raise ValueError(f"An image is uint8 (h, w, 3) and not empty, this is {rgb.dtype} {rgb.shape}.")
        # A view, so that the caller's array retains its flags.
        self.rgb: NDArray[np.uint8] = np.ascontiguousarray(rgb).view()
        self.rgb.setflags(write=False)
        self.header = header
        self.results: dict[Hashable, Any] = {}

    @classmethod
    def from_array(cls, rgb: NDArray[np.uint8]) -> WorkingImage:
        """Wrap existing pixels (h, w, 3) uint8, without copying or resizing."""
        return cls(rgb, ImageHeader("array", rgb.shape[1], rgb.shape[0]))

    def cached(self, key: Hashable, compute: Callable[[], S]) -> S:
        """Return the value of `compute`, which is only called once per key.

        Descriptors use it to share intermediate results: filter responses, edges, points, vectors of a local
        descriptor. Callers must not modify cached values.

        Parameters
        ----------
        key : hashable
            A descriptor or a tuple that begins with a name; the same key always denotes the same computation.
        compute : callable
            Takes no arguments.
        """
        if key not in self.results:
            self.results[key] = compute()
        return self.results[key]  # type: ignore[no-any-return]

    def within(self, side: int) -> NDArray[np.uint8]:
        """Return the pixels, uint8 (h, w, 3), reduced to a longest side of `side`; a smaller photo is not enlarged."""

        def reduce() -> NDArray[np.uint8]:
            height, width, _ = self.rgb.shape
            size = fit_within((width, height), side)
            if size == (width, height):
                return self.rgb
            return _read_only(reduced(self.rgb, size))

        return self.cached(("within", side), reduce)

    def part(self, sides: tuple[float, float, float, float]) -> WorkingImage:
        """Return a part of the photo as another photo, of at least 4 by 4 pixels where the photo is large enough.

        Parameters
        ----------
        sides : tuple of float
            Left, top, right and bottom, as shares of the sides of the photo.
        """
        height, width, _ = self.rgb.shape
        x0, y0, x1, y1 = np.rint(np.multiply(sides, (width, height, width, height))).astype(int).tolist()
        x, y = max(min(x0, width - _LEAST_SIDE), 0), max(min(y0, height - _LEAST_SIDE), 0)
        return WorkingImage.from_array(self.rgb[y : max(y1, y + _LEAST_SIDE), x : max(x1, x + _LEAST_SIDE)])

    @functools.cached_property
    def medium(self) -> WorkingImage:
        """The photo reduced to a longest side of twice `SMALL_SIDE`, from which others are reduced faster."""
        return self._reduced(2 * SMALL_SIDE)

    @functools.cached_property
    def small(self) -> WorkingImage:
        """The photo reduced to a longest side of `SMALL_SIDE`, for descriptors of the whole photo."""
        return self.medium._reduced(SMALL_SIDE)

    def _reduced(self, side: int) -> WorkingImage:
        pixels = self.within(side)
        return self if pixels is self.rgb else WorkingImage(pixels, self.header)

    def rotations(self) -> tuple[WorkingImage, ...]:
        """Return the photo rotated by 0, 90, 180 and 270 degrees; the first is itself."""

        def rotate() -> tuple[WorkingImage, ...]:
            return tuple(WorkingImage(np.rot90(self.rgb, quarters), self.header) for quarters in (1, 2, 3))

        return self, *self.cached(("rotations",), rotate)

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


def reduced(pixels: NDArray[Any], size: tuple[int, int]) -> NDArray[Any]:
    """Return pixels (h, w) or (h, w, c) resized to (width, height).

    Down to half the size, bilinear interpolation uses all pixels, too, in a sixth of the time of exact means.
    """
    is_slight = pixels.shape[1] <= 2 * size[0] and pixels.shape[0] <= 2 * size[1]
    way = cv2.INTER_LINEAR if is_slight else cv2.INTER_AREA
    return np.asarray(cv2.resize(pixels, size, interpolation=way), pixels.dtype)


def _read_only(array: NDArray[T]) -> NDArray[T]:
    array.setflags(write=False)
    return array
