# SPDX-License-Identifier: MIT
"""Move a library to another folder: copy, compare and open the copy, and only then delete the original."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import sync
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.location import absolute, note_move
from focal_photos.browser.catalog.store.lock import LibraryLock
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter

_BLOCK: Final = 1 << 20
_RESERVE: Final = 64 << 20  # bytes left free on the disk
_OWN: Final = ("lock", "lock.json")  # files of the program that has it open
_WAITING: Final = "queue"  # the folder of programs waiting for it


def move_library(source: Path, target: Path, *, step: Callable[[str], None] = lambda _name: None) -> Job[Path]:
    """Move a library that no program has open, with all files in its folder.

    Even after an interruption, one of the two places contains the complete library: the new one appears atomically, and
    the old folder is deleted afterwards.

    Parameters
    ----------
    target : pathlib.Path
        New folder, which must not exist or be empty.
    step : callable
        Called with the name of each step before it, for tests.

    Returns
    -------
    pathlib.Path
        The new folder.

    Raises
    ------
    OperationError
        If the target is not empty, is inside the library, or has too little space, a file cannot be read or written or
        is a link, or the copy differs. The library then stays where it was.
    LibraryInUseError
        If another program has it open.
    LibraryError
        If there is no library, or the copy cannot be opened.
    """
    source, target = absolute(source), absolute(target)
    if not (source / "catalog.sqlite").is_file():
        raise LibraryError("There is no library in {0}.", source)
    if target == source or target.is_relative_to(source) or source.is_relative_to(target):
        raise OperationError("{0} contains the library or is in it: choose another folder.", target)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OperationError("{0} exists already: choose a new or an empty folder.", target)
    lock = LibraryLock(source)
    try:
        try:
            yield from _move(source, target, step)
        except OSError as error:
            raise OperationError("The library was not moved: {0}.", error.strerror or error) from error
        # From here on, this must not be cancelled, and no other program may open the old library and write to it.
        with suppress(OSError):
            note_move(source, target)
        step("delete")
        _delete_all_but_lock(source)
    finally:
        lock.release()
    shutil.rmtree(source, ignore_errors=True)
    return target


def _move(source: Path, target: Path, step: Callable[[str], None]) -> Job[None]:
    files = sorted(_files(source))
    size = sum((source / name).stat().st_size for name in files)
    target.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(target.parent).free
    if size + _RESERVE > free:
        raise OperationError(
            "The library takes {0} bytes, and only {1} are free there: free some space first.", size, free
        )
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    part.mkdir(mode=0o700)
    try:
        step("copy")
        meter, digests = Meter(Text("Copying the library"), size), {}
        for name in files:
            digest = hashlib.sha256()
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            with (source / name).open("rb") as old, (part / name).open("xb") as new:
                for block in iter(lambda: old.read(_BLOCK), b""):  # exhausted before the next file
                    new.write(block)
                    digest.update(block)
                    yield meter.advance(len(block), name.name)
                new.flush()
                os.fsync(new.fileno())
            with suppress(OSError):  # not every drive stores dates and permissions
                shutil.copystat(source / name, part / name)
            digests[name] = digest.digest()
        for folder in {(part / name).parent for name in files}:
            sync(folder)
        step("compare")
        yield from _compare(part, files, digests, size)
        if sorted(_files(source)) != files:
            raise OperationError(
                "The library changed while it was copied: close other programs that use it, and move it again."
            )
        step("open")
        yield Meter(Text("Opening the copy")).state()
        with Library.open(part) as copy:
            problems = copy.database.check()
        if problems:
            raise OperationError("The copy is damaged ({0}): the library was not moved.", problems[0])
        yield Meter(Text("Deleting the old library")).state()
        step("rename")
        if target.exists():
            target.rmdir()
        part.rename(target)
        sync(target.parent)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _delete_all_but_lock(source: Path) -> None:
    """Delete a library; files that cannot be deleted are harmless copies."""
    for path in source.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name not in _OWN:
            with suppress(OSError):
                path.unlink()


def _compare(part: Path, files: list[Path], digests: dict[Path, bytes], size: int) -> Job[None]:
    """Read the copy and compare it with the digests of the original."""
    meter = Meter(Text("Comparing the copy"), size)
    for name in files:
        digest = hashlib.sha256()
        with (part / name).open("rb") as stream:
            with suppress(AttributeError, OSError):  # bypass the cache, if the system allows
                os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            for block in iter(lambda: stream.read(_BLOCK), b""):
                digest.update(block)
                yield meter.advance(len(block), name.name)
        if digest.digest() != digests[name]:
            raise OperationError(
                "The copy of {0} differs from the original: the disk may be faulty. The library was not moved.", name
            )


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a library relative to its folder, without those of the program that has it open."""
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(place, name)
            if path.is_symlink():
                raise OperationError("{0} is a link: replace it by its target, then move the library.", path)
            if place == str(folder / _WAITING):
                continue
            if path.is_file() and not (path.parent == folder and name in _OWN):
                yield path.relative_to(folder)
