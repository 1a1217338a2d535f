from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.tags.unlikeness import Unlikeness
from tests.examples import examples


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
