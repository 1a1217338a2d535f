# SPDX-License-Identifier: MIT
"""Import and export of tables of tags and judgements."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album

NO_BOXES = dict.fromkeys(("boxed", "boxes", "outlines", "clipped", "invalid"), 0)


def test_tables_are_imported(indexed: Focal, album: Album, tmp_path: Path) -> None:
    table = tmp_path / "tags.csv"
    table.write_text("file,tags\nwarm/0.jpg,sun;sand\nnone.jpg,x\n")
    assert indexed.json("tag", "--from-csv", table, code=1)["unknown"] == [
        str(tmp_path / "warm/0.jpg"),
        str(tmp_path / "none.jpg"),
    ]
    report = indexed.json("tag", "--from-csv", table, "--root", album.folder)
    assert report == {"lines": 2, "changed": 1, "unknown": [str(album.path("none.jpg"))], "refused": [], **NO_BOXES}
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("focal,other,verdict\nwarm/0.jpg,cold/0.jpg,dissimilar\nwarm/0.jpg,cold/1.jpg,perhaps\n")
    report = indexed.json("judge", "--from-csv", pairs, "--root", album.folder)
    assert (report["changed"], report["refused"][0]["line"]) == (2, 3)


def test_tables_are_exported(indexed: Focal, album: Album, tmp_path: Path) -> None:
    rows = list(csv.DictReader(indexed("export").splitlines()))
    assert len(rows) == 10
    target = tmp_path / "out.csv"
    assert indexed.json("export", "--output", target, "--format", "csv", "--query", "path:warm") == {
        "file": str(target),
        "lines": 5,
    }
    assert len(target.read_text().splitlines()) == 6
    assert len(indexed.lines("export")) == 10
    indexed("export", "--output", tmp_path / "no" / "out.csv", code=1)
    assert "No such file" in indexed.err


def test_an_import_of_nothing_fails(indexed: Focal, album: Album, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    for command, text in (
        ("tag", f"file,tags\nnone.jpg,x\n{album.path('warm/0.jpg')},a//b\n"),
        ("judge", "focal,other,verdict\nnone.jpg,nil.jpg,similar\n"),
    ):
        table.write_text(text)
        assert indexed.json(command, "--from-csv", table, code=1)["changed"] == 0
        assert len(indexed.err.splitlines()) == 1
        assert indexed.err.startswith("focal: ")
    table.write_text("file,tags\n")
    assert indexed.json("tag", "--from-csv", table)["lines"] == 0
    table.write_text(f"file,tags\n{album.path('warm/0.jpg')},sun\n")
    for changed in (1, 0):  # existing tags count as imported too
        assert indexed.json("tag", "--from-csv", table)["changed"] == changed


def test_an_export_outside_the_photo_folder_can_be_imported(indexed: Focal, album: Album, tmp_path: Path) -> None:
    table = tmp_path / "exp.csv"
    indexed("tag", album.path("warm/0.jpg"), "+sun")
    indexed("export", "--output", table)
    indexed("undo")
    report = indexed.json("tag", "--from-csv", table)
    assert (report["changed"], report["unknown"]) == (1, [])


@pytest.mark.parametrize("written", ["labelstudio", "label-studio", "Label_Studio"])
def test_formats_are_recognised_by_their_usual_spellings(
    indexed: Focal, album: Album, tmp_path: Path, written: str
) -> None:
    indexed("tag", album.path("warm/0.jpg"), "+sun")
    report = indexed.json("export", "--format", written, "--output", tmp_path / "tasks.json")
    assert report["photos"] == 10
    indexed("undo")
    report = indexed.json("import", tmp_path / "tasks.json", "--format", written, "--root", album.folder)
    assert report["changed"] == 1
    indexed("export", "--format", "label studios", code=2)
    assert "'label studios'" in indexed.err


def test_values_skipped_for_one_reason_are_reported_in_one_line(indexed: Focal, album: Album, tmp_path: Path) -> None:
    indexed("tag", album.path("warm/0.jpg"), "+sun")
    for number, name in enumerate(("folders", "voc")):
        lines = indexed("export", "--format", name, "--output", tmp_path / f"out{number}").splitlines()
        assert len(lines) == 2
        assert lines[0].startswith("9 files: It has no tag")
        assert lines[0].endswith("...; --json lists them all)")
        assert lines[1].endswith("9 left out")
    left_out = indexed.json("export", "--format", "folders", "--output", tmp_path / "all")["left_out"]
    assert len(left_out) == 9


def test_an_export_that_skips_everything_fails(indexed: Focal, tmp_path: Path) -> None:
    for number, name in enumerate(("folders", "voc")):
        indexed("export", "--format", name, "--output", tmp_path / f"out{number}", code=1)
        assert "there is nothing to export" in indexed.err
        assert not (tmp_path / f"out{number}").exists()
    report = indexed.json("export", "--format", "folders", "--output", tmp_path / "all", code=1)
    assert (report["photos"], len(report["left_out"]), report["file"]) == (0, 10, None)
    assert not (tmp_path / "all").exists()


@pytest.mark.parametrize("name", ["csv", "jsonl", "folders", "npz"])
def test_an_export_without_matching_photos_writes_no_file(indexed: Focal, tmp_path: Path, name: str) -> None:
    place = tmp_path / f"none.{name}"
    indexed("export", "--format", name, "--query", "tag:none", "--output", place, code=1)
    assert "no photo matches tag:none: there is nothing to export, and no file was written" in indexed.err
    assert not place.exists()
    report = indexed.json("export", "--format", name, "--query", "tag:none", "--output", place, code=1)
    if name in ("csv", "jsonl"):
        assert report == {"file": None, "lines": 0}
    else:
        assert report == {"file": None, "photos": 0, "left_out": []}
    assert not place.exists()


def test_an_existing_table_stays_if_nothing_matches(indexed: Focal, tmp_path: Path) -> None:
    place = tmp_path / "kept.csv"
    place.write_text("what was there")
    indexed("export", "--query", "tag:none", "--output", place, code=1)
    assert place.read_text() == "what was there"
    assert indexed("export", "--query", "tag:none", code=1) == ""


def test_skipped_lines_are_summarised(indexed: Focal, album: Album, tmp_path: Path) -> None:
    table = tmp_path / "tags.csv"
    wrong = f"{album.path('warm/0.jpg')},a//b\n"
    table.write_text("file,tags\n" + "".join(f"none{number}.jpg,x\n" for number in range(50)) + 15 * wrong)
    lines = indexed("tag", "--from-csv", table, code=1).splitlines()
    assert len(lines) == 13
    assert lines[0].startswith("50 files: not in the library (")
    assert lines[11] == "5 more such lines (--json lists them all)"
    report = indexed.json("tag", "--from-csv", table, code=1)
    assert (len(report["unknown"]), len(report["refused"])) == (50, 15)


def test_omitted_columns_are_reported_and_all_others_round_trip(indexed: Focal, album: Album, tmp_path: Path) -> None:
    photo, other = album.path("warm/0.jpg"), album.path("cold/0.jpg")
    for command in (("export",), ("export", "--what", "judgements"), ("export", "--output", tmp_path / "a.csv")):
        indexed(*command)
        assert "left out" not in indexed.err
    indexed("tag", photo, "+sea")
    indexed("judge", photo, "--text", "a red boat", "--similar")
    indexed("judge", photo, other, "--dissimilar")
    indexed("searches", "--save", "blue", "tag:sea")
    told = "left out are saved searches (1), judgements against texts (1): --what everything --format jsonl holds them"
    for command in (("export",), ("export", "--what", "judgements"), ("export", "--output", tmp_path / "a.csv")):
        indexed(*command)
        assert told in indexed.err, command
    indexed("export", "--query", "tag:sea")
    assert "left out" not in indexed.err
    written = indexed.json("export", "--what", "everything", "--output", tmp_path / "all.jsonl")
    assert written["lines"] == 10 + 1 + 2
    assert "left out" not in indexed.err
    indexed("undo")
    indexed("undo")
    indexed("undo")
    indexed("undo")
    assert indexed.lines("export", "--what", "everything") != indexed_lines(tmp_path / "all.jsonl")
    report = indexed.json("import", tmp_path / "all.jsonl", "--format", "jsonl", "--what", "everything")
    assert (report["unknown"], report["refused"]) == ([], [])
    again, before = indexed.lines("export", "--what", "everything"), indexed_lines(tmp_path / "all.jsonl")
    assert [{**line, "at": None} for line in again] == [{**line, "at": None} for line in before]


def indexed_lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
