# SPDX-License-Identifier: MIT
"""Targa files of all depths, with palettes, origins in each corner and run lengths."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from PIL import Image

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.limits import ImageError, ImageTooLargeError
from tests.features.pictures import file_bytes, scene
from tests.features.varieties import SIZE, targas


def test_every_variety_shows_the_written_picture() -> None:
    rgb = scene(*SIZE).astype(float)
    palette = np.asarray(Image.fromarray(scene(*SIZE)).quantize(16).convert("RGB")).astype(float)
    count = 0
    for variety in targas():
        wanted = palette if variety.name.startswith("palette") else rgb
        image = decode(variety.content)
        assert probe(variety.content) == image.header
        # 5 bits per channel give errors of at most half a step of 8.2 levels, and a quarter on average.
        assert np.abs(image.rgb - wanted).mean() < (4.2 if "15" in variety.name or "16" in variety.name else 0.1)
        count += 1
    assert count == 31


@pytest.mark.parametrize("options", [{}, {"compression": "tga_rle"}, {"orientation": 1}, {"id_section": b"remark"}])
@pytest.mark.parametrize("mode", ["RGB", "L", "P", "1", "RGBA", "LA"])
def test_files_written_by_pillow_are_decoded(mode: str, options: dict[str, object]) -> None:
    if mode == "1":
        options = {name: value for name, value in options.items() if name != "compression"}  # not known by Pillow
    rgb = scene(*SIZE)
    picture = Image.fromarray(np.dstack([rgb, rgb[..., 0]])) if "A" in mode else Image.fromarray(rgb)
    picture = picture.quantize(16) if mode == "P" else picture.convert(mode)
    over = picture.convert("RGBA")
    white = Image.new("RGBA", SIZE, "white")
    white.alpha_composite(over)
    difference = decode(file_bytes(picture, "TGA", **options)).rgb.astype(int) - np.asarray(white.convert("RGB"))
    assert np.abs(difference).max() <= 1


def test_transparency_is_applied_only_if_declared_in_the_header() -> None:
    rgb = scene(*SIZE)
    for flags, alpha, shown in ((0x20, 0, rgb), (0x28, 255, rgb), (0x28, 0, rgb), (0x20, 128, rgb)):
        pixels = np.dstack([rgb[..., ::-1], np.full(SIZE[::-1], alpha, np.uint8)])
        head = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, *SIZE, 32, flags)
        np.testing.assert_array_equal(decode(head + pixels.tobytes()).rgb, shown)
    pixels[..., 3] = 128
    pixels[0, 0, 3] = 0
    clear = decode(struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, *SIZE, 32, 0x28) + pixels.tobytes()).rgb
    assert tuple(clear[0, 0]) == (255, 255, 255)
    assert np.abs(clear[1:].astype(int) - (rgb[1:].astype(int) + 255) // 2).max() <= 1


def test_damage_is_refused() -> None:
    for variety in targas():
        for end in (17, 40, len(variety.content) - 1):
            with pytest.raises(ImageError):
                decode(variety.content[:end])
    huge = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, 65_535, 65_535, 24, 0x20) + bytes(100)
    with pytest.raises(ImageTooLargeError):
        decode(huge)
    outside = struct.pack("<BBBHHBHHHHBB", 0, 1, 1, 0, 2, 24, 0, 0, 4, 4, 8, 0x20) + bytes(6) + b"\7" * 16
    with pytest.raises(ImageError, match="palette"):
        decode(outside)
