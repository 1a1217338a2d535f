# SPDX-License-Identifier: MIT
"""Kernels of feature families, separate or mixed, and coordinates in their spaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily, families_of
from focal_photos.learners.core.linalg import blocks, principal_axes, sqd
from focal_photos.learners.core.map_steps import MapSteps

Mode = Literal["kernel-pca", "nystroem", "random", "full"]

_SAMPLE = 1000
_COVARIANCE_ROWS = 10
_EIGENVALUES = 1e-8
_NYSTROEM = 1e-10
_ROUNDING = 1e-12
_ROWS = 2048


def mean_distance(X: NDArray[np.floating], seed: int = 0) -> float:
    """Return the mean distance of photos, float (n, d), in a seeded sample of 1,000; 1 if all are equal."""
    rows = np.arange(len(X))
    if len(X) > _SAMPLE:
        rows = np.random.default_rng(seed).choice(len(X), _SAMPLE, replace=False)
    sample = X[rows].astype(np.float64)
    sample -= sample.mean(axis=0)
    squared = sqd(sample, sample)[np.triu_indices(len(sample), 1)]
    floor = _ROUNDING * float(np.einsum("ij,ij->i", sample, sample).max(initial=0.0))
    squared = squared[squared > floor]
    return float(np.sqrt(squared).mean()) if len(squared) else 1.0


def laplacian_kernel(A: NDArray[np.floating], B: NDArray[np.floating], gamma: float) -> NDArray[np.float64]:
    """Return ``exp(-|a - b| / gamma)`` between rows: float (a, d) and (b, d) give float64 (a, b).

    The distance is not squared.
    """
    centre = B.mean(axis=0, dtype=np.float64)
    K = sqd(A - centre, B - centre)
    np.sqrt(K, out=K)
    K /= -gamma
    kernel: NDArray[np.float64] = np.exp(K, out=K)
    return kernel


@dataclass(frozen=True)
class FamilyKernels:
    """Coordinates of photos in the kernels of feature families: an affine map of the kernel values at landmarks."""

    families: tuple[FeatureFamily, ...]
    landmarks: NDArray[np.floating]
    """Shape (m, d)."""
    gammas: NDArray[np.float64]
    """Widths of the kernels ``exp(-distance / gamma)``: mean distances of the training photos; shape (g,)."""
    projections: tuple[NDArray[np.float64], ...]
    """Shape (m, r)."""
    offsets: tuple[NDArray[np.float64], ...]
    """Coordinates in kernel p are ``k_p(x, landmarks) @ projections[p] + offsets[p]``, scaled so that the mean squared
    distance between training photos is 1; shape (r,)."""
    mix: NDArray[np.float64]
    """Weights of the kernels of the g families in each of the k kernels; the identity if each family has a separate
    kernel; shape (k, g)."""

    @classmethod
    def fit(
        cls,
        X: NDArray[np.floating],
        families: Sequence[FeatureFamily],
        mode: Mode,
        components: int,
        landmarks: int,
        seed: int = 0,
        mix: NDArray[np.float64] | None = None,
    ) -> tuple[FamilyKernels, tuple[NDArray[np.float64], ...]]:
        """Compute widths and coordinates.

        Parameters
        ----------
        X : ndarray of float, shape (n, d)
        families : sequence of FeatureFamily
            Feature families; empty: one of all columns.
        mode : {"kernel-pca", "nystroem", "random", "full"}
            Coordinates: kernel principal components; the Nyström map of the first `components` landmarks; kernel values
            projected with a Gaussian matrix, as printed in the paper; the kernel values themselves.
        components : int
            Maximum number of coordinates of each family.
        landmarks : int
            Maximum number of landmarks: all photos, or a sample drawn with `seed`.
        seed : int
        mix : ndarray of float64, shape (k, g), optional
            See the attribute; by default each family has a separate kernel.

        Returns
        -------
        kernels : FamilyKernels
        covariances : tuple of ndarray of float64, shape (r, r)
            Covariances of the training photos' coordinates.

        Notes
        -----
        Cost for each family of d columns, with m landmarks: N m (d + r) for at most N = 10 m photos, and m^3 for kernel
        principal components.
        """
        if mode not in get_args(Mode):
            raise LearnerError(f"There is no mode {mode!r}; there are: {', '.join(get_args(Mode))}.")
        if components < 1 or landmarks < 1:
            raise LearnerError("components and landmarks must be at least 1.")
        found = families_of(families, X.shape[1])
        order = np.random.default_rng(seed).permutation(len(X))
        chosen = np.arange(len(X)) if len(X) <= landmarks else np.sort(order[:landmarks])
        marks = X[chosen]
        sample = X if len(X) <= landmarks else X[np.sort(order[: _COVARIANCE_ROWS * landmarks])]
        rng = np.random.default_rng(seed)
        gammas = np.array([mean_distance(X[:, family.start : family.stop], seed) for family in found])
        weights = np.eye(len(found)) if mix is None else mix
        projections, offsets, covariances = [], [], []
        for shares in weights:
            kernel = _mixed_kernel(marks, found, gammas, shares)
            projection, offset, covariance = _coordinates(kernel, marks, sample, mode, components, rng)
            projections.append(projection)
            offsets.append(offset)
            covariances.append(covariance)
        return cls(found, marks, gammas, tuple(projections), tuple(offsets), weights), tuple(covariances)

    def coordinates(
        self, X: NDArray[np.floating], maps: Sequence[NDArray[np.float64]] | None = None
    ) -> list[NDArray[np.float64]]:
        """Return the coordinates of photos in every kernel.

        Parameters
        ----------
        X : ndarray of float, shape (n, d)
        maps : sequence of ndarray of float64, shape (r, q), optional
            Matrices by which the coordinates of each kernel are multiplied.

        Returns
        -------
        list of ndarray of float64, shape (n, r) or (n, q)
            One array per kernel. Cost for a family of d columns: n m (d + r), or n m (d + q).
        """
        projections, offsets = list(self.projections), list(self.offsets)
        if maps is not None:
            projections = [P @ A for P, A in zip(projections, maps, strict=True)]
            offsets = [o @ A for o, A in zip(offsets, maps, strict=True)]
        result = [np.empty((len(X), P.shape[1])) for P in projections]
        for p, (shares, P, o) in enumerate(zip(self.mix, projections, offsets, strict=True)):
            if P.shape[1]:
                kernel = _mixed_kernel(self.landmarks, self.families, self.gammas, shares)
                for part in blocks(len(X), _ROWS):
                    result[p][part] = kernel(X[part]) @ P + o
        return result

    def add_steps(self, steps: MapSteps, x: int, maps: Sequence[NDArray[np.float64]]) -> int:
        """Add the steps of `coordinates`, side by side, to a map for other programs; return the number of the result.

        Parameters
        ----------
        steps : MapSteps
        x : int
            Number of the value with the photos, (n, d).
        maps : sequence of ndarray of float64, shape (r, q)
        """
        kernels: dict[int, int] = {}  # one per family, however many mixtures use it

        def kernel(number: int) -> int:
            if number not in kernels:
                family = self.families[number]
                own = steps.columns(x, family.start, family.stop)
                marks = self.landmarks[:, family.start : family.stop]
                kernels[number] = steps.laplacian(own, marks, float(self.gammas[number]))
            return kernels[number]

        parts = []
        for shares, P, o, A in zip(self.mix, self.projections, self.offsets, maps, strict=True):
            if A.shape[1]:
                used = np.flatnonzero(shares)
                mixed = steps.sum([kernel(int(number)) for number in used], shares[used])
                parts.append(steps.affine(mixed, P @ A, offset=o @ A))
        return steps.beside(parts)

    def matrices(self, X: NDArray[np.floating]) -> list[NDArray[np.float64]]:
        """Return the matrix of every kernel between photos, float (n, d): float64 (n, n) each."""
        return [_mixed_kernel(X, self.families, self.gammas, shares)(X) for shares in self.mix]


def _mixed_kernel(
    marks: NDArray[np.floating],
    families: Sequence[FeatureFamily],
    gammas: NDArray[np.float64],
    shares: NDArray[np.float64],
) -> Callable[[NDArray[np.floating]], NDArray[np.float64]]:
    """Return a function that computes the weighted sum of the families' kernels between rows and landmarks."""

    def kernel(rows: NDArray[np.floating]) -> NDArray[np.float64]:
        total = np.zeros((len(rows), len(marks)))
        for family, gamma, share in zip(families, gammas, shares, strict=True):
            if share:
                columns = slice(family.start, family.stop)
                near, far = marks[:, columns].astype(np.float64), rows[:, columns].astype(np.float64)
                total += share * laplacian_kernel(far, near, float(gamma))
        return total

    return kernel


