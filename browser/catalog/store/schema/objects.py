# SPDX-License-Identifier: MIT
"""Checks that a catalogue has exactly the schema that the migrations create.

Any other object in a file's schema may be executed when the file is opened or written, such as a trigger or a view in
place of a table. The program's own statements need only the objects of the migrations. (``trusted_schema = OFF`` is
impossible, because the digests use a function of the program, which Python's module cannot declare innocuous.)
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache, lru_cache
from typing import Final

from focal_photos.browser.catalog.store import migrations
from focal_photos.browser.catalog.store.schema.functions import add_to as add_functions

OF_THE_PROGRAM: Final = frozenset({"commit_count", "photo_change"})
"""Tables that hold neither the user's work nor data of photos."""

KNOWN_SCHEMAS: Final = {
    # for all migrations; tests/browser/catalog/store/test_migrations.py tells what to add here after a new one
    "0c225c5b4b3cc3335bb90368c7f2c7281a41e001d064db267dcb87646d095671": (
        "2034effa904bec03937d83e2e15a264840c426d2a9a19a9f8e03a8f88be59549"
    ),
}
"""Digest of the resulting schema, by the digest of the migrations. Applying all migrations to an empty catalogue would
double the time of a start, so that is done only for unknown migrations or a deviating schema."""

try:
    from _blake2 import blake2b  # as in hashlib, which also loads OpenSSL: that takes as long as SQLite
except ImportError:
    from hashlib import blake2b

_Objects = dict[tuple[str, str], str]
# As bytes, because damaged text may not be decodable.
_OBJECTS = "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(sql AS BLOB) FROM sqlite_master"


def strange_objects(connection: sqlite3.Connection, steps: Sequence[migrations.Migration]) -> list[str]:
    """Return the differences between the schema of an open catalogue and that of the migrations.

    Parameters
    ----------
    connection : sqlite3.Connection
        Only its schema is read.
    steps : sequence of Migration
        The catalogue's version must be 0 or that of one of them.

    Returns
    -------
    list of str
        Such as ``a trigger steal``, ``another table photo``, ``no index file_photo``; empty without differences.
    """
    found = _objects(connection)
    so_far = tuple(step for step in steps if step.version <= migrations.version(connection))
    if KNOWN_SCHEMAS.get(_digest_of(so_far)) == _digest(sorted(found.items())):
        return []
    expected = _expected(so_far)
    both = found.keys() & expected.keys()
    return [
        *(f"a {kind} {name}" for kind, name in sorted(found.keys() - both)),
        *(f"another {kind} {name}" for kind, name in sorted(both) if expected[kind, name] != found[kind, name]),
        *(f"no {kind} {name}" for kind, name in sorted(expected.keys() - both)),
    ]


def digests(steps: Sequence[migrations.Migration]) -> tuple[str, str]:
    """Return the digest of migrations and that of their resulting schema, as in `KNOWN_SCHEMAS`."""
    return _digest_of(tuple(steps)), _digest(sorted(_expected(tuple(steps)).items()))


@cache
def _digest_of(steps: tuple[migrations.Migration, ...]) -> str:
    return _digest([step.sql for step in steps])


def _digest(parts: object) -> str:
    return blake2b(repr(parts).encode(errors="surrogatepass"), digest_size=32).hexdigest()


@cache
def _expected(steps: tuple[migrations.Migration, ...]) -> _Objects:
    with closing(empty_catalogue(steps, len(steps))) as connection:
        return _objects(connection)


def empty_catalogue(steps: Sequence[migrations.Migration], version: int, place: str = ":memory:") -> sqlite3.Connection:
    """Return a new catalogue of an older or the current version, created by the migrations.

    Parameters
    ----------
    place : str
        Path of a new file; default: in memory.
    """
    connection = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    try:
        add_functions(connection)
        migrations.migrate(connection, [step for step in steps if step.version <= version])
    except BaseException:
        connection.close()
        raise
    return connection


def create_or_migrate(connection: sqlite3.Connection, steps: Sequence[migrations.Migration]) -> None:
    """Create the tables of an empty catalogue, or apply the migrations that a catalogue lacks.

    Applying all migrations takes 30 ms. That is done once, in memory; copying the result takes .2 ms.

    Parameters and errors are those of `migrate`.
    """
    if migrations.version(connection) or connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        migrations.migrate(connection, steps)
    else:
        _new_catalogue(tuple(steps)).backup(connection)


@cache
def _new_catalogue(steps: tuple[migrations.Migration, ...]) -> sqlite3.Connection:
    return empty_catalogue(steps, len(steps))


def _objects(connection: sqlite3.Connection) -> _Objects:
    # The optimizer's statistics tables are ignored.
    found = ((_text(kind), _text(name), _plain(sql)) for kind, name, sql in connection.execute(_OBJECTS))
    return {(kind, name): sql for kind, name, sql in found if not name.startswith("sqlite_")}


def _text(content: bytes | None) -> str:
    return (content or b"").decode(errors="replace")


@lru_cache(maxsize=1024)
def _plain(sql: bytes | None) -> str:
    """Return a statement without quotes, which depend on the version of SQLite that last renamed a table."""
    return re.sub(r'[\s"]+', " ", _text(sql)).strip()


def stored_columns(connection: sqlite3.Connection, table: str) -> list[tuple[str, str, int]]:
    """Return name, type and position in the primary key (0: none) of a table's columns, except generated ones."""
    columns = connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
    return [(str(name), str(kind), int(key)) for _, name, kind, _, _, key, hidden in columns if not hidden]
