# SPDX-License-Identifier: MIT
"""Changes of files by other programs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from focal_photos.browser.catalog.store.integrity.file_identity import FileContents


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "catalog.sqlite"
    path.write_bytes(b"0123456789")
    return path


def test_a_smaller_file_has_shrunk_until_it_is_noted(file: Path) -> None:
    contents = FileContents([file])
    assert not contents.has_shrunk(file)
    os.truncate(file, 4)
    assert contents.has_shrunk(file)
    contents.note(file)
    assert not contents.has_shrunk(file)
    os.truncate(file, 6)
    assert not contents.has_shrunk(file)


def test_a_file_that_appears_or_vanishes_has_not_shrunk(file: Path) -> None:
    contents = FileContents([file, file.with_suffix(".new")])
    file.unlink()
    file.with_suffix(".new").write_bytes(b"")
    assert not contents.has_shrunk(file)
    assert not contents.has_shrunk(file.with_suffix(".new"))


def test_written_files_are_listed_but_not_replaced_ones(file: Path) -> None:
    other = file.with_suffix(".wal")
    other.write_bytes(b"log")
    contents = FileContents([file, other])
    assert contents.changed() == []
    with other.open("ab") as stream:
        stream.write(b"more")
    assert contents.changed() == [other]
    other.replace(file)
    assert contents.changed() == []
