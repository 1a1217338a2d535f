# SPDX-License-Identifier: MIT
"""Tags and classes in the interface of scikit-learn's classifiers."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.tags.tag_classifier import TagClassifier


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from `sklearn.base.BaseEstimator`:UserWarning")
def test_it_passes_the_checks_of_scikit_learn() -> None:
    found = check_estimator(TagClassifier(), on_fail=None, on_skip=None)
    assert [(one["check_name"], one["exception"]) for one in found if one["status"] == "failed"] == []
    assert {one["check_name"] for one in found if one["status"] == "skipped"} <= {
        "check_array_api_input",  # needs an environment variable
        "check_classifiers_multilabel_output_format_decision_function",  # there is no decision function
    }


def test_classes_are_distinguished_in_the_tools_of_scikit_learn() -> None:
    assert is_classifier(TagClassifier())
    for load in (load_iris, load_wine):
        X, y = load(return_X_y=True)
        assert cross_val_score(make_pipeline(StandardScaler(), TagClassifier()), X, y, cv=5).mean() > 0.94
    search = GridSearchCV(TagClassifier(), {"regularization": [0.01, 1.0]}, cv=3, scoring="neg_log_loss")
    assert search.fit(*load_iris(return_X_y=True)).best_score_ > -0.3


def test_probabilities_are_in_the_order_of_the_classes() -> None:
    X, y = load_iris(return_X_y=True)
    names = load_iris().target_names[y]
    classifier = TagClassifier().fit(X, names)
    sure = classifier.predict_proba(X)
    assert classifier.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    np.testing.assert_allclose(sure.sum(axis=1), 1)
    np.testing.assert_array_equal(classifier.predict(X), classifier.classes_[sure.argmax(axis=1)])
    assert sure[np.arange(150), y].mean() > 0.85
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(classifier)).predict_proba(X), sure)
    far = classifier.predict_proba(X + 100)
    assert far.max() < 0.6, "far samples get low confidence"


def test_a_sample_may_have_several_tags() -> None:
    X, y = load_iris(return_X_y=True)
    tags = np.column_stack([y == 0, y == 1, y > 0, X[:, 0] > 6]).astype(int)
    classifier = TagClassifier().fit(X[::2], tags[::2])
    found = classifier.predict(X[1::2])
    assert found.shape == (75, 4)
    assert set(np.unique(found)) == {0, 1}
    assert (found == tags[1::2]).mean() > 0.93
    assert classifier.score(X[1::2], tags[1::2]) == pytest.approx((found == tags[1::2]).all(axis=1).mean())
    assert classifier.classes_.tolist() == [0, 1, 2, 3]
    same = clone(classifier).fit(X[::2], scipy.sparse.csr_array(tags[::2]))
    np.testing.assert_array_equal(same.predict(X[1::2]), found)


def test_scikit_learn_is_informed_of_the_support_for_several_tags() -> None:
    tags = get_tags(TagClassifier())
    assert tags.estimator_type == "classifier"
    assert tags.classifier_tags.multi_label
    assert tags.target_tags.multi_output
    assert tags.target_tags.required


def test_the_score_uses_sample_weights() -> None:
    X, y = load_iris(return_X_y=True)
    classifier = TagClassifier().fit(X[:100], y[:100])
    weights = np.where(y < 2, 1.0, 0.0)
    assert classifier.score(X, y) == pytest.approx(2 / 3, abs=0.02)
    assert classifier.score(X, y, weights) == 1


def test_data_frames_and_columns_are_accepted() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    classifier = TagClassifier().fit(X, pd.Series(y))
    assert classifier.feature_names_in_.tolist() == list(X.columns)
    with pytest.raises(ValueError, match="feature names should match"):
        classifier.predict(X[X.columns[::-1]])
    with pytest.warns(DataConversionWarning, match="column-vector"):
        classifier.fit(X, y.to_numpy()[:, None])
    assert classifier.predict(X).shape == (150,)


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (None, "requires y to be passed"),
        (np.zeros(4), "y must have 6 samples"),
        (np.zeros((6, 2, 2)), "y must have 6 samples"),
        (np.array([0, 1, 0, 1, 0, np.nan]), "y contains NaN"),
        (np.linspace(0, 1, 6), "Unknown label type"),
    ],
)
def test_invalid_targets_are_refused(y: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TagClassifier().fit(np.arange(12.0).reshape(6, 2), y)


def test_an_unfitted_classifier_and_wrong_features_are_refused() -> None:
    with pytest.raises(NotFittedError, match="call fit first"):
        TagClassifier().predict(np.zeros((2, 2)))
    classifier = TagClassifier().fit(np.arange(12.0).reshape(6, 2), [0, 0, 0, 1, 1, 1])
    with pytest.raises(LearnerError, match="X has 3 features, but TagClassifier is expecting 2"):
        classifier.predict(np.zeros((2, 3)))


def test_codes_add_information() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 4))
    kinds = rng.integers(0, 256, (2, 24), dtype=np.uint8)
    codes = kinds[y] ^ (rng.random((120, 24)) < 0.3) * rng.integers(0, 256, (120, 24), dtype=np.uint8)
    bare = TagClassifier().fit(X[:60], y[:60])
    assert bare.score(X[60:], y[60:]) < 0.7
    classifier = TagClassifier().fit(X[:60], y[:60], codes=codes[:60])
    assert classifier.score(X[60:], y[60:], codes=codes[60:]) > 0.95
    sure = classifier.predict_proba(X[60:], codes[60:])
    np.testing.assert_array_equal(classifier.predict(X[60:], codes[60:]), sure.argmax(axis=1))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(classifier)).predict_proba(X[60:], codes[60:]), sure)
    for asked, given in ((classifier, None), (classifier, codes[60:, :5]), (classifier, codes[:9]), (bare, codes[60:])):
        with pytest.raises(LearnerError, match="as many bytes of each sample"):
            asked.predict(X[60:], given)
    with pytest.raises(LearnerError, match="Codes must be bytes of 60 photos"):
        TagClassifier().fit(X[:60], y[:60], codes=codes[:60].astype(float))
    tags = np.column_stack([y, 1 - y, X[:, 0] > 0])
    several = TagClassifier().fit(X[:60], tags[:60], codes=codes[:60])
    assert (several.predict(X[60:], codes[60:])[:, 0] == y[60:]).mean() > 0.9


def test_a_sample_unlike_all_others_gets_no_confident_class() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(6), 5)
    means = 4 * rng.normal(size=(6, 8)) * (np.arange(8) < 4)
    X, known = means[y] + rng.normal(size=(30, 8)), means[np.repeat(np.arange(6), 30)] + rng.normal(size=(180, 8))
    strange = 5.0 * (np.arange(8) >= 4) + rng.normal(size=(180, 8))
    alone = TagClassifier().fit(X, y)
    beside = TagClassifier().fit(X, y, untagged=np.concatenate([known, strange]))
    for classifier in (alone, beside):
        far, near = classifier.confidences(strange), classifier.confidences(known)
        assert far.none.mean() > 0.9 > 0.3 > near.none.mean()
        assert (far.tags.max(axis=1) >= 0.5).mean() <= 0.02
        # Rows sum to 1 as scikit-learn expects: the probability of no class is shared by all classes.
        sure = classifier.predict_proba(strange)
        np.testing.assert_allclose(sure.sum(axis=1), 1)
        assert np.median(sure.max(axis=1)) < 0.3
        assert (classifier.predict_proba(known).max(axis=1) >= 0.5).mean() > 0.8
        np.testing.assert_allclose(sure, far.tags + far.none[:, None] / 6)
    assert beside.confidence_.foreign_share_ > 0.3
    assert alone.confidence_.foreign_share_ == pytest.approx(0.05)


def test_a_sample_unlike_all_others_gets_no_confident_tags() -> None:
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(4), 8)
    X = 4 * np.eye(4)[y] + rng.normal(size=(32, 4)) * 0.5
    tags = np.column_stack([y == 0, y == 1, y == 2, y == 3, y < 2])
    classifier = TagClassifier().fit(X, tags)
    far = classifier.predict_proba(X + 40)
    assert far.max() < 0.1
    assert not classifier.predict(X + 40).any()
    assert (classifier.predict(X) == tags).mean() > 0.9


@pytest.mark.parametrize("classes", [1, 3])
def test_classes_that_do_not_show_are_not_found_in_untagged_samples(classes: int) -> None:
    rng = np.random.default_rng(classes)
    means = rng.normal(size=(10, 12))
    X, others = (means[rng.integers(0, 10, n)] + rng.normal(size=(n, 12)) for n in (classes * 10, 400))
    y = np.repeat(np.arange(classes), 10)
    found = TagClassifier().fit(X, y, untagged=others).confidences(others)
    assert (found.tags.max(axis=1) >= 0.5).mean() <= 0.02
