# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.tags.family_weights import family_weights
from focal_photos.learners.tags.likelihood import TEMPERATURES, surprise, tags_of_several
from focal_photos.learners.tags.tag_ridge import TagRidge

Floats = NDArray[np.float64]

FAMILIES = (FeatureFamily("tells", 0, 3, False), FeatureFamily("noise", 3, 8, False))


def photos(n: int, seed: int = 0, kinds: int = 4) -> tuple[Floats, Floats]:
    """Photos whose first family identifies their kind; the second is noise."""
    rng = np.random.default_rng(seed)
    kind = np.arange(n) % kinds
    centres = 2 * np.random.default_rng(99).normal(size=(kinds, 3))
    return np.hstack([centres[kind] + rng.normal(size=(n, 3)), 3 * rng.normal(size=(n, 5))]), np.eye(kinds)[kind]


def test_informative_families_get_more_weight() -> None:
    X, truth = photos(80)
    tells, noise = family_weights(X, FAMILIES, truth, 0.1)
    assert tells > 4 * noise
    swapped = (FeatureFamily("noise", 0, 5, False), FeatureFamily("tells", 5, 8, False))
    other = family_weights(np.hstack([X[:, 3:], X[:, :3]]), swapped, truth, 0.1)
    assert other[1] > 4 * other[0]


def test_new_photos_get_the_right_tags_more_often() -> None:
    X, truth = photos(60)
    new, expected = photos(400, seed=1)
    plain = TagRidge().fit(X, sp.csr_array(truth)).scores(new).tags
    weighed = TagRidge(families=FAMILIES).fit(X, sp.csr_array(truth)).scores(new).tags
    right = [(scores.argmax(axis=1) == expected.argmax(axis=1)).mean() for scores in (plain, weighed)]
    assert right[1] > right[0] + 0.1


def test_scores_equal_those_of_scaled_columns() -> None:
    X, truth = photos(60)
    tags, new = sp.csr_array(truth), photos(20, seed=1)[0]
    ridge = TagRidge(families=FAMILIES).fit(X, tags)
    assert not (ridge.scale_ == 1).all()
    kept = ridge.scale_ > 0
    assert ridge.landmarks_.shape[1] == kept.sum()
    by_hand = TagRidge().fit(X * ridge.scale_, tags)
    np.testing.assert_allclose(ridge.scores(new).tags, by_hand.scores(new * ridge.scale_).tags, atol=1e-9)
    np.testing.assert_allclose(ridge.left_out_.tags, by_hand.left_out_.tags, atol=1e-6)
    with pytest.raises(LearnerError, match="8"):
        ridge.scores(new[:, kept][:, :2])


def test_intermediate_weights_scale_the_columns_of_their_family() -> None:
    # A kind is a pair of halves. The family of the second half has much larger values, and both are needed.
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 2, (2, 60))
    truth = np.eye(4)[2 * first + second]
    quiet = 4 * first[:, None] * np.eye(1, 3) + rng.normal(size=(60, 3))
    loud = 8 * (4 * second[:, None] * np.eye(1, 3) + rng.normal(size=(60, 3)))
    both = np.hstack([quiet, loud, rng.normal(size=(60, 5))])
    families = (
        FeatureFamily("quiet", 0, 3, False),
        FeatureFamily("loud", 3, 6, False),
        FeatureFamily("noise", 6, 11, False),
    )
    ridge = TagRidge(families=families).fit(both, sp.csr_array(truth))
    assert ridge.scale_[0] > ridge.scale_[3] > 0
    by_hand = TagRidge().fit(both * ridge.scale_, sp.csr_array(truth))
    np.testing.assert_allclose(ridge.left_out_.tags, by_hand.left_out_.tags, atol=1e-6)
    new = rng.normal(size=(20, 11))
    np.testing.assert_allclose(ridge.scores(new).tags, by_hand.scores(new * ridge.scale_).tags, atol=1e-9)


