# SPDX-License-Identifier: MIT
"""Update the current metric after each judgement, if its learner supports it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import coordinates
from focal_photos.browser.operations.training.learner_table import AUTOMATIC
from focal_photos.browser.operations.training.training_set import rows_of
from focal_photos.learners import LEARNERS
from focal_photos.learners.core.arrays.distinct import distinct, together, without
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.learner.base import DistanceLearner, OnlineMixin, ProgressReport
from focal_photos.learners.core.learner.plugin_check import foreign_errors
from focal_photos.learners.core.side_information import SideInformation

MAX_PHOTOS: Final = 100_000
"""Number of photos above which metrics are not updated: the moved rows are held in memory."""

_SAMPLED_PHOTOS: Final = 500  # sample of other photos, some of which serve as counterparts of unpaired judgements
_BLOCK: Final = 2048  # photos embedded at once


@dataclass(frozen=True)
class NewJudgements:
    """Judgements newer than a metric: focal image, other photo, verdict; focal image, nearer and less near photo."""

    pairs: tuple[tuple[int, int, Verdict], ...] = ()
    relative: tuple[tuple[int, int, int], ...] = ()


def follows(metric: Metric | None) -> bool:
    """Return whether a metric may move with every judgement, because its learner updates incrementally.

    For a metric of Automatic, only its file tells the learner; `follow` reads it.
    """
    if metric is None or metric.file is None:
        return False
    kind = LEARNERS.get(metric.learner)
    return metric.learner == AUTOMATIC.name or (kind is not None and kind.follows_judgements)


def follow(library: Library, ranker: Ranker) -> Job[bool]:
    """Update the ranker's gallery of the current metric with the judgements made since its training.

    The metric and its file stay as trained. The moved gallery is computed from them and from all present judgements, so
    that withdrawing a judgement also withdraws its effect. Training always starts from all judgements.

    Returns
    -------
    bool
        Whether rankings may have changed.

    Raises
    ------
    OperationError
        As for `Ranker.gallery`.
    """
    stage = "Applying the judgement"
    yield Meter(stage).state()
    metric = library.metrics.current()
    if not follows(metric):
        return False
    trained = ranker.gallery(metric.name, as_trained=True)
    known = trained.loaded.learner
    if not isinstance(known, OnlineMixin) or not known.follows_judgements or len(trained.ids) > MAX_PHOTOS:
        return False
    new = _new_judgements(library, trained)
    if not (new.pairs or new.relative):
        return ranker.galleries.move(metric, None, None)
    if ranker.galleries.moved_by(metric, trained) == new:
        return False
    chosen, side = _side_information(trained, new)
    points = coordinates(library, trained.loaded.space, chosen)

    def learn(report: ProgressReport) -> DistanceLearner:
        known.prepare()  # reused by later judgements
        learner = deepcopy(known)
        with foreign_errors(known):
            learner.partial_fit(points, side, progress=report)
        return learner

    try:
        learner = yield from in_thread(stage, learn, keeps=False)
    except LearnerError:
        return ranker.galleries.move(metric, None, None)  # too little data
    loaded = replace(trained.loaded, learner=learner)
    meter = Meter(stage, len(trained.ids))
    rows = []
    for start in range(0, len(trained.ids), _BLOCK):
        yield meter.state()
        block = trained.ids[start : start + _BLOCK]
        rows.append(loaded.embed(coordinates(library, loaded.space, block)))
        yield meter.advance(len(block))
    joined = np.concatenate(rows)
    return ranker.galleries.move(
        metric, replace(trained, loaded=loaded, rows=joined, gallery=loaded.gallery(joined)), new
    )


def _new_judgements(library: Library, trained: MetricGallery) -> NewJudgements:
    """Return the judgements made after the training between described photos."""
    known, since = set(trained.ids.tolist()), trained.loaded.metric.at
    return NewJudgements(
        tuple(
            (one.focal_id, one.other_id, one.verdict)
            for one in library.judgements.all()
            if one.at > since and one.focal_id in known and one.other_id in known
        ),
        tuple(one for one in library.judged_relations.relative(since) if known.issuperset(one)),
    )


def _side_information(trained: MetricGallery, new: NewJudgements) -> tuple[NDArray[np.int64], SideInformation]:
    """Return the judged photos with a seeded sample of others, and the judgements by row."""
    numbers = [number for group in (*(pair[:2] for pair in new.pairs), *new.relative) for number in group]
    judged = distinct(np.array(numbers, dtype=np.int64))
    others = without(trained.ids, judged)
    if len(others) > _SAMPLED_PHOTOS:
        others = np.random.default_rng(0).choice(others, _SAMPLED_PHOTOS, replace=False)
    chosen = together(judged, others)

    similar, dissimilar = (
        rows_of(chosen, [pair[:2] for pair in new.pairs if pair[2] is verdict])
        for verdict in (Verdict.SIMILAR, Verdict.DISSIMILAR)
    )
    return chosen, SideInformation(similar, dissimilar, relative=rows_of(chosen, new.relative, 3))
