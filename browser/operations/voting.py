"""What tags are suggested by: votes of neighbours and evidence from looks, learned from a person's own tags."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.operations.progress import Job
from browser.operations.rank import MetricGallery, Ranker
from browser.operations.space import coordinates
from browser.operations.thread import in_thread
from browser.operations.voters import Voters
from learners.annotation import TagPropagation, TagVotes
from learners.tag_prop import WeightedTagPropagation
from learners.tag_ridge import TagRidge

ENOUGH: Final = 50
"""Tagged photos from which weights and evidence are learned.

Of 12 and 25 Corel-5k photos of 15 themes hardly more is found with them, and the confidence is less true (mean gap to
the share that is right 0.12 instead of 0.09, and 0.07 instead of 0.06); of 50 they find 37 % of all tags instead of
34 %, of 100 44 % instead of 40 %, of 400 52 % instead of 50 %, with gaps of 0.03 to 0.04 either way.
"""

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
            As `learners.tag_prop.WeightedTagPropagation.propagate` takes them.
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


_kept: weakref.WeakKeyDictionary[Ranker, tuple[weakref.ref[MetricGallery], bytes, Voting]] = weakref.WeakKeyDictionary()


def learn_voting(library: Library, ranker: Ranker, gallery: MetricGallery, voters: Voters) -> Job[Voting]:
    """Learn from the tagged photos how to vote; what was learned last is kept with the ranker until something changes.

    From `ENOUGH` tagged photos on, weights, a sigmoid for each tag and a cross-fitted confidence are learned
    (`learners.tag_prop`), with the evidence of a ridge regression on the metric's coordinates (`learners.tag_ridge`).
    Of fewer, only the confidence of plain votes is (`learners.annotation`). Seeded samples bound the time.

    Yields
    ------
    Progress

    Returns
    -------
    Voting
    """
    digest = voters.digest()
    before = _kept.get(ranker)
    if before is not None and before[0]() is gallery and before[1] == digest:
        return before[2]
    tagged, rng = voters.tagged, np.random.default_rng(0)
    sample, points = tagged[:0], None
    if len(tagged) >= ENOUGH:
        most = max(ENOUGH, min(_RIDGE_ROWS, _RIDGE_CELLS // len(voters.names)))
        sample = tagged if len(tagged) <= most else np.sort(rng.choice(tagged, most, replace=False))
        sample = sample[np.argsort(voters.ids[sample])]
        try:
            points = coordinates(library, gallery.loaded.space, voters.ids[sample])
        except KeyError:  # a scan found a file edited meanwhile: this time without evidence
            sample = tagged[:0]
    voting = yield from in_thread("Learning from your tags", partial(_learn, gallery.rows, voters, sample, points))
    _kept[ranker] = (weakref.ref(gallery), digest, voting)
    return voting


def _learn(
    rows_of_all: NDArray[np.float32],
    voters: Voters,
    sample: NDArray[np.intp],
    points: NDArray[np.float32] | None,
    report: Callable[[float], None],
) -> Voting:
    tagged, rng = voters.tagged, np.random.default_rng(0)
    nobody = np.empty(0, dtype=np.int64)
    # Those with nothing but rejections take no tagged photo's place among the neighbours.
    room = len(voters.ids) / len(tagged)
    if len(tagged) < ENOUGH:
        plain = TagPropagation()
        plain.set_params(k=math.ceil(room * np.clip(len(tagged) // _SHARE, _FEWEST, plain.k)))
        if len(tagged) > 1:
            rows = _some(tagged, _PLAIN_ROWS, rng)
            plain.fit(
                *voters.gallery.rank_many(rows_of_all[voters.places[rows]], plain.k, skip=rows), voters.tags, rows
            )
        return Voting(plain, None, nobody)
    weighted = WeightedTagPropagation()
    weighted.set_params(k=math.ceil(room * np.clip(len(tagged) // _SHARE_WEIGHTED, _FEWEST, weighted.k)))
    ridge, heard = None, None
    report(0.0)
    if points is not None:
        ridge = TagRidge(exact=_RIDGE_ROWS).fit(points, voters.tags[sample])
    report(0.5)
    votes_each = weighted.k * voters.tags.nnz / len(tagged)
    place = _some(np.arange(len(sample) if ridge else len(tagged)), min(_ROWS, int(_VOTES / votes_each)), rng)
    rows = (sample if ridge else tagged)[place]
    if ridge is not None:
        heard = ridge.left_out_[place]
    neighbors, distances = voters.gallery.rank_many(rows_of_all[voters.places[rows]], weighted.k, skip=rows)
    report(0.7)
    weighted.fit(neighbors, distances, voters.tags, rows, rejected=voters.rejected, evidence=heard)
    return Voting(weighted, ridge, voters.ids[sample] if ridge is not None else nobody)


def _some(rows: NDArray[np.intp], most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    return rows if len(rows) <= most else np.sort(rng.choice(rows, max(most, ENOUGH), replace=False))
