# SPDX-License-Identifier: MIT
"""Confirmed changes survive a power failure, and each sync that protects them is necessary."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.arrays.patches import Patches
from focal_photos.browser.catalog.arrays.vectors import Vectors
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from tests.browser.catalog.numbered import rows_of
from tests.browser.catalog.power import Disk

OpenDisk = Callable[[Path], Disk]


@pytest.fixture
def open_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenDisk]:
    opened: list[Disk] = []

    def begin(folder: Path) -> Disk:
        folder.mkdir(parents=True, exist_ok=True)
        opened.append(Disk(folder, monkeypatch))
        return opened[-1]

    yield begin
    for disk in opened:
        disk.close()


def ids_in(folder: Path) -> list[int]:
    """Return the photo ids of the store in `folder` after checking every row."""
    store = Vectors(folder).store("x", 3)
    assert store.check() == []
    np.testing.assert_array_equal(store.array, rows_of(store.ids))
    return sorted(store.ids.tolist())


def test_an_appended_batch_survives(vectors: Vectors, tmp_path: Path, open_disk: OpenDisk) -> None:
    disk = open_disk(vectors.folder)
    store = vectors.store("x", 3)
    store.append([1, 2], rows_of([1, 2]))
    assert ids_in(disk.left(tmp_path / "first")) == [1, 2]
    store.append([3, 1], rows_of([3, 1]))
    assert ids_in(disk.left(tmp_path / "second")) == [1, 2, 3]


def test_appended_patches_survive(patches: Patches, tmp_path: Path, open_disk: OpenDisk) -> None:
    disk = open_disk(patches.folder)
    patches.store("x", 3).append([7], [(np.ones((4, 2)), np.ones((4, 3)))])
    left = Patches(disk.left(tmp_path / "left")).store("x", 3)
    assert left.check() == []
    assert left.counts([7]).tolist() == [4]


def test_an_entry_never_comes_before_its_rows(vectors: Vectors, tmp_path: Path, open_disk: OpenDisk) -> None:
    """The kernel may write the index at once: its entries must not refer to unwritten rows."""
    store = vectors.store("x", 3)
    store.append([1, 2], rows_of([1, 2]))
    disk = open_disk(vectors.folder)
    numbers, seen = count(), []

    def look(name: str) -> None:
        if name.endswith(".index"):
            seen.append(ids_in(disk.left(tmp_path / f"left{next(numbers)}", early=[name])))

    disk.after_write = look
    store.append([3, 4], rows_of([3, 4]))
    assert seen[-1] == [1, 2, 3, 4]


def test_forgotten_rows_stay_forgotten(vectors: Vectors, tmp_path: Path, open_disk: OpenDisk) -> None:
    store = vectors.store("x", 3)
    store.append([1, 2, 3], rows_of([1, 2, 3]))
    disk = open_disk(vectors.folder)
    store.forget([2])
    assert ids_in(disk.left(tmp_path / "left")) == [1, 3]


def test_a_compaction_loses_nothing(vectors: Vectors, tmp_path: Path, open_disk: OpenDisk) -> None:
    store = vectors.store("x", 3)
    store.append(np.arange(40), rows_of(np.arange(40)))
    disk = open_disk(vectors.folder)
    numbers, seen = count(), []

    def look(old: str, new: str) -> None:
        left = disk.left(tmp_path / f"left{next(numbers)}", renamed=(old, new))
        seen.append(ids_in(left))

    disk.before_replace = look
    store.forget(np.arange(30))
    assert seen == [list(range(30, 40))], "the new index replaced the old one and has its rows"
    assert ids_in(disk.left(tmp_path / "after")) == list(range(30, 40))


def test_a_file_is_replaced_completely(tmp_path: Path, open_disk: OpenDisk) -> None:
    disk = open_disk(tmp_path / "metrics")
    path = disk.folder / "kernel-1.npz"
    path.write_bytes(b"old")
    disk = open_disk(disk.folder)
    seen: list[bytes] = []

    def look(old: str, new: str) -> None:
        seen.append((disk.left(tmp_path / "during", renamed=(old, new)) / new).read_bytes())

    disk.before_replace = look
    with atomic_file(path) as stream:
        stream.write(b"new")
    assert seen == [b"new"]
    assert (disk.left(tmp_path / "after") / "kernel-1.npz").read_bytes() == b"new"


def test_a_backup_survives(library: Library, photos: list[int], tmp_path: Path, open_disk: OpenDisk) -> None:
    library.tags.change(photos, ["beach"])
    disk = open_disk(library.path / "backups")
    backup = library.back_up()
    (tmp_path / "restored").mkdir()
    (disk.left(tmp_path / "left") / backup.name).rename(tmp_path / "restored" / "catalog.sqlite")
    with Library.open(tmp_path / "restored") as restored:
        assert restored.photos.ids("tag:beach").tolist() == photos


def test_every_commit_of_the_catalogue_waits_for_the_disk(library: Library) -> None:
    with library.database.transaction() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL"
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_forgetting_a_thumbnail_waits_for_the_disk(library: Library) -> None:
    """Otherwise, a stale picture could appear for a photo that is known to have changed."""
    library.thumbnails.put(1, b"old")
    statements: list[str] = []
    connection = library.thumbnails._connection
    assert connection is not None
    connection.set_trace_callback(statements.append)
    library.thumbnails.forget([1])
    connection.set_trace_callback(None)
    full = statements.index("PRAGMA synchronous = FULL")
    assert full < statements.index("COMMIT") < statements.index("PRAGMA synchronous = NORMAL")
