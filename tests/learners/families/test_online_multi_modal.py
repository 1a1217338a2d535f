# SPDX-License-Identifier: MIT
from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily, families_of
from focal_photos.learners.core.measures import average_precision
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.families.family_kernels import (
    FamilyKernels,
    laplacian_kernel,
    mean_distance,
    neighbor_laplacian,
)
from focal_photos.learners.families.online_multi_modal import Omdl, OmdlLowRank, ratio_axes
from focal_photos.learners.families.passive_aggressive import lazy_steps, psd, steps
from focal_photos.learners.persistence import load, save
from tests.examples import examples

Floats = NDArray[np.float64]
FAMILIES = (
    FeatureFamily("shape", 0, 4, False),
    FeatureFamily("color", 4, 8, False),
    FeatureFamily("noise", 8, 11, False),
)


def photos(n: int = 150, seed: int = 0) -> tuple[Floats, NDArray[np.intp]]:
    """Five classes; each of two families separates some of them, and the third family is noise."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 5
    shape = rng.normal(size=(n, 4)) + 2.5 * np.eye(5, 4)[y]
    color = rng.normal(size=(n, 4)) + 2.5 * np.eye(5, 4)[(y + 2) % 5]
    noise = rng.normal(size=(n, 3))
    return np.concatenate([shape, color, noise / np.linalg.norm(noise, axis=1, keepdims=True)], axis=1), y


def mean_average_precision(Z: Floats, y: NDArray[np.intp]) -> float:
    D = ((Z[:, None] - Z[None]) ** 2).sum(-1)
    np.fill_diagonal(D, np.inf)
    return average_precision(y[np.argsort(D, axis=1)[:, :-1]] == y[:, None])


# ------------------------------------------------------------------ the step (acceptance test 9.9)


@settings(max_examples=examples(15))
@given(seed=st.integers(0, 1000), C1=st.sampled_from([0.0, 0.1]), C2=st.sampled_from([0.05, 10.0]))
def test_a_step_equals_the_numerical_minimiser(seed: int, C1: float, C2: float) -> None:
    # min 1/2 |W - W0|^2 + C1 <W, G> + C2 xi,  1 + <W, Q> <= xi, xi >= 0  (eq. 13 without the cone)
    rng = np.random.default_rng(seed)
    u, v = rng.normal(size=(2, 1, 3))
    root, graph = rng.normal(size=(2, 3, 3))
    W0, G = root @ root.T, graph @ graph.T
    Q = u.T @ u - v.T @ v
    (got,), _ = steps([W0], [u], [v], C2, C1, [G])
    found = minimize(
        lambda z: 0.5 * np.sum((z[:9].reshape(3, 3) - W0) ** 2) + C1 * np.sum(z[:9].reshape(3, 3) * G) + C2 * z[9],
        np.append(W0.ravel(), 20.0),
        constraints=[
            {"type": "ineq", "fun": lambda z: z[9] - 1 - np.sum(z[:9].reshape(3, 3) * Q)},
            {"type": "ineq", "fun": lambda z: z[9]},
        ],
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 500},
    )
    np.testing.assert_allclose(got, found.x[:9].reshape(3, 3), atol=2e-3 * (1 + np.abs(W0).max()))


def slow_steps(W: Floats, U: Floats, V: Floats, C2: float, C1: float, G: Floats) -> tuple[Floats, list[bool]]:
    """Take the steps of Algorithm 1 one after another on the matrix itself, computing z before each update."""
    wrong = []
    for u, v in zip(U, V, strict=True):
        Q = np.outer(u, u) - np.outer(v, v)
        wrong.append(bool(u @ W @ u > v @ W @ v))
        loss = max(0.0, 1 + np.sum((W - C1 * G) * Q))
        size = np.sum(Q * Q)
        W = W - C1 * G - (min(C2, loss / size) if size else 0.0) * Q
    return W, wrong


@settings(max_examples=examples(25))
@given(seed=st.integers(0, 1000), C1=st.sampled_from([0.0, 0.01]), t=st.integers(1, 30))
def test_batched_steps_equal_single_steps(seed: int, C1: float, t: int) -> None:
    rng = np.random.default_rng(seed)
    U, V = rng.normal(size=(2, t, 4))
    V[0] = U[0] = 0  # copies: no step helps
    G = np.diag(rng.random(4))
    (got,), wrong = steps([np.eye(4)], [U], [V], 0.3, C1, [G])
    expected, asked = slow_steps(np.eye(4), U, V, 0.3, C1, G)
    np.testing.assert_allclose(got, expected, atol=1e-10)
    np.testing.assert_array_equal(wrong[0], asked)


@settings(max_examples=examples(50))
@given(seed=st.integers(0, 1000))
def test_a_step_leaves_at_most_one_negative_eigenvalue(seed: int) -> None:
    rng = np.random.default_rng(seed)
    u, v = rng.normal(size=(2, 1, 6)) * 3
    root = rng.normal(size=(6, rng.integers(1, 7)))
    (W,), _ = steps([root @ root.T], [u], [v], 10.0)
    w = np.linalg.eigvalsh(W)
    assert (w < -1e-9 * max(1, w[-1])).sum() <= 1
    projected = psd(W)
    assert np.linalg.eigvalsh(projected)[0] >= -1e-9 * max(1, w[-1])
    np.testing.assert_allclose(psd(projected), projected, atol=1e-8 * max(1, w[-1]))


def test_projecting_after_every_triplet_follows_the_paper() -> None:
    rng = np.random.default_rng(0)
    U, V = rng.normal(size=(2, 20, 4))
    W = np.eye(4)
    for u, v in zip(U, V, strict=True):
        W = psd(slow_steps(W, u[None], v[None], 0.5, 0.0, np.zeros((4, 4)))[0])
    (got,), _ = lazy_steps([np.eye(4)], [U], [V], 1, 0.5)
    np.testing.assert_allclose(got, W, atol=1e-10)


def test_lazy_projection_ranks_as_well_as_projection_after_every_triplet() -> None:
    X, y = photos(300)
    side = SideInformation.from_labels(np.where(np.arange(300) < 150, y, -1))
    found = [
        mean_average_precision(
            OmdlLowRank(FAMILIES, one_kernel=False, components=20, project_every=every, max_triplets=1000, epochs=1)
            .fit(X, side)
            .transform(X[150:])
            .astype(np.float64),
            y[150:],
        )
        for every in (1, 50)
    ]
    assert found[1] == pytest.approx(found[0], abs=0.005)


# ------------------------------------------------------------------ kernels and coordinates


def test_the_kernel_uses_the_distance_without_square() -> None:
    X = photos(6)[0]
    gamma = mean_distance(X)
    expected = [[np.exp(-np.linalg.norm(a - b) / gamma) for b in X] for a in X]
    np.testing.assert_allclose(laplacian_kernel(X, X, gamma), expected, atol=1e-6)
    distances = [np.linalg.norm(X[i] - X[j]) for i in range(6) for j in range(i)]
    assert gamma == pytest.approx(np.mean(distances))
    assert mean_distance(np.full((5, 3), 0.1)) == 1.0


def test_all_kernel_principal_components_preserve_the_distances_of_the_kernel() -> None:
    X = photos(40)[0][:, :4]
    kernels, (covariance,) = FamilyKernels.fit(X, (), "kernel-pca", 100, 100)
    (Z,) = kernels.coordinates(X)
    K = laplacian_kernel(X, X, float(kernels.gammas[0]))
    D = ((Z[:, None] - Z[None]) ** 2).sum(-1)
    np.testing.assert_allclose(D / D.mean(), (2 - 2 * K) / (2 - 2 * K).mean(), atol=1e-5)
    assert D.mean() == pytest.approx(1)
    np.testing.assert_allclose(np.cov(Z.T, bias=True), covariance, atol=1e-9)


@pytest.mark.parametrize(("mode", "columns"), [("kernel-pca", 10), ("nystroem", 10), ("random", 10), ("full", 30)])
def test_every_mode_has_mean_squared_distance_1(mode: Any, columns: int) -> None:
    X = photos(30)[0]
    kernels, covariances = FamilyKernels.fit(X, FAMILIES, mode, 10, 30)
    for Z, covariance in zip(kernels.coordinates(X), covariances, strict=True):
        assert Z.shape == (30, columns)
        assert ((Z[:, None] - Z[None]) ** 2).sum(-1).mean() == pytest.approx(1)
        assert 2 * np.trace(covariance) == pytest.approx(1)


def test_the_graph_laplacian_follows_equation_6() -> None:
    X = photos(12)[0]
    K = laplacian_kernel(X, X, 2.0)
    L = neighbor_laplacian(K, 3)
    S = np.diag(np.ones(12)) - L  # D^{-1/2} S D^{-1/2}
    np.testing.assert_allclose(L, L.T)
    w = np.linalg.eigvalsh(L)
    assert w[0] == pytest.approx(0, abs=1e-9)
    assert w[-1] <= 2 + 1e-9
    assert ((S > 0).sum(axis=1) >= 3).all()


def test_families_must_fit_the_columns() -> None:
    with pytest.raises(LearnerError, match="The family noise has the columns 8:11, the samples have 9"):
        families_of(FAMILIES, 9)
    with pytest.raises(LearnerError, match="same name"):
        families_of((FAMILIES[0], FAMILIES[0]), 9)
    assert families_of((), 9) == (FeatureFamily("features", 0, 9, False),)


# ------------------------------------------------------------------ the learners


@pytest.mark.parametrize("mode", ["kernel-pca", "nystroem", "random"])
@pytest.mark.parametrize("one_kernel", [False, True])
def test_low_rank_improves_the_ranking_and_downweights_noise(mode: Any, one_kernel: bool) -> None:
    X, y = photos(300)
    side = SideInformation.from_labels(np.where(np.arange(300) < 150, y, -1))
    learner = OmdlLowRank(FAMILIES, mode=mode, one_kernel=one_kernel, components=20).fit(X, side)
    found = mean_average_precision(learner.transform(X[150:]).astype(np.float64), y[150:])
    assert found > mean_average_precision(X[150:], y[150:]) + 0.05
    assert sum(learner.family_weights_.values()) == pytest.approx(1)
    assert learner.family_weights_["noise"] < 0.5 * min(
        learner.family_weights_["shape"], learner.family_weights_["color"]
    )


def test_full_kernels_improve_the_ranking_too() -> None:
    X, y = photos(100)
    side = SideInformation.from_labels(np.where(np.arange(100) < 60, y, -1))
    learner = Omdl(FAMILIES, C1=1e-3).fit(X, side)
    found = mean_average_precision(learner.transform(X[60:]).astype(np.float64), y[60:])
    assert found > mean_average_precision(X[60:], y[60:]) + 0.03
    with pytest.raises(LearnerError, match="takes at most 50 photos, not 100: use 'omdl-lr'"):
        Omdl(limit=50).fit(X, side)


def test_the_embedding_is_the_weighted_sum_of_the_families() -> None:
    X, y = photos(60)
    learner = OmdlLowRank(
        FAMILIES, one_kernel=False, unit=False, components=8, euclidean_blend=0, output_components=1000
    ).fit(X, SideInformation.from_labels(y))
    Z = learner._family_kernels.coordinates(X)
    expected = np.zeros(59)
    for z, W, mu in zip(Z, learner.W_, learner.family_weights_.values(), strict=True):
        delta = z[1:] - z[0]
        expected += mu * np.einsum("ij,ij->i", delta @ W, delta)
    got = learner.distances_from(X[0], X)[1:] ** 2
    np.testing.assert_allclose(got / expected, got[0] / expected[0], rtol=1e-3)


def test_the_widest_axes_of_all_families_are_kept() -> None:
    X, y = photos(60)
    side = SideInformation.from_labels(y)
    full, kept = (
        OmdlLowRank(FAMILIES, one_kernel=False, unit=False, output_components=count).fit(X, side).transform(X)
        for count in (1000, 5)
    )
    assert kept.shape == (60, 5)
    assert kept.var(axis=0).sum() == pytest.approx(np.sort(full.var(axis=0))[-5:].sum(), rel=0.05)


def test_the_embedding_of_one_kernel_has_rows_of_unit_length() -> None:
    X, y = photos(60)
    side = SideInformation.from_labels(y)
    Z = OmdlLowRank(FAMILIES).fit(X, side).transform(X)
    np.testing.assert_allclose(np.linalg.norm(Z, axis=1), 1, rtol=1e-5)
    raw = OmdlLowRank(FAMILIES, unit=False).fit(X, side).transform(X)
    np.testing.assert_allclose(Z, raw / np.linalg.norm(raw, axis=1, keepdims=True), atol=1e-5)


def test_the_coordinates_of_a_mixture_belong_to_the_mixed_kernel() -> None:
    X = photos(40)[0]
    mix = np.array([[0.5, 0.3, 0.2]])
    kernels, _ = FamilyKernels.fit(X, FAMILIES, "kernel-pca", 100, 100, 0, mix)
    (Z,) = kernels.coordinates(X)
    K = sum(
        share * laplacian_kernel(X[:, g.start : g.stop], X[:, g.start : g.stop], float(gamma))
        for share, g, gamma in zip(mix[0], FAMILIES, kernels.gammas, strict=True)
    )
    np.testing.assert_allclose(kernels.matrices(X)[0], K, atol=1e-9)
    D = ((Z[:, None] - Z[None]) ** 2).sum(-1)
    np.testing.assert_allclose(D / D.mean(), (2 - 2 * K) / (2 - 2 * K).mean(), atol=1e-5)


def test_axes_of_judged_groups_are_fisher_axes() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(3), 200)
    Z = rng.normal(size=(600, 4)) * [0.1, 3, 1, 1] + np.eye(3, 4)[y] * [1, 0, 0, 0]
    Z -= Z.mean(axis=0)
    groups = sp.csr_array(np.eye(3)[y])
    L = ratio_axes(Z, groups, np.cov(Z.T, bias=True), 1)
    # Only the first column separates class 0 from the others.
    assert abs(L[0, 0]) > 20 * np.abs(L[1:, 0]).max()
    assert 2 * np.var(Z @ L) == pytest.approx(1)


def test_the_axes_without_groups_are_the_coordinates() -> None:
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(50, 3))
    L = ratio_axes(Z[:0], sp.csr_array((0, 0)), np.cov(Z.T, bias=True), 3)
    np.testing.assert_allclose(L @ L.T, np.eye(3) * (L @ L.T)[0, 0], atol=1e-9)


def test_a_smaller_margin_leaves_correct_triplets_unchanged() -> None:
    U, V = np.array([[0.1, 0.0]]), np.array([[0.0, 0.9]])
    (moved,), _ = steps([np.eye(2)], [U], [V], 1.0, margin=1.0)
    (left,), _ = steps([np.eye(2)], [U], [V], 1.0, margin=0.1)
    assert not np.allclose(moved, np.eye(2))
    np.testing.assert_array_equal(left, np.eye(2))


def test_only_the_first_pass_over_the_triplets_affects_the_weights() -> None:
    X, y = photos(60)
    side = SideInformation.from_labels(y)
    once, twice = (OmdlLowRank(FAMILIES, one_kernel=False, epochs=epochs).fit(X, side) for epochs in (1, 2))
    assert once.seen_ == twice.seen_
    np.testing.assert_array_equal(once.errors_, twice.errors_)
    assert np.abs(once.W_[0] - twice.W_[0]).max() > 0


@pytest.mark.parametrize(("photos_each", "groups"), [(10, 5), (2, 25)])
def test_axes_of_groups_are_trusted_by_the_number_of_photos_minus_groups(photos_each: int, groups: int) -> None:
    rng = np.random.default_rng(2)
    C = np.diag([2.0, 1.0, 0.5])
    Z = rng.normal(size=(50, 3)) @ np.sqrt(C)
    member = np.repeat(np.arange(groups), photos_each)
    A = ratio_axes(Z, sp.csr_array((np.ones(50), (np.arange(50), member)), shape=(50, groups)), C, 3)
    means = np.array([Z[member == g].mean(axis=0) for g in range(groups)])[member]
    S = (Z - means).T @ (Z - means) / 50
    R = np.linalg.inv(np.linalg.cholesky(S + 0.03 * np.trace(S) / 3 * np.eye(3))).T
    b, Q = np.linalg.eigh(R.T @ (C - S) @ R)
    learned = (R @ Q * np.sqrt(np.maximum(b, 0))) @ (R @ Q).T
    free = 50 - groups
    trust = free / (free + 50)
    M = trust * learned / np.sum(learned * C) + (1 - trust) * np.eye(3) / np.trace(C)
    np.testing.assert_allclose(A @ A.T, M / (2 * np.sum(M * C)), atol=1e-8)


def test_families_with_kappa_0_count_as_without_training() -> None:
    X, y = photos(60)
    learner = OmdlLowRank(FAMILIES, kappa=0).fit(X, SideInformation.from_labels(y))
    assert list(learner.family_weights_) == ["shape", "color", "noise"]
    squares = np.array([mean_distance(X[:, one.start : one.stop]) for one in FAMILIES]) ** 2
    np.testing.assert_allclose([*learner.family_weights_.values()], squares / squares.sum())


def test_an_update_takes_milliseconds_for_any_number_of_photos() -> None:
    X, y = photos(600)
    learner = OmdlLowRank(FAMILIES).fit(X, SideInformation.from_labels(y))
    many = np.tile(X, (50, 1))  # 30,000
    one = SideInformation(similar=np.array([[3, 20_000]]))
    before = learner.pair_distance(many[:1] * 0 + many[3], many[20_000:20_001])
    took = []
    for _ in range(3):
        start = time.process_time()
        learner.partial_fit(many, one)
        took.append(time.process_time() - start)
    assert min(took) < 0.5  # takes some milliseconds; the limit is for busy machines
    assert learner.pair_distance(many[3:4], many[20_000:20_001]) != before
    assert learner.seen_ > 0


def test_a_loaded_learner_continues_like_the_saved_one(tmp_path: Path) -> None:
    X, y = photos(60)
    learner = OmdlLowRank(FAMILIES, C1=1e-4).fit(X, SideInformation.from_labels(y))
    save(tmp_path / "metric.npz", learner=learner)
    again = load(tmp_path / "metric.npz")["learner"]
    assert isinstance(again, OmdlLowRank)
    assert again.family_weights_ == learner.family_weights_
    more = SideInformation(np.array([[0, 5]]), np.array([[0, 1]]))
    np.testing.assert_array_equal(again.partial_fit(X, more).transform(X), learner.partial_fit(X, more).transform(X))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"mode": "guess"}, "no mode 'guess'"),
        ({"components": 0}, "components and landmarks"),
        ({"C2": 0.0}, "C2 must be above 0"),
        ({"credit": -1.0}, "credit at least 0"),
        ({"euclidean_blend": -1.0}, "euclidean_blend"),
    ],
)
def test_impossible_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    X, y = photos(20)
    with pytest.raises(LearnerError, match=message):
        OmdlLowRank(**parameters).fit(X, SideInformation.from_labels(y))