def _coordinates(
    kernel: Callable[[NDArray[np.floating]], NDArray[np.float64]],
    marks: NDArray[np.floating],
    sample: NDArray[np.floating],
    mode: Mode,
    components: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return projection (m, r), offset (r,) and covariance (r, r) of coordinates of mean squared distance 1."""
    root = _root(kernel, marks, mode, components, rng)
    mean, covariance = _moments(kernel, sample, root)
    if mode == "kernel-pca":
        variances, axes = principal_axes(covariance, components, _EIGENVALUES, _ROUNDING)
        if not len(variances):
            variances, axes = np.zeros(1), np.zeros((len(mean), 1))
        root, mean, covariance = root @ axes, mean @ axes, np.diag(variances)
    spread = np.sqrt(2 * np.trace(covariance)) or 1.0
    return root / spread, -mean / spread, covariance / spread**2


def _root(
    kernel: Callable[[NDArray[np.floating]], NDArray[np.float64]],
    marks: NDArray[np.floating],
    mode: Mode,
    components: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return the matrix (m, r) by which kernel values are multiplied."""
    m = len(marks)
    if mode == "full":
        return np.eye(m)
    if mode == "random":
        r = min(components, m)
        return np.asarray(rng.normal(size=(m, r)) / np.sqrt(r))
    used = m if mode == "kernel-pca" else min(components, m)
    values, V = principal_axes(kernel(marks[:used])[:, :used], used, _NYSTROEM)
    root = np.zeros((m, len(values)))
    root[:used] = V / np.sqrt(values)
    return root


def _moments(
    kernel: Callable[[NDArray[np.floating]], NDArray[np.float64]],
    X: NDArray[np.floating],
    root: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean (r,) and the covariance (r, r) of kernel values times the root."""
    # Computed relative to the first photo, so that equal photos have exactly zero covariance.
    first = kernel(X[:1]) @ root
    total, scatter = np.zeros(root.shape[1]), np.zeros((root.shape[1], root.shape[1]))
    for part in blocks(len(X), _ROWS):
        rows = kernel(X[part]) @ root - first
        total += rows.sum(axis=0)
        scatter += rows.T @ rows
    mean = total / len(X)
    return mean + first[0], scatter / len(X) - np.outer(mean, mean)


def neighbor_laplacian(K: NDArray[np.float64], neighbors: int) -> NDArray[np.float64]:
    """Return ``I - D^{-1/2} S D^{-1/2}`` (n, n) of the symmetric graph that joins each photo with its nearest ones.

    Its weights S are entries of the kernel matrix K (n, n). The paper prints ``D^{-1/2} S D^{1/2}`` (eq. 7), a
    misprint: eq. 6 implies the form above (ERRATA.md, X1).
    """
    n = len(K)
    near = K.copy()
    np.fill_diagonal(near, -np.inf)
    S = np.zeros_like(K)
    count = min(neighbors, n - 1)
    if count > 0:
        nearest = np.argpartition(near, -count, axis=1)[:, -count:]
        rows = np.repeat(np.arange(n), count)
        S[rows, nearest.ravel()] = K[rows, nearest.ravel()]
        S = np.maximum(S, S.T)
    inverse = 1 / np.sqrt(np.maximum(S.sum(axis=1), _ROUNDING))
    return np.asarray(np.eye(n) - inverse[:, None] * S * inverse)
