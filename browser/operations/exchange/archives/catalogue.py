# SPDX-License-Identifier: MIT
"""Check the catalogue in an archive.

`settle` checks the file before a library is opened on it. `problems_in` then reads every row: a forged archive may have
correct digests and still contain values that make every later command fail.
"""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum
from focal_photos.browser.catalog.facts.metadata.exchange import boxes_from_json
from focal_photos.browser.catalog.facts.tags import ancestors
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import migrations, timestamps
from focal_photos.browser.catalog.store.schema.functions import add_to as add_functions
from focal_photos.browser.catalog.store.schema.objects import OF_THE_PROGRAM, stored_columns, strange_objects
from focal_photos.browser.operations.exchange.archives.portable import drop_local_settings
from focal_photos.browser.operations.tagging.audit.take_audit import inconsistency

_MAX_NUMBER: Final = 1 << 53
"""Upper bound of all numbers in a catalogue: counters can go on counting, and sums fit into 64 bits."""
_MOST_IDS: Final = 1 << 31  # tables and masks are as long as the largest id
_SPARE_IDS: Final = 1_000_000
_IDS_A_ROW: Final = 1000  # rows of photos are never deleted, those of tags and folders rarely


class StrangeCatalogueError(Exception):
    """Focal did not write this catalogue; the message says what is wrong."""


def settle(catalogue: Path) -> None:
    """Check the header and schema of a catalogue, and delete the settings of its original machine.

    Raises
    ------
    StrangeCatalogueError
    sqlite3.Error
        If the file is damaged.
    """
    steps = migrations.migrations()
    with closing(sqlite3.connect(catalogue, isolation_level=None)) as connection:
        add_functions(connection)
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if application != migrations.APPLICATION_ID:
            raise StrangeCatalogueError("it is not a catalogue of Focal")
        version = migrations.version(connection)
        if version > steps[-1].version:
            return  # reported when it is opened
        if version < 1:
            raise StrangeCatalogueError(f"it says that its schema has the version {version}")
        strange = strange_objects(connection, steps)
        if strange:  # before anything could execute it
            raise StrangeCatalogueError(f"its schema has {', '.join(strange[:3])}")
        drop_local_settings(connection)


def problems_in(library: Library) -> Iterator[str]:
    """Yield a message for each kind of invalid value: numbers, texts, paths, tags."""
    with library.database.reading() as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            if not table.startswith("sqlite_"):
                yield from _numbers(connection, table)
        yield from _counters(connection)
        for table in tables:
            if not table.startswith("sqlite_") and table not in OF_THE_PROGRAM:
                yield from _contents(connection, table)
        yield from _tags_without_parents(connection)
    problem = inconsistency(library.audits.all(), library.audits.drawn())
    if problem is not None:
        yield problem


# ---------------------------------------------------------------------- numbers
def _numbers(connection: sqlite3.Connection, table: str) -> Iterator[str]:
    for column, kind, _ in stored_columns(connection, table):
        if kind not in ("INTEGER", "REAL"):
            continue
        least, most, count = connection.execute(
            f"SELECT min({column}), max({column}), count(*) FROM {table}"
        ).fetchone()
        if most is None or (table, column) == ("file", "mtime_ns"):
            continue
        bound: float = _MAX_NUMBER
        if (table, column) in (("photo", "id"), ("tag", "id"), ("root", "id"), ("metric", "id")):
            bound = min(_MOST_IDS, _SPARE_IDS + _IDS_A_ROW * count)
        elif (table, column) in (("photo", "width"), ("photo", "height")):
            bound = _MOST_IDS
        if not -bound < least <= most < bound:
            yield f"the table {table} has an invalid {column}: {most if most >= bound else least}"
        elif least < (1 if column in ("id", "width", "height", "version") else 0) and column not in _SIGNED:
            yield f"the table {table} has an invalid {column}: {least}"


_SIGNED: Final = frozenset({"rating", "latitude", "longitude", "confidence"})


def _counters(connection: sqlite3.Connection) -> Iterator[str]:
    for table, last in connection.execute("SELECT name, seq FROM sqlite_sequence"):
        if not isinstance(last, int) or not 0 <= last < _MAX_NUMBER:
            yield f"the rows of the table {table} are counted up to {last}"


# ---------------------------------------------------------------------- texts and paths
def _contents(connection: sqlite3.Connection, table: str) -> Iterator[str]:
    columns = [name for name, kind, _ in stored_columns(connection, table) if kind in ("TEXT", "BLOB")]
    readers = [_reader(table, column) for column in columns]
    if not columns:
        return
    rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table}")
    while True:
        try:
            row = rows.fetchone()
        except sqlite3.OperationalError:  # raised by the module itself: not UTF-8
            yield f"the table {table} has a text that is not UTF-8"
            return
        if row is None:
            return
        for column, read, value in zip(columns, readers, row, strict=True):
            if value is not None:
                try:
                    read(value)
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
                    yield f"the table {table} has an invalid {column}: {_shown(value)}"
                    return


