# SPDX-License-Identifier: MIT
"""Display settings of measured images, whose values have no colours.

Loads no decoder.
"""

from __future__ import annotations

from dataclasses import dataclass

Window = tuple[float, float]
"""Values that are shown black and white."""


@dataclass(frozen=True)
class Display:
    """Display settings of scientific TIFF files and DICOM files."""

    windows: tuple[tuple[str, tuple[Window, ...]], ...] = ()
    """One window per channel, by kind of values (``"uint16"``, ``"float32"``, ``"dicom MR"``); the last window applies
    to all further channels. Other kinds are scaled by the values of each file."""
    channels: tuple[int, ...] = ()
    """Up to three channels, from 1, shown as red, green and blue; 0 omits a colour, and a single channel is shown grey.
    Empty: one channel grey, two as red and green, or the first three of more."""
    plane: int = 0
    """Plane of a depth stack, from 1; 0 is the middle one."""
    time: int = 1
    """Time of a series, from 1."""
    frame: int = 1
    """Frame of a DICOM file, from 1."""

    def window(self, kind: str, channel: int) -> Window | None:
        """Return the window of a channel, from 0; None if this kind of values has none."""
        for name, windows in self.windows:
            if name == kind and windows:
                return windows[min(channel, len(windows) - 1)]
        return None

    def colors(self, count: int) -> tuple[int, ...]:
        """Return the channels, from 0, shown as red, green and blue, -1 for none, or the single grey one.

        Parameters
        ----------
        count : int
            Number of channels of the file. If it has none of the selected channels, the default applies.
        """
        wanted = tuple(one - 1 if 0 < one <= count else -1 for one in self.channels[:3])
        if any(one >= 0 for one in wanted):
            return wanted if len(wanted) == 1 else (*wanted, -1)[:3]
        return ((0,), (0, 1, -1))[count - 1] if count < 3 else (0, 1, 2)
