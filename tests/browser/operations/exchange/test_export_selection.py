# SPDX-License-Identifier: MIT
"""Copies and tables of selected photos."""

from __future__ import annotations

import csv
import errno
import json
import os
import shutil
from pathlib import Path
from typing import BinaryIO

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.export_selection import copy_photos, export_table
from focal_photos.browser.operations.exchange.formats import CSV, FORMATS, JSON_LINES
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from tests.browser.catalog.albums import id_of
from tests.browser.catalog.small_drives import refuse
from tests.browser.operations.album import Album


def chosen(library: Library, album: Album) -> list[int]:
    return [id_of(library, album.path(name)) for name in ("warm/3.jpg", "cold/3.jpg", "cold/1.jpg")]


def test_a_table_lists_the_photos_in_order(indexed: Library, album: Album, tmp_path: Path) -> None:
    ids = chosen(indexed, album)
    indexed.tags.change(ids[1:2], ["sea"])
    indexed.marks.set(ids[2:], rating=4)
    report = finish(export_table(indexed, ids, tmp_path / "some.csv", CSV))
    rows = list(csv.DictReader((tmp_path / "some.csv").read_text("utf-8").splitlines()))
    assert [row["file_name"] for row in rows] == ["warm/3.jpg", "cold/3.jpg", "cold/1.jpg"]
    assert [row["tags"] for row in rows] == ["", "sea", ""]
    assert report.saved == 3
    finish(export_table(indexed, ids, tmp_path / "some.jsonl", JSON_LINES))
    lines = [json.loads(line) for line in (tmp_path / "some.jsonl").read_text("utf-8").splitlines()]
    assert [line["rating"] for line in lines] == [None, None, 4]


def test_a_table_overwrites_only_tables(indexed: Library, album: Album, tmp_path: Path) -> None:
    ids = chosen(indexed, album)
    table = tmp_path / "some.csv"
    table.write_text("old")
    finish(export_table(indexed, ids, table, CSV))
    assert table.read_text() != "old"
    other = tmp_path / "letter.odt"
    other.write_text("a letter")
    for file in (other, album.path("warm/3.jpg"), indexed.path / "some.csv"):
        with pytest.raises(OperationError):
            finish(export_table(indexed, ids, file, CSV))
    assert other.read_text() == "a letter"
    with pytest.raises(OperationError, match="not a table"):
        finish(export_table(indexed, ids, tmp_path / "some.npz", FORMATS["npz"]))
    with pytest.raises(OperationError, match="cannot be written"):
        finish(export_table(indexed, ids, tmp_path / "nowhere" / "some.csv", CSV))


def test_copies_get_distinct_names(indexed: Library, album: Album, tmp_path: Path) -> None:
    ids = chosen(indexed, album)
    folder = tmp_path / "new" / "copies"
    before = {path: path.read_bytes() for path in album.folder.rglob("*.jpg")}
    report = finish(copy_photos(indexed, ids, folder))
    assert (report.saved, report.left_out) == (3, [])
    assert sorted(path.name for path in folder.iterdir()) == ["1.jpg", "3 (2).jpg", "3.jpg"]
    assert (folder / "3.jpg").read_bytes() == before[album.path("warm/3.jpg")]
    assert (folder / "3 (2).jpg").read_bytes() == before[album.path("cold/3.jpg")]
    assert int((folder / "1.jpg").stat().st_mtime) == int(album.path("cold/1.jpg").stat().st_mtime)
    finish(copy_photos(indexed, ids[:1], folder))
    assert (folder / "3 (3).jpg").read_bytes() == before[album.path("warm/3.jpg")]
    assert {path: path.read_bytes() for path in album.folder.rglob("*.jpg")} == before


def test_a_photo_that_cannot_be_copied_is_reported(indexed: Library, album: Album, tmp_path: Path) -> None:
    ids = chosen(indexed, album)
    album.path("cold/3.jpg").unlink()
    report = finish(copy_photos(indexed, ids, tmp_path / "copies"))
    assert report.saved == 2
    assert [path for path, _ in report.left_out] == [album.path("cold/3.jpg")]


def test_nothing_is_copied_into_folders_of_the_library(indexed: Library, album: Album, tmp_path: Path) -> None:
    ids = chosen(indexed, album)
    for folder in (album.folder, album.folder / "new", indexed.path / "copies"):
        with pytest.raises(OperationError, match="choose"):
            finish(copy_photos(indexed, ids, folder))
    assert not (album.folder / "new").exists()
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(OperationError, match="cannot be created"):
        finish(copy_photos(indexed, ids, file / "copies"))


@pytest.mark.parametrize("refused", ["utime", "chmod"])
def test_photos_are_copied_to_a_drive_without_dates_and_permissions(
    indexed: Library, album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    refuse(monkeypatch, refused)
    report = finish(copy_photos(indexed, chosen(indexed, album), tmp_path / "copies"))
    assert (report.saved, report.left_out) == (3, [])
    assert (tmp_path / "copies" / "3.jpg").read_bytes() == album.path("warm/3.jpg").read_bytes()


def test_nothing_is_copied_into_a_library_folder_by_another_name(library: Library, tmp_path: Path) -> None:
    real = Album(tmp_path / "real")
    real.draw("a.jpg")
    (tmp_path / "link").symlink_to(real.folder)
    finish(index(library, [tmp_path / "link"]))
    assert [root.path for root in library.roots.all()] == [tmp_path / "link"]
    for folder in (real.folder / "copies", tmp_path / "link" / "copies"):
        with pytest.raises(OperationError, match="whose photos Focal shows"):
            finish(copy_photos(library, library.photos.ids().tolist(), folder))
        assert not folder.exists()


def test_a_cancelled_copy_leaves_no_partial_file(indexed: Library, album: Album, tmp_path: Path) -> None:
    job = copy_photos(indexed, chosen(indexed, album), tmp_path / "copies")
    next(job)
    next(job)
    job.close()
    assert [path.name for path in (tmp_path / "copies").iterdir()] == ["3.jpg"]
    assert (tmp_path / "copies" / "3.jpg").read_bytes() == album.path("warm/3.jpg").read_bytes()


def test_a_failed_copy_leaves_no_partial_file(
    indexed: Library, album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: BinaryIO, target: BinaryIO) -> None:
        target.write(source.read(100))
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(shutil, "copyfileobj", full)
    report = finish(copy_photos(indexed, chosen(indexed, album), tmp_path / "copies"))
    assert report.saved == 0
    assert [reason for _, reason in report.left_out] == [os.strerror(errno.ENOSPC)] * 3
    assert list((tmp_path / "copies").iterdir()) == []
