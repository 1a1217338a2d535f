# SPDX-License-Identifier: MIT
"""Broken and malicious data sets are refused with advice, and nothing is imported."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.datasets import documents, numpy_arrays
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.exchange.import_file import import_judgements, import_tags
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.operations.album import Album

READ = [name for name, one in FORMATS.items() if one.tags is not None]


@pytest.fixture
def photos(library: Library, album: Album) -> Library:
    for name in ("a.jpg", "b.jpg"):
        album.draw(name)
    finish(scan(library, [album.folder]))
    return library


def refused(library: Library, path: Path, name: str, match: str, *, judgements: bool = False) -> None:
    """Check that an import is refused for a reason and leaves the library unchanged."""
    label = library.journal.undo_label()
    take_in = import_judgements if judgements else import_tags
    with pytest.raises(OperationError, match=match):
        finish(take_in(library, path, FORMATS[name]))
    assert library.tags.all() == []
    assert library.judgements.all() == []
    assert library.journal.undo_label() == label


@pytest.mark.parametrize("name", READ)
def test_a_missing_path_is_reported(photos: Library, tmp_path: Path, name: str) -> None:
    refused(photos, tmp_path / "none", name, str(tmp_path / "none"))


@pytest.mark.parametrize("name", [name for name in READ if not FORMATS[name].is_folder])
def test_pipes_and_folders_are_refused(photos: Library, tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    refused(photos, tmp_path / "pipe", name, "not a regular file")
    refused(photos, tmp_path, name, "directory")


@pytest.mark.parametrize("name", [name for name in READ if FORMATS[name].is_folder])
def test_an_empty_folder_is_refused_with_the_expected_files(photos: Library, tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    refused(
        photos,
        tmp_path / "empty",
        name,
        r"metadata.jsonl nor|no folders with photos|labels.json|ImageSets|data.yaml|has regions",
    )


CHOICES = '[{"data": {"image": "a"}, "annotations": [{"result": [{"type": "choices", "value": {"choices": %s}}]}]}]'
JSON = {
    "labelstudio": ["{}", "[1]", '[{"id": 1}]', '[{"data": {"image": 5}}]', '[{"data": {"image": "a\\u0000b"}}]',
                    '[{"data": {"image": "http://[a"}}]',
                    '[{"data": {"image": "a.jpg"}, "annotations": 3}]',
                    CHOICES % '"x"', CHOICES % "[3]"],
    "coco": ["[]", "{}", '{"images": [], "annotations": []}',
             '{"images": [{"id": 1}], "annotations": [], "categories": []}',
             '{"images": [], "categories": [], "annotations": [{"category_id": 1, "image_id": 1}]}',
             '{"images": [{"id": true, "file_name": "a"}], "categories": [], "annotations": []}',
             '{"images": [{"id": 1, "file_name": 7}], "categories": [], "annotations": []}'],
    "fiftyone": ["[]", "{}", '{"labels": []}', '{"labels": {"a": 0}}', '{"classes": ["x"], "labels": {"a": 1}}',
                 '{"classes": ["x"], "labels": {"a": -1}}', '{"classes": "x", "labels": {"a": 0}}',
                 '{"labels": {"a": true}}', '{"classes": [7], "labels": {"a": 0}}', '{"labels": {"a": [[]]}}'],
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in JSON.items() for text in texts])
def test_json_of_another_shape_is_refused_completely(photos: Library, tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / ("labels.json" if name == "fiftyone" else "x.json")
    for content in (text, text[:-1], "[" * 100_000, "\ufeff" + text):
        file.write_text(content)
        refused(photos, tmp_path if name == "fiftyone" else file, name, r"cannot be read: .*Nothing was imported")


def test_entries_before_an_error_are_not_imported(photos: Library, album: Album) -> None:
    right = {
        "data": {"image": "a.jpg"},
        "annotations": [{"result": [{"type": "choices", "value": {"choices": ["sea"]}}]}],
    }
    file = album.path("tasks.json")
    file.write_text(json.dumps([right, {"data": None}]))
    refused(photos, file, "labelstudio", "task 2 has no data")
    file.write_text(json.dumps([right]))
    assert len(finish(import_tags(photos, file, FORMATS["labelstudio"])).changes.photo_ids) == 1


@pytest.mark.parametrize("name", ["labelstudio", "coco", "cvat", "fiftyone"])
def test_documents_above_the_limit_are_not_read(
    photos: Library, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "labels.json"
    file.write_text("[" + " " * 2000 + "]")
    monkeypatch.setattr(documents, "MAX_BYTES", 1000)
    refused(photos, tmp_path if name == "fiftyone" else file, name, "more than the allowed 1,000")


LAUGHS = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]>'


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "no XML"),
        ("<annotations>", "no XML"),
        ("<annotations/>", "names no image"),
        ("<annotations><image id='0'/></annotations>", "has no name"),
        ("<annotations><track id='0' label='x'/></annotations>", "a video"),
        (f"{LAUGHS}<annotations><image name='a.jpg'><tag label='&y;'/></image></annotations>", "document type|no XML"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><annotations><image name="a.jpg"/></annotations>', "document type"),
        ("PK\3\4", "zip file: unpack it"),
        ("<annotations>" + "<image name='a.jpg'>" * 500 + "</annotations>", "nested more than 256 deep"),
    ],
)
def test_hostile_xml_is_refused(photos: Library, tmp_path: Path, text: str, match: str) -> None:
    (tmp_path / "annotations.xml").write_text(text)
    refused(photos, tmp_path / "annotations.xml", "cvat", match)


@pytest.mark.parametrize("line", ["a", "a 2", "a 1 1", "a one"])
def test_a_broken_line_of_an_image_set_is_reported(photos: Library, tmp_path: Path, line: str) -> None:
    (tmp_path / "ImageSets" / "Main").mkdir(parents=True)
    (tmp_path / "ImageSets" / "Main" / "dog_train.txt").write_text(f"a 1\n{line}\n")
    refused(photos, tmp_path, "voc", "line 2 is not")


def test_names_that_lead_out_of_a_data_set_are_unknown(photos: Library, tmp_path: Path) -> None:
    (tmp_path / "set" / "ImageSets" / "Main").mkdir(parents=True)
    (tmp_path / "set" / "ImageSets" / "Main" / "dog_train.txt").write_text("../../secret 1\n/etc/passwd 1\n")
    (tmp_path / "secret.xml").write_text("<annotation><object><name>told</name></object></annotation>")
    report = finish(import_tags(photos, tmp_path / "set", FORMATS["voc"]))
    assert (len(report.unknown), report.boxed, photos.tags.all()) == (2, 0, [])


IMPOSSIBLE = ["a\0b.jpg", "\ud800.jpg", "a" * 300 + ".jpg", "a/" * 3000 + "c.jpg"]


@pytest.mark.slow
@pytest.mark.parametrize("file", IMPOSSIBLE)
@pytest.mark.parametrize("name", ["coco", "fiftyone", "imagefolder", "jsonl", "labelstudio", "npz", "voc"])
def test_impossible_file_names_are_unknown_or_refused(photos: Library, tmp_path: Path, name: str, file: str) -> None:
    place = tmp_path / "labels.json"
    task = {"data": {"image": file}, "annotations": []}
    coco = {"images": [{"id": 1, "file_name": file}], "annotations": [], "categories": []}
    if name == "npz":
        place = tmp_path / "x.npz"
        np.savez(place, paths=np.array([file]), tag_names=np.array(["x"]), tags=np.ones((1, 1), int))
    elif name == "voc":
        (tmp_path / "ImageSets" / "Main").mkdir(parents=True)
        lines = f"{file} 1\n".encode("utf-8", "surrogatepass")
        (tmp_path / "ImageSets" / "Main" / "dog_train.txt").write_bytes(lines)
    elif name in ("imagefolder", "jsonl"):
        place = tmp_path / "metadata.jsonl"
        place.write_text(json.dumps({"path": file, "file_name": file, "tags": ["x"]}))
    else:
        told = {"labelstudio": [task], "coco": coco, "fiftyone": {"labels": {file: "x"}}}
        place.write_text(json.dumps(told[name]))
    where = tmp_path if FORMATS[name].is_folder else place
    try:
        report = finish(import_tags(photos, where, FORMATS[name]))
    except OperationError as error:
        assert "cannot be read" in str(error)  # noqa: PT017  either is right
    else:
        assert (len(report.unknown), report.taken) == (1, 0)
    assert photos.tags.all() == []


def npz(**arrays: Any) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def claims(shape: str, kind: str = "<U4") -> bytes:
    """Return an array file that declares a shape but has no content."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as members:
        members.writestr("hashes.npy", b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header.encode())
    return buffer.getvalue()


