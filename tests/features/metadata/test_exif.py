# SPDX-License-Identifier: MIT
from __future__ import annotations

import errno
import io
import os
import struct
from contextlib import nullcontext
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ExifTags, Image
from PIL.TiffImagePlugin import IFDRational

from focal_photos.features.metadata.containers import find_blocks
from focal_photos.features.metadata.exif import parse_exif
from focal_photos.features.metadata.metadata import Metadata
from focal_photos.features.metadata.tiff import Tiff, TiffError, read_at

Details: TypeAlias = dict[int, Any]
Gps: TypeAlias = dict[int, Any]


def block(main: dict[int, Any], details: Details | None = None, gps: Gps | None = None) -> bytes:
    """Return an EXIF block as Pillow writes it."""
    exif = Image.Exif()
    for tag, value in main.items():
        exif[tag] = value
    exif.get_ifd(ExifTags.IFD.Exif).update(details or {})
    exif.get_ifd(ExifTags.IFD.GPSInfo).update(gps or {})
    return exif.tobytes()


def ratio(numerator: int, denominator: int) -> IFDRational:
    return IFDRational(numerator, denominator)


def test_all_fields_of_a_camera_are_read() -> None:
    said = parse_exif(
        block(
            {0x010F: "Canon", 0x0110: "Canon EOS 5D Mark III", 0x0132: "2024:06:01 00:00:00"},
            {
                0x829A: ratio(1, 250),
                0x829D: ratio(28, 10),
                0x8827: 400,
                0x9003: "2024:05:31 12:30:15",
                0x920A: ratio(50, 1),
                0xA434: "EF50mm f/1.8 II",
            },
            {
                1: "N",
                2: (ratio(48, 1), ratio(8, 1), ratio(15, 1)),
                3: "W",
                4: (ratio(11, 1), ratio(30, 1), ratio(0, 1)),
            },
        )
    )
    assert said == Metadata(
        taken=datetime(2024, 5, 31, 12, 30, 15),
        camera="Canon EOS 5D Mark III",
        lens="EF50mm f/1.8 II",
        exposure="1/250 s  f/2.8  ISO 400  50 mm",
        latitude=48 + 8 / 60 + 15 / 3600,
        longitude=-11.5,
    )


@pytest.mark.parametrize(
    ("make", "model", "camera"),
    [
        ("NIKON CORPORATION", "NIKON D750", "NIKON D750"),
        ("NIKON CORPORATION", "COOLPIX P900", "NIKON COOLPIX P900"),
        ("SONY", "ILCE-7M3", "SONY ILCE-7M3"),
        ("OLYMPUS IMAGING CORP.  ", "E-M5", "OLYMPUS E-M5"),
        ("EASTMAN KODAK COMPANY", "KODAK DC290 ZOOM DIGITAL CAMERA", "KODAK DC290 ZOOM DIGITAL CAMERA"),
        ("LG Electronics", "LG-H870", "LG-H870"),
        ("Apple", "iPhone 12", "Apple iPhone 12"),
        ("Imaging Co.", "X", "Imaging Co. X"),
        ("", "X100", "X100"),
        ("Leica", "", "Leica"),
        ("", " ", None),
        ("a\x01b", "c\x07" + "x" * 300, "a b c " + "x" * 198),
    ],
)
def test_the_camera_name_joins_make_and_model(make: str, model: str, camera: str | None) -> None:
    assert parse_exif(block({0x010F: make, 0x0110: model})).camera == camera


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        ((1, 8000), "1/8000 s"),
        ((10, 2500), "1/250 s"),
        ((1, 4), "1/4 s"),
        ((3, 10), "0.3 s"),
        ((5, 2), "2.5 s"),
        ((30, 1), "30 s"),
        ((3600, 1), "3600 s"),
        ((0, 1), None),
        ((1, 0), None),
    ],
)
def test_the_exposure_time_is_formatted(seconds: tuple[int, int], text: str | None) -> None:
    assert parse_exif(block({}, {0x829A: ratio(*seconds)})).exposure == text


