"""Learn from a person's own tags and rejections how neighbours vote for tags."""

from __future__ import annotations

import math
import weakref
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from browser.catalog.cache import CacheEntry
from browser.catalog.library import Library
from browser.operations.jobs.progress import Job, Progress
from browser.operations.jobs.thread import in_thread
from browser.operations.ranking.gallery import MetricGallery
from browser.operations.ranking.space import coordinates
from browser.operations.tagging.annotated import AnnotatedPhotos
from browser.operations.tagging.out_of_fold import Relearning, neighbors_out_of_fold, read_relearning
from browser.operations.tagging.voting import Voting
from learners.core.base import ProgressReport
from learners.core.feature_space import FeatureFamily
from learners.evaluation.out_of_fold import Neighbors
from learners.tags.tag_propagation import TagPropagation
from learners.tags.tag_ridge import TagRidge
from learners.tags.weighted_tag_propagation import WeightedTagPropagation

ENOUGH: Final = 50
"""Number of tagged photos from which weights and evidence are learned.

Of 12 and 25 Corel-5k photos of 15 themes hardly more is found with them, and the confidence is less true (mean gap to
the share that is right 0.12 instead of 0.09, and 0.07 instead of 0.06); of 50 they find 37 % of all tags instead of
34 %, of 100 44 % instead of 40 %, of 400 52 % instead of 50 %, with gaps of 0.03 to 0.04 either way.
"""

_LEARNING: Final = "Learning from your tags"
_FEWEST: Final = 5  # neighbours that vote
# One in 20 tagged photos votes: a fixed number would be most of a small library. With learned weights, which take care
# of the far ones themselves, one in 5.
_SHARE: Final = 20
_SHARE_WEIGHTED: Final = 5
_PLAIN_ROWS: Final = 500  # tagged photos on which plain votes are calibrated
_ROWS: Final = 1500  # tagged photos that weights and confidence are learned from
_VOTES: Final = 3_000_000  # neighbours times their tags, in all: a second or two
_RIDGE_ROWS: Final = 3000  # tagged photos that evidence is learned from: its time grows with the cube
_RIDGE_CELLS: Final = 12_000_000  # photos times tags: 100 MB


_LEARNED: Final = CacheEntry[Voting]("how neighbours vote for tags")


def learn_voting(library: Library, gallery: MetricGallery, annotated: AnnotatedPhotos) -> Job[Voting]:
    """Learn from the tagged photos how to vote; what was learned last is kept until something changes.

    From `ENOUGH` tagged photos on, weights, a sigmoid for each tag and a cross-fitted confidence are learned
    (`learners.tags.weighted_tag_propagation`), with the evidence of a ridge regression on the families of the metric's
    space (`learners.tags.tag_ridge`). Of fewer, only the confidence of plain votes is
    (`learners.tags.tag_propagation`). Photos that the metric was trained on lie nearer to their like than new ones
    will: the confidence is learned from
    neighbours out of fold (`browser.operations.tagging.out_of_fold`). Photos with nothing but rejections vote too.
    Seeded samples bound the time.

    Yields
    ------
    Progress

    Returns
    -------
    Voting
    """
    # By a weak reference the cache does not hold on to a gallery that nobody uses any more.
    stamp = (weakref.ref(gallery), annotated.digest())
    before = library.cache.get(_LEARNED, stamp)
    if before is not None:
        return before
    yield Progress(_LEARNING, 0)
    points, relearning = None, None
    try:
        points = coordinates(library, gallery.loaded.space, annotated.ids)
        relearning = read_relearning(library, gallery.loaded, points)
    except KeyError:  # a scan found a file edited meanwhile: this time without what its coordinates are needed for
        points = None
    rows = np.ascontiguousarray(gallery.rows[annotated.places])
    training_set = voting_training_set(annotated, rows, points, gallery.loaded.space.families_, relearning)
    voting = yield from in_thread(_LEARNING, training_set.learn)
    library.cache.put(_LEARNED, stamp, voting)
    return voting


