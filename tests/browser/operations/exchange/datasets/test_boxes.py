# SPDX-License-Identifier: MIT
"""Boxes in data sets of other programs: written and read back, read from hand-made files, and refused if invalid."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.records import Photo, Region, TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.datasets import shapes
from focal_photos.browser.operations.exchange.export_data_set import save_photos
from focal_photos.browser.operations.exchange.file_contents import FoundBox
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.exchange.import_file import ImportReport, import_tags
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish

BOXED = ("coco", "yolo", "voc", "cvat", "labelstudio", "fiftyonedetection")
DRAWN = [
    ("cold/0.jpg", Region(0.1, 0.2, 0.6, 0.7), "animal/dog"),
    ("cold/0.jpg", Region(0.0, 0.0, 1.0, 0.5), "sea"),
    ("warm/1.jpg", Region(0.5, 0.25, 0.75, 1.0), "Ünï & <co>"),
]


@pytest.fixture
def by_name(indexed: Library) -> dict[str, int]:
    ids = indexed.photos.ids().tolist()
    return dict(zip(("/".join(path.parts[-2:]) for path in indexed.photos.paths(ids)), ids, strict=True))


@pytest.fixture
def size(indexed: Library, by_name: dict[str, int]) -> tuple[int, int]:
    (photo,) = indexed.photos.get([by_name["cold/0.jpg"]])
    assert photo.width
    assert photo.height
    return photo.width, photo.height


def take_in(library: Library, place: Path, name: str, **more: Any) -> ImportReport:
    form = FORMATS[name]
    base = None if form.is_folder else library.roots.all()[0].path
    return finish(import_tags(library, place, form, base, boxes=True, **more))


def boxes_of(library: Library) -> list[tuple[int, str | None, Any]]:
    return [
        (box.photo_id, box.tag, [box.region.x0, box.region.y0, box.region.x1, box.region.y1])
        for box in library.boxes.all()
    ]


@pytest.mark.parametrize("name", BOXED)
def test_boxes_are_written_and_read_back(
    indexed: Library, by_name: dict[str, int], size: tuple[int, int], tmp_path: Path, name: str
) -> None:
    indexed.boxes.add([(by_name[photo], region, tag) for photo, region, tag in DRAWN])
    indexed.boxes.add([(by_name["cold/0.jpg"], Region(0.0, 0.0, 0.1, 0.1), None)])
    before = boxes_of(indexed)[:3]
    place = tmp_path / f"set{FORMATS[name].suffixes[0] if FORMATS[name].suffixes else ''}"
    assert finish(save_photos(indexed, place, FORMATS[name])).unnamed == 1
    report = take_in(indexed, place, name)
    assert (report.refused, report.boxes, report.outlines, report.clipped, report.invalid) == ([], 3, 0, 0, 0)
    assert not report.changes, "the photos have these boxes already"
    indexed.boxes.remove([box.id for box in indexed.boxes.all()])
    assert indexed.tags.all() == []
    report = take_in(indexed, place, name)
    found = sorted(boxes_of(indexed))
    for one, other in zip(found, sorted(before), strict=True):
        assert one[:2] == other[:2]
        assert one[2] == pytest.approx(other[2], abs=0.501 / min(size) if name == "voc" else 1e-4)
    assert {box.source for box in indexed.boxes.all()} == {TagSource.IMPORT}
    assert indexed.tags.of([by_name["cold/0.jpg"]])[by_name["cold/0.jpg"]] == ["animal/dog", "sea"]
    indexed.journal.undo()
    assert (indexed.boxes.all(), indexed.tags.all()) == ([], [])


def _coco(size: tuple[int, int], *annotations: dict[str, Any]) -> str:
    image = {"id": 1, "file_name": "cold/0.jpg", "width": size[0], "height": size[1]}
    found = [{"id": at, "image_id": 1, "category_id": 1, **one} for at, one in enumerate(annotations)]
    return json.dumps({"images": [image], "annotations": found, "categories": [{"id": 1, "name": "dog"}]})


def test_coco_outlines_become_boxes_and_invalid_boxes_are_counted(
    indexed: Library, by_name: dict[str, int], size: tuple[int, int], tmp_path: Path
) -> None:
    width, height = size
    file = tmp_path / "a.json"
    outline = [0, 0, width / 4, 0, width / 4, height / 2]
    text = _coco(
        size,
        {"bbox": [width / 2, 0, width / 4, height]},
        {"segmentation": [outline]},
        {"bbox": [width / 2, height / 2, width, height]},  # reaches beyond the photo
        {"bbox": [width / 2, 0, -5, 5]},
        {"bbox": [0, 0, 0, 0]},
        {"bbox": [width + 5, 0, 9, 9]},
        {"bbox": ["a", 0, 9, 9]},
        {"bbox": [0.1, 0.1, 0.5, 0.5]},  # fractions
        {"keypoints": [1, 1, 2]},
    )
    file.write_text(text)
    report = take_in(indexed, file, "coco")
    assert [sides for _, _, sides in boxes_of(indexed)] == [
        pytest.approx([0.5, 0, 0.75, 1]),
        pytest.approx([0, 0, 0.25, 0.5]),
        pytest.approx([0.5, 0.5, 1, 1]),
    ]
    assert (report.boxes, report.outlines, report.clipped, report.invalid) == (3, 1, 1, 5)
    ((line, reason),) = report.refused
    assert (line, reason.startswith("5 of its 8 boxes are invalid")) == (1, True)
    file.write_text(_coco((height, width), {"bbox": [1, 1, 9, 9]}))
    report = take_in(indexed, file, "coco")
    assert report.invalid == (width != height), "the boxes are for an image of another shape"


def test_yolo_boxes_are_fractions_around_a_centre(indexed: Library, by_name: dict[str, int], tmp_path: Path) -> None:
    (tmp_path / "labels" / "train").mkdir(parents=True)
    (tmp_path / "data.yaml").write_text("names:\n  0: dog\n  1: 'fish: small'\n")
    file = tmp_path / "labels" / "train" / "cold.txt"
    indexed_photo = by_name["cold/0.jpg"]
    (tmp_path / "images" / "train").mkdir(parents=True)
    source = indexed.photos.paths([indexed_photo])[0]
    (tmp_path / "images" / "train" / "cold.jpg").write_bytes(source.read_bytes())
    file.write_text("1 0.5 0.5 0.5 0.25\n\n0 0 0 0.5 0 0.5 0.5\n0 320 240 64 48\n0 0.9 0.5 0.4 0.5 0.87\n")
    report = take_in(indexed, tmp_path, "yolo")
    assert boxes_of(indexed) == [
        (indexed_photo, "fish: small", pytest.approx([0.25, 0.375, 0.75, 0.625])),
        (indexed_photo, "dog", pytest.approx([0, 0, 0.5, 0.5])),
        (indexed_photo, "dog", pytest.approx([0.7, 0.25, 1, 0.75])),
    ]
    assert (report.boxes, report.outlines, report.clipped, report.invalid) == (3, 1, 1, 1)


@pytest.mark.parametrize(
    ("table", "labels", "match"),
    [
        ("", "0 0.5 0.5 1 1", "no names of classes"),
        ("names: [", "0 0.5 0.5 1 1", "no YAML"),
        ("names: [dog]", "1 0.5 0.5 1 1", "line 1 does not begin with the number of a class"),
        ("names: [dog]", "0 0.5 0.5 1", "line 1 is no box"),
        ("names: [dog]", None, "no folder labels"),
    ],
)
def test_a_wrong_yolo_folder_is_refused(
    indexed: Library, tmp_path: Path, table: str, labels: str | None, match: str
) -> None:
    (tmp_path / "data.yaml").write_text(table)
    if labels is not None:
        (tmp_path / "labels").mkdir()
        (tmp_path / "labels" / "0.txt").write_text(labels)
    with pytest.raises(OperationError, match=match):
        take_in(indexed, tmp_path, "yolo")


def test_turned_rectangles_and_other_shapes_are_enclosed(
    indexed: Library, by_name: dict[str, int], tmp_path: Path
) -> None:
    def result(kind: str, **value: Any) -> dict[str, Any]:
        return {"type": kind, "value": {**value, kind: ["dog"]}, "original_width": 200, "original_height": 200}

    task = {
        "data": {"image": "/data/local-files/?d=cold/0.jpg"},
        "annotations": [
            {
                "result": [
                    result("rectanglelabels", x=50, y=50, width=25, height=10, rotation=90),
                    result("ellipselabels", x=50, y=50, radiusX=10, radiusY=20),
                    result("polygonlabels", points=[[10, 10], [20, 15], [12, 30]]),
                    result("keypointlabels", x=5, y=5, width=1),
                ]
            }
        ],
    }
    file = tmp_path / "a.json"
    file.write_text(json.dumps([task]))
    (photo,) = indexed.photos.get([by_name["cold/0.jpg"]])
    report = take_in(indexed, file, "labelstudio")
    if photo.width != photo.height:
        assert report.invalid == 3
        file.write_text(json.dumps([task]).replace("original_", "other_"))
        assert take_in(indexed, file, "labelstudio").invalid == 3
    else:
        assert [sides for _, _, sides in boxes_of(indexed)] == [
            pytest.approx([0.4, 0.5, 0.5, 0.75]),
            pytest.approx([0.4, 0.3, 0.6, 0.7]),
            pytest.approx([0.1, 0.1, 0.2, 0.3]),
        ]
        assert report.outlines == 3


def test_voc_pixels_begin_with_one(
    indexed: Library, by_name: dict[str, int], size: tuple[int, int], tmp_path: Path
) -> None:
    (tmp_path / "Annotations" / "cold").mkdir(parents=True)
    width, height = size
    (tmp_path / "Annotations" / "cold" / "0.xml").write_text(
        f"<annotation><size><width>{width}</width><height>{height}</height></size><object><name>dog</name>"
        f"<part><name>head</name><bndbox><xmin>7</xmin></bndbox></part>"
        f"<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>{width // 2}</xmax><ymax>{height}</ymax></bndbox></object>"
        "<object><name>cat</name><difficult>1</difficult></object></annotation>"
    )
    base = indexed.roots.all()[0].path
    report = finish(import_tags(indexed, tmp_path, FORMATS["voc"], base, boxes=True))
    assert boxes_of(indexed) == [(by_name["cold/0.jpg"], "dog", pytest.approx([0, 0, width // 2 / width, 1]))]
    assert report.invalid == 0


PHOTO = Photo(1, "0" * 32, Path("a.jpg"), 1, 400, 300, None, None, missing=False)
SIDE = st.floats(-2000, 2000) | st.sampled_from([0.0, 400.0, 300.0, math.nan, math.inf])


@given(st.tuples(SIDE, SIDE, SIDE, SIDE), st.sampled_from([None, (400.0, 300.0), (800.0, 600.0)]))
def test_a_box_on_a_photo_is_valid_or_left_out(
    sides: tuple[float, float, float, float], size: tuple[float, float] | None
) -> None:
    region, clipped = shapes.fitted(FoundBox("dog", sides, size), PHOTO)
    width, height = size or (400.0, 300.0)
    left, top, right, bottom = sides
    if not all(map(math.isfinite, sides)) or right <= left or bottom <= top:
        assert region is None
    if region is None:
        return
    assert 0 <= region.x0 < region.x1 <= 1
    assert 0 <= region.y0 < region.y1 <= 1
    inside = left >= 0 and top >= 0 and right <= width and bottom <= height
    assert not (clipped and inside)
    assert region.x0 == pytest.approx(max(left / width, 0))
    assert region.y1 == pytest.approx(min(bottom / height, 1))


def test_a_box_without_a_name_gets_the_name_of_the_same_box(indexed: Library, by_name: dict[str, int]) -> None:
    photo, region = by_name["cold/0.jpg"], Region(0.1, 0.1, 0.5, 0.5)
    indexed.boxes.add([(photo, region, None)])
    with indexed.journal.action("Import"):
        shapes.add_missing_boxes(
            indexed, [(photo, region, None), (photo, region, "dog"), (photo, region, "dog")], TagSource.IMPORT
        )
    assert boxes_of(indexed) == [(photo, "dog", [0.1, 0.1, 0.5, 0.5])]
