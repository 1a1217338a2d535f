# SPDX-License-Identifier: MIT
"""PNG decoding by Pillow, without ancillary chunks that make Pillow refuse a file."""

from __future__ import annotations

import io
import zlib
from typing import IO, Final

from PIL import ImageFile, PngImagePlugin

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_PICTURE: Final = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_KEPT: Final = (*_PICTURE, b"eXIf")
_PROFILE: Final = b"iCCP"
_LARGEST_PROFILE: Final = 16 << 20


def open_png(stream: IO[bytes]) -> ImageFile.ImageFile:
    """Open a PNG file.

    Pillow refuses files with a text or a colour profile of more than 1 MB, or with damage to any chunk. In these cases
    it is given only the chunks of the picture, a profile of up to 16 MB and an undamaged EXIF block.

    Raises
    ------
    Exception
        If the file is damaged.
    """
    try:
        image = PngImagePlugin.PngImageFile(stream)
        if image.tile:  # no tile if the number of frames is wrong
            return image
    except Exception:
        pass
    stream.seek(0)
    content, profile = _picture_alone(stream)
    image = PngImagePlugin.PngImageFile(io.BytesIO(content))
    if profile:
        image.info["icc_profile"] = profile
    return image


def _picture_alone(stream: IO[bytes]) -> tuple[bytes, bytes]:
    """Return a file with the required chunks, and the colour profile."""
    chunks, profile = [stream.read(len(_SIGNATURE))], b""
    while len(head := stream.read(8)) == 8:
        size, kind = int.from_bytes(head[:4], "big"), head[4:]
        if kind not in _KEPT and kind != _PROFILE:
            stream.seek(size + 4, 1)
            continue
        data, check = stream.read(size), stream.read(4)
        is_whole = zlib.crc32(kind + data).to_bytes(4, "big") == check
        if kind == _PROFILE:
            profile = _unpacked(data) if is_whole else b""
        elif is_whole or kind in _PICTURE:
            chunks.append(head + data + check)
        if kind == b"IEND":
            break
    return b"".join(chunks), profile


def _unpacked(chunk: bytes) -> bytes:
    """Return the colour profile of a chunk; empty if it is damaged or too large."""
    _, _, packed = chunk.partition(b"\0")
    try:
        unpacker = zlib.decompressobj()
        profile = unpacker.decompress(packed[1:], _LARGEST_PROFILE)
    except zlib.error:
        return b""
    return profile if unpacker.eof else b""
