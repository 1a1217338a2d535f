# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import (
    Library,
    LibraryDamagedError,
    LibraryError,
    LibraryInUseError,
    LibraryReadOnlyError,
    LibraryTooNewError,
    default_path,
)
from focal_photos.browser.catalog.store.schema.functions import add_to
from tests.browser.catalog.albums import enter
from tests.browser.catalog.processes import start

HOLD = """
import sys, time
from pathlib import Path
from focal_photos.browser.catalog.store.schema.functions import add_to
from focal_photos.browser.catalog.library import Library
with Library.open(Path(sys.argv[1])):
    print("open", flush=True)
    time.sleep(600)
"""


def test_a_new_library_has_its_files_in_one_folder(place: Path, library: Library) -> None:
    assert library.path == place
    assert not library.read_only
    names = {path.name for path in place.iterdir()}
    assert names >= {"catalog.sqlite", "backups", "metrics", "derived", "lock"}
    library.close()
    assert not list(place.glob("catalog.sqlite-*"))
    assert library.warnings == ()


def test_everything_is_restored_on_reopening(place: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:2], ["beach"])
    library.judgements.set(photos[0], [photos[1]], Verdict.SIMILAR)
    library.vectors.store("gabor", 2).append(photos, np.ones((5, 2)))
    library.thumbnails.put(photos[0], b"jpeg")
    library.close()
    library.close()
    with Library.open(place) as again:
        assert again.photos.ids("tag:beach").tolist() == photos[:2]
        assert again.judgements.of(photos[0]) == {photos[1]: Verdict.SIMILAR}
        assert len(again.vectors.store("gabor", 2)) == 5
        assert again.thumbnails.get(photos[0]) == b"jpeg"
        assert again.database.check() == []


def test_user_actions_are_committed_with_full_synchronisation(library: Library) -> None:
    with library.database.transaction() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_second_program_learns_who_holds_the_library(place: Path, library: Library) -> None:
    with pytest.raises(LibraryInUseError, match=f"process {os.getpid()} on .*: close that program and try again"):
        Library.open(place)
    assert json.loads((place / "lock.json").read_text())["pid"] == os.getpid()
    library.close()
    assert not (place / "lock.json").exists()
    Library.open(place).close()


@pytest.mark.parametrize("note", ["", "{}", "[]", '{"pid": "x", "host": 1}'])
def test_an_unreadable_note_of_the_owner_is_ignored(place: Path, library: Library, note: str) -> None:
    (place / "lock.json").write_text(note)
    with pytest.raises(LibraryInUseError, match="another program"):
        Library.open(place)


def test_the_lock_of_a_killed_process_is_released(place: Path) -> None:
    other = start(HOLD, place)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(LibraryInUseError, match=f"process {other.pid} on"):
            Library.open(place)
        with Library.open(place, read_only=True) as reader:
            assert reader.photos.count() == 0
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert (place / "lock.json").exists()
        Library.open(place).close()
    finally:
        other.kill()
        other.communicate()


def test_a_reader_sees_commits_of_the_writer(place: Path, library: Library, photos: list[int]) -> None:
    with Library.open(place, read_only=True) as reader:
        assert reader.tags.all() == []
        assert reader.photos.count("tagged") == 0
        library.tags.change(photos[:2], ["beach"])
        enter(library, library.roots.all()[0].path, ["new.jpg"])
        assert [tag.count for tag in reader.tags.all()] == [2]
        assert reader.photos.count("tagged") == 2
        assert reader.photos.count() == 6


