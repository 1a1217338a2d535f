# SPDX-License-Identifier: MIT
"""Vector stores with damaged files: at worst, rows are missing."""

from __future__ import annotations

import os

import numpy as np
import pytest

from focal_photos.browser.catalog.arrays.record_files import ENTRY, HEADER, Header, index_path, rows_path
from focal_photos.browser.catalog.arrays.vectors import Vectors
from tests.browser.catalog.damage import HEADER_DAMAGE, flip, spoil_header
from tests.browser.catalog.numbered import rows_of


def test_compaction_keeps_damage_visible(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append(np.arange(40), rows_of(np.arange(40)))
    (rows,) = vectors.folder.glob("*.rows")
    flip(rows, HEADER + 39 * 12)
    store.forget(np.arange(30))
    assert store.check() == [39]
    assert store.ids.tolist() == list(range(30, 39))


def test_check_finds_damaged_rows_and_drops_them(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append([7, 8, 9], rows_of([7, 8, 9]))
    (rows,) = vectors.folder.glob("*.rows")
    flip(rows, HEADER + 12 + 5)
    assert store.check() == [8]
    assert store.missing([7, 8, 9]).tolist() == [8]
    assert store.check() == []
    store.append([8], rows_of([8]))
    vectors.close()
    assert Vectors(vectors.folder).store("x", 3).ids.tolist() == [7, 9, 8]


def test_check_finds_lost_rows(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append([7, 8, 9], rows_of([7, 8, 9]))
    (rows,) = vectors.folder.glob("*.rows")
    os.truncate(rows, HEADER + 12 + 3)
    assert store.check() == [8, 9]


def test_a_damaged_entry_loses_only_its_row(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append([7, 8, 9], rows_of([7, 8, 9]))
    vectors.close()
    flip(index_path(vectors.folder, "x"), HEADER + ENTRY.itemsize + 2)
    again = Vectors(vectors.folder).store("x", 3)
    assert again.ids.tolist() == [7, 9]
    np.testing.assert_array_equal(again.array, rows_of([7, 9]))


def test_rows_of_another_photo_count_as_damage(vectors: Vectors) -> None:
    """The checksum includes the id, so rows in the wrong order are detected."""
    store = vectors.store("x", 3)
    store.append([7, 8], rows_of([7, 8]))
    (rows,) = vectors.folder.glob("*.rows")
    data = rows.read_bytes()
    rows.write_bytes(data[:HEADER] + data[HEADER + 12 :] + data[HEADER : HEADER + 12])
    assert store.check() == [7, 8]


@pytest.mark.parametrize("victim", ["index", "rows"])
@pytest.mark.parametrize("damage", HEADER_DAMAGE)
def test_a_wrong_header_sets_the_files_aside(vectors: Vectors, victim: str, damage: str) -> None:
    vectors.store("x", 3).append([1, 2], rows_of([1, 2]))
    vectors.close()
    path = index_path(vectors.folder, "x") if victim == "index" else rows_path(vectors.folder, Header("x", 3, 1))
    spoil_header(path, damage)
    again = Vectors(vectors.folder)
    store = again.store("x", 3)
    assert len(store) == 0
    store.append([3], rows_of([3]))
    again.close()
    assert Vectors(vectors.folder).store("x", 3).ids.tolist() == [3]


def test_a_crash_after_a_replacement_leaves_only_the_new_row(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append([1, 2], rows_of([1, 2]))
    index = index_path(vectors.folder, "x")
    entry = index.read_bytes()[HEADER : HEADER + ENTRY.itemsize]
    store.append([1], rows_of([1], version=1))
    vectors.close()
    with index.open("r+b") as stream:  # restore the old entry, as if its deletion had not been written
        stream.seek(HEADER)
        stream.write(entry)
    again = Vectors(vectors.folder)
    store = again.store("x", 3)
    np.testing.assert_array_equal(store.rows([1]), rows_of([1], version=1))
    store.forget([1])
    again.close()
    assert Vectors(vectors.folder).store("x", 3).ids.tolist() == [2]


def test_a_read_only_store_ignores_a_torn_tail(vectors: Vectors) -> None:
    vectors.store("x", 3).append([1, 2], rows_of([1, 2]))
    index = index_path(vectors.folder, "x")
    with index.open("ab") as stream:
        stream.write(b"torn")
    size = index.stat().st_size
    assert Vectors(vectors.folder, read_only=True).store("x", 3).ids.tolist() == [1, 2]
    assert index.stat().st_size == size


def test_a_read_only_check_drops_damage_in_memory(vectors: Vectors) -> None:
    vectors.store("x", 3).append([1, 2], rows_of([1, 2]))
    (rows,) = vectors.folder.glob("*.rows")
    flip(rows, HEADER + 3)
    before = rows.read_bytes(), index_path(vectors.folder, "x").read_bytes()
    store = Vectors(vectors.folder, read_only=True).store("x", 3)
    assert store.check() == [1]
    assert store.ids.tolist() == [2]
    assert (rows.read_bytes(), index_path(vectors.folder, "x").read_bytes()) == before


@pytest.mark.parametrize("lost", [1, 2])
def test_an_incomplete_batch_is_dropped(vectors: Vectors, lost: int) -> None:
    """If the end of the index is lost, the rest of the batch is ignored."""
    store = vectors.store("x", 3)
    store.append([1, 2], rows_of([1, 2]))
    store.append([7, 8, 9], rows_of([7, 8, 9]))
    vectors.close()
    index = index_path(vectors.folder, "x")
    os.truncate(index, index.stat().st_size - lost * ENTRY.itemsize)
    again = Vectors(vectors.folder).store("x", 3)
    assert again.ids.tolist() == [1, 2]
    again.append([9], rows_of([9]))
    np.testing.assert_array_equal(again.array, rows_of([1, 2, 9]))


def test_an_incomplete_batch_with_lost_rows_is_dropped(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append([1, 2], rows_of([1, 2]))
    store.append([7, 8, 9], rows_of([7, 8, 9]))
    vectors.close()
    (rows,) = vectors.folder.glob("*.rows")
    os.truncate(rows, rows.stat().st_size - 12)
    assert Vectors(vectors.folder).store("x", 3).ids.tolist() == [1, 2]
