"""Tags for an untagged photo from its nearest tagged neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from learners.core.errors import LearnerError
from learners.core.logistic import calibrate, platt_targets, sigmoid

_FAINT = 1e-3  # a share of votes below this says as little as this
_START = np.array([1.0, 0.0, 0.0, 0.0])  # odds equal to the share of votes
_RISING = np.array([True, True, False, False])


@dataclass(frozen=True)
class TagVotes:
    """What the neighbours of q photos say about m tags.

    Attributes
    ----------
    confidence : scipy.sparse.csr_array of float64, shape (q, m)
        In 0..1; stored only where at least one neighbour voted for the tag.
    score : scipy.sparse.csr_array of float64, shape (q, m)
        What the best tags of a photo are chosen by: confidence, weighed up for rare tags. Same places as
        `confidence`.
    neighbors : ndarray of intp, shape (q, k)
        Rows of the tagged photos asked, nearest first; -1: none.
    tags : scipy.sparse.csr_array of float64, shape (n, m)
        Their tags.
    """

    confidence: sp.csr_array
    score: sp.csr_array
    neighbors: NDArray[np.intp]
    tags: sp.csr_array

    def top(
        self, per_photo: int = 5, *, minimum: float = 0.0, exclude: sp.csr_array | None = None
    ) -> list[list[tuple[int, float]]]:
        """Return the best tags of every photo.

        Parameters
        ----------
        per_photo : int
            Largest number of tags of a photo.
        minimum : float
            Smallest confidence.
        exclude : csr_array, shape (q, m), optional
            Non-zero where a tag must not be suggested: the photo has it, or it was rejected.

        Returns
        -------
        list of list of (int, float)
            For every photo the chosen tags and their confidence, the most confident first.
        """
        chosen = []
        for i in range(self.confidence.shape[0]):
            part = slice(self.confidence.indptr[i], self.confidence.indptr[i + 1])
            tag, confidence = self.confidence.indices[part], self.confidence.data[part]
            kept = confidence >= minimum
            if exclude is not None:
                kept &= ~np.isin(tag, exclude.indices[exclude.indptr[i] : exclude.indptr[i + 1]])
            tag, confidence, score = tag[kept], confidence[kept], self.score.data[part][kept]
            best = np.lexsort((tag, -score))[:per_photo]
            best = best[np.lexsort((tag[best], -confidence[best]))]
            chosen.append([(int(t), float(c)) for t, c in zip(tag[best], confidence[best], strict=True)])
        return chosen

    def witnesses(self, i: int, tag: int) -> NDArray[np.intp]:
        """Return the rows, intp (v,), of the neighbours of photo i that voted for a tag, nearest first."""
        rows = self.neighbors[i]
        rows = rows[rows >= 0]
        carries = self.tags[rows][:, [tag]].toarray().ravel() != 0
        voted: NDArray[np.intp] = rows[carries]
        return voted


class TagPropagation(BaseEstimator):
    """Votes of the nearest tagged photos, turned into calibrated confidence.

    Neighbour j of a photo has weight ``w_j = exp(-sharpness (d_j - d_1) / d_1)``, and the vote for a tag is the
    share of the weights of the neighbours that carry it. Without `fit` that share is the confidence. `fit` looks at
    photos whose tags are known, and learns how often a tag with such a share, and of such frequency, was right.

    Parameters
    ----------
    k : int
        Neighbours asked, at most.
    sharpness : float
        How fast a vote loses weight with distance, relative to the nearest neighbour's; 0: all count the same.
    rarity : float
        The best tags are chosen by ``confidence / count^rarity``: 0 prefers what is most likely right, and with it the
        few tags that are everywhere; larger values find more of the rare ones.

    Attributes
    ----------
    coefficients_ : ndarray of float64, shape (4,)
        After `fit`: confidence = ``sigmoid(c_0 log share + c_1 share + c_2 log frequency + c_3)``, where frequency is
        the share of tagged photos with the tag. c_0, c_1 >= 0: more votes never mean less confidence.

    Notes
    -----
    Weights relative to the nearest distance make the vote the same in every scale, and leave it to a copy of the photo
    where there is one. The paper takes 5 neighbours that all count the same, and knows no rarity; what these find, and
    how little `k` and `sharpness` matter: ALGORITHMS.md, 5.6.

    References
    ----------
    .. [1] G.-J. Qi, X.-S. Hua, H.-J. Zhang, "Learning semantic distance from community-tagged media collection", ACM
       Multimedia 2009 (annotation by search).
    .. [2] M. Guillaumin et al., "TagProp: discriminative metric learning in nearest neighbor models for image
       auto-annotation", ICCV 2009 (weighted votes, sigmoid).

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from learners.tags.tag_propagation import TagPropagation
    >>> tags = sp.csr_array(np.array([[1, 1], [1, 0], [0, 1]]))  # sea, sky
    >>> votes = TagPropagation().propagate(np.array([[0, 1, 2]]), np.array([[1.0, 1.0, 2.0]]), tags)
    >>> votes.confidence.toarray().round(3)
    array([[1. , 0.5]])
    >>> votes.top(1)
    [[(0, 0.999...)]]
    """

    coefficients_: NDArray[np.float64]

    def __init__(self, k: int = 200, sharpness: float = 8.0, rarity: float = 0.4) -> None:
        self.k = k
        self.sharpness = sharpness
        self.rarity = rarity

    def fit(
        self,
        neighbors: NDArray[np.intp],
        distances: NDArray[np.floating],
        tags: sp.csr_array,
        rows: NDArray[np.intp],
        *,
        rejected: sp.csr_array | None = None,
    ) -> Self:
        """Calibrate the confidence on photos whose tags are known.

        Parameters
        ----------
        neighbors, distances, tags
            As for `propagate`, of q photos; no photo may be its own neighbour.
        rows : ndarray of intp, shape (q,)
            Rows of these photos in `tags`.
        rejected : csr_array, shape (n, m), optional
            Non-zero where a person rejected a tag: all that a photo with rejections and without tags has to say.

        Raises
        ------
        LearnerError
            Shapes that do not fit, or a photo among its own neighbours.
        """
        if len(rows) != len(neighbors):
            raise LearnerError(f"There are {len(rows)} rows and neighbours of {len(neighbors)} photos.")
        if len(rows) and (np.asarray(neighbors) == np.asarray(rows)[:, None]).any():
            raise LearnerError("A photo must not be its own neighbour when the confidence is calibrated.")
        votes = self._votes(neighbors, distances, tags)
        photo = np.repeat(np.arange(len(rows)), np.diff(votes.indptr))
        known = ~only_rejections(tags, rejected, rows)[photo]
        if rejected is not None:
            known |= np.isin(_places(votes), _places(_present(rejected[rows])))
        truth = np.isin(_places(votes), _places(_present(tags[rows]))).astype(np.float64)
        # For a photo that carries the tag, the others that do are one fewer.
        count = _counts(tags)[votes.indices] - truth
        design, right = _design(votes.data, count, _tagged(tags))[known], smoothed(truth[known], photo[known])
        self.coefficients_ = calibrate(design, right, _START, _RISING)
        return self

    def propagate(self, neighbors: NDArray[np.intp], distances: NDArray[np.floating], tags: sp.csr_array) -> TagVotes:
        """Let neighbours vote.

        Parameters
        ----------
        neighbors : ndarray of int, shape (q, k)
            Rows of `tags`, nearest first; -1: none.
        distances : ndarray of float, shape (q, k)
            Their distances.
        tags : csr_array, shape (n, m)
            Non-zero where photo i carries tag j. Photos without tags do not vote.

        Returns
        -------
        TagVotes
        """
        votes = self._votes(neighbors, distances, tags)
        count = _counts(tags)[votes.indices]
        confidence = votes.data
        if "coefficients_" in vars(self):
            confidence = sigmoid(_design(votes.data, count, _tagged(tags)) @ self.coefficients_)
        score = confidence / count**self.rarity
        places = (votes.indices, votes.indptr)
        return TagVotes(
            sp.csr_array((confidence, *places), shape=votes.shape),
            sp.csr_array((score, *places), shape=votes.shape),
            np.asarray(neighbors, dtype=np.intp)[:, : self.k],
            tags,
        )

    def _votes(self, neighbors: NDArray[np.intp], distances: NDArray[np.floating], tags: sp.csr_array) -> sp.csr_array:
        """Return the share of votes (q, m), stored only where it is positive."""
        rows = np.asarray(neighbors)[:, : self.k]
        far = np.asarray(distances, dtype=np.float64)[:, : self.k]
        if rows.shape != far.shape:
            raise LearnerError(f"neighbors and distances differ in shape: {rows.shape} and {far.shape}.")
        if rows.size and rows.max() >= tags.shape[0]:
            raise LearnerError(f"A neighbour is outside the {tags.shape[0]} photos with tags.")
        present = _present(tags)
        voting = (rows >= 0) & (np.diff(present.indptr)[rows] > 0)
        if not np.isfinite(far[voting]).all() or (far[voting] < 0).any():
            raise LearnerError("Distances of neighbours must be finite and not negative.")
        near = np.where(voting, far, np.inf).min(axis=1, initial=np.inf)
        farthest = np.where(voting, far, 0.0).max(axis=1, initial=0.0)
        # A copy of the photo is at distance 0: the scale must not vanish with it.
        scale = np.maximum(np.where(np.isfinite(near), near, 1.0), farthest / 20)
        scale[scale == 0] = 1.0
        excess = np.where(voting, far - np.where(np.isfinite(near), near, 0.0)[:, None], 0.0)
        weights = np.where(voting, np.exp(-self.sharpness * excess / scale[:, None]), 0.0)
        weights /= np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
        photo = np.repeat(np.arange(len(rows)), voting.sum(axis=1))
        asked = sp.csr_array((weights[voting], (photo, rows[voting])), shape=(len(rows), tags.shape[0]))
        votes = sp.csr_array(asked @ present)
        votes.data = np.minimum(votes.data, 1.0)
        votes.eliminate_zeros()
        votes.sort_indices()
        return votes


def _present(tags: sp.csr_array) -> sp.csr_array:
    return sp.csr_array(tags != 0).astype(np.float64)


def _places(matrix: sp.csr_array) -> NDArray[np.int64]:
    """Return a number for the place of every stored entry."""
    row = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    return np.asarray(row * matrix.shape[1] + matrix.indices)


def _counts(tags: sp.csr_array) -> NDArray[np.float64]:
    return np.asarray((tags != 0).sum(axis=0), dtype=np.float64).ravel()


def _tagged(tags: sp.csr_array) -> int:
    return max(int((np.diff(tags.indptr) > 0).sum()), 1)


def _design(share: NDArray[np.float64], count: NDArray[np.float64], tagged: int) -> NDArray[np.float64]:
    """Return the columns of the calibration: log share of votes, share, log frequency of the tag, 1."""
    frequency = np.maximum(count, 0.5) / tagged
    return np.column_stack([np.log(np.maximum(share, _FAINT)), share, np.log(frequency), np.ones_like(share)])


def only_rejections(tags: sp.csr_array, rejected: sp.csr_array | None, rows: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which photos, int (q,), have rejections and no tags, bool (q,): of their other tags nothing is known."""
    if rejected is None:
        return np.zeros(len(rows), dtype=bool)
    carried, refused = (np.diff(_present(matrix).indptr)[rows] for matrix in (tags, rejected))
    return np.asarray((carried == 0) & (refused > 0))


def smoothed(y: NDArray[np.float64], photo: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return targets that are no surer than what was seen allows.

    A right place becomes ``(r + 1) / (r + 2)`` for r photos with a right place, a wrong one ``1 / (w + 2)`` for w wrong
    places. Photos are counted among the right places, because the tags of one photo are right or wrong together. Wrong
    places are counted one by one: they are many, and most tags that are not there are rightly absent.

    Parameters
    ----------
    y : ndarray of float64, shape (p,)
        0/1.
    photo : ndarray of intp, shape (p,)
        Whose places they are.

    Returns
    -------
    ndarray of float64, shape (p,)

    References
    ----------
    .. [1] J. Platt, "Probabilistic outputs for support vector machines", Advances in Large Margin Classifiers (1999).
    """
    right = y > 0
    return platt_targets(right, len(np.unique(photo[right])))
