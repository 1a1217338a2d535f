# SPDX-License-Identifier: MIT
"""Every pixel format becomes 8-bit RGB."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from focal_photos.features.decoding.decode import decode
from tests.features.pictures import file_bytes, scene
from tests.features.varieties import tiff_bytes


def gray_of(content: bytes) -> NDArray[np.uint8]:
    rgb = decode(content).rgb
    assert (rgb == rgb[..., :1]).all()
    return rgb[..., 0]


def test_sixteen_bits_in_a_png_span_the_full_range() -> None:
    values = np.array([[0, 257, 32768, 65535], [0, 0, 0, 40_000]], np.uint16)
    assert gray_of(file_bytes(values)).tolist() == [[0, 1, 128, 255], [0, 0, 0, 156]]
    assert gray_of(file_bytes(values[:, :2])).tolist() == [[0, 1], [0, 0]]  # dark stays dark


@pytest.mark.parametrize(("white", "bits"), [(255, 8), (1023, 10), (4095, 12), (16383, 14), (65535, 16), (3000, 12)])
def test_sixteen_bits_in_a_tiff_span_the_range_of_the_sensor(white: int, bits: int) -> None:
    values = np.array([[0, white // 2, white]], np.uint16)
    expected = [0, white // 2 * 255 / (2**bits - 1), white * 255 / (2**bits - 1)]
    for order in ("<u2", ">u2"):
        assert np.abs(gray_of(file_bytes(values.astype(order), "TIFF"))[0] - expected).max() <= 0.5


def test_thirty_two_bits_are_stretched() -> None:
    values = np.array([[-100, 0, 100, 300]], np.int32)
    assert gray_of(file_bytes(values, "TIFF")).tolist() == [[0, 64, 128, 255]]


def test_real_numbers_are_stretched() -> None:
    shares = np.array([[0, 0.25, 1.0]], np.float32)
    assert gray_of(file_bytes(shares, "TIFF")).tolist() == [[0, 64, 255]]
    heights = np.array([[-500.0, 0.0, 1500.0, np.nan, np.inf, -np.inf]], np.float32)
    assert gray_of(file_bytes(heights, "TIFF")).tolist() == [[0, 64, 255, 0, 255, 0]]
    for empty in (np.nan, np.inf, 7000.0):
        plain = np.full((2, 3), empty, np.float32)
        assert len(np.unique(gray_of(file_bytes(plain, "TIFF")))) == 1


@pytest.mark.parametrize("brightest", [0.8, 1.0])
def test_real_numbers_from_0_to_1_are_shares_of_white(brightest: float) -> None:
    values = np.array([[0.2, 0.4, brightest]], np.float32)
    assert gray_of(file_bytes(values, "TIFF")).tolist() == [[51, 102, round(255 * brightest)]]


def test_one_bit_becomes_black_and_white() -> None:
    bits = Image.fromarray(np.array([[0, 255, 255, 0]], np.uint8)).convert("1")
    for kind in ("PNG", "TIFF", "BMP", "GIF"):
        assert gray_of(file_bytes(bits, kind)).tolist() == [[0, 255, 255, 0]]


def test_cmyk_is_converted() -> None:
    inks = np.zeros((16, 64, 4), np.uint8)
    for i, ink in enumerate([(0, 0, 0, 0), (255, 0, 0, 0), (0, 255, 255, 0), (0, 0, 0, 255)]):
        inks[:, 16 * i : 16 * i + 16] = ink
    for kind in ("TIFF", "JPEG"):
        rgb = decode(file_bytes(Image.fromarray(inks, "CMYK"), kind)).rgb[8, 8::16].astype(int)
        expected = [(255, 255, 255), (0, 255, 255), (255, 0, 0), (0, 0, 0)]
        assert np.abs(rgb - expected).max() <= (0 if kind == "TIFF" else 6)


def test_lab_is_converted() -> None:
    lab = Image.new("LAB", (8, 4), (255, 128, 128))  # white
    lab.paste((137, 208, 195), (4, 0, 8, 4))  # close to pure red
    rgb = decode(file_bytes(lab, "TIFF")).rgb.astype(int)
    assert np.abs(rgb[0, 0] - 255).max() <= 3
    assert rgb[0, 6, 0] > 240
    assert rgb[0, 6, 1:].max() < 60


def test_transparency_is_blended_with_white() -> None:
    rgba = np.dstack([scene(), np.full((64, 96), 255, np.uint8)])
    rgba[:, 48:, 3] = 0
    rgba[:10, :48, 3] = 51  # one fifth opaque
    rgb = decode(file_bytes(rgba)).rgb
    assert (rgb[:, 48:] == 255).all()
    np.testing.assert_array_equal(rgb[10:, :48], scene()[10:, :48])
    expected = scene()[:10, :48] * 0.2 + 255 * 0.8
    assert np.abs(rgb[:10, :48] - expected).max() <= 1


def test_hidden_colours_do_not_leak_into_a_reduced_image() -> None:
    rgba = np.zeros((800, 800, 4), np.uint8)
    rgba[..., 0] = 255  # invisible red
    rgba[200:600, 200:600] = (0, 0, 0, 255)
    rgb = decode(file_bytes(rgba)).rgb.astype(int)
    assert np.abs(rgb[..., 0] - rgb[..., 1]).max() <= 1


def test_palettes_with_and_without_transparency_are_decoded() -> None:
    colors = Image.fromarray(scene()).quantize(16)
    plain = np.asarray(colors.convert("RGB"))
    for kind in ("PNG", "GIF", "TIFF", "BMP"):
        np.testing.assert_array_equal(decode(file_bytes(colors, kind)).rgb, plain)
    hidden = np.asarray(colors) == 3
    for kind in ("PNG", "GIF"):
        rgb = decode(file_bytes(colors, kind, transparency=3)).rgb
        assert (rgb[hidden] == 255).all()
        np.testing.assert_array_equal(rgb[~hidden], plain[~hidden])
    alpha = bytes(range(0, 256, 16))
    rgb = decode(file_bytes(colors, transparency=alpha)).rgb
    share = np.frombuffer(alpha, np.uint8)[np.asarray(colors)][..., None] / 255
    assert np.abs(rgb - (plain * share + 255 * (1 - share))).max() <= 1


def test_a_transparent_colour_of_a_png_becomes_white() -> None:
    rgb = scene()
    rgb[:5] = (1, 2, 3)
    shown = decode(file_bytes(rgb, transparency=(1, 2, 3))).rgb
    assert (shown[:5] == 255).all()
    np.testing.assert_array_equal(shown[5:], rgb[5:])
    grey = np.array([[7, 100]], np.uint8)
    assert gray_of(file_bytes(grey, transparency=7)).tolist() == [[255, 100]]


def test_grey_with_alpha_is_blended_with_white() -> None:
    pair = np.array([[(100, 255), (100, 0)]], np.uint8)
    assert gray_of(file_bytes(Image.fromarray(pair, "LA"))).tolist() == [[100, 255]]


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP", "TIFF", "AVIF"])
def test_an_animation_gives_its_first_frame(kind: str) -> None:
    frames = [Image.new("RGB", (32, 24), color) for color in ("red", "lime", "blue")]
    content = file_bytes(frames[0], kind, save_all=True, append_images=frames[1:])
    assert np.abs(decode(content).rgb.astype(int) - (255, 0, 0)).max() <= 4


def test_premultiplied_grey_is_blended_with_white() -> None:
    values = np.array([[(100, 255), (0, 0), (50, 128)]], np.uint8)
    content = tiff_bytes(values, photometric="minisblack", extrasamples=["assocalpha"], planarconfig="contig")
    assert np.abs(gray_of(content).astype(int) - [[100, 255, 178]]).max() <= 1
