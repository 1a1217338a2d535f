"""Numbered SQL files take a catalogue from each schema to the next; ``user_version`` tells which it has."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

APPLICATION_ID = 0x466F636C  # "Focl": tells a catalogue from any other SQLite file
_NAME = re.compile(r"(\d{4})_\w+\.sql")


class Migration(NamedTuple):
    """One step of the schema: `sql` takes a catalogue from version ``version - 1`` to `version`."""

    version: int
    name: str
    sql: str


def migrations() -> list[Migration]:
    """Return the migrations of this program, in order; they count 1, 2, 3 without a gap."""
    found = []
    for entry in Path(__file__).with_name("migrations").iterdir():
        match = _NAME.fullmatch(entry.name)
        if match:
            found.append(Migration(int(match[1]), entry.name, entry.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.version)
    return found


def version(connection: sqlite3.Connection) -> int:
    """Return the schema version of the open catalogue; 0 for an empty file."""
    (number,) = connection.execute("PRAGMA user_version").fetchone()
    return int(number)


def migrate(connection: sqlite3.Connection, steps: Sequence[Migration]) -> None:
    """Apply those of `steps` that the catalogue has not seen, each in a transaction of its own.

    A step that fails leaves the schema as it was after the one before.

    Parameters
    ----------
    connection : sqlite3.Connection
        Open for writing, in autocommit mode, outside a transaction.
    steps : sequence of Migration
        In order.

    Raises
    ------
    sqlite3.DatabaseError
        The file has tables, but its schema version is 0.
    """
    if not version(connection) and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        error = sqlite3.DatabaseError("it has tables, but its schema has the version 0")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT  # reported as a damaged file
        raise error
    # A step that rebuilds a table would trip over the references to it, so these are checked once at its end.
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        for step in steps:
            if step.version > version(connection):
                _apply(connection, step)
    finally:
        connection.execute("PRAGMA foreign_keys = ON")


def _apply(connection: sqlite3.Connection, step: Migration) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements(step.sql):
            connection.execute(statement)
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        if broken is not None:
            raise sqlite3.IntegrityError(f"{step.name} leaves a broken reference in the table {broken[0]}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {step.version}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def statements(sql: str) -> Iterator[str]:
    """Yield the statements of a script one by one (``executescript`` would commit between them)."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if "".join(line.partition("--")[0] for line in statement.splitlines()).strip():
        yield statement
