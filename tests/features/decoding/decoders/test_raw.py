# SPDX-License-Identifier: MIT
"""Camera raw files: recognised by content, shown by their preview in the right orientation, and limited in size."""

from __future__ import annotations

import io
import struct
from datetime import datetime
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.decoders.raw import RAW_SUFFIXES, RawFile, is_raw
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES, opener
from focal_photos.features.decoding.image import ImageHeader
from focal_photos.features.decoding.limits import (
    DecodeLimits,
    ImageError,
    ImageTooLargeError,
    UnreadableImageError,
    UnsupportedFormatError,
)
from tests.features.decoding.test_image import SIDES, exif_bytes, stored_pixels
from tests.features.pictures import file_bytes, scene
from tests.features.raw_files import Preview, dng

WHEN = datetime(2023, 4, 5, 6, 7, 8)


def raw(content: bytes) -> bool:
    stream = io.BytesIO(content)
    stream.seek(5)
    answer = is_raw(content[:64], stream)
    assert stream.tell() == 5
    return answer


def difference(image: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    height, width, _ = image.shape
    small = np.asarray(Image.fromarray(other).resize((width, height), Image.Resampling.BOX))
    return float(np.abs(image.astype(int) - small).mean())


@pytest.fixture(scope="module")
def picture() -> NDArray[np.uint8]:
    return np.asarray(Image.fromarray(scene(120, 80)).resize((960, 640), Image.Resampling.BICUBIC))


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("preview", [None, "JPEG", "bitmap"])
def test_a_dng_is_recognised_as_raw(preview: Preview | None, order: Any) -> None:
    assert raw(dng(scene(), preview=preview, order=order))


@pytest.mark.parametrize("options", [{}, {"compression": "tiff_lzw"}, {"tiffinfo": {271: "NIKON CORPORATION"}}])
@pytest.mark.parametrize("mode", ["1", "L", "I;16", "RGB", "RGBA", "CMYK", "F"])
def test_a_plain_tiff_is_not_raw(mode: str, options: dict[str, Any]) -> None:
    content = file_bytes(Image.new(mode, (40, 30)), "TIFF", **options)
    assert not raw(content)
    assert decode(content).header == ImageHeader("TIFF", 40, 30)


def test_a_tiff_with_a_dng_version_only_is_not_raw() -> None:
    info = {50706: bytes([1, 4, 0, 0])}
    content = file_bytes(scene(40, 30), "TIFF", tiffinfo=info)
    assert struct.pack("<H", 50706) in content
    assert decode(content).header.format == "TIFF"


@pytest.mark.parametrize(
    "head",
    [
        b"II*\0\x10\0\0\0CR\x02\0",
        b"\0\0\0\x18ftypcrx \0\0\0\1crx isom",
        b"IIRO\x08\0\0\0",
        b"IIU\0\x18\0\0\0",
        b"FUJIFILMCCD-RAW 0201",
        b"\0MRM\0\0\0\0",
        b"II\x1a\0\0\0HEAPCCDR",
    ],
)
def test_signatures_of_manufacturers_are_recognised(head: bytes) -> None:
    assert raw(head + bytes(64))
    for read in (probe, decode):
        with pytest.raises(ImageError):
            read(head + bytes(200))


def test_circular_directories_end() -> None:
    entry = struct.pack("<HHII", 330, 4, 1, 8)
    assert not raw(b"II*\0" + struct.pack("<IH", 8, 1) + entry + struct.pack("<I", 8))
    assert not raw(b"II*\0" + struct.pack("<IH", 8, 65535) + entry * 3)
    assert not raw(b"MM\0*\xff\xff\xff\xff")
    assert not raw(b"II*\0")


@pytest.mark.slow
@pytest.mark.parametrize("preview", ["JPEG", "bitmap", None])
@pytest.mark.parametrize("orientation", SIDES)
def test_raw_files_have_the_right_orientation(
    picture: NDArray[np.uint8], orientation: int, preview: Preview | None
) -> None:
    stored = stored_pixels(picture[::4, ::4], orientation).repeat(4, axis=0).repeat(4, axis=1)
    content = dng(stored, preview=preview, orientation=orientation)
    image = decode(content)
    assert image.header == probe(content) == ImageHeader("RAW", 960, 640, WHEN, orientation=orientation)
    assert image.rgb.shape == (256, 384, 3)
    assert difference(image.rgb, picture) < 12
    assert difference(image.rgb, picture[::-1, ::-1]) > 20


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_preview_is_not_rotated_twice(picture: NDArray[np.uint8], orientation: int) -> None:
    stored = stored_pixels(picture[::4, ::4], orientation).repeat(4, axis=0).repeat(4, axis=1)
    own = exif_bytes(orientation=orientation)
    upright = {"preview_pixels": picture, "preview_exif": exif_bytes(orientation=1)}
    for options in ({"preview_exif": own}, upright, {"preview_pixels": picture} if orientation != 3 else upright):
        content = dng(stored, preview="JPEG", orientation=orientation, **options)
        assert difference(decode(content).rgb, picture) < 12


def test_the_preview_is_used_at_full_size(picture: NDArray[np.uint8]) -> None:
    assert decode(dng(picture, preview="JPEG"), side=None).rgb.shape == (640, 960, 3)
    assert decode(dng(picture, preview="bitmap"), side=700).rgb.shape == (467, 700, 3)


def test_the_sensor_image_is_used_instead_of_a_tiny_preview(picture: NDArray[np.uint8]) -> None:
    tiny = np.ascontiguousarray(picture[::16, ::16])
    image = decode(dng(picture, preview="JPEG", preview_pixels=tiny))
    assert image.rgb.shape == (256, 384, 3)
    assert difference(image.rgb, picture) < 12
    behind = dng(picture, preview="bitmap", preview_pixels=tiny)
    values = 2 * 960 * 640  # size of the sensor values in bytes; the preview is last
    lacking = behind[: -tiny.size - values] + bytes(values) + behind[-tiny.size :]
    assert decode(lacking).rgb.shape == (40, 60, 3)


def test_the_sensor_image_is_used_instead_of_a_damaged_preview(picture: NDArray[np.uint8]) -> None:
    content = bytearray(dng(picture, preview="JPEG"))
    start = content.rindex(b"\xff\xd8\xff")
    content[start + 300 : start + 20_000] = bytes(19_700)
    image = decode(bytes(content))
    assert difference(image.rgb, picture) < 12


def test_a_file_without_pixels_is_unreadable(picture: NDArray[np.uint8]) -> None:
    content = dng(picture)
    for share in (0.0, 0.001, 0.5):
        with pytest.raises(UnreadableImageError):
            decode(content[: 1000 + int(len(content) * share)])
    black = dng(np.zeros((64, 96, 3), np.uint8))
    with pytest.raises(UnreadableImageError, match="no picture"):
        decode(black)


def test_limits_are_checked_before_developing(picture: NDArray[np.uint8]) -> None:
    content = dng(picture)
    for read in (probe, decode):
        with pytest.raises(ImageTooLargeError, match="614,400"):
            read(content, limits=DecodeLimits(max_pixels=614_399))
    huge = content.replace(struct.pack("<HHII", 257, 4, 1, 640), struct.pack("<HHII", 257, 4, 1, 60_000_000))
    for read in (probe, decode):
        with pytest.raises(ImageError):
            read(huge)


@pytest.mark.slow
def test_header_and_pixels_can_be_read_in_any_order(picture: NDArray[np.uint8]) -> None:
    """Reading a large file after unpacking could end the process, as rawpy has released its content by then."""
    large = np.asarray(Image.fromarray(picture).resize((2400, 1600)))
    for preview in ("JPEG", "bitmap", None):
        file = RawFile(io.BytesIO(dng(large, preview=preview)))
        developed = file.develop()
        assert developed.shape == (800, 1200, 3)
        found = file.preview()
        assert (found is None) == (preview is None)
        file.close()


def test_an_unknown_kind_is_refused_by_name(picture: NDArray[np.uint8]) -> None:
    with pytest.raises(UnsupportedFormatError, match="camera raw"):
        decode(b"FUJIFILMCCD-RAW " + bytes(400))


def test_an_invalid_date_is_ignored(picture: NDArray[np.uint8]) -> None:
    assert probe(dng(picture, taken="0000:00:00 00:00:00")).taken is None


def test_suffixes_of_raw_files_are_listed() -> None:
    assert {".dng", ".cr2", ".cr3", ".nef", ".arw", ".orf", ".rw2", ".raf", ".pef", ".srw"} <= RAW_SUFFIXES
    assert RAW_SUFFIXES <= IMAGE_SUFFIXES
    assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in RAW_SUFFIXES)
    assert opener(b"II*\0") is not None
