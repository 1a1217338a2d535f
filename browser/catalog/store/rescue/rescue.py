# SPDX-License-Identifier: MIT
"""Builds a sound catalogue from the readable parts of a damaged one, its journal, and a backup.

1. Follow the tables' trees from their roots, page by page, skipping unreadable pages.
2. If pages were damaged, search all other pages for rows with valid digests: rows below a broken inner page, and rows
   of pages with a broken list of cells.
3. Recover lost rows of a damaged table from the journal (which has their last values), from a backup, and from indexes.
   Rows that the journal records as deleted are not restored. If steps of the journal are lost too, rows that they
   deleted may reappear, and the report says so.
4. Leave out rows whose tag or photo is lost; of boxes, only the name is left out. Lost tags of photos are restored
   from the names of boxes. A photo of which only the file is known is added without its content, which the next
   indexing determines.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.store.errors import LibraryDamagedError
from focal_photos.browser.catalog.store.migrations import Migration, migrate, migrations
from focal_photos.browser.catalog.store.rescue.pages import (
    INNER_INDEX,
    INNER_TABLE,
    LEAF_INDEX,
    LEAF_TABLE,
    Cell,
    DamagedPageError,
    Pages,
    type_of,
)
from focal_photos.browser.catalog.store.schema.functions import add_to, row_digest
from focal_photos.browser.catalog.store.schema.objects import OF_THE_PROGRAM, empty_catalogue, stored_columns

_MOST_DEPTH: Final = 40
_MOST_SHAPES: Final = 10_000  # record shapes for which a table caches whether they fit: a few MB
_BATCH: Final = 500  # pages between two reports
_TYPES_OF_AFFINITY: Final = {"INTEGER": (int,), "REAL": (int, float), "TEXT": (bytes,), "BLOB": (bytes,)}
_DATE: Final = re.compile(rb"\d{4}-\d\d-\d\dT")  # beginning of a date column
_LIST: Final = re.compile(rb"\[")  # beginning of a JSON list
_FORMS: Final = {
    "at": _DATE,
    "added_at": _DATE,
    "steps": _LIST,
    "changes": _LIST,
    "relation": re.compile(rb"(different|looks alike|nearer)$"),
    "source": re.compile(rb"(hand|accepted|import)$"),
    "reason": re.compile(rb"The file is incomplete"),
}
_THERE: Final = ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_ROWID")
STEPS_LOST: Final = "Steps of the undo history are lost: data that one of them removed may have come back."
Row = tuple[Any, ...]


@dataclass
class RescueReport:
    """Result of a rescue."""

    version: int = 0
    pages: int = 0
    """Number of pages in the damaged file and its log."""
    broken_pages: int = 0
    """Number of pages that cannot be read as expected."""
    lost_frames: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    """Number of rows in the new catalogue, by table."""
    from_damaged: dict[str, int] = field(default_factory=dict)
    from_indexes: dict[str, int] = field(default_factory=dict)
    from_journal: dict[str, int] = field(default_factory=dict)
    from_backup: dict[str, int] = field(default_factory=dict)
    """`from_damaged`, `from_indexes`, `from_journal` and `from_backup`: number of rows from each source, by table."""
    changed: dict[str, int] = field(default_factory=dict)
    """Number of rows with wrong digests, which were not used, by table."""
    left_out: dict[str, int] = field(default_factory=dict)
    """Number of rows without their tag or photo, by table."""
    placeholders: int = 0
    """Number of photos whose content the next indexing must determine."""
    problems: list[str] = field(default_factory=list)
    """Descriptions of parts that could not be read at all."""

    @property
    def damaged(self) -> bool:
        """Whether anything could not be read."""
        return bool(self.broken_pages or self.lost_frames or self.changed or self.problems)


@dataclass(frozen=True)
class _Table:
    """A table as created by the migrations."""

    name: str
    columns: tuple[str, ...]
    """Columns that are not generated, in order."""
    stored: tuple[str, ...]
    """All columns in the order of a record."""
    key: tuple[str, ...]
    """The primary key."""
    types: dict[str, str]
    rowid: str | None
    """The column that is the rowid."""
    has_digest: bool

    @classmethod
    def of(cls, connection: sqlite3.Connection, name: str) -> _Table:
        every = connection.execute(f"PRAGMA table_xinfo({name})").fetchall()
        plain = stored_columns(connection, name)
        (sql,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        key = tuple(column for column, _, place in sorted(plain, key=lambda one: one[2]) if place)
        names = [str(row[1]) for row in every]
        types = {str(row[1]): str(row[2]) for row in every}
        if "WITHOUT ROWID" in sql:
            stored, rowid = (*key, *(column for column in names if column not in key)), None
        else:
            stored, rowid = tuple(names), key[0] if len(key) == 1 and types[key[0]] == "INTEGER" else None
        return cls(name, tuple(one[0] for one in plain), stored, key, types, rowid, "digest" in names)

    @cached_property
    def _places(self) -> list[tuple[int, str]]:
        """Index in the record and type of each column."""
        return [(self.stored.index(column), self.types[column]) for column in self.columns]

    @cached_property
    def _of_kind(self) -> dict[str, list[int]]:
        """Indices of the columns of each type."""
        return {
            kind: [place for place, (_, one) in enumerate(self._places) if one == kind] for kind in _TYPES_OF_AFFINITY
        }

    @cached_property
    def forms(self) -> list[tuple[int, re.Pattern[bytes]]]:
        """Index and pattern of columns with a known form, to distinguish this table from similar ones."""
        return [(self.stored.index(column), _FORMS[column]) for column in self.columns if column in _FORMS]

    @cached_property
    def _digest_at(self) -> int:
        return self.stored.index("digest")

    @cached_property
    def _rowid_at(self) -> int:
        return self.stored.index(self.rowid or "")

    def row(self, cell: Cell) -> Row | None:
        """Return a cell as a row, or None if it is none of this table; DamagedPageError if its digest is wrong."""
        if not self.takes(cell):
            return None
        found = cell.values
        digest = found[self._digest_at] if self.has_digest else None
        if self.rowid is not None:
            found[self._rowid_at] = cell.rowid
        if not all(isinstance(value := found[at], bytes) and form.match(value) for at, form in self.forms):
            return None
        values: list[Any] = [found[at] for at, _ in self._places]
        for place in self._of_kind["REAL"]:
            if isinstance(values[place], int):
                values[place] = float(values[place])
        if self.has_digest and row_digest(*values) != digest:
            raise DamagedPageError(f"a row of {self.name} is damaged (digest mismatch)")
        try:
            for place in self._of_kind["TEXT"]:
                if values[place] is not None:
                    values[place] = values[place].decode()
        except UnicodeDecodeError as error:
            raise DamagedPageError("text is not UTF-8") from error
        return tuple(values)

    def takes(self, cell: Cell) -> bool:
        """Return whether a cell may be a row of this table, according to its column types.

        Digests do not identify the table. The record's header suffices, and its result is cached.
        """
        shape = cell.shape
        if len(shape.kinds) != len(self.stored) or (self.rowid is not None and cell.rowid is None):
            return False
        fits = self._fitting.get(shape.kinds)
        if fits is None:
            fits = self._fits(shape.kinds)
            if len(self._fitting) >= _MOST_SHAPES:
                self._fitting.clear()
            self._fitting[shape.kinds] = fits
        return fits

    def _fits(self, kinds: Sequence[int]) -> bool:
        if self.has_digest and type_of(kinds[self._digest_at]) is not int:  # usually an index entry
            return False
        if self.rowid is not None and kinds[self._rowid_at] != 0:
            return False
        for at, kind in self._places:
            found = type_of(kinds[at])
            if found is not None and found not in _TYPES_OF_AFFINITY[kind]:
                return False
        return all(type_of(kinds[at]) is bytes for at, _ in self.forms)

    @cached_property
    def _fitting(self) -> dict[tuple[int, ...], bool]:
        return {}


def rescue(
    damaged: Path,
    target: Path,
    backup: Path | None = None,
    *,
    report: Callable[[float], None] = lambda _share: None,
    steps: Sequence[Migration] | None = None,
) -> RescueReport:
    """Write a new catalogue with all sound rows.

    Parameters
    ----------
    damaged : pathlib.Path
        A catalogue, with its log beside it if there is one; nobody may have it open. It is not changed.
    target : pathlib.Path
        Output path; must not exist.
    backup : pathlib.Path, optional
        A sound copy of an earlier state, of any schema that this program knows.
    report : callable
        Called with the progress, 0..1. An exception from it cancels the work.

    Raises
    ------
    LibraryDamagedError
        If nothing in it can be read, and there is no backup.
    OSError, sqlite3.Error
    """
    return _Rescue(damaged, target, migrations() if steps is None else steps, report).run(backup)


def _insertion(table: _Table, otherwise: str = "") -> str:
    columns, marks = ", ".join(table.columns), ", ".join("?" * len(table.columns))
    return f"INSERT {otherwise}INTO {table.name} ({columns}) VALUES ({marks})"


class _Candidates:
    """Finds the tables with digests to which a cell may belong."""

    def __init__(self, tables: Iterable[_Table]) -> None:
        # Tables with more known forms first, because rows of other tables do not match these.
        self._tables = sorted((table for table in tables if table.has_digest), key=lambda table: -len(table.forms))
        self.most = max((len(table.stored) for table in self._tables), default=0)
        self._found: dict[tuple[bool, tuple[int, ...]], list[_Table]] = {}

    def rows_of(self, cells: Iterable[Cell]) -> list[list[tuple[_Table, Row]]]:
        """Return the rows with valid digests: for each, its possible tables, the likeliest first."""
        found = []
        for cell in cells:
            tables = self._tables_of(cell)
            if not tables:  # most cells are index entries
                continue
            rows = []
            for table in tables:
                try:  # in the innermost loop, where `suppress` is slower
                    row = table.row(cell)
                except (DamagedPageError, TypeError, OverflowError):
                    continue
                if row is not None:
                    rows.append((table, row))
            if rows:
                found.append(rows)
        return found

    def _tables_of(self, cell: Cell) -> list[_Table]:
        shape = cell.rowid is None, cell.shape.kinds
        found = self._found.get(shape)
        if found is None:
            if len(self._found) >= _MOST_SHAPES:
                self._found.clear()
            found = self._found[shape] = [table for table in self._tables if table.takes(cell)]
        return found


class _Rescue:
    def __init__(
        self, damaged: Path, target: Path, steps: Sequence[Migration], report: Callable[[float], None]
    ) -> None:
        self._pages = Pages(damaged)
        self._target = target
        self._steps = steps
        self._report = report
        self.result = RescueReport(pages=self._pages.count, lost_frames=self._pages.lost_frames)
        self._seen: set[int] = set()
        self._damaged: set[str] = set()
        """Tables with possibly lost rows."""

    def run(self, backup: Path | None) -> RescueReport:
        roots = self._roots()
        version = self._version()
        self.result.version = version
        with closing(empty_catalogue(self._steps, version, str(self._target))) as new:
            new.execute("PRAGMA foreign_keys = OFF")
            new.execute("BEGIN")
            names = [
                name
                for (name,) in new.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                )
            ]
            tables = {name: _Table.of(new, name) for name in names if name not in OF_THE_PROGRAM}
            new.execute("DELETE FROM metric")
            for done, (name, table) in enumerate(tables.items()):
                self._report(0.6 * done / len(tables))
                self._follow(new, table, roots.get(name))
            self._note_orphans(tables)
            if self.result.lost_frames or self._damaged:
                self._look_through_the_rest(new, tables)
            if self.result.lost_frames:
                self._damaged |= set(tables)
            states = _journal_states(new)
            if self._damaged:
                self._take_from_journal(new, tables, states)
            self._report(0.8)
            if backup is not None and self._damaged:
                self._take_from_backup(new, tables, states, backup)
            self._take_from_indexes(new, tables, roots)  # last, because indexes contain only parts of rows
            found = self.result.from_journal or self.result.from_backup or self.result.from_indexes
            if "journal" in self._damaged and found:
                self.result.problems.append(STEPS_LOST)
            self._repair(new, tables)
            self.result.rows = {name: int(new.execute(f"SELECT count(*) FROM {name}").fetchone()[0]) for name in tables}
            new.execute("COMMIT")
            new.execute("ANALYZE")
        if not self.result.rows.get("photo"):
            raise LibraryDamagedError("The catalogue can no longer be read at all.")
        return self.result

    # ------------------------------------------------------------------ the damaged file
    def _roots(self) -> dict[str, int]:
        """Return the root pages of tables and indexes, as far as the schema is readable."""
        found: dict[str, int] = {}
        for cell in self._tree(1, LEAF_TABLE, INNER_TABLE, "sqlite_master"):
            with suppress(AttributeError, UnicodeDecodeError, ValueError):
                _, name, _, root, _ = cell.values
                if isinstance(name, bytes) and isinstance(root, int) and 1 < root <= self._pages.count:
                    found[name.decode()] = root
        return found

    def _version(self) -> int:
        """Return the schema version in the header, or the current version if the header is damaged."""
        latest = self._steps[-1].version
        version = int.from_bytes(self._pages.page(1)[60:64], "big") if self._pages.count else 0
        return version if 1 <= version <= latest else latest

    def _follow(self, new: sqlite3.Connection, table: _Table, root: int | None) -> None:
        """Copy the rows of a table from its tree."""
        if root is None:
            self._damaged.add(table.name)
            self.result.problems.append(f"The beginning of the table {table.name} cannot be found.")
            return
        leaf, inner = (LEAF_TABLE, INNER_TABLE) if table.rowid else (LEAF_INDEX, INNER_INDEX)
        count = self._enter(new, table, self._rows(table, self._tree(root, leaf, inner, table.name)))
        self.result.from_damaged[table.name] = count

    def _tree(self, root: int, leaf: int, inner: int, table: str) -> Iterator[Cell]:
        """Yield the readable entries of a tree."""
        waiting = [(root, 0)]
        while waiting:
            number, depth = waiting.pop()
            if number in self._seen or depth > _MOST_DEPTH:
                self._note(table)
                continue
            try:
                kind = self._pages.kind(number)
                if kind not in (leaf, inner):
                    raise DamagedPageError(f"page {number} is none of {table}")
                if kind == inner:
                    waiting += [(child, depth + 1) for child in self._pages.children(number)]
                cells = list(self._pages.cells(number)) if kind != INNER_TABLE else []
            except DamagedPageError:
                self._note(table)
                continue
            self._seen.add(number)
            for cell in cells:
                if cell is None:
                    self._note(table, page=False)
                    self._seen.discard(number)  # the page is searched cell by cell later
                else:
                    yield cell

    def _note(self, table: str, *, page: bool = True) -> None:
        self.result.broken_pages += page
        self._damaged.add(table)

    def _rows(self, table: _Table, cells: Iterable[Cell]) -> Iterator[Row]:
        for cell in cells:
            try:
                row = table.row(cell)
            except DamagedPageError:
                row = None
            if row is None:
                self._damaged.add(table.name)
                self.result.changed[table.name] = self.result.changed.get(table.name, 0) + 1
            else:
                yield row

    def _note_orphans(self, tables: dict[str, _Table]) -> None:
        """Mark tables with a page outside all trees as damaged: another page may have replaced it."""
        noted: set[str] = set()
        candidates = _Candidates(tables.values())
        for number in self._rest():
            if noted != self._damaged:  # tables already marked need not be searched for
                noted = set(self._damaged)
                candidates = _Candidates(table for table in tables.values() if table.name not in noted)
            with suppress(DamagedPageError):
                if self._pages.kind(number) in (LEAF_TABLE, LEAF_INDEX):
                    listed = [cell for cell in self._pages.cells(number) if cell is not None]
                    self._damaged |= {table.name for rows in candidates.rows_of(listed) for table, _ in rows}

    def _rest(self) -> list[int]:
        """Return the pages in use that are in no table's tree."""
        passed = self._seen | self._pages.free_pages()
        return [number for number in range(2, self._pages.count + 1) if number not in passed]

    def _look_through_the_rest(self, new: sqlite3.Connection, tables: dict[str, _Table]) -> None:
        """Copy rows with valid digests from pages outside all trees."""
        candidates, rest = _Candidates(tables.values()), self._rest()
        for done, number in enumerate(rest):
            if done % _BATCH == 0:
                self._report(0.6 + 0.1 * done / len(rest))
            for rows in self._rows_on(number, candidates):
                if name := self._enter_first(new, rows):
                    self.result.from_damaged[name] = self.result.from_damaged.get(name, 0) + 1

    @staticmethod
    def _enter_first(new: sqlite3.Connection, rows: Iterable[tuple[_Table, Row]]) -> str | None:
        """Insert a row into the first table that accepts it; return its name, or None if none does or it exists."""
        for table, row in rows:
            try:
                new.execute(_insertion(table), row)
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorname in _THERE:
                    return None
            except (sqlite3.InterfaceError, OverflowError):
                continue
            else:
                return table.name
        return None

    def _rows_on(self, number: int, candidates: _Candidates) -> list[list[tuple[_Table, Row]]]:
        cells: list[Cell] = []
        broken = True
        try:
            listed = list(self._pages.cells(number)) if self._pages.kind(number) != INNER_TABLE else []
            cells = [cell for cell in listed if cell is not None]
            broken = len(cells) < len(listed)
        except DamagedPageError:
            pass
        if broken:
            cells += self._carve(number, candidates.most)
        return candidates.rows_of(cells)

    def _carve(self, number: int, most: int) -> Iterator[Cell]:
        """Yield possible entries at every byte of a page, with at most `most` columns; nearly all are spurious."""
        page = self._pages.page(number)
        if not any(page):
            return
        for at in range(8, self._pages.usable - 4):
            for kind in (LEAF_TABLE, LEAF_INDEX):
                try:  # in the innermost loop, where `suppress` is slower
                    cell = self._pages.cell(page, kind, at, most)
                except DamagedPageError:
                    continue
                yield cell

    def _take_from_indexes(self, new: sqlite3.Connection, tables: dict[str, _Table], roots: dict[str, int]) -> None:
        """Recover the parts of lost rows that indexes contain: names of tags, contents, tags and files of photos.

        Index entries have no digest. A photo's tag is therefore recovered only if two sources, of both indexes and the
        journal, agree, and a file only if both its indexes do. The next scan reads these files again.
        """
        said: dict[Row, int] = {}
        of_photos: list[Row] = []
        files: list[Row] = []
        if "photo_tag" in self._damaged:
            said = dict.fromkeys(_given(new), 1)
        for index, table, values in (
            ("sqlite_autoindex_tag_1", "tag", lambda name, number: (number, name.decode())),
            ("photo_tag_recent", "photo_tag", lambda tag, at, photo: (photo, tag, "hand", at.decode())),
            ("photo_tag_tag", "photo_tag", lambda tag, photo: (photo, tag, "hand", _UNKNOWN_TIME)),
            (
                "sqlite_autoindex_photo_1",
                "photo",
                lambda content, number: (number, content.decode(), 0, None, None, None, None, _UNKNOWN_TIME),
            ),
            ("file_photo", "file", lambda photo, state, root, path: _file(root, path, photo, state)),
            ("file_folder", "file", lambda root, _folder, state, photo, path: _file(root, path, photo, state)),
        ):
            if table not in self._damaged or index not in roots:
                continue
            rows: list[Row] = []
            for cell in self._tree(roots[index], LEAF_INDEX, INNER_INDEX, index):
                with suppress(TypeError, AttributeError, UnicodeDecodeError):
                    rows.append(values(*cell.values))
            if table == "file":
                files += set(rows)
                continue
            if table == "photo_tag":
                of_photos += rows
                for pair in {row[:2] for row in rows}:
                    said[pair] = said.get(pair, 0) + 1
                continue
            self._enter_from_indexes(new, tables[table], rows)
        if files:
            self._enter_from_indexes(new, tables["file"], [row for row, count in Counter(files).items() if count > 1])
        if of_photos:
            self._enter_from_indexes(new, tables["photo_tag"], [row for row in of_photos if said[row[:2]] > 1])

    def _enter_from_indexes(self, new: sqlite3.Connection, table: _Table, rows: Iterable[Row]) -> None:
        count = self._enter(new, table, rows)
        if count:
            self.result.from_indexes[table.name] = self.result.from_indexes.get(table.name, 0) + count

    # ------------------------------------------------------------------ other sources
    def _take_from_journal(self, new: sqlite3.Connection, tables: dict[str, _Table], states: _States) -> None:
        """Insert lost rows with their last values in the journal."""
        missing = {
            name: (
                [column for column, _ in sorted(_places(table).items(), key=lambda one: one[1])],
                [column for column in table.columns if column not in table.key],
            )
            for name, table in tables.items()
            if name in self._damaged
        }
        for (name, key), values in states.items():
            if values is None or name not in missing:
                continue
            order, rest = missing[name]
            if len(key) != len(order) or len(values) != len(rest):
                continue
            named = {**dict(zip(order, key, strict=True)), **dict(zip(rest, values, strict=True))}
            row = tuple(named[column] for column in tables[name].columns)
            count = self._enter(new, tables[name], [row])
            if count:
                self.result.from_journal[name] = self.result.from_journal.get(name, 0) + count

    def _take_from_backup(
        self, new: sqlite3.Connection, tables: dict[str, _Table], states: _States, backup: Path
    ) -> None:
        """Insert lost rows from a backup, except rows that the journal records as deleted or changed later."""
        with closing(_of_version(backup, self.result.version, self._steps)) as old:
            for name, table in tables.items():
                if name not in self._damaged or (name == "journal" and self._has_journal(new)):
                    continue
                with suppress(sqlite3.OperationalError):  # the backup's schema may lack the table
                    rows = old.execute(f"SELECT {', '.join(table.columns)} FROM {name}")
                    places = [table.columns.index(column) for column in _places(table)]
                    lost = (row for row in rows if (name, tuple(row[place] for place in places)) not in states)
                    count = self._enter(new, table, lost)
                    if count:
                        self.result.from_backup[name] = count

    def _has_journal(self, new: sqlite3.Connection) -> bool:
        """Return whether steps of the journal were read; steps of a backup are not mixed with them."""
        return new.execute("SELECT 1 FROM journal LIMIT 1").fetchone() is not None

    # ------------------------------------------------------------------ the new file
    @staticmethod
    def _enter(new: sqlite3.Connection, table: _Table, rows: Iterable[Row]) -> int:
        """Insert rows whose keys do not exist yet; return their number."""
        sql = _insertion(table, "OR IGNORE ")
        cursor, count = new.cursor(), 0
        for row in rows:
            try:  # in the innermost loop, where `suppress` is slower
                count += cursor.execute(sql, row).rowcount
            except (sqlite3.IntegrityError, sqlite3.InterfaceError, OverflowError):
                continue
        return count

    def _repair(self, new: sqlite3.Connection, tables: dict[str, _Table]) -> None:
        """Delete rows without their tag or photo, and add photos of which only a file is known."""
        self.result.placeholders = new.execute(
            "INSERT INTO photo (id, content_hash, bytes, added_at) "
            "SELECT photo_id, 'rescued-' || photo_id, max(bytes), ? FROM file "
            "WHERE photo_id NOT IN (SELECT id FROM photo) GROUP BY photo_id",
            (_UNKNOWN_TIME,),
        ).rowcount
        # With a time that no scan has seen, the file is read again, which sets the content of its photo.
        new.execute(
            "UPDATE file SET mtime_ns = 0 WHERE photo_id IN "
            "(SELECT id FROM photo WHERE content_hash LIKE 'rescued-%' OR bytes = 0)"
        )
        new.execute(
            "INSERT OR IGNORE INTO metric (id, name, title, learner, version, file, at, judgements, tagged) "
            "VALUES (1, 'euclidean', 'Euclidean', 'euclidean', 1, NULL, ?, 0, 0)",
            ("1970-01-01T00:00:00.000000",),
        )
        new.execute("UPDATE suggestion SET metric_id = NULL WHERE metric_id NOT IN (SELECT id FROM metric)")
        if "box" in tables:
            new.execute("UPDATE box SET tag_id = NULL, brought_tag = 0 WHERE tag_id NOT IN (SELECT id FROM tag)")
            if "photo_tag" in self._damaged:
                rows = new.execute("SELECT photo_id, tag_id, source, at FROM box WHERE tag_id IS NOT NULL ORDER BY id")
                self._enter(new, tables["photo_tag"], rows.fetchall())
            new.execute(
                "UPDATE box SET tag_id = NULL, brought_tag = 0 WHERE tag_id IS NOT NULL AND NOT EXISTS (SELECT 1 "
                "FROM photo_tag WHERE photo_tag.photo_id = box.photo_id AND photo_tag.tag_id = box.tag_id)"
            )
        while True:  # deleting a row may break references of others
            broken = new.execute("PRAGMA foreign_key_check").fetchall()
            if not broken:
                break
            for name in {row[0] for row in broken}:
                self.result.left_out[name] = self.result.left_out.get(name, 0) + _delete_broken(new, name)
        for name in {"metric", "journal", "box", "rejected_box"}.intersection(tables):
            new.execute(
                f"INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq) SELECT "
                f"(SELECT rowid FROM sqlite_sequence WHERE name = '{name}'), '{name}', coalesce(max(id), 0) FROM {name}"
            )
        if "commit_count" not in tables:
            with suppress(sqlite3.OperationalError):
                new.execute("UPDATE commit_count SET token = '', commits = 0")


