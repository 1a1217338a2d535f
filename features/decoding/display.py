"""How images of measurements are shown, whose values have no colours of their own.

Loads no decoder.
"""

from __future__ import annotations

from dataclasses import dataclass

Window = tuple[float, float]
"""The values that are shown black and white."""


@dataclass(frozen=True)
class Display:
    """What is shown of scientific TIFF files and of DICOM files.

    Attributes
    ----------
    windows : tuple of (str, tuple of Window)
        A window for each channel, by the kind of values (``"uint16"``, ``"float32"``, ``"dicom MR"``), the last one
        for all further channels. A kind that is not named is shown by the values of each file itself.
    channels : tuple of int
        Up to three, from 1, shown as red, green and blue; 0 leaves a colour out, and one alone is shown grey.
        Empty: one channel grey, two as red and green, the first three of more.
    plane : int
        Of a stack of depths, from 1; 0 is the middle one.
    time : int
        Of a series of times, from 1.
    frame : int
        Of a DICOM file with several, from 1.
    """

    windows: tuple[tuple[str, tuple[Window, ...]], ...] = ()
    channels: tuple[int, ...] = ()
    plane: int = 0
    time: int = 1
    frame: int = 1

    def window(self, kind: str, channel: int) -> Window | None:
        """Return the window of a channel, from 0; None if this kind of values has none."""
        for name, windows in self.windows:
            if name == kind and windows:
                return windows[min(channel, len(windows) - 1)]
        return None

    def colors(self, count: int) -> tuple[int, ...]:
        """Return the channels, from 0, that are red, green and blue, -1 for none, or the one that is grey.

        Parameters
        ----------
        count : int
            Channels of the file. Where it has none of those that are wanted, it is as if none were.
        """
        wanted = tuple(one - 1 if 0 < one <= count else -1 for one in self.channels[:3])
        if any(one >= 0 for one in wanted):
            return wanted if len(wanted) == 1 else (*wanted, -1)[:3]
        return ((0,), (0, 1, -1))[count - 1] if count < 3 else (0, 1, 2)
