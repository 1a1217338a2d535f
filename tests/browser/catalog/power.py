# SPDX-License-Identifier: MIT
"""Simulated power failure: only synced content of a folder survives."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection
from pathlib import Path

import pytest


class Disk:
    """Tracks which content of one folder, without subfolders, is on the disk; initially, all of it.

    Syncing a file writes its bytes; syncing the folder writes new, changed and deleted names. The kernel may write
    anything earlier, in any order, which `early` and `renamed` of `left` simulate.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.before_replace: Callable[[str, str], None] = lambda _old, _new: None
        self.after_write: Callable[[str], None] = lambda _name: None
        self._held: list[int] = []  # open files, so that no inode is reused
        self._bytes: dict[int, bytes] = {}
        self._names: dict[str, int] = {}
        for path in folder.iterdir():
            self._note_file(os.open(path, os.O_RDONLY))
        self._note_names()
        fsync, replace, pwrite = os.fsync, os.replace, os.pwrite

        def noted_fsync(descriptor: int) -> None:
            fsync(descriptor)
            path = Path(f"/proc/self/fd/{descriptor}").readlink()
            if path == folder:
                self._note_names()
            elif stat.S_ISREG(os.fstat(descriptor).st_mode):
                self._note_file(os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY))

        def noted_replace(old: str | Path, new: str | Path) -> None:
            self.before_replace(Path(old).name, Path(new).name)
            replace(old, new)

        def noted_pwrite(descriptor: int, data: bytes, offset: int) -> int:
            done = pwrite(descriptor, data, offset)
            self.after_write(Path(f"/proc/self/fd/{descriptor}").readlink().name)
            return done

        monkeypatch.setattr(os, "fsync", noted_fsync)
        monkeypatch.setattr(os, "replace", noted_replace)
        monkeypatch.setattr(os, "pwrite", noted_pwrite)

    def left(self, target: Path, *, early: Collection[str] = (), renamed: tuple[str, str] | None = None) -> Path:
        """Create folder `target` with the content that survives if the power fails now, and return it.

        Parameters
        ----------
        target : pathlib.Path
        early : collection of str
            Names of files whose present bytes are on the disk.
        renamed : (str, str), optional
            Old and new name of a file whose renaming is on the disk, too.
        """
        names = dict(self._names)
        if renamed is not None:
            names[renamed[1]] = (self.folder / renamed[0]).stat().st_ino
        target.mkdir()
        for name, inode in names.items():
            now = self.folder / name
            content = now.read_bytes() if name in early and now.exists() else self._bytes.get(inode, b"")
            (target / name).write_bytes(content)
        return target

    def close(self) -> None:
        for descriptor in self._held:
            os.close(descriptor)

    def _note_file(self, descriptor: int) -> None:
        self._held.append(descriptor)
        status = os.fstat(descriptor)
        self._bytes[status.st_ino] = os.pread(descriptor, status.st_size, 0)

    def _note_names(self) -> None:
        self._names = {path.name: path.stat().st_ino for path in self.folder.iterdir()}
        for path in self.folder.iterdir():
            self._held.append(os.open(path, os.O_RDONLY))
