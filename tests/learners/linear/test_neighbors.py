# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import check_grad
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import median_squared_distance
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.linear.neighbors import Lmnn, Nca, _lmnn, _targets
from tests.examples import examples

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


def noisy(n: int = 120, d: int = 5, seed: int = 0) -> tuple[Floats, Rows]:
    """Two classes separated in one direction, with noise that is wider in the others."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, d)) * [0.5, 3, 3, 3, 3][:d] + 2 * np.eye(2, d)[0] * y[:, None], y


def squared(Z: Floats) -> Floats:
    return np.asarray(((Z[:, None] - Z[None]) ** 2).sum(-1))


def precision_at_5(Z: Floats, y: Rows) -> float:
    D = squared(Z)
    np.fill_diagonal(D, np.inf)
    return float((y[np.argsort(D, axis=1)[:, :5]] == y[:, None]).mean())


def test_nca_agrees_with_scikit_learn_on_rescaled_photos() -> None:
    X, y = noisy()
    X = X - X.mean(axis=0)
    scaled = X * np.sqrt(4 / median_squared_distance(X))
    theirs = NeighborhoodComponentsAnalysis(init="identity", max_iter=100, tol=1e-9).fit(scaled, y).transform(scaled)
    ours = Nca(iterations=100, euclidean_blend=0).fit(X, SideInformation.from_labels(y)).transform(X).astype(np.float64)
    assert precision_at_5(ours, y) == pytest.approx(precision_at_5(theirs, y), abs=0.02)
    assert np.corrcoef(squared(ours).ravel(), squared(theirs).ravel())[0, 1] > 0.99


@pytest.mark.parametrize("kind", [Nca, Lmnn])
def test_both_find_the_direction_that_separates_classes(kind: type[Nca] | type[Lmnn]) -> None:
    X, y = noisy()
    new, truth = noisy(seed=1)
    learner = kind().fit(X, SideInformation.from_labels(y))
    assert precision_at_5(learner.transform(new).astype(np.float64), truth) > precision_at_5(new, truth) + 0.1


@pytest.mark.parametrize("kind", [Nca, Lmnn])
def test_both_need_two_similar_photos_and_a_different_one(kind: type[Nca] | type[Lmnn]) -> None:
    X, _ = noisy()
    with pytest.raises(LearnerError, match="with two photos that are alike and one that is not"):
        kind().fit(X, SideInformation(similar=np.array([[0, 1]])))
    learner = kind().fit(X, SideInformation(np.array([[0, 1]]), np.array([[0, 2]])))
    assert np.isfinite(learner.distances_from(X[0], X)).all()
    with pytest.raises(LearnerError, match="iterations"):
        kind(iterations=0).fit(X, SideInformation(np.array([[0, 1]]), np.array([[0, 2]])))


@pytest.mark.parametrize("kind", [Nca, Lmnn])
def test_both_report_every_iteration_and_stop_on_request(kind: type[Nca] | type[Lmnn]) -> None:
    X, y = noisy()
    shares: list[float] = []
    kind(iterations=10).fit(X, SideInformation.from_labels(y), progress=shares.append)
    assert len(shares) >= 5
    learner = kind(iterations=10)

    def stop(share: float) -> None:
        if share > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learner.fit(X, SideInformation.from_labels(y), progress=stop)
    assert not learner.fitted_state()


def slow_lmnn(L: Floats, Y: Floats, classes: Rows, targets: Rows, push: float) -> float:
    D, value = squared(Y @ L), 0.0
    for i, t in targets:
        value += (1 - push) * D[i, t]
        value += sum(
            push / 2 * max(0.0, 1 + D[i, t] - D[i, other]) ** 2
            for other in range(len(Y))
            if classes[other] != classes[i]
        )
    return value


@settings(max_examples=examples(20))
@given(seed=st.integers(0, 1000), push=st.floats(0.1, 0.9))
def test_the_objective_equals_a_loop_and_the_gradient_its_slope(seed: int, push: float) -> None:
    rng = np.random.default_rng(seed)
    Y, L = rng.normal(size=(12, 3)), rng.normal(size=(3, 3))
    classes = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3])  # the last photo has no target and is only an impostor
    targets = _targets(Y, classes, 3)
    assert _lmnn(L, Y, classes, targets, push)[0] == pytest.approx(slow_lmnn(L, Y, classes, targets, push))
    error = check_grad(
        lambda flat: _lmnn(flat.reshape(3, 3), Y, classes, targets, push)[0],
        lambda flat: _lmnn(flat.reshape(3, 3), Y, classes, targets, push)[1].ravel(),
        L.ravel(),
    )
    slope = np.abs(_lmnn(L, Y, classes, targets, push)[1]).max()
    assert error < 1e-5 * (1 + slope)


def test_targets_are_the_nearest_of_the_class() -> None:
    Y = np.array([[0.0], [1], [10], [12], [2], [50]])
    classes = np.array([0, 0, 0, 1, 1, 2])
    np.testing.assert_array_equal(_targets(Y, classes, 1), [[0, 1], [1, 0], [2, 1], [3, 4], [4, 3]])


def test_no_photo_is_a_target_of_itself() -> None:
    Y = np.random.default_rng(0).normal(size=(7, 3))
    targets = _targets(Y, np.array([0, 0, 1, 1, 1, 2, 2]), 5)
    assert (targets[:, 0] != targets[:, 1]).all()
    assert np.bincount(targets[:, 0]).tolist() == [1, 1, 2, 2, 2, 1, 1], "small classes use all other members"


@pytest.mark.parametrize("parameters", [{"neighbors": 0}, {"push": -0.1}, {"push": 1.1}])
def test_lmnn_needs_neighbours_and_a_valid_push(parameters: dict[str, float]) -> None:
    X = np.random.default_rng(0).normal(size=(12, 3))
    with pytest.raises(LearnerError, match=r"neighbors must be at least 1, and push in 0\.\.1"):
        Lmnn(**parameters).fit(X, SideInformation.from_labels(np.arange(12) % 2))  # type: ignore[arg-type]
