# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture as Peer

from focal_photos.features.fitted.clustering import kmeans, nearest
from focal_photos.features.fitted.gaussian_mixture import GaussianMixture, fit_mixture
from tests.examples import examples


def clouds(n: int = 400, d: int = 3, seed: int = 0) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    centers = rng.normal(0, 4, (4, d))
    return (centers[rng.integers(0, 4, n)] + rng.normal(0, [0.8, 1.0, 0.9], (n, d))).astype(np.float32)


def log_likelihood(mixture: GaussianMixture, vectors: NDArray[np.float32]) -> float:
    densities = [
        w * multivariate_normal(m, np.diag(v)).pdf(vectors)
        for w, m, v in zip(
            *(np.asarray(a, np.float64) for a in (mixture.weights, mixture.means, mixture.variances)), strict=True
        )
    ]
    return float(np.log(np.sum(densities, axis=0)).mean())


def test_responsibilities_are_shares_of_the_densities() -> None:
    rng = np.random.default_rng(1)
    mixture = GaussianMixture(
        np.array([0.2, 0.5, 0.3], np.float32),
        rng.normal(size=(3, 4)).astype(np.float32),
        rng.uniform(0.5, 2, (3, 4)).astype(np.float32),
    )
    vectors = rng.normal(size=(20, 4)).astype(np.float32)
    densities = np.stack(
        [
            w * multivariate_normal(m.astype(np.float64), np.diag(v.astype(np.float64))).pdf(vectors)
            for w, m, v in zip(mixture.weights, mixture.means, mixture.variances, strict=True)
        ],
        axis=1,
    )
    np.testing.assert_allclose(
        mixture.responsibilities(vectors), densities / densities.sum(axis=1, keepdims=True), atol=1e-5
    )


def test_agrees_with_scikit_learn_from_the_same_start() -> None:
    vectors = clouds()
    found = fit_mixture(vectors, 4, np.random.default_rng(0), iterations=8)
    means = kmeans(vectors, 4, np.random.default_rng(0))
    labels = nearest(vectors, means)
    start = [vectors[labels == k] for k in range(4)]
    peer = Peer(
        4,
        covariance_type="diag",
        reg_covar=0,
        tol=0,
        max_iter=8,
        weights_init=[len(rows) / len(vectors) for rows in start],
        means_init=[rows.mean(axis=0) for rows in start],
        precisions_init=[1 / rows.var(axis=0) for rows in start],
    )
    with pytest.warns(UserWarning, match="did not converge"):
        peer.fit(vectors)
    np.testing.assert_allclose(found.weights, peer.weights_, atol=1e-3)
    np.testing.assert_allclose(found.means, peer.means_, atol=5e-3)
    np.testing.assert_allclose(found.variances, peer.covariances_, rtol=2e-2, atol=1e-2)


def test_the_likelihood_never_falls() -> None:
    vectors = clouds(seed=2)
    found = [
        log_likelihood(fit_mixture(vectors, 6, np.random.default_rng(0), iterations=n), vectors) for n in (0, 1, 3, 10)
    ]
    assert np.diff(found).min() > -1e-4
    assert found[-1] > found[0] + 0.01


@settings(max_examples=examples(30))
@given(st.integers(1, 30), st.integers(1, 8), st.integers(0, 100))
def test_few_or_equal_vectors_give_a_mixture_too(rows: int, components: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.integers(0, 2, (rows, 3)).astype(np.float32)
    found = fit_mixture(vectors, components, rng)
    assert 1 <= len(found.weights) <= min(components, len(np.unique(vectors, axis=0)))
    assert found.weights.sum() == pytest.approx(1, abs=1e-5)
    assert (found.variances > 0).all()
    shares = found.responsibilities(vectors)
    assert np.isfinite(shares).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)


def test_equal_seeds_give_equal_mixtures() -> None:
    vectors = clouds()
    one, other = (fit_mixture(vectors, 4, np.random.default_rng(5)) for _ in range(2))
    for a, b in zip(
        (one.weights, one.means, one.variances), (other.weights, other.means, other.variances), strict=True
    ):
        np.testing.assert_array_equal(a, b)


def test_no_variance_is_below_a_share_of_the_mean_variance() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(200, 2)).astype(np.float32)
    vectors[:, 1] = 7  # constant
    found = fit_mixture(vectors, 2, rng)
    assert found.variances[:, 1] == pytest.approx(0.01 * vectors.var(axis=0).mean(), rel=1e-4)
