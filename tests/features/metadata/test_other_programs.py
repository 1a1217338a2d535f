# SPDX-License-Identifier: MIT
"""Exchange of sidecars with ExifTool and Exiv2 from Debian, if they are installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focal_photos.features.metadata.xmp import XmpError, merge_xmp, parse_xmp
from tests.examples import examples

_EXIFTOOL, _EXIV2 = shutil.which("exiftool"), shutil.which("exiv2")
needs_exiftool = pytest.mark.skipif(_EXIFTOOL is None, reason="exiftool is not installed")
needs_exiv2 = pytest.mark.skipif(_EXIV2 is None, reason="exiv2 is not installed")

_DATA = Path(os.environ.get("FOCAL_DATA") or Path(__file__).parents[4] / "shared" / "data")
_REAL = sorted((_DATA / "odd_files").rglob("*.xmp"))
_FIELDS = ("XMP-dc:Subject", "XMP-lr:HierarchicalSubject", "XMP-digiKam:TagsList", "XMP-xmp:Rating", "XMP-xmp:Label")

_TAGS = ["animal/dog", "sea", "R & B", "a < b > c", "שלום/עולם", "\N{WOMAN}", "été", 'say "hi"', "it's", "a|b"]


def run(*command: str | Path) -> str:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run([*map(str, command)], capture_output=True, check=True, timeout=60, env=environment)
    return done.stdout.decode()


def by_exiftool(path: Path) -> dict[str, Any]:
    said = run("exiftool", "-j", "-G1", "-struct", *(f"-{field}" for field in _FIELDS), path)
    (found,) = json.loads(said, parse_float=str, parse_int=str)  # ExifTool writes a tag such as 0E0 as a number
    return {
        name: [str(one) for one in value] if isinstance(value, list) else str(value)
        for name, value in found.items()
        if name != "SourceFile"
    }


def by_exiv2(path: Path) -> dict[str, tuple[str, list[str]]]:
    """Return the type and the items of each property. Exiv2 separates items by commas; no tag here has one."""
    found = {}
    for line in run("exiv2", "-q", "-px", path).splitlines():
        name, kind, _count, value = line.split(maxsplit=3) if len(line.split(maxsplit=3)) == 4 else (*line.split(), "")
        found[name] = (kind, value.split(", "))
    return found


def expected(tags: list[str]) -> Mapping[str, set[str]]:
    return {
        "XMP-dc:Subject": {tag.rpartition("/")[2] for tag in tags},
        "XMP-lr:HierarchicalSubject": {tag.replace("/", "|") for tag in tags if "|" not in tag},
        "XMP-digiKam:TagsList": set(tags),
    }


@needs_exiftool
def test_exiftool_reads_written_sidecars(tmp_path: Path) -> None:
    path = tmp_path / "a.xmp"
    path.write_bytes(merge_xmp(None, _TAGS, 4, "Red"))
    found = by_exiftool(path)
    assert {name: set(found[name]) for name in expected(_TAGS)} == expected(_TAGS)
    assert (found["XMP-xmp:Rating"], found["XMP-xmp:Label"]) == ("4", "Red")
    assert run("exiftool", "-validate", "-warning", "-error", "-s3", path).strip() == "OK"


@needs_exiv2
def test_exiv2_reads_written_sidecars_with_the_expected_types(tmp_path: Path) -> None:
    path = tmp_path / "a.xmp"
    path.write_bytes(merge_xmp(None, _TAGS, -1, "Red"))
    found = by_exiv2(path)
    names = ("Xmp.dc.subject", "Xmp.lr.hierarchicalSubject", "Xmp.digiKam.TagsList")
    assert [found[name][0] for name in names] == ["XmpBag", "XmpBag", "XmpSeq"]
    for name, wanted in zip(names, expected(_TAGS).values(), strict=True):
        assert set(found[name][1]) == wanted
    assert (found["Xmp.xmp.Rating"][1], found["Xmp.xmp.Label"][1]) == (["-1"], ["Red"])


@needs_exiftool
def test_sidecars_written_by_exiftool_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.xmp"
    run(
        "exiftool", "-q", "-sep", ";", "-XMP-dc:Subject=dog;sea;été", "-XMP-lr:HierarchicalSubject=animal|dog",
        "-XMP-microsoft:LastKeywordXMP=wind;animal/cat", "-XMP-mediapro:CatalogSets=trip|Rome",
        "-XMP-xmp:Rating=3", "-XMP-xmp:Label=Blue", "-XMP-exif:DateTimeOriginal=2020:05:01 12:30:00",
        "-XMP-exif:GPSLatitude=48.855", "-XMP-exif:GPSLongitude=-2.35", "-XMP-tiff:Model=Camera One", path,
    )  # fmt: skip
    found = parse_xmp(path.read_bytes())
    assert set(found.tags) == {"animal/dog", "sea", "été", "wind", "animal/cat", "trip/Rome"}
    assert (found.rating, found.label, found.camera) == (3, "Blue", "Camera One")
    assert found.taken is not None
    assert found.taken.isoformat() == "2020-05-01T12:30:00"
    assert found.latitude == pytest.approx(48.855)
    assert found.longitude == pytest.approx(-2.35)


@needs_exiftool
@needs_exiv2
def test_a_sidecar_survives_edits_by_all_three_programs(tmp_path: Path) -> None:
    path = tmp_path / "a.xmp"
    path.write_bytes(merge_xmp(None, ["animal/dog", "sea"], 2))
    run("exiftool", "-q", "-overwrite_original", "-XMP-digiKam:TagsList+=place/Rome", "-XMP-dc:Title=Kept", path)
    assert set(parse_xmp(path.read_bytes()).tags) == {"animal/dog", "sea", "place/Rome"}
    path.write_bytes(merge_xmp(path.read_bytes(), ["sky"], 5, removed=["animal/dog"]))
    run("exiv2", "-M", "set Xmp.dc.subject XmpBag wind", "mo", path)  # added to the bag
    found = parse_xmp(path.read_bytes())
    assert set(found.tags) == {"sea", "place/Rome", "sky", "wind"}
    assert found.rating == 5
    assert run("exiftool", "-s3", "-XMP-dc:Title", path).strip() == "Kept"


_LETTERS = st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="/|,;")
_NAMES = st.text(_LETTERS, min_size=1, max_size=12).filter(lambda name: name.lower() not in {"true", "false"})
"""Words that ExifTool's JSON turns into booleans, in any case."""