def test_a_reader_changes_nothing(place: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["beach"])
    library.thumbnails.put(photos[0], b"jpeg")
    library.close()
    with Library.open(place, read_only=True) as reader:
        writes: list[Callable[[], object]] = [
            lambda: reader.tags.change(photos, ["sea"]),
            lambda: reader.judgements.set(photos[0], photos, Verdict.SIMILAR),
            reader.journal.undo,
            lambda: reader.settings.set("x", 1),
            lambda: reader.roots.add(place),
            lambda: reader.photos.set_failures([(photos[0], "x")]),
            reader.back_up,
            lambda: reader.vacuum([]),
        ]
        for write in writes:
            with pytest.raises(LibraryReadOnlyError, match="read-only"):
                write()
        reader.thumbnails.put(photos[1], b"jpeg")
        assert reader.thumbnails.get(photos[1]) is None
        assert reader.thumbnails.get(photos[0]) == b"jpeg"
        assert reader.journal.undo_label() == "Tag 5 photos: beach"
    with Library.open(place) as again:
        assert [tag.name for tag in again.tags.all()] == ["beach"]


def test_reading_a_missing_library_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="There is no library"):
        Library.open(tmp_path / "none", read_only=True)
    assert not (tmp_path / "none").exists()


def test_a_file_instead_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LibraryError, match="is a file"):
        Library.open(tmp_path / "file")


