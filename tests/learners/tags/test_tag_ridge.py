from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score

from learners.core.errors import LearnerError
from learners.core.feature_space import FeatureFamily
from learners.core.kernels import rbf
from learners.persistence import load, save
from learners.tags.tag_ridge import TagRidge


def library(n: int = 60, m: int = 3, seed: int = 0) -> tuple[NDArray[np.float64], sp.csr_array]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, sp.csr_array((X[:, :m] + 0.3 * rng.normal(size=(n, m)) > 0.5).astype(float))


def test_scores_are_those_of_kernel_ridge_regression() -> None:
    X, tags = library()
    elsewhere = X[::-1] + 0.3
    K = rbf(X, X, 0.2) + 1
    expected = (rbf(elsewhere, X, 0.2) + 1) @ np.linalg.solve(K + 0.5 * np.eye(60), tags.toarray())
    got = TagRidge(0.5, gamma=0.2).fit(X, tags).scores(elsewhere)
    np.testing.assert_allclose(got, expected, atol=1e-8)


@pytest.mark.parametrize("exact", [100, 10], ids=["exact", "landmarks"])
def test_the_left_out_scores_are_those_of_learning_without_the_photo(exact: int) -> None:
    X, tags = library(40)
    ridge = TagRidge(0.5, gamma=0.2, exact=exact, landmarks=40).fit(X, tags)
    for i in (0, 7, 39):
        rest = np.arange(40) != i
        without = TagRidge(0.5, gamma=0.2).fit(X[rest], tags[np.flatnonzero(rest)])
        # With all photos as landmarks the Nyström map is complete, but centred: the intercept's share differs a little.
        np.testing.assert_allclose(ridge.left_out_[i], without.scores(X[[i]])[0], atol=1e-5 if exact > 40 else 0.05)


def test_the_kernel_of_families_is_the_mean_of_theirs() -> None:
    X, tags = library()
    families = (FeatureFamily("a", 0, 1, False), FeatureFamily("b", 1, 4, False))
    ridge = TagRidge(0.5, families=families).fit(X, tags)

    def kernel(A: NDArray[np.float64]) -> NDArray[np.float64]:
        mean: NDArray[np.float64] = np.zeros((len(A), len(X)))
        for family, width in zip(families, ridge.widths_, strict=True):
            part = slice(family.start, family.stop)
            mean += np.exp(-np.linalg.norm(A[:, None, part] - X[None, :, part], axis=2) / width) / 2
        return mean

    expected = (kernel(X + 0.1) + 1) @ np.linalg.solve(kernel(X) + 1 + 0.5 * np.eye(60), tags.toarray())
    np.testing.assert_allclose(ridge.scores(X + 0.1), expected, atol=1e-6)
    near = TagRidge(0.5, families=families, exact=10, landmarks=60).fit(X, tags)
    np.testing.assert_allclose(near.scores(X + 0.1), expected, atol=1e-3)
    np.testing.assert_allclose(near.left_out_, ridge.left_out_, atol=1e-3)
    with pytest.raises(LearnerError, match="has the columns 1:9"):
        TagRidge(families=(families[0], FeatureFamily("b", 1, 9, False))).fit(X, tags)


def test_float32_is_precise_enough() -> None:
    X, tags = library(1100)
    rough, fine = TagRidge().fit(X, tags), TagRidge().fit(X[:999], tags[:999])
    carried = tags[:, [0]].toarray()[:, 0] > 0
    assert roc_auc_score(carried, rough.left_out_[:, 0]) == pytest.approx(
        roc_auc_score(carried[:999], fine.left_out_[:, 0]), abs=0.02
    )
    K = rbf(X, X, float(rough.widths_[0])) + 1
    expected = K @ np.linalg.solve(K + 0.1 * np.eye(1100), tags.toarray())
    np.testing.assert_allclose(rough.scores(X), expected, atol=0.01)


def test_landmarks_come_near_the_exact_regression() -> None:
    X, tags = library(200)
    exact = TagRidge().fit(X, tags)
    near = TagRidge(exact=50, landmarks=100).fit(X, tags)
    assert len(near.landmarks_) == 100
    a, b = exact.scores(X).ravel(), near.scores(X).ravel()
    assert np.corrcoef(a, b)[0, 1] > 0.95
    assert np.corrcoef(exact.left_out_.ravel(), near.left_out_.ravel())[0, 1] > 0.95


def test_left_out_scores_are_honest() -> None:
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(150, 30)), rng.random((150, 1)) < 0.4
    ridge = TagRidge(0.01).fit(X, sp.csr_array(noise.astype(float)))
    assert roc_auc_score(noise[:, 0], ridge.scores(X)[:, 0]) > 0.99  # on what it learned from
    assert roc_auc_score(noise[:, 0], ridge.left_out_[:, 0]) < 0.65


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 12), exact=st.sampled_from([1, 100]))
def test_tiny_and_singular_cases_give_finite_scores(seed: int, n: int, exact: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, 2)).astype(np.float32)  # copies
    tags = sp.csr_array((rng.random((n, 2)) < rng.random()).astype(float))
    ridge = TagRidge(exact=exact, landmarks=5).fit(X, tags)
    assert np.isfinite(ridge.left_out_).all()
    assert np.isfinite(ridge.scores(X + 1)).all()


def test_saved_and_loaded_it_gives_the_same_scores(tmp_path: Path) -> None:
    X, tags = library()
    ridge = TagRidge().fit(X, tags)
    save(tmp_path / "ridge.npz", ridge=ridge)
    again: Any = load(tmp_path / "ridge.npz")["ridge"]
    np.testing.assert_array_equal(again.scores(X), ridge.scores(X))
    np.testing.assert_array_equal(again.left_out_, ridge.left_out_)


def test_what_does_not_fit_is_refused() -> None:
    X, tags = library()
    with pytest.raises(LearnerError, match="tags are of 60 photos, the samples of 59"):
        TagRidge().fit(X[1:], tags)
    with pytest.raises(LearnerError, match="regularization and gamma"):
        TagRidge(0.0).fit(X, tags)
    with pytest.raises(LearnerError, match="exact must be at most"):
        TagRidge(exact=10_000).fit(X, tags)
    with pytest.raises(LearnerError, match="NaN"):
        TagRidge().fit(np.full((60, 2), np.nan), tags)
    with pytest.raises(LearnerError, match="has 3 features"):
        TagRidge().fit(X, tags).scores(X[:, :3])
    with pytest.raises(NotFittedError, match="call fit first"):
        TagRidge().scores(X)
