"""Judge photos against a focal image or several examples, or judge single pairs."""

from __future__ import annotations

from collections.abc import Sequence

from focal_photos.browser.catalog.facts.learning.verdicts import verdict_label
from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text


def judge(library: Library, focal_ids: Sequence[int], others: Sequence[int], verdict: Verdict | None) -> ChangeSet:
    """Judge photos against each of some focal images, in one journal step.

    Parameters
    ----------
    library : Library
    focal_ids : sequence of int
        At least one.
    others : sequence of int
        A focal image among them is not judged against itself.
    verdict : Verdict or None
        None withdraws the judgements.

    Raises
    ------
    UnknownPhotoError
    """
    if len(focal_ids) == 1:
        return library.judgements.set(focal_ids[0], others, verdict)
    label = Text("{0}, {1} examples", verdict_label(len(others), verdict), len(focal_ids))
    with library.journal.action(label) as action:
        for focal_id in focal_ids:
            library.judgements.set(focal_id, others, verdict)
    return action.changes


def judge_pairs(library: Library, pairs: Sequence[tuple[int | str, int]], verdict: Verdict | None) -> ChangeSet:
    """Judge pairs, in one journal step.

    Parameters
    ----------
    library : Library
    pairs : sequence of (int or str, int)
        A focal image or a query text, and the judged photo.
    verdict : Verdict or None
        None withdraws the judgements.

    Raises
    ------
    UnknownPhotoError
    """
    with library.journal.action(verdict_label(len(pairs), verdict)) as action:
        for focal, photo_id in pairs:
            if isinstance(focal, str):
                library.text_judgements.set(focal, [photo_id], verdict)
            else:
                library.judgements.set(focal, [photo_id], verdict)
    return action.changes
