# SPDX-License-Identifier: MIT
"""Conversion of training targets used by scripts: class labels, tag matrices, pairs and triplets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.inputs.samples import as_numbers, as_samples
from focal_photos.learners.core.side_information import SideInformation

Preprocessor = ArrayLike | Callable[[NDArray[Any]], ArrayLike]
"""Source of the samples that pairs refer to: a matrix (n, d), indexed by row number, or a function from names (m,) to
samples (m, d)."""

_MEMBERS = {2: "pair", 3: "triplet"}


def given(
    X: ArrayLike, y: Any = None, preprocessor: Preprocessor | None = None
) -> tuple[NDArray[Any], SideInformation]:
    """Return samples and their side information by row number, from the arguments of `fit`.

    Parameters
    ----------
    X : array_like
        Samples, float (n, d); or pairs, float (n, 2, d), or triplets, float (n, 3, d); or, with a preprocessor, pairs
        (n, 2) or triplets (n, 3) of its keys.
    y : optional
        Target. For samples, see `side_information_of`. For pairs, (n,): 1 if similar, -1 if not. None for triplets.
    preprocessor : array_like of shape (m, d), or callable, optional

    Returns
    -------
    samples : ndarray of float, shape (m, d)
        For pairs and triplets, the distinct samples in ascending order.
    side : SideInformation

    Raises
    ------
    LearnerError
        If the arguments are inconsistent.
    """
    if preprocessor is None and not holds_tuples(X):
        samples = as_samples(X)
        return samples, side_information_of(y, len(samples))
    samples, members = tuples(X, preprocessor)
    return samples, _of_tuples(members, y)


def holds_tuples(X: ArrayLike) -> bool:
    """Return whether X has three dimensions, as pairs and triplets of samples have."""
    return not hasattr(X, "tocsr") and np.asarray(X).ndim == 3


def tuples(X: ArrayLike, preprocessor: Preprocessor | None = None) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the distinct samples (m, d) of pairs or triplets, and the tuples as row numbers of them.

    Parameters
    ----------
    X : array_like
        float (n, 2, d) or (n, 3, d); with a preprocessor (n, 2) or (n, 3).
    preprocessor : array_like of shape (m, d), or callable, optional

    Raises
    ------
    LearnerError
        If X has another shape, a key is unknown to the preprocessor, or samples are not finite numbers.
    """
    if preprocessor is None:
        array = as_numbers(X)
        if array.ndim != 3 or array.shape[1] not in _MEMBERS:
            raise LearnerError(f"Pairs have the shape (n, 2, features), triplets (n, 3, features), not {array.shape}.")
        points = as_samples(array.reshape(-1, array.shape[2]))
        samples, row = np.unique(points, axis=0, return_inverse=True)
        return samples, row.reshape(array.shape[:2]).astype(np.intp)
    names = np.asarray(X)
    if names.ndim != 2 or names.shape[1] not in _MEMBERS:
        raise LearnerError(
            f"With a preprocessor pairs have the shape (n, 2) and triplets (n, 3), not {names.shape}: "
            "leave it out where X holds the samples themselves."
        )
    known, row = np.unique(names, return_inverse=True)
    return _look_up(known, preprocessor), row.reshape(names.shape).astype(np.intp)


def side_information_of(y: Any, n: int) -> SideInformation:
    """Convert the target y of n samples to side information.

    Parameters
    ----------
    y : SideInformation, array_like of shape (n,) or (n, m), sparse matrix of shape (n, m), or None
        Class labels, numbers or text, where a negative number, or None in an object array, is an unknown class; or
        tags, 0/1: sample i carries tag j. A single column with values other than 0 and 1 holds labels.
    n : int

    Raises
    ------
    LearnerError
        If the number of samples differs, there is NaN, or a matrix has other values.
    """
    if y is None:
        return SideInformation()
    if isinstance(y, SideInformation):
        y.check(n)
        return y
    target: Any = y if hasattr(y, "tocsr") else np.asarray(y)
    if target.ndim not in (1, 2):
        raise LearnerError(f"y must be class labels (n,) or tags (n, m) of 0 and 1, its shape is {target.shape}.")
    if target.shape[0] != n:
        raise LearnerError(f"y has {target.shape[0]} samples, X has {n}.")
    values: NDArray[Any] = target.data if hasattr(y, "tocsr") else target
    if np.issubdtype(values.dtype, np.floating) and not np.isfinite(values).all():
        raise LearnerError("y contains NaN or infinite values: use -1 for an unknown class.")
    if target.ndim == 1:
        return SideInformation.from_labels(target)
    if np.isin(values, (0, 1)).all():
        return SideInformation.from_tags(target)
    if target.shape[1] == 1 and values is target:
        return SideInformation.from_labels(target[:, 0])
    raise LearnerError("y must be class labels (n,) or a tag matrix (n, tags) of 0 and 1.")


def verdicts(y: Any, n: int) -> NDArray[np.bool_]:
    """Return which of n pairs are similar, bool (n,), from y of 1 and -1; raise LearnerError for other values."""
    if y is None:
        raise LearnerError("Pairs need y: 1 where they are similar, -1 where they are not.")
    said = np.asarray(y)
    if said.shape != (n,):
        raise LearnerError(f"y must be 1 or -1 for each of {n} pairs, its shape is {said.shape}.")
    if not np.isin(said, (-1, 1)).all():
        raise LearnerError("y must be 1 where a pair is similar and -1 where it is not.")
    return np.asarray(said == 1)


def _of_tuples(members: NDArray[np.intp], y: Any) -> SideInformation:
    """Return the side information of pairs or triplets; tuples that contain a sample twice are skipped."""
    distinct = (members != np.roll(members, 1, axis=1)).all(axis=1)
    if members.shape[1] == 2:
        similar = verdicts(y, len(members))
        return SideInformation(members[similar & distinct], members[~similar & distinct])
    if y is not None:
        raise LearnerError("In a triplet the second sample is the nearer one: leave y out.")
    return SideInformation(relative=members[distinct])


def _look_up(names: NDArray[Any], preprocessor: Preprocessor) -> NDArray[Any]:
    """Return the samples of keys (m,)."""
    if callable(preprocessor):
        samples = as_samples(preprocessor(names), "The preprocessor's result")
        if len(samples) != len(names):
            raise LearnerError(f"The preprocessor was asked for {len(names)} samples and returned {len(samples)}.")
        return samples
    every = as_numbers(preprocessor, "preprocessor")
    if not np.issubdtype(names.dtype, np.integer):
        raise LearnerError("With a matrix as preprocessor, pairs and triplets are row numbers of it.")
    if len(names) and (names[0] < 0 or names[-1] >= len(every)):
        raise LearnerError(f"A pair or triplet names a row outside 0..{len(every) - 1} of the preprocessor.")
    return as_samples(every[names], "preprocessor")
