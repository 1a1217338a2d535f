# SPDX-License-Identifier: MIT
"""Questions of one search compared with those of another, and with the answers in between."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Region

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.review import Question


def renamed(tag: str, old: str, new: str) -> str:
    """Return the name of a tag after it, or a tag above it, was renamed."""
    return new + tag[len(old) :] if tag == old or tag.startswith(f"{old}/") else tag


def same_question(old: Question, questions: Sequence[Question]) -> Question | None:
    """Return the question that matches an older one: of the same tag, or unnamed with most of the same photos."""
    if old.tag is not None:
        return next(
            (question for question in questions if (question.tag, question.again) == (old.tag, old.again)), None
        )
    photo_ids = proposed(old)
    return next(
        (
            question
            for question in questions
            if question.tag is None and 2 * np.isin(photo_ids, question.photo_ids).sum() > len(photo_ids)
        ),
        None,
    )


def proposed(question: Question) -> NDArray[np.int64]:
    """Return the photos above the line, at least the first."""
    return question.photo_ids[: max(1, question.line)]


def postponed(questions: Sequence[Question], left_open: Collection[int]) -> list[Question]:
    """Put new kinds of photos that the user left open behind all other questions, and mark them as slow.

    Parameters
    ----------
    left_open : collection of int
        Photo ids. A new kind is postponed if more than half of the proposed photos are among them.
    """
    left = np.array(sorted(left_open), dtype=np.int64)

    def late(question: Question) -> bool:
        return question.tag is None and bool(2 * np.isin(proposed(question), left).sum() > len(proposed(question)))

    first = [question for question in questions if not late(question)]
    return [*first, *(replace(question, slow=True) for question in questions if late(question))]


def without(question: Question, settled: NDArray[np.int64]) -> Question:
    """Return a question without the photos that another answer has settled, with a new expectation."""
    kept = ~np.isin(question.photo_ids, settled)
    left = question.taken(kept)
    return replace(left, line=int(kept[: question.line].sum()), expected=float(left.confidences.sum()))


def regions_of(question: Question) -> dict[int, Region]:
    """Return the suggested region of each photo of a question about boxes, by photo id; empty for other questions."""
    if question.regions is None:
        return {}
    return {
        photo_id: Region(*sides)
        for photo_id, sides in zip(question.photo_ids.tolist(), question.regions.tolist(), strict=True)
    }


def tags_of(question: Question) -> dict[int, str]:
    """Return the tag of the suggested region of each photo of a question about boxes, by photo id."""
    every = question.tags or (question.tag or "",) * len(question.photo_ids)
    return dict(zip(question.photo_ids.tolist(), every, strict=True))


def reframed(question: Question, regions: Mapping[int, Region]) -> Question:
    """Return a question about boxes with other regions of some photos, by photo id."""
    if question.regions is None:
        return question
    changed = question.regions.copy()
    for row, photo_id in enumerate(question.photo_ids.tolist()):
        if photo_id in regions:
            changed[row] = astuple(regions[photo_id])
    return replace(question, regions=changed)
