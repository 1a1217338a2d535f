# SPDX-License-Identifier: MIT
"""A small picture of every format compared with a second decoder: levels, orientation and range are the same."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, PsdImagePlugin, TgaImagePlugin

from focal_photos.features.decoding.decode import decode
from tests.features.decoding.decoders.test_dicom import dicom
from tests.features.decoding.decoders.test_photoshop import psd
from tests.features.other_programs import difference, opencv_pixels
from tests.features.pictures import file_bytes, scene
from tests.features.raw_files import dng
from tests.features.varieties import SIZE, pictures, targas, tiff_bytes, tiff_values

WIDTH, HEIGHT = 96, 64


def by_pillow(content: bytes) -> NDArray[np.uint8]:
    """Return the picture as decoded by classes of Pillow that Focal does not use."""
    kind = PsdImagePlugin.PsdImageFile if content[:4] == b"8BPS" else TgaImagePlugin.TgaImageFile
    return np.asarray(kind(io.BytesIO(content)).convert("RGB"))


def by_pillow_heif(content: bytes) -> NDArray[np.uint8]:
    """Return the picture as decoded by the libheif of another package."""
    import pillow_heif

    return np.asarray(pillow_heif.read_heif(content).to_pillow().convert("RGB"))


def turned(number: int, kind: str, **options: Any) -> bytes:
    exif = Image.Exif()
    exif[274] = number
    return file_bytes(scene(WIDTH, HEIGHT), kind, exif=exif.tobytes(), **options)


def gray() -> NDArray[np.uint8]:
    return np.ascontiguousarray(scene(WIDTH, HEIGHT)[..., 0])


# Lossless pictures differ by at most a level. For JPEG, WebP, AVIF and HEIC, decoders interpolate halved colours and
# round differently, which gives a few levels on average in such a small grainy picture.
FILES: dict[str, tuple[Callable[[], bytes], float]] = {
    "JPEG": (lambda: file_bytes(scene(WIDTH, HEIGHT), "JPEG", quality=95, subsampling=0), 1.0),
    "JPEG with halved colours": (lambda: file_bytes(scene(WIDTH, HEIGHT), "JPEG", quality=95), 3.0),
    "JPEG grey": (lambda: file_bytes(gray(), "JPEG", quality=95), 1.0),
    "PNG": (lambda: file_bytes(scene(WIDTH, HEIGHT)), 0.0),
    "PNG grey": (lambda: file_bytes(gray()), 0.0),
    "PNG with a palette": (lambda: file_bytes(Image.fromarray(scene(WIDTH, HEIGHT)).quantize(64)), 0.0),
    "PNG of 16 bits": (lambda: file_bytes(gray().astype(np.uint16) * 257), 1.0),
    "PNG of 1 bit": (lambda: file_bytes(Image.fromarray(gray()).convert("1")), 0.0),
    "PNG with transparency": (lambda: file_bytes(np.dstack([scene(WIDTH, HEIGHT), gray()])), 1.0),
    "TIFF": (lambda: file_bytes(scene(WIDTH, HEIGHT), "TIFF"), 0.0),
    "TIFF LZW": (lambda: file_bytes(scene(WIDTH, HEIGHT), "TIFF", compression="tiff_lzw"), 0.0),
    "TIFF of 16 bits": (lambda: tiff_bytes(scene(WIDTH, HEIGHT).astype(np.uint16) * 257, photometric="rgb"), 1.0),
    "WebP": (lambda: file_bytes(scene(WIDTH, HEIGHT), "WEBP", quality=95), 3.0),
    "WebP without loss": (lambda: file_bytes(scene(WIDTH, HEIGHT), "WEBP", lossless=True), 0.0),
    "GIF": (lambda: file_bytes(Image.fromarray(scene(WIDTH, HEIGHT)).quantize(64), "GIF"), 0.0),
    "BMP": (lambda: file_bytes(scene(WIDTH, HEIGHT), "BMP"), 0.0),
    "AVIF": (lambda: file_bytes(scene(WIDTH, HEIGHT), "AVIF", quality=95, subsampling="4:4:4"), 1.0),
    "JPEG 2000": (lambda: file_bytes(scene(WIDTH, HEIGHT), "JPEG2000"), 0.0),
    "PNM": (lambda: file_bytes(scene(WIDTH, HEIGHT), "PPM"), 0.0),
}


@pytest.mark.parametrize("name", FILES)
def test_opencv_shows_the_same_picture(name: str) -> None:
    make, most = FILES[name]
    content = make()
    theirs = opencv_pixels(content)
    if theirs is None:
        pytest.skip("this build of OpenCV does not read the format")
    found = difference(decode(content, side=None).rgb, theirs)
    assert found.upright
    assert found.mean <= most
    assert abs(found.scale - 1) < 0.02


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF", "HEIF"])
def test_all_orientations_are_applied(kind: str, number: int) -> None:
    """The second decoder is NumPy, which transforms the stored pixels according to the EXIF standard."""
    upright: Callable[[NDArray[np.uint8]], NDArray[np.uint8]] = {
        1: lambda stored: stored,
        2: lambda stored: stored[:, ::-1],
        3: lambda stored: stored[::-1, ::-1],
        4: lambda stored: stored[::-1],
        5: lambda stored: stored.transpose(1, 0, 2),
        6: lambda stored: np.rot90(stored, -1),
        7: lambda stored: stored[::-1, ::-1].transpose(1, 0, 2),
        8: lambda stored: np.rot90(stored, 1),
    }[number]
    options: dict[str, Any] = {} if kind in ("PNG", "TIFF") else {"quality": 95}
    found = difference(decode(turned(number, kind, **options), side=None).rgb, upright(scene(WIDTH, HEIGHT)))
    assert found.upright
    assert found.mean < 8  # halved colours and losses of the format; a wrong orientation gives 50 levels
    assert abs(found.scale - 1) < 0.05


def test_heic_targa_and_photoshop_agree_with_the_second_decoder() -> None:
    rgb = scene(WIDTH, HEIGHT)
    for content, theirs, most in (
        (heic := file_bytes(rgb, "HEIF", quality=95), by_pillow_heif(heic), 1.0),
        (targa := file_bytes(rgb, "TGA"), by_pillow(targa), 0.0),
        (photoshop := psd(rgb.transpose(2, 0, 1)), by_pillow(photoshop), 0.0),
    ):
        found = difference(decode(content, side=None).rgb, theirs)
        assert found.upright
        assert found.mean <= most
        assert abs(found.scale - 1) < 0.02


def test_cmyk_agrees_with_the_second_decoder() -> None:
    inks = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    inks[..., :3] = 255 - scene(WIDTH, HEIGHT)
    content = file_bytes(Image.fromarray(inks, "CMYK"), "JPEG", quality=95)
    found = difference(decode(content, side=None).rgb, scene(WIDTH, HEIGHT))
    assert found.upright
    assert found.mean < 5


def test_dicom_agrees_with_its_window() -> None:
    pytest.importorskip("pydicom")
    values = tiff_values(12).astype(np.uint16)
    content = dicom(values, WindowCenter=2048, WindowWidth=4096)
    wanted = np.repeat((values / 4095 * 255)[..., np.newaxis], 3, axis=2).astype(np.uint8)
    found = difference(decode(content, side=None).rgb, wanted)
    assert found.upright
    assert found.mean <= 1
    assert abs(found.scale - 1) < 0.02


def test_the_preview_of_a_raw_file_agrees_with_the_second_decoder(tmp_path: Path) -> None:
    rawpy = pytest.importorskip("rawpy")
    pixels = scene(400, 300)
    file = tmp_path / "a.dng"
    file.write_bytes(dng(scene(48, 32), preview="JPEG", preview_pixels=pixels))
    with rawpy.imread(str(file)) as raw:
        theirs = opencv_pixels(bytes(raw.extract_thumb().data))
    assert theirs is not None
    found = difference(decode(file, side=None).rgb, theirs)
    assert found.upright
    assert found.mean < 3
    assert abs(found.scale - 1) < 0.02


# ImageMagick 6 ignores the transparency of AVIF, HEIC and JPEG 2000 codestreams, shows grey AVIF of limited range with
# too little contrast, and misreads Targa files with 16 bits, with colours beside a palette, or with an unused fourth
# byte.
MISREAD = {
    variety.name: variety.content
    for variety in (*pictures(), *targas())
    if variety.kind in ("AVIF", "HEIC", "TGA", "JPEG 2000")
    and variety.name != "deep-jpeg2000-8-2.jp2"  # Pillow writes 16-bit tiles in the wrong order
}


@pytest.mark.parametrize("name", MISREAD)
def test_varieties_that_other_programs_misread_look_as_drawn(name: str) -> None:
    color = Image.fromarray(scene(*SIZE))
    if "palette" in name and "beside" not in name:
        color = color.quantize(16).convert("RGB")
    is_gray = "gray" in name or "deep" in name or "-avif-6-3" in name  # 4:0:0 has no colours
    if "deep" in name:
        color = color.getchannel("R")
    if "bits-" in name:
        color = color.convert("1")
    drawn = np.asarray(color.convert("L" if is_gray else "RGB").convert("RGB"), np.float64)
    if "alpha" in name:
        opacity = scene(*SIZE)[..., :1] / 255
        drawn = drawn * opacity + 255 * (1 - opacity)
    found = difference(decode(MISREAD[name], side=None).rgb, drawn.round().astype(np.uint8))
    assert found.upright
    assert found.mean <= 13  # halved colours, losses and 5 bits; a wrong orientation, scale or transparency gives 50
    assert abs(found.scale - 1) < 0.1
