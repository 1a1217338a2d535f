"""Tags and judgements that disagree with everything else, each with the photos that speak against it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from focal_photos.browser.catalog.facts.records import Judgement, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.witnesses import find_witnesses
from focal_photos.learners.tags.doubts import judgement_doubts, left_out_relevance, tag_doubts

MOST: Final = 200
"""Contradictions that are listed: the most doubtful."""

LEAST: Final = 0.5
"""Doubt from which more speaks against something than for it."""

_WITNESSES: Final = 5
_JUDGED: Final = 500  # of one focal image
_STAGE: Final = "Looking for contradictions"


class ContradictionKind(Enum):
    """What disagrees with everything else."""

    TAG = "tag"
    JUDGEMENT = "judgement"


@dataclass(frozen=True)
class Contradiction:
    """A tag or a judgement that is probably wrong.

    Attributes
    ----------
    kind : ContradictionKind
    photo_id : int
        The tagged photo, or the judged one.
    doubt : float
        `LEAST` to 1.
    tag : str
        The tag in doubt; empty of a judgement.
    instead : str or None
        The tag that the others would give; None where there is none, and of a judgement.
    focal_id : int or None
        The focal image of a judgement.
    verdict : Verdict or None
        The judgement in doubt.
    witnesses : tuple of int
        Photos that speak against it, the nearest first.
    """

    kind: ContradictionKind
    photo_id: int
    doubt: float
    tag: str = ""
    instead: str | None = None
    focal_id: int | None = None
    verdict: Verdict | None = None
    witnesses: tuple[int, ...] = ()


def find_contradictions(library: Library, ranker: Ranker) -> Job[tuple[Contradiction, ...]]:
    """List the tags and judgements that disagree with everything else; nothing is changed.

    A tag is in doubt by how sure it is when the photo's own tags are left out (`learners.tags.doubts.tag_doubts`), a
    judgement by what the other judgements against the same focal image and the tags of both photos say
    (`judgement_doubts`). What a person has confirmed is not listed.

    Parameters
    ----------
    library : Library
    ranker : Ranker

    Yields
    ------
    Progress

    Returns
    -------
    tuple of Contradiction
        At most `MOST`, the most doubtful first; none where too little was tagged and judged.

    Raises
    ------
    OperationError
        As for `Ranker.gallery`.
    """
    meter = Meter(_STAGE, 2)
    yield meter.state()
    # By what photos look like: a metric that was taught by a wrong tag would defend it.
    gallery = ranker.gallery("euclidean")
    tags = yield from _tags(library, ranker, gallery)
    yield meter.advance(1)
    judgements = _judgements(library, gallery)
    yield meter.advance(1)
    found = sorted([*tags, *judgements], key=lambda one: (-one.doubt, one.photo_id, one.tag, one.focal_id or 0))
    return tuple(found[:MOST])


def fix(library: Library, one: Contradiction) -> ChangeSet:
    """Put a contradiction right: the tag that the others would give in its place, or the other verdict. Journaled."""
    if one.kind is ContradictionKind.TAG:
        return library.tags.change([one.photo_id], [one.instead] if one.instead else [], [one.tag])
    assert one.focal_id is not None
    other = Verdict.DISSIMILAR if one.verdict is Verdict.SIMILAR else Verdict.SIMILAR
    return library.judgements.set(one.focal_id, [one.photo_id], other)


def keep(library: Library, one: Contradiction) -> ChangeSet:
    """Confirm what seemed to be wrong: it is not listed again. Journaled."""
    if one.kind is ContradictionKind.TAG:
        return library.confirmations.confirm_tag(one.photo_id, one.tag)
    assert one.focal_id is not None
    return library.confirmations.confirm_judgement(one.focal_id, one.photo_id)


def _tags(library: Library, ranker: Ranker, gallery: MetricGallery) -> Job[list[Contradiction]]:
    try:
        annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    except NothingToLearnError:
        return []
    learned = yield from learn_tags(library, looks_for_tags(ranker, gallery), annotated)
    if len(learned.names) < 2:
        return []
    sure = learned.confidence.confidences(learned.learner.left_out_).tags
    found = tag_doubts(sure, learned.tags.toarray(), exclusive=learned.confidence.exclusive_)
    confirmed = library.confirmations.tags()
    listed: list[tuple[int, int, int, float]] = []
    for photo, tag, doubt, instead in zip(*(column.tolist() for column in found), strict=True):
        if doubt <= LEAST or len(listed) >= MOST:
            break
        if (int(learned.ids[photo]), learned.names[tag]) not in confirmed:
            listed.append((int(learned.ids[photo]), tag, instead, doubt))
    column = {name: number for number, name in enumerate(annotated.names)}
    asked = [(photo_id, column[learned.names[instead]]) for photo_id, _, instead, _ in listed if instead >= 0]
    witnesses = find_witnesses(gallery, annotated, asked)
    result = []
    for photo_id, tag, instead, doubt in listed:
        name = learned.names[instead] if instead >= 0 else None
        near = () if name is None else witnesses[photo_id, column[name]][:_WITNESSES]
        kind = ContradictionKind.TAG
        result.append(Contradiction(kind, photo_id, doubt, learned.names[tag], name, witnesses=near))
    return result


def _judgements(library: Library, gallery: MetricGallery) -> list[Contradiction]:
    known = set(gallery.ids.tolist())
    by_focal: dict[int, list[Judgement]] = {}
    for one in library.judgements.all():
        if one.focal_id in known and one.other_id in known:
            by_focal.setdefault(one.focal_id, []).append(one)
    told: list[Judgement] = []
    relevance: list[float] = []
    for focal_id, judged in by_focal.items():
        judged = judged[-_JUDGED:]
        rows = gallery.rows_of(np.array([focal_id, *(one.other_id for one in judged)], np.int64))
        similar = [True, *(one.verdict is Verdict.SIMILAR for one in judged)]
        told += judged
        relevance += left_out_relevance(gallery.similarities(rows, rows), similar).tolist()
    if not told:
        return []
    ids = sorted({photo_id for one in told for photo_id in (one.focal_id, one.other_id)})
    names = {photo_id: set(given) for photo_id, given in library.tags.of(ids).items()}
    shared = [_shared(names.get(one.focal_id, set()), names.get(one.other_id, set())) for one in told]
    doubts = judgement_doubts(relevance, shared, [one.verdict is Verdict.SIMILAR for one in told])
    confirmed = library.confirmations.judgements()
    found: list[Contradiction] = []
    for place in np.argsort(-doubts, kind="stable"):
        one = told[place]
        if doubts[place] <= LEAST or len(found) >= MOST:
            break
        if (one.focal_id, one.other_id) in confirmed:
            continue
        against = [two.other_id for two in by_focal[one.focal_id] if two.verdict is not one.verdict]
        witnesses = _nearest(gallery, one.other_id, against)
        found.append(
            Contradiction(
                ContradictionKind.JUDGEMENT,
                one.other_id,
                float(doubts[place]),
                focal_id=one.focal_id,
                verdict=one.verdict,
                witnesses=witnesses,
            )
        )
    return found


def _shared(one: set[str], other: set[str]) -> float:
    if not one or not other:
        return 0.0
    return 1.0 if one & other else -1.0


def _nearest(gallery: MetricGallery, photo_id: int, others: list[int]) -> tuple[int, ...]:
    """Return the photos among others that are most similar to a photo."""
    if not others:
        return ()
    own, rows = gallery.rows_of(np.array([photo_id], np.int64)), gallery.rows_of(np.array(others, np.int64))
    like = gallery.similarities(own, rows)[:, 0]
    return tuple(others[place] for place in np.argsort(-like, kind="stable")[:_WITNESSES].tolist())
