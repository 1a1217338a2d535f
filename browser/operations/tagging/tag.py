"""Give tags to photos and take tags away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from browser.catalog.library import Library
from browser.catalog.store.changes import ChangeSet


def change_tags(library: Library, ids: Iterable[int], add: Sequence[str] = (), remove: Sequence[str] = ()) -> ChangeSet:
    """Give tags to photos by hand and take tags away, in one step of the journal.

    Raises
    ------
    TagNameError
        A name cannot be a tag.
    UnknownPhotoError
        An id is not in the library.
    """
    return library.tags.change(ids, add, remove)
