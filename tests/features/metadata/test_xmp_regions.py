# SPDX-License-Identifier: MIT
"""Regions in XMP: listed, turned, and written."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from focal_photos.features.metadata.xmp import merge_xmp, parse_xmp
from focal_photos.features.metadata.xmp_packet import XmpError
from focal_photos.features.metadata.xmp_regions import (
    Sides,
    list_regions,
    parse_regions,
    rotated,
    write_regions,
)
from tests.examples import examples
from tests.features.metadata.region_samples import NAMES, PROGRAMS, SIDES, sidecar_of

needs_exiftool = pytest.mark.skipif(shutil.which("exiftool") is None, reason="exiftool is not installed")
needs_exiv2 = pytest.mark.skipif(shutil.which("exiv2") is None, reason="exiv2 is not installed")

PLACE = (0.1, 0.2, 0.4, 0.8)
SIZE = (640, 480)


def regions(packet: bytes) -> list[tuple[str, Sides]]:
    return [(one.name, tuple(round(side, 6) for side in one.sides)) for one in list_regions(packet)]  # type: ignore[misc]


def content_of(packet: bytes) -> str:
    """Return the canonical form of the XML, without white space between elements."""
    root = packet[packet.index(b"<x:xmpmeta") : packet.index(b"<?xpacket end")].strip()
    return re.sub(r">\s+<", "><", etree.canonicalize(root.decode()))


def by_exiftool(path: Path) -> dict[str, Any]:
    done = subprocess.run(
        ["exiftool", "-j", "-struct", "-XMP-mwg-rs:all", str(path)], capture_output=True, check=True, timeout=60
    )
    (found,) = json.loads(done.stdout)
    return dict(found.get("RegionInfo", {}))


@pytest.mark.parametrize("program", PROGRAMS)
def test_regions_are_listed_in_fractions(program: str) -> None:
    packet = sidecar_of(program, *SIZE)
    first, *rest = list_regions(packet)
    assert (first.number, first.name, first.kind, first.size) == (0, NAMES[program], "Face", SIZE)
    assert first.sides == pytest.approx(SIDES)
    assert [one.kind for one in rest] == (["Focus"] if program == "Lightroom" else [])


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_moved_region_preserves_everything_else(program: str) -> None:
    packet = sidecar_of(program, *SIZE)
    moved = write_regions(packet, SIZE, changed={0: ("Dora", PLACE)}, removed=(), added=())
    assert regions(moved)[0] == ("Dora", PLACE)
    assert regions(moved)[1:] == regions(packet)[1:]
    back = write_regions(moved, SIZE, changed={0: (NAMES[program], SIDES)}, removed=(), added=())
    unit = re.compile(r" ?(?:stArea:unit=\"normalized\"|<stArea:unit[^>]*>normalized</stArea:unit>)")
    assert unit.sub("", content_of(back)) == unit.sub("", content_of(packet))


@pytest.mark.parametrize("program", PROGRAMS)
def test_regions_are_added_and_removed(program: str) -> None:
    packet = sidecar_of(program, *SIZE)
    more = write_regions(
        packet, SIZE, changed={}, removed=(), added=[("Dora", PLACE, ""), ("Élodie & <Co>", SIDES, "")]
    )
    assert regions(more) == [*regions(packet), ("Dora", PLACE), ("Élodie & <Co>", SIDES)]
    added = [one.number for one in list_regions(more)][-2:]
    fewer = write_regions(more, SIZE, changed={}, removed=added, added=())
    assert content_of(fewer) == content_of(packet)
    none = write_regions(packet, SIZE, changed={}, removed=[one.number for one in list_regions(packet)], added=())
    assert list_regions(none) == []
    assert b"AppliedToDimensions" not in none
    assert parse_xmp(none) == parse_xmp(packet)
    assert (b"MPRI:Regions" in none) == (b"MPRI:Regions" in packet), "regions of other formats stay"


def test_nothing_to_change_preserves_the_bytes() -> None:
    packet = sidecar_of("digiKam", *SIZE)
    assert write_regions(packet, SIZE, changed={}, removed=(), added=()) is packet


def test_a_packet_without_regions_gets_them_with_its_size() -> None:
    packet = write_regions(merge_xmp(None, ["People/Anna"]), SIZE, changed={}, removed=(), added=[("Anna", PLACE, "")])
    (found,) = parse_regions(packet)
    assert (found.name, found.size) == ("People/Anna", SIZE)
    assert found.sides == pytest.approx((64, 96, 256, 384))
    assert parse_xmp(packet).tags == ("People/Anna",)


def test_new_elements_have_declared_prefixes_or_else_the_usual_ones() -> None:
    new = write_regions(merge_xmp(None, ["Anna"]), SIZE, changed={}, removed=(), added=[("Anna", PLACE, "")])
    assert all(prefix in new for prefix in (b"<mwg-rs:Area ", b"<stArea:x ", b"<stDim:w "))
    own = sidecar_of("Picasa", *SIZE).replace(b"stArea", b"part")
    filled = write_regions(own, SIZE, changed={}, removed=(), added=[("Anna", PLACE, "")])
    assert filled.count(b"<part:x>") == own.count(b"<part:x>") + 1
    assert b"stArea:" not in filled


def test_a_name_is_removed_and_an_area_in_pixels_becomes_fractions() -> None:
    packet = sidecar_of("Lightroom", *SIZE).replace(
        b'stArea:h="0.25" stArea:w="0.5" stArea:x="0.5" stArea:y="0.25"',
        b'stArea:h="120" stArea:w="320" stArea:x="320" stArea:y="120" stArea:unit="pixel"',
    )
    assert regions(packet)[0] == ("Carl", SIDES)
    changed = write_regions(packet, SIZE, changed={0: ("", PLACE), 1: ("", SIDES)}, removed=(), added=())
    assert regions(changed) == [("", PLACE), ("", SIDES)]
    assert b"stArea:d" not in changed


def test_regions_without_a_list_or_a_size_are_completed() -> None:
    content = b'<mwg-rs:Regions rdf:parseType="Resource"/>'
    packet = re.sub(rb"   <mwg-rs:Regions.*</mwg-rs:Regions>", content, sidecar_of("Picasa", *SIZE), flags=re.DOTALL)
    assert list_regions(packet) == []
    filled = write_regions(packet, SIZE, changed={}, removed=(), added=[("Anna", PLACE, "")])
    (found,) = parse_regions(filled)
    assert (found.name, found.size) == ("Anna", SIZE)
    assert found.sides == pytest.approx((64, 96, 256, 384))


def test_implausibly_many_regions_are_refused() -> None:
    added = [("x", PLACE, "")] * 10_001
    with pytest.raises(XmpError, match="10,000 regions"):
        write_regions(merge_xmp(None, ["a"]), SIZE, changed={}, removed=(), added=added)


@pytest.mark.parametrize(
    ("orientation", "upright"),
    [
        (1, (0.0, 0.0, 0.25, 0.5)),
        (2, (0.75, 0.0, 1.0, 0.5)),
        (3, (0.75, 0.5, 1.0, 1.0)),
        (4, (0.0, 0.5, 0.25, 1.0)),
        (5, (0.0, 0.0, 0.5, 0.25)),
        (6, (0.5, 0.0, 1.0, 0.25)),
        (7, (0.5, 0.75, 1.0, 1.0)),
        (8, (0.0, 0.75, 0.5, 1.0)),
    ],
)
def test_stored_pixels_are_turned_upright(orientation: int, upright: Sides) -> None:
    stored = (0.0, 0.0, 0.25, 0.5)  # the top left corner of the stored pixels
    assert rotated(stored, orientation) == upright
    assert rotated(upright, orientation, back=True) == stored


@needs_exiftool
@pytest.mark.parametrize("program", PROGRAMS)
def test_exiftool_reads_written_regions_and_all_other_fields(tmp_path: Path, program: str) -> None:
    path = tmp_path / "a.xmp"
    path.write_bytes(sidecar_of(program, *SIZE))
    before = by_exiftool(path)
    packet = write_regions(
        path.read_bytes(), SIZE, changed={0: ("Dora", PLACE)}, removed=(), added=[("Élodie", SIDES, "Pet")]
    )
    path.write_bytes(packet)
    after = by_exiftool(path)
    assert after["AppliedToDimensions"] == before["AppliedToDimensions"] == {"W": 640, "H": 480, "Unit": "pixel"}
    expected = [dict(one) for one in before["RegionList"]]
    expected[0]["Name"] = "Dora"
    expected[0]["Area"] = {"X": 0.25, "Y": 0.5, "W": 0.3, "H": 0.6, "Unit": "normalized"}
    expected.append(
        {"Name": "Élodie", "Type": "Pet", "Area": {"X": 0.5, "Y": 0.25, "W": 0.5, "H": 0.25, "Unit": "normalized"}}
    )
    assert after["RegionList"] == expected
    valid = subprocess.run(
        ["exiftool", "-validate", "-warning", "-error", "-s3", str(path)], capture_output=True, check=True
    )
    assert valid.stdout.decode().strip() == "OK"


@needs_exiftool
def test_regions_written_by_exiftool_are_changed_in_place(tmp_path: Path) -> None:
    path = tmp_path / "a.xmp"
    area = "Area={X=0.5,Y=0.25,W=0.5,H=0.25,Unit=normalized},Name=Anna,Type=Face,Description=left"
    value = "{AppliedToDimensions={W=640,H=480,Unit=pixel},RegionList=[{" + area + "}]}"
    subprocess.run(["exiftool", "-q", f"-RegionInfo={value}", str(path)], check=True, timeout=60)
    assert regions(path.read_bytes()) == [("Anna", SIDES)]
    path.write_bytes(write_regions(path.read_bytes(), SIZE, changed={0: ("Anna", PLACE)}, removed=(), added=()))
    (found,) = by_exiftool(path)["RegionList"]
    assert found == {
        "Area": {"X": 0.25, "Y": 0.5, "W": 0.3, "H": 0.6, "Unit": "normalized"},
        "Name": "Anna",
        "Type": "Face",
        "Description": "left",
    }


@needs_exiv2
@pytest.mark.parametrize("program", PROGRAMS)
def test_exiv2_reads_written_regions(tmp_path: Path, program: str) -> None:
    path = tmp_path / "a.xmp"
    packet = sidecar_of(program, *SIZE)
    path.write_bytes(
        write_regions(packet, SIZE, changed={0: ("Dora", PLACE)}, removed=(), added=[("Élodie", SIDES, "Pet")])
    )
    done = subprocess.run(["exiv2", "-q", "-px", str(path)], capture_output=True, check=True, timeout=60)
    found = {line.split()[0]: line.split()[-1] for line in done.stdout.decode().splitlines() if "mwg-rs" in line}
    last = len(list_regions(packet)) + 1
    listed = "Xmp.mwg-rs.Regions/mwg-rs:RegionList"
    assert found[f"{listed}[1]/mwg-rs:Name"] == "Dora"
    assert found[f"{listed}[1]/mwg-rs:Area/stArea:w"] == "0.3"
    assert found[f"{listed}[{last}]/mwg-rs:Name"] == "Élodie"
    assert found[f"{listed}[{last}]/mwg-rs:Area/stArea:x"] == "0.5"
    assert found["Xmp.mwg-rs.Regions/mwg-rs:AppliedToDimensions/stDim:w"] == "640"


_NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
_PLACES = st.tuples(*[st.integers(0, 400)] * 2, *[st.integers(410, 1000)] * 2).map(
    lambda sides: tuple(side / 1000 for side in sides)
)


@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(PROGRAMS),
    st.lists(st.tuples(_NAMES, _PLACES), max_size=4),
    st.tuples(_NAMES, _PLACES),
    st.booleans(),
)
def test_what_is_written_is_read(program: str, added: list[Any], change: Any, gone: bool) -> None:
    packet = sidecar_of(program, *SIZE)
    rest = regions(packet)[1:]
    written = write_regions(
        packet,
        SIZE,
        changed={} if gone else {0: change},
        removed=[0] if gone else [],
        added=[(*one, "") for one in added],
    )
    expected = [*([] if gone else [change]), *rest, *added]
    for (name, sides), (wanted, place) in zip(regions(written), expected, strict=True):
        assert name == wanted
        assert sides == pytest.approx(place, abs=2e-6)
    assert parse_xmp(written) == parse_xmp(packet)
