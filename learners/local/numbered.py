# SPDX-License-Identifier: MIT
"""Local distances as an ordinary learner: photos are numbers, and their patches were compared in advance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.local.calibration import find_relatives
from focal_photos.learners.local.local_distance import rescaling
from focal_photos.learners.local.local_distances import LocalDistances


class ComparedPatches:
    """Elementary distances between n photos; deep copies share them.

    Parameters
    ----------
    distances : sequence of ndarray of float32, shape (n, M_i)
        For each photo i, the distances of all photos from its M_i patches.
    """

    def __init__(self, distances: Sequence[NDArray[np.float32]]) -> None:
        self._distances = list(distances)

    def __len__(self) -> int:
        return len(self._distances)

    def __getitem__(self, photo: int) -> NDArray[np.float32]:
        return self._distances[photo]

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self


class NumberedLocalDistances(DistanceLearner):
    """`LocalDistances` of a fixed set of photos, for comparison with learners of coordinates.

    A photo with a learned distance ranks by it. Any other is ranked by its relatives, or with equal weights if it has
    none, as in the window (`learners.local.calibration.find_relatives`).

    Parameters
    ----------
    patches : ComparedPatches
        Distances between n photos.
    C, K, tolerance
        See `learners.local.local_distance.LocalDistance`.

    Attributes
    ----------
    distances_ : ndarray of float64, shape (n, n)
        Distances from each photo (row) to the others; different rows are not comparable.

    Examples
    --------
    Each photo has one patch, a point on a line; X contains the numbers of the photos.

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.local.numbered import ComparedPatches, NumberedLocalDistances
    >>> points = np.array([0.0, 1, 2, 10, 11, 12], np.float32)
    >>> patches = ComparedPatches([np.abs(points - point)[:, None] for point in points])
    >>> numbers = np.arange(6.0)[:, None]
    >>> local = NumberedLocalDistances(patches).fit(numbers, SideInformation.from_labels([0, 0, -1, 1, 1, -1]))
    >>> bool(local.distances_from(numbers[2], numbers)[3:].min() > local.distances_from(numbers[2], numbers)[:2].max())
    True
    """

    name: ClassVar[str] = "local"
    title: ClassVar[str] = "Local distances"
    needs: ClassVar[str] = "photos that are known to be similar to one and dissimilar to another"
    is_metric: ClassVar[bool] = False
    takes_triplets: ClassVar[bool] = True
    gains_by_neighbors: ClassVar[bool] = False

    distances_: NDArray[np.float64]

    def __init__(self, patches: ComparedPatches, C: float = 0.1, K: int = 5, tolerance: float = 1e-3) -> None:
        self.patches = patches
        self.C = C
        self.K = K
        self.tolerance = tolerance

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        n, side = len(self.patches), side_information
        if X.shape != (n, 1) or not np.array_equal(X[:, 0], np.arange(n)):
            raise LearnerError(f"The photos must be the numbers 0 to {n - 1}.")
        focal = np.concatenate([groups[:, 0] for groups in (side.similar, side.dissimilar, side.relative)])
        known = np.union1d(focal, side.tagged)
        local = LocalDistances(self.C, self.K, self.tolerance)
        local.fit(self.patches.__getitem__, side, n, focal=known.tolist(), progress=report)
        models = {photo: model for photo, model in local.models().items() if model.triplets}
        if not models:
            raise LearnerError(f"{self.title} have nothing to learn from: they need {self.needs}.")
        distances = np.empty((n, n))
        learned = np.array(sorted(models), np.intp)
        for photo in learned.tolist():
            distances[photo] = self.patches[photo] @ (models[photo].weights * models[photo].factors)
        slopes, offsets = (
            np.array([getattr(models[photo], of) for photo in learned.tolist()]) for of in ("slope", "offset")
        )
        exponents = distances[learned] * slopes[:, None] + offsets[:, None]
        for photo in np.setdiff1d(np.arange(n), learned).tolist():
            relatives = find_relatives(exponents[:, photo])
            if relatives is not None:
                distances[photo] = -relatives.say(exponents[relatives.places])
            else:
                every = self.patches[photo]
                distances[photo] = (every * rescaling(every)).mean(axis=1) if every.size else 0.0
        return {"distances_": distances}

    def _distances_from(self, query: NDArray[Any], gallery: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray(self.distances_[int(query[0, 0]), gallery[:, 0].astype(np.intp)])

    def _pair_distance(self, A: NDArray[Any], B: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray(self.distances_[A[:, 0].astype(np.intp), B[:, 0].astype(np.intp)])
