# SPDX-License-Identifier: MIT
from __future__ import annotations

import gc
import threading
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.patches import Patches
from focal_photos.browser.catalog.arrays.record_files import HEADER, PATCH_ENTRY, index_path
from focal_photos.browser.catalog.library import Library, LibraryError, LibraryReadOnlyError
from tests.browser.catalog.damage import flip
from tests.browser.catalog.numbered import ROW, D, assert_right, record_of, records_of, rows_in


def test_appended_patches_are_read_back(patches: Patches) -> None:
    store = patches.store("sift-1-0f3a", D)
    store.append([9, 2, 5], records_of([9, 2, 5]))
    store.append(np.array([4]), records_of([4]))
    assert len(store) == 4
    assert store.ids.tolist() == [9, 2, 5, 4]
    for number in (4, 5, 9, 2):
        assert_right(store, number)
    assert store.read(5)[1].shape == (0, D)  # recorded as having no patches
    assert store.missing([1, 5, -1, 10**18, 9]).tolist() == [1, -1, 10**18]
    assert store.counts([9, 5]).tolist() == [4, 0]
    assert store.check() == []
    patches.close()
    again = Patches(patches.folder).store("sift-1-0f3a", D)
    assert again.ids.tolist() == [9, 2, 5, 4]
    assert_right(again, 9)


def test_patches_of_several_photos_are_gathered(patches: Patches) -> None:
    store = patches.store("x", D)
    store.append(range(1, 10), records_of(range(1, 10)))
    vectors, offsets = store.gather(range(2, 8))
    assert not vectors.flags.writeable  # memory-mapped
    assert vectors.dtype == np.float16
    assert offsets.dtype == np.int64
    for ids in (range(2, 8), [8, 2, 5, 5, 9], [5], [5, 5], []):
        vectors, offsets = store.gather(ids)
        assert vectors.shape == (rows_in(ids), D)
        assert len(offsets) == len(ids) + 1
        assert (offsets[0], offsets[-1]) == (0, len(vectors))
        for number, first, stop in zip(ids, offsets[:-1], offsets[1:], strict=True):
            np.testing.assert_array_equal(vectors[first:stop], record_of(number)[1].astype(np.float16))
    with pytest.raises(KeyError, match=r"x has no patch of the photos \[77\]"):
        store.gather([1, 77])
    with pytest.raises(KeyError):
        store.read(77)


@pytest.mark.parametrize("each", [3, 100])
def test_photos_with_few_or_many_patches_are_gathered_alike(patches: Patches, each: int) -> None:
    rng = np.random.default_rng(each)
    counts = rng.integers(0, 2 * each, 12)
    kept = [(rng.random((count, 2)), rng.random((count, D)).astype(np.float16)) for count in counts.tolist()]
    store = patches.store("x", D)
    store.append(range(12), kept)
    wanted = [7, 0, 3, 3, 11]
    vectors, offsets = store.gather(wanted)
    assert offsets.tolist() == [0, *np.cumsum(counts[wanted]).tolist()]
    np.testing.assert_array_equal(vectors, np.concatenate([kept[number][1] for number in wanted]))


def test_an_empty_store_and_photos_without_patches_are_allowed(patches: Patches) -> None:
    store = patches.store("x", D)
    assert len(store) == 0
    assert store.gather([])[0].shape == (0, D)
    assert store.missing([3, 1]).tolist() == [3, 1]
    store.append([], [])
    store.forget([1])
    assert store.check() == []
    store.append([5, 10], records_of([5, 10]))
    assert store.missing([5, 10, 1]).tolist() == [1]
    assert store.gather([10, 5])[1].tolist() == [0, 0, 0]
    patches.close()
    again = Patches(patches.folder).store("x", D)
    assert again.ids.tolist() == [5, 10]
    assert again.check() == []


@given(
    points=hnp.arrays(np.float32, (4, 2), elements=st.floats(-600, 600, width=32)),
    vectors=hnp.arrays(np.float32, (4, D), elements=st.floats(-60000, 60000, width=32)),
)
def test_the_rounding_error_of_storing_is_small(
    tmp_path_factory: pytest.TempPathFactory, points: NDArray[np.float32], vectors: NDArray[np.float32]
) -> None:
    patches = Patches(tmp_path_factory.getbasetemp() / "rounding")
    store = patches.store("x", D)
    store.append([1], [(points, vectors)])
    found, values = store.read(1)
    patches.close()
    np.testing.assert_allclose(found, np.clip(points, -511.985, 511.985), atol=1 / 128)
    np.testing.assert_array_equal(values, vectors.astype(np.float16))


@pytest.mark.parametrize(
    ("ids", "points", "vectors"),
    [
        ([1], (2, 2), (3, D)),
        ([1], (2, 3), (2, D)),
        ([1], (2, 2), (2, D + 1)),
        ([1], (2, 2), (2 * D,)),
        ([1, 2], (2, 2), (2, D)),
        ([], (2, 2), (2, D)),
        ([-1], (2, 2), (2, D)),
        ([2**31], (2, 2), (2, D)),
    ],
)
def test_wrong_shapes_and_ids_are_refused(
    patches: Patches, ids: list[int], points: tuple[int, ...], vectors: tuple[int, ...]
) -> None:
    store = patches.store("x", D)
    with pytest.raises(ValueError, match=r"points|records|ids lie"):
        store.append(ids, [(np.zeros(points), np.zeros(vectors))])
    with pytest.raises(ValueError, match="an id occurs twice"):
        store.append([1, 1], records_of([1, 1]))
    assert len(store) == 0


