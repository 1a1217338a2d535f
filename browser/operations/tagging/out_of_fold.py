"""Neighbours of tagged photos under metrics that these photos did not teach: what a confidence can be learned from."""

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
from browser.operations.ranking.gallery import LoadedMetric
from browser.operations.ranking.space import coordinates
from browser.operations.tagging.voters import Voters
from browser.operations.training.training_set import Taught, read_taught
from learners import LEARNERS
from learners.core.base import DistanceLearner, LearnerError, ProgressReport
from learners.core.side_information import SideInformation
from learners.galleries.exact import FloatGallery
from learners.galleries.row_gallery import Gallery, gallery_rows, row_gallery

_FOLDS: Final = 5
_FOLDS_OF_MANY: Final = 3
_MANY: Final = 500  # tagged photos from which one fold is enough
_TEACHERS: Final = 5000  # photos that a metric in closed form is taught by again
_TEACHERS_SLOW: Final = 300  # and any other: a second or a few
_PARTS_SLOW: Final = 2  # folds of these that are gone through


@dataclass(frozen=True)
class Neighbors:
    """Neighbours among the voters.

    Attributes
    ----------
    rows : ndarray of intp, shape (q,)
        Of the voters asked for, ascending.
    neighbors : ndarray of intp, shape (q, k)
        Rows of voters, nearest first; -1 where there are fewer.
    distances : ndarray of float64, shape (q, k)
    """

    rows: NDArray[np.intp]
    neighbors: NDArray[np.intp]
    distances: NDArray[np.float64]


@dataclass(frozen=True)
class Again:
    """What a metric is taught with again.

    Attributes
    ----------
    learner : DistanceLearner
        Its parameters count, not what it learned.
    taught : Taught
        What there is to learn from.
    coordinates : ndarray of float32, shape (t, p)
        Of the photos taught by.
    points : ndarray of float32, shape (n, p)
        Of the voters.
    tagged : int
        So many tagged photos taught the metric.
    quick : bool
        Whether it learns in closed form; of others fewer folds are gone through.
    """

    learner: DistanceLearner
    taught: Taught
    coordinates: NDArray[np.float32]
    points: NDArray[np.float32]
    tagged: int
    quick: bool = True


def read_again(library: Library, loaded: LoadedMetric, points: NDArray[np.float32]) -> Again | None:
    """Read what is needed to teach a metric without some photos; None where no tag taught it.

    A metric that is slow to learn is taught by `_TEACHERS_SLOW` photos: it finds less than the real one, and the
    confidence errs to the careful side.

    Parameters
    ----------
    library : Library
    loaded : LoadedMetric
    points : ndarray of float32, shape (n, p)
        Coordinates of the voters.

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
        taught = read_taught(library, loaded.space, min(most, type(loaded.learner).rows))
    except NothingToLearnError:
        return None
    return Again(
        loaded.learner, taught, coordinates(library, loaded.space, taught.ids), points, loaded.metric.tagged, quick
    )


def unseen_neighbors(again: Again, voters: Voters, k: int, most: int, report: ProgressReport) -> Neighbors:
    """Return the neighbours of voters under the metric as others would have taught it.

    The voters are dealt into folds. For each fold the metric learns from the photos of the others, at most as many
    tagged ones as had taught it, and these alone are neighbours, as tagged photos are for one that is not.

    Parameters
    ----------
    again : Again
    voters : Voters
    k : int
        Neighbours, at most.
    most : int
        Of the voters asked.
    report : callable
        Called with the share done, 0..1; raise in it to cancel.
    """
    n, rng = len(voters.ids), np.random.default_rng(0)
    folds = _FOLDS if n < _MANY else _FOLDS_OF_MANY
    parts = (folds if again.quick else _PARTS_SLOW) if n < _MANY else 1
    fold = rng.permutation(n) % folds
    found = []
    for number in range(min(parts, n)):
        asked = _some(np.flatnonzero(fold == number), -(-most // parts), rng)
        others = _some(np.flatnonzero(fold != number), _TEACHERS, rng)
        gallery: Gallery
        try:
            learner = _taught_without(again, voters.ids[fold == number], rng, partial(_share, report, number, parts))
            gallery = row_gallery(learner, gallery_rows(learner, again.points[others]))
            queries = gallery_rows(learner, again.points[asked])
        except LearnerError:  # too little is left to learn from: looks alone, then
            gallery, queries = FloatGallery(np.ascontiguousarray(again.points[others])), again.points[asked]
        nearest, distances = gallery.rank_many(queries, min(k, len(others)))
        short = ((0, 0), (0, k - nearest.shape[1]))
        neighbors = np.pad(np.where(nearest >= 0, others[nearest], -1), short, constant_values=-1)
        found.append((asked, neighbors, np.pad(distances.astype(np.float64), short, constant_values=np.inf)))
    rows, neighbors, far = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.argsort(rows)
    return Neighbors(rows[order], neighbors[order].astype(np.intp), far[order])


def _taught_without(
    again: Again, without: NDArray[np.int64], rng: np.random.Generator, report: ProgressReport
) -> DistanceLearner:
    """Teach the metric again by what is known of other photos than these; they stay, as photos nobody knows."""
    side, ids = again.taught.side, again.taught.ids
    out = np.isin(ids, without)
    tags = None
    if side.tags is not None:
        teachers = np.flatnonzero(~out & (np.diff(side.tags.indptr) > 0))
        teaching = np.zeros(len(ids))
        teaching[_some(teachers, again.tagged, rng)] = 1.0
        tags = sp.csr_array(sp.diags_array(teaching).tocsr() @ side.tags)
        tags.eliminate_zeros()
    similar, dissimilar = (pairs[~out[pairs].any(axis=1)] for pairs in (side.similar, side.dissimilar))
    learner: DistanceLearner = clone(again.learner)
    return learner.fit(again.coordinates, SideInformation(similar, dissimilar, tags), progress=report)


def _some(rows: NDArray[np.intp], most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    return rows if len(rows) <= most else np.sort(rng.choice(rows, most, replace=False))


def _share(report: ProgressReport, number: int, parts: int, share: float) -> None:
    report((number + share) / parts)
