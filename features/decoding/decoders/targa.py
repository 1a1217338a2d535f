# SPDX-License-Identifier: MIT
"""Targa files (TGA), following Truevision's *TGA File Format Specification* 2.0.

Pillow refuses 15 bits, palettes with 15 bits, 16-bit indices, and true colour with a palette. It also treats the fourth
byte as transparency even if the header denies it.
"""

from __future__ import annotations

import struct
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile

from focal_photos.features.decoding.damage import NO_PALETTE, NO_SENSE, DamagedError

_HEADER: Final = "<BBBHHBHHHHBB"
_INDEXED, _COLOR, _GRAY, _RUNS = 1, 2, 3, 8
_DEPTHS: Final = {_INDEXED: {8, 16}, _COLOR: {15, 16, 24, 32}, _GRAY: {1, 8, 16}}
_RAW: Final = {1: ("1", "1"), 8: ("L", "L"), 16: ("LA", "LA"), 24: ("RGB", "BGR"), 32: ("RGBA", "BGRA")}
"""Pillow's mode and raw mode that return the stored bytes by bits per pixel, with blue and red swapped."""

_FOOTER: Final = b"TRUEVISION-XFILE.\0"
_ALPHA_BITS, _RIGHT_TO_LEFT, _TOP_DOWN = 0x0F, 0x10, 0x20


class Targa(ImageFile.ImageFile):
    """A Targa file. Opening reads the header; `load` decodes the pixels."""

    format = "TGA"
    format_description = "Targa"

    def _open(self) -> None:
        stream = self.fp
        assert stream is not None
        head = stream.read(struct.calcsize(_HEADER))
        remark, has_map, kind, first, count, entry, _, _, width, height, depth, flags = struct.unpack(_HEADER, head)
        self._kind, self._runs, self._depth, self._flags = kind & 7, bool(kind & _RUNS), depth, flags
        if depth not in _DEPTHS.get(self._kind, ()) or has_map > 1 or not (width and height):
            raise DamagedError(NO_SENSE)
        if self._kind == _INDEXED and not has_map:
            raise DamagedError(NO_PALETTE)
        if has_map and entry not in _DEPTHS[_COLOR]:
            raise DamagedError(NO_SENSE)
        self._size = (width, height)
        stream.seek(remark, 1)
        colors = stream.read(count * ((entry + 7) // 8)) if has_map else b""
        if self._kind == _INDEXED:
            self._palette = _palette(colors, entry, first)
        self._has_alpha = depth == 32 and bool(flags & _ALPHA_BITS)
        self._has_alpha |= self._kind == _GRAY and depth == 16
        self._mode = "RGBA" if self._has_alpha else "RGB"
        self._pixels_at = stream.tell()

    def load(self) -> Any:
        """Read the pixels."""
        if self._im is None:
            assert self.fp is not None
            self.fp.seek(self._pixels_at)
            data = self.fp.read()
            bits = 16 if self._depth == 15 else self._depth
            mode, raw = _RAW[bits]
            step = 1 if self._flags & _TOP_DOWN else -1
            if self._runs:
                stored = Image.frombytes(mode, self._size, data, "tga_rle", raw, step, bits)
            else:
                stored = Image.frombytes(mode, self._size, data, "raw", raw, 0, step)
            values = np.asarray(stored)
            if self._flags & _RIGHT_TO_LEFT:
                values = values[:, ::-1]
            self.im = self._picture(values).im
        return Image.Image.load(self)

    def _picture(self, values: NDArray[Any]) -> Image.Image:
        if self._kind == _INDEXED:
            indices = values if values.ndim == 2 else values[..., 0] + values[..., 1] * np.uint16(256)
            if int(indices.max()) >= len(self._palette):
                raise DamagedError(NO_PALETTE)
            return Image.fromarray(self._palette[indices])
        if self._kind == _GRAY:
            gray = Image.fromarray(np.ascontiguousarray(values))
            return gray.convert(self._mode)
        if self._depth in (15, 16):
            return Image.fromarray(_five_bits(values[..., 0] + values[..., 1] * np.uint16(256)))
        if self._has_alpha and values[..., 3].any():  # some programs set it to 0 everywhere
            return Image.fromarray(np.ascontiguousarray(values))
        return Image.fromarray(np.ascontiguousarray(values[..., :3])).convert(self._mode)


def is_surely_targa(stream: IO[bytes]) -> bool:
    """Return whether a file is certainly Targa: it has the format's footer, or the length implied by its header.

    Moves the position of the stream.
    """
    stream.seek(0)
    head = stream.read(struct.calcsize(_HEADER))
    if len(head) < struct.calcsize(_HEADER):
        return False
    remark, _, kind, _, count, entry, _, _, width, height, depth, _ = struct.unpack(_HEADER, head)
    palette = count * ((entry + 7) // 8)
    pixels = (width * depth + 7) // 8 if depth == 1 else width * ((depth + 7) // 8)
    size = stream.seek(0, 2)
    stream.seek(max(0, size - len(_FOOTER)))
    if stream.read() == _FOOTER:
        return True
    return not kind & _RUNS and size == len(head) + remark + palette + pixels * height


def _palette(colors: bytes, bits: int, first: int) -> NDArray[np.uint8]:
    """Return the colours (n, 3) by index; colours before the file's first one are black."""
    size = (bits + 7) // 8
    stored = np.frombuffer(colors[: len(colors) // size * size], np.uint8).reshape(-1, size)
    found = _five_bits(stored.copy().view("<u2")[:, 0]) if size == 2 else stored[:, 2::-1]
    return np.concatenate([np.zeros((first, 3), np.uint8), found])


def _five_bits(values: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Return the colours of values with 5 bits per channel; the highest bit is ignored, as programs disagree on it."""
    levels = np.stack([(values >> shift) & 31 for shift in (10, 5, 0)], axis=-1)
    scaled: NDArray[np.uint8] = np.rint(levels * (255 / 31)).astype(np.uint8)
    return scaled
