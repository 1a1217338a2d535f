# SPDX-License-Identifier: MIT
from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from focal_photos.learners import create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.learner.base import EmbeddingMixin
from focal_photos.learners.core.learner.blend import LinearMap, blended
from focal_photos.learners.core.linalg import sqd
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.linear.rca import KernelRca, Rca
from focal_photos.learners.persistence import load, save
from tests.examples import examples

Floats = NDArray[np.float64]


def squared(Z: Floats) -> Floats:
    return np.asarray(((Z[:, None] - Z[None]) ** 2).sum(-1))


@pytest.mark.parametrize("shape", [(30, 6), (6, 30)])
def test_all_components_preserve_all_distances(shape: tuple[int, int]) -> None:
    X = np.random.default_rng(0).normal(size=shape)
    found = LinearMap.fit(X)
    assert found.n_components == min(shape[0] - 1, shape[1])
    Y = found.transform(X)
    np.testing.assert_allclose(squared(Y), squared(X), atol=1e-9)
    np.testing.assert_allclose(Y.T @ Y / len(Y), np.diag(found.variances), atol=1e-9)


def test_constant_columns_give_no_component() -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    X = np.pad(X, ((0, 0), (0, 4)), constant_values=7.3e5)
    assert LinearMap.fit(X).n_components == 3
    assert LinearMap.fit(np.full((5, 4), 0.1)).transform(np.ones((2, 4))).tolist() == [[0.0], [0.0]]


@settings(max_examples=examples(60))
@given(
    A=hnp.arrays(np.float64, (4, 3), elements=st.floats(-10, 10)),
    variances=hnp.arrays(np.float64, 4, elements=st.floats(0.1, 10)),
    weight=st.floats(0.01, 5),
)
def test_the_blend_is_the_weighted_mean_of_both_normalised_squared_distances(
    A: Floats, variances: Floats, weight: float
) -> None:
    y = np.random.default_rng(0).normal(size=4)
    learned_mean = variances @ (A**2).sum(axis=1)
    if learned_mean < 1e-6:
        A, learned_mean = np.eye(4), variances.sum()
    expected = (((y @ A) ** 2).sum() / learned_mean + weight * (y @ y) / variances.sum()) / (1 + weight)
    got = ((y @ blended(A, variances, weight, 4)) ** 2).sum()
    assert got == pytest.approx(expected, rel=1e-6)


def test_the_axes_are_uncorrelated_and_the_widest_are_kept() -> None:
    rng = np.random.default_rng(0)
    A, variances = rng.normal(size=(5, 5)), np.array([5.0, 3, 2, 1, 0.1])
    full = blended(A, variances, 0.25, 5)
    covariance = full.T @ np.diag(variances) @ full
    np.testing.assert_allclose(covariance, np.diag(np.diag(covariance)), atol=1e-10)
    assert (np.diff(np.diag(covariance)) <= 0).all()
    assert np.trace(covariance) == pytest.approx(1)
    np.testing.assert_allclose(blended(A, variances, 0.25, 2), full[:, :2])


def test_equal_photos_can_be_blended() -> None:
    assert np.isfinite(blended(np.eye(2), np.zeros(2), 0.25, 2)).all()
    assert np.isfinite(blended(np.zeros((2, 2)), np.ones(2), 0.0, 2)).all()


@pytest.mark.parametrize(("parameter", "value"), [("euclidean_blend", -0.1), ("output_components", 0)])
def test_impossible_blends_are_refused(parameter: str, value: float) -> None:
    X = np.random.default_rng(0).normal(size=(9, 3))
    with pytest.raises(LearnerError, match=parameter):
        Rca().set_params(**{parameter: value}).fit(X, SideInformation.from_labels(np.arange(9) % 3))


@cache
def digits() -> tuple[Floats, NDArray[np.intp]]:
    X, y = load_digits(return_X_y=True)
    rows = np.random.default_rng(0).choice(len(X), 900, replace=False)
    return (X[rows] - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-8), y[rows]


