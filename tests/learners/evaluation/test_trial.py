# SPDX-License-Identifier: MIT
"""Comparison of two metrics on a few photos."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focal_photos.learners import create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.trial import (
    Block,
    distances_among,
    held_out_blocks,
    known_similarity,
    one_block,
    try_metric,
    without,
)
from tests.examples import examples


def test_tags_and_judgements_say_what_is_similar() -> None:
    side = SideInformation(
        np.array([[0, 3]]), np.array([[0, 1], [4, 2]]), SideInformation.from_labels([0, 0, 1, 1, -1]).tags
    )
    similar, dissimilar = known_similarity(side, 5)
    assert sorted(map(tuple, np.argwhere(similar).tolist())) == [(0, 3), (2, 3), (3, 0), (3, 2)]
    # 0 and 1 share a tag, but the user judged otherwise; photo 4 is known only from its judgement.
    assert sorted(map(tuple, np.argwhere(np.triu(dissimilar)).tolist())) == [(0, 1), (0, 2), (1, 2), (1, 3), (2, 4)]
    assert (similar == similar.T).all()
    assert (dissimilar == dissimilar.T).all()
    assert not (similar & dissimilar).any()


def test_the_score_counts_correct_orders() -> None:
    similar, dissimilar = known_similarity(SideInformation.from_labels([0, 0, 1, 1]), 4)
    good = np.array([[0, 1, 2, 3], [1, 0, 2, 3], [3, 2, 0, 1], [3, 2, 1, 0]], dtype=float)
    poor = np.array([[0, 3, 2, 4], [1, 0, 1, 3], [3, 2, 0, 2], [2, 3, 4, 0]], dtype=float)
    found = try_metric(good, one_block(poor), similar, dissimilar)
    assert found.score == 1
    # Photo 0: 3 against 2 and 4; 1: 1 against 1 and 3; 2: 2 against 3 and 2; 3: 4 against 2 and 3.
    assert found.other == pytest.approx(np.mean([0.5, 0.75, 0.75, 0]))
    assert found.gain == pytest.approx(found.score - found.other)
    assert found.photos == 4
    swapped = try_metric(poor, one_block(good), similar, dissimilar)
    assert (swapped.gain, swapped.low, swapped.high) == pytest.approx((-found.gain, -found.high, -found.low))
    assert found.error == pytest.approx(swapped.error)


def slow_error(D: np.ndarray, E: np.ndarray, labels: np.ndarray) -> float:
    """The jackknife error, by computing everything again without each photo."""

    def gain(kept: np.ndarray) -> float:
        similar, dissimilar = known_similarity(SideInformation.from_labels(labels[kept]), len(kept))
        block = np.ix_(kept, kept)
        return try_metric(D[block], one_block(E[block]), similar, dissimilar).gain

    n = len(D)
    left = [gain(np.delete(np.arange(n), photo)) for photo in range(n)]
    return float(np.sqrt((n - 1) * np.var(left)))


@settings(max_examples=examples(20), deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_error_leaves_out_every_photo(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1, 2], 3)
    D, E = rng.integers(0, 6, (2, 9, 9)).astype(float)
    similar, dissimilar = known_similarity(SideInformation.from_labels(labels), 9)
    found = try_metric(D, one_block(E), similar, dissimilar)
    assert found.error == pytest.approx(slow_error(D, E, labels), abs=1e-9)
    assert found.low <= found.gain <= found.high


def test_an_interval_covers_the_true_gain_and_decides_by_its_limits() -> None:
    """Of noisy copies of two metrics, 95 % of the intervals contain the mean gain."""
    labels = np.arange(30) % 3
    similar, dissimilar = known_similarity(SideInformation.from_labels(labels), 30)
    gains, inside = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(30, 4)) + 0.8 * np.eye(3, 4)[labels]
        every = np.arange(30)
        plain = distances_among(None, X, every)
        better = distances_among(None, X * [3, 3, 3, 1], every)
        gains.append(try_metric(better, one_block(plain), similar, dissimilar))
    mean = np.mean([one.gain for one in gains])
    inside = [one.low <= mean <= one.high for one in gains]
    assert np.mean(inside) > 0.85
    assert all(one.decided == (1 if one.low > 0 else -1 if one.high < 0 else 0) for one in gains)


def test_nothing_is_compared_without_both_kinds() -> None:
    similar, dissimilar = known_similarity(SideInformation.from_labels([0, 0, 0]), 3)
    with pytest.raises(LearnerError, match="both a similar and a dissimilar"):
        try_metric(np.ones((3, 3)), one_block(np.ones((3, 3))), similar, dissimilar)
    similar, dissimilar = known_similarity(SideInformation(np.array([[0, 1]]), np.array([[0, 2]])), 3)
    assert np.isnan(try_metric(np.ones((3, 3)), one_block(np.ones((3, 3))), similar, dissimilar).error)


def test_hidden_photos_leave_no_trace_in_the_training_data() -> None:
    tags = SideInformation.from_labels([0, 0, 1, 1]).tags
    side = SideInformation(
        np.array([[0, 1], [2, 3]]), np.array([[1, 2]]), tags, np.array([[0, 1, 2]]), np.array([[2, 3], [0, 3]])
    )
    left = without(side, np.array([True, False, False, False]))
    assert left.similar.tolist() == [[2, 3]]
    assert left.dissimilar.tolist() == [[1, 2]]
    assert left.relative.tolist() == []
    assert left.visual.tolist() == [[2, 3]]
    assert left.tags is not None
    assert left.tags.toarray().tolist() == [[0, 0], [1, 0], [0, 1], [0, 1]]


def test_a_metric_is_scored_on_photos_that_it_was_not_trained_on() -> None:
    """On random labels a metric that knows the photos is perfect, and a held-out one is not."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 40)).astype(np.float32)
    side = SideInformation.from_labels(rng.integers(0, 3, 60))
    rows = np.arange(0, 60, 2)
    similar, dissimilar = (block[np.ix_(rows, rows)] for block in known_similarity(side, 60))
    learner = create("lda").fit(X, side)
    seen = distances_among(learner, X, rows)
    told: list[float] = []
    blocks = held_out_blocks(learner, X, side, rows, progress=told.append)
    assert told == pytest.approx(np.arange(1, 10) / 9)
    assert sorted(np.concatenate([block.rows for block in blocks[:3]])) == list(range(30))
    assert len(blocks) == 9
    found = try_metric(seen, blocks, similar, dissimilar)
    assert found.score > 0.9
    assert found.other < 0.65
    assert found.photos == 30


def test_blocks_are_scored_apart_and_their_scores_are_means() -> None:
    similar, dissimilar = known_similarity(SideInformation.from_labels([0, 0, 1, 1, 0, 0, 1, 1]), 8)
    rng = np.random.default_rng(0)
    D = rng.random((8, 8))
    first, second = np.arange(4), np.arange(4, 8)
    blocks = [Block(rows, rng.random((4, 4))) for rows in (first, second)]
    found = try_metric(D, blocks, similar, dissimilar)
    parts = [
        try_metric(
            D[np.ix_(rows, rows)],
            one_block(E),
            similar[np.ix_(rows, rows)],
            dissimilar[np.ix_(rows, rows)],
        )
        for rows, E in blocks
    ]
    assert found.score == pytest.approx(np.mean([one.score for one in parts]))
    assert found.other == pytest.approx(np.mean([one.other for one in parts]))
    twice = try_metric(D, [*blocks, *blocks], similar, dissimilar)
    assert (twice.gain, twice.error) == pytest.approx((found.gain, found.error))
