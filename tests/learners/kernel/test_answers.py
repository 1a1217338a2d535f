# SPDX-License-Identifier: MIT
from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.kernel import answers as answers_module
from focal_photos.learners.kernel.answers import MOST_ANSWERS, JudgedPairs, PairInverse, trust
from focal_photos.learners.kernel.kernel_metric import KernelMetric
from focal_photos.learners.persistence import load, save
from tests.examples import examples

Floats = NDArray[np.float64]
Pairs = NDArray[np.intp]


@cache
def digits() -> tuple[Floats, Pairs]:
    X, y = load_digits(return_X_y=True)
    rows = np.random.default_rng(0).choice(len(X), 600, replace=False)
    return (X[rows] - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-8), y[rows]


def judged(count: int, wrong: float, seed: int = 0) -> tuple[SideInformation, NDArray[np.bool_]]:
    """Judge 5 + 5 of the 20 nearest photos of focal images, some wrongly; return also which similar pairs are wrong."""
    X, y = digits()
    rng = np.random.default_rng(seed)
    similar, dissimilar = [], []
    for photo in rng.permutation(len(X))[:count].tolist():
        near = np.argsort(np.square(X - X[photo]).sum(axis=1))[1:21]
        similar += [(photo, other) for other in near[y[near] == y[photo]][:5].tolist()]
        dissimilar += [(photo, other) for other in near[y[near] != y[photo]][:5].tolist()]
    right, other = np.array(similar, dtype=np.intp), np.array(dissimilar, dtype=np.intp)
    a, b = rng.random(len(right)) < wrong, rng.random(len(other)) < wrong
    taken = np.concatenate([right[~a], other[b]])
    return (
        SideInformation(taken, np.concatenate([other[~b], right[a]])),
        np.repeat([False, True], [int((~a).sum()), int(b.sum())]),
    )


def slow_trust(similar: Floats, dissimilar: Floats) -> Floats:
    """Predict each pair from all others, one after another."""
    pairs = np.concatenate([similar, dissimilar])
    answers = np.repeat([1.0, -1.0], [len(similar), len(dissimilar)])
    distances = np.array([np.sum((a - b) ** 2) for a, b in pairs])
    distances = (distances - distances.mean()) / distances.std()

    def cosine(a: Floats, b: Floats) -> float:
        return float(a @ b / np.sqrt((a @ a) * (b @ b)))

    n = len(pairs)
    K = np.empty((n, n))
    for i, (a, b) in enumerate(pairs):
        for j, (c, d) in enumerate(pairs):
            K[i, j] = 1 + distances[i] * distances[j] + cosine(a, c) * cosine(b, d) + cosine(a, d) * cosine(b, c)
    said = np.empty(n)
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        said[i] = K[i, rest] @ np.linalg.solve(K[np.ix_(rest, rest)] + 0.3 * np.eye(n - 1), answers[rest])
    agreement = np.corrcoef(answers, said)[0, 1] + 1 / np.sqrt(n)
    doubt = min(max((0.6 - agreement) / 0.3, 0), 1)
    return np.asarray(np.clip((said[: len(similar)] + 1 - doubt) / 0.5, 0, 1))


@pytest.mark.parametrize("seed", range(3))
def test_the_trust_in_an_answer_is_predicted_from_all_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    similar, dissimilar = rng.normal(size=(35, 2, 6)), rng.normal(size=(30, 2, 6))
    found = trust(similar, dissimilar)
    np.testing.assert_allclose(found, slow_trust(similar, dissimilar), atol=1e-9)
    assert 0 < np.count_nonzero(found < 1) < len(found)


def test_wrong_answers_count_less_and_do_less_harm() -> None:
    X, y = digits()

    def precision(weigh: bool, side: SideInformation) -> float:
        Z = KernelMetric(weigh_answers=weigh).fit(X, side).transform(X).astype(np.float64)
        D = np.square(Z).sum(axis=1)[:, None] + np.square(Z).sum(axis=1) - 2 * Z @ Z.T
        np.fill_diagonal(D, np.inf)
        return float((y[np.argsort(D, axis=1)[:, :10]] == y[:, None]).mean())

    side, wrong = judged(50, 0.25)
    learner = KernelMetric().fit(X, side)
    pairs = JudgedPairs.saved(vars(learner), learner.sums_.shape[1])
    weights = pairs.weights()
    assert weights[wrong].mean() < 0.6 * weights[~wrong].mean()
    assert learner.counts_[0] == pytest.approx(weights.sum())
    assert precision(True, side) > precision(False, side) + 0.02
    clean, _ = judged(50, 0.0)
    assert precision(True, clean) > precision(False, clean) - 0.005


