# SPDX-License-Identifier: MIT
"""Files that cannot or must not be decoded: a typed error with a readable message, quickly and without side effects."""

from __future__ import annotations

import io
import os
import pickle
import struct
import threading
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import tifffile
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from focal_photos.features.decoding.decode import decode, pillow_settings, probe
from focal_photos.features.decoding.limits import (
    DecodeLimits,
    ImageError,
    ImageTooLargeError,
    UnreadableImageError,
    UnsupportedFormatError,
)
from tests.examples import examples
from tests.features.pictures import file_bytes, scene

KINDS = ["JPEG", "PNG", "WEBP", "TIFF", "GIF", "BMP", "AVIF", "HEIF"]


def refusal(source: Path | bytes, limits: DecodeLimits | None = None) -> ImageError:
    """Return the error that both functions raise, after checking that it is readable."""
    with pytest.raises(ImageError) as probed:
        probe(source, limits)
    with pytest.raises(ImageError) as decoded:
        decode(source, limits=limits)
    assert type(probed.value) is type(decoded.value)
    message = str(decoded.value)
    assert "\n" not in message
    assert message.endswith(".")
    assert len(message) < 200
    if isinstance(source, Path):
        assert source.name not in message
    return decoded.value


def png_header(width: int, height: int) -> bytes:
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(b"")
    parts = (struct.pack(">I", len(c) - 4) + c + struct.pack(">I", zlib.crc32(c)) for c in (chunk, data))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def with_size(kind: str, width: int, height: int) -> bytes:
    """Return a file with this size in its header and hardly any content."""
    if kind == "PNG":
        return png_header(width, height)
    if kind == "GIF":
        image = b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02\x02\x44\x01\0;"
        return b"GIF89a" + struct.pack("<HHBBB", width, height, 0, 0, 0) + image
    if kind == "BMP":
        return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 60, 0, 0, 54, 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    if kind == "WEBP":
        canvas = struct.pack("<I", 0)[:4] + struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
        return b"RIFF" + struct.pack("<I", 22) + b"WEBPVP8X" + struct.pack("<I", 10) + canvas
    if kind == "TIFF":
        tags = [
            (256, width),
            (257, height),
            (258, 8),
            (259, 1),
            (262, 1),
            (273, 200),
            (277, 1),
            (278, height),
            (279, 9),
        ]
        entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
        return b"II*\0" + struct.pack("<IH", 8, len(tags)) + entries + bytes(100)
    if kind == "HEIF":
        extents = bytearray(file_bytes(scene(), "HEIF"))
        while (start := extents.find(b"ispe" + bytes(4) + struct.pack(">II", 96, 64))) >= 0:
            extents[start + 8 : start + 16] = struct.pack(">II", width, height)
        return bytes(extents)
    content = bytearray(file_bytes(scene(), "JPEG"))
    frame = content.index(b"\xff\xc0") + 5
    content[frame : frame + 4] = struct.pack(">HH", height, width)
    return bytes(content)


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "WEBP", "TIFF", "JPEG", "HEIF"])
def test_a_header_of_billions_of_pixels_is_refused_before_decoding(kind: str) -> None:
    error = refusal(with_size(kind, 65_000, 65_000))
    assert type(error) is ImageTooLargeError
    assert "4,225,000,000" in str(error)


def test_limits_are_given_by_the_caller() -> None:
    content = file_bytes(scene(40, 30))
    assert decode(content, limits=DecodeLimits(max_pixels=1200)).header.width == 40
    assert type(refusal(content, DecodeLimits(max_pixels=1199))) is ImageTooLargeError
    assert type(refusal(content, DecodeLimits(max_bytes=len(content) - 1))) is ImageTooLargeError


def test_pillows_own_limit_neither_warns_nor_changes() -> None:
    bits = Image.new("1", (9500, 9500), 1)  # more than Image.MAX_IMAGE_PIXELS
    assert 9500 * 9500 > (Image.MAX_IMAGE_PIXELS or 0) > 0
    before = Image.MAX_IMAGE_PIXELS, list(warnings.filters)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in ("PNG", "TIFF"):
            assert (decode(file_bytes(bits, kind)).rgb == 255).all()
    assert (Image.MAX_IMAGE_PIXELS, list(warnings.filters)) == before


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_truncated_file_is_unreadable(kind: str, share: float) -> None:
    content = file_bytes(scene(), kind)
    with pytest.raises(UnreadableImageError):
        decode(content[: int(len(content) * share)])


@settings(max_examples=examples(60))
@given(st.sampled_from(KINDS), st.data())
def test_damage_gives_an_image_or_a_typed_error(kind: str, data: st.DataObject) -> None:
    content = bytearray(file_bytes(scene(24, 16), kind))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    limits = DecodeLimits(max_pixels=1_000_000)
    for read in (probe, decode):
        try:
            read(bytes(content), limits=limits)
        except ImageError as error:
            message = str(error)
        else:
            continue
        assert message.endswith(".")


@given(st.binary(max_size=200))
@example(b"")
@example(b"\xff\xd8\xff")
@example(b"RIFF\0\0\0\0WEBP")
def test_arbitrary_bytes_are_refused(content: bytes) -> None:
    refusal(content)


