# SPDX-License-Identifier: MIT
from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from focal_photos.browser.catalog.library import Library, default_path
from focal_photos.browser.catalog.store.errors import LibraryError, LibraryInUseError
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library import move_library as module
from focal_photos.browser.operations.library.move_library import move_library
from tests.browser.catalog.albums import enter
from tests.browser.catalog.small_drives import refuse


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder of a closed library with a tagged photo and the file of a metric."""
    with Library.open(tmp_path / "old") as library:
        enter(library, tmp_path, ["a.jpg", "b.jpg"])
        library.tags.change([1], ["sea"])
        (library.path / "metrics" / "kernel-1.npz").write_bytes(b"learned")
        (library.path / "derived" / "deep" / "er").mkdir(parents=True)
        (library.path / "derived" / "deep" / "lock").write_bytes(b"no lock of ours")
        (library.path / "derived" / "deep" / "er" / "x").write_bytes(b"x" * 3_000_000)
    return tmp_path / "old"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_default_library_is_found_after_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    own = default_path()
    for folder in (own, tmp_path / "other"):
        Library.open(folder).close()
    finish(move_library(tmp_path / "other", tmp_path / "aside"))
    assert default_path() == own, "another library does not change the default"
    first, second = tmp_path / "first", tmp_path / "Zweite 🎉"
    finish(move_library(own, first))
    assert default_path() == first
    with Library.open(None) as library:
        assert library.path == first
    finish(move_library(first, second))
    assert default_path() == second
    second.rename(tmp_path / "away")
    assert default_path() == second, "no library is created in the old place while the drive is offline"
    for asked in (None, second):
        with pytest.raises(LibraryError, match="connect its drive") as caught:
            Library.open(asked)
    assert not second.exists()
    (tmp_path / "data" / "focal.moved").rename(tmp_path / "data" / "aside")
    assert str(tmp_path / "data" / "focal.moved") in str(caught.value)
    assert default_path() == own
    (tmp_path / "data" / "aside").rename(tmp_path / "data" / "focal.moved")
    (tmp_path / "away").rename(second)
    finish(move_library(second, own))
    assert default_path() == own


@pytest.mark.parametrize("there", [False, True])
def test_a_library_is_moved_with_all_its_files(folder: Path, tmp_path: Path, there: bool) -> None:
    target = tmp_path / "elsewhere" / "new"
    if there:
        target.mkdir(parents=True)
    before = contents(folder)
    assert finish(move_library(folder, target)) == target
    assert not folder.exists()
    after = contents(target)
    assert after["metrics/kernel-1.npz"] == b"learned"
    assert after["derived/deep/er/x"] == before["derived/deep/er/x"]
    assert after["derived/deep/lock"] == b"no lock of ours"
    with Library.open(target) as library:
        assert library.tags.of([1]) == {1: ["sea"]}
        assert library.journal.undo_label() == "Tag 1 photo: sea"
    assert [path.name for path in target.parent.iterdir()] == ["new"]


@pytest.mark.parametrize("refused", ["utime", "chmod", "fsync of folders"])
def test_a_library_can_be_moved_to_a_drive_without_dates_and_permissions(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    refuse(monkeypatch, refused)
    finish(move_library(folder, tmp_path / "new"))
    assert not folder.exists()
    with Library.open(tmp_path / "new") as library:
        assert library.tags.of([1]) == {1: ["sea"]}


@pytest.mark.parametrize("at", ["copy", "compare", "open", "rename"])
def test_a_failed_or_cancelled_move_leaves_the_library_in_place(folder: Path, tmp_path: Path, at: str) -> None:
    before = contents(folder)

    def stop(name: str) -> None:
        if name == at:
            raise OSError(28, "No space left on device")

    with pytest.raises(OperationError, match=r"was not moved: No space left on device"):
        finish(move_library(folder, tmp_path / "new", step=stop))
    assert contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    job = move_library(folder, tmp_path / "new")
    next(job)
    next(job)
    job.close()
    assert contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_the_old_library_cannot_be_opened_during_the_move(folder: Path, tmp_path: Path) -> None:
    """Changes to it would be lost, and once the new library exists it is too late to cancel."""
    tried: list[str] = []

    def try_to_open(name: str) -> None:
        if name in ("rename", "delete"):
            with pytest.raises(LibraryInUseError):
                Library.open(folder)
            tried.append(name)

    job = move_library(folder, tmp_path / "new", step=try_to_open)
    for _ in job:
        assert not (tmp_path / "new").exists()
    assert tried == ["rename", "delete"]
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_the_lock_of_the_old_library_is_deleted_last(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock shows that the library is in use; without it, another program could create a new lock and open it."""
    left: list[str] = []
    delete = shutil.rmtree

    def watched(path: Path, **options: Any) -> None:
        if path == folder:
            left.extend(each.name for each in folder.iterdir())
        delete(path, **options)

    monkeypatch.setattr(shutil, "rmtree", watched)
    finish(move_library(folder, tmp_path / "new"))
    assert "lock" in left
    assert set(left) <= {"lock", "lock.json"}
    assert not folder.exists()


def test_a_copy_that_differs_from_the_library_is_refused(folder: Path, tmp_path: Path) -> None:
    before = contents(folder)

    def spoil(name: str) -> None:
        if name == "compare":
            (part,) = tmp_path.glob(".new.*.part")
            (part / "metrics" / "kernel-1.npz").write_bytes(b"learneD")

    with pytest.raises(OperationError, match="differs from the original"):
        finish(move_library(folder, tmp_path / "new", step=spoil))
    assert contents(folder) == before

    def damage(name: str) -> None:
        if name == "open":
            (part,) = tmp_path.glob(".new.*.part")
            content = bytearray((part / "catalog.sqlite").read_bytes())
            content[-200:] = bytes(200)
            (part / "catalog.sqlite").write_bytes(content)

    with pytest.raises((OperationError, LibraryError)):
        finish(move_library(folder, tmp_path / "new", step=damage))
    assert contents(folder) == before

    def add(name: str) -> None:
        if name == "compare":
            (folder / "metrics" / "another.npz").write_bytes(b"new")

    with pytest.raises(OperationError, match="changed while"):
        finish(move_library(folder, tmp_path / "new", step=add))
    assert folder.exists()


def test_unsuitable_targets_are_refused(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    for target, told in (
        (folder, "or is in it"),
        (folder / "inside", "or is in it"),
        (tmp_path, "or is in it"),
        (tmp_path / "full", "exists already"),
        (tmp_path / "full" / "x", "exists already"),
    ):
        with pytest.raises(OperationError, match=told):
            finish(move_library(folder, target))
    with pytest.raises(LibraryError, match="no library"):
        finish(move_library(tmp_path / "full", tmp_path / "new"))
    with Library.open(folder), pytest.raises(LibraryInUseError):
        finish(move_library(folder, tmp_path / "new"))
    (folder / "metrics" / "linked").symlink_to(tmp_path)
    with pytest.raises(OperationError, match="is a link"):
        finish(move_library(folder, tmp_path / "new"))
    (folder / "metrics" / "linked").unlink()
    monkeypatch.setattr(module, "_RESERVE", 1 << 60)
    with pytest.raises(OperationError, match="free some space"):
        finish(move_library(folder, tmp_path / "new"))
    with Library.open(folder) as library:
        assert library.tags.of([1]) == {1: ["sea"]}
