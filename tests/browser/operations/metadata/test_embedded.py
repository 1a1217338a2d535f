# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
import os
import shutil
import subprocess
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image

from focal_photos.browser.operations.metadata.embedded import read_embedded
from focal_photos.features.metadata.metadata import Metadata
from tests.features.metadata.test_containers import PICTURE, chunk, heif, segment, with_chunks, with_segments
from tests.features.metadata.test_iptc import data_set, resource

needs_exiftool = pytest.mark.skipif(shutil.which("exiftool") is None, reason="ExifTool is not installed")
FORMATS = ["jpg", "png", "tif", "webp", "heic"]


def draw(folder: Path, suffix: str) -> Path:
    path = folder / f"photo.{suffix}"
    if suffix == "heic":
        path.write_bytes(heif())
    else:
        PICTURE.save(path)
    return path


def exiftool(path: Path, *options: str) -> None:
    command = ["exiftool", "-overwrite_original", "-charset", "iptc=utf8", "-q", *options, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


LONG = "a keyword of more bytes than IPTC holds, which is cut off there, as all know"

DIGIKAM = (
    "-XMP-digiKam:TagsList=animal/dog", "-XMP-digiKam:TagsList=Größe", "-XMP-dc:Subject=dog", "-XMP-dc:Subject=Größe",
    "-XMP-lr:HierarchicalSubject=animal|dog", "-XMP-lr:HierarchicalSubject=Größe", "-XMP-xmp:Rating=4",
    "-XMP-microsoft:LastKeywordXMP=animal/dog", "-XMP-microsoft:LastKeywordXMP=Größe", "-XMP-xmp:Label=Red",
)  # fmt: skip
LIGHTROOM = (
    "-XMP-dc:Subject=animal", "-XMP-dc:Subject=dog", "-XMP-dc:Subject=sea", "-XMP-lr:HierarchicalSubject=animal|dog",
    "-XMP-lr:HierarchicalSubject=sea", "-XMP-xmp:Rating=-1", "-XMP-xmp:Label=To Do",
)  # fmt: skip
WINDOWS = (
    "-XMP-dc:Subject=animal/dog", "-XMP-dc:Subject=sea", "-XMP-microsoft:LastKeywordXMP=animal/dog",
    "-XMP-microsoft:LastKeywordXMP=sea", "-EXIF:XPKeywords=animal/dog;sea", "-XMP-microsoft:RatingPercent=75",
    "-EXIF:Rating=4", "-EXIF:RatingPercent=75",
)  # fmt: skip


@needs_exiftool
@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize(
    ("options", "tags", "rating", "label"),
    [
        (DIGIKAM, {"animal/dog", "Größe"}, 4, "Red"),
        (LIGHTROOM, {"animal/dog", "sea"}, -1, "To Do"),
        (WINDOWS, {"animal/dog", "sea"}, 4, None),
    ],
    ids=["digiKam", "Lightroom", "Windows"],
)
def test_metadata_written_by_exiftool_is_read(
    tmp_path: Path, suffix: str, options: tuple[str, ...], tags: set[str], rating: int, label: str | None
) -> None:
    path = draw(tmp_path, suffix)
    exiftool(path, *options)
    found = read_embedded(path)
    assert found.problems == ()
    assert set(found.metadata.tags) == tags
    assert (found.metadata.rating, found.metadata.label) == (rating, label)


@needs_exiftool
@pytest.mark.parametrize("suffix", ["jpg", "tif"])
def test_a_full_tag_in_xmp_replaces_a_truncated_iptc_keyword(tmp_path: Path, suffix: str) -> None:
    path = draw(tmp_path, suffix)
    exiftool(path, f"-IPTC:Keywords={LONG[:64]}", "-IPTC:Keywords=sea", f"-XMP-dc:Subject={LONG}")
    assert read_embedded(path).metadata.tags == (LONG, "sea")


@needs_exiftool
@pytest.mark.parametrize("coded", ["UTF8", "Latin"])
def test_iptc_keywords_are_read_in_their_character_sets(tmp_path: Path, coded: str) -> None:
    path = draw(tmp_path, "jpg")
    charset = ["-IPTC:CodedCharacterSet=UTF8"] if coded == "UTF8" else ["-charset", "iptc=latin"]
    exiftool(path, *charset, "-IPTC:Keywords=Größe", "-IPTC:Keywords=café")
    assert read_embedded(path).metadata.tags == ("Größe", "café")


@needs_exiftool
@pytest.mark.parametrize("suffix", FORMATS)
def test_exposure_camera_lens_date_and_place_are_read(tmp_path: Path, suffix: str) -> None:
    path = draw(tmp_path, suffix)
    exiftool(
        path, "-EXIF:Make=NIKON CORPORATION", "-EXIF:Model=NIKON D750", "-EXIF:LensModel=50mm f/1.8", "-EXIF:ISO=200",
        "-EXIF:ExposureTime=1/60", "-EXIF:FNumber=5.6", "-EXIF:DateTimeOriginal=2024:05:31 12:30:15",
        "-EXIF:GPSLatitude=33.5", "-EXIF:GPSLatitudeRef=S", "-EXIF:GPSLongitude=151.25", "-EXIF:GPSLongitudeRef=E",
    )  # fmt: skip
    found = read_embedded(path)
    assert found.problems == ()
    assert found.metadata == Metadata(
        taken=datetime(2024, 5, 31, 12, 30, 15),
        camera="NIKON D750",
        lens="50mm f/1.8",
        exposure="1/60 s  f/5.6  ISO 200",
        latitude=-33.5,
        longitude=151.25,
    )


@needs_exiftool
def test_an_extended_packet_of_a_jpeg_is_read(tmp_path: Path) -> None:
    path = draw(tmp_path, "jpg")
    names = [f"-XMP-dc:Subject=tag {number:04}" for number in range(900)]
    exiftool(path, *names, f"-XMP-photoshop:History={'x' * 100_000}", "-XMP-lr:HierarchicalSubject=animal|dog")
    assert b"http://ns.adobe.com/xmp/extension/" in path.read_bytes()
    found = read_embedded(path)
    assert found.problems == ()
    assert set(found.metadata.tags) == {"animal/dog", *(f"tag {number:04}" for number in range(900))}


def test_each_field_is_taken_from_its_preferred_block(tmp_path: Path) -> None:
    """Exposure data come from EXIF, the user's opinions from XMP; IPTC is the oldest and comes last."""
    exif = Image.Exif()
    exif[0x0110], exif[0x4746], exif[0x0132] = "Of EXIF", 2, "2024:05:31 12:00:00"
    packet = (
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        b'<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" '
        b'xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmp:Rating="4" tiff:Model="Of XMP" '
        b'photoshop:DateCreated="2023-05-31T12:00:00"/></rdf:RDF></x:xmpmeta>'
    )
    moment = data_set(2, 55, b"20220531") + data_set(2, 60, b"120000")
    photoshop = segment(0xED, b"Photoshop 3.0\0" + resource(0x0404, moment))
    xmp = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet)
    path = tmp_path / "photo.jpg"
    path.write_bytes(with_segments(photoshop, xmp, segment(0xE1, exif.tobytes())))
    found = read_embedded(path).metadata
    assert (found.camera, found.rating, found.taken) == ("Of EXIF", 4, datetime(2024, 5, 31, 12))
    path.write_bytes(with_segments(photoshop, xmp))
    found = read_embedded(path).metadata
    assert (found.camera, found.taken) == ("Of XMP", datetime(2023, 5, 31, 12))
    path.write_bytes(with_segments(photoshop))
    assert read_embedded(path).metadata.taken == datetime(2022, 5, 31, 12)


