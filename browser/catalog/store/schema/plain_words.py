# SPDX-License-Identifier: MIT
"""Migrates queries to version 10 of the schema: before it, plain words matched names alone.

Since version 10, ``beach`` also finds the tag *beach*, and ``name:beach`` has the former meaning. This module parses
the language of version 9 and does not follow later changes of the filter's language. Unreadable values are returned
unchanged: their readers report the damage, which must not prevent opening a library.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from typing import Any, Final

_KEY: Final = re.compile(r"([^\W\d_]+):|(rating|size|width|height)(?=[<>=])", re.IGNORECASE)
_SIGNS: Final = ("or", "and", "not")
_FLAGS: Final = ("tagged", "untagged", "suggested", "judged", "failed", "missing", "removed", "copied")


def add_to(connection: sqlite3.Connection) -> None:
    """Register the functions of the migration."""
    connection.create_function("named_words", 1, named_words, deterministic=True)
    connection.create_function("named_words_in_steps", 1, _in_steps, deterministic=True)
    connection.create_function("named_words_in_journal", 1, _in_journal, deterministic=True)


def named_words(query: str) -> str:
    """Return a query of version 9 with ``name:`` before its plain words.

    Examples
    --------
    >>> named_words('beach -"or" (tag:sea or untagged)')
    'name:beach -name:"or" (tag:sea or untagged)'
    """
    result, at, depth = "", 0, 0
    while at < len(query):
        start = at
        if query[at].isspace():
            at += 1
            result += query[start:at]
            continue
        at += query[at] == "-"
        bracket = query[at : at + 1]
        if bracket == "(" or (bracket == ")" and depth and at == start):
            depth += 1 if bracket == "(" else -1
            at += 1
            result += query[start:at]
            continue
        value, end = at, _end(query, at, depth)
        word = query[value:end].lower()
        is_plain = not _KEY.match(query, at) and word not in _FLAGS and (at > start or word not in _SIGNS)
        result += query[start:at] + ("name:" if is_plain and word else "") + query[value:end]
        at = end
    return result


def _end(query: str, at: int, depth: int) -> int:
    """Return the end of a word: at a space or an outer closing bracket, outside quotes."""
    inside, own = False, 0
    while at < len(query) and (inside or not query[at].isspace()):
        if query[at] == '"':
            inside = not inside
        elif inside and query[at] == "\\" and query[at + 1 : at + 2] in ('"', "\\"):
            at += 1
        elif not inside and query[at] in "()":
            own += 1 if query[at] == "(" else -1
            if own < 0 and depth:
                break
            own = max(own, 0)
        at += 1
    return at


def named_words_in_steps(steps: list[Any]) -> list[Any]:
    """Return the steps of a trail, parsed from JSON, with migrated queries."""

    def rewritten(step: Any) -> Any:
        has_query = isinstance(step, dict) and isinstance(step.get("query"), str)
        return {**step, "query": named_words(step["query"])} if has_query else step

    return list(map(rewritten, steps))


def _in_steps(text: str) -> str:
    return _with_json(text, named_words_in_steps)


def _in_journal(text: str) -> str:
    """Return the changes of a journal entry, JSON, with migrated queries."""
    rewrite = {"saved_search": named_words, "trail": _in_steps}

    def state(values: list[Any] | None, change: Callable[[str], str]) -> list[Any] | None:
        return None if values is None else [change(values[0]), *values[1:]]

    def rewritten(changes: Any) -> Any:
        return [
            [table, key, *(state(each, rewrite[table]) if table in rewrite else each for each in states)]
            for table, key, *states in changes
        ]

    return _with_json(text, rewritten)


def _with_json(text: str, change: Callable[[Any], Any]) -> str:
    try:
        value = json.loads(text)
        changed = change(value)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return text
    return text if changed == value else json.dumps(changed, ensure_ascii=False, separators=(",", ":"))
