# SPDX-License-Identifier: MIT
"""Photoshop files, written here according to the specification, are shown as in Photoshop."""

from __future__ import annotations

import io
import struct
from itertools import groupby

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageCms

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES
from focal_photos.features.decoding.limits import (
    DecodeLimits,
    ImageTooLargeError,
    UnreadableImageError,
    UnsupportedFormatError,
)
from tests.features.pictures import assert_damage_is_reported, scene

BITMAP, GRAY, INDEXED, RGB, CMYK, LAB = 0, 1, 2, 3, 4, 9
RAW, PACKED, ZIP = 0, 1, 2


def packed(row: bytes) -> bytes:
    """Return a row compressed with PackBits."""
    found = b""
    for value, same in groupby(row):
        left = len(list(same))
        while left:
            run = min(left, 128)
            found += bytes(((257 - run) % 256, value)) if run > 1 else bytes((0, value))
            left -= run
    return found


def resource(kind: int, data: bytes) -> bytes:
    return b"8BIM" + struct.pack(">H", kind) + b"\0\0" + struct.pack(">I", len(data)) + data + bytes(len(data) % 2)


def psd(
    planes: NDArray[np.generic],
    kind: int = RGB,
    *,
    bits: int = 8,
    version: int = 1,
    compression: int = RAW,
    palette: bytes = b"",
    resources: bytes = b"",
    layers: int | None = None,
) -> bytes:
    """Return a file with the given channels (c, h, w); a channel of 1 bit has rows of bytes."""
    count, height, width = planes.shape
    width *= 8 if bits == 1 else 1
    rows = [row.astype(">u2").tobytes() if bits == 16 else row.tobytes() for plane in planes for row in plane]
    head = struct.pack(">4sH6xHIIHH", b"8BPS", version, count, height, width, bits, kind)
    wide = ">I" if version == 1 else ">Q"
    inside = b"" if layers is None else struct.pack(wide, 2) + struct.pack(">h", layers)
    sections = [
        struct.pack(">I", len(palette)) + palette,
        struct.pack(">I", len(resources)) + resources,
        struct.pack(wide, len(inside)) + inside,
    ]
    if compression == PACKED:
        rows = [packed(row) for row in rows]
        rows.insert(0, b"".join(struct.pack(">H" if version == 1 else ">I", len(row)) for row in rows))
    return head + b"".join(sections) + struct.pack(">H", compression) + b"".join(rows)


