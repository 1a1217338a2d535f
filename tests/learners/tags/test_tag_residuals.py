# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.tags.tag_residuals import TagResiduals
from tests.examples import examples

Floats = NDArray[np.float64]


def drawn(seed: int, n: int = 60, m: int = 5) -> tuple[Floats, sp.csr_array]:
    """Return scores and tags of photos, some of them without a tag."""
    rng = np.random.default_rng(seed)
    tags = (rng.random((n, m)) < 0.4) * (rng.random((n, 1)) < 0.8)
    return np.clip(tags + rng.normal(0, 0.4, (n, m)), -0.2, 1.2), sp.csr_array(tags.astype(np.float64))


def one_by_one(learned: TagResiduals, scores: Floats, known: NDArray[np.int_]) -> Floats:
    """Return the conditional mean of each photo by inverting the rows and columns of its answered tags."""
    C = learned.covariance_
    found = scores.copy()
    for i, said in enumerate(known):
        A = np.flatnonzero(said)
        system = C[np.ix_(A, A)] + learned.ridge * C.diagonal().mean() * np.eye(len(A))
        found[i] += C[:, A] @ np.linalg.inv(system) @ ((said[A] > 0) - scores[i, A])
    return found


@settings(max_examples=examples(30))
@given(st.integers(0, 10**6), st.integers(1, 200), st.floats(0.1, 10.0))
def test_the_correction_is_the_conditional_mean_of_each_photo(seed: int, count: int, ridge: float) -> None:
    learned = TagResiduals(ridge).fit(*drawn(seed))
    rng = np.random.default_rng(seed + 1)
    scores, known = rng.random((count, 5)), rng.integers(-1, 2, (count, 5))
    found = learned.corrected(scores, sp.csr_array(known))
    np.testing.assert_allclose(found, one_by_one(learned, scores, known), atol=1e-9)
    unknown = ~known.any(axis=1)
    np.testing.assert_array_equal(found[unknown], scores[unknown])


def test_the_covariance_is_estimated_from_tagged_photos() -> None:
    scores, tags = drawn(0)
    tagged = tags.toarray().any(axis=1)
    assert not tagged.all()
    left = (tags.toarray() - scores)[tagged]
    learned = TagResiduals().fit(scores.astype(np.float32), tags)
    np.testing.assert_allclose(learned.covariance_, left.T @ left / tagged.sum(), atol=1e-6)


def test_related_tags_support_each_other_and_exclusive_ones_oppose_each_other() -> None:
    rng = np.random.default_rng(1)
    plane = rng.random(300) < 0.5
    tags = sp.csr_array(np.column_stack([plane, plane, ~plane, rng.random(300) < 0.5]).astype(np.float64))
    learned = TagResiduals().fit(np.full((300, 4), 0.5), tags)
    even = np.full((2, 4), 0.5)
    yes, no = learned.corrected(even, sp.csr_array(np.array([[1, 0, 0, 0], [-1, 0, 0, 0]])))
    assert yes[1] > 0.6 > 0.4 > yes[2]
    assert no[1] < 0.4 < 0.6 < no[2]
    assert yes[3] == pytest.approx(0.5, abs=0.03)
    # An answer is not overrated: the score moves towards it, but not beyond.
    assert 0.5 < yes[0] < 1
    assert 0 < no[0] < 0.5


def test_an_expected_answer_changes_nothing() -> None:
    learned = TagResiduals().fit(*drawn(2))
    scores = np.array([[1.0, 0.3, 0.0, 0.6, 0.2]])
    known = sp.csr_array(np.array([[1, 0, -1, 0, 0]]))
    np.testing.assert_allclose(learned.corrected(scores, known), scores, atol=1e-12)


def test_perfect_scores_are_not_corrected() -> None:
    _, tags = drawn(3)
    learned = TagResiduals().fit(tags.toarray(), tags)
    scores = np.full((1, 5), 0.5)
    np.testing.assert_array_equal(learned.corrected(scores, sp.csr_array(np.array([[1, -1, 0, 0, 0]]))), scores)


def test_invalid_input_is_refused() -> None:
    scores, tags = drawn(4)
    with pytest.raises(LearnerError, match="above 0"):
        TagResiduals(ridge=0.0).fit(scores, tags)
    with pytest.raises(LearnerError, match="differ in shape"):
        TagResiduals().fit(scores[:, 1:], tags)
    with pytest.raises(NotFittedError):
        TagResiduals().corrected(scores, tags)
    with pytest.raises(LearnerError, match="differ in shape"):
        TagResiduals().fit(scores, tags).corrected(scores[:, 1:], tags[:, 1:])
