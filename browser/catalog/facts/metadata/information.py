# SPDX-License-Identifier: MIT
"""Capture settings of photos, and the metadata that other programs wrote into their files or sidecars."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from focal_photos.browser.catalog.facts.query.removed import REMOVED
from focal_photos.browser.catalog.facts.records import Exchanged, Information, Names, Reading, Waiting, Written
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import reading_value
from focal_photos.browser.catalog.store.id_list import id_list

if TYPE_CHECKING:  # a command that tags need not load numpy
    import numpy as np
    from numpy.typing import NDArray

_AT_ONCE: Final = 2000  # rows read in one step


class InformationStore:
    """Metadata read from the library's photos and sidecars. Undo does not cover it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, ids: Iterable[int]) -> dict[int, Information]:
        """Return the capture settings of photos; every requested id is a key."""
        rows = self._database.rows(
            "SELECT value, camera, lens, exposure, latitude, longitude "
            "FROM (SELECT DISTINCT value FROM json_each(?)) LEFT JOIN information ON photo_id = value",
            (id_list(ids),),
        )
        return {photo: Information(*values) for photo, *values in rows}

    def cameras(self) -> list[tuple[str, int]]:
        """Return the cameras with their number of photos, by name; photos in removed folders do not count."""
        return [
            (str(camera), int(count))
            for camera, count in self._database.rows(
                "SELECT camera, count(*) FROM information WHERE camera IS NOT NULL "
                f"AND photo_id NOT IN ({REMOVED}) GROUP BY camera ORDER BY camera"
            )
        ]

    # ------------------------------------------------------------------ reading
    def unread(self) -> NDArray[np.int64]:
        """Return the photos whose current content was not yet read, by id."""
        return self._database.integers(
            "SELECT id FROM photo LEFT JOIN information ON photo_id = id "
            "WHERE information.content_hash IS NOT photo.content_hash ORDER BY id"
        )

    def sidecars(self) -> dict[int, str]:
        """Return the sidecars that were read, by photo id; photos without sidecars are omitted."""
        return dict(self._database.rows("SELECT photo_id, sidecars FROM information WHERE sidecars <> ''"))

    def record(self, readings: Iterable[Reading]) -> None:
        """Store readings in one transaction; values that can be changed in Focal wait to be imported."""
        with self._database.transaction() as connection:
            for one in readings:
                information = one.information
                connection.execute(
                    "INSERT INTO information (photo_id, content_hash, sidecars, camera, lens, exposure, latitude, "
                    "longitude, tags, rating, label, waiting) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '[]', NULL, NULL, ?) "
                    "ON CONFLICT (photo_id) DO UPDATE SET content_hash = excluded.content_hash, "
                    "sidecars = excluded.sidecars, camera = excluded.camera, lens = excluded.lens, "
                    "exposure = excluded.exposure, latitude = excluded.latitude, longitude = excluded.longitude, "
                    "waiting = excluded.waiting",
                    (
                        one.photo_id,
                        one.content_hash,
                        one.sidecars,
                        information.camera,
                        information.lens,
                        information.exposure,
                        information.latitude,
                        information.longitude,
                        _to_json(one),
                    ),
                )
                if one.taken is not None:
                    connection.execute(
                        "UPDATE photo SET taken = coalesce(taken, ?) WHERE id = ? AND content_hash = ?",
                        (one.taken.replace(tzinfo=None).isoformat(), one.photo_id, one.content_hash),
                    )

    # ------------------------------------------------------------------ importing
    # From reading until ratings and labels are imported, the column `waiting` holds a JSON array. After that it holds
    # an object with the names that can be imported as tags, as long as the files hold any.
    def waiting(self) -> list[Waiting]:
        """Return the readings that are not yet imported, by photo id."""
        rows = self._database.rows(
            "SELECT photo_id, tags, rating, label, waiting FROM information "
            "WHERE waiting IS NOT NULL AND substr(waiting, 1, 1) = '[' ORDER BY photo_id"
        )
        with reading_value("information about a photo"):
            return [
                Waiting(photo, Written(tuple(json.loads(tags)), rating, label), *_from_json(photo, found))
                for photo, tags, rating, label, found in rows
            ]

    def with_names(self, roots: Iterable[int]) -> Iterator[Waiting]:
        """Yield the photos of some folders whose files hold names that can be imported as tags, by id.

        `Waiting.found` equals `Waiting.before`, because ratings and labels were imported when they were read.
        """
        wanted, last = id_list(roots), -1
        while rows := self._database.rows(
            "SELECT photo_id, tags, rating, label, waiting FROM information WHERE waiting IS NOT NULL "
            "AND substr(waiting, 1, 1) = '{' AND photo_id > ? AND EXISTS (SELECT 1 FROM file "
            "WHERE file.photo_id = information.photo_id AND state = 'present' "
            "AND root_id IN (SELECT value FROM json_each(?))) ORDER BY photo_id LIMIT ?",
            (last, wanted, _AT_ONCE),
        ):
            for photo, tags, rating, label, text in rows:
                with reading_value("information about a photo"):
                    before, saved = Written(tuple(json.loads(tags)), rating, label), json.loads(text)
                    yield Waiting(photo, before, before, _exchanged(photo, saved["said"]), _fields(saved["fields"]))
            last = rows[-1][0]

    def note_taken_over(self, waiting: Iterable[Waiting]) -> None:
        """Record `Waiting.found` as imported; call this in the transaction of the import."""
        with self._database.transaction() as connection:
            connection.executemany(
                "UPDATE information SET tags = ?, rating = ?, label = ?, waiting = ? WHERE photo_id = ?",
                [
                    (_array(one.found.tags), one.found.rating, one.found.label, _names_json(one), one.photo_id)
                    for one in waiting
                ],
            )


def _array(names: Iterable[str]) -> str:
    return json.dumps(list(names), ensure_ascii=False)


def _to_json(reading: Reading) -> str:
    written = reading.written
    # ASCII, because a path need not be valid UTF-8.
    return json.dumps(
        [list(written.tags), written.rating, written.label, _exchanged_rows(reading.exchanged), dict(reading.fields)]
    )


def _names_json(one: Waiting) -> str | None:
    return json.dumps({"fields": dict(one.fields), "said": _exchanged_rows(one.exchanged)}) if one.fields else None


def _exchanged_rows(exchanged: Iterable[Exchanged]) -> list[list[Any]]:
    return [
        [str(one.sidecar), one.content_hash, list(one.tags), one.rating, one.label, timestamps.to_text(one.at)]
        for one in exchanged
    ]


def _from_json(photo: int, text: str) -> tuple[Written, tuple[Exchanged, ...], dict[str, Names]]:
    tags, rating, label, *rest = json.loads(text)
    said = rest[0] if rest else []  # early libraries of this schema recorded no sidecars
    fields = rest[1] if len(rest) > 1 else {}  # later ones recorded sidecars, but no fields
    return Written(tuple(tags), rating, label), _exchanged(photo, said), _fields(fields)


def _exchanged(photo: int, rows: Iterable[list[Any]]) -> tuple[Exchanged, ...]:
    return tuple(
        Exchanged(photo, Path(path), content_hash, tuple(names), stars, color, timestamps.from_text(at))
        for path, content_hash, names, stars, color, at in rows
    )


def _fields(fields: dict[str, list[list[str]]]) -> dict[str, Names]:
    return {name: (tuple(hierarchical), tuple(flat), tuple(cut)) for name, (hierarchical, flat, cut) in fields.items()}
