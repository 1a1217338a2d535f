"""Boosted bits over a kernel (Yang et al. 2010, section 4.3)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from learners.boosted.bdm import BoostedMetric
from learners.boosted.rounds import Step
from learners.core.candidate import Candidate, at_least
from learners.core.errors import LearnerError
from learners.core.kernel_map import Auto, check_gamma, fit_kernel_map
from learners.core.kernels import KernelPCA


class BoostedKernelMetric(BoostedMetric):
    """Boosted bits that are linear in kernel principal components, and so curved in the photos' own space.

    Parameters
    ----------
    n_components : int
        Kernel principal components (RBF kernel).
    gamma : float or "auto"
        Of the kernel ``exp(-gamma |x - x'|^2)``; auto: 1 / median squared distance.
    rounds, step, learning_rate, tolerance, euclidean_blend, soft, output_components, prior, dense, pairs_per_photo
        As in `BoostedMetric`.
    exact, landmarks : int
        Up to `exact` photos kernel PCA is exact, above it is a Nyström map of so many `landmarks`.
    random_state : int

    Attributes
    ----------
    landmarks_, projection_, offset_, variances_, gamma_
        The map, see `learners.core.kernels.KernelPCA`.

    Notes
    -----
    The paper expands the functions in the kernel, ``f(x) = sum_i u_i k(x_i, x)`` (section 4.3). Kernel principal
    components span the same functions, and in their coordinates the eigenproblem is well conditioned
    (ALGORITHMS.md, 1.7).
    Cost: that of the map (see `KernelMetric`), then of `BoostedMetric` with `n_components` dimensions.

    References
    ----------
    .. [1] L. Yang et al., IEEE TPAMI 32 (2010) 30-44, section 4.3. doi:10.1109/TPAMI.2008.273
    """

    name: ClassVar[str] = "bdm-kernel"
    title: ClassVar[str] = "Boosted bits over a kernel"
    family: ClassVar[str] = "Boosted"
    summary: ClassVar[str] = "Boosted bits with curved borders, in the space of a kernel"
    source: ClassVar[str] = "Yang et al. 2010"
    candidates: ClassVar[tuple[Candidate, ...]] = (at_least(40, 60, 2, rounds=128, dense=0),)

    landmarks_: NDArray[np.floating]
    projection_: NDArray[np.float64]
    offset_: NDArray[np.float64]
    variances_: NDArray[np.float64]
    gamma_: float

    def __init__(
        self,
        n_components: int = 150,
        gamma: float | Auto = "auto",
        rounds: int = 300,
        step: Step = "paper",
        learning_rate: float = 1.0,
        tolerance: float = 1e-5,
        euclidean_blend: float | Auto = "auto",
        soft: float = 0.0,
        output_components: int = 128,
        prior: float = 30.0,
        dense: int = 4000,
        pairs_per_photo: int = 30,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
    ) -> None:
        super().__init__(
            rounds,
            step,
            learning_rate,
            tolerance,
            euclidean_blend,
            soft,
            output_components,
            prior,
            dense,
            pairs_per_photo,
            random_state,
        )
        self.n_components = n_components
        self.gamma = gamma
        self.exact = exact
        self.landmarks = landmarks

    def _coordinates(self, X: NDArray[Any]) -> NDArray[np.float64]:
        kernel_map = KernelPCA(self.landmarks_, self.projection_, self.offset_, self.variances_, self.gamma_)
        return np.asarray(kernel_map.transform(X.astype(np.float64)))

    def _prepare(self, X: NDArray[Any]) -> dict[str, Any]:
        if self.n_components < 1:
            raise LearnerError(f"n_components must be at least 1, it is {self.n_components}.")
        check_gamma(self.gamma)
        kernel_map = fit_kernel_map(self, X, self.n_components)
        return {
            "landmarks_": kernel_map.landmarks,
            "projection_": kernel_map.projection,
            "offset_": kernel_map.offset,
            "variances_": kernel_map.variances,
            "gamma_": kernel_map.gamma,
        }
