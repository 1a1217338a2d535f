"""The photo folders of a library."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from browser.catalog.facts.records import Root
from browser.catalog.store.changes import ChangeSet, Kind
from browser.catalog.store.database import Database
from browser.catalog.store.errors import LibraryError
from browser.catalog.store.location import absolute


class Roots:
    """The photo folders that a person has opened in the library."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Root]:
        """Return the folders of the library, in the order of their paths."""
        rows = self._database.rows("SELECT id, path FROM root WHERE NOT removed ORDER BY path")
        return [Root(number, Path(os.fsdecode(path))) for number, path in rows]

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
        """Return whether a folder was taken out of the library and not added again."""
        return self._database.row("SELECT 1 FROM root WHERE removed LIMIT 1") is not None

    def containing(self, path: Path) -> tuple[Root, Path] | None:
        """Return the root that holds `path`, and the path relative to it; None if none does."""
        path = absolute(path)
        for root in self.all():
            if path.is_relative_to(root.path):
                return root, path.relative_to(root.path)
        return None

    def folders(self, root_id: int) -> list[tuple[Path, int]]:
        """Return the folders below a root that hold present photos themselves, with how many each holds, by path.

        Paths are relative; ``Path(".")`` is the root itself. A photo counts once in each folder.
        """
        rows = self._database.rows(
            "SELECT folder, count(DISTINCT photo_id) FROM file WHERE root_id = ? AND state = 'present' "
            "AND photo_id IS NOT NULL GROUP BY folder ORDER BY folder",
            (root_id,),
        )
        return [(Path(os.fsdecode(folder)), count) for folder, count in rows]


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
