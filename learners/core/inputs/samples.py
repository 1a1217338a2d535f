# SPDX-License-Identifier: MIT
"""Validation of sample matrices: rows are photos, columns are features, all finite; errors give the reason."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError


def as_samples(
    X: ArrayLike, name: str = "X", *, features: int | None = None, owner: str = "the learner"
) -> NDArray[Any]:
    """Return X as a finite float array (n, d).

    Parameters
    ----------
    X : array_like of float, shape (n, d)
        float32 and float64 are not copied; other types become float64.
    name : str
        Name of X in errors.
    features : int, optional
        Required number of columns, which `owner` was fitted with.
    owner : str
        Name in errors of the object that requires these columns.

    Raises
    ------
    LearnerError
        If X holds text, complex numbers, NaN or infinity, or is sparse, empty or of another shape.
    """
    array = as_numbers(X, name)
    check_shape(array, name)
    if features is not None and array.shape[1] != features:
        raise LearnerError(
            f"{name} has {array.shape[1]} features, but {owner} is expecting {features} features as input."
        )
    if not np.isfinite(array).all():
        raise LearnerError(f"{name} contains NaN or infinite values.")
    return array


def check_shape(array: NDArray[Any], name: str = "X") -> None:
    """Raise LearnerError unless an array has rows and columns."""
    if array.ndim != 2:
        hint = f" Reshape your data: {name}.reshape(1, -1) is one photo." if array.ndim == 1 else ""
        raise LearnerError(f"{name} must have two dimensions (photos, features), it has {array.ndim}.{hint}")
    if array.shape[0] == 0:
        raise LearnerError(f"{name} is empty (shape {array.shape}): index some photos first.")
    if array.shape[1] == 0:
        raise LearnerError(f"{name} is empty: 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")


def as_numbers(X: ArrayLike, name: str = "X") -> NDArray[Any]:
    """Return X as a float32 or float64 array of any shape; raise LearnerError or TypeError if it is not numeric."""
    if hasattr(X, "tocsr"):
        raise LearnerError(f"{name} is sparse, and dense data is required: use {name}.toarray().")
    array = np.asarray(X)
    if array.dtype in (np.float32, np.float64):
        return array
    if array.dtype.kind == "c":
        raise LearnerError(f"Complex data not supported: {name} must be real.")
    try:
        return array.astype(np.float64)
    except ValueError as error:
        raise LearnerError(f"{name} must be numbers: {error}.") from error


def feature_names(X: Any) -> NDArray[np.object_] | None:
    """Return the column names of a data frame if all are text, otherwise None.

    Raises
    ------
    TypeError
        If only some columns are named by text.
    """
    columns = getattr(X, "columns", None)
    if columns is None:
        return None
    texts = [isinstance(column, str) for column in columns]
    if all(texts):
        return np.array(list(columns), dtype=object)
    if any(texts):
        raise TypeError("The columns of X must all be named by text, or none: X.columns = X.columns.astype(str).")
    return None


def check_names(estimator: Any, X: Any) -> None:
    """Compare the columns of a data frame with those of the fit, using scikit-learn.

    If neither has names, scikit-learn is not loaded.

    Raises
    ------
    ValueError
        If the names or their order differ.
    """
    if getattr(X, "columns", None) is not None or "feature_names_in_" in vars(estimator):
        from sklearn.utils.validation import validate_data  # slow to import, needed for data frames only

        validate_data(estimator, X, reset=False, skip_check_array=True)
