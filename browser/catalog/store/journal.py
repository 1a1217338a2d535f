# SPDX-License-Identifier: MIT
"""Undo and redo: each action of the user is one transaction and one entry of rows before and after.

Automatic changes join the entry of the user's last action.

An entry's changes are JSON, one item per row: ``[table, key, before, after]``, where `key`, `before` and
`after` are lists in the order of the table's columns (its primary key; all others), and null means that there is no
such row. Bytes, such as those of a path, are ``{"hex": "..."}``.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import UndoError
from focal_photos.browser.catalog.text import Text, from_stored, to_stored

MAX_ENTRIES = 10_000  # number of entries; older ones can no longer be undone

_KINDS = {
    "tag": Kind.TAGS,  # renamed
    "photo_tag": Kind.TAGS,
    "alias": Kind.TAGS,
    "box": Kind.BOXES,
    "rejected_box": Kind.BOXES,
    "saved_search": Kind.SEARCHES,
    "trail": Kind.SEARCHES,
    "mark": Kind.MARKS,
    "turned": Kind.ROTATIONS,
    "exchange": Kind.MARKS,
    "exchanged_boxes": Kind.MARKS,
    "confirmed_tag": Kind.MARKS,
    "confirmed_judgement": Kind.MARKS,
    "region": Kind.MARKS,
    "forgotten": Kind.PHOTOS,  # also changes the photo counts of tags
    "root": Kind.ROOTS,  # also changes the paths of all its photos
    "judgement": Kind.JUDGEMENTS,
    "judged_relation": Kind.JUDGEMENTS,
    "text_judgement": Kind.JUDGEMENTS,
    "region_judgement": Kind.JUDGEMENTS,
    "suggestion": Kind.SUGGESTIONS,
    "audit": Kind.AUDITS,
    "audited": Kind.AUDITS,
    "not_duplicate": Kind.DUPLICATES,
    "metric": Kind.METRICS,
    "metric_scores": Kind.METRICS,
    "setting": Kind.METRICS,  # only `_SETTINGS` are journaled
}
PINNED: Final = "tags.pinned"
"""Setting with the list of tags pinned to the digits."""
CURRENT_METRIC: Final = "current_metric"
"""Setting with the id of the current metric."""
TAG_IMPORTS: Final = "metadata.tag_imports"
"""Setting with the choice of tags to import from files, by folder of the library."""
MERGES: Final = "library.merges"
"""Setting with the merged libraries, oldest first."""
BLIND: Final = "audit.blind"
"""Setting, true if the audit hides the tags of the photos."""
PEOPLE: Final = "audit.people"
"""Setting with the answers of other people to planted photos."""
AGREEMENTS: Final = "audit.agreements"
"""Setting with the recorded agreements with other annotators."""
NOT_DUPLICATE_BOXES: Final = "duplicates.not_boxes"
"""Setting with the pairs of boxes that are not duplicates."""
_SETTINGS_ABOUT_TAGS: Final = frozenset({PINNED, TAG_IMPORTS, MERGES, BLIND, PEOPLE, AGREEMENTS})
_SETTINGS: Final = _SETTINGS_ABOUT_TAGS | {CURRENT_METRIC, NOT_DUPLICATE_BOXES}
_ABOUT_TAGS: Final = frozenset({("setting", (name,)) for name in _SETTINGS_ABOUT_TAGS})
_ABOUT_DUPLICATES: Final = ("setting", (NOT_DUPLICATE_BOXES,))
_PHOTO_COLUMNS = ("photo_id", "focal_id", "other_id", "than_id")

Values = tuple[Any, ...]


class _Table:
    """A journaled table: its columns, and the SQL statements for one row."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
        self.name = name
        self.key = tuple(row[1] for row in columns if row[5])
        self.values = tuple(row[1] for row in columns if not row[5])
        where = " AND ".join(f"{column} = ?" for column in self.key)
        every = ", ".join(self.key + self.values)
        marks = ", ".join("?" * len(columns))
        sets = ", ".join(f"{column} = excluded.{column}" for column in self.values)
        self.select = f"SELECT {', '.join(self.values)} FROM {name} WHERE {where}"
        self.delete = f"DELETE FROM {name} WHERE {where}"
        self.upsert = (
            f"INSERT INTO {name} ({every}) VALUES ({marks}) ON CONFLICT ({', '.join(self.key)}) DO UPDATE SET {sets}"
        )
        self._photos = [index for index, column in enumerate(self.key + self.values) if column in _PHOTO_COLUMNS]

    def write(self, connection: sqlite3.Connection, key: Values, values: Values | None) -> None:
        if values is None:
            connection.execute(self.delete, key)
        else:
            connection.execute(self.upsert, key + values)

    def photos(self, key: Values, states: Iterable[Values | None]) -> Iterator[int]:
        """Yield the photos that states of a row refer to."""
        return ((key + state)[index] for state in states if state is not None for index in self._photos)


