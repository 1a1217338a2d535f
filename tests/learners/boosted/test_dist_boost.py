# SPDX-License-Identifier: MIT
from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.learners import LearnerError
from focal_photos.learners.boosted.dist_boost import DistBoost, chunklets_of, fit_mixture
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery


def photos(n: int = 240, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Photos whose class depends on 3 coordinates, among 9 uninformative ones of larger variance."""
    rng = np.random.default_rng(seed)
    centres = 3.0 * np.random.default_rng(99).normal(size=(4, 3))
    y = np.arange(n) % 4
    return np.hstack([centres[y] + rng.normal(size=(n, 3)), 3 * rng.normal(size=(n, 9))]), y


@pytest.fixture(scope="module")
def learned() -> DistBoost:
    X, y = photos()
    return DistBoost(rounds=12, components=7).fit(X, SideInformation.from_labels(y))


def test_distances_agree_with_the_formula(learned: DistBoost) -> None:
    X, _ = photos(40, seed=1)
    T, k = learned.intercepts_.shape
    C = X - learned.center_
    expected = np.zeros((40, 40))
    for t in range(T):
        logits = C @ learned.coefficients_[:, t * k : (t + 1) * k] + learned.intercepts_[t]
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        for i in range(40):
            for j in range(40):
                sign = 1 if p[i].argmax() == p[j].argmax() else -1
                expected[i, j] += learned.alphas_[t] * (1 - sign * p[i].max() * p[j].max()) / 2
    plain = C @ learned.axes_
    expected += ((plain[:, None] - plain) ** 2).sum(axis=-1)
    assert learned.alphas_.sum() == pytest.approx(1)
    for i in (0, 7):
        np.testing.assert_allclose(learned.distances_from(X[i], X), expected[i], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(learned.pair_distance(X[[i] * 40], X), expected[i], rtol=1e-4, atol=1e-5)
    # Not a metric: the distance of a photo from itself may be positive.
    assert np.diag(expected).max() > 1e-6


def test_photos_without_similar_ones_are_their_own_chunklets() -> None:
    side = SideInformation(np.array([[1, 4], [2, 5]]), np.array([[0, 3], [6, 7]]))
    found = chunklets_of(side, 9, np.array([0, 1, 2, 3, 4, 5, 6, 7]))
    assert found.tolist() == [2, 0, 1, 3, 0, 1, 4, 5]
    assert chunklets_of(side, 9, np.array([8, 0, 3])).tolist() == [0, 1, 2]


@pytest.mark.parametrize("dense", [1500, 0])
def test_each_kind_of_pairs_weighs_half_and_judged_pairs_as_much_as_those_of_tags(dense: int) -> None:
    y = np.arange(24) % 4
    judged = SideInformation(np.array([[0, 4]]), np.array([[0, 1], [2, 5]]))
    learner = DistBoost(dense=dense)
    rows, pairs, signs, weights = learner._pairs(SideInformation.from_labels(y) | judged)
    assert weights.sum() == pytest.approx(1)
    assert weights[signs > 0].sum() == pytest.approx(0.5)
    for kind, sign in ((judged.similar, 1.0), (judged.dissimilar, -1.0)):
        first = np.flatnonzero(signs == sign)[: len(kind)]
        np.testing.assert_array_equal(rows[pairs[first]], kind)
        assert weights[first].sum() == pytest.approx(0.25)
    _, _, signs, weights = learner._pairs(SideInformation.from_labels(y) | SideInformation(judged.similar))
    assert weights[signs > 0].sum() == pytest.approx(weights[signs < 0].sum())


def test_a_gallery_of_codes_ranks_by_the_distances(learned: DistBoost) -> None:
    X, _ = photos(60, seed=2)
    kept = gallery_rows(learned, X)
    rows, distances = row_gallery(learned, kept).rank(kept[5], 10)
    expected = learned.distances_from(X[5], X)
    np.testing.assert_allclose(distances, np.sort(expected)[:10], rtol=1e-5)
    np.testing.assert_allclose(expected[rows], distances, rtol=1e-5)
    codes = learned.codes(X)
    assert codes.components.dtype == np.uint8
    assert codes.probabilities.dtype == np.float32
    assert codes.components.shape == codes.probabilities.shape == (60, len(learned.alphas_))


def precision(learner: DistBoost, X: NDArray[np.float64], y: NDArray[np.intp]) -> float:
    right = []
    for i in range(len(X)):
        distances = learner.distances_from(X[i], X)
        distances[i] = np.inf
        right.append((y[np.argsort(distances)[:10]] == y[i]).mean())
    return float(np.mean(right))


@pytest.mark.parametrize("kind", ["tags", "drawn", "judged", "both"])
def test_every_kind_of_side_information_improves_the_ranking(kind: str) -> None:
    X, y = photos()
    new, classes = photos(100, seed=3)
    i = np.arange(200)
    tags = SideInformation.from_labels(y)
    judged = SideInformation(np.column_stack([i, i + 4]), np.column_stack([i, i + 1]))
    side = {"tags": tags, "drawn": tags, "judged": judged, "both": tags | judged}[kind]
    learner = DistBoost(rounds=15, dense=0 if kind == "drawn" else 1500).fit(X, side)
    distances = np.linalg.norm(new[:, None] - new, axis=-1)
    np.fill_diagonal(distances, np.inf)
    plain = float((classes[np.argsort(distances, axis=1)[:, :10]] == classes[:, None]).mean())
    assert precision(learner, new, classes) > plain + 0.15


def test_the_mixture_finds_clouds_and_preserves_chunklets() -> None:
    rng = np.random.default_rng(0)
    cloud = np.repeat([0, 1, 2], 50)
    Y = 6 * np.eye(3)[cloud] + 0.5 * rng.normal(size=(150, 3))
    linear, constant = fit_mixture(Y, np.ones(150), np.arange(150), 3, np.random.default_rng(1))
    component = (Y @ linear + constant).argmax(axis=1)
    assert all(len(set(component[cloud == c])) == 1 for c in range(3))
    # Clouds 0 and 1 are one chunklet: they have two components, one of which takes both.
    linear, constant = fit_mixture(Y, np.ones(150), np.where(cloud == 2, 1, 0), 2, np.random.default_rng(1))
    component = (Y @ linear + constant).argmax(axis=1)
    assert len(set(component[cloud < 2])) == 1


@pytest.mark.parametrize(("pairs", "components"), [(4, 6), (50, 20), (300, 30)])
def test_the_number_of_components_grows_with_that_of_judged_pairs(pairs: int, components: int) -> None:
    X, _ = photos(pairs + 4)
    i = np.arange(pairs)
    judged = SideInformation(np.column_stack([i, i + 4]), np.column_stack([i, i + 1]))
    assert DistBoost(rounds=1, euclidean_blend=0).fit(X, judged).intercepts_.shape[1] == components
    tags = SideInformation.from_labels(np.arange(len(X)) % 2)
    assert DistBoost(rounds=1, euclidean_blend=0).fit(X, judged | tags).intercepts_.shape[1] == 6


def test_a_mixture_may_have_more_components_than_photos() -> None:
    Y = np.array([[0.0, 0.0], [1.0, 1.0]])
    linear, constant = fit_mixture(Y, np.ones(2), np.arange(2), 6, np.random.default_rng(0))
    assert linear.shape == (2, 6)
    assert np.isfinite(linear).all()
    assert np.isfinite(constant).all()
    assert (Y @ linear + constant).argmax(axis=1).max() < 2


def test_the_distance_is_squared_euclidean_if_no_round_helps() -> None:
    X = np.zeros((10, 3))
    X[4:] = np.arange(18).reshape(6, 3)
    # Photos 0 to 3 are copies: no mixture can distinguish the similar from the dissimilar pair.
    learner = DistBoost().fit(X, SideInformation(np.array([[0, 1]]), np.array([[2, 3]])))
    assert len(learner.alphas_) == 0
    distances, plain = learner.distances_from(X[0], X), ((X - X[0]) ** 2).sum(axis=1)
    np.testing.assert_allclose(distances, plain * distances[-1] / plain[-1], rtol=1e-5)


def test_similar_pairs_are_enough_with_a_given_share_and_are_harmless_otherwise() -> None:
    X, y = photos(80)
    rows = [np.flatnonzero(y == label)[:8] for label in range(4)]
    similar = SideInformation(np.array([(i, j) for some in rows for i, j in itertools.pairwise(some)]))
    assert len(DistBoost(rounds=6, euclidean_blend=0).fit(X, similar).alphas_) > 0
    harmless = DistBoost(rounds=6).fit(X, similar)
    assert len(harmless.alphas_) == 0
    order = np.argsort(harmless.distances_from(X[0], X), kind="stable")
    assert order.tolist() == np.argsort(((X - X[0]) ** 2).sum(axis=1), kind="stable").tolist()


def test_the_blend_moves_the_ranking_towards_euclidean_distance() -> None:
    X, y = photos(120)
    plain = np.linalg.norm(X - X[0], axis=1)
    correlations = [
        np.corrcoef(
            DistBoost(rounds=8, euclidean_blend=blend)
            .fit(X, SideInformation.from_labels(y))
            .distances_from(X[0], X)[1:],
            plain[1:] ** 2,
        )[0, 1]
        for blend in (0.0, 0.25, 2.0)
    ]
    assert correlations == sorted(correlations)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"rounds": 0}, "rounds"), ({"components": 300}, r"2\.\.255"), ({"euclidean_blend": -1.0}, "euclidean_blend")],
)
def test_impossible_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    X, y = photos(20)
    with pytest.raises(LearnerError, match=message):
        DistBoost(**parameters).fit(X, SideInformation.from_labels(y))
