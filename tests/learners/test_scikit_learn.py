# SPDX-License-Identifier: MIT
"""Every learner of the table in the tools of scikit-learn, and with the conventions of metric-learn."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy
import sklearn
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError as TheirNotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from focal_photos.learners import LEARNERS, LearnerError, create
from focal_photos.learners.core.estimator import NotFittedError
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin, OnlineMixin
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.persistence import load, save

ALL = sorted(LEARNERS)
EMBEDDING = [name for name in ALL if issubclass(LEARNERS[name], EmbeddingMixin)]
OF_PAIRS = [name for name in ALL if "judged pairs" in LEARNERS[name].needs]
ONLINE = [name for name in ALL if issubclass(LEARNERS[name], OnlineMixin)]
LEAST = {"oasis": 0.7}
"""Required share of correct answers, if below .85: angles about the mean separate flowers by four measures poorly."""
SLOW = ("mkpoe",)
"""Learners that take a tenth of a second per fit, which searches therefore try only once."""


@cache
def flowers() -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return sixty flowers of three kinds in alternation, float (60, 4), and their kinds."""
    X, y = load_iris(return_X_y=True)
    rows = np.arange(150).reshape(3, 50)[:, :20].T.ravel()
    return X[rows] - X.mean(axis=0), y[rows]


