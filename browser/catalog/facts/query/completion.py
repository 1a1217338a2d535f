# SPDX-License-Identifier: MIT
"""Completions of the word that the user is typing in the filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from focal_photos.browser.catalog.facts.query.syntax import COMPARED, FLAGS, KEYS, TAG_KEYS, quote, tokens
from focal_photos.browser.catalog.store.schema.functions import fold

_MOST_TAGS: Final = 6
"""Largest number of tags proposed for a bare word, beside other proposals."""


@dataclass(frozen=True)
class Completion:
    """A proposal to replace the characters from `start` to `end` by `text`."""

    start: int
    end: int
    text: str
    kind: str = ""
    """Key of a complete term: ``tag``, ``rating``, ``date``, ``suggested``, ``label`` or ``camera``; empty for a key or
    a flag."""
    value: str = ""
    """Value of the term: the tag, ``3`` for at least three stars, ``0``, ``rejected``, or ``2024-05``."""


def complete(
    text: str,
    cursor: int,
    tag_names: Sequence[str] = (),
    limit: int = 20,
    *,
    labels: Sequence[str] = (),
    cameras: Sequence[str] = (),
    other_names: Mapping[str, str] | None = None,
    months: Sequence[str] = (),
) -> list[Completion]:
    """Return completions of the word that ends at the cursor.

    Parameters
    ----------
    cursor : int
        Position in 0..len(text); the rest of the word after it is replaced too.
    tag_names : sequence of str
        Known tags, the preferred ones first.
    months : sequence of str
        Months with photos, as ``2024-05``, newest first.

    Returns
    -------
    list of Completion
        For a bare word: tags, months and years, ratings, keys and flags. After a key: its values.
    """
    token = next((token for token in tokens(text) if token.start < cursor <= token.end), None)
    if token is None:
        return []
    aliases = other_names or {}
    if token.sign in ("(", ")"):
        return []
    if token.key is None:
        start, typed = token.value_start, text[token.value_start : cursor].lstrip('"')
        found = [
            Completion(start, token.end, f"tag:{quote(name)}", "tag", name)
            for name in _matching(typed, tag_names, aliases)[:_MOST_TAGS]
            if typed
        ]
        found += _dates(start, token.end, typed, months) if typed[:1].isdecimal() else []
        is_rating = len(typed) > 1 and any(word.startswith(typed.lower()) for word in ("rating", "stars"))
        found += _ratings(start, token.end, "") if is_rating else []
        if not token.quoted:
            found += [Completion(start, token.end, word) for word in _words(typed.lower(), token.negated)]
        return found[:limit]
    if cursor < token.value_start:
        return []
    typed = text[token.value_start : cursor].lstrip('"')
    if token.key == "date":
        return _dates(token.start + token.negated, token.end, typed, months)[:limit]
    if token.key == "rating":
        return _ratings(token.start + token.negated, token.end, typed)[:limit]
    known = {"tag": tag_names, "suggested": tag_names, "label": labels, "camera": cameras}.get(token.key, ())
    names = _matching(typed, known, aliases if token.key in TAG_KEYS else {}, " " if token.key == "camera" else "/")
    return [Completion(token.value_start, token.end, quote(name), token.key, name) for name in names[:limit]]


def _words(typed: str, negated: bool) -> list[str]:
    """Return the keys and flags with a prefix."""
    words = [word + (">" if word in COMPARED and word != "rating" else ":") for word in KEYS]
    words += [flag for flag in FLAGS if not (negated and flag == "untagged")]
    return [word for word in words if word.startswith(typed) and word != typed] if typed else []


def _matching(typed: str, known: Sequence[str], aliases: Mapping[str, str], between: str = "/") -> list[str]:
    """Return the names with a prefix, then those with such an alias, then those with a later part that has it."""
    typed = fold(typed)
    names = [name for name in known if fold(name).startswith(typed)]
    names += [tag for other, tag in aliases.items() if fold(other).startswith(typed)]
    names += [name for name in known if between + typed in fold(name)]
    return list(dict.fromkeys(names))


def _dates(start: int, end: int, typed: str, months: Sequence[str]) -> list[Completion]:
    """Return the years and months with a prefix: a year first, then its months."""
    dates = dict.fromkeys(date for month in months for date in (month[:4], month) if date.startswith(typed))
    years = [date for date in dates if len(date) == len("2024")]
    wanted = years if len(years) > 1 else dates
    return [Completion(start, end, f"date:{date}", "date", date) for date in wanted]


def _ratings(start: int, end: int, typed: str) -> list[Completion]:
    """Return ratings, best first; only those that match a typed digit or the beginning of "rejected"."""
    typed = typed.lstrip("<>=").lower()
    terms = {**{str(stars): f"rating>={stars}" for stars in range(5, 0, -1)}, "0": "rating:0"}
    terms["rejected"] = "rating:rejected"
    return [Completion(start, end, term, "rating", value) for value, term in terms.items() if value.startswith(typed)]
