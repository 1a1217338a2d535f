"""Whether a catalogue has the schema that the migrations make, and nothing beside it.

What else stands in the schema of a file may run when it is opened or written: a trigger on a table, a view in its
place. The program's own statements never need more than the migrations make. (``trusted_schema = OFF`` is not for a
schema whose digests are a function of the program, which Python's module cannot declare harmless.)
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from typing import Final

from focal_photos.browser.catalog.store import migrations
from focal_photos.browser.catalog.store.schema.functions import add_to as add_functions

OF_THE_PROGRAM: Final = frozenset({"commit_count", "photo_change"})
"""Tables of which no row is what a person did or what was found out about a photo."""

KNOWN: Final = {
    # of all migrations; tests/browser/catalog/store/test_migrations.py says what to put here after a new one
    "72ec38fde9225cc1c401a5aedef3c12013d7b7e1cda2f2b873f59cb89a9f5f2d": (
        "2b6dfec9e43e21529440626fc1c761404ddb8688a32c00ca218448c4c5c283cb"
    ),
}
"""The digest of the schema that steps lead to, by theirs: to make a catalogue by all steps takes as long as all else
of a start. For steps that are not here, or where a schema is another, that is done."""

try:
    from _blake2 import blake2b  # that of hashlib, which loads OpenSSL beside it: as long as SQLite takes
except ImportError:
    from hashlib import blake2b

_Objects = dict[tuple[str, str], str]
# As bytes: a damaged text need not be one.
_OBJECTS = "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(sql AS BLOB) FROM sqlite_master"


def strange_objects(connection: sqlite3.Connection, steps: Sequence[migrations.Migration]) -> list[str]:
    """Return what the schema of an open catalogue has more, less or other than the migrations give it.

    Parameters
    ----------
    connection : sqlite3.Connection
        Nothing but its schema is read.
    steps : sequence of Migration
        The catalogue's version must be that of one of them, or 0.

    Returns
    -------
    list of str
        ``a trigger steal``, ``another table photo``, ``no index file_photo``; empty where all is as it should be.
    """
    found = _objects(connection)
    so_far = tuple(step for step in steps if step.version <= migrations.version(connection))
    if KNOWN.get(_digest([step.sql for step in so_far])) == _digest(sorted(found.items())):
        return []
    expected = _expected(so_far)
    both = found.keys() & expected.keys()
    return [
        *(f"a {kind} {name}" for kind, name in sorted(found.keys() - both)),
        *(f"another {kind} {name}" for kind, name in sorted(both) if expected[kind, name] != found[kind, name]),
        *(f"no {kind} {name}" for kind, name in sorted(expected.keys() - both)),
    ]


def digests(steps: Sequence[migrations.Migration]) -> tuple[str, str]:
    """Return the digest of some steps and that of the schema that they lead to: what `KNOWN` holds of them."""
    return _digest([step.sql for step in steps]), _digest(sorted(_expected(tuple(steps)).items()))


def _digest(parts: object) -> str:
    return blake2b(repr(parts).encode(errors="surrogatepass"), digest_size=32).hexdigest()


@cache
def _expected(steps: tuple[migrations.Migration, ...]) -> _Objects:
    with closing(empty_catalogue(steps, len(steps))) as connection:
        return _objects(connection)


def empty_catalogue(steps: Sequence[migrations.Migration], version: int, place: str = ":memory:") -> sqlite3.Connection:
    """Return a new catalogue of an older or the present version, as the migrations make it.

    Parameters
    ----------
    steps : sequence of Migration
    version : int
    place : str
        The path of a file that is not there yet; in memory, if not given.
    """
    connection = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    try:
        add_functions(connection)
        migrations.migrate(connection, [step for step in steps if step.version <= version])
    except BaseException:
        connection.close()
        raise
    return connection


def _objects(connection: sqlite3.Connection) -> _Objects:
    # What the optimizer has counted comes and goes by itself. Quotes are as the version of SQLite writes them that
    # renamed a table last.
    return {
        (_text(kind), _text(name)): re.sub(r'[\s"]+', " ", _text(sql)).strip()
        for kind, name, sql in connection.execute(_OBJECTS)
        if not _text(name).startswith("sqlite_")
    }


def _text(content: bytes | None) -> str:
    return (content or b"").decode(errors="replace")


def stored_columns(connection: sqlite3.Connection, table: str) -> list[tuple[str, str, int]]:
    """Return name, type and place in the primary key (0: none) of the columns of a table that are not generated."""
    columns = connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
    return [(str(name), str(kind), int(key)) for _, name, kind, _, _, key, hidden in columns if not hidden]