def pairs_of(y: NDArray[np.intp], count: int = 40, seed: int = 0) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return pairs of row numbers (count, 2), and 1 or -1 for each."""
    i, j = np.random.default_rng(seed).integers(0, len(y), (2, 4 * count))
    i, j = i[i != j][:count], j[i != j][:count]
    return np.column_stack([i, j]), np.where(y[i] == y[j], 1, -1)


def triplets_of(y: NDArray[np.intp], count: int = 40, seed: int = 0) -> NDArray[np.intp]:
    """Return row numbers (count, 3): a flower, one of the same kind, and one of another kind."""
    rng = np.random.default_rng(seed)
    focal = rng.integers(0, len(y), count)
    near = [rng.choice(np.flatnonzero((y == y[i]) & (np.arange(len(y)) != i))) for i in focal]
    far = [rng.choice(np.flatnonzero(y != y[i])) for i in focal]
    return np.column_stack([focal, near, far])


def apart(learner: DistanceLearner) -> NDArray[np.float64]:
    """Return the distances of some flowers from the others, for comparing learners."""
    X, _ = flowers()
    return learner.pair_distance(X[:30], X[30:60])


# ---------------------------------------------------------------- checks of scikit-learn


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`:UserWarning")
@pytest.mark.parametrize("name", [*ALL, "space"])
def test_learners_pass_the_checks_of_scikit_learn(name: str) -> None:
    found = check_estimator(FeatureSpace() if name == "space" else create(name), on_fail=None, on_skip=None)
    assert [(one["check_name"], one["exception"]) for one in found if one["status"] == "failed"] == []
    skipped = {one["check_name"] for one in found if one["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}, "needs an environment variable: see the test below"
    assert len(found) > 40


@pytest.mark.slow
def test_learners_pass_the_check_of_array_interfaces() -> None:
    ran = subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore",
            "-c",
            "from sklearn.utils.estimator_checks import check_array_api_input\n"
            "from focal_photos.learners import LEARNERS, create\n"
            "for name in LEARNERS:\n"
            "    check_array_api_input(name, create(name), 'numpy', expect_only_array_outputs=False)\n",
        ],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("name", ALL)
def test_estimator_tags_describe_the_accepted_input(name: str) -> None:
    tags = sklearn.utils.get_tags(create(name))
    assert tags.target_tags.required == bool(LEARNERS[name].needs)
    assert (tags.transformer_tags is not None) == (name in EMBEDDING)
    assert tags.estimator_type is None
    assert not tags.input_tags.sparse


# ---------------------------------------------------------------- forms of training data


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("form", ["numbers", "text", "objects", "column", "frame"])
def test_class_labels_equal_their_side_information(name: str, form: str) -> None:
    X, y = flowers()
    texts = np.array(["setosa", "versicolor", "virginica"])[y]
    labels: Any = {
        "numbers": y,
        "text": texts,
        "objects": texts.astype(object),
        "column": 3 * y[:, None],
        "frame": pd.Series(texts),
    }[form]
    expected = create(name).fit(X, SideInformation.from_labels(y))
    np.testing.assert_array_equal(apart(create(name).fit(X, labels)), apart(expected))


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_a_tag_matrix_equals_its_side_information(name: str) -> None:
    X, y = flowers()
    tags = np.column_stack([y == 0, y == 1, y == 2, np.arange(60) % 2 == 0])
    expected = apart(create(name).fit(X, SideInformation.from_tags(tags)))
    for form in (tags, tags.astype(int), tags.tolist(), scipy.sparse.csr_array(tags.astype(float))):
        np.testing.assert_array_equal(apart(create(name).fit(X, form)), expected)


@pytest.mark.parametrize("name", OF_PAIRS)
def test_labels_and_side_information_are_combined(name: str) -> None:
    X, y = flowers()
    judged = SideInformation(similar=np.array([[0, 59]]), dissimilar=np.array([[1, 2]]))
    expected = create(name).fit(X, SideInformation.from_labels(y) | judged)
    np.testing.assert_array_equal(apart(create(name).fit(X, y, side_information=judged)), apart(expected))


@pytest.mark.parametrize("name", OF_PAIRS)
def test_pairs_of_samples_equal_pairs_of_rows(name: str) -> None:
    X, y = flowers()
    rows, verdicts = pairs_of(y)
    learner = create(name).fit(X[rows], verdicts)
    named, row = np.unique(X[rows].reshape(-1, 4), axis=0, return_inverse=True)
    places = row.reshape(-1, 2)
    told = places[:, 0] != places[:, 1]
    side = SideInformation(places[told & (verdicts == 1)], places[told & (verdicts == -1)])
    np.testing.assert_array_equal(apart(learner), apart(create(name).fit(named, side)))
    # Scikit-learn and metric-learn score pairs by similarity; the opposite sign would be a loss.
    assert learner.score(X[rows], verdicts) > 0.85
    assert learner.n_features_in_ == 4
    np.testing.assert_array_equal(learner.pair_score(X[rows]), -learner.pair_distance(X[rows][:, 0], X[rows][:, 1]))


@pytest.mark.parametrize("name", [name for name in ALL if LEARNERS[name].takes_triplets])
def test_triplets_of_samples_are_used(name: str) -> None:
    X, y = flowers()
    rows = triplets_of(y, 60)
    learner = create(name).fit(X[rows])
    assert learner.score(X[rows]) > LEAST.get(name, 0.85)
    assert learner.score(X[rows[:, [0, 2, 1]]]) == pytest.approx(1 - learner.score(X[rows]))


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_PAIRS)
def test_names_with_a_preprocessor_equal_the_samples(name: str) -> None:
    X, y = flowers()
    rows, verdicts = pairs_of(y)
    expected = create(name).fit(X[rows], verdicts)
    by_row = create(name).fit(rows, verdicts, preprocessor=X)
    names = np.array([f"flower {row}" for row in range(len(X))])
    asked: list[int] = []

    def look_up(wanted: NDArray[Any]) -> NDArray[np.float64]:
        asked.append(len(wanted))
        return X[[int(name.split()[1]) for name in wanted]]

    by_name = create(name).fit(names[rows], verdicts, preprocessor=look_up)
    assert asked == [len(np.unique(rows))], "each sample is requested once"
    for learner, named in ((by_row, rows), (by_name, names[rows])):
        # The samples are in another order: equal except for rounding and for random draws among them.
        assert learner.score(named, verdicts) == pytest.approx(expected.score(X[rows], verdicts), abs=0.05)
        np.testing.assert_array_equal(learner.pair_score(named), -learner.pair_distance(*np.moveaxis(X[rows], 1, 0)))


@pytest.mark.parametrize("name", ONLINE)
def test_labels_and_pairs_can_update_a_learner(name: str) -> None:
    X, y = flowers()
    rows, verdicts = pairs_of(y)
    parameters: dict[str, Any] = {"sessions": 1} if name == "kernel-stepwise" else {}
    learner = create(name, **parameters)
    assert isinstance(learner, OnlineMixin)
    learner.partial_fit(X, SideInformation(rows[:20][verdicts[:20] == 1], rows[:20][verdicts[:20] == -1]))
    before = apart(learner)
    learner.partial_fit(X[rows[20:]], verdicts[20:])
    assert np.abs(apart(learner) - before).max() > 0
    before = apart(learner)
    learner.partial_fit(X, y)
    assert np.abs(apart(learner) - before).max() > 0
    with pytest.raises(LearnerError, match=f"X has 3 features, but {type(learner).__name__} is expecting 4"):
        learner.partial_fit(X[:, :3], y)


# ---------------------------------------------------------------- tools of scikit-learn


@pytest.mark.slow
@pytest.mark.parametrize("name", EMBEDDING)
def test_a_pipeline_with_an_embedding_can_be_searched(name: str, tmp_path: Path) -> None:
    X, y = flowers()
    # With a memory, the embedding is fitted once for both numbers of neighbours.
    steps = make_pipeline(StandardScaler(), create(name), KNeighborsClassifier(1), memory=str(tmp_path))
    own = type(steps[1]).__name__.lower()
    grid: dict[str, list[float]] = {"kneighborsclassifier__n_neighbors": [1, 3]}
    if name not in SLOW and "euclidean_blend" in steps[1].get_params():
        grid |= {f"{own}__euclidean_blend": [0.5, 2.0]}
    found = GridSearchCV(steps, grid, cv=3, error_score="raise").fit(X, y)
    assert found.best_score_ > 0.85
    assert clone(found.best_estimator_).get_params().keys() == steps.get_params().keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_a_learner_can_be_cross_validated(name: str) -> None:
    X, y = flowers()
    assert cross_val_score(create(name), X, y, cv=KFold(3, shuffle=True, random_state=0)).mean() > LEAST.get(name, 0.85)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_PAIRS)
def test_pairs_can_be_cross_validated(name: str) -> None:
    X, y = flowers()
    rows, verdicts = pairs_of(y, 80)
    scores = cross_val_score(create(name), X[rows], verdicts, cv=3, error_score="raise")
    assert scores.mean() > 0.85


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_neighbours_can_be_found_with_the_metric_as_a_function(name: str) -> None:
    X, y = flowers()
    learner = create(name).fit(X, y)
    metric = learner.get_metric()
    assert metric(X[0], X[40]) == pytest.approx(float(learner.pair_distance(X[:1], X[40:41])[0]))
    before = metric(X[0], X[40])
    learner.fit(X * 3, SideInformation.from_labels(np.roll(y, 7)))
    assert metric(X[0], X[40]) == before, "the metric is unchanged"
    assert pickle.loads(pickle.dumps(metric))(X[0], X[40]) == before
    found = KNeighborsClassifier(1, metric=metric, algorithm="brute").fit(X[::2], y[::2]).predict(X[1:20:2])
    again = create(name).fit(X, y)
    nearest = [int(again.distances_from(x, X[::2]).argmin()) for x in X[1:20:2]]
    np.testing.assert_array_equal(found, y[::2][nearest])


@pytest.mark.parametrize("name", ALL)
def test_a_learner_can_be_pickled(name: str) -> None:
    X, y = flowers()
    learner = create(name).fit(X, y)
    np.testing.assert_array_equal(apart(pickle.loads(pickle.dumps(learner))), apart(learner))


@pytest.mark.slow
@pytest.mark.parametrize("name", EMBEDDING)
def test_data_frames_are_accepted_and_returned(name: str) -> None:
    X, y = flowers()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"], index=[f"photo {row}" for row in range(len(X))])
    learner = create(name).fit(frame, y)
    assert isinstance(learner, EmbeddingMixin)
    assert isinstance(learner, DistanceLearner)
    assert learner.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    plain = learner.transform(frame)
    assert isinstance(plain, np.ndarray)
    result: Any = learner.set_output(transform="pandas").transform(frame)
    own = type(learner).__name__.lower()
    assert list(result.columns) == [f"{own}{column}" for column in range(plain.shape[1])]
    assert list(result.columns) == learner.get_feature_names_out().tolist()
    assert list(result.index) == list(frame.index)
    np.testing.assert_array_equal(result.to_numpy(), plain)
    assert isinstance(clone(learner).fit_transform(frame, y), pd.DataFrame)
    assert isinstance(apart(create(name).fit(X, y)), np.ndarray)
    rounded = apart(create(name).fit(X, y))  # columns with another memory layout
    np.testing.assert_allclose(learner.pair_distance(frame[:30], frame[30:60]), rounded, atol=1e-4)
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(clone(learner).fit(frame, y).transform(frame), pd.DataFrame)
    with pytest.raises(ValueError, match="feature names should match"):
        learner.transform(frame[["b", "a", "c", "d"]])
    with pytest.warns(UserWarning, match="X does not have valid feature names, but"):
        learner.transform(X)
    with pytest.raises(ValueError, match="input_features is not equal"):
        learner.get_feature_names_out(["x", "y", "z", "w"])


@pytest.mark.parametrize("name", ALL)
def test_column_names_are_saved(name: str, tmp_path: Any) -> None:
    X, y = flowers()
    save(tmp_path / "learner.npz", learner=create(name).fit(pd.DataFrame(X, columns=["a", "b", "ä", "d"]), y))
    assert load(tmp_path / "learner.npz")["learner"].feature_names_in_.tolist() == ["a", "b", "ä", "d"]


def test_unnamed_columns_have_no_names_and_mixed_names_are_refused() -> None:
    X, y = flowers()
    assert "feature_names_in_" not in vars(create("rca").fit(pd.DataFrame(X), y))
    with pytest.raises(TypeError, match="columns of X must all be named by text"):
        create("rca").fit(pd.DataFrame(X, columns=["a", "b", 3, 4]), y)


def test_the_space_can_be_a_pipeline_step() -> None:
    X, y = flowers()
    searched = GridSearchCV(
        make_pipeline(FeatureSpace(), KNeighborsClassifier(1)), {"featurespace__components": [1, 3]}, cv=3
    )
    assert searched.fit(X, y).best_score_ > 0.85
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    result = FeatureSpace().set_output(transform="pandas").fit_transform(frame)
    assert list(result.columns) == ["featurespace0", "featurespace1", "featurespace2", "featurespace3"]


def test_errors_have_the_types_expected_by_users_of_scikit_learn() -> None:
    assert issubclass(LearnerError, ValueError)
    with pytest.raises(TheirNotFittedError, match="call fit first") as caught:
        FeatureSpace().transform(flowers()[0])
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, NotFittedError)
    assert isinstance(again, TheirNotFittedError)
    assert str(again) == str(caught.value)
