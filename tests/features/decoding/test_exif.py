"""Broken EXIF blocks that no file format would pass on."""

from __future__ import annotations

import struct
from io import BytesIO
from typing import Any

from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from focal_photos.features.decoding.exif import date_taken, orientation_and_date
from tests.features.pictures import file_bytes, scene


class BrokenDetails(Image.Exif):
    """Return a block with unreadable details."""

    def get_ifd(self, tag: int) -> dict[int, Any]:
        raise struct.error("cut off")


def test_an_invalid_block_gives_neither_orientation_nor_date() -> None:
    image = JpegImageFile(BytesIO(file_bytes(scene(), "JPEG")))
    image.info["exif"] = b"Exif\0\0no directory"
    assert orientation_and_date(image) == (None, None)


def test_unreadable_details_give_no_date() -> None:
    exif = BrokenDetails()
    exif[0x0132] = "2024:05:17 08:30:59"
    assert date_taken(exif) is None
