# SPDX-License-Identifier: MIT
"""Files and their photos, as found by scans. A photo is identified by its content, regardless of its files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.records import FileState, FoundFile, KnownFile, Recorded, Root, Vanished
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import Kind
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.id_list import id_list
from focal_photos.browser.catalog.store.location import file_name
from focal_photos.browser.catalog.text import to_stored

_PRESENT: Final = (
    "SELECT photo_id, root.path, file.path FROM root CROSS JOIN file ON root_id = root.id "
    "WHERE NOT removed AND state = 'present' AND photo_id IS NOT NULL ORDER BY root.path, file.path"
)

_SEVERAL: Final = (
    "SELECT photo_id FROM file WHERE photo_id IS NOT NULL AND state = 'present' GROUP BY photo_id HAVING count(*) > 1"
)
_PART_PRESENT: Final = (
    "SELECT photo_id, path FROM file WHERE root_id = ? AND path > ? AND state = 'present' AND photo_id IS NOT NULL "
    "ORDER BY path LIMIT ?"
)
_OF_BOX: Final = "x0, y0, x1, y1, width, height, tag_id, source, brought_tag, at"
_PART: Final = 500


class Files:
    """The library's files, which scans compare and update.

    Parameters
    ----------
    forget : callable
        Called with the ids of photos whose content changed; deletes the data derived from it.
    """

    def __init__(self, database: Database, forget: Callable[[Sequence[int]], None]) -> None:
        self._database = database
        self._forget = forget

    def known(self, root_id: int, below: bytes = b"") -> dict[bytes, KnownFile]:
        """Return the known files of a root, by relative path.

        Parameters
        ----------
        below : bytes
            Only files in this folder (relative to the root) or below it; empty: all files.
        """
        between = (below + b"/", below + b"0") if below else ()  # "0" follows "/" in ASCII
        return self._known("path > ? AND path < ?" if below else "TRUE", root_id, *between)

    def folders(self, root_id: int, below: bytes = b"") -> set[bytes]:
        """Return the folders of a root that hold known files, relative to it; parameters as in `known`."""
        sql = "SELECT DISTINCT folder FROM file WHERE root_id = ?"
        if below:
            sql += " AND (folder = ? OR folder > ? AND folder < ?)"
        between = (below, below + b"/", below + b"0") if below else ()
        return {folder for (folder,) in self._database.rows(sql, (root_id, *between))}

    def inside(self, root_id: int, folder: bytes) -> dict[bytes, KnownFile]:
        """Return the known files directly in a folder of a root, by path relative to the root."""
        return self._known("folder = ?", root_id, folder, index="INDEXED BY file_folder")

    def _known(self, which: str, *parameters: int | bytes, index: str = "") -> dict[bytes, KnownFile]:
        selected = f"FROM file {index} WHERE root_id = ? AND {which}"
        sql = f"SELECT path, bytes, mtime_ns, photo_id, failure, state {selected}"
        states = {state.value: state for state in FileState}  # faster than a look-up in the enumeration
        with self._database.reading() as connection:
            return {
                path: KnownFile(size, mtime, photo, failure, states[state])
                for path, size, mtime, photo, failure, state in connection.execute(sql, parameters)
            }

    def at(self, root_id: int, paths: Iterable[bytes]) -> dict[bytes, KnownFile]:
        """Return the known files among some paths of a root, by relative path."""
        states = {state.value: state for state in FileState}
        found: dict[bytes, KnownFile] = {}
        with self._database.reading() as connection:
            for path in paths:
                row = connection.execute(
                    "SELECT bytes, mtime_ns, photo_id, failure, state FROM file WHERE root_id = ? AND path = ?",
                    (root_id, path),
                ).fetchone()
                if row is not None:
                    size, mtime, photo, failure, state = row
                    found[path] = KnownFile(size, mtime, photo, failure, states[state])
        return found

    def roots_of(self, photo_ids: Iterable[int]) -> dict[int, frozenset[int]]:
        """Return the ids of the roots in which photos have present files, by photo."""
        found: dict[int, set[int]] = {}
        for photo, root in self._database.rows(
            "SELECT DISTINCT photo_id, root_id FROM (SELECT DISTINCT value FROM json_each(?)) "
            "CROSS JOIN file ON photo_id = value WHERE state = 'present'",
            (id_list(photo_ids),),
        ):
            found.setdefault(photo, set()).add(root)
        return {photo: frozenset(roots) for photo, roots in found.items()}

    def any_present(self, root_id: int) -> bool:
        """Return whether a root has a present file, according to the last scan."""
        sql = "SELECT 1 FROM file WHERE root_id = ? AND state = 'present' LIMIT 1"
        return self._database.row(sql, (root_id,)) is not None

    def of_photos(self, photo_ids: Iterable[int]) -> list[tuple[Root, bytes]]:
        """Return the present files of photos as pairs of root and relative path."""
        rows = self._database.rows(
            "SELECT root.id, root.path, file.path FROM json_each(?) CROSS JOIN file ON photo_id = value "
            "JOIN root ON root.id = root_id WHERE state = 'present'",
            (id_list(photo_ids),),
        )
        return [(Root(number, Path(file_name(root))), path) for number, root, path in rows]

    def present(self) -> dict[int, list[Path]]:
        """Return the absolute paths of all present files in folders of the library, sorted, by photo."""
        paths: dict[int, list[Path]] = {}
        for photo, root, path in self._database.rows(_PRESENT):
            paths.setdefault(photo, []).append(Path(file_name(root), file_name(path)))
        return paths

    def present_names(self) -> Iterator[tuple[int, list[tuple[str, str]]]]:
        """Yield the photos of `present` with (folder, name) of their files, photos with several files last.

        Folders are absolute, and files in the same folder share one string. No path objects are created, because that
        is slow. Rows are read in parts of `_PART` files: all of a million would take 300 MB and block every thread
        while they are freed.
        """
        several: dict[int, list[tuple[str, str]]] = {photo: [] for (photo,) in self._database.rows(_SEVERAL)}
        for root_id, root in self._database.rows("SELECT id, path FROM root WHERE NOT removed ORDER BY path"):
            folders: dict[bytes, str] = {}
            rows = self._database.rows(_PART_PRESENT, (root_id, b"", _PART))
            while rows:
                for photo, path in rows:
                    below, _, name = path.rpartition(b"/")
                    folder = folders.get(below)
                    if folder is None:
                        folder = folders[below] = str(Path(file_name(root), file_name(below)))
                    if photo in several:
                        several[photo].append((folder, file_name(name)))
                    else:
                        yield photo, [(folder, file_name(name))]
                rows = self._database.rows(_PART_PRESENT, (root_id, path, _PART))
        yield from ((photo, names) for photo, names in several.items() if names)

    def record(self, found: Iterable[FoundFile]) -> Recorded:
        """Add a batch of new, changed or reappeared files in one transaction.

        * Known content: the file joins its photo (a copy, or a moved or renamed file).
        * A known path with new content, the only present file of its photo: the photo was edited. It retains
          id, tags and judgements. Its size, failure, vectors and thumbnail are deleted before the commit.
        * A known path with new content whose old content is also present elsewhere: a new photo with the tags,
          rating and label of the old one.
        * Anything else: a new photo. If its content is that of a photo before an edit, it gets that photo's
          tags, rating and label.
        * An unreadable file retains its photo, if it had one.

        New paths are processed before known ones, so that a photo that was renamed and then replaced by an edited
        version keeps its identity. A scan that sends several batches should send the new paths, then call
        `mark_missing`, then send the paths with changed content. Files of roots removed meanwhile are skipped.

        Parameters
        ----------
        found : iterable of FoundFile
            Found files, each path once.
        """
        batch = _Batch()
        with self._database.transaction() as connection:
            known = []
            removed = {root for (root,) in connection.execute("SELECT id FROM root WHERE removed")}
            for file in found:
                if file.root_id in removed:
                    continue
                row = connection.execute(
                    "SELECT photo_id, state FROM file WHERE root_id = ? AND path = ?",
                    (file.root_id, file.path),
                ).fetchone()
                if row is None or row[0] is None or row[1] == FileState.MISSING.value:
                    self._record(connection, file, None if row is None else row[0], batch)
                else:
                    known.append((file, row[0]))
            for file, photo in known:
                self._record(connection, file, photo, batch)
            if batch.changed:
                self._forget(list(batch.changed))
            self._database.touch(
                Kind.PHOTOS,
                *([Kind.TAGS, Kind.BOXES, Kind.MARKS, Kind.ROTATIONS] if batch.tagged or batch.placed else []),
            )
        return Recorded(tuple(batch.new), tuple(batch.changed), tuple(batch.placed), batch.unreadable)

    def mark_missing(self, root_id: int, paths: Iterable[bytes]) -> Vanished:
        """Mark files as missing that a scan no longer found. Nothing is deleted.

        Parameters
        ----------
        paths : iterable of bytes
            Paths relative to the root, as in `known`.
        """
        with self._database.transaction() as connection:
            photos: dict[int, None] = {}
            for path in paths:
                row = connection.execute(
                    "UPDATE file SET state = 'missing' WHERE root_id = ? AND path = ? AND state = 'present' "
                    "RETURNING photo_id",
                    (root_id, path),
                ).fetchone()
                if row is not None and row[0] is not None:
                    photos[row[0]] = None
            present = {
                photo
                for (photo,) in connection.execute(
                    "SELECT DISTINCT photo_id FROM json_each(?) CROSS JOIN file ON photo_id = value "
                    "AND state = 'present'",
                    (id_list(photos),),
                )
            }
            self._database.touch(Kind.PHOTOS)
        return Vanished(
            tuple(photo for photo in photos if photo not in present),
            tuple(photo for photo in photos if photo in present),
        )

    def _record(self, connection: sqlite3.Connection, file: FoundFile, old: int | None, batch: _Batch) -> None:
        if file.content_hash is None:
            batch.unreadable += 1
            _write(connection, file, old)
            return
        leaving = old if old is not None and _is_last_file(connection, file, old) else None
        row = connection.execute("SELECT id FROM photo WHERE content_hash = ?", (file.content_hash,)).fetchone()
        if row is not None:
            photo = int(row[0])
            if photo != old:
                batch.placed[photo] = None
        elif old is not None and not _present_elsewhere(connection, file, old):
            photo = old
            _replace_content(connection, photo, file)
            batch.changed[photo] = None
        else:
            model = old if old is not None else _former(connection, file.content_hash)
            photo = _add(connection, file)
            batch.new[photo] = None
            batch.tagged |= model is not None and _copy(connection, model, photo)
        _write(connection, file, photo)
        if leaving not in (None, photo):  # its path now belongs to another photo
            place = (leaving, file.root_id, file.path)
            connection.execute("INSERT OR REPLACE INTO former_place VALUES (?, ?, ?)", place)


class _Batch:
    """Results of one call of `record`; the dictionaries serve as ordered sets."""

    def __init__(self) -> None:
        self.new: dict[int, None] = {}
        self.changed: dict[int, None] = {}
        self.placed: dict[int, None] = {}
        self.unreadable = 0
        self.tagged = False


def _write(connection: sqlite3.Connection, file: FoundFile, photo: int | None) -> None:
    connection.execute(
        "INSERT INTO file (root_id, path, folder, photo_id, bytes, mtime_ns, failure, state) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, 'present') ON CONFLICT (root_id, path) DO UPDATE SET "
        "photo_id = excluded.photo_id, bytes = excluded.bytes, mtime_ns = excluded.mtime_ns, "
        "failure = excluded.failure, state = excluded.state",
        (
            file.root_id,
            file.path,
            file.path.rpartition(b"/")[0],
            photo,
            file.bytes,
            file.mtime_ns,
            file.failure and to_stored(file.failure),
        ),
    )

    if photo is not None:
        connection.execute("DELETE FROM former_place WHERE photo_id = ?", (photo,))
        connection.execute("DELETE FROM forgotten WHERE photo_id = ?", (photo,))


def _is_last_file(connection: sqlite3.Connection, file: FoundFile, photo: int) -> bool:
    row = connection.execute(
        "SELECT 1 FROM file WHERE photo_id = ? AND NOT (root_id = ? AND path = ?) LIMIT 1",
        (photo, file.root_id, file.path),
    ).fetchone()
    return row is None


def _add(connection: sqlite3.Connection, file: FoundFile) -> int:
    done = connection.execute(
        "INSERT INTO photo (content_hash, bytes, added_at) VALUES (?, ?, ?)",
        (file.content_hash, file.bytes, timestamps.to_text(timestamps.now())),
    )
    return int(done.lastrowid or 0)


def _replace_content(connection: sqlite3.Connection, photo: int, file: FoundFile) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO former_content SELECT content_hash, id FROM photo WHERE id = ?", (photo,)
    )
    connection.execute("DELETE FROM former_content WHERE content_hash = ?", (file.content_hash,))
    connection.execute("DELETE FROM incomplete WHERE photo_id = ?", (photo,))
    connection.execute(
        "UPDATE photo SET content_hash = ?, bytes = ?, "
        "width = NULL, height = NULL, taken = NULL, failure = NULL WHERE id = ?",
        (file.content_hash, file.bytes, photo),
    )


def _present_elsewhere(connection: sqlite3.Connection, file: FoundFile, photo: int) -> bool:
    row = connection.execute(
        "SELECT 1 FROM file WHERE photo_id = ? AND state = 'present' AND NOT (root_id = ? AND path = ?) LIMIT 1",
        (photo, file.root_id, file.path),
    ).fetchone()
    return row is not None


def _former(connection: sqlite3.Connection, content_hash: str) -> int | None:
    row = connection.execute("SELECT photo_id FROM former_content WHERE content_hash = ?", (content_hash,)).fetchone()
    return None if row is None else int(row[0])


def _copy(connection: sqlite3.Connection, model: int, photo: int) -> bool:
    """Copy the user's tags, boxes, marks and rotation to a new photo; return whether there were any but the last.

    Rejected boxes are copied too.
    """
    tags = connection.execute(
        "INSERT INTO photo_tag SELECT ?, tag_id, source, at FROM photo_tag WHERE photo_id = ?", (photo, model)
    )
    boxes = connection.execute(
        f"INSERT INTO box (photo_id, {_OF_BOX}) SELECT ?, {_OF_BOX} FROM box WHERE photo_id = ? ORDER BY id",
        (photo, model),
    )
    connection.execute(
        "INSERT INTO rejected_box (photo_id, x0, y0, x1, y1, tag_id, at) "
        "SELECT ?, x0, y0, x1, y1, tag_id, at FROM rejected_box WHERE photo_id = ? ORDER BY id",
        (photo, model),
    )
    marks = connection.execute(
        "INSERT INTO mark SELECT ?, rating, label, at FROM mark WHERE photo_id = ?", (photo, model)
    )
    connection.execute("INSERT INTO turned SELECT ?, quarters, at FROM turned WHERE photo_id = ?", (photo, model))
    # What was imported into the other photo is not new for this one.
    connection.execute(
        "INSERT INTO information (photo_id, content_hash, sidecars, tags, rating, label) "
        "SELECT ?, '', '', tags, rating, label FROM information WHERE photo_id = ?",
        (photo, model),
    )
    return tags.rowcount + boxes.rowcount + marks.rowcount > 0