_UNKNOWN_TIME: Final = "1970-01-01T00:00:00.000000"


def _file(root: int, path: bytes, photo: int | None, state: bytes) -> Row:
    """Return the row of a file of which the size and the time are lost."""
    return root, path, path.rpartition(b"/")[0], photo, 0, 0, None, state.decode()


_States = dict[tuple[str, Row], Row | None]


def _journal_states(connection: sqlite3.Connection) -> _States:
    """Return the last values of rows in the journal, by table and key: the other columns, or None for a deleted row."""
    states: _States = {}
    for undone, text in connection.execute("SELECT undone, changes FROM journal WHERE undone <> 1 ORDER BY id"):
        with suppress(ValueError, TypeError, RecursionError):
            for table, key, _before, after in json.loads(text):
                if undone == 0:
                    states[str(table), _plain(key)] = None if after is None else _plain(after)
    for (text,) in connection.execute("SELECT changes FROM journal WHERE undone = 1 ORDER BY id DESC"):
        with suppress(ValueError, TypeError, RecursionError):
            for table, key, before, _after in json.loads(text):
                states[str(table), _plain(key)] = None if before is None else _plain(before)
    return states


def _given(connection: sqlite3.Connection) -> Iterator[Row]:
    """Yield photo and tag of every tagging or untagging in the journal."""
    for (text,) in connection.execute("SELECT changes FROM journal"):
        with suppress(ValueError, TypeError, RecursionError):
            for table, key, *_states in json.loads(text):
                if table == "photo_tag" and len(key) == 2:
                    yield tuple(key)


