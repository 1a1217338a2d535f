"""Out-of-fold neighbours: of photos under metrics that were not trained on them, to calibrate a confidence on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone

from browser.catalog.library import Library
from browser.operations.jobs.errors import NothingToLearnError
from browser.operations.ranking.loaded_metric import LoadedMetric
from browser.operations.ranking.space import coordinates
from browser.operations.tagging.annotated import AnnotatedPhotos
from browser.operations.training.training_set import TrainingSet, read_training_set
from learners import LEARNERS
from learners.core.base import DistanceLearner, LearnerError, ProgressReport
from learners.core.side_information import SideInformation
from learners.evaluation.out_of_fold import HeldOut, Neighbors, out_of_fold_neighbors, some_of
from learners.galleries.float_gallery import FloatGallery
from learners.galleries.row_gallery import Gallery, gallery_rows, row_gallery

_FOLDS: Final = 5
_FOLDS_OF_MANY: Final = 3
_MANY: Final = 500  # tagged photos from which one fold is enough
_TEACHERS: Final = 5000  # photos that a metric in closed form is trained on again
_TEACHERS_SLOW: Final = 300  # and any other: a second or a few
_PARTS_SLOW: Final = 2  # folds of these that are gone through


@dataclass(frozen=True)
class Relearning:
    """What a metric is trained on again with, for each fold.

    Attributes
    ----------
    learner : DistanceLearner
        Its parameters count, not what it learned.
    taught : TrainingSet
        What there is to learn from.
    coordinates : ndarray of float32, shape (t, p)
        Of the photos of `taught`.
    points : ndarray of float32, shape (n, p)
        Of the annotated photos.
    tagged : int
        Number of tagged photos that the metric was trained on.
    quick : bool
        Whether it learns in closed form; of others fewer folds are gone through.
    """

    learner: DistanceLearner
    taught: TrainingSet
    coordinates: NDArray[np.float32]
    points: NDArray[np.float32]
    tagged: int
    quick: bool = True


def read_relearning(library: Library, loaded: LoadedMetric, points: NDArray[np.float32]) -> Relearning | None:
    """Read what is needed to train a metric without some photos; None where it was not trained on tags.

    A metric that is slow to learn is trained on `_TEACHERS_SLOW` photos: it finds less than the real one, and the
    confidence errs to the careful side.

    Parameters
    ----------
    library : Library
    loaded : LoadedMetric
    points : ndarray of float32, shape (n, p)
        Coordinates of the annotated photos.

    Raises
    ------
    KeyError
        A photo is not described any more.
    """
    if loaded.learner is None or loaded.metric.learner not in LEARNERS or not loaded.metric.tagged:
        return None
    quick = loaded.learner.is_quick
    most = _TEACHERS if quick else _TEACHERS_SLOW
    try:
        taught = read_training_set(library, loaded.space, min(most, type(loaded.learner).rows))
    except NothingToLearnError:
        return None
    return Relearning(
        loaded.learner, taught, coordinates(library, loaded.space, taught.ids), points, loaded.metric.tagged, quick
    )


def neighbors_out_of_fold(
    relearning: Relearning, annotated: AnnotatedPhotos, k: int, most: int, report: ProgressReport
) -> Neighbors:
    """Return neighbours of annotated photos under the metric as trained without them.

    The photos are dealt into folds. For each fold the metric is trained on the photos of the others, on no more tagged
    ones than at first, and these alone are neighbours, as tagged photos are for one without tags.

    Parameters
    ----------
    relearning : Relearning
    annotated : AnnotatedPhotos
    k : int
        Neighbours of each photo, at most.
    most : int
        Photos whose neighbours are found, at most.
    report : callable
        Called with the share done, 0..1; raise in it to cancel.
    """
    n = len(annotated.ids)
    folds = _FOLDS if n < _MANY else _FOLDS_OF_MANY
    parts = (folds if relearning.quick else _PARTS_SLOW) if n < _MANY else 1

    def learn(fold: HeldOut, rng: np.random.Generator) -> tuple[Gallery, NDArray[np.float32]]:
        share = partial(_share, report, fold.number, parts)
        try:
            learner = _trained_without(relearning, annotated.ids[fold.rows], rng, share)
            gallery = row_gallery(learner, gallery_rows(learner, relearning.points[fold.others]))
            return gallery, gallery_rows(learner, relearning.points[fold.asked])
        except LearnerError:  # too little is left to learn from: their appearance alone, then
            return FloatGallery(np.ascontiguousarray(relearning.points[fold.others])), relearning.points[fold.asked]

    return out_of_fold_neighbors(learn, n, k, folds=folds, parts=parts, most_asked=most, most_others=_TEACHERS)


def _trained_without(
    relearning: Relearning, without: NDArray[np.int64], rng: np.random.Generator, report: ProgressReport
) -> DistanceLearner:
    """Train the metric again without what is known of some photos; they stay, as photos of which nothing is known."""
    side, ids = relearning.taught.side, relearning.taught.ids
    out = np.isin(ids, without)
    tags = None
    if side.tags is not None:
        teachers = np.flatnonzero(~out & (np.diff(side.tags.indptr) > 0))
        teaching = np.zeros(len(ids))
        teaching[some_of(teachers, relearning.tagged, rng)] = 1.0
        tags = sp.csr_array(sp.diags_array(teaching).tocsr() @ side.tags)
        tags.eliminate_zeros()
    similar, dissimilar = (pairs[~out[pairs].any(axis=1)] for pairs in (side.similar, side.dissimilar))
    learner: DistanceLearner = clone(relearning.learner)
    return learner.fit(relearning.coordinates, SideInformation(similar, dissimilar, tags), progress=report)


def _share(report: ProgressReport, number: int, parts: int, share: float) -> None:
    report((number + share) / parts)