def test_redundant_families_and_few_photos_give_equal_weights() -> None:
    X, truth = photos(80)
    twice = np.hstack([X[:, :3], X[:, :3]])
    same = (FeatureFamily("a", 0, 3, False), FeatureFamily("b", 3, 6, False))
    np.testing.assert_array_equal(family_weights(twice, same, truth, 0.1), [1, 1])
    np.testing.assert_array_equal(family_weights(X[:9], FAMILIES, truth[:9], 0.1), [1, 1])
    alone = np.eye(40)
    np.testing.assert_array_equal(family_weights(X[:40], FAMILIES, alone, 0.1), [1, 1])
    np.testing.assert_array_equal(family_weights(X, FAMILIES[:1], truth, 0.1), [1])
    np.testing.assert_array_equal(family_weights(X, (), truth, 0.1), [])


def test_a_constant_family_is_never_the_only_one_with_weight() -> None:
    X, truth = photos(60)
    X[:, 3:] = 1.0
    tells, _ = family_weights(X, FAMILIES, truth, 0.1)
    assert tells > 0
    X[:, :3] = 0.0
    assert np.isfinite(family_weights(X, FAMILIES, truth, 0.1)).all()


def test_many_photos_are_examined_by_a_sample() -> None:
    X, truth = photos(1200)
    weights = family_weights(X, FAMILIES, truth, 0.1)
    np.testing.assert_array_equal(weights, family_weights(X, FAMILIES, truth, 0.1))
    assert weights[0] > weights[1]


def test_fitting_can_be_cancelled_and_reports_progress() -> None:
    X, truth = photos(60)
    told: list[float] = []
    family_weights(X, FAMILIES, truth, 0.1, progress=told.append)
    assert told == sorted(told)
    assert 0 <= told[0] <= told[-1] < 1

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        family_weights(X, FAMILIES, truth, 0.1, progress=stop)


def test_the_surprise_is_computed_at_the_best_temperature() -> None:
    rng = np.random.default_rng(0)
    scores, truth = rng.normal(size=(20, 4)), np.eye(4)[rng.integers(4, size=20)]
    truth[0] = [1, 1, 0, 0]
    expected = []
    for temperature in TEMPERATURES:
        shares = np.exp(scores / temperature) / np.exp(scores / temperature).sum(axis=1, keepdims=True)
        expected.append(-np.mean([(np.log(p) * t).sum() / t.sum() for p, t in zip(shares, truth, strict=True)]))
    assert surprise(scores, truth) == pytest.approx(min(expected))


def test_photos_with_a_unique_tag_are_excluded() -> None:
    truth = np.array([[1, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]])
    assert tags_of_several(truth).tolist() == [True, True, False, False]


def test_small_gains_leave_the_weights_unchanged() -> None:
    families = tuple(FeatureFamily(str(i), 3 * i, 3 * i + 3, False) for i in range(4))
    changed: int = 0
    for seed in range(12):  # a few photos, and equally informative families
        rng, kind = np.random.default_rng(seed), np.arange(16) % 2
        X = rng.normal(size=(16, 12)) + 3 * kind[:, None] * np.tile([1, 0, 0], 4)
        changed += int(np.count_nonzero(family_weights(X, families, np.eye(2)[kind], 0.1) != 1))
    assert changed <= 3  # of 48; 9 with the smallest threshold


@pytest.mark.parametrize("n", [200, 700])  # above 500, a sample is examined beside the other kernel
def test_a_family_redundant_with_another_kernel_gets_no_weight(n: int) -> None:
    rng = np.random.default_rng(0)
    kind, half = rng.integers(0, 3, n), rng.integers(0, 2, n)
    noise = rng.normal(size=(n, 4))
    X = np.concatenate([3 * np.eye(3)[kind] + noise[:, :3], half[:, None] + 0.3 * noise[:, 3:]], axis=1)
    families = (FeatureFamily("kind", 0, 3, False), FeatureFamily("half", 3, 4, False))
    truth = np.eye(6)[kind * 2 + half]
    knows = (kind[:, None] == kind).astype(np.float32)
    plain = family_weights(X, families, truth, 0.1)
    beside = family_weights(X, families, truth, 0.1, beside=(0.5, knows))
    assert plain.tolist() != [0, 1]
    assert beside.tolist() == [0, 1]
    # With few photos, a family is not reweighted beside another kernel.
    few = slice(0, 40)
    np.testing.assert_array_equal(
        family_weights(X[few], families, truth[few], 0.1, beside=(0.5, knows[few, few])),
        family_weights(X[few], families, truth[few], 0.1),
    )
