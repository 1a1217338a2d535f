# SPDX-License-Identifier: MIT
"""Settle a disagreement of annotators: the user decides whether a photo carries the tag."""

from __future__ import annotations

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text


def settle_disagreement(library: Library, photo_id: int, tag: str, *, present: bool) -> ChangeSet:
    """Give a photo a tag and confirm it, or remove and refuse it, in one undo step.

    Either answer is explicit, so that the disagreement counts as answered afterwards.

    Parameters
    ----------
    present : bool
        Whether the photo should carry the tag.

    Raises
    ------
    LibraryError
        If the photo is unknown, or the library is read-only.
    """
    label = Text("Settle {0}: yes", tag) if present else Text("Settle {0}: no", tag)
    with library.journal.action(label) as action:
        if present:
            library.tags.change([photo_id], [tag])
            library.confirmations.confirm_tag(photo_id, tag)
        else:
            library.tags.change([photo_id], [], [tag])
            library.suggestions.reject([(photo_id, tag)])
    return action.changes
