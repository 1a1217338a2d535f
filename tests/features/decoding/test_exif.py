"""EXIF blocks that are broken in ways that no file format lets through."""

from __future__ import annotations

import struct
from io import BytesIO
from typing import Any

from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from focal_photos.features.decoding.exif import date_taken, orientation_and_date
from tests.features.pictures import file_bytes, scene


class BrokenDetails(Image.Exif):
    """A block whose details cannot be read."""

    def get_ifd(self, tag: int) -> dict[int, Any]:
        raise struct.error("cut off")


def test_a_block_that_is_none_gives_neither_orientation_nor_date() -> None:
    image = JpegImageFile(BytesIO(file_bytes(scene(), "JPEG")))
    image.info["exif"] = b"Exif\0\0no directory"
    assert orientation_and_date(image) == (None, None)


def test_details_that_cannot_be_read_give_no_date() -> None:
    exif = BrokenDetails()
    exif[0x0132] = "2024:05:17 08:30:59"
    assert date_taken(exif) is None
