# SPDX-License-Identifier: MIT
"""Questions of Review about suggested boxes, of each tag and of all tags, and the record of their answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import astuple
from typing import Final

import numpy as np

from focal_photos.browser.catalog.facts.records import Region, TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text, counted
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.tagging.boxes.suggest_boxes import SuggestedBox, suggest_boxes
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.browser.operations.tagging.review.review import EVERY_TAG, Question
from focal_photos.learners.tags.confidence.answered import Answered, AnsweredConfidence

_MAX_PHOTOS: Final = 500
"""Largest number of photos of a question."""
_MIN_CONFIDENCE_OF_YES: Final = 0.5
"""Confidence from which a box is proposed as yes, which minimizes the expected number of wrong answers."""
_ANY: Final = 1e-6
"""Minimum confidence of a photo in a question: the user may draw a box where no suggested frame fits."""
_MIN_EXPECTED: Final = 0.1
"""Minimum expected number of right boxes; Review asks a question with fewer only on request."""
_SEVERAL: Final = 3
"""Number of tags from which the first question is about boxes of all tags."""
NamedRegion = tuple[int, Region, str | None]
"""A photo, a region of it, and a tag."""


def box_questions(
    library: Library,
    *,
    passed: Collection[tuple[int, str]] = (),
    answered: Sequence[Answered] = (),
    scope: QuestionScope = EVERYTHING,
) -> Job[list[Question]]:
    """Find questions about suggested boxes: those of a tag together, and those of all tags, most confident first.

    A question shows one box of each photo; others follow once it is answered. No photo is decoded: boxes that were not
    described exactly before have the confidence of their windows. From `_SEVERAL` tags on, the first question is about
    all of them: a photo is then shown once instead of once for each tag.

    Parameters
    ----------
    passed : collection of (int, str)
        Photos and tags that the user left open; `EVERY_TAG` means all tags.
    answered : sequence of Answered
        Answers to former questions, which correct the confidences.
    scope : QuestionScope
        Photos and tags to ask about.

    Returns
    -------
    list of Question
        With `regions`, those that settle most per action first, and at the end those that Review asks only on request
        (`late`).

    Raises
    ------
    NothingToLearnError
        If no box has a name.
    NoWindowsError
        If photos are not described for searches by a region.
    """
    found = yield from suggest_boxes(library, allowed=scope.photo_ids, min_confidence=_ANY)
    by_tag: dict[str, list[SuggestedBox]] = {}
    first: dict[int, SuggestedBox] = {}
    settled = set(passed)
    for box in found:
        pair = box.photo_id, box.tag
        if pair not in settled and (box.photo_id, EVERY_TAG) not in settled and scope.asks_for(box.tag):
            settled.add(pair)
            first.setdefault(box.photo_id, box)
            by_tag.setdefault(box.tag, []).append(box)
    by_answers = AnsweredConfidence().fit(answered)
    questions = [_question(tag, boxes[:_MAX_PHOTOS], by_answers) for tag, boxes in by_tag.items()]
    questions.sort(key=lambda question: (-question.worth, question.tag or ""))
    if len(by_tag) >= _SEVERAL:
        questions.insert(0, _question(EVERY_TAG, [*first.values()][:_MAX_PHOTOS], by_answers))
    return sorted(questions, key=lambda question: question.late)


def _question(tag: str, boxes: Sequence[SuggestedBox], by_answers: AnsweredConfidence) -> Question:
    stated = np.array([box.confidence for box in boxes], dtype=np.float32)
    confidences = by_answers.corrected(stated).astype(np.float32)
    return Question(
        tag,
        np.array([box.photo_id for box in boxes], dtype=np.int64),
        confidences,
        stated,
        int(np.count_nonzero(confidences >= _MIN_CONFIDENCE_OF_YES)),
        float(confidences.sum()),
        regions=np.array([astuple(box.region) for box in boxes], dtype=np.float64),
        tags=() if tag else tuple(box.tag for box in boxes),
        late=bool(confidences.sum() < _MIN_EXPECTED),
    )


def answer_boxes(library: Library, yes: Sequence[NamedRegion], no: Sequence[NamedRegion]) -> ChangeSet:
    """Draw accepted boxes, and record rejected ones, in one journal step.

    Parameters
    ----------
    yes, no : sequence of (int, Region, str or None)
        Only accepted boxes may be without a name. Photos that have left the library are ignored.

    Raises
    ------
    BoxError
        If a region is not inside its photo, or is empty.
    TagNameError
    """
    here = set(library.photos.listed().tolist())
    drawn, refused = ([one for one in some if one[0] in here] for some in (yes, no))
    tags = {tag for _, _, tag in [*yes, *no] if tag}
    with library.journal.action(_label(tags, len(drawn), len(refused))) as action:
        library.boxes.add(drawn, TagSource.ACCEPTED)
        library.boxes.reject((photo_id, region, tag) for photo_id, region, tag in refused if tag)
    return action.changes


def _label(tags: Collection[str], yes: int, no: int) -> Text:
    boxes = counted(yes, "1 box", "{0} boxes")
    if not tags:
        return Text("Draw {0}", boxes)
    if len(tags) > 1:
        return Text("Review boxes of {0} tags: {1}, not {2}", len(tags), boxes, no)
    (tag,) = tags
    if not no:
        return Text("Review boxes of {0}: {1}", tag, boxes)
    if not yes:
        return Text("Review boxes of {0}: not {1}", tag, no)
    return Text("Review boxes of {0}: {1}, not {2}", tag, boxes, no)
