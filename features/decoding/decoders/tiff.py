# SPDX-License-Identifier: MIT
"""TIFF photos: decoded by Pillow's libtiff if possible, else by tifffile with the codecs of imagecodecs.

Pillow refuses big-endian BigTIFF, most depths other than 1, 8 and 16 bits, and compressions that its libtiff lacks.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile, ImageOps, TiffImagePlugin

from focal_photos.features.decoding.damage import CUT_OFF, NO_SENSE, NOT_DECODED, DamagedError
from focal_photos.features.decoding.exif import Orientation, WithOrientation, orientation_and_date_of_tiff
from focal_photos.features.decoding.limits import UnsupportedFormatError
from focal_photos.features.decoding.measured import in_window
from focal_photos.features.decoding.pixels import gray_levels

_WHITE_IS_ZERO, _BLACK_IS_ZERO, _RGB, _PALETTE, _CMYK, _YCBCR, _LAB = 0, 1, 2, 3, 5, 6, 8
_COLORS: Final = {
    **dict.fromkeys((_WHITE_IS_ZERO, _BLACK_IS_ZERO, _PALETTE), "L"),
    **dict.fromkeys((_RGB, _YCBCR), "RGB"),
    _CMYK: "CMYK",
    _LAB: "LAB",
}
"""Pillow's mode by photometric interpretation."""

_JPEG: Final = {6, 7, 34892}
_ASSOCIATED, _UNASSOCIATED = 1, 2
_ORIENTATION, _ICC = 274, 34675
_STRIPS, _STRIP_SIZES, _TILES, _TILE_SIZES = 273, 279, 324, 325
_MOST_SAMPLES: Final = 16
_NOT_IN_PILLOW: Final = {"webp", "zstd", "lzma"}
"""Compressions that the libtiff of some Pillow wheels lacks, which only decoding reveals."""


def open_tiff(stream: IO[bytes]) -> _PillowTiff | TiffPhoto:
    """Open a TIFF photo with Pillow, or with tifffile if Pillow does not support this variety.

    Both report the upright size and rotate the pixels.

    Raises
    ------
    UnsupportedFormatError
    Exception
        If the file is damaged.
    """
    taken = orientation_and_date_of_tiff(stream)[1]
    image = _open_by_pillow(stream) or TiffPhoto(stream)
    image.taken = taken
    return image


def _open_by_pillow(stream: IO[bytes]) -> _PillowTiff | None:
    stream.seek(0)
    with suppress(Exception):
        image = _PillowTiff(stream)
        if _is_right_in_pillow(image):
            return image
    stream.seek(0)
    return None


class _PillowTiff(WithOrientation, TiffImagePlugin.TiffImageFile):
    """A TIFF file whose errors distinguish damaged from truncated data, unlike Pillow's."""

    def load(self) -> Any:
        tags, stream = self.tag_v2, self.fp
        try:
            return super().load()
        except OSError:
            starts = tags.get(_STRIPS) or tags.get(_TILES) or ()
            sizes = tags.get(_STRIP_SIZES) or tags.get(_TILE_SIZES) or ()
            assert stream is not None
            end = max((start + size for start, size in zip(starts, sizes, strict=False)), default=0)
            raise DamagedError(CUT_OFF if end > stream.seek(0, 2) else NOT_DECODED) from None


def _is_right_in_pillow(image: TiffImagePlugin.TiffImageFile) -> bool:
    """Return whether Pillow decodes an opened file correctly.

    Pillow treats 32-bit unsigned integers as signed, does not swap the bytes of compressed real numbers, and mixes up
    separate planes of 16 bits.
    """
    compression = image.info.get("compression")
    bits = max(image.tag_v2.get(TiffImagePlugin.BITSPERSAMPLE, (1,)))
    if compression in _NOT_IN_PILLOW or (compression == "jpeg" and bits != 8):
        return False
    planar = image.tag_v2.get(TiffImagePlugin.PLANAR_CONFIGURATION, 1)
    return bool(bits <= 8 or (bits == 16 and planar == 1))


def open_by_tifffile(stream: IO[bytes]) -> Any:
    """Open a file with tifffile, without reading other files that it names and without closing the stream.

    Returns
    -------
    TiffFile
    """
    import tifffile

    logging.getLogger("tifffile").setLevel(logging.CRITICAL + 1)
    stream.seek(0)
    nameless: Any = _Stream(stream)
    return tifffile.TiffFile(nameless, name="image.tif", _multifile=False)


def require_decodable(page: Any, size: int) -> None:
    """Raise UnsupportedFormatError if the compression of a page of tifffile is unsupported.

    Raise ValueError if the file, of `size` bytes, is truncated: tifffile would fill up with zeros.
    """
    import tifffile

    if page.compression not in tifffile.TIFF.DECOMPRESSORS:
        raise UnsupportedFormatError("TIFF files of this compression are not supported: save the image as PNG.")
    ends = [start + count for start, count in zip(page.dataoffsets, page.databytecounts, strict=False)]
    if not any(page.databytecounts) or max(ends, default=0) > size:
        raise DamagedError(CUT_OFF)


