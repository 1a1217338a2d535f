# SPDX-License-Identifier: MIT
"""Tests of the reader of TIFF directories: chains, subdirectories, loops, and values outside the file."""

from __future__ import annotations

import io
import struct

import pytest
import tifffile
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.features.metadata.tiff import Directory, Tiff, TiffError
from tests.features.varieties import tiff_bytes, tiff_values

_NUMBERS = {3, 4, 16}  # types: unsigned integers of 2, 4 and 8 bytes


def opened(*parts: bytes) -> Tiff:
    return Tiff(io.BytesIO(b"II*\0" + b"".join(parts)))


def directory(entries: list[tuple[int, int, int, int]], following: int = 0) -> bytes:
    table = b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return struct.pack("<H", len(entries)) + table + struct.pack("<I", following)


def marks(tiff: Tiff) -> list[float | None]:
    return [found.number(256) for found in tiff.directories()]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("samples", [1, 3, 70])
def test_numbers_and_texts_equal_those_of_tifffile(samples: int, order: str, *, big: bool) -> None:
    values, photometric = tiff_values(16, samples=samples), "rgb" if samples == 3 else "minisblack"
    options = {"planarconfig": "contig" if samples > 1 else None, "software": "Instrument", "rowsperstrip": 4}
    content = tiff_bytes(values, photometric=photometric, byteorder=order, bigtiff=big, **options)
    found = Tiff(io.BytesIO(content)).main()
    with tifffile.TiffFile(io.BytesIO(content)) as file:
        tags = list(file.pages.first.tags)
    for tag in tags:
        if tag.dtype in _NUMBERS:
            expected = tag.value if isinstance(tag.value, tuple) else (tag.value,)
            assert found.numbers(tag.code) == tuple(map(int, expected))[:64], tag.name
        elif tag.dtype == 2:
            assert (found.raw(tag.code) or b"").rstrip(b"\0").decode() == tag.value
    assert {"ImageWidth", "StripOffsets", "Software"} <= {tag.name for tag in tags}
    assert set(found.entries) == {tag.code for tag in tags}


def test_chains_and_subdirectories_are_followed() -> None:
    # Each directory has 2 + 2 * 12 + 4 = 30 bytes.
    at = [8 + 30 * place for place in range(4)]
    parts = [
        directory([(256, 3, 1, 1), (330, 4, 1, at[2])], at[1]),
        directory([(256, 3, 1, 2), (330, 4, 1, at[3])]),
        directory([(256, 3, 1, 3), (257, 3, 1, 1)]),
        directory([(256, 3, 1, 4), (257, 3, 1, 1)]),
    ]
    assert marks(opened(struct.pack("<I", 8), *parts)) == [1, 3, 2, 4]


@pytest.mark.parametrize("loop", [(330, 4, 1, 8), (330, 4, 2, 12), (330, 9, 1, 8)])
def test_a_loop_of_directories_ends(loop: tuple[int, int, int, int]) -> None:
    assert marks(opened(struct.pack("<I", 8), directory([(256, 3, 1, 1), loop], 8))) == [1]


def test_a_file_has_at_most_32_directories() -> None:
    parts = [directory([(256, 3, 1, number)], 8 + 18 * (number + 1)) for number in range(100)]
    assert marks(opened(struct.pack("<I", 8), *parts)) == list(range(32))


@pytest.mark.parametrize("outside", [1 << 20, 0xFFFFFFFF])
def test_directories_outside_the_file_are_skipped(outside: int) -> None:
    assert marks(opened(struct.pack("<I", 8), directory([(256, 3, 1, 1), (330, 4, 1, outside)], outside))) == [1]
    assert marks(opened(struct.pack("<I", outside))) == []
    with pytest.raises(TiffError):
        opened(struct.pack("<I", outside)).main()


def test_entries_beyond_the_limit_are_skipped_and_end_the_chain() -> None:
    entries = [(300, 3, 1, 1)] * 4095 + [(256, 3, 1, 7), (257, 3, 1, 8)]
    found = opened(struct.pack("<I", 8), directory(entries, 8)).main()
    assert (found.number(256), found.number(257), found.following) == (7, None, 0)


def test_the_first_readable_entry_of_a_tag_counts() -> None:
    entries = [(256, 99, 1, 1), (256, 4, 50, 1 << 20), (256, 3, 1, 6), (256, 3, 1, 7)]
    assert opened(struct.pack("<I", 8), directory(entries)).main().numbers(256) == (6,)


def test_a_truncated_table_gives_the_entries_before_its_end() -> None:
    whole = directory([(256, 3, 1, 5), (257, 3, 1, 6)], 8)
    found = opened(struct.pack("<I", 8), whole[:-6]).main()
    assert (found.number(256), found.number(257), found.following) == (5, None, 0)


def test_numbers_of_an_absent_directory_are_missing() -> None:
    absent = Directory(opened(struct.pack("<I", 8)))
    assert (absent.numbers(256), absent.raw(256), absent.beginning(256, 9), absent.offsets(256)) == ((), None, b"", ())


@given(st.sampled_from([b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08", b"II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0"]), st.binary())
def test_random_bytes_after_a_header_raise_nothing(head: bytes, data: bytes) -> None:
    for found in Tiff(io.BytesIO(head + data)).directories():
        for tag in found.entries:
            assert len(found.numbers(tag)) <= 64
            assert len(found.beginning(tag, 9)) <= 9
