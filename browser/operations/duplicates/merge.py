# SPDX-License-Identifier: MIT
"""Merge duplicates: copy their tags and judgements to the kept photo, and reject them."""

from __future__ import annotations

from collections.abc import Sequence

from focal_photos.browser.catalog.facts.marks import REJECTED
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.location import readable
from focal_photos.browser.catalog.text import Text, counted
from focal_photos.browser.operations.photos.missing_files.copy_statements import copy_statements


def merge_duplicates(library: Library, kept: int, others: Sequence[int]) -> ChangeSet:
    """Copy tags, rating, label and judgements of duplicates to a photo and reject them, in one journal step.

    The kept photo's own data stay. Of several ratings, the best is used. Files are unchanged.

    Raises
    ------
    UnknownPhotoError
    """
    marks = library.marks.of(others)
    (photo,) = library.photos.get([kept])
    count = counted(len(others), "1 photo", "{0} photos")
    with library.journal.action(Text("Merge {0} into {1}", count, readable(photo.path.name))) as action:
        for other in sorted(others, key=lambda each: -(marks[each].rating or 0)):
            copy_statements(library, other, kept, rejection=False)
        library.marks.set(others, rating=REJECTED)
    return action.changes
