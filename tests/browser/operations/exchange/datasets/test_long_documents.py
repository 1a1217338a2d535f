# SPDX-License-Identifier: MIT
"""Long documents need little memory, and malicious ones are refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from focal_photos.browser.operations.exchange.datasets import json_document, label_studio, xml_document
from focal_photos.browser.operations.exchange.file_contents import TaggedFile
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.jobs.errors import OperationError
from tests.browser.operations.exchange.datasets.long_documents import DOCUMENTS

SIZE = 16 << 20
PROGRAM = "tests.browser.operations.exchange.datasets.long_documents"


def read(path: Path, name: str) -> list[TaggedFile]:
    reader = FORMATS[name].tags
    assert reader is not None
    return list(reader.read(path))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of the memory is read from /proc")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_long_document_needs_little_memory(name: str, tmp_path: Path) -> None:
    size = SIZE * (2 if name == "labelstudio, one task" else 1)  # numbers need little memory even as a whole
    done = subprocess.run(
        [sys.executable, "-m", PROGRAM, str(tmp_path), name, str(size)],
        capture_output=True, text=True, timeout=600, check=True,
    )  # fmt: skip
    most, count = map(int, done.stdout.split())
    assert count >= 1
    assert most < 80 << 20


# ---------------------------------------------------------------- JSON
def refused(path: Path, name: str, text: str | bytes, match: str) -> None:
    (path / "labels.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(OperationError, match=match):
        read(path if FORMATS[name].is_folder else path / "labels.json", name)


COCO = '{"images": [{"id": 1, "file_name": "a.jpg"}], "categories": [{"id": 2, "name": "sea"}], "annotations": []}'


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (COCO[:40], r"no JSON \(character 22: Expecting|no JSON \(character \d+"),
        (COCO[:-1], r"no JSON \(character \d+: a comma or bracket is missing"),
        (COCO + " x", r"no JSON \(character \d+: something follows its end"),
        (COCO.replace('"images"', "images"), r"character 2: a key is missing"),
        (COCO.replace('"images":', '"images"'), r"character \d+: a colon is missing"),
        (COCO.replace('"categories"', '"images"'), "images is there twice"),
        (COCO.replace('"annotations": []', '"info": []'), "no annotations"),
        (COCO.replace("[]", "null"), "annotations is no list"),
        (COCO.replace("[]", "[" * 100_000), "nested too deep"),
        (COCO.replace("[]", '{"a":' * 100_000), "nested too deep"),
        (COCO.replace("1,", "1" * 5000 + ","), "a number is too long"),
        (COCO.replace("1,", "1" * 30 + ","), "id is no whole number of at most 64 bits"),
        (COCO.replace("1,", "NaN,"), "id is no whole number"),
        (
            COCO.replace('"a.jpg"', '"' + "a" * (17 << 20) + '"'),
            "the value at character 36 is too long: at most 16,777",
        ),
        (COCO.replace("[]", "[[" + "[]," * (2 << 20) + "[]]]"), "the value at character 105 is too long"),
        (COCO.replace("[]", '["' + "a" * (17 << 20)), "the value at character 105 is too long"),
        (COCO.encode("utf-16"), "UTF-16: save it as UTF-8"),
        ("", r"no JSON \(character 1"),
    ],
)
def test_truncated_or_overlong_json_is_refused_with_its_position(tmp_path: Path, text: str | bytes, match: str) -> None:
    refused(tmp_path, "coco", text, match)


def test_sections_may_be_in_any_order_with_unknown_content(tmp_path: Path) -> None:
    annotations = [
        {"image_id": 1, "category_id": 2, "area": float("nan")},
        {"image_id": 3, "category_id": 2, "bbox": [0, 0, 1, float("-inf")]},
        {"image_id": 1, "category_id": 4},
        {"image_id": 1, "category_id": 2},
        {"image_id": 99, "category_id": 2},
    ]
    images = [{"id": number, "file_name": f"{number}.jpg"} for number in (3, 1, 2)]
    categories = [{"id": 4, "name": "dog"}, {"id": 2, "name": "sea"}]
    extra = {"a": [1, {"b": None}], "c": "]}"}
    sections = {"annotations": annotations, "info": extra, "images": images, "more": extra, "categories": categories}
    wanted = [("3.jpg", (), ("sea",)), ("1.jpg", ("sea", "dog"), ()), ("2.jpg", (), ())]
    for names in (list(sections), list(reversed(sections)), ["info", "images", "categories", "annotations"]):
        (tmp_path / "x").write_text("\ufeff" + json.dumps({name: sections[name] for name in names}))
        assert [(one.files[0].name, one.tags, one.boxes) for one in read(tmp_path / "x", "coco")] == wanted


@pytest.mark.parametrize("size", [*range(1, 24), 64])
def test_the_positions_of_block_boundaries_have_no_effect(
    tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    values: list[object] = [
        0,
        -1.5,
        1e300,
        12345678901234567890,
        True,
        None,
        "",
        'a\\"\u00e9\udcff\U0001f600',
        [],
        {},
        [[1], {"a": 2}],
    ]
    document = {f"key {number}": value for number, value in enumerate(values)} | {"x": float("inf"), "y": -float("inf")}
    (tmp_path / "x").write_text(json.dumps(document, indent=1))
    monkeypatch.setattr(json_document, "_PIECE", size)
    with json_document.json_document(tmp_path / "x") as found:
        assert {key: found.value() for key in found.sections("it")} == document
    with json_document.json_document(tmp_path / "x") as found:
        found.skip()
        found.end()
    monkeypatch.setattr(json_document, "_LONGEST_VALUE", 40)  # members are skipped one by one
    with json_document.json_document(tmp_path / "x") as found:
        found.skip()
        found.end()


def test_long_unused_parts_of_a_task_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outline = {"type": "brushlabels", "value": {"rle": [0] * 500, "brushlabels": ["dog"]}}
    choice = {"type": "choices", "value": {"choices": ["sea"]}}
    task = {
        "predictions": [{"result": [outline] * 5}],
        "annotations": [{"result": [outline, choice]}],
        "data": {"image": "a.jpg"},
    }
    monkeypatch.setattr(json_document, "_LONGEST_VALUE", 400)
    monkeypatch.setattr(json_document, "_PIECE", 100)
    (tmp_path / "x").write_text(json.dumps([task, task]))
    assert [(one.tags, one.boxes) for one in read(tmp_path / "x", "labelstudio")] == [(("sea",), ("dog",))] * 2
    task["annotations"] = [{"result": [choice] * 50}]
    refused(tmp_path, "labelstudio", json.dumps([task]), "is too long")
    assert "rle" in label_studio._SKIPPED_KEYS


def test_a_photo_listed_twice_gets_both_labels(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text('{"labels": {"a": "x", "a": 0}, "classes": ["y"]}')
    assert [(one.files, one.tags) for one in read(tmp_path, "fiftyone")] == [
        ((Path("a"),), ("x",)),
        ((Path("a"),), ("y",)),
    ]
    refused(tmp_path, "fiftyone", '{"labels": {}, "labels": {"a": 0}}', "labels is there twice")


# ---------------------------------------------------------------- XML
MANY = {
    "text": lambda: "<a><image>" + "x" * (5 << 20) + "</image></a>",
    "an attribute": lambda: '<a><image name="' + "x" * (5 << 20) + '"/></a>',
    "attributes": lambda: "<a><image" + "".join(f' a{number}=""' for number in range(500_000)) + "/></a>",
    "a comment": lambda: "<a><!--" + "x" * (5 << 20) + "--></a>",
    "a name": lambda: "<a><" + "x" * (5 << 20) + "/></a>",
}


@pytest.mark.parametrize("what", MANY)
def test_xml_with_too_much_in_one_element_is_refused(tmp_path: Path, what: str) -> None:
    made: Callable[[], str] = MANY[what]
    (tmp_path / "x").write_text(made())
    with pytest.raises(OperationError, match=r"more than 4,194,304 bytes of text or attributes|is no XML"):
        read(tmp_path / "x", "cvat")


def test_xml_with_deep_nesting_or_too_many_names_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_text("<a>" * 100_000)
    with pytest.raises(OperationError, match="nested more than 256 deep"):
        read(tmp_path / "x", "cvat")
    monkeypatch.setattr(xml_document, "_MOST_NAMES", 100)
    for piece in ("<n%d/>", '<n a%d=""/>'):
        (tmp_path / "x").write_text("<a>" + "".join(piece % number for number in range(200)) + "</a>")
        with pytest.raises(OperationError, match="more than 100 different names"):
            read(tmp_path / "x", "cvat")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb2312"])
def test_xml_in_other_encodings_is_read(tmp_path: Path, encoding: str) -> None:
    head = '<?xml version="1.0" encoding="gb2312"?>' if encoding == "gb2312" else ""
    (tmp_path / "x").write_text(
        f'{head}<a><image name="中.jpg"><tag label="&lt;海&gt;"/></image></a>', encoding=encoding
    )
    assert [(one.files, one.tags) for one in read(tmp_path / "x", "cvat")] == [((Path("中.jpg"),), ("<海>",))]


def test_truncated_xml_is_refused_with_its_position(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('<annotations>\n<image name="a.jpg"/>\n<image name')
    with pytest.raises(OperationError, match=r"is no XML \(.*line 3"):
        read(tmp_path / "x", "cvat")


def test_voc_objects_take_only_their_own_names(tmp_path: Path) -> None:
    (tmp_path / "Annotations").mkdir()
    (tmp_path / "Annotations" / "a.xml").write_text(
        "<annotation><name>none</name><object><part><name>tail</name></part><name> dog <b>x</b>y</name><name>cat</name>"
        "</object><object><difficult>1</difficult><name>bird</name></object><object><name>c&amp;<![CDATA[<d>]]></name>"
        "<difficult>0</difficult></object><object><name/></object></annotation>"
    )
    assert [one.boxes for one in read(tmp_path, "voc")] == [("dog", "c&<d>")]
