"""Images of measurements: channels of numbers, and how they become colours."""

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
    """An opened file that holds measurements. Its header is read; its values come with `levels`.

    Attributes
    ----------
    format : str
    size : tuple of int
        Width and height as they are stored.
    claimed : int
        Numbers that decoding takes memory for.
    kind : str
        Of values; files of one kind are shown by the same windows.
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
        """Yield the channels (h, w) that a file has at the plane, time and frame that are shown.

        A file may have a hundred: each is read when it is asked for.
        """

    @abstractmethod
    def levels(self, display: Display) -> NDArray[np.uint8]:
        """Return what is shown, uint8, (h, w) or (h, w, 3)."""

    def sample(self, display: Display, count: int) -> list[NDArray[np.float64]]:
        """Return up to `count` finite values of each channel, (k,) each, evenly spaced over the picture.

        Empty where no window is wanted: the values say themselves how they are shown.
        """
        return [_some(values, count) for values in self.channels(display)]

    def close(self) -> None:  # noqa: B027 - most have opened nothing
        """Close what was opened; the stream is the caller's."""


def in_colors(channel: Callable[[int], NDArray[Any]], count: int, kind: str, display: Display) -> NDArray[np.uint8]:
    """Return channels as they are shown, uint8, (h, w) or (h, w, 3).

    Parameters
    ----------
    channel : callable
        From the number of a channel, from 0, to its values (h, w); called for those alone that are shown.
    count : int
        Channels that there are.
    kind : str
        Of values.
    display : Display
    """
    chosen = display.colors(count)
    planes = {one: in_window(channel(one), display.window(kind, one)) for one in chosen if one >= 0}
    black = np.zeros_like(next(iter(planes.values())))
    colors = [planes.get(one, black) for one in chosen]
    return colors[0] if len(colors) == 1 else np.stack(colors, axis=-1)


def in_window(values: NDArray[Any], window: Window | None) -> NDArray[np.uint8]:
    """Return grey levels: black at the first value of the window and below, white at the second and above.

    Without a window bytes stay as they are, and other values are scaled as `gray_levels` does.
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
