# SPDX-License-Identifier: MIT
"""Sample matrices: accepted types, and errors for invalid ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.inputs.samples import as_numbers, as_samples, feature_names


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_are_not_copied(dtype: type) -> None:
    X: NDArray[Any] = np.ones((3, 2), dtype)
    assert as_samples(X) is X


@pytest.mark.parametrize(
    "X", [[[1, 2], [3, 4]], np.array([[1, 2], [3, 4]], np.float16), pd.DataFrame([[1, 2], [3, 4]])]
)
def test_other_numbers_become_float64(X: Any) -> None:
    found = as_samples(X)
    assert found.dtype == np.float64
    assert found.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("X", "said"),
    [
        (np.zeros(3), r"two dimensions \(photos, features\), it has 1\. Reshape your data: A\.reshape\(1, -1\)"),
        (np.zeros((2, 2, 2)), r"A must have two dimensions \(photos, features\), it has 3\.$"),
        (np.zeros((0, 3)), r"A is empty \(shape \(0, 3\)\)"),
        (np.zeros((3, 0)), r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1 is required"),
        (np.array([[1, np.nan]]), "A contains NaN or infinite"),
        (np.array([[1j]]), "Complex data not supported: A must be real"),
        (np.array([["a"]]), "A must be numbers: could not convert"),
        (scipy.sparse.csr_array(np.eye(2)), r"A is sparse, and dense data is required: use A\.toarray\(\)"),
        (np.zeros((2, 3)), "A has 3 features, but Rca is expecting 2 features as input"),
    ],
)
def test_invalid_samples_raise_with_the_reason(X: Any, said: str) -> None:
    with pytest.raises(LearnerError, match=said):
        as_samples(X, "A", features=2 if np.shape(X) == (2, 3) else None, owner="Rca")


def test_objects_that_are_not_numbers_raise_a_type_error() -> None:
    with pytest.raises(TypeError, match="must be a string or a real number"):
        as_numbers(np.array([[{}]], dtype=object))


def test_only_data_frames_have_names() -> None:
    assert feature_names(np.zeros((2, 2))) is None
    assert feature_names([[1.0]]) is None
    assert feature_names(pd.DataFrame([[1, 2]])) is None
    found = feature_names(pd.DataFrame([[1, 2]], columns=["b", "a"]))
    assert found is not None
    assert found.tolist() == ["b", "a"]
    assert found.dtype == object
