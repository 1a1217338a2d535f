# SPDX-License-Identifier: MIT
from __future__ import annotations

from functools import cache
from typing import Any, Literal

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from focal_photos.learners import LearnerError, create
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.kernel.kernel_metric import KernelMetric, StepwiseKernelMetric, _Roots
from tests.examples import examples

Floats = NDArray[np.float64]
Pairs = NDArray[np.intp]


def samples(n: int = 60, d: int = 4, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).normal(size=(n, d))


def draw_pairs(y: Pairs, count: int, seed: int) -> tuple[Pairs, Pairs]:
    """Draw similar and dissimilar pairs at random from classes."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(y), (200 * count, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    same = y[drawn[:, 0]] == y[drawn[:, 1]]
    return drawn[same][:count], drawn[~same][:count]


def side(n: int = 60, count: int = 40, seed: int = 0) -> SideInformation:
    return SideInformation(*draw_pairs(np.arange(n) % 3, count, seed))


def precision_at_10(Z: Floats, y: Pairs) -> float:
    distances = ((Z[:, None] - Z[None]) ** 2).sum(-1) if len(Z) < 500 else _squared(Z)
    np.fill_diagonal(distances, np.inf)
    nearest = np.argpartition(distances, 10, axis=1)[:, :10]
    return float((y[nearest] == y[:, None]).mean())


def _squared(Z: Floats) -> Floats:
    norms = (Z**2).sum(axis=1)
    return np.asarray(norms[:, None] + norms[None] - 2 * Z @ Z.T)


# ------------------------------------------------------------------ slow implementation of the paper


def reference(X: Floats, new: Floats, feedback: SideInformation, p: int, gamma: float, ridge: float) -> Floats:
    """Equations 4-6 of the paper (with the sign corrected) in loops, in the eigenvectors of the centred kernel."""
    n = len(X)

    def kernel(a: Floats, b: Floats) -> float:
        return float(np.exp(-gamma * np.dot(a - b, a - b)))

    K = np.array([[kernel(a, b) for b in X] for a in X])
    one = np.full((n, n), 1 / n)
    w, V = np.linalg.eigh(K - one @ K - K @ one + one @ K @ one)
    w, V = w[::-1][:p], V[:, ::-1][:, :p]

    def place(x: Floats) -> Floats:
        k = np.array([kernel(x, b) for b in X])
        return np.asarray((k - k.mean() - K.mean(axis=0) + K.mean()) @ V / np.sqrt(w))

    def scatter(pairs: Pairs) -> Floats:
        total = np.zeros((p, p))
        for i, j in pairs:
            delta = place(X[i]) - place(X[j])
            total += np.outer(delta, delta)
        return total / (2 * len(pairs))

    C_S, C_D = scatter(feedback.similar), scatter(feedback.dissimilar)
    C_S += ridge * np.trace(C_S) / p * np.eye(p)
    A = scipy.linalg.sqrtm(C_D) @ np.linalg.inv(scipy.linalg.sqrtm(C_S))
    return np.array([A @ place(x) for x in new])


def test_without_priors_and_blend_it_follows_the_paper() -> None:
    X, new, feedback = samples(), samples(10, seed=1), side()
    learner = create("kernel", paper=True, n_components=12, ridge=0.1, gamma=0.2).fit(X, feedback)
    Z = reference(X, new, feedback, 12, 0.2, 0.1)
    expected = np.linalg.norm(Z[:, None] - Z[None], axis=-1)
    got = np.array([learner.distances_from(x, new) for x in new])
    off = ~np.eye(10, dtype=bool)
    scale = got[off] / expected[off]  # only the unit of distance is free
    np.testing.assert_allclose(scale, scale[0], rtol=1e-4)


# ------------------------------------------------------------------ acceptance test 9.8


@cache
def digits() -> tuple[Floats, Pairs]:
    X, y = load_digits(return_X_y=True)
    rows = np.random.default_rng(0).choice(len(X), 1000, replace=False)
    return (X[rows] - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-8), y[rows]


def digits_precision(paper: bool = False, **parameters: Any) -> float:
    X, y = digits()
    found = []
    for seed in range(3):
        learner = create("kernel", paper, n_components=150, ridge=0.03, **parameters)
        assert isinstance(learner, KernelMetric)
        Z = learner.fit(X, SideInformation(*draw_pairs(y, 150, seed))).transform(X)
        found.append(precision_at_10(Z.astype(np.float64), y))
    return float(np.mean(found))


@pytest.mark.slow
def test_stretching_where_dissimilar_photos_differ_helps_and_shrinking_hurts() -> None:
    plus = digits_precision(paper=True)
    similar_only = digits_precision(paper=True, use_dissimilar=False)
    minus = digits_precision(paper=True, dissimilar_exponent=-0.5)
    assert plus > similar_only - 0.01
    assert similar_only - 0.01 > minus + 0.02
    X, y = digits()
    assert plus > precision_at_10(X, y) + 0.01


@pytest.mark.slow
def test_the_defaults_are_no_worse_than_the_paper() -> None:
    assert digits_precision() > digits_precision(paper=True) - 0.01


@pytest.mark.slow
def test_a_few_pairs_do_no_harm() -> None:
    X, y = digits()
    few = [KernelMetric().fit(X, SideInformation(*draw_pairs(y, 5, seed))) for seed in range(4)]
    reached = np.mean([precision_at_10(one.transform(X).astype(np.float64), y) for one in few])
    assert reached > precision_at_10(X, y) - 0.01


# ------------------------------------------------------------------ running sums


def similar_sum(learner: KernelMetric) -> Floats:
    """Return the scatter of all similar pairs at full weight."""
    return np.asarray(learner.sums_[0] + learner.differences_.T @ learner.differences_)


def close(a: KernelMetric, b: KernelMetric) -> None:
    X = samples()
    np.testing.assert_allclose(a.counts_, b.counts_)
    np.testing.assert_allclose(a.sums_, b.sums_, atol=1e-9)
    for x in X[:5]:
        np.testing.assert_allclose(a.distances_from(x, X), b.distances_from(x, X), atol=1e-4)


@pytest.mark.parametrize("exact", [2000, 20])
def test_partial_fit_after_fit_equals_fit_on_the_union(exact: int) -> None:
    X, first, second = samples(), side(seed=0), side(seed=1)
    learner = KernelMetric(exact=exact, landmarks=30)
    together = KernelMetric(exact=exact, landmarks=30).fit(X, first | second)
    close(learner.fit(X, first).partial_fit(X, second), together)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 40), st.booleans(), st.integers(0, 2**16))
@settings(max_examples=examples(25))
def test_each_further_judgement_gives_the_metric_of_all_judgements(
    similar: int, dissimilar: int, more: int, tagged: bool, seed: int
) -> None:
    X, rng = samples(), np.random.default_rng(seed)
    tags = None
    if tagged:
        tags = SideInformation.from_labels(np.where(np.arange(60) < 30, np.arange(60) % 3, -1)).tags
    alike, different = draw_pairs(np.arange(60) % 3, 200, seed)
    alike, different = (rng.permutation(pairs) for pairs in (alike, different))
    first = SideInformation(alike[: similar + 1], different[:dissimilar], tags)
    learner = KernelMetric(n_components=24, output_components=24).fit(X, first)
    for pairs in (alike[similar + 1 :][: more // 2], alike[similar + 1 + more // 2 :][: more - more // 2]):
        learner.partial_fit(X, SideInformation(pairs, different[dissimilar : dissimilar + len(pairs)]))
        dissimilar += len(pairs)
    whole = SideInformation(alike[: similar + 1 + more], different[:dissimilar], tags)
    together = KernelMetric(n_components=24, output_components=24).fit(X, whole)
    np.testing.assert_allclose(learner.A_ @ learner.A_.T, together.A_ @ together.A_.T, rtol=0, atol=1e-8)
    np.testing.assert_allclose(
        learner.pair_distance(X[:30], X[30:]), together.pair_distance(X[:30], X[30:]), rtol=1e-5, atol=1e-5
    )


def test_a_further_judgement_on_many_components_gives_the_same_distances() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((400, 300)).astype(np.float32), np.arange(400) % 5
    X[:, :5] += 4 * np.eye(5, dtype=np.float32)[y]
    alike, different = draw_pairs(y, 60, 1)
    settings_: dict[str, Any] = {"n_components": 300, "output_components": 300, "euclidean_blend": 0.05}
    learner = KernelMetric(**settings_).fit(X, SideInformation(alike[:-1], different[:-1]))
    learner.partial_fit(X, SideInformation(alike[-1:], different[-1:]))
    together = KernelMetric(**settings_).fit(X, SideInformation(alike, different))
    assert learner._map.n_components == 300
    np.testing.assert_allclose(
        learner.pair_distance(X[:200], X[200:]), together.pair_distance(X[:200], X[200:]), rtol=1e-5
    )


@pytest.mark.parametrize("tagged", [0, 40])
@pytest.mark.parametrize("pairs", [1, 5, 60])
def test_the_metric_of_few_pairs_equals_the_one_by_full_matrix_powers(pairs: int, tagged: int) -> None:
    X, (alike, different) = samples(80, 6), draw_pairs(np.arange(80) % 4, 60, 3)
    labels = np.where(np.arange(80) < tagged, np.arange(80) % 4, -1)
    known = SideInformation(alike[:pairs], different[:pairs], SideInformation.from_labels(labels).tags)
    learner = KernelMetric(n_components=20, euclidean_blend=0, output_components=20, weigh_answers=False).fit(X, known)
    p, ridge, (s, _, t, _) = 20, 0.03, learner.counts_
    T = np.diag(learner.variances_ / learner.variances_.sum())
    most, heard = max(s, t), 1.0
    C_S, C_D, said = np.eye(p) / p, np.zeros((p, p)), 0.0
    own = np.diag(T)
    w = 10 / (10 + s + t)
    still = own / (w * own + (1 - w + ridge) / p)
    r = min(np.trace(learner.sums_[1]) / (2 * pairs * learner.variances_.sum()), 1)
    parts = [(np.diag(still), p * max(2 * r**6, 1 / 6)), (learner.sums_[1], min(10 * s, most))]
    for scatter, weight in ((similar_sum(learner), min(10 * s, most)), (learner.sums_[2], min(10 * t, most))):
        if weight:
            C_S, heard = C_S + weight * scatter / np.trace(scatter), heard + weight
    if t:
        size, axes = np.linalg.eigh(learner.sums_[3])
        parts.append(((axes * np.sqrt(np.where(size > 1e-12 * size[-1], size, 0))) @ axes.T, min(10 * t, most)))
    for scatter, weight in parts:
        C_D, said = C_D + weight * scatter / np.trace(scatter), said + weight
    F = scipy.linalg.fractional_matrix_power(C_S / heard + ridge / p * np.eye(p), -0.5 - 0.5 * s / (s + 2 * p))
    M = F @ (C_D / said) @ F
    np.testing.assert_allclose(learner.A_ @ learner.A_.T, M / (learner.variances_ @ np.diag(M)), rtol=1e-6, atol=1e-8)


def test_a_further_judgement_decomposes_no_matrix_larger_than_the_number_of_similar_pairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X = samples(100, 8)
    learner = KernelMetric().fit(X, SideInformation(np.array([[0, 1], [2, 3]]), np.array([[0, 5]])))
    sizes, eigh = [], np.linalg.eigh

    def counted(matrix: Floats) -> Any:
        sizes.append(len(matrix))
        return eigh(matrix)

    monkeypatch.setattr(np.linalg, "eigh", counted)
    learner.partial_fit(X, SideInformation(np.array([[4, 5]]), np.array([[4, 8]])))
    assert sizes
    assert max(sizes) <= 3


def test_an_older_metric_without_roots_can_be_updated() -> None:
    X, first, second = samples(), side(seed=0), SideInformation(similar=np.array([[0, 1]]))
    now, before = (KernelMetric(weigh_answers=False).fit(X, first) for _ in range(2))
    before.sums_[0] = similar_sum(before)
    for name in ("similar_root_", "within_root_", "between_root_"):
        delattr(before, name)
    for name in ("similar_answers_", "dissimilar_answers_", "differences_", "settled_"):
        delattr(before, name)
    after, other = now.partial_fit(X, second), before.partial_fit(X, second)
    after.sums_[0], other.sums_[0] = similar_sum(after), similar_sum(other)
    close(other, after)


def test_judged_copies_of_a_photo_are_harmless() -> None:
    """Their scatter is 0 everywhere, so nothing can be divided by it."""
    X = samples()
    X[31], X[41] = X[30], X[40]
    similar, copies = np.array([[0, 3], [1, 4], [2, 5]]), np.array([[30, 31], [40, 41]])
    alone = KernelMetric().fit(X, SideInformation(similar))
    for found in (
        KernelMetric().fit(X, SideInformation(similar, copies)),
        KernelMetric().fit(X, SideInformation(similar)).partial_fit(X, SideInformation(dissimilar=copies)),
    ):
        distances = found.distances_from(X[0], X)
        assert np.isfinite(distances).all()
        assert np.corrcoef(distances, alone.distances_from(X[0], X))[0, 1] > 0.99


def test_photos_stay_in_place_without_similar_pairs() -> None:
    X, judged = samples(80, 6), SideInformation(dissimilar=np.array([[0, 1]]))
    learned = KernelMetric(euclidean_blend=0, ridge=1e-6, use_dissimilar=False).fit(X, judged)
    plain = KernelMetric(euclidean_blend=1e9).fit(X, judged)
    by_learned, by_plain = (metric.pair_distance(X[:40], X[40:]) for metric in (learned, plain))
    assert np.corrcoef(by_learned, by_plain)[0, 1] > 0.99


def test_partial_fit_accepts_other_photos_than_fit() -> None:
    X, learner = samples(), KernelMetric().fit(samples(), side())
    before = learner.distances_from(X[0], X)
    learner.partial_fit(samples(30, seed=5), SideInformation(similar=np.array([[0, 1], [2, 3]])))
    assert not np.array_equal(learner.distances_from(X[0], X), before)
    with pytest.raises(LearnerError, match="has 3 features"):
        learner.partial_fit(samples(30, 3), side(30))


def test_repeated_feedback_moves_photos_closer() -> None:
    X, judged = samples(), np.array([[0, 1]])
    learner = KernelMetric().fit(X, side())
    learner.partial_fit(X, SideInformation(similar=judged))
    once = learner.pair_distance(X[:1], X[1:2])[0]
    learner.partial_fit(X, SideInformation(similar=np.repeat(judged, 30, axis=0)))
    assert learner.pair_distance(X[:1], X[1:2])[0] < once


def test_the_mean_squared_distance_between_photos_is_2() -> None:
    Z = KernelMetric().fit(samples(), side()).transform(samples()).astype(np.float64)
    distances = _squared(Z)
    assert distances.sum() / (60 * 60) == pytest.approx(2, rel=0.02)


def test_the_embedding_has_at_most_the_requested_dimensions() -> None:
    full = KernelMetric(unit=False).fit(samples(), side())
    cut = KernelMetric(output_components=7, unit=False).fit(samples(), side())
    assert cut.transform(samples()).shape == (60, 7)
    np.testing.assert_allclose(np.abs(cut.transform(samples())), np.abs(full.transform(samples())[:, :7]), atol=1e-3)


def test_a_full_blend_is_kernel_pca() -> None:
    X = samples()
    blended = KernelMetric(euclidean_blend=1e9, unit=False).fit(X, side())
    Y = blended._map.transform(X)
    expected = np.linalg.norm(Y - Y[0], axis=1)
    got = blended.distances_from(X[0], X)
    np.testing.assert_allclose(got[1:] / expected[1:], got[1] / expected[1], rtol=1e-3)


@pytest.mark.parametrize(("parameter", "value"), [("n_components", 0), ("gamma", 0.0), ("gamma", -1.0)])
def test_impossible_parameters_are_refused(parameter: str, value: float) -> None:
    with pytest.raises(LearnerError, match=parameter):
        create("kernel").set_params(**{parameter: value}).fit(samples(), side())


# ------------------------------------------------------------------ tags


def test_tags_are_used_like_classes() -> None:
    X, y = digits()
    half = np.where(np.arange(1000) < 500, y, -1)
    learner = KernelMetric().fit(X, SideInformation.from_labels(half))
    unseen = learner.transform(X[500:]).astype(np.float64)
    assert precision_at_10(unseen, y[500:]) > precision_at_10(X[500:], y[500:]) + 0.02


def test_judged_pairs_and_tags_both_have_an_effect() -> None:
    X, y = samples(200, 6), np.arange(200) % 2
    tags = SideInformation.from_labels(y)
    judged = SideInformation(similar=np.array([[0, 1], [2, 3], [4, 5]]))
    by_tags, both = KernelMetric().fit(X, tags), KernelMetric().fit(X, tags | judged)

    def mean(learner: KernelMetric) -> float:
        return float(learner.pair_distance(X[judged.similar[:, 0]], X[judged.similar[:, 1]]).mean())

    assert mean(both) < mean(by_tags)


def test_one_tag_on_all_photos_has_no_effect() -> None:
    X, one_tag = samples(80, 6), SideInformation.from_tags(np.ones((80, 1)))
    learned = KernelMetric().fit(X, one_tag)
    assert np.trace(learned.sums_[3]) < 1e-9 * np.trace(learned.sums_[2])
    plain = KernelMetric(euclidean_blend=1e9).fit(X, one_tag)
    by_tag, by_nothing = (metric.pair_distance(X[:40], X[40:]) for metric in (learned, plain))
    assert np.corrcoef(by_tag, by_nothing)[0, 1] > 0.99


def test_a_few_tags_do_not_outweigh_many_judgements() -> None:
    X, feedback = samples(300, 6), side(300, 400)
    few_tags = np.zeros((300, 1))
    few_tags[:5] = 1
    alone = KernelMetric().fit(X, feedback).pair_distance(X[:100], X[100:200])
    both = KernelMetric().fit(X, feedback | SideInformation.from_tags(few_tags)).pair_distance(X[:100], X[100:200])
    assert np.corrcoef(alone, both)[0, 1] > 0.9


# ------------------------------------------------------------------ judged results, few and many


def shown(sessions: int) -> SideInformation:
    """Query sessions on the digits: among the 20 nearest photos, the first 5 of the class and the first 5 of others."""
    X, y = digits()
    distances = _squared(X)
    similar, dissimilar = [], []
    for focal in np.random.default_rng(0).permutation(len(X))[:sessions]:
        near = np.argsort(distances[focal])[1:21]
        similar += [(focal, one) for one in near[y[near] == y[focal]][:5]]
        dissimilar += [(focal, one) for one in near[y[near] != y[focal]][:5]]
    return SideInformation(np.array(similar), np.array(dissimilar))


def test_pairs_of_near_photos_are_not_compared_with_random_pairs() -> None:
    X, y = digits()
    feedback = shown(20)

    def precision(prior: float | Literal["auto"]) -> float:
        learner = KernelMetric(n_components=300, dissimilar_prior=prior).fit(X, feedback)
        return precision_at_10(learner.transform(X).astype(np.float64), y)

    assert precision("auto") > precision(600) + 0.003
    assert precision("auto") > precision_at_10(X, y) + 0.01


def test_the_power_of_the_similar_scatter_grows_with_the_number_of_pairs() -> None:
    X, pairs = samples(), side(count=40).similar
    learner = KernelMetric(
        n_components=10, ridge=0, euclidean_blend=0, similar_prior=1e-12, dissimilar_prior=0, use_dissimilar=False
    )

    def spread(times: int) -> float:
        A = learner.fit(X, SideInformation(similar=np.repeat(pairs, times, axis=0))).A_
        w = np.linalg.eigvalsh(A @ A.T)  # of the power of the scatter, twice the exponent
        return float(np.log(w[-1] / w[0]))

    def power(judged: int) -> float:
        return 0.5 + 0.5 * judged / (judged + 2 * 10)

    np.testing.assert_allclose(spread(1000) / spread(1), power(40_000) / power(40), rtol=1e-6)


def test_ignoring_dissimilar_pairs_equals_omitting_them() -> None:
    X, feedback = samples(), side()
    left_out = KernelMetric(use_dissimilar=False).fit(X, feedback)
    not_given = KernelMetric().fit(X, SideInformation(feedback.similar))
    np.testing.assert_allclose(left_out.transform(X), not_given.transform(X))


# ------------------------------------------------------------------ stepwise


def sessions(first: int, count: int) -> SideInformation:
    """Query sessions, each with a focal image, two similar and two dissimilar photos."""
    focal = np.repeat(np.arange(first, first + count), 2)
    add = np.tile([3, 6], count)
    return SideInformation(np.column_stack([focal, focal + add]), np.column_stack([focal, focal + add + 1]))


def test_stepwise_updates_whenever_a_batch_is_full() -> None:
    X = samples()
    learner = StepwiseKernelMetric(sessions=4).fit(X, sessions(0, 4))
    before = learner.A_.copy()
    learner.partial_fit(X, sessions(4, 3))
    assert learner.batch_sessions_ == 3
    np.testing.assert_allclose(learner.A_, before)
    learner.partial_fit(X, sessions(7, 1))
    assert learner.batch_sessions_ == 0
    assert not learner.batch_sums_.any()
    assert not np.allclose(learner.A_, before)


def test_stepwise_discards_no_waiting_feedback() -> None:
    X = samples()
    one_by_one = StepwiseKernelMetric(sessions=4).fit(X, sessions(0, 4))
    for first in range(4, 8):
        one_by_one.partial_fit(X, sessions(first, 1))
    together = StepwiseKernelMetric(sessions=4).fit(X, sessions(0, 8))
    np.testing.assert_allclose(one_by_one.steps_, together.steps_, atol=1e-6)


def test_the_map_is_unchanged_while_a_batch_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    X, (similar, dissimilar) = samples(), (np.array([[0, 30]]), np.array([[0, 1]]))
    learner = StepwiseKernelMetric(sessions=2).fit(X, side())
    kept = learner.A_

    def refused(matrix: Floats) -> Any:
        raise AssertionError(f"decomposed: {matrix.shape}")

    with monkeypatch.context() as patched:
        patched.setattr(np.linalg, "eigh", refused)
        learner.partial_fit(X, SideInformation(similar, dissimilar))
    assert learner.A_ is kept
    learner.partial_fit(X, SideInformation(similar + 1, dissimilar + 1))
    assert not np.array_equal(learner.A_, kept)


def test_a_waiting_batch_is_filled_before_the_next_begins() -> None:
    X = samples()
    whole = StepwiseKernelMetric(sessions=4).fit(X, sessions(0, 4))
    for part in ((4, 4), (8, 4)):
        whole.partial_fit(X, sessions(*part))
    waiting = StepwiseKernelMetric(sessions=4).fit(X, sessions(0, 4))
    for part in ((4, 1), (5, 7)):
        waiting.partial_fit(X, sessions(*part))
    assert waiting.batch_sessions_ == whole.batch_sessions_ == 0
    np.testing.assert_allclose(waiting.steps_, whole.steps_, rtol=1e-9, atol=1e-12)


def test_fit_uses_an_incomplete_last_batch() -> None:
    learner = StepwiseKernelMetric(sessions=20).fit(samples(), sessions(0, 3))
    assert learner.batch_sessions_ == 0
    assert not np.allclose(learner.steps_, np.eye(len(learner.steps_)))


def test_one_batch_equals_the_kernel_metric_with_the_same_regularisation() -> None:
    X = samples()
    parameters: dict[str, Any] = {"similar_prior": 0, "dissimilar_prior": 0, "ridge": 0.0, "n_components": 10}
    stepwise = StepwiseKernelMetric(sessions=100, **parameters).fit(X, side())
    at_once = KernelMetric(weigh_answers=False, **parameters).fit(X, side())
    np.testing.assert_allclose(stepwise.distances_from(X[0], X), at_once.distances_from(X[0], X), rtol=1e-3, atol=1e-4)


@pytest.mark.slow
def test_small_batches_do_not_degrade_the_metric() -> None:
    X, y = digits()
    learner = StepwiseKernelMetric(sessions=10)
    rng = np.random.default_rng(0)
    for _ in range(4):
        focal = rng.choice(1000, 10, replace=False)
        similar = [(q, j) for q in focal for j in rng.choice(np.flatnonzero(y == y[q]), 5) if j != q]
        dissimilar = [(q, j) for q in focal for j in rng.choice(np.flatnonzero(y != y[q]), 5)]
        learner.partial_fit(X, SideInformation(np.array(similar), np.array(dissimilar)))
    assert precision_at_10(learner.transform(X).astype(np.float64), y) > precision_at_10(X, y) + 0.01


@pytest.mark.parametrize("kinds", [3, 40])
def test_tags_alone_agree_with_the_formula(kinds: int) -> None:
    """With few tags, the root of the scatter between them has their rank; with many, it comes from its eigenvectors."""
    rng = np.random.default_rng(kinds)
    X = rng.standard_normal((120, 6))
    learner = KernelMetric(n_components=50)
    learner.fit(X, SideInformation.from_labels(rng.integers(0, kinds, 120)))
    kernel_map, sums, counts = learner._map, learner.sums_, learner.counts_
    A = learner._factor(sums, counts, np.diag(kernel_map.variances))
    roots = [vars(learner)[name] for name in ("similar_root_", "within_root_", "between_root_")]
    M = learner._metric(kernel_map, sums, counts, _Roots(*roots))
    np.testing.assert_allclose(M, A @ A.T, atol=1e-9 * float(np.abs(M).max()))
