# SPDX-License-Identifier: MIT
"""Numbered SQL files that migrate a catalogue to the next schema; ``user_version`` is its schema version."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

APPLICATION_ID = 0x466F636C  # "Focl": identifies an SQLite file as a catalogue
_NAME = re.compile(r"(\d{4})_\w+\.sql")


class Migration(NamedTuple):
    """One migration: `sql` takes a catalogue from version ``version - 1`` to `version`."""

    version: int
    name: str
    sql: str


@cache
def migrations() -> tuple[Migration, ...]:
    """Return the migrations of this program in order; their versions are 1, 2, 3, ... without gaps."""
    found = []
    for entry in Path(__file__).with_name("migrations").iterdir():
        match = _NAME.fullmatch(entry.name)
        if match:
            found.append(Migration(int(match[1]), entry.name, entry.read_text(encoding="utf-8")))
    return tuple(sorted(found, key=lambda migration: migration.version))


def version(connection: sqlite3.Connection) -> int:
    """Return the schema version of the open catalogue; 0 for an empty file."""
    (number,) = connection.execute("PRAGMA user_version").fetchone()
    return int(number)


def migrate(connection: sqlite3.Connection, steps: Sequence[Migration]) -> None:
    """Apply the migrations that the catalogue lacks, each in its own transaction.

    A failed migration leaves the schema of the one before.

    Parameters
    ----------
    connection : sqlite3.Connection
        Open for writing, in autocommit mode, outside a transaction.
    steps : sequence of Migration
        Migrations in order.

    Raises
    ------
    sqlite3.DatabaseError
        If the file has tables, but its schema version is 0.
    """
    if not version(connection) and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        error = sqlite3.DatabaseError("it has tables, but its schema has the version 0")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT  # reported as a damaged file
        raise error
    # Migrations that rebuild a table would violate references to it, so references are checked once at the end.
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
