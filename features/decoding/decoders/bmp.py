# SPDX-License-Identifier: MIT
"""Bitmaps that Pillow refuses: OS/2, unusual masks, run lengths and depths, and bitmaps without a file header (DIB).

Follows Microsoft's *Bitmap Storage* and, for the second header of OS/2, IBM's *Presentation Manager Programming
Reference*.
"""

from __future__ import annotations

import struct
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import BmpImagePlugin, Image, ImageFile

from focal_photos.features.decoding.damage import CUT_OFF, NO_SENSE, DamagedError
from focal_photos.text import TextError

_FILE_HEADER: Final = 14
_OS2_HEADER_BYTES: Final = (
    12  # size of OS/2's first header; the second has 16 to 64 bytes, Windows headers have 40 or more
)
_MASKS_AT: Final = 40  # offset of the masks: in a longer header, or after this one
_OS2: Final = range(13, 40), range(64, 65)
_RGB, _RLE8, _RLE4, _FIELDS, _OS2_RLE24, _ALPHA_FIELDS = 0, 1, 2, 3, 4, 6
_DEPTHS: Final = {_RGB: {1, 2, 4, 8, 16, 24, 32}, _RLE8: {8}, _RLE4: {4}, _FIELDS: {16, 32}, _ALPHA_FIELDS: {16, 32}}
_USUAL_MASKS: Final = {16: (0x7C00, 0x3E0, 0x1F), 32: (0xFF0000, 0xFF00, 0xFF)}
_LARGEST_PALETTE: Final = 256 * 4  # bytes
_STRIP: Final = 256  # rows decoded at a time


class UnsupportedBitmapError(TextError, ValueError):
    """A bitmap of an unsupported kind; the message names it."""


def open_bitmap(stream: IO[bytes]) -> ImageFile.ImageFile:
    """Open a bitmap with Pillow, or with this module if Pillow refuses it.

    Raises
    ------
    UnsupportedBitmapError
    Exception
        If the file is damaged.
    """
    try:
        image = BmpImagePlugin.BmpImageFile(stream)
        is_whole = (
            image.palette is None or len(image.palette.palette) <= _LARGEST_PALETTE
        )  # Pillow fails later on a larger one
        # Pillow refuses run-length bitmaps with omitted runs, which the format allows.
        if is_whole and image.info.get("compression") not in (_RLE8, _RLE4):
            return image
    except Exception:
        pass
    stream.seek(0)
    return Bitmap(stream)


