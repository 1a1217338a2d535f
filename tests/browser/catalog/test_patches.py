from __future__ import annotations

import gc
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from browser.catalog.library import Library, LibraryError, LibraryReadOnlyError
from browser.catalog.patches import Patches
from browser.catalog.vector_files import HEADER, PATCH_ENTRY, index_path
from browser.catalog.vectors import Vectors
from tests.browser.catalog.processes import can_make_small_disk, run_on_small_disk, start
from tests.browser.catalog.test_vectors import flip

D = 3
ROW = 4 + 2 * D
Record = tuple[NDArray[np.float32], NDArray[np.float32]]


@pytest.fixture
def patches(tmp_path: Path) -> Patches:
    return Patches(tmp_path / "patches")


def record_of(number: int, version: int = 0) -> Record:
    """Points and vectors that tell whose they are; ``number % 5`` of them."""
    base = np.arange(number % 5, dtype=np.float32)[:, None]
    points = np.hstack([base, base + np.float32(number / 64)])
    return points, base + np.float32(number + version / 8) + np.arange(D, dtype=np.float32) / np.float32(4)


def records_of(numbers: Iterable[int], version: int = 0) -> list[Record]:
    return [record_of(number, version) for number in numbers]


def rows_in(numbers: Iterable[int]) -> int:
    return sum(number % 5 for number in numbers)


def assert_right(store: object, number: int, version: int = 0) -> None:
    points, vectors = store.read(number)  # type: ignore[attr-defined]
    expected = record_of(number, version)
    np.testing.assert_array_equal(points, expected[0], strict=True)
    np.testing.assert_array_equal(vectors, expected[1].astype(np.float16))
    assert vectors.dtype == np.float16


def test_append_and_read(patches: Patches) -> None:
    store = patches.store("sift-1-0f3a", D)
    store.append([9, 2, 5], records_of([9, 2, 5]))
    store.append(np.array([4]), records_of([4]))
    assert len(store) == 4
    assert store.ids.tolist() == [9, 2, 5, 4]
    for number in (4, 5, 9, 2):
        assert_right(store, number)
    assert store.read(5)[1].shape == (0, D)  # known to have none
    assert store.missing([1, 5, -1, 10**18, 9]).tolist() == [1, -1, 10**18]
    assert store.counts([9, 5]).tolist() == [4, 0]
    assert store.check() == []
    patches.close()
    again = Patches(patches.folder).store("sift-1-0f3a", D)
    assert again.ids.tolist() == [9, 2, 5, 4]
    assert_right(again, 9)


def test_gather(patches: Patches) -> None:
    store = patches.store("x", D)
    store.append(range(1, 10), records_of(range(1, 10)))
    vectors, offsets = store.gather(range(2, 8))
    assert not vectors.flags.writeable  # mapped
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


