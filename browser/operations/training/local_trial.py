# SPDX-License-Identifier: MIT
"""Trial of local distances: compare them with another learner on a few photos with patches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.learner import LOCAL, PARAMETERS
from focal_photos.browser.operations.ranking.local.patches import patch_stores, with_patches
from focal_photos.browser.operations.training.evaluate import BASELINE, Material
from focal_photos.browser.operations.training.local_train import patch_keys
from focal_photos.browser.operations.workers.threads import thread_pool
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport, part_of
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.cross_validation import Measure, cross_validate, fitting_k
from focal_photos.learners.evaluation.protocols import make_protocol, restrict
from focal_photos.learners.evaluation.results import compare, compare_order
from focal_photos.learners.evaluation.selection import HeldOut, score, surely_gains
from focal_photos.learners.linear.euclidean import Euclidean
from focal_photos.learners.local.numbered import ComparedPatches, NumberedLocalDistances

_PHOTOS: Final = 120
"""Maximum number of photos used."""

_OF_A_TAG: Final = 12
"""Maximum number of photos of a tag, as long as other tags remain."""

_MIN_PHOTOS: Final = 24
"""Minimum number of photos; fewer give no result."""

_COMPARISONS: Final = 7_000_000_000
"""Maximum number of patch pairs compared: seven seconds on one core, shared by all cores."""


@dataclass(frozen=True, kw_only=True)
class LocalTrial(HeldOut):
    """Held-out result of local distances, compared with Euclidean distance."""

    wins: bool
    """Whether they significantly gain over the other learner and over Euclidean distance."""
    photos: int
    """Number of photos used, a sample of the training data."""


def try_local(
    library: Library, found: Material, rival: DistanceLearner, measure: Measure, *, rerank: bool
) -> Job[LocalTrial | None]:
    """Cross-validate local distances and another learner on the same few photos, without changing anything.

    At most 120 photos are used, and no more than one core can compare in seven seconds. The sample consists of whole
    tags drawn with a seed, first 12 photos of each and then more, or of focal images with the photos judged against
    them.

    Parameters
    ----------
    rival : DistanceLearner
        An unfitted learner.
    measure : "precision" or "order"
        As in `learners.evaluation.selection.select`.
    rerank : bool
        Whether rankings use shared neighbours.

    Returns
    -------
    LocalTrial or None
        None if patches are missing, or too few photos or data remain.
    """
    keys = patch_keys(library)
    if not keys:
        return None
    ids = found.training.ids
    try:
        known = np.isin(ids, with_patches(library, keys, ids))
        rows = _sample(found.training.side, known, measure)
        rows = np.sort(rows[_affordable(library, keys, ids[rows])])
        if len(rows) < _MIN_PHOTOS:
            return None
        side = restrict(found.training.side, rows)
        candidates = Candidates(library, keys, ids[rows])

        def compare_patches(report: ProgressReport) -> ComparedPatches:
            distances = []
            with thread_pool() as executor:
                for row in range(len(candidates)):
                    distances.append(candidates.distances(candidates.patches(row), executor=executor))
                    report((row + 1) / len(candidates))
            return ComparedPatches(distances)

        patches = yield from in_thread(Text("Comparing patches"), compare_patches, keeps=False)

        def work(report: ProgressReport) -> LocalTrial:
            return _tried(patches, found.points[rows], side, rival, measure, rerank, report)

        return (yield from in_thread(Text("Trying local distances"), work, keeps=False))
    except (LearnerError, OperationError):  # too little data about these photos, or photos were edited meanwhile
        return None


def _tried(
    patches: ComparedPatches,
    X: NDArray[np.float32],
    side: SideInformation,
    rival: DistanceLearner,
    measure: Measure,
    rerank: bool,
    report: ProgressReport,
) -> LocalTrial:
    n = len(patches)
    protocol = make_protocol(n, side, gallery="tagged")
    k = fitting_k(protocol, 10)
    local = NumberedLocalDistances(patches, **{name: PARAMETERS[name] for name in ("C", "K", "tolerance")})
    numbers = np.arange(n, dtype=np.float32)[:, None]
    ours = cross_validate({LOCAL: local}, numbers, protocol, k=k, only=(measure,), progress=part_of(report, 0.0, 0.7))[
        LOCAL
    ]
    others = {BASELINE: Euclidean(), "rival": rival}
    theirs = cross_validate(
        others, X, protocol, k=k, rerank=rerank, only=(measure,), progress=part_of(report, 0.7, 0.3)
    )
    if ours.reason:
        raise LearnerError(ours.reason)
    gains = [
        compare(ours, one, measure) if measure == "precision" else compare_order(ours, one, protocol)
        for one in theirs.values()
        if not one.reason
    ]
    if gains[0] is None:
        raise LearnerError(Text("These photos have nothing that local distances could be tested on."))
    return LocalTrial(
        measure,
        k,
        score(ours, measure),
        score(theirs[BASELINE], measure),
        *gains[0],
        protocol.queries if measure == "precision" else protocol.judgements,
        wins=all(surely_gains(gain) for gain in gains),
        photos=n,
    )


def _sample(side: SideInformation, known: NDArray[np.bool_], measure: Measure) -> NDArray[np.intp]:
    """Return rows of photos with patches, most important first: intp (m,)."""
    rng = np.random.default_rng(0)
    chosen: dict[int, None] = {}
    if measure == "order":
        feedback = side.absolute()
        judged = np.concatenate([feedback.similar, feedback.dissimilar])
        judged = judged[known[judged].all(axis=1)]
        focal, count = np.unique(judged[:, 0], return_counts=True)
        parts = [np.r_[one, judged[judged[:, 0] == one, 1]] for one in focal[np.argsort(-count, kind="stable")]]
    elif side.tags is None:
        parts = []
    else:
        by_tag = side.tags.tocsc()
        parts = [
            rng.permutation(own[known[own]]) for own in np.split(by_tag.indices, by_tag.indptr[1:-1]) if len(own) > 1
        ]
        parts = [parts[i] for i in rng.permutation(len(parts)).tolist()]
        parts = [*(own[:_OF_A_TAG] for own in parts), *(own[_OF_A_TAG:] for own in parts)]
    for part in parts:
        if len(chosen) >= _PHOTOS:
            break
        chosen.update(dict.fromkeys(part.tolist()))
    return np.array(list(chosen), np.intp)[:_PHOTOS]


def _affordable(library: Library, keys: tuple[str, ...], ids: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return a mask of the first photos whose mutual comparison is within the limit: bool (m,)."""
    counts = np.stack([store.counts(ids) for store in patch_stores(library, keys)])
    pairs = np.square(np.cumsum(counts, axis=1, dtype=np.float64)).sum(axis=0)
    return np.asarray((pairs <= _COMPARISONS) & counts.any(axis=0))
