# SPDX-License-Identifier: MIT
"""Questions about single photos that likely lack tags, for when questions about many photos no longer pay off."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags, learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.review.answered_questions import NOTHING_YET, AnsweredQuestions
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.browser.operations.tagging.review.review import ReviewState, how_sure
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.tags.confidence.answered import AnsweredConfidence

COUNT: Final = 30
"""Number of photos asked about before their answers are used."""

COUNT_OF_ONE_TAG: Final = 10
"""The same if photos have one tag each, where the answers may settle many other photos at once."""

_STAGE: Final = Text("Finding the next question")
_PROPOSED: Final = 0.5  # minimum confidence of a tag proposed as right


@dataclass(frozen=True)
class OpenPhoto:
    """A photo that may lack tags, or its only tag."""

    photo_id: int
    tags: tuple[str, ...]
    """Present tags."""
    likely: tuple[str, ...]
    """Tags that it may get, likeliest first, without rejected and skipped ones."""
    proposed: int
    """Number of these that are more likely right than not."""
    one_tag: bool = False
    """Whether tags exclude each other."""


def find_open_photos(
    library: Library,
    ranker: Ranker,
    *,
    passed: frozenset[tuple[int, str]] = frozenset(),
    answered: AnsweredQuestions = NOTHING_YET,
    unfinished: frozenset[int] = frozenset(),
    finished: frozenset[int] = frozenset(),
    scope: QuestionScope = EVERYTHING,
    count: int = COUNT,
) -> Job[list[OpenPhoto]]:
    """Find photos to ask about one by one.

    If photos have several tags, these are the photos that likely lack most. If tags exclude each other, they are the
    untagged photos with the highest confidence, tag by tag.

    Parameters
    ----------
    passed, answered, unfinished, scope
        As in `browser.operations.tagging.review.review`.
    finished : frozenset of int
        Photos that lack nothing, according to the user.
    count : int
        Maximum number of photos; if tags exclude each other, at most `COUNT_OF_ONE_TAG`.

    Returns
    -------
    list of OpenPhoto
        Empty without a model.
    """
    gallery = ranker.gallery()
    looks = looks_for_tags(ranker, gallery)
    rejected = library.suggestions.rejected_pairs()
    learned = None
    if len(library.photos.ids("tagged -missing")):
        with suppress(NothingToLearnError):
            learned = yield from learn_tags(library, looks, read_annotated(library, gallery, rejected), follows=True)
    if learned is None:
        return []
    known, state = learned, ReviewState(passed, rejected, unfinished, scope)

    def find(_report: ProgressReport) -> list[OpenPhoto]:
        some = count if not known.confidence.exclusive_ else min(count, COUNT_OF_ONE_TAG)
        return _open_photos(library, known, state, AnsweredConfidence().fit(answered.tags), finished, some)

    return (yield from in_thread(_STAGE, find))


def _open_photos(
    library: Library,
    learned: LearnedTags,
    state: ReviewState,
    by_answers: AnsweredConfidence,
    finished: frozenset[int],
    count: int,
) -> list[OpenPhoto]:
    """Return the photos in work that lack most tags; if tags exclude each other, the most confident ones by tag."""
    sure = how_sure(library, learned.looks, learned, state)
    at = np.flatnonzero(sure.in_work & ~np.isin(sure.ids, np.array(sorted(finished), dtype=np.int64)))
    share = by_answers.corrected(np.maximum(sure.share[at], 0), sure.foreign[at][:, None])
    share[:, np.array([not state.scope.asks_for(name) for name in learned.names], dtype=bool)] = -1
    share[sure.share[at] < 0] = -1
    lacking = np.maximum(share, 0).sum(axis=1)
    tags = library.tags.of(sure.ids[at].tolist())
    found = []
    rows = np.argsort(-lacking, kind="stable")
    if learned.confidence.exclusive_ and len(at):
        rows = np.argsort(-share.max(axis=1), kind="stable")[:count]
        rows = rows[np.argsort(share[rows].argmax(axis=1), kind="stable")]
    for row in rows[:count].tolist():
        order = np.argsort(-share[row], kind="stable")
        order = order[share[row, order] >= 0]
        photo_id = int(sure.ids[at[row]])
        likely = tuple(learned.names[j] for j in order.tolist())
        proposed = int((share[row] >= _PROPOSED).sum())
        if learned.confidence.exclusive_:
            proposed = min(proposed, 1)
        found.append(OpenPhoto(photo_id, tuple(tags[photo_id]), likely, proposed, learned.confidence.exclusive_))
    return found
