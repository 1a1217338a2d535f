# SPDX-License-Identifier: MIT
"""Base of the kernel metrics: kernel PCA and the ratio of two scatters in its space."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.groups import rows_of
from focal_photos.learners.core.inputs.samples import as_samples
from focal_photos.learners.core.kernels import Auto as Auto
from focal_photos.learners.core.kernels import KernelPCA, check_gamma, fit_kernel_map
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin, OnlineMixin
from focal_photos.learners.core.learner.blend import Unit, blended_metric, to_unit
from focal_photos.learners.core.linalg import powm
from focal_photos.learners.core.map_steps import MapSteps
from focal_photos.learners.core.scatters import BETWEEN, DISSIMILAR, SIMILAR, WITHIN, scatters
from focal_photos.learners.core.side_information import SideInformation

COMPONENTS = 600
"""Kernel principal components if ``n_components="auto"``."""

NOTHING = 1e-10

_RAISED = 10.0
"""The fewer of judged pairs and tagged photos count this number of times, up to the weight of the others."""


class KernelLearner(EmbeddingMixin, OnlineMixin, DistanceLearner):
    """Base of both kernel metrics: the map, its regularization, and sums of feedback in the map's space."""

    _stepwise: ClassVar[bool] = False
    """Whether batches of few pairs are learned one after the other and the metrics are multiplied.

    C_D then has the ridge too, so that an uninformative scatter leaves the space unchanged, and the steps are cautious.
    """

    landmarks_: NDArray[np.floating]
    projection_: NDArray[np.float64]
    offset_: NDArray[np.float64]
    variances_: NDArray[np.float64]
    gamma_: float
    A_: NDArray[np.float64]
    unit_: bool
    _known_map: KernelPCA | None = None
    """The map, cached between judgements."""

    def __init__(
        self,
        n_components: int | Auto = "auto",
        ridge: float | Auto = "auto",
        gamma: float | Auto = "auto",
        use_dissimilar: bool = True,
        dissimilar_exponent: float = 0.5,
        similar_prior: float = 1.0,
        dissimilar_prior: float | Auto = "auto",
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        self.unit = unit
        self.n_components = n_components
        self.ridge = ridge
        self.gamma = gamma
        self.use_dissimilar = use_dissimilar
        self.dissimilar_exponent = dissimilar_exponent
        self.similar_prior = similar_prior
        self.dissimilar_prior = dissimilar_prior
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.exact = exact
        self.landmarks = landmarks
        self.random_state = random_state

    @property
    def _map(self) -> KernelPCA:
        known = self._known_map
        if known is not None and known.landmarks is self.landmarks_ and known.projection is self.projection_:
            return known
        return KernelPCA(self.landmarks_, self.projection_, self.offset_, self.variances_, self.gamma_)

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        Z = self._map.transform(X, self.A_)
        # Metrics saved by earlier versions lack this attribute.
        return to_unit(Z) if vars(self).get("unit_", False) else Z

    def _add_steps(self, steps: MapSteps, x: int) -> int:
        Z = self._map.add_steps(steps, x, self.A_)
        return steps.unit(Z) if vars(self).get("unit_", False) else Z

    def _fit_map(self, X: NDArray[Any]) -> KernelPCA:
        if self.n_components != "auto" and self.n_components < 1:
            raise LearnerError(f"n_components must be at least 1, it is {self.n_components}.")
        check_gamma(self.gamma)
        return fit_kernel_map(self, X, COMPONENTS if self.n_components == "auto" else self.n_components)

    def _named(self, X: NDArray[Any], side: SideInformation) -> tuple[NDArray[Any], SideInformation]:
        """Return the validated photos of the feedback, and the feedback renumbered to them."""
        judged = np.concatenate([side.similar, side.dissimilar])
        if side.tags is not None or not len(judged):
            return as_samples(X, features=self.n_features_in_), side
        samples, place = rows_of(X, judged, self.n_features_in_)
        return samples, SideInformation(place[: len(side.similar)], place[len(side.similar) :])

    def _sums(
        self, kernel_map: KernelPCA, X: NDArray[Any], side: SideInformation
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the sums and counts of feedback in the space of the map."""

        def coordinates(rows: NDArray[np.intp]) -> NDArray[np.float64]:
            return np.asarray(kernel_map.transform(X[rows].astype(np.float64)))

        return scatters(coordinates, kernel_map.n_components, side, self.random_state)

    def _factor(
        self, sums: NDArray[np.float64], counts: NDArray[np.float64], total: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return ``C_S^{-1/2} C_D^{exponent}`` (p, p), or with many pairs a power of C_S down to -1.

        The scatter of all photos, `total`, and the priors are (p, p), or (p,) if diagonal.
        """
        C_S, C_D, ridge = self._scatters(sums, counts, total)
        A = powm(C_S, self._similar_exponent(counts, len(total)), ridge)
        return A if C_D is None else A @ powm(C_D, self.dissimilar_exponent, ridge if self._ridged else 0.0)

    @property
    def _ridged(self) -> bool:
        """Whether C_D also has the ridge."""
        return self.dissimilar_exponent < 0 or self._stepwise

    def _scatters(
        self, sums: NDArray[np.float64], counts: NDArray[np.float64], total: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None, float]:
        """Return C_S, C_D (None if unknown) and the relative ridge, mixing scatters normalized to trace 1."""
        ridge = self._ridge(float(counts[[SIMILAR, WITHIN]].sum()))
        alike, apart = self._priors(counts, total, ridge)
        judged, tagged = voices(float(counts[SIMILAR]), float(counts[WITHIN]))
        C_S = mix([(sums[SIMILAR], judged), (sums[WITHIN], tagged), (alike, self.similar_prior)], total)
        root = None
        if self.use_dissimilar and counts[BETWEEN] and spreads(sums[BETWEEN], total):
            root = powm(sums[BETWEEN], 0.5)
        return C_S, self._between(sums, counts, total, apart, root), ridge

    def _priors(
        self,
        counts: NDArray[np.float64],  # noqa: ARG002  those that can override this
        total: NDArray[np.float64],
        ridge: float,  # noqa: ARG002
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the priors of C_S and C_D, each (p, p) or (p,)."""
        return total, total

    def _between(
        self,
        sums: NDArray[np.float64],
        counts: NDArray[np.float64],
        total: NDArray[np.float64],
        prior: NDArray[np.float64],
        root: NDArray[np.float64] | None,
        precision: type[np.floating] = np.float64,
    ) -> NDArray[Any] | None:
        """Return C_D (p, p) of type `precision`; None if unknown.

        The scatter between tags has few large eigenvalues; its square `root` gives the smaller ones more weight.
        """
        parts = [(prior, self._dissimilar_prior(sums, counts, total))]
        if self.use_dissimilar:
            judged, tagged = voices(float(counts[DISSIMILAR]), float(counts[BETWEEN]))
            parts.append((sums[DISSIMILAR], judged))
            if root is not None:
                parts.append((root, tagged))
        return mix(parts, total, precision) if any(weight > 0 for _, weight in parts) else None

    def _dissimilar_prior(
        self, sums: NDArray[np.float64], counts: NDArray[np.float64], total: NDArray[np.float64]
    ) -> float:
        """Return the number of dissimilar pairs that the scatter of all photos counts for.

        Photos shown together are nearer than random pairs, so C_S is the scatter of near pairs. Compared with random
        pairs, the metric would stretch the directions that distinguish far from near.
        """
        if self.dissimilar_prior != "auto":
            return self.dissimilar_prior
        p, judged, all_photos = len(total), float(counts[DISSIMILAR]), _trace(total)
        if not judged or all_photos <= 0:
            return 2.0 * p
        spread = float(np.trace(sums[DISSIMILAR])) / (2 * judged * all_photos)
        return p * max(2.0 * min(spread, 1.0) ** 6, 1 / 2 if self._stepwise else 1 / 6)

    def _similar_exponent(self, counts: NDArray[np.float64], p: int) -> float:
        """Return the power of C_S: -1/2, and with priors up to -1 as judged pairs outnumber the directions."""
        if self._stepwise or not self.similar_prior > 0:
            return -0.5
        judged = float(counts[SIMILAR])
        return -0.5 - 0.5 * judged / (judged + 2 * p)

    def _ridge(self, pairs: float) -> float:
        """Return the ridge: with the prior a small one suffices, without it few pairs need a large one."""
        if self.ridge != "auto":
            return self.ridge
        if self.similar_prior > 0:
            return 0.03
        return 1.0 if pairs < 50 else 0.1 if pairs <= 500 else 0.03

    def _output(self, M: NDArray[np.float64], variances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the map (p, r) to the embedding: M blended with Euclidean distance, on principal axes."""
        return np.ascontiguousarray(blended_metric(M, variances, self.euclidean_blend, self.output_components))


def voices(judged: float, tagged: float) -> tuple[float, float]:
    """Return the weights of judged pairs and tagged photos: the fewer count tenfold, up to the weight of the others."""
    most = max(judged, tagged)
    return min(_RAISED * judged, most), min(_RAISED * tagged, most)


def spreads(scatter: NDArray[np.float64], total: NDArray[np.float64]) -> bool:
    """Return whether a scatter exceeds the rounding errors of equal photos.

    The scatter and `total`, that of all photos, are (p, p), or (p,) if diagonal.
    """
    return _trace(scatter) > NOTHING * _trace(total)


def mix(
    parts: list[tuple[NDArray[np.float64], float]],
    otherwise: NDArray[np.float64],
    precision: type[np.floating] = np.float64,
) -> NDArray[Any]:
    """Return the weighted mean of scatters normalized to trace 1; those without spread or weight are skipped.

    Scatters are float64 (p, p), or (p,) if diagonal; the mean is of type `precision`.
    """
    heard = [(scatter, weight) for scatter, weight in parts if weight > 0 and spreads(scatter, otherwise)]
    if not heard:
        return (np.diag(otherwise) if otherwise.ndim == 1 else otherwise).astype(precision, copy=False)
    total = sum(weight for _, weight in heard)
    shares = [(scatter, weight / total / _trace(scatter)) for scatter, weight in heard]
    full = [(scatter, share) for scatter, share in shares if scatter.ndim == 2]
    mixed = full[0][0].astype(precision) if full else np.zeros((len(otherwise), len(otherwise)), precision)
    if full:
        mixed *= full[0][1]
    for scatter, share in full[1:]:
        mixed += np.multiply(scatter, share, dtype=precision, casting="same_kind")
    diagonal = np.einsum("ii->i", mixed)  # a view
    for scatter, share in shares:
        if scatter.ndim == 1:
            diagonal += scatter * share
    return mixed


def _trace(scatter: NDArray[np.float64]) -> float:
    return float(scatter.sum() if scatter.ndim == 1 else np.trace(scatter))