def _plain(values: Iterable[Any]) -> Row:
    """Decode values of the journal, in which bytes are written as ``{"hex": ...}``."""
    return tuple(bytes.fromhex(value["hex"]) if isinstance(value, dict) else value for value in values)


def _places(table: _Table) -> dict[str, int]:
    """Return the indices of the key's columns, in table order as in the journal."""
    return {column: place for place, column in enumerate(table.columns) if column in table.key}


def _delete_broken(new: sqlite3.Connection, table: str) -> int:
    """Delete the rows of a table with broken references."""
    count = 0
    for _, _, parent, column, to, *_ in new.execute(f"PRAGMA foreign_key_list({table})").fetchall():
        count += new.execute(
            f"DELETE FROM {table} WHERE {column} IS NOT NULL AND {column} NOT IN (SELECT {to or 'id'} FROM {parent})"
        ).rowcount
    return count


def _of_version(backup: Path, version: int, steps: Sequence[Migration]) -> sqlite3.Connection:
    """Open a copy of a backup in memory, migrated to a schema version."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with closing(sqlite3.connect(f"{backup.absolute().as_uri()}?immutable=1", uri=True)) as old:
        old.backup(connection)
    add_to(connection)
    migrate(connection, [step for step in steps if step.version <= version])
    return connection
