# SPDX-License-Identifier: MIT
"""Relevance feedback: ranking by the photos judged similar and dissimilar to a focal image."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError

NOISE: Final = 0.1
"""Variance of a judgement, relative to the similarity of a photo to itself, 1."""

DISSIMILAR: Final = 0.2
"""Maximum weight of a dissimilar photo relative to a similar one."""


def relevance_weights(similarities: ArrayLike, similar: ArrayLike) -> NDArray[np.float64]:
    """Return the weights of judged photos in the relevance of other photos.

    The relevance of a photo with similarities k to the focal image and the judged photos is ``k @ weights``: the
    posterior mean of a Gaussian process with covariance K, the similarity, ``weights = (K + NOISE I)^-1 t``. The
    targets t are 1 for the focal image and similar photos and -r for dissimilar ones.

        r = DISSIMILAR min(1, judged similar / judged dissimilar):

    So dissimilar photos never outweigh similar ones. If no photo was judged similar (r = 0), dissimilar photos only
    remove what they share with the focal image. Without judgements, the order is that of the similarity to the focal
    image.

    Parameters
    ----------
    similarities : array_like of float, shape (c, c)
        Similarities of the focal image, which comes first, and the judged photos; symmetric, 1 on the diagonal. A
        matrix that is not positive semidefinite is replaced by the nearest one that is.
    similar : array_like of bool, shape (c,)
        True: judged similar, and the focal image; False: judged dissimilar.

    Returns
    -------
    ndarray of float64, shape (c,)
        The resulting relevance is about 1 for photos like the similar ones and 0 for photos unlike all.

    Raises
    ------
    LearnerError
        If the focal image is missing or not similar, the shapes do not match, or a similarity is not finite.

    References
    ----------
    C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press 2006, eq. 2.25, with a
    constant mean m < 0 of the relevance where nothing is known: targets are 1 - m and -1 - m, here divided by 1 - m,
    so r = (1 + m) / (1 - m). The weight of dissimilar photos is that of J. Rocchio, "Relevance feedback in
    information retrieval", 1971, with its usual range .15 to .75 (ALGORITHMS.md, 12.4).

    Examples
    --------
    >>> relevance_weights([[1, 0.5], [0.5, 1]], [True, False]).round(2).tolist()
    [1.15, -0.52]
    """
    K = np.asarray(similarities, dtype=np.float64)
    alike = np.asarray(similar, dtype=bool)
    if alike.ndim != 1 or K.shape != (len(alike), len(alike)):
        raise LearnerError(f"{alike.size} judged photos need a square of similarities, not {K.shape}.")
    if not np.isfinite(K).all():
        raise LearnerError("A similarity is NaN or infinite.")
    if not len(alike) or not alike[0]:
        raise LearnerError("The first of the judged photos must be the focal image, which is similar to itself.")
    return _solved(K, _targets(alike, int(alike[1:].sum())))


def corrections(similarities: ArrayLike, similar: ArrayLike, expected: ArrayLike) -> NDArray[np.float64]:
    """Return the weights of judged photos in the correction of a prior relevance.

    The relevance of a photo with prior relevance m and similarities k to the judged photos is ``m + k @ weights``: the
    posterior mean of a Gaussian process with mean m, ``weights = (K + NOISE I)^-1 (t - m)``. For queries that are not
    photos, such as a text: their score of each photo replaces the similarity to a focal image. Targets are those of
    `relevance_weights`.

    Parameters
    ----------
    similarities : array_like of float, shape (c, c)
        Similarities of the judged photos; symmetric, 1 on the diagonal.
    similar : array_like of bool, shape (c,)
        Whether each was judged similar.
    expected : array_like of float, shape (c,)
        Prior relevance of each: about 1 if the query fits, 0 if not.

    Returns
    -------
    ndarray of float64, shape (c,)

    Raises
    ------
    LearnerError
        If the shapes do not match, or a number is not finite.

    References
    ----------
    C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press 2006, eq. 2.38.

    Examples
    --------
    >>> corrections([[1, 0], [0, 1]], [True, False], [0.45, 0.55]).round(2).tolist()
    [0.5, -0.68]
    """
    K, alike = np.asarray(similarities, dtype=np.float64), np.asarray(similar, dtype=bool)
    m = np.asarray(expected, dtype=np.float64)
    if alike.ndim != 1 or m.shape != alike.shape or K.shape != (len(alike), len(alike)):
        raise LearnerError(f"{alike.size} judged photos need as many expectations and a square of similarities.")
    if not np.isfinite(K).all() or not np.isfinite(m).all():
        raise LearnerError("A similarity or an expectation is NaN or infinite.")
    return _solved(K, _targets(alike, int(alike.sum())) - m)


def _targets(alike: NDArray[np.bool_], likes: int) -> NDArray[np.float64]:
    """Return the target relevance of judged photos; `likes`: number judged similar."""
    dislikes = int((~alike).sum())
    against = DISSIMILAR * min(1.0, likes / dislikes) if dislikes else 0.0
    return np.where(alike, 1.0, -against)


def _solved(K: NDArray[np.float64], targets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``(K + NOISE I)^-1 targets``, with negative eigenvalues of K set to 0."""
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    found: NDArray[np.float64] = vectors @ ((vectors.T @ targets) / (np.maximum(values, 0) + NOISE))
    return found
