# SPDX-License-Identifier: MIT
"""Choose the next questions to the user: photos that may carry a tag, and groups that no tag explains."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job, finish
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags, learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.neighborhoods import (
    Neighborhoods,
    find_neighborhoods,
    find_neighborhoods_within,
)
from focal_photos.browser.operations.tagging.review.answered_questions import NOTHING_YET, AnsweredQuestions
from focal_photos.browser.operations.tagging.review.new_kinds import (
    confidence_of_kind,
    find_new_kinds,
    relative_distances,
    typical_coherence,
)
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.browser.operations.tagging.review.side_by_side import AS_SURE, side_by_side
from focal_photos.browser.operations.tagging.supporters import find_supporters
from focal_photos.learners.core.arrays.distinct import common
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.tags.confidence.answered import AnsweredConfidence, after_answers

MAX_PHOTOS: Final = 150
"""Maximum number of photos in a question: three screens."""

EVERY_TAG: Final = ""
"""The tag of a question about boxes of all tags."""

_STAGE: Final = Text("Finding the next question")
_MIN_NOT_FOREIGN: Final = 0.02  # minimum probability that a photo is not foreign
_MIN_CONFIDENCE: Final = 0.1  # minimum confidence of shown candidates
_MIN_CANDIDATES: Final = 24  # number of candidates shown in any case
_GROUP: Final = 36  # minimum photos shown of a new kind; the answers improve what is learned about the others
_BLOCK: Final = 4096
_MAX_BELONGING: Final = 0.01  # belonging to a new kind up to which answers about its photos mean nothing for a photo
_MAX_UNLIKELY: Final = 0.3  # maximum confidence of such photos, so that an accepted prefix does not include them
_CORE_PHOTOS: Final = 8  # photos of a new kind that determine its possible known tags
_MAX_KNOWN_TAGS: Final = 5  # number of such tags
_NAMING: Final = 4.0  # actions to name a kind; its name must be typed once anyway
_LEAST_EXPECTED: Final = 1.0  # minimum expected number of right photos in a question about a tag
# minimum photos of a new kind if photos have several tags; the review asks about fewer one by one
_FEWEST_OF_SEVERAL: Final = 3
_FORGOTTEN: Final = 0.5  # minimum confidence of a possibly forgotten tag on a photo that had tags before
_MIN_UNEXPLAINED: Final = 0.5  # minimum probability that no tag explains the core of a new kind
_UNEXPLAINED: Final = 40.0  # number of unexplained photos from which new kinds are proposed even if they look mixed
_WORTH_OF_MIXED: Final = 1.0  # minimum photos settled per action for a new kind that looks mixed, near the end
_LEAST_WORTH: Final = 0.6  # minimum photos settled per action; below, the review asks photo by photo
_AS_SURE_OF_SEVERAL: Final = 0.2  # with several tags, similar photos differ more in their tags than in their kind
_SETTLED_BY_HAND: Final = 0.7  # share of the uncertain photos that need a separate action


@dataclass(frozen=True, eq=False)
class Question:
    """A question to the user: which of these photos carry a tag, or belong together."""

    tag: str | None
    """None: a new kind without a name."""
    photo_ids: NDArray[np.int64]
    """Most confident first; similar photos with similar confidence are side by side, on the same side of the line;
    shape (n,)."""
    confidences: NDArray[np.float32]
    """0..1, including "none of these" and corrected by earlier answers; for a new kind, of membership; shape (n,)."""
    stated: NDArray[np.float32]
    """The same without the answers; shape (n,)."""
    line: int
    """Number of first photos proposed as yes, which minimizes the expected number of photos on the wrong side."""
    expected: float
    """Expected number of right photos."""
    known: tuple[str, ...] = ()
    """For a new kind, the known tags that it may be, likeliest first."""
    again: bool = False
    """Whether the photos had tags before, and may lack this one by mistake."""
    foreign: NDArray[np.float32] = field(default_factory=lambda: np.zeros(1, np.float32))
    """Probability, 0..1 and without the answers, that a photo is foreign, unlike all tagged ones; default 0; shape
    (n,)."""
    slow: bool = False
    """Whether asking about its photos one by one (`find_open_photos`) takes no more actions."""
    groups: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    """Group number of each photo; similar photos form a group and are side by side; shape (n,)."""
    shown: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    """Displayed confidence, descending: the mean of the photo's group. It does not change when photos are removed;
    shape (n,)."""
    regions: NDArray[np.float64] | None = None
    """In a question about boxes: x0, y0, x1 and y1 of the suggested region of each photo, without the rotation of the
    display, as fractions of width and height; shape (n, 4)."""
    tags: tuple[str, ...] = ()
    """In a question about boxes of all tags, whose `tag` is `EVERY_TAG`: the tag of each region; else empty."""
    late: bool = False
    """Whether to ask only on request, because hardly any photo is probably right."""

    def __post_init__(self) -> None:
        """Expand the values to one per photo."""
        object.__setattr__(self, "foreign", np.broadcast_to(self.foreign, self.photo_ids.shape))
        if len(self.groups) != len(self.photo_ids):  # each photo is a separate group
            object.__setattr__(self, "groups", np.arange(len(self.photo_ids)))
        if len(self.shown) != len(self.photo_ids):
            object.__setattr__(self, "shown", self.confidences.astype(np.float64))

    def taken(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Question:
        """Return the question about some of its photos, in that order, with the same line and other values."""
        return replace(
            self,
            photo_ids=self.photo_ids[rows],
            confidences=self.confidences[rows],
            stated=self.stated[rows],
            foreign=self.foreign[rows],
            groups=self.groups[rows],
            shown=self.shown[rows],
            regions=None if self.regions is None else self.regions[rows],
            tags=tuple(np.array(self.tags, dtype=object)[rows].tolist()) if self.tags else (),
        )

    @property
    def worth_asking(self) -> bool:
        """Whether the answer probably settles a photo; without one, the action gains nothing."""
        return self.tag is None or self.expected >= _LEAST_EXPECTED

    @property
    def worth(self) -> float:
        """Number of photos settled per action."""
        unsure = np.minimum(self.confidences, 1 - self.confidences).sum()
        cost = 1.5 + _SETTLED_BY_HAND * float(unsure) + (_NAMING if self.tag is None else 0.0)
        return self.expected / cost


def review(
    library: Library,
    ranker: Ranker,
    *,
    passed: frozenset[tuple[int, str]] = frozenset(),
    answered: AnsweredQuestions = NOTHING_YET,
    unfinished: frozenset[int] = frozenset(),
    scope: QuestionScope = EVERYTHING,
    most: int = MAX_PHOTOS,
) -> Job[list[Question]]:
    """Find the next questions to the user, most photos settled per action first.

    The tags of untagged photos and their confidences are learned from the tagged photos
    (`browser.operations.tagging.learn_tags`). If tags exclude each other, the questions cover untagged photos
    only. Otherwise, they cover untagged and unfinished photos, for tags on at least two photos; photos that had tags
    before follow if they are likelier to lack this one by mistake than not. Questions about a tag end when it is
    expected on fewer than about one of the photos. Photos that are likely of no known kind form groups without a name
    (`browser.operations.tagging.review.new_kinds`), by the neighbours that they share among the photos in scope.
    Answers correct the confidences of photos like the answered ones; they do not make a foreign photo more plausible
    (`learners.tags.confidence.answered`).

    Parameters
    ----------
    passed : frozenset of (int, str)
        Pairs that the user has seen and not marked, which are not asked about again.
    answered : AnsweredQuestions
        Answers that correct confidences (`learners.tags.confidence.answered`).
    unfinished : frozenset of int
        Photos that the user is tagging now: they may get more tags after the first.
    scope : QuestionScope
        Limits of the questions.
    most : int
        Maximum number of photos in a question; an uncertain new kind has fewer.

    Returns
    -------
    list of Question
        Empty if every photo is settled.
    """
    gallery = ranker.gallery()
    looks = looks_for_tags(ranker, gallery)
    rejected = library.suggestions.rejected_pairs()
    learned = None
    if len(library.photos.ids("tagged -missing")):
        with suppress(NothingToLearnError):
            learned = yield from learn_tags(library, looks, read_annotated(library, gallery, rejected), follows=True)

    def find(report: ProgressReport) -> list[Question]:
        untagged = scope.within(common(looks.ids, library.photos.ids("untagged -missing")))
        neighborhoods = None
        if scope.photo_ids is not None:
            neighborhoods = find_neighborhoods_within(library, looks, common(looks.ids, scope.photo_ids), report)
        if neighborhoods is None:
            neighborhoods = find_neighborhoods(library, looks, untagged, report)
        by_answers = AnsweredConfidence().fit(answered.tags), AnsweredConfidence().fit(answered.kinds)
        state = ReviewState(passed, rejected, unfinished, scope)
        questions = _questions(library, looks, neighborhoods, learned, state, most, by_answers)
        if learned is not None and learned.confidence.exclusive_:
            questions = [replace(question, slow=question.worth < _LEAST_WORTH) for question in questions]
        places = looks.row_table
        several = learned is not None and not learned.confidence.exclusive_
        as_sure = _AS_SURE_OF_SEVERAL if several else AS_SURE
        found = [
            _arranged(question, looks.rows[places[question.photo_ids]], as_sure)
            for question in questions
            if len(question.photo_ids)
        ]
        return sorted(found, key=lambda question: (question.again, -question.worth))

    return (yield from in_thread(_STAGE, find))


def supporters(library: Library, ranker: Ranker, photo_id: int, tag: str, count: int = 8) -> list[int]:
    """Return the nearest photos that carry a tag: the supporting neighbours of a suggestion."""
    gallery = ranker.gallery()
    try:
        annotated = read_annotated(library, gallery, set())
    except NothingToLearnError:
        return []
    if tag not in annotated.names or gallery.row_of(photo_id) is None:
        return []
    pair = (photo_id, annotated.names.index(tag))
    return list(find_supporters(gallery, annotated, [pair])[pair][:count])


def held_out_right(library: Library, ranker: Ranker) -> dict[int, bool]:
    """Return for tagged photos whether their best suggestion is right when their own tags are left out.

    Photos without a tag that others carry are left out. Empty if fewer than two tags are on several photos: with one,
    every suggestion would be right.
    """
    gallery = ranker.gallery()
    try:
        annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    except NothingToLearnError:
        return {}
    learned = finish(learn_tags(library, looks_for_tags(ranker, gallery), annotated, follows=True))
    own = learned.tags.toarray() > 0
    shared = own.sum(axis=0) > 1
    if np.count_nonzero(shared) < 2:
        return {}
    best = learned.learner.left_out_.tags.argmax(axis=1)
    several = np.flatnonzero((own & shared).any(axis=1))
    return {int(learned.ids[row]): bool(own[row, best[row]]) for row in several}


# ---------------------------------------------------------------------- details
class ReviewState(NamedTuple):
    """State of the photos to ask about, as in `review`."""

    passed: frozenset[tuple[int, str]]
    rejected: set[tuple[int, str]]
    unfinished: frozenset[int]
    scope: QuestionScope = EVERYTHING


class Sureness(NamedTuple):
    """Confidences of the tags of photos."""

    ids: NDArray[np.int64]
    """The untagged photos if tags exclude each other, otherwise all; shape (n,)."""
    in_work: NDArray[np.bool_]
    """Whether the photo is untagged or unfinished; shape (n,)."""
    share: NDArray[np.float32]
    """Confidence of the learned tags; -1: carried, rejected or skipped; shape (n, m)."""
    none: NDArray[np.float64]
    """Probability that none of these is right; if tags do not exclude each other, none of those on at least two photos;
    shape (n,)."""
    foreign: NDArray[np.float32]
    """Probability that the photo is foreign, a part of `none`; shape (n,)."""
    untagged: NDArray[np.int64]
    """The untagged photos; shape (q,)."""
    looks_like: NDArray[np.float32]
    """Confidence of their tags, ignoring answers; shape (q, m)."""


def how_sure(library: Library, looks: MetricGallery, learned: LearnedTags, state: ReviewState) -> Sureness:
    """Return the confidences of the tags of photos to ask about."""
    untagged = state.scope.within(common(looks.ids, library.photos.ids("untagged -missing")))
    exclusive = learned.confidence.exclusive_
    ids = untagged if exclusive else state.scope.within(common(looks.ids, library.photos.ids("-missing")))
    in_work = np.isin(ids, untagged) | np.isin(ids, np.array(sorted(state.unfinished), dtype=np.int64))
    carrying, names = library.tags.matrix(ids)
    column = {name: j for j, name in enumerate(learned.names)}
    known = [j for j, name in enumerate(names) if name in column]
    carried = np.zeros((len(ids), len(column)), dtype=bool)
    carried[:, [column[names[j]] for j in known]] = scipy.sparse.csr_array(carrying)[:, known].toarray() > 0
    seen, gone = (_places(ids, learned.names, pairs) for pairs in (state.passed, state.rejected))
    share, none, foreign = _confidences(learned, ids, None if exclusive else _answers(carried, (seen, gone), in_work))
    looks_like = share[np.searchsorted(ids, untagged)]
    # A tag seen and not marked is excluded; its probability goes to the other tags and to none of them.
    share[seen] = 0
    share[carried] = 0
    if exclusive:
        tags, none, of_foreign = after_answers(share, none, foreign)
        share, foreign = tags.astype(np.float32), of_foreign.astype(np.float32)
    else:
        like = np.maximum(1 - foreign, _MIN_NOT_FOREIGN)
        without = np.prod(1 - share[:, _checked(learned)] / like[:, None], axis=1, dtype=np.float64)
        none = foreign + like * np.maximum(without, 0)
    for answered in (seen, gone, carried):
        share[answered] = -1
    return Sureness(ids, in_work, share, none, foreign, untagged, looks_like)


def _questions(
    library: Library,
    looks: MetricGallery,
    neighborhoods: Neighborhoods | None,
    learned: LearnedTags | None,
    state: ReviewState,
    most: int,
    by_answers: tuple[AnsweredConfidence, AnsweredConfidence],
) -> list[Question]:
    untagged = state.scope.within(common(looks.ids, library.photos.ids("untagged -missing")))
    none = np.ones(len(untagged))
    likely = np.empty((len(untagged), 0), dtype=np.float32)
    questions: list[Question] = []
    if learned is not None:
        sure = how_sure(library, looks, learned, state)
        ids, share, foreign = sure.ids, sure.share, sure.foreign
        untagged, likely = sure.untagged, sure.looks_like
        none = sure.none[np.searchsorted(ids, untagged)]
        if learned.confidence.exclusive_:
            by_tag = by_answers[0]
            questions = [
                _question(name, ids, share[:, j], foreign, by_tag, most) for j, name in enumerate(learned.names)
            ]
        else:
            questions = _questions_of_several(learned, sure, by_answers[0], most)
        questions = [one for one in questions if one.worth_asking and one.tag and state.scope.asks_for(one.tag)]
    if neighborhoods is not None and state.scope.new_kinds:
        several = learned is not None and not learned.confidence.exclusive_
        least = None
        if learned is not None and learned.confidence.exclusive_ and _nearly_done(learned, none):
            least = typical_coherence(neighborhoods, learned.ids, learned.tags)
        every = looks.rows_of(neighborhoods.ids)
        left = int(np.isin(untagged, neighborhoods.ids).sum())
        for kind in find_new_kinds(neighborhoods, untagged, none, most=most):
            if several and len(kind.photo_ids) < _FEWEST_OF_SEVERAL:
                continue
            if least is not None and kind.unlike < _MIN_UNEXPLAINED:
                continue  # other questions cover such photos, tag by tag or one by one
            # Photos that hardly belong to a group appear in questions only at its end. If the user accepts those, this
            # says nothing about all other such photos.
            limits = np.where(kind.belonging <= _MAX_BELONGING, _MAX_UNLIKELY, 1.0)
            near = relative_distances(looks.gallery, looks.rows_of(kind.photo_ids), every)
            stated = np.minimum(confidence_of_kind(kind.belonging, kind.shared, near, len(every), left), limits)
            confidences = np.minimum(by_answers[1].corrected(stated), limits)
            likelier = int((confidences >= 0.5).sum())
            shown = np.argsort(-confidences, kind="stable")[: max(likelier, _GROUP)]
            first = np.searchsorted(untagged, kind.photo_ids[shown[: max(likelier, _CORE_PHOTOS)]])
            order = np.argsort(-likely[first].sum(axis=0), kind="stable")[:_MAX_KNOWN_TAGS].tolist()
            names_known = () if learned is None else tuple(learned.names[j] for j in order)
            question = _as_question(None, kind.photo_ids[shown], confidences[shown], stated[shown], names_known)
            if least is None or kind.coherence >= least or question.worth >= _WORTH_OF_MIXED:
                questions.append(question)  # others are asked about tag by tag or one by one
    return questions


def _nearly_done(learned: LearnedTags, none: NDArray[np.float64]) -> bool:
    """Return whether most photos are tagged and few unexplained ones are left, which are rarely of one kind."""
    return len(none) <= len(learned.ids) and float(none.sum()) < _UNEXPLAINED


def _checked(learned: LearnedTags) -> NDArray[np.bool_]:
    """Return which tags, (m,), more than one photo carries, where photos have several.

    Confidences are learned from left-out photos, which leaves none for a tag on a single photo. Otherwise, a few photos
    with a dozen keywords from a camera or archive would precede the kinds of all others, keyword by keyword.
    """
    return np.asarray((learned.tags != 0).sum(axis=0) > 1)


def _questions_of_several(
    learned: LearnedTags, sure: Sureness, by_answers: AnsweredConfidence, most: int
) -> list[Question]:
    """Return the questions if tags do not exclude each other: about photos in work, then about those that had tags.

    Without a limit, there would be a question for every tag about every photo.
    """
    questions = []
    ids, share, foreign, in_work = sure.ids, sure.share, sure.foreign, sure.in_work
    for j in np.flatnonzero(_checked(learned)).tolist():
        name = learned.names[j]
        first = _question(name, ids[in_work], share[in_work, j], foreign[in_work], by_answers, most)
        questions.append(first)
        likelier = np.flatnonzero(~in_work & (share[:, j] >= _FORGOTTEN))
        forgotten = _question(name, ids[likelier], share[likelier, j], foreign[likelier], by_answers, most)
        questions.append(replace(forgotten, again=True))
    return questions


def _confidences(
    learned: LearnedTags, ids: NDArray[np.int64], known: scipy.sparse.csr_array | None
) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.float32]]:
    """Return the confidences of all tags of photos, (n, m), and the probabilities of none and of being foreign."""
    share, none = np.empty((len(ids), len(learned.names)), dtype=np.float32), np.empty(len(ids))
    foreign = np.empty(len(ids), dtype=np.float32)
    for part in blocks(len(ids), _BLOCK):
        sure = learned.confidences(ids[part], None if known is None else known[part])
        share[part], none[part], foreign[part] = sure.tags, sure.none, sure.foreign
    return share, none, foreign


def _answers(
    carried: NDArray[np.bool_], refused: Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]], in_work: NDArray[np.bool_]
) -> scipy.sparse.csr_array:
    """Return the known tags of photos in work, (n, m): 1 present, -1 absent; absent tags of others are unknown."""
    known = np.zeros(carried.shape, dtype=np.int8)
    for places in refused:
        known[places] = -1
    known[carried] = 1
    known[~in_work] = 0
    return scipy.sparse.csr_array(known)


def _places(
    ids: NDArray[np.int64], names: Sequence[str], pairs: frozenset[tuple[int, str]] | set[tuple[int, str]]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    column = {name: j for j, name in enumerate(names)}
    row = {photo_id: i for i, photo_id in enumerate(ids.tolist())}
    places = [(row[photo_id], column[tag]) for photo_id, tag in pairs if photo_id in row and tag in column]
    i, j = np.array(places, dtype=np.intp).reshape(-1, 2).T
    return i, j


def _question(
    name: str,
    ids: NDArray[np.int64],
    share: NDArray[np.float32],
    foreign: NDArray[np.float32],
    by_answers: AnsweredConfidence,
    most: int,
) -> Question:
    open_ = np.flatnonzero(share >= 0)
    corrected = by_answers.corrected(share[open_], foreign[open_])
    first = np.argsort(-corrected, kind="stable")[:most]
    order, confidences = open_[first], corrected[first]
    order = order[: max(int((confidences >= _MIN_CONFIDENCE).sum()), _MIN_CANDIDATES)]
    question = _as_question(name, ids[order], confidences[: len(order)], share[order])
    return replace(question, foreign=foreign[order])


def _as_question(
    tag: str | None,
    ids: NDArray[np.int64],
    confidences: NDArray[np.float64],
    stated: NDArray[np.floating],
    known: tuple[str, ...] = (),
) -> Question:
    """Return a question whose line minimizes the expected number of photos on the wrong side."""
    gained = np.concatenate([[0.0], np.cumsum(2 * confidences - 1)])
    both = confidences.astype(np.float32), stated.astype(np.float32)
    return Question(tag, ids, *both, int(np.argmax(gained)), float(confidences.sum()), known)


def _arranged(question: Question, rows: NDArray[np.floating], as_sure: float) -> Question:
    """Return a question with similar photos side by side."""
    order, groups = side_by_side(rows, question.confidences, question.line, as_sure)
    means = np.bincount(groups, question.confidences[order]) / np.bincount(groups)
    return replace(question.taken(order), groups=groups, shown=means[groups])
