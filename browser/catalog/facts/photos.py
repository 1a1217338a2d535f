# SPDX-License-Identifier: MIT
"""The photos of a library: look-ups, filters and the results of decoding."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from focal_photos.browser.catalog.facts.order import Order, in_order
from focal_photos.browser.catalog.facts.query import completion, evaluation, few_photos, syntax
from focal_photos.browser.catalog.facts.records import Photo
from focal_photos.browser.catalog.facts.roots import Roots
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import UnknownPhotoError, reading_value
from focal_photos.browser.catalog.store.id_list import id_list
from focal_photos.browser.catalog.store.journal import Journal
from focal_photos.browser.catalog.store.location import absolute, file_name
from focal_photos.browser.catalog.text import counted, from_stored, to_stored

if TYPE_CHECKING:  # a command that tags need not load numpy
    from numpy.typing import NDArray

    from focal_photos.browser.catalog.columns.columns import Columns

TRIED_AGAIN: Final = "Focal tries it again at the next indexing."
"""End of a failure's text if the cause may not be the photo: decoding took too long, or its process was killed."""

_PLACES = (
    "SELECT photo_id, state = 'missing', root.path, file.path FROM json_each(?1) "
    "CROSS JOIN file ON photo_id = value JOIN root ON root.id = root_id UNION ALL "
    "SELECT photo_id, 1, root.path, former_place.path FROM json_each(?1) "
    "CROSS JOIN former_place ON photo_id = value JOIN root ON root.id = root_id"
)


