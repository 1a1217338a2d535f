# SPDX-License-Identifier: MIT
"""Data sets of other programs: written, read by an independent reader, and read back."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.datasets import load_files

from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.datasets.media import Names
from focal_photos.browser.operations.exchange.export_data_set import SaveReport, save_judgements, save_photos
from focal_photos.browser.operations.exchange.file_format import FileFormat, Media
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.exchange.import_file import ImportReport, import_judgements, import_tags
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.operations.album import Album

TAGS = {
    "cold/0.jpg": ["animal/dog", "sea"],
    "cold/1.jpg": ["sea"],
    "cold/2.jpg": ["Ünïcode & <co>", 'quote"d'],
    "warm/0.jpg": ["100%", "a b"],
    "warm/1.jpg": ["sea"],
}
BOXES_ONLY = ("yolo", "fiftyonedetection")
SAVED = [name for name, form in FORMATS.items() if form.save_photos is not None]
FOLDERS = [name for name, form in FORMATS.items() if form.save_photos is not None and form.save_photos.with_media]
TAG_SETS = [name for name in SAVED if name not in BOXES_ONLY]
TAG_FOLDERS = [name for name in FOLDERS if name not in BOXES_ONLY]


def save(library: Library, place: Path, name: str, **more: Any) -> SaveReport:
    return finish(save_photos(library, place, FORMATS[name], **more))


def take_in(library: Library, place: Path, name: str, **more: Any) -> ImportReport:
    return finish(import_tags(library, place, FORMATS[name], **more))


def tags_of(library: Library) -> dict[str, list[str]]:
    ids = library.photos.ids().tolist()
    tags = library.tags.of(ids)
    names = ["/".join(path.parts[-2:]) for path in library.photos.paths(ids)]
    return {name: sorted(tags[photo]) for name, photo in zip(names, ids, strict=True) if tags[photo]}


def untag(library: Library) -> None:
    ids = library.photos.ids().tolist()
    library.tags.change(ids, remove=[tag.name for tag in library.tags.all()])
    assert not tags_of(library)


@pytest.fixture
def tagged(indexed: Library) -> Library:
    """Library of twelve described photos, five of them tagged, with one suggestion."""
    ids = indexed.photos.ids().tolist()
    by_name = dict(zip(("/".join(path.parts[-2:]) for path in indexed.photos.paths(ids)), ids, strict=True))
    for name, tags in TAGS.items():
        indexed.tags.change([by_name[name]], tags)
    one = Suggestion(by_name["cold/1.jpg"], "a b", 0.75, SuggestionState.OPEN, (), 1)
    indexed.suggestions.replace_open([one, replace(one, tag="100%", confidence=0.25)], 1)
    return indexed


@pytest.mark.parametrize("name", TAG_SETS)
def test_a_saved_data_set_is_read_back(tagged: Library, tmp_path: Path, name: str) -> None:
    form = FORMATS[name]
    place = tmp_path / f"set{form.suffixes[0] if form.suffixes else ''}"
    report = save(tagged, place, name)
    assert report.saved + len(report.left_out) == 12
    untag(tagged)
    found = take_in(tagged, place, name, base=None if form.is_folder else tagged.roots.all()[0].path)
    assert (found.unknown, found.refused) == ([], [])
    assert tags_of(tagged) == {key: sorted(tags) for key, tags in TAGS.items()}
    tagged.journal.undo()
    assert not tags_of(tagged)


@pytest.mark.parametrize("name", TAG_FOLDERS)
def test_links_instead_of_copies_are_read_back_too(tagged: Library, tmp_path: Path, name: str) -> None:
    save(tagged, tmp_path / "set", name, media=Media.LINK)
    links = [file for file in (tmp_path / "set").rglob("*") if file.is_symlink()]
    assert len({file.resolve() for file in links}) >= len(TAGS)
    assert all(file.resolve().is_file() for file in links)
    untag(tagged)
    assert take_in(tagged, tmp_path / "set", name).unknown == []
    assert tags_of(tagged) == {key: sorted(tags) for key, tags in TAGS.items()}


@pytest.mark.parametrize("name", TAG_FOLDERS)
def test_copies_are_found_by_their_contents_in_any_folder(tagged: Library, tmp_path: Path, name: str) -> None:
    save(tagged, tmp_path / "set", name)
    (tmp_path / "set").rename(tmp_path / "elsewhere")
    untag(tagged)
    assert take_in(tagged, tmp_path / "elsewhere", name).unknown == []
    assert len(tags_of(tagged)) == len(TAGS)


@pytest.mark.parametrize("name", SAVED)
def test_a_missing_photo_is_listed_as_left_out(tagged: Library, album: Album, tmp_path: Path, name: str) -> None:
    album.path("cold/0.jpg").unlink()
    finish(scan(tagged, [album.folder]))
    form = FORMATS[name]
    place = tmp_path / f"set{form.suffixes[0] if form.suffixes else ''}"
    report = save(tagged, place, name)
    assert place.exists()
    gone = [path for path, _ in report.left_out if path.name == "0.jpg" and path.parent.name == "cold"]
    assert bool(gone) == bool(form.save_photos and form.save_photos.with_media)


def test_photos_with_the_same_name_get_different_names(tagged: Library, tmp_path: Path) -> None:
    everything = tagged.photos.ids().tolist()
    tagged.tags.change(everything, ["all"])
    save(tagged, tmp_path / "set", "folders")
    names = sorted(file.name for file in (tmp_path / "set" / "all").iterdir())
    assert len(names) == 12
    assert {"0.jpg", "0-2.jpg"} <= set(names)


def test_names_that_differ_only_in_case_get_different_names() -> None:
    """Windows and macOS treat them as the same file."""
    names = Names()
    assert [str(names.free(PurePosixPath(name))) for name in ("a/B.jpg", "A/b.JPG", "a/B.png", "../x", "/x", "..")] == [
        "a/B.jpg", "A/b-2.JPG", "a/B.png", "x", "x-2", "photo",
    ]  # fmt: skip
    bare = Names(with_suffix=False)
    assert [str(bare.free(PurePosixPath(name))) for name in ("b.jpg", "B.png", "b.c.jpg")] == [
        "b.jpg",
        "B-2.png",
        "b.c.jpg",
    ]


def test_nested_folders_are_nested_tags(tagged: Library, album: Album, tmp_path: Path) -> None:
    untag(tagged)
    for name in ("animal/dog", "animal%2Fcat", "100%", "."):
        (tmp_path / "set" / name).mkdir(parents=True, exist_ok=True)
        shutil.copy(album.path("cold/0.jpg"), tmp_path / "set" / name / "x.jpg")
    (tmp_path / "set" / ".hidden").mkdir()
    shutil.copy(album.path("cold/1.jpg"), tmp_path / "set" / ".hidden" / "y.jpg")
    take_in(tagged, tmp_path / "set", "folders")
    assert tags_of(tagged) == {"cold/0.jpg": ["100%", "animal/cat", "animal/dog"]}


# ---------------------------------------------------------------- readers that are not ours
def test_scikit_learn_reads_a_folder_per_class(tagged: Library, tmp_path: Path) -> None:
    save(tagged, tmp_path / "set", "folders")
    found = load_files(tmp_path / "set", load_content=False)
    assert found.target_names == ["100%25", "a b", "animal%2Fdog", "quote%22d", "sea", "Ünïcode & %3Cco%3E"]
    assert len(found.filenames) == sum(map(len, TAGS.values()))


def test_image_folder_has_a_table_beside_the_photos(tagged: Library, tmp_path: Path) -> None:
    save(tagged, tmp_path / "set", "imagefolder")
    lines = [json.loads(line) for line in (tmp_path / "set" / "metadata.jsonl").read_text().splitlines()]
    assert all((tmp_path / "set" / line["file_name"]).is_file() for line in lines)
    assert {line["file_name"]: sorted(line["tags"]) for line in lines if line["tags"]} == {
        key: sorted(tags) for key, tags in TAGS.items()
    }
    assert not any(str(tmp_path) in json.dumps(line) for line in lines)  # no paths of this machine


def test_tables_of_splits_are_read(tagged: Library, album: Album, tmp_path: Path) -> None:
    untag(tagged)
    for split, name in (("train", "cold/0.jpg"), ("test", "warm/1.jpg")):
        (tmp_path / split / "images").mkdir(parents=True)
        shutil.copy(album.path(name), tmp_path / split / "images" / "a.jpg")
        with (tmp_path / split / "metadata.csv").open("w") as table:
            csv.writer(table).writerows([["file_name", "tags"], ["images/a.jpg", f"{split};both"]])
    assert take_in(tagged, tmp_path, "imagefolder").unknown == []
    assert tags_of(tagged) == {"cold/0.jpg": ["both", "train"], "warm/1.jpg": ["both", "test"]}


def test_fiftyone_gets_a_list_of_numbers_for_each_file(tagged: Library, tmp_path: Path) -> None:
    save(tagged, tmp_path / "set", "fiftyone")
    found = json.loads((tmp_path / "set" / "labels.json").read_text())
    data = tmp_path / "set" / "data"
    stems = {str(file.relative_to(data).with_suffix("")) for file in data.rglob("*.jpg")}
    assert set(found["labels"]) == stems
    named = {key: [found["classes"][place] for place in places or ()] for key, places in found["labels"].items()}
    assert {f"{key}.jpg": sorted(names) for key, names in named.items() if names} == {
        key: sorted(tags) for key, tags in TAGS.items()
    }
    assert found["labels"]["warm/5"] is None


@pytest.mark.parametrize("target", [1, "sea", {"label": "sea", "confidence": 0.5}, [1], ["sea"], [{"label": "sea"}]])
def test_every_form_of_a_fiftyone_label_is_read(tagged: Library, tmp_path: Path, target: object) -> None:
    untag(tagged)
    table = {"classes": ["dog", "sea"], "labels": {"cold/0": target, "cold/1": None}}
    (tmp_path / "labels.json").write_text(json.dumps(table))
    # Without data/ the name means a photo of the library, and two photos have this name.
    assert len(take_in(tagged, tmp_path, "fiftyone").unknown) == 2
    (tmp_path / "data" / "cold").mkdir(parents=True)
    shutil.copy(tagged.roots.all()[0].path / "cold/0.jpg", tmp_path / "data" / "cold" / "0.jpg")
    take_in(tagged, tmp_path, "fiftyone")
    assert tags_of(tagged) == {"cold/0.jpg": ["sea"]}


def test_label_studio_gets_annotations_and_predictions(tagged: Library, tmp_path: Path) -> None:
    save(tagged, tmp_path / "tasks.json", "labelstudio")
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    by_image = {task["data"]["image"]: task for task in tasks}
    one = by_image["/data/local-files/?d=cold/1.jpg"]
    [annotation] = one["annotations"]
    assert annotation["result"] == [
        {"from_name": "tags", "to_name": "image", "type": "choices", "value": {"choices": ["sea"]}}
    ]
    [prediction] = one["predictions"]
    assert (prediction["model_version"], prediction["score"]) == ("focal euclidean", 0.75)
    assert [(part["value"]["choices"], part["score"]) for part in prediction["result"]] == [
        (["a b"], 0.75), (["100%"], 0.25)
    ]  # fmt: skip
    assert by_image["/data/local-files/?d=warm/5.jpg"]["annotations"] == []


def test_label_studio_gets_an_empty_list_if_nothing_matches(tagged: Library, tmp_path: Path) -> None:
    assert save(tagged, tmp_path / "tasks.json", "labelstudio", query="tag:none-such").saved == 0
    assert json.loads((tmp_path / "tasks.json").read_text()) == []


@pytest.mark.parametrize(
    "image",
    [
        "/data/local-files/?d=cold%2F0.jpg", "/data/upload/7/0a1b2c3d-only.jpg", "s3://bucket/x/only.jpg",
        "https://host/a/only.jpg?X-Amz=1", "file:///mnt/photos/only.jpg", "only.jpg", "C:/photos/only.jpg",
    ],
)  # fmt: skip
def test_every_image_name_of_label_studio_is_read(tagged: Library, album: Album, tmp_path: Path, image: str) -> None:
    untag(tagged)
    album.path("warm/1.jpg").rename(album.path("warm/only.jpg"))
    finish(scan(tagged, [album.folder]))
    result = {"type": "choices", "value": {"choices": ["sun"]}}
    task = {"data": {"image": image}, "annotations": [{"result": [result]}]}
    (tmp_path / "export.json").write_text(json.dumps([task]))
    report = take_in(tagged, tmp_path / "export.json", "labelstudio", base=album.folder)
    assert report.unknown == []
    assert list(tags_of(tagged).values()) == [["sun"]]


def test_cancelled_and_partial_annotations_of_label_studio_give_no_tags(
    tagged: Library, album: Album, tmp_path: Path
) -> None:
    untag(tagged)
    part = {"type": "rectanglelabels", "value": {"x": 1, "rectanglelabels": ["boat"]}}
    taxonomy = {"type": "taxonomy", "value": {"taxonomy": [["animal", "dog"]]}}
    rating = {"type": "rating", "value": {"rating": 4}}
    wrong = {"was_cancelled": True, "result": [{"type": "choices", "value": {"choices": ["wrong"]}}]}
    guess = {"result": [{"type": "choices", "value": {"choices": ["guess"]}}]}
    task = {
        "data": {"image": "/x/cold/0.jpg", "hash": tagged.photos.get(tagged.photos.ids().tolist())[0].content_hash},
        "annotations": [{"result": [part, taxonomy, rating]}, wrong],
        "predictions": [guess],
    }
    file = tmp_path / "export.json"
    file.write_text(json.dumps([task]))
    report = take_in(tagged, file, "labelstudio")
    assert (report.boxed, tags_of(tagged)) == (1, {"cold/0.jpg": ["animal/dog"]})
    report = take_in(tagged, file, "labelstudio", boxes=True)
    assert (report.boxed, tags_of(tagged)) == (0, {"cold/0.jpg": ["animal/dog", "boat"]})


def test_cvat_gets_tags_of_whole_images(tagged: Library, tmp_path: Path) -> None:
    save(tagged, tmp_path / "annotations.xml", "cvat")
    root = ElementTree.parse(tmp_path / "annotations.xml").getroot()
    assert [one.tag for one in root][:2] == ["version", "meta"]
    assert root.findtext("version") == "1.1"
    images = root.findall("image")
    assert [image.get("id") for image in images] == [str(number) for number in range(12)]
    tags = {image.get("name"): sorted(tag.get("label", "") for tag in image.findall("tag")) for image in images}
    assert {name: found for name, found in tags.items() if found} == {key: sorted(tags) for key, tags in TAGS.items()}
    assert (images[0].get("width"), images[0].get("height")) == ("96", "64")
    names = {label.findtext("name") for label in root.iter("label")}
    assert names == {tag for tags in TAGS.values() for tag in tags}
    assert root.findtext("meta/task/size") == "12"
    assert {label.findtext("type") for label in root.iter("label")} == {"tag"}


def test_cvat_shapes_are_boxes(tagged: Library, tmp_path: Path) -> None:
    untag(tagged)
    file = tmp_path / "annotations.xml"
    file.write_text(
        '<annotations><version>1.1</version><image id="0" name="cold/0.jpg"><tag label="sea"/>'
        '<box label="boat" xtl="1"/><polygon label="mast"/><mask label="sail"/></image></annotations>'
    )
    folder = tagged.roots.all()[0].path
    report = take_in(tagged, file, "cvat", base=folder)
    assert (report.boxed, tags_of(tagged)) == (1, {"cold/0.jpg": ["sea"]})
    take_in(tagged, file, "cvat", base=folder, boxes=True)
    assert tags_of(tagged) == {"cold/0.jpg": ["boat", "mast", "sail", "sea"]}


def test_voc_gets_a_list_for_each_class(tagged: Library, tmp_path: Path) -> None:
    report = save(tagged, tmp_path / "set", "voc")
    sets = tmp_path / "set" / "ImageSets" / "Main"
    assert (report.saved, len(report.left_out)) == (5, 7)  # the other photos have no tags
    every = (sets / "trainval.txt").read_text().split()
    assert sorted(every) == sorted(key.replace("/", "_").removesuffix(".jpg") for key in TAGS)
    assert all((tmp_path / "set" / "JPEGImages" / f"{name}.jpg").is_file() for name in every)
    values = dict(line.split() for line in (sets / "a b_trainval.txt").read_text().splitlines())
    assert values == {"cold_0": "-1", "cold_1": "0", "cold_2": "-1", "warm_0": "1", "warm_1": "-1"}
    assert "animal%2Fdog:::" in (tmp_path / "set" / "labelmap.txt").read_text().splitlines()


def test_voc_sets_and_objects_are_read(tagged: Library, album: Album, tmp_path: Path) -> None:
    untag(tagged)
    for folder in ("ImageSets/Main", "JPEGImages", "Annotations"):
        (tmp_path / folder).mkdir(parents=True)
    for name, photo in (("2007_1", "cold/0.jpg"), ("2007_2", "cold/1.jpg")):
        shutil.copy(album.path(photo), tmp_path / "JPEGImages" / f"{name}.jpg")
    sets = tmp_path / "ImageSets" / "Main"
    (sets / "train.txt").write_text("2007_1\n")
    (sets / "dog_train.txt").write_text("2007_1  1\n")
    (sets / "dog_val.txt").write_text("2007_2  0\n\n")
    (sets / "dining_table_val.txt").write_text("2007_2  1\n")
    (sets / "cat_val.txt").write_text("2007_2 -1\n")
    (tmp_path / "Annotations" / "2007_2.xml").write_text(
        "<annotation><object><name>chair</name><difficult>0</difficult></object>"
        "<object><name>sofa</name><difficult>1</difficult></object></annotation>"
    )
    report = take_in(tagged, tmp_path, "voc")
    assert (report.boxed, tags_of(tagged)) == (1, {"cold/0.jpg": ["dog"], "cold/1.jpg": ["dining_table"]})
    take_in(tagged, tmp_path, "voc", boxes=True)
    assert tags_of(tagged)["cold/1.jpg"] == ["chair", "dining_table"]


def test_voc_photos_with_objects_only_are_read(tagged: Library, album: Album, tmp_path: Path) -> None:
    untag(tagged)
    (tmp_path / "Annotations" / "warm").mkdir(parents=True)
    (tmp_path / "JPEGImages" / "warm").mkdir(parents=True)
    shutil.copy(album.path("warm/1.jpg"), tmp_path / "JPEGImages" / "warm" / "1.jpg")
    (tmp_path / "Annotations" / "warm" / "1.xml").write_text(
        "<annotation><object><name>dog</name></object></annotation>"
    )
    report = take_in(tagged, tmp_path, "voc")
    assert (report.lines, report.boxed, tags_of(tagged)) == (1, 1, {})
    take_in(tagged, tmp_path, "voc", boxes=True)
    assert tags_of(tagged) == {"warm/1.jpg": ["dog"]}
    sets = tmp_path / "ImageSets" / "Main"
    sets.mkdir(parents=True)
    (sets / "train.txt").write_text("warm/1\n")  # contains no class
    assert take_in(tagged, tmp_path, "voc").boxed == 1
    shutil.copy(album.path("cold/1.jpg"), tmp_path / "JPEGImages" / "a.jpg")
    (sets / "sea_train.txt").write_text("a 1\n")
    report = take_in(tagged, tmp_path, "voc")
    assert (report.lines, report.boxed) == (2, 1), "boxes and classes can be mixed"
    assert tags_of(tagged)["cold/1.jpg"] == ["sea"]


COCO: dict[str, Any] = {
    "images": [{"id": 5, "file_name": "cold/0.jpg"}, {"id": 7, "file_name": "train2017/warm/1.jpg"}],
    "categories": [{"id": 18, "name": "dog", "supercategory": "animal"}, {"id": 9, "name": "boat"}],
    "annotations": [
        {"id": 1, "image_id": 5, "category_id": 18, "bbox": [1, 2, 3, 4], "area": 12, "iscrowd": 0},
        {"id": 2, "image_id": 5, "category_id": 9},
        {"id": 3, "image_id": 7, "category_id": 9, "bbox": [], "segmentation": [[1, 1, 2, 2, 3, 3]]},
    ],
}


def test_coco_boxes_are_tags_only_on_request(tagged: Library, tmp_path: Path) -> None:
    untag(tagged)
    file = tmp_path / "instances.json"
    file.write_text(json.dumps(COCO))
    folder = tagged.roots.all()[0].path
    report = take_in(tagged, file, "coco", base=folder)
    assert (report.boxed, len(report.unknown)) == (1, 1)  # two photos are named 1.jpg
    assert tags_of(tagged) == {"cold/0.jpg": ["boat"]}
    take_in(tagged, file, "coco", base=folder, boxes=True)
    assert tags_of(tagged) == {"cold/0.jpg": ["boat", "dog"]}


@pytest.mark.parametrize(
    "part", [{"bbox": [1, 2, 3, 4]}, {"segmentation": [[1, 1, 2, 2, 3, 3]]}, {"keypoints": [5, 5, 2]}]
)
def test_every_kind_of_coco_region_is_a_box(tagged: Library, tmp_path: Path, part: dict[str, Any]) -> None:
    untag(tagged)
    file = tmp_path / "instances.json"
    annotation = {"id": 3, "image_id": 5, "category_id": 9, **part}
    file.write_text(json.dumps({**COCO, "images": COCO["images"][:1], "annotations": [annotation]}))
    report = take_in(tagged, file, "coco", base=tagged.roots.all()[0].path)
    assert (report.boxed, tags_of(tagged)) == (1, {})


def test_parquet_has_lists_and_vectors_of_fixed_size(tagged: Library, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    save(tagged, tmp_path / "photos.parquet", "parquet")
    table = parquet.read_table(tmp_path / "photos.parquet")
    rows = table.to_pylist()
    assert {row["file_name"]: sorted(row["tags"]) for row in rows if row["tags"]} == {
        key: sorted(tags) for key, tags in TAGS.items()
    }
    kind = table.schema.field("embedding").type
    assert str(kind).startswith("fixed_size_list<")
    assert str(kind.value_type) == "float"
    save(tagged, tmp_path / "photos.npz", "npz")
    with np.load(tmp_path / "photos.npz") as arrays:
        np.testing.assert_array_equal(np.array([row["embedding"] for row in rows], np.float32), arrays["vectors"])
        assert kind.list_size == arrays["vectors"].shape[1]


def test_vectors_of_a_descriptor_equal_those_of_the_library(tagged: Library, tmp_path: Path) -> None:
    save(tagged, tmp_path / "photos.npz", "npz", vectors="color_moments")
    with np.load(tmp_path / "photos.npz") as arrays:
        assert arrays["vectors"].shape == (12, 225)
        assert arrays["vectors"].dtype == np.float32
        assert arrays["tags"].sum() == sum(map(len, TAGS.values()))
    with pytest.raises(OperationError, match=r"no vectors 'colour'.*color_moments"):
        save(tagged, tmp_path / "photos.npz", "npz", vectors="colour")


def test_photos_without_description_have_no_vectors(tagged: Library, album: Album, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    album.draw("new.jpg", seed=99)
    finish(scan(tagged, [album.folder]))
    report = save(tagged, tmp_path / "photos.npz", "npz")
    assert (report.saved, [reason for _, reason in report.left_out]) == (12, ["It is not described."])
    save(tagged, tmp_path / "photos.parquet", "parquet")
    rows = parquet.read_table(tmp_path / "photos.parquet").to_pylist()
    assert [row["file_name"] for row in rows if row["embedding"] is None] == ["new.jpg"]


def test_vectors_are_saved_after_many_photos_without_vectors(
    tagged: Library, album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrow = pytest.importorskip("pyarrow.parquet")
    from focal_photos.browser.operations.exchange.datasets import parquet

    monkeypatch.setattr(parquet, "_ROWS", 2)
    for number in range(5):
        album.draw(f"a first folder/{number}.jpg")
    finish(scan(tagged, [album.folder]))
    save(tagged, tmp_path / "photos.parquet", "parquet")
    rows = arrow.read_table(tmp_path / "photos.parquet").to_pylist()
    assert [row["embedding"] is None for row in rows] == [True] * 5 + [False] * 12
    assert len({len(row["embedding"]) for row in rows[5:]}) == 1


@pytest.mark.parametrize(
    ("name", "what", "tag"),
    [
        ("folders", "folder", "ü" * 200),
        ("folders", "folder", "?" * 100),  # each character is written as three
        ("voc", "file", "ü" * 200),
        ("voc", "file", "ü" * 125),  # 250 bytes, plus the ending of the lists
    ],
)
def test_a_tag_too_long_for_a_file_name_leaves_out_only_its_photo(
    tagged: Library, tmp_path: Path, name: str, what: str, tag: str
) -> None:
    ids = tagged.photos.ids("tag:sea").tolist()
    tagged.tags.change(ids[:1], [tag])
    report = save(tagged, tmp_path / "set", name)
    reasons = [reason for _, reason in report.left_out]
    assert reasons.count(f"One of its tags is too long for the name of a {what}.") == 1
    assert report.saved == len(TAGS) - 1


def test_paths_with_equal_names_are_cut_to_the_longest_file_name() -> None:
    names = Names(with_suffix=False)
    first, second = names.free(PurePosixPath("ü" * 300 + ".jpg")), names.free(PurePosixPath("ü" * 299 + "x.jpg"))
    assert first != second
    assert all(len(os.fsencode(name)) <= 255 and name.suffix == ".jpg" for name in (first, second))
    assert names.free(PurePosixPath("b/short.jpg")) == PurePosixPath("b/short.jpg")


def test_a_name_with_a_very_long_suffix_is_cut_too() -> None:
    """A file with any suffix may be a photo."""
    names = Names()
    first, second = (names.free(PurePosixPath("a." + "ü" * 125 + end)) for end in "xy")
    assert first != second
    assert all(str(name).startswith("a") and 240 < len(os.fsencode(name)) <= 255 for name in (first, second))


def judge(library: Library) -> dict[tuple[int, int], Verdict]:
    ids = library.photos.ids().tolist()
    library.judgements.set(ids[0], ids[1:3], Verdict.SIMILAR)
    library.judgements.set(ids[0], ids[3:6], Verdict.DISSIMILAR)
    library.judgements.set(ids[7], ids[8:9], Verdict.SIMILAR)
    return {(one.focal_id, one.other_id): one.verdict for one in library.judgements.all()}


def test_judgements_are_saved_as_pairs_and_triplets_of_rows(tagged: Library, tmp_path: Path) -> None:
    before = judge(tagged)
    (a, b, c, d), related = tagged.photos.ids().tolist()[:4], tagged.judged_relations
    related.set([(b, c, d)], holds=True)
    related.set([(a, d, None)], holds=True)
    report = finish(save_judgements(tagged, tmp_path / "pairs.npz", FORMATS["npz"]))
    assert (report.saved, report.left_out) == (8, [])
    with np.load(tmp_path / "pairs.npz") as arrays:
        pairs, similar, triplets = arrays["pairs"], arrays["similar"], arrays["triplets"]
        assert arrays["vectors"].shape[0] == 8  # only the judged photos
        names = arrays["paths"]
        assert sorted(zip(names[pairs[:, 0]], names[pairs[:, 1]], similar, strict=True))[0] == (
            "cold/0.jpg",
            "cold/1.jpg",
            1,
        )
        focal = list(names).index("cold/0.jpg")
        signs = {(a, b): sign for (a, b), sign in zip(pairs.tolist(), similar.tolist(), strict=True)}
        assert len(triplets) == 1 + 2 * 3
        assert triplets[0].tolist() == arrays["relative"][0].tolist()
        assert len(arrays["visual"]) == 1
        assert all(signs[a, near] == 1 and signs[a, far] == -1 and a == focal for a, near, far in triplets[1:].tolist())
    for focal_id, _ in before:
        tagged.judgements.set(focal_id, [other for one, other in before if one == focal_id], None)
    related.set([(b, c, d), (a, d, None)], holds=False)
    finish(import_judgements(tagged, tmp_path / "pairs.npz", FORMATS["npz"]))
    assert (related.relative(), related.visual()) == ([(b, c, d)], [(a, d)])
    assert {(one.focal_id, one.other_id): one.verdict for one in tagged.judgements.all()} == before


def test_judgements_of_photos_without_description_are_left_out(tagged: Library, album: Album, tmp_path: Path) -> None:
    album.draw("a-new.jpg", seed=99)
    finish(scan(tagged, [album.folder]))
    ids = tagged.photos.ids().tolist()
    new = next(number for number, path in zip(ids, tagged.photos.paths(ids), strict=True) if path.name == "a-new.jpg")
    old = [number for number in ids if number != new]
    tagged.judgements.set(old[0], [new, old[1]], Verdict.SIMILAR)
    tagged.judgements.set(new, [old[2]], Verdict.SIMILAR)
    tagged.judgements.set(old[0], [old[3]], Verdict.DISSIMILAR)
    report = finish(save_judgements(tagged, tmp_path / "pairs.npz", FORMATS["npz"]))
    assert (report.saved, [path.name for path, _ in report.left_out]) == (2, ["a-new.jpg"])
    with np.load(tmp_path / "pairs.npz") as arrays:
        names = arrays["paths"]
        assert names[arrays["pairs"]].tolist() == [["cold/0.jpg", "cold/1.jpg"], ["cold/0.jpg", "cold/3.jpg"]]
        assert names[arrays["triplets"]].tolist() == [["cold/0.jpg", "cold/1.jpg", "cold/3.jpg"]]


def test_triplets_alone_are_read_as_judgements(tagged: Library, tmp_path: Path) -> None:
    photos = tagged.photos.get(tagged.photos.ids().tolist()[:3])
    hashes = np.array([one.content_hash for one in photos])
    np.savez(tmp_path / "triplets.npz", hashes=hashes, triplets=np.array([[0, 1, 2]]))
    finish(import_judgements(tagged, tmp_path / "triplets.npz", FORMATS["npz"]))
    said = {(one.focal_id, one.other_id): one.verdict for one in tagged.judgements.all()}
    assert said == {(photos[0].id, photos[1].id): "similar", (photos[0].id, photos[2].id): "dissimilar"}


# ---------------------------------------------------------------- places and rights
def test_only_files_of_the_same_kind_are_overwritten(tagged: Library, album: Album, tmp_path: Path) -> None:
    def refused(place: Path, name: str, match: str) -> None:
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises(OperationError, match=match):
            save(tagged, place, name)
        assert sorted(tmp_path.rglob("*")) == before

    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    refused(tmp_path / "full", "folders", "exists already")
    refused(album.folder / "set", "folders", "whose photos Focal shows")
    (tmp_path / "link").symlink_to(album.folder)
    refused(tmp_path / "link" / "set", "folders", "whose photos Focal shows")
    refused(tagged.path / "set", "folders", "in the library itself")
    refused(tagged.path / "set.xml", "cvat", "in the library itself")
    refused(album.path("cold/0.jpg"), "parquet", "is a photo")
    refused(tmp_path / "full" / "letter.txt", "labelstudio", "looks like another kind")
    refused(tmp_path / "none" / "set.xml", "cvat", "cannot be written")
    (tmp_path / "empty").mkdir()
    assert save(tagged, tmp_path / "empty", "folders").saved == 5


@pytest.mark.parametrize("name", SAVED)
def test_a_cancelled_save_leaves_nothing(tagged: Library, tmp_path: Path, name: str) -> None:
    form = FORMATS[name]
    place = tmp_path / f"set{form.suffixes[0] if form.suffixes else ''}"
    before = sorted(tmp_path.iterdir())
    job = save_photos(tagged, place, form)
    next(job), next(job)
    job.close()
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_system_without_links_suggests_copying(
    tagged: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "symlink", refuse)
    with pytest.raises(OperationError, match=r"No links can be made in .*: choose copies"):
        save(tagged, tmp_path / "set", "folders", media=Media.LINK)
    assert not (tmp_path / "set").exists()


def test_parquet_without_pyarrow_reports_what_to_install(
    tagged: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    read: Callable[[], object] = lambda: take_in(tagged, tmp_path / "x.parquet", "parquet")  # noqa: E731
    for call in (read, lambda: save(tagged, tmp_path / "x.parquet", "parquet")):
        with pytest.raises(OperationError, match=r"pip install '.\[tables\]'"):
            call()


def test_a_format_without_judgements_is_refused(tagged: Library, tmp_path: Path) -> None:
    coco: FileFormat = FORMATS["coco"]
    with pytest.raises(OperationError, match="COCO cannot contain judgements"):
        finish(save_judgements(tagged, tmp_path / "x.json", coco))
