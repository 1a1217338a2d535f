# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import KernelPCA, median_squared_distance, rbf
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.core.linalg import powm
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.linear.rca import Rca
from focal_photos.learners.tags.multi_label import (
    KernelMultiLabelMetric,
    KernelTagRatioMetric,
    KernelTagScores,
    MultiLabelMetric,
    TagRatioMetric,
)
from tests.examples import examples

Floats = NDArray[np.float64]
ALL: tuple[DistanceLearner, ...] = (
    MultiLabelMetric(),
    KernelMultiLabelMetric(),
    TagRatioMetric(),
    KernelTagRatioMetric(),
    KernelTagScores(),
)
NAMES = [learner.name for learner in ALL]


def library(n: int = 50, d: int = 6, m: int = 8, seed: int = 0) -> tuple[Floats, Floats]:
    """Photos at positions that depend on their tags, and the tags (n, m): each photo has one, each tag two photos."""
    rng = np.random.default_rng(seed)
    tags = (rng.random((n, m)) < 0.2).astype(float)
    tags[np.arange(n), np.arange(n) % m] = 1
    return rng.normal(size=(n, d)) + tags @ rng.normal(size=(m, d)), tags


def slow_residuals(X: Floats, tags: Floats) -> tuple[Floats, Floats]:
    """Return residuals and predictions by the matrix B of all pairs of photos, as in the paper."""
    A_R, A_C = tags / tags.sum(axis=1, keepdims=True), tags / tags.sum(axis=0)
    B = A_C @ A_R.T
    np.testing.assert_allclose(B.sum(axis=0), 1)
    return X - B.T @ X, B.T @ X


def squared(Z: NDArray[np.floating]) -> Floats:
    Z = Z.astype(np.float64)
    return np.asarray(((Z[:, None] - Z[None]) ** 2).sum(-1))


def assert_same_up_to_scale(got: Floats, expected: Floats, rtol: float = 1e-4) -> None:
    off = ~np.eye(len(got), dtype=bool)
    scale = got[off] / expected[off]
    np.testing.assert_allclose(scale, np.median(scale), rtol=rtol)


def counted(tags: Floats) -> Floats:
    """Return how often each tag was given, 1 to 5 times."""
    return tags * np.random.default_rng(1).integers(1, 6, tags.shape)


@pytest.mark.parametrize("learner", ALL, ids=NAMES)
def test_how_often_a_tag_was_given_has_an_effect(learner: DistanceLearner) -> None:
    X, tags = library()
    once, often, five = (
        squared(learner.fit(X, SideInformation.from_tags(given)).transform(X))  # type: ignore[attr-defined]
        for given in (tags, counted(tags), 5 * tags)
    )
    np.testing.assert_allclose(five, once, atol=1e-4 * once.max())
    assert np.abs(often - once).max() > 0.002 * once.max()


@pytest.mark.parametrize("with_counts", [False, True])
@pytest.mark.parametrize("c", [0.01, 1.0, 30.0])
def test_the_linear_form_is_the_closed_form_over_the_slow_residuals(c: float, with_counts: bool) -> None:
    X, tags = library()
    tags = counted(tags) if with_counts else tags
    R, _ = slow_residuals(X, tags)
    S = R.T @ R
    M = np.linalg.inv(np.eye(6) + S / (c * np.trace(S) / 6))
    got = squared(MultiLabelMetric(c, 0).fit(X, SideInformation.from_tags(tags)).transform(X))
    difference = X[:, None] - X[None]
    assert_same_up_to_scale(got, np.einsum("ijk,kl,ijl->ij", difference, M, difference))


@pytest.mark.parametrize("learner", [MultiLabelMetric(), KernelMultiLabelMetric()], ids=["linear", "kernel"])
def test_a_tagged_gallery_is_reconstructed_from_its_tags(learner: MultiLabelMetric) -> None:
    X, tags = library()
    learner.fit(X, SideInformation.from_tags(tags))
    gallery, given = np.concatenate([X[:30], X[:3]]), np.concatenate([counted(tags)[:30], np.zeros((3, 8))])
    Z = learner.transform(gallery).astype(np.float64)
    found = learner.transform_tagged(gallery, sp.csr_array(given))
    np.testing.assert_allclose(found[:30], slow_residuals(Z[:30], given[:30])[1], atol=1e-5)
    np.testing.assert_array_equal(found[30:], Z[30:])
    np.testing.assert_array_equal(learner.transform_tagged(gallery, given), found)
    with pytest.raises(LearnerError, match="tags are of 32 photos"):
        learner.transform_tagged(gallery, given[:32])