class LookUp:
    """Looks up many photos through one read connection.

    Parameters
    ----------
    connection : sqlite3.Connection
        Connection to the catalogue; must stay open while this object is used.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        roots = connection.execute("SELECT id, path FROM root").fetchall()
        self._roots = [(number, path.rstrip(b"/") + b"/") for number, path in roots]

    def in_file(self, path: bytes) -> tuple[int, int, int, int] | None:
        """Return (missing, photo id, bytes, time in ns) of a file by its absolute path; None if it is unknown.

        Files in removed folders are included.
        """
        best: tuple[int, int, int, int] | None = None
        for number, folder in self._roots:
            if path.startswith(folder):
                row = self._connection.execute(
                    "SELECT state = 'missing', photo_id, bytes, mtime_ns FROM file "
                    "WHERE root_id = ? AND path = ? AND photo_id IS NOT NULL",
                    (number, path[len(folder) :]),
                ).fetchone()
                best = row if row is not None and (best is None or row < best) else best
        return best

    def with_content(self, content_hash: str) -> int | None:
        """Return the id of the photo with this content, or None."""
        row = self._connection.execute("SELECT id FROM photo WHERE content_hash = ?", (content_hash,)).fetchone()
        return None if row is None else int(row[0])


class Photos:
    """The library's photos."""

    def __init__(self, database: Database, roots: Roots, journal: Journal, columns: Callable[[], Columns]) -> None:
        self._database = database
        self._journal = journal
        self._roots = roots
        self._columns = columns
        self.similar: Callable[[int], NDArray[np.int64]] | None = None
        """Returns the photos ranked nearest to a photo, itself included; set by the ranker for ``similar:``."""
        self._by_name: tuple[tuple[int, ...], NDArray[np.int64]] | None = None
        self._name_lock = threading.Lock()

    # ------------------------------------------------------------------ queries
    def ids(self, query: str | syntax.Query = "", folder: Path | None = None) -> NDArray[np.int64]:
        """Return the photos that match a query; missing, failed and removed ones included unless it excludes them.

        Parameters
        ----------
        query : str or Query
            See `browser.catalog.facts.query.syntax`.
        folder : pathlib.Path or None
            Only photos with a present file in or below this folder, which may be inside a root or above several.

        Returns
        -------
        ndarray of int64, shape (n,)
            Photo ids, each once, in bytewise order of their paths; photos that only have a former path come last.

        Raises
        ------
        QueryError
        """
        tree = syntax.parse(query) if isinstance(query, str) else query
        order = self._columns().places.now().order
        if not tree.terms and folder is None:
            return order.copy()
        found = evaluation.Evaluation(self._database, self._columns(), self)
        inside = None if folder is None else self._roots.within(folder)
        return order[found.of_query(tree, inside, int(order.max(initial=0)) + 1)[order]]

    def folder_numbers(self, photo_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a number for the folder of each photo, equal for photos of one folder until files change.

        -1 for photos without a file; if a photo has several, the last by path counts.
        """
        numbers = self._columns().places.now().folder_numbers
        known = photo_ids < len(numbers)
        return np.where(known, numbers[np.where(known, photo_ids, 0)], -1) if len(numbers) else -np.ones_like(photo_ids)

    def listed(self, query: str | syntax.Query = "", folder: Path | None = None) -> NDArray[np.int64]:
        """Return the photos to show for a query: `ids` without photos that are only in removed folders.

        If the query contains ``removed`` or ``-removed``, only the query decides.
        """
        tree = syntax.parse(query) if isinstance(query, str) else query
        return self.ids(syntax.leave_out(tree, syntax.Removed()) if self._roots.any_removed() else tree, folder)

    def few_listed(self, query: str) -> list[int] | None:
        """Return the ids of `listed` using SQL alone; None if they may be many or the query needs data of all photos.

        For commands that evaluate only one query: numpy is not loaded, and no columns are read.
        """
        tree = syntax.parse(query)
        return few_photos.few_photos(
            self._database, syntax.leave_out(tree, syntax.Removed()) if self._roots.any_removed() else tree
        )

    def sorted(self, ids: NDArray[np.int64], order: Order, seed: int = 0) -> NDArray[np.int64]:
        """Sort photos, see `order.in_order`. The first sort by name takes seconds for a million photos."""
        if order is not Order.NAME:
            return in_order(self._columns(), ids, order, seed=seed)
        stamp = self._database.stamp(Kind.PHOTOS)
        with self._name_lock:
            cached = self._by_name
        if cached is None or stamp is None or cached[0] != stamp:
            every = self._columns().places.now().order
            cached = stamp or (), in_order(self._columns(), every, order, names=self._names(every))
            with self._name_lock:
                self._by_name = cached
        by_name = cached[1]
        chosen = np.zeros(int(max(by_name.max(initial=0), ids.max(initial=0))) + 1, bool)
        chosen[ids] = True
        found: NDArray[np.int64] = by_name[chosen[by_name]]
        return found

    def _names(self, ids: NDArray[np.int64]) -> list[str]:
        """Return the file names of photos, preferably of present files."""
        rows = self._database.rows(
            "SELECT photo_id, path, state = 'missing' FROM file WHERE photo_id IS NOT NULL UNION ALL "
            "SELECT photo_id, path, 1 FROM former_place ORDER BY 3 DESC"
        )
        names = {photo: path for photo, path, _ in rows}  # a present file comes last and wins
        return [file_name(names.get(photo, b"").rpartition(b"/")[2]) for photo in ids.tolist()]

    def count(self, query: str | syntax.Query = "") -> int:
        """Return the number of photos that match a query."""
        return len(self.ids(query))

    def complete(self, text: str, cursor: int) -> list[completion.Completion]:
        """Return completions of the query word that ends at the cursor; see `completion.complete`."""
        names = self._database.rows(
            "SELECT name FROM tag WHERE EXISTS (SELECT 1 FROM photo_tag WHERE tag_id = tag.id) "
            "OR EXISTS (SELECT 1 FROM suggestion WHERE tag_id = tag.id AND state = 'open') ORDER BY name"
        )
        labels = self._database.rows("SELECT DISTINCT label FROM mark WHERE label IS NOT NULL ORDER BY label")
        cameras = self._database.rows(
            "SELECT DISTINCT camera FROM information WHERE camera IS NOT NULL ORDER BY camera"
        )
        return completion.complete(
            text,
            cursor,
            [name for (name,) in names],
            labels=[name for (name,) in labels],
            cameras=[name for (name,) in cameras],
            months=self.months(),
        )

    # ------------------------------------------------------------------ single photos
    def get(self, ids: Iterable[int]) -> list[Photo]:
        """Return photos in the order of `ids`.

        Raises
        ------
        UnknownPhotoError
        """
        numbers = id_list(ids)
        rows = self._database.rows(
            "SELECT value, photo.id, content_hash, bytes, width, height, taken, failure, reason FROM json_each(?) "
            "LEFT JOIN photo ON photo.id = value LEFT JOIN incomplete ON photo_id = photo.id ORDER BY key",
            (numbers,),
        )
        places = self._places(numbers)
        photos = []
        for value, number, content_hash, size, width, height, taken, failure, incomplete in rows:
            if number is None:
                raise UnknownPhotoError("The library has no photo with the id {0}: index its folder first.", value)
            missing, path = places[number]
            with reading_value("a date of a photo"):
                moment = None if taken is None else datetime.fromisoformat(taken)
            failure, incomplete = (reason and from_stored(reason) for reason in (failure, incomplete))
            photo = Photo(number, content_hash, path, size, width, height, moment, failure, missing, incomplete)
            photos.append(photo)
        return photos

    def aspects(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return width divided by height of photos as shown, float32 (n,); 1 where unknown."""
        return self._columns().aspects.now().of(ids)

    def content_hashes(self, ids: Iterable[int]) -> dict[int, str]:
        """Return the content hashes of the known photos among `ids`."""
        return dict(
            self._database.rows(
                "SELECT photo.id, content_hash FROM json_each(?) CROSS JOIN photo ON photo.id = value", (id_list(ids),)
            )
        )

    def months(self) -> list[str]:
        """Return the months with photos, as ``2024-05``, newest first."""
        months = "SELECT DISTINCT substr(taken, 1, 7) FROM photo INDEXED BY photo_taken WHERE taken IS NOT NULL"
        return [month for (month,) in self._database.rows(f"{months} ORDER BY 1 DESC")]

    def taken(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the ids and capture times (seconds) of photos with a date, earliest first; int64 (n,)."""
        rows = self._database.rows(
            "SELECT id, CAST(strftime('%s', taken) AS INTEGER) FROM photo INDEXED BY photo_taken "
            "WHERE taken IS NOT NULL ORDER BY taken, id"
        )
        ids, seconds = np.array(rows, dtype=np.int64).reshape(-1, 2).T
        return ids, seconds

    def paths(self, ids: Iterable[int]) -> list[Path]:
        """Return the absolute paths of photos in the order of `ids`, preferably of present files.

        Raises
        ------
        UnknownPhotoError
        """
        numbers = [int(number) for number in ids]
        places = self._places(id_list(numbers))
        try:
            return [places[number][1] for number in numbers]
        except KeyError as error:
            raise UnknownPhotoError(
                "The library has no photo with the id {0}: index its folder first.", error.args[0]
            ) from None

    def by_path(self, path: Path) -> Photo | None:
        """Return the photo in the file `path`, or None if the file is unknown."""
        found = self._recorded(path)
        return None if found is None else self.get([found[1]])[0]

    def recorded(self, path: Path) -> tuple[int, int] | None:
        """Return size (bytes) and time (ns) of a photo's file from the last scan; None if the file is unknown."""
        found = self._recorded(path)
        return None if found is None else found[2:]

    @contextmanager
    def looking_up(self) -> Iterator[LookUp]:
        """Open one connection for many look-ups, because opening takes longer than a look-up."""
        with self._database.reading() as connection:
            yield LookUp(connection)

    def by_hash(self, content_hash: str) -> Photo | None:
        """Return the photo with this content, or None."""
        row = self._database.row("SELECT id FROM photo WHERE content_hash = ?", (content_hash,))
        return None if row is None else self.get([row[0]])[0]

    def any_of_size(self, size: int) -> bool:
        """Return whether any photo has this size in bytes; otherwise no file of this size can be a known photo."""
        return self._database.row("SELECT 1 FROM photo WHERE bytes = ? LIMIT 1", (size,)) is not None

    def files(self, photo_id: int) -> list[Path]:
        """Return the absolute paths of all present files of a photo, sorted."""
        rows = self._database.rows(_PLACES, (id_list([photo_id]),))
        return sorted(_join(root, path) for _, missing, root, path in rows if not missing)

    def forget(self, ids: Iterable[int]) -> ChangeSet:
        """Stop listing missing photos, as if their folder were removed from the library; journaled.

        Nothing is deleted: a photo reappears with its tags and judgements when one of its files is found again.

        Raises
        ------
        UnknownPhotoError
        ValueError
            If one of them has a file.
        """
        photos = self.get(dict.fromkeys(ids))
        if any(not photo.missing for photo in photos):
            raise ValueError("only photos without a file can be forgotten")
        with self._journal.action("") as action:
            at = timestamps.to_text(timestamps.now())
            for photo in photos:
                action.put("forgotten", {"photo_id": photo.id}, {"at": at})
            action.label = counted(len(photos), "Forget 1 missing photo", "Forget {0} missing photos")
        return action.changes

    # ------------------------------------------------------------------ results of decoding
    def set_descriptions(self, rows: Iterable[tuple[int, int, int, datetime | None]]) -> None:
        """Store (photo id, width, height, taken) of decoded photos, and clear their failures, in one transaction.

        Width and height are pixels after EXIF orientation. A missing date does not replace a known one.
        """
        values = [
            (width, height, None if taken is None else taken.replace(tzinfo=None).isoformat(), int(number))
            for number, width, height, taken in rows
        ]
        with self._database.transaction() as connection:
            connection.executemany(
                "UPDATE photo SET width = ?, height = ?, taken = coalesce(?, taken), failure = NULL WHERE id = ?",
                values,
            )

    def set_incomplete(self, rows: Iterable[tuple[int, str | None]]) -> None:
        """Store how much of photos can be decoded, (photo id, reason), in one transaction; None: all of it."""
        values = [(int(number), reason) for number, reason in rows]
        with self._database.transaction() as connection:
            connection.executemany("DELETE FROM incomplete WHERE photo_id = ?", [(number,) for number, _ in values])
            connection.executemany(
                "INSERT INTO incomplete (photo_id, reason) VALUES (?, ?)",
                [(number, to_stored(reason)) for number, reason in values if reason is not None],
            )

    def incomplete(self) -> list[tuple[Path, str]]:
        """Return the present files that can be decoded only partially, with the reasons, by path."""
        rows = self._database.rows(
            "SELECT root.path, file.path, reason FROM incomplete JOIN file USING (photo_id) "
            "JOIN root ON root.id = root_id WHERE state = 'present'"
        )
        return sorted((_join(root, path), from_stored(reason)) for root, path, reason in rows)

    def undescribed(self, ids: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return the photos among `ids`, in their order, whose size and date are unknown.

        None: all photos with a present file and no failure.
        """
        wanted = self.ids("-failed -missing") if ids is None else np.asarray(ids, np.int64)
        blank = self._database.integers("SELECT id FROM photo WHERE width IS NULL")
        lacking: NDArray[np.int64] = wanted[np.isin(wanted, blank)]
        return lacking

    def set_failures(self, rows: Iterable[tuple[int, str | None]]) -> None:
        """Store why photos could not be decoded, (photo id, reason), in one transaction.

        None as the reason clears the failure, so that the photo is tried again.
        """
        values = [(reason and to_stored(reason), int(number)) for number, reason in rows]
        with self._database.transaction() as connection:
            connection.executemany("UPDATE photo SET failure = ? WHERE id = ?", values)

    def forget_passing_failures(self) -> None:
        """Clear the failures that may not be due to the photo (`TRIED_AGAIN`), so that it is tried again.

        Libraries of earlier versions have timeouts without this ending.
        """
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE photo SET failure = NULL WHERE failure IS NOT NULL AND (failure LIKE ? OR failure LIKE ?)",
                (f"%{TRIED_AGAIN}%", "Its decoding took longer than %"),
            )

    def failed(self) -> list[tuple[Path, str]]:
        """Return the present files that could not be read or decoded, with the reasons, by path."""
        # CROSS fixes the order of the join, so that only the files of failed photos are read.
        rows = self._database.rows(
            "SELECT root.path, file.path, file.failure FROM file JOIN root ON root.id = root_id "
            "WHERE file.failure IS NOT NULL AND state = 'present' UNION ALL "
            "SELECT root.path, file.path, photo.failure FROM photo CROSS JOIN file ON photo_id = photo.id "
            "JOIN root ON root.id = root_id "
            "WHERE photo.failure IS NOT NULL AND file.failure IS NULL AND state = 'present'"
        )
        return sorted((_join(root, path), from_stored(reason)) for root, path, reason in rows)

    # ------------------------------------------------------------------ helpers
    def _recorded(self, path: Path) -> tuple[int, int, int, int] | None:
        with self.looking_up() as look_up:
            real = Path(os.path.realpath(path))  # unlike Path.resolve, accepts a link to itself
            names = (os.fsencode(candidate) for candidate in dict.fromkeys((absolute(path), real)))
            return next(filter(None, map(look_up.in_file, names)), None)

    def _places(self, numbers: str) -> dict[int, tuple[bool, Path]]:
        best: dict[int, tuple[int, bytes, bytes]] = {}
        for photo, missing, root, path in self._database.rows(_PLACES, (numbers,)):
            place = (missing, root, path)
            if photo not in best or place < best[photo]:
                best[photo] = place
        return {photo: (bool(missing), _join(root, path)) for photo, (missing, root, path) in best.items()}


def _join(root: bytes, path: bytes) -> Path:
    return Path(file_name(root), file_name(path))