def channels(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(np.moveaxis(picture, -1, 0))


@pytest.mark.parametrize("compression", [RAW, PACKED])
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("bits", [8, 16])
def test_colours_of_psd_and_psb_are_decoded(compression: int, version: int, bits: int) -> None:
    picture = scene()
    planes = channels(picture).astype(np.uint16) * (257 if bits == 16 else 1)
    content = psd(planes.astype(np.uint8) if bits == 8 else planes, bits=bits, version=version, compression=compression)
    image = decode(content)
    assert (image.header.format, image.header.width, image.header.height) == ("PSD", 96, 64)
    assert probe(content) == image.header
    np.testing.assert_array_equal(image.rgb, picture)


def test_pillow_reads_the_written_files_as_focal_does() -> None:
    content = psd(channels(scene()), compression=PACKED)
    with Image.open(io.BytesIO(content)) as opened:
        np.testing.assert_array_equal(decode(content).rgb, np.asarray(opened))


def test_grey_bits_and_palettes_are_decoded() -> None:
    picture = scene()
    gray = picture[:, :, 0]
    np.testing.assert_array_equal(decode(psd(gray[None], GRAY)).rgb[:, :, 1], gray)
    palette = np.arange(768, dtype=np.uint8)
    shown = decode(psd(gray[None], INDEXED, palette=palette.tobytes())).rgb
    np.testing.assert_array_equal(shown, palette.reshape(3, 256).T[gray])
    bits = np.packbits(gray > 128, axis=1)[None]
    np.testing.assert_array_equal(decode(psd(bits, BITMAP, bits=1)).rgb[:, :, 0], np.where(gray > 128, 0, 255))


def test_inks_are_stored_inverted() -> None:
    inks = np.full((4, 8, 8), 255, np.uint8)
    assert (decode(psd(inks, CMYK)).rgb == 255).all(), "no ink is white"
    inks[1:3] = 0  # full magenta and yellow
    red = decode(psd(inks, CMYK)).rgb[0, 0].astype(int)
    assert red[0] > 200
    assert red[1:].max() < 60


def test_lab_is_decoded() -> None:
    planes = np.full((3, 8, 8), 128, np.uint8)
    planes[0] = 255
    np.testing.assert_allclose(decode(psd(planes, LAB)).rgb, 255, atol=2)
    planes[0], planes[1] = 136, 208  # L* 53, a* 80: red
    red = decode(psd(planes, LAB)).rgb[0, 0].astype(int)
    assert red[0] > red[1:].max() + 60


def test_a_fourth_channel_is_transparency_only_if_the_layers_say_so() -> None:
    picture = scene()
    with_mask = np.concatenate([channels(picture), np.zeros((1, *picture.shape[:2]), np.uint8)])
    np.testing.assert_array_equal(decode(psd(with_mask)).rgb, picture)
    np.testing.assert_array_equal(decode(psd(with_mask, layers=2)).rgb, picture)
    assert (decode(psd(with_mask, layers=-2)).rgb == 255).all()
    assert (decode(psd(with_mask, layers=-2, version=2)).rgb == 255).all()
    gray = with_mask[[0, 3]]
    assert (decode(psd(gray, GRAY, layers=-1)).rgb == 255).all()
    np.testing.assert_array_equal(decode(psd(gray, GRAY)).rgb[:, :, 0], gray[0])


def test_profile_and_date_are_read_and_other_resources_are_skipped() -> None:
    exif = Image.Exif()
    exif[306] = "2020:02:03 04:05:06"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    resources = b"".join(
        resource(kind, data)
        for kind, data in [(1005, b"odd"), (1039, profile), (1058, exif.tobytes().removeprefix(b"Exif\0\0"))]
    )
    image = decode(psd(channels(scene()), resources=resources))
    assert str(image.header.taken) == "2020-02-03 04:05:06"
    np.testing.assert_array_equal(image.rgb, scene())


@pytest.mark.parametrize("compression", [RAW, PACKED])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.95])
def test_a_truncated_file_is_unreadable(compression: int, share: float) -> None:
    content = psd(channels(scene()), compression=compression)
    with pytest.raises(UnreadableImageError):
        decode(content[: int(len(content) * share)])


def test_unsupported_kinds_are_reported() -> None:
    planes = channels(scene())
    for content in (psd(planes, bits=32), psd(planes, compression=ZIP)):
        with pytest.raises(UnsupportedFormatError, match="Photoshop files"):
            decode(content)


@pytest.mark.parametrize(
    ("at", "value"),
    [
        *[(12, b"\0\0"), (12, b"\0\2"), (14, bytes(4)), (14, b"\0\x0f\0\0"), (18, bytes(4)), (18, b"\0\x0f\0\0")],
        *[(22, b"\0\7"), (24, b"\0\x63")],
    ],
    ids=[
        "no channels",
        "too few channels",
        "no height",
        "too high",
        "no width",
        "too wide",
        "7 bits",
        "unknown colours",
    ],
)
def test_an_invalid_header_is_unreadable(at: int, value: bytes) -> None:
    content = bytearray(psd(channels(scene())))
    content[at : at + len(value)] = value
    with pytest.raises(UnreadableImageError, match="its header is invalid"):
        decode(bytes(content))


def test_a_header_with_billions_of_pixels_is_refused_before_allocation() -> None:
    content = bytearray(psd(channels(scene()), version=2))
    content[14:22] = struct.pack(">II", 65_000, 65_000)
    for read in (probe, decode):
        with pytest.raises(ImageTooLargeError, match="4,225,000,000"):
            read(bytes(content))


def test_damage_gives_an_image_or_a_typed_error() -> None:
    exif = resource(1058, b"II*\0\x08\0\0\0\0\0\0\0")
    whole = psd(channels(scene(24, 16)), compression=PACKED, resources=exif, layers=-1)
    assert_damage_is_reported(whole, files=400, head=200, changes=3, limits=DecodeLimits(max_pixels=1_000_000))


def test_the_suffixes_are_listed() -> None:
    assert {".psd", ".psb"} <= IMAGE_SUFFIXES
