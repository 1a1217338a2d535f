# SPDX-License-Identifier: MIT
"""Judge photos against a focal image or several examples, or judge single pairs."""

from __future__ import annotations

from collections.abc import Sequence

from focal_photos.browser.catalog.facts.learning.judged_relations import Related
from focal_photos.browser.catalog.facts.learning.verdicts import verdict_label
from focal_photos.browser.catalog.facts.records import Region, Relation, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text

RegionPair = tuple[int, Region, int, Region]
"""A photo and its queried region, and another photo with the region found in it."""


def judge(library: Library, focal_ids: Sequence[int], others: Sequence[int], verdict: Verdict | None) -> ChangeSet:
    """Judge photos against each of some focal images, in one journal step.

    Parameters
    ----------
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


def toggle_relations(library: Library, related: Sequence[Related]) -> tuple[ChangeSet, bool]:
    """Record relations of one kind, or remove them if all are known; return the changes, and whether they hold now.

    Raises
    ------
    UnknownPhotoError
    """
    known = {(one.focal_id, one.other_id, one.than_id) for one in library.judged_relations.all()}
    holds = not known.issuperset(related)
    return library.judged_relations.set(related, holds), holds


def clear_marks(library: Library, focal_ids: Sequence[int], others: Sequence[int]) -> ChangeSet:
    """Withdraw the verdicts on photos and their visual pairs with each of some focal images, in one journal step.

    Raises
    ------
    UnknownPhotoError
    """
    chosen, pairs, visual = set(others), [], []
    for focal_id in focal_ids:
        pairs += [(focal_id, other) for other in library.judgements.of(focal_id) if other in chosen]
        related = library.judged_relations.of(focal_id)
        visual += [
            (focal_id, other, None) for other in related if other in chosen and Relation.LOOKS_ALIKE in related[other]
        ]
    return judge_pairs(library, pairs, None, visual) if pairs or visual else ChangeSet()


def withdraw(library: Library, focal_id: int, others: Sequence[int]) -> ChangeSet:
    """Withdraw all judgements of photos against a focal image, relations among these photos included.

    Raises
    ------
    UnknownPhotoError
    """
    members = {focal_id, *others}
    related = [(one.focal_id, one.other_id, one.than_id) for one in library.judged_relations.all()]
    withdrawn = [one for one in related if one[0] == focal_id and members.issuperset({*one} - {None})]
    verdicts = library.judgements.of(focal_id)
    return judge_pairs(library, [(focal_id, other) for other in others if other in verdicts], None, withdrawn)


def judge_pairs(
    library: Library,
    pairs: Sequence[tuple[int | str, int]],
    verdict: Verdict | None,
    withdrawn: Sequence[Related] = (),
    regions: Sequence[RegionPair] = (),
) -> ChangeSet:
    """Judge pairs of photos and of regions, and withdraw relations, in one journal step.

    Parameters
    ----------
    pairs : sequence of (int or str, int)
        A focal image or a query text, and the judged photo.
    verdict : Verdict or None
        None withdraws the judgements.
    withdrawn : sequence of Related
        Relations to withdraw.

    Raises
    ------
    UnknownPhotoError
    LibraryError
        If a region is not inside its photo, or is empty.
    """
    with library.journal.action(verdict_label(len(pairs) + len(withdrawn) + len(regions), verdict)) as action:
        library.judged_relations.set(withdrawn, holds=False)
        for focal, photo_id in pairs:
            if isinstance(focal, str):
                library.text_judgements.set(focal, [photo_id], verdict)
            else:
                library.judgements.set(focal, [photo_id], verdict)
        for photo_id, region, other, found in regions:
            library.region_judgements.set(photo_id, region, [(other, found)], verdict)
    return action.changes
