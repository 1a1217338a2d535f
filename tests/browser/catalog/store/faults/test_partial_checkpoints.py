# SPDX-License-Identifier: MIT
"""Checkpoints delayed by readers leave the catalogue's file incomplete; the writer still recognizes it.

SQLite copies pages from the write-ahead log into the file only up to the snapshot of the oldest reader. Until a later
checkpoint completes, the file without its log is a mixture of old and new pages.
"""

from __future__ import annotations

import itertools
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import LibraryInUseError, LibraryReplacedError
from tests.browser.catalog.albums import enter

_READER = """
import sqlite3, sys, time
path, seconds = sys.argv[1], float(sys.argv[2])
connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None, timeout=60)
while True:
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM tag").fetchone()
    print("reading", flush=True)
    time.sleep(seconds)
    connection.execute("COMMIT")
"""


@contextmanager
def _other_reader(place: Path, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """Run a process that holds one read transaction after another, each for `seconds`."""
    command = [sys.executable, "-c", _READER, str(place / "catalog.sqlite"), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def busy(place: Path, tmp_path: Path) -> Iterator[Library]:
    """Yield a library of some photos that attempts a checkpoint at nearly every commit."""
    with Library.open(place) as library:
        enter(library, tmp_path, [f"{number}.jpg" for number in range(20)])
        _attempt_checkpoints_every(library, 4)
        yield library


def _attempt_checkpoints_every(library: Library, pages: int) -> None:
    with library.database.transaction() as connection:
        connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")


def _checkpoint(library: Library) -> tuple[int, int]:
    """Checkpoint as far as possible; return the numbers of frames in the log and of those copied to the file."""
    with closing(sqlite3.connect(library.path / "catalog.sqlite")) as other:
        _, frames, copied = other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return frames, copied


def _tag(library: Library, number: int) -> str:
    """Make a change of several pages; return the new tag."""
    name = f"tag {number:04d} {'x' * 100}"
    library.tags.change(range(1, 21), [name])
    return name


def _names(library: Library) -> list[str]:
    return sorted(tag.name for tag in library.tags.all())


@pytest.mark.parametrize("commits", [1, 2, 3])
def test_a_reader_of_the_same_process_delays_a_checkpoint(place: Path, tmp_path: Path, commits: int) -> None:
    """Uses SQLite's default number of pages, as the window does."""
    names = []
    with Library.open(place) as library:
        enter(library, tmp_path, [f"{number}.jpg" for number in range(20)])
        number = itertools.count()
        for _ in range(60):
            with library.database.reading() as connection:
                connection.execute("SELECT count(*) FROM tag").fetchone()
                names += [_tag(library, next(number)) for _ in range(commits)]
    with Library.open(place) as library:
        assert _names(library) == names
        assert library.database.check() == []


@pytest.mark.parametrize("pages", [4, 50])
def test_another_process_can_read_while_one_tags(place: Path, busy: Library, pages: int) -> None:
    _attempt_checkpoints_every(busy, pages)
    with _other_reader(place, 0.05):
        names = [_tag(busy, number) for number in range(200)]
    assert _names(busy) == names


def test_readers_killed_while_reading_do_no_harm(place: Path, busy: Library) -> None:
    names = []
    for number in range(5):
        with _other_reader(place, 60):
            names += [_tag(busy, 10 * number + step) for step in range(10)]
    busy.close()
    with Library.open(place) as library:
        assert _names(library) == names
        assert library.database.check() == []


@pytest.mark.parametrize("seed", range(3))
def test_several_snapshots_can_be_read(busy: Library, seed: int) -> None:
    """Readers begin and end at random, and the file is compacted now and then."""
    chance = random.Random(seed)
    with busy.database.transaction() as connection:
        connection.execute("PRAGMA busy_timeout = 1")
    names: list[str] = []
    held: list[ExitStack] = []
    for number in range(150):
        names.append(_tag(busy, number))
        if chance.random() < 0.3:
            held.append(reader := ExitStack())
            reader.enter_context(busy.database.reading()).execute("SELECT count(*) FROM tag").fetchone()
        if held and chance.random() < 0.3:
            held.pop(chance.randrange(len(held))).close()
        if chance.random() < 0.03:
            with suppress(LibraryInUseError):
                busy.database.compact()
    for reader in held:
        reader.close()
    assert _names(busy) == names
    assert busy.database.check() == []


def test_the_file_can_be_compacted_during_reading(place: Path, busy: Library) -> None:
    """Compacting renumbers the pages, so until a checkpoint completes, the file is unreadable without its log."""
    names = [_tag(busy, number) for number in range(40)]
    with busy.database.transaction() as connection:
        connection.execute("DELETE FROM journal")  # frees pages in the file
    with busy.database.transaction() as connection:
        connection.execute("PRAGMA busy_timeout = 1")
    with busy.database.reading() as before:
        before.execute("SELECT count(*) FROM tag").fetchone()
        busy.database.compact()
        names += [_tag(busy, number) for number in range(100, 110)]
        with busy.database.reading() as after:
            after.execute("SELECT count(*) FROM tag").fetchone()
            names += [_tag(busy, number) for number in range(200, 210)]
    with busy.database.reading() as later:
        later.execute("SELECT count(*) FROM tag").fetchone()
        names += [_tag(busy, number) for number in range(300, 310)]
    names += [_tag(busy, number) for number in range(400, 410)]
    busy.close()
    with Library.open(place) as library:
        assert _names(library) == sorted(names)
        assert library.database.check() == []


def _incomplete(library: Library) -> ExitStack:
    """Open a reader and make changes until the file holds part of the log; return the stack that closes the reader."""
    reader = ExitStack()
    _tag(library, 9000)
    reader.enter_context(library.database.reading()).execute("SELECT count(*) FROM tag").fetchone()
    _tag(library, 9001)
    frames, copied = _checkpoint(library)
    assert 0 < copied < frames
    return reader


def _copy(source: Path, target: Path) -> None:
    """Copy in another process, as closing the file in this one would release SQLite's locks on it."""
    subprocess.run(["cp", str(source), str(target)], check=True)


def test_an_older_copy_is_noticed_while_the_file_is_incomplete(place: Path, tmp_path: Path) -> None:
    older = tmp_path / "older.sqlite"
    with Library.open(place) as library:
        enter(library, tmp_path, [f"{number}.jpg" for number in range(20)])
    shutil.copy(place / "catalog.sqlite", older)
    with Library.open(place) as library:
        _tag(library, 0)
    with Library.open(place) as library, _incomplete(library):
        _copy(older, place / "catalog.sqlite")
        with pytest.raises(LibraryReplacedError):
            _tag(library, 1)


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + bytes(5000), b"words " * 5000])
def test_a_file_that_is_not_a_catalogue_is_detected(place: Path, busy: Library, tmp_path: Path, content: bytes) -> None:
    _tag(busy, 0)
    other = tmp_path / "other"
    other.write_bytes(content)
    _copy(other, place / "catalog.sqlite")
    for number in (1, 2):
        with pytest.raises(LibraryReplacedError):
            _tag(busy, number)