class Action:
    """Changes of one action up to now."""

    def __init__(self, connection: sqlite3.Connection, tables: Mapping[str, _Table], label: str) -> None:
        self.label = label
        """Label for the undo menu; can be set until the action ends."""
        self.changes = ChangeSet()
        """The changes; empty until the action has ended."""
        self._connection = connection
        self._tables = tables
        self._records: dict[tuple[str, Values], tuple[Values | None, Values | None]] = {}

    @property
    def has_changes(self) -> bool:
        """Whether anything has changed up to now."""
        return bool(self._records)

    @property
    def connection(self) -> sqlite3.Connection:
        """The writer, in the action's transaction.

        Use it instead of a nested transaction: that would be a savepoint, under which deleting a row gets slower with
        every row changed before.
        """
        return self._connection

    def put(self, table: str, key: Mapping[str, Any], values: Mapping[str, Any] | None) -> None:
        """Write one row and record its former values.

        Parameters
        ----------
        table : str
            A journaled table.
        key : mapping
            All columns of its primary key.
        values : mapping or None
            Other columns; omitted ones are unchanged (a new row needs all). None deletes the row.

        Raises
        ------
        KeyError
            If the table is not journaled or a column is missing.
        sqlite3.IntegrityError
            If the row violates a constraint of the schema.
        """
        shape = self._tables[table]
        place = tuple(key[column] for column in shape.key)
        before = self._connection.execute(shape.select, place).fetchone()
        if values is None:
            after = None
        elif before is None:
            after = tuple(values[column] for column in shape.values)
        else:
            old = dict(zip(shape.values, before, strict=True))
            after = tuple(values.get(column, old[column]) for column in shape.values)
        if before == after:
            return
        shape.write(self._connection, place, after)
        self._record(table, place, before, after)

    def _record(self, table: str, key: Values, before: Values | None, after: Values | None) -> None:
        first = self._records.get((table, key), (before, before))[0]
        if first == after:
            self._records.pop((table, key), None)
        else:
            self._records[table, key] = (first, after)

    def _take_in(self, inner: Action) -> None:
        for (table, key), (before, after) in inner._records.items():
            self._record(table, key, before, after)

    def _as_json(self) -> str:
        return json.dumps(
            [(table, key, before, after) for (table, key), (before, after) in self._records.items()],
            ensure_ascii=False,
            separators=(",", ":"),
            default=_encoded,
        )

    def _change_set(self) -> ChangeSet:
        return _change_set(self._connection, self.label, self._tables, self._records)


