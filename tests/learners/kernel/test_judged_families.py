from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.kernel.judged_families import FEWEST, judged_weights
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
        judged(kinds, FEWEST - 1),
        SideInformation(),
    ):
        factors, shares = judged_weights(X, FAMILIES, few)
        assert factors.tolist() == [1, 1, 1]
        assert not len(shares)


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
