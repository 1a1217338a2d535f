# SPDX-License-Identifier: MIT
"""JPEG 2000 files and codestreams written by Pillow, and files with wrong sizes."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from PIL import Image

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES
from focal_photos.features.decoding.limits import (
    DecodeLimits,
    ImageTooLargeError,
    UnreadableImageError,
)
from tests.features.pictures import assert_damage_is_reported, scene
from tests.features.varieties import jpeg2000s, tiff_values


def jpeg2000(picture: np.ndarray | Image.Image, **options: object) -> bytes:
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG2000", **options)
    return buffer.getvalue()


def claim(content: bytearray, width: int, height: int, tile: tuple[int, int] | None = None) -> None:
    """Change the size in the codestream, and the size of its tiles, by default one tile."""
    at = content.index(b"\xff\x4f\xff\x51") + 8
    content[at : at + 8] = struct.pack(">II", width, height)
    content[at + 16 : at + 24] = struct.pack(">II", *(tile or (width, height)))


@pytest.mark.parametrize("bare", [False, True])
def test_files_and_codestreams_are_decoded(bare: bool) -> None:
    picture = scene()
    content = jpeg2000(picture, no_jp2=bare)
    image = decode(content)
    assert (image.header.format, image.header.width, image.header.height) == ("JPEG2000", 96, 64)
    assert probe(content) == image.header
    np.testing.assert_array_equal(image.rgb, picture)


def test_greys_transparency_and_16_bits_are_decoded() -> None:
    picture = scene()
    np.testing.assert_array_equal(decode(jpeg2000(picture[:, :, 0])).rgb[:, :, 1], picture[:, :, 0])
    clear = Image.fromarray(picture).convert("RGBA")
    clear.putalpha(0)
    assert (decode(jpeg2000(clear)).rgb == 255).all()
    deep = picture[:, :, 0].astype(np.uint16) * 257
    np.testing.assert_allclose(decode(jpeg2000(deep)).rgb[:, :, 0], picture[:, :, 0], atol=1)


@pytest.mark.parametrize("side", [10, 100, 149, 150, 151, 299, 300, 600, 700])
def test_a_smaller_picture_is_decoded_from_fewer_resolutions(side: int) -> None:
    smooth = np.asarray(Image.fromarray(scene(48, 32)).resize((601, 399), Image.Resampling.BICUBIC))
    content = jpeg2000(smooth, num_resolutions=4)
    image = decode(content, side=side)
    assert max(image.rgb.shape) == min(side, 601)
    assert (image.header.width, image.header.height) == (601, 399)
    wanted = np.asarray(Image.fromarray(smooth).resize(image.rgb.shape[1::-1], Image.Resampling.BOX), np.float64)
    assert np.abs(image.rgb - wanted).mean() < 8


def test_a_single_resolution_is_enough() -> None:
    content = jpeg2000(scene(300, 200), num_resolutions=1)
    assert decode(content, side=20).rgb.shape == (13, 20, 3)


@pytest.mark.parametrize("bare", [False, True])
def test_billions_of_pixels_are_refused_before_allocation(bare: bool) -> None:
    content = bytearray(jpeg2000(scene(), no_jp2=bare))
    claim(content, 65_000, 65_000)
    if not bare:
        header = content.index(b"ihdr") + 4
        content[header : header + 8] = struct.pack(">II", 65_000, 65_000)
    for read in (probe, decode):
        with pytest.raises(ImageTooLargeError, match="4,225,000,000"):
            read(bytes(content))


def test_a_codestream_larger_than_its_file_header_is_refused() -> None:
    content = bytearray(jpeg2000(scene()))
    claim(content, 65_000, 65_000)
    for read in (probe, decode):
        with pytest.raises(UnreadableImageError, match="contradict"):
            read(bytes(content))


@pytest.mark.slow
def test_a_picture_of_millions_of_tiles_is_refused() -> None:
    content = bytearray(jpeg2000(scene(2000, 1500)))
    claim(content, 2000, 1500, tile=(1, 1))
    with pytest.raises(UnreadableImageError, match="is invalid"):
        decode(bytes(content))


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.95])
def test_a_truncated_file_is_unreadable(share: float) -> None:
    content = jpeg2000(scene())
    with pytest.raises(UnreadableImageError):
        decode(content[: int(len(content) * share)])


def test_damage_gives_an_image_or_a_typed_error() -> None:
    limits = DecodeLimits(max_pixels=1_000_000)
    assert_damage_is_reported(jpeg2000(scene(24, 16)), files=300, head=220, changes=2, limits=limits)


def test_the_suffixes_are_listed() -> None:
    assert {".jp2", ".j2k", ".j2c", ".jpc", ".jpf", ".jpx"} <= IMAGE_SUFFIXES


def test_every_depth_spans_the_full_range() -> None:
    count = 0
    for variety in jpeg2000s():
        kind, samples = variety.name.rpartition(".")[0].split("-")
        bits = int(kind.removeprefix("uint"))
        values = tiff_values(bits, samples=3 if samples == "3" else 1).astype(float) * 255 / (2**bits - 1)
        shown = decode(variety.content).rgb
        # Pillow rounds the higher bits of deep values, which may change a level by one.
        assert np.abs(shown - (values if samples == "3" else values[..., np.newaxis])).mean() < 1.5, variety.name
        count += 1
    assert count == 96


@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_truncated_file_is_reported_as_incomplete(bare: bool, share: float) -> None:
    content = jpeg2000(scene(), no_jp2=bare)
    with pytest.raises(UnreadableImageError, match="its end is missing"):
        decode(content[: int(share * len(content))])
    damaged = bytearray(content)
    tile = content.index(b"\xff\x90")
    damaged[tile + 4 : tile + 6] = b"\xff\xff"  # a tile that does not exist
    with pytest.raises(UnreadableImageError, match="damaged"):
        decode(bytes(damaged))
