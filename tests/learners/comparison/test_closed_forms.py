# SPDX-License-Identifier: MIT
"""GMML and KISSME against their equations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focal_photos.learners.comparison.gmml import Gmml, geometric_mean
from focal_photos.learners.comparison.kissme import Kissme
from focal_photos.learners.comparison.pair_metric import Floats
from focal_photos.learners.core.side_information import SideInformation
from tests.examples import examples

seeds = st.integers(0, 2**31)


def scatters(seed: int, p: int = 4) -> tuple[Floats, Floats]:
    A, B = np.random.default_rng(seed).normal(size=(2, 3 * p, p))
    return A.T @ A, B.T @ B


@settings(max_examples=examples(30), deadline=None)
@given(seed=seeds)
def test_the_geometric_mean_solves_its_riccati_equation(seed: int) -> None:
    S, D = scatters(seed)
    M = geometric_mean(S, D, 0.5)
    np.testing.assert_allclose(M @ S @ M, D, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(geometric_mean(S, D, 0), np.linalg.inv(S), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(geometric_mean(S, D, 1), D, rtol=1e-6, atol=1e-6)


@settings(max_examples=examples(30), deadline=None)
@given(seed=seeds)
def test_the_geometric_mean_minimizes_the_objective_of_the_paper(seed: int) -> None:
    S, D = scatters(seed)

    def objective(M: Floats) -> float:
        return float(np.trace(M @ S) + np.trace(np.linalg.inv(M) @ D))

    M = geometric_mean(S, D, 0.5)
    moved = np.random.default_rng(seed).normal(size=(20, 4, 4)) * 0.01
    assert all(objective(M @ (np.eye(4) + one + one.T)) > objective(M) for one in moved if (one + one.T).any())


def judged() -> tuple[Floats, SideInformation]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)) * [3, 2, 1, 1]
    i = np.arange(58)
    return X, SideInformation(np.column_stack([i, i + 1]), np.column_stack([i, i + 2]))


def covariances(X: Floats, side: SideInformation, ridge: float) -> tuple[Floats, Floats]:
    """Return the covariances of the differences of both kinds of pairs, with the ridge of `PairMetric`."""
    scale = 2 * X.var(axis=0).sum()
    return tuple(
        np.mean([np.outer(X[i] - X[j], X[i] - X[j]) for i, j in pairs], axis=0) + ridge * scale / 4 * np.eye(4)
        for pairs in (side.similar, side.dissimilar)
    )


@pytest.mark.parametrize("kind", ["gmml", "kissme"])
def test_distances_are_those_of_the_equations(kind: str) -> None:
    X, side = judged()
    S, D = covariances(X, side, 0.1)
    if kind == "gmml":
        learner: Gmml | Kissme = Gmml(ridge=0.1, euclidean_blend=0, unit=False)
        M = geometric_mean(S, D, 0.5)
    else:
        learner = Kissme(ridge=0.1, euclidean_blend=0, unit=False)
        w, V = np.linalg.eigh(np.linalg.inv(S) - np.linalg.inv(D))
        assert w[0] < 0 < w[-1], "the projection is used"
        M = (V * np.maximum(w, 0)) @ V.T
    A, B = X[:30], X[30:]
    expected = np.sqrt(np.einsum("ij,jk,ik->i", A - B, M, A - B))
    found = learner.fit(X, side).pair_distance(A, B)
    np.testing.assert_allclose(found / found.mean(), expected / expected.mean(), rtol=1e-4, atol=1e-4)