def _reader(table: str, column: str) -> Callable[[Any], object]:
    """Return a function that reads a value of a column and raises if it is invalid."""
    known = _READERS.get((table, column))
    if known is not None:
        return known
    return timestamps.from_text if column in ("at", "added_at") else len  # any text is valid


def _path(value: bytes) -> None:
    if b"\0" in value or value.startswith(b"/") or b".." in value.split(b"/"):
        raise ValueError("no path below a folder")


def _whole_path(value: bytes) -> None:
    text = value.decode(errors="surrogateescape")
    # Paths may come from another operating system.
    if "\0" in text or not (PurePosixPath(text).is_absolute() or PureWindowsPath(text).is_absolute()):
        raise ValueError("no absolute path")


def _tag_name(value: str) -> None:
    if not all(part.strip() for part in value.split("/")) or any(
        unicodedata.category(character) in ("Cc", "Cs") for character in value
    ):
        raise ValueError("no name of a tag")


def _list_of(kind: type) -> Callable[[str], None]:
    def read(value: str) -> None:
        found = json.loads(value)
        if not isinstance(found, list) or not all(type(one) is kind for one in found):
            raise TypeError("another list")

    return read


def _strata(value: str) -> None:
    for stratum in json.loads(value):
        AuditStratum(*stratum)


def _mapping(value: str) -> None:
    if not isinstance(json.loads(value), dict):
        raise TypeError("no mapping")


def _steps(value: str) -> None:
    for step in json.loads(value):
        ids = [*(step.get("among") or ()), *step.get("like", ()), *step.get("unlike", ())]
        ids += [step[name] for name in ("focal", "part_of") if step.get(name) is not None]
        if step.get("region") is not None:
            x0, y0, x1, y1 = step["region"]
            if not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1):
                raise TypeError("no region")
        texts = [step.get(name, "") for name in ("query", "label", "order", "text")] + [step.get("folder") or ""]
        seed = step.get("seed", 0)
        if not all(type(one) is int and 0 < one < _MOST_IDS for one in ids) or not all(
            isinstance(one, str) and "\0" not in one for one in texts
        ):
            raise TypeError("no step")
        if type(seed) is not int or not 0 <= seed < _MAX_NUMBER:
            raise TypeError("no seed")


def _waiting(value: str) -> None:
    read = json.loads(value)
    if isinstance(read, dict):
        said, fields = read["said"], read["fields"]
    else:
        tags, rating, label, *rest = read
        _same_kinds(tags, rating, label)
        said, fields = rest[0] if rest else [], rest[1] if len(rest) > 1 else {}
    for lists in fields.values():
        hierarchical, flat, cut = lists
        for names in (hierarchical, flat, cut):
            _same_kinds(names, None, None)
    for path, content_hash, names, stars, color, at in said:
        _same_kinds(names, stars, color)
        if not isinstance(path, str) or "\0" in path or not isinstance(content_hash, str):
            raise TypeError("no sidecar")
        timestamps.from_text(at)


def _same_kinds(tags: object, rating: object, label: object) -> None:
    if not isinstance(tags, list) or not all(isinstance(one, str) for one in tags):
        raise TypeError("no tags")
    if not (rating is None or type(rating) is int) or not (label is None or isinstance(label, str)):
        raise TypeError("no rating or label")


_READERS: Final[Mapping[tuple[str, str], Callable[[Any], object]]] = {
    ("root", "path"): _whole_path,
    ("file", "path"): _path,
    ("file", "folder"): _path,
    ("former_place", "path"): _path,
    ("exchange", "sidecar"): _whole_path,
    ("exchange", "tags"): _list_of(str),
    ("exchanged_boxes", "sidecar"): _whole_path,
    ("exchanged_boxes", "boxes"): boxes_from_json,
    ("photo", "taken"): datetime.fromisoformat,
    ("tag", "name"): _tag_name,
    ("alias", "name"): _tag_name,
    ("trail", "steps"): _steps,
    ("suggestion", "witnesses"): _list_of(int),
    ("metric_scores", "scores"): _mapping,
    ("information", "tags"): _list_of(str),
    ("information", "waiting"): _waiting,
    ("audit", "strata"): _strata,
    ("setting", "value"): json.loads,
}


def _tags_without_parents(connection: sqlite3.Connection) -> Iterator[str]:
    names = {name for (name,) in connection.execute("SELECT name FROM tag")}
    carried = connection.execute("SELECT name FROM tag WHERE id IN (SELECT tag_id FROM photo_tag)")
    for (name,) in carried:
        if not names.issuperset(ancestors(name)):
            yield f"the tag {_shown(name)} has no row for a tag above it"
            return


def _shown(value: str | bytes) -> str:
    text = value.decode(errors="replace") if isinstance(value, bytes) else value
    return json.dumps(text[:60] + ("\N{HORIZONTAL ELLIPSIS}" if len(text) > 60 else ""), ensure_ascii=True)
