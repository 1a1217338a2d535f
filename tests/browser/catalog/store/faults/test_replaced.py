# SPDX-License-Identifier: MIT
"""If the files of an open library are deleted, moved or replaced, no change that would be lost is confirmed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library, LibraryDamagedError
from focal_photos.browser.catalog.store.errors import LibraryInUseError, LibraryReplacedError
from tests.browser.catalog.albums import enter


def _delete_folder(place: Path) -> None:
    shutil.rmtree(place)


def _move_folder(place: Path) -> None:
    place.rename(place.with_name("elsewhere"))


def _replace_catalogue(place: Path) -> None:
    other = place.with_name("other.sqlite")
    shutil.copy(place / "catalog.sqlite", other)
    other.replace(place / "catalog.sqlite")


def _delete_log(place: Path) -> None:
    (place / "catalog.sqlite-wal").unlink()


def _delete_lock(place: Path) -> None:
    (place / "lock").unlink()


def _replace_lock(place: Path) -> None:
    _delete_lock(place)
    (place / "lock").touch()


FAULTS = [_delete_folder, _move_folder, _replace_catalogue, _delete_log, _delete_lock, _replace_lock]


@pytest.mark.parametrize("fault", FAULTS)
def test_no_change_is_confirmed_that_would_be_lost(
    place: Path, library: Library, photos: list[int], fault: Callable[[Path], None]
) -> None:
    library.tags.change(photos, ["before"])
    assert library.journal.undo_label() == "Tag 5 photos: before"
    fault(place)
    with pytest.raises(LibraryReplacedError, match="open the library again"):
        library.tags.change(photos, ["after"])
    assert library.journal.undo_label() == "Tag 5 photos: before"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_replacement_during_a_transaction_is_noticed_at_its_end(
    place: Path, library: Library, photos: list[int], fault: Callable[[Path], None]
) -> None:
    assert library.journal.undo_label() is None

    def change() -> None:
        with library.journal.action("") as action:
            library.tags.change(photos, ["after"])
            fault(place)
            action.label = "Tag and be moved"

    with pytest.raises(LibraryReplacedError):
        change()
    assert library.journal.undo_label() is None


@pytest.mark.parametrize("fault", [_delete_folder, _replace_catalogue, _delete_log])
def test_nothing_is_read_from_other_files(place: Path, fault: Callable[[Path], None]) -> None:
    with Library.open(place) as library, library.database.reading() as connection:  # occupies the only open reader
        connection.execute("SELECT 1 FROM photo").fetchall()
        fault(place)
        with pytest.raises(LibraryReplacedError), library.database.reading():
            pass


def test_a_library_back_in_its_place_works_again(place: Path, library: Library, photos: list[int]) -> None:
    elsewhere = place.with_name("elsewhere")
    place.rename(elsewhere)
    with pytest.raises(LibraryReplacedError):
        library.tags.change(photos, ["beach"])
    elsewhere.rename(place)
    assert library.tags.change(photos, ["beach"]).label == "Tag 5 photos: beach"


def test_a_deleted_lock_never_admits_two_writers(place: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["first"])
    (place / "lock").unlink()
    with Library.open(place) as second:
        second.tags.change(photos, ["second"])
        with pytest.raises(LibraryReplacedError):
            library.tags.change(photos, ["lost"])
        library.close()
        assert json.loads((place / "lock.json").read_text())["pid"] > 0, "the holder of the lock is still recorded"
        with pytest.raises(LibraryInUseError):
            Library.open(place)
        second.tags.change(photos, ["third"])
    with Library.open(place, read_only=True) as reader:
        assert [tag.name for tag in reader.tags.all()] == ["first", "second", "third"]


def test_confirmed_changes_survive_the_loss_of_the_log(place: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["beach"])
    (place / "catalog.sqlite-wal").unlink()
    library.close()
    with Library.open(place) as again:
        assert [tag.name for tag in again.tags.all()] == ["beach"]


# ---------------------------------------------------------------------- the same file with different content
def _older_copy(place: Path) -> Path:
    """Return the path of the copy of the catalogue made when it was last closed."""
    return place.with_name("older.sqlite")


def _overwrite(place: Path) -> None:
    """Overwrite the catalogue with an older copy as cp does, which preserves the inode."""
    inode = (place / "catalog.sqlite").stat().st_ino
    subprocess.run(["cp", str(_older_copy(place)), str(place / "catalog.sqlite")], check=True)
    assert (place / "catalog.sqlite").stat().st_ino == inode


def _overwrite_with_its_date(place: Path) -> None:
    subprocess.run(["cp", "-p", str(_older_copy(place)), str(place / "catalog.sqlite")], check=True)


def _overwrite_with_a_backup(place: Path) -> None:
    (backup, *_) = sorted((place / "backups").glob("*.sqlite"))
    subprocess.run(["cp", str(backup), str(place / "catalog.sqlite")], check=True)


def _overwrite_log(place: Path) -> None:
    with (place / "catalog.sqlite-wal").open("r+b") as log:
        log.write(b"\0" * 64)


def _write_by_another_program(place: Path) -> None:
    with closing(sqlite3.connect(place / "catalog.sqlite")) as other:
        other.execute("UPDATE sqlite_sequence SET seq = seq + 1")
        other.commit()


OVERWRITES = [
    _overwrite,
    _overwrite_with_its_date,
    _overwrite_with_a_backup,
    _overwrite_log,
    _write_by_another_program,
]


@pytest.fixture
def overwritable(place: Path, tmp_path: Path) -> Path:
    """Return the folder of a library with an older copy of its catalogue and its latest changes in the log."""
    with Library.open(place) as library:
        enter(library, tmp_path, ["a.jpg", "b.jpg"])
        library.tags.change([1], ["older"])
        library.back_up()
    shutil.copy(place / "catalog.sqlite", _older_copy(place))
    with Library.open(place) as library:
        library.tags.change([1, 2], ["later"])
    return place


@pytest.mark.parametrize("overwrite", OVERWRITES)
def test_an_overwritten_catalogue_accepts_no_changes(overwritable: Path, overwrite: Callable[[Path], None]) -> None:
    with Library.open(overwritable) as library:
        library.tags.change([1], ["before"])
        overwrite(overwritable)
        for _ in range(2):
            with pytest.raises(LibraryReplacedError, match="open the library again"):
                library.tags.change([1], ["after"])


@pytest.mark.parametrize("overwrite", OVERWRITES[:3])
def test_an_overwritten_catalogue_is_noticed_at_the_end_of_a_transaction(
    overwritable: Path, overwrite: Callable[[Path], None]
) -> None:
    with Library.open(overwritable) as library:

        def change() -> None:
            with library.journal.action("Tag and be overwritten"):
                library.tags.change([1], ["after"])
                overwrite(overwritable)

        with pytest.raises(LibraryReplacedError):
            change()
        with pytest.raises(LibraryReplacedError):
            library.tags.change([1], ["after"])


@pytest.mark.parametrize("overwrite", OVERWRITES[:3])
def test_a_file_that_replaced_the_catalogue_is_not_changed(
    overwritable: Path, overwrite: Callable[[Path], None]
) -> None:
    """The log is not applied to the new file, and with the log beside it, the file is refused as a catalogue."""
    with Library.open(overwritable) as library:
        library.tags.change([1], ["before"])
        overwrite(overwritable)
        # In another process, as closing the file in this one would release SQLite's locks on it.
        command = ["cat", str(overwritable / "catalog.sqlite")]
        content = subprocess.run(command, check=True, capture_output=True).stdout
    assert (overwritable / "catalog.sqlite").read_bytes() == content
    for read_only in (False, True):
        with pytest.raises(LibraryDamagedError, match="replaced by another one but its write-ahead log"):
            Library.open(overwritable, read_only=read_only)
    (overwritable / "catalog.sqlite-wal").unlink()  # as the message advises
    (overwritable / "catalog.commits").unlink(missing_ok=True)
    with Library.open(overwritable) as library:
        assert [tag.name for tag in library.tags.all()] == ["older"]
        assert library.database.check() == []


def test_a_touched_or_linked_catalogue_keeps_working(overwritable: Path) -> None:
    with Library.open(overwritable) as library:
        library.tags.change([1], ["before"])
        os.utime(overwritable / "catalog.sqlite")
        (overwritable / "link").hardlink_to(overwritable / "catalog.sqlite")
        for name in ("after", "and after that"):
            library.tags.change([1], [name])
    with Library.open(overwritable) as library:
        assert library.tags.of([1])[1] == ["after", "and after that", "before", "later", "older"]


def test_checkpoints_are_not_mistaken_for_another_program(overwritable: Path) -> None:
    with Library.open(overwritable) as library:
        with library.database.transaction() as connection:
            connection.execute("PRAGMA wal_autocheckpoint = 2")
        for number in range(20):
            library.tags.change([1, 2], [f"tag {number}"])
        library.database.compact()
        with closing(sqlite3.connect(overwritable / "catalog.sqlite")) as other:
            other.execute("PRAGMA wal_checkpoint")
        library.tags.change([1], ["last"])
    with Library.open(overwritable) as library:
        assert len(library.tags.all()) == 23


def test_a_reader_does_not_mistake_the_writer_for_another_program(overwritable: Path) -> None:
    """The reader opens its connection while a transaction is being written."""
    with Library.open(overwritable) as library:
        for number in range(5):
            with library.journal.action("Tag while others read"):
                library.tags.change([1, 2], [f"tag {number}"])
                with library.database.transaction() as connection:
                    connection.execute("PRAGMA cache_spill = 1")
                    connection.execute("PRAGMA cache_size = 2")
                    library.tags.change([1, 2], [f"{number} {page:0150}" for page in range(300)])
                readers = [threading.Thread(target=library.tags.all) for _ in range(3)]
                for reader in readers:
                    reader.start()
                for reader in readers:
                    reader.join()
        library.tags.change([1], ["last"])
        assert len(library.tags.all()) == 3 + 5 * 301


def test_log_entries_of_a_rolled_back_transaction_are_recognised(overwritable: Path) -> None:
    with Library.open(overwritable) as library:

        def fail() -> None:
            with library.database.transaction() as connection:
                connection.execute("PRAGMA cache_spill = 1")
                connection.execute("PRAGMA cache_size = 2")
                library.tags.change([1, 2], [f"{page:0150}" for page in range(300)])
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fail()
        library.tags.change([1], ["after"])
        assert "after" in {tag.name for tag in library.tags.all()}
