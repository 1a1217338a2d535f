# SPDX-License-Identifier: MIT
"""Camera raw files: how they differ from plain TIFF, and their embedded preview.

LibRaw is only called for files recognized by `is_raw`. Most raw files have the signature of TIFF; a directory with
sensor values distinguishes them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import datetime
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.damage import NO_PICTURE, NOT_DECODED, DamagedError
from focal_photos.features.decoding.exif import Orientation, orientation_and_date_of_tiff
from focal_photos.features.metadata.tiff import SUB_DIRECTORIES, Directory, Tiff, TiffError
from focal_photos.text import TextError

RAW_SUFFIXES: Final = frozenset(
    {
        *(".dng", ".cr2", ".cr3", ".crw", ".nef", ".nrw", ".arw", ".srf", ".sr2", ".orf", ".ori", ".rw2", ".rwl"),
        *(".raf", ".pef", ".srw", ".mrw", ".3fr", ".fff", ".erf", ".mef", ".mos", ".iiq", ".kdc", ".dcr"),
    }
)
"""Suffixes, in lower case and with the dot, of files that may be camera raw."""

_SIGNATURES: Final = re.compile(
    rb"II\*\0....CR\x02"  # Canon CR2
    rb"|....ftypcrx "  # Canon CR3
    rb"|II.\0\0\0HEAPCCDR"  # Canon CRW
    rb"|II(?:RO|RS|\x55\0)|MMOR"  # Olympus ORF, Panasonic RW2
    rb"|FUJIFILMCCD-RAW|\0MRM",  # Fujifilm RAF, Minolta MRW
    re.DOTALL,
)
_TIFF: Final = re.compile(rb"II\*\0|MM\0\*")
_TIFF_LIKE: Final = re.compile(rb"II(?:\*\0|R[OS]|U\0)|MM(?:\0\*|OR)")

_WIDTH, _PHOTOMETRIC, _DNG_VERSION = 256, 262, 50706
_SENSOR_VALUES: Final = {32803, 34892}  # photometric interpretations: colour filter array, linear raw

_EXIF_BLOCK: Final = re.compile(rb"\xff\xe1(..)Exif\0\0", re.DOTALL)
_INNER_EXIF: Final = re.compile(rb"(?:Exif\0\0|CMT1)(?=II\*\0|MM\0\*)")  # in the preview of a RAF file; in CR3
_MOST_BEFORE_EXIF: Final = 1 << 16

# Bits of LibRaw's flip: mirrored, upside down, sides swapped (applied last).
_ORIENTATIONS: Final = (
    Orientation.NORMAL,
    Orientation.MIRRORED,
    Orientation.FLIPPED,
    Orientation.HALF_TURN,
    Orientation.TRANSPOSED,
    Orientation.TURNED_LEFT,
    Orientation.TURNED_RIGHT,
    Orientation.TRANSVERSED,
)


class UnknownRawError(TextError, ValueError):
    """LibRaw does not know this kind of file."""


def has_raw_signature(head: bytes) -> bool:
    """Return whether a file has a signature that only camera raw files have."""
    return _SIGNATURES.match(head) is not None


def is_raw(head: bytes, stream: IO[bytes]) -> bool:
    """Return whether a file holds camera raw data.

    A TIFF file does if one of its directories (the first ones, and their subdirectories) holds sensor values, or if it
    is marked as DNG and has subdirectories. A plain TIFF file does not, whichever program wrote it.

    Parameters
    ----------
    head : bytes
        The first 64 bytes.
    stream : file
        File to read the directories from; its position is restored.
    """
    if has_raw_signature(head):
        return True
    if not _TIFF.match(head):
        return False
    return _any_directory(stream, _is_of_sensor)


def holds_picture(head: bytes, stream: IO[bytes]) -> bool:
    """Return whether a TIFF file holds a picture; metadata alone, such as an EXIF block, have no width.

    Parameters
    ----------
    head : bytes
        First bytes of the file. For files without a classic TIFF signature the result is True.
    stream : file
        File to read the directories from; its position is restored.
    """
    if not _TIFF.match(head):
        return True
    return _any_directory(stream, lambda directory: any(directory.numbers(_WIDTH)))


def _is_of_sensor(directory: Directory) -> bool:
    is_dng = _DNG_VERSION in directory and SUB_DIRECTORIES in directory
    return is_dng or not _SENSOR_VALUES.isdisjoint(directory.numbers(_PHOTOMETRIC))


def _any_directory(stream: IO[bytes], is_wanted: Callable[[Directory], bool]) -> bool:
    """Return whether a TIFF file has a directory for which a condition is true."""
    place = stream.tell()
    try:
        return any(map(is_wanted, Tiff(stream).directories()))
    except TiffError:
        return False
    finally:
        stream.seek(place)


class _Whole:
    """A file object that returns its content without a copy."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def read(self) -> bytes:
        return self._content