def test_the_database_of_another_program_is_not_changed(place: Path) -> None:
    place.mkdir()
    with sqlite3.connect(place / "catalog.sqlite") as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = (place / "catalog.sqlite").read_bytes()
    with pytest.raises(LibraryError, match="not a catalogue of Focal"):
        Library.open(place)
    assert (place / "catalog.sqlite").read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_library_of_a_later_version_is_refused(place: Path, library: Library, read_only: bool) -> None:
    library.close()
    with sqlite3.connect(place / "catalog.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LibraryTooNewError, match=r"later version of Focal \(schema 99.*update Focal"):
        Library.open(place, read_only=read_only)
    with sqlite3.connect(place / "catalog.sqlite") as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (99,)
    connection.close()


@pytest.mark.parametrize("damage", ["header", "pages", "short"])
def test_the_error_of_a_damaged_catalogue_names_its_backup_and_the_repair(
    place: Path, library: Library, photos: list[int], damage: str
) -> None:
    library.tags.change(photos, ["beach"])
    backup = library.back_up()
    library.close()
    catalogue = place / "catalog.sqlite"
    size = catalogue.stat().st_size
    if damage == "short":
        os.truncate(catalogue, size // 2)
    else:
        start, count = (0, 100) if damage == "header" else (4096, size - 8192)
        with catalogue.open("r+b") as stream:
            stream.seek(start)
            stream.write(b"\xa5" * count)
    with pytest.raises(LibraryDamagedError) as caught:
        Library.open(place)
    assert backup.name in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(LibraryDamagedError):
        Library.open(place, read_only=True)
    catalogue.rename(place / "damaged.sqlite")  # as the message advises
    shutil.copy(backup, catalogue)
    with Library.open(place) as again:
        assert again.photos.ids("tag:beach").tolist() == photos


def test_a_damaged_catalogue_without_a_backup_is_reported(place: Path) -> None:
    place.mkdir()
    (place / "catalog.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(LibraryDamagedError, match="There is no backup"):
        Library.open(place)
    with pytest.raises(LibraryDamagedError):  # the lock was released
        Library.open(place)


def test_damage_found_while_working_is_reported_as_such(place: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos, [f"tag{number}" for number in range(300)])
    library.close()
    with Library.open(place) as again:
        catalogue = place / "catalog.sqlite"
        with catalogue.open("r+b") as stream:
            stream.seek(4096)
            stream.write(b"\xa5" * (catalogue.stat().st_size - 4096))

        def use() -> None:  # which call meets the damage depends on SQLite's page cache
            again.photos.ids("tagged")
            again.tags.of(photos)
            again.journal.undo()

        with pytest.raises(LibraryDamagedError):
            use()


def test_check_finds_broken_references(library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["beach"])
    with sqlite3.connect(library.path / "catalog.sqlite") as connection:
        add_to(connection)
        connection.execute("UPDATE photo_tag SET tag_id = 77 WHERE photo_id = ?", (photos[0],))
    connection.close()
    (problem,) = library.database.check()
    assert "photo_tag" in problem


def test_a_closed_library_raises_an_error(library: Library, photos: list[int]) -> None:
    library.close()
    for use in (lambda: library.photos.ids("tagged"), lambda: library.tags.change(photos, ["x"]), library.journal.undo):
        with pytest.raises(LibraryError, match="is closed"):
            use()
    assert library.thumbnails.get(photos[0]) is None


def test_vacuum_deletes_only_orphans(library: Library, photos: list[int]) -> None:
    folder = library.metrics.folder
    for number in (1, 2, 3):
        (folder / f"kernel-{number}.npz").write_bytes(b"learned")
        old = time.time() - 7200
        os.utime(folder / f"kernel-{number}.npz", (old, old))
    (folder / "kernel-4.npz").write_bytes(b"being learned just now")
    library.metrics.add("kernel", file="kernel-1.npz", version=1)
    library.metrics.add("kernel", file="kernel-2.npz", version=2)
    library.journal.undo()
    library.vectors.store("old", 2).append(photos, np.ones((5, 2)))
    library.vectors.store("kept", 2).append(photos, np.ones((5, 2)))
    assert library.vacuum({"kept"}) == ["old", "kernel-3.npz"]
    assert sorted(path.name for path in folder.iterdir()) == ["kernel-1.npz", "kernel-2.npz", "kernel-4.npz"]
    assert library.vectors.keys() == ["kept"]
    library.journal.redo()
    assert library.metrics.current().name == "kernel-2"


def test_the_default_folder_is_the_data_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "focal"
    with Library.open() as library:
        assert library.path == tmp_path / "focal"


def test_library_folders_may_have_odd_names(tmp_path: Path) -> None:
    for name in (b"50% #1?mode=ro&x", b"caf\xe9", "🦊\n".encode()):
        folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        with Library.open(folder) as library:
            library.settings.set("x", 1)
            library.thumbnails.put(1, b"jpeg")
            library.vectors.store("x", 2).append([1], np.ones((1, 2)))
        with Library.open(folder, read_only=True) as library:
            assert library.settings.get("x") == 1
            assert library.thumbnails.get(1) == b"jpeg"
            assert library.vectors.store("x", 2).ids.tolist() == [1]


@pytest.mark.parametrize("empty", [True, False])
@pytest.mark.parametrize("read_only", [True, False])
def test_an_empty_or_missing_catalogue_of_a_used_library_counts_as_damage(
    place: Path, library: Library, photos: list[int], empty: bool, read_only: bool
) -> None:
    library.vectors.store("gabor", 2).append(photos, np.ones((5, 2)))
    backup = library.back_up()
    library.close()
    (place / "catalog.sqlite").unlink()
    if empty:
        (place / "catalog.sqlite").touch()
    with pytest.raises(LibraryDamagedError) as caught:
        Library.open(place, read_only=read_only)
    assert backup.name in str(caught.value)
    assert list((place / "derived" / "vectors").glob("*.index"))
    shutil.copy(backup, place / "catalog.sqlite")  # as the message advises
    with Library.open(place) as again:
        assert again.photos.ids().tolist() == photos


@pytest.mark.parametrize("trace", ["backups/catalog-x.sqlite", "metrics/kernel-1.npz", "derived/vectors/x.index"])
def test_any_remaining_file_shows_that_there_was_a_library(place: Path, trace: str) -> None:
    (place / trace).parent.mkdir(parents=True)
    (place / trace).write_bytes(b"x")
    with pytest.raises(LibraryDamagedError, match="There is no backup"):
        Library.open(place)


def test_a_killed_first_start_can_be_repeated(place: Path) -> None:
    for folder in ("backups", "metrics", "derived/vectors"):
        (place / folder).mkdir(parents=True)
    (place / "catalog.sqlite").touch()
    (place / "lock.json").write_text("{}")
    with Library.open(place) as library:
        assert library.photos.count() == 0


def test_arrays_requested_after_closing_are_closed(tmp_path: Path) -> None:
    with Library.open(tmp_path / "late") as library:
        pass
    with pytest.raises(LibraryError, match="is closed"):
        library.vectors.store("gabor-1-00000000", 4)
    with pytest.raises(LibraryError, match="is closed"):
        library.patches.store("sift-1-00000000", 4)
