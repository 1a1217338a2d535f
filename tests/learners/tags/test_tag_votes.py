# SPDX-License-Identifier: MIT
"""Votes of the nearest tagged photos."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.tags.tag_votes import TagVotes

Floats = NDArray[np.float64]


def library(seed: int, n: int = 40, m: int = 5, several: bool = True) -> tuple[Floats, sp.csr_array, sp.csr_array]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    tags = rng.random((n, m)) < (0.3 if several else 0)
    if not several:
        tags[np.arange(n), rng.integers(m, size=n)] = True
    tags[::7] = False
    rejected = (rng.random((n, m)) < 0.2) & ~tags
    return X, sp.csr_array(tags.astype(float)), sp.csr_array(rejected.astype(float))


def slow(point: Floats, X: Floats, tags: Floats, rejected: Floats, k: int, sharpness: float) -> Floats:
    """Return votes as in the docstring, one neighbour after another."""
    far = cdist(point[None], X)[0]
    order = np.argsort(far, kind="stable")[:k]
    near, scale = far[order[0]], max(far[order[0]], far[order[-1]] / 20)
    found = np.zeros(tags.shape[1])
    for tag in range(tags.shape[1]):
        says = carries = 0.0
        for j in order:
            weight = np.exp(-sharpness * (far[j] - near) / scale)
            if tags[j].any() or rejected[j, tag]:
                says += weight
                carries += weight * tags[j, tag]
        found[tag] = carries / says if says else 0.0
    return found


def test_votes_agree_with_a_result_by_hand() -> None:
    X = np.array([[0.0], [3.0], [4.0], [20.0]])
    tags = sp.csr_array(np.array([[1.0, 0], [0, 1], [0, 0], [1, 0]]))
    rejected = sp.csr_array(np.array([[0.0, 0], [0, 0], [1, 0], [0, 0]]))
    votes = TagVotes(k=3, sharpness=np.log(2)).fit(X, tags, rejected=rejected)
    # From 1: distances 1, 2, 3 and weights 1, 1/2, 1/4; the third photo only has a rejection of the first tag.
    np.testing.assert_allclose(votes.scores([[1.0]]).tags, [[1 / 1.75, 0.5 / 1.5]], rtol=1e-6)


def test_the_nearest_score_refers_to_the_nearest_tagged_photo() -> None:
    X = np.array([[0.0], [1.0], [3.0]])
    tags, rejected = sp.csr_array([[0.0], [1.0], [1.0]]), sp.csr_array([[1.0], [0.0], [0.0]])
    votes = TagVotes().fit(X, tags, rejected=rejected)
    np.testing.assert_allclose(votes.scores([[0.0]]).nearest, [np.exp(-votes.gamma_)], rtol=1e-6)


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("k", [1, 5, 200])
def test_votes_agree_with_a_slow_reference(k: int, several: bool) -> None:
    X, tags, rejected = library(3, several=several)
    votes = TagVotes(k=k).fit(X, tags, rejected=rejected)
    dense, refused = tags.toarray(), rejected.toarray()
    asked = np.random.default_rng(1).normal(size=(10, 3))
    found = votes.scores(asked)
    np.testing.assert_allclose(found.tags, [slow(one, X, dense, refused, k, 8.0) for one in asked], atol=1e-5)
    for i in range(len(X)):
        others = np.arange(len(X)) != i
        expected = slow(X[i], X[others], dense[others], refused[others], k, 8.0)
        np.testing.assert_allclose(votes.left_out_.tags[i], expected, atol=1e-5)
    assert (votes.kind_left_out_ is None) == several
    if votes.kind_left_out_ is None:
        return
    for i in range(len(X)):
        if not dense[i].any():
            assert np.isnan(votes.kind_left_out_.tags[i]).all()
            continue
        others = dense[:, dense[i] > 0].sum(axis=1) == 0
        expected = slow(X[i], X[others], dense[others], refused[others], k, 8.0)
        np.testing.assert_allclose(votes.kind_left_out_.tags[i], expected, atol=1e-5)


def test_votes_by_rank_agree_with_a_result_by_hand() -> None:
    X = np.array([[0.0], [3.0], [4.0], [20.0]])
    tags = sp.csr_array(np.array([[1.0, 0], [0, 1], [0, 0], [1, 0]]))
    rejected = sp.csr_array(np.array([[0.0, 0], [0, 0], [1, 0], [0, 0]]))
    votes = TagVotes(k=3, weights="rank").fit(X, tags, rejected=rejected)
    first, second, third = 1 / np.log([2, 3, 4])
    expected = [first / (first + second + third), second / (first + second)]
    np.testing.assert_allclose(votes.scores([[1.0]]).tags, [expected], rtol=1e-6)


def test_five_equal_votes_follow_the_source() -> None:
    X, tags, _ = library(4)
    votes = TagVotes(k=5, sharpness=0).fit(X, tags)
    nearest = np.argsort(cdist([[0.0, 0, 0]], X)[0])[:5]
    carried = tags.toarray()[nearest]
    np.testing.assert_allclose(votes.scores([[0.0, 0, 0]]).tags[0], carried.sum(axis=0) / carried.any(axis=1).sum())


@given(st.integers(0, 1000), st.floats(0.01, 100))
def test_votes_are_shares_and_independent_of_scale(seed: int, scale: float) -> None:
    X, tags, rejected = library(seed, n=12)
    asked = np.random.default_rng(seed).normal(size=(3, 3))
    found = TagVotes().fit(X, tags, rejected=rejected).scores(asked)
    assert ((found.tags >= 0) & (found.tags <= 1)).all()
    assert ((found.nearest >= 0) & (found.nearest <= 1)).all()
    again = TagVotes().fit(scale * X, tags, rejected=rejected).scores(scale * asked)
    np.testing.assert_allclose(again.tags, found.tags, atol=1e-3)
    np.testing.assert_allclose(again.nearest, found.nearest, atol=1e-3)


def test_a_copy_decides_and_no_photo_votes_for_itself() -> None:
    X, tags, _ = library(5)
    tags = sp.csr_array(np.eye(len(X)))
    votes = TagVotes(sharpness=40).fit(X, tags)
    np.testing.assert_allclose(votes.scores(X).tags, np.eye(len(X)), atol=0.2)
    assert not votes.left_out_.tags[np.diag_indices(len(X))].any()


def test_a_single_photo_has_no_left_out_votes() -> None:
    votes = TagVotes().fit([[1.0, 2.0]], sp.csr_array(np.ones((1, 1))))
    assert votes.left_out_.tags.tolist() == [[0.0]]
    assert votes.scores([[1.0, 2.5]]).tags.tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("parameters", "rows", "reason"),
    [
        ({"k": 0}, 2, "at least 1"),
        ({"sharpness": float("nan")}, 2, "sharpness"),
        ({"weights": "votes"}, 2, "weights must be"),
        ({}, 3, "The tags are of 2 photos"),
    ],
)
def test_invalid_input_is_refused(parameters: dict[str, float], rows: int, reason: str) -> None:
    with pytest.raises(LearnerError, match=reason):
        TagVotes(**parameters).fit(np.zeros((rows, 2)), sp.csr_array(np.ones((2, 1))))  # type: ignore[arg-type]
    with pytest.raises(LearnerError, match="differ in shape"):
        TagVotes().fit(np.zeros((2, 2)), sp.csr_array(np.ones((2, 1))), rejected=sp.csr_array(np.ones((2, 3))))