def voting_training_set(
    annotated: AnnotatedPhotos,
    rows: NDArray[np.float32],
    points: NDArray[np.float32] | None,
    families: tuple[FeatureFamily, ...],
    relearning: Relearning | None,
) -> VotingTrainingSet:
    """Return what voting is learned from, with a seeded sample of the tagged photos to train the ridge on.

    Parameters
    ----------
    annotated, rows, points, families, relearning
        See `VotingTrainingSet`.
    """
    sample = annotated.tagged
    most = max(ENOUGH, min(_RIDGE_ROWS, _RIDGE_CELLS // max(len(annotated.names), 1)))
    sample = _some(sample, most, np.random.default_rng(0))
    return VotingTrainingSet(annotated, rows, sample[np.argsort(annotated.ids[sample])], points, families, relearning)


@dataclass(frozen=True)
class VotingTrainingSet:
    """What voting is learned from.

    Attributes
    ----------
    annotated : AnnotatedPhotos
    rows : ndarray of float32, shape (n, r)
        Of the annotated photos, under the metric.
    sample : ndarray of intp, shape (s,)
        Rows of the photos that the ridge is trained on, by ascending id.
    points : ndarray of float32, shape (n, p), or None
        Coordinates of the annotated photos; None: no evidence is learned. Neither is it from fewer than `ENOUGH`
        tagged photos.
    families : tuple of FeatureFamily
        Families of the coordinates.
    relearning : Relearning or None
        To train the metric again for each fold; None: it was not trained on tags.
    """

    annotated: AnnotatedPhotos
    rows: NDArray[np.float32]
    sample: NDArray[np.intp]
    points: NDArray[np.float32] | None
    families: tuple[FeatureFamily, ...]
    relearning: Relearning | None

    def learn(self, report: ProgressReport) -> Voting:
        """Learn how to vote; `report` is called with the share done, 0..1, and may raise to cancel."""
        report(0.0)
        return self._learn_plain(report) if len(self.annotated.tagged) < ENOUGH else self._learn_weighted(report)

    def _learn_plain(self, report: ProgressReport) -> Voting:
        """Learn the confidence of plain votes."""
        annotated = self.annotated
        plain = TagPropagation()
        plain.set_params(k=self._most_votes(_SHARE, plain.k))
        if len(annotated.tagged) > 1:
            near = self._neighbors(plain.k, _PLAIN_ROWS, report)
            plain.fit(near.neighbors, near.distances, annotated.tags, near.rows, rejected=annotated.rejected)
        return Voting(plain, None, np.empty(0, dtype=np.int64))

    def _learn_weighted(self, report: ProgressReport) -> Voting:
        """Learn weights, sigmoids and confidence, and evidence where there are coordinates."""
        annotated = self.annotated
        weighted = WeightedTagPropagation()
        weighted.set_params(k=self._most_votes(_SHARE_WEIGHTED, weighted.k))
        votes_each = weighted.k * annotated.tags.nnz / len(annotated.tagged)
        near = self._neighbors(weighted.k, min(_ROWS, int(_VOTES / votes_each)), partial(_part, report, 0.0, 0.3))
        ridge, evidence, ridge_ids = None, None, np.empty(0, dtype=np.int64)
        if self.points is not None:
            ridge, ridge_ids = TagRidge(families=self.families, exact=_RIDGE_ROWS), annotated.ids[self.sample]
            ridge.fit(self.points[self.sample], annotated.tags[self.sample], progress=partial(_part, report, 0.3, 0.8))
            evidence = ridge.scores(self.points[near.rows])
            place = np.full(len(annotated.ids), -1, dtype=np.intp)
            place[self.sample] = np.arange(len(self.sample))
            own = place[near.rows] >= 0
            evidence[own] = ridge.left_out_[place[near.rows[own]]]
        weighted.fit(
            near.neighbors, near.distances, annotated.tags, near.rows, rejected=annotated.rejected, evidence=evidence
        )
        return Voting(weighted, ridge, ridge_ids)

    def _most_votes(self, share: int, most: int) -> int:
        """Return how many neighbours vote; photos with nothing but rejections take no tagged one's place among them."""
        tagged = len(self.annotated.tagged)
        return math.ceil(len(self.annotated.ids) / tagged * float(np.clip(tagged // share, _FEWEST, most)))

    def _neighbors(self, k: int, most: int, report: ProgressReport) -> Neighbors:
        """Return neighbours of at most `most` photos, out of fold where the metric was trained on tags."""
        annotated = self.annotated
        if self.relearning is not None:
            return neighbors_out_of_fold(self.relearning, annotated, k, most, report)
        rows = _some(np.arange(len(annotated.ids)), most, np.random.default_rng(0))
        found, distances = annotated.gallery.rank_many(self.rows[rows], k, skip=rows)
        return Neighbors(rows, found, distances.astype(np.float64))


def _part(report: ProgressReport, start: float, stop: float, share: float) -> None:
    report(start + (stop - start) * share)


def _some(rows: NDArray[np.intp], most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    return rows if len(rows) <= most else np.sort(rng.choice(rows, max(most, ENOUGH), replace=False))