FOREIGN = {
    "PostScript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n",
    "PostScript ": b"\xc5\xd0\xd3\xc6" + bytes(40),
    "PDF": b"%PDF-1.7\n",
    "Windows metafile": b"\xd7\xcd\xc6\x9a" + bytes(40),
    "Video": b"\0\0\0\x18ftypisom\0\0\0\0isommp42",
    "Sigma raw": b"FOVb" + bytes(60),
    "JPEG XL": b"\0\0\0\x0cJXL \r\n\x87\n",
    "SVG": b"<svg/>",
    "Icon": b"\0\0\1\0\1\0" + bytes(40),
    "FITS": b"SIMPLE  =                    T",
    "XML or SVG": b'<?xml version="1.0"?><svg/>',
    "PCX": b"\x0a\5\1\x08" + bytes(40),
    "QOI": b"qoif" + bytes(40),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_unlisted_formats_are_refused_by_name(kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("subprocess.Popen", None)  # no program may be started, Ghostscript least of all
    disguised = tmp_path / "photo.jpg"
    disguised.write_bytes(FOREIGN[kind])
    for source in (disguised, FOREIGN[kind]):
        error = refusal(source)
        assert type(error) is UnsupportedFormatError
        assert kind.strip() in str(error)


def test_a_path_that_is_no_file_is_unreadable(tmp_path: Path) -> None:
    dangling = tmp_path / "dangling.jpg"
    dangling.symlink_to(tmp_path / "gone")
    for path in (tmp_path / "missing.jpg", tmp_path, dangling):
        assert type(refusal(path)) is UnreadableImageError
    empty = tmp_path / "empty.jpg"
    empty.touch()
    assert "empty" in str(refusal(empty))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jpg"
    os.mkfifo(pipe)
    assert "regular file" in str(refusal(pipe))


def test_errors_can_be_pickled() -> None:
    for kind in (UnreadableImageError, UnsupportedFormatError, ImageTooLargeError):
        copy = pickle.loads(pickle.dumps(kind("What is wrong.")))
        assert type(copy) is kind
        assert str(copy) == "What is wrong."
    assert issubclass(kind, ImageError)


def test_files_are_closed(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.tiff", tmp_path / "bad.tiff"
    good.write_bytes(file_bytes(scene(), "TIFF"))
    bad.write_bytes(good.read_bytes()[:200])
    before = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0
    for _ in range(10):
        decode(good)
        with pytest.raises(UnreadableImageError):
            decode(bad)
    after = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0
    assert after <= before + 1


def test_warnings_of_other_code_stay_and_filters_are_restored_with_many_threads() -> None:
    before = list(warnings.filters)
    together = threading.Barrier(8)

    def work(_: int) -> None:
        together.wait()
        for _ in range(20):
            with pillow_settings():
                decode(file_bytes(scene(8, 8)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert list(warnings.filters) == before
    with pillow_settings(), pytest.warns(UserWarning, match="of our own"):
        warnings.warn("of our own", UserWarning, stacklevel=1)


def test_a_picture_mode_with_a_warning_of_pillow_causes_none() -> None:
    palette = Image.fromarray(scene()).quantize(8)
    content = file_bytes(palette, transparency=bytes(range(8)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(decode(content).rgb).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["PNG", "TIFF", "BMP", "GIF", "JPEG"])
def test_the_pixel_limit_is_the_callers_and_not_pillows(kind: str) -> None:
    bits = Image.new("1" if kind in ("PNG", "TIFF", "BMP") else "L", (14_000, 13_000))  # 182 million
    assert 2 * (Image.MAX_IMAGE_PIXELS or 0) < 14_000 * 13_000
    content = file_bytes(bits, kind, **({"compression": "group4"} if kind == "TIFF" else {}))
    assert decode(content, side=64).header.width == 14_000
    error = refusal(content, DecodeLimits(max_pixels=180_000_000))
    assert type(error) is ImageTooLargeError
    assert "182,000,000 pixels, more than the allowed 180,000,000" in str(error)


@pytest.mark.slow
def test_the_largest_possible_webp_is_within_the_limit() -> None:
    content = file_bytes(Image.new("RGB", (16_383, 11_200)), "WEBP", method=0, quality=1)  # 183 million
    assert probe(content).width == 16_383
    error = refusal(content, DecodeLimits(max_pixels=180_000_000))
    assert type(error) is ImageTooLargeError
    assert "180,000,000" in str(error)


def test_pillows_settings_are_restored_when_the_last_thread_leaves() -> None:
    before = Image.MAX_IMAGE_PIXELS
    with pillow_settings(1000), pillow_settings(3000):
        with pillow_settings(2000):
            assert Image.MAX_IMAGE_PIXELS == 1500
        assert Image.MAX_IMAGE_PIXELS == 1500
    with pillow_settings(0):
        assert before == Image.MAX_IMAGE_PIXELS
    assert before == Image.MAX_IMAGE_PIXELS


@pytest.mark.parametrize("byte_order", ["<", ">"])
@pytest.mark.parametrize("options", [{}, {"tile": (32, 32)}, {"compression": "zlib"}, {"rowsperstrip": 8}], ids=str)
def test_a_bigtiff_is_decoded(byte_order: Literal["<", ">"], options: dict[str, Any]) -> None:
    levels = np.random.default_rng(0).integers(0, 256, (64, 96)).astype(np.uint8)
    buffer = io.BytesIO()
    with tifffile.TiffWriter(buffer, bigtiff=True, byteorder=byte_order) as writer:
        writer.write(levels, **options)
    np.testing.assert_array_equal(decode(buffer.getvalue()).rgb[:, :, 0], levels)
