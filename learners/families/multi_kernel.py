"""What the learners of one metric a feature family share."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from learners.core.base import DistanceLearner, EmbeddingMixin
from learners.core.errors import LearnerError
from learners.core.feature_space import FeatureFamily
from learners.core.linalg import powm
from learners.core.needs import PAIRS_OR_TAGS
from learners.families.modalities import Modalities

_ROUNDING = 1e-10

_TRUST = 50.0
"""So many judged photos, less the number of their groups, count as much as the distance without learning."""

_RIDGE = 0.03
"""Of the scatter within groups, relative to its mean eigenvalue."""


class MultiKernelLearner(EmbeddingMixin, DistanceLearner):
    """What the learners of one metric a family share: the kernels' coordinates, and the embedding of all families."""

    needs: ClassVar[str] = PAIRS_OR_TAGS
    takes_triplets: ClassVar[bool] = True

    _full: ClassVar[bool] = False
    """Whether the coordinates are the kernel values themselves."""

    groups: tuple[FeatureFamily, ...]
    euclidean_blend: float
    output_components: int

    groups_: tuple[FeatureFamily, ...]
    landmarks_: NDArray[np.floating]
    gammas_: NDArray[np.float64]
    projections_: tuple[NDArray[np.float64], ...]
    offsets_: tuple[NDArray[np.float64], ...]
    covariances_: tuple[NDArray[np.float64], ...]
    mix_: NDArray[np.float64]
    A_: tuple[NDArray[np.float64], ...]
    family_weights_: dict[str, float]

    @property
    def _modalities(self) -> Modalities:
        # Files of earlier versions have no mixtures: each family was a modality.
        mix = vars(self).get("mix_", np.eye(len(self.groups_)))
        return Modalities(self.groups_, self.landmarks_, self.gammas_, self.projections_, self.offsets_, mix)

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate(self._modalities.coordinates(X, self.A_), axis=1)

    def _map_state(self, modalities: Modalities) -> dict[str, Any]:
        return {
            "groups_": modalities.groups,
            "landmarks_": modalities.landmarks,
            "gammas_": modalities.gammas,
            "projections_": modalities.projections,
            "offsets_": modalities.offsets,
            "mix_": modalities.mix,
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
        unlearned = self._unlearned(modalities)
        plain = float(np.mean([np.sum(P * C) for P, C in zip(unlearned, covariances, strict=True)]))
        maps, variances = [], []
        for mu, w, P, C in zip(weights, W, unlearned, covariances, strict=True):
            M = P
            if learned > 0 and plain > 0:
                M = mu * w / learned + self.euclidean_blend / (len(W) * plain) * P
            # As in `learners.core.blend.blended`, with C = R R': the eigenvectors of R' M R, carried back.
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
            "family_weights_": {
                g.name: float(mu) for g, mu in zip(modalities.groups, weights @ modalities.mix, strict=True)
            },
            "A_": tuple(np.ascontiguousarray(A[:, :count]) for A, count in zip(maps, kept, strict=True)),
        }

    def _unlearned(self, modalities: Modalities) -> list[NDArray[np.float64]]:
        """Return the metric (r, r) of every modality's coordinates that is the distance without learning."""
        if not self._full:
            return [np.eye(P.shape[1]) for P in modalities.projections]
        # Kernel values as coordinates: with the inverse kernel their distance is that in the kernel's space.
        return [powm(K, -1.0) for K in modalities.kernels(modalities.landmarks)]

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


def ratio_axes(
    Z: NDArray[np.float64], groups: sp.csr_array, C: NDArray[np.float64], count: int, blend: float = 0.0
) -> NDArray[np.float64]:
    """Return the axes (r, q) in which photos of a group lie close together beside all photos.

    The squared distance along them is the closed form ``S^{-1/2} (S^{-1/2} (C - S) S^{-1/2})_+^{1/2} S^{-1/2}`` of the
    scatter S within groups and the covariance C, mixed with the one without learning: the fewer photos there are in
    groups, the more of the latter.

    Parameters
    ----------
    Z : ndarray of float64, shape (k, r)
        Coordinates of the photos in groups.
    groups : csr_array, shape (k, m)
        0/1: who is in which.
    C : ndarray of float64, shape (r, r)
        Covariance of all photos.
    count : int
        The axes with the largest variances, at most so many.
    blend : float
        Weight of the distance without learning, relative to the other.

    Returns
    -------
    ndarray of float64, shape (r, q)
        Scaled so that the mean squared distance between photos is 1.
    """
    members = np.asarray(groups.sum(axis=0)).ravel()
    free = len(Z) * (1 - len(members) / members.sum()) if len(members) else 0.0
    trust = free / (free + _TRUST)
    plain = np.trace(C) or 1.0
    M = (1 - trust + blend) / plain * np.eye(len(C))
    if free > 0:
        means = (groups.T @ Z) / members[:, None]
        total = np.asarray(groups.sum(axis=1)).ravel()
        S = ((Z * total[:, None]).T @ Z - (means * members[:, None]).T @ means) / members.sum()
        w, V = np.linalg.eigh(S + (_RIDGE * np.trace(S) / len(S) + _ROUNDING * plain) * np.eye(len(S)))
        R = V / np.sqrt(w)
        b, Q = np.linalg.eigh(R.T @ (C - S) @ R)
        R = R @ Q
        learned = (R * np.sqrt(np.maximum(b, 0.0))) @ R.T
        size = float(np.sum(learned * C))
        M = M + trust / size * learned if size > 0 else M
    root, back = _roots(C)
    variance, axes = np.linalg.eigh(root.T @ M @ root)
    variance, axes = variance[::-1][:count], axes[:, ::-1][:, :count]
    kept = variance > _ROUNDING * variance[0]
    kept[0] = True
    variance = np.maximum(variance[kept], 0.0)
    return np.asarray((back @ axes[:, kept]) * np.sqrt(variance / (2 * variance.sum() or 1.0)))
