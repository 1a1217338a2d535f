"""What the learners of one metric a feature family share."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from learners.base import DistanceLearner, EmbeddingMixin
from learners.blend import nothing_to_learn
from learners.errors import LearnerError
from learners.feature_space import ColumnGroup
from learners.modalities import Modalities

_NEEDS = "judged pairs, or tags that several photos share"
_ROUNDING = 1e-10


class MultiKernelLearner(EmbeddingMixin, DistanceLearner):
    """What the learners of one metric a family share: the kernels' coordinates, and the embedding of all families."""

    needs: ClassVar[str] = _NEEDS

    groups: tuple[ColumnGroup, ...]
    euclidean_blend: float
    output_components: int

    groups_: tuple[ColumnGroup, ...]
    landmarks_: NDArray[np.floating]
    gammas_: NDArray[np.float64]
    projections_: tuple[NDArray[np.float64], ...]
    offsets_: tuple[NDArray[np.float64], ...]
    covariances_: tuple[NDArray[np.float64], ...]
    A_: tuple[NDArray[np.float64], ...]
    family_weights_: dict[str, float]

    @property
    def _modalities(self) -> Modalities:
        return Modalities(self.groups_, self.landmarks_, self.gammas_, self.projections_, self.offsets_)

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate(self._modalities.coordinates(X, self.A_), axis=1)

    def _map_state(self, modalities: Modalities) -> dict[str, Any]:
        return {
            "groups_": modalities.groups,
            "landmarks_": modalities.landmarks,
            "gammas_": modalities.gammas,
            "projections_": modalities.projections,
            "offsets_": modalities.offsets,
        }

    def _output(
        self,
        modalities: Modalities,
        covariances: tuple[NDArray[np.float64], ...],
        W: tuple[NDArray[np.float64], ...],
        weights: NDArray[np.float64],
    ) -> dict[str, Any]:
        """Return the families' weights and their maps to the embedding, ``sqrt(mu_p) W_p^{1/2}`` on principal axes.

        The blend takes every family's unlearned distance in with the same weight. Of the principal axes of all families
        those with the largest variances are kept.
        """
        learned = sum(mu * float(np.sum(w * C)) for mu, w, C in zip(weights, W, covariances, strict=True))
        plain = float(np.mean([np.trace(C) for C in covariances]))
        maps, variances = [], []
        for mu, w, C in zip(weights, W, covariances, strict=True):
            M = np.eye(len(w))
            if learned > 0 and plain > 0:
                M = mu * w / learned + self.euclidean_blend / (len(W) * plain) * M
            # As in `learners.blend.blended`, with C = R R': the eigenvectors of R' M R, carried back.
            R, back = _roots(C)
            variance, axes = np.linalg.eigh(R.T @ (M / (1 + self.euclidean_blend)) @ R)
            variance = np.maximum(variance, 0.0)
            maps.append((back @ (axes * np.sqrt(variance)))[:, ::-1])
            variances.append(variance[::-1])
        together = np.sort(np.concatenate(variances))[::-1]
        least = max(together[: self.output_components][-1], _ROUNDING * together[0])
        # At least one axis of the first family: an embedding without any axis has no distances.
        kept = [max(int((v >= least).sum()), int(p == 0)) for p, v in enumerate(variances)]
        return {
            "family_weights_": {g.name: float(mu) for g, mu in zip(modalities.groups, weights, strict=True)},
            "A_": tuple(np.ascontiguousarray(A[:, :count]) for A, count in zip(maps, kept, strict=True)),
        }

    def _nothing(self, why: str = "") -> LearnerError:
        return nothing_to_learn(self, why)

    def _require_few(self, n: int, limit: int) -> None:
        if n > limit:
            raise LearnerError(
                f"{self.title} takes at most {limit} photos, here are {n}: use 'omdl-lr', which learns the same in a "
                "few coordinates."
            )


def _roots(C: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return R and its inverse's transpose on the span of C, ``C = R R'``: (r, q) each, q the rank of C.

    Coordinates of kernel principal components are uncorrelated, which saves an eigendecomposition.
    """
    w = np.diag(C).copy()
    V = np.eye(len(C))
    if np.count_nonzero(C - np.diag(w)):
        w, V = np.linalg.eigh(C)
    kept = w > _ROUNDING * w.max()
    if not kept.any():
        return V[:, :1], V[:, :1]
    return V[:, kept] * np.sqrt(w[kept]), V[:, kept] / np.sqrt(w[kept])
