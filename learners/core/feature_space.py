# SPDX-License-Identifier: MIT
"""The feature space of all metrics: families of features, made comparable and reduced."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError, NotFittedError, Transformer
from focal_photos.learners.core.inputs.samples import as_numbers, check_names, check_shape, feature_names
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import blocks, one_thread, principal_axes
from focal_photos.learners.core.map_steps import MapSteps

_CONSTANT = 1e-8
"""Columns with a standard deviation below this share of the largest one are constant (ALGORITHMS.md, 0.1)."""

_ROUNDING = 1e-7
"""Columns with a standard deviation below this share of their values are constant, too: float32 rounding."""

_ROWS_A_COMPONENT = 4
"""Rows required per whitened component: whitening amplifies the noise of components estimated from few rows
(ALGORITHMS.md, 12.6)."""


@dataclass(frozen=True)
class FeatureFamily:
    """A family of features: the columns of one descriptor.

    Attributes
    ----------
    name : str
        Name of the family.
    start, stop : int
        Its columns are ``start:stop``.
    is_count : bool
        True if values are shares or counts (histograms); their square roots are taken first.
    is_scaled : bool
        True if the columns share one scale already (principal components); they are not divided by their standard
        deviations. Nor are counts.
    components : int or None
        Maximum number of principal components; None: that of the space.
    weight : float
        > 0: weight of the family's squared distances if the space is whitened or its coordinates have unit length.
    """

    name: str
    start: int
    stop: int
    is_count: bool
    is_scaled: bool = False
    components: int | None = None
    weight: float = 1.0

    def __repr__(self) -> str:
        """Omit fields at their defaults, as the first version did: digests of spaces are computed from it."""
        said = f"name={self.name!r}, start={self.start!r}, stop={self.stop!r}, is_count={self.is_count!r}"
        if self.is_scaled:
            said += ", is_scaled=True"
        if (self.components, self.weight) != (None, 1.0):
            said += f", components={self.components!r}, weight={self.weight!r}"
        return f"FeatureFamily({said})"


def families_of(families: Sequence[FeatureFamily], features: int) -> tuple[FeatureFamily, ...]:
    """Return the validated feature families of a matrix.

    Parameters
    ----------
    families : sequence of FeatureFamily
        Empty: all columns form one family.
    features : int
        Number of columns.

    Raises
    ------
    LearnerError
        If a family has no columns, or columns that the matrix lacks, or two have the same name.
    """
    found = tuple(families) or (FeatureFamily("features", 0, features, False),)
    for family in found:
        if not 0 <= family.start < family.stop <= features:
            raise LearnerError(
                f"The family {family.name} has the columns {family.start}:{family.stop}, the samples have {features}."
            )
    if len({family.name for family in found}) < len(found):
        raise LearnerError("Two families have the same name: give each a different name.")
    return found


class FeatureSpace(Transformer):
    """Preprocessing shared by all metrics; Euclidean distance in this space is the metric without learning.

    Each family separately: square roots of counts, centring, division of everything but counts by the standard
    deviation, principal components, and a scale that gives every family the same influence on a ranking. All steps
    after the square root form one affine map, except for the normalization of lengths.

    Parameters
    ----------
    families : tuple of FeatureFamily
        Families in the order of their columns; empty: all columns form one family without counts.
    components : int
        Maximum number of principal components per family.
    sample : int
        Maximum number of rows to fit; more are sampled with `random_state`.
    random_state : int
        Seed of the sample.
    whitening : float
        0..1: each principal component is divided by this power of its standard deviation.
    unit_length : bool
        Whether to scale the coordinates of each photo to the length sqrt(weight) in each family, then to length 1 over
        all families. The squared distance is then 2 minus twice the weighted mean of the families' cosines. The
        coordinates of a photo at the mean stay 0.

    Attributes
    ----------
    families_ : tuple of FeatureFamily
        Families of the output columns.
    mean_ : ndarray of float32, shape (d,)
    axes_ : tuple of ndarray of float32, each of shape (d_f, p_f)
        For each family, the matrix from its input columns to its output columns: ``(x - mean_) @ axes_[f]``. Files of
        an earlier version hold one array (d, p) with zeros outside the families' blocks.
    digest_ : str
        First 16 hexadecimal digits of the SHA-256 of the fitted state: equal digests mean interchangeable coordinates.

    Notes
    -----
    Influence: a ranking depends on how much a family's squared distances *vary* between pairs, not on their mean. For
    normal coordinates with variances w, the mean is ``2 sum(w)`` and the standard deviation ``sqrt(8 sum(w^2))``; the
    scale makes the latter 1. With equal means, a family of many weak components would hardly vary and would be
    outvoted. Counts are not standardized, because a colour that few photos have would be amplified to the size of the
    others. For the measurements of both, and of the number of components, see ALGORITHMS.md, 0.1.

    Half whitened (`whitening` .5), with fewer components and unit length, the same families rank better without any
    label: the first axes, brightness and contrast of the whole photo, no longer dominate the discriminative ones, and
    no family dominates for a photo that is unusual in it (ALGORITHMS.md, 12.6). Each family then has the mean squared
    distance `FeatureFamily.weight`. As the variances of its axes are similar, mean and spread are proportional.

    A constant column gets standard deviation 1, so that a later photo that differs in it cannot explode. Cost of `fit`:
    n d^2 + d^3 for the widest family of d columns (2 s for 2,560), or n^2 d + n^3 with fewer rows than columns.
    """

    families_: tuple[FeatureFamily, ...]
    mean_: NDArray[np.float32]
    axes_: tuple[NDArray[np.float32], ...] | NDArray[np.float32]
    digest_: str
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def __init__(
        self,
        families: tuple[FeatureFamily, ...] = (),
        components: int = 64,
        sample: int = 5000,
        random_state: int = 0,
        whitening: float = 0.0,
        unit_length: bool = False,
    ) -> None:
        self.families = families
        self.components = components
        self.sample = sample
        self.random_state = random_state
        self.whitening = whitening
        self.unit_length = unit_length

    def fit(self, X: ArrayLike, y: object = None, *, progress: ProgressReport | None = None) -> Self:  # noqa: ARG002
        """Learn means, scales and axes.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
            Descriptors side by side; may be a memory map.
        y : optional
            Ignored; pipelines pass it.
        progress : callable, optional
            Called with the share done, 0..1, after each family. An exception raised in it ends the fit.

        Raises
        ------
        LearnerError
            If X is empty, not finite or not two-dimensional, the families do not cover its columns, or the whitening is
            not in 0..1.
        """
        names = feature_names(X)
        matrix = _matrix(X)
        n, d = matrix.shape
        if not 0 <= self.whitening <= 1:
            raise LearnerError(f"The power of whitening must be in 0..1, it is {self.whitening}.")
        families = tuple(self.families) or (FeatureFamily("features", 0, d, False),)
        if [g.start for g in families] + [d] != [0] + [g.stop for g in families]:
            raise LearnerError(f"The families must cover the {d} columns without gaps, in order.")
        rows = np.arange(n)
        if n > self.sample:
            rows = np.sort(np.random.default_rng(self.random_state).choice(n, self.sample, replace=False))
        sampled = np.asarray(matrix if len(rows) == n else matrix[rows])
        if not np.isfinite(sampled).all():
            raise LearnerError("X contains NaN or infinite values.")

        mean = np.zeros(d, dtype=np.float32)
        axes, fitted, start = [], [], 0
        for family in families:
            columns = slice(family.start, family.stop)
            values = _rooted(sampled[:, columns].astype(np.float64), family)
            with one_thread():
                most = self._most_components(family, len(values))
                centre, vectors = _family_axes(values, family, most, self.whitening)
            mean[columns] = centre
            axes.append(np.ascontiguousarray(vectors, dtype=np.float32))
            fitted.append(FeatureFamily(family.name, start, start + vectors.shape[1], False))
            start += vectors.shape[1]
            if progress is not None:
                progress(family.stop / d)

        self.mean_ = mean
        self.axes_ = tuple(axes)
        self.families_ = tuple(fitted)
        self.n_features_in_ = d
        vars(self).pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names
        # Under the former class name, so that existing spaces retain the digest that vectors and metrics refer to.
        state = hashlib.sha256(repr((families, self.families_)).replace("FeatureFamily(", "ColumnGroup(").encode())
        if self.unit_length:
            state.update(b"unit length")
        state.update(mean.tobytes())
        for block in self.axes_:
            state.update(block.tobytes())
        self.digest_ = state.hexdigest()[:16]
        return self

    def _most_components(self, family: FeatureFamily, n: int) -> int:
        """Return the maximum number of components of a family for n rows; the last ones of few rows are noise."""
        most = family.components or self.components
        return max(1, min(most, n // _ROWS_A_COMPONENT)) if self.whitening else most

    def transform(self, X: ArrayLike) -> NDArray[np.float32]:
        """Return the coordinates of photos.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
            Descriptors side by side; may be a memory map, which is read in blocks.

        Returns
        -------
        ndarray of float32, shape (n, p)
        """
        if "axes_" not in vars(self):
            raise NotFittedError("FeatureSpace is not fitted yet: call fit first.")
        check_names(self, X)
        matrix = _matrix(X)
        if matrix.shape[1] != self.n_features_in_:
            wanted = f"FeatureSpace is expecting {self.n_features_in_} features as input"
            raise LearnerError(f"X has {matrix.shape[1]} features, but {wanted}.")
        inputs = tuple(self.families) or (FeatureFamily("features", 0, self.n_features_in_, False),)
        coordinates = np.empty((len(matrix), self.families_[-1].stop), dtype=np.float32)
        for part in blocks(len(matrix)):
            block = np.asarray(matrix[part], dtype=np.float32)
            if not np.isfinite(block).all():
                raise LearnerError("X contains NaN or infinite values.")
            for family, (source, target) in enumerate(zip(inputs, self.families_, strict=True)):
                columns, filled = slice(source.start, source.stop), slice(target.start, target.stop)
                axes = self.axes_[family] if isinstance(self.axes_, tuple) else self.axes_[columns, filled]
                values = (_rooted(block[:, columns], source) - self.mean_[columns]) @ axes
                coordinates[part, filled] = _to_length(values, source.weight) if self.unit_length else values
            if self.unit_length:
                coordinates[part] = _to_length(coordinates[part], 1.0)
        return self._wrapped(coordinates, X)  # type: ignore[no-any-return]

    def add_steps(self, steps: MapSteps, x: int) -> int:
        """Add the steps of `transform` to a map for other programs.

        Parameters
        ----------
        steps : MapSteps
        x : int
            Number of the value with the descriptors, (n, d).

        Returns
        -------
        int
            Number of the coordinates, (n, p).
        """
        if "axes_" not in vars(self):
            raise NotFittedError("FeatureSpace is not fitted yet: call fit first.")
        inputs = tuple(self.families) or (FeatureFamily("features", 0, self.n_features_in_, False),)
        parts = []
        for number, (source, target) in enumerate(zip(inputs, self.families_, strict=True)):
            columns, filled = slice(source.start, source.stop), slice(target.start, target.stop)
            axes = self.axes_[number] if isinstance(self.axes_, tuple) else self.axes_[columns, filled]
            values = steps.columns(x, source.start, source.stop)
            if source.is_count:
                values = steps.roots(values)
            values = steps.affine(values, axes, centre=self.mean_[columns])
            parts.append(steps.unit(values, source.weight) if self.unit_length else values)
        together = steps.beside(parts)
        return steps.unit(together) if self.unit_length else together

    @property
    def _n_features_out(self) -> int:  # type: ignore[override]
        return self.families_[-1].stop


def _matrix(X: ArrayLike) -> NDArray[np.floating]:
    """Return X with its shape checked, but not for NaN; real numbers of any type are not copied."""
    matrix = X if isinstance(X, np.ndarray) and X.dtype.kind in "fiub" else as_numbers(X)
    check_shape(matrix)
    return matrix


def _to_length(values: NDArray[np.floating], squared: float) -> NDArray[np.floating]:
    """Scale rows to a length, given by its square; zero rows are unchanged."""
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    scaled: NDArray[np.floating] = values * (np.sqrt(squared) / np.where(lengths > 0, lengths, 1))
    return scaled


def _rooted(values: NDArray[np.floating], family: FeatureFamily) -> NDArray[np.floating]:
    """Take square roots of counts, so that their variance no longer grows with the mean."""
    if not family.is_count:
        return values
    if values.min() < 0:
        raise LearnerError(f"The family {family.name} holds counts, but some are negative.")
    roots: NDArray[np.floating] = np.sqrt(values)
    return roots


def _family_axes(
    values: NDArray[np.floating], family: FeatureFamily, components: int, whitening: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean (d,) and the scaled axes (d, p) of one family; always at least one axis."""
    n = len(values)
    mean = values.mean(axis=0)
    deviation = values.std(axis=0)
    varies = (deviation > _CONSTANT * deviation.max()) & (deviation > _ROUNDING * np.abs(values).max(axis=0))
    if family.is_count or family.is_scaled:
        deviation[:] = 1.0
    deviation[~varies] = 1.0
    standard = np.where(varies, (values - mean) / deviation, 0.0)
    if n < standard.shape[1]:
        # With fewer rows than columns, the eigenvectors of the small Gram matrix give the same axes.
        variances, left = principal_axes(standard @ standard.T / n, components)
        vectors = standard.T @ (left / np.sqrt(variances * n))
    else:
        variances, vectors = principal_axes(standard.T @ standard / n, components)
    if not len(variances):
        # All rows are equal. One axis remains, so that a family never vanishes from the output.
        return mean, np.eye(standard.shape[1], 1)
    if not whitening:
        spread = np.sqrt(8 * np.square(variances).sum())
        return mean, vectors / deviation[:, None] / np.sqrt(spread)
    whitened = vectors / variances ** (whitening / 2)
    mean_squared_distance = 2 * (variances ** (1 - whitening)).sum()
    return mean, whitened / deviation[:, None] * np.sqrt(family.weight / mean_squared_distance)
