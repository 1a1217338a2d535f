# SPDX-License-Identifier: MIT
"""Netpbm and Targa files, which have almost no signature."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES, opener
from focal_photos.features.decoding.limits import ImageTooLargeError, UnreadableImageError
from tests.features.pictures import assert_damage_is_reported, file_bytes, scene


def test_binary_colours_greys_and_bits_are_decoded() -> None:
    picture = scene()
    content = file_bytes(picture, "PPM")
    assert content.startswith(b"P6")
    image = decode(content)
    assert (image.header.format, image.header.width, image.header.height) == ("PPM", 96, 64)
    assert probe(content) == image.header
    np.testing.assert_array_equal(image.rgb, picture)
    gray = file_bytes(picture[:, :, 0], "PPM")
    assert gray.startswith(b"P5")
    np.testing.assert_array_equal(decode(gray).rgb[:, :, 2], picture[:, :, 0])
    bits = Image.fromarray(picture[:61, :93, 0] > 128)  # rows that end within a byte
    packed = file_bytes(bits, "PPM")
    assert packed.startswith(b"P4")
    np.testing.assert_array_equal(decode(packed).rgb[:, :, 0], np.where(np.asarray(bits), 255, 0))


@pytest.mark.parametrize(("most", "kind"), [(1, "u1"), (100, "u1"), (1023, ">u2"), (4095, ">u2"), (65_535, ">u2")])
def test_the_maximum_value_is_white(most: int, kind: str) -> None:
    values = np.linspace(0, most, 600).round().astype(np.int64).reshape(20, 30)
    content = b"P5 30 20 %d\n" % most + values.astype(kind).tobytes()
    np.testing.assert_allclose(decode(content).rgb[:, :, 0], values * 255 / most, atol=0.51)


def test_a_dark_photo_stays_dark() -> None:
    content = b"P5 2 1 65535\n" + np.array([0, 4095], ">u2").tobytes()
    assert decode(content).rgb[0, :, 0].tolist() == [0, 16]


def test_plain_files_and_comments_are_decoded() -> None:
    assert decode(b"P1\n# made by hand\n3 2\n0 1 0\n101").rgb[:, :, 0].tolist() == [[255, 0, 255], [0, 255, 0]]
    assert decode(b"P2 #c\n 2 1 # d\n10 5 # five\r10").rgb[0, :, 0].tolist() == [128, 255]
    assert decode(b"P3\n1 2\n255\n1 2 3\n4 5 6\n").rgb.tolist() == [[[1, 2, 3]], [[4, 5, 6]]]


@pytest.mark.parametrize(
    "content",
    [
        b"P5 3 3 255\n12345678",
        b"P6 1 1 65535\n12345",
        b"P4 9 2\n123",
        b"P1 3 3\n0101",
        b"P1 2 1\n02",
        b"P2 2 1 255 7",
        b"P2 2 1 255 7 x",
        b"P2 2 1 255 7 -8",
        b"P2 2 1 255 7 300",
        b"P5 0 1 255\n1",
        b"P5 1 1 0\n1",
        b"P5 1 1 65536\n11",
        b"P5 1 1234567890123 255\n1",
        b"P5 1",
    ],
    ids=repr,
)
def test_truncated_and_invalid_files_are_unreadable(content: bytes) -> None:
    with pytest.raises(UnreadableImageError):
        decode(content)


@pytest.mark.parametrize("content", [b"P1 3 3\n0101", b"P2 2 1 255 7", b"P5 3 3 255\n12345678"], ids=repr)
def test_truncated_files_are_called_incomplete(content: bytes) -> None:
    with pytest.raises(UnreadableImageError, match="incomplete"):
        decode(content)


def test_billions_of_pixels_are_refused_before_allocation() -> None:
    for read in (probe, decode):
        with pytest.raises(ImageTooLargeError):
            read(b"P6 65000 65000 255\n")


def test_damage_gives_an_image_or_a_typed_error() -> None:
    small = scene(24, 16)
    for whole in (file_bytes(small, "PPM"), file_bytes(small, "TGA"), b"P2 3 2 9 1 2 3 4 5 6 "):
        assert_damage_is_reported(whole, files=200, head=24, changes=2)


def test_files_without_a_suffix_are_not_recognised(tmp_path: Path) -> None:
    """A text may begin with P1, and a table of numbers may begin like a Targa file."""
    for content in (file_bytes(scene(), "PPM"), file_bytes(scene(), "TGA")):
        assert opener(content[:64]) is None
        path = tmp_path / "photo"
        path.write_bytes(content)
        assert decode(path).header.width == 96, "a file named explicitly is read"


def test_the_suffixes_are_listed() -> None:
    assert {".ppm", ".pgm", ".pbm", ".pnm", ".tga"} <= IMAGE_SUFFIXES
