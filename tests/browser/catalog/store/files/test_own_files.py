# SPDX-License-Identifier: MIT
"""Files that Focal writes into a library: links are not followed, and other users cannot read them."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from focal_photos.browser.catalog import library as libraries
from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.catalog.store.atomic_file import atomic_file, replacing
from focal_photos.browser.catalog.store.files.own_file import read_own_text, write_own_text
from focal_photos.browser.catalog.store.files.scratch import Scratch, remove_abandoned
from focal_photos.browser.catalog.store.location import OWN_NAME
from focal_photos.browser.catalog.store.lock import LibraryLock
from tests.browser.catalog.small_drives import refuse


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# ---------------------------------------------------------------- links and pipes under fixed names
@pytest.mark.parametrize("name", ["lock.json", "derived/thumbnails.sqlite", "derived/complete.json"])
def test_links_in_a_library_are_not_followed_for_writing(tmp_path: Path, name: str) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    folder = tmp_path / "library"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).symlink_to(precious)
    with Library.open(folder) as library:
        library.thumbnails.put(1, b"a picture")
        with atomic_file(folder / "derived" / "complete.json") as stream:
            stream.write(b"{}")
    assert precious.read_text() == "mine"
    assert not (folder / name).is_symlink()


@pytest.mark.parametrize("name", ["lock", "catalog.sqlite.commits"])
def test_a_link_that_cannot_be_replaced_is_refused(tmp_path: Path, name: str) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    folder = tmp_path / "library"
    with Library.open(folder):
        pass
    known = {path.name for path in folder.iterdir()}
    if name not in known:
        name = next(one for one in known if "commits" in one)
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(precious)
    with pytest.raises((LibraryError, OSError)):
        Library.open(folder)
    assert precious.read_text() == "mine"


def test_a_pipe_for_the_owner_of_the_lock_is_not_waited_for(tmp_path: Path) -> None:
    held = LibraryLock(tmp_path)
    (tmp_path / "lock.json").unlink()
    os.mkfifo(tmp_path / "lock.json")
    with pytest.raises(LibraryError, match="in use by another program"):
        LibraryLock(tmp_path)
    held.release()
    os.mkfifo(tmp_path / "lock.json") if not (tmp_path / "lock.json").exists() else None
    LibraryLock(tmp_path).release()


def test_small_files_are_written_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_own_text(file, "a longer text")
    write_own_text(file, "ärger")
    assert read_own_text(file) == "ärger"
    assert mode(file) == 0o600
    link = tmp_path / "link"
    link.symlink_to(file)
    with pytest.raises(OSError, match="symbolic link"):
        read_own_text(link)


def test_only_links_named_by_the_user_are_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("before")
    link = tmp_path / "link"
    link.symlink_to(target)
    with replacing(link, follow_link=True) as part:
        part.write_text("after")
    assert (target.read_text(), link.is_symlink()) == ("after", True)
    with replacing(link) as part:
        part.write_text("own")
    assert (target.read_text(), link.read_text(), link.is_symlink()) == ("after", "own", False)


# ---------------------------------------------------------------- permissions
def test_a_new_library_is_private(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with Library.open(tmp_path / "new" / "library"):
            assert mode(tmp_path / "new" / "library") == 0o700
            assert mode(tmp_path / "new") == 0o755
    finally:
        os.umask(before)


def test_the_default_library_becomes_private_but_not_other_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, elsewhere = tmp_path / OWN_NAME, tmp_path / "elsewhere"
    monkeypatch.setattr(libraries, "default_path", lambda: own)
    for folder in (own, elsewhere):
        folder.mkdir()
        folder.chmod(0o755)
        with Library.open(folder, read_only=False):
            pass
    assert mode(own) == 0o700
    assert mode(elsewhere) == 0o755
    own.chmod(0o755)
    with Library.open(None):
        assert mode(own) == 0o700


def test_the_default_library_opens_on_a_drive_without_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / OWN_NAME
    own.mkdir()
    own.chmod(0o755)
    monkeypatch.setattr(libraries, "default_path", lambda: own)
    refuse(monkeypatch, "chmod")
    with Library.open(None) as library:
        assert not library.read_only


# ---------------------------------------------------------------- temporary folders
def test_a_temporary_folder_is_private_and_deleted_with_its_context(tmp_path: Path) -> None:
    with Scratch() as scratch:
        assert mode(scratch.path) == 0o700
        (scratch.path / "file").write_text("x")
        assert remove_abandoned(scratch.path.parent) == []
        assert (scratch.path / "file").exists()
    assert not scratch.path.exists()
    scratch.cleanup()


def test_temporary_folders_of_a_killed_program_are_deleted_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    script = (
        "import tempfile, time; from focal_photos.browser.catalog.store.files.scratch import Scratch\n"
        f"tempfile.tempdir = {str(tmp_path)!r}; one = Scratch(); print(one.path, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        left = Path(program.stdout.readline().strip())
        (left / "catalog.sqlite").write_text("a copy")
        with Library.open(tmp_path / "library"):
            assert left.exists()  # its process is alive
        program.send_signal(signal.SIGKILL)
    for name in ("focal-without-owner", "other-program"):
        (tmp_path / name).mkdir()
    (tmp_path / "focal-file").write_text("x")
    (tmp_path / "focal-link").symlink_to(tmp_path / "other-program")
    with Library.open(tmp_path / "library"):
        assert not left.exists()
    kept = {"focal-without-owner", "other-program", "focal-file", "focal-link", "library"}
    assert {path.name for path in tmp_path.iterdir()} == kept
