"""Say which photos are similar to a focal image and which are not."""

from __future__ import annotations

from collections.abc import Iterable

from browser.catalog.facts.records import Verdict
from browser.catalog.library import Library
from browser.catalog.store.changes import ChangeSet


def judge(library: Library, focal_id: int, other_ids: Iterable[int], verdict: Verdict | None) -> ChangeSet:
    """Record a judgement on photos as seen from the focal image; None takes it back.

    Raises
    ------
    UnknownPhotoError
        An id is not in the library.
    """
    return library.judgements.set(focal_id, other_ids, verdict)
