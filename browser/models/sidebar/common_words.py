# SPDX-License-Identifier: MIT
"""Bundled lists of common tags, places and first names, for the completion of new tags."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from heapq import nsmallest
from typing import Final

from PySide6.QtCore import QCoreApplication

from focal_photos import resources
from focal_photos.browser.catalog.store.schema.functions import fold

_MIN_TAGS: Final = 3
"""Number of tags from which new tags get the form (case, plural) of the existing ones."""


def common_words(typed: str, tags: Sequence[str], most: int) -> list[str]:
    """Return common words, places and first names that begin with a text, in the language of the window.

    A name that equals the text comes first, then the commonest words; plurals follow the first names. If most tags of
    the library are plurals, plurals and singulars change places.

    Parameters
    ----------
    typed : str
        Folded; see `fold`.
    tags : sequence of str
        Tags of the library: if most of them begin with a capital or a small letter, the common words do too.
    most : int
        Largest number of words.
    """
    language = _language()
    change, plural = _form(tuple(tags), language)
    first, second = (
        [change(word[:1]) + word[1:] for word in _beginning(typed, most, language, form)]
        for form in (plural, not plural)
    )
    proper = _beginning(typed, most, f"places_{language}") + _beginning(typed, most, "names")
    return sorted(dict.fromkeys(first + proper + second), key=lambda word: fold(word) != typed)[:most]


def is_common_word(typed: str, tags: Sequence[str]) -> bool:
    """Return whether a text is a place, a first name, or a common word in the form, singular or plural, of the tags."""
    language = _language()
    lists = (language, _form(tuple(tags), language)[1]), (f"places_{language}", False), ("names", False)
    return any(fold(word) == typed for name, plural in lists for word in _beginning(typed, 1, name, plural))


def _language() -> str:
    """Return the language of the window: each translation contains its own language code."""
    return QCoreApplication.translate("guide", "en")


@lru_cache(maxsize=1)
def _form(tags: tuple[str, ...], language: str) -> tuple[Callable[[str], str], bool]:
    """Return the change of a word's first letter, and whether it is a plural, so that it resembles most tags."""
    capitals = sum(tag[:1].isupper() for tag in tags)
    small = sum(tag[:1].islower() for tag in tags)
    half = len(tags) / 2 if len(tags) >= _MIN_TAGS else len(tags)
    names = {fold(tag.rpartition("/")[2]) for tag in tags}
    singulars, plurals = ({folded for folded, _, _ in _read(language, form)} for form in (False, True))
    known = len(names & (plurals - singulars))
    return (
        str.upper if capitals > half else str.lower if small > half else str,
        known >= _MIN_TAGS and known > len(names & (singulars - plurals)),
    )


def _beginning(typed: str, most: int, name: str, plural: bool = False) -> list[str]:
    """Return the words of a list that begin with a text: a word that equals it, then the commonest."""
    entries = _read(name, plural)
    found = entries[bisect_left(entries, (typed,)) : bisect_left(entries, (typed + "\U0010ffff",))]
    return [word for _, _, word in nsmallest(most, found, key=lambda entry: (entry[0] != typed, entry[1]))]


@cache
def _read(name: str, plural: bool = False) -> list[tuple[str, int, str]]:
    """Return folded text, place and text of the words of a list, or of their plurals where they have one, sorted."""
    lines = resources.path(f"words/{name}.txt").read_text(encoding="utf-8").splitlines()
    words = [line.split(", ")[-1 if plural else 0] for line in lines]
    return sorted((fold(word), place, word) for place, word in enumerate(words))
