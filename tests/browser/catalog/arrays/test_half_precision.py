# SPDX-License-Identifier: MIT
"""Half-precision vectors: half the size, the same behaviour. Existing float32 vectors stay exact until converted."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.arrays.record_files import HEADER, rows_path
from focal_photos.browser.catalog.arrays.vectors import Vectors, VectorStore
from focal_photos.browser.catalog.store.errors import LibraryReadOnlyError

ROWS = np.random.default_rng(0).normal(0, 3, (40, 7)).astype(np.float32)
HALF = ROWS.astype(np.float16).astype(np.float32)
IDS = np.arange(100, 140)


def size(store: VectorStore) -> int:
    return rows_path(store._folder, store._header()).stat().st_size - HEADER


def test_rows_are_rounded_to_float16_and_take_half_the_space(tmp_path: Path) -> None:
    with_full = VectorStore(tmp_path / "full", "x", 7)
    store = VectorStore(tmp_path / "half", "x", 7, half=True)
    for each in (with_full, store):
        each.append(IDS, ROWS)
    assert (store.half, with_full.half) == (True, False)
    assert (size(with_full), size(store)) == (40 * 7 * 4, 40 * 7 * 2)
    np.testing.assert_array_equal(with_full.rows(IDS), ROWS)
    for rows in (store.rows(IDS), store.array):
        assert rows.dtype == np.float32
        np.testing.assert_array_equal(rows, HALF)
    np.testing.assert_array_equal(store.rows([139, 100, 120]), HALF[[39, 0, 20]])
    assert store.rows([]).shape == (0, 7)
    assert Vectors.matrix([with_full, store], IDS[:3]).shape == (3, 14)
    assert store.check() == []


def test_the_precision_is_read_from_the_files(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "x", 7, half=True)
    store.close()
    found = VectorStore.existing(tmp_path, "x")
    assert found is not None
    assert found.half
    found.append(IDS[:5], ROWS[:5])
    found.close()
    again = VectorStore(tmp_path, "x", 7)  # requests 32 bits
    assert again.half
    again.append(IDS[5:], ROWS[5:])
    again.forget(IDS[:30])  # writes a new file
    np.testing.assert_array_equal(again.array, HALF[30:])
    again.close()
    np.testing.assert_array_equal(VectorStore(tmp_path, "x", 7, read_only=True).rows(IDS[30:]), HALF[30:])


def test_only_empty_stores_switch_to_half_precision(tmp_path: Path) -> None:
    VectorStore(tmp_path, "empty", 7).close()
    assert VectorStore(tmp_path, "empty", 7, half=True).half
    full = VectorStore(tmp_path, "x", 7)
    full.append(IDS[:20], ROWS[:20])
    full.close()
    full = VectorStore(tmp_path, "x", 7, half=True)
    full.append(IDS[20:], ROWS[20:])
    assert not full.half
    np.testing.assert_array_equal(full.rows(IDS), ROWS)


def test_numbers_beyond_the_range_are_clipped(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "x", 3, half=True)
    store.append([1], [[1e9, -1e9, 65504]])
    np.testing.assert_array_equal(store.rows([1]), [[65504, -65504, 65504]])


def test_a_store_is_converted_and_returned_arrays_stay_valid(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "x", 7)
    store.append(IDS, ROWS)
    store.forget(IDS[3:6])
    left = np.delete(np.arange(40), [3, 4, 5])
    before, version = store.array, store.version
    files = len(list(tmp_path.iterdir()))
    assert store.halve() == []
    assert store.half
    assert store.ids.tolist() == IDS[left].tolist()
    np.testing.assert_array_equal(store.array, HALF[left])
    np.testing.assert_array_equal(before, ROWS[left])
    assert size(store) == len(left) * 7 * 2
    assert len(list(tmp_path.iterdir())) == files
    assert store.version >= version
    assert store.check() == []
    store.append(IDS[3:4], ROWS[3:4])
    assert store.halve() == []  # no effect the second time
    store.close()
    np.testing.assert_array_equal(VectorStore(tmp_path, "x", 7).rows(IDS[:4]), HALF[:4])


def test_an_empty_store_is_converted_too(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "x", 7)
    assert store.halve() == []
    store.append(IDS, ROWS)
    np.testing.assert_array_equal(store.array, HALF)


def test_conversion_does_not_hide_a_damaged_vector(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "x", 7)
    store.append(IDS, ROWS)
    path = rows_path(tmp_path, store._header())
    content = bytearray(path.read_bytes())
    content[HEADER + 12 * 28 + 3] ^= 1
    path.write_bytes(content)
    assert store.halve() == [112]
    assert store.missing(IDS).tolist() == [112]
    np.testing.assert_array_equal(store.array, np.delete(HALF, 12, axis=0))


def test_files_left_by_an_interrupted_conversion_are_ignored(tmp_path: Path) -> None:
    store = VectorStore(tmp_path / "one", "x", 7)
    store.append(IDS, ROWS)
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    store.halve()
    new = rows_path(tmp_path / "one", store._header())
    shutil.copy(new, tmp_path / "other" / new.name)  # the rows exist, but the index does not refer to them yet
    again = VectorStore(tmp_path / "other", "x", 7, half=True)
    assert not again.half
    np.testing.assert_array_equal(again.rows(IDS), ROWS)
    assert not (tmp_path / "other" / new.name).exists()


def test_a_read_only_store_is_not_converted(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "x", 7)
    store.append(IDS, ROWS)
    store.close()
    reader = VectorStore(tmp_path, "x", 7, read_only=True)
    with pytest.raises(LibraryReadOnlyError):
        reader.halve()
    np.testing.assert_array_equal(reader.rows(IDS), ROWS)