@pytest.mark.parametrize(
    ("details", "text"),
    [
        ({0x829D: ratio(0, 1), 0x8827: 0}, None),
        ({0x829D: ratio(11, 1), 0x8827: 102400}, "f/11  ISO 102400"),
        ({0x8827: 65535, 0x8832: 204800}, "ISO 204800"),
        ({0x8827: 65535}, "ISO 65535"),
        ({0x920A: ratio(185, 10)}, "18.5 mm"),
        ({0x920A: ratio(1200, 1)}, "1200 mm"),
    ],
)
def test_other_exposure_data_are_formatted(details: Details, text: str | None) -> None:
    assert parse_exif(block({}, details)).exposure == text


def test_a_lens_without_a_name_is_described_by_its_range() -> None:
    zoom = (ratio(24, 1), ratio(70, 1), ratio(28, 10), ratio(28, 10))
    assert parse_exif(block({}, {0xA432: zoom})).lens == "24-70 mm f/2.8"
    assert parse_exif(block({}, {0xA432: (ratio(50, 1), ratio(50, 1), ratio(0, 0), ratio(0, 0))})).lens == "50 mm"
    assert parse_exif(block({}, {0xA432: (ratio(0, 1), ratio(0, 1), ratio(0, 1), ratio(0, 1))})).lens is None
    assert parse_exif(block({}, {0xA433: "Tamron", 0xA434: "SP 90"})).lens == "Tamron SP 90"
    assert parse_exif(block({}, {0xA433: "Canon Inc.", 0xA434: "Canon RF"})).lens == "Canon RF"


PERCENTS = {0: 0, 1: 1, 12: 1, 13: 2, 25: 2, 37: 2, 38: 3, 62: 3, 63: 4, 87: 4, 88: 5, 99: 5, 100: 5}


@pytest.mark.parametrize(
    ("main", "rating"),
    [
        ({0x4746: 3}, 3),
        ({0x4746: 0}, 0),
        ({0x4746: 65535}, -1),
        ({0x4746: 6}, None),
        ({0x4746: 9, 0x4749: 50}, 3),
        ({0x4746: 5, 0x4749: 1}, 5),
        *[
            ({0x4749: percent}, stars)
            for percent, stars in zip((0, 1, 12, 13, 25, 37, 38), (0, 1, 1, 2, 2, 2, 3), strict=True)
        ],
        *[
            ({0x4749: percent}, stars)
            for percent, stars in zip((62, 63, 87, 88, 99, 100), (3, 4, 4, 5, 5, 5), strict=True)
        ],
        ({0x4749: 101}, None),
        ({}, None),
    ],
)
def test_ratings_of_windows_are_read(main: dict[int, Any], rating: int | None) -> None:
    assert parse_exif(block(main)).rating == rating


def test_keywords_of_windows_are_read() -> None:
    main = {0x9C9E: "sea; Größe 🦊 ;;animal/dog\0ignored".encode("utf-16-le"), 0x9C9F: "subject".encode("utf-16-le")}
    said = parse_exif(b"Exif\0\0" + block(main).removeprefix(b"Exif\0\0"))
    assert said.flat == ("sea", "Größe 🦊", "animal/dog")
    assert said.tags == ("animal/dog", "sea", "Größe 🦊")
    assert parse_exif(block({0x9C9E: b"a\0b"})).flat == ("a\ufffd",)


@pytest.mark.parametrize(
    ("gps", "place"),
    [
        ({1: "S", 2: (ratio(33, 1), ratio(0, 1), ratio(0, 1)), 3: "E", 4: (ratio(151, 1),)}, (-33.0, 151.0)),
        ({1: "N", 2: (ratio(0, 1),) * 3, 3: "E", 4: (ratio(0, 1),) * 3}, (None, None)),  # no position fix
        ({1: "N", 2: (ratio(0, 0),) * 3, 3: "E", 4: (ratio(1, 1),) * 3}, (None, None)),
        ({1: "N", 2: (ratio(91, 1),), 3: "E", 4: (ratio(1, 1),)}, (None, None)),
        ({1: "N", 2: (ratio(90, 1),), 3: "E", 4: (ratio(180, 1),)}, (90.0, 180.0)),
        ({1: "N", 2: (ratio(9, 1),), 3: "E", 4: (ratio(181, 1),)}, (None, None)),
        ({2: (ratio(9, 1),), 4: (ratio(1, 1),)}, (None, None)),
        ({1: "X", 2: (ratio(9, 1),), 3: "E", 4: (ratio(1, 1),)}, (None, None)),
        ({1: "N", 2: (ratio(9, 1),)}, (None, None)),
    ],
)
def test_places_are_read(gps: Gps, place: tuple[float | None, float | None]) -> None:
    said = parse_exif(block({}, {}, gps))
    assert (said.latitude, said.longitude) == place