NAMES = np.array(["a.jpg", "b.jpg"])
TAGS: dict[str, Callable[[], bytes]] = {
    "no file of numpy": lambda: b"PK\3\4 and no more",
    "neither paths nor hashes": lambda: npz(tag_names=np.array(["x"]), tags=np.ones((2, 1), int)),
    "paths and hashes differ in number": lambda: npz(paths=NAMES, hashes=NAMES[:1], tag_names=NAMES),
    "no tags as a matrix": lambda: npz(paths=NAMES, tag_names=NAMES, tags=np.ones(2, int)),
    "tags are .2, 3.": lambda: npz(paths=NAMES, tag_names=NAMES, tags=np.ones((2, 3), int)),
    "values other than 0 and 1": lambda: npz(paths=NAMES, tag_names=NAMES, tags=np.full((2, 2), 2)),
    "no tag_names": lambda: npz(paths=NAMES, tags=np.ones((2, 2), int)),
    "no paths as a list": lambda: npz(paths=np.ones(2), tag_names=NAMES, tags=np.ones((2, 2), int)),
    "tags hold|matrix": lambda: npz(paths=NAMES, tag_names=NAMES, tags=np.full((2, 2), np.nan)),
    "holds objects": lambda: npz(hashes=np.array([{"run": 1}, None], dtype=object), tag_names=NAMES),
    "claims to have": lambda: claims("(10000000000,)"),
    "claims|no file of numpy": lambda: claims("(-4,)"),
}  # fmt: skip
PAIRS: dict[str, Callable[[], bytes]] = {
    "neither pairs nor triplets": lambda: npz(paths=NAMES),
    "refer to rows that do not exist": lambda: npz(paths=NAMES, pairs=np.array([[0, 2]]), similar=np.array([1])),
    "rows that do not exist": lambda: npz(paths=NAMES, pairs=np.array([[0, -1]]), similar=np.array([1])),
    "pairs are not rows of 2": lambda: npz(paths=NAMES, pairs=np.array([[0.0, 1.0]]), similar=np.array([1])),
    "similar is no number": lambda: npz(paths=NAMES, pairs=np.array([[0, 1]]), similar=np.array([1, 1])),
    "triplets are not rows of 3": lambda: npz(paths=NAMES, triplets=np.array([[0, 1]])),
}


