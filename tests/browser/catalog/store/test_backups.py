from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from browser.catalog.library import Library
from browser.catalog.store import backups


def test_a_backup_is_a_whole_library_in_one_file(tmp_path: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["beach"])
    copy = library.back_up()
    assert copy.parent == library.path / "backups"
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]
    (tmp_path / "restored").mkdir()
    copy.rename(tmp_path / "restored" / "catalog.sqlite")
    with Library.open(tmp_path / "restored") as restored:
        assert restored.photos.ids("tag:beach").tolist() == photos
        assert restored.journal.undo_label() == "Tag 5 photos: beach"
        assert restored.database.check() == []


def test_the_last_five_stay(library: Library) -> None:
    made = [library.back_up() for _ in range(8)]
    assert backups.backups(library.path) == made[3:]
    assert backups.newest(library.path) == made[-1]


def test_the_copy_just_made_stays_though_the_clock_was_ahead(library: Library) -> None:
    """Copies are told apart by the order of their making: five of them are dated in the future."""
    future = [library.path / "backups" / f"catalog-2099010{day}T000000000000-v1.sqlite" for day in range(1, 6)]
    for path in future:
        path.write_bytes(b"an older program's")
    made = library.back_up()
    assert made.exists()
    assert backups.newest(library.path) == made
    assert backups.backups(library.path) == [*future[1:], made]
    ahead = made.with_name(made.name.replace("-20", "-90", 1))  # as if it had been made before the clock was set right
    made.rename(ahead)
    assert backups.newest(library.path) == ahead
    again = [library.back_up() for _ in range(3)]
    assert backups.backups(library.path) == [future[4], ahead, *again]


def test_more_than_a_million_copies_are_in_order(library: Library) -> None:
    (library.path / "backups" / "catalog-999999-20240101T000000000000-v1.sqlite").write_bytes(b"")
    made = [library.back_up() for _ in range(2)]
    assert backups.backups(library.path)[1:] == made


def test_other_files_are_left_alone_and_unfinished_copies_removed(library: Library) -> None:
    folder = library.path / "backups"
    (folder / "my own copy.sqlite").write_text("mine")
    (folder / "catalog-20240101T000000000000-v1.part").write_text("half")
    for _ in range(6):
        library.back_up()
    assert (folder / "my own copy.sqlite").read_text() == "mine"
    assert not list(folder.glob("*.part"))


def test_one_a_day_is_made_when_the_library_opens(place: Path, library: Library, photos: list[int]) -> None:
    library.close()
    Library.open(place).close()
    assert backups.backups(place) == []  # nobody has done anything yet that could be lost
    with Library.open(place) as again:
        again.tags.change(photos, ["beach"])
    Library.open(place).close()
    (first,) = backups.backups(place)
    Library.open(place).close()
    assert backups.backups(place) == [first]
    for stamp in ("20200101T000000000000", "20990101T000000000000"):  # long ago; a clock that was wrong
        for path in backups.backups(place):
            path.unlink()
        (place / "backups" / f"catalog-{stamp}-v1.sqlite").write_bytes(first.name.encode())
        Library.open(place).close()
        assert len(backups.backups(place)) == 2


def test_no_backup_inside_a_transaction(library: Library) -> None:
    with library.database.transaction(), pytest.raises(RuntimeError):
        library.back_up()
    with library.database.transaction(), pytest.raises(RuntimeError):
        library.database.compact()


def test_a_backup_does_not_hold_others_up(library: Library, photos: list[int]) -> None:
    """Readers go on while it is made, and the original stays as it is."""
    library.tags.change(photos, ["beach"])
    with library.database.reading() as connection:
        library.back_up()
        assert connection.execute("SELECT count(*) FROM photo_tag").fetchone() == (5,)
    assert os.path.exists(library.path / "catalog.sqlite-wal")  # noqa: PTH110
    copy = backups.newest(library.path)
    assert copy is not None
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