class RawFile:
    """An opened raw file; its header is read, its pixels are not.

    Attributes
    ----------
    size : tuple of int
        Width and height of the developed picture, before rotation.
    orientation : Orientation
        Orientation of that picture.
    claimed_pixels : int
        Number of pixels of the sensor, including margins.
    taken : datetime or None

    Raises
    ------
    UnknownRawError
        If LibRaw does not know this kind of file.
    ValueError
        If the file is damaged.
    """

    format: Final = "RAW"

    def __init__(self, stream: IO[bytes]) -> None:
        import rawpy  # deferred: most libraries contain no raw files

        self._rawpy = rawpy
        self._raw = rawpy.RawPy()
        # rawpy releases the content when it unpacks the sensor values, but LibRaw continues to read it: keep a
        # reference.
        self._content = stream.read()
        try:
            self._raw.open_buffer(_Whole(self._content))  # type: ignore[arg-type]
        except rawpy.LibRawFileUnsupportedError:
            raise UnknownRawError("LibRaw does not support it") from None
        except rawpy.LibRawError:
            raise DamagedError(NOT_DECODED) from None
        sizes = self._raw.sizes
        self.size = (sizes.width, sizes.height)
        if 0 in self.size:
            raise DamagedError(NO_PICTURE)
        self.orientation = _ORIENTATIONS[sizes.flip] if 0 <= sizes.flip < 8 else Orientation.NORMAL
        self.claimed_pixels = max(sizes.width * sizes.height, sizes.raw_width * sizes.raw_height)
        # Not from LibRaw, because rawpy would unpack all values for it.
        self.taken = _taken(self._content)

    def close(self) -> None:
        """Release the memory."""
        self._raw.close()

    def preview(self) -> bytes | NDArray[np.uint8] | None:
        """Return the largest preview: a JPEG file, or pixels (h, w, 3) or (h, w); None if there is none."""
        try:
            found = self._raw.extract_thumb()
        except self._rawpy.LibRawError:
            return None
        if isinstance(found.data, bytes):
            return _own_words(found.data) if found.data[:2] == b"\xff\xd8" else None
        pixels = np.asarray(found.data)
        if pixels.dtype != np.uint8:
            pixels = (pixels >> 8).astype(np.uint8)
        pixels = pixels[:, :, 0] if pixels.ndim == 3 and pixels.shape[2] == 1 else pixels
        return np.ascontiguousarray(pixels) if pixels.size else None

    def preview_orientation(self, size: tuple[int, int], own: Orientation | None) -> Orientation:
        """Return the rotation that a preview needs.

        Parameters
        ----------
        size : tuple of int
            Stored width and height of the preview.
        own : Orientation or None
            Orientation in the preview's EXIF block. Cameras embed rotated and unrotated previews, with correct and
            wrong entries; the first of this and the photo's orientation that gives the proportions of the photo is
            used.
        """
        upright = self._is_wide(self.size) != self.orientation.swaps_sides
        for candidate in (own, self.orientation):
            if candidate is not None and (self._is_wide(size) != candidate.swaps_sides) == upright:
                return candidate
        return Orientation.NORMAL

    def develop(self) -> NDArray[np.uint8]:
        """Develop the picture at half its size, upright, sRGB, uint8 (h, w, 3).

        Uses LibRaw's development with the camera's white balance: two by two sensor values give one pixel.

        Raises
        ------
        ValueError
            If the file is damaged, or the sensor values are missing.
        """
        try:
            pixels = self._raw.postprocess(half_size=True, use_camera_wb=True, gamma=(2.4, 12.92))
        except self._rawpy.LibRawError:
            raise DamagedError(NOT_DECODED) from None
        if pixels.min() == pixels.max():  # sensors always have some noise; LibRaw shows missing data as black
            raise DamagedError(NO_PICTURE)
        return np.repeat(pixels, 3, axis=2) if pixels.shape[2] == 1 else pixels

    @staticmethod
    def _is_wide(size: tuple[int, int]) -> bool:
        return size[0] >= size[1]


def _taken(content: bytes) -> datetime | None:
    """Return the date in the directories of the file or, if it is not based on TIFF, in a block near the beginning."""
    start = 0
    if not _TIFF_LIKE.match(content):
        found = _INNER_EXIF.search(content, 0, _MOST_BEFORE_EXIF)
        start = found.end() if found else len(content)
    return orientation_and_date_of_tiff(io.BytesIO(content[start:]))[1]


def _own_words(preview: bytes) -> bytes:
    """Return a JPEG file without the EXIF block that LibRaw prepends, if another block follows."""
    first = _EXIF_BLOCK.match(preview, 2)
    if first is None:
        return preview
    after = 4 + int.from_bytes(first.group(1), "big")
    own = _EXIF_BLOCK.search(preview, after, after + _MOST_BEFORE_EXIF)
    return preview[:2] + preview[after:] if own is not None else preview
