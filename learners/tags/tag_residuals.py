# SPDX-License-Identifier: MIT
"""Prediction of a photo's tags from its known tags."""

from __future__ import annotations

from typing import Any, Final, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.linalg import blocks, one_thread

MAX_TAGS: Final = 1000
"""Maximum number of tags for comparing residuals: the time to fit n photos grows with n m^2."""

_ROWS: Final = 64


class TagResiduals(Estimator):
    """Scores of tags, given the user's answers about other tags of the photo.

    The regression residuals of the tags of a photo, ``e = t - s``, are assumed to be normal with a covariance C common
    to all photos. For a photo with known tags A, the others then have the mean
    ``s + C_A (C_AA + r I)^{-1} (t_A - s_A)``: a plane makes a jet more probable than the photo alone does, and the
    absence of sky makes clouds less probable.

    Parameters
    ----------
    ridge : float
        > 0: r as a multiple of the mean variance of a tag. Tags are not normally distributed, and C is estimated from
        few photos.

    Attributes
    ----------
    covariance_ : ndarray of float64, shape (m, m)

    Notes
    -----
    Cost: n m^2 to fit, a^3 + a m for a photo with a known tags.

    References
    ----------
    .. [1] C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press 2006, eq. A.6
       (conditional of a joint normal distribution).

    Examples
    --------
    If the presence of tag 0 exceeds its score, so does that of tag 1:

    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from focal_photos.learners.tags.tag_residuals import TagResiduals
    >>> tags = sp.csr_array(np.array([[1, 1], [0, 0], [1, 1], [0, 0]]))
    >>> learned = TagResiduals(ridge=1.0).fit(np.full((4, 2), 0.5), tags)
    >>> learned.corrected(np.array([[0.4, 0.3]]), sp.csr_array(np.array([[1, 0]]))).round(1)
    array([[0.7, 0.6]])
    """

    covariance_: NDArray[np.float64]

    def __init__(self, ridge: float = 3.0) -> None:
        self.ridge = ridge

    def fit(self, left_out: NDArray[np.floating], tags: scipy.sparse.csr_array) -> Self:
        """Fit to photos that were left out; those without tags are skipped.

        Parameters
        ----------
        left_out : ndarray of float, shape (n, m)
            Leave-one-out scores of the photos.
        tags : csr_array, shape (n, m)
            Non-zero if photo i carries tag j.

        Raises
        ------
        LearnerError
            If the shapes do not fit, or the ridge is not above 0.
        """
        if not self.ridge > 0:
            raise LearnerError(f"ridge must be above 0, it is {self.ridge}.")
        if left_out.shape != tags.shape:
            raise LearnerError(f"Scores and tags differ in shape: {left_out.shape} and {tags.shape}.")
        tagged = np.flatnonzero(np.diff(scipy.sparse.csr_array(tags).indptr))
        residuals = (scipy.sparse.csr_array(tags)[tagged] != 0).toarray() - left_out[tagged].astype(np.float64)
        with one_thread():
            self.covariance_ = residuals.T @ residuals / max(len(tagged), 1)
        return self

    def corrected(self, scores: NDArray[np.floating], known: scipy.sparse.csr_array) -> NDArray[np.float64]:
        """Return the scores of photos, given their known tags.

        Parameters
        ----------
        scores : ndarray of float, shape (q, m)
        known : csr_array, shape (q, m)
            1 if a photo has a tag, -1 if it does not, 0 if unknown.

        Raises
        ------
        NotFittedError, LearnerError
        """
        if "covariance_" not in vars(self):
            raise NotFittedError("TagResiduals is not fitted yet: call fit first.")
        if scores.shape != known.shape or scores.shape[1] != len(self.covariance_):
            raise LearnerError(f"Scores and known tags differ in shape: {scores.shape} and {known.shape}.")
        found = scores.astype(np.float64)
        answers = scipy.sparse.csr_array(known)
        answers.eliminate_zeros()
        count = np.diff(answers.indptr)
        rows = np.argsort(count, kind="stable")[np.count_nonzero(count == 0) :]
        noise = self.ridge * float(np.trace(self.covariance_)) / max(len(self.covariance_), 1)
        with one_thread():
            for part in blocks(len(rows), _ROWS):
                self._correct(found, answers, rows[part], max(noise, 1e-12))
        return found

    def _correct(
        self, found: NDArray[np.float64], answers: scipy.sparse.csr_array, rows: NDArray[Any], noise: float
    ) -> None:
        """Correct the scores of some photos in place; those with fewer answers are padded."""
        count = np.diff(answers.indptr)[rows]
        places = np.arange(count.max())
        there = places < count[:, None]
        at = np.where(there, answers.indptr[rows][:, None] + places, answers.indptr[rows][:, None])
        tags, said = answers.indices[at], answers.data[at] > 0
        system = self.covariance_[tags[:, :, None], tags[:, None, :]] * (there[:, :, None] & there[:, None, :])
        system += noise * np.eye(len(places))
        wrong = np.where(there, said - found[rows[:, None], tags], 0.0)
        weights = np.linalg.solve(system, wrong[:, :, None])[:, :, 0]
        spread = np.zeros((len(rows), found.shape[1]))
        np.add.at(spread, (np.arange(len(rows))[:, None], tags), np.where(there, weights, 0.0))
        found[rows] += spread @ self.covariance_
