# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar

from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.kernel.judged_families import MIN_FOCAL_IMAGES, PENALTIES, judged_weights
from focal_photos.learners.kernel.kernel_metric import KernelMetric

FAMILIES = tuple(FeatureFamily(name, 4 * i, 4 * i + 4, False) for i, name in enumerate(("shape", "colour", "texture")))


def photos(seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return photos of ten kinds, which differ in shape only."""
    rng = np.random.default_rng(seed)
    kinds = np.arange(200) % 10
    X = rng.normal(size=(200, 12))
    X[:, :4] = 2 * rng.normal(size=(10, 4))[kinds] + 0.5 * X[:, :4]
    return X, kinds


def judged(kinds: NDArray[np.intp], count: int, seed: int = 0) -> SideInformation:
    """Judge `count` focal images: five photos of the kind and five others each."""
    rng = np.random.default_rng(seed)
    similar, dissimilar = [], []
    for focal in rng.choice(len(kinds), count, replace=False).tolist():
        others = rng.permutation(np.setdiff1d(np.arange(len(kinds)), focal))
        similar += [(focal, other) for other in others[kinds[others] == kinds[focal]][:5].tolist()]
        dissimilar += [(focal, other) for other in others[kinds[others] != kinds[focal]][:5].tolist()]
    return SideInformation(np.array(similar).reshape(-1, 2), np.array(dissimilar).reshape(-1, 2))


def by_definition(
    X: NDArray[np.float64], families: tuple[FeatureFamily, ...], side: SideInformation
) -> NDArray[np.float64]:
    """Compute the factors by penalised logistic regressions without gradients."""
    pairs = np.concatenate([side.similar, side.dissimilar])
    sign = np.repeat([1.0, -1.0], [len(side.similar), len(side.dissimilar)])
    focal = np.unique(pairs[:, 0]).tolist()
    fold = np.array([focal.index(photo) % 10 for photo in pairs[:, 0].tolist()])

    def squares(pairs: NDArray[np.intp]) -> NDArray[np.float64]:
        apart = (X[pairs[:, 0]] - X[pairs[:, 1]]) ** 2
        return np.array([apart[:, one.start : one.stop].sum(axis=1) for one in families]).T

    random = squares(np.random.default_rng(0).integers(0, len(X), (2000, 2)))
    distances = squares(pairs) / random.sum(axis=1).std()

    def surprise(b: NDArray[np.float64], rows: NDArray[np.bool_]) -> float:
        odds = b[-1] - 1.5 * distances[rows] @ np.exp(b[:-1])
        return float(np.log1p(np.exp(-sign[rows] * odds)).sum())

    def fitted(rows: NDArray[np.bool_], penalty: float) -> NDArray[np.float64]:
        start = np.append(np.zeros(len(families)), 1.5 * distances.sum(axis=1).mean())
        if np.isinf(penalty):
            found = minimize_scalar(lambda intercept: surprise(np.append(start[:-1], intercept), rows)).x
            return np.append(start[:-1], found)
        return np.asarray(minimize(lambda b: surprise(b, rows) + penalty * (b[:-1] ** 2).sum(), start).x)

    likelihoods = [
        -sum(surprise(fitted(fold != one, penalty), fold == one) for one in np.unique(fold)) for penalty in PENALTIES
    ]
    trust = np.exp(0.5 * (np.array(likelihoods) - max(likelihoods)))
    everything = np.ones(len(pairs), bool)
    logs = np.average([fitted(everything, penalty)[:-1] for penalty in PENALTIES], axis=0, weights=trust)
    factors, own = np.exp(logs), random.mean(axis=0)
    return np.asarray(factors * own.sum() / (factors @ own))


@pytest.mark.parametrize("seed", [0, 1])
def test_factors_follow_the_definition(seed: int) -> None:
    X, kinds = photos(seed)
    X[:, 4:8] *= 1.5
    side = judged(kinds, 13, seed)
    side = SideInformation(side.similar, side.dissimilar[:20])  # not as many of both verdicts
    factors, _ = judged_weights(X, FAMILIES, side)
    assert factors == pytest.approx(by_definition(X, FAMILIES, side), rel=0.005)


def test_the_family_that_tells_judged_photos_apart_gains_weight_with_every_focal_image() -> None:
    X, kinds = photos()
    shares = [float(judged_weights(X, FAMILIES, judged(kinds, count))[1][0]) for count in (3, 8, 40)]
    plain = float(np.var(X[:, :4], axis=0).sum() / np.var(X, axis=0).sum())
    assert plain < shares[0] < shares[1] < shares[2]


def test_judgements_that_no_family_explains_change_the_weights_little() -> None:
    X, kinds = photos()
    random = [np.random.default_rng(seed).integers(0, 10, 200) for seed in range(5)]
    factors = [judged_weights(X, FAMILIES, judged(kind, 20, seed))[0] for seed, kind in enumerate(random)]
    explained = judged_weights(X, FAMILIES, judged(kinds, 20))[0]
    assert np.abs(np.log(factors)).max() < 0.7
    assert np.abs(np.log(explained)).max() > 0.9


def test_the_mean_squared_distance_is_unchanged() -> None:
    X, kinds = photos()
    factors, shares = judged_weights(X, FAMILIES, judged(kinds, 20))
    own = np.array([np.var(X[:, one.start : one.stop], axis=0).sum() for one in FAMILIES])
    assert factors @ own == pytest.approx(own.sum(), rel=0.05)
    assert shares.sum() == pytest.approx(1)


def test_the_order_of_the_families_does_not_matter() -> None:
    X, kinds = photos()
    side = judged(kinds, 20)
    factors, shares = judged_weights(X, FAMILIES, side)
    moved, their_shares = judged_weights(X, FAMILIES[::-1], side)
    assert moved[::-1] == pytest.approx(factors, rel=0.01)
    assert their_shares[::-1] == pytest.approx(shares, rel=0.01)


def test_two_families_are_weighted_and_one_is_not() -> None:
    X, kinds = photos()
    side = judged(kinds, 20)
    factors, shares = judged_weights(X[:, :8], FAMILIES[:2], side)
    assert factors[0] > 1 > factors[1]
    assert len(shares) == 2
    assert judged_weights(X[:, :4], FAMILIES[:1], side)[0].tolist() == [1]


def test_one_kind_of_verdict_or_few_focal_images_leave_the_weights_as_they_are() -> None:
    X, kinds = photos()
    side = judged(kinds, 20)
    nothing = np.empty((0, 2), np.intp)
    for few in (
        SideInformation(side.similar, nothing),
        SideInformation(nothing, side.dissimilar),
        judged(kinds, MIN_FOCAL_IMAGES - 1),
        SideInformation(),
    ):
        factors, shares = judged_weights(X, FAMILIES, few)
        assert factors.tolist() == [1, 1, 1]
        assert not len(shares)
    assert judged_weights(np.zeros_like(X), FAMILIES, side)[0].tolist() == [1, 1, 1], "all photos are equal"


def test_the_kernel_metric_ranks_better_with_weighted_families() -> None:
    X, kinds = photos()
    side = judged(kinds, 8)

    def precision(metric: KernelMetric) -> float:
        metric.fit(X, side)
        right = []
        for photo in range(100):
            nearest = np.argsort(metric.distances_from(X[photo], X))[1:11]
            right.append((kinds[nearest] == kinds[photo]).mean())
        return float(np.mean(right))

    plain, weighted = KernelMetric(), KernelMetric(families=FAMILIES)
    assert precision(weighted) > precision(plain) + 0.02
    assert plain.family_weights_ == {}
    assert max(weighted.family_weights_, key=weighted.family_weights_.__getitem__) == "shape"


def test_a_further_judgement_keeps_the_weights_of_the_families() -> None:
    X, kinds = photos()
    side = judged(kinds, 8)
    metric = KernelMetric(families=FAMILIES, output_components=600).fit(X, side)
    before = metric.scale_.copy()
    more = SideInformation(np.array([[0, 10]]), np.array([[0, 11]]))
    metric.partial_fit(X, more)
    assert np.array_equal(metric.scale_, before)
    scaled = KernelMetric(output_components=600).fit(X * before, side | more)
    assert metric.distances_from(X[3], X) == pytest.approx(scaled.distances_from(X[3] * before, X * before), abs=1e-4)
