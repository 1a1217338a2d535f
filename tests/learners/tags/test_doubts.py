from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.galleries.relevance_feedback import NOISE
from focal_photos.learners.tags.doubts import judgement_doubts, left_out_relevance, tag_doubts


def test_a_known_answer() -> None:
    sure = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.1, 0.8, 0.1], [0.5, 0.4, 0.1], [0.2, 0.2, 0.6]]
    given = np.eye(3)[[0, 0, 1, 1, 2]]  # the last tag is carried by one photo alone
    found = tag_doubts(sure, given, exclusive=True)
    assert found.photo.tolist() == [1, 3, 0, 2]
    assert found.tag.tolist() == [0, 1, 0, 1]
    np.testing.assert_allclose(found.doubt, [6 / 7, 5 / 9, 2 / 9, 1 / 9])
    assert found.instead.tolist() == [1, 0, 1, 0]
    several = tag_doubts(sure, given, exclusive=False)
    assert several.photo.tolist() == [1, 3, 0, 2]
    np.testing.assert_allclose(several.doubt, [0.9, 0.6, 0.3, 0.2])
    assert (several.instead == -1).all()


def test_a_photo_with_all_tags_has_no_other() -> None:
    found = tag_doubts([[0.2, 0.3], [0.9, 0.1]], [[1, 1], [1, 1]], exclusive=True)
    assert found.doubt.tolist() == [0, 0, 0, 0]
    assert (found.instead == -1).all()
    assert len(tag_doubts(np.empty((0, 2)), np.empty((0, 2)), exclusive=True).photo) == 0


def test_a_photo_that_has_the_right_tag_too_needs_no_third() -> None:
    """A flower that is tagged dog as well: dog is to be taken off, and nothing to come in its place."""
    sure = [[0.05, 0.75, 0.2], [0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.05, 0.2, 0.75]]
    given = np.array([[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]])
    found = tag_doubts(sure, given, exclusive=True)
    place = {
        (photo, tag): k for k, (photo, tag) in enumerate(zip(found.photo.tolist(), found.tag.tolist(), strict=True))
    }
    assert found.doubt[place[0, 0]] == pytest.approx(0.8)
    assert found.instead[place[0, 0]] == -1
    assert found.instead[place[4, 0]] == -1
    assert found.instead[place[2, 1]] in (0, 2)


def test_what_cannot_be_doubted() -> None:
    with pytest.raises(LearnerError, match="shape"):
        tag_doubts([[0.1]], [[1, 0]], exclusive=True)
    with pytest.raises(LearnerError, match="NaN"):
        tag_doubts([[np.nan]], [[1]], exclusive=True)
    with pytest.raises(LearnerError, match="square"):
        left_out_relevance([[1, 0]], [True])


@given(st.integers(0, 10_000), st.integers(2, 9))
@settings(max_examples=40, deadline=None)
def test_relevance_is_that_of_a_process_without_the_photo(seed: int, n: int) -> None:
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


def test_judgements_against_all_others_are_in_doubt() -> None:
    rng = np.random.default_rng(0)
    similar = rng.random(200) < 0.5
    wrong = np.arange(200) < 8
    relevance = np.where(similar ^ wrong, 0.5, -0.5) + 0.1 * rng.normal(size=200)
    doubts = judgement_doubts(relevance, np.zeros(200), similar)
    assert set(np.argsort(-doubts)[:8].tolist()) == set(range(8))
    assert (doubts[8:] < 0.5).mean() > 0.95
    # Tags say it too, where the judgements themselves say nothing.
    by_tags = judgement_doubts(np.zeros(200), np.where(similar ^ wrong, 1, -1), similar)
    assert (by_tags[:8] > 0.9).all()
    assert (by_tags[8:] < 0.1).all()
    assert len(judgement_doubts([], [], [])) == 0


def test_few_judgements_of_one_kind_are_in_no_doubt() -> None:
    assert (judgement_doubts([0.1, 0.2], [0, 0], [True, True]) < 0.5).all()
