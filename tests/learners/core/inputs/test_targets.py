# SPDX-License-Identifier: MIT
"""All forms of training data become samples and side information."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy
from numpy.typing import NDArray

from focal_photos.learners import create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.inputs.targets import given, side_information_of, tuples
from focal_photos.learners.core.side_information import SideInformation

POINTS = np.array([[3.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 5.0]])


def tags_of(y: Any, n: int = 4) -> list[list[float]]:
    side = side_information_of(y, n)
    assert side.tags is not None
    found: list[list[float]] = side.tags.toarray().tolist()
    return found


def test_pairs_name_each_sample_once() -> None:
    samples, side = given(POINTS[[[0, 1], [1, 2], [3, 0]]], [1, -1, -1])
    np.testing.assert_array_equal(samples, POINTS[[1, 3, 2, 0]], "ascending")
    assert side.similar.tolist() == [[3, 0]]
    assert side.dissimilar.tolist() == [[0, 2], [1, 3]]
    assert side.tags is None


def test_triplets_name_each_sample_once() -> None:
    samples, side = given(POINTS[[[0, 1, 2], [1, 0, 3]]])
    np.testing.assert_array_equal(samples[side.relative], POINTS[[[0, 1, 2], [1, 0, 3]]])
    assert len(samples) == 4


@pytest.mark.parametrize("preprocessor", [None, POINTS])
def test_tuples_with_a_repeated_sample_are_ignored(preprocessor: NDArray[np.float64] | None) -> None:
    def named(rows: list[list[int]]) -> NDArray[Any]:
        return np.array(rows) if preprocessor is not None else POINTS[rows]

    _, side = given(named([[0, 1], [2, 2], [3, 3]]), [1, 1, -1], preprocessor)
    assert (len(side.similar), len(side.dissimilar)) == (1, 0)
    _, side = given(named([[0, 1, 2], [0, 0, 1], [0, 1, 0], [0, 1, 1]]), None, preprocessor)
    assert len(side.relative) == 1


def test_each_name_is_looked_up_once() -> None:
    asked = []

    def look_up(names: NDArray[Any]) -> NDArray[np.float64]:
        asked.append(names.tolist())
        return POINTS[["abcd".index(name) for name in names]]

    samples, members = tuples([["d", "a"], ["a", "b"]], look_up)
    assert asked == [["a", "b", "d"]]
    np.testing.assert_array_equal(samples[members], POINTS[[[3, 0], [0, 1]]])


@pytest.mark.parametrize(
    ("X", "y", "preprocessor", "said"),
    [
        (np.zeros((3, 4, 2)), None, None, r"Pairs have the shape \(n, 2, features\), .* not \(3, 4, 2\)"),
        (np.zeros((0, 2, 2)), [], None, "empty"),
        (POINTS[[[0, 1]]], None, None, "Pairs need y: 1 where they are similar"),
        (POINTS[[[0, 1]]], [0], None, "y must be 1 where a pair is similar and -1"),
        (POINTS[[[0, 1]]], [1, 1], None, r"1 or -1 for each of 1 pairs, its shape is \(2,\)"),
        (POINTS[[[0, 1, 2]]], [1], None, "leave y out"),
        ([[0, 1, 2, 3]], None, POINTS, r"With a preprocessor pairs have the shape \(n, 2\)"),
        (POINTS[[[0, 1]]], [1], POINTS, "leave it out where X holds the samples themselves"),
        ([[0, 4]], [1], POINTS, r"names a row outside 0\.\.3 of the preprocessor"),
        ([[-1, 0]], [1], POINTS, r"names a row outside 0\.\.3"),
        ([["a", "b"]], [1], POINTS, "pairs and triplets are row numbers"),
        ([[0, 1]], [1], lambda _: POINTS, "was asked for 2 samples and returned 4"),
        ([[0, 1]], [1], lambda _: [1.0, 2.0], "The preprocessor.s result must have two dimensions"),
        (POINTS, [0, 1], None, "y has 2 samples, X has 4"),
        (POINTS, np.zeros((4, 2, 2)), None, r"class labels \(n,\) or tags \(n, m\)"),
        (POINTS, [[0, 2], [1, 0], [0, 0], [0, 0]], None, r"a tag matrix \(n, tags\) of 0 and 1"),
        (POINTS, scipy.sparse.csr_array(np.full((4, 2), 0.5)), None, "of 0 and 1"),
        (POINTS, scipy.sparse.csr_array(np.full((4, 1), 2)), None, "of 0 and 1"),
        (POINTS, [0, 1, np.nan, 1], None, "y contains NaN"),
        (POINTS, SideInformation(similar=np.array([[0, 4]])), None, r"outside 0\.\.3"),
    ],
)
def test_inconsistent_arguments_raise_with_the_reason(X: Any, y: Any, preprocessor: Any, said: str) -> None:
    with pytest.raises(LearnerError, match=said):
        given(X, y, preprocessor)


def test_classes_and_tags_become_side_information() -> None:
    classes = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    assert tags_of([5, 7, 5, -1]) == classes
    assert tags_of(["a", "b", "a", None]) == classes
    assert tags_of([[5], [7], [5], [-1]]) == classes
    assert tags_of(classes) == classes
    assert tags_of(np.array(classes) > 0) == classes
    assert tags_of(scipy.sparse.csc_array(np.array(classes))) == classes
    assert tags_of([[1], [0], [1], [0]]) == [[1.0], [0.0], [1.0], [0.0]], "one tag"
    assert side_information_of(None, 4).is_empty


# ---------------------------------------------------------------- in learners


def test_a_later_fit_forgets_the_preprocessor() -> None:
    learner = create("rca").fit([[0, 1], [1, 3]], [1, -1], preprocessor=POINTS)
    assert learner.score([[0, 1], [2, 3]], [1, -1]) in (0.0, 1.0)
    learner.fit(POINTS, [0, 0, 1, 1])
    assert 0 <= learner.score(POINTS, [0, 0, 1, 1]) <= 1
    with pytest.raises(LearnerError, match="Pairs have the shape"):
        learner.pair_distance([[0, 1]])


def test_the_score_of_triplets_does_not_count_ties() -> None:
    learner = create("euclidean").fit(POINTS)
    near, far, tie = [0, 2, 1], [0, 1, 2], [2, 0, 1]
    assert learner.score(POINTS[[near, far, tie]]) == pytest.approx(1 / 3)


def test_the_score_of_samples_is_by_their_nearest_neighbours() -> None:
    X = np.array([[0.0], [1.0], [10.0], [11.5], [13.5], [99.0]])
    learner = create("euclidean").fit(X)
    assert learner.score(X, [0, 0, 1, 1, 0, -1]) == pytest.approx(4 / 5), "unknown samples are not scored"
    assert learner.score(X, np.array([[1, 0], [1, 1], [0, 1], [1, 1], [1, 0], [0, 0]])) == 1
    with pytest.raises(LearnerError, match="requires y to be passed"):
        learner.score(X)
    with pytest.raises(LearnerError, match="two samples of known class"):
        learner.score(X, [0, -1, -1, -1, -1, -1])


def test_the_score_of_pairs_is_the_area_under_the_curve() -> None:
    X = np.array([[0.0], [1.0], [3.0], [4.0]])
    pairs = X[[[0, 1], [1, 2], [2, 3], [0, 3]]]
    learner = create("euclidean").fit(X)
    assert learner.score(pairs, [1, -1, 1, -1]) == 1
    assert learner.score(pairs, [-1, 1, -1, 1]) == 0
    assert learner.score(pairs, [1, -1, -1, -1]) == pytest.approx(2.5 / 3), "equal distances count half"
    with pytest.raises(LearnerError, match="similar ones and others"):
        learner.score(pairs, [1, 1, 1, 1])
    with pytest.raises(LearnerError, match="A pair needs two samples, not 3"):
        learner.pair_distance(X[[[0, 1, 2]]])


def test_side_information_can_be_added_to_labels() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), np.arange(30) % 3
    judged = SideInformation(similar=np.array([[0, 1], [2, 4]]), dissimilar=np.array([[0, 3]]))
    found = []
    for how in ({"side_information": judged}, {}):
        learner: Any = create("kernel").fit(X, y)
        found.append(learner.partial_fit(X, y, **how).pair_distance(X[:15], X[15:]))
    assert np.abs(found[0] - found[1]).max() > 0
