"""What both forms of online multi-modal learning share: steps of every family's metric, and weights of the families."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from learners.core.base import ProgressReport
from learners.core.blend import check_blend
from learners.core.errors import LearnerError
from learners.core.side_information import SideInformation
from learners.core.triplet_learner import TripletLearner
from learners.families.modalities import Modalities, neighbor_laplacian
from learners.families.multi_kernel import MultiKernelLearner
from learners.families.passive_aggressive import lazy_steps

_CHUNK = 20
"""Projections between two reports of progress."""

_TRUST = 50.0
"""Triplets that every family is credited with in advance, half of them wrong: one mistake must not silence it."""


class OnlineMultiModal(TripletLearner, MultiKernelLearner):
    """What both forms share: steps of every family's metric, and weights of the families."""

    follows_judgements: ClassVar[bool] = True

    C1: float
    C2: float
    margin: float
    kappa: float
    neighbors: int
    epochs: int
    project_every: int

    W_: tuple[NDArray[np.float64], ...]
    G_: tuple[NDArray[np.float64], ...]
    errors_: NDArray[np.float64]
    seen_: int

    @abstractmethod
    def _map(
        self, X: NDArray[Any], side: SideInformation, found: NDArray[np.intp]
    ) -> tuple[Modalities, tuple[NDArray[np.float64], ...]]:
        """Return the modalities of the samples (n, d), and the covariance of each in its coordinates."""

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        check_blend(self.euclidean_blend, self.output_components)
        if not self.C2 > 0 or not self.C1 >= 0 or not self.kappa >= 0 or min(self.project_every, self.epochs) < 1:
            raise LearnerError("C2 must be above 0, C1 and kappa at least 0, project_every and epochs at least 1.")
        found = self._triplets(side_information, len(X))
        modalities, covariances = self._map(X, side_information, found)
        report(0.3)
        W = tuple(np.eye(len(covariance)) for covariance in covariances)
        G = self._regulariser(modalities, X) if self.C1 else ()
        errors, seen = np.zeros(len(W)), 0
        rows, place = np.unique(found, return_inverse=True)
        coordinates = modalities.coordinates(X[rows])
        report(0.5)
        place = place.reshape(found.shape)
        chunk = _CHUNK * self.project_every
        total = len(found) * self.epochs
        rng = np.random.default_rng(self.random_state)
        for epoch in range(self.epochs):
            for start in range(0, len(place), chunk):
                part = place[start : start + chunk]
                W, wrong = self._step(W, G, coordinates, part, self._largest_at_first())
                # A triplet that was learned before says nothing about how well a family does on new ones.
                if epoch == 0:
                    errors, seen = errors + wrong, seen + len(part)
                report(0.5 + 0.4 * (epoch * len(place) + start + len(part)) / total)
            place = place[rng.permutation(len(place))]
        return (
            self._map_state(modalities)
            | {"covariances_": covariances, "W_": W, "G_": G, "errors_": errors, "seen_": seen}
            | self._solve(modalities, covariances, W, errors, seen)
        )

    def _move(self, samples: NDArray[Any], found: NDArray[np.intp], report: ProgressReport) -> dict[str, Any]:
        coordinates = self._modalities.coordinates(samples)
        report(0.3)
        W, wrong = self._step(self.W_, self.G_, coordinates, found, self.C2)
        report(0.6)
        errors, seen = self.errors_ + wrong, self.seen_ + len(found)
        moved = {"W_": W, "errors_": errors, "seen_": seen}
        return moved | self._solve(self._modalities, self.covariances_, W, errors, seen)

    def _largest_at_first(self) -> float:
        """Return the largest step in `fit`."""
        return self.C2

    def _step(
        self,
        W: tuple[NDArray[np.float64], ...],
        G: tuple[NDArray[np.float64], ...],
        coordinates: list[NDArray[np.float64]],
        found: NDArray[np.intp],
        largest: float,
    ) -> tuple[tuple[NDArray[np.float64], ...], NDArray[np.float64]]:
        i, j, k = found.T
        moved, wrong = lazy_steps(
            W,
            [Z[i] - Z[j] for Z in coordinates],
            [Z[i] - Z[k] for Z in coordinates],
            self.project_every,
            largest,
            self.C1,
            G,
            self.margin,
        )
        return tuple(moved), wrong

    def _regulariser(self, modalities: Modalities, X: NDArray[Any]) -> tuple[NDArray[np.float64], ...]:
        """Return ``K L K`` in the coordinates of each family, scaled to spectral norm 1."""
        result = []
        rows = np.sort(np.random.default_rng(self.random_state).permutation(len(X))[: len(modalities.landmarks)])
        for K, Z in zip(modalities.kernels(X[rows]), modalities.coordinates(X[rows]), strict=True):
            L = neighbor_laplacian(K, self.neighbors)
            G = Z.T @ L @ Z
            result.append(G / (np.linalg.norm(G, 2) or 1.0))
        return tuple(result)

    def _solve(
        self,
        modalities: Modalities,
        covariances: tuple[NDArray[np.float64], ...],
        W: tuple[NDArray[np.float64], ...],
        errors: NDArray[np.float64],
        seen: int,
    ) -> dict[str, Any]:
        return self._output(modalities, covariances, W, self._shares(errors, seen))

    def _shares(self, errors: NDArray[np.float64], seen: int) -> NDArray[np.float64]:
        """Return weights, which add up to 1, from how many triplets of all seen were wrong."""
        share = (errors + _TRUST / 2) / (seen + _TRUST)
        weights = np.exp(-self.kappa * (share - share.min()))
        return np.asarray(weights / weights.sum())
