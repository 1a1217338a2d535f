# SPDX-License-Identifier: MIT
"""Counts of unsupported pictures and videos in the folders of a library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.records import Root
from focal_photos.browser.catalog.library import Library

_SETTING: Final = "files.passed_over"
_MOST_KINDS: Final = 8

Counts = Mapping[str, int]
"""Number of files by lower-case suffix, including the dot."""


def save_unsupported(library: Library, root: Root, counts: Counts) -> bool:
    """Save the number of unsupported files of a root; return whether any kind has increased."""
    stored = _stored(library)
    before, now = stored.get(str(root.id), {}), dict(sorted(counts.items()))
    if now != before:
        present = {str(each.id) for each in library.roots.all()}
        others = {number: known for number, known in stored.items() if number in present and number != str(root.id)}
        library.settings.set(_SETTING, {**others, **({str(root.id): now} if now else {})} or None)
    return any(count > before.get(suffix, 0) for suffix, count in now.items())


def passed_over(library: Library) -> dict[Path, Counts]:
    """Return the counts from the last scan of each root; roots without unsupported files are absent."""
    stored = _stored(library)
    return {root.path: stored[str(root.id)] for root in library.roots.all() if str(root.id) in stored}


def _stored(library: Library) -> dict[str, dict[str, int]]:
    """Return the saved counts by root id, without invalid entries."""
    stored = library.settings.get(_SETTING, {})
    return {
        number: {suffix: count for suffix, count in known.items() if type(count) is int}
        for number, known in stored.items()
        if isinstance(known, dict)
    }


def listed(counts: Counts) -> str:
    """Return the kinds by decreasing number, at most eight: ``9 .psd, 3 .mp4``."""
    kinds = Counter(counts).most_common()
    kinds.sort(key=lambda kind: (-kind[1], kind[0]))
    more = ["\N{HORIZONTAL ELLIPSIS}"] if len(kinds) > _MOST_KINDS else []
    return ", ".join([*(f"{count} {suffix}" for suffix, count in kinds[:_MOST_KINDS]), *more])


def in_words(counts: Counts) -> str:
    """Return a sentence for the command line; empty without unsupported files."""
    number = sum(counts.values())
    if not number:
        return ""
    what = "1 file of a type" if number == 1 else f"{number} files of types"
    return f"{what} that Focal does not support: {listed(counts)}"