def test_few_answers_and_answers_of_one_kind_count_fully() -> None:
    rng = np.random.default_rng(0)
    pairs = rng.normal(size=(40, 2, 5))
    nobody = pairs[:0]
    for similar, dissimilar in ((pairs[:30], pairs[:29]), (pairs, nobody), (nobody, pairs)):
        np.testing.assert_array_equal(trust(similar, dissimilar), np.ones(len(similar)))
    assert (trust(pairs[:30], pairs[:30]) < 1).any()  # the same pairs judged both ways


def test_equal_photos_give_constant_trust() -> None:
    nothing = np.zeros((40, 2, 5))
    np.testing.assert_array_equal(trust(nothing, nothing), trust(nothing[::-1], nothing))
    assert np.isfinite(trust(nothing, nothing)).all()


@given(st.integers(0, 2**16))
@settings(max_examples=examples(20))
def test_neither_order_nor_direction_of_pairs_matters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    similar, dissimilar = rng.normal(size=(40, 2, 4)), rng.normal(size=(40, 2, 4))
    order, turned = rng.permutation(40), rng.random(40) < 0.5
    weights = trust(similar, dissimilar)
    assert ((weights >= 0) & (weights <= 1)).all()
    shuffled = np.where(turned[:, None, None], similar[:, ::-1], similar)[order]
    np.testing.assert_allclose(trust(shuffled, dissimilar[::-1]), weights[order], atol=1e-9)


def test_weights_are_settled_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_module, "MOST_ANSWERS", 80)
    monkeypatch.setattr("focal_photos.learners.kernel.kernel_metric.MOST_ANSWERS", 80)
    X, _ = digits()
    (first, _), (second, _) = judged(8, 0.2, 1), judged(9, 0.2, 2)
    few = KernelMetric(n_components=60).fit(X, first)
    assert len(few.similar_answers_) == len(first.similar)
    assert len(few.similar_root_) == 0
    many = KernelMetric(n_components=60).fit(X, first).partial_fit(X, second)
    assert not len(many.similar_answers_) + len(many.dissimilar_answers_)
    assert many.settled_ == pytest.approx(many.counts_[0])
    assert many.counts_[1] == len(first.dissimilar) + len(second.dissimilar)
    np.testing.assert_allclose(many.similar_root_.T @ many.similar_root_, many.sums_[0], atol=1e-9)
    # Later answers are weighted on their own, and settled weights stay.
    third, _ = judged(7, 0.2, 3)
    before, told = many.sums_[0].copy(), many.settled_
    many.partial_fit(X, third)
    np.testing.assert_array_equal(many.sums_[0], before)
    assert many.settled_ == told
    assert many.counts_[0] == pytest.approx(told + JudgedPairs.saved(vars(many), 60).weights().sum())
    assert len(many.similar_answers_) == len(third.similar)


def test_too_many_answers_are_weighted_in_parts() -> None:
    rng = np.random.default_rng(0)
    similar, dissimilar = rng.normal(size=(MOST_ANSWERS, 2, 3)), rng.normal(size=(40, 2, 3))
    weights = JudgedPairs(similar, dissimilar, np.zeros((MOST_ANSWERS, 3))).weights()
    np.testing.assert_array_equal(weights[1::2], trust(similar[1::2], dissimilar[1::2]))


def test_a_loaded_metric_continues_to_weight_answers(tmp_path: Any) -> None:
    X, _ = digits()
    (first, _), (second, _) = judged(20, 0.25, 1), judged(10, 0.25, 2)
    learner = KernelMetric(n_components=60).fit(X, first)
    save(tmp_path / "metric.npz", learner=learner)
    loaded = load(tmp_path / "metric.npz")["learner"]
    assert isinstance(loaded, KernelMetric)
    for one in (learner, loaded):
        one.partial_fit(X, second)
    np.testing.assert_allclose(loaded.transform(X), learner.transform(X), atol=1e-6)


