# SPDX-License-Identifier: MIT
"""Triplets, probabilities and the distance of a single focal image."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.local.calibration import fit_probability
from focal_photos.learners.local.local_distance import (
    MOST_JUDGED,
    LocalDistance,
    judged_triplets,
    relevance_to,
    rescaling,
    select_triplets,
)
from tests.examples import examples

Floats = NDArray[np.float64]


def photos(
    seed: int = 0, n: int = 60, patches: int = 30, similar: int = 10
) -> tuple[NDArray[np.float32], NDArray[Any]]:
    """Elementary distances of n photos; similar photos are nearer in the first third of the patches."""
    rng = np.random.default_rng(seed)
    D = rng.normal(0.6, 0.1, (n, patches))
    D[:similar, : patches // 3] -= 0.2
    return np.abs(D).astype(np.float32), np.where(np.arange(n) < similar, 1, -1)


def by_hand(D: NDArray[Any], relevance: NDArray[Any], K: int) -> set[tuple[int, int]]:
    """Return the triplets of section 5.1, column by column."""
    known = [int(i) for i in np.flatnonzero(relevance)]
    found = set()
    for column in D.T:
        if len({float(column[i]) for i in known}) < 2:
            continue
        ranked = sorted(known, key=lambda i: (column[i], i))
        near, rest = ranked[:K], ranked[K:]
        inside, outside = ([i for i in near if sign * relevance[i] > 0] for sign in (1, -1))
        if not outside:
            outside = [i for i in rest if relevance[i] < 0][:1]
        if not inside:
            inside = [i for i in rest if relevance[i] > 0][:1]
        found |= {(d, s) for d in outside for s in inside}
    return found


@settings(max_examples=examples(150))
@given(seed=st.integers(0, 10_000), K=st.integers(1, 7), levels=st.sampled_from([3, 10, 1000]), n=st.integers(1, 25))
def test_triplets_agree_with_the_paper(seed: int, K: int, levels: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    D = (rng.integers(0, levels, (n, 9)) / levels).astype(np.float32)
    relevance = rng.integers(-1, 2, n)
    found = select_triplets(D, relevance, K)
    if (relevance > 0).any() and (relevance < 0).any():
        assert {(int(d), int(s)) for d, s in found} == by_hand(D, relevance, K)
    else:
        assert len(found) == 0
    assert len(np.unique(found, axis=0)) == len(found)
    np.testing.assert_array_equal(select_triplets(D * 8, relevance, K), found)


def test_relevance_comes_from_tags_and_judgements_overrule_them() -> None:
    tags = sp.csr_array(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0], [0, 1, 1], [0, 0, 1]]))
    side = SideInformation.from_tags(tags)
    np.testing.assert_array_equal(relevance_to(0, side, 6), [0, 1, -1, 0, 1, -1])
    np.testing.assert_array_equal(relevance_to(3, side, 6), [0] * 6)
    judged = SideInformation(np.array([[0, 2], [0, 3], [5, 0], [0, 4]]), np.array([[0, 1], [0, 4]]))
    np.testing.assert_array_equal(relevance_to(0, side | judged, 6), [0, -1, 1, 1, 0, -1])
    np.testing.assert_array_equal(relevance_to(3, side | judged, 6), [0] * 6)


def test_judged_photos_give_all_their_pairs_up_to_a_limit() -> None:
    pairs = judged_triplets(np.array([1, 2, 5]), np.array([3, 4, 5]))
    assert {tuple(pair) for pair in pairs.tolist()} == {(3, 1), (3, 2), (4, 1), (4, 2)}
    many = judged_triplets(np.arange(100), np.arange(100, 200))
    assert len(np.unique(many, axis=0)) == len(many) == MOST_JUDGED
    assert len(judged_triplets(np.arange(3), np.arange(0))) == 0


def test_columns_are_rescaled_to_a_deviation_of_a_tenth() -> None:
    D, _ = photos()
    D[:, 4] = 0.7
    factors = rescaling(D)
    deviations = (D * factors).std(axis=0)
    np.testing.assert_allclose(np.delete(deviations, 4), 0.1, rtol=1e-5)
    assert factors[4] == 1


def test_informative_patches_get_the_weight() -> None:
    D, relevance = photos()
    learner = LocalDistance().fit(D, relevance)
    assert learner.weights_.dtype == learner.factors_.dtype == np.float32
    assert (learner.weights_ >= 0).all()
    assert learner.weights_[:10].sum() > 3 * learner.weights_[10:].sum()
    assert learner.gap_ <= 1e-3
    distances = learner.distances(D)
    np.testing.assert_allclose(distances, D @ (learner.weights_ * learner.factors_), rtol=1e-5)
    new, kind = photos(seed=1)
    distances, probabilities = learner.distances(new), learner.probabilities(new)
    assert distances[kind > 0].max() < distances[kind < 0].min()
    assert probabilities[kind > 0].min() > 0.5
    assert probabilities[kind < 0].max() < 0.5
    np.testing.assert_array_equal(np.argsort(distances), np.argsort(-probabilities, kind="stable"))


def test_judged_triplets_are_used_too() -> None:
    D, _ = photos()
    nothing = np.zeros(len(D), int)
    with pytest.raises(LearnerError, match="no training data"):
        LocalDistance().fit(D, nothing)
    triplets = np.array([[30, 0], [40, 1], [50, 2]])
    learner = LocalDistance(C=10).fit(D, nothing, triplets=triplets)
    assert learner.n_triplets_ == 3
    distances = learner.distances(D)
    assert (distances[triplets[:, 0]] > distances[triplets[:, 1]]).all()
    np.testing.assert_allclose(learner.probabilities(D), 0.5)  # no photo has a class


def test_photos_of_unknown_class_affect_only_the_scale() -> None:
    D, relevance = photos()
    more, _ = photos(seed=4)
    learner = LocalDistance().fit(np.concatenate([D, more]), np.concatenate([relevance, np.zeros(len(more), int)]))
    assert learner.n_triplets_ == len(select_triplets(D, relevance))


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4])
def test_the_unit_of_distances_does_not_matter(scale: float) -> None:
    D, relevance = photos()
    plain = LocalDistance(tolerance=1e-4).fit(D, relevance)
    other = LocalDistance(tolerance=1e-4).fit(D * np.float32(scale), relevance)
    np.testing.assert_allclose(other.distances(D * np.float32(scale)), plain.distances(D), rtol=1e-2)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_repeated_fit_is_the_same(dtype: type) -> None:
    D, relevance = photos()
    D = D.astype(dtype)
    learner = LocalDistance().fit(D, relevance)
    first = learner.probabilities(D)
    np.testing.assert_array_equal(clone(learner).fit(D, relevance).probabilities(D), first)


@pytest.mark.parametrize(
    ("D", "relevance", "message"),
    [
        (np.full((3, 2), np.nan), [1, -1, 0], "finite and not negative"),
        (np.full((3, 2), -1.0), [1, -1, 0], "finite and not negative"),
        (np.zeros(3), [1, -1, 0], "two dimensions"),
        (np.eye(3), [1, -1], "relevance has shape"),
        (np.eye(3), [1, 1, 1], "no training data"),
        (np.eye(3), [-1, -1, -1], "no training data"),
        (np.eye(3), [0, 0, 0], "no training data"),
        (np.ones((3, 2)), [1, -1, -1], "no training data"),
        (np.empty((3, 0)), [1, -1, -1], "no training data"),
        (np.empty((0, 3)), [], "no training data"),
    ],
)
def test_invalid_input_is_refused_and_leaves_nothing(D: Floats, relevance: list[int], message: str) -> None:
    learner = LocalDistance().fit(*photos())
    with pytest.raises(LearnerError, match=message):
        learner.fit(D, relevance)
    with pytest.raises(NotFittedError, match="call fit first"):
        learner.distances(D)


@pytest.mark.parametrize("triplets", [[[0, 60]], [[-1, 3]], [[1, 2, 3]], [[0.5, 1.0]]])
def test_invalid_triplets_are_refused(triplets: list[list[float]]) -> None:
    with pytest.raises(LearnerError, match="riplet"):
        LocalDistance().fit(*photos(), triplets=triplets)


def test_parameters_are_validated() -> None:
    for learner in (LocalDistance(C=0), LocalDistance(K=0), LocalDistance(tolerance=0)):
        with pytest.raises(LearnerError, match="must be"):
            learner.fit(*photos())


def test_a_wrong_number_of_patches_is_refused() -> None:
    D, relevance = photos()
    with pytest.raises(LearnerError, match="29 elementary distances a photo, the focal image has 30 patches"):
        LocalDistance().fit(D, relevance).distances(D[:, 1:])


def test_one_similar_and_one_dissimilar_photo_are_enough() -> None:
    learner = LocalDistance(C=100).fit(np.array([[0.1, 0.9], [0.5, 0.3]]), [1, -1])
    near, far = learner.distances(np.array([[0.1, 0.9], [0.5, 0.3]]))
    assert far - near == pytest.approx(1, rel=1e-3)
    assert learner.weights_[1] == 0


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10_000))
def test_the_logistic_curve_agrees_with_scikit_learn(seed: int) -> None:
    """Targets become weights of 0 and 1: a photo counts as similar with its target and as dissimilar with the rest."""
    rng = np.random.default_rng(seed)
    similar = rng.random(80) < 0.3
    D = rng.normal(5, 1, 80) - 1.5 * similar
    if similar.sum() < 2:
        return
    found = fit_probability(D, similar)
    targets = np.where(similar, (similar.sum() + 1) / (similar.sum() + 2), 1 / ((~similar).sum() + 2))
    z = (D - D.mean()) / D.std()
    reference = LogisticRegression(C=1000.0, tol=1e-10, max_iter=1000).fit(
        np.tile(z, 2)[:, None], np.repeat([1, 0], 80), sample_weight=np.concatenate([targets, 1 - targets])
    )
    if reference.coef_[0, 0] < 0:
        np.testing.assert_allclose(found(D), reference.predict_proba(z[:, None])[:, 1], atol=1e-4)


def test_a_probability_never_rises_with_the_distance() -> None:
    D = np.arange(20.0)
    rising = fit_probability(D, D > 14)
    assert rising.slope == 0
    assert rising(D)[0] == pytest.approx((5 * 6 / 7 + 15 / 17) / 20)


@pytest.mark.parametrize("similar", [[True] * 4, [False] * 4, [True, False, False, True]])
def test_without_contrast_the_probability_is_constant(similar: list[bool]) -> None:
    D = np.ones(4) if any(similar) and not all(similar) else np.arange(4.0)
    found = fit_probability(D, np.array(similar))
    assert found.slope == 0
    assert 0 < found(D)[0] < 1


def test_separable_distances_give_finite_curves() -> None:
    found = fit_probability(np.array([0.0, 1e-3, 1e6, 2e6]), np.array([True, True, False, False]))
    assert np.isfinite([found.slope, found.offset]).all()
    assert (np.diff(found(np.array([0.0, 1e3, 1e6, 1e300]))) <= 0).all()


@pytest.mark.parametrize("D", [np.empty(0), np.array([np.nan, 1.0])])
def test_a_curve_needs_finite_distances(D: Floats) -> None:
    with pytest.raises(LearnerError, match="finite distances"):
        fit_probability(D, np.zeros(len(D), bool))
