# SPDX-License-Identifier: MIT
"""Disk errors while derived data is written, read or checked: incomplete writes do not count, the rest goes on."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.arrays import record_files
from focal_photos.browser.catalog.arrays.record_files import HEADER, MAGIC, BadHeaderError, Header, index_path
from focal_photos.browser.catalog.arrays.thumbnails import Thumbnails
from focal_photos.browser.catalog.arrays.vectors import Vectors
from focal_photos.browser.catalog.store.errors import LibraryError
from tests.browser.catalog.damage import flip
from tests.browser.catalog.numbered import rows_of


def fails_at(call: int, error: BaseException) -> Callable[[int], None]:
    """Return an ``os.fsync`` whose n-th call fails."""
    real, calls = os.fsync, [0]

    def fsync(descriptor: int) -> None:
        calls[0] += 1
        if calls[0] == call:
            raise error
        real(descriptor)

    return fsync


@pytest.mark.parametrize("call", [1, 2])
@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
def test_an_interrupted_batch_is_not_stored(
    vectors: Vectors, monkeypatch: pytest.MonkeyPatch, call: int, error: BaseException
) -> None:
    store = vectors.store("x", 3)
    store.append([1, 2], rows_of([1, 2]))
    sizes = {path.name: path.stat().st_size for path in vectors.folder.iterdir()}
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", fails_at(call, error))
        with pytest.raises(KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else LibraryError):
            store.append([3, 4], rows_of([3, 4]))
    assert {path.name: path.stat().st_size for path in vectors.folder.iterdir()} == sizes
    assert store.ids.tolist() == [1, 2]
    store.append([3], rows_of([3]))
    vectors.close()
    again = Vectors(vectors.folder).store("x", 3)
    assert again.ids.tolist() == [1, 2, 3]
    np.testing.assert_array_equal(again.array, rows_of([1, 2, 3]))


def test_without_space_for_a_copy_a_store_stays_unchanged(vectors: Vectors, monkeypatch: pytest.MonkeyPatch) -> None:
    store = vectors.store("x", 3)
    store.append(np.arange(100), rows_of(np.arange(100)))
    before = store.array[90:].copy()
    with monkeypatch.context() as full:
        # The entries are marked as deleted, but the copy after that fails.
        full.setattr(os, "fsync", fails_at(2, OSError(28, "No space left on device")))
        store.forget(np.arange(90))
    assert len(list(vectors.folder.glob("*.rows"))) == 1
    np.testing.assert_array_equal(store.array, before)
    vectors.close()
    again = Vectors(vectors.folder).store("x", 3)
    assert again.ids.tolist() == list(range(90, 100))
    np.testing.assert_array_equal(again.array, before)


def test_rows_are_removed_if_the_index_cannot_be_written(tmp_path: Path) -> None:
    header = Header("x", 3, 1, MAGIC)
    index_path(tmp_path, "x").mkdir()  # a file cannot be renamed onto a folder
    with pytest.raises(OSError, match="directory"):
        record_files.create(tmp_path, header, [rows_of([1])], np.zeros(0, record_files.ENTRY))
    assert [path.name for path in tmp_path.iterdir()] == ["x.index"]


def test_files_left_by_a_crash_are_deleted(vectors: Vectors) -> None:
    vectors.store("x", 3).append([1], rows_of([1]))
    vectors.close()
    torn, other = vectors.folder / ".x.index.17.part", vectors.folder / ".y.index.17.part"
    torn.write_bytes(b"torn")
    other.write_bytes(b"of another store")
    assert Vectors(vectors.folder).store("x", 3).ids.tolist() == [1]
    assert not torn.exists()
    assert other.exists()


def test_vacuum_deletes_files_set_aside(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append([1], rows_of([1]))
    for name in ("y.index.damaged", "y.index.part"):
        (vectors.folder / name).write_bytes(b"")
    assert vectors.vacuum({"x"}) == []
    assert not [path for path in vectors.folder.iterdir() if path.suffix in (".damaged", ".part")]
    assert store.ids.tolist() == [1]


def test_an_unreadable_disk_yields_no_rows(tmp_path: Path) -> None:
    (tmp_path / "rows").write_bytes(bytes(HEADER + 12))
    descriptor = os.open(tmp_path / "rows", os.O_WRONLY)  # not readable
    try:
        assert len(record_files.read_rows(descriptor, np.dtype(("f4", 3)), 0, 1)) == 0
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("header", [Header("x", 0, 1, MAGIC), Header("x", 3, 1, b"no store")])
def test_a_header_of_another_kind_is_refused(header: Header) -> None:
    with pytest.raises(BadHeaderError, match="of another kind"):
        Header.unpack(header.pack())


@pytest.mark.parametrize("key", ["", "x" * 181, "\N{BULLET}" * 21])
def test_keys_that_are_not_file_names_are_refused(vectors: Vectors, key: str) -> None:
    with pytest.raises(ValueError, match="1 to 180 characters, escapes included"):
        vectors.store(key, 3)


def test_a_vector_has_a_component(vectors: Vectors) -> None:
    with pytest.raises(ValueError, match="at least one component"):
        vectors.store("x", 0)


def test_a_store_of_another_dimension_replaces_an_open_one(vectors: Vectors) -> None:
    vectors.store("x", 3).append([1], rows_of([1]))
    store = vectors.store("x", 4)
    assert (store.dimension, len(store)) == (4, 0)
    store.append([2], np.ones((1, 4), np.float32))
    assert vectors.open("x") is store
    assert len(list(vectors.folder.glob("*.damaged"))) == 2


# ---------------------------------------------------------------- thumbnails
def test_all_thumbnails_on_damaged_pages_are_named(tmp_path: Path) -> None:
    path = tmp_path / "thumbnails.sqlite"
    cache = Thumbnails(path)
    cache.put_many({number: bytes([number]) * 3000 for number in range(1, 60)})
    cache.close()
    with sqlite3.connect(path) as database:
        (page,) = database.execute("PRAGMA page_size").fetchone()
        root = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'thumbnail'").fetchone()[0]
    database.close()
    for offset in range(0, 40):
        flip(path, (root - 1) * page + offset)
    cache = Thumbnails(path)
    assert cache.check() == list(range(1, 60))
    assert cache.missing([1, 59]) == [1, 59]
    cache.put(1, b"again")
    assert cache.get(1) == b"again"
    cache.close()
