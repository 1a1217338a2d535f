# SPDX-License-Identifier: MIT
"""Measured images: channels of numbers, and their conversion to colours."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.display import Display, Window
from focal_photos.features.decoding.exif import Orientation
from focal_photos.features.decoding.pixels import gray_levels

_STRIP = 256  # rows


class MeasuredImage(ABC):
    """An opened file with measurements. Opening reads the header; `levels` reads the values.

    Attributes
    ----------
    format : str
    size : tuple of int
        Stored width and height.
    claimed : int
        Number of values for which decoding allocates memory.
    kind : str
        Kind of the values; files of one kind share their windows.
    orientation : Orientation
    taken : datetime or None
    """

    format: str
    size: tuple[int, int]
    claimed: int
    kind: str
    orientation: Orientation = Orientation.NORMAL
    taken: datetime | None = None

    @abstractmethod
    def channels(self, display: Display) -> Iterator[NDArray[Any]]:
        """Yield the channels (h, w) at the displayed plane, time and frame.

        There may be hundreds; each is read only on request.
        """

    @abstractmethod
    def levels(self, display: Display) -> NDArray[np.uint8]:
        """Return the displayed levels, uint8, (h, w) or (h, w, 3)."""

    def sample(self, display: Display, count: int) -> list[NDArray[np.float64]]:
        """Return up to `count` finite values of each channel, (k,) each, evenly spaced over the picture.

        Empty if no window is needed, because the file defines how its values are shown.
        """
        return [_some(values, count) for values in self.channels(display)]

    def close(self) -> None:  # noqa: B027 - most have opened nothing
        """Close opened resources; the stream belongs to the caller."""


def in_colors(channel: Callable[[int], NDArray[Any]], count: int, kind: str, display: Display) -> NDArray[np.uint8]:
    """Convert channels to displayed levels, uint8, (h, w) or (h, w, 3).

    Parameters
    ----------
    channel : callable
        Returns the values (h, w) of a channel, from 0; called only for displayed channels.
    count : int
        Number of channels.
    kind : str
        Kind of the values.
    display : Display
    """
    chosen = display.colors(count)
    planes = {one: in_window(channel(one), display.window(kind, one)) for one in chosen if one >= 0}
    black = np.zeros_like(next(iter(planes.values())))
    colors = [planes.get(one, black) for one in chosen]
    return colors[0] if len(colors) == 1 else np.stack(colors, axis=-1)


def in_window(values: NDArray[Any], window: Window | None) -> NDArray[np.uint8]:
    """Return grey levels: black up to the first value of the window, white from the second on.

    Without a window, bytes are unchanged, and other values are scaled by `gray_levels`.
    """
    if window is None:
        return values.astype(np.uint8, copy=False) if values.dtype == np.uint8 else gray_levels(values)
    low, high = window
    scale = 255 / (high - low) if high > low else 0.0
    levels = np.empty(values.shape, np.uint8)
    for top in range(0, len(values), _STRIP):
        real = np.nan_to_num(values[top : top + _STRIP].astype(np.float64), nan=low, posinf=high, neginf=low)
        levels[top : top + _STRIP] = np.rint((np.clip(real, low, high) - low) * scale)
    return levels


def _some(values: NDArray[Any], count: int) -> NDArray[np.float64]:
    flat = values.ravel()
    chosen = flat[np.linspace(0, len(flat) - 1, min(count, len(flat))).astype(np.intp)].astype(np.float64)
    return chosen[np.isfinite(chosen)]
