# SPDX-License-Identifier: MIT
"""Blending of learned maps with the unlearned distance, which preserves photos unlike the training set."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import Auto, KernelPCA
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin
from focal_photos.learners.core.linalg import blocks, cholesky_in_blocks, principal_axes
from focal_photos.learners.core.map_steps import MapSteps
from focal_photos.learners.core.side_information import SideInformation

Unit = bool | Literal["auto"]
"""Whether embeddings are normalized to length 1, see `is_unit`."""

UNLIMITED: Final = 1_000_000
"""A number of components, landmarks or photos that is never reached."""

_ROUNDING = 1e-12

_TAGGED_PAIRS = 10.0
"""Number of judged pairs that a tagged photo counts for in an automatic blend."""
_MANY_DIMENSIONS = 16


@dataclass(frozen=True)
class LinearMap:
    """Principal components: the linear counterpart of `learners.core.kernels.KernelPCA`.

    Attributes
    ----------
    mean : ndarray of float64, shape (d,)
    axes : ndarray of float64, shape (d, p)
        Coordinates of x are ``(x - mean) @ axes``; columns of length 1 by descending variance.
    variances : ndarray of float64, shape (p,)
        Variances of the training photos' coordinates.
    """

    mean: NDArray[np.float64]
    axes: NDArray[np.float64]
    variances: NDArray[np.float64]

    @classmethod
    def fit(cls, X: NDArray[np.floating], components: int | None = None) -> LinearMap:
        """Fit the components.

        Parameters
        ----------
        X : ndarray of float, shape (n, d)
        components : int, optional
            Maximum number; default: all directions in which the photos differ. If all photos are equal, a single
            component remains, which is 0 everywhere.

        Notes
        -----
        Cost n d^2 + d^3, or n^2 d + n^3 with fewer photos than features.
        """
        n, d = X.shape
        mean = X.mean(axis=0, dtype=np.float64)
        centred = X.astype(np.float64) - mean
        count = d if components is None else components
        # Rounding errors of float64 in columns that are constant, but not 0.
        floor = _ROUNDING**2 * float(np.square(X, dtype=np.float64).sum() / n)
        if n < d:
            variances, left = principal_axes(centred @ centred.T / n, count, floor=floor)
            axes = centred.T @ (left / np.sqrt(variances * n))
        else:
            variances, axes = principal_axes(centred.T @ centred / n, count, floor=floor)
        if not len(variances):
            return cls(mean, np.zeros((d, 1)), np.zeros(1))
        return cls(mean, axes, variances)

    @property
    def n_components(self) -> int:
        """Number of components p."""
        return int(self.axes.shape[1])

    def transform(self, X: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the coordinates, float64 (n, p), of rows X, float (n, d)."""
        return np.asarray((X - self.mean) @ self.axes)


def check_blend(euclidean_blend: float | Auto, output_components: int) -> None:
    """Raise LearnerError unless both parameters of a blend are valid."""
    if euclidean_blend != "auto" and not euclidean_blend >= 0:
        raise LearnerError(f"euclidean_blend must be at least 0, it is {euclidean_blend}.")
    if output_components < 1:
        raise LearnerError(f"output_components must be at least 1, it is {output_components}.")


def auto_blend(side: SideInformation, least: float, pairs: float) -> float:
    """Return the weight of the unlearned distance, which falls with the amount of feedback.

    Parameters
    ----------
    side : SideInformation
        Not empty.
    least : float
        Weight in the limit of unlimited feedback.
    pairs : float
        Number of judged pairs at which the weight is one higher; a tagged photo counts as ten pairs.

    Returns
    -------
    float
        ``least + pairs / (judged pairs + 10 tagged photos)`` (measured: ALGORITHMS.md, 1.8).
    """
    feedback = side.absolute()
    return least + pairs / max(
        len(feedback.similar) + len(feedback.dissimilar) + _TAGGED_PAIRS * len(feedback.tagged), 1
    )