def test_the_closed_form_minimises_the_objective_of_the_paper() -> None:
    X, tags = library()
    R, _ = slow_residuals(X, tags)
    S, scale = R.T @ R, 3.0

    def objective(M: NDArray[np.floating]) -> float:
        return float(np.trace(M @ S) + scale * (np.trace(M) - np.linalg.slogdet(M)[1]))

    best = np.linalg.inv(np.eye(6) + S / scale)
    rng = np.random.default_rng(0)
    for _ in range(20):
        E = rng.normal(size=(6, 6))
        E = 1e-4 * (E + E.T) * best.max()
        slope = (objective(best + 1e-3 * E) - objective(best - 1e-3 * E)) / 2e-3
        assert abs(slope) < 1e-6 * abs(objective(best))
        assert objective(best + E) > objective(best)


@pytest.mark.parametrize("ridge", [0.1, 2.0])
def test_with_one_tag_per_photo_it_is_rca_with_a_ridge(ridge: float) -> None:
    X, _ = library()
    side = SideInformation.from_labels(np.arange(len(X)) % 5)
    got = squared(MultiLabelMetric(ridge, 0).fit(X, side).transform(X))
    assert_same_up_to_scale(got, squared(Rca(ridge, 0).fit(X, side).transform(X)), 1e-3)


def kernel_form(K: NDArray[np.floating], tags: Floats, c: float, components: int) -> Floats:
    """Return the distances of the paper between the photos (eq. 19-20)."""
    n = len(K)
    R_n = np.eye(n) - (tags / tags.sum(axis=0)) @ (tags / tags.sum(axis=1, keepdims=True)).T
    inner = R_n.T @ K @ R_n
    scale = c * np.trace(inner) / components
    H = R_n @ np.linalg.inv(scale * np.eye(n) + inner) @ R_n.T
    G = K - K @ H @ K
    return np.asarray(np.diag(G)[:, None] + np.diag(G)[None, :] - 2 * G)


def test_the_kernel_form_with_a_linear_kernel_is_the_linear_form() -> None:
    X, tags = library()
    got = squared(MultiLabelMetric(0.3, 0).fit(X, SideInformation.from_tags(tags)).transform(X))
    assert_same_up_to_scale(got, kernel_form(X @ X.T, tags, 0.3, 6))


@pytest.mark.parametrize("with_counts", [False, True])
@pytest.mark.parametrize("c", [0.03, 1.0])
def test_the_embedding_gives_the_distances_of_the_kernel_form(c: float, with_counts: bool) -> None:
    X, tags = library()
    tags = counted(tags) if with_counts else tags
    gamma = 1 / median_squared_distance(X)
    components = KernelPCA.fit(X, len(X)).n_components
    learner = KernelMultiLabelMetric(c, euclidean_blend=0).fit(X, SideInformation.from_tags(tags))
    assert_same_up_to_scale(squared(learner.transform(X)), kernel_form(rbf(X, X, gamma), tags, c, components), 2e-3)


@pytest.mark.parametrize("s", [0.0, 0.5, 1.0])
def test_the_ratio_agrees_with_slow_scatters(s: float) -> None:
    X, tags = library()
    X = X - X.mean(axis=0)
    R, P = slow_residuals(X, tags)
    P -= P.mean(axis=0)
    Z = X @ powm(R.T @ R, -0.5, 0.03) @ powm(P.T @ P, s / 2)
    got = TagRatioMetric(s, 0.03, 0).fit(X, SideInformation.from_tags(tags)).transform(X)
    assert_same_up_to_scale(squared(got), squared(Z), 1e-3)


def test_the_kernel_ratio_is_the_ratio_on_kernel_components() -> None:
    X, tags = library()
    side = SideInformation.from_tags(tags)
    Y = KernelPCA.fit(X, 10).transform(X).astype(np.float64)
    expected = TagRatioMetric(euclidean_blend=0.3).fit(Y, side).transform(Y)
    got = KernelTagRatioMetric(10, euclidean_blend=0.3).fit(X, side).transform(X)
    np.testing.assert_allclose(squared(got), squared(expected), atol=1e-4)


@pytest.mark.parametrize("regularization", [0.1, 2.0])
def test_tag_scores_are_those_of_ridge_regression_on_the_kernel(regularization: float) -> None:
    X, tags = library()
    K = rbf(X, X, 1 / median_squared_distance(X))
    centre = np.eye(50) - 1 / 50
    scores = centre @ K @ centre @ np.linalg.solve(centre @ K @ centre + regularization * np.eye(50), centre @ tags)
    learner = KernelTagScores(regularization, euclidean_blend=0.0, unit=True).fit(X, SideInformation.from_tags(tags))
    expected = squared(scores / np.linalg.norm(scores, axis=1, keepdims=True))
    np.testing.assert_allclose(squared(learner.transform(X)), expected, atol=1e-4)


@pytest.mark.parametrize("learner", ALL, ids=NAMES)
def test_similar_pairs_beside_tags_have_an_effect(learner: DistanceLearner) -> None:
    X, tags = library()
    rng = np.random.default_rng(1)
    pairs = rng.permutation(50)[:20].reshape(-1, 2)
    before = learner.fit(X, SideInformation.from_tags(tags)).pair_distance(X[pairs[:, 0]], X[pairs[:, 1]])
    side = SideInformation(similar=np.repeat(pairs, 20, axis=0)) | SideInformation.from_tags(tags)
    after = learner.fit(X, side).pair_distance(X[pairs[:, 0]], X[pairs[:, 1]])
    assert after.mean() < before.mean()
    dissimilar = SideInformation.from_tags(tags) | SideInformation(dissimilar=pairs)
    np.testing.assert_array_equal(learner.fit(X, dissimilar).pair_distance(X[pairs[:, 0]], X[pairs[:, 1]]), before)


