# SPDX-License-Identifier: MIT
"""Netpbm's bitmaps, greymaps and pixmaps (PBM, PGM, PPM), packed and plain.

Pillow reads them too, but samples of other depths than 8 bits one at a time, which takes a minute per photo. Follows
the manual pages of Netpbm: https://netpbm.sourceforge.net/doc/ppm.html.
"""

from __future__ import annotations

import re
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile

from focal_photos.features.decoding.damage import CUT_OFF, NO_SENSE, OUT_OF_RANGE, DamagedError
from focal_photos.features.decoding.limits import ImageTooLargeError

_WHITESPACE: Final = b" \t\n\v\f\r"
_COMMENT: Final = re.compile(rb"#[^\r\n]*")
_MOST_HEADER: Final = 1 << 16
_MOST_DIGITS: Final = 9
_SAMPLE: Final = 4096  # bytes of a plain picture that are checked to distinguish it from text
_MOST_PLAIN: Final = 128 << 20
_STRIP: Final = 256  # rows scaled at a time


class Netpbm(ImageFile.ImageFile):
    """The first Netpbm picture in a file. Opening reads the header; `load` decodes the pixels."""

    format = "PPM"
    format_description = "Netpbm"

    def _open(self) -> None:
        stream = self.fp
        assert stream is not None
        kind = stream.read(2)
        if kind[:1] != b"P" or kind[1:] not in (b"1", b"2", b"3", b"4", b"5", b"6"):
            raise DamagedError(NO_SENSE)
        number = int(kind[1:])
        self._plain, self._channels, self._bitmap = number <= 3, 3 if number in (3, 6) else 1, number in (1, 4)
        self._size = (_number(stream), _number(stream))
        self._most = 1 if self._bitmap else _number(stream)
        if min(self._size) < 1 or not 1 <= self._most <= 65_535:
            raise DamagedError(NO_SENSE)
        self._mode = "RGB" if self._channels == 3 else "L"
        self._pixels_at = stream.tell()

    def load(self) -> Any:
        """Read the pixels."""
        if self._im is None:
            assert self.fp is not None
            self.fp.seek(self._pixels_at)
            values = self._plain_values(self.fp) if self._plain else self._packed_values(self.fp)
            self.im = Image.fromarray(self._levels(values)).im
        return Image.Image.load(self)

    def is_complete(self) -> bool:
        """Return whether the file has the size implied by its header; nothing is decoded."""
        assert self.fp is not None
        width, height = self._size
        row = width * self._channels
        size = self.fp.seek(0, 2) - self._pixels_at
        self.fp.seek(self._pixels_at)
        if self._plain:
            sample = _COMMENT.sub(b"", self.fp.read(_SAMPLE))
            return size >= row * height and not sample.strip(_WHITESPACE + b"0123456789")
        needed = height * ((width + 7) // 8 if self._bitmap else row * (1 if self._most < 256 else 2))
        self.fp.seek(needed, 1)
        return size >= needed and self.fp.read(_SAMPLE).lstrip(_WHITESPACE)[:1] in (b"", b"P")  # or another picture

    def _packed_values(self, stream: IO[bytes]) -> NDArray[Any]:
        """Return the numbers (h, numbers per row)."""
        width, height = self._size
        if self._bitmap:
            stride = (width + 7) // 8
            rows = np.frombuffer(_read(stream, stride * height), np.uint8).reshape(height, stride)
            return np.unpackbits(rows, axis=1, count=width)
        kind = np.dtype(np.uint8 if self._most < 256 else ">u2")
        row = width * self._channels
        return np.frombuffer(_read(stream, row * height * kind.itemsize), kind).reshape(height, row)

    def _plain_values(self, stream: IO[bytes]) -> NDArray[Any]:
        width, height = self._size
        row = width * self._channels
        text = stream.read(_MOST_PLAIN + 1)
        if len(text) > _MOST_PLAIN:
            raise ImageTooLargeError("The image has more than the allowed 128 MB of text.")
        text = _COMMENT.sub(b"", text)
        if self._bitmap:  # spaces between the digits are optional
            digits = np.frombuffer(text.translate(None, _WHITESPACE)[: row * height], np.uint8)
            values: NDArray[Any] = digits - np.uint8(ord("0"))
        elif text.strip(_WHITESPACE + b"0123456789"):
            raise DamagedError(OUT_OF_RANGE)
        else:
            values = np.fromstring(text.decode("ascii"), np.int64, count=-1, sep=" ")[: row * height]
        if len(values) < row * height:
            raise DamagedError(CUT_OFF)
        if len(values) and not 0 <= int(values.min()) <= int(values.max()) <= self._most:
            raise DamagedError(OUT_OF_RANGE)
        return values.reshape(height, row)

    def _levels(self, values: NDArray[Any]) -> NDArray[np.uint8]:
        """Return 0..255, (h, w) or (h, w, 3); in a bitmap 1 is black, otherwise the maximum is white."""
        width, height = self._size
        levels = np.empty(values.shape, np.uint8)
        for top in range(0, height, _STRIP):
            strip = values[top : top + _STRIP]
            if self._bitmap:
                levels[top : top + _STRIP] = np.where(strip, 0, 255)
            elif self._most == 255:
                levels[top : top + _STRIP] = strip
            else:
                scaled = np.minimum(strip, self._most).astype(np.float32) * np.float32(255 / self._most)
                levels[top : top + _STRIP] = np.rint(scaled)
        return levels.reshape((height, width, 3) if self._channels == 3 else (height, width))


def is_surely_netpbm(stream: IO[bytes]) -> bool:
    """Return whether a file is certainly Netpbm: the data match the header, and no other text follows.

    Moves the position of the stream.
    """
    stream.seek(0)
    try:
        picture = Netpbm(stream)
    except DamagedError:
        return False
    return picture.is_complete()


def _number(stream: IO[bytes]) -> int:
    """Return the next number of a header; comments extend to the end of their line."""
    digits, comment = b"", False
    for _ in range(_MOST_HEADER):
        one = stream.read(1)
        if not one:
            break
        if comment:
            comment = one not in b"\r\n"
        elif one == b"#":
            comment = True
        elif one in _WHITESPACE:
            if digits:
                return int(digits)
        elif one.isdigit() and len(digits) < _MOST_DIGITS:
            digits += one
        else:
            break
    raise DamagedError(NO_SENSE)


def _read(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise DamagedError(CUT_OFF)
    return data