@pytest.mark.parametrize(
    ("taken", "digitised", "changed", "expected"),
    [
        ("2024:05:31 12:30:15", "2023:01:01 00:00:00", "2022:01:01 00:00:00", datetime(2024, 5, 31, 12, 30, 15)),
        ("0000:00:00 00:00:00", "2023:01:01 00:00:00", "2022:01:01 00:00:00", datetime(2023, 1, 1)),
        ("    :  :     :  :  ", "", "2022:01:01 00:00:00", datetime(2022, 1, 1)),
        ("no date", "no date", "no date", None),
    ],
)
def test_dates_are_read(taken: str, digitised: str, changed: str, expected: datetime | None) -> None:
    assert parse_exif(block({0x0132: changed}, {0x9003: taken, 0x9004: digitised})).taken == expected


# ---------------------------------------------------------------------- damage
@pytest.mark.parametrize(
    "data", [b"", b"II", b"Exif\0\0", b"no TIFF header at all", b"II*\0\xff\xff\xff\xff", b"II*\0\0\0"]
)
def test_a_block_that_is_not_exif_is_refused(data: bytes) -> None:
    with pytest.raises(TiffError):
        parse_exif(data)


WHOLE = block(
    {0x010F: "Canon", 0x4746: 4, 0x9C9E: "sea;sun".encode("utf-16-le")},
    {0x829A: ratio(1, 250), 0xA434: "EF50mm", 0x9003: "2024:05:31 12:30:15"},
    {1: "N", 2: (ratio(48, 1), ratio(8, 1), ratio(15, 1)), 3: "W", 4: (ratio(11, 1), ratio(30, 1), ratio(0, 1))},
)


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255), st.integers(0, len(WHOLE)))
def test_a_damaged_block_never_raises_anything_else(at: int, change: int, length: int) -> None:
    data = bytearray(WHOLE)
    data[at] ^= change
    for damaged in (bytes(data), WHOLE[:length], bytes(data)[:length]):
        try:
            said = parse_exif(damaged)
        except TiffError:
            continue
        assert said.rating in (None, *range(-1, 6))
        assert said.latitude is None or -90 <= said.latitude <= 90
        assert all(text is None or (text.isprintable() and len(text) <= 200) for text in (said.camera, said.exposure))


