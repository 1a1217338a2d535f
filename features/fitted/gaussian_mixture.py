"""Mixtures of Gaussians with diagonal covariances: a soft vocabulary of local vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.opencv import cv2
from focal_photos.features.fitted.clustering import kmeans, nearest

_ITERATIONS = 12
_FLOOR = 0.01
"""Share of the vectors' mean variance below which no variance falls."""

_LEAST = 1e-10
"""Weight of a component that nothing belongs to."""


@dataclass(frozen=True)
class GaussianMixture:
    """A density of vectors.

    Attributes
    ----------
    weights : ndarray of float32, shape (k,)
        They add up to 1.
    means, variances : ndarray of float32, shape (k, d)
        Variances are > 0.
    """

    weights: NDArray[np.float32]
    means: NDArray[np.float32]
    variances: NDArray[np.float32]

    def responsibilities(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return how probable each component is for each vector (n, d): (n, k), rows that add up to 1."""
        precisions = 1 / self.variances
        constants = np.log(np.maximum(self.weights, _LEAST)) + 0.5 * (
            np.log(precisions).sum(axis=1) - np.einsum("kd,kd,kd->k", self.means, self.means, precisions)
        )
        # log w + log N(x), less what all components share: two matrix products.
        found = vectors @ (self.means * precisions).T
        found -= (vectors * vectors) @ (0.5 * precisions).T
        found += constants
        found -= cv2.reduce(found, 1, cv2.REDUCE_MAX)  # ten times as fast as that of numpy
        np.exp(found, out=found)
        found /= found.sum(axis=1, keepdims=True)
        return np.asarray(found, np.float32)


def fit_mixture(
    vectors: NDArray[np.float32], components: int, rng: np.random.Generator, *, iterations: int = _ITERATIONS
) -> GaussianMixture:
    """Return a mixture of high likelihood: expectation and maximisation in turn, from the clusters of k-means.

    Parameters
    ----------
    vectors : ndarray of float32, shape (n, d)
        n >= 1.
    components : int
        At least 1.
    rng : Generator
        Equal vectors and states of it give equal mixtures.
    iterations : int
        Of both steps.

    Returns
    -------
    GaussianMixture
        k <= `components`: as many as there are different vectors, if these are fewer.
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
    """Return the mixture that is likeliest if each vector belongs to the components as given.

    A component that nothing belongs to keeps its mean and gets the variances of all vectors.
    """
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
