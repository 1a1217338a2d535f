# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.galleries.relevance_feedback import NOISE
from focal_photos.learners.tags.label_errors import (
    MIN_PROBABILITY,
    LabelErrors,
    judgement_errors,
    label_errors,
    left_out_relevance,
)
from tests.examples import examples

M = 4
Drawn = tuple[NDArray[np.float64], NDArray[np.intp]]


def drawn(seed: int, n: int = 400) -> Drawn:
    """Draw calibrated confidences (n, 4), some sure and some unsure, and tags from them.

    The photos 0, 50, 100 and 150 are sure.
    """
    rng = np.random.default_rng(seed)
    kind = np.arange(n) % M
    sharpness = rng.uniform(0, 12, n)
    sharpness[[0, 50, 100, 150]] = 12
    scores = sharpness[:, None] * np.eye(M)[kind] + rng.normal(size=(n, M))
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    P = e / e.sum(axis=1, keepdims=True)
    tags = (P.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)
    return P, np.minimum(tags, M - 1)


def with_errors(tags: NDArray[np.intp], wrong: list[int]) -> NDArray[np.float64]:
    changed = tags.copy()
    changed[wrong] = (tags[wrong] + 1) % M
    return np.eye(M)[changed]


def found_in(P: NDArray[np.float64], tags: NDArray[np.float64], none: float = 0.0) -> LabelErrors:
    return label_errors(P, np.full(len(P), none), tags, exclusive=True)


def test_the_fit_is_at_least_as_likely_as_a_grid_search() -> None:
    """Compare with the best point of a fine grid of shares and sharpnesses."""
    P, tags = drawn(3)
    given = with_errors(tags, [0, 50, 100])
    found = found_in(P, given)
    own = np.flatnonzero(given.ravel())
    best, at = -np.inf, (0.0, 1.0)
    for share in np.linspace(0.001, 0.2, 200):
        for sharpness in np.geomspace(0.3, 3, 120):
            q = P**sharpness
            p = (q / q.sum(axis=1, keepdims=True)).ravel()[own]
            value = np.log((1 - share) * p + share * (1 - p) / (M - 1)).sum()
            if value > best:
                best, at = value, (share, sharpness)
    q = P ** at[1]
    p = (q / q.sum(axis=1, keepdims=True)).ravel()[own]
    wrong = at[0] * (1 - p) / (M - 1)
    probability = wrong / (wrong + (1 - at[0]) * p)
    assert found.share > 0.9 * at[0]
    assert set(found.photo.tolist()) >= set(np.flatnonzero(probability > MIN_PROBABILITY).tolist()) >= {0, 50, 100}
    assert (found.probability >= probability[found.photo] - 0.02).all()
    assert (np.diff(found.probability) <= 0).all()


def test_one_reversed_tag_of_two_clear_kinds_is_found() -> None:
    """All other photos are equally sure, so the confidence has no information, but the margins have."""
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1], 15)
    own = 1 / (1 + np.exp(-(4 + 0.5 * rng.normal(size=30))))
    P = np.where(np.eye(2)[kind] > 0, own[:, None], 1 - own[:, None])
    given = np.eye(2)[kind]
    assert len(found_in(P, given).photo) == 0
    given[4] = [0, 1]
    found = found_in(P, given)
    assert (found.photo.tolist(), found.tag.tolist(), found.instead.tolist()) == ([4], [1], [0])


def test_tags_without_errors_are_hardly_ever_reported() -> None:
    alarms = sum(len(found_in(P, np.eye(M)[tags]).photo) for P, tags in map(drawn, range(10)))
    assert alarms <= 8  # of 4,000: one per 500


@pytest.mark.parametrize("seed", range(5))
def test_most_reported_tags_are_wrong(seed: int) -> None:
    P, tags = drawn(seed)
    wrong = [0, 50, 100, 150]
    found = found_in(P, with_errors(tags, wrong))
    assert len(found.photo) >= 2
    assert np.isin(found.photo, wrong).mean() >= 0.7
    right = np.isin(found.photo, wrong)
    assert (found.instead[right] == tags[found.photo[right]]).all()


def test_five_tags_are_not_enough() -> None:
    P = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.2, 0.8], [0.6, 0.4]])
    found = label_errors(P, np.zeros(5), np.eye(2)[[0, 0, 1, 1, 1]], exclusive=True)
    assert len(found.photo) == 0
    assert found.share == 0


def test_a_photo_unlike_all_others_is_not_reported() -> None:
    P, tags = drawn(0)
    given = with_errors(tags, [0, 50, 100, 150])
    none = np.zeros(len(P))
    assert 50 in label_errors(P, none, given, exclusive=True).photo
    none[50] = 0.999
    found = label_errors(P, none, given, exclusive=True)
    assert 50 not in found.photo
    assert {0, 100, 150} <= set(found.photo.tolist())


