# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import KernelPCA
from focal_photos.learners.core.linalg import powm
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.linear.rca import Dca, KernelRca, Rca

Floats = NDArray[np.float64]


def clouds(n: int = 90, d: int = 4, seed: int = 0) -> tuple[Floats, NDArray[np.intp]]:
    y = np.arange(n) % 3
    return np.random.default_rng(seed).normal(size=(n, d)) * [3, 1, 1, 1][:d] + 2 * np.eye(3, d)[y], y


def squared(Z: Floats) -> Floats:
    return np.asarray(((Z[:, None] - Z[None]) ** 2).sum(-1))


def assert_same_up_to_scale(got: Floats, expected: Floats, rtol: float = 1e-3) -> None:
    off = ~np.eye(len(got), dtype=bool)
    scale = got[off] / expected[off]
    np.testing.assert_allclose(scale, np.median(scale), rtol=rtol)


def test_rca_agrees_with_a_result_by_hand() -> None:
    # Chunklets {(0,0), (2,0)} and {(0,3), (0,4)}: C = diag(2, 1/2) / 4, so the axes scale as 1 : 2.
    X = np.array([[0.0, 0], [2, 0], [0, 3], [0, 4]])
    side = SideInformation(similar=np.array([[0, 1], [2, 3]]))
    Z = Rca(ridge=0, euclidean_blend=0).fit(X, side).transform(X).astype(np.float64)
    assert_same_up_to_scale(squared(Z), squared(X * [1, 2]), 1e-5)


def test_rca_is_the_inverse_root_of_the_scatter_within_classes() -> None:
    X, y = clouds()
    C = sum(np.cov(X[y == c].T, bias=True) * (y == c).sum() for c in range(3)) / len(X)
    Z = Rca(ridge=0.1, euclidean_blend=0).fit(X, SideInformation.from_labels(y)).transform(X).astype(np.float64)
    assert_same_up_to_scale(squared(Z), squared(X @ powm(C, -0.5, 0.1)))


def test_chains_of_pairs_give_rca_the_same_as_labels() -> None:
    X, y = clouds()
    chain = np.array([[i, i + 3] for i in range(87)])
    by_pairs = Rca().fit(X, SideInformation(similar=chain)).pair_distance(X, X[::-1])
    by_labels = Rca().fit(X, SideInformation.from_labels(y)).pair_distance(X, X[::-1])
    np.testing.assert_allclose(by_pairs, by_labels, rtol=1e-4, atol=1e-6)


def test_kernel_rca_is_rca_on_kernel_principal_components() -> None:
    X, y = clouds()
    side = SideInformation.from_labels(y)
    Y = KernelPCA.fit(X, 10).transform(X).astype(np.float64)
    expected = Rca(euclidean_blend=0.3).fit(Y, side).transform(Y).astype(np.float64)
    got = KernelRca(n_components=10, euclidean_blend=0.3).fit(X, side).transform(X).astype(np.float64)
    np.testing.assert_allclose(squared(got), squared(expected), atol=1e-4)


def test_dca_follows_the_steps_of_the_paper() -> None:
    X, y = clouds()
    means = np.array([X[y == c].mean(axis=0) for c in range(3)])
    within = sum(np.cov(X[y == c].T, bias=True) for c in range(3)) / 3
    between = sum(np.outer(means[a] - means[b], means[a] - means[b]) for a, b in [(0, 1), (0, 2), (1, 2)]) / 3
    w, U = np.linalg.eigh(between)
    Zb = U[:, w > 1e-6 * w[-1]] / np.sqrt(w[w > 1e-6 * w[-1]])
    w2, V = np.linalg.eigh(Zb.T @ within @ Zb)
    expected = X @ Zb @ (V / np.sqrt(w2))
    learner = Dca(ridge=0, euclidean_blend=0).fit(X, SideInformation.from_labels(y))
    assert learner.axes_.shape == (4, 2)  # number of classes minus 1
    assert_same_up_to_scale(squared(learner.transform(X).astype(np.float64)), squared(expected))


def test_dca_separates_photos_judged_dissimilar() -> None:
    X, y = clouds()
    similar = np.array([[0, 3], [3, 6], [1, 4], [4, 7], [2, 5]])
    side = SideInformation(similar, np.array([[0, 1], [6, 4], [0, 8]]))
    learner = Dca(euclidean_blend=0).fit(X, side)
    assert learner.axes_.shape[1] <= 3
    apart = learner.pair_distance(X[y == 0], X[y == 1]).mean()
    assert apart > learner.pair_distance(X[y == 0][:-1], X[y == 0][1:]).mean()


def test_tags_common_to_all_photos_are_not_discriminative() -> None:
    # Every photo has both tags: nothing is known to differ, so DCA equals RCA.
    X, _ = clouds()
    both = SideInformation.from_tags(np.ones((90, 2)))
    np.testing.assert_allclose(
        Dca(ridge=0.1, euclidean_blend=0.25).fit(X, both).pair_distance(X, X[::-1]),
        Rca(ridge=0.1, euclidean_blend=0.25).fit(X, both).pair_distance(X, X[::-1]),
        rtol=1e-4,
        atol=1e-6,
    )


def test_rca_refuses_dissimilar_pairs_only() -> None:
    with pytest.raises(LearnerError, match="and two photos known to be similar"):
        Rca().fit(clouds()[0], SideInformation(dissimilar=np.array([[0, 1]])))
