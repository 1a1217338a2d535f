# SPDX-License-Identifier: MIT
"""Finds rows with wrong digests, and describes each with the data that depends on it."""

from __future__ import annotations

import os
import sqlite3
from typing import Any, Final

from focal_photos.browser.catalog.store.schema.objects import stored_columns
from focal_photos.browser.catalog.text import from_stored

_MOST_NAMED: Final = 10  # rows of a table, or tags of a photo

_PATH: Final = (
    "SELECT root.path || X'2F' || file.path FROM file JOIN root ON root.id = root_id WHERE photo_id = ?1 UNION ALL "
    "SELECT root.path || X'2F' || former_place.path FROM former_place JOIN root ON root.id = root_id "
    "WHERE photo_id = ?1 LIMIT 1"
)
_ON_PHOTO: Final = {
    "tags": "SELECT CAST(name AS BLOB) FROM photo_tag JOIN tag ON tag.id = tag_id WHERE photo_id = ? ORDER BY name",
    "judgements": "SELECT CAST(verdict AS BLOB) FROM judgement WHERE ?1 IN (focal_id, other_id) "
    "UNION ALL SELECT CAST(verdict AS BLOB) FROM text_judgement WHERE other_id = ?1 "
    "UNION ALL SELECT CAST(relation AS BLOB) FROM judged_relation WHERE ?1 IN (focal_id, other_id, than_id) "
    "UNION ALL SELECT CAST(verdict AS BLOB) FROM region_judgement WHERE ?1 IN (photo_id, other_id)",
    "boxes": "SELECT CAST(source AS BLOB) FROM box WHERE photo_id = ?",
    "rejected boxes": "SELECT CAST(at AS BLOB) FROM rejected_box WHERE photo_id = ?",
    "ratings and labels": "SELECT coalesce(label, rating) FROM mark WHERE photo_id = ?",
}


def changed_rows(connection: sqlite3.Connection, table: str) -> list[str]:
    """Return a description of each row with a wrong digest; empty for tables without digests."""
    columns = connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
    if all(name != "digest" for _, name, *_ in columns):
        return []
    stored = stored_columns(connection, table)
    as_bytes = [f"CAST({name} AS BLOB)" if kind == "TEXT" else name for name, kind, _ in stored]
    keys = [text for text, (_, _, key) in zip(as_bytes, stored, strict=True) if key]
    quoted = " || ', ' || ".join(f"quote({name})" for name, _, key in stored if key)
    every = ", ".join(as_bytes)
    try:
        found = connection.execute(
            f"SELECT {quoted}, {', '.join(keys)} FROM {table} WHERE digest IS NOT row_digest({every})"
        ).fetchall()
    except sqlite3.DatabaseError as error:
        return [f"the table {table} cannot be read ({error})"]
    lines = [
        f"{_description(connection, table, row[1:])} is damaged (digest mismatch in row {row[0]} of the table {table})"
        for row in found[:_MOST_NAMED]
    ]
    if len(found) > _MOST_NAMED:
        lines.append(f"{len(found) - _MOST_NAMED} more rows of the table {table} are damaged (digest mismatch)")
    return lines


def _description(connection: sqlite3.Connection, table: str, key: tuple[Any, ...]) -> str:
    """Return the description of a row, or a generic one if it is unreadable."""
    try:
        return _described(connection, table, key)
    except (sqlite3.DatabaseError, TypeError, ValueError):
        return f"a row of {table}"


