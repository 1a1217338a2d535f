# SPDX-License-Identifier: MIT
"""Decoding of orientation, size and colour, and the working image of a photo."""

from __future__ import annotations

import struct
import subprocess
import sys
import textwrap
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageCms

from focal_photos.features.decoding.decode import decode, probe, to_jpeg
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES
from focal_photos.features.decoding.image import ImageHeader, WorkingImage
from focal_photos.features.decoding.limits import WORKING_SIDE
from tests.features.pictures import file_bytes, scene

# From the EXIF standard: the visible sides at which the first row and the first column of the stored pixels are.
SIDES = {
    1: ("top", "left"),
    2: ("top", "right"),
    3: ("bottom", "right"),
    4: ("bottom", "left"),
    5: ("left", "top"),
    6: ("right", "top"),
    7: ("right", "bottom"),
    8: ("left", "bottom"),
}


def stored_pixels(visible: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Return the pixels as stored by a camera held in this orientation."""
    height, width, _ = visible.shape
    first_row, first_column = SIDES[orientation]
    places: dict[str, Callable[[int], tuple[int | None, int | None]]] = {
        "top": lambda i: (i, None),
        "bottom": lambda i: (height - 1 - i, None),
        "left": lambda i: (None, i),
        "right": lambda i: (None, width - 1 - i),
    }
    rows, columns = (height, width) if first_row in {"top", "bottom"} else (width, height)
    stored = np.empty((rows, columns, 3), np.uint8)
    for r in range(rows):
        for c in range(columns):
            row, column = places[first_row](r), places[first_column](c)
            y, x = (a if a is not None else b for a, b in zip(row, column, strict=True))
            stored[r, c] = visible[y, x]
    return stored


def exif_bytes(**tags: Any) -> bytes:
    exif = Image.Exif()
    if "orientation" in tags:
        exif[0x0112] = tags["orientation"]
    if "changed" in tags:
        exif[0x0132] = tags["changed"]
    details = exif.get_ifd(0x8769)
    for name, number in (("taken", 0x9003), ("digitised", 0x9004)):
        if name in tags:
            details[number] = tags[name]
    return exif.tobytes()


@pytest.mark.parametrize("orientation", SIDES)
@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP", "JPEG", "AVIF", "HEIF"])
def test_every_orientation_is_applied(kind: str, orientation: int) -> None:
    visible = scene(60, 40)
    lossy = kind in {"JPEG", "AVIF", "HEIF"}
    options = {"lossless": True} if kind == "WEBP" else {"quality": 95} if lossy else {}
    content = file_bytes(stored_pixels(visible, orientation), kind, exif=exif_bytes(orientation=orientation), **options)
    image = decode(content)
    assert (image.header.width, image.header.height) == (60, 40)
    assert probe(content) == image.header
    difference = np.abs(image.rgb.astype(int) - visible)
    assert difference.mean() < 12 if lossy else difference.max() == 0


def test_heif_is_rotated_only_by_its_own_properties() -> None:
    """The EXIF block of a HEIC file may repeat a rotation that libheif has applied, or contradict the file."""
    visible = scene(60, 40)
    content = bytearray(file_bytes(visible, "HEIF", quality=95, exif=exif_bytes(taken="2024:05:17 08:30:59")))
    assert probe(bytes(content)).taken == datetime(2024, 5, 17, 8, 30, 59)
    turned = file_bytes(visible, "HEIF", quality=95, exif=exif_bytes(orientation=6))
    assert b"irot" in turned
    mended = turned.replace(b"irot", b"free")  # replaces the rotation by an unknown box
    for stored, size in ((turned, (40, 60)), (mended, (60, 40))):
        image = decode(stored)
        assert (image.header.width, image.header.height) == size
        assert probe(stored) == image.header


@pytest.mark.parametrize("mode", ["L", "LA", "RGBA", "I;16"])
def test_heif_of_every_kind_is_decoded(mode: str) -> None:
    if mode == "I;16":
        picture = Image.fromarray((np.arange(64 * 48).reshape(48, 64) * 21).astype(np.uint16))
    else:
        picture = Image.fromarray(scene(64, 48)).convert(mode)
    image = decode(file_bytes(picture, "HEIF", quality=-1, chroma=444))
    assert image.header == ImageHeader("HEIF", 64, 48, None)
    expected = np.asarray(picture) / 257 if mode == "I;16" else np.asarray(picture.convert("L"))
    assert np.abs(image.gray - expected).mean() < 4


@pytest.mark.parametrize("orientation", [0, 9, 77])
def test_an_invalid_orientation_is_ignored(orientation: int) -> None:
    np.testing.assert_array_equal(decode(file_bytes(scene(), exif=exif_bytes(orientation=orientation))).rgb, scene())


@pytest.mark.parametrize(
    ("size", "expected"), [((1000, 500), (384, 192)), ((500, 1000), (192, 384)), ((385, 10), (384, 10))]
)
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_the_longest_side_is_limited(size: tuple[int, int], expected: tuple[int, int], kind: str) -> None:
    image = decode(file_bytes(scene(*size), kind))
    assert (image.rgb.shape[1], image.rgb.shape[0]) == expected
    assert (image.header.width, image.header.height) == size


@pytest.mark.parametrize("size", [(384, 384), (383, 2), (1, 1), (20, 10)])
def test_a_small_image_is_never_enlarged(size: tuple[int, int]) -> None:
    np.testing.assert_array_equal(decode(file_bytes(scene(*size))).rgb, scene(*size))


def test_a_very_long_image_keeps_at_least_one_pixel() -> None:
    assert decode(file_bytes(scene(20_000, 2))).rgb.shape == (1, WORKING_SIDE, 3)


def test_no_limit_gives_the_full_size() -> None:
    assert decode(file_bytes(scene(700, 500)), side=None).rgb.shape == (500, 700, 3)
    with pytest.raises(ValueError, match="at least 1"):
        decode(file_bytes(scene()), side=0)


def test_reduction_averages_instead_of_skipping_pixels() -> None:
    board = (np.indices((1024, 1024)).sum(axis=0) % 2 * 255).astype(np.uint8)
    reduced = decode(file_bytes(board)).rgb
    assert np.abs(reduced.astype(int) - 127.5).max() < 4


def test_reduced_decoding_looks_like_full_decoding() -> None:
    large = Image.fromarray(scene(160, 100)).resize((3200, 2000), Image.Resampling.BICUBIC)
    content = file_bytes(large, "JPEG", quality=92)
    full = Image.fromarray(decode(content, side=None).rgb).resize((320, 200), Image.Resampling.BOX)
    difference = np.abs(decode(content, side=320).rgb.astype(int) - np.asarray(full))
    assert difference.mean() < 2


def linear_profile() -> bytes:
    """Return an ICC profile with the primaries of sRGB (adapted to D50) and linear gamma."""

    def fixed(*numbers: float) -> bytes:
        return b"".join(struct.pack(">i", round(n * 65536)) for n in numbers)

    def text(words: bytes) -> bytes:
        return b"desc" + bytes(4) + struct.pack(">I", len(words) + 1) + words + bytes(1 + 4 + 4 + 2 + 1 + 67)

    curve = b"curv" + bytes(8)
    tags = {
        b"desc": text(b"linear test profile"),
        b"cprt": b"text" + bytes(4) + b"none\0",
        b"wtpt": b"XYZ " + bytes(4) + fixed(0.9642, 1.0, 0.8249),
        b"rXYZ": b"XYZ " + bytes(4) + fixed(0.4361, 0.2225, 0.0139),
        b"gXYZ": b"XYZ " + bytes(4) + fixed(0.3851, 0.7169, 0.0971),
        b"bXYZ": b"XYZ " + bytes(4) + fixed(0.1431, 0.0606, 0.7139),
        **dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), curve),
    }
    table, body = struct.pack(">I", len(tags)), b""
    start = 128 + 4 + 12 * len(tags)
    for name, data in tags.items():
        table += name + struct.pack(">II", start + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    header = struct.pack(">I", start + len(body)) + bytes(4) + b"\x02\x20\0\0mntrRGB XYZ " + bytes(12) + b"acsp"
    header += bytes(28) + fixed(0.9642, 1.0, 0.8249)
    return header.ljust(128, b"\0") + table + body


def test_a_colour_profile_is_applied() -> None:
    half = np.full((8, 8, 3), 128, np.uint8)
    image = decode(file_bytes(half, icc_profile=linear_profile()))
    # The transfer curve of sRGB: 1.055 * (128 / 255) ** (1 / 2.4) - 0.055 of 255.
    assert np.abs(image.rgb.astype(int) - 188).max() <= 1


def test_broken_profiles_and_those_without_effect_are_ignored() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for profile in (srgb, b"no profile at all", linear_profile()[:200]):
        np.testing.assert_array_equal(decode(file_bytes(scene(), icc_profile=profile)).rgb, scene())


def test_a_profile_is_applied_to_transparent_pictures_too() -> None:
    half = np.full((8, 8, 4), 128, np.uint8)
    half[:, :4, 3], half[:, 4:, 3] = 255, 0
    image = decode(file_bytes(half, icc_profile=linear_profile()))
    assert abs(int(image.rgb[0, 0, 0]) - 188) <= 1
    assert (image.rgb[:, 4:] == 255).all()


def test_dates_are_read() -> None:
    when = datetime(2024, 5, 17, 8, 30, 59)
    for tags in (
        {"taken": "2024:05:17 08:30:59"},
        {"digitised": "2024:05:17 08:30:59"},
        {"changed": "2024:05:17 08:30:59"},
    ):
        for kind in ("JPEG", "PNG", "WEBP", "TIFF", "HEIF"):
            content = file_bytes(scene(), kind, exif=exif_bytes(**tags))
            assert decode(content).header.taken == when
            assert probe(content).taken == when
    scanned = exif_bytes(taken="1975:06:07 08:09:10", digitised="2019:01:01 00:00:00")
    assert decode(file_bytes(scene(), exif=scanned)).header.taken == datetime(1975, 6, 7, 8, 9, 10)
    both = exif_bytes(taken="2001:02:03 04:05:06", changed="2024:05:17 08:30:59")
    assert decode(file_bytes(scene(), exif=both)).header.taken == datetime(2001, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("text", ["0000:00:00 00:00:00", "", "    :  :     :  :  ", "yesterday", "2024:13:41 99:99:99"])
def test_invalid_dates_are_ignored(text: str) -> None:
    assert decode(file_bytes(scene(), exif=exif_bytes(taken=text))).header.taken is None


def test_broken_exif_does_not_prevent_decoding() -> None:
    content = file_bytes(scene(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff broken")
    assert decode(content).header == probe(content) == ImageHeader("JPEG", 96, 64, None)


def test_path_and_content_agree(tmp_path: Path) -> None:
    file = tmp_path / "photo.jpg"
    file.write_bytes(file_bytes(scene(), "JPEG"))
    np.testing.assert_array_equal(decode(file).rgb, decode(file.read_bytes()).rgb)
    assert probe(file) == probe(file.read_bytes()) == ImageHeader("JPEG", 96, 64, None)


def test_pixels_are_read_only_and_the_array_of_the_caller_stays_writable() -> None:
    rgb = scene()
    image = WorkingImage.from_array(rgb)
    for pixels in (image.rgb, image.gray, image.hsv, decode(file_bytes(rgb)).rgb):
        assert pixels.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            pixels[0, 0] = 0
    assert rgb.flags.writeable
    assert image.header == ImageHeader("array", 96, 64, None)


@pytest.mark.parametrize(
    "wrong",
    [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4), np.uint8), np.zeros((0, 4, 3), np.uint8), np.zeros((4, 4, 3))],
)
def test_other_arrays_are_refused(wrong: NDArray[Any]) -> None:
    with pytest.raises(ValueError, match="uint8"):
        WorkingImage(wrong, ImageHeader("array", 1, 1))


def test_grey_and_hsv_of_plain_colours_are_right() -> None:
    rgb = np.array([[(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (10, 10, 10)]], np.uint8)
    image = WorkingImage.from_array(rgb)
    np.testing.assert_allclose(image.gray[0], [76.245, 149.685, 29.07, 255, 10], atol=1e-3)
    assert image.gray.dtype == np.float32
    assert image.hsv[0].tolist() == [[0, 255, 255], [85, 255, 255], [171, 255, 255], [0, 0, 255], [0, 0, 10]]
    assert image.gray is image.gray


def test_a_jpeg_round_trip_is_accurate() -> None:
    smooth = np.asarray(Image.fromarray(scene(40, 30)).resize((200, 150), Image.Resampling.BICUBIC))
    content = to_jpeg(smooth, quality=95)
    assert decode(content).header.format == "JPEG"
    assert np.abs(decode(content).rgb.astype(int) - smooth).mean() < 4
    assert len(to_jpeg(smooth, quality=30)) < len(content)


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space of a process")
def test_encoding_without_memory_is_a_memory_error() -> None:
    script = """
        import resource
        import numpy as np
        from focal_photos.features.decoding.decode import to_jpeg, to_png

        pixels = np.random.default_rng(0).integers(0, 256, (256, 256, 3), np.uint8)
        large = pixels.repeat(8, axis=0).repeat(8, axis=1)  # more than the memory that the first picture freed
        assert to_jpeg(pixels)
        resource.setrlimit(resource.RLIMIT_AS, (1, 1))
        try:
            to_png(large)
        except MemoryError:
            print("short")
    """
    script = textwrap.dedent(script)
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout == "short\n"


def test_suffixes_are_lower_case_with_a_dot() -> None:
    assert {".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".gif", ".bmp", ".avif", ".heic"} <= IMAGE_SUFFIXES
    assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in IMAGE_SUFFIXES)


@pytest.mark.parametrize(
    ("size", "expected"),
    [((384, 300), (128, 100)), ((200, 384), (66, 128)), ((90, 60), (90, 60))],
)
def test_small_photos_are_means_of_the_pixels(size: tuple[int, int], expected: tuple[int, int]) -> None:
    rgb = scene(*size)
    small = WorkingImage.from_array(rgb).small.rgb
    assert small.shape[1::-1] == expected
    exact = cv2.resize(rgb, expected, interpolation=cv2.INTER_AREA).astype(np.float64)
    noise = cv2.resize(rgb, expected, interpolation=cv2.INTER_NEAREST) - exact
    assert np.abs(small - exact).mean() <= 0.25 * np.abs(noise).mean()


def test_all_pixels_count_down_to_half_the_size_and_below() -> None:
    for pixel in range(60):
        rgb = np.zeros((2, 60, 3), np.uint8)
        rgb[:, pixel] = 255
        for side in (30, 37, 45, 59, 20, 11):
            assert WorkingImage.from_array(rgb).within(side).any(), (pixel, side)


def test_a_part_is_a_photo_of_its_own() -> None:
    pixels = scene(40, 20, seed=1)
    part = WorkingImage.from_array(pixels).part((0.25, 0.1, 0.5, 0.9))
    assert (part.rgb == pixels[2:18, 10:20]).all()
    assert (part.header.width, part.header.height) == (10, 16)


@pytest.mark.parametrize(
    ("sides", "expected"), [((0.5, 0.5, 0.51, 0.51), (10, 20)), ((0.99, 0.99, 1.0, 1.0), (16, 36))]
)
def test_a_small_part_has_four_pixels_a_side(sides: tuple[float, ...], expected: tuple[int, int]) -> None:
    pixels = scene(40, 20, seed=1)
    part = WorkingImage.from_array(pixels).part((sides[0], sides[1], sides[2], sides[3]))
    y, x = expected
    assert (part.rgb == pixels[y : y + 4, x : x + 4]).all()
    tiny = WorkingImage.from_array(pixels[:2, :3]).part((0.5, 0.5, 1.0, 1.0))
    assert (tiny.rgb == pixels[:2, :3]).all()