@given(st.binary(max_size=400))
def test_arbitrary_bytes_after_a_header_are_read_or_refused(data: bytes) -> None:
    for head in (b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08", b"II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0"):
        try:
            parse_exif(head + data)
        except TiffError:
            continue


def test_infinite_and_negative_directory_offsets_are_ignored() -> None:
    for kind, value in ((11, struct.pack("<f", float("inf"))), (11, struct.pack("<f", float("nan"))), (9, b"\xff" * 4)):
        entry = struct.pack("<HHI", 0x8769, kind, 1) + value
        assert parse_exif(b"II*\0\x08\0\0\0\x01\0" + entry + bytes(4)) == Metadata()


def test_a_cycle_of_directories_ends() -> None:
    entry = struct.pack("<HHII", 0x8769, 4, 1, 8)
    assert parse_exif(b"II*\0\x08\0\0\0\x01\0" + entry + struct.pack("<I", 8)) == Metadata()


# ---------------------------------------------------------------------- round trips
names = st.text(
    st.characters(codec="utf-16", exclude_categories=("Cc", "Cs"), exclude_characters=";"), min_size=1, max_size=30
)


@pytest.mark.slow
@given(st.lists(names.map(str.strip).filter(bool), max_size=8), st.integers(0, 5), st.sampled_from("<>"))
def test_keywords_and_ratings_survive_a_round_trip(keywords: list[str], rating: int, order: str) -> None:
    data = ";".join(keywords).encode("utf-16-le") + bytes(6)  # too long to be inside the directory
    entries = struct.pack(order + "HHIHH", 0x4746, 3, 1, rating, 0)
    entries += struct.pack(order + "HHII", 0x9C9E, 1, len(data), 8 + 2 + 24 + 4)
    head = struct.pack(order + "2sHI", b"II" if order == "<" else b"MM", 42, 8) + struct.pack(order + "H", 2)
    said = parse_exif(head + entries + bytes(4) + data)
    assert (said.flat, said.rating) == (tuple(keywords), rating)


@given(
    st.fractions(0, 90, max_denominator=3600), st.fractions(0, 180, max_denominator=3600), st.booleans(), st.booleans()
)
def test_places_survive_a_round_trip(latitude: Fraction, longitude: Fraction, south: bool, west: bool) -> None:
    def angle(value: Fraction) -> tuple[IFDRational, ...]:
        minutes = (value % 1) * 60
        seconds = (minutes % 1) * 60
        return ratio(int(value), 1), ratio(int(minutes), 1), ratio(seconds.numerator, seconds.denominator)

    gps = {1: "S" if south else "N", 2: angle(latitude), 3: "W" if west else "E", 4: angle(longitude)}
    said = parse_exif(block({}, {}, gps))
    if latitude == 0 == longitude:
        assert said.latitude is None
    else:
        assert said.latitude == pytest.approx(float(-latitude if south else latitude), abs=1e-9)
        assert said.longitude == pytest.approx(float(-longitude if west else longitude), abs=1e-9)


def test_a_big_tiff_gives_the_same_values() -> None:
    text = b"Canon EOS 5D\0"
    entries = struct.pack("<HHQQ", 0x0110, 2, len(text), 16 + 8 + 40 + 8) + struct.pack("<HHQQ", 0x4746, 3, 1, 4)
    data = b"II+\0\x08\0\0\0" + struct.pack("<QQ", 16, 2) + entries + bytes(8) + text
    said = parse_exif(data)
    assert (said.camera, said.rating) == ("Canon EOS 5D", 4)


def test_values_longer_than_the_limit_are_skipped() -> None:
    text = b"x" * 100
    entry = struct.pack("<HHII", 0x0110, 2, len(text), 8 + 2 + 12 + 4)
    tiff = Tiff(io.BytesIO(b"II*\0\x08\0\0\0\x01\0" + entry + bytes(4) + text))
    directory = tiff.directory(8)
    assert directory.raw(0x0110, 100) == text
    assert directory.raw(0x0110, 99) is None
    assert directory.beginning(0x0110, 99) == text[:99]
    assert 0x0110 in directory
    assert 0x0111 not in directory


@pytest.mark.parametrize(("data", "camera"), [("Größe".encode(), "Größe"), (b"Gr\xf6\xdfe", "Größe")])
def test_text_that_is_not_ascii_is_decoded(data: bytes, camera: str) -> None:
    data = data.ljust(8, b"\0")
    entry = struct.pack("<HHII", 0x0110, 2, len(data), 8 + 2 + 12 + 4)
    assert parse_exif(b"II*\0\x08\0\0\0\x01\0" + entry + bytes(4) + data).camera == camera


@pytest.mark.parametrize("offset", [1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
def test_offsets_beyond_the_end_of_the_file_are_refused_or_ignored(tmp_path: Path, offset: int) -> None:
    data = b"II+\0\x08\0\0\0" + struct.pack("<Q", offset)
    with pytest.raises(TiffError):
        parse_exif(data)
    entry = struct.pack("<HHQQ", 0x0110, 2, 100, offset)
    value = b"II+\0\x08\0\0\0" + struct.pack("<QQ", 16, 1) + entry + bytes(8)
    assert parse_exif(value) == Metadata()
    path = tmp_path / "a.tif"
    for content in (data, value):
        path.write_bytes(content)
        with path.open("rb") as stream:
            assert find_blocks(stream).xmp == []


@pytest.mark.parametrize(("number", "outside"), [(errno.EINVAL, True), (errno.EIO, False)])
def test_a_refused_offset_counts_as_outside_and_a_failing_disk_raises(number: int, *, outside: bool) -> None:
    class Refusing(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError(number, os.strerror(number), size)

    with nullcontext() if outside else pytest.raises(OSError, match=os.strerror(number)):
        assert read_at(Refusing(), 1 << 62, 8) == b""
