# SPDX-License-Identifier: MIT
"""Kernels and kernel principal components."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.linalg import blocks, principal_axes, sqd
from focal_photos.learners.core.map_steps import MapSteps

Auto = Literal["auto"]
"""Marks a parameter that is determined from the photos."""

MOST_EXACT: Final = 6000
"""Number of photos up to which the kernel of all photos takes minutes: 1.5 GB of matrices."""

_Made = TypeVar("_Made")

_SAMPLE = 1000
_ROWS = 1024
_EIGENVALUES = 1e-8
_NYSTROEM = 1e-6
_ROUNDING = 1e-12
_FEW = 4


def median_squared_distance(X: NDArray[np.floating], seed: int = 0) -> float:
    """Return the median squared distance between two distinct photos of a seeded sample.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
    seed : int
        Seed of the sample of at most 1,000 rows.

    Returns
    -------
    float
        > 0; pairs at distance 0 (copies) are ignored, and the result is 1 if there are no others.
    """
    rows = np.arange(len(X))
    if len(X) > _SAMPLE:
        rows = np.random.default_rng(seed).choice(len(X), _SAMPLE, replace=False)
    sample = X[rows].astype(np.float64)
    sample -= sample.mean(axis=0)
    distances = sqd(sample, sample)[np.triu_indices(len(sample), 1)]
    # The rounding error of a zero distance grows with the squared norms.
    floor = 1e-12 * float(np.einsum("ij,ij->i", sample, sample).max(initial=0.0))
    distances = distances[distances > floor]
    return float(np.median(distances)) if len(distances) else 1.0


def rbf(A: NDArray[np.floating], B: NDArray[np.floating], gamma: float) -> NDArray[np.floating]:
    """Return ``exp(-gamma |a - b|^2)`` for all rows: float A (a, d) and B (b, d) give (a, b) of the same type."""
    # Centring changes no distance and keeps the squared norms and their rounding errors small.
    centre = B.mean(axis=0)
    return _rbf(A - centre, B - centre, gamma)


def _rbf(A: NDArray[np.floating], B: NDArray[np.floating], gamma: float) -> NDArray[np.floating]:
    """Return `rbf` of rows with small norms."""
    K = sqd(A, B)
    K *= -gamma
    kernel: NDArray[np.floating] = np.exp(K, out=K)
    return kernel


@dataclass(frozen=True)
class KernelPCA:
    """Kernel principal components of an RBF kernel, as a fitted map.

    References
    ----------
    .. [1] B. Schölkopf, A. Smola, K.-R. Müller, "Nonlinear component analysis as a kernel eigenvalue problem",
       Neural Computation 10 (1998).
    .. [2] C. Williams, M. Seeger, "Using the Nyström method to speed up kernel machines", NIPS 2000.
    """

    landmarks: NDArray[np.floating]
    """Photos of the kernel columns: all training photos, or a sample of them; shape (m, d)."""
    projection: NDArray[np.float64]
    """Shape (m, p)."""
    offset: NDArray[np.float64]
    """Coordinates of x are ``k(x, landmarks) @ projection + offset``, components by descending variance; shape (p,)."""
    variances: NDArray[np.float64]
    """Variances of the training photos' coordinates, descending; shape (p,)."""
    gamma: float

    @classmethod
    def fit(
        cls,
        X: NDArray[np.floating],
        components: int,
        *,
        gamma: float | None = None,
        exact: int = 2000,
        landmarks: int = 1000,
        seed: int = 0,
    ) -> KernelPCA:
        """Fit the components.

        Parameters
        ----------
        X : ndarray of float, shape (n, d)
        components : int
            Maximum number; directions below 1e-8 of the largest eigenvalue are dropped. If all photos are equal, a
            single component remains, which is 0 everywhere.
        gamma : float, optional
            Default: 1 / median squared distance.
        exact : int
            Up to this number of photos, all are landmarks and the result is exact. Above, the Nyström approximation
            with `landmarks` photos drawn with `seed` is used.
        landmarks : int
        seed : int

        Notes
        -----
        Cost n^2 d + n^3 up to `exact` (2 s for 2,000, 6 s for 3,000), above it n m d + n m^2 + m^3 for m landmarks,
        where at most ``10 m`` photos are used.
        """
        width = 1.0 / median_squared_distance(X, seed) if gamma is None else gamma
        if len(X) <= exact:
            return cls._exact(X, components, width)
        rows = np.random.default_rng(seed).permutation(len(X))[: 10 * landmarks]
        return cls._nystroem(X[np.sort(rows[:landmarks])], X[np.sort(rows)], components, width)

    @classmethod
    def _exact(cls, X: NDArray[np.floating], components: int, gamma: float) -> KernelPCA:
        K = rbf(X.astype(np.float64), X.astype(np.float64), gamma)
        means = K.mean(axis=0)
        total = means.mean()
        centred = K - means[:, None] - means[None, :] + total
        values, V = principal_axes(centred, components, _EIGENVALUES, _ROUNDING * len(X))
        if not len(values):
            return cls._nothing(X, gamma)
        # The query's centred kernel row is k - mean(k) - means + total. As the columns of V sum to 0 (they are
        # orthogonal to the constant vector), only ``k - means`` remains, an affine map of k.
        projection = (V - V.mean(axis=0)) / np.sqrt(values)
        return cls(X, projection, -means @ projection, values / len(X), gamma)

    @classmethod
    def _nystroem(
        cls, landmarks: NDArray[np.floating], X: NDArray[np.floating], components: int, gamma: float
    ) -> KernelPCA:
        chosen = landmarks.astype(np.float64)
        # Twice the requested components: the dropped ones are far below the last of these.
        values, V = principal_axes(rbf(chosen, chosen, gamma), 2 * components, _NYSTROEM)
        root = V / np.sqrt(values)  # k @ root has the inner product K_mm^{-1}, as k @ K_mm^{-1/2} has
        total = np.zeros(len(chosen))
        products = np.zeros((len(chosen), len(chosen)))
        for part in blocks(len(X), _ROWS):
            K = rbf(X[part].astype(np.float64), chosen, gamma)
            total += K.sum(axis=0)
            products += K.T @ K
        # Of the features k @ root; computing their scatter from that of the kernel rows is half the work.
        mean = total @ root / len(X)
        centred = root.T @ (products / len(X)) @ root - np.outer(mean, mean)
        variances, axes = principal_axes(centred, components, _EIGENVALUES, _ROUNDING)
        if not len(variances):
            return cls._nothing(landmarks, gamma)
        return cls(landmarks, root @ axes, -mean @ axes, variances, gamma)

    @classmethod
    def _nothing(cls, landmarks: NDArray[np.floating], gamma: float) -> KernelPCA:
        """Return the map for photos that are all equal: one zero component."""
        return cls(landmarks[:1], np.zeros((1, 1)), np.zeros(1), np.zeros(1), gamma)

    @property
    def n_components(self) -> int:
        """Number of components p."""
        return int(self.projection.shape[1])

    def first(self, components: int) -> KernelPCA:
        """Return the map to the first `components` components, or all if there are fewer."""
        return KernelPCA(
            self.landmarks,
            np.ascontiguousarray(self.projection[:, :components]),
            self.offset[:components],
            self.variances[:components],
            self.gamma,
        )

    def transform(self, X: NDArray[np.floating], A: NDArray[np.float64] | None = None) -> NDArray[np.floating]:
        """Return coordinates, or ``coordinates @ A``, in the precision of X.

        Parameters
        ----------
        X : ndarray of float, shape (n, d)
        A : ndarray of float64, shape (q, r), optional
            Applied to the first q components and folded into the projection: one matrix product per block of photos.

        Returns
        -------
        ndarray of float, shape (n, r)
            Same type as X. float32 rows are processed in float32: 100,000 of 250 with 1,000 landmarks take 2-3 s.
        """
        projection, offset = self.projection, self.offset
        if A is not None:
            projection, offset = projection[:, : len(A)] @ A, offset[: len(A)] @ A
        precision = X.dtype if X.dtype == np.float32 else np.dtype(np.float64)
        projection = projection.astype(precision, copy=False)
        if precision == np.float32:
            landmarks = self.landmarks.astype(precision, copy=False)
            centre = landmarks.mean(axis=0)
            landmarks = landmarks - centre
        else:
            centre, landmarks = self._around_centre
        result = np.empty((len(X), projection.shape[1]), dtype=precision)
        for part in blocks(len(X), 2048):
            kernel = _rbf(X[part] - centre, landmarks, self.gamma)
            # For a few photos, row-by-row products are faster, as nothing is packed.
            result[part] = kernel @ projection if len(kernel) > _FEW else [row @ projection for row in kernel]
            result[part] += offset
        return result

    def add_steps(self, steps: MapSteps, x: int, A: NDArray[np.float64] | None = None) -> int:
        """Add the steps of `transform` to a map for other programs; return the number of the result."""
        projection, offset = self.projection, self.offset
        if A is not None:
            projection, offset = projection[:, : len(A)] @ A, offset[: len(A)] @ A
        return steps.affine(steps.rbf(x, self.landmarks, float(self.gamma)), projection, offset=offset)

    @cached_property
    def _around_centre(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean of the landmarks, and the centred landmarks; cached, as computing them dominates for a few photos."""
        landmarks = self.landmarks.astype(np.float64)
        centre = landmarks.mean(axis=0)
        return centre, landmarks - centre


class KernelParameters(Protocol):
    """Parameters of a learner on kernel principal components; see `KernelPCA.fit`."""

    gamma: float | Auto
    exact: int
    landmarks: int
    random_state: int


def check_gamma(gamma: float | Auto) -> None:
    """Raise LearnerError unless gamma is "auto" or above 0."""
    if gamma != "auto" and not gamma > 0:
        raise LearnerError(f"gamma must be above 0, it is {gamma}.")


def fit_kernel_map(learner: KernelParameters, X: NDArray[np.floating], components: int) -> KernelPCA:
    """Fit the kernel principal components of photos with a learner's parameters.

    Parameters
    ----------
    learner : KernelParameters
    X : ndarray of float, shape (n, d)
    components : int
        Maximum number of components.
    """

    def fit(components: int) -> KernelPCA:
        return KernelPCA.fit(
            X,
            components,
            gamma=None if learner.gamma == "auto" else learner.gamma,
            exact=learner.exact,
            landmarks=learner.landmarks,
            seed=learner.random_state,
        )

    if len(X) <= learner.exact:
        # All components are computed in any case, and a smaller map consists of the first ones.
        key: tuple[object, ...] = ("exact", learner.gamma, learner.random_state)
        most = len(X)
    else:
        # With at least half as many components as landmarks, all directions of the landmarks are computed in any case.
        most = learner.landmarks if 2 * components >= learner.landmarks else components
        key = ("landmarks", most, learner.gamma, learner.landmarks, learner.random_state)
    if _SHARED.get() is None:
        return fit(components)
    kernel_map = shared(key, (X,), lambda: fit(most))
    return kernel_map if kernel_map.n_components <= components else kernel_map.first(components)


_SHARED: ContextVar[dict[tuple[object, ...], tuple[tuple[object, ...], object]] | None] = ContextVar(
    "what is shared", default=None
)


def shared(key: tuple[object, ...], of: tuple[object, ...], make: Callable[[], _Made]) -> _Made:
    """Return the value of `make`, computed once per key and objects within `shared_maps`, each time outside.

    Parameters
    ----------
    key : tuple
        Kind of the value, and the parameters that it depends on.
    of : tuple
        Objects that it is computed from, compared by identity; they must not change.
    make : callable
        Returns an equal value on each call.
    """
    shared = _SHARED.get()
    if shared is None:
        return make()
    # References to the objects are stored as well, so that no new object gets their address.
    full = (*key, *map(id, of))
    if full not in shared:
        shared[full] = (of, make())
    return cast("_Made", shared[full][1])


@contextmanager
def shared_maps(maps: dict[tuple[object, ...], tuple[tuple[object, ...], object]] | None = None) -> Iterator[None]:
    """Fit the map of the same photos (the same array, which must not change) with the same parameters only once.

    The map does not depend on the side information, so it is the same for all folds of a set of photos and for learners
    that differ in other parameters. Applies to the current thread while the outermost context lasts.

    Parameters
    ----------
    maps : dict, optional
        Cache of the maps, to be shared by several contexts; a new one by default.
    """
    if _SHARED.get() is not None:
        yield
        return
    token = _SHARED.set({} if maps is None else maps)
    try:
        yield
    finally:
        _SHARED.reset(token)
