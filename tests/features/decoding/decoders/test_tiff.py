# SPDX-License-Identifier: MIT
"""TIFF files in all varieties: depths, compressions, predictors, byte orders and layouts."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import tifffile
from PIL import Image, ImageCms

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.limits import (
    DecodeLimits,
    ImageTooLargeError,
    UnreadableImageError,
    UnsupportedFormatError,
)
from tests.features.pictures import scene
from tests.features.varieties import (
    SIZE,
    Variety,
    packed_tiffs,
    premultiplied_tiffs,
    tiff_bytes,
    tiff_values,
    tiffs,
)


@pytest.mark.slow
@pytest.mark.parametrize("make", [tiffs, packed_tiffs, premultiplied_tiffs])
def test_every_variety_shows_the_written_picture(make: Callable[[], Iterator[Variety]]) -> None:
    """Errors are half a step of the depth by quantisation, 7 levels by JPEG and 4:2:0, and one level by stretching."""
    wrong = []
    count = 0
    for variety in make():
        kind, samples, *words = variety.name.removesuffix(".tif").split("-")
        bits = int(re.sub(r"\D", "", kind))
        step = 255 / (2**bits - 1) if bits < 8 else 1
        values = tiff_values(min(bits, 8)).astype(float) * 255 / (2 ** min(bits, 8) - 1)
        wanted = values[..., np.newaxis] if samples in ("1", "2") else scene(*SIZE).astype(float)
        shown = decode(variety.content).rgb.astype(float)
        bound = 7.5 if "jpeg" in words else max(1.0, step / 2)
        if shown.shape[:2] != SIZE[::-1] or np.abs(shown - wanted).mean() > bound:
            wrong.append(variety.name)
        count += 1
    assert wrong == []
    assert count >= 18


@pytest.mark.parametrize("bits", [3, 12])
@pytest.mark.parametrize("number", range(1, 9))
def test_the_orientation_is_applied(bits: int, number: int) -> None:
    upright = tiff_bytes(tiff_values(bits, samples=3), photometric="rgb", bitspersample=bits)
    turned = tiff_bytes(
        tiff_values(bits, samples=3), photometric="rgb", bitspersample=bits, extratags=[(274, "H", 1, number, True)]
    )
    image = decode(turned)
    assert probe(turned) == image.header
    assert (image.header.width, image.header.height) == (SIZE if number < 5 else SIZE[::-1])
    # Pillow handles the same 8-bit picture with this orientation correctly.
    pixels = Image.fromarray(decode(upright).rgb)
    exif = Image.Exif()
    exif[274] = number
    buffer = tiff_bytes(np.asarray(pixels), photometric="rgb", extratags=[(274, "H", 1, number, True)])
    np.testing.assert_array_equal(image.rgb, decode(buffer).rgb)


def test_date_and_colour_profile_are_read() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    content = tiff_bytes(
        tiff_values(12, samples=3),
        photometric="rgb",
        bitspersample=12,
        iccprofile=profile,
        datetime="2024:05:17 08:30:59",
    )
    assert str(probe(content).taken) == "2024-05-17 08:30:59"
    assert np.abs(decode(content).rgb.astype(int) - scene(*SIZE)).max() <= 1


def test_palettes_separate_depths_and_white_is_zero_are_decoded() -> None:
    palette = np.zeros((3, 256), np.uint16)
    palette[0] = np.arange(256) * 257
    indices = tiff_values(8)
    shown = decode(tiff_bytes(indices, photometric="palette", colormap=palette, compression="zstd")).rgb
    np.testing.assert_array_equal(shown[..., 0], indices)
    assert not shown[..., 1:].any()
    turned = decode(tiff_bytes(indices, photometric="miniswhite", compression="zstd")).rgb
    np.testing.assert_array_equal(turned[..., 1], 255 - indices)


@pytest.mark.parametrize(("samples", "premultiplied"), [(1, False), (3, False), (3, True)])
def test_transparent_pixels_are_shown_on_white(samples: int, premultiplied: bool) -> None:
    pixels = np.zeros((12, 20, samples + 1), np.uint8)
    pixels[:, 10:, :] = 100
    content = tiff_bytes(
        pixels,
        photometric="rgb" if samples == 3 else "minisblack",
        extrasamples=["assocalpha" if premultiplied else "unassalpha"],
        compression="zstd",
    )
    shown = decode(content).rgb.astype(int)
    assert shown.shape == (12, 20, 3)
    assert (shown[:, :10] == 255).all()
    color = 255 if premultiplied else 100  # of the pixels, which cover 100/255 of the white
    np.testing.assert_allclose(shown[:, 10:], (100 * color + 155 * 255) / 255, atol=1)


def test_inks_and_lab_are_decoded() -> None:
    inks = np.zeros((16, 16, 4), np.uint8)
    inks[..., 0] = 255
    np.testing.assert_array_equal(
        decode(tiff_bytes(inks, photometric="separated", compression="zstd")).rgb[3, 3], (0, 255, 255)
    )
    white = np.zeros((16, 16, 3), np.uint8)
    white[..., 0] = 255
    assert decode(tiff_bytes(white, photometric="cielab", compression="zstd")).rgb.min() >= 252


@pytest.mark.parametrize(
    ("compression", "bits"), [(None, 12), ("deflate", 16), ("zstd", 8), ("lzw", 16), ("packbits", 32)]
)
def test_a_truncated_file_is_reported_as_incomplete(compression: str | None, bits: int) -> None:
    content = tiff_bytes(
        tiff_values(bits, samples=3), photometric="rgb", compression=compression, bitspersample=bits, byteorder=">"
    )
    for length in (len(content) // 2, len(content) * 95 // 100, len(content) - 1):
        with pytest.raises(UnreadableImageError, match="incomplete"):
            decode(content[:length])


def test_sizes_above_the_limit_are_refused_before_allocation() -> None:
    content = tiff_bytes(tiff_values(12, samples=3), photometric="rgb", bitspersample=12)
    with pytest.raises(ImageTooLargeError):
        decode(content, limits=DecodeLimits(max_pixels=SIZE[0] * SIZE[1] - 1))
    many = tiff_bytes(np.zeros((8, 8, 40), np.uint16), photometric="rgb", extrasamples=[0] * 37, planarconfig="contig")
    with pytest.raises(UnsupportedFormatError):
        decode(many)


def test_an_unsupported_compression_is_reported_and_not_called_damage() -> None:
    buffer = io.BytesIO(tiff_bytes(tiff_values(8), photometric="minisblack"))
    with tifffile.TiffFile(buffer, mode="r+") as file:
        file.pages.first.tags["Compression"].overwrite(34661)  # JBIG
    with pytest.raises(UnsupportedFormatError, match="compression"):
        decode(buffer.getvalue())


def test_a_large_file_can_be_decoded_at_a_small_size() -> None:
    for bits, compression in ((12, None), (32, "zstd")):
        values = np.kron(tiff_values(bits), np.ones((8, 8), tiff_values(bits).dtype))
        content = tiff_bytes(values, photometric="minisblack", bitspersample=bits, compression=compression)
        shown = decode(content, side=48)
        assert shown.rgb.shape == (32, 48, 3)
        assert (shown.header.width, shown.header.height) == (384, 256)
        assert np.abs(shown.rgb[..., 0].astype(int) - tiff_values(8)).mean() < 2
