"""Mixtures of Gaussians with diagonal covariances: soft vocabularies of local vectors."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.fitted.clustering import kmeans, nearest

_ITERATIONS = 12
_FLOOR = 0.01
"""Lower limit of the variances, as a share of the vectors' mean variance."""

_LEAST = 1e-10
"""Weight of an empty component."""


@dataclass(frozen=True)
class GaussianMixture:
    """A density of vectors.

    Attributes
    ----------
    weights : ndarray of float32, shape (k,)
        With sum 1.
    means, variances : ndarray of float32, shape (k, d)
        Variances are > 0.
    """

    weights: NDArray[np.float32]
    means: NDArray[np.float32]
    variances: NDArray[np.float32]

    def responsibilities(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probability of each component for each vector (n, d): (n, k), rows with sum 1."""
        precisions = 1 / self.variances
        constants = np.log(np.maximum(self.weights, _LEAST)) + 0.5 * (
            np.log(precisions).sum(axis=1) - np.einsum("kd,kd,kd->k", self.means, self.means, precisions)
        )
        # log w + log N(x), without terms common to all components: two matrix products.
        found = vectors @ (self.means * precisions).T
        found -= (vectors * vectors) @ (0.5 * precisions).T
        found += constants
        found -= cv2.reduce(found, 1, cv2.REDUCE_MAX)  # ten times faster than numpy's
        np.exp(found, out=found)
        found /= found.sum(axis=1, keepdims=True)
        return np.asarray(found, np.float32)


def fit_mixture(
    vectors: NDArray[np.float32], components: int, rng: np.random.Generator, *, iterations: int = _ITERATIONS
) -> GaussianMixture:
    """Fit a mixture by expectation-maximization, starting from k-means clusters.

    Parameters
    ----------
    vectors : ndarray of float32, shape (n, d)
        n >= 1.
    components : int
        At least 1.
    rng : Generator
        Equal vectors and generator states give equal mixtures.
    iterations : int
        Number of iterations.

    Returns
    -------
    GaussianMixture
        k <= `components`; smaller if there are fewer distinct vectors.
    """
    overall = vectors.var(axis=0, dtype=np.float64)
    floor = max(_FLOOR * float(overall.mean()), float(np.finfo(np.float32).tiny) ** 0.5)
    means = kmeans(vectors, components, rng)
    belongs = np.zeros((len(vectors), len(means)), np.float32)
    belongs[np.arange(len(vectors)), nearest(vectors, means)] = 1
    squares = vectors * vectors
    mixture = _maximised(vectors, squares, belongs, means, overall, floor)
    for _ in range(iterations):
        belongs = mixture.responsibilities(vectors)
        mixture = _maximised(vectors, squares, belongs, mixture.means, overall, floor)
    return mixture


def _maximised(
    vectors: NDArray[np.float32],
    squares: NDArray[np.float32],
    belongs: NDArray[np.float32],
    former: NDArray[np.float32],
    overall: NDArray[np.float64],
    floor: float,
) -> GaussianMixture:
    """Return the maximum-likelihood mixture for given responsibilities; an empty component retains its mean."""
    counts = belongs.sum(axis=0, dtype=np.float64)
    empty = counts < _LEAST * len(vectors)
    shares = np.maximum(counts, _LEAST)[:, None]
    means = np.where(empty[:, None], former, (belongs.T @ vectors) / shares)
    variances = np.where(empty[:, None], overall, (belongs.T @ squares) / shares - means * means)
    return GaussianMixture(
        (counts / counts.sum()).astype(np.float32),
        means.astype(np.float32),
        np.maximum(variances, floor).astype(np.float32),
    )