class Bitmap(ImageFile.ImageFile):
    """A bitmap with or without a file header. Opening reads the header; `load` decodes the pixels.

    Alpha is ignored, because programs that write 32 bits often leave it 0.
    """

    format = "BMP"
    format_description = "Bitmap of Windows or OS/2"

    def _open(self) -> None:
        stream = self.fp
        assert stream is not None
        start = stream.read(_FILE_HEADER)
        begin = _FILE_HEADER if start[:2] == b"BM" else 0
        stream.seek(begin)
        (size,) = struct.unpack("<I", stream.read(4))
        if size != _OS2_HEADER_BYTES and not 16 <= size <= 256:
            raise DamagedError(NO_SENSE)
        header = struct.pack("<I", size) + stream.read(size - 4)
        if len(header) < size:
            raise DamagedError(CUT_OFF)
        colors = self._read_header(header)
        masks = header[_MASKS_AT : _MASKS_AT + 12]
        if self._compression in (_FIELDS, _ALPHA_FIELDS) and size == _MASKS_AT:
            masks = stream.read(12 if self._compression == _FIELDS else 16)[:12]
        self._set_masks(masks)
        entry = 3 if size == _OS2_HEADER_BYTES else 4
        at = stream.tell()
        palette = np.frombuffer(stream.read(entry * colors), np.uint8)
        palette = palette[: len(palette) // entry * entry].reshape(-1, entry)[:, 2::-1]
        self._palette = np.zeros((1 << min(self._bits, 8), 3), np.uint8)
        self._palette[: len(palette)] = palette[: len(self._palette)]
        self._pixels_at = int.from_bytes(start[10:14], "little") if begin else at + entry * colors

    def _read_header(self, header: bytes) -> int:
        """Parse the header, and return the number of palette colours."""
        size, colors, self._compression = len(header), 0, _RGB
        if size == _OS2_HEADER_BYTES:
            width, height, planes, self._bits = struct.unpack_from("<HHHH", header, 4)
        else:
            width, height, planes, self._bits = struct.unpack_from("<iiHH", header, 4)
            if size >= 20:
                (self._compression,) = struct.unpack_from("<I", header, 16)
            if size >= 36:
                (colors,) = struct.unpack_from("<I", header, 32)
        if any(size in sizes for sizes in _OS2) and self._compression in (_FIELDS, _OS2_RLE24):
            raise UnsupportedBitmapError("OS/2 bitmaps with Huffman or 24-bit run-length compression")
        if self._compression in (4, 5):
            raise UnsupportedBitmapError("Printer bitmaps that contain a JPEG or PNG")
        if planes != 1 or self._bits not in _DEPTHS.get(self._compression, ()):
            raise DamagedError(NO_SENSE)
        if width <= 0 or height == 0:
            raise DamagedError(NO_SENSE)
        self._top_down = height < 0
        self._size = (width, abs(height))
        self._mode = "RGB"
        return min(colors or 1 << self._bits, 256) if self._bits <= 8 else 0

    def _set_masks(self, masks: bytes) -> None:
        self._masks = _USUAL_MASKS.get(self._bits, (0, 0, 0))
        if self._compression in (_FIELDS, _ALPHA_FIELDS):
            first, second, third = struct.unpack("<III", masks)
            if (first & second) | (first & third) | (second & third) or not (first | second | third):
                raise DamagedError(NO_SENSE)
            self._masks = (first, second, third)

    def load(self) -> Any:
        """Read the pixels."""
        if self._im is None:
            assert self.fp is not None
            self.fp.seek(self._pixels_at)
            pixels = self._decode(self.fp)
            self.im = Image.fromarray(pixels if self._top_down else np.ascontiguousarray(pixels[::-1])).im
        return Image.Image.load(self)

    def _decode(self, stream: IO[bytes]) -> NDArray[np.uint8]:
        """Return the pixels (h, w, 3), rows in the order of the file."""
        width, height = self._size
        if self._compression in (_RLE8, _RLE4):
            # Runs and ends of lines have at least two bytes each, so longer data cannot belong to the picture.
            data = stream.read(4 * (width + 2) * height + 2)
            levels = _run_lengths(data, width, height, nibbles=self._compression == _RLE4)
            return np.take(self._palette, levels, axis=0)
        stride = (width * self._bits + 31) // 32 * 4
        data = stream.read(stride * height)
        if len(data) < stride * height:
            raise DamagedError(CUT_OFF)
        rows = np.frombuffer(data, np.uint8).reshape(height, stride)
        pixels = np.empty((height, width, 3), np.uint8)
        for top in range(0, height, _STRIP):
            pixels[top : top + _STRIP] = self._colors(rows[top : top + _STRIP], width)
        return pixels

    def _colors(self, rows: NDArray[np.uint8], width: int) -> NDArray[np.uint8]:
        if self._bits <= 8:
            per_byte = 8 // self._bits
            shifts = np.arange(8 - self._bits, -1, -self._bits, dtype=np.uint8)
            levels = (rows[:, :, None] >> shifts) & np.uint8((1 << self._bits) - 1)
            indices = levels.reshape(len(rows), rows.shape[1] * per_byte)[:, :width]
            return np.take(self._palette, indices, axis=0)
        if self._bits == 24:
            colors: NDArray[np.uint8] = rows[:, : 3 * width].reshape(len(rows), width, 3)[:, :, ::-1]
            return colors
        kind = "<u2" if self._bits == 16 else "<u4"
        values = rows[:, : width * self._bits // 8].copy().view(kind).astype(np.uint32)
        channels: NDArray[np.uint8] = np.stack([_channel(values, mask) for mask in self._masks], axis=-1)
        return channels


def _channel(values: NDArray[np.uint32], mask: int) -> NDArray[np.uint8]:
    """Return the masked bits, scaled to 0..255."""
    if mask == 0:
        return np.zeros(values.shape, np.uint8)
    lowest = (mask & -mask).bit_length() - 1
    most = mask >> lowest
    channel: NDArray[np.uint8] = np.rint(((values & np.uint32(mask)) >> lowest) * (255 / most)).astype(np.uint8)
    return channel


def _run_lengths(data: bytes, width: int, height: int, *, nibbles: bool) -> NDArray[np.uint8]:
    """Return the colour indices (h, w), 0 where the runs omit pixels; ValueError if the data end early."""
    canvas = bytearray(width * height)
    x = y = at = 0
    while y < height:
        if at + 2 > len(data):
            raise DamagedError(CUT_OFF)
        count, value = data[at], data[at + 1]
        at += 2
        if count:
            run = bytes((value >> 4, value & 15)) * ((count + 1) // 2) if nibbles else bytes((value,)) * count
        elif value == 0:
            x, y = 0, y + 1
            continue
        elif value == 1:
            break
        elif value == 2:
            if at + 2 > len(data):
                raise DamagedError(CUT_OFF)
            x, y = x + data[at], y + data[at + 1]
            at += 2
            continue
        else:
            count = value
            size = (count + 1) // 2 if nibbles else count
            literal = data[at : at + size]
            at += size + size % 2
            run = bytes(part for byte in literal for part in (byte >> 4, byte & 15)) if nibbles else literal
        fits = max(0, min(len(run), count, width - x))
        canvas[y * width + x : y * width + x + fits] = run[:fits]
        x += count
    return np.frombuffer(canvas, np.uint8).reshape(height, width)
