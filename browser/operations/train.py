"""Learn a metric from what a person judged and tagged, and take it into use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from browser.catalog import clock
from browser.catalog.library import Library
from browser.catalog.records import Metric, Verdict
from browser.operations.descriptors import name_of
from browser.operations.errors import NothingToLearnError, OperationError
from browser.operations.gallery import drop_old_embeddings, embedding, load_metric
from browser.operations.parameters import checked
from browser.operations.progress import Job
from browser.operations.space import coordinates, described, prepare_space
from browser.operations.thread import in_thread
from learners import LEARNERS, create
from learners.base import DistanceLearner, ProgressReport
from learners.errors import LearnerError
from learners.feature_space import ColumnGroup, FeatureSpace
from learners.persistence import PersistenceError, save
from learners.side_information import SideInformation

STANDARD: Final = "kernel"
"""The learner of a person who has not chosen any."""

_NOTHING_TO_TRAIN: Final = ("euclidean",)


def trainable() -> dict[str, str]:
    """Return the learners that can be trained: name and title, in the order of the table of learners."""
    return {name: kind.title for name, kind in LEARNERS.items() if name not in _NOTHING_TO_TRAIN}


def same_again(library: Library) -> str:
    """Return the learner to train again: that of the current metric, or the standard one where nothing was learned."""
    learner = library.metrics.current().learner
    return learner if learner in trainable() else STANDARD


def train(
    library: Library,
    learner: str = STANDARD,
    *,
    parameters: Mapping[str, Any] | None = None,
    use_tags: bool = True,
    use_judgements: bool = True,
) -> Job[Metric]:
    """Learn a metric, embed all photos in it and make it the current one, in one step of the journal.

    The learner sees the judged and the tagged photos and a sample of all others; one that tells families of features
    apart is given those of the library's space. The file of the metric holds the feature space too, so that it means
    the same for ever. When this is cancelled or fails, nothing has changed.

    Parameters
    ----------
    library : Library
    learner : str
        Name in the table of learners.
    parameters : mapping, optional
        Of the learner, each of the kind of its default (see `browser.operations.parameters`).
    use_tags, use_judgements : bool
        What to learn from.

    Yields
    ------
    Progress

    Returns
    -------
    Metric

    Raises
    ------
    NothingToLearnError
        There are no judgements or tags among the indexed photos that the learner could use, or too much for it.
    NothingIndexedError
        No photo is indexed.
    OperationError
        There is no such learner or parameter, a value makes no sense, or the metric's file cannot be written.
    """
    if learner not in trainable():
        raise OperationError(f"There is nothing to train for {learner!r}: choose one of {', '.join(trainable())}.")
    estimator = create(learner, **checked(learner, parameters or {}))
    space = yield from prepare_space(library)
    if "groups" in estimator.get_params():
        estimator.set_params(groups=_families(space))
    ids, side, at, tagged = _side_information(library, space, type(estimator), use_tags, use_judgements)
    points = coordinates(library, space, ids)
    try:
        yield from in_thread("Learning", partial(_fit, estimator, points, side))
    except LearnerError as error:
        raise NothingToLearnError(str(error)) from error
    except (TypeError, ValueError, ArithmeticError, MemoryError) as error:
        if not parameters:
            raise
        # Numbers of the right kind that make no sense, and that the learner does not look at.
        given = ", ".join(f"{name}={value}" for name, value in parameters.items())
        raise OperationError(f"{estimator.title} cannot be trained with {given}: {error}") from error

    version = library.metrics.next_version(learner)
    file = f"{learner}-{version}.npz"
    library.metrics.folder.mkdir(parents=True, exist_ok=True)
    path = library.metrics.folder / file
    title = f"{LEARNERS[learner].title} (v{version})"
    judged = len(side.similar) + len(side.dissimilar)
    try:
        save(path, space=space, learner=estimator)
    except PersistenceError as error:
        raise OperationError(f"The metric cannot be kept: {error}") from error
    added = False
    try:
        draft = Metric(0, f"{learner}-{version}", title, learner, version, file, at, judged, tagged)
        yield from embedding(library, load_metric(library, draft))
        metric, _ = library.metrics.add(learner, title, file, version=version, at=at, judgements=judged, tagged=tagged)
        added = True
    finally:
        if not added:
            path.unlink(missing_ok=True)
    drop_old_embeddings(library)
    return metric


def _fit(
    estimator: DistanceLearner, points: NDArray[np.float32], side: SideInformation, report: ProgressReport
) -> None:
    estimator.fit(points, side, progress=report)


def _families(space: FeatureSpace) -> tuple[ColumnGroup, ...]:
    """Return the families of a space by the names of their descriptors; by their keys where two share a name."""
    names = [name_of(group.name) for group in space.groups_]
    return tuple(
        ColumnGroup(name if names.count(name) == 1 else group.name, group.start, group.stop, group.is_count)
        for name, group in zip(names, space.groups_, strict=True)
    )


def _side_information(
    library: Library, space: FeatureSpace, kind: type[DistanceLearner], use_tags: bool, use_judgements: bool
) -> tuple[NDArray[np.int64], SideInformation, datetime, int]:
    """Return the photos to learn from, what is known about them by row, when that was read, and how many are tagged."""
    at = clock.now()
    ids = np.sort(described(library, [group.name for group in space.groups]))
    if not kind.needs:
        nobody = np.empty(0, dtype=np.int64)
        return _choose(ids, nobody, nobody, kind.rows), SideInformation(), at, 0
    judgements = library.judgements.all() if use_judgements else []
    known = np.zeros(int(ids[-1]) + 1, dtype=bool)
    known[ids] = True
    pairs = [
        (judgement.focal_id, judgement.other_id, judgement.verdict)
        for judgement in judgements
        if max(judgement.focal_id, judgement.other_id) < len(known)
        and known[judgement.focal_id]
        and known[judgement.other_id]
    ]
    judged = np.unique(np.array([pair[:2] for pair in pairs], dtype=np.int64).reshape(-1))
    tagged = np.empty(0, dtype=np.int64)
    if use_tags:
        tagged = np.intersect1d(library.photos.ids("tagged"), ids, assume_unique=True)
    if not len(judged) and not len(tagged):
        raise NothingToLearnError("There is nothing to learn from yet: judge a few photos, or tag some.")
    chosen = _choose(ids, judged, tagged, kind.rows)
    tags = None
    if len(tagged):
        # A dog and a cat share the tag animal: they must not be taken for a dissimilar pair.
        matrix, _ = library.tags.matrix(chosen, with_ancestors=True)
        tags = sp.csr_array(matrix)
    side = SideInformation(_rows(chosen, pairs, Verdict.SIMILAR), _rows(chosen, pairs, Verdict.DISSIMILAR), tags)
    return chosen, side, at, len(side.tagged)


def _choose(
    ids: NDArray[np.int64], judged: NDArray[np.int64], tagged: NDArray[np.int64], most: int
) -> NDArray[np.int64]:
    """Return all judged photos, and a seeded sample of the tagged and then of the others, `most` photos in all."""
    rng = np.random.default_rng(0)
    chosen = judged
    for more in (tagged, ids):
        rest = np.setdiff1d(more, chosen, assume_unique=True)
        room = max(0, most - len(chosen))
        if len(rest) > room:
            rest = rng.choice(rest, room, replace=False)
        chosen = np.union1d(chosen, rest)
    return chosen


def _rows(chosen: NDArray[np.int64], pairs: Sequence[tuple[int, int, Verdict]], verdict: Verdict) -> NDArray[np.intp]:
    found = np.array([pair[:2] for pair in pairs if pair[2] is verdict], dtype=np.int64).reshape(-1, 2)
    return np.searchsorted(chosen, found).astype(np.intp)