# ---------------------------------------------------------------------- damaged and hostile files
def test_a_damaged_block_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    packet = b"http://ns.adobe.com/xap/1.0/\0"
    path.write_bytes(with_segments(segment(0xE1, b"Exif\0\0nothing"), segment(0xE1, packet + b"<no>packet")))
    found = read_embedded(path)
    assert found.metadata == Metadata()
    assert [problem.split(" (")[0] for problem in found.problems] == [
        "its XMP block is damaged",
        "its EXIF block is damaged",
    ]


def test_an_unexpected_error_only_affects_the_metadata_of_one_photo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(block: bytes) -> Metadata:
        raise OverflowError(block)

    path = draw(tmp_path, "jpg")
    path.write_bytes(with_segments(segment(0xE1, b"Exif\0\0")))
    monkeypatch.setattr("focal_photos.browser.operations.metadata.embedded.parse_exif", fail)
    found = read_embedded(path)
    assert (found.metadata, found.problems) == (Metadata(), ("nothing could be read (OverflowError)",))


def test_an_xml_entity_is_never_expanded(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    entity = f'<!DOCTYPE x [<!ENTITY a SYSTEM "file://{tmp_path}/secret">]>'
    packet = (
        f'{entity}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>&a;</rdf:li>'
        "</rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    path = tmp_path / "photo.png"
    path.write_bytes(with_chunks(chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + packet.encode())))
    found = read_embedded(path)
    assert found.metadata == Metadata()
    assert len(found.problems) == 1


def test_too_many_tags_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "photo.tif"
    exif = Image.Exif()
    exif[0x9C9E] = ";".join(map(str, range(1500))).encode("utf-16-le")
    PICTURE.save(path, exif=exif)
    found = read_embedded(path)
    assert found.metadata.tags == tuple(map(str, range(1000)))
    assert found.problems == ("it has more than 1,000 tags, of which the first were taken",)


def test_a_file_that_is_not_regular_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(OSError, match="not a regular file"):
        read_embedded(tmp_path / "pipe.jpg")
    with pytest.raises(OSError, match="Is a directory"):
        read_embedded(tmp_path)


# ---------------------------------------------------------------------- files of other programs
ODD_FILES = Path(os.environ.get("FOCAL_DATA", Path(__file__).resolve().parents[5] / "shared" / "data")) / "odd_files"
_SUFFIXES = {".jpg", ".png", ".tif", ".tiff", ".webp", ".heic", ".hif", ".avif", ".dng", ".mpo"}
_NAMES = ("IPTC:Keywords", "XMP-dc:Subject", "XMP-digiKam:TagsList", "XMP-lr:HierarchicalSubject")
_FIELDS = (*_NAMES, "EXIF:XPKeywords", "EXIF:Rating", "XMP-xmp:Rating", "XMP-xmp:Label")


@needs_exiftool
@pytest.mark.skipif(not ODD_FILES.is_dir(), reason="the collection of odd files is not here: see FOCAL_DATA")
def test_real_files_give_the_same_as_exiftool() -> None:
    paths = sorted(path for path in ODD_FILES.rglob("*") if path.suffix.lower() in _SUFFIXES)
    command = ["exiftool", "-j", "-G1", "-n", "-struct", "-charset", "iptc=latin", *(f"-{name}" for name in _FIELDS)]
    done = subprocess.run([*command, *map(str, paths)], capture_output=True, text=True, check=False)
    tagged = 0
    for said in json.loads(done.stdout):
        path = Path(said["SourceFile"])
        found = read_embedded(path).metadata
        names = {name for field in _NAMES for name in _listed(said.get(field, []))} - {""}
        names |= set(filter(None, str(said.get("IFD0:XPKeywords", "")).split(";")))
        tagged += bool(names)
        assert names <= {*found.flat, *found.cut, *(name.replace("/", "|") for name in found.hierarchical)}, path
        assert bool(found.tags) == bool(names), path
        assert found.rating == said.get("XMP-xmp:Rating", said.get("IFD0:Rating")), path
        assert found.label == said.get("XMP-xmp:Label"), path
    assert len(paths) > 400
    assert tagged > 10


def _listed(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]
