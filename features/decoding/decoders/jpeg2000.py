# SPDX-License-Identifier: MIT
"""JPEG 2000 decoding by Pillow's OpenJPEG, after a check that the two headers agree."""

from __future__ import annotations

import struct
from typing import IO, Any, Final, cast

from PIL import Image, ImageFile, Jpeg2KImagePlugin

from focal_photos.features.decoding.damage import (
    CONTRADICTION,
    CUT_OFF,
    NO_PICTURE,
    NO_SENSE,
    NOT_DECODED,
    DamagedError,
)
from focal_photos.features.decoding.measured import in_window

_CODESTREAM, _END = b"\xff\x4f\xff\x51", b"\xff\xd9"
_MOST_BOXES: Final = 1000
_MOST_COMPONENTS: Final = 4
_MOST_TILES: Final = 65_535
_CODING_STYLE, _FIRST_TILE = 0xFF52, 0xFF90
_MOST_SEGMENTS: Final = 1000


class Jpeg2000(Jpeg2KImagePlugin.Jpeg2KImageFile):
    """A JPEG 2000 file or codestream. Opening reads the headers; `load` decodes the pixels.

    OpenJPEG allocates memory according to the codestream, while Pillow's size is that of the preceding box; files in
    which they differ are refused. For a smaller picture, only the required resolution levels are decoded.
    """

    format = "JPEG2000"

    def _open(self) -> None:
        stream = self.fp
        assert stream is not None
        self._halved, self._levels = 0, _levels(stream)
        stream.seek(0)
        super()._open()
        stream.seek(0)
        stream.seek(_codestream(stream) + len(_CODESTREAM))
        if _size(stream) != self.size:
            raise DamagedError(CONTRADICTION)
        self._full, self._bits = self.size, (stream.read(1)[0] & 127) + 1

    def draft(self, mode: str | None, size: tuple[int, int] | None) -> Any:  # noqa: ARG002 - Pillow's signature
        """Choose the smallest of the sizes 1, 1/2, 1/4, ... that is not below `size`."""
        if size is not None and self._im is None:
            halved = 0
            while halved < self._levels and max(self.size) >> (halved + 1) >= max(size):
                halved += 1
            self._halved = halved

    def load(self) -> Any:
        """Decode the pixels."""
        if self.tile and self._halved:
            # Pillow rounds to the nearest integer where the format rounds up, and then considers the data damaged.
            width, height = (-(-a // (1 << self._halved)) for a in self.size)
            self._size = (width, height)
            tile = self.tile[0]
            codec, _, *others = cast("tuple[Any, ...]", tile.args)
            self.tile = [tile._replace(extents=(0, 0, width, height), args=(codec, self._halved, *others))]
            self._halved = 0
        first = self._im is None
        if first and self.mode == "LA" and self._bits > 8:  # Pillow decodes its brightest values as black
            self._load_by_imagecodecs()
        stream = self.fp
        try:
            loaded = ImageFile.ImageFile.load(self)
        except OSError:
            assert stream is not None
            stream.seek(max(0, stream.seek(0, 2) - len(_END)))
            raise DamagedError(NOT_DECODED if stream.read() == _END else CUT_OFF) from None
        if first and self._bits < 8 and self.palette is None:  # Pillow leaves the lower bits of white 0
            white = 255 >> 8 - self._bits << 8 - self._bits
            self.im = self.point([round(255 * min(level, white) / white) for level in range(256)] * len(self.mode)).im
            return Image.Image.load(self)
        return loaded

    def _load_by_imagecodecs(self) -> None:
        import imagecodecs

        assert self.fp is not None
        self.fp.seek(0)
        values = imagecodecs.jpeg2k_decode(self.fp.read())
        if values.shape[:2] != self._full[::-1]:
            raise DamagedError(CONTRADICTION)
        image = Image.fromarray(in_window(values, (0.0, float(2**self._bits - 1))))
        self.im = (image if image.size == self.size else image.resize(self.size, Image.Resampling.BOX)).im
        self.tile = []


def _codestream(stream: IO[bytes]) -> int:
    """Return the position of the codestream."""
    if stream.read(4) == _CODESTREAM:
        return 0
    at = 0
    for _ in range(_MOST_BOXES):
        stream.seek(at)
        head = stream.read(16)
        length, kind, begin = int.from_bytes(head[:4], "big"), head[4:8], 8
        if length == 1:
            length, begin = int.from_bytes(head[8:16], "big"), 16
        if kind == b"jp2c":
            stream.seek(at + begin)
            if stream.read(4) != _CODESTREAM:
                break
            return at + begin
        if length < begin:
            break
        at += length
    raise DamagedError(NO_PICTURE)


def _size(stream: IO[bytes]) -> tuple[int, int]:
    """Return width and height from the codestream, read from after its first two markers."""
    head = stream.read(38)
    if len(head) < 38:
        raise DamagedError(CUT_OFF)
    _, _, right, bottom, left, top, tile_width, tile_height, tiles_left, tiles_top, components = struct.unpack(
        ">HH8IH", head
    )
    if not (left < right and top < bottom and tile_width and tile_height and 0 < components <= _MOST_COMPONENTS):
        raise DamagedError(NO_SENSE)
    across, down = -(-(right - tiles_left) // tile_width), -(-(bottom - tiles_top) // tile_height)
    if not 0 < across * down <= _MOST_TILES:
        raise DamagedError(NO_SENSE)
    return right - left, bottom - top


def _levels(stream: IO[bytes]) -> int:
    """Return the number of halved resolutions in the file, or 0 if uncertain."""
    at = _codestream(stream) + len(_CODESTREAM)
    stream.seek(at)
    _size(stream)
    stream.seek(at + 12)
    corner = stream.read(8)
    stream.seek(at)
    at += int.from_bytes(stream.read(2), "big")
    for _ in range(_MOST_SEGMENTS):
        stream.seek(at)
        marker, length = struct.unpack(">HH", stream.read(4))
        if marker == _CODING_STYLE:
            levels = stream.read(6)[5]
            return levels if levels <= 32 and corner == bytes(8) else 0
        if marker == _FIRST_TILE or length < 2:
            break
        at += 2 + length
    raise DamagedError(CUT_OFF)
