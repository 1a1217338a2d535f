# SPDX-License-Identifier: MIT
"""AVIF decoding by Pillow, or by imagecodecs for files that Pillow refuses.

Both call libavif. Pillow refuses files whose alpha item lacks a size, and a few others that violate the standard
without making the picture ambiguous.
"""

from __future__ import annotations

import io
import math
import re
import struct
from contextlib import suppress
from typing import IO, Any, Final

import numpy as np
from PIL import AvifImagePlugin, Image, ImageFile

from focal_photos.features.decoding.damage import CONTRADICTION, NO_SENSE, DamagedError
from focal_photos.features.decoding.exif import Orientation, WithOrientation, orientation_and_date
from focal_photos.features.decoding.measured import in_window

_ROTATION_BOX: Final = re.compile(rb"\0\0\0\x09irot(.)", re.DOTALL)
_MIRROR: Final = re.compile(rb"\0\0\0\x09imir(.)", re.DOTALL)
_SIZE: Final = re.compile(rb"\0\0\0\x14ispe\0\0\0\0(.{8})", re.DOTALL)
_DEPTH: Final = re.compile(rb"av1C\x81.(.)", re.DOTALL)
_PROFILE: Final = re.compile(rb"(.{4})colr(?:prof|rICC)", re.DOTALL)
_MOST_HEADER: Final = 1 << 18
_NORMAL: Final = (
    Orientation.NORMAL,
    Orientation.TURNED_LEFT,
    Orientation.HALF_TURN,
    Orientation.TURNED_RIGHT,
)
_FLIPPED: Final = (
    Orientation.FLIPPED,
    Orientation.TRANSPOSED,
    Orientation.MIRRORED,
    Orientation.TRANSVERSED,
)
_MIRRORED: Final = (
    Orientation.MIRRORED,
    Orientation.TRANSVERSED,
    Orientation.FLIPPED,
    Orientation.TRANSPOSED,
)
"""Orientation of the stored pixels by number of counter-clockwise quarter turns: without mirroring, after a vertical
flip, and after a horizontal flip."""


def open_avif(stream: IO[bytes]) -> ImageFile.ImageFile:
    """Open an AVIF file with Pillow, or with imagecodecs if Pillow refuses it.

    Raises
    ------
    Exception
        If the file is damaged.
    """
    try:
        return AvifImagePlugin.AvifImageFile(stream)
    except Exception:
        stream.seek(0)
        return Avif(stream)


class Avif(WithOrientation, ImageFile.ImageFile):
    """An AVIF file. Opening searches the header for the few required fields; `load` decodes the pixels."""

    format = "AVIF"
    format_description = "AVIF by imagecodecs"

    def _open(self) -> None:
        stream = self.fp
        assert stream is not None
        self._content = stream.read()
        head = self._content[:_MOST_HEADER]
        sizes = [struct.unpack(">II", found[1]) for found in _SIZE.finditer(head)]
        if not sizes or min(map(min, sizes)) < 1:
            raise DamagedError(NO_SENSE)
        self._size = max(sizes, key=math.prod)  # tiles and thumbnails are smaller than the picture
        self._mode = "RGB"
        depth = _DEPTH.search(head)
        self._bits = 8 if depth is None or not depth[1][0] & 0x40 else 12 if depth[1][0] & 0x20 else 10
        self._read_metadata(head)

    def _read_metadata(self, head: bytes) -> None:
        profile = _PROFILE.search(head)
        if profile is not None:
            size = int.from_bytes(profile[1], "big") - 12
            self.info["icc_profile"] = self._content[profile.end() : profile.end() + size]
        with suppress(Exception):  # libheif cannot open all of these files
            from pi_heif import HeifImageFile

            self.taken = orientation_and_date(HeifImageFile(io.BytesIO(self._content)))[1]
        turn, mirror = _ROTATION_BOX.search(head), _MIRROR.search(head)
        table = _NORMAL if mirror is None else _MIRRORED if mirror[1][0] & 1 else _FLIPPED
        self.orientation = table[turn[1][0] & 3 if turn else 0]  # the EXIF block's own orientation is ignored

    def load(self) -> Any:
        """Decode the pixels of the first picture."""
        if self._im is None:
            import imagecodecs

            values = imagecodecs.avif_decode(self._content, index=0)
            if values.shape[1::-1] != self._size:
                raise DamagedError(CONTRADICTION)
            if values.dtype != np.uint8:
                values = in_window(values, (0.0, float(2**self._bits - 1)))
            image = Image.fromarray(np.ascontiguousarray(values))
            self._mode = image.mode
            self.im = image.im
            self._content = b""
        return Image.Image.load(self)
