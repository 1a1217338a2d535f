# SPDX-License-Identifier: MIT
"""TIFF files of microscopes and other instruments: channels, planes and times of 16-bit and real values.

OME-TIFF (https://docs.openmicroscopy.org/ome-model/), ImageJ's hyperstacks, and plain TIFF, read by tifffile.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.damage import CUT_OFF, NO_SENSE, DamagedError
from focal_photos.features.decoding.decoders.tiff import open_by_tifffile, require_decodable
from focal_photos.features.decoding.display import Display
from focal_photos.features.decoding.exif import orientation_and_date_of_tiff
from focal_photos.features.decoding.limits import ImageTooLargeError, UnsupportedFormatError
from focal_photos.features.decoding.measured import MeasuredImage, in_colors
from focal_photos.features.metadata.tiff import Tiff, TiffError

_SIGNATURE: Final = re.compile(rb"II[*+]\0|MM\0[*+]")
_BITS, _PHOTOMETRIC, _DESCRIPTION, _SAMPLES, _SAMPLE_FORMAT = 258, 262, 270, 277, 339
_WHITE_IS_ZERO, _BLACK_IS_ZERO, _RGB = 0, 1, 2
_SIGNED, _REAL = 2, 3
_LONGEST_HEAD: Final = 1 << 16  # bytes of a description that are searched for its format
_LONGEST_DESCRIPTION: Final = 32 << 20
_MOST_PLANES: Final = 1_000_000
_SIZES: Final = re.compile(rb'Size([CZT])="(\d+)"')


def is_measured(head: bytes, stream: IO[bytes], display: Display) -> bool:
    """Return whether a file is TIFF with channels or values that need a window.

    A plain grey TIFF with 16-bit or real values counts only if a window is set for its kind; otherwise it is read like
    any photo.

    Parameters
    ----------
    head : bytes
        First bytes of the file.
    stream : file
        Its position is restored.
    display : Display
    """
    if not _SIGNATURE.match(head):
        return False
    place = stream.tell()
    try:
        directory = Tiff(stream).main()
        photometric = directory.number(_PHOTOMETRIC) if _PHOTOMETRIC in directory else _BLACK_IS_ZERO
        bits, forms, samples = (directory.numbers(tag) or (1,) for tag in (_BITS, _SAMPLE_FORMAT, _SAMPLES))
        description = directory.beginning(_DESCRIPTION, _LONGEST_HEAD)
    except TiffError:
        return False  # damaged: the decoder of photos reports it
    finally:
        stream.seek(place)
    if photometric not in (_WHITE_IS_ZERO, _BLACK_IS_ZERO):
        return photometric == _RGB and _REAL in forms
    if description.startswith(b"ImageJ=") or b"<OME" in description or samples[0] > 2:
        return True
    if _SIGNED in forms or (_REAL in forms and max(bits) != 32):
        return True  # not supported by Pillow
    if max(bits) <= 8:
        return False
    kind = f"{'float' if _REAL in forms else 'uint'}{max(bits):g}"
    return display.window(kind, 0) is not None


class ScientificTiff(MeasuredImage):
    """A TIFF file with measurements.

    Raises
    ------
    UnsupportedFormatError, ImageTooLargeError
    Exception
        If the file is damaged.
    """

    format = "TIFF"

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._read: tuple[dict[str, int], NDArray[Any]] | None = None  # the last plane, whose samples are channels
        self.orientation, self.taken = orientation_and_date_of_tiff(stream)
        self._file = open_by_tifffile(stream)
        first = self._file.pages.first
        _require_harmless(first.description.encode("utf-8", "replace"))
        self._series = self._file.series[0]
        axes, shape = self._series.axes, self._series.shape
        if "Y" not in axes or "X" not in axes:
            raise UnsupportedFormatError("TIFF files of this kind are not supported: save the image as PNG.")
        self.size = (shape[axes.index("X")], shape[axes.index("Y")])
        if min(self.size) < 1:
            raise DamagedError(NO_SENSE)
        page = self._page_shape()
        channels = self._count("C") * self._count("S")
        self.claimed = max(math.prod(page), self.size[0] * self.size[1] * min(channels, 3)) // 3
        self.kind = np.dtype(self._series.dtype).name
        self._inverted = Tiff(stream).main().number(_PHOTOMETRIC) == _WHITE_IS_ZERO

    def close(self) -> None:
        """Close tifffile's view; the stream belongs to the caller."""
        self._file.close()

    def channels(self, display: Display) -> Iterator[NDArray[Any]]:
        """Yield the channels (h, w) at the selected plane and time, or the nearest available."""
        for number in range(self._count("C") * self._count("S")):
            yield self._channel(display, number)

    def levels(self, display: Display) -> NDArray[np.uint8]:
        """Return the displayed levels; see `MeasuredImage.levels`."""
        count = self._count("C") * self._count("S")
        return in_colors(lambda number: self._channel(display, number), count, self.kind, display)

    def sample(self, display: Display, count: int) -> list[NDArray[np.float64]]:
        """Return values as `MeasuredImage.sample`; none for bytes, which are shown unchanged."""
        return [] if self.kind == "uint8" else super().sample(display, count)

    # ------------------------------------------------------------------ inside
    def _channel(self, display: Display, number: int) -> NDArray[Any]:
        """Return channel `number` (h, w), from 0; samples of a pixel are numbered first, then channels."""
        depth, samples = self._count("Z"), self._count("S")
        at = {
            "Z": depth // 2 if display.plane == 0 else min(display.plane, depth) - 1,
            "T": min(display.time, self._count("T")) - 1,
            "C": number // samples,
        }
        if self._read is None or self._read[0] != at:
            self._read = at, self._plane(at)
        plane = self._read[1]
        values = plane if plane.ndim == 2 else plane[..., number % samples]
        if not self._inverted:
            return values
        turned: NDArray[Any] = np.subtract(values.max(), values) if values.dtype.kind == "f" else np.invert(values)
        return turned

    def _count(self, axis: str) -> int:
        place = self._series.axes.find(axis)
        return 1 if place < 0 else int(self._series.shape[place])

    def _page_shape(self) -> tuple[int, ...]:
        return tuple(int(side) for side in self._series.keyframe.shape)

    def _plane(self, at: dict[str, int]) -> NDArray[Any]:
        """Return the values at a position, (h, w) or (h, w, samples)."""
        axes, shape = self._series.axes, tuple(map(int, self._series.shape))
        inner = len(self._page_shape())
        outer = len(axes) - inner
        places = [at.get(axis, 0) for axis in axes]
        index = int(np.ravel_multi_index(places[:outer], shape[:outer])) if outer > 0 else 0
        values = self._page(index)
        axes = axes[max(outer, 0) :]
        values = values.reshape(shape[max(outer, 0) :])
        for place in reversed(range(len(axes))):
            if axes[place] not in "YXS":
                values = np.take(values, places[max(outer, 0) + place], axis=place)
                axes = axes[:place] + axes[place + 1 :]
        order = [axes.index(axis) for axis in "YXS" if axis in axes]
        return values.transpose(order)

    def _page(self, index: int) -> NDArray[Any]:
        series = self._series
        if len(series.pages) <= index or series.pages[index] is None:
            if series.dataoffset is None:
                raise DamagedError(CUT_OFF)
            dtype = np.dtype(series.dtype).newbyteorder(self._file.byteorder)
            count = math.prod(self._page_shape())
            self._stream.seek(series.dataoffset + index * count * dtype.itemsize)
            return np.frombuffer(self._stream.read(count * dtype.itemsize), dtype).astype(series.dtype)
        page: Any = series.pages[index]
        require_decodable(page, self._stream.seek(0, 2))
        values: NDArray[Any] = page.asarray(maxworkers=1)
        return values


def _require_harmless(description: bytes) -> None:
    """Raise if a description declares entities or claims millions of planes."""
    if len(description) > _LONGEST_DESCRIPTION or b"<!DOCTYPE" in description or b"<!ENTITY" in description:
        raise UnsupportedFormatError("The description of this TIFF file is not valid OME-XML.")
    if b"<OME" in description:
        sizes: dict[bytes, int] = {}
        for axis, digits in _SIZES.findall(description):
            sizes[axis] = max(sizes.get(axis, 1), int(digits[:12]))
        if math.prod(sizes.values()) > _MOST_PLANES:
            raise ImageTooLargeError("The image declares more than {0:,} planes.", _MOST_PLANES)
