# SPDX-License-Identifier: MIT
from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners import LearnerError, create
from focal_photos.learners.boosted.bdm import BoostedKernelMetric, BoostedMetric, BoostedMetricVisual, leading_axes
from focal_photos.learners.boosted.pair_objective import (
    DensePairs,
    ListedPairs,
    PairSelection,
    pair_objective,
    visual_pairs,
)
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.float_gallery import FloatGallery
from tests.examples import examples

Floats = NDArray[np.floating]
KINDS = [BoostedMetric, BoostedMetricVisual, BoostedKernelMetric]
SELECTION = PairSelection(4000, 20, 0, 30.0, 0)


def photos(n: int = 240, seed: int = 0, classes: int = 6) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Photos whose class depends on 4 coordinates, among 16 uninformative ones of larger variance."""
    rng = np.random.default_rng(seed)
    centres = 1.2 * np.random.default_rng(99).normal(size=(classes, 4))
    y = np.arange(n) % classes
    return np.hstack([centres[y] + 0.5 * rng.normal(size=(n, 4)), 1.5 * rng.normal(size=(n, 16))]), y


def precision(Z: NDArray[np.float32], y: NDArray[np.intp], k: int = 10) -> float:
    rows, _ = FloatGallery(Z).rank_many(Z, k, skip=np.arange(len(Z)))
    return float((y[rows] == y[:, None]).mean())


@pytest.fixture(scope="module")
def learned() -> BoostedMetric:
    X, y = photos()
    return BoostedMetric(rounds=77).fit(X, SideInformation.from_labels(y))


# ------------------------------------------------------------------ codes


def test_packed_codes_give_the_distances_of_the_embedding(learned: BoostedMetric) -> None:
    X, _ = photos(50, seed=1)
    codes, Z = learned.encode(X), learned.transform(X)
    T = len(learned.code_weights_)
    assert codes.shape == (50, -(-T // 8))
    bits = np.unpackbits(codes, axis=1, bitorder="little")
    assert not bits[:, T:].any()
    hamming = ((bits[:, None, :T] != bits[None, :, :T]) * learned.code_weights_).sum(axis=-1)
    squared = ((Z[:, None, :T].astype(np.float64) - Z[None, :, :T]) ** 2).sum(axis=-1)
    np.testing.assert_allclose(squared, hamming, rtol=1e-5, atol=1e-6)


def test_bits_are_computed_as_documented(learned: BoostedMetric) -> None:
    X, _ = photos(30, seed=2)
    expected = (X - learned.center_) @ learned.directions_ > learned.thresholds_
    bits = np.unpackbits(learned.encode(X), axis=1, bitorder="little")[:, : len(learned.thresholds_)]
    np.testing.assert_array_equal(bits.astype(bool), expected)


@settings(max_examples=examples(50))
@given(seed=st.integers(0, 10_000))
def test_hamming_distances_obey_the_triangle_inequality(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bits, weights = rng.integers(0, 2, (3, 20)).astype(bool), rng.uniform(0, 1, 20)
    ab, bc, ac = ((bits[i] != bits[j]) @ weights for i, j in ((0, 1), (1, 2), (0, 2)))
    assert ac <= ab + bc + 1e-12


def test_photos_with_the_same_code_are_ordered_by_euclidean_distance() -> None:
    X, y = photos(120)
    learner = BoostedMetric(rounds=4, euclidean_blend=0.0).fit(X, SideInformation.from_labels(y))
    codes = learner.encode(X)
    twins = np.flatnonzero((codes == codes[0]).all(axis=1))
    assert len(twins) > 3
    by_metric = np.argsort(learner.distances_from(X[0], X[twins]), kind="stable")
    np.testing.assert_array_equal(by_metric, np.argsort(np.linalg.norm(X[twins] - X[0], axis=1), kind="stable"))
    # And no photo with another code comes before them.
    order = np.argsort(learner.distances_from(X[0], X))
    assert set(order[: len(twins)]) == set(twins)


@pytest.mark.parametrize("blend", [0.25, 1.0])
def test_the_euclidean_part_has_its_share_of_the_mean_distance(blend: float) -> None:
    X, y = photos(120)
    learner = BoostedMetric(rounds=20, euclidean_blend=blend).fit(X, SideInformation.from_labels(y))
    T, Z = len(learner.code_weights_), learner.transform(X).astype(np.float64)
    of_codes, euclidean = (2 * part.var(axis=0).sum() for part in (Z[:, :T], Z[:, T:]))  # mean squared distances
    assert euclidean == pytest.approx(blend * of_codes, rel=1e-4)


def test_soft_codes_approach_the_bits() -> None:
    X, y = photos()
    side = SideInformation.from_labels(y)
    hard, soft, softer = (BoostedMetric(rounds=40, soft=s).fit(X, side) for s in (0.0, 1e-6, 1.0))
    np.testing.assert_array_equal(hard.encode(X), softer.encode(X))
    np.testing.assert_allclose(hard.distances_from(X[0], X), soft.distances_from(X[0], X), atol=0.02)
    assert len(np.unique(softer.transform(X)[:, 0])) > 200


def test_soft_codes_do_not_depend_on_the_scale_of_the_photos() -> None:
    X, y = photos(120)
    side, scale = SideInformation.from_labels(y), 2.0**-7
    one, other = (BoostedMetric(rounds=5, soft=1.0).fit(some, side) for some in (X, scale * X))
    found = [learner.transform(some)[:, :5] for learner, some in ((one, X), (other, scale * X))]
    np.testing.assert_allclose(found[0], found[1], atol=1e-5)


# ------------------------------------------------------------------ training


@pytest.mark.parametrize("kind", KINDS)
def test_new_photos_of_known_classes_are_found_much_better_than_by_euclidean_distance(
    kind: type[BoostedMetric],
) -> None:
    X, y = photos(600)
    new, classes = photos(240, seed=5)
    learner = kind(rounds=128).fit(X, SideInformation.from_labels(y))
    assert precision(learner.transform(new), classes) > precision(new.astype(np.float32), classes) + 0.15


@pytest.mark.parametrize("dense", [4000, 0])
def test_the_objective_falls_far_and_never_rises(dense: int) -> None:
    X, y = photos()
    F = BoostedMetric(dense=dense).fit(X, SideInformation.from_labels(y)).log_objective_
    assert (np.diff(F) <= 1e-5).all()
    assert F[-1] < F[0] - np.log(8)


@pytest.mark.parametrize("kind", KINDS)
def test_classes_without_training_data_are_not_lost(kind: type[BoostedMetric]) -> None:
    # Ten classes that differ in all of 12 coordinates; five are training data.
    rng = np.random.default_rng(0)
    y = np.arange(600) % 10
    X = 0.9 * rng.normal(size=(10, 12))[y] + rng.normal(size=(600, 12))
    side = SideInformation.from_labels(np.where(y < 5, y, -1))
    others = y >= 5
    plain = precision(X[others].astype(np.float32), y[others])
    blended = precision(kind().fit(X, side).transform(X[others]), y[others])
    alone = precision(kind(euclidean_blend=0.0).fit(X, side).transform(X[others]), y[others])
    assert blended > plain - 0.08
    assert blended > alone


def test_a_few_pairs_do_little_harm_and_many_help() -> None:
    X, y = photos(600)
    plain = precision(X.astype(np.float32), y)
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, 600, (20_000, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    same = y[drawn[:, 0]] == y[drawn[:, 1]]
    reached = [
        precision(BoostedMetric(rounds=100).fit(X, SideInformation(drawn[same][:k], drawn[~same][:k])).transform(X), y)
        for k in (3, 300)
    ]
    assert reached[0] > plain - 0.05
    assert reached[1] > plain + 0.05


def test_judged_pairs_override_tags() -> None:
    X, y = photos(60)
    tags = SideInformation.from_labels(y)
    judged = SideInformation(np.array([[0, 1]]), np.array([[0, 6]]))
    _, pairs = pair_objective(X, tags | judged, SELECTION)
    assert isinstance(pairs, DensePairs)
    assert pairs.G[0, 1] > 0 == pairs.H[0, 1]
    assert pairs.H[0, 6] > 0 == pairs.G[0, 6]
    np.testing.assert_array_equal(pairs.G, pairs.G.T)
    before = BoostedMetric(rounds=40).fit(X, tags)
    after = BoostedMetric(rounds=40).fit(X, tags | judged)

    def quotient(learner: BoostedMetric) -> float:
        near, far = learner.pair_distance(X[[0, 0]], X[[1, 6]])
        return float(near / far)

    assert quotient(after) < quotient(before)


def test_appearance_counts_more_with_more_visual_neighbors() -> None:
    X, y = photos(240)
    side = SideInformation.from_labels(y)

    def looks(neighbors: int) -> float:
        Z = BoostedMetricVisual(visual_neighbors=neighbors, rounds=100, euclidean_blend=0.0).fit(X, side).transform(X)
        rows, _ = FloatGallery(Z).rank_many(Z, 10, skip=np.arange(len(Z)))
        return float(np.linalg.norm(X[rows] - X[:, None], axis=-1).mean())

    reached = [looks(neighbors) for neighbors in (1, 5, 20, 60)]
    assert reached == sorted(reached, reverse=True)


@settings(max_examples=examples(30))
@given(n=st.integers(1, 40), neighbors=st.integers(0, 45), seed=st.integers(0, 100))
def test_visual_pairs_are_nearest_neighbours_of_either_photo(n: int, neighbors: int, seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(n, 3))
    D = np.linalg.norm(X[:, None] - X, axis=-1)
    np.fill_diagonal(D, np.inf)
    count = min(neighbors, n - 1)
    expected = {tuple(sorted((i, int(j)))) for i in range(n) for j in np.argsort(D[i])[:count]}
    assert {tuple(pair) for pair in visual_pairs(X, neighbors).tolist()} == expected


def test_a_visual_neighbor_is_never_dissimilar_unless_judged() -> None:
    X, y = photos(60)
    visual = visual_pairs(X, 5)
    differ = visual[y[visual[:, 0]] != y[visual[:, 1]]]
    side = SideInformation.from_labels(y) | SideInformation(dissimilar=differ[:1])
    _, pairs = pair_objective(X, side, SELECTION._replace(visual_neighbors=5))
    assert isinstance(pairs, DensePairs)
    i, j = differ[1:].T
    assert (pairs.G[i, j] > 0).all()
    assert not pairs.H[i, j].any()
    assert pairs.H[tuple(differ[0])] > 0 == pairs.G[tuple(differ[0])]
    _, listed = pair_objective(X, side, SELECTION._replace(visual_neighbors=5, dense=0))
    assert isinstance(listed, ListedPairs)
    dissimilar = {tuple(sorted(pair)) for pair in listed.dissimilar.T.tolist()}
    assert not dissimilar & {tuple(pair) for pair in differ[1:].tolist()}
    assert tuple(differ[0]) in dissimilar


def test_visual_pairs_of_the_user_are_similar_in_addition_to_or_instead_of_neighbors() -> None:
    X, y = photos(60)
    told = np.array([[0, int(np.flatnonzero(y != y[0])[-1])], [1, int(np.flatnonzero(y != y[1])[-2])]])
    side = SideInformation.from_labels(y) | SideInformation(dissimilar=told[:1])

    def quotient(kind: type[BoostedMetric], side: SideInformation, **parameters: Any) -> float:
        learner = kind(rounds=40, euclidean_blend=0.0, **parameters).fit(X, side)
        near = learner.pair_distance(X[told[:, 0]], X[told[:, 1]]).mean()
        return float(near / learner.pair_distance(X[:30], X[30:]).mean())

    looks = side | SideInformation(visual=told)
    for neighbors in (0, 5):
        assert quotient(BoostedMetricVisual, looks, visual_neighbors=neighbors) < 0.7 * quotient(
            BoostedMetricVisual, side, visual_neighbors=5
        )
    assert quotient(BoostedMetric, looks) == quotient(BoostedMetric, side), "other learners follow meaning alone"


# ------------------------------------------------------------------ cost


def test_training_never_forms_a_matrix_of_all_features() -> None:
    X = np.random.default_rng(0).normal(size=(40, 3000)).astype(np.float32)
    side = SideInformation.from_labels(np.arange(40) % 2)
    tracemalloc.start()
    BoostedMetric(rounds=10).fit(X, side)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3000 * 3000 * 4 / 2


@pytest.mark.parametrize("kind", ["tags", "judged"])
def test_above_the_dense_limit_the_work_grows_with_the_photos_not_with_their_square(kind: str) -> None:
    def size(n: int) -> int:
        X, y = photos(n)
        side = SideInformation.from_labels(y)
        if kind == "judged":
            i = np.arange(n - 6)
            side = SideInformation(np.column_stack([i, i + 6]), np.column_stack([i, i + 1]))
        _, pairs = pair_objective(X, side, SELECTION._replace(dense=100))
        assert isinstance(pairs, ListedPairs)
        return len(pairs.G) + len(pairs.H)

    assert size(2400) < 2.2 * size(1200)
    assert size(2400) <= 2400 * 60


def test_all_pairs_are_used_up_to_the_dense_limit() -> None:
    X, y = photos(60)
    rows, pairs = pair_objective(X, SideInformation.from_labels(y), SELECTION)
    assert isinstance(pairs, DensePairs)
    assert len(rows) == 60
    np.testing.assert_array_equal(pairs.G + pairs.H, 1 - np.eye(60))


def test_above_512_photos_a_sample_is_compared_with_all() -> None:
    X, y = photos(600)
    rows, pairs = pair_objective(X, SideInformation.from_labels(y), SELECTION)
    assert isinstance(pairs, DensePairs)
    assert (pairs.anchors, pairs.n) == (512, 600)
    assert sorted(rows) == list(range(600))
    assert (np.diff(rows) < 0).any()
    classes = y[rows]
    np.testing.assert_array_equal(pairs.H > 0, classes[:512, None] != classes)
    np.testing.assert_array_equal(pairs.G + pairs.H, np.ones((512, 600)) - np.eye(512, 600))


@pytest.mark.parametrize("count", [10, 290])
def test_judged_photos_are_among_those_compared_with_all(count: int) -> None:
    X, y = photos(600)
    order = np.random.default_rng(1).permutation(600)[: 2 * count].reshape(-1, 2)
    judged = SideInformation(order[: count // 2], order[count // 2 :])
    rows, pairs = pair_objective(X, SideInformation.from_labels(y) | judged, SELECTION)
    assert isinstance(pairs, DensePairs)
    assert pairs.anchors == max(512, 2 * count)
    place = np.argsort(rows)
    for said, here, there in ((judged.similar, pairs.G, pairs.H), (judged.dissimilar, pairs.H, pairs.G)):
        for i, j in (place[said].T, place[said[:, ::-1]].T):
            assert i.max() < pairs.anchors
            assert (here[i, j] >= 1).all()
            assert not there[i, j].any()


def slow_bits(X: NDArray[np.float64], y: NDArray[np.intp], rounds: int) -> list[float]:
    """Return the logarithm of equation 5 before and after each round of Fig. 1, with matrices (n, n)."""
    same = y[:, None] == y
    P, N = (same & ~np.eye(len(y), dtype=bool)).astype(float), (~same).astype(float)
    D, found = np.zeros(same.shape), []
    Z = X - X.mean(axis=0)
    for _ in range(rounds + 1):
        G, H = P * np.exp(D), N * np.exp(-D)
        g, h = G.sum(axis=1), H.sum(axis=1)
        found.append(float(np.log(g @ h)))
        S = G * (h[:, None] + h) / 2, H * (g[:, None] + g) / 2
        L = [np.diag(one.sum(axis=1)) - one for one in S]
        projection = Z @ np.linalg.eigh(Z.T @ (L[1] - L[0]) @ Z)[1][:, -1]
        splits = []
        for cut in np.sort(projection)[:-1]:
            f = np.where(projection > cut, 1.0, -1.0)
            a, b = f @ L[0] @ f, f @ L[1] @ f
            splits.append((np.sqrt(b) - np.sqrt(a), np.log(b / a) / 16, f))
        _, alpha, f = max(splits, key=lambda split: split[0])
        D += alpha * np.square(f[:, None] - f)
    return found


def test_as_printed_it_follows_figure_1() -> None:
    X, y = photos(60, classes=3)
    X = X[:, :5]  # six Lanczos steps are exact
    y[:20] = np.random.default_rng(0).permutation(y[:20])  # no bit separates the classes completely
    learner = create("bdm", paper=True, rounds=12).fit(X, SideInformation.from_labels(y))
    np.testing.assert_allclose(np.diff(vars(learner)["log_objective_"]), np.diff(slow_bits(X, y, 12)), rtol=2e-3)


@pytest.mark.parametrize("dense", [4000, 0])
def test_few_pairs_are_compared_in_double_precision(dense: int) -> None:
    for count, dtype in ((60, np.float64), (2000, np.float32)):
        X, y = photos(count, classes=3)
        _, pairs = pair_objective(X, SideInformation.from_labels(y), SELECTION._replace(dense=dense))
        assert pairs.dtype == dtype


def test_as_printed_all_photos_are_compared_with_all() -> None:
    X, y = photos(600)
    _, pairs = pair_objective(X, SideInformation.from_labels(y), SELECTION._replace(anchors=10**6))
    assert isinstance(pairs, DensePairs)
    assert pairs.anchors == 600


@pytest.mark.parametrize("neighbors", [0, 2])
def test_without_a_prior_only_judged_and_visual_pairs_count(neighbors: int) -> None:
    X, _ = photos(60)
    judged = SideInformation(np.array([[0, 6], [1, 7]]), np.array([[0, 1], [2, 3]]))
    rows, pairs = pair_objective(X, judged, SELECTION._replace(prior=0.0, visual_neighbors=neighbors))
    assert isinstance(pairs, ListedPairs)
    assert pairs.pool == 0
    np.testing.assert_array_equal(rows[pairs.dissimilar.T], judged.dissimilar)
    np.testing.assert_array_equal(rows[pairs.similar.T][:2], judged.similar)
    assert len(pairs.similar.T) == 2 + len(visual_pairs(X, neighbors))
    assert (pairs.G[0] == pairs.G).all()


def test_photos_without_tags_and_judgements_are_unused_if_there_are_tags() -> None:
    X, y = photos(60)
    rows, _ = pair_objective(X, SideInformation.from_labels(np.where(np.arange(60) < 30, y, -1)), SELECTION)
    np.testing.assert_array_equal(rows, np.arange(30))


def test_pairs_of_the_prior_are_never_judged_pairs() -> None:
    X, _ = photos(60)
    i, j = np.triu_indices(20, 1)
    judged = SideInformation(np.column_stack([i, j])[::2], np.column_stack([i, j])[1::2])
    rows, pairs = pair_objective(X, judged, SELECTION)
    assert isinstance(pairs, ListedPairs)

    def listed(both: NDArray[np.intp]) -> list[tuple[int, ...]]:
        return [tuple(sorted(pair)) for pair in rows[both.T].tolist()]

    similar, dissimilar = listed(pairs.similar), listed(pairs.dissimilar)
    assert not set(similar) & set(dissimilar)
    assert similar[: len(judged.similar)] == [tuple(pair) for pair in judged.similar.tolist()]
    said = {tuple(pair) for pair in np.column_stack([i, j]).tolist()}
    assert not said & set(similar[len(judged.similar) :])
    assert not said & set(dissimilar[len(judged.dissimilar) :])


def test_at_most_20_000_tagged_photos_are_used() -> None:
    X = np.random.default_rng(0).normal(size=(20_010, 1))
    side = SideInformation.from_labels(np.arange(20_010) % 2)
    rows, pairs = pair_objective(X, side, SELECTION._replace(per_photo=1))
    assert len(rows) == len(np.unique(rows)) == pairs.n == 20_000


# ------------------------------------------------------------------ edge cases


def test_the_distance_is_euclidean_if_nothing_can_be_separated() -> None:
    X, _ = photos(60)
    learner = BoostedMetric().fit(X, SideInformation.from_labels(np.zeros(60, dtype=int)))
    assert learner.encode(X).shape == (60, 0)
    distances, plain = learner.distances_from(X[0], X), np.linalg.norm(X - X[0], axis=1)
    np.testing.assert_allclose(distances[1:] / plain[1:], distances[1] / plain[1], rtol=1e-4)


@pytest.mark.parametrize(("n", "d", "count"), [(50, 8, 8), (50, 8, 3), (10, 40, 64), (10, 40, 5), (30, 30, 10)])
def test_leading_axes_are_orthonormal_and_have_the_largest_variance(n: int, d: int, count: int) -> None:
    C = np.random.default_rng(0).normal(size=(n, d)) * np.linspace(3, 1, d)
    C -= C.mean(axis=0)
    axes = leading_axes(C, count)
    assert axes.shape[1] <= count
    np.testing.assert_allclose(axes.T @ axes, np.eye(axes.shape[1]), atol=1e-9)
    s = np.linalg.svd(C, compute_uv=False)
    assert ((C @ axes) ** 2).sum() == pytest.approx((s[: axes.shape[1]] ** 2).sum())


@pytest.mark.parametrize(
    ("kind", "parameters", "message"),
    [
        (BoostedMetric, {"rounds": 0}, "rounds"),
        (BoostedMetric, {"step": "long"}, "'paper' or 'exact'"),
        (BoostedMetric, {"learning_rate": 0.0}, "learning_rate"),
        (BoostedMetric, {"soft": -1.0}, "soft"),
        (BoostedMetric, {"prior": -1.0}, "prior"),
        (BoostedMetric, {"smoothing": -1.0}, "smoothing"),
        (BoostedMetric, {"euclidean_blend": -1.0}, "euclidean_blend"),
        (BoostedMetricVisual, {"visual_neighbors": 0}, "visual_neighbors"),
        (BoostedKernelMetric, {"n_components": 0}, "n_components"),
        (BoostedKernelMetric, {"gamma": -1.0}, "gamma"),
    ],
)
def test_impossible_parameters_are_refused(kind: type[BoostedMetric], parameters: dict[str, Any], message: str) -> None:
    X, y = photos(30)
    with pytest.raises(LearnerError, match=message):
        kind(**parameters).fit(X, SideInformation.from_labels(y))
