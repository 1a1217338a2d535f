# SPDX-License-Identifier: MIT
from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library, LibraryTooNewError
from focal_photos.browser.catalog.store.backups import backups
from focal_photos.browser.catalog.store.changes import Kind
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.migrations import (
    APPLICATION_ID,
    Migration,
    migrate,
    migrations,
    statements,
    version,
)
from focal_photos.browser.catalog.store.schema.functions import add_to as add_functions
from focal_photos.browser.catalog.store.schema.objects import (
    KNOWN_SCHEMAS,
    _expected,
    create_or_migrate,
    digests,
    strange_objects,
)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    yield connection
    connection.close()


ONE = Migration(1, "0001_one.sql", "CREATE TABLE a (id INTEGER PRIMARY KEY);\nINSERT INTO a VALUES (1);")
TWO = Migration(2, "0002_two.sql", "ALTER TABLE a ADD COLUMN b; -- a semicolon; here\nUPDATE a SET b = 'x;y';")


def test_migrations_are_numbered_without_gaps() -> None:
    steps = migrations()
    assert [step.version for step in steps] == list(range(1, len(steps) + 1))
    assert steps[0].name == "0001_first.sql"


def test_the_final_schema_is_known_without_running_migrations() -> None:
    """After adding a migration, copy the left side of this comparison into `KNOWN_SCHEMAS`."""
    assert dict([digests(migrations())]) == KNOWN_SCHEMAS


def test_a_known_schema_is_compared_without_creating_it(place: Path, library: Library) -> None:
    library.close()
    with closing(sqlite3.connect(place / "catalog.sqlite")) as connection:
        _expected.cache_clear()
        assert strange_objects(connection, migrations()) == []
        assert _expected.cache_info().misses == 0
        connection.execute("CREATE TABLE other (a)")
        assert strange_objects(connection, migrations()) == ["a table other"]
        assert _expected.cache_info().misses == 1


def test_steps_are_applied_once_and_in_order(connection: sqlite3.Connection) -> None:
    migrate(connection, [ONE])
    assert version(connection) == 1
    migrate(connection, [ONE, TWO])
    migrate(connection, [ONE, TWO])
    assert version(connection) == 2
    assert connection.execute("SELECT * FROM a").fetchall() == [(1, "x;y")]
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_new_catalogue_equals_one_that_was_migrated(connection: sqlite3.Connection) -> None:
    add_functions(connection)
    migrate(connection, migrations())
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        create_or_migrate(new, migrations())
        assert list(new.iterdump()) == list(connection.iterdump())
        for name in ("user_version", "application_id", "encoding", "page_size", "auto_vacuum"):
            assert new.execute(f"PRAGMA {name}").fetchone() == connection.execute(f"PRAGMA {name}").fetchone(), name


def test_a_failed_step_leaves_a_new_catalogue_empty(connection: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.OperationalError):
        create_or_migrate(connection, [ONE, Migration(2, "0002_broken.sql", "NONSENSE;")])
    assert version(connection) == 0
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []


def test_a_failed_step_is_rolled_back_completely(connection: sqlite3.Connection) -> None:
    broken = Migration(2, "0002_broken.sql", "CREATE TABLE b (x);\nINSERT INTO a VALUES (2);\nNONSENSE;")
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, [ONE, broken])
    assert version(connection) == 1
    assert connection.execute("SELECT * FROM a").fetchall() == [(1,)]
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("a",)]
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_step_that_leaves_a_broken_reference_is_rolled_back(connection: sqlite3.Connection) -> None:
    broken = Migration(2, "0002_broken.sql", "CREATE TABLE b (a REFERENCES a(id));\nINSERT INTO b VALUES (7);")
    with pytest.raises(sqlite3.IntegrityError, match=r"0002_broken\.sql leaves a broken reference in the table b"):
        migrate(connection, [ONE, broken])
    assert version(connection) == 1


def test_a_step_may_rebuild_a_table_that_others_refer_to(connection: sqlite3.Connection) -> None:
    first = Migration(1, "1", ONE.sql + "\nCREATE TABLE b (a REFERENCES a(id));\nINSERT INTO b VALUES (1);")
    rebuild = "CREATE TABLE c (id INTEGER PRIMARY KEY, d);\nINSERT INTO c SELECT id, 0 FROM a;\nDROP TABLE a;\n"
    migrate(connection, [first, Migration(2, "2", rebuild + "ALTER TABLE c RENAME TO a;")])
    assert connection.execute("SELECT * FROM a JOIN b ON b.a = a.id").fetchall() == [(1, 0, 1)]


def test_scripts_are_split_into_statements() -> None:
    script = "-- first; really\nCREATE TABLE a (\n  x -- ;\n);\n\nINSERT INTO a VALUES ('--;');\n-- the end\n"
    assert [statement.strip().splitlines()[-1] for statement in statements(script)] == [
        ");",
        "INSERT INTO a VALUES ('--;');",
    ]
    assert [text.strip() for text in statements("SELECT 1")] == ["SELECT 1"]


@pytest.fixture
def later() -> list[Migration]:
    """Return the migrations of a later version of the program."""
    steps = migrations()
    return [*steps, Migration(len(steps) + 1, "later.sql", "ALTER TABLE tag ADD COLUMN color TEXT;")]


def test_an_older_library_is_backed_up_and_updated(
    place: Path, library: Library, photos: list[int], later: list[Migration]
) -> None:
    library.tags.change(photos, ["beach"])
    library.close()
    database = Database(place / "catalog.sqlite", steps=later)
    assert database.rows("SELECT name, color FROM tag") == [("beach", None)]
    database.close()
    (backup,) = backups(place)
    assert backup.name.endswith(f"-v{later[-2].version}.sqlite")
    with pytest.raises(LibraryTooNewError):
        Library.open(place)
    (place / "catalog.sqlite").unlink()
    backup.rename(place / "catalog.sqlite")
    with Library.open(place) as again:
        assert again.photos.ids("tag:beach").tolist() == photos


def test_a_failed_update_leaves_the_library_unchanged(
    place: Path, library: Library, photos: list[int], later: list[Migration]
) -> None:
    library.tags.change(photos, ["beach"])
    library.close()
    broken = Migration(later[-1].version, "broken.sql", "DROP TABLE photo_tag;\nNONSENSE;")
    with pytest.raises(sqlite3.OperationalError):
        Database(place / "catalog.sqlite", steps=[*later[:-1], broken])
    with Library.open(place) as again:
        assert again.photos.ids("tag:beach").tolist() == photos
    assert len(backups(place)) == 1


def test_a_reader_reads_an_older_library_from_an_updated_copy(
    place: Path, library: Library, photos: list[int], later: list[Migration]
) -> None:
    library.tags.change(photos, ["beach"])
    library.close()
    before = (place / "catalog.sqlite").read_bytes()
    database = Database(place / "catalog.sqlite", read_only=True, steps=later)
    assert database.rows("SELECT name, color FROM tag") == [("beach", None)]
    assert database.brought_up_to_date
    assert database.stamp(Kind.TAGS) == database.stamp(Kind.TAGS)
    (copy,) = (Path(name) for _, name, name in database.rows("SELECT 1, file, file FROM pragma_database_list"))
    assert copy.exists()
    database.close()
    assert not copy.parent.exists()
    assert (place / "catalog.sqlite").read_bytes() == before
    assert backups(place) == []
