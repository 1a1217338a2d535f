# SPDX-License-Identifier: MIT
"""Base of online learners that take a gradient step per triplet."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.groups import rows_of
from focal_photos.learners.core.learner.base import DistanceLearner, OnlineMixin, ProgressReport
from focal_photos.learners.core.learner.needs import required_triplets
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.core.side_information import SideInformation


class TripletLearner(OnlineMixin, DistanceLearner):
    """Base of the online learners from triplets; the steps update the matrices ``W_``."""

    takes_triplets: ClassVar[bool] = True

    per_photo: int
    max_triplets: int
    random_state: int

    def _add(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        """Take one step per triplet, reading only the photos of the triplets and of tags."""
        found = self._triplets(side_information, len(X))
        samples, place = rows_of(X, found, self.n_features_in_)
        with one_thread():
            return self._move(samples, place, report)

    @abstractmethod
    def _move(self, samples: NDArray[Any], found: NDArray[np.intp], report: ProgressReport) -> dict[str, Any]:
        """Return the fitted attributes changed by a step per triplet (t, 3) of samples (m, d). Sets nothing."""

    def _triplets(self, side: SideInformation, n: int) -> NDArray[np.intp]:
        return required_triplets(self, side, n, self.per_photo, self.random_state, self.max_triplets)
