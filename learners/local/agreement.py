# SPDX-License-Identifier: MIT
"""Combination of local-distance votes with other probabilities: candidate classes and products of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import scipy

MIN_VOTE: Final = 1e-4
"""Minimum value of a vote: a class that no focal image finds probable is not excluded."""


PRODUCT_POWER: Final = 0.72
"""Power of the product: as the errors of the two are correlated, the plain product would be overconfident."""


def likeliest(probabilities: NDArray[np.floating[Any]], count: int) -> NDArray[np.bool_]:
    """Return the candidate classes of each photo.

    Parameters
    ----------
    probabilities : ndarray of float, shape (q, m)
        Probabilities of m classes for q photos.
    count : int
        Number of classes per photo, at least 1; ties are included.

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
    """Return the mean probability, over the focal images of each class, that a photo belongs to them.

    Parameters
    ----------
    carried : csr_array, shape (F, m)
        1 if a focal image is of a class.
    probabilities : ndarray of float, shape (F,)
        Probabilities from the focal images.
    heard : ndarray of bool, shape (F,)
        Focal images that were evaluated.

    Returns
    -------
    ndarray of float64, shape (m,)
        NaN for a class of which none was evaluated.
    """
    counts = np.asarray(carried.T @ heard.astype(np.float64))
    totals = np.asarray(carried.T @ np.where(heard, probabilities, 0.0))
    return np.asarray(np.divide(totals, counts, out=np.full(len(counts), np.nan), where=counts > 0), np.float64)


def agreed(probabilities: NDArray[np.floating[Any]], votes: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Combine calibrated probabilities and votes: a power of their product, normalized to sum 1.

    The errors of the two are partly independent if they use different aspects of a photo. Other weights of the votes
    gained nothing (measurements: ALGORITHMS.md, 4.6).

    Parameters
    ----------
    probabilities : ndarray of float, shape (q, m)
        Probabilities of m classes for q photos.
    votes : ndarray of float, shape (q, m)
        Mean probability, over the focal images of each class, that the photo belongs to them; NaN if none was
        evaluated.

    Returns
    -------
    ndarray of float64, shape (q, m)
        Rows sum to 1; 0 for classes without an evaluated focal image.

    References
    ----------
    G. E. Hinton, "Training products of experts by minimizing contrastive divergence", Neural Computation 14, 2002,
    eq. 1.
    """
    product = (
        np.asarray(probabilities, np.float64) * np.nan_to_num(np.maximum(votes, MIN_VOTE), nan=0.0)
    ) ** PRODUCT_POWER
    total = product.sum(axis=1, keepdims=True)
    return np.asarray(product / np.where(total > 0, total, 1.0), np.float64)
