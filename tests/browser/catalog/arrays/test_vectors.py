# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.catalog.arrays.vectors import Vectors
from tests.browser.catalog.numbered import rows_of


def test_appended_vectors_are_found(vectors: Vectors) -> None:
    store = vectors.store("gabor-1-0f3a", 3)
    store.append([5, 2], rows_of([5, 2]))
    store.append(np.array([9]), rows_of([9]))
    assert len(store) == 3
    assert store.ids.tolist() == [5, 2, 9]
    assert store.ids.dtype == np.int64
    assert store.array.dtype == np.float32
    np.testing.assert_array_equal(store.array, rows_of([5, 2, 9]))
    np.testing.assert_array_equal(store.rows([9, 5, 9]), rows_of([9, 5, 9]))
    assert store.missing([1, 9, -1, 2, 10**9, 10**18]).tolist() == [1, -1, 10**9, 10**18]
    assert store.rows([]).shape == (0, 3)
    assert store.check() == []


def test_a_store_opened_while_empty_stays_the_same_object(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    assert vectors.open("x") is store
    store.append([1], rows_of([1]))
    assert vectors.open("x") is store


def test_an_empty_store_has_no_rows(vectors: Vectors) -> None:
    store = vectors.store("x", 4)
    assert len(store) == 0
    assert store.array.shape == (0, 4)
    assert store.missing([3, 1]).tolist() == [3, 1]
    store.append([], np.empty((0, 4)))
    store.forget([1])
    assert store.check() == []


def test_consecutive_rows_are_memory_mapped(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append(np.arange(10), rows_of(np.arange(10)))
    for mapped in (store.array, store.rows(np.arange(2, 7)), store.rows([3]), vectors.matrix([store], np.arange(10))):
        assert not mapped.flags.writeable
        assert mapped.base is not None
    assert store.rows([3, 2]).flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        store.array[0] = 0


@pytest.mark.parametrize(
    ("ids", "shape"),
    [([1], (1, 2)), ([1, 2], (1, 3)), ([1, 1], (2, 3)), ([-1], (1, 3)), ([2**31], (1, 3)), ([1], (3,))],
)
def test_wrong_shapes_and_ids_are_refused(vectors: Vectors, ids: list[int], shape: tuple[int, ...]) -> None:
    store = vectors.store("x", 3)
    with pytest.raises(ValueError, match=r"rows have|an id|ids lie"):
        store.append(ids, np.zeros(shape))
    assert len(store) == 0


def test_a_repeated_id_gets_the_new_row(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append([1, 2, 3], rows_of([1, 2, 3]))
    old = store.array
    store.append([2, 4], rows_of([2, 4], version=1))
    assert store.ids.tolist() == [1, 3, 2, 4]
    np.testing.assert_array_equal(store.rows([2]), rows_of([2], version=1))
    np.testing.assert_array_equal(old, rows_of([1, 2, 3]))  # an array returned earlier does not change
    vectors.close()
    again = Vectors(vectors.folder).store("x", 3)
    assert again.ids.tolist() == [1, 3, 2, 4]
    np.testing.assert_array_equal(again.array, np.concatenate([rows_of([1, 3]), rows_of([2, 4], version=1)]))


def test_forgotten_rows_are_removed(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append(np.arange(6), rows_of(np.arange(6)))
    store.forget([4, 0, 4, 77])
    assert store.ids.tolist() == [1, 2, 3, 5]
    np.testing.assert_array_equal(store.array, rows_of([1, 2, 3, 5]))
    assert store.missing([0, 1, 4]).tolist() == [0, 4]
    with pytest.raises(KeyError, match=r"x has no vector of the photos \[4\]"):
        store.rows([1, 4])
    vectors.close()
    assert Vectors(vectors.folder).store("x", 3).ids.tolist() == [1, 2, 3, 5]


def test_the_version_rises_with_every_change_only(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    versions = [store.version]
    store.append([1, 2], rows_of([1, 2]))
    versions.append(store.version)
    store.append([3], rows_of([3]))
    versions.append(store.version)
    store.forget([2])
    versions.append(store.version)
    assert versions == sorted(set(versions)), "each version is larger than the previous one"
    store.append([], np.empty((0, 3)))
    store.forget([99])
    assert store.check() == []
    assert store.rows([1]).shape == (1, 3)
    assert store.version == versions[-1]


def test_gaps_are_closed_so_that_all_rows_are_one_memory_map(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append(np.arange(40), rows_of(np.arange(40)))
    store.forget([7])
    before = store.array
    assert not isinstance(before, np.memmap)
    version = store.version
    store.close_gaps()
    ids, rows = store.snapshot()
    assert isinstance(rows, np.memmap)
    np.testing.assert_array_equal(rows, before)
    assert ids.tolist() == [number for number in range(40) if number != 7]
    (file,) = vectors.folder.glob("*.rows")
    store.close_gaps()  # no gaps are left
    assert list(vectors.folder.glob("*.rows")) == [file]
    assert store.version == version, "the stored vectors are unchanged"
    vectors.close()
    np.testing.assert_array_equal(Vectors(vectors.folder).store("x", 3).array, before)
