"""Bundled lists of common tags and first names, for the completion of new tags."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from PySide6.QtCore import QCoreApplication

from focal_photos import resources
from focal_photos.browser.catalog.store.schema.functions import fold

_FEWEST: Final = 3
"""Number of tags from which new tags get the case of the existing ones."""


def common_words(typed: str, tags: Sequence[str], most: int) -> list[str]:
    """Return common tags that begin with a text, in the language of the window, the commonest first, then first names.

    Parameters
    ----------
    typed : str
        Folded; see `fold`.
    tags : sequence of str
        Tags of the library: if most of them begin with a capital or a small letter, the common tags do too.
    most : int
        Largest number of words.
    """
    # each translation contains its own language code
    words = [word for word in _read(QCoreApplication.translate("guide", "en")) if fold(word).startswith(typed)]
    if len(tags) >= _FEWEST:
        capitals = sum(tag[:1].isupper() for tag in tags)
        small = sum(tag[:1].islower() for tag in tags)
        change = str.upper if capitals > len(tags) / 2 else str.lower if small > len(tags) / 2 else str
        words = [change(word[:1]) + word[1:] for word in words]
    words += [name for name in _read("names") if fold(name).startswith(typed)]
    return words[:most]


@cache
def _read(name: str) -> tuple[str, ...]:
    """Return the words of a list."""
    return tuple(resources.path(f"words/{name}.txt").read_text(encoding="utf-8").splitlines())
