# SPDX-License-Identifier: MIT
"""LSML, MMC, MLKR and SCML: objectives against slow references, gradients against differences, optima."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import check_grad

from focal_photos.learners.comparison.lsml import squared_residual
from focal_photos.learners.comparison.mlkr import regression_error
from focal_photos.learners.comparison.mmc import spread
from focal_photos.learners.comparison.pair_metric import Floats, minimized
from focal_photos.learners.comparison.scml import Scml, squared_hinge, weights
from focal_photos.learners.core.progress import no_report
from focal_photos.learners.core.side_information import SideInformation

RNG = np.random.default_rng(0)
P = 4
NEAR, FAR = RNG.normal(size=(30, P)), RNG.normal(size=(30, P))
Y = RNG.normal(size=(12, P))
CLASSES = np.arange(12) % 3
TARGET = np.eye(3)[CLASSES]
S = NEAR.T @ NEAR
LOST = np.random.default_rng(1).normal(size=(50, 8)) - 0.3
MAP = np.eye(P) + 0.3 * np.random.default_rng(2).normal(size=(P, P))

OBJECTIVES: dict[str, tuple[Callable[[Floats], tuple[float, Floats]], Floats]] = {
    "lsml": (lambda x: squared_residual(x.reshape(P, P), NEAR, FAR, 0.1), MAP),
    "mmc": (lambda x: spread(x.reshape(P, P), S, FAR), MAP),
    "mlkr": (lambda x: regression_error(x.reshape(P, P), Y, TARGET), MAP),
    "scml": (lambda x: squared_hinge(x, LOST, 0.01), np.abs(np.random.default_rng(3).normal(size=8))),
}


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_gradient_agrees_with_differences(name: str) -> None:
    objective, at = OBJECTIVES[name]
    error = check_grad(lambda x: objective(x)[0], lambda x: objective(x)[1].ravel(), at.ravel())
    assert error < 1e-5 * (1 + np.linalg.norm(objective(at.ravel())[1]))


def test_the_objective_of_lsml_is_that_of_the_paper() -> None:
    M = MAP @ MAP.T
    expected = 0.1 * (np.trace(M) - np.log(np.linalg.det(M))) / P
    for v, w in zip(NEAR, FAR, strict=True):
        expected += max(0, np.sqrt(v @ M @ v) - np.sqrt(w @ M @ w)) ** 2 / len(NEAR)
    assert squared_residual(MAP, NEAR, FAR, 0.1)[0] == pytest.approx(expected)


def test_the_objective_of_mlkr_is_that_of_the_paper() -> None:
    expected = 0.0
    for i in range(len(Y)):
        others = [j for j in range(len(Y)) if j != i]
        kernel = [np.exp(-np.square((Y[i] - Y[j]) @ MAP).sum()) for j in others]
        predicted = np.average(TARGET[others], axis=0, weights=kernel)
        expected += np.square(predicted - TARGET[i]).sum()
    assert regression_error(MAP, Y, TARGET)[0] == pytest.approx(expected)


def test_mmc_finds_the_optimum_of_the_convex_problem() -> None:
    """With the gradient G of ``sum_D d`` and the multiplier mu: ``G <= mu S``, with equality where M is not 0."""
    M = minimized(lambda L: spread(L, S, FAR), P, 2000, no_report)
    M /= np.vdot(M, S)
    lengths = np.sqrt(np.einsum("ij,jk,ik->i", FAR, M, FAR))
    G = (FAR.T / (2 * lengths)) @ FAR
    slack = np.vdot(G, M) * S - G
    assert np.linalg.eigvalsh(slack)[0] > -1e-3 * np.abs(G).max()
    np.testing.assert_allclose(slack @ M, 0, atol=1e-3 * np.abs(G @ M).max())


def test_scml_finds_the_optimum_and_few_weights() -> None:
    for sparsity in (0.0, 0.3, 0.6):
        w = weights(LOST, sparsity)
        _, gradient = squared_hinge(w, LOST, sparsity)
        assert (gradient[w == 0] > -1e-4).all()
        np.testing.assert_allclose(gradient[w > 0], 0, atol=1e-3)
    assert 0 < (w > 0).sum() < 6 < (weights(LOST, 0.0) > 0).sum()
    assert not weights(LOST, 100.0).any()


def test_scml_finds_the_direction_that_separates() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 5)) * [0.5, 3, 3, 3, 3] + 2 * np.eye(2, 5)[0] * y[:, None]
    learner = Scml(euclidean_blend=0, unit=False).fit(X, SideInformation.from_labels(y))
    lengths = learner.pair_distance(np.zeros((5, 5)), np.eye(5))
    assert lengths[0] > 5 * lengths[1:].max()
