"""The photo folders of a library."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.catalog.facts.records import Root
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.journal import Journal
from focal_photos.browser.catalog.store.location import absolute, file_name, readable

if TYPE_CHECKING:  # a command that tags loads no numpy
    from focal_photos.browser.catalog.columns.columns import Columns


class Roots:
    """The photo folders that a person has opened in the library."""

    def __init__(self, database: Database, journal: Journal, columns: Callable[[], Columns]) -> None:
        self._database = database
        self._journal = journal
        self._columns = columns

    def all(self) -> list[Root]:
        """Return the folders of the library, in the order of their paths."""
        rows = self._database.rows("SELECT id, path FROM root WHERE NOT removed ORDER BY path")
        return [Root(number, Path(file_name(path))) for number, path in rows]

    def add(self, path: Path) -> Root:
        """Add a folder; its photos come in when it is scanned.

        A folder that is in the library already, itself or as a part of another one, stays as it is and that
        root is returned. Roots inside the new folder become a part of it and keep everything.

        Raises
        ------
        LibraryError
            If there is no such folder.
        """
        path = absolute(path)
        if not path.is_dir():
            raise LibraryError(f"{os.fsencode(path).decode(errors='replace')} is not a folder: choose one that exists.")
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
        """Take a folder out of the library; `add` brings it back.

        Its photos keep tags and judgements; its files count as missing, and those that lie nowhere else as removed.
        """
        with self._database.transaction() as connection:
            done = connection.execute("UPDATE root SET removed = 1 WHERE id = ? AND NOT removed", (root_id,))
            if not done.rowcount:
                return ChangeSet()
            connection.execute("UPDATE file SET state = 'missing' WHERE root_id = ?", (root_id,))
            self._database.touch(Kind.ROOTS, Kind.PHOTOS)
        return ChangeSet("Remove folder", frozenset({Kind.ROOTS, Kind.PHOTOS}))

    def any_removed(self) -> bool:
        """Return whether a folder was taken out of the library and not added again, or a missing photo forgotten."""
        sql = "SELECT 1 FROM root WHERE removed UNION ALL SELECT 1 FROM forgotten LIMIT 1"
        return self._database.row(sql) is not None

    def relocate(self, root_id: int, below: Path, target: Path) -> ChangeSet:
        """Note that a root, or a folder in it, is elsewhere now; no file is looked at.

        All that is known of its files holds at the new place. A whole root is one row of the journal, so that it is one
        step of undo; for a part of one all its files are written again, which is not journaled.

        Parameters
        ----------
        root_id : int
        below : pathlib.Path
            The folder relative to the root; ``Path()`` for the whole root.
        target : pathlib.Path
            Where it is now: in no other root, and no other root in it.

        Raises
        ------
        LibraryError
            The target lies in another root, or another root in the target.
        """
        target = absolute(target)
        name, inner = os.fsencode(target), b"" if below == Path() else os.fsencode(below)
        for root in self.all():
            ours = root.id == root_id
            if not ours and (target.is_relative_to(root.path) or root.path.is_relative_to(target)):
                raise LibraryError(f"{target} and {root.path}, a folder of the library, lie in each other.")
            if ours and inner and root.path.is_relative_to(target):
                raise LibraryError(f"{root.path}, a folder of the library, lies in {target}.")
        label = f"Relocate {readable(target.name) or target}"
        with self._journal.action(label) as action:
            open_ = action.connection
            if inner:
                _move_files(open_, (root_id, inner), self._place(open_, name))
            else:
                twin = open_.execute("SELECT id FROM root WHERE path = ? AND id <> ?", (name, root_id)).fetchone()
                if twin is not None:  # was taken out of the library, and is in it again
                    _move_files(open_, (twin[0], b""), (root_id, b""))
                    open_.execute("DELETE FROM root WHERE id = ?", twin)
                action.put("root", {"id": root_id}, {"path": name, "removed": 0})
            self._database.touch(Kind.ROOTS, Kind.PHOTOS)
        return ChangeSet(action.label, frozenset({Kind.ROOTS, Kind.PHOTOS}))

    def _place(self, connection: sqlite3.Connection, name: bytes) -> tuple[int, bytes]:
        """Return the root that holds a path, a new one if none does, and the path relative to it."""
        found = self.containing(Path(os.fsdecode(name)))
        if found is not None:
            return found[0].id, b"" if found[1] == Path() else os.fsencode(found[1])
        sql = "INSERT INTO root (path) VALUES (?) ON CONFLICT (path) DO UPDATE SET removed = 0"
        connection.execute(sql, (name,))
        (number,) = connection.execute("SELECT id FROM root WHERE path = ?", (name,)).fetchone()
        return int(number), b""

    def containing(self, path: Path) -> tuple[Root, Path] | None:
        """Return the root that holds `path`, and the path relative to it; None if none does."""
        path = absolute(path)
        for root in self.all():
            if path.is_relative_to(root.path):
                return root, path.relative_to(root.path)
        return None

    def within(self, folder: Path) -> list[tuple[int, bytes]]:
        """Return what of the library lies in a folder, which may be in a root or above some.

        Each is the id of a root and the folder's path relative to it, empty for the whole root.
        """
        folder = absolute(folder)
        found = self.containing(folder)
        if found is not None:
            return [(found[0].id, b"" if found[1] == Path() else os.fsencode(found[1]))]
        return [(root.id, b"") for root in self.all() if root.path.is_relative_to(folder)]

    def folders(self, root_id: int) -> list[tuple[Path, int]]:
        """Return the folders of a root with present photos in them or below, with how many each has, by path.

        Paths are relative; ``Path(".")`` is the root itself. A photo counts once in each folder, with all its copies.
        """
        rows = self._columns().places.now().in_folders(root_id)
        return [(Path(file_name(folder)), count) for folder, count in rows]


def _merge(connection: sqlite3.Connection, inner: Root, outer: Root) -> None:
    """Hang the files of `inner` under `outer`."""
    prefix = os.fsencode(inner.path.relative_to(outer.path)) + b"/"
    # Missing files from a time when `outer` was in the library before stand back for the same files of `inner`.
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
    """Hang what is known below a folder under another one; both are (root, path relative to it).

    Where the target knows a path too, its file stays if it is present, and stands back if it is missing. A photo that
    loses its last file by that was at that place.
    """
    from_root, below = source
    to_root, above = target
    where: str = "root_id = ?"
    known: tuple[int | bytes, ...] = (from_root,)
    if below:  # "0" follows "/" in the code table
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
