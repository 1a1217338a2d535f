# SPDX-License-Identifier: MIT
"""Decodable parts of truncated JPEG and PNG files, as complete files with the rows present."""

from __future__ import annotations

import io
import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import JpegImagePlugin

_JPEG: Final = b"\xff\xd8\xff"
_JPEG_END: Final = b"\xff\xd9"
_SCAN: Final = 0xDA
_END: Final = 0xD9
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_MARKERS_WITHOUT_SEGMENT: Final = frozenset({0x00, 0x01, *range(0xD0, 0xD9)})
"""Markers without a segment: restart markers, the start of the image, and stuffed bytes."""
_BLOCK: Final = 8
_GRAY: Final = 128
"""Value with which the decoder fills missing blocks."""

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_LARGEST_PNG: Final = 1 << 29  # bytes of pixels that are repacked at most


def decodable_part(content: bytes) -> tuple[bytes, float] | None:
    """Return a complete file of the decodable part of an incomplete one.

    Parameters
    ----------
    content : bytes
        Content of a truncated JPEG or PNG file.

    Returns
    -------
    file : bytes
        File of the same format, with the height of the part.
    share : float
        Share of the rows that are present, above 0 and at most 1. It is 1 for a progressive JPEG file whose first scan
        is complete: the whole picture is present, with less detail.

    None
        Returned if nothing can be decoded, or the format is another one.
    """
    if content.startswith(_JPEG):
        return _part_of_jpeg(content)
    if content.startswith(_PNG):
        return _part_of_png(content)
    return None


def _part_of_jpeg(content: bytes) -> tuple[bytes, float] | None:
    end, frame = _whole_segments(content)
    if frame is None:
        return None
    file = content[:end] + _JPEG_END
    try:
        image = JpegImagePlugin.JpegImageFile(io.BytesIO(file))
        width, height = image.size
        image.draft(None, (max(1, width // _BLOCK), max(1, height // _BLOCK)))
        image.load()
    except (OSError, SyntaxError, ValueError):
        return None
    pixels = np.asarray(image).reshape(image.height, image.width, -1)
    distance: NDArray[np.int16] = np.abs(pixels.astype(np.int16) - _GRAY)
    there: NDArray[np.bool_] = np.any(distance > 1, axis=2)
    # The last row of blocks may be cut on the right; it counts only if there is no other.
    rows = _count(there[:, -1]) or _count(np.any(there, axis=1))
    decodable = min(height, -(-rows * height // image.height))
    if not decodable:
        return None
    at = frame + 5  # after marker, length and precision
    return file[:at] + decodable.to_bytes(2, "big") + file[at + 2 :], decodable / height


def _count(there: NDArray[np.bool_]) -> int:
    """Return the number of rows up to the last one present."""
    return int(np.flatnonzero(there)[-1]) + 1 if there.any() else 0


def _whole_segments(content: bytes) -> tuple[int, int | None]:
    """Return the end of the last complete segment or scan of a JPEG file, and the start of its frame header."""
    at, frame, size = 2, None, len(content)
    while at + 4 <= size:
        marker = content[at + 1]
        if content[at] != 0xFF or marker == 0xFF or marker in _MARKERS_WITHOUT_SEGMENT:
            following = content.find(b"\xff", at + (2 if content[at] == 0xFF and marker != 0xFF else 1))
            if following < 0:
                return size, frame
            at = following
            continue
        end = at + 2 + int.from_bytes(content[at + 2 : at + 4], "big")
        if marker == _END or end > size:
            return at, frame
        if marker in _FRAMES:
            frame = at
        at = end
        if marker == _SCAN and (at := _end_of_scan(content, at)) >= size:
            return size, frame
    return at, frame


def _end_of_scan(content: bytes, at: int) -> int:
    """Return the position of the marker after a scan's coded data, or the file size if there is none."""
    while (at := content.find(b"\xff", at)) >= 0 and at + 1 < len(content):
        if content[at + 1] not in _MARKERS_WITHOUT_SEGMENT:
            return at
        at += 2
    return len(content)


def _part_of_png(content: bytes) -> tuple[bytes, float] | None:
    before, packed, at = [], [], len(_PNG)
    while at + 8 <= len(content):
        size, kind = int.from_bytes(content[at : at + 4], "big"), content[at + 4 : at + 8]
        data = content[at + 8 : at + 8 + size]
        if kind == b"IDAT":
            packed.append(data)
        elif not packed and len(data) == size:
            before.append((kind, data))
        at += size + 12
    if not before or before[0][0] != b"IHDR" or len(before[0][1]) != 13:
        return None
    header = before[0][1]
    width, height = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:8], "big")
    depth, color, interlaced = header[8], header[9], header[12]
    line = 1 + -(-width * depth * _CHANNELS.get(color, 0) // 8)
    if interlaced or not height or line < 2 or line * height > _LARGEST_PNG:
        return None
    try:
        pixels = zlib.decompressobj().decompress(b"".join(packed), line * height)
    except zlib.error:
        return None
    rows = len(pixels) // line
    if not rows:
        return None
    chunks = [(b"IHDR", header[:4] + rows.to_bytes(4, "big") + header[8:]), *before[1:]]
    chunks += [(b"IDAT", zlib.compress(pixels[: rows * line], 1)), (b"IEND", b"")]
    return _PNG + b"".join(_chunk(kind, data) for kind, data in chunks), rows / height


def _chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
