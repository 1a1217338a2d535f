"""Accept and reject suggested tags."""

from __future__ import annotations

from collections.abc import Iterable

from browser.catalog.library import Library
from browser.catalog.store.changes import ChangeSet


def accept(library: Library, pairs: Iterable[tuple[int, str]]) -> ChangeSet:
    """Turn suggestions (photo id, tag) into tags."""
    return library.suggestions.accept(pairs)


def reject(library: Library, pairs: Iterable[tuple[int, str]]) -> ChangeSet:
    """Reject suggestions (photo id, tag); they are never made again."""
    return library.suggestions.reject(pairs)


def unreject(library: Library, pairs: Iterable[tuple[int, str]]) -> ChangeSet:
    """Take rejections (photo id, tag) back."""
    return library.suggestions.unreject(pairs)
