# SPDX-License-Identifier: MIT
"""Small generated camera raw files."""

from __future__ import annotations

import struct
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from tests.features.pictures import file_bytes

# TIFF types: number of the type and format code of its values; text is bytes.
_SHORT, _LONG, _RATIONAL, _SIGNED_RATIONAL, _TEXT, _BYTE = 3, 4, 5, 10, 2, 1
_CODES: Final = {_SHORT: "H", _LONG: "I", _RATIONAL: "II", _SIGNED_RATIONAL: "ii"}

Tags = dict[int, tuple[int, Any]]
Preview = Literal["JPEG", "bitmap"]


def dng(
    stored: NDArray[np.uint8],
    *,
    preview: Preview | None = None,
    preview_pixels: NDArray[np.uint8] | None = None,
    orientation: int = 1,
    taken: str = "2023:04:05 06:07:08",
    preview_exif: bytes = b"",
    order: Literal["<", ">"] = "<",
) -> bytes:
    """Return a DNG file whose sensor (RGGB, 16 bits) recorded the given pixels.

    Parameters
    ----------
    stored : ndarray of uint8, shape (h, w, 3)
        Pixels in sensor order, sRGB.
    preview : {"JPEG", "bitmap"}, optional
        Kind of the preview in the first directory; without a preview, it has the sensor values.
    preview_pixels : ndarray of uint8, shape (h, w, 3), optional
        Default `stored`.
    orientation : int
        EXIF orientation of the first directory.
    preview_exif : bytes
        EXIF block of a JPEG preview.
    """
    height, width, _ = stored.shape
    sensor: Tags = {
        254: (_LONG, [0]),
        256: (_LONG, [width]),
        257: (_LONG, [height]),
        258: (_SHORT, [16]),
        259: (_SHORT, [1]),
        262: (_SHORT, [32803]),
        273: (_LONG, "sensor"),
        277: (_SHORT, [1]),
        278: (_LONG, [height]),
        279: (_LONG, [2 * width * height]),
        33421: (_SHORT, [2, 2]),
        33422: (_BYTE, bytes([0, 1, 1, 2])),
        50714: (_LONG, [0]),
        50717: (_LONG, [65535]),
    }
    camera: Tags = {
        271: (_TEXT, b"Focal\0"),
        272: (_TEXT, b"Test camera\0"),
        274: (_SHORT, [orientation]),
        306: (_TEXT, taken.encode() + b"\0"),
        50706: (_BYTE, bytes([1, 4, 0, 0])),
        50707: (_BYTE, bytes([1, 1, 0, 0])),
        50708: (_TEXT, b"Focal test camera\0"),
        # From XYZ to the colours of the camera, which are sRGB here.
        50721: (_SIGNED_RATIONAL, _matrix(3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.204, 1.057)),
        50728: (_RATIONAL, [1, 1, 1, 1, 1, 1]),
        50778: (_SHORT, [21]),
    }
    blocks = {"sensor": _sensor_values(stored).astype(order + "u2").tobytes()}
    if preview is None:
        return _tiff([{**sensor, **camera}], blocks, order)
    pixels = stored if preview_pixels is None else preview_pixels
    options = {"exif": preview_exif} if preview_exif else {}
    blocks["preview"] = pixels.tobytes() if preview == "bitmap" else file_bytes(pixels, "JPEG", quality=95, **options)
    first: Tags = {
        254: (_LONG, [1]),
        256: (_LONG, [pixels.shape[1]]),
        257: (_LONG, [pixels.shape[0]]),
        258: (_SHORT, [8, 8, 8]),
        259: (_SHORT, [1 if preview == "bitmap" else 7]),
        262: (_SHORT, [2 if preview == "bitmap" else 6]),
        273: (_LONG, "preview"),
        277: (_SHORT, [3]),
        278: (_LONG, [pixels.shape[0]]),
        279: (_LONG, [len(blocks["preview"])]),
        330: (_LONG, "directory 1"),
        **camera,
    }
    return _tiff([first, sensor], blocks, order)


def _matrix(*numbers: float) -> list[int]:
    return [part for number in numbers for part in (round(number * 10_000), 10_000)]


def _sensor_values(stored: NDArray[np.uint8]) -> NDArray[np.uint16]:
    share = stored / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    rows, columns = np.mgrid[: stored.shape[0], : stored.shape[1]]
    values: NDArray[np.float64] = linear[rows, columns, rows % 2 + columns % 2]  # RGGB
    return np.rint(values * 65535).astype(np.uint16)


def _tiff(directories: list[Tags], blocks: dict[str, bytes], order: Literal["<", ">"]) -> bytes:
    """Return a TIFF file whose first directory is the main one; ``"directory i"`` and block names become offsets."""
    places: dict[str, int] = {}
    for _ in range(2):  # the first round determines the offsets
        content = bytearray(b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8)
        for number, tags in enumerate(directories):
            places[f"directory {number}"] = len(content)
            entries, more = b"", b""
            after = len(content) + 2 + 12 * len(tags) + 4
            for tag, (kind, given) in sorted(tags.items()):
                values = [places.get(given, 0)] if isinstance(given, str) else given
                data = values if isinstance(values, bytes) else _pack(order, kind, values)
                count = len(data) // {_BYTE: 1, _TEXT: 1, _SHORT: 2, _LONG: 4}.get(kind, 8)
                if len(data) > 4:
                    place = after + len(more)
                    more += data + bytes(len(data) % 2)
                    data = struct.pack(order + "I", place)
                entries += struct.pack(order + "HHI", tag, kind, count) + data.ljust(4, b"\0")
            content += struct.pack(order + "H", len(tags)) + entries + bytes(4) + more
        for name, block in blocks.items():
            places[name] = len(content)
            content += block + bytes(len(block) % 2)
    return bytes(content)


def _pack(order: str, kind: int, values: list[int]) -> bytes:
    code = _CODES[kind]
    return struct.pack(f"{order}{len(values)}{code[0]}", *values)
