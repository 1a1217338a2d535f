# SPDX-License-Identifier: MIT
"""Values shared by photos and their sidecars at the last synchronisation, to tell which side has changed since."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.records import Exchanged, NamedRegion, Region
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
        for photo, sidecar, content_hash, tags, rating, label, at, boxes in self._database.rows(
            "SELECT exchange.photo_id, exchange.sidecar, content_hash, tags, rating, label, at, boxes FROM "
            "(SELECT DISTINCT value FROM json_each(?)) CROSS JOIN exchange ON exchange.photo_id = value "
            "LEFT JOIN exchanged_boxes USING (photo_id, sidecar) ORDER BY exchange.photo_id, exchange.sidecar",
            (wanted,),
        ):
            with reading_value("an exchange with a sidecar"):
                path, names, moment = Path(file_name(sidecar)), tuple(json.loads(tags)), timestamps.from_text(at)
                drawn = boxes_from_json(boxes or "[]")
            found[photo].append(Exchanged(photo, path, content_hash, names, rating, label, moment, drawn))
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
                    key, values = _columns(one)
                    action.put("exchange", key, values)
                    action.put("exchanged_boxes", key, {"boxes": _boxes_json(one)} if one.boxes else None)
            return
        with self._database.transaction() as connection:
            for one in rows:
                key, values = _columns(one)
                connection.execute(
                    "INSERT INTO exchange (photo_id, sidecar, content_hash, tags, rating, label, at) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (photo_id, sidecar) DO UPDATE SET "
                    "content_hash = excluded.content_hash, tags = excluded.tags, rating = excluded.rating, "
                    "label = excluded.label, at = excluded.at",
                    (*key.values(), *values.values()),
                )
                if one.boxes:
                    connection.execute(
                        "INSERT INTO exchanged_boxes (photo_id, sidecar, boxes) VALUES (?, ?, ?) "
                        "ON CONFLICT (photo_id, sidecar) DO UPDATE SET boxes = excluded.boxes",
                        (*key.values(), _boxes_json(one)),
                    )
                else:
                    connection.execute(
                        "DELETE FROM exchanged_boxes WHERE photo_id = ? AND sidecar = ?", tuple(key.values())
                    )


def boxes_from_json(text: str) -> tuple[NamedRegion, ...]:
    """Return the boxes of a row of the table ``exchanged_boxes``.

    Raises
    ------
    ValueError, TypeError
        If the text holds anything else.
    """
    found = []
    for tag, *sides in json.loads(text):
        x0, y0, x1, y1 = map(float, sides)
        if not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1) or not (tag is None or isinstance(tag, str)):
            raise ValueError("no box")
        found.append(NamedRegion(tag, Region(x0, y0, x1, y1)))
    return tuple(found)


def _boxes_json(one: Exchanged) -> str:
    sides = ((tag, region.x0, region.y0, region.x1, region.y1) for tag, region in one.boxes)
    return json.dumps(list(sides), ensure_ascii=False)


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
