# SPDX-License-Identifier: MIT
"""Likely label errors: tags and judgements that are probably wrong, with the photos that contradict them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from focal_photos.browser.catalog.facts.learning.items import box_ids_of
from focal_photos.browser.catalog.facts.records import Judgement, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.supporters import find_supporters
from focal_photos.learners.tags.label_errors import MIN_PROBABILITY, judgement_errors, label_errors, left_out_relevance

MAX_LISTED: Final = 200
"""Maximum number of listed label errors."""

SUPPORTERS: Final = 5
"""Maximum number of photos or boxes shown against a label."""

_JUDGED: Final = 500  # most recent judgements of a focal image that count
_STAGE: Final = Text("Checking tags")


class LabelErrorKind(Enum):
    """Kind of a label error."""

    TAG = "tag"
    JUDGEMENT = "judgement"


@dataclass(frozen=True)
class LabelError:
    """A tag or a judgement that is probably wrong."""

    kind: LabelErrorKind
    photo_id: int
    """The tagged photo, or the judged one; or a box (`catalog.facts.learning.items`)."""
    probability: float
    """That it is wrong, above `learners.tags.label_errors.LEAST`."""
    tag: str = ""
    """The tag; empty for a judgement."""
    instead: str | None = None
    """The likeliest other tag; None if there is none, and for a judgement."""
    focal_id: int | None = None
    """The focal image of a judgement."""
    verdict: Verdict | None = None
    """The judgement."""
    supporters: tuple[int, ...] = ()
    """Photos or boxes that contradict it, nearest first."""


def find_label_errors(library: Library, ranker: Ranker) -> Job[tuple[LabelError, ...]]:
    """Find tags and judgements that are probably wrong, without changing anything.

    A tag is compared with the confidences that are estimated without the photo's own tags
    (`learners.tags.label_errors.label_errors`), a judgement with the other judgements of the same focal image and with
    the tags of both photos (`judgement_errors`). Confirmed tags and judgements are not listed.

    Returns
    -------
    tuple of LabelError
        At most `MAX_LISTED`, likeliest errors first; empty without evidence of any error.

    Raises
    ------
    OperationError
        As for `Ranker.gallery`.
    """
    meter = Meter(_STAGE, 2)
    yield meter.state()
    # A metric that was trained on a wrong tag would agree with it, so the untrained one is used.
    gallery = ranker.gallery("euclidean")
    tags = yield from _tags(library, ranker, gallery)
    yield meter.advance(1)
    judgements = _judgements(library, gallery)
    yield meter.advance(1)
    found = sorted([*tags, *judgements], key=lambda one: (-one.probability, one.photo_id, one.tag, one.focal_id or 0))
    return tuple(found[:MAX_LISTED])


def correct(library: Library, one: LabelError) -> ChangeSet:
    """Replace a wrong tag by the likeliest other one, or reverse a wrong judgement. Journaled."""
    if one.photo_id < 0:
        return library.boxes.name(box_ids_of([one.photo_id]), one.instead)
    if one.kind is LabelErrorKind.TAG:
        return library.tags.change([one.photo_id], [one.instead] if one.instead else [], [one.tag])
    assert one.focal_id is not None
    other = Verdict.DISSIMILAR if one.verdict is Verdict.SIMILAR else Verdict.SIMILAR
    return library.judgements.set(one.focal_id, [one.photo_id], other)


def keep(library: Library, one: LabelError) -> ChangeSet:
    """Confirm a tag or judgement, so that it is not listed again. Journaled.

    The tag of a box is confirmed for its photo.
    """
    if one.photo_id < 0:
        boxes = library.boxes.get(box_ids_of([one.photo_id]))
        return library.confirmations.confirm_tag(boxes[0].photo_id, one.tag) if boxes else ChangeSet()
    if one.kind is LabelErrorKind.TAG:
        return library.confirmations.confirm_tag(one.photo_id, one.tag)
    assert one.focal_id is not None
    return library.confirmations.confirm_judgement(one.focal_id, one.photo_id)


def _tags(library: Library, ranker: Ranker, gallery: MetricGallery) -> Job[list[LabelError]]:
    try:
        annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    except NothingToLearnError:
        return []
    learned = yield from learn_tags(library, looks_for_tags(ranker, gallery), annotated)
    row = {photo_id: place for place, photo_id in enumerate(learned.ids.tolist())}
    column = {name: place for place, name in enumerate(learned.names)}
    confirmed = np.zeros(learned.tags.shape, dtype=bool)
    for photo_id, name in library.confirmations.tags():
        if photo_id in row and name in column:
            confirmed[row[photo_id], column[name]] = True
    estimated = learned.confidences(learned.ids, tagged=True).unless_foreign
    found = label_errors(
        estimated,
        np.zeros(len(estimated)),
        learned.tags.toarray(),
        exclusive=learned.confidence.exclusive_,
        confirmed=confirmed,
    )
    columns = (found.photo, found.tag, found.instead, found.probability)
    listed = list(zip(*(one[:MAX_LISTED].tolist() for one in columns), strict=True))
    proposed = [(int(learned.ids[photo]), instead) for photo, _, instead, _ in listed if instead >= 0]
    number = {name: place for place, name in enumerate(annotated.names)}
    pairs = [(photo_id, number[learned.names[instead]]) for photo_id, instead in proposed]
    supporters = find_supporters(gallery, annotated, pairs)
    errors = []
    for photo, tag, instead, probability in listed:
        photo_id = int(learned.ids[photo])
        other = learned.names[instead] if instead >= 0 else None
        near = () if other is None else supporters[photo_id, number[other]][:SUPPORTERS]
        errors.append(LabelError(LabelErrorKind.TAG, photo_id, probability, learned.names[tag], other, supporters=near))
    return errors


def _judgements(library: Library, gallery: MetricGallery) -> list[LabelError]:
    known = set(gallery.ids.tolist())
    by_focal: dict[int, list[Judgement]] = {}
    for one in library.judgements.all():
        if one.focal_id in known and one.other_id in known:
            by_focal.setdefault(one.focal_id, []).append(one)
    every: list[Judgement] = []
    relevance: list[float] = []
    for focal_id, judged in by_focal.items():
        judged = judged[-_JUDGED:]
        rows = gallery.rows_of(np.array([focal_id, *(one.other_id for one in judged)], np.int64))
        similar = [True, *(one.verdict is Verdict.SIMILAR for one in judged)]
        every += judged
        relevance += left_out_relevance(gallery.similarities(rows, rows), similar).tolist()
    if not every:
        return []
    ids = sorted({photo_id for one in every for photo_id in (one.focal_id, one.other_id)})
    names = {photo_id: set(given) for photo_id, given in library.tags.of(ids).items()}
    shared = [_shared(names.get(one.focal_id, set()), names.get(one.other_id, set())) for one in every]
    errors = judgement_errors(relevance, shared, [one.verdict is Verdict.SIMILAR for one in every])
    confirmed = library.confirmations.judgements()
    found: list[LabelError] = []
    for place in np.argsort(-errors, kind="stable"):
        one = every[place]
        if errors[place] <= MIN_PROBABILITY or len(found) >= MAX_LISTED:
            break
        if (one.focal_id, one.other_id) in confirmed:
            continue
        against = [two.other_id for two in by_focal[one.focal_id] if two.verdict is not one.verdict]
        supporters = _nearest(gallery, one.other_id, against)
        found.append(
            LabelError(
                LabelErrorKind.JUDGEMENT,
                one.other_id,
                float(errors[place]),
                focal_id=one.focal_id,
                verdict=one.verdict,
                supporters=supporters,
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
    return tuple(others[place] for place in np.argsort(-like, kind="stable")[:SUPPORTERS].tolist())
