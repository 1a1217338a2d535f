# SPDX-License-Identifier: MIT
"""Differences between two catalogues, by contents and names of photos rather than ids."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_EXAMPLES: Final = 5
# For each kind: the compared columns, and last the photo whose path is shown to the user.
_KINDS: Final = {
    "photos": "SELECT content_hash, id FROM {db}.photo",
    "tags": "SELECT content_hash, name, photo_id FROM {db}.photo_tag JOIN {db}.photo ON photo.id = photo_id "
    "JOIN {db}.tag ON tag.id = tag_id",
    "ratings and labels": "SELECT content_hash, rating, label, photo_id FROM {db}.mark "
    "JOIN {db}.photo ON photo.id = photo_id",
    "judgements": "SELECT focal.content_hash AS focal, other.content_hash AS other, verdict, other_id "
    "FROM {db}.judgement JOIN {db}.photo focal ON focal.id = focal_id JOIN {db}.photo other ON other.id = other_id",
    "relative and visual judgements": "SELECT focal.content_hash AS focal, other.content_hash AS other, "
    "than.content_hash AS than, relation, other_id FROM {db}.judged_relation "
    "JOIN {db}.photo focal ON focal.id = focal_id JOIN {db}.photo other ON other.id = other_id "
    "JOIN {db}.photo than ON than.id = than_id",
    "judgements of texts": "SELECT text, content_hash, verdict, other_id FROM {db}.text_judgement "
    "JOIN {db}.photo ON photo.id = other_id",
    "answers": "SELECT content_hash, name, state, photo_id FROM {db}.suggestion "
    "JOIN {db}.photo ON photo.id = photo_id JOIN {db}.tag ON tag.id = tag_id WHERE state <> 'open'",
    "metrics": "SELECT name, NULL FROM {db}.metric",
    "saved searches": "SELECT name, query, NULL FROM {db}.saved_search",
    "trails": "SELECT name, steps, NULL FROM {db}.trail",
    "other names of tags": "SELECT alias.name, tag.name AS tag, NULL FROM {db}.alias JOIN {db}.tag ON tag.id = tag_id",
    "confirmed tags": "SELECT content_hash, name, photo_id FROM {db}.confirmed_tag "
    "JOIN {db}.photo ON photo.id = photo_id JOIN {db}.tag ON tag.id = tag_id",
    "confirmed judgements": "SELECT focal.content_hash AS focal, other.content_hash AS other, verdict, other_id "
    "FROM {db}.confirmed_judgement JOIN {db}.photo focal ON focal.id = focal_id "
    "JOIN {db}.photo other ON other.id = other_id",
    "turned photos": "SELECT content_hash, quarters, photo_id FROM {db}.turned JOIN {db}.photo ON photo.id = photo_id",
    "audit answers": "SELECT content_hash, name, present, photo_id FROM {db}.audited "
    "JOIN {db}.photo ON photo.id = photo_id JOIN {db}.tag ON tag.id = tag_id WHERE present IS NOT NULL",
    "not duplicates": "SELECT one.content_hash AS one, other.content_hash AS other, other_id FROM {db}.not_duplicate "
    "JOIN {db}.photo one ON one.id = photo_id JOIN {db}.photo other ON other.id = other_id",
    "boxes": "SELECT content_hash, x0, y0, x1, y1, name, photo_id FROM {db}.box "
    "JOIN {db}.photo ON photo.id = photo_id LEFT JOIN {db}.tag ON tag.id = tag_id",
    "judgements of parts": "SELECT query.content_hash AS query, x0, y0, x1, y1, other.content_hash AS other, other_x0, "
    "other_y0, other_x1, other_y1, verdict, other_id FROM {db}.region_judgement "
    "JOIN {db}.photo query ON query.id = photo_id JOIN {db}.photo other ON other.id = other_id",
    "rejected boxes": "SELECT content_hash, x0, y0, x1, y1, name, photo_id FROM {db}.rejected_box "
    "JOIN {db}.photo ON photo.id = photo_id JOIN {db}.tag ON tag.id = tag_id",
    "parts of photos": "SELECT content_hash, x0, y0, x1, y1, photo_id FROM {db}.region "
    "JOIN {db}.photo ON photo.id = photo_id",
}


@dataclass(frozen=True)
class Difference:
    """Rows of one kind that only one of two catalogues has."""

    kind: str
    """``photos``, ``tags``, ``ratings and labels``, ``judgements``, ``relative and visual judgements``, ``judgements of
    texts``, ``answers``, ``metrics``, ``saved searches``, ``trails``, ``other names of tags``, ``confirmed tags``,
    ``confirmed judgements``, ``turned photos``, ``audit answers``, ``not duplicates``, ``boxes``, ``judgements of
    parts``, ``rejected boxes``, ``parts of photos``."""
    lost: int
    gained: int
    """`lost` and `gained`: number of rows that only the present catalogue has, and that only the other has."""
    lost_examples: tuple[str, ...]
    gained_examples: tuple[str, ...]
    """`lost_examples` and `gained_examples`: the first few, with paths."""


def difference(present: Path, other: Path) -> list[Difference]:
    """Return the losses and gains of replacing `present` by `other`; kinds without differences are omitted.

    Both are catalogues of any schema in a single file that nobody has open for writing.
    """
    found = []
    with closing(sqlite3.connect(":memory:", uri=True)) as connection:
        for name, path in (("present", present), ("other", other)):
            connection.execute("ATTACH ? AS " + name, (f"{path.absolute().as_uri()}?immutable=1",))
        for kind, sql in _KINDS.items():
            lost, lost_examples = _only(connection, sql, "present", "other")
            gained, gained_examples = _only(connection, sql, "other", "present")
            if lost or gained:
                found.append(Difference(kind, lost, gained, lost_examples, gained_examples))
    return found


def _only(connection: sqlite3.Connection, sql: str, one: str, two: str) -> tuple[int, tuple[str, ...]]:
    """Return the number of rows that only one side has, and descriptions of the first few."""
    try:
        connection.execute(f"CREATE TEMP TABLE mine AS {sql.format(db=one)}")
    except sqlite3.OperationalError:  # its schema does not have the table yet
        return 0, ()
    try:
        places = [f'"{row[1]}"' for row in connection.execute("PRAGMA table_info(mine)")]
        compared = ", ".join(places[:-1])
        try:
            connection.execute(f"CREATE TEMP TABLE yours AS {sql.format(db=two)}")
        except sqlite3.OperationalError:
            connection.execute("CREATE TEMP TABLE yours AS SELECT * FROM mine WHERE 0")
        # EXCEPT treats NULLs as equal, as intended.
        only = f"SELECT {compared} FROM mine EXCEPT SELECT {compared} FROM yours"
        (count,) = connection.execute(f"SELECT count(*) FROM ({only})").fetchone()
        same = " AND ".join(f"mine.{place} IS few.{place}" for place in places[:-1])
        rows = connection.execute(
            f"SELECT mine.* FROM ({only} LIMIT {_EXAMPLES}) few JOIN mine ON {same} LIMIT {_EXAMPLES}"
        ).fetchall()
        return int(count), tuple(
            _named(connection, one, row) for row in sorted(rows, key=lambda row: (row[-1] or 0, row[:1]))
        )
    finally:
        connection.execute("DROP TABLE temp.mine")
        connection.execute("DROP TABLE IF EXISTS temp.yours")


def _named(connection: sqlite3.Connection, side: str, row: tuple[Any, ...]) -> str:
    *values, photo = row
    if photo is None:
        return str(values[0])
    found = connection.execute(
        f"SELECT root.path, file.path FROM {side}.file JOIN {side}.root ON root.id = root_id WHERE photo_id = ?",
        (photo,),
    ).fetchone()
    path = f"photo {photo}" if found is None else os.fsdecode(found[0] + b"/" + found[1])
    words = [str(value) for value in values[1:] if value is not None and not _is_hash(value)]
    return f"{path}: {', '.join(words)}" if words else path


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 32 and all(letter in "0123456789abcdef" for letter in value)