@pytest.mark.parametrize("match", TAGS)
def test_hostile_arrays_of_tags_are_refused(photos: Library, tmp_path: Path, match: str) -> None:
    (tmp_path / "x.npz").write_bytes(TAGS[match]())
    refused(photos, tmp_path / "x.npz", "npz", match)


@pytest.mark.parametrize("match", PAIRS)
def test_hostile_arrays_of_judgements_are_refused(photos: Library, tmp_path: Path, match: str) -> None:
    (tmp_path / "x.npz").write_bytes(PAIRS[match]())
    refused(photos, tmp_path / "x.npz", "npz", match, judgements=True)


def test_arrays_that_unpack_to_too_much_are_refused(
    photos: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.savez_compressed(tmp_path / "bomb.npz", paths=np.zeros(100_000, "U8"))
    monkeypatch.setattr(numpy_arrays, "_MAX_BYTES", 1 << 20)
    refused(photos, tmp_path / "bomb.npz", "npz", "claims to have 3,200,000 bytes")
    # Each array is below the limit, the sum is above it.
    names = np.zeros(20_000, "U8")
    np.savez_compressed(tmp_path / "bomb.npz", paths=names, hashes=names, tag_names=NAMES, tags=np.ones((2, 2), int))
    refused(photos, tmp_path / "bomb.npz", "npz", "paths claims to have 640,000 bytes")


def test_parquet_of_another_shape_is_refused(photos: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "x.parquet"
    for columns, match in (
        ({"tags": [["x"]]}, "needs the columns"),
        ({"path": ["a.jpg"]}, "needs the columns"),
        ({"path": ["a.jpg"], "tags": ["x"]}, "tags holds no lists"),
        ({"path": [b"a.jpg"], "tags": [["x"]]}, "path holds no texts"),
        ({"path": ["a.jpg"], "tags": [[1]]}, "tags holds no lists"),
        ({"path": ["a.jpg"], "tags": [["x"]], "rating": [4.5]}, "rating holds no whole"),
    ):
        parquet.write_table(arrow.table(columns), file)
        refused(photos, file, "parquet", match)
    parquet.write_table(arrow.table({"path": ["a.jpg"] * 1000, "tags": [["x"]] * 1000}), file)
    whole = file.read_bytes()
    for content in (b"", b"PAR1", whole[:-8], whole[:40] + bytes(40) + whole[80:]):
        file.write_bytes(content)
        refused(photos, file, "parquet", "no Parquet file, or damaged|cannot be read")
    from focal_photos.browser.operations.exchange.datasets import parquet as room

    file.write_bytes(whole)
    monkeypatch.setattr(room, "_LARGEST_GROUP", 100)
    refused(photos, file, "parquet", "would unpack to")


def test_an_invalid_tag_is_reported_and_the_others_are_imported(photos: Library, album: Album, tmp_path: Path) -> None:
    file = album.path("x.json")
    result = {"type": "choices", "value": {"choices": ["sea", "", "x" * 1000]}}
    file.write_text(json.dumps([{"data": {"image": "a.jpg"}, "annotations": [{"result": [result]}]}]))
    report = finish(import_tags(photos, file, FORMATS["labelstudio"]))
    assert ([line for line, _ in report.refused], [tag.name for tag in photos.tags.all()]) == ([1, 1], ["sea"])
