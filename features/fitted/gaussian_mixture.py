# SPDX-License-Identifier: MIT
"""Mixtures of Gaussians with diagonal covariances: soft vocabularies of local vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.fitted.clustering import kmeans, nearest

_ITERATIONS = 12
_FLOOR = 0.01
"""Lower limit of the variances, as a share of the vectors' mean variance."""

_BLOCK = 1024
"""Vectors processed at once."""

_EMPTY_WEIGHT = 1e-10
"""Weight of an empty component."""


@dataclass(frozen=True)
class GaussianMixture:
    """A density of vectors."""

    weights: NDArray[np.float32]
    """With sum 1; shape (k,)."""
    means: NDArray[np.float32]
    variances: NDArray[np.float32]
    """`means` and `variances`: variances are > 0; shape (k, d)."""

    @cached_property
    def _coefficients(self) -> NDArray[np.float32]:
        """Coefficients (k, 2 d + 1) of `with_squares` in log w + log N(x), without terms common to all components."""
        precisions = 1 / self.variances
        constants = np.log(np.maximum(self.weights, _EMPTY_WEIGHT)) + 0.5 * (
            np.log(precisions).sum(axis=1) - np.einsum("kd,kd,kd->k", self.means, self.means, precisions)
        )
        return np.hstack([self.means * precisions, -0.5 * precisions, constants[:, None]])

    def responsibilities(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probability of each component for each vector (n, d): (n, k), rows with sum 1."""
        return self.shares(with_squares(vectors)).T

    def shares(self, terms: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the transposed `responsibilities` (k, n), given the result of `with_squares`."""
        # Transposed, because numpy reduces the first axis ten times faster than the last.
        found: NDArray[np.float32] = self._coefficients @ terms.T
        found -= found.max(axis=0)
        np.exp(found, out=found)
        found /= found.sum(axis=0)
        return found

    def gradient(self, sums: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return gradients of the log-likelihood, scaled to unit information: by the means, then by the variances.

        Parameters
        ----------
        sums : ndarray of float32, shape (..., k, 2 d + 1)
            Sums of `with_squares` over vectors, weighted by their responsibilities.

        Returns
        -------
        ndarray of float32, shape (..., 2 k d)
            Sanchez et al. 2013, eq. 17 and 18, times the number of vectors.
        """
        m, by_deviation, by_variance, by_weight = self._scales
        d = m.shape[1]
        s1, s2, s0 = sums[..., :d], sums[..., d:-1], sums[..., -1:]
        shift = s0 * m
        by_means = (s1 - shift) * by_deviation
        by_variances = (s2 + m * (shift - 2 * s1)) * by_variance - s0 * by_weight
        flat = (*sums.shape[:-2], m.size)
        return np.concatenate([by_means.reshape(flat), by_variances.reshape(flat)], axis=-1)

    @cached_property
    def _scales(self) -> tuple[NDArray[np.float32], ...]:
        """Means (k, d), and the factors of `gradient`: (k, d), (k, d) and (k, 1)."""
        roots = np.sqrt(np.maximum(self.weights, np.finfo(np.float32).tiny))[:, None]
        by_weight = 1 / (np.sqrt(np.float32(2)) * roots)
        return self.means, np.reciprocal(np.sqrt(self.variances) * roots), by_weight / self.variances, by_weight


def with_squares(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return x, x * x and 1 of vectors x (n, d), side by side: (n, 2 d + 1).

    Log densities are products of these, and products with responsibilities are all sums of a mixture's gradient.
    """
    n, d = vectors.shape
    terms = np.empty((n, 2 * d + 1), np.float32)
    terms[:, :d] = vectors
    np.multiply(vectors, vectors, out=terms[:, d:-1])
    terms[:, -1] = 1
    return terms


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

    def hard(terms: NDArray[np.float32]) -> NDArray[np.float32]:
        rows = terms[:, : vectors.shape[1]]
        return np.eye(len(means), dtype=np.float32)[:, nearest(rows, means)]

    mixture = _maximised(_sums(vectors, hard), means, overall, floor)
    for _ in range(iterations):
        mixture = _maximised(_sums(vectors, mixture.shares), mixture.means, overall, floor)
    return mixture


def _sums(
    vectors: NDArray[np.float32], belongs: Callable[[NDArray[np.float32]], NDArray[np.float32]]
) -> NDArray[np.float64]:
    """Return the sums (k, 2 d + 1) of `with_squares`, weighted by responsibilities, over blocks that fit the cache."""
    blocks = (with_squares(vectors[start : start + _BLOCK]) for start in range(0, len(vectors), _BLOCK))
    sums: NDArray[np.float64] = np.sum([belongs(terms) @ terms for terms in blocks], axis=0, dtype=np.float64)
    return sums


def _maximised(
    sums: NDArray[np.float64], former: NDArray[np.float32], overall: NDArray[np.float64], floor: float
) -> GaussianMixture:
    """Return the maximum-likelihood mixture for the result of `_sums`; an empty component retains its mean."""
    d = former.shape[1]
    counts = sums[:, -1]
    empty = (counts < _EMPTY_WEIGHT * counts.sum())[:, None]
    divisors = np.maximum(counts, _EMPTY_WEIGHT)[:, None]
    means = np.where(empty, former, sums[:, :d] / divisors)
    variances = np.where(empty, overall, sums[:, d:-1] / divisors - means * means)
    return GaussianMixture(
        (counts / counts.sum()).astype(np.float32),
        means.astype(np.float32),
        np.maximum(variances, floor).astype(np.float32),
    )