class Journal:
    """The undo list of a library, stored in the catalogue and so preserved across restarts."""

    def __init__(self, database: Database) -> None:
        self._database = database
        with database.reading() as connection:
            self._tables = {name: _Table(connection, name) for name in _KINDS}
        self._open: list[Action] = []  # of the thread that holds the writer; innermost last
        self._recording = threading.local()

    @contextmanager
    def action(self, label: str, *, by_itself: bool = False) -> Iterator[Action]:
        """Run a block as an action that can be undone in one step.

        All of it is committed when the block ends, or nothing if it raises. A nested action becomes part of the outer
        one. An action without changes leaves no entry; any other deletes the entries that can be redone.

        Parameters
        ----------
        by_itself : bool
            True for an automatic action. It joins the last action that `undo` would revert, so that undo and redo cover
            both, and undone actions can still be redone. Without such an action, it is not recorded.

        Examples
        --------
        >>> with library.journal.action("Tag 1 photo: beach") as action:  # doctest: +SKIP
        ...     action.put("photo_tag", {"photo_id": 1, "tag_id": 2}, {"source": "hand", "at": "..."})
        """
        with self._database.transaction() as connection:
            action = Action(connection, self._tables, label)
            self._open.append(action)
            try:
                yield action
            finally:
                self._open.pop()
            changes = action._change_set() if action._records else ChangeSet()
            is_whole = not self._open
            if action._records:
                self._database.touch(*changes.kinds)
                if self._open:
                    self._open[-1]._take_in(action)
                elif by_itself:
                    self._join(connection, action)
                else:
                    self._enter(connection, action)
        action.changes = changes
        if is_whole:
            self._record(changes)

    @contextmanager
    def recorded(self) -> Iterator[list[ChangeSet]]:
        """Collect the committed changes of the calling thread in the block, including undo and redo."""
        before = getattr(self._recording, "changes", None)
        changes: list[ChangeSet] = []
        self._recording.changes = changes
        try:
            yield changes
        finally:
            self._recording.changes = before

    def _record(self, changes: ChangeSet) -> None:
        recording: list[ChangeSet] | None = getattr(self._recording, "changes", None)
        if recording is not None and changes:
            recording.append(changes)

    def undo(self) -> ChangeSet:
        """Revert the last action, in one transaction; an empty change if there is none.

        Raises
        ------
        UndoError
            If a row can no longer be restored. Nothing is changed, and the entry is skipped from then on.
        """
        return self._step("SELECT id, label, changes FROM journal WHERE undone = 0 ORDER BY id DESC LIMIT 1", 1)

    def redo(self) -> ChangeSet:
        """Repeat the last undone action; see `undo`."""
        return self._step("SELECT id, label, changes FROM journal WHERE undone = 1 ORDER BY id LIMIT 1", 0)

    def undo_after(self, moment: datetime) -> int:
        """Revert all actions after a moment, the last one first, and return their number; see `undo`."""
        count = 0
        while True:
            row = self._database.row("SELECT at FROM journal WHERE undone = 0 ORDER BY id DESC LIMIT 1")
            if row is None or row[0] <= timestamps.to_text(moment):
                return count
            self.undo()
            count += 1

    def undo_label(self) -> str | None:
        """Return the label of the action that `undo` would revert, or None."""
        row = self._database.row("SELECT label FROM journal WHERE undone = 0 ORDER BY id DESC LIMIT 1")
        return None if row is None else from_stored(row[0])

    def redo_label(self) -> str | None:
        """Return the label of the action that `redo` would repeat, or None."""
        row = self._database.row("SELECT label FROM journal WHERE undone = 1 ORDER BY id LIMIT 1")
        return None if row is None else from_stored(row[0])

    def _enter(self, connection: sqlite3.Connection, action: Action) -> None:
        connection.execute("DELETE FROM journal WHERE undone = 1")
        entry = connection.execute(
            "INSERT INTO journal (at, label, changes) VALUES (?, ?, ?)",
            (timestamps.to_text(timestamps.now()), to_stored(action.label), action._as_json()),
        ).lastrowid
        connection.execute("DELETE FROM journal WHERE id <= ?", ((entry or 0) - MAX_ENTRIES,))

    def _join(self, connection: sqlite3.Connection, action: Action) -> None:
        """Add an action to the entry that `undo` would revert, if there is a readable one."""
        found = connection.execute(
            "SELECT id, changes FROM journal WHERE undone = 0 ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if found is None:
            return
        entry, text = found
        whole = Action(connection, self._tables, "")
        try:
            for table, key, *states in json.loads(text, object_hook=_decoded):
                before, after = (None if state is None else tuple(state) for state in states)
                whole._record(table, tuple(key), before, after)
        except (ValueError, TypeError, RecursionError):  # damaged: `undo` will report it
            return
        whole._take_in(action)
        if whole._records:
            connection.execute("UPDATE journal SET changes = ? WHERE id = ?", (whole._as_json(), entry))
        else:
            connection.execute("DELETE FROM journal WHERE id = ?", (entry,))

    def _step(self, find: str, undone: int) -> ChangeSet:
        if self._database.in_transaction():
            raise RuntimeError("undo and redo must not be called within a transaction")
        entry: int | None = None
        label = ""
        try:
            with self._database.transaction() as connection:
                found = connection.execute(find).fetchone()
                if found is None:
                    return ChangeSet()
                entry, label, text = found[0], from_stored(found[1]), found[2]
                # Rows refer to each other, so references are checked at the end only.
                connection.execute("PRAGMA defer_foreign_keys = ON")
                records: dict[tuple[str, Values], tuple[Values | None, Values | None]] = {}
                changed = json.loads(text, object_hook=_decoded)
                names = {
                    key[0]: (before if undone else after)[0] for table, key, before, after in changed if table == "tag"
                }
                if names:
                    _make_way(connection, names)
                for table, key, before, after in changed:
                    target, present = (before, after) if undone else (after, before)
                    shape = self._tables[table]
                    if table == "root":
                        _require_same(connection, shape, key, present)
                    if table == "setting":
                        _require_journaled(key)
                    old, new = (None if state is None else tuple(state) for state in (present, target))
                    shape.write(connection, tuple(key), new)
                    records[table, tuple(key)] = (old, new)
                if any(table == "root" for table, _ in records):
                    _require_roots_apart(connection)
                connection.execute("UPDATE journal SET undone = ? WHERE id = ?", (undone, entry))
                changes = _change_set(connection, label, self._tables, records)
                self._database.touch(*changes.kinds)
        except (
            sqlite3.IntegrityError,
            sqlite3.ProgrammingError,
            LookupError,
            ValueError,
            TypeError,
            OverflowError,
            RecursionError,
        ) as error:
            if entry is None:
                raise
            with self._database.transaction() as connection:
                connection.execute("UPDATE journal SET undone = 2 WHERE id = ?", (entry,))
            raise UndoError(
                "“{0}” can no longer be {1}, because its data has "
                "changed since. Nothing was changed, and the step was removed from the history.",
                label,
                Text("undone") if undone else Text("done again"),
            ) from error
        self._record(changes)
        return changes


def _require_journaled(key: Sequence[Any]) -> None:
    """Raise `ValueError` for a setting that undo and redo must not change."""
    if key[0] not in _SETTINGS:
        raise ValueError("undo cannot change this setting")


def _require_same(connection: sqlite3.Connection, table: _Table, key: Sequence[Any], values: Values | None) -> None:
    """Raise `ValueError` if the row changed since, for example because a folder was removed."""
    row = connection.execute(table.select, tuple(key)).fetchone()
    if row != (None if values is None else tuple(values)):
        raise ValueError("the row has changed since")


def _require_roots_apart(connection: sqlite3.Connection) -> None:
    """Raise `ValueError` if a root is inside another one: its photos would be in the library twice."""
    folders = [path.rstrip(b"/") + b"/" for (path,) in connection.execute("SELECT path FROM root WHERE NOT removed")]
    folders.sort()  # a folder is followed by those inside it
    if any(inner.startswith(outer) for outer, inner in pairwise(folders)):
        raise ValueError("a folder would be inside another folder")


def _encoded(value: object) -> dict[str, str]:
    if not isinstance(value, bytes):
        raise TypeError(f"the journal holds no {type(value).__name__}")
    return {"hex": value.hex()}


def _decoded(value: dict[str, str]) -> bytes:
    return bytes.fromhex(value["hex"])


def _change_set(
    connection: sqlite3.Connection,
    label: str,
    tables: Mapping[str, _Table],
    records: Mapping[tuple[str, Values], tuple[Values | None, Values | None]],
) -> ChangeSet:
    kinds = {Kind.TAGS if row in _ABOUT_TAGS else _KINDS[row[0]] for row in records if row != _ABOUT_DUPLICATES}
    if _ABOUT_DUPLICATES in records:
        kinds |= {Kind.DUPLICATES}
    if Kind.ROOTS in kinds:
        kinds |= {Kind.PHOTOS}
    elif Kind.PHOTOS in kinds:
        kinds |= {Kind.TAGS}
    photos = {photo for (table, key), states in records.items() for photo in tables[table].photos(key, states)}
    renamed = [key[0] for table, key in records if table == "tag"]
    if renamed:
        carrying = connection.execute(
            "SELECT photo_id FROM json_each(?) CROSS JOIN photo_tag ON tag_id = value", (json.dumps(renamed),)
        )
        photos.update(photo for (photo,) in carrying)
        for table in ("box", "rejected_box"):
            named = f"SELECT 1 FROM json_each(?) CROSS JOIN {table} ON tag_id = value LIMIT 1"
            if connection.execute(named, (json.dumps(renamed),)).fetchone():
                kinds |= {Kind.BOXES}
    return ChangeSet(label, frozenset(kinds), frozenset(photos))


def free_names(connection: sqlite3.Connection, names: Mapping[int, str]) -> dict[int, str]:
    """Return new names for tags whose names other tags are about to get: the names that become free.

    Names are unique, and an unused tag retains its name for undo steps that may restore it.

    Parameters
    ----------
    connection : sqlite3.Connection
        Connection in a transaction.
    names : mapping of int to str
        New names of tags, each once.
    """
    listed = json.dumps(list(names))
    present: dict[int, str] = dict(
        connection.execute("SELECT id, name FROM tag WHERE id IN (SELECT value FROM json_each(?))", (listed,))
    )
    leaving = {wanted: present[tag] for tag, wanted in names.items() if tag in present}
    in_the_way: dict[int, str] = dict(
        connection.execute(
            "SELECT id, name FROM tag WHERE name IN (SELECT value FROM json_each(?)) "
            "AND id NOT IN (SELECT value FROM json_each(?))",
            (json.dumps(list(leaving)), listed),
        )
    )
    freed = {}
    for tag, name in in_the_way.items():
        name = leaving[name]
        while name in leaving:
            name = leaving[name]
        freed[tag] = name
    return freed


def placeholder(tag: int) -> str:
    """Return a unique temporary name for a tag that is being renamed, so that two tags can swap names."""
    return f"\x1f{tag}"


def _make_way(connection: sqlite3.Connection, names: Mapping[int, str]) -> None:
    """Give tags created since the names that become free; raise ValueError if one of them is in use."""
    freed = free_names(connection, names)
    for table in ("photo_tag", "alias", "rejected_box"):
        sql = f"SELECT 1 FROM {table} WHERE tag_id IN (SELECT value FROM json_each(?))"
        if connection.execute(sql, (json.dumps(list(freed)),)).fetchone():
            raise ValueError("another tag has this name now")
    connection.execute(
        "DELETE FROM suggestion WHERE state = 'open' AND tag_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(freed)),),
    )
    for tag in (*names, *freed):
        connection.execute("UPDATE tag SET name = ? WHERE id = ?", (placeholder(tag), tag))
    for tag, name in freed.items():
        connection.execute("UPDATE tag SET name = ? WHERE id = ?", (name, tag))