@pytest.mark.parametrize("known", [(40, 30), (40, 31), (41, 30), (43, 35), (10, 5)])
def test_the_inverse_extended_by_pairs_equals_the_inverse_of_all(known: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    similar, dissimilar = rng.standard_normal((43, 2, 6)), rng.standard_normal((35, 2, 6))
    s, t = known
    before = PairInverse.of(similar[:s], dissimilar[:t])
    grown = PairInverse.of(similar, dissimilar, before)
    np.testing.assert_allclose(grown.inverse, PairInverse.of(similar, dissimilar).inverse, atol=1e-10)
    np.testing.assert_allclose(trust(similar, dissimilar, grown), slow_trust(similar, dissimilar), atol=1e-9)
    np.testing.assert_array_equal(grown.inverse.shape, (78, 78))


def test_extending_pair_by_pair_stays_exact() -> None:
    rng = np.random.default_rng(8)
    similar, dissimilar = rng.standard_normal((90, 2, 6)), rng.standard_normal((80, 2, 6))
    known = PairInverse.of(similar[:45], dissimilar[:40])
    bases = set()
    for s, t in zip(range(46, 91), [*range(41, 81), *[80] * 5], strict=True):
        known = PairInverse.of(similar[:s], dissimilar[:t], known)
        bases.add(len(known.base))
    whole = PairInverse.of(similar, dissimilar)
    assert len(bases) > 2  # the added pairs were merged into the base more than once
    np.testing.assert_allclose(known.inverse, whole.inverse, atol=1e-10)
    for name in ("directions", "distances", "products", "diagonal", "solved"):
        np.testing.assert_allclose(getattr(known, name), getattr(whole, name), atol=1e-9, err_msg=name)


def test_answers_one_by_one_give_the_same_as_together_also_after_another_fit() -> None:
    rng = np.random.default_rng(6)
    X = rng.standard_normal((60, 5))
    pairs = np.array([(i, j) for i in range(60) for j in range(i + 1, 60)])
    chosen = pairs[rng.permutation(len(pairs))[:160]]
    similar, dissimilar = chosen[:80], chosen[80:]
    learner = KernelMetric().fit(X, SideInformation(similar[:40], dissimilar[:40]))
    for number in range(40, 80):
        learner.partial_fit(X, SideInformation(similar[number : number + 1]))
        learner.partial_fit(X, SideInformation(dissimilar=dissimilar[number : number + 1]))
    whole = KernelMetric().fit(X, SideInformation(similar, dissimilar))
    np.testing.assert_allclose(learner.sums_, whole.sums_, atol=1e-9 * np.abs(whole.sums_).max())
    # The same number of other answers: the cache of the former ones must not be used for them.
    learner.fit(X, SideInformation(similar[::-1], dissimilar[::-1]))
    more = SideInformation(pairs[-2:-1])
    learner.partial_fit(X, more)
    again = KernelMetric().fit(X, SideInformation(similar[::-1], dissimilar[::-1])).partial_fit(X, more)
    np.testing.assert_allclose(learner.sums_, again.sums_, atol=1e-9 * np.abs(again.sums_).max())
    # A copy continues independently.
    copied = deepcopy(learner)
    copied.partial_fit(X, SideInformation(pairs[-4:-3]))
    learner.partial_fit(X, SideInformation(pairs[-4:-3]))
    np.testing.assert_array_equal(copied.A_, learner.A_)


def inverted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the sizes of matrices inverted from now on, and return the list."""
    sizes, inv = [], np.linalg.inv

    def counted(matrix: Floats) -> Any:
        sizes.append(len(matrix))
        return inv(matrix)

    monkeypatch.setattr(np.linalg, "inv", counted)
    return sizes


def test_the_first_further_answer_reuses_the_inverse_of_the_fit(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    X, _ = digits()
    (first, _), (second, _) = judged(20, 0.25, 1), judged(1, 0, 2)
    learner = KernelMetric(n_components=60).fit(X, first)
    save(tmp_path / "metric.npz", learner=learner)
    loaded, untouched = (load(tmp_path / "metric.npz")["learner"] for _ in range(2))
    assert isinstance(loaded, KernelMetric)
    assert isinstance(untouched, KernelMetric)
    sizes = inverted(monkeypatch)
    loaded.prepare()
    assert max(sizes) == len(first.similar) + len(first.dissimilar)
    del sizes[:]
    loaded.prepare()
    assert not sizes
    for one in (learner, deepcopy(loaded)):
        one.partial_fit(X, second)
        assert max(sizes) <= len(second.similar) + len(second.dissimilar)
    untouched.partial_fit(X, second)
    assert max(sizes) > len(first.similar), "without preparation"
    np.testing.assert_allclose(untouched.transform(X), learner.transform(X), atol=1e-6)


def test_answers_of_one_kind_need_no_preparation(monkeypatch: pytest.MonkeyPatch) -> None:
    X, _ = digits()
    answers, _ = judged(20, 0.25, 1)
    sizes = inverted(monkeypatch)
    for weigh, side in ((True, SideInformation(answers.similar)), (False, answers)):
        learner = KernelMetric(n_components=60, weigh_answers=weigh).fit(X, side)
        learner.prepare()
    assert not sizes
