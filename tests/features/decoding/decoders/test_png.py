# SPDX-License-Identifier: MIT
"""Large or damaged chunks beside the picture of a PNG file do not affect the picture."""

from __future__ import annotations

import struct
import zlib
from datetime import datetime

import numpy as np
import pytest
from PIL import Image, ImageCms

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.limits import UnreadableImageError
from tests.features.pictures import file_bytes, scene
from tests.features.varieties import long_text


def chunk(kind: bytes, data: bytes, check: int | None = None) -> bytes:
    checksum = zlib.crc32(kind + data) if check is None else check
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)


def with_chunk(content: bytes, *chunks: bytes) -> bytes:
    """Return the file with additional chunks after the first."""
    return content[:33] + b"".join(chunks) + content[33:]


@pytest.mark.parametrize("kind", ["iTXt", "zTXt", "tEXt"])
def test_a_long_text_is_skipped(kind: str) -> None:
    content = file_bytes(scene(), pnginfo=long_text(kind))
    assert probe(content) == decode(content).header
    np.testing.assert_array_equal(decode(content).rgb, scene())


def test_a_text_that_unpacks_to_64_megabytes_is_not_unpacked() -> None:
    text = zlib.compress(bytes(64 << 20), 9)
    packed = b"Comment\0\0" + text
    np.testing.assert_array_equal(decode(with_chunk(file_bytes(scene()), chunk(b"zTXt", packed))).rgb, scene())


def test_a_large_colour_profile_is_used() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    # The profile swaps red and green, so its use is visible in every pixel.
    swapped = srgb.replace(b"rXYZ", b"tXYZ").replace(b"gXYZ", b"rXYZ").replace(b"tXYZ", b"gXYZ")
    swapped = swapped.replace("sRGB".encode("utf-16-be"), "swap".encode("utf-16-be"))
    filler = np.random.default_rng(0).integers(0, 256, 2_000_000, np.uint8).tobytes()
    shown = decode(file_bytes(scene(), icc_profile=swapped + filler)).rgb
    np.testing.assert_array_equal(shown, decode(file_bytes(scene(), icc_profile=swapped)).rgb)
    assert np.abs(shown.astype(int) - scene()).mean() > 20


@pytest.mark.parametrize("kind", [b"tEXt", b"iCCP", b"gAMA", b"cHRM", b"sRGB", b"pHYs", b"eXIf", b"acTL", b"fcTL"])
def test_damage_beside_the_picture_is_ignored(kind: bytes) -> None:
    for damaged in (chunk(kind, b"x" * 9, check=7), chunk(kind, b""), chunk(kind, b"\xff" * 3)):
        np.testing.assert_array_equal(decode(with_chunk(file_bytes(scene()), damaged)).rgb, scene())


def test_orientation_transparency_and_palette_survive_damage() -> None:
    exif = Image.Exif()
    exif[274], exif[306] = 6, "2024:05:17 08:30:59"
    broken = chunk(b"tEXt", b"x" * 9, check=7)
    palette = Image.fromarray(scene()).quantize(16)
    content = file_bytes(palette, transparency=3, exif=exif.tobytes())
    image = decode(with_chunk(content, broken))
    np.testing.assert_array_equal(image.rgb, decode(content).rgb)
    assert image.header == decode(content).header
    assert image.header.taken == datetime(2024, 5, 17, 8, 30, 59)


def test_damage_to_the_picture_is_refused() -> None:
    content = bytearray(file_bytes(scene()))
    content[content.index(b"IDAT") + 40] ^= 0xFF
    with pytest.raises(UnreadableImageError):
        decode(bytes(content))
    with pytest.raises(UnreadableImageError, match="incomplete"):
        decode(file_bytes(scene(), pnginfo=long_text("tEXt"))[:-200])
