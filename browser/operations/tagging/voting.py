"""What tags are suggested by: votes of neighbours and evidence from looks, learned from a person's own tags."""

from __future__ import annotations

import math
import weakref
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from browser.catalog.cache import CacheEntry
from browser.catalog.library import Library
from browser.operations.jobs.progress import Job, Progress
from browser.operations.jobs.thread import in_thread
from browser.operations.ranking.rank import MetricGallery
from browser.operations.ranking.space import coordinates
from browser.operations.tagging.out_of_fold import Again, read_again, unseen_neighbors
from browser.operations.tagging.voters import Voters
from learners.core.base import ProgressReport
from learners.core.feature_space import FeatureFamily
from learners.evaluation.out_of_fold import Neighbors
from learners.tags.annotation import TagPropagation, TagVotes
from learners.tags.tag_prop import WeightedTagPropagation
from learners.tags.tag_ridge import TagRidge

ENOUGH: Final = 50
"""Tagged photos from which weights and evidence are learned.

Of 12 and 25 Corel-5k photos of 15 themes hardly more is found with them, and the confidence is less true (mean gap to
the share that is right 0.12 instead of 0.09, and 0.07 instead of 0.06); of 50 they find 37 % of all tags instead of
34 %, of 100 44 % instead of 40 %, of 400 52 % instead of 50 %, with gaps of 0.03 to 0.04 either way.
"""

_LEARNING: Final = "Learning from your tags"
_FEWEST: Final = 5  # neighbours asked
# One in so many tagged photos is asked: a fixed number would be most of a small library. Learned weights take care of
# the far ones themselves.
_SHARE: Final = 20
_SHARE_WEIGHTED: Final = 5
_PLAIN_ROWS: Final = 500  # tagged photos on which plain votes are calibrated
_ROWS: Final = 1500  # tagged photos that weights and confidence are learned from
_VOTES: Final = 3_000_000  # neighbours times their tags, in all: a second or two
_RIDGE_ROWS: Final = 3000  # tagged photos that evidence is learned from: its time grows with the cube
_RIDGE_CELLS: Final = 12_000_000  # photos times tags: 100 MB


