# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.core.kernels import median_squared_distance
from focal_photos.learners.tags.confidence.tag_confidence import TagConfidence
from focal_photos.learners.tags.confidence.unlikeness import Nearness, Unlikeness
from focal_photos.learners.tags.tag_ridge import TagRidge
from tests.examples import examples

Floats = NDArray[np.float64]


def test_p_values_agree_with_a_result_by_hand() -> None:
    # On a line at 0, 1, 3, 7, each with its two nearest: (1 + 9) / 2, (1 + 4) / 2, (4 + 9) / 2, (16 + 36) / 2.
    tagged = Unlikeness(k=2).fit([[0.0], [1.0], [3.0], [7.0]])
    assert tagged.left_out_.tolist() == [5.0, 2.5, 6.5, 26.0]
    # 2: (1 + 1) / 2 = 1, less than all four; 5: (4 + 4) / 2 = 4, less than three; 9: (4 + 36) / 2 = 20; 20: far.
    a = tagged.of([[2.0], [5.0], [9.0], [20.0]])
    assert a.tolist() == [1.0, 4.0, 20.0, (169.0 + 289.0) / 2]
    assert tagged.p_values(a).tolist() == [5 / 5, 4 / 5, 2 / 5, 1 / 5]
    # A tie counts as at least as unlike.
    assert tagged.p_values([6.5]).tolist() == [3 / 5]
    # For each tagged photo: the number of the four, including itself, that are at least as unlike.
    assert tagged.own_p_values.tolist() == [3 / 4, 4 / 4, 2 / 4, 1 / 4]


def test_there_may_be_fewer_tagged_photos_than_neighbors() -> None:
    two = Unlikeness().fit([[0.0], [2.0]])
    assert two.left_out_.tolist() == [4.0, 4.0]
    assert two.of([[1.0]]).tolist() == [1.0]
    one = Unlikeness().fit([[0.0]])
    assert one.left_out_.tolist() == [0.0]
    assert one.p_values(one.of([[3.0]])).tolist() == [0.5]
    assert one.own_p_values.tolist() == [1.0]


@pytest.mark.parametrize("kinds", [1, 6])
def test_p_values_of_exchangeable_photos_are_super_uniform(kinds: int) -> None:
    rng = np.random.default_rng(kinds)
    below = np.zeros(3)
    levels = np.array([0.05, 0.1, 0.3])
    for _ in range(400):
        # New tagged photos for each draw: given one set of tagged photos, the share may be larger.
        X = 3 * rng.normal(size=(kinds, 4))[rng.integers(0, kinds, 40)] + rng.normal(size=(40, 4))
        tagged = Unlikeness().fit(X[:-1])
        below += tagged.p_values(tagged.of(X[-1:])) <= levels
    # At most the level, within three standard errors of 400 draws.
    assert (below / 400 <= levels + 3 * np.sqrt(levels * (1 - levels) / 400)).all()