def blended(
    A: NDArray[np.float64], variances: NDArray[np.float64], euclidean_blend: float, output_components: int
) -> NDArray[np.float64]:
    """Blend a linear map with the unlearned distance (ALGORITHMS.md, 1.8).

    Parameters
    ----------
    A : ndarray of float64, shape (p, q)
        The learned map: ``|(y - y') A|`` is the learned distance.
    variances : ndarray of float64, shape (p,)
        Variances of the training photos' uncorrelated coordinates.
    euclidean_blend : float, >= 0
        Weight of the unlearned squared distance, when both have the same mean over the training photos.
    output_components : int
        Number of principal axes of the blend to retain.

    Returns
    -------
    ndarray of float64, shape (p, r)
        With ``M = (A A' / m_L + blend I / m_E) / (1 + blend)``, a square root of M on its principal axes: the mean
        squared distance between training photos is 2 before the truncation. Cost: one eigendecomposition of size p.
    """
    return blended_metric(A @ A.T, variances, euclidean_blend, output_components)


def blended_metric(
    M: NDArray[np.float64], variances: NDArray[np.float64], euclidean_blend: float, output_components: int
) -> NDArray[np.float64]:
    """Return `blended` for a map given by ``M = A A'``.

    Parameters
    ----------
    M : ndarray of float64, shape (p, p)
        Symmetric positive semidefinite.
    variances : ndarray of float64, shape (p,)
    euclidean_blend, output_components
        See `blended`.

    Returns
    -------
    ndarray of float64, shape (p, r)
    """
    if variances.sum() <= 0:
        return np.eye(len(M))[:, :output_components]
    M = _mixed(M, variances, euclidean_blend)
    # With X = V diag(variances) V', the axes of M^{1/2} X M^{1/2} can be found without the other root of M from the
    # left: eigenvectors of diag(sd) M diag(sd), mapped back, are M-orthogonal directions of descending variance.
    sd = np.sqrt(variances)
    present = sd > 0
    scaled = M[np.ix_(present, present)] * np.outer(sd[present], sd[present])
    w, V = np.linalg.eigh((scaled + scaled.T) / 2)
    kept = np.flatnonzero(w > _ROUNDING * w[-1])[::-1][:output_components]
    result = np.zeros((len(M), len(kept)))
    result[present] = V[:, kept] * np.sqrt(w[kept]) / sd[present, None]
    return result


def blended_root(M: NDArray[Any], variances: NDArray[np.float64], euclidean_blend: float) -> NDArray[Any]:
    """Return a map with the distances of `blended_metric` before truncation, ten times faster.

    Parameters
    ----------
    M : ndarray of float64 or float32, shape (p, p)
    variances : ndarray of float64, shape (p,)
    euclidean_blend : float
        See `blended_metric`.

    Returns
    -------
    ndarray of float, shape (p, p)
        Same type as M. The Cholesky factor, whose columns are not principal axes; the principal axes if it does not
        exist.
    """
    if euclidean_blend > 0 and variances.sum() > 0:
        with suppress(np.linalg.LinAlgError):
            mixed = _mixed(M, variances, euclidean_blend)
            return cholesky_in_blocks(mixed) if mixed.dtype == np.float32 else np.linalg.cholesky(mixed)
    return blended_metric(M, variances, euclidean_blend, len(M))


def _mixed(M: NDArray[Any], variances: NDArray[np.float64], euclidean_blend: float) -> NDArray[Any]:
    """Combine the metric M and the unlearned one in one matrix (p, p); the mean squared distance is 2."""
    plain, learned = float(variances.sum()), float(variances @ np.diag(M))
    if not learned > 0 or not np.isfinite(learned):
        M, learned = np.eye(len(M)), plain
    mixed = M / (learned * (1 + euclidean_blend))
    mixed[np.diag_indices(len(M))] += euclidean_blend / (plain * (1 + euclidean_blend))
    return np.asarray(mixed)


