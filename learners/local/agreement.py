"""Votes of local distances beside what else is known: which classes come into question, and what both say together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import scipy

LEAST: Final = 1e-4
"""What a vote counts at least: that no focal image finds a photo probable excludes nothing."""


BOTH: Final = 0.72
"""Power of the product: the two err together at times, and their product alone would be surer than it is right."""


def likeliest(probabilities: NDArray[np.floating[Any]], count: int) -> NDArray[np.bool_]:
    """Return the classes that come into question.

    Parameters
    ----------
    probabilities : ndarray of float, shape (q, m)
        Of m classes, for q photos.
    count : int
        At least 1: so many classes of each photo, those of equal probability all.

    Returns
    -------
    ndarray of bool, shape (q, m)
    """
    m = probabilities.shape[1]
    if count >= m:
        return np.ones(probabilities.shape, np.bool_)
    return np.asarray(probabilities >= np.partition(probabilities, m - count, axis=1)[:, [m - count]])


def mean_votes(
    carried: scipy.sparse.csr_array, probabilities: NDArray[np.floating[Any]], heard: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return how probable the focal images of each class find it, in the mean, that a photo belongs with them.

    Parameters
    ----------
    carried : csr_array, shape (F, m)
        1 where a focal image is of a class.
    probabilities : ndarray of float, shape (F,)
        That they give.
    heard : ndarray of bool, shape (F,)
        The focal images that were asked.

    Returns
    -------
    ndarray of float64, shape (m,)
        NaN for a class none of which was asked.
    """
    counts = np.asarray(carried.T @ heard.astype(np.float64))
    totals = np.asarray(carried.T @ np.where(heard, probabilities, 0.0))
    return np.asarray(np.divide(totals, counts, out=np.full(len(counts), np.nan), where=counts > 0), np.float64)


def agreed(probabilities: NDArray[np.floating[Any]], votes: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return what calibrated probabilities and votes say together: a power of their product, of sum 1.

    Both have errors of their own where they see different things of a photo. Other weights of the votes beside the
    probabilities gained nothing (what was measured: ALGORITHMS.md, 4.6).

    Parameters
    ----------
    probabilities : ndarray of float, shape (q, m)
        Of m classes, for q photos.
    votes : ndarray of float, shape (q, m)
        How probable the focal images of each class find it, in the mean, that the photo belongs with them; NaN where
        none was asked.

    Returns
    -------
    ndarray of float64, shape (q, m)
        Rows of sum 1; 0 where no focal image was asked.

    References
    ----------
    G. E. Hinton, "Training products of experts by minimizing contrastive divergence", Neural Computation 14, 2002,
    eq. 1.
    """
    product = (np.asarray(probabilities, np.float64) * np.nan_to_num(np.maximum(votes, LEAST), nan=0.0)) ** BOTH
    total = product.sum(axis=1, keepdims=True)
    return np.asarray(product / np.where(total > 0, total, 1.0), np.float64)
