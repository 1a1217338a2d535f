"""Values shared by photos and their sidecars at the last synchronisation, to tell which side has changed since."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.records import Exchanged
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.errors import reading_value
from focal_photos.browser.catalog.store.id_list import id_list
from focal_photos.browser.catalog.store.location import file_name
from focal_photos.browser.catalog.text import Text


class Exchange(JournaledFacts):
    """The library's exchange with sidecars: one row for each pair of a photo and a sidecar."""

    def of(self, ids: Iterable[int]) -> dict[int, tuple[Exchanged, ...]]:
        """Return the exchanges of photos with each of their sidecars, by photo id; every requested id is a key."""
        wanted = id_list(ids)
        found: dict[int, list[Exchanged]] = {number: [] for number in json.loads(wanted)}
        for photo, sidecar, content_hash, tags, rating, label, at in self._database.rows(
            "SELECT photo_id, sidecar, content_hash, tags, rating, label, at FROM "
            "(SELECT DISTINCT value FROM json_each(?)) CROSS JOIN exchange ON photo_id = value "
            "ORDER BY photo_id, sidecar",
            (wanted,),
        ):
            with reading_value("an exchange with a sidecar"):
                path, names, moment = Path(file_name(sidecar)), tuple(json.loads(tags)), timestamps.from_text(at)
            found[photo].append(Exchanged(photo, path, content_hash, names, rating, label, moment))
        return {photo: tuple(rows) for photo, rows in found.items()}

    def record(self, rows: Iterable[Exchanged], *, journaled: bool) -> None:
        """Record exchanges in one transaction.

        Parameters
        ----------
        journaled : bool
            True for an import: the exchange becomes part of the journal step, so undo reverts both and the sidecar's
            values are new again. False for an export only.
        """
        if journaled:
            with self._journal.action(Text("Exchange with sidecars")) as action:
                for one in rows:
                    action.put("exchange", *_columns(one))
            return
        with self._database.transaction() as connection:
            for key, values in map(_columns, rows):
                connection.execute(
                    "INSERT INTO exchange (photo_id, sidecar, content_hash, tags, rating, label, at) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (photo_id, sidecar) DO UPDATE SET "
                    "content_hash = excluded.content_hash, tags = excluded.tags, rating = excluded.rating, "
                    "label = excluded.label, at = excluded.at",
                    (*key.values(), *values.values()),
                )


def _columns(one: Exchanged) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the primary key and the other columns of a row, in table order."""
    key = {"photo_id": one.photo_id, "sidecar": os.fsencode(one.sidecar)}
    values = {
        "content_hash": one.content_hash,
        "tags": json.dumps(list(one.tags), ensure_ascii=False),
        "rating": one.rating,
        "label": one.label,
        "at": timestamps.to_text(one.at),
    }
    return key, values
