"""Relevance feedback: rank by what a person has judged similar and dissimilar to one focal image."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError

NOISE: Final = 0.1
"""Variance of a judgement beside that of the similarity of a photo to itself, 1."""

DISSIMILAR: Final = 0.2
"""How much a dissimilar photo counts beside a similar one, at most."""


def relevance_weights(similarities: ArrayLike, similar: ArrayLike) -> NDArray[np.float64]:
    """Return how much each judged photo says about the relevance of others.

    The relevance of a photo with similarities k to the focal image and the judged photos is ``k @ weights``: the
    posterior mean of a Gaussian process whose covariance is the similarity K, ``weights = (K + NOISE I)^-1 t``, with
    targets t that are 1 for the focal image and what is similar to it and -r for what is dissimilar.

        r = DISSIMILAR min(1, judged similar / judged dissimilar):

    what was judged dissimilar never outweighs what was judged similar. Where nothing was (r = 0), it only takes away
    what it shares with the focal image. Without any judgement the order is that of the similarity to the focal image.

    Parameters
    ----------
    similarities : array_like of float, shape (c, c)
        Between the focal image, which is the first, and the judged photos; symmetric, 1 on the diagonal. Where it is
        not positive semidefinite, it is replaced by the nearest matrix that is.
    similar : array_like of bool, shape (c,)
        Of each of them, whether it was judged similar (the focal image is); False: dissimilar.

    Returns
    -------
    ndarray of float64, shape (c,)
        The relevance that they give is about 1 for what is like the similar photos, 0 for what is like none.

    Raises
    ------
    LearnerError
        The focal image is not there or not similar, the shapes do not match, or a similarity is not finite.

    References
    ----------
    C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press 2006, eq. 2.25, with a
    constant mean m < 0 of the relevance where nothing is known: targets are 1 - m and -1 - m, here divided by 1 - m,
    so that r = (1 + m) / (1 - m). The weight of dissimilar photos is that of J. Rocchio, "Relevance feedback in
    information retrieval", 1971, as it is commonly set: .15 to .75 (ALGORITHMS.md, 12.4).

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
    """Return how much each judged photo corrects a relevance that was expected of all photos before.

    The relevance of a photo of which m was expected, with similarities k to the judged photos, is ``m + k @ weights``:
    the posterior mean of a Gaussian process with the mean m, ``weights = (K + NOISE I)^-1 (t - m)``. This is for a
    query that is no photo, such as a text: what it says of each photo stands in the place of the similarity to a focal
    image. Targets are those of `relevance_weights`.

    Parameters
    ----------
    similarities : array_like of float, shape (c, c)
        Between the judged photos; symmetric, 1 on the diagonal.
    similar : array_like of bool, shape (c,)
        Of each of them, whether it was judged similar.
    expected : array_like of float, shape (c,)
        What was expected of each: about 1 for what the query means, 0 for what it does not.

    Returns
    -------
    ndarray of float64, shape (c,)

    Raises
    ------
    LearnerError
        The shapes do not match, or a number is not finite.

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
    """Return what the relevance of judged photos is to be; `likes`: how many were judged similar."""
    dislikes = int((~alike).sum())
    against = DISSIMILAR * min(1.0, likes / dislikes) if dislikes else 0.0
    return np.where(alike, 1.0, -against)


def _solved(K: NDArray[np.float64], targets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``(K + NOISE I)^-1 targets``; what is negative of K's eigenvalues counts as 0."""
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    found: NDArray[np.float64] = vectors @ ((vectors.T @ targets) / (np.maximum(values, 0) + NOISE))
    return found
