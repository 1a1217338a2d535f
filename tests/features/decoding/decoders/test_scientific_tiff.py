# SPDX-License-Identifier: MIT
"""TIFF files of instruments: channels, planes, times and display windows."""

from __future__ import annotations

import io
import struct
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray
from PIL import Image

from focal_photos.features.decoding.decode import decode, probe, sample_values
from focal_photos.features.decoding.display import Display
from focal_photos.features.decoding.limits import (
    DecodeLimits,
    ImageError,
    ImageTooLargeError,
    UnreadableImageError,
    UnsupportedFormatError,
)

WIDTH, HEIGHT = 40, 30


def ramp(low: float, high: float, dtype: type[np.generic]) -> NDArray[Any]:
    return np.linspace(low, high, WIDTH * HEIGHT).reshape(HEIGHT, WIDTH).astype(dtype)


def tiff(values: NDArray[Any], **more: Any) -> bytes:
    buffer = io.BytesIO()
    tifffile.imwrite(buffer, values, **more)
    return buffer.getvalue()


def shown(content: bytes, **display: Any) -> NDArray[np.uint8]:
    return decode(content, side=None, limits=DecodeLimits(display=Display(**display))).rgb


def test_three_channels_are_three_colours() -> None:
    channels = np.zeros((3, HEIGHT, WIDTH), np.uint8)
    channels[0, :, :10], channels[1, :, 10:20], channels[2, :, 20:30] = 200, 150, 100
    content = tiff(channels, photometric="minisblack", metadata={"axes": "CYX"}, ome=True)
    rgb = shown(content)
    assert [tuple(rgb[5, x]) for x in (5, 15, 25, 35)] == [(200, 0, 0), (0, 150, 0), (0, 0, 100), (0, 0, 0)]
    assert probe(content).width == WIDTH


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        ((), (10, 20, 30)), ((2,), (20, 20, 20)), ((4, 3), (40, 30, 0)), ((0, 4), (0, 40, 0)), ((3, 0, 1), (30, 0, 10)),
        ((9, 1), (0, 10, 0)), ((9,), (10, 20, 30)), ((0,), (10, 20, 30)),
    ],
)  # fmt: skip
def test_channels_can_be_chosen(channels: tuple[int, ...], expected: tuple[int, int, int]) -> None:
    values = np.ones((4, HEIGHT, WIDTH), np.uint8) * np.array([10, 20, 30, 40], np.uint8)[:, None, None]
    rgb = shown(tiff(values, photometric="minisblack", metadata={"axes": "CYX"}, ome=True), channels=channels)
    assert tuple(rgb[0, 0]) == expected


def test_two_channels_are_red_and_green() -> None:
    values = np.stack([np.full((HEIGHT, WIDTH), level, np.uint8) for level in (50, 90)])
    content = tiff(values, imagej=True, metadata={"axes": "CYX"})
    assert tuple(shown(content)[0, 0]) == (50, 90, 0)


@pytest.mark.parametrize(("plane", "time", "expected"), [(0, 1, 12), (1, 1, 10), (5, 1, 14), (9, 2, 24), (3, 9, 22)])
@pytest.mark.parametrize("form", ["ome", "imagej"])
def test_planes_and_times_can_be_chosen(form: str, plane: int, time: int, expected: int) -> None:
    values = np.array([[10 * (t + 1) + z for z in range(5)] for t in range(2)], np.uint8)
    stack = np.ones((2, 5, HEIGHT, WIDTH), np.uint8) * values[:, :, None, None]
    more: dict[str, Any] = {"ome": True, "photometric": "minisblack"} if form == "ome" else {"imagej": True}
    content = tiff(stack, metadata={"axes": "TZYX"}, **more)
    assert tuple(shown(content, plane=plane, time=time)[0, 0]) == (expected,) * 3


@pytest.mark.parametrize(("count", "middle"), [(1, 10), (2, 11), (3, 11), (4, 12)])
def test_the_middle_of_an_even_number_of_planes_is_the_upper_one(count: int, middle: int) -> None:
    stack = np.ones((count, HEIGHT, WIDTH), np.uint8) * np.arange(10, 10 + count, dtype=np.uint8)[:, None, None]
    content = tiff(stack, photometric="minisblack", metadata={"axes": "ZYX"}, ome=True)
    assert shown(content)[0, 0, 0] == middle


def test_axes_in_another_order_and_samples_are_read() -> None:
    values = np.zeros((3, 4, HEIGHT, WIDTH), np.uint8)  # Z, C
    values[1] = np.array([10, 20, 30, 40], np.uint8)[:, None, None]
    assert tuple(shown(tiff(values, photometric="minisblack", metadata={"axes": "ZCYX"}, ome=True))[3, 3]) == (
        10,
        20,
        30,
    )
    samples = np.ones((HEIGHT, WIDTH, 5), np.uint8) * np.arange(10, 60, 10, dtype=np.uint8)
    for planar in ("contig", "separate"):
        block = samples if planar == "contig" else samples.transpose(2, 0, 1)
        content = tiff(block, photometric="minisblack", planarconfig=planar)
        assert tuple(shown(content, channels=(5, 4))[3, 3]) == (50, 40, 0)


