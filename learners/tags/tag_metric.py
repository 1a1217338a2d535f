# SPDX-License-Identifier: MIT
"""A distance between tags, learned from the photos that carry them."""

from __future__ import annotations

from typing import Literal, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.linalg import one_thread, principal_axes

_ROUNDING = 1e-10


class TagMetric(Estimator):
    """Multi-label metric on tags (Qi et al. 2009): tags that occur with the same tags are near.

    The photos that carry a tag predict it by the mean of their tags; M shrinks the directions in which tags differ from
    the prediction, as `learners.tags.multi_label.MultiLabelMetric` does for photos.

    Parameters
    ----------
    regularization : float
        > 0: lambda as a multiple of the mean eigenvalue of the residuals' scatter.
    vectors : {"photos", "identity"}
        Vector of a tag before learning: the photos that carry it (normalized to length 1, so that frequent and rare
        tags are comparable; the squared distance is 2 minus twice the cosine), or its own unit vector.
    limit : int
        Maximum number of tags; the most frequent ones are used.

    Attributes
    ----------
    embedding_ : ndarray of float32, shape (u, r)
        Positions of the tags used; Euclidean distance between rows is the learned distance.
    tags_ : ndarray of intp, shape (u,)
        Their column numbers in the tag matrix, ascending.
    n_tags_ : int
        Columns of the tag matrix.

    Notes
    -----
    With ``A_R``, ``A_C`` the tag matrix (0/1 or counts, as in the paper's section 2.1) divided by row and by column
    sums, ``B = A_R' A_C`` and tag vectors Y (rows): ``M = (I + R'R / lambda)^{-1}`` with ``R = Y - B'Y``, each tag
    minus the mean, over its photos, of the mean of their tags. It finds more co-occurring tags than the cosine does
    (ALGORITHMS.md, 5.4). It is not a metric of photos, so it is not in the table of learners. Deterministic; ties go to
    the lower number.

    Cost: k t^2 for k photos with t tags each, u^3 for u tags (374: 0.1 s; 2,000: 6 s) and four matrices of u^2.

    References
    ----------
    .. [1] G.-J. Qi, X.-S. Hua, H.-J. Zhang, "Learning semantic distance from community-tagged media collection", ACM
       Multimedia 2009, eq. 17 and 21 (ALGORITHMS.md, 5.4).

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.tag_metric import TagMetric
    >>> photos = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 1]])  # sea, beach, dog
    >>> metric = TagMetric().fit(photos)
    >>> [tag for tag, _ in metric.related(0)]
    [1, 2]
    """

    embedding_: NDArray[np.float32]
    tags_: NDArray[np.intp]
    n_tags_: int

    def __init__(
        self, regularization: float = 10.0, vectors: Literal["photos", "identity"] = "photos", limit: int = 2000
    ) -> None:
        self.regularization = regularization
        self.vectors = vectors
        self.limit = limit

    def fit(self, tags: ArrayLike | scipy.sparse.sparray | scipy.sparse.spmatrix) -> Self:
        """Fit the distance.

        Parameters
        ----------
        tags : array_like or sparse, shape (n, m)
            How often photo i was given tag j; 0 or 1 if only the presence is known.

        Raises
        ------
        LearnerError
            If no photo carries a tag, a count is below 0 or not finite, or a parameter is invalid.
        """
        if not self.regularization > 0 or self.limit < 1:
            raise LearnerError("regularization must be above 0 and limit at least 1.")
        if self.vectors not in ("photos", "identity"):
            raise LearnerError(f"vectors must be 'photos' or 'identity', it is {self.vectors!r}.")
        A = scipy.sparse.csr_array(tags).astype(np.float64)
        A.eliminate_zeros()
        if not (np.isfinite(A.data).all() and A.data.min(initial=1) > 0):
            raise LearnerError("A tag is given a finite number of times, at least 0.")
        count = np.asarray(A.sum(axis=0)).ravel()
        used = np.sort(np.lexsort((np.arange(len(count)), -count))[: min(self.limit, int((count > 0).sum()))])
        if not len(used):
            raise LearnerError("No photo carries a tag: there are no tags to compare.")
        n_tags = A.shape[1]
        A, count = A[:, used], count[used]
        A = A[np.flatnonzero(np.diff(A.indptr))]
        shares = scipy.sparse.diags_array(1 / np.asarray(A.sum(axis=1)).ravel()) @ A
        # B' Y: row j is the mean, over the photos of tag j, of the mean of the vectors of their tags.
        predicted = (A.T @ shares).toarray() / count[:, None]
        with one_thread():
            embedding = self._embedding(A, count, predicted)
        self.n_tags_, self.tags_, self.embedding_ = n_tags, used.astype(np.intp), embedding.astype(np.float32)
        return self

    def _embedding(
        self, A: scipy.sparse.csr_array, count: NDArray[np.float64], predicted: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        Y = np.eye(len(count))
        if self.vectors == "photos":
            root = 1 / np.sqrt(np.asarray(A.multiply(A).sum(axis=0)).ravel())
            # Positions whose products are the cosines of the tags' columns: equivalent to the columns, but only u wide.
            cosines = (A.T @ A).toarray() * np.outer(root, root)
            values, axes = principal_axes(cosines, len(cosines), _ROUNDING)
            Y = axes * np.sqrt(values)
        R = Y - predicted @ Y
        S = R.T @ R
        scale = self.regularization * float(np.trace(S)) / len(S)
        # For tags that always occur together, or always alone, only rounding errors are left to shrink.
        if not scale > _ROUNDING:
            return Y
        return np.asarray(np.linalg.solve(np.linalg.cholesky(np.eye(len(S)) + S / scale), Y.T).T)

    def distances(self, tag: int) -> NDArray[np.float64]:
        """Return the distances from one tag to all: float64 (m,), infinite for unused tags.

        Parameters
        ----------
        tag : int
            Column of the tag matrix; an unused tag is infinitely far from all others.

        Raises
        ------
        LearnerError
            If there is no such column.
        NotFittedError
        """
        if "embedding_" not in vars(self):
            raise NotFittedError("TagMetric is not fitted yet: call fit first.")
        if not 0 <= tag < self.n_tags_:
            raise LearnerError(f"There is no tag {tag}: tags are numbered 0..{self.n_tags_ - 1}.")
        result = np.full(self.n_tags_, np.inf)
        at = int(np.searchsorted(self.tags_, tag))
        if at < len(self.tags_) and self.tags_[at] == tag:
            difference = self.embedding_.astype(np.float64) - self.embedding_[at]
            result[self.tags_] = np.sqrt(np.einsum("ij,ij->i", difference, difference))
        result[tag] = 0.0
        return result

    def related(self, tag: int, k: int = 10) -> list[tuple[int, float]]:
        """Return at most k nearest other tags with their distances, nearest first; none if the tag is unused."""
        distances = self.distances(tag)
        others = self.tags_[(self.tags_ != tag) & np.isfinite(distances[self.tags_])]
        order = others[np.lexsort((others, distances[others]))][:k]
        return [(int(j), float(distances[j])) for j in order]