@pytest.mark.parametrize("learner", ALL, ids=NAMES)
def test_pairs_alone_are_not_enough(learner: DistanceLearner) -> None:
    X, _ = library()
    with pytest.raises(LearnerError, match=r"needs tags .* share, judged pairs alone are not enough\."):
        learner.fit(X, SideInformation(similar=np.array([[0, 1]])))


@pytest.mark.parametrize("learner", ALL, ids=NAMES)
def test_photos_with_common_tags_become_nearer(learner: DistanceLearner) -> None:
    rng = np.random.default_rng(2)
    tags = np.eye(8)[np.arange(200) % 8] + np.eye(8)[np.arange(200) % 3]  # one or two of eight
    # In the first direction, photos differ regardless of their tags.
    X = tags @ rng.normal(size=(8, 6)) + rng.normal(size=(200, 6)) * [5, 0.5, 0.5, 0.5, 0.5, 0.5]
    learner.fit(X[:150], SideInformation.from_tags(tags[:150]))
    # The kernel form is for training photos; the others hold for new photos.
    rows = np.arange(150) if learner.name == "kml-dml" else np.arange(150, 200)
    i, j = np.triu_indices(len(rows), 1)
    shared = (tags[rows] @ tags[rows].T > 0)[i, j]
    A, B = X[rows][i], X[rows][j]
    learned, unlearned = -learner.pair_distance(A, B), -np.linalg.norm(A - B, axis=1)
    assert roc_auc_score(shared, learned) > roc_auc_score(shared, unlearned) + 0.01


@pytest.mark.parametrize("learner", [MultiLabelMetric(), TagRatioMetric()], ids=["ml-dml", "tag-ratio"])
@settings(max_examples=examples(25))
@given(seed=st.integers(0, 10_000))
def test_the_order_of_photos_and_tags_does_not_matter(learner: DistanceLearner, seed: int) -> None:
    X, tags = library(seed=seed)
    rng = np.random.default_rng(seed)
    photos, columns = rng.permutation(len(X)), rng.permutation(tags.shape[1])
    first = learner.fit(X, SideInformation.from_tags(tags)).pair_distance(X, X[::-1])
    shuffled = SideInformation.from_tags(tags[photos][:, columns])
    again = learner.fit(X[photos], shuffled).pair_distance(X, X[::-1])
    np.testing.assert_allclose(again, first, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("learner", ALL, ids=NAMES)
@pytest.mark.parametrize("case", ["two photos", "copies", "one tag for all", "untagged photos", "more columns"])
def test_tiny_and_singular_cases_give_finite_distances(learner: DistanceLearner, case: str) -> None:
    X, tags = library()
    if case == "two photos":
        X, tags = X[:2], np.ones((2, 1))
    elif case == "copies":
        X = np.full_like(X, 0.1)
    elif case == "one tag for all":
        tags = np.ones((50, 1))
    elif case == "untagged photos":
        tags[5:] = 0
        tags[:5, 0] = 1
    else:
        X, tags = np.random.default_rng(0).normal(size=(9, 40)), tags[:9]
    distances = learner.fit(X, SideInformation(tags=sp.csr_array(tags))).distances_from(X[0], X + 0.5)
    assert np.isfinite(distances).all()


def test_landmarks_are_used_above_the_limit() -> None:
    X, tags = library(120)
    side = SideInformation.from_tags(tags)
    exact = KernelMultiLabelMetric(0.3, exact=200).fit(X, side)
    near = KernelMultiLabelMetric(0.3, exact=50, landmarks=100).fit(X, side)
    assert len(near.landmarks_) == 100
    a, b = exact.pair_distance(X, X[::-1]), near.pair_distance(X, X[::-1])
    assert np.corrcoef(a, b)[0, 1] > 0.8


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (MultiLabelMetric(regularization=0), "regularization must be above 0"),
        (MultiLabelMetric(euclidean_blend=-1), "euclidean_blend must be at least 0"),
        (KernelMultiLabelMetric(exact=7000), "exact must be at most 6000"),
        (KernelMultiLabelMetric(gamma=-1.0), "gamma must be above 0"),
        (TagRatioMetric(ridge=-1), "ridge and between_exponent"),
        (KernelTagRatioMetric(n_components=0), "n_components and landmarks"),
    ],
)
def test_invalid_parameters_are_refused(learner: DistanceLearner, message: str) -> None:
    X, tags = library()
    with pytest.raises(LearnerError, match=message):
        learner.fit(X, SideInformation.from_tags(tags))
