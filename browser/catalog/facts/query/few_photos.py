# SPDX-License-Identifier: MIT
"""Evaluation of queries with few results by SQL alone, without reading the columns of all photos.

The columns answer any query at once, but for a command that evaluates a single query, loading numpy and all columns
takes longer than the rest. This module handles queries with a term that selects photos by an index, such as
``tag:sea``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from focal_photos.browser.catalog.facts.query.removed import REMOVED
from focal_photos.browser.catalog.facts.query.selection import selection, tag_ids
from focal_photos.browser.catalog.facts.query.syntax import (
    AllOf,
    AnyOf,
    Copied,
    Failed,
    InPath,
    Judged,
    Labelled,
    Missing,
    Named,
    Not,
    Positive,
    Query,
    Rated,
    Removed,
    Similar,
    Suggested,
    Tagged,
    Taken,
    TakenWith,
    Term,
    Word,
)
from focal_photos.browser.catalog.store.database import Database, Row
from focal_photos.browser.catalog.store.id_list import id_list

MAX_RESULTS: Final = 5000
"""Largest number of results."""

_MISSING: Final = (
    "SELECT id FROM photo WHERE NOT EXISTS (SELECT 1 FROM file WHERE photo_id = photo.id AND state = 'present')"
)
_COPIED: Final = (
    "SELECT photo_id FROM file JOIN root ON root.id = root_id WHERE state = 'present' AND photo_id IS NOT NULL "
    "AND NOT removed AND EXISTS (SELECT 1 FROM file AS other JOIN root ON root.id = other.root_id "
    "WHERE other.photo_id = file.photo_id AND other.state = 'present' AND NOT root.removed "
    "AND (other.root_id, other.path) <> (file.root_id, file.path))"
)
_PLACES: Final = (
    "SELECT photo_id, state = 'missing', 0, root.path, file.path FROM json_each(?1) "
    "CROSS JOIN file ON photo_id = value JOIN root ON root.id = root_id UNION ALL "
    "SELECT photo_id, 1, 1, root.path, former_place.path FROM json_each(?1) "
    "CROSS JOIN former_place ON photo_id = value JOIN root ON root.id = root_id"
)
"""For some photos: whether the file is missing, whether the place is a former one, and the path to sort by."""


def few_photos(database: Database, query: Query) -> list[int] | None:
    """Return the photos that match a query, in the order of `Photos.ids`; None if they may be many."""
    if any(_needs_all(term) for term in query.terms):
        return None
    picked = next((found for term in query.terms if (found := _picked(database, term)) is not None), None)
    if picked is None or len(picked) > MAX_RESULTS:
        return None
    for term in query.terms:
        picked = _among(database, term, picked)
    first: dict[int, Row] = {}  # present files first, then other files, then former places, each by path
    for photo, *place in database.rows(_PLACES, (id_list(picked),)):
        first[photo] = min(first.get(photo, tuple(place)), tuple(place))
    return sorted(first, key=lambda photo: first[photo][1:])


def _needs_all(term: Term) -> bool:
    """Return whether a term can be evaluated from the columns alone."""
    match term:
        case Not(inner):
            return _needs_all(inner)
        case AllOf(terms) | AnyOf(terms):
            return any(map(_needs_all, terms))
        case _:
            return isinstance(term, Word | Named | InPath | Similar)


def _picked(database: Database, term: Term) -> set[int] | None:
    """Return a superset of the photos that match a term, found by an index; None if no index applies."""
    match term:
        case AllOf(terms):
            return next((found for each in terms if (found := _picked(database, each)) is not None), None)
        case AnyOf(terms):
            every = [_picked(database, each) for each in terms]
            return None if None in every else set().union(*(found for found in every if found is not None))
        case Tagged(str()) | Suggested(str()) | Taken() | Labelled() | TakenWith() | Judged() | Failed():
            return _numbers(database, *_statement(term))
        case Rated(low, high) if not low <= 0 <= high:
            return _numbers(database, *_statement(term))
        case _:
            return None


def _among(database: Database, term: Term, ids: set[int]) -> set[int]:
    """Return the photos among `ids` that match a term."""
    match term:
        case Not(inner):
            return ids - _among(database, inner, ids)
        case AllOf(terms):
            for each in terms:
                ids = _among(database, each, ids)
            return ids
        case AnyOf(terms):
            return set().union(*(_among(database, each, ids) for each in terms))
        case Rated(low, high) if low <= 0 <= high:  # 0 means unrated
            return ids - _numbers(database, "SELECT photo_id FROM mark WHERE rating NOT BETWEEN ? AND ?", (low, high))
        case _:
            assert not isinstance(term, Word | Named | InPath | Similar)
            sql, parameters = _statement(term)
            sql = f"WITH asked(number) AS ({sql}) SELECT number FROM asked WHERE number IN "
            sql += f"(SELECT value FROM json_each(?{len(parameters) + 1}))"
            return _numbers(database, sql, (*parameters, id_list(ids)))


def _statement(term: Positive) -> tuple[str, Sequence[Any]]:
    """Return an SQL statement that selects the photos that match a term."""
    match term:
        case Tagged(None):
            return "SELECT photo_id FROM photo_tag", ()
        case Tagged(str(name)):
            sql, parameters = tag_ids(name)
            return f"SELECT photo_id FROM photo_tag WHERE tag_id IN ({sql})", parameters
        case Suggested(None):
            return "SELECT photo_id FROM suggestion WHERE state = 'open'", ()
        case Missing():
            return _MISSING, ()
        case Copied():
            return _COPIED, ()
        case Removed():
            return REMOVED, ()
        case _:
            return selection(term)


def _numbers(database: Database, sql: str, parameters: Sequence[Any]) -> set[int]:
    return {number for (number,) in database.rows(sql, parameters) if number is not None}