@dataclass(frozen=True)
class Voting:
    """How neighbours vote, and what looks say, once it is learned.

    Attributes
    ----------
    propagation : TagPropagation or WeightedTagPropagation
    ridge : TagRidge or None
        None: looks are not asked.
    taught : ndarray of int64
        Photos that the ridge was taught by, ascending.
    """

    propagation: TagPropagation | WeightedTagPropagation
    ridge: TagRidge | None
    taught: NDArray[np.int64]

    def propagate(
        self,
        neighbors: NDArray[np.intp],
        distances: NDArray[np.float32],
        voters: Voters,
        evidence: NDArray[np.float64] | None,
    ) -> TagVotes:
        """Let neighbours vote.

        No confidence is above the share of those for the tag among the neighbours that have been asked about it, by
        their weights. Votes alone do not see to that: what was learned from tagged photos may be as sure of 80 % of the
        votes as of all, and those that a person was shown and rejected are mostly without tags.

        Parameters
        ----------
        neighbors, distances
            As `learners.tags.tag_prop.WeightedTagPropagation.propagate` takes them.
        voters : Voters
        evidence : ndarray of float64, shape (q, m), or None
            What `evidence` gave.
        """
        if isinstance(self.propagation, TagPropagation):
            votes = self.propagation.propagate(neighbors, distances, voters.tags)
            sharpness = self.propagation.sharpness
        else:
            votes = self.propagation.propagate(
                neighbors, distances, voters.tags, rejected=voters.rejected, evidence=evidence
            )
            sharpness = float(self.propagation.theta_[0])
        if not voters.rejected.nnz:
            return votes
        return _contested(votes, _weights(neighbors, distances, sharpness, len(voters.ids)), voters)

    def evidence(self, library: Library, gallery: MetricGallery, ids: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """Return what the looks of photos say, (q, m); of a photo that taught the ridge, what the others say.

        Raises
        ------
        KeyError
            A photo is not described any more.
        """
        if self.ridge is None:
            return None
        found = self.ridge.scores(coordinates(library, gallery.loaded.space, ids))
        at = np.minimum(np.searchsorted(self.taught, ids), len(self.taught) - 1)
        own = self.taught[at] == ids
        found[own] = self.ridge.left_out_[at[own]]
        return found


def _weights(neighbors: NDArray[np.intp], distances: NDArray[np.float32], sharpness: float, n: int) -> sp.csr_array:
    """Return the weights (q, n) of neighbours, 1 for the nearest, that fall with relative distance."""
    there = neighbors >= 0
    far = np.where(there, distances, 0.0).astype(np.float64)
    near, farthest = far.min(axis=1, keepdims=True, initial=np.inf), far.max(axis=1, keepdims=True, initial=0.0)
    # A copy of the photo is at distance 0: the scale must not vanish with it.
    scale = np.where(farthest > 0, np.maximum(near, farthest / 20), 1.0)
    weights = np.exp(-sharpness * (far - near) / scale)
    photo = np.repeat(np.arange(len(neighbors)), there.sum(axis=1))
    return sp.csr_array((weights[there], (photo, neighbors[there])), shape=(len(neighbors), n))


def _contested(votes: TagVotes, weights: sp.csr_array, voters: Voters) -> TagVotes:
    """Return votes with no confidence above the share of those that are for the tag, of all asked about it."""
    photo = np.repeat(np.arange(votes.confidence.shape[0]), np.diff(votes.confidence.indptr))
    tag = votes.confidence.indices
    opposed = np.asarray(sp.csr_array(weights @ voters.rejected)[photo, tag]).ravel()
    named = np.flatnonzero(opposed > 0)
    supporting = np.asarray(sp.csr_array(weights @ voters.tags)[photo[named], tag[named]]).ravel()
    ceiling = np.ones(len(tag))
    ceiling[named] = supporting / (supporting + opposed[named])
    kept = np.minimum(1.0, ceiling / np.maximum(votes.confidence.data, np.finfo(np.float64).tiny))
    confidence, score = votes.confidence.copy(), votes.score.copy()
    confidence.data = confidence.data * kept
    score.data = score.data * kept
    return replace(votes, confidence=confidence, score=score)


_LAST: Final = CacheEntry[Voting]("how neighbours vote for tags")


def learn_voting(library: Library, gallery: MetricGallery, voters: Voters) -> Job[Voting]:
    """Learn from the tagged photos how to vote; what was learned last is kept until something changes.

    From `ENOUGH` tagged photos on, weights, a sigmoid for each tag and a cross-fitted confidence are learned
    (`learners.tags.tag_prop`), with the evidence of a ridge regression on the families of the metric's space
    (`learners.tags.tag_ridge`). Of fewer, only the confidence of plain votes is (`learners.tags.annotation`). Photos
    whose tags taught the metric lie nearer to their like than new ones will: the confidence is learned from neighbours
    under the metric as the others would have taught it (`browser.operations.tagging.out_of_fold`). Photos with nothing
    but rejections are asked too. Seeded samples bound the time.

    Yields
    ------
    Progress

    Returns
    -------
    Voting
    """
    stamp = (weakref.ref(gallery), voters.digest())  # the cache does not hold on to a gallery that nobody uses any more
    before = library.cache.get(_LAST, stamp)
    if before is not None:
        return before
    yield Progress(_LEARNING, 0)
    points, again = None, None
    try:
        points = coordinates(library, gallery.loaded.space, voters.ids)
        again = read_again(library, gallery.loaded, points)
    except KeyError:  # a scan found a file edited meanwhile: this time without what its coordinates are needed for
        points = None
    rows = np.ascontiguousarray(gallery.rows[voters.places])
    lessons = lessons_of(voters, rows, points, gallery.loaded.space.groups_, again)
    voting = yield from in_thread(_LEARNING, lessons.learn)
    library.cache.put(_LAST, stamp, voting)
    return voting


def lessons_of(
    voters: Voters,
    rows: NDArray[np.float32],
    points: NDArray[np.float32] | None,
    groups: tuple[FeatureFamily, ...],
    again: Again | None,
) -> Lessons:
    """Return what there is to learn from, with a seeded sample of the tagged photos to teach the ridge.

    Parameters
    ----------
    voters, rows, points, groups, again
        See `Lessons`.
    """
    sample = voters.tagged
    most = max(ENOUGH, min(_RIDGE_ROWS, _RIDGE_CELLS // max(len(voters.names), 1)))
    sample = _some(sample, most, np.random.default_rng(0))
    return Lessons(voters, rows, sample[np.argsort(voters.ids[sample])], points, groups, again)


@dataclass(frozen=True)
class Lessons:
    """What voting is learned from.

    Attributes
    ----------
    voters : Voters
    rows : ndarray of float32, shape (n, r)
        Of the voters, under the metric.
    sample : ndarray of intp, shape (s,)
        Voters who teach the ridge, by ascending id.
    points : ndarray of float32, shape (n, p), or None
        Coordinates of the voters; None: looks are not asked. Neither are they by fewer than `ENOUGH` tagged photos.
    groups : tuple of FeatureFamily
        Families of the coordinates.
    again : Again or None
        To teach the metric again; None: it was not taught by these photos.
    """

    voters: Voters
    rows: NDArray[np.float32]
    sample: NDArray[np.intp]
    points: NDArray[np.float32] | None
    groups: tuple[FeatureFamily, ...]
    again: Again | None

    def learn(self, report: ProgressReport) -> Voting:
        """Learn how to vote; `report` is called with the share done, and may raise to cancel."""
        voters, tagged = self.voters, self.voters.tagged
        nobody = np.empty(0, dtype=np.int64)
        report(0.0)
        # Those with nothing but rejections take no tagged photo's place among the neighbours.
        room = len(voters.ids) / len(tagged)
        if len(tagged) < ENOUGH:
            plain = TagPropagation()
            plain.set_params(k=math.ceil(room * np.clip(len(tagged) // _SHARE, _FEWEST, plain.k)))
            if len(tagged) > 1:
                near = self._neighbors(plain.k, _PLAIN_ROWS, report)
                plain.fit(near.neighbors, near.distances, voters.tags, near.rows, rejected=voters.rejected)
            return Voting(plain, None, nobody)
        weighted = WeightedTagPropagation()
        weighted.set_params(k=math.ceil(room * np.clip(len(tagged) // _SHARE_WEIGHTED, _FEWEST, weighted.k)))
        votes_each = weighted.k * voters.tags.nnz / len(tagged)
        near = self._neighbors(weighted.k, min(_ROWS, int(_VOTES / votes_each)), partial(_part, report, 0.0, 0.3))
        ridge, heard = None, None
        if self.points is not None:
            ridge = TagRidge(groups=self.groups, exact=_RIDGE_ROWS)
            ridge.fit(self.points[self.sample], voters.tags[self.sample], progress=partial(_part, report, 0.3, 0.8))
            heard = ridge.scores(self.points[near.rows])
            place = np.full(len(voters.ids), -1, dtype=np.intp)
            place[self.sample] = np.arange(len(self.sample))
            own = place[near.rows] >= 0
            heard[own] = ridge.left_out_[place[near.rows[own]]]
        weighted.fit(near.neighbors, near.distances, voters.tags, near.rows, rejected=voters.rejected, evidence=heard)
        return Voting(weighted, ridge, voters.ids[self.sample] if ridge is not None else nobody)

    def _neighbors(self, k: int, most: int, report: ProgressReport) -> Neighbors:
        """Return neighbours as photos have that did not teach the metric; tagged ones or refusing ones."""
        voters = self.voters
        if self.again is not None:
            return unseen_neighbors(self.again, voters, k, most, report)
        rows = _some(np.arange(len(voters.ids)), most, np.random.default_rng(0))
        found, distances = voters.gallery.rank_many(self.rows[rows], k, skip=rows)
        return Neighbors(rows, found, distances.astype(np.float64))


def _part(report: ProgressReport, start: float, stop: float, share: float) -> None:
    report(start + (stop - start) * share)


def _some(rows: NDArray[np.intp], most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    return rows if len(rows) <= most else np.sort(rng.choice(rows, max(most, ENOUGH), replace=False))
