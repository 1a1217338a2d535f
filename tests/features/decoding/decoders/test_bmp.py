# SPDX-License-Identifier: MIT
"""Bitmaps of every kind, written here byte by byte, and their expected pixels."""

from __future__ import annotations

import struct
from contextlib import suppress

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.limits import (
    DecodeLimits,
    ImageError,
    ImageTooLargeError,
    UnreadableImageError,
    UnsupportedFormatError,
)

WIDTH, HEIGHT = 13, 7
RNG = np.random.default_rng(5)
PALETTE = RNG.integers(0, 256, (256, 3)).astype(np.uint8)


def packed(levels: NDArray[np.integer], bits: int) -> bytes:
    """Return rows of levels with a number of bits each, padded to four bytes, last row first."""
    rows = []
    for row in levels[::-1]:
        text = "".join(f"{int(level):0{bits}b}" for level in row)
        text += "0" * (-len(text) % 32)
        rows.append(int(text, 2).to_bytes(len(text) // 8, "big"))
    return b"".join(rows)


def little(values: NDArray[np.integer], size: int) -> bytes:
    rows = []
    for row in values[::-1]:
        data = b"".join(int(value).to_bytes(size, "little") for value in row)
        rows.append(data + bytes(-len(data) % 4))
    return b"".join(rows)


def bitmap(
    bits: int,
    data: bytes,
    *,
    size: int = 40,
    compression: int = 0,
    colors: int = 0,
    behind: bytes = b"",
    inside: bytes = b"",
    height: int = HEIGHT,
    bare: bool = False,
) -> bytes:
    """Return a file; `inside` are the header bytes from 40 on, `behind` is between header and pixels."""
    if size == 12:
        header = struct.pack("<IHHHH", 12, WIDTH, height, 1, bits)
    else:
        whole = struct.pack("<IiiHHIIiiII", size, WIDTH, height, 1, bits, compression, len(data), 0, 0, colors, 0)
        header = (whole + inside).ljust(size, b"\0")[:size]
    body = header + behind
    if bare:
        return body + data
    return b"BM" + struct.pack("<IHHI", 14 + len(body) + len(data), 0, 0, 14 + len(body)) + body + data


def palette(count: int, entry: int) -> bytes:
    return b"".join(bytes(color[::-1]) + bytes(entry - 3) for color in PALETTE[:count])


def indices(bits: int) -> NDArray[np.integer]:
    return RNG.integers(0, 1 << bits, (HEIGHT, WIDTH))


def test_colours_after_the_256th_of_a_palette_are_ignored() -> None:
    levels = indices(8)
    content = bitmap(8, packed(levels, 8), colors=300, behind=palette(256, 4) + bytes(44 * 4))
    np.testing.assert_array_equal(decode(content).rgb, PALETTE[levels])


@pytest.mark.parametrize("bits", [1, 2, 4, 8])
@pytest.mark.parametrize(
    ("size", "bare"),
    [*((size, False) for size in (12, 16, 40, 52, 56, 64, 108, 124)), *((size, True) for size in (12, 40, 52, 124))],
)
def test_palettes_of_windows_and_os2_are_read(bits: int, size: int, bare: bool) -> None:
    levels = indices(bits)
    content = bitmap(
        bits, packed(levels, bits), size=size, behind=palette(1 << bits, 3 if size == 12 else 4), bare=bare
    )
    assert (probe(content).width, probe(content).height) == (WIDTH, HEIGHT)
    np.testing.assert_array_equal(decode(content).rgb, PALETTE[levels])


@pytest.mark.parametrize("bits", [1, 4, 8])
def test_a_palette_may_be_shorter_than_the_depth_allows(bits: int) -> None:
    count = (1 << bits) - 1 or 1
    levels = indices(bits) % count
    content = bitmap(bits, packed(levels, bits), colors=count, behind=palette(count, 4))
    np.testing.assert_array_equal(decode(content).rgb, PALETTE[levels])


@pytest.mark.parametrize(
    ("size", "top_down"),
    [*((size, False) for size in (12, 16, 40, 64, 108)), *((size, True) for size in (16, 40, 64, 108))],
)
def test_true_colors_are_read(size: int, top_down: bool) -> None:
    rgb = RNG.integers(0, 256, (HEIGHT, WIDTH, 3)).astype(np.uint8)
    rows = rgb[::-1] if top_down else rgb
    data = little((rows.astype(int) * [1 << 16, 1 << 8, 1]).sum(axis=2), 3)
    content = bitmap(24, data, size=size, height=-HEIGHT if top_down else HEIGHT)
    np.testing.assert_array_equal(decode(content).rgb, rgb)


@pytest.mark.parametrize(
    ("bits", "masks"),
    [
        (16, None),
        (16, (0xF800, 0x7E0, 0x1F)),
        (16, (0x7C00, 0x3E0, 0x1F)),
        (16, (0xF00, 0xF0, 0xF)),
        (16, (0x1F, 0x7E0, 0xF800)),
        (16, (0x7000, 0xFF0, 0xF)),
        (32, None),
        (32, (0xFF000000, 0xFF0000, 0xFF00)),
        (32, (0xFF, 0xFF00, 0xFF0000)),
        (32, (0x3FF00000, 0xFFC00, 0x3FF)),
        (32, (0xFE000000, 0x1F, 0x7E0000)),
    ],
)
@pytest.mark.parametrize("size", [40, 52, 56, 108, 124])
def test_channel_masks_are_applied(bits: int, masks: tuple[int, int, int] | None, size: int) -> None:
    used = masks or ((0x7C00, 0x3E0, 0x1F) if bits == 16 else (0xFF0000, 0xFF00, 0xFF))
    values = np.zeros((HEIGHT, WIDTH), np.int64)
    expected = np.zeros((HEIGHT, WIDTH, 3))
    for channel, mask in enumerate(used):
        lowest = (mask & -mask).bit_length() - 1
        levels = RNG.integers(0, (mask >> lowest) + 1, (HEIGHT, WIDTH))
        values |= levels << lowest
        expected[:, :, channel] = levels * 255 / (mask >> lowest)
    packed_masks = struct.pack("<III", *used) if masks else b""
    inside, behind = (b"", packed_masks) if size == 40 else (packed_masks, b"")
    content = bitmap(
        bits, little(values, bits // 8), size=size, compression=3 if masks else 0, inside=inside, behind=behind
    )
    np.testing.assert_allclose(decode(content).rgb, expected, atol=1)  # Pillow scales 5 bits differently


def test_run_lengths_of_8_bits_are_decoded() -> None:
    expected = np.zeros((HEIGHT, WIDTH), np.uint8)
    expected[-1, :5] = 9
    expected[-1, 5:8] = (1, 2, 3)
    expected[-2, 0:13] = 4
    expected[-5, 6:8] = 7
    data = b"\x05\x09\0\x03\x01\x02\x03\0\0\0\x0d\x04\0\0\0\x02\x06\x02\x02\x07\0\x01"
    for size in (40, 64, 124):
        content = bitmap(8, data, size=size, compression=1, behind=palette(256, 4))
        np.testing.assert_array_equal(decode(content).rgb, PALETTE[expected])
    assert cv2.imdecode(np.frombuffer(bitmap(8, data, compression=1, behind=palette(256, 4)), np.uint8), 1) is not None


def test_run_lengths_of_4_bits_are_decoded() -> None:
    expected = np.zeros((HEIGHT, WIDTH), np.uint8)
    expected[-1, :5] = (9, 10, 9, 10, 9)
    expected[-1, 5:10] = (1, 2, 3, 4, 5)
    expected[-3, 2:4] = 6
    data = b"\x05\x9a\0\x05\x12\x34\x50\0\0\0\0\x02\x02\x01\x02\x66\0\x01"
    for size in (40, 64, 108):
        content = bitmap(4, data, size=size, compression=2, behind=palette(16, 4))
        np.testing.assert_array_equal(decode(content).rgb, PALETTE[expected])


def test_bitmaps_without_file_header_are_decoded() -> None:
    values = RNG.integers(0, 1 << 16, (HEIGHT, WIDTH))
    bare = bitmap(16, little(values, 2), compression=3, behind=struct.pack("<III", 0xF800, 0x7E0, 0x1F), bare=True)
    whole = bitmap(16, little(values, 2), compression=3, behind=struct.pack("<III", 0xF800, 0x7E0, 0x1F))
    np.testing.assert_allclose(decode(bare).rgb.astype(int), decode(whole).rgb, atol=1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (bitmap(1, b"", size=64, compression=3), "Huffman"),
        (bitmap(24, b"", size=64, compression=4), "OS/2"),
        (bitmap(24, b"", compression=4), "Printer bitmaps"),
        (bitmap(24, b"", compression=5), "Printer bitmaps"),
    ],
)
def test_unsupported_kinds_are_not_reported_as_damaged(content: bytes, words: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=words) as caught:
        decode(content)
    assert str(caught.value).endswith("are not supported: save the image as JPEG or PNG.")


@pytest.mark.parametrize(
    "content",
    [
        bitmap(8, b"", size=16, behind=palette(256, 4)),
        bitmap(3, bytes(400)),
        bitmap(32, bytes(400), compression=3, behind=struct.pack("<III", 0xFF, 0xFF, 0xFF00)),
        bitmap(8, b"\x05\x09", compression=1, behind=palette(256, 4)),
        bitmap(24, bytes(400), compression=9),
        bitmap(24, bytes(400), height=0),
        bitmap(24, bytes(400))[:30],
    ],
)
def test_damaged_bitmaps_are_refused(content: bytes) -> None:
    with pytest.raises(UnreadableImageError, match=r"The file is (?:damaged|incomplete)"):
        decode(content)


@pytest.mark.parametrize("missing", [1, 40, 40 * HEIGHT])
def test_a_bitmap_without_its_last_bytes_is_incomplete(missing: int) -> None:
    whole = bitmap(24, bytes(40 * HEIGHT), size=16)
    assert decode(whole).rgb.shape == (HEIGHT, WIDTH, 3)
    with pytest.raises(UnreadableImageError, match="The file is incomplete"):
        decode(whole[:-missing])


def test_a_header_with_too_many_pixels_is_refused_before_allocation() -> None:
    content = struct.pack("<IiiHHIIiiII", 40, 60_000, 60_000, 1, 24, 0, 0, 0, 0, 0, 0) + bytes(100)
    with pytest.raises(ImageTooLargeError, match="3,600,000,000"):
        decode(content)
    assert decode(bitmap(24, bytes(40 * HEIGHT), size=16), limits=DecodeLimits(max_pixels=91)).header.width == WIDTH


@given(
    noise=st.binary(max_size=400),
    size=st.sampled_from([12, 16, 40, 56, 64, 124]),
    compression=st.integers(0, 6),
    bits=st.sampled_from([1, 2, 4, 8, 16, 24, 32]),
    bare=st.booleans(),
)
def test_random_bytes_give_pixels_or_a_typed_error(
    noise: bytes, size: int, compression: int, bits: int, bare: bool
) -> None:
    with suppress(ImageError):
        content = bitmap(bits, noise, size=size, compression=compression, behind=noise[:40], bare=bare)
        assert decode(content).rgb.shape == (HEIGHT, WIDTH, 3)