def _described(connection: sqlite3.Connection, table: str, key: tuple[Any, ...]) -> str:
    match table:
        case "photo":
            return f"the photo {_path(connection, key[0])}{_hanging(connection, key[0])}"
        case "file" | "former_place":
            where, arguments = ("root_id = ? AND path = ?", key) if table == "file" else ("photo_id = ?", key)
            (photo,) = connection.execute(f"SELECT photo_id FROM {table} WHERE {where}", arguments).fetchone()
            path = os.fsdecode(key[1]) if table == "file" else _path(connection, key[0])
            return f"where a photo lies ({path}){_hanging(connection, photo)}"
        case "former_content":
            (photo,) = connection.execute(
                "SELECT photo_id FROM former_content WHERE CAST(content_hash AS BLOB) = ?", key
            ).fetchone()
            return f"what {_path(connection, photo)} was before it was edited"
        case "root":
            (path,) = connection.execute("SELECT path FROM root WHERE id = ?", key).fetchone()
            (files,) = connection.execute("SELECT count(*) FROM file WHERE root_id = ?", key).fetchone()
            return f"the folder {os.fsdecode(path)} with {files} files"
        case "tag":
            (photos,) = connection.execute("SELECT count(*) FROM photo_tag WHERE tag_id = ?", key).fetchone()
            return f"the tag {_tag(connection, key[0])} of {photos} photos"
        case "photo_tag" | "suggestion" | "confirmed_tag":
            kind = {"photo_tag": "tag", "suggestion": "suggestion", "confirmed_tag": "confirmation of the tag"}[table]
            return f"the {kind} {_tag(connection, key[1])} of {_path(connection, key[0])}"
        case "alias":
            (tag,) = connection.execute("SELECT tag_id FROM alias WHERE CAST(name AS BLOB) = ?", key).fetchone()
            return f"the other name {_text(key[0])} of the tag {_tag(connection, tag)}"
        case "saved_search":
            return f"the saved search {_text(key[0])}"
        case "trail":
            return f"the trail {_text(key[0])}"
        case "region":
            return f"the part that counts of {_path(connection, key[0])}"
        case "box":
            (photo,) = connection.execute("SELECT photo_id FROM box WHERE id = ?", key).fetchone()
            return f"a box of {_path(connection, photo)}"
        case "rejected_box":
            photo, tag = connection.execute("SELECT photo_id, tag_id FROM rejected_box WHERE id = ?", key).fetchone()
            return f"a rejected box of the tag {_tag(connection, tag)} on {_path(connection, photo)}"
        case "region_judgement":
            return (
                f"the judgement of a part of {_path(connection, key[5])} against a part of {_path(connection, key[0])}"
            )
        case "turned":
            return f"how {_path(connection, key[0])} is turned"
        case "confirmed_judgement":
            one, other = (_path(connection, photo) for photo in key)
            return f"the confirmation of the judgement of {other} against {one}"
        case "metric_scores":
            (name,) = connection.execute("SELECT CAST(name AS BLOB) FROM metric WHERE id = ?", key).fetchone()
            return f"the scores of the metric {_text(name)}"
        case "judgement" | "judged_relation":
            return f"the judgement of {_path(connection, key[1])} against {_path(connection, key[0])}"
        case "text_judgement":
            return f"the judgement of {_path(connection, key[1])} against the text {_text(key[0])}"
        case "audit":
            return f"the audit of the tag {_tag(connection, key[0])}"
        case "audited":
            return f"the audit of the tag {_tag(connection, key[0])} on {_path(connection, key[1])}"
        case "not_duplicate":
            return f"that {_path(connection, key[1])} is no duplicate of {_path(connection, key[0])}"
        case "incomplete":
            return f"how much of {_path(connection, key[0])} can be decoded"
        case "mark":
            return f"the rating or label of {_path(connection, key[0])}"
        case "journal":
            (label,) = connection.execute("SELECT CAST(label AS BLOB) FROM journal WHERE id = ?", key).fetchone()
            return f"the step of undo “{from_stored(_text(label))}”"
        case "metric":
            (name,) = connection.execute("SELECT CAST(name AS BLOB) FROM metric WHERE id = ?", key).fetchone()
            return f"the metric {_text(name)}"
        case "setting":
            return f"the setting {_text(key[0])}"
    return f"a row of {table}" + (f" of {_path(connection, key[0])}" if isinstance(key[0], int) else "")


def _path(connection: sqlite3.Connection, photo: Any) -> str:
    row = connection.execute(_PATH, (photo,)).fetchone()
    return f"with the number {photo}" if row is None else os.fsdecode(row[0])


def _tag(connection: sqlite3.Connection, tag: Any) -> str:
    row = connection.execute("SELECT CAST(name AS BLOB) FROM tag WHERE id = ?", (tag,)).fetchone()
    return f"with the number {tag}" if row is None else _text(row[0])


def _hanging(connection: sqlite3.Connection, photo: Any) -> str:
    """Describe what the user gave to a photo: ``, on which hang 2 tags (beach, sea) and 1 judgements``."""
    parts = []
    for kind, sql in _ON_PHOTO.items():
        found = [_text(value) for (value,) in connection.execute(sql, (photo,))]
        if found:
            names = f" ({', '.join(found[:_MOST_NAMED])})" if kind == "tags" else ""
            parts.append(f"{len(found)} {kind}{names}")
    return f", on which hang {' and '.join(parts)}," if parts else ""


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
