# SPDX-License-Identifier: MIT
from __future__ import annotations

import struct
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.features.metadata.iptc import IptcError, parse_iptc, parse_photoshop
from focal_photos.features.metadata.metadata import Metadata

UTF_8 = b"\x1b%G"


def data_set(record: int, number: int, value: bytes) -> bytes:
    return struct.pack(">BBBH", 0x1C, record, number, len(value)) + value


def block(*keywords: bytes, character_set: bytes | None = None) -> bytes:
    head = b"" if character_set is None else data_set(1, 90, character_set)
    return head + data_set(2, 0, b"\0\4") + b"".join(data_set(2, 25, keyword) for keyword in keywords)


def resource(kind: int, data: bytes, name: bytes = b"") -> bytes:
    title = bytes([len(name)]) + name
    return (
        b"8BIM"
        + struct.pack(">H", kind)
        + title
        + bytes(len(title) % 2)
        + struct.pack(">I", len(data))
        + data
        + bytes(len(data) % 2)
    )


@pytest.mark.parametrize(
    ("keywords", "character_set", "flat"),
    [
        ([b"sea", b"Gr\xc3\xb6\xc3\x9fe"], UTF_8, ("sea", "Größe")),
        ([b"sea", b"Gr\xc3\xb6\xc3\x9fe"], None, ("sea", "Größe")),  # UTF-8 although not declared
        ([b"sea", b"Gr\xf6\xdfe"], None, ("sea", "Größe")),
        ([b"sea", b"Gr\xf6\xdfe"], UTF_8, ("sea", "Größe")),  # not UTF-8 although declared
        ([b"caf\xc3\xa9", b"caf\xe9"], None, ("cafÃ©", "café")),  # one encoding for all
        ([b"10 \x80", b"\x81"], None, ("10 €", "\x81")),  # Windows-1252, or else ISO 8859-1
        ([b"sea", b"sea", b" sun\0"], None, ("sea", "sun")),
        ([b"sea"], b"\x1b.A", ("sea",)),
    ],
)
def test_keywords_are_decoded_in_their_character_set(
    keywords: list[bytes], character_set: bytes | None, flat: tuple[str, ...]
) -> None:
    assert parse_iptc(block(*keywords, character_set=character_set)) == Metadata(flat=flat)


def test_keywords_that_may_be_truncated_are_reported() -> None:
    assert parse_iptc(block(b"x" * 64, b"y" * 65, b"z" * 60, b"a" * 61)) == Metadata(
        flat=("y" * 65, "z" * 60), cut=("x" * 64, "a" * 61)
    )
    # one byte per character: truncated at exactly 64
    assert parse_iptc(block(b"\xe9" * 64, b"x" * 63)).cut == ("é" * 64,)


def test_a_truncated_character_is_dropped() -> None:
    whole = "x" * 62 + "🦊 and more"
    said = parse_iptc(block(whole.encode()[:64], character_set=UTF_8))
    assert said.cut == ("x" * 62,)
    assert said.joined(Metadata(flat=(whole,))).tags == (whole,)
    assert parse_iptc(block(b"x" * 30 + b"\xf0\x9f")).flat == ("x" * 30 + "ðŸ",)  # too short to be truncated: Latin-1


def test_the_date_is_read() -> None:
    moment = data_set(2, 55, b"20240531") + data_set(2, 60, b"123015+0200")
    assert parse_iptc(moment).taken == datetime(2024, 5, 31, 12, 30, 15)
    assert parse_iptc(data_set(2, 55, b"20240531")).taken == datetime(2024, 5, 31)
    assert parse_iptc(data_set(2, 55, b"00000000")).taken is None


def test_an_extended_data_set_is_read() -> None:
    long = b"x" * 40_000
    data = b"\x1c\2\x19\x80\4" + struct.pack(">I", len(long)) + long + data_set(2, 25, b"sea")
    assert parse_iptc(data).flat == ("x" * 40_000, "sea")
    assert parse_iptc(data_set(2, 25, b"sea") + b"\x1c\2\x19\xff\xff" + b"x" * 9).flat == ("sea",)


def test_a_block_in_the_other_byte_order_is_read() -> None:
    data = block(b"sea", b"sun").ljust(40, b"\0")
    swapped = b"".join(data[at : at + 4][::-1] for at in range(0, len(data), 4))
    assert parse_iptc(swapped).flat == ("sea", "sun")


def test_a_block_that_is_not_iptc_is_refused() -> None:
    with pytest.raises(IptcError):
        parse_iptc(b"no data sets")
    assert parse_iptc(b"") == parse_iptc(bytes(8)) == Metadata()


def test_iptc_among_photoshop_resources_is_found() -> None:
    data = resource(0x03ED, b"odd") + resource(0x0404, b"first", b"Caption") + resource(0x0404, b"x" * 9, b"ab")
    assert list(parse_photoshop(data)) == list(parse_photoshop(b"Photoshop 3.0\0" + data)) == [b"first", b"x" * 9]
    assert list(parse_photoshop(data[:-3])) == [b"first", b"x" * 7]
    assert list(parse_photoshop(b"")) == list(parse_photoshop(b"something else")) == []


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_read_or_refused(data: bytes) -> None:
    list(parse_photoshop(b"8BIM" + data))
    for head in (b"", b"\x1c\2\x19", b"\x1c\2\x19\0\x10"):
        try:
            parse_iptc(head + data)
        except IptcError:
            assert not head


texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=40).map(str.strip)


@given(st.lists(texts.filter(bool), unique=True, max_size=8))
def test_utf_8_keywords_survive_a_round_trip(keywords: list[str]) -> None:
    said = parse_iptc(block(*(keyword.encode() for keyword in keywords), character_set=UTF_8))
    assert sorted(said.flat + said.cut) == sorted(keywords)
    assert set(said.cut) == {keyword for keyword in keywords if 60 < len(keyword.encode()) <= 64}


latin = st.text(st.characters(codec="cp1252", exclude_categories=["Cc"]), min_size=1, max_size=40).map(str.strip)


@pytest.mark.slow
@given(st.lists(latin.filter(bool), unique=True, max_size=8))
def test_latin_1_keywords_survive_a_round_trip(keywords: list[str]) -> None:
    said = parse_iptc(block("né".encode("cp1252"), *(keyword.encode("cp1252") for keyword in keywords)))
    assert set(said.flat + said.cut) == {*keywords, "né"}
