"""What the kernel metrics share: kernel PCA, and the ratio of two scatters in its space."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from learners.base import DistanceLearner, EmbeddingMixin, OnlineMixin
from learners.errors import LearnerError
from learners.kernels import KernelPCA
from learners.linalg import powm
from learners.scatters import BETWEEN, DISSIMILAR, SIMILAR, WITHIN, count_feedback, scatters
from learners.side_information import SideInformation

Auto = Literal["auto"]

COMPONENTS = 600
"""Kernel principal components where ``n_components="auto"``."""

_NOTHING = 1e-10

_RAISED = 10.0
"""Judged pairs and tagged photos: the fewer of them count so many times, up to the weight of the others."""


class KernelLearner(EmbeddingMixin, OnlineMixin, DistanceLearner):
    """What both kernel metrics share: the map, its regularisation, and feedback as sums in the map's space."""

    needs: ClassVar[str] = "judged pairs, or tags that several photos share"

    _ridge_on_both: ClassVar[bool] = False
    """Whether C_D has the ridge too, so that a scatter without news leaves the space as it is."""

    landmarks_: NDArray[np.floating]
    projection_: NDArray[np.float64]
    offset_: NDArray[np.float64]
    variances_: NDArray[np.float64]
    gamma_: float
    A_: NDArray[np.float64]

    def __init__(
        self,
        n_components: int | Auto = "auto",
        ridge: float | Auto = "auto",
        gamma: float | Auto = "auto",
        use_dissimilar: bool = True,
        dissimilar_exponent: float = 0.5,
        similar_prior: float = 3.0,
        dissimilar_prior: float | Auto = "auto",
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
    ) -> None:
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
        return KernelPCA(self.landmarks_, self.projection_, self.offset_, self.variances_, self.gamma_)

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        return self._map.transform(X, self.A_)

    def _fit_map(self, X: NDArray[Any]) -> KernelPCA:
        if self.n_components != "auto" and self.n_components < 1:
            raise LearnerError(f"n_components must be at least 1, it is {self.n_components}.")
        if self.gamma != "auto" and not self.gamma > 0:
            raise LearnerError(f"gamma must be above 0, it is {self.gamma}.")
        return KernelPCA.fit(
            X,
            COMPONENTS if self.n_components == "auto" else self.n_components,
            gamma=None if self.gamma == "auto" else self.gamma,
            exact=self.exact,
            landmarks=self.landmarks,
            seed=self.random_state,
        )

    def _sums(
        self, kernel_map: KernelPCA, X: NDArray[Any], side: SideInformation
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the sums and counts of feedback in the space of the map."""

        def coordinates(rows: NDArray[np.intp]) -> NDArray[np.float64]:
            return np.asarray(kernel_map.transform(X[rows].astype(np.float64)))

        return scatters(coordinates, kernel_map.n_components, side, self.random_state)

    def _require(self, side: SideInformation) -> None:
        """Raise LearnerError if there is nothing to learn from; cheap, before anything is computed."""
        if not count_feedback(side, self.random_state).any():
            raise LearnerError(
                f"{self.title} has nothing to learn from: it needs {self.needs}. "
                "Mark photos as similar or dissimilar, or tag some."
            )

    def _factor(
        self, sums: NDArray[np.float64], counts: NDArray[np.float64], total: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return ``C_S^{-1/2} C_D^{exponent}`` (p, p) with both scatters made of feedback and prior.

        Every scatter is brought to trace 1 first, so that the numbers of pairs alone decide how they are mixed.
        """
        p = len(total)
        ridge = self._ridge(float(counts[[SIMILAR, WITHIN]].sum()))
        judged, tagged = _voices(float(counts[SIMILAR]), float(counts[WITHIN]))
        C_S = _mix([(sums[SIMILAR], judged), (sums[WITHIN], tagged), (total, self.similar_prior)], total)
        A = powm(C_S, -0.5, ridge)
        if not self.use_dissimilar:
            return A
        prior = 2.0 * p if self.dissimilar_prior == "auto" else self.dissimilar_prior
        judged, tagged = _voices(float(counts[DISSIMILAR]), float(counts[BETWEEN]))
        parts = [(sums[DISSIMILAR], judged), (total, prior)]
        if tagged and _spreads(sums[BETWEEN], total):
            # The scatter between tags has few large eigenvalues; its square root weighs the weaker ones up.
            parts.append((powm(sums[BETWEEN], 0.5), tagged))
        if not any(weight > 0 for _, weight in parts):
            return A
        C_D = _mix(parts, total)
        needed = self.dissimilar_exponent < 0 or self._ridge_on_both
        return A @ powm(C_D, self.dissimilar_exponent, ridge if needed else 0.0)

    def _ridge(self, pairs: float) -> float:
        """Return the ridge: the prior makes a small one enough, without it few pairs need a large one."""
        if self.ridge != "auto":
            return self.ridge
        if self.similar_prior > 0:
            return 0.03
        return 1.0 if pairs < 50 else 0.1 if pairs <= 500 else 0.03

    def _output(self, A: NDArray[np.float64], total: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the map (p, r) to the embedding: A blended with Euclidean distance, on principal axes.

        The photos' mean squared distance becomes 2, whatever was learned.
        """
        M = A @ A.T
        learned, plain = float(np.sum(M * total)), float(np.trace(total))
        if learned <= 0 or plain <= 0:
            return np.eye(len(total))[:, : self.output_components]
        M = (M / learned + self.euclidean_blend * np.eye(len(M)) / plain) / (1 + self.euclidean_blend)
        root = powm(M, 0.5)
        _, axes = np.linalg.eigh(root @ total @ root)
        return np.ascontiguousarray(root @ axes[:, ::-1][:, : self.output_components])


def _voices(judged: float, tagged: float) -> tuple[float, float]:
    """Return the weights of judged pairs and of tagged photos: where both speak, the fewer are raised tenfold.

    But never above the others.
    """
    most = max(judged, tagged)
    return min(_RAISED * judged, most), min(_RAISED * tagged, most)


def _spreads(scatter: NDArray[np.float64], total: NDArray[np.float64]) -> bool:
    """Return whether a scatter is more than what rounding leaves of photos that are all equal."""
    return float(np.trace(scatter)) > _NOTHING * float(np.trace(total))


def _mix(parts: list[tuple[NDArray[np.float64], float]], otherwise: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weighted mean of scatters, each brought to trace 1; those without spread or weight do not count."""
    mixed, weights = np.zeros_like(otherwise), 0.0
    for scatter, weight in parts:
        if weight > 0 and _spreads(scatter, otherwise):
            mixed += scatter * (weight / float(np.trace(scatter)))
            weights += weight
    return mixed / weights if weights else otherwise