def _overwritten_at_the_commit(library: Library, older: Path) -> Callable[[], str]:
    """Return a change during whose COMMIT an older copy overwrites the file."""

    def change() -> str:
        def overwrite(statement: str) -> None:
            if statement == "COMMIT":
                _copy(older, library.path / "catalog.sqlite")

        with library.database.transaction() as connection:
            connection.set_trace_callback(overwrite)
            name = _tag(library, 7)
        connection.set_trace_callback(None)
        return name

    return change


def test_a_committed_change_is_never_reported_as_unsaved(place: Path, tmp_path: Path) -> None:
    older, newer = tmp_path / "older.sqlite", tmp_path / "newer.sqlite"
    with Library.open(place) as library:
        enter(library, tmp_path, [f"{number}.jpg" for number in range(20)])
    shutil.copy(place / "catalog.sqlite", older)
    with Library.open(place) as library:
        _tag(library, 6)
    shutil.copy(place / "catalog.sqlite", newer)
    with Library.open(place) as library:
        stamp = library.database.stamp(*[])
        saved = _overwritten_at_the_commit(library, older)()
        assert saved in _names(library)
        assert stamp == library.database.stamp(*[])
        with pytest.raises(LibraryReplacedError):
            _tag(library, 8)
        _copy(newer, place / "catalog.sqlite")
        after = _tag(library, 9)
    with Library.open(place) as library:
        assert {saved, after} <= set(_names(library))
        assert library.database.check() == []


def test_changes_are_accepted_again_once_the_file_is_restored(place: Path, busy: Library, tmp_path: Path) -> None:
    saved, older = tmp_path / "saved.sqlite", tmp_path / "older.sqlite"
    _copy(place / "catalog.sqlite", older)
    first = _tag(busy, 0)
    _checkpoint(busy)
    _copy(place / "catalog.sqlite", saved)
    _copy(older, place / "catalog.sqlite")
    with pytest.raises(LibraryReplacedError):
        _tag(busy, 1)
    _copy(saved, place / "catalog.sqlite")
    assert _names(busy) == [first]
    second = _tag(busy, 2)
    busy.close()
    with Library.open(place) as library:
        assert _names(library) == [first, second]
        assert library.database.check() == []


def test_changes_are_accepted_again_once_the_log_is_restored(place: Path, busy: Library, tmp_path: Path) -> None:
    first = _tag(busy, 0)
    log, saved = place / "catalog.sqlite-wal", tmp_path / "saved"
    subprocess.run(["cp", "-p", str(log), str(saved)], check=True)
    with log.open("r+b") as file:
        file.write(bytes(64))
    for number in (1, 2):
        with pytest.raises(LibraryReplacedError):
            _tag(busy, number)
    subprocess.run(["cp", "-p", str(saved), str(log)], check=True)
    second = _tag(busy, 3)
    assert _names(busy) == [first, second]
