# SPDX-License-Identifier: MIT
"""Boxes: regions of photos that the user draws, and names by a tag; and regions for which the user refused a tag."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from typing import Any

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.records import Box, Region, RejectedBox, TagSource
from focal_photos.browser.catalog.facts.tags import Tags, intern, listed, normalise, resolved
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.id_list import id_list
from focal_photos.browser.catalog.store.journal import Action, Journal
from focal_photos.browser.catalog.text import Text, counted

_BOXES = (
    "SELECT box.id, photo_id, x0, y0, x1, y1, tag.name, source, box.at, "
    "box.width <> photo.width OR box.height <> photo.height FROM {} "
    "JOIN photo ON photo.id = photo_id LEFT JOIN tag ON tag.id = tag_id ORDER BY box.id"
)


class BoxError(LibraryError):
    """There is no such box, or its region is invalid."""


class Boxes(JournaledFacts):
    """The library's boxes.

    A photo carries the tags that name its boxes. A box that gave its photo a tag takes it away again when it loses the
    name, unless another box of the photo has the name too. Removing a tag from a photo removes the name of its boxes.
    """

    def __init__(self, database: Database, journal: Journal, tags: Tags) -> None:
        super().__init__(database, journal)
        self._tags = tags

    def of(self, photo_ids: Iterable[int]) -> dict[int, list[Box]]:
        """Return the boxes of photos in order of their ids; photos without boxes are absent."""
        found: dict[int, list[Box]] = {}
        source = "(SELECT DISTINCT value FROM json_each(?)) CROSS JOIN box ON photo_id = value"
        for row in self._database.rows(_BOXES.format(source), (id_list(photo_ids),)):
            found.setdefault(row[1], []).append(_box(row))
        return found

    def get(self, box_ids: Iterable[int]) -> list[Box]:
        """Return boxes in order of their ids; those that do not exist are absent."""
        source = "(SELECT DISTINCT value FROM json_each(?)) CROSS JOIN box ON box.id = value"
        return [_box(row) for row in self._database.rows(_BOXES.format(source), (id_list(box_ids),))]

    def all(self) -> list[Box]:
        """Return all boxes in order of their ids."""
        return [_box(row) for row in self._database.rows(_BOXES.format("box"))]

    def count(self) -> int:
        """Return the number of boxes."""
        row = self._database.row("SELECT count(*) FROM box")
        return 0 if row is None else int(row[0])

    def add(self, drawn: Iterable[tuple[int, Region, str | None]], source: TagSource = TagSource.HAND) -> ChangeSet:
        """Add boxes, and give their photos the tags that name them, in one step of the journal.

        Parameters
        ----------
        drawn : iterable of (int, Region, str or None)
            Photo, region, and the tag or alias that names the box; None: no name.

        Raises
        ------
        BoxError
            If a region is not inside the photo, or is empty.
        TagNameError, UnknownPhotoError
        """
        wanted = [(int(photo), _valid(region), None if tag is None else normalise(tag)) for photo, region, tag in drawn]
        if not wanted:
            return ChangeSet()
        names = listed(list(dict.fromkeys(tag for _, _, tag in wanted if tag)))
        boxes = counted(len(wanted), "1 box", "{0} boxes")
        with self._journal.action(Text("Draw {0}: {1}", boxes, names) if names else Text("Draw {0}", boxes)) as action:
            connection = action.connection
            self._require_known({photo for photo, *_ in wanted})
            tag_ids, given = self._give(connection, [(photo, tag) for photo, _, tag in wanted if tag], source)
            sizes = _sizes(connection, {photo for photo, *_ in wanted})
            (last,) = connection.execute(
                "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'box'), 0)"
            ).fetchone()
            at = timestamps.to_text(timestamps.now())
            for number, (photo, region, tag) in enumerate(wanted, start=last + 1):
                tag_id = tag_ids[tag] if tag else None
                action.put(
                    "box",
                    {"id": number},
                    {
                        "photo_id": photo,
                        **_sides(region),
                        **sizes[photo],
                        "tag_id": tag_id,
                        "source": source.value,
                        "brought_tag": int((photo, tag_id) in given),
                        "at": at,
                    },
                )
                given.discard((photo, tag_id))
        return action.changes

    def move(self, box_id: int, region: Region) -> ChangeSet:
        """Move or resize a box. If it was uncertain, it no longer is.

        Raises
        ------
        BoxError
            If there is no such box, or the region is not inside the photo or is empty.
        """
        sides = _sides(_valid(region))
        with self._journal.action(Text("Move a box")) as action:
            connection = action.connection
            ((number, photo, _, _),) = _present(connection, [box_id])
            places = {**sides, **_sizes(connection, [photo])[photo]}
            row = connection.execute(f"SELECT {', '.join(places)} FROM box WHERE id = ?", (number,)).fetchone()
            if row != tuple(places.values()):
                action.put("box", {"id": number}, {**places, "at": timestamps.to_text(timestamps.now())})
        return action.changes

    def name(self, box_ids: Iterable[int], tag: str | None, *, by_itself: bool = False) -> ChangeSet:
        """Name boxes by a tag, or remove their names, and change the tags of their photos accordingly.

        Parameters
        ----------
        tag : str or None
            A tag or alias; None: no name.
        by_itself : bool
            Whether undo takes it back together with the last action.

        Raises
        ------
        BoxError
            If there is no such box.
        TagNameError
        """
        tag = None if tag is None else normalise(tag)
        with self._journal.action("", by_itself=by_itself) as action:
            connection = action.connection
            rows = _present(connection, box_ids)
            tag_ids, given = self._give(connection, [(row[1], tag) for row in rows if tag], TagSource.HAND)
            tag_id = tag_ids.get(tag) if tag else None
            changed = [row for row in rows if row[2] != tag_id]
            at = timestamps.to_text(timestamps.now())
            for number, photo, _, _ in changed:
                brought = (photo, tag_id) in given
                action.put("box", {"id": number}, {"tag_id": tag_id, "brought_tag": int(brought), "at": at})
                given.discard((photo, tag_id))
            self._release(action, changed)
            boxes = counted(len(changed), "1 box", "{0} boxes")
            action.label = Text("Name {0}: {1}", boxes, tag) if tag else Text("Remove the name of {0}", boxes)
        return action.changes

    def remove(self, box_ids: Iterable[int]) -> ChangeSet:
        """Remove boxes, and the tags that they gave to their photos.

        Raises
        ------
        BoxError
            If there is no such box.
        """
        with self._journal.action("") as action:
            rows = _present(action.connection, box_ids)
            for number, *_ in rows:
                action.put("box", {"id": number}, None)
            self._release(action, rows)
            action.label = Text("Remove {0}", counted(len(rows), "1 box", "{0} boxes"))
        return action.changes

    def reject(self, refused: Iterable[tuple[int, Region, str]]) -> ChangeSet:
        """Record that tags do not name regions, in one step of the journal. Photos and boxes keep their tags.

        Parameters
        ----------
        refused : iterable of (int, Region, str)
            Photo, region, and the refused tag or alias. Rejections that exist already are skipped.

        Raises
        ------
        BoxError
            If a region is not inside the photo, or is empty.
        TagNameError, UnknownPhotoError
        """
        wanted = [(int(photo), _valid(region), normalise(tag)) for photo, region, tag in refused]
        if not wanted:
            return ChangeSet()
        with self._journal.action("") as action:
            connection = action.connection
            self._require_known({photo for photo, *_ in wanted})
            meant = resolved(connection, dict.fromkeys(tag for *_, tag in wanted))
            ids = intern(connection, list(dict.fromkeys(meant.values())))
            known = set(connection.execute("SELECT photo_id, x0, y0, x1, y1, tag_id FROM rejected_box"))
            rows = [(photo, *_sides(region).values(), ids[meant[tag]]) for photo, region, tag in wanted]
            new = [row for row in dict.fromkeys(rows) if row not in known]
            (last,) = connection.execute(
                "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'rejected_box'), 0)"
            ).fetchone()
            at = timestamps.to_text(timestamps.now())
            for number, row in enumerate(new, start=last + 1):
                columns = ("photo_id", "x0", "y0", "x1", "y1", "tag_id", "at")
                action.put("rejected_box", {"id": number}, dict(zip(columns, (*row, at), strict=True)))
            boxes = counted(len(new), "1 box", "{0} boxes")
            action.label = Text("Reject {0}: {1}", boxes, listed(list(dict.fromkeys(meant.values()))))
        return action.changes

    def rejected(self) -> list[RejectedBox]:
        """Return all rejected boxes in order of their ids."""
        rows = self._database.rows(
            "SELECT rejected_box.id, photo_id, x0, y0, x1, y1, tag.name, at FROM rejected_box "
            "JOIN tag ON tag.id = tag_id ORDER BY rejected_box.id"
        )
        return [
            RejectedBox(number, photo, Region(*sides), tag, timestamps.from_text(at))
            for number, photo, *sides, tag, at in rows
        ]

    def allow(self, ids: Iterable[int]) -> ChangeSet:
        """Delete rejections of boxes.

        Raises
        ------
        BoxError
            If there is no such rejection.
        """
        numbers = sorted({int(number) for number in ids})
        with self._journal.action("") as action:
            rows = action.connection.execute(
                "SELECT id FROM rejected_box WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(numbers),)
            ).fetchall()
            for number in sorted(set(numbers) - {row[0] for row in rows}):
                raise BoxError("There is no rejected box with the number {0}: it may have been removed.", number)
            for number in numbers:
                action.put("rejected_box", {"id": number}, None)
            action.label = Text("Allow {0}", counted(len(numbers), "1 box", "{0} boxes"))
        return action.changes

    def _give(
        self, connection: sqlite3.Connection, wanted: Collection[tuple[int, str]], source: TagSource
    ) -> tuple[dict[str, int], set[tuple[int, int]]]:
        """Give tags to photos; return the tags' ids by name or alias, and the photos and tags that are new."""
        meant = resolved(connection, dict.fromkeys(tag for _, tag in wanted))
        known = intern(connection, list(meant.values()))
        ids = {tag: known[name] for tag, name in meant.items()}
        carried = set(
            connection.execute(
                "SELECT photo_id, tag_id FROM json_each(?) CROSS JOIN photo_tag ON photo_id = value",
                (id_list(photo for photo, _ in wanted),),
            )
        )
        names: dict[int, list[str]] = {}
        for photo, tag in wanted:
            names.setdefault(photo, []).append(tag)
        self._tags.give(names, source)
        return ids, {(photo, ids[tag]) for photo, tag in wanted} - carried

    def _release(self, action: Action, rows: Iterable[tuple[int, int, int | None, int]]) -> None:
        """Remove the tags that former boxes (see `_present`) gave to their photos, except those of other boxes."""
        lost: dict[int, list[int]] = {}
        for _, photo, tag, brought in rows:
            if tag is not None and brought:
                other = action.connection.execute(
                    "SELECT min(id) FROM box WHERE photo_id = ? AND tag_id = ?", (photo, tag)
                ).fetchone()[0]
                if other is not None:
                    action.put("box", {"id": other}, {"brought_tag": 1})
                else:
                    lost.setdefault(tag, []).append(photo)
        for tag, photos in lost.items():
            (name,) = action.connection.execute("SELECT name FROM tag WHERE id = ?", (tag,)).fetchone()
            self._tags.change(photos, remove=[name])