@needs_exiftool
@settings(
    max_examples=examples(10),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(_NAMES, min_size=1, max_size=5, unique=True))
def test_exiftool_agrees_on_odd_names(tmp_path: Path, tags: list[str]) -> None:
    path = tmp_path / "a.xmp"
    path.write_bytes(merge_xmp(None, tags))
    assert set(by_exiftool(path)["XMP-digiKam:TagsList"]) == set(parse_xmp(path.read_bytes()).tags) == set(tags)


@needs_exiftool
@pytest.mark.skipif(not _REAL, reason="the real files are not there (FOCAL_DATA)")
def test_real_sidecars_preserve_everything_that_exiftool_reads(tmp_path: Path) -> None:
    compared = 0
    for real in _REAL:
        before = real.read_bytes()
        try:
            merged = merge_xmp(before, ["focal/one more"], 1)
        except XmpError:
            continue
        old, new = tmp_path / "old.xmp", tmp_path / "new.xmp"
        old.write_bytes(before)
        new.write_bytes(merged)
        seen = [json.loads(run("exiftool", "-j", "-G1", "-a", "-XMP:all", path))[0] for path in (old, new)]
        for one in seen:
            for name in ("SourceFile", *_FIELDS):
                one.pop(name, None)
        assert seen[0] == seen[1]
        tags = set(parse_xmp(before).tags)
        assert set(parse_xmp(merged).tags) == tags | {"focal/one more"}
        assert set(by_exiftool(new)["XMP-digiKam:TagsList"]) >= tags if tags else True
        compared += 1
    assert compared >= 6