@settings(max_examples=examples(50))
@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 5), st.integers(1, 4))
def test_p_values_agree_with_a_slow_reference_and_are_valid(seed: int, n: int, d: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    X, asked = rng.integers(-3, 4, (n, d)).astype(float), rng.integers(-5, 6, (7, d)).astype(float)
    tagged = Unlikeness(k).fit(X)

    def slow(point: np.ndarray, others: np.ndarray) -> float:
        return float(np.sort(((others - point) ** 2).sum(axis=1))[:k].mean()) if len(others) else 0.0

    own = np.array([slow(X[i], np.delete(X, i, axis=0)) for i in range(n)])
    a = np.array([slow(point, X) for point in asked])
    np.testing.assert_allclose(tagged.left_out_, own, rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(tagged.of(asked), a, rtol=1e-5, atol=1e-4)
    p = tagged.p_values(tagged.of(asked))
    assert ((p >= 1 / (n + 1)) & (p <= 1)).all()
    assert (np.diff(p[np.argsort(tagged.of(asked))]) <= 0).all()
    # Of n exchangeable values, at most a share e has a p-value of at most e, also with ties.
    for level in (0.05, 0.3, 0.7):
        assert (tagged.own_p_values <= level).mean() <= level


def test_many_photos_are_compared_with_all_others_but_not_with_themselves() -> None:
    X = np.random.default_rng(0).normal(size=(2500, 2))  # three blocks
    nearest = cKDTree(X).query(X, 4)[0][:, 1:]
    np.testing.assert_allclose(Unlikeness(3).fit(X).left_out_, (nearest**2).mean(axis=1), rtol=1e-3, atol=1e-5)


@settings(max_examples=examples(30))
@given(st.integers(0, 10_000), st.floats(0.01, 100.0))
def test_shift_rotation_scale_and_order_do_not_change_p_values(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    X, asked = rng.normal(size=(25, 5)), 2 * rng.normal(size=(10, 5))
    turn, order = np.linalg.qr(rng.normal(size=(5, 5)))[0], rng.permutation(25)
    before, after = Unlikeness().fit(X), Unlikeness().fit(scale * (X[order] @ turn + 10))
    np.testing.assert_allclose(
        before.p_values(before.of(asked)), after.p_values(after.of(scale * (asked @ turn + 10))), atol=1 / 26 + 1e-9
    )


def test_invalid_input_is_refused() -> None:
    with pytest.raises(LearnerError, match="k must be at least 1"):
        Unlikeness(0).fit([[0.0]])
    with pytest.raises(NotFittedError, match="call fit first"):
        Unlikeness().of([[0.0]])
    with pytest.raises(LearnerError, match="features"):
        Unlikeness().fit([[0.0]]).of([[0.0, 1.0]])


def kinds(kind: NDArray[np.intp], seed: int, spread: float = 1.0) -> Floats:
    """Photos of kinds that overlap a little."""
    means = 2 * np.random.default_rng(99).normal(size=(40, 6))
    return means[kind] + spread * np.random.default_rng(seed).normal(size=(len(kind), 6))


def mean_nearest(x: Floats, photos: Floats, k: int) -> float:
    squares = np.sort(np.square(photos - x).sum(axis=1))[:k]
    return float(squares.mean()) if len(squares) else np.inf


@settings(max_examples=examples(20))
@given(st.integers(0, 10_000), st.integers(2, 9), st.integers(0, 6), st.integers(1, 4))
def test_values_follow_the_definition(seed: int, n: int, u: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    X, untagged, asked = rng.normal(size=(n, 3)), rng.normal(size=(u, 3)), rng.normal(size=(4, 3))
    kind = rng.integers(0, 3, n)
    learned = Nearness(k=k).fit(X, sp.csr_array(np.eye(3)[kind]), untagged)
    near = 0.01 * median_squared_distance(X)

    def value(x: Floats, tagged: Floats, others: Floats) -> float:
        far = [np.log(mean_nearest(x, photos, k) + near) for photos in (others, tagged)]
        return far[0] - far[1] if np.isfinite(far).all() else 0.0

    def check(found: Floats, expected: list[float]) -> None:
        np.testing.assert_allclose(found, expected, atol=2e-3)

    check(learned.of(asked), [value(x, X, untagged) for x in asked])
    check(learned.of_untagged_, [value(untagged[i], X, np.delete(untagged, i, 0)) for i in range(u)])
    check(learned.left_out_, [value(X[i], np.delete(X, i, 0), untagged) for i in range(n)])
    for i in range(n):
        other, own = kind != kind[i], (kind == kind[i]) & (np.arange(n) != i)
        if other.any():
            expected = value(X[i], X[other], np.concatenate([untagged, X[own]]))
            assert learned.kind_left_out_[i] == pytest.approx(expected, abs=2e-3)
        else:
            assert np.isnan(learned.kind_left_out_[i])


def test_a_new_kind_as_near_to_tagged_photos_as_these_to_each_other_is_recognised() -> None:
    # The photos of the new kind are inside a tagged kind, but nearer to each other.
    kind, rest, unnamed = np.repeat(np.arange(8), 6), np.repeat(np.arange(8), 15), np.repeat(np.arange(20, 30), 10)
    X = kinds(kind, 0)
    new = kinds(np.full(20, 3), 5, spread=0.2) + 0.8 * np.array([1, -1, 1, -1, 1, -1])
    pool = np.concatenate([kinds(rest, 1), kinds(unnamed, 2), new])
    tags = sp.csr_array(np.eye(8)[kind])
    ridge, nearness = TagRidge().fit(X, tags), Nearness(k=5).fit(X, tags, pool)
    scores, left, others = ridge.scores(pool), ridge.left_out_, ridge.kind_left_out_
    assert others is not None
    without = TagConfidence().fit(left, tags, kinds=others, untagged=scores).confidences(scores)
    scores = scores._replace(nearer=nearness.of_untagged_)
    left, others = left._replace(nearer=nearness.left_out_), others._replace(nearer=nearness.kind_left_out_)
    found = TagConfidence().fit(left, tags, kinds=others, untagged=scores).confidences(scores)
    assert without.tags[-20:].max(axis=1).mean() > 0.9
    assert found.tags[-20:].max() < 0.3
    known = np.arange(len(rest))
    assert found.tags[known, rest].mean() > without.tags[known, rest].mean() - 0.01


def test_invalid_input_of_nearness_is_refused() -> None:
    tags = sp.csr_array(np.eye(2))
    with pytest.raises(LearnerError, match="k must be at least 1"):
        Nearness(k=0).fit([[0.0], [1.0]], tags, [[0.0]])
    with pytest.raises(LearnerError, match="The tags are of 2 photos, the samples of 1"):
        Nearness().fit([[0.0]], tags, [[0.0]])
    with pytest.raises(LearnerError, match="features"):
        Nearness().fit([[0.0], [1.0]], tags, [[0.0, 1.0]])
    with pytest.raises(NotFittedError, match="call fit first"):
        Nearness().of([[0.0]])