def _box(row: tuple[Any, ...]) -> Box:
    number, photo, *sides, tag, source, at, differs = row
    return Box(number, photo, Region(*sides), tag, TagSource(source), timestamps.from_text(at), bool(differs))


def _valid(region: Region) -> Region:
    if not (0 <= region.x0 < region.x1 <= 1 and 0 <= region.y0 < region.y1 <= 1):
        raise BoxError("A box must lie inside the photo and have a width and a height: draw it again.")
    return region


def _sides(region: Region) -> dict[str, float]:
    return {side: float(getattr(region, side)) + 0.0 for side in ("x0", "y0", "x1", "y1")}  # + 0.0: no negative zero


def _sizes(connection: sqlite3.Connection, photos: Iterable[int]) -> dict[int, dict[str, int | None]]:
    rows = connection.execute(
        "SELECT id, width, height FROM photo WHERE id IN (SELECT value FROM json_each(?))", (id_list(photos),)
    )
    return {number: {"width": width, "height": height} for number, width, height in rows}


def _present(connection: sqlite3.Connection, box_ids: Iterable[int]) -> list[tuple[int, int, int | None, int]]:
    """Return id, photo, tag and `brought_tag` of boxes, by id; raise if a box does not exist."""
    numbers = sorted({int(number) for number in box_ids})
    rows: list[tuple[int, int, int | None, int]] = connection.execute(
        "SELECT id, photo_id, tag_id, brought_tag FROM box WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (json.dumps(numbers),),
    ).fetchall()
    for number in sorted(set(numbers) - {row[0] for row in rows}):
        raise BoxError("There is no box with the number {0}: it may have been removed.", number)
    return rows
