# SPDX-License-Identifier: MIT
"""Small generated files of each format, and reproducible damage to them."""

from __future__ import annotations

import functools
import re
import time
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.limits import DecodeLimits, ImageError
from tests.features.pictures import file_bytes, scene
from tests.features.raw_files import dng

LIMITS = DecodeLimits(max_pixels=4_000_000)
_PNG = b"\x89PNG\r\n\x1a\n"
_TELLING_NUMBERS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


@functools.cache
def seeds() -> dict[str, bytes]:
    """Return one small file by the name of its format."""
    rgb = scene(48, 32)
    picture = Image.fromarray(rgb)
    frames = {"save_all": True, "append_images": [Image.fromarray(scene(48, 32, seed)) for seed in (1, 2)]}
    alpha = Image.fromarray(np.dstack([rgb, rgb[:, :, 0]]))
    deep = Image.fromarray(rgb[:, :, 0].astype(np.uint16) * 257)
    palette = picture.quantize(16)
    exif = Image.Exif()
    exif[0x0112], exif[0x0132] = 6, "2024:05:17 08:30:59"
    made = {
        "JPEG baseline": file_bytes(picture, "JPEG", exif=exif.tobytes()),
        "JPEG progressive": file_bytes(picture, "JPEG", progressive=True),
        "JPEG CMYK": file_bytes(picture.convert("CMYK"), "JPEG"),
        "PNG 8": file_bytes(picture, exif=exif.tobytes()),
        "PNG 16": file_bytes(deep),
        "PNG palette": file_bytes(palette, transparency=3),
        "PNG alpha": file_bytes(alpha),
        "WebP lossy": file_bytes(picture, "WEBP", exif=exif.tobytes()),
        "WebP lossless": file_bytes(alpha, "WEBP", lossless=True),
        "WebP animated": file_bytes(picture, "WEBP", **frames),
        "GIF": file_bytes(palette, "GIF"),
        "GIF animated": file_bytes(palette, "GIF", **frames),
        "BMP": file_bytes(picture, "BMP"),
        "BMP palette": file_bytes(palette, "BMP"),
        "AVIF": file_bytes(picture, "AVIF", exif=exif.tobytes()),
        "HEIC": file_bytes(picture, "HEIF", exif=exif.tobytes()),
        "HEIC alpha": file_bytes(alpha, "HEIF"),
        "DNG": dng(rgb, orientation=6),
        "DNG preview": dng(rgb, preview="JPEG", preview_pixels=scene(400, 300)),
    }
    for name in ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg"):
        made[f"TIFF {name.removeprefix('tiff_')}"] = file_bytes(picture, "TIFF", compression=name)
    made["TIFF group4"] = file_bytes(picture.convert("1"), "TIFF", compression="group4")
    return made


def mutated(content: bytes, seed: int, number: int) -> bytes:
    """Return a damaged copy; equal arguments give equal damage."""
    rng = np.random.default_rng([seed, number, len(content)])
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        if not data:
            break
        size = len(data)
        place = int(rng.integers(size))
        other = int(rng.integers(size))
        length = int(rng.integers(1, max(2, size // 4)))
        match int(rng.integers(8)):
            case 0:  # bits
                for at in rng.integers(size, size=int(rng.integers(1, 9))):
                    data[at] ^= 1 << int(rng.integers(8))
            case 1:  # bytes
                for at in rng.integers(size, size=int(rng.integers(1, 9))):
                    data[at] = int(rng.integers(256))
            case 2:  # truncation
                del data[place:]
            case 3:  # two blocks are swapped
                one, two = data[place : place + length], data[other : other + length]
                data[place : place + len(two)], data[other : other + len(one)] = two, one
            case 4:  # a repeated block
                data[place:place] = data[other : other + length]
            case 5:  # a lost block
                del data[place : place + length]
            case 6:  # the header
                at = int(rng.integers(min(size, 64)))
                data[at] = int(rng.choice((0, 1, 0x7F, 0x80, 0xFF, int(rng.integers(256)))))
            case _:  # a length or an offset
                width = int(rng.choice((1, 2, 4)))
                at = min(place, int(rng.integers(min(size, 512))))
                number_there = int(rng.choice(_TELLING_NUMBERS)) % (1 << 8 * width)
                order = "little" if rng.integers(2) else "big"
                data[at : at + width] = number_there.to_bytes(width, order)  # type: ignore[arg-type]
    if data[:8] == _PNG and rng.integers(2):
        _mend_checksums(data)  # nothing after a wrong checksum would be read
    return bytes(data)


def _mend_checksums(data: bytearray) -> None:
    place = 8
    while place + 12 <= len(data):
        after = place + 8 + int.from_bytes(data[place : place + 4], "big")
        data[after : after + 4] = zlib.crc32(data[place + 4 : after]).to_bytes(4, "big")[: max(0, len(data) - after)]
        place = after + 4


@dataclass
class Survey:
    """Results for many damaged files of one format."""

    outcomes: Counter[str] = field(default_factory=Counter)
    """``"decoded"``, or the kind of the typed error."""
    faults: list[tuple[int, str]] = field(default_factory=list)
    """Number and error of each file with any other result."""
    slowest: float = 0.0
    """Longest time of a file in seconds."""
    memory: int = 0
    """Peak memory of the process in bytes."""


def survey(kind: str, content: bytes, seed: int, first: int, count: int) -> Survey:
    """Decode `count` damaged files starting with number `first`; run it in a separate process."""
    found = Survey()
    for number in range(first, first + count):
        data = mutated(content, seed, number)
        start = time.perf_counter()
        try:
            probe(data, LIMITS)
        except ImageError:
            pass
        except Exception as error:
            found.faults.append((number, f"probe: {error!r}"))
        try:
            decode(data, limits=LIMITS)
            found.outcomes["decoded"] += 1
        except ImageError as error:
            found.outcomes[type(error).__name__.removesuffix("Error")] += 1
            if not str(error).endswith(".") or "\n" in str(error):
                found.faults.append((number, f"message: {error}"))
        except Exception as error:
            found.faults.append((number, repr(error)))
        found.slowest = max(found.slowest, time.perf_counter() - start)
    found.memory = _most_memory()
    return found


def _most_memory() -> int:
    """Return the peak memory of this process in bytes, or 0 if unknown."""
    status = Path("/proc/self/status")  # on Linux, getrusage starts with the size of the parent
    peak = re.search(r"VmHWM:\s*(\d+) kB", status.read_text()) if status.exists() else None
    return int(peak.group(1)) << 10 if peak else 0
