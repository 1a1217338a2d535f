# SPDX-License-Identifier: MIT
"""Tags by the votes of the nearest tagged photos."""

from __future__ import annotations

from typing import Final, Literal, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.inputs.samples import as_samples
from focal_photos.learners.core.kernels import median_squared_distance
from focal_photos.learners.core.learner.base import ProgressReport, no_report
from focal_photos.learners.core.linalg import blocks, one_thread
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.tags.tag_ridge import TagScores, kinds_of, rows_of_kinds

_MAX_DISTANCE_RATIO: Final = 20.0
"""Distances are at least the farthest neighbour's divided by this, as a copy of a photo is at distance 0."""

_ROWS: Final = 1024


class TagVotes(Estimator):
    """Votes of the nearest tagged photos, with leave-one-out votes.

    The score of a tag is the weighted share of neighbours that carry it, among the photos with tags and the photos
    without tags for which the user rejected this one. Neighbour j, counted from 1, has the weight
    ``w_j = exp(-sharpness (d_j - d_1) / d_1)``, or ``w_j = 1 / log(1 + j)``.

    Parameters
    ----------
    k : int
        Maximum number of neighbours.
    sharpness : float
        Decay of a vote with distance, relative to the distance of the nearest neighbour; 0: equal weights.
    weights : {"distance", "rank"}
        Whether votes weigh less by distance or by rank; `sharpness` has no effect on ranks.

    Attributes
    ----------
    gallery_ : ndarray of float32, shape (n, d)
        Photos that vote.
    tags_, rejected_ : csr_array of float64, shape (n, m)
        Their tags and rejections, 0/1.
    gamma_ : float
        1 / median squared distance; the similarity of the nearest photo, `TagScores.nearest`, is
        ``exp(-gamma_ d_1^2)``.
    left_out_ : TagScores
        float32, leave-one-out votes for the n photos.
    kind_left_out_ : TagScores or None
        float32, votes for the n photos from photos that do not carry their tag, as for a kind that has not been tagged
        yet; see `learners.tags.tag_ridge.TagRidge`.

    Notes
    -----
    Weights relative to the nearest distance make the votes scale invariant, and decided by a copy of the photo if there
    is one. The source assigns the tags of the 1 to 5 nearest photos and gives no weights: ``k=5, sharpness=0``. With
    ``k=5, weights="rank"``, of two tags with one vote each, that of the nearer photo comes first.

    Cost of `fit`: 2 n^2 d; of scoring a photo: n d.

    References
    ----------
    .. [1] G.-J. Qi, X.-S. Hua, H.-J. Zhang, "Learning semantic distance from community-tagged media collection", ACM
       Multimedia 2009, section 4.5.
    .. [2] M. Guillaumin et al., "TagProp: discriminative metric learning in nearest neighbor models for image
       auto-annotation", ICCV 2009 (weighted votes).

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from focal_photos.learners.tags.tag_votes import TagVotes
    >>> X = np.array([[0.0], [0.2], [5.0]])
    >>> tags = sp.csr_array(np.array([[1, 1], [1, 0], [0, 1]]))  # sea, sky
    >>> TagVotes(sharpness=0, k=2).fit(X, tags).scores(np.array([[0.1]])).tags
    array([[1. , 0.5]])
    """

    gallery_: NDArray[np.float32]
    tags_: scipy.sparse.csr_array
    rejected_: scipy.sparse.csr_array
    gamma_: float
    left_out_: TagScores
    kind_left_out_: TagScores | None

    def __init__(self, k: int = 200, sharpness: float = 8.0, weights: Literal["distance", "rank"] = "distance") -> None:
        self.k = k
        self.sharpness = sharpness
        self.weights = weights

    def fit(
        self,
        X: ArrayLike,
        tags: scipy.sparse.csr_array,
        *,
        rejected: scipy.sparse.csr_array | None = None,
        progress: ProgressReport | None = None,
    ) -> Self:
        """Store the voting photos, and compute the leave-one-out votes.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
            Photos with tags or rejections.
        tags : csr_array, shape (n, m)
            Non-zero if photo i carries tag j.
        rejected : csr_array, shape (n, m), optional
            Non-zero if the user rejected tag j for photo i; used for photos without tags.
        progress : callable, optional
            Called with the share done, 0..1; may raise to cancel.

        Raises
        ------
        LearnerError
            If X is empty or not finite, shapes do not fit, or a parameter is invalid.
        """
        samples = np.ascontiguousarray(as_samples(X), dtype=np.float32)
        if self.k < 1 or not self.sharpness >= 0:
            raise LearnerError("k must be at least 1 and sharpness at least 0.")
        if self.weights not in ("distance", "rank"):
            raise LearnerError(f"weights must be 'distance' or 'rank', it is {self.weights!r}.")
        if tags.shape[0] != len(samples):
            raise LearnerError(f"The tags are of {tags.shape[0]} photos, the samples of {len(samples)}.")
        if rejected is not None and rejected.shape != tags.shape:
            raise LearnerError(f"tags and rejections differ in shape: {tags.shape} and {rejected.shape}.")
        report: ProgressReport = no_report if progress is None else progress
        report(0.0)
        carried = scipy.sparse.csr_array(tags != 0).astype(np.float64)
        refused = scipy.sparse.csr_array(carried.shape)
        if rejected is not None:
            refused = scipy.sparse.csr_array(rejected != 0).astype(np.float64)
        self.gallery_, self.tags_, self.rejected_ = samples, carried, refused
        self.gamma_ = float(1 / median_squared_distance(samples, 0))
        every = np.arange(len(samples))
        with one_thread():
            self.left_out_ = self._by_others(every, every, lambda done: report(done / 2))
            self.kind_left_out_ = self._without_kinds(lambda done: report(0.5 + done / 2))
        report(1.0)
        return self

    def scores(
        self,
        X: ArrayLike,
        shared: scipy.sparse.csr_array | None = None,  # noqa: ARG002 - as TagRidge
        codes: NDArray[np.uint8] | None = None,  # noqa: ARG002
    ) -> TagScores:
        """Return the votes for all tags.

        Parameters
        ----------
        X : array_like of float, shape (q, d)
        shared, codes : optional
            Ignored: votes depend on distance alone.

        Returns
        -------
        TagScores
            float64.

        Raises
        ------
        NotFittedError, LearnerError
        """
        if "gallery_" not in vars(self):
            raise NotFittedError("TagVotes is not fitted yet: call fit first.")
        samples = np.ascontiguousarray(as_samples(X, features=self.gallery_.shape[1]), dtype=np.float32)
        with one_thread():
            return self._votes(samples, np.arange(len(self.gallery_)), None, no_report)

    def _by_others(self, photos: NDArray[np.intp], voters: NDArray[np.intp], report: ProgressReport) -> TagScores:
        """Return the votes for some photos; if `voters` and `photos` are the same, no photo votes on itself."""
        itself = np.arange(len(voters)) if voters is photos else None
        found = self._votes(self.gallery_[photos], voters, itself, report)
        return TagScores(found.tags.astype(np.float32), found.nearest.astype(np.float32))

    def _without_kinds(self, report: ProgressReport) -> TagScores | None:
        kinds = kinds_of(self.tags_.toarray())
        if kinds is None:
            return None
        tags = np.full(self.tags_.shape, np.nan, dtype=np.float32)
        nearest = np.zeros(len(kinds), dtype=np.float32)
        done = 0
        for rows in rows_of_kinds(kinds):
            others = np.flatnonzero(kinds != kinds[rows[0]])
            tags[rows], nearest[rows], _ = self._by_others(rows, others, no_report)
            done += len(rows)
            report(done / len(kinds))
        return TagScores(tags, nearest)

    def _votes(
        self,
        points: NDArray[np.float32],
        voters: NDArray[np.intp],
        itself: NDArray[np.intp] | None,
        report: ProgressReport,
    ) -> TagScores:
        """Return the votes of some photos; `itself`: the index of each point among the voters."""
        found, nearest = np.zeros((len(points), self.tags_.shape[1])), np.zeros(len(points))
        if len(voters) <= (itself is not None):
            return TagScores(found, nearest)
        gallery = FloatGallery(self.gallery_[voters])
        carried, refused = self.tags_[voters], self.rejected_[voters]
        tagged = np.diff(carried.indptr) > 0
        # For a tagged photo, its tags count and its rejections do not.
        objections = scipy.sparse.csr_array(scipy.sparse.diags_array((~tagged).astype(np.float64)) @ refused)
        for part in blocks(len(points), _ROWS):
            rows, far = gallery.rank_many(points[part], self.k, skip=None if itself is None else itself[part])
            if self.weights == "rank":
                weights = np.broadcast_to(1 / np.log1p(np.arange(1.0, far.shape[1] + 1)), far.shape)
            else:
                weights = _weights(far.astype(np.float64), self.sharpness)
            photo = np.repeat(np.arange(len(rows)), rows.shape[1])
            weighed = scipy.sparse.csr_array((weights.ravel(), (photo, rows.ravel())), shape=(len(rows), len(voters)))
            heard = (weighed @ tagged.astype(np.float64))[:, None] + (weighed @ objections).toarray()
            found[part] = (weighed @ carried).toarray() / np.where(heard > 0, heard, 1.0)
            first = np.where(tagged[rows], far, np.inf).min(axis=1)
            nearest[part] = np.exp(-self.gamma_ * np.square(first, dtype=np.float64))
            report(part.stop / len(points))
        return TagScores(np.minimum(found, 1.0), nearest)


def _weights(far: NDArray[np.float64], sharpness: float) -> NDArray[np.float64]:
    """Return the weights of neighbours at distances (q, k), k >= 1, 1 for the nearest."""
    near, farthest = far.min(axis=1, keepdims=True), far.max(axis=1, keepdims=True)
    scale = np.where(farthest > 0, np.maximum(near, farthest / _MAX_DISTANCE_RATIO), 1.0)
    found: NDArray[np.float64] = np.exp(-sharpness * (far - near) / scale)
    return found
