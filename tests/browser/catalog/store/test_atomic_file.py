# SPDX-License-Identifier: MIT
from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from focal_photos.browser.catalog.store.atomic_file import atomic_file, replacing, sync
from tests.browser.catalog.small_drives import refuse


def test_a_file_appears_complete(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    with atomic_file(path) as stream:
        stream.write(b"half")
        stream.flush()
        assert not path.exists()
        stream.write(b" and half")
    assert path.read_bytes() == b"half and half"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_failed_write_leaves_the_old_file(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "metric.npz"
    path.write_bytes(b"old")

    def write() -> None:
        with atomic_file(path) as stream:
            stream.write(b"new")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    target, link = tmp_path / "disk" / "tags.csv", tmp_path / "tags.csv"
    target.write_bytes(b"old")
    link.symlink_to(target)
    with replacing(link, follow_link=True) as part:
        part.write_bytes(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert list((tmp_path / "disk").iterdir()) == [target]


def test_without_a_write_no_file_is_created(tmp_path: Path) -> None:
    def write() -> None:
        with replacing(tmp_path / "copy.sqlite"):
            pass

    with pytest.raises(FileNotFoundError):
        write()
    assert not list(tmp_path.iterdir())


def test_files_are_written_on_drives_without_folder_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "fsync of folders")
    with atomic_file(tmp_path / "a") as stream:
        stream.write(b"one")
    assert (tmp_path / "a").read_bytes() == b"one"


@pytest.mark.parametrize(("number", "name"), [(errno.EIO, ""), (errno.EIO, "a"), (errno.EINVAL, "a")])
def test_a_failed_sync_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, name: str) -> None:
    (tmp_path / "a").touch()

    def fails(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match=os.strerror(number)):
        sync(tmp_path / name)