@pytest.mark.parametrize("value", [np.nan, np.inf, 70000.0])
def test_values_beyond_float16_are_refused(patches: Patches, value: float) -> None:
    store = patches.store("x", D)
    with pytest.raises(ValueError, match="not finite"):
        store.append([1], [(np.zeros((1, 2)), np.full((1, D), value))])
    with pytest.raises(ValueError, match="not finite"):
        store.append([1], [(np.full((1, 2), np.nan), np.zeros((1, D)))])


def test_forgotten_patches_can_be_written_again(patches: Patches) -> None:
    store = patches.store("x", D)
    store.append(range(40), records_of(range(40)))
    _, before = store.read(39)
    store.forget([4, 0, 77])
    assert store.missing([0, 1, 4]).tolist() == [0, 4]
    (rows,) = patches.folder.glob("*.rows")
    assert rows.stat().st_size == HEADER + rows_in(range(40)) * ROW
    store.forget(range(1, 22))
    left = list(range(22, 40))
    (rows,) = patches.folder.glob("*.rows")
    assert rows.stat().st_size == HEADER + rows_in(left) * ROW
    assert store.ids.tolist() == left
    np.testing.assert_array_equal(before, record_of(39)[1])  # the old file is deleted, but its memory map remains valid
    store.append([3], records_of([3], version=1))
    patches.close()
    again = Patches(patches.folder).store("x", D)
    assert again.ids.tolist() == [*left, 3]
    for number in left:
        assert_right(again, number)
    assert_right(again, 3, version=1)
    assert again.check() == []


def test_open_keys_size_remove_and_vacuum(patches: Patches) -> None:
    assert patches.open("x") is None
    assert (patches.keys(), patches.size_on_disk("x")) == ([], 0)
    for key in ("x", "y", "z"):
        patches.store(key, D).append([1, 2], records_of([1, 2]))
    assert patches.size_on_disk("x") == 2 * HEADER + 3 * ROW + 2 * PATCH_ENTRY.itemsize
    patches.close()
    again = Patches(patches.folder)
    store = again.open("x")
    assert store is not None
    assert (store.dimension, store.ids.tolist()) == (D, [1, 2])
    again.forget([1])
    assert [again.store(key, D).ids.tolist() for key in again.keys()] == [[2]] * 3  # noqa: SIM118
    again.remove("y")
    _, vectors = store.read(2)
    assert again.vacuum({"z"}) == ["x"]
    np.testing.assert_array_equal(vectors, record_of(2)[1])
    assert sorted(path.name for path in patches.folder.iterdir()) == ["z.1.rows", "z.index"]


def test_a_read_only_store_refuses_changes(patches: Patches) -> None:
    patches.store("x", D).append([1, 2], records_of([1, 2]))
    with index_path(patches.folder, "x").open("ab") as stream:
        stream.write(b"torn")
    reader = Patches(patches.folder, read_only=True)
    store = reader.store("x", D)
    assert_right(store, 2)
    writes: list[Callable[[], None]] = [
        lambda: store.append([3], records_of([3])),
        lambda: store.forget([1]),
        lambda: reader.remove("x"),
    ]
    for write in writes:
        with pytest.raises(LibraryReadOnlyError):
            write()
    assert len(reader.store("none", D)) == 0
    (rows,) = patches.folder.glob("x.*.rows")
    flip(rows, HEADER)
    before = {path: path.read_bytes() for path in patches.folder.iterdir()}
    assert store.check() == [1]
    assert store.ids.tolist() == [2]
    assert {path: path.read_bytes() for path in patches.folder.iterdir()} == before


def test_closed_stores_raise_but_returned_arrays_stay_valid(patches: Patches) -> None:
    store = patches.store("x", D)
    store.append([4], records_of([4]))
    _, vectors = store.read(4)
    patches.close()
    gc.collect()
    np.testing.assert_array_equal(vectors, record_of(4)[1])
    for use in (lambda: store.read(4), lambda: store.append([2], records_of([2])), lambda: patches.store("x", D)):
        with pytest.raises(LibraryError, match="closed"):
            use()


def test_forgotten_photos_lose_their_patches_and_vacuum_keeps_named_keys(library: Library) -> None:
    library.patches.store("a", D).append([1, 2], records_of([1, 2]))
    library.patches.store("b", D).append([1, 2], records_of([1, 2]))
    library.forget_derived([1])
    assert library.patches.store("a", D).ids.tolist() == [2]
    assert "b" in library.vacuum({"a"})
    assert library.patches.keys() == ["a"]


def test_many_threads_read_while_one_appends(patches: Patches) -> None:
    store = patches.store("x", D)
    faults: list[BaseException] = []
    stop = threading.Event()

    def read() -> None:
        try:
            while not stop.is_set():
                ids = store.ids
                try:
                    vectors, offsets = store.gather(ids)
                except KeyError:  # forgotten meanwhile
                    continue
                firsts = offsets[:-1][np.diff(offsets) > 0]
                np.testing.assert_array_equal(vectors[firsts, 0], ids[np.diff(offsets) > 0].astype(np.float16))
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for first in range(0, 1000, 20):
        store.append(range(first, first + 20), records_of(range(first, first + 20)))
        if first % 200 == 0:
            store.forget(range(max(0, first - 150), first))
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults
    assert store.check() == []
