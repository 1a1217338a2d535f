# SPDX-License-Identifier: MIT
"""Answer an audit, and correct tags that the answers contradict."""

from __future__ import annotations

from collections.abc import Mapping

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text, counted


def answer_audit(library: Library, tag: str, present: Mapping[int, bool], *, correct: bool | None = None) -> ChangeSet:
    """Record for photos drawn for a tag whether they should carry it, in one undo step.

    Parameters
    ----------
    present : mapping of int to bool
        Answers by photo id.
    correct : bool, optional
        Whether to add missing tags and to remove and reject wrong ones; default: unless the audit is blind.

    Raises
    ------
    NotDrawnError
        If a photo was not drawn for this tag.
    """
    count = counted(len(present), "1 photo", "{0} photos")
    with library.journal.action(Text("Audit {0}: {1}", tag, count)) as action:
        library.audits.answer(tag, present)
        if not library.audits.blind if correct is None else correct:
            missing, wrong = contradicted(library, tag, present)
            library.tags.change(missing, [tag])
            library.tags.change(wrong, [], [tag])
            library.suggestions.reject((photo_id, tag) for photo_id in wrong)
    return action.changes


def contradicted(library: Library, tag: str, present: Mapping[int, bool]) -> tuple[list[int], list[int]]:
    """Return the photos that wrongly lack a tag, and those that wrongly carry it."""
    carried = {photo_id for photo_id, names in library.tags.of(present).items() if tag in names}
    missing = [photo_id for photo_id, answer in present.items() if answer and photo_id not in carried]
    wrong = [photo_id for photo_id, answer in present.items() if not answer and photo_id in carried]
    return missing, wrong
