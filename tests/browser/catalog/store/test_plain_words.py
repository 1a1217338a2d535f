# SPDX-License-Identifier: MIT
"""The migration to version 10: saved queries of older libraries still search names only."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.query.syntax import (
    AllOf,
    AnyOf,
    Named,
    Not,
    Query,
    QueryError,
    Term,
    Word,
    parse,
)
from focal_photos.browser.catalog.facts.records import SavedSearch
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.schema.functions import add_to
from focal_photos.browser.catalog.store.schema.plain_words import named_words

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
PARTS = (
    "beach",
    "re-take",
    "tag:",
    "or",
    "NOT",
    "and",
    "untagged",
    "rating",
    "rating>=3",
    "-",
    "(",
    ")",
    '"',
    "\\",
    " ",
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ""),
        ("beach", "name:beach"),
        ('-beach "two words"', '-name:beach name:"two words"'),
        ("tag:sea untagged rating>=3", "tag:sea untagged rating>=3"),
        ('"untagged" or -untagged', 'name:"untagged" or -untagged'),
        ("not beach and -or", "not name:beach and -name:or"),
        ("(photo(1).jpg or :)", "(name:photo(1).jpg or name::)"),
        (r'pre"mid \" dle"post', r'name:pre"mid \" dle"post'),
    ],
)
def test_plain_words_become_names(query: str, expected: str) -> None:
    assert named_words(query) == expected


@given(st.lists(st.sampled_from(PARTS) | st.characters(), max_size=12).map("".join))
def test_a_rewritten_query_is_the_same_tree_of_names(query: str) -> None:
    try:
        before = parse(query)
    except QueryError:
        return  # an invalid query could not be saved
    if "name:" not in query.lower():  # ``name:`` was not yet a key
        assert parse(named_words(query)) == Query(tuple(map(_of_names, before.terms)))


def _of_names(term: Term) -> Term:
    match term:
        case Word(text):
            return Named(text)
        case Not(inner):
            return Not(_of_names(inner))
        case AllOf(terms):
            return AllOf(tuple(map(_of_names, terms)))
        case AnyOf(terms):
            return AnyOf(tuple(map(_of_names, terms)))
    return term


def test_an_older_library_keeps_the_meaning_of_its_searches(place: Path) -> None:
    """Undo restores a deleted search, which also searches names only."""
    place.mkdir()
    shutil.copy(FIXTURES / "library_v9.sqlite", place / "catalog.sqlite")
    with closing(sqlite3.connect(place / "catalog.sqlite")) as connection:
        add_to(connection)
        at = "2024-06-01T08:00:00.000000Z"
        connection.execute("INSERT INTO saved_search VALUES ('B', 'beach', ?)", (at,))
        steps = '[{"query":"beach -tag:holiday","focal":1},{"focal":2}]'
        connection.execute("INSERT INTO trail VALUES ('T', ?, ?)", (steps, at))
        changes = f'[["saved_search",["Old"],["beach Größe","{at}"],null],["trail",["U"],["damaged","{at}"],null]]'
        connection.execute("INSERT INTO journal (at, label, changes) VALUES (?, 'Delete', ?)", (at, changes))
        connection.commit()
    with Library.open(place) as library:
        assert SavedSearch("B", "name:beach") in library.searches.all()
        trail = next(one for one in library.trails.all() if one.name == "T")
        assert [step.query for step in trail.steps] == ["name:beach -tag:holiday", ""]
        library.journal.undo()
        assert SavedSearch("Old", "name:beach name:Größe") in library.searches.all()
        library.tags.change([1], ["beach"])
        assert set(library.photos.ids("beach").tolist()) > set(library.photos.ids("name:beach").tolist())
        assert library.database.check() == []
