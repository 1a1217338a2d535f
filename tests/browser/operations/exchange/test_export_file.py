# SPDX-License-Identifier: MIT
"""Photos and judgements written as files."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path
from threading import Thread

import pytest

from focal_photos.browser.catalog.facts.query.syntax import QueryError
from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange import records
from focal_photos.browser.operations.exchange.escapes import escaped
from focal_photos.browser.operations.exchange.export_file import export_judgements, export_photos, output_file
from focal_photos.browser.operations.exchange.formats import CSV, FORMATS, JSON_LINES
from focal_photos.browser.operations.exchange.import_file import import_judgements, import_tags
from focal_photos.browser.operations.exchange.records import photo_records
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.operations.album import Album


def test_the_table_of_photos_can_be_read_back(indexed: Library, album: Album, tmp_path: Path) -> None:
    ids = indexed.photos.ids()
    indexed.tags.change(ids[:2].tolist(), ["sea", "a/b"])
    stream = io.StringIO()
    assert export_photos(indexed, stream, CSV) == 12
    rows = list(csv.DictReader(io.StringIO(stream.getvalue())))
    assert rows[0]["file_name"] == "cold/0.jpg"
    assert rows[0]["path"] == str(album.path("cold/0.jpg"))
    assert (rows[0]["tags"], rows[2]["tags"]) == ("a/b;sea", "")
    assert (rows[0]["width"], rows[0]["height"], rows[0]["missing"]) == ("96", "64", "false")
    table = album.path("metadata.csv")
    table.write_text(stream.getvalue())
    with Library.open(tmp_path / "other") as other:
        finish(index(other, [album.folder]))
        assert finish(import_tags(other, table, CSV)).unknown == []
        assert [tag.name for tag in other.tags.all()] == [tag.name for tag in indexed.tags.all()]


def test_json_lines_have_the_same_content(indexed: Library) -> None:
    indexed.tags.change(indexed.photos.ids()[:1].tolist(), ["sea"])
    stream = io.StringIO()
    assert export_photos(indexed, stream, JSON_LINES, query="tag:sea") == 1
    record = json.loads(stream.getvalue())
    assert record["tags"] == ["sea"]
    assert record["file_name"] == "cold/0.jpg"
    assert (record["width"], record["failure"], record["taken"]) == (96, None, None)


def test_judgements_can_be_read_back(indexed: Library, tmp_path: Path) -> None:
    ids = indexed.photos.ids().tolist()
    indexed.judgements.set(ids[0], ids[1:3], Verdict.SIMILAR)
    indexed.judgements.set(ids[0], ids[3:4], Verdict.DISSIMILAR)
    stream = io.StringIO()
    indexed.judged_relations.set([(ids[0], ids[1], None)], holds=True)
    related = [(ids[0], ids[1], ids[2]), (ids[3], ids[4], ids[5])]
    indexed.judged_relations.set(related, holds=True)
    assert export_judgements(indexed, stream, CSV) == 6
    before = indexed.judgements.of(ids[0])
    indexed.judgements.set(ids[0], ids[1:4], None)
    indexed.judged_relations.set([(ids[0], ids[1], None), *related], holds=False)
    indexed.judged_relations.set([(ids[3], ids[5], ids[4])], holds=True)
    table = tmp_path / "pairs.csv"
    table.write_text(stream.getvalue())
    finish(import_judgements(indexed, table, CSV))
    assert indexed.judgements.of(ids[0]) == before
    assert indexed.judged_relations.visual() == [(ids[0], ids[1])]
    assert sorted(indexed.judged_relations.relative()) == sorted(related), "the file replaces the opposite"


def test_invalid_relations_of_a_table_are_refused(indexed: Library, album: Album) -> None:
    table = album.path("t.csv")
    rows = ["warm/1.jpg,nearer,", "warm/1.jpg,nearer,warm/0.jpg", "warm/1.jpg,near,", "warm/1.jpg,nearer,none.jpg"]
    table.write_text("focal,other,verdict,than\n" + "".join(f"warm/0.jpg,{row}\n" for row in rows))
    report = finish(import_judgements(indexed, table, CSV))
    assert [line for line, _ in report.refused] == [2, 3, 4]
    assert report.unknown == [album.path("none.jpg")]
    assert indexed.judged_relations.count() == 0


def test_a_format_without_the_data_is_refused(indexed: Library) -> None:
    unable = CSV._replace(write_photos=None, write_judgements=None)
    for export, what in (
        (export_photos, "cannot be written for photos"),
        (export_judgements, "cannot contain judgements"),
    ):
        with pytest.raises(OperationError, match=f"CSV {what}|CSV is {what}"):
            export(indexed, io.StringIO(), unable)


def test_block_boundaries_lose_no_photo(indexed: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(photo_records(indexed))
    assert [record["path"] for record in whole] == sorted(record["path"] for record in whole)
    for block in (1, 5, 12):
        monkeypatch.setattr(records, "_BLOCK", block)
        assert list(photo_records(indexed)) == whole


def test_a_file_is_replaced_only_after_complete_writing(indexed: Library, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("before")
    with pytest.raises(QueryError), output_file(target) as stream:
        export_photos(indexed, stream, CSV, query="date:never")
    assert target.read_text() == "before"
    with output_file(target) as stream:
        export_photos(indexed, stream, CSV)
        assert target.read_text() == "before"
    assert len(target.read_text().splitlines()) == 13
    assert list(tmp_path.glob(".out.csv*")) == []


def test_an_unwritable_file_is_reported_by_its_name(tmp_path: Path) -> None:
    target = tmp_path / "no" / "out.csv"
    with pytest.raises(OperationError) as caught, output_file(target):
        pass
    reason = "No such file or directory. Choose an existing folder."
    assert str(caught.value) == f"{target} cannot be written: {reason}"
    with pytest.raises(OSError, match="other") as other, output_file(tmp_path / "out.csv"):
        raise OSError(5, "other", "elsewhere")
    assert other.value.filename == "elsewhere"


@pytest.mark.parametrize(
    ("name", "told"), [("folder", "Is a directory."), ("/dev/full", "No space left on device. Free")]
)
def test_a_target_that_is_no_file_is_reported(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / name
    with pytest.raises(OperationError, match=f"{target} cannot be written: {told}"), output_file(target) as stream:
        stream.write("x" * 100_000)


def test_a_pipe_is_written_to_and_not_replaced(indexed: Library, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    with output_file(pipe) as stream:
        assert export_photos(indexed, stream, JSON_LINES) == 12
    assert pipe.is_fifo()
    reader.join(timeout=60)
    assert len(read[0].splitlines()) == 12


@pytest.mark.parametrize("name", [b"caf\xe9.jpg", b"carriage\rreturn.jpg", b"line\nbreak.jpg", b'a,b;"c".jpg'])
def test_odd_file_names_are_escaped_and_read_back(library: Library, album: Album, tmp_path: Path, name: bytes) -> None:
    odd = album.folder / os.fsdecode(name)
    album.draw("x.jpg").rename(odd)
    finish(index(library, [album.folder]))
    library.tags.change(library.photos.ids().tolist(), ["old"])
    table = tmp_path / "out.csv"
    with output_file(table) as stream:
        export_photos(library, stream, CSV)
    assert escaped(str(odd)).replace('"', '""') in table.read_text("utf-8")
    library.tags.change(library.photos.ids().tolist(), remove=["old"])
    assert finish(import_tags(library, table, CSV)).unknown == []
    assert [tag.name for tag in library.tags.all()] == ["old"]


# ---------------------------------------------------------------- cells that a spreadsheet would run
HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "'=1+1", "''-x", "\uff1dcmd", "it's", "'quoted'", "a=b", '="a"']
FILES = [f"{name}.jpg" for name in (*HOSTILE, "\t=x", "\r=x", "a\rb", "a\nb", " blanks ", '"q",')]


def test_no_cell_begins_a_formula_and_the_import_restores_the_names(
    library: Library, album: Album, tmp_path: Path
) -> None:
    for number, name in enumerate(FILES):
        album.draw("new.jpg", seed=number).rename(album.folder / name)
    finish(scan(library, [album.folder]))
    ids = library.photos.ids().tolist()
    assert len(ids) == len(FILES)
    for number, photo in enumerate(ids):
        library.tags.change([photo], [HOSTILE[number % len(HOSTILE)], HOSTILE[(number + 1) % len(HOSTILE)]])
    tags = library.tags.of(ids)
    table = tmp_path / "table.csv"
    with output_file(table) as stream:
        export_photos(library, stream, FORMATS["csv"])
    with table.open(newline="") as lines:
        for row in csv.reader(lines):
            parts = [part for cell in row for part in (cell, *row[2].split(";"))]
            assert not [part for part in parts if re.match(r"[=+\-@\t\r\uff1d]", part)], row
    for photo in ids:
        library.tags.change([photo], remove=tags[photo])
    with table.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    hashless = tmp_path / "hashless.csv"  # by their names only
    with hashless.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["path", "tags"])
        writer.writerows([row["path"], row["tags"]] for row in rows)
    assert sum(row["file_name"].startswith("'") for row in rows) >= 9
    report = finish(import_tags(library, hashless, FORMATS["csv"]))
    assert (report.unknown, report.refused) == ([], [])
    assert library.tags.of(ids) == tags


def test_relative_names_that_look_like_formulas_are_found(library: Library, album: Album) -> None:
    album.draw("new.jpg").rename(album.folder / "=new.jpg")
    finish(scan(library, [album.folder]))
    table = album.folder / "metadata.csv"
    table.write_text("file_name,tags\n'=new.jpg,'-sea; '@boat\n")
    assert finish(import_tags(library, table, FORMATS["csv"])).unknown == []
    [photo] = library.photos.ids().tolist()
    assert library.tags.of([photo])[photo] == ["-sea", "@boat"]
