"""Tables of tags and judgements, taken in and written."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


def test_import_of_tables(indexed: Focal, album: Album, tmp_path: Path) -> None:
    table = tmp_path / "tags.csv"
    table.write_text("file,tags\nwarm/0.jpg,sun;sand\nnone.jpg,x\n")
    assert indexed.json("tag", "--from-csv", table, code=1)["unknown"] == [
        str(tmp_path / "warm/0.jpg"),
        str(tmp_path / "none.jpg"),
    ]
    report = indexed.json("tag", "--from-csv", table, "--root", album.folder)
    assert report == {"lines": 2, "changed": 1, "unknown": [str(album.path("none.jpg"))], "refused": [], "boxed": 0}
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("focal,other,verdict\nwarm/0.jpg,cold/0.jpg,dissimilar\nwarm/0.jpg,cold/1.jpg,perhaps\n")
    report = indexed.json("judge", "--from-csv", pairs, "--root", album.folder)
    assert (report["changed"], report["refused"][0]["line"]) == (2, 3)


def test_export(indexed: Focal, album: Album, tmp_path: Path) -> None:
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


def test_an_import_that_takes_nothing_in_fails(indexed: Focal, album: Album, tmp_path: Path) -> None:
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
    for changed in (1, 0):  # what is there already was taken in too
        assert indexed.json("tag", "--from-csv", table)["changed"] == changed


def test_an_export_outside_of_the_photo_folder_is_imported(indexed: Focal, album: Album, tmp_path: Path) -> None:
    table = tmp_path / "exp.csv"
    indexed("tag", album.path("warm/0.jpg"), "+sun")
    indexed("export", "--output", table)
    indexed("undo")
    report = indexed.json("tag", "--from-csv", table)
    assert (report["changed"], report["unknown"]) == (1, [])
