# SPDX-License-Identifier: MIT
"""Base of the learners with one metric per feature family."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.kernels import Auto
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin
from focal_photos.learners.core.linalg import powm
from focal_photos.learners.core.map_steps import MapSteps
from focal_photos.learners.families.family_kernels import FamilyKernels

_ROUNDING = 1e-10


class FamilyMetricLearner(EmbeddingMixin, DistanceLearner):
    """Base of the learners with one metric per family: the kernels' coordinates, and the embedding of all families."""

    takes_triplets: ClassVar[bool] = True

    _full: ClassVar[bool] = False
    """Whether the coordinates are the kernel values themselves."""

    families: tuple[FeatureFamily, ...]
    euclidean_blend: float | Auto
    output_components: int

    families_: tuple[FeatureFamily, ...]
    landmarks_: NDArray[np.floating]
    gammas_: NDArray[np.float64]
    projections_: tuple[NDArray[np.float64], ...]
    offsets_: tuple[NDArray[np.float64], ...]
    covariances_: tuple[NDArray[np.float64], ...]
    mix_: NDArray[np.float64]
    A_: tuple[NDArray[np.float64], ...]
    family_weights_: dict[str, float]

    @property
    def _family_kernels(self) -> FamilyKernels:
        # Files of earlier versions have no mixtures: each family had a separate kernel.
        mix = vars(self).get("mix_", np.eye(len(self.families_)))
        return FamilyKernels(self.families_, self.landmarks_, self.gammas_, self.projections_, self.offsets_, mix)

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate(self._family_kernels.coordinates(X, self.A_), axis=1)

    def _add_steps(self, steps: MapSteps, x: int) -> int:
        return self._family_kernels.add_steps(steps, x, self.A_)

    def _map_state(self, kernels: FamilyKernels) -> dict[str, Any]:
        return {
            "families_": kernels.families,
            "landmarks_": kernels.landmarks,
            "gammas_": kernels.gammas,
            "projections_": kernels.projections,
            "offsets_": kernels.offsets,
            "mix_": kernels.mix,
        }

    def _output(
        self,
        kernels: FamilyKernels,
        covariances: tuple[NDArray[np.float64], ...],
        W: tuple[NDArray[np.float64], ...],
        weights: NDArray[np.float64],
        blend: float,
    ) -> dict[str, Any]:
        """Return the families' weights and their maps to the embedding, ``sqrt(mu_p) W_p^{1/2}`` on principal axes.

        The blend includes every family's unlearned distance with equal weight. Of the principal axes of all families,
        those with the largest variances are retained.
        """
        learned = sum(mu * float(np.sum(w * C)) for mu, w, C in zip(weights, W, covariances, strict=True))
        unlearned = self._unlearned(kernels)
        plain = float(np.mean([np.sum(P * C) for P, C in zip(unlearned, covariances, strict=True)]))
        maps, variances = [], []
        for mu, w, P, C in zip(weights, W, unlearned, covariances, strict=True):
            M = P
            if learned > 0 and plain > 0:
                M = mu * w / learned + blend / (len(W) * plain) * P
            # As in `learners.core.learner.blend.blended`, with C = R R': the eigenvectors of R' M R, mapped back.
            R, back = span_roots(C)
            variance, axes = np.linalg.eigh(R.T @ (M / (1 + blend)) @ R)
            variance = np.maximum(variance, 0.0)
            maps.append((back @ (axes * np.sqrt(variance)))[:, ::-1])
            variances.append(variance[::-1])
        together = np.sort(np.concatenate(variances))[::-1]
        least = max(together[: self.output_components][-1], _ROUNDING * together[0])
        # At least one axis of the first family, because an embedding without axes has no distances.
        counts = [max(int((v >= least).sum()), int(p == 0)) for p, v in enumerate(variances)]
        return {
            "family_weights_": {
                family.name: float(mu) for family, mu in zip(kernels.families, weights @ kernels.mix, strict=True)
            },
            "A_": tuple(np.ascontiguousarray(A[:, :count]) for A, count in zip(maps, counts, strict=True)),
        }

    def _unlearned(self, kernels: FamilyKernels) -> list[NDArray[np.float64]]:
        """Return the metric (r, r) of every kernel's coordinates that gives the unlearned distance."""
        if not self._full:
            return [np.eye(P.shape[1]) for P in kernels.projections]
        # Kernel values as coordinates: with the inverse kernel, their distance is that in the kernel's space.
        return [powm(K, -1.0) for K in kernels.matrices(kernels.landmarks)]

    def _require_few(self, n: int, limit: int) -> None:
        if n > limit:
            raise LearnerError(
                f"{self.title} takes at most {limit} photos, not {n}: use 'omdl-lr', which learns the same in a "
                "few coordinates."
            )


def span_roots(C: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return R and its inverse's transpose on the span of C, ``C = R R'``, both float64 (r, q) with q the rank of C.

    Coordinates of kernel principal components are uncorrelated, which saves an eigendecomposition.
    """
    w = np.diag(C).copy()
    V = np.eye(len(C))
    if np.count_nonzero(C - np.diag(w)):
        w, V = np.linalg.eigh(C)
    large = w > _ROUNDING * w.max()
    if not large.any():
        return V[:, :1], V[:, :1]
    return V[:, large] * np.sqrt(w[large]), V[:, large] / np.sqrt(w[large])