def test_confirmed_tags_and_tags_on_one_photo_are_not_reported() -> None:
    P, tags = drawn(1)
    given = with_errors(tags, [0, 50, 100])
    confirmed = np.zeros_like(given, dtype=bool)
    confirmed[0, given[0].argmax()] = True
    found = label_errors(P, np.zeros(len(P)), given, exclusive=True, confirmed=confirmed)
    assert 0 not in found.photo
    assert {50, 100} <= set(found.photo.tolist())
    alone = np.column_stack([given, np.zeros(len(P))])
    alone[50] = [0, 0, 0, 0, 1]
    wider = np.column_stack([P * 0.999, np.full(len(P), 0.001)])
    assert 50 not in label_errors(wider, np.zeros(len(P)), alone, exclusive=True).photo


def test_no_correction_is_proposed_to_a_photo_that_also_has_the_right_tag() -> None:
    P, tags = drawn(2)
    given = np.eye(M)[tags]
    P[0], given[0] = [0.97, 0.001, 0.0145, 0.0145], [1, 1, 0, 0]
    others = [50, 100, 150]
    given[others] = np.eye(M)[(tags[others] + 1) % M]
    found = found_in(P, given)
    place = np.flatnonzero((found.photo == 0) & (found.tag == 1))
    assert len(place) == 1
    assert found.instead[place[0]] == -1


def test_photos_may_have_several_tags() -> None:
    rng = np.random.default_rng(0)
    P = 1 / (1 + np.exp(-8 * rng.choice([-1, 1], p=[0.8, 0.2], size=(300, 5)) + rng.normal(size=(300, 5))))
    given = (rng.random(P.shape) < P).astype(float)
    clean = label_errors(P, np.zeros(300), given, exclusive=False)
    assert len(clean.photo) <= 1
    wrong = [(row, int(P[row].argmin())) for row in range(0, 300, 30)]
    for row, tag in wrong:
        given[row, tag] = 1
    found = label_errors(P, np.zeros(300), given, exclusive=False)
    reported = set(zip(found.photo.tolist(), found.tag.tolist(), strict=True))
    assert len(reported & set(wrong)) >= 7
    assert len(reported & set(wrong)) >= 0.7 * len(reported)
    assert (found.instead == -1).all()


@given(st.integers(0, 10_000), st.permutations(range(M)))
@settings(max_examples=examples(15))
def test_the_order_of_photos_and_tags_does_not_matter(seed: int, order: list[int]) -> None:
    P, tags = drawn(seed, 160)
    given = with_errors(tags, [0, 50, 100])
    rows = np.random.default_rng(seed).permutation(len(P))
    one, other = found_in(P, given), found_in(P[rows][:, order], given[rows][:, order])
    assert set(zip(rows[other.photo].tolist(), np.array(order)[other.tag].tolist(), strict=True)) == set(
        zip(one.photo.tolist(), one.tag.tolist(), strict=True)
    )


def test_invalid_input_is_refused() -> None:
    with pytest.raises(LearnerError, match="shape"):
        label_errors([[0.1]], [0], [[1, 0]], exclusive=True)
    with pytest.raises(LearnerError, match="shape"):
        label_errors([[0.1, 0.2]], [0, 0], [[1, 0]], exclusive=True)
    with pytest.raises(LearnerError, match="NaN"):
        label_errors([[np.nan]], [0], [[1]], exclusive=True)
    with pytest.raises(LearnerError, match="square"):
        left_out_relevance([[1, 0]], [True])
    assert len(label_errors(np.empty((0, 2)), [], np.empty((0, 2)), exclusive=True).photo) == 0


@given(st.integers(0, 10_000), st.integers(2, 9))
@settings(max_examples=examples(40))
def test_relevance_comes_from_a_process_without_the_photo(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    K = np.exp(-np.square(X[:, None] - X).sum(axis=2) / 4)
    similar = np.append(True, rng.random(n - 1) < 0.5)
    targets = np.where(similar, 1.0, -1.0)
    found = left_out_relevance(K, similar)
    for place in range(1, n):
        others = np.flatnonzero(np.arange(n) != place)
        inside = K[np.ix_(others, others)] + NOISE * np.eye(n - 1)
        slow = K[place, others] @ np.linalg.solve(inside, targets[others])
        assert found[place - 1] == pytest.approx(slow, abs=1e-8)


def judged(count: int, wrong: int, sharpness: float) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    rng = np.random.default_rng(0)
    relevance = rng.normal(size=count)
    similar = rng.random(count) < 1 / (1 + np.exp(-sharpness * relevance))
    clear = np.argsort(-np.abs(relevance))[:wrong]
    similar[clear] = relevance[clear] < 0
    return relevance, similar


def test_reversed_judgements_are_reported_and_others_are_not() -> None:
    relevance, similar = judged(400, 8, 10.0)
    wrong = np.argsort(-np.abs(relevance))[:8]
    errors = judgement_errors(relevance, np.zeros(400), similar)
    reported = np.flatnonzero(errors > MIN_PROBABILITY)
    assert np.isin(wrong, reported).mean() >= 0.7
    assert np.isin(reported, wrong).mean() >= 0.7
    relevance, similar = judged(400, 0, 10.0)
    assert (judgement_errors(relevance, np.zeros(400), similar) <= MIN_PROBABILITY).all()


def test_few_judgements_are_never_reported() -> None:
    for count in (0, 1, 5, 19):
        relevance, similar = judged(count, 1 if count else 0, 10.0)
        assert (judgement_errors(relevance, np.zeros(count), similar) == 0).all()
