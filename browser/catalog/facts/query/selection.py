"""The filter's language: tree to SQL. Values reach it as parameters only."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

from browser.catalog.facts.query.syntax import (
    Failed,
    InPath,
    Judged,
    Labelled,
    Measure,
    Positive,
    Rated,
    Removed,
    Suggested,
    Tagged,
    Taken,
    TakenWith,
    Word,
)
from browser.catalog.store.schema.functions import fold

_LONGEST_LIKE = 10_000  # characters; SQLite allows 50,000 bytes

REMOVED = (
    "SELECT photo_id FROM root CROSS JOIN file AS gone ON root_id = root.id WHERE removed AND photo_id IS NOT NULL "
    "AND NOT EXISTS (SELECT 1 FROM file JOIN root ON root.id = root_id WHERE photo_id = gone.photo_id AND NOT removed) "
    "UNION ALL SELECT photo_id FROM root CROSS JOIN former_place ON root_id = root.id WHERE removed "
    "UNION ALL SELECT photo_id FROM forgotten WHERE NOT EXISTS "
    "(SELECT 1 FROM file WHERE file.photo_id = forgotten.photo_id AND state = 'present')"
)
"""The ids of the photos for which `Removed` holds; quick where no folder was taken out and no photo forgotten."""


def selection(term: Positive) -> tuple[str, list[Any]]:
    """Return a statement that yields the ids of the photos for which a term holds, some perhaps twice.

    Returns
    -------
    str
        With numbered parameters.
    list
        Their values.
    """
    parameters: list[Any] = []

    def bind(value: Any) -> str:
        parameters.append(value)
        return f"?{len(parameters)}"

    return _select(term, bind), parameters


def files_named(name: str) -> tuple[str, list[Any]]:
    """Return a statement that yields photo ids and paths of files that contain `name`; all else as in `selection`."""
    parameters: list[Any] = []

    def bind(value: Any) -> str:
        parameters.append(value)
        return f"?{len(parameters)}"

    inside = _contains("x''", name, bind)
    return f"SELECT photo_id, path FROM file WHERE {inside}", parameters


def _select(term: Positive, bind: Callable[[Any], str]) -> str:
    match term:
        case Word(text):
            inside = _contains("x''", text, bind)
            roots = f"SELECT id FROM root WHERE instr(last_name(path), {bind(_clean(fold(text)))})"
            return (
                f"SELECT photo_id FROM file WHERE {inside} UNION ALL SELECT photo_id FROM former_place WHERE {inside} "
                f"UNION ALL SELECT photo_id FROM file WHERE root_id IN ({roots})"
            )
        case InPath(text):
            inside = _contains("root_path", text, bind)
            return " UNION ALL ".join(
                f"SELECT photo_id FROM (SELECT photo_id, {table}.path, root.path AS root_path "
                f"FROM root CROSS JOIN {table} ON root_id = root.id) WHERE {inside}"
                for table in ("file", "former_place")
            )
        case Tagged(None):
            return "SELECT DISTINCT photo_id FROM photo_tag"
        case Tagged(str(name)):
            return f"SELECT photo_id FROM photo_tag WHERE tag_id IN {_subtree(name, bind)}"
        case Suggested(None):
            return "SELECT photo_id FROM suggestion WHERE state = 'open'"
        case Suggested(str(name)):
            return f"SELECT photo_id FROM suggestion WHERE state = 'open' AND tag_id IN {_subtree(name, bind)}"
        case Taken(prefix):  # "~" sorts after all that may follow in a date
            return f"SELECT id FROM photo WHERE taken >= {bind(prefix)} AND taken < {bind(prefix + '~')}"
        case Rated(low, high) if low <= 0 <= high:
            outside = f"SELECT photo_id FROM mark WHERE rating NOT BETWEEN {bind(low)} AND {bind(high)}"
            return f"SELECT id FROM photo WHERE id NOT IN ({outside})"
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
            return "SELECT focal_id FROM judgement UNION ALL SELECT other_id FROM judgement"
        case Failed():
            return "SELECT id FROM photo WHERE failure IS NOT NULL"
        case Removed():
            return REMOVED
        case _:
            return (
                "SELECT photo_id FROM file AS gone WHERE state = 'missing' AND NOT EXISTS "
                "(SELECT 1 FROM file WHERE photo_id = gone.photo_id AND state = 'present') "
                "UNION ALL SELECT photo_id FROM former_place"
            )


def _subtree(name: str, bind: Callable[[Any], str]) -> str:
    top = bind(_clean(fold(name)))
    below = "fold({1}) = {0} OR substr(fold({1}), 1, length({0}) + 1) = {0} || '/'"
    alias = f"SELECT tag.name FROM alias JOIN tag ON tag.id = tag_id WHERE fold(alias.name) = {top}"
    meant = below.format("fold(meant.name)", "tag.name")
    return (
        f"(SELECT id FROM tag WHERE {below.format(top, 'name')} "
        f"UNION ALL SELECT tag.id FROM ({alias}) AS meant CROSS JOIN tag WHERE {meant})"
    )


def _contains(folder: str, text: str, bind: Callable[[Any], str]) -> str:
    """Return the test whether the column ``path``, with the path `folder` before it, contains `text`."""
    # LIKE is fast, but disregards case for these letters only, ends at a NUL and takes no very long pattern.
    if text.isascii() and "\0" not in text and len(text) < _LONGEST_LIKE:
        pattern = "%" + re.sub(r"([%_\\])", r"\\\1", text) + "%"
        whole = "path" if folder == "x''" else f"{folder} || '/' || path"
        return f"photo_id IS NOT NULL AND CAST({whole} AS TEXT) LIKE {bind(pattern)} ESCAPE '\\'"
    needle = os.fsencode(_clean(fold(text), "surrogateescape"))
    return f"photo_id IS NOT NULL AND path_contains({folder}, path, {bind(needle)})"


def _clean(text: str, errors: str = "strict") -> str:
    """Return `text` with what no file name and no tag can hold replaced."""
    try:
        text.encode("utf-8", errors)
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
