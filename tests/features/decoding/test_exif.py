# SPDX-License-Identifier: MIT
"""Orientation and date: all their places, and broken EXIF blocks that no file format would pass on."""

from __future__ import annotations

import struct
from datetime import datetime
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from focal_photos.features.decoding.exif import Orientation, orientation_and_date
from tests.features.pictures import file_bytes, scene


def opened(**info: Any) -> JpegImageFile:
    image = JpegImageFile(BytesIO(file_bytes(scene(), "JPEG")))
    image.info.update(info)
    return image


def block(*entries: tuple[int, int, int, int], behind: bytes = b"") -> bytes:
    table = b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return b"Exif\0\0II*\0" + struct.pack("<IH", 8, len(entries)) + table + bytes(4) + behind


def test_an_invalid_block_gives_neither_orientation_nor_date() -> None:
    assert orientation_and_date(opened(exif=b"Exif\0\0no directory")) == (None, None)


def test_unreadable_details_give_the_date_of_the_last_change() -> None:
    date = b"2024:05:17 08:30:59\0"
    changed = (0x0132, 2, len(date), 8 + 2 + 2 * 12 + 4)
    for offset in (1 << 20, 0xFFFFFFFF):
        image = opened(exif=block(changed, (0x8769, 4, 1, offset), behind=date))
        assert orientation_and_date(image) == (None, datetime(2024, 5, 17, 8, 30, 59))


def test_a_value_outside_the_block_does_not_hide_the_orientation() -> None:
    assert orientation_and_date(opened(exif=block((0x0110, 2, 99, 1 << 20), (0x0112, 3, 1, 6))))[0] == 6


@pytest.mark.parametrize("number", [0, 9, 65535])
def test_an_invalid_orientation_counts_as_none(number: int) -> None:
    assert orientation_and_date(opened(exif=block((0x0112, 3, 1, number)), xmp=b'tiff:Orientation="6"')) == (None, None)
    assert Orientation.of(number) is None


@pytest.mark.parametrize(
    "info",
    [
        {"exif": block((0x0112, 3, 1, 8))},
        {"exif": b"Exif\0\0" + block((0x0112, 3, 1, 8))},
        {"Raw profile type exif": f"\nexif\n 99\n{block((0x0112, 3, 1, 8)).hex()}\n"},
        {"xmp": b'<rdf:Description tiff:Orientation="8"/>'},
        {"exif": block(), "XML:com.adobe.xmp": "<tiff:Orientation>8</tiff:Orientation>"},
    ],
)
def test_orientation_is_found_in_exif_in_png_text_and_in_xmp(info: dict[str, Any]) -> None:
    image = opened(**info)
    assert orientation_and_date(image) == (Orientation.TURNED_LEFT, None)
    assert Image.Image.getexif(image)[0x0112] == 8  # Pillow agrees
