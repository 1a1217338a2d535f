from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest
from numpy.typing import NDArray

from browser.catalog.arrays.record_files import HEADER, index_path
from browser.catalog.arrays.vectors import Vectors
from browser.catalog.library import LibraryError, LibraryReadOnlyError
from tests.browser.catalog.damage import flip
from tests.browser.catalog.numbered import rows_of


def test_append_and_look_up(vectors: Vectors) -> None:
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


def test_a_store_that_is_looked_at_while_it_is_empty_stays_the_one_that_is_written(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    assert vectors.open("x") is store
    store.append([1], rows_of([1]))
    assert vectors.open("x") is store


def test_an_empty_store(vectors: Vectors) -> None:
    store = vectors.store("x", 4)
    assert len(store) == 0
    assert store.array.shape == (0, 4)
    assert store.missing([3, 1]).tolist() == [3, 1]
    assert list(store.blocks()) == []
    store.append([], np.empty((0, 4)))
    store.forget([1])
    assert store.check() == []


def test_rows_are_mapped_where_they_follow_each_other(vectors: Vectors) -> None:
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
    np.testing.assert_array_equal(old, rows_of([1, 2, 3]))  # what was handed out stays
    vectors.close()
    again = Vectors(vectors.folder).store("x", 3)
    assert again.ids.tolist() == [1, 3, 2, 4]
    np.testing.assert_array_equal(again.array, np.concatenate([rows_of([1, 3]), rows_of([2, 4], version=1)]))


def test_forget(vectors: Vectors) -> None:
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


def test_the_version_rises_with_every_change(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    seen = [store.version]
    changes: list[Callable[[], None]] = [
        lambda: store.append([1, 2, 3], rows_of([1, 2, 3])),
        lambda: store.append([3], rows_of([3])),
        lambda: store.forget([1]),
    ]
    for change in changes:
        change()
        seen.append(store.version)
    store.forget([1])
    store.check()
    assert seen == sorted(set(seen))
    assert store.version == seen[-1]
    (rows,) = vectors.folder.glob("*.rows")
    flip(rows, HEADER + 12 + 1)
    assert store.check() == [2]
    assert store.version > seen[-1]


def test_blocks_and_snapshot_agree(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append(np.arange(10), rows_of(np.arange(10)))
    store.forget([3])
    ids, rows = store.snapshot()
    blocks = list(store.blocks(4))
    assert [len(ids) for ids, _ in blocks] == [4, 4, 1]
    np.testing.assert_array_equal(np.concatenate([ids for ids, _ in blocks]), ids)
    np.testing.assert_array_equal(np.concatenate([rows for _, rows in blocks]), rows)


def test_a_store_mostly_dead_is_written_anew_once(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append(np.arange(40), rows_of(np.arange(40)))
    before = store.array
    store.forget(np.arange(1, 22))
    (rows,) = vectors.folder.glob("*.rows")
    assert rows.stat().st_size == HEADER + 19 * 3 * 4
    assert store.ids.tolist() == [0, *range(22, 40)]
    np.testing.assert_array_equal(store.array, rows_of(store.ids))
    np.testing.assert_array_equal(before, rows_of(np.arange(40)))  # the old file is gone, the map is not
    store.append([3], rows_of([3], version=1))
    vectors.close()
    again = Vectors(vectors.folder).store("x", 3)
    assert again.ids.tolist() == [0, *range(22, 40), 3]
    assert again.check() == []


def test_growing_appends_and_rewrites_nothing(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append([1], rows_of([1]))
    (rows,) = vectors.folder.glob("*.rows")
    inode, head = rows.stat().st_ino, rows.read_bytes()
    store.append(np.arange(2, 50), rows_of(np.arange(2, 50)))
    assert rows.stat().st_ino == inode
    assert rows.read_bytes().startswith(head)


def test_another_dimension_begins_anew(vectors: Vectors) -> None:
    vectors.store("x", 3).append([1], rows_of([1]))
    store = vectors.store("x", 4)
    assert len(store) == 0
    store.append([2], rows_of([2], 4))
    vectors.close()
    assert Vectors(vectors.folder).store("x", 4).ids.tolist() == [2]
    assert list(vectors.folder.glob("*.damaged"))


def test_keys_are_opaque(vectors: Vectors) -> None:
    keys = ["gabor-1-0f3a", "space-ä/ö", "..", "a b%2F", "a", "a.1", "a.1.rows"]
    for number, key in enumerate(keys):
        vectors.store(key, 2).append([number], rows_of([number], 2))
    assert vectors.keys() == sorted(keys)
    vectors.close()
    again = Vectors(vectors.folder)
    for number, key in enumerate(keys):
        assert again.store(key, 2).ids.tolist() == [number]
    again.remove("a")
    assert again.store("a.1", 2).ids.tolist() == [5]
    assert again.keys() == sorted(set(keys) - {"a"})
    for key in ("", "x" * 181):
        with pytest.raises(ValueError, match="a key has"):
            again.store(key, 2)


def test_open_takes_the_dimension_from_the_disk(vectors: Vectors) -> None:
    assert vectors.open("x") is None
    vectors.store("x", 3).append([1], rows_of([1]))
    vectors.close()
    again = Vectors(vectors.folder)
    store = again.open("x")
    assert store is not None
    assert (store.dimension, store.ids.tolist()) == (3, [1])
    assert again.store("x", 3) is store
    again.close()
    flip(index_path(vectors.folder, "x"), 3)
    assert Vectors(vectors.folder).open("x") is None


def test_forget_reaches_all_stores_and_passes_over_damaged_ones(vectors: Vectors) -> None:
    for key in ("x", "y", "z"):
        vectors.store(key, 3).append([1, 2], rows_of([1, 2]))
    vectors.close()
    flip(index_path(vectors.folder, "z"), 3)
    again = Vectors(vectors.folder)
    again.store("x", 3)
    again.forget([1])
    assert again.store("x", 3).ids.tolist() == again.store("y", 3).ids.tolist() == [2]
    assert len(again.store("z", 3)) == 0


def test_vacuum_deletes_what_is_not_kept(vectors: Vectors) -> None:
    kept = vectors.store("keep", 3)
    kept.append([1], rows_of([1]))
    mapped = vectors.store("old", 3)
    mapped.append([1], rows_of([1]))
    array = mapped.array
    (vectors.folder / "x.1.rows.damaged").write_bytes(b"")
    assert vectors.vacuum({"keep"}) == ["old"]
    np.testing.assert_array_equal(array, rows_of([1]))
    assert sorted(path.name for path in vectors.folder.iterdir()) == ["keep.1.rows", "keep.index"]
    with pytest.raises(LibraryError):
        mapped.rows([1])


def test_matrix_puts_stores_side_by_side(vectors: Vectors) -> None:
    first, second = vectors.store("x", 2), vectors.store("y", 3)
    first.append([1, 2, 3], rows_of([1, 2, 3], 2))
    second.append([3, 2, 1], rows_of([3, 2, 1], 3))
    matrix = vectors.matrix([first, second], np.array([3, 1]))
    assert matrix.flags.c_contiguous
    np.testing.assert_array_equal(matrix, np.hstack([rows_of([3, 1], 2), rows_of([3, 1], 3)]))
    second.forget([1])
    with pytest.raises(KeyError):
        vectors.matrix([first, second], np.array([3, 1]))
    assert vectors.matrix([first, second], np.empty(0, np.int64)).shape == (0, 5)


def test_read_only(vectors: Vectors) -> None:
    vectors.store("x", 3).append([1, 2], rows_of([1, 2]))
    reader = Vectors(vectors.folder, read_only=True)
    store = reader.store("x", 3)
    np.testing.assert_array_equal(store.array, rows_of([1, 2]))
    writes: list[Callable[[], None]] = [
        lambda: store.append([3], rows_of([3])),
        lambda: store.forget([1]),
        lambda: reader.remove("x"),
    ]
    for write in writes:
        with pytest.raises(LibraryReadOnlyError):
            write()
    assert len(reader.store("none", 3)) == 0
    assert reader.keys() == ["x"]
    vectors.store("x", 3).append([4], rows_of([4]))
    assert store.ids.tolist() == [1, 2]


def test_closed_stores_say_so_and_arrays_stay(vectors: Vectors) -> None:
    store = vectors.store("x", 3)
    store.append([1], rows_of([1]))
    array = store.array
    vectors.close()
    vectors.close()
    gc.collect()
    np.testing.assert_array_equal(array, rows_of([1]))
    for use in (lambda: store.rows([1]), lambda: store.append([2], rows_of([2])), lambda: vectors.store("x", 3)):
        with pytest.raises(LibraryError, match="closed"):
            use()


def test_many_threads_read_while_one_appends(vectors: Vectors) -> None:
    store = vectors.store("x", 8)
    faults: list[BaseException] = []
    stop = threading.Event()

    def read() -> None:
        try:
            kept: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
            while not stop.is_set():
                ids, rows = store.snapshot()
                np.testing.assert_array_equal(rows, rows_of(ids, 8))
                kept.append((ids, rows))
                if len(ids):
                    some = np.random.default_rng(len(ids)).choice(ids, 5)
                    lacking = store.missing(some)
                    some = some[~np.isin(some, lacking)]
                    with suppress(KeyError):  # forgotten in between
                        np.testing.assert_array_equal(store.rows(some), rows_of(some, 8))
                del kept[:-10]
            for ids, rows in kept:
                np.testing.assert_array_equal(rows, rows_of(ids, 8))
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for start in range(0, 2000, 20):
        ids = np.arange(start, start + 20)
        store.append(ids, rows_of(ids, 8))
        if start % 200 == 0:
            store.forget(np.arange(max(0, start - 150), start))
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults
    assert store.check() == []
