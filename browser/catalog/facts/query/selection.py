# SPDX-License-Identifier: MIT
"""Translation of filter terms to SQL. Values are passed as parameters only.

Places, tags and open suggestions of all photos are evaluated from `browser.catalog.columns` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from focal_photos.browser.catalog.facts.query.syntax import (
    Judged,
    Labelled,
    Measure,
    Positive,
    Rated,
    Suggested,
    Taken,
    TakenWith,
)
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.schema.functions import fold


def selection(term: Positive) -> tuple[str, list[Any]]:
    """Return an SQL statement that selects the ids of the photos that match a term, possibly repeated.

    Returns
    -------
    str
        Statement with numbered parameters.
    list
        Values of the parameters.
    """
    parameters: list[Any] = []

    def bind(value: Any) -> str:
        parameters.append(value)
        return f"?{len(parameters)}"

    return _select(term, bind), parameters


def tag_ids(name: str) -> tuple[str, list[Any]]:
    """Return an SQL statement for the ids of a tag, given by any of its names, and its descendants; see `selection`."""
    parameters: list[Any] = []

    def bind(value: Any) -> str:
        parameters.append(value)
        return f"?{len(parameters)}"

    return f"SELECT id FROM {_subtree(name, bind)}", parameters


def tags_with_word(database: Database, text: str) -> list[int]:
    """Return the ids of the tags whose full name or alias contains a text, and the descendants of these aliased tags.

    The full name of ``animal/dog`` includes its ancestors, so ``animal`` finds it.
    """
    wanted = fold(text)
    folded = {number: fold(name) for number, name in database.rows("SELECT id, name FROM tag")}
    aliases = database.rows("SELECT name, tag_id FROM alias")
    tops = {folded[tag] for alias, tag in aliases if tag in folded and wanted in fold(alias)}
    return [tag for tag, name in folded.items() if wanted in name or any(above in tops for above in _upwards(name))]


def _upwards(name: str) -> Iterator[str]:
    """Yield the name of a tag, then the names of its ancestors."""
    while name:
        yield name
        name = name.rpartition("/")[0]


def _select(term: Positive, bind: Callable[[Any], str]) -> str:
    match term:
        case Suggested(str(name)):
            return f"SELECT photo_id FROM suggestion WHERE state = 'open' AND tag_id IN {_subtree(name, bind)}"
        case Taken(prefix):  # "~" sorts after all characters of a date
            return f"SELECT id FROM photo WHERE taken >= {bind(prefix)} AND taken < {bind(prefix + '~')}"
        case Rated(low, high):
            return f"SELECT photo_id FROM mark WHERE rating BETWEEN {bind(low)} AND {bind(high)}"
        case Labelled(name):
            return f"SELECT photo_id FROM mark WHERE label IS NOT NULL AND fold(label) = {bind(_clean(fold(name)))}"
        case TakenWith(text):
            contains = f"camera IS NOT NULL AND instr(fold(camera), {bind(_clean(fold(text)))})"
            return f"SELECT photo_id FROM information WHERE {contains}"
        case Measure(of, low, high):
            column = "width * height" if of == "pixels" else of
            return f"SELECT id FROM photo WHERE {column} BETWEEN {bind(low)} AND {bind(high)}"
        case Judged():
            pairs = "SELECT focal_id FROM judgement UNION ALL SELECT other_id FROM judgement"
            related = "".join(f" UNION ALL SELECT {one}_id FROM judged_relation" for one in ("focal", "other", "than"))
            regions = "".join(f" UNION ALL SELECT {one}_id FROM region_judgement" for one in ("photo", "other"))
            return f"{pairs}{related}{regions} UNION ALL SELECT other_id FROM text_judgement"
        case _:
            return "SELECT id FROM photo WHERE failure IS NOT NULL"


def _subtree(name: str, bind: Callable[[Any], str]) -> str:
    top = bind(_clean(fold(name)))
    below = "fold({1}) = {0} OR substr(fold({1}), 1, length({0}) + 1) = {0} || '/'"
    alias = f"SELECT tag.name FROM alias JOIN tag ON tag.id = tag_id WHERE fold(alias.name) = {top}"
    meant = below.format("fold(meant.name)", "tag.name")
    return (
        f"(SELECT id FROM tag WHERE {below.format(top, 'name')} "
        f"UNION ALL SELECT tag.id FROM ({alias}) AS meant CROSS JOIN tag WHERE {meant})"
    )


def _clean(text: str) -> str:
    """Replace characters that no file name or tag can contain."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
