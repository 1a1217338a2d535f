"""A library whose files are deleted, moved or replaced while it is open confirms nothing that would be lost."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from browser.catalog.library import Library
from browser.catalog.store.errors import LibraryInUseError, LibraryReplacedError


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
def test_nothing_is_confirmed_that_would_be_lost(
    place: Path, library: Library, photos: list[int], fault: Callable[[Path], None]
) -> None:
    library.tags.change(photos, ["before"])
    assert library.journal.undo_label() == "Tag 5 photos: before"
    fault(place)
    with pytest.raises(LibraryReplacedError, match="open the library again"):
        library.tags.change(photos, ["after"])
    assert library.journal.undo_label() == "Tag 5 photos: before"


@pytest.mark.parametrize("fault", FAULTS)
def test_what_happens_inside_a_transaction_is_noticed_at_its_end(
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
    with Library.open(place) as library, library.database.reading() as connection:  # the only open reader is taken
        connection.execute("SELECT 1 FROM photo").fetchall()
        fault(place)
        with pytest.raises(LibraryReplacedError), library.database.reading():
            pass


def test_a_library_that_is_back_in_its_place_goes_on(place: Path, library: Library, photos: list[int]) -> None:
    elsewhere = place.with_name("elsewhere")
    place.rename(elsewhere)
    with pytest.raises(LibraryReplacedError):
        library.tags.change(photos, ["beach"])
    elsewhere.rename(place)
    assert library.tags.change(photos, ["beach"]).label == "Tag 5 photos: beach"


def test_there_are_no_two_writers_when_the_lock_is_deleted(place: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["first"])
    (place / "lock").unlink()
    with Library.open(place) as second:
        second.tags.change(photos, ["second"])
        with pytest.raises(LibraryReplacedError):
            library.tags.change(photos, ["lost"])
        library.close()
        assert json.loads((place / "lock.json").read_text())["pid"] > 0, "who holds the lock is still told"
        with pytest.raises(LibraryInUseError):
            Library.open(place)
        second.tags.change(photos, ["third"])
    with Library.open(place, read_only=True) as reader:
        assert [tag.name for tag in reader.tags.all()] == ["first", "second", "third"]


def test_what_was_confirmed_survives_the_loss_of_the_log(place: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["beach"])
    (place / "catalog.sqlite-wal").unlink()
    library.close()
    with Library.open(place) as again:
        assert [tag.name for tag in again.tags.all()] == ["beach"]