def test_a_window_of_100_to_700_uses_the_full_range() -> None:
    values = ramp(100, 700, np.uint16)
    washed_out = shown(tiff(values))[..., 0]
    assert washed_out.max() - washed_out.min() < 160  # with the range of a 10-bit sensor, as for a photo
    rgb = shown(tiff(values), windows=(("uint16", ((100.0, 700.0),)),))
    expected = np.rint((values - 100.0) * 255 / 600)
    np.testing.assert_array_equal(rgb[..., 0], expected)
    assert (rgb.min(), rgb.max()) == (0, 255)


@pytest.mark.parametrize("dtype", [np.uint16, np.int16, np.uint32, np.int32, np.float32, np.float64, np.int8])
def test_every_type_of_values_has_its_window(dtype: type[np.generic]) -> None:
    values = ramp(0, 100, dtype)
    kind = np.dtype(dtype).name
    rgb = shown(tiff(values), windows=(("other", ((0, 1),)), (kind, ((20.0, 60.0),))))
    expected = np.rint(np.clip((values.astype(float) - 20) / 40, 0, 1) * 255)
    np.testing.assert_array_equal(rgb[..., 2], expected)


def test_each_channel_has_a_window_and_the_last_one_applies_to_the_others() -> None:
    values = np.stack([np.full((HEIGHT, WIDTH), level, np.uint16) for level in (100, 100, 100)])
    content = tiff(values, photometric="minisblack", metadata={"axes": "CYX"}, ome=True)
    rgb = shown(content, windows=(("uint16", ((0.0, 250.0), (0.0, 1000.0))),))
    assert tuple(rgb[0, 0]) == (102, 26, 26)


def test_values_that_are_not_finite_are_black_or_white() -> None:
    values = np.array([[np.nan, np.inf, -np.inf, 5.0]], np.float32)
    rgb = shown(tiff(values), windows=(("float32", ((0.0, 10.0),)),))
    assert rgb[0, :, 0].tolist() == [0, 255, 0, 128]
    assert len(np.unique(shown(tiff(values), windows=(("float32", ((5.0, 5.0),)),)))) == 1


def test_white_is_zero_is_inverted() -> None:
    values = ramp(0, 1000, np.uint16)
    windows = (("uint16", ((float(65535 - 1000), 65535.0),)),)
    rgb = shown(tiff(values, photometric="miniswhite"), windows=windows)
    assert (rgb[0, 0, 0], rgb[-1, -1, 0]) == (255, 0)


def test_orientation_and_size_are_applied() -> None:
    content = tiff(ramp(0, 500, np.uint16), extratags=[(274, "H", 1, 6, True)])
    windows = (("uint16", ((0.0, 500.0),)),)
    rgb = shown(content, windows=windows)
    assert rgb.shape == (WIDTH, HEIGHT, 3)
    assert (rgb[0, -1, 0], rgb[-1, 0, 0]) == (0, 255)
    header = probe(content, DecodeLimits(display=Display(windows=windows)))
    assert (header.width, header.height) == (HEIGHT, WIDTH)
    small = decode(content, side=20, limits=DecodeLimits(display=Display(windows=windows)))
    assert max(small.rgb.shape) == 20


@pytest.mark.parametrize("compression", ["tiff_lzw", "tiff_adobe_deflate", "packbits", None])
def test_compressed_values_are_read(compression: str | None) -> None:
    values = ramp(100, 700, np.uint16)
    buffer = io.BytesIO()
    Image.fromarray(values).save(buffer, "TIFF", compression=compression)
    rgb = shown(buffer.getvalue(), windows=(("uint16", ((100.0, 700.0),)),))
    np.testing.assert_array_equal(rgb[..., 1], np.rint((values - 100.0) * 255 / 600))


def test_ordinary_tiff_photos_are_not_scientific() -> None:
    colors = np.random.default_rng(0).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    windows = (("uint8", ((0.0, 10.0),)), ("uint16", ((0.0, 10.0),)))
    for content in (tiff(colors, photometric="rgb"), tiff(colors, photometric="rgb", ome=True)):
        np.testing.assert_array_equal(shown(content, windows=windows), colors)
    gray = tiff(colors[..., 0], photometric="minisblack", metadata=None)
    np.testing.assert_array_equal(shown(gray, windows=windows)[..., 0], colors[..., 0])
    png = io.BytesIO()
    Image.fromarray(ramp(0, 65535, np.uint16)).save(png, "PNG")
    assert shown(png.getvalue(), windows=windows).max() == 255