def is_unit(unit: Unit, dimensions: int) -> bool:
    """Return whether an embedding with this number of dimensions is normalized to length 1.

    A metric shrinks the directions in which the photos of the training set vary, and with them their distance from the
    mean. In many dimensions these photos end up near the mean, close to every photo, and crowd the rankings of photos
    of other kinds. Angles at the mean avoid this. In few dimensions the length carries much of the information, so
    ``"auto"`` normalizes from 16 dimensions on. Measurements: ALGORITHMS.md, 1.8.
    """
    return dimensions >= _MANY_DIMENSIONS if unit == "auto" else unit


def to_unit(Z: NDArray[Any]) -> NDArray[Any]:
    """Scale rows, float (n, r), to length 1 in place; zero rows are unchanged."""
    length = np.sqrt(np.einsum("ij,ij->i", Z, Z))[:, None]
    np.divide(Z, length, out=Z, where=length > 0)
    return Z


def unless_tagged(unit: Unit, side: SideInformation) -> Unit:
    """Return False for ``"auto"`` if there are tags.

    A map that stretches between groups puts photos of other groups near the mean if all groups of the training set are
    known; the length then separates them. Judged pairs name no groups. Measurements: ALGORITHMS.md, 1.8.
    """
    return False if unit == "auto" and len(side.tagged) else unit


class BlendedLearner(EmbeddingMixin, DistanceLearner):
    """Base of the learners whose distance is Euclidean after a linear map of (kernel) principal components."""

    unit: Unit = False
    euclidean_blend: float | Auto
    output_components: int

    unit_: bool

    mean_: NDArray[np.float64]
    axes_: NDArray[np.float64]
    landmarks_: NDArray[np.floating]
    projection_: NDArray[np.float64]
    offset_: NDArray[np.float64]
    gamma_: float

    def _blend(self, side: SideInformation) -> float:  # noqa: ARG002  those that can override this
        """Return the weight of the unlearned distance."""
        if self.euclidean_blend == "auto":
            raise LearnerError(f"{self.title} has no automatic euclidean_blend: give a number.")
        return self.euclidean_blend

    def _finish(
        self,
        start: LinearMap | KernelPCA,
        A: NDArray[np.float64],
        side: SideInformation,
        unit: Unit | None = None,
    ) -> dict[str, Any]:
        """Return the fitted state of a map A (p, q) of the coordinates of `start`; `unit` overrides that of self."""
        output = blended(A, start.variances, self._blend(side), self.output_components)
        length = is_unit(self.unit if unit is None else unit, output.shape[1])
        if isinstance(start, LinearMap):
            return {"mean_": start.mean, "axes_": start.axes @ output, "unit_": length}
        return {
            "unit_": length,
            "landmarks_": start.landmarks,
            "projection_": start.projection @ output,
            "offset_": start.offset @ output,
            "gamma_": start.gamma,
        }

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        Z = self._map_rows(X)
        # Metrics saved by earlier versions lack this attribute.
        return to_unit(Z) if vars(self).get("unit_", False) else Z

    def _add_steps(self, steps: MapSteps, x: int) -> int:
        if "axes_" in vars(self):
            Z = steps.affine(x, self.axes_, centre=self.mean_)
        else:
            Z = self._kernel_map.add_steps(steps, x)
        return steps.unit(Z) if vars(self).get("unit_", False) else Z

    @property
    def _kernel_map(self) -> KernelPCA:
        width = self.projection_.shape[1]
        return KernelPCA(self.landmarks_, self.projection_, self.offset_, np.zeros(width), self.gamma_)

    def _map_rows(self, X: NDArray[Any]) -> NDArray[Any]:
        if "axes_" in vars(self):
            return np.asarray((X - self.mean_.astype(X.dtype)) @ self.axes_.astype(X.dtype))
        start = self._kernel_map
        result = np.empty((len(X), start.n_components), dtype=np.float32)
        # In float64: stretching weak components makes the rounding of a float32 kernel value visible.
        for part in blocks(len(X)):
            result[part] = start.transform(X[part].astype(np.float64))
        return result
