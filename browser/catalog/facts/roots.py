# SPDX-License-Identifier: MIT
"""The photo folders of a library."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.records import Root
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.journal import Journal
from focal_photos.browser.catalog.store.location import absolute, file_name, readable
from focal_photos.browser.catalog.text import Text

if TYPE_CHECKING:  # a command that tags need not load numpy
    from focal_photos.browser.catalog.columns.columns import Columns


class Roots(JournaledFacts):
    """The photo folders of the library, called roots."""

    def __init__(self, database: Database, journal: Journal, columns: Callable[[], Columns]) -> None:
        super().__init__(database, journal)
        self._columns = columns

    def all(self) -> list[Root]:
        """Return the roots of the library, sorted by path."""
        rows = self._database.rows("SELECT id, path FROM root WHERE NOT removed ORDER BY path")
        return [Root(number, Path(file_name(path))) for number, path in rows]

    def add(self, path: Path) -> Root:
        """Add a folder; its photos are added when it is scanned.

        If the folder is already a root or inside one, return that root unchanged. Roots inside the new folder are
        merged into it without loss.

        Raises
        ------
        LibraryError
            If there is no such folder.
        """
        path = absolute(path)
        if not path.is_dir():
            raise LibraryError(
                "{0} is not a folder: choose one that exists.", os.fsencode(path).decode(errors="replace")
            )
        with self._database.transaction() as connection:
            covering = self.containing(path)
            if covering is not None:
                return covering[0]
            name = os.fsencode(path)
            connection.execute(
                "INSERT INTO root (path) VALUES (?) ON CONFLICT (path) DO UPDATE SET removed = 0", (name,)
            )
            (number,) = connection.execute("SELECT id FROM root WHERE path = ?", (name,)).fetchone()
            for inner in self.all():
                if inner.id != number and inner.path.is_relative_to(path):
                    _merge(connection, inner, Root(number, path))
            self._database.touch(Kind.ROOTS, Kind.PHOTOS)
        return Root(int(number), path)

    def remove(self, root_id: int) -> ChangeSet:
        """Remove a folder from the library; `add` restores it.

        Its photos retain tags and judgements. Its files become missing, and photos without other files are removed.
        """
        with self._database.transaction() as connection:
            done = connection.execute("UPDATE root SET removed = 1 WHERE id = ? AND NOT removed", (root_id,))
            if not done.rowcount:
                return ChangeSet()
            connection.execute("UPDATE file SET state = 'missing' WHERE root_id = ?", (root_id,))
            self._database.touch(Kind.ROOTS, Kind.PHOTOS)
        return ChangeSet("Remove folder", frozenset({Kind.ROOTS, Kind.PHOTOS}))

    def any_removed(self) -> bool:
        """Return whether a root has been removed and not added again, or a missing photo forgotten."""
        sql = "SELECT 1 FROM root WHERE removed UNION ALL SELECT 1 FROM forgotten LIMIT 1"
        return self._database.row(sql) is not None

    def relocate(self, root_id: int, below: Path, target: Path) -> ChangeSet:
        """Record that a root, or a folder in it, has moved; no file is read.

        All data of its files is retained. Moving a whole root changes one row of the journal, so it is one step of
        undo. Moving a part rewrites the rows of all its files, which is not journaled.

        Parameters
        ----------
        below : pathlib.Path
            Folder relative to the root; ``Path()`` for the whole root.
        target : pathlib.Path
            New path; neither inside another root nor containing one.

        Raises
        ------
        LibraryError
            If the target is inside another root, or contains one.
        """
        target = absolute(target)
        name, inner = os.fsencode(target), b"" if below == Path() else os.fsencode(below)
        for root in self.all():
            ours = root.id == root_id
            if not ours and (target.is_relative_to(root.path) or root.path.is_relative_to(target)):
                raise LibraryError(
                    "{0} and {1}, a folder of the library, overlap: one contains the other.", target, root.path
                )
            if ours and inner and root.path.is_relative_to(target):
                raise LibraryError("{0}, a folder of the library, is in {1}.", root.path, target)
        label = Text("Relocate {0}", readable(target.name) or target)
        with self._journal.action(label) as action:
            open_ = action.connection
            if inner:
                _move_files(open_, (root_id, inner), self._place(open_, name))
            else:
                twin = open_.execute("SELECT id FROM root WHERE path = ? AND id <> ?", (name, root_id)).fetchone()
                if twin is not None:  # a removed root of this path: it returns to the library
                    _move_files(open_, (twin[0], b""), (root_id, b""))
                    open_.execute("DELETE FROM root WHERE id = ?", twin)
                action.put("root", {"id": root_id}, {"path": name, "removed": 0})
            self._database.touch(Kind.ROOTS, Kind.PHOTOS)
        return ChangeSet(action.label, frozenset({Kind.ROOTS, Kind.PHOTOS}))

    def _place(self, connection: sqlite3.Connection, name: bytes) -> tuple[int, bytes]:
        """Return the root that contains a path, a new one if none does, and the path relative to it."""
        found = self.containing(Path(os.fsdecode(name)))
        if found is not None:
            return found[0].id, b"" if found[1] == Path() else os.fsencode(found[1])
        sql = "INSERT INTO root (path) VALUES (?) ON CONFLICT (path) DO UPDATE SET removed = 0"
        connection.execute(sql, (name,))
        (number,) = connection.execute("SELECT id FROM root WHERE path = ?", (name,)).fetchone()
        return int(number), b""

    def containing(self, path: Path) -> tuple[Root, Path] | None:
        """Return the root that contains `path`, and the path relative to it; None if there is none."""
        path = absolute(path)
        for root in self.all():
            if path.is_relative_to(root.path):
                return root, path.relative_to(root.path)
        return None

    def within(self, folder: Path) -> list[tuple[int, bytes]]:
        """Return the parts of the library inside a folder, which may be inside a root or contain several.

        Each part is a root id and the folder's path relative to the root, empty for the whole root.
        """
        folder = absolute(folder)
        found = self.containing(folder)
        if found is not None:
            return [(found[0].id, b"" if found[1] == Path() else os.fsencode(found[1]))]
        return [(root.id, b"") for root in self.all() if root.path.is_relative_to(folder)]

    def folders(self, root_id: int) -> list[tuple[Path, int]]:
        """Return the folders of a root that have present photos in or below them, with their photo counts, by path.

        Paths are relative; ``Path(".")`` is the root itself. Copies of a photo in a folder count once.
        """
        rows = self._columns().places.now().in_folders(root_id)
        return [(Path(file_name(folder)), count) for folder, count in rows]


def _merge(connection: sqlite3.Connection, inner: Root, outer: Root) -> None:
    """Move the files of `inner` to the root `outer`."""
    prefix = os.fsencode(inner.path.relative_to(outer.path)) + b"/"
    # Missing files from an earlier time of `outer` in the library are replaced by the same files of `inner`.
    overlap = (
        "root_id = ?1 AND state = 'missing' AND path IN (SELECT CAST(?2 || path AS BLOB) FROM file WHERE root_id = ?3)"
    )
    roots = (outer.id, prefix, inner.id)
    places = connection.execute(
        f"SELECT photo_id, root_id, path, photo_id FROM file WHERE photo_id IS NOT NULL AND {overlap}", roots
    ).fetchall()
    connection.execute(f"DELETE FROM file WHERE {overlap}", roots)
    connection.executemany(
        "INSERT OR IGNORE INTO former_place SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM file WHERE photo_id = ?)",
        places,
    )
    connection.execute(
        "UPDATE file SET root_id = ?1, path = CAST(?2 || path AS BLOB), "
        "folder = CASE WHEN folder = x'' THEN ?3 ELSE CAST(?2 || folder AS BLOB) END WHERE root_id = ?4",
        (outer.id, prefix, prefix[:-1], inner.id),
    )
    connection.execute(
        "UPDATE former_place SET root_id = ?1, path = CAST(?2 || path AS BLOB) WHERE root_id = ?3",
        roots,
    )
    connection.execute("DELETE FROM root WHERE id = ?", (inner.id,))


def _move_files(connection: sqlite3.Connection, source: tuple[int, bytes], target: tuple[int, bytes]) -> None:
    """Move the rows of all files below one folder to another; both are (root, path relative to it).

    If the target already has the path, its file stays if present, and is replaced if missing. The place becomes a
    former place of any photo that thereby loses its last file.
    """
    from_root, below = source
    to_root, above = target
    where: str = "root_id = ?"
    known: tuple[int | bytes, ...] = (from_root,)
    if below:  # "0" follows "/" in ASCII
        where, known = where + " AND path > ? AND path < ?", (from_root, below + b"/", below + b"0")
    prefix = above + b"/" if above else b""
    cut = len(below) + 1 if below else 0

    def moved(path: bytes) -> bytes:
        return prefix + path[cut:]

    files = connection.execute(
        f"SELECT path, photo_id, bytes, mtime_ns, failure, state FROM file WHERE {where}", known
    ).fetchall()
    connection.execute(f"DELETE FROM file WHERE {where}", known)
    displaced = []
    for path, photo, *rest in files:
        now = moved(path)
        there = connection.execute(
            "SELECT photo_id, state FROM file WHERE root_id = ? AND path = ?", (to_root, now)
        ).fetchone()
        stays = there is not None and there[1] == "present"
        if there is not None:
            displaced.append((photo if stays else there[0], to_root, now))
        if not stays:
            connection.execute(
                "INSERT OR REPLACE INTO file (root_id, path, folder, photo_id, bytes, mtime_ns, failure, state) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (to_root, now, now.rpartition(b"/")[0], photo, *rest),
            )
    places = connection.execute(f"SELECT photo_id, path FROM former_place WHERE {where}", known).fetchall()
    connection.executemany(
        "UPDATE former_place SET root_id = ?, path = ? WHERE photo_id = ?",
        [(to_root, moved(path), photo) for photo, path in places],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO former_place SELECT ?1, ?2, ?3 WHERE ?1 IS NOT NULL "
        "AND NOT EXISTS (SELECT 1 FROM file WHERE photo_id = ?1)",
        displaced,
    )
