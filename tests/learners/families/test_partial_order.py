# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.groups import triplets
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.families.family_kernels import FamilyKernels
from focal_photos.learners.families.partial_order import Mkpoe, _violations

FAMILIES = (FeatureFamily("shape", 0, 3, False), FeatureFamily("noise", 3, 6, False))


def photos(n: int = 40, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    return rng.normal(size=(n, 6)) + np.pad(2.5 * np.eye(3)[y], ((0, 0), (0, 3))), y


def objective(learner: Mkpoe, X: NDArray[np.float64], side: SideInformation) -> float:
    """Equation 5, or equation 8 with neighbors, summed over triplets in a loop."""
    space, _ = FamilyKernels.fit(X, FAMILIES, "full", len(X), len(X))
    Z = space.coordinates(X)
    kernels = [z - o for z, o in zip(Z, space.offsets, strict=True)]
    total = sum(float(np.trace(W @ K)) for W, K in zip(learner.W_, kernels, strict=True))
    if learner.neighbors:
        total = 0.0
        for W, K, matrix in zip(learner.W_, kernels, space.matrices(X), strict=True):
            S = graph(matrix, learner.neighbors)
            V = (K @ W @ K) / np.sqrt(np.outer(S.sum(axis=1), S.sum(axis=1)))  # inner products of v_i / sqrt(D_i)
            own = V.diagonal()
            total += float((S * (own[:, None] + own - 2 * V)).sum() / 2)  # equation 6
    found = triplets(side, len(X), learner.per_photo)

    def d(a: int, b: int) -> float:
        return sum(float((K[a] - K[b]) @ W @ (K[a] - K[b])) for W, K in zip(learner.W_, kernels, strict=True))

    return total + learner.beta / len(found) * sum(max(0.0, 1 + d(i, j) - d(i, k)) for i, j, k in found)


def graph(K: NDArray[np.float64], neighbors: int) -> NDArray[np.float64]:
    """Return the kernel values of neighbours, 0 for all other pairs."""
    S = np.zeros_like(K)
    for i in range(len(K)):
        for j in [int(j) for j in np.argsort(-K[i]) if j != i][:neighbors]:
            S[i, j] = S[j, i] = K[i, j]
    return S


@pytest.mark.parametrize("neighbors", [0, 5])
def test_the_objective_follows_equations_5_and_8_and_falls(neighbors: int) -> None:
    X, y = photos()
    side = SideInformation.from_labels(y)
    learner = Mkpoe(FAMILIES, iterations=50, neighbors=neighbors).fit(X, side)
    assert learner.objective_ == pytest.approx(objective(learner, X, side), rel=1e-6)
    assert learner.objective_ < 0.9 * Mkpoe(FAMILIES, iterations=1, neighbors=neighbors).fit(X, side).objective_
    for W in learner.W_:
        assert np.linalg.eigvalsh(W)[0] > -1e-9


def test_the_sum_over_violations_equals_a_loop() -> None:
    found = np.array([[0, 1, 2], [0, 1, 3], [2, 2, 1]])
    expected = np.zeros((4, 4))
    for i, j, k in found:
        for other, sign in ((j, 1), (k, -1)):
            e = np.eye(4)[i] - np.eye(4)[other]
            expected += sign * np.outer(e, e)
    np.testing.assert_array_equal(_violations(found, 4), expected)


def test_it_orders_triplets_better_and_downweights_noise() -> None:
    X, y = photos()
    learner = Mkpoe(FAMILIES).fit(X, SideInformation.from_labels(y))
    new, truth = photos(seed=1)

    def right(Z: NDArray[np.floating]) -> float:
        found = triplets(SideInformation.from_labels(truth), len(new), 20)
        near = np.square(Z[found[:, 0]] - Z[found[:, 1]]).sum(axis=1)
        return float(np.mean(near < np.square(Z[found[:, 0]] - Z[found[:, 2]]).sum(axis=1)))

    assert right(learner.transform(new)) > right(new) + 0.03
    assert learner.family_weights_["noise"] < learner.family_weights_["shape"]


def test_many_photos_are_refused_with_an_alternative() -> None:
    X, y = photos(60)
    with pytest.raises(LearnerError, match="takes at most 50 photos, not 60: use 'omdl-lr'"):
        Mkpoe(limit=50).fit(X, SideInformation.from_labels(y))
    with pytest.raises(LearnerError, match="beta and step"):
        Mkpoe(beta=0).fit(X, SideInformation.from_labels(y))
