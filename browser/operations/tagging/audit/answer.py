"""Answer an audit, and correct the tags that the answers contradict."""

from __future__ import annotations

from collections.abc import Mapping

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet


def answer_audit(library: Library, tag: str, present: Mapping[int, bool], *, correct: bool = True) -> ChangeSet:
    """Say for photos that were drawn for a tag whether they should carry it, in one step of undo.

    Parameters
    ----------
    library : Library
    tag : str
    present : mapping of int to bool
        By photo id.
    correct : bool
        Whether photos get the tag that they should carry, and lose the one that they should not. It is not suggested
        for these again.

    Raises
    ------
    NotDrawnError
        A photo was not drawn for this tag.
    """
    count = "1 photo" if len(present) == 1 else f"{len(present)} photos"
    with library.journal.action(f"Audit {tag}: {count}") as action:
        library.audits.answer(tag, present)
        if correct:
            missing, wrong = contradicted(library, tag, present)
            library.tags.change(missing, [tag])
            library.tags.change(wrong, [], [tag])
            library.suggestions.reject((photo_id, tag) for photo_id in wrong)
    return action.changes


def contradicted(library: Library, tag: str, present: Mapping[int, bool]) -> tuple[list[int], list[int]]:
    """Return the photos that lack a tag that they should carry, and those that carry it and should not."""
    carried = {photo_id for photo_id, names in library.tags.of(present).items() if tag in names}
    missing = [photo_id for photo_id, answer in present.items() if answer and photo_id not in carried]
    wrong = [photo_id for photo_id, answer in present.items() if not answer and photo_id in carried]
    return missing, wrong
