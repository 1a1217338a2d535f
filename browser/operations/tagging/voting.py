"""How neighbours vote for tags, and what the appearance of a photo adds as evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.operations.ranking.gallery import MetricGallery
from browser.operations.ranking.space import coordinates
from browser.operations.tagging.annotated import AnnotatedPhotos
from learners.tags.tag_propagation import TagPropagation, TagVotes
from learners.tags.tag_ridge import TagRidge
from learners.tags.weighted_tag_propagation import WeightedTagPropagation


@dataclass(frozen=True)
class Voting:
    """How neighbours vote for tags, and what evidence their appearance gives, once it is learned.

    Attributes
    ----------
    propagation : TagPropagation or WeightedTagPropagation
    ridge : TagRidge or None
        Regression of tags on coordinates; None: no evidence is taken.
    ridge_ids : ndarray of int64, shape (s,)
        Photos that the ridge was trained on, ascending.
    """

    propagation: TagPropagation | WeightedTagPropagation
    ridge: TagRidge | None
    ridge_ids: NDArray[np.int64]

    def propagate(
        self,
        neighbors: NDArray[np.intp],
        distances: NDArray[np.float32],
        annotated: AnnotatedPhotos,
        evidence: NDArray[np.float64] | None,
    ) -> TagVotes:
        """Let neighbours vote.

        No confidence is above the share of the neighbours that carry the tag among those that carry it or had it
        rejected, by their weights. Votes alone do not see to that: what was learned from tagged photos may be as sure
        of 80 % of the votes as of all, and those that a person was shown and rejected are mostly without tags.

        Parameters
        ----------
        neighbors, distances
            As `learners.tags.weighted_tag_propagation.WeightedTagPropagation.propagate` takes them.
        annotated : AnnotatedPhotos
        evidence : ndarray of float64, shape (q, m), or None
            What `evidence` gave.
        """
        if isinstance(self.propagation, TagPropagation):
            votes = self.propagation.propagate(neighbors, distances, annotated.tags)
            sharpness = self.propagation.sharpness
        else:
            votes = self.propagation.propagate(
                neighbors, distances, annotated.tags, rejected=annotated.rejected, evidence=evidence
            )
            sharpness = float(self.propagation.theta_[0])
        if not annotated.rejected.nnz:
            return votes
        return _contested(votes, _weights(neighbors, distances, sharpness, len(annotated.ids)), annotated)

    def evidence(self, library: Library, gallery: MetricGallery, ids: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """Return the evidence of photos (q,) for tags, float64 (q, m); None without a ridge.

        That of a photo that the ridge was trained on is its leave-one-out score.

        Raises
        ------
        KeyError
            A photo is not described any more.
        """
        if self.ridge is None:
            return None
        found = self.ridge.scores(coordinates(library, gallery.loaded.space, ids))
        at = np.minimum(np.searchsorted(self.ridge_ids, ids), len(self.ridge_ids) - 1)
        own = self.ridge_ids[at] == ids
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


def _contested(votes: TagVotes, weights: sp.csr_array, annotated: AnnotatedPhotos) -> TagVotes:
    """Return votes with no confidence above the weighted share of carriers among carriers and rejections."""
    photo = np.repeat(np.arange(votes.confidence.shape[0]), np.diff(votes.confidence.indptr))
    tag = votes.confidence.indices
    opposed = np.asarray(sp.csr_array(weights @ annotated.rejected)[photo, tag]).ravel()
    named = np.flatnonzero(opposed > 0)
    supporting = np.asarray(sp.csr_array(weights @ annotated.tags)[photo[named], tag[named]]).ravel()
    ceiling = np.ones(len(tag))
    ceiling[named] = supporting / (supporting + opposed[named])
    kept = np.minimum(1.0, ceiling / np.maximum(votes.confidence.data, np.finfo(np.float64).tiny))
    confidence, score = votes.confidence.copy(), votes.score.copy()
    confidence.data = confidence.data * kept
    score.data = score.data * kept
    return replace(votes, confidence=confidence, score=score)