def precisions(Z: Floats, y: NDArray[np.intp]) -> tuple[float, float]:
    """Return precision@10 of digits below 5 and of the others, each ranked among all."""
    D = np.array(sqd(Z, Z))
    np.fill_diagonal(D, np.inf)
    right = (y[np.argsort(D, axis=1)[:, :10]] == y[:, None]).mean(axis=1)
    return float(right[y < 5].mean()), float(right[y >= 5].mean())


@pytest.mark.parametrize("name", ["rca", "krca", "dca", "lda", "ratio", "nca", "lmnn", "omdl-lr"])
def test_the_defaults_improve_known_classes_and_preserve_most_of_the_others(name: str) -> None:
    X, y = digits()
    seen, new = slice(0, 500), slice(500, 900)
    learner = create(name).fit(X[seen], SideInformation.from_labels(np.where(y[seen] < 5, y[seen], -1)))
    assert isinstance(learner, EmbeddingMixin)
    taught, untaught = precisions(learner.transform(X[new]).astype(np.float64), y[new])
    before, kept = precisions(X[new], y[new])
    assert taught > before + 0.01
    assert untaught > kept - 0.06


def test_a_full_blend_is_euclidean() -> None:
    X = np.random.default_rng(0).normal(size=(30, 4))
    Z = Rca(euclidean_blend=1e9).fit(X, SideInformation.from_labels(np.arange(30) % 3)).transform(X).astype(np.float64)
    scale = squared(Z)[0, 1:] / squared(X)[0, 1:]
    np.testing.assert_allclose(scale, scale[0], rtol=1e-4)


def test_embeddings_of_many_dimensions_have_unit_length() -> None:
    X, y = digits()
    pairs = np.array([(i, j) for i in range(40) for j in range(i) if y[i] == y[j]])
    long, tagged = Rca(), SideInformation.from_labels(y)
    np.testing.assert_allclose(np.linalg.norm(long.fit(X, SideInformation(pairs)).transform(X), axis=1), 1, atol=1e-5)
    for name, side, unit in (("rca", tagged, True), ("lda", SideInformation(pairs), True), ("lda", tagged, False)):
        assert create(name).fit(X, side).fitted_state()["unit_"] is unit
    # with few dimensions the mean length is one half
    assert create("rca").fit(X[:, 20:26], tagged).fitted_state()["unit_"] is False
    mean = Rca().fit(X, tagged).transform(X.mean(axis=0, keepdims=True))
    assert np.isfinite(mean).all()


@pytest.mark.parametrize("name", ["rca", "kernel"])
def test_an_older_metric_keeps_its_lengths(name: str, tmp_path: Path) -> None:
    X, y = digits()
    learner: Any = create(name, unit=False).fit(X[:200], SideInformation.from_labels(y[:200]))
    del learner.unit_  # as in files written before the parameter existed
    save(tmp_path / "old.npz", learner=learner)
    again = load(tmp_path / "old.npz")["learner"]
    again.set_params(unit="auto")
    np.testing.assert_array_equal(again.transform(X), learner.transform(X))
    assert np.ptp(np.linalg.norm(learner.transform(X), axis=1)) > 0.1


def test_photos_outside_the_training_data_are_not_crowded_out() -> None:
    """Otherwise training photos would be near the mean of all, and the nearest of every other photo."""
    X, y = digits()
    taught = np.flatnonzero(y < 5)[:250]
    rng = np.random.default_rng(0)
    i, j = rng.choice(taught, (2, 4000))
    i, j = i[i != j], j[i != j]
    same = y[i] == y[j]
    side = SideInformation(np.column_stack([i, j])[same][:300], np.column_stack([i, j])[~same][:300])
    others = np.flatnonzero(y >= 5)

    def crowded(unit: bool) -> float:
        Z = KernelRca(unit=unit, euclidean_blend=0).fit(X, side).transform(X).astype(np.float64)
        D = sqd(Z[others], Z)
        D[np.arange(len(others)), others] = np.inf
        return float((y[np.argsort(D, axis=1)[:, :10]] < 5).mean())

    assert crowded(True) < crowded(False) / 2