def test_values_of_each_channel_are_sampled(tmp_path: Path) -> None:
    file = tmp_path / "x.tif"
    values = np.stack([ramp(100, 700, np.uint16), ramp(0, 9, np.uint16)])
    file.write_bytes(tiff(values, photometric="minisblack", metadata={"axes": "CYX"}, ome=True))
    kind, found = sample_values(file, 100)
    assert (kind, len(found), [len(one) for one in found]) == ("uint16", 2, [100, 100])
    assert (found[0].min(), found[0].max()) == (100, 700)
    # 1,200 values are spread over the whole picture for any sample size.
    for count in (700, 1199, 1200, 5000):
        some = sample_values(file, count)[1][0]
        assert (len(some), some.min(), some.max()) == (min(count, 1200), 100, 700)
        assert abs(np.median(some) - 400) < 2
    file.write_bytes(tiff(values[0]))
    assert sample_values(file, 100)[0] == "uint16"
    file.write_bytes(tiff(np.zeros((5, 5), np.uint8)))
    assert sample_values(file, 100) == ("", [])
    file.write_bytes(tiff(np.zeros((2, 5, 5), np.uint8), photometric="minisblack", ome=True))
    assert sample_values(file, 100) == ("uint8", [])


def test_channels_that_are_not_shown_are_not_read() -> None:
    values = np.stack([np.full((HEIGHT, WIDTH), level, np.uint8) for level in (10, 20, 30, 40, 50)])
    whole = tiff(values, photometric="minisblack", metadata={"axes": "CYX"}, ome=True, compression="zlib")
    with tifffile.TiffFile(io.BytesIO(whole)) as file:
        (start,), (length,) = file.pages[4].dataoffsets, file.pages[4].databytecounts
    damaged = whole[:start] + b"\xff" * length + whole[start + length :]
    assert (shown(damaged) == shown(whole)).all()
    with pytest.raises(UnreadableImageError):
        shown(damaged, channels=(1, 5))


# ---------------------------------------------------------------- hostile files
OME = """<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" UUID="urn:uuid:1"><Image ID="Image:0">
<Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="uint8" SizeX="40" SizeY="30" SizeC="2" SizeZ="1" SizeT="1">
<Channel ID="Channel:0:0" SamplesPerPixel="1"/><Channel ID="Channel:0:1" SamplesPerPixel="1"/>
<TiffData FirstC="0" IFD="0"><UUID FileName="a.ome.tif">urn:uuid:1</UUID></TiffData>
<TiffData FirstC="1" IFD="0"><UUID FileName="b.ome.tif">urn:uuid:2</UUID></TiffData></Pixels></Image></OME>"""


def test_files_named_by_a_description_are_not_opened(tmp_path: Path) -> None:
    for name, level in (("a.ome.tif", 10), ("b.ome.tif", 20)):
        content = tiff(np.full((HEIGHT, WIDTH), level, np.uint8), description=OME, metadata=None)
        (tmp_path / name).write_bytes(content)
    # tifffile trusts it and opens the other file
    assert tifffile.imread(tmp_path / "a.ome.tif").shape == (2, HEIGHT, WIDTH)
    try:
        rgb = decode(tmp_path / "a.ome.tif").rgb
    except ImageError:
        return
    assert 20 not in rgb


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><OME>&a;</OME>', UnsupportedFormatError),
        ('<OME><Image><Pixels SizeC="100000" SizeZ="1000" SizeT="1000"/></Image></OME>', ImageTooLargeError),
    ],
)
def test_hostile_descriptions_are_refused(text: str, kind: type[ImageError]) -> None:
    content = tiff(np.zeros((HEIGHT, WIDTH), np.uint16), description=text, metadata=None)
    with pytest.raises(kind):
        decode(content)


def test_sizes_above_the_limit_are_refused_before_allocation() -> None:
    content = bytearray(tiff(np.zeros((HEIGHT, WIDTH), np.float64)))
    with pytest.raises(ImageTooLargeError):
        decode(bytes(content), limits=DecodeLimits(max_pixels=WIDTH * HEIGHT - 1))
    for tag in (256, 257):
        place = content.index(struct.pack("<HHI", tag, 4, 1)) + 8
        content[place : place + 4] = struct.pack("<I", 65535)
    with pytest.raises(ImageTooLargeError):
        decode(bytes(content))


def test_damaged_files_are_refused_with_a_message() -> None:
    content = tiff(np.stack([ramp(0, 9, np.uint16)] * 3), photometric="minisblack", metadata={"axes": "CYX"}, ome=True)
    display = Display(windows=(("uint16", ((0.0, 9.0),)),))
    rng = np.random.default_rng(0)
    limits = replace(DecodeLimits(max_pixels=1_000_000), display=display)
    for _ in range(150):
        broken = bytearray(content)
        for place in rng.integers(0, len(broken), 6):
            broken[place] = rng.integers(256)
        for some in (bytes(broken), content[: rng.integers(len(content))]):
            with suppress(ImageError):  # any other exception is a bug
                decode(some, limits=limits)
