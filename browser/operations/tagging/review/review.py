"""What to ask a person next: tags with the photos that may carry them, and groups of photos that no tag explains."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job, finish
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags, learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.neighborhoods import Neighborhoods, find_neighborhoods
from focal_photos.browser.operations.tagging.review.answered_turns import NOTHING_YET, AnsweredTurns
from focal_photos.browser.operations.tagging.review.new_kinds import (
    confidence_of_kind,
    find_new_kinds,
    typical_coherence,
)
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.browser.operations.tagging.review.side_by_side import AS_SURE, side_by_side
from focal_photos.browser.operations.tagging.witnesses import find_witnesses
from focal_photos.learners.core.arrays.distinct import common
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.tags.answered import AnsweredConfidence

MOST: Final = 150
"""Photos of a turn: three screens of them."""

_STAGE: Final = "Looking for what to ask next"
_NONE: Final = 0.02  # least probability that none of the tags is right
_LEAST: Final = 0.1  # candidates less sure than this are not shown
_FEWEST: Final = 24  # but so many are, if there are any
_GROUP: Final = (
    36  # photos of a new kind, or those likelier in than out: what is learned of them tells the others better
)
_BLOCK: Final = 4096
_APART: Final = 0.01  # belonging to a new kind, up to which answers about its photos say nothing of a photo
_UNLIKELY: Final = 0.3  # confidence of such a photo, at most: a surer one behind some of them does not take them along
_CORE: Final = 8  # photos of a new kind by which it is told which tag it may be after all
_KNOWN: Final = 5  # such tags
_NAMING: Final = 4.0  # actions that a name costs before its turn: it has to be typed once anyway
_LEAST_EXPECTED: Final = (
    1.0  # photos that are about right, below which a tag is not asked for where photos have several
)
_FEWEST_OF_SEVERAL: Final = 3  # photos of a new kind where photos have several tags: fewer are asked about one by one
_FORGOTTEN: Final = 0.5  # confidence from which a photo that had tags before is asked for another
_UNLIKE: Final = 0.5  # probability that no tag explains the core of a new kind, at least
_UNEXPLAINED: Final = (
    40.0  # photos that no tag explains, from which on some of them are a kind, however mixed they look
)
_LEAST_WORTH: Final = 0.6  # estimated photos settled for each action, below which photos are asked about one by one
_AS_SURE_OF_SEVERAL: Final = 0.2  # of photos with several tags alike ones differ more in a tag than they do in kind
_SETTLED_BY_HAND: Final = 0.7  # share of the unsure photos that cost an action of their own


@dataclass(frozen=True, eq=False)
class Turn:
    """One question to a person: which of these photos carry a tag, or belong together.

    Attributes
    ----------
    tag : str or None
        None: a new kind, which has no name yet.
    photo_ids : ndarray of int64, shape (n,)
        The surest first; alike ones that are about as sure stand side by side, on the same side of the line.
    confidences : ndarray of float32, shape (n,)
        0..1, with "none of these" and the answers so far taken into account; of a new kind: how surely a photo belongs
        to it.
    stated : ndarray of float32, shape (n,)
        The same without the answers.
    line : int
        So many from the top are proposed as yes: those with which the fewest are on the wrong side, as far as is known.
    expected : float
        Photos that are about right, among all.
    known : tuple of str
        Of a new kind: the tags that it may be after all, the likeliest first.
    again : bool
        Whether these are photos that had tags before: this one may have been forgotten.
    foreign : ndarray of float32, shape (n,)
        0..1, how likely each photo is foreign, unlike all tagged ones, without the answers; 0 if not given.
    slow : bool
        Whether it takes no fewer actions than asking about its photos one by one (`find_open_photos`).
    groups : ndarray of intp, shape (n,)
        Number of the group of alike photos that each belongs to; they stand side by side.
    shown : ndarray of float64, shape (n,)
        Confidence as it is shown, falling from the top: alike photos have the mean of their group. It stays when photos
        are taken out.
    """

    tag: str | None
    photo_ids: NDArray[np.int64]
    confidences: NDArray[np.float32]
    stated: NDArray[np.float32]
    line: int
    expected: float
    known: tuple[str, ...] = ()
    again: bool = False
    foreign: NDArray[np.float32] = field(default_factory=lambda: np.zeros(1, np.float32))
    slow: bool = False
    groups: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    shown: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        """Have a number for each photo."""
        object.__setattr__(self, "foreign", np.broadcast_to(self.foreign, self.photo_ids.shape))
        if len(self.groups) != len(self.photo_ids):  # each photo by itself
            object.__setattr__(self, "groups", np.arange(len(self.photo_ids)))
        if len(self.shown) != len(self.photo_ids):
            object.__setattr__(self, "shown", self.confidences.astype(np.float64))

    def taken(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Turn:
        """Return the question about some of its photos, in that order; the line and all else stay as they are."""
        return replace(
            self,
            photo_ids=self.photo_ids[rows],
            confidences=self.confidences[rows],
            stated=self.stated[rows],
            foreign=self.foreign[rows],
            groups=self.groups[rows],
            shown=self.shown[rows],
        )

    @property
    def worth(self) -> float:
        """Photos settled for each action that it takes."""
        unsure = np.minimum(self.confidences, 1 - self.confidences).sum()
        cost = 1.5 + _SETTLED_BY_HAND * float(unsure) + (_NAMING if self.tag is None else 0.0)
        return self.expected / cost


def review(
    library: Library,
    ranker: Ranker,
    *,
    passed: frozenset[tuple[int, str]] = frozenset(),
    answered: AnsweredTurns = NOTHING_YET,
    unfinished: frozenset[int] = frozenset(),
    scope: QuestionScope = EVERYTHING,
    most: int = MOST,
) -> Job[list[Turn]]:
    """Find what to ask a person: the turn that settles most photos for each action first.

    What was learned from the tagged photos says what tag an untagged photo carries, and how surely
    (`browser.operations.tagging.learn_tags`). Where tags exclude each other, only photos without any are asked for.
    Where they do not, photos without tags and unfinished ones are asked for as long as about one of a tag's is right,
    for tags that two photos have; then come photos that had tags before and are likelier to lack this one by mistake
    than not. Photos that are likely of none of their kinds make groups without a name
    (`browser.operations.tagging.review.new_kinds`). Answers say how sure tags are of photos that are like those that
    were answered: they do not make a foreign photo more plausible (`learners.tags.answered`).

    Parameters
    ----------
    library : Library
    ranker : Ranker
    passed : frozenset of (int, str)
        Photos that a person has looked at for a tag and not marked: they are not asked for again.
    answered : AnsweredTurns
        By which confidence is corrected (`learners.tags.answered`).
    unfinished : frozenset of int
        Photos whose tags a person is giving now: they may get others after their first.
    scope : QuestionScope
        Limits of the questions.
    most : int
        Photos of a turn, at most; a new kind has fewer where it is unsure.

    Yields
    ------
    Progress

    Returns
    -------
    list of Turn
        Empty where every photo is settled.
    """
    gallery = ranker.gallery()
    looks = looks_for_tags(ranker, gallery)
    rejected = library.suggestions.rejected_pairs()
    learned = None
    if len(library.photos.ids("tagged -missing")):
        with suppress(NothingToLearnError):
            learned = yield from learn_tags(library, looks, read_annotated(library, gallery, rejected), follows=True)

    def find(report: ProgressReport) -> list[Turn]:
        untagged = scope.within(common(looks.ids, library.photos.ids("untagged -missing")))
        neighborhoods = find_neighborhoods(library, looks, untagged, report)
        by_answers = AnsweredConfidence().fit(answered.tags), AnsweredConfidence().fit(answered.kinds)
        asked = Asked(passed, rejected, unfinished, scope)
        turns = _turns(library, looks, neighborhoods, learned, asked, most, by_answers)
        if learned is not None and learned.confidence.exclusive_:
            turns = [replace(turn, slow=turn.worth < _LEAST_WORTH) for turn in turns]
        places = looks.row_table
        several = learned is not None and not learned.confidence.exclusive_
        as_sure = _AS_SURE_OF_SEVERAL if several else AS_SURE
        found = [_arranged(turn, looks.rows[places[turn.photo_ids]], as_sure) for turn in turns if len(turn.photo_ids)]
        return sorted(found, key=lambda turn: (turn.again, -turn.worth))

    return (yield from in_thread(_STAGE, find))


def witnesses(library: Library, ranker: Ranker, photo_id: int, tag: str, count: int = 8) -> list[int]:
    """Return the photos that carry a tag and are nearest to a photo: those that speak for it."""
    gallery = ranker.gallery()
    try:
        annotated = read_annotated(library, gallery, set())
    except NothingToLearnError:
        return []
    if tag not in annotated.names or gallery.row_of(photo_id) is None:
        return []
    pair = (photo_id, annotated.names.index(tag))
    return list(find_witnesses(gallery, annotated, [pair])[pair][:count])


def held_out_right(library: Library, ranker: Ranker) -> dict[int, bool]:
    """Return for tagged photos whether their best suggestion is right when their own tags are left out.

    A photo whose tags nobody else carries can tell nothing and is left out.
    """
    gallery = ranker.gallery()
    try:
        annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    except NothingToLearnError:
        return {}
    learned = finish(learn_tags(library, looks_for_tags(ranker, gallery), annotated, follows=True))
    own = learned.tags.toarray() > 0
    if len(learned.names) < 2:
        return {}
    best = learned.learner.left_out_.tags.argmax(axis=1)
    asked = np.flatnonzero((own & (own.sum(axis=0) > 1)).any(axis=1))
    return {int(learned.ids[row]): bool(own[row, best[row]]) for row in asked}


# ---------------------------------------------------------------------- inside
class Asked(NamedTuple):
    """What is known of the photos that a person is asked about, as in `review`."""

    passed: frozenset[tuple[int, str]]
    rejected: set[tuple[int, str]]
    unfinished: frozenset[int]
    scope: QuestionScope = EVERYTHING


class Sureness(NamedTuple):
    """How sure the tags of photos are.

    Attributes
    ----------
    ids : ndarray of int64, shape (n,)
        Where tags exclude each other the untagged photos, otherwise all.
    in_work : ndarray of bool, shape (n,)
        Untagged and unfinished ones.
    share : ndarray of float32, shape (n, m)
        Of the learned tags; -1: carried, rejected or passed over.
    none : ndarray of float64, shape (n,)
        How likely none of these is right; where tags do not exclude each other, none of those that two photos carry.
    foreign : ndarray of float32, shape (n,)
        How likely each photo is foreign, a part of `none`.
    untagged : ndarray of int64, shape (q,)
        Those of the photos.
    looks_like : ndarray of float32, shape (q, m)
        How sure their tags are, whatever was answered.
    """

    ids: NDArray[np.int64]
    in_work: NDArray[np.bool_]
    share: NDArray[np.float32]
    none: NDArray[np.float64]
    foreign: NDArray[np.float32]
    untagged: NDArray[np.int64]
    looks_like: NDArray[np.float32]


def how_sure(library: Library, looks: MetricGallery, learned: LearnedTags, asked: Asked) -> Sureness:
    """Return how sure the tags of the photos are that may be asked about."""
    untagged = asked.scope.within(common(looks.ids, library.photos.ids("untagged -missing")))
    exclusive = learned.confidence.exclusive_
    ids = untagged if exclusive else asked.scope.within(common(looks.ids, library.photos.ids("-missing")))
    in_work = np.isin(ids, untagged) | np.isin(ids, np.array(sorted(asked.unfinished), dtype=np.int64))
    carrying, names = library.tags.matrix(ids)
    column = {name: j for j, name in enumerate(learned.names)}
    known = [j for j, name in enumerate(names) if name in column]
    carried = np.zeros((len(ids), len(column)), dtype=bool)
    carried[:, [column[names[j]] for j in known]] = scipy.sparse.csr_array(carrying)[:, known].toarray() > 0
    seen, gone = (_places(ids, learned.names, pairs) for pairs in (asked.passed, asked.rejected))
    share, none, foreign = _confidences(learned, ids, None if exclusive else _answers(carried, (seen, gone), in_work))
    looks_like = share[np.searchsorted(ids, untagged)]
    # What a person has looked at and not marked is not this tag: the others, or none of them, take its place.
    share[seen] = 0
    share[carried] = 0
    if exclusive and len(ids):
        none = np.maximum(none, _NONE)
        whole = share.sum(axis=1) + none
        share, none = share / whole[:, None], none / whole
        foreign = np.minimum(foreign / whole, none).astype(np.float32)
    elif not exclusive:
        like = np.maximum(1 - foreign, _NONE)  # the photo is not foreign
        without = np.prod(1 - share[:, _checked(learned)] / like[:, None], axis=1, dtype=np.float64)
        none = foreign + like * np.maximum(without, 0)
    for answered in (seen, gone, carried):
        share[answered] = -1
    return Sureness(ids, in_work, share, none, foreign, untagged, looks_like)


def _turns(
    library: Library,
    looks: MetricGallery,
    neighborhoods: Neighborhoods | None,
    learned: LearnedTags | None,
    asked: Asked,
    most: int,
    by_answers: tuple[AnsweredConfidence, AnsweredConfidence],
) -> list[Turn]:
    untagged = asked.scope.within(common(looks.ids, library.photos.ids("untagged -missing")))
    none = np.ones(len(untagged))
    likely = np.empty((len(untagged), 0), dtype=np.float32)
    turns: list[Turn] = []
    if learned is not None:
        sure = how_sure(library, looks, learned, asked)
        ids, share, foreign = sure.ids, sure.share, sure.foreign
        untagged, likely = sure.untagged, sure.looks_like
        none = sure.none[np.searchsorted(ids, untagged)]
        if learned.confidence.exclusive_:
            by_tag = by_answers[0]
            turns = [_turn(name, ids, share[:, j], foreign, by_tag, most) for j, name in enumerate(learned.names)]
        else:
            turns = _turns_of_several(learned, sure, by_answers[0], most)
        turns = [turn for turn in turns if turn.tag is None or asked.scope.asks_for(turn.tag)]
    if neighborhoods is not None and asked.scope.new_kinds:
        several = learned is not None and not learned.confidence.exclusive_
        least = None
        if learned is not None and learned.confidence.exclusive_ and _nearly_done(learned, none):
            least = typical_coherence(neighborhoods, learned.ids, learned.tags)
        for kind in find_new_kinds(neighborhoods, untagged, none, most=most):
            if several and len(kind.photo_ids) < _FEWEST_OF_SEVERAL:
                continue
            if least is not None and (kind.coherence < least or kind.unlike < _UNLIKE):
                continue  # such photos, and those of a known tag, are asked about tag by tag, or one by one
            stated = confidence_of_kind(kind.belonging)
            confidences = by_answers[1].corrected(stated)
            # Those that share nothing with a group were never asked about as part of one, but for a few at its end: who
            # says that these belong to it too does not say so of all other photos.
            apart = kind.belonging <= _APART
            confidences[apart] = np.minimum(confidences[apart], _UNLIKELY)
            likelier = int((confidences >= 0.5).sum())
            shown = slice(0, max(likelier, _GROUP))
            first = np.searchsorted(untagged, kind.photo_ids[: max(likelier, _CORE)])
            order = np.argsort(-likely[first].sum(axis=0), kind="stable")[:_KNOWN].tolist()
            names_known = () if learned is None else tuple(learned.names[j] for j in order)
            turns.append(_as_turn(None, kind.photo_ids[shown], confidences[shown], stated[shown], names_known))
    return turns


def _nearly_done(learned: LearnedTags, none: NDArray[np.float64]) -> bool:
    """Return whether most photos have tags and few are left that none explains: what is left is rarely a kind."""
    return len(none) <= len(learned.ids) and float(none.sum()) < _UNEXPLAINED


def _checked(learned: LearnedTags) -> NDArray[np.bool_]:
    """Return which tags, (m,), more than one photo carries, where photos have several.

    How sure a tag is was learned from photos left out: of one photo nothing is left. A few that brought a dozen
    keywords of a camera or an archive along would otherwise come before the kinds of all others, keyword by keyword.
    """
    return np.asarray((learned.tags != 0).sum(axis=0) > 1)


def _turns_of_several(learned: LearnedTags, sure: Sureness, by_answers: AnsweredConfidence, most: int) -> list[Turn]:
    """Return the turns where tags do not exclude each other: of photos in work, and then of those that had tags.

    Without a limit every tag would be asked for of every photo.
    """
    turns = []
    ids, share, foreign, in_work = sure.ids, sure.share, sure.foreign, sure.in_work
    for j in np.flatnonzero(_checked(learned)).tolist():
        name = learned.names[j]
        first = _turn(name, ids[in_work], share[in_work, j], foreign[in_work], by_answers, most)
        if first.expected >= _LEAST_EXPECTED:
            turns.append(first)
        likelier = np.flatnonzero(~in_work & (share[:, j] >= _FORGOTTEN))
        forgotten = _turn(name, ids[likelier], share[likelier, j], foreign[likelier], by_answers, most)
        if forgotten.expected >= _LEAST_EXPECTED:
            turns.append(replace(forgotten, again=True))
    return turns


def _confidences(
    learned: LearnedTags, ids: NDArray[np.int64], known: scipy.sparse.csr_array | None
) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.float32]]:
    """Return how sure each tag of photos is, (n, m), how likely none of them is right, and that they are foreign."""
    share, none = np.empty((len(ids), len(learned.names)), dtype=np.float32), np.empty(len(ids))
    foreign = np.empty(len(ids), dtype=np.float32)
    for part in blocks(len(ids), _BLOCK):
        sure = learned.confidences(ids[part], None if known is None else known[part])
        share[part], none[part], foreign[part] = sure.tags, sure.none, sure.foreign
    return share, none, foreign


def _answers(
    carried: NDArray[np.bool_], refused: Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]], in_work: NDArray[np.bool_]
) -> scipy.sparse.csr_array:
    """Return what is known of the photos in work, (n, m): 1 a tag that one has, -1 one that it has not.

    Of the others it is known which tags they have, not which they lack.
    """
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


def _turn(
    name: str,
    ids: NDArray[np.int64],
    share: NDArray[np.float32],
    foreign: NDArray[np.float32],
    by_answers: AnsweredConfidence,
    most: int,
) -> Turn:
    open_ = np.flatnonzero(share >= 0)
    corrected = by_answers.corrected(share[open_], foreign[open_])
    first = np.argsort(-corrected, kind="stable")[:most]
    order, confidences = open_[first], corrected[first]
    order = order[: max(int((confidences >= _LEAST).sum()), _FEWEST)]
    turn = _as_turn(name, ids[order], confidences[: len(order)], share[order])
    return replace(turn, foreign=foreign[order])


def _as_turn(
    tag: str | None,
    ids: NDArray[np.int64],
    confidences: NDArray[np.float64],
    stated: NDArray[np.floating],
    known: tuple[str, ...] = (),
) -> Turn:
    """Return a turn whose line is where the fewest photos are likely to be on the wrong side of it."""
    gained = np.concatenate([[0.0], np.cumsum(2 * confidences - 1)])
    kept = confidences.astype(np.float32), stated.astype(np.float32)
    return Turn(tag, ids, *kept, int(np.argmax(gained)), float(confidences.sum()), known)


def _arranged(turn: Turn, rows: NDArray[np.floating], as_sure: float) -> Turn:
    """Return a turn with alike photos side by side."""
    order, groups = side_by_side(rows, turn.confidences, turn.line, as_sure)
    means = np.bincount(groups, turn.confidences[order]) / np.bincount(groups)
    return replace(turn.taken(order), groups=groups, shown=means[groups])
