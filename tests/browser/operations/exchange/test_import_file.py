# SPDX-License-Identifier: MIT
"""Importing tags and judgements from files."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Mark, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange import csv_format
from focal_photos.browser.operations.exchange.csv_format import read_rows
from focal_photos.browser.operations.exchange.formats import CSV, FORMATS, JSON_LINES
from focal_photos.browser.operations.exchange.import_file import import_judgements, import_tags
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.find import find_photos
from tests.browser.operations.album import Album
from tests.browser.operations.counted import counted


def entries(library: Library) -> int:
    (count,) = library.database.row("SELECT count(*) FROM journal WHERE undone = 0") or (0,)
    return int(count)


def test_tags_are_imported(indexed: Library, album: Album) -> None:
    table = album.path("tags.csv")
    table.write_text(
        "\ufefffile,tags\n"
        "warm/0.jpg,sun; sand ;\n"
        "warm/1.jpg,sun;sand\n"
        "nowhere.jpg,sun\n"
        "cold/0.jpg,\n"
        'cold/1.jpg,"snow;bad,name;ice//"\n'
    )
    report = finish(import_tags(indexed, table, CSV))
    assert report.lines == 5
    assert report.unknown == [album.path("nowhere.jpg")]
    assert [line for line, _ in report.refused] == [6, 6]
    assert len(report.changes.photo_ids) == 3
    assert entries(indexed) == 1
    assert [tag.name for tag in indexed.tags.all()] == ["sand", "snow", "sun"]
    indexed.journal.undo()
    assert indexed.tags.all() == []


def test_import_adds_to_existing_tags_and_repeating_it_changes_nothing(indexed: Library, album: Album) -> None:
    ids = find_photos(indexed, [album.path("warm/0.jpg")])
    indexed.tags.change(ids, ["mine"])
    table = album.path("t.csv")
    table.write_text("tags,file_name\nsun,0.jpg\n")
    report = finish(import_tags(indexed, table, CSV, album.path("warm")))
    assert len(report.changes.photo_ids) == 1
    assert indexed.tags.of(ids)[ids[0]] == ["mine", "sun"]
    assert not finish(import_tags(indexed, table, CSV, album.path("warm"))).changes


def test_a_cancelled_import_changes_nothing(indexed: Library, album: Album) -> None:
    table = album.path("t.csv")
    table.write_text("file,tags\n" + "".join(f"warm/{i % 6}.jpg,t{i}\n" for i in range(500)))
    job = import_tags(indexed, table, CSV)
    next(job)
    job.close()
    assert indexed.tags.all() == []


def test_a_write_only_format_is_refused(indexed: Library, album: Album) -> None:
    unable = JSON_LINES._replace(tags=None, judgements=None)
    for job in (import_tags, import_judgements):
        with pytest.raises(OperationError, match="not read from JSON Lines: choose another format"):
            finish(job(indexed, album.path("t.jsonl"), unable))


def test_json_lines_of_the_wrong_shape_are_reported_with_their_line(indexed: Library, album: Album) -> None:
    file = album.path("t.jsonl")
    for text, words in (
        ("[]", "line 1: it is no object"),
        ('{"path": "a", "tags": []}\n\n{"path"', "line 3: it is no JSON"),
        ("[" * 100_000, "line 1: it is no JSON"),
        ('{"tags": ["a"]}', "line 1: it names no file"),
        ('{"path": 3}', "line 1: its path is no text"),
        ('{"path": "a\\u0000b"}', "line 1: its path is no text"),
        ('{"path": "a", "rating": "4"}', "line 1: its rating is no whole number"),
        ('{"path": "a", "tags": "b"}', "line 1: its tags are no list of texts"),
        ('{"path": "a", "rejected": [1]}', "line 1: its rejected are no list of texts"),
        ('{"path": "' + "a" * (17 << 20), "line 1 has more than 16,777,216 characters"),
    ):
        file.write_text(text)
        with pytest.raises(OperationError, match=words):
            finish(import_tags(indexed, file, JSON_LINES))
    file.write_text('{"focal": "a", "verdict": "similar"}')
    with pytest.raises(OperationError, match="line 1: it has no other"):
        finish(import_judgements(indexed, file, JSON_LINES))
    os.mkfifo(album.path("pipe"))
    with pytest.raises(OperationError, match="it is not a regular file"):
        finish(import_tags(indexed, album.path("pipe"), JSON_LINES))
    assert indexed.tags.all() == []


def test_ratings_and_labels_are_imported_from_tables_too(indexed: Library, album: Album) -> None:
    table = album.path("t.csv")
    table.write_text(
        "file,tags,rating,label\nwarm/0.jpg,,5,Red\nwarm/1.jpg,sun,7,\nwarm/2.jpg,,-1,\nwarm/3.jpg,,0,Bl\x01ue\n"
    )
    ids = find_photos(indexed, [album.path(f"warm/{number}.jpg") for number in range(4)])
    indexed.marks.set(ids, rating=2, label="Green")
    report = finish(import_tags(indexed, table, CSV))
    assert [line for line, _ in report.refused] == [3, 5]
    assert list(indexed.marks.of(ids).values()) == [
        Mark(5, "Red"),
        Mark(2, "Green"),
        Mark(-1, "Green"),
        Mark(None, "Green"),
    ]
    assert report.changes.label == "Import tags"
    indexed.journal.undo()
    assert set(indexed.marks.of(ids).values()) == {Mark(2, "Green")}


def test_the_content_takes_precedence_over_the_path(indexed: Library, album: Album) -> None:
    """For example, an export written before two photos swapped their names."""
    first, second = find_photos(indexed, [album.path("warm/0.jpg"), album.path("warm/1.jpg")])
    (photo,) = indexed.photos.get([first])
    line = {"path": str(album.path("warm/1.jpg")), "hash": photo.content_hash, "tags": ["sun"]}
    file = album.path("t.jsonl")
    file.write_text(json.dumps(line) + "\n" + json.dumps({**line, "hash": "0" * 32, "tags": ["sand"]}))
    assert finish(import_tags(indexed, file, JSON_LINES)).unknown == []
    assert indexed.tags.of([first, second]) == {first: ["sun"], second: ["sand"]}


def test_unreadable_tables_are_reported_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(OperationError, match=r"none\.csv cannot be read: No such file"):
        list(read_rows(tmp_path / "none.csv", {"file": ("file",)}))
    (tmp_path / "t.csv").write_text("name,tags\na,b\n")
    with pytest.raises(OperationError, match="no column file or path"):
        list(read_rows(tmp_path / "t.csv", {"file": ("file", "path")}))
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(OperationError, match="no column"):
        list(read_rows(tmp_path / "empty.csv", {"file": ("file",)}))
    (tmp_path / "broken.csv").write_text('file\n"open\n')
    with pytest.raises(OperationError, match="not a table"):
        list(read_rows(tmp_path / "broken.csv", {"file": ("file",)}))


def test_short_rows_and_empty_lines_of_a_table_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("File, Tags \n\na\n b , c \n")
    rows = list(read_rows(tmp_path / "t.csv", {"file": ("file",), "tags": ("tags",)}))
    assert rows == [(3, {"file": ["a"], "tags": [""]}), (4, {"file": [" b "], "tags": [" c "]})]


def test_an_exported_table_can_be_imported_from_any_folder(indexed: Library, album: Album, tmp_path: Path) -> None:
    ids = find_photos(indexed, [album.path("warm/0.jpg")])
    for path, name in (
        (album.path("warm/0.jpg"), "warm/0.jpg"),
        ("/elsewhere/warm/0.jpg", album.path("warm/0.jpg")),
        ("", album.path("warm/0.jpg")),
    ):
        table = tmp_path / "exp.csv"
        table.write_text(f"path,file_name,tags\n{path},{name},sun\n/none.jpg,none.jpg,x\n")
        report = finish(import_tags(indexed, table, CSV))
        assert indexed.tags.of(ids)[ids[0]] == ["sun"]
        assert report.unknown == [Path("/none.jpg")]
        assert (report.lines, report.taken) == (2, 1)
        indexed.journal.undo()


def test_judgements_are_imported(indexed: Library, album: Album) -> None:
    table = album.path("pairs.csv")
    table.write_text(
        "focal,other,verdict\n"
        "warm/0.jpg,warm/1.jpg,similar\n"
        "warm/0.jpg,cold/1.jpg,Dissimilar\n"
        "warm/0.jpg,cold/2.jpg,maybe\n"
        "warm/0.jpg,warm/0.jpg,similar\n"
        "warm/0.jpg,gone.jpg,similar\n"
    )
    report = finish(import_judgements(indexed, table, CSV))
    assert report.lines == 5
    assert report.unknown == [album.path("gone.jpg")]
    assert [line for line, _ in report.refused] == [4, 5]
    assert [one.verdict for one in indexed.judgements.all()] == [Verdict.DISSIMILAR, Verdict.SIMILAR] or [
        one.verdict for one in indexed.judgements.all()
    ] == [Verdict.SIMILAR, Verdict.DISSIMILAR]
    assert entries(indexed) == 1


def test_a_line_counts_as_imported_if_any_of_its_tags_is_valid(indexed: Library, album: Album) -> None:
    table = album.path("t.csv")
    table.write_text("file,tags\nwarm/0.jpg,\nwarm/1.jpg,a//b\nwarm/2.jpg,a//b;sun\n")
    report = finish(import_tags(indexed, table, CSV))
    assert (report.lines, report.taken, [line for line, _ in report.refused]) == (3, 2, [3, 4])


def test_an_unknown_photo_is_reported_by_its_likeliest_path(indexed: Library, album: Album) -> None:
    table = album.path("t.csv")
    table.write_text("file_name,path,tags\ngone.jpg,/elsewhere/gone.jpg,sun\n")
    assert finish(import_tags(indexed, table, CSV)).unknown == [Path("/elsewhere/gone.jpg")]


def test_an_import_reports_progress(indexed: Library, album: Album) -> None:
    for job, text in (
        (import_tags, "file,tags\n" + "warm/0.jpg,sun\n" * 401),
        (import_judgements, "focal,other,verdict\n" + "warm/0.jpg,warm/1.jpg,similar\n" * 401),
    ):
        table = album.path("t.csv")
        table.write_text(text)
        assert [progress.done for progress in job(indexed, table, CSV)] == [200, 400, 400]
    assert [tag.name for tag in indexed.tags.all()] == ["sun"]
    assert len(indexed.judgements.all()) == 1


# ---------------------------------------------------------------- files of the wrong shape
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_gigabyte_without_a_line_break_is_refused_early(indexed: Library, tmp_path: Path, form: str) -> None:
    file = tmp_path / "table"
    with file.open("wb") as stream:
        stream.truncate(1 << 30)
    tracemalloc.start()
    with pytest.raises(OperationError, match="line 1 has more than 16,777,216 characters"):
        finish(import_tags(indexed, file, FORMATS[form]))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 200 << 20


def test_an_unclosed_quotation_mark_is_refused(indexed: Library, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    with file.open("w") as stream:
        stream.write("file,tags\n")
        for _ in range(200_000):
            stream.write(f'"{"x" * 100}\n{"x" * 100}",')
    with pytest.raises(OperationError, match="is a quotation mark never closed"):
        finish(import_tags(indexed, file, FORMATS["csv"]))
    file.write_text('file,tags\n"' + "x\n" * 200_000)
    with pytest.raises(OperationError, match="not a table in CSV: field larger than field limit"):
        finish(import_tags(indexed, file, FORMATS["csv"]))


def test_the_limit_of_a_row_does_not_apply_to_the_table(
    indexed: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "table.csv"
    file.write_text("file,tags\n" + '"not\nthere.jpg",sea\n' * 50)
    monkeypatch.setattr(csv_format, "MAX_LINE_LENGTH", 30)
    assert finish(import_tags(indexed, file, FORMATS["csv"])).lines == 50


def test_a_line_counts_as_imported_once_with_valid_tags(indexed: Library, album: Album) -> None:
    table = album.path("tags.csv")
    for tags, taken in (("sea;a//b", 1), ("a//b", 0), ("", 1), ("sea", 1)):
        table.write_text(f"file,tags\nwarm/0.jpg,{tags}\n")
        report = finish(import_tags(indexed, table, CSV))
        assert (report.lines, report.taken, len(report.refused)) == (1, taken, tags.count("//")), tags


# ---------------------------------------------------------------- long tables
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_rows_need_no_file_system_calls_and_few_statements(
    indexed: Library, album: Album, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"warm/{n % 6}.jpg" if n % 2 else f"{('unknown', 'warm', '.')[n % 3]}/no {n}.jpg" for n in range(2000)]
    table = album.path("t")
    if form == "csv":
        table.write_text("file,tags\n" + "".join(f"{name},sun\n" for name in names))
    else:
        table.write_text("".join(json.dumps({"path": name, "tags": ["sun"]}) + "\n" for name in names))
    calls: list[str] = []
    statements: list[str] = []
    for name in ("stat", "lstat", "open", "scandir", "readlink"):
        monkeypatch.setattr(os, name, counted(getattr(os, name), calls))
    with indexed.database.reading() as connection:
        connection.set_trace_callback(statements.append)
    report = finish(import_tags(indexed, table, FORMATS[form]))
    with indexed.database.reading() as connection:
        connection.set_trace_callback(None)
    assert (report.lines, report.taken, len(report.unknown)) == (2000, 1000, 1000)
    assert len(calls) < 100
    assert 2000 <= len(statements) < 2100
