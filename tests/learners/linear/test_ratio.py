# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.linalg import powm, sqd
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.linear.ratio import Lda, RatioMetric

Floats = NDArray[np.float64]


def clouds(n: int = 120, d: int = 6) -> tuple[Floats, NDArray[np.intp]]:
    y = np.repeat(np.arange(4), [50, 40, 20, 10])
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 2 * np.eye(4, d)[y], y


def squared(Z: Floats) -> Floats:
    return np.asarray(sqd(Z, Z))


def assert_same_up_to_scale(got: Floats, expected: Floats, rtol: float = 1e-3) -> None:
    far = expected > 1e-3 * expected.max()
    scale = got[far] / expected[far]
    np.testing.assert_allclose(scale, np.median(scale), rtol=rtol)


@pytest.mark.parametrize("solver", ["eigen", "svd"])
def test_lda_gives_the_distances_of_scikit_learn(solver: str) -> None:
    X, y = clouds()
    expected = LinearDiscriminantAnalysis(solver=solver).fit(X, y).transform(X)
    learner = Lda(shrinkage=0, euclidean_blend=0).fit(X, SideInformation.from_labels(y))
    assert learner.axes_.shape == (6, 3)
    assert_same_up_to_scale(squared(learner.transform(X).astype(np.float64)), squared(expected))


def test_shrinkage_agrees_with_scikit_learn() -> None:
    X, y = clouds()
    theirs = LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.3).fit(X, y)
    within = sum(np.cov(X[y == c].T, bias=True) * (y == c).sum() for c in range(4)) / len(X)
    shrunk = 0.7 * within + 0.3 * np.trace(within) / 6 * np.eye(6)
    np.testing.assert_allclose(theirs.covariance_, shrunk)
    Z = Lda(shrinkage=0.3, euclidean_blend=0).fit(X, SideInformation.from_labels(y)).transform(X).astype(np.float64)
    whitened = powm(shrunk, -0.5)
    means = np.array([X[y == c].mean(axis=0) for c in range(4)]) @ whitened
    basis = np.linalg.svd(means - np.average(means, axis=0, weights=np.bincount(y)))[2][:3]
    assert_same_up_to_scale(squared(Z), squared(X @ whitened @ basis.T))


def test_lda_needs_two_classes() -> None:
    X, _ = clouds()
    with pytest.raises(LearnerError, match="and photos of two kinds: all that are known are alike"):
        Lda().fit(X, SideInformation.from_labels(np.zeros(120, dtype=int)))
    with pytest.raises(LearnerError, match="shrinkage must be in"):
        Lda(shrinkage=2).fit(X, SideInformation.from_labels(np.arange(120) % 2))


def test_the_ratio_of_classes_agrees_with_the_closed_form() -> None:
    X, y = clouds()
    means = np.array([X[y == c].mean(axis=0) for c in range(4)])
    within = np.cov((X - means[y]).T, bias=True)
    between = np.cov(means[y].T, bias=True)
    expected = X @ powm(within, -0.5, 0.03) @ powm(between, 0.25)
    learner = RatioMetric(kernel=False, prior=0, euclidean_blend=0).fit(X, SideInformation.from_labels(y))
    assert_same_up_to_scale(squared(learner.transform(X).astype(np.float64)), squared(expected))


def digits() -> tuple[Floats, NDArray[np.intp]]:
    X, y = load_digits(return_X_y=True)
    rows = np.random.default_rng(0).choice(len(X), 800, replace=False)
    return (X[rows] - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-8), y[rows]


def precision_at_10(Z: Floats, y: NDArray[np.intp]) -> float:
    D = squared(Z)
    np.fill_diagonal(D, np.inf)
    return float((y[np.argsort(D, axis=1)[:, :10]] == y[:, None]).mean())


@pytest.mark.parametrize(("kernel", "gain"), [(False, 0.05), (True, 0.08)])
def test_the_ratio_ranks_new_digits_better(kernel: bool, gain: float) -> None:
    X, y = digits()
    learner = RatioMetric(kernel=kernel).fit(X[:500], SideInformation.from_labels(y[:500]))
    found = precision_at_10(learner.transform(X[500:]).astype(np.float64), y[500:])
    assert found > precision_at_10(X[500:], y[500:]) + gain


def test_pairs_and_tags_improve_the_ratio_too() -> None:
    X, y = digits()
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, 800, (3000, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    same = y[drawn[:, 0]] == y[drawn[:, 1]]
    pairs = SideInformation(drawn[same][:200], drawn[~same][:200])
    assert precision_at_10(RatioMetric().fit(X, pairs).transform(X).astype(np.float64), y) > precision_at_10(X, y)
    tags = np.zeros((800, 12))
    tags[np.arange(800), y] = 1
    tags[:, 10], tags[:, 11] = y % 2 == 0, y < 5
    learner = RatioMetric().fit(X, SideInformation.from_tags(tags))
    assert precision_at_10(learner.transform(X).astype(np.float64), y) > precision_at_10(X, y) + 0.05


def test_a_few_pairs_do_little_harm() -> None:
    X, y = digits()
    few = SideInformation(np.array([np.flatnonzero(y == 3)[:2]]), np.array([[0, np.flatnonzero(y != y[0])[0]]]))
    assert precision_at_10(RatioMetric().fit(X, few).transform(X).astype(np.float64), y) > precision_at_10(X, y) - 0.02


def test_similar_pairs_contribute_the_scatter_about_their_midpoint() -> None:
    X, y = clouds()
    rows = np.flatnonzero(y == 0)
    pairs = np.column_stack([rows[:-1], rows[1:]])
    learner = RatioMetric(kernel=False, prior=2.0, ridge=0.1, euclidean_blend=0.0, unit=False)
    got = learner.fit(X, SideInformation(similar=pairs)).transform(X).astype(np.float64)
    # By hand: |y_i - y_j|^2 / 2 is the scatter of a pair about its midpoint; the prior counts as two photos.
    centred = X - X.mean(axis=0)
    w, V = np.linalg.eigh(centred.T @ centred / len(X))
    Y, total = centred @ V, np.diag(w)
    delta = Y[pairs[:, 0]] - Y[pairs[:, 1]]
    within = (delta.T @ delta / 2 + 2.0 * total) / (len(pairs) + 2.0)
    A = powm(within, -0.5, 0.1) @ powm(total / np.trace(total), 0.5)
    assert_same_up_to_scale(squared(got), squared(Y @ A))