class TiffPhoto(WithOrientation, ImageFile.ImageFile):
    """A photo that tifffile reads. Opening reads the header; `load` decodes the pixels, upright."""

    format = "TIFF"
    format_description = "TIFF by tifffile"

    def _open(self) -> None:
        stream = self.fp
        assert stream is not None
        page = self._page = open_by_tifffile(stream).pages.first
        self._file_size = stream.seek(0, 2)
        depths = page.bitspersample
        self._bits = depths if isinstance(depths, int) else max(depths)
        mode = _COLORS.get(page.photometric)
        if mode is None or page.imagedepth != 1 or page.samplesperpixel > _MOST_SAMPLES:
            raise UnsupportedFormatError("TIFF files of this kind are not supported: save the image as PNG.")
        if (page.photometric == _YCBCR and page.compression not in _JPEG) or (mode == "LAB" and self._bits != 8):
            raise UnsupportedFormatError("TIFF files of this kind are not supported: save the image as PNG.")
        if page.samplesperpixel < len(mode):
            raise DamagedError(NO_SENSE)
        self._colors = mode
        extra = page.extrasamples[0] if page.extrasamples else 0
        self._alpha = extra if mode in ("L", "RGB") and page.photometric != _PALETTE else 0
        self._mode = mode if self._alpha not in (_ASSOCIATED, _UNASSOCIATED) else "RGBA"
        if page.photometric == _PALETTE:
            self._mode = "RGB"
        self._read_tags()
        require_decodable(page, self._file_size)

    def _read_tags(self) -> None:
        """Read orientation and colour profile."""
        tags = self._page.tags
        self._turn = Orientation.of(tags.valueof(_ORIENTATION)) or Orientation.NORMAL
        size = (self._page.imagewidth, self._page.imagelength)
        if min(size) < 1:
            raise DamagedError(NO_SENSE)
        self._size = size[::-1] if self._turn.swaps_sides else size
        profile = tags.valueof(_ICC)
        if isinstance(profile, bytes):
            self.info["icc_profile"] = profile

    def load(self) -> Any:
        """Decode the pixels."""
        if self._im is None:
            image = self._picture(self._page.asarray(maxworkers=1))
            image.getexif()[_ORIENTATION] = int(self._turn)
            self.im = ImageOps.exif_transpose(image).im
        return Image.Image.load(self)

    def _picture(self, values: NDArray[Any]) -> Image.Image:
        page = self._page
        if page.axes == "SYX":
            values = np.moveaxis(values, 0, -1)
        elif page.axes == "YX":
            values = values[..., np.newaxis]
        elif page.axes != "YXS":
            raise UnsupportedFormatError("TIFF files of this kind are not supported: save the image as PNG.")
        count = len(self._colors)
        if page.photometric == _PALETTE:
            palette = np.asarray(page.colormap)
            levels = (palette >> 8 if palette.max() > 255 else palette).astype(np.uint8)
            return Image.fromarray(np.ascontiguousarray(levels.T[values[..., 0]]))
        shown = count + (self._mode == "RGBA")
        levels = self._levels(np.ascontiguousarray(values[..., :shown]))
        if page.photometric == _WHITE_IS_ZERO:
            levels[..., 0] = np.invert(levels[..., 0])
        if self._mode != "RGBA":
            return Image.frombytes(self._mode, levels.shape[1::-1], levels.tobytes())
        if count == 1:
            levels = levels[..., [0, 0, 0, 1]]
        stored = "RGBa" if self._alpha == _ASSOCIATED else "RGBA"
        return Image.frombytes(stored, levels.shape[1::-1], levels.tobytes()).convert("RGBA")

    def _levels(self, values: NDArray[Any]) -> NDArray[np.uint8]:
        """Return values (h, w, channels) as 0..255; for 16 bits and more see `gray_levels`."""
        if values.dtype == np.bool_:
            return values.astype(np.uint8) * np.uint8(255)
        if values.dtype == np.uint8 and self._bits == 8:
            return values
        unsigned = values.dtype.kind == "u" and self._bits <= 16
        if unsigned and not (self._bits == 16 and values.shape[2] == 1):
            return in_window(values, (0.0, float(2**self._bits - 1)))
        return gray_levels(values.reshape(len(values), -1)).reshape(values.shape)


class _Stream:
    """Stream interface for tifffile, which does not accept a stream whose name is a descriptor number."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.read, self.seek, self.tell = stream.read, stream.seek, stream.tell
        self.readinto = stream.readinto  # type: ignore[attr-defined] # of all that are opened for reading bytes

    def close(self) -> None:
        """Leave the stream open, as it belongs to the caller."""
