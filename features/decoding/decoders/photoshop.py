# SPDX-License-Identifier: MIT
"""Photoshop files (PSD, PSB): the composite picture without the layers.

Follows Adobe's *Photoshop File Formats Specification* (2019). Pillow reads only PSD with 8 bits per channel, and treats
any fourth channel as transparency although it may be a saved selection.
"""

from __future__ import annotations

import struct
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile

from focal_photos.features.decoding.damage import CUT_OFF, NO_PALETTE, NO_SENSE, DamagedError
from focal_photos.text import TextError

_BITMAP, _GRAY, _INDEXED, _RGB, _CMYK, _MULTICHANNEL, _DUOTONE, _LAB = 0, 1, 2, 3, 4, 7, 8, 9
_MODES: Final = {
    **dict.fromkeys((_BITMAP, _GRAY, _MULTICHANNEL, _DUOTONE), ("L", 1)),
    _INDEXED: ("RGB", 1),
    _RGB: ("RGB", 3),
    _CMYK: ("CMYK", 4),
    _LAB: ("LAB", 3),
}
"""Pillow's mode and the number of channels read, by Photoshop's mode."""

_LONGEST_SIDE: Final = 300_000
_MOST_CHANNELS: Final = 56
_MOST_RESOURCES: Final = 10_000
_MOST_BYTES: Final = 16 << 20  # maximum size of a resource that is read
_RESOURCES: Final = (b"8BIM", b"PHUT", b"DCSR", b"AgHg", b"MeSa")
_PROFILE, _EXIF = 1039, 1058
_RAW, _PACKED = 0, 1


class UnsupportedPhotoshopError(TextError, ValueError):
    """A Photoshop file of an unsupported kind; the message names it."""


class Photoshop(ImageFile.ImageFile):
    """A Photoshop file. Opening reads the header; `load` decodes the pixels.

    The picture is the composite that Photoshop saves for other programs if "maximise compatibility" is on.
    """

    format = "PSD"
    format_description = "Photoshop"

    def _open(self) -> None:
        stream = self.fp
        assert stream is not None
        head = stream.read(26)
        self._version, self._channels, height, width, self._bits, self._kind = struct.unpack(">4xH6xHIIHH", head)
        if self._version not in (1, 2) or not 1 <= self._channels <= _MOST_CHANNELS:
            raise DamagedError(NO_SENSE)
        if not (1 <= width <= _LONGEST_SIDE and 1 <= height <= _LONGEST_SIDE):
            raise DamagedError(NO_SENSE)
        if self._bits == 32:
            raise UnsupportedPhotoshopError("Photoshop files with 32 bits per channel")
        if self._kind not in _MODES or self._bits not in ((1,) if self._kind == _BITMAP else (8, 16)):
            raise DamagedError(NO_SENSE)
        self._size = (width, height)
        self._mode, self._used = _MODES[self._kind]
        if self._used > self._channels:
            raise DamagedError(NO_SENSE)
        size = _number(stream, 4)
        self._palette = stream.read(min(size, 768)) if self._kind == _INDEXED else b""
        stream.seek(30 + size)
        size = _number(stream, 4)
        end = stream.tell() + size
        self._read_resources(stream, end)
        stream.seek(end)
        if self._is_transparent(stream):
            self._mode, self._used = {"L": "LA", "RGB": "RGBA"}[self._mode], self._used + 1
        self._pixels_at = stream.tell()

    def _read_resources(self, stream: IO[bytes], end: int) -> None:
        """Read the colour profile and the EXIF block; skip other resources."""
        for _ in range(_MOST_RESOURCES):
            if stream.tell() + 12 > end or stream.read(4) not in _RESOURCES:
                return
            kind = _number(stream, 2)
            name = _number(stream, 1)
            stream.seek(name + (name + 1) % 2, 1)
            size = _number(stream, 4)
            at = stream.tell()
            if kind in (_PROFILE, _EXIF) and size <= _MOST_BYTES:
                data = stream.read(size)
                self.info["icc_profile" if kind == _PROFILE else "exif"] = (
                    data if kind == _PROFILE else b"Exif\0\0" + data
                )
            stream.seek(at + size + size % 2)

    def _is_transparent(self, stream: IO[bytes]) -> bool:
        """Skip the layers, and return whether the channel after the colours is the opacity of the picture."""
        wide = 4 * self._version
        size = _number(stream, wide)
        begin = stream.tell()
        layers = 0
        if size >= wide + 2 and _number(stream, wide) >= 2:
            layers = struct.unpack(">h", stream.read(2))[0]
        stream.seek(begin + size)
        return layers < 0 and self._kind in (_GRAY, _RGB) and self._channels > self._used

    def load(self) -> Any:
        """Read the pixels."""
        if self._im is None:
            assert self.fp is not None
            self.fp.seek(self._pixels_at)
            planes = [Image.fromarray(plane) for plane in self._planes(self.fp)]
            if self._kind == _INDEXED:
                planes[0].putpalette(self._colors())
                self.im = planes[0].convert("RGB").im
            else:
                self.im = (planes[0] if len(planes) == 1 else Image.merge(self._mode, planes)).im
        return Image.Image.load(self)

    def _colors(self) -> bytes:
        """Return the palette by colour; the file stores it by channel."""
        if len(self._palette) < 768:
            raise DamagedError(NO_PALETTE)
        return np.frombuffer(self._palette, np.uint8).reshape(3, 256).T.tobytes()

    def _planes(self, stream: IO[bytes]) -> list[NDArray[np.uint8]]:
        """Return the displayed channels, (h, w) each, 0..255."""
        width, height = self._size
        stride = (width * self._bits + 7) // 8
        compression = _number(stream, 2)
        if compression not in (_RAW, _PACKED):
            raise UnsupportedPhotoshopError("Photoshop files of this compression")
        counts = np.full((self._used, height), stride, np.int64)
        if compression == _PACKED:
            entry = np.dtype(">u2" if self._version == 1 else ">u4")
            table = _read(stream, self._used * height * entry.itemsize)
            counts = np.frombuffer(table, entry).reshape(self._used, height).astype(np.int64)
            stream.seek((self._channels - self._used) * height * entry.itemsize, 1)
        planes = []
        for lengths in counts:
            data = _read(stream, int(lengths.sum()))
            if compression == _PACKED:
                rows = np.asarray(Image.frombytes("L", (stride, height), data, "packbits", "L"))
            else:
                rows = np.frombuffer(data, np.uint8).reshape(height, stride)
            planes.append(self._levels(rows))
        return planes

    def _levels(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        if self._bits == 1:
            bits = np.unpackbits(rows, axis=1, count=self._size[0])
            return np.where(bits, 0, 255).astype(np.uint8)
        levels = np.ascontiguousarray(rows[:, ::2]) if self._bits == 16 else rows  # the higher byte comes first
        return np.invert(levels) if self._kind == _CMYK else levels


def _number(stream: IO[bytes], size: int) -> int:
    return int.from_bytes(_read(stream, size), "big")


def _read(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise DamagedError(CUT_OFF)
    return data