def test_an_empty_store_and_photos_without_patches(patches: Patches) -> None:
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
def test_what_is_lost_by_storing_is_small(
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
def test_what_float16_cannot_hold_is_refused(patches: Patches, value: float) -> None:
    store = patches.store("x", D)
    with pytest.raises(ValueError, match="not finite"):
        store.append([1], [(np.zeros((1, 2)), np.full((1, D), value))])
    with pytest.raises(ValueError, match="not finite"):
        store.append([1], [(np.full((1, 2), np.nan), np.zeros((1, D)))])


def test_a_repeated_id_gets_the_new_patches(patches: Patches) -> None:
    store = patches.store("x", D)
    store.append([1, 2, 3], records_of([1, 2, 3]))
    _, old = store.read(2)
    store.append([2, 4], records_of([2, 4], version=1))
    assert store.ids.tolist() == [1, 3, 2, 4]
    np.testing.assert_array_equal(old, record_of(2)[1])  # what was handed out stays
    patches.close()
    again = Patches(patches.folder).store("x", D)
    assert again.ids.tolist() == [1, 3, 2, 4]
    assert_right(again, 2, version=1)
    assert_right(again, 3)


def test_forget_and_writing_anew(patches: Patches) -> None:
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
    np.testing.assert_array_equal(before, record_of(39)[1])  # the old file is gone, the map is not
    store.append([3], records_of([3], version=1))
    patches.close()
    again = Patches(patches.folder).store("x", D)
    assert again.ids.tolist() == [*left, 3]
    for number in left:
        assert_right(again, number)
    assert_right(again, 3, version=1)
    assert again.check() == []


def test_check_finds_damaged_patches_and_compaction_keeps_them_visible(patches: Patches) -> None:
    store = patches.store("x", D)
    store.append(range(40), records_of(range(40)))
    (rows,) = patches.folder.glob("*.rows")
    flip(rows, HEADER + rows_in(range(40)) * ROW - 1)
    store.forget(range(30))
    assert store.check() == [39]
    flip(next(patches.folder.glob("*.rows")), HEADER)  # a point this time; photo 30 has no patches, it is of 31
    assert store.check() == [31]
    assert store.check() == []
    assert store.ids.tolist() == [30, *range(32, 39)]


def test_check_finds_patches_that_are_gone(patches: Patches) -> None:
    store = patches.store("x", D)
    store.append([6, 8, 9, 5], records_of([6, 8, 9, 5]))
    (rows,) = patches.folder.glob("*.rows")
    os.truncate(rows, HEADER + ROW + 3)
    with pytest.raises(LibraryError, match="was cut off while it was open: check the library"):
        store.gather([6, 8])
    assert store.check() == [8, 9, 5]  # 5 has none, but its place is gone
    assert_right(store, 6)
    store.append([9, 4], records_of([9, 4]))
    patches.close()
    again = Patches(patches.folder).store("x", D)
    assert again.ids.tolist() == [6, 9, 4]
    for number in (6, 9, 4):
        assert_right(again, number)


def test_check_in_small_blocks(patches: Patches, monkeypatch: pytest.MonkeyPatch) -> None:
    store = patches.store("x", D)
    store.append(range(30), records_of(range(30)))
    (rows,) = patches.folder.glob("*.rows")
    flip(rows, HEADER + rows_in(range(17)) * ROW)
    monkeypatch.setattr("browser.catalog.record_store._BLOCK", 2 * ROW)
    assert store.check() == [17]
    store.forget(range(20))
    assert store.check() == []
    for number in range(20, 30):
        assert_right(store, number)


def test_a_damaged_entry_loses_its_photo_only(patches: Patches) -> None:
    for field in range(0, PATCH_ENTRY.itemsize, 4):
        with_damage = Patches(patches.folder / str(field))
        with_damage.store("x", D).append([7, 8, 9], records_of([7, 8, 9]))
        with_damage.close()
        flip(index_path(with_damage.folder, "x"), HEADER + PATCH_ENTRY.itemsize + field)
        again = Patches(with_damage.folder)
        assert again.store("x", D).ids.tolist() == [7, 9]
        again.store("x", D).append([8], records_of([8]))
        again.close()
        last = Patches(with_damage.folder).store("x", D)
        assert last.ids.tolist() == [7, 9, 8]
        for number in (7, 8, 9):
            assert_right(last, number)


@pytest.mark.parametrize("victim", ["index", "rows"])
@pytest.mark.parametrize("damage", ["flip", "empty", "short", "gone", "text"])
def test_a_wrong_header_sets_the_files_aside(patches: Patches, victim: str, damage: str) -> None:
    patches.store("x", D).append([1, 2], records_of([1, 2]))
    patches.close()
    (path,) = patches.folder.glob(f"*.{victim}")
    if damage == "flip":
        flip(path, 10)
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "short":
        os.truncate(path, 100)
    elif damage == "gone":
        path.unlink()
    else:
        path.write_text("no patches" * 1000)
    again = Patches(patches.folder)
    store = again.store("x", D)
    assert len(store) == 0
    store.append([3], records_of([3]))
    again.close()
    assert Patches(patches.folder).store("x", D).ids.tolist() == [3]


def test_files_of_vectors_are_no_patches(patches: Patches) -> None:
    vectors = Vectors(patches.folder)
    vectors.store("x", D).append([1], np.zeros((1, D)))
    vectors.close()
    assert patches.open("x") is None
    assert len(patches.store("x", D)) == 0
    assert list(patches.folder.glob("*.damaged"))


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


def test_read_only(patches: Patches) -> None:
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


def test_closed_stores_say_so_and_arrays_stay(patches: Patches) -> None:
    store = patches.store("x", D)
    store.append([4], records_of([4]))
    _, vectors = store.read(4)
    patches.close()
    gc.collect()
    np.testing.assert_array_equal(vectors, record_of(4)[1])
    for use in (lambda: store.read(4), lambda: store.append([2], records_of([2])), lambda: patches.store("x", D)):
        with pytest.raises(LibraryError, match="closed"):
            use()


def test_forgotten_photos_lose_their_patches_and_vacuum_keeps_what_is_named(library: Library) -> None:
    library.patches.store("a", D).append([1, 2], records_of([1, 2]))
    library.patches.store("b", D).append([1, 2], records_of([1, 2]))
    library._forget([1])
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
                except KeyError:  # forgotten in between
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


APPEND = """
import sys
from pathlib import Path
import numpy as np
from browser.catalog.library import Library
with Library.open(Path(sys.argv[1])) as library:
    store = library.patches.store("x", 50)
    first = int(sys.argv[2]) * 10**6
    for start in range(first, first + 10**6, 8):
        ids = np.arange(start, start + 8)
        store.append(ids, [(np.zeros((n % 9, 2)), np.full((n % 9, 50), n % 2048)) for n in ids.tolist()])
        if start % 80 == 0:
            store.forget(ids[:2])
        print(start, flush=True)
"""


def test_patches_that_were_confirmed_are_there_after_a_kill(place: Path) -> None:
    chance = random.Random(0)
    for turn in range(3):
        program = start(APPEND, place, str(turn))
        assert program.stdout is not None
        first = program.stdout.readline()
        time.sleep(chance.uniform(0, 0.3))
        program.send_signal(signal.SIGKILL)
        rest, _ = program.communicate()
        with Library.open(place) as library:
            store = library.patches.store("x", 50)
            for begin in map(int, (first + rest).split("\n")[:-1]):
                for number in range(begin + (2 if begin % 80 == 0 else 0), begin + 8):
                    _, vectors = store.read(number)
                    np.testing.assert_array_equal(vectors, np.full((number % 9, 50), number % 2048))
                if begin % 80 == 0:
                    assert len(store.missing([begin, begin + 1])) == 2
            assert store.check() == []


FILL = """
import sys
from pathlib import Path
import numpy as np
from browser.catalog.library import Library, LibraryFullError
disk = Path(sys.argv[1])
(disk / "ballast").write_bytes(bytes(600_000))
library = Library.open(disk / "library")
store = library.patches.store("x", 100)
def record(n):
    return np.zeros((20 + n % 7, 2)), np.full((20 + n % 7, 100), n % 2048)
done = 0
try:
    for done in range(10_000):
        store.append([done], [record(done)])
except LibraryFullError as error:
    assert "Free some space" in str(error)
else:
    sys.exit("the disk never was full")
def check(count):
    store = library.patches.store("x", 100)
    assert store.ids.tolist() == list(range(count)) and store.check() == []
    assert all((store.read(n)[1] == n % 2048).all() and len(store.read(n)[1]) == 20 + n % 7 for n in range(count))
check(done)
(disk / "ballast").unlink()
store.append([done], [record(done)])
check(done + 1)
library.close()
library = Library.open(disk / "library")
check(done + 1)
library.close()
print("done")
"""


@pytest.mark.skipif(not can_make_small_disk(), reason="no small disk can be mounted here")
def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    assert run_on_small_disk(FILL, disk, "3m") == "done\n"
