# SPDX-License-Identifier: MIT
"""Finds mutually exclusive tags from the tagged photos: a beach is no car park, but a dog may be on a beach."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

from focal_photos.browser.catalog.facts.tags import ancestors

LEAST_PHOTOS: Final = 2
"""Smallest number of photos with a tag before it excludes others."""
LEAST_EXPECTED: Final = 5.0
"""Expected number of photos with both tags, if independent, from which the absence of such photos is significant."""


def rivals(connection: sqlite3.Connection, accepted: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the open suggestions that are excluded by accepted tags.

    Two tags exclude each other if no photo carries both, neither is an ancestor of the other, and either both have
    always been alone on their photos (apart from ancestors and descendants), or both are so frequent that chance would
    have brought them together.

    Parameters
    ----------
    connection : sqlite3.Connection
        Within a transaction.
    accepted : iterable of (int, int)
        Photo ids and ids of the tags that the photos now carry.

    Returns
    -------
    list of (int, int)
        Photo ids and ids of their suggested tags, in state open.
    """
    tags_of: dict[int, list[int]] = {}
    for photo, tag in accepted:
        tags_of.setdefault(photo, []).append(tag)
    names: dict[int, str] = dict(connection.execute("SELECT id, name FROM tag").fetchall())
    known: dict[int, _Company] = {}

    def company(tag: int) -> _Company:
        if tag not in known:
            known[tag] = _Company(connection, tag, names, leaving=tags_of)
        return known[tag]

    (photos,) = connection.execute("SELECT count(DISTINCT photo_id) FROM photo_tag").fetchone()
    found = []
    for photo, accepted_tags in tags_of.items():
        opened = connection.execute("SELECT tag_id FROM suggestion WHERE photo_id = ? AND state = 'open'", (photo,))
        for (other,) in opened.fetchall():
            if any(_exclude(company(tag), company(other), photos) for tag in accepted_tags):
                found.append((photo, other))
    return found


class _Company:
    """Other tags on the photos that carry a tag, except photos whose suggestions are being accepted."""

    def __init__(
        self, connection: sqlite3.Connection, tag: int, names: dict[int, str], *, leaving: Iterable[int]
    ) -> None:
        self.tag = tag
        self.kin = {each for each, name in names.items() if _kin(name, names[tag])}
        left_out = set(leaving)
        rows = connection.execute(
            "SELECT one.photo_id, other.tag_id FROM photo_tag AS one "
            "JOIN photo_tag AS other ON other.photo_id = one.photo_id WHERE one.tag_id = ?",
            (tag,),
        ).fetchall()
        kept = [(photo, other) for photo, other in rows if photo not in left_out]
        self.photos = len({photo for photo, _ in kept})
        self.others = {other for _, other in kept} - self.kin


def _exclude(one: _Company, other: _Company, photos: int) -> bool:
    """Return whether two tags exclude each other, given the number of tagged photos."""
    if other.tag in one.kin or other.tag in one.others or min(one.photos, other.photos) < LEAST_PHOTOS:
        return False
    alone = not one.others and not other.others
    return alone or one.photos * other.photos >= LEAST_EXPECTED * photos


def _kin(name: str, other: str) -> bool:
    return name == other or name in ancestors(other) or other in ancestors(name)
