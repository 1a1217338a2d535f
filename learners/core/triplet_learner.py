"""What the learners share that take a step for each triplet, and at any time more of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.base import DistanceLearner, OnlineMixin, ProgressReport, no_report
from focal_photos.learners.core.groups import rows_of
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.core.needs import PAIRS_OR_TAGS, required_triplets
from focal_photos.learners.core.side_information import SideInformation


class TripletLearner(OnlineMixin, DistanceLearner):
    """Base of the online learners from triplets; the matrices ``W_`` are what the steps move."""

    needs: ClassVar[str] = PAIRS_OR_TAGS
    takes_triplets: ClassVar[bool] = True

    per_photo: int
    max_triplets: int
    random_state: int

    def partial_fit(
        self,
        X: ArrayLike,
        side_information: SideInformation,
        *,
        progress: ProgressReport | None = None,
    ) -> Self:
        """Add side information on the rows of X, one step a triplet; the first call is a `fit`.

        Only the photos of the triplets are looked at: nothing grows with the number of photos, save for tags.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
        side_information : SideInformation
            By row number of X.
        progress : callable, optional
            As in `fit`; a cancelled call changes nothing.
        """
        if "W_" not in vars(self):
            return self.fit(X, side_information, progress=progress)
        matrix = np.asarray(X)
        side_information.check(len(matrix))
        report: ProgressReport = no_report if progress is None else progress
        report(0.0)
        found = self._triplets(side_information, len(matrix))
        samples, place = rows_of(matrix, found, self.n_features_in_)
        with one_thread():
            state = self._move(samples, place, report)
        report(1.0)
        for attribute, value in state.items():
            setattr(self, attribute, value)
        return self

    @abstractmethod
    def _move(self, samples: NDArray[Any], found: NDArray[np.intp], report: ProgressReport) -> dict[str, Any]:
        """Return the fitted attributes that a step for each triplet (t, 3) of samples (m, d) changes. Sets nothing."""

    def _triplets(self, side: SideInformation, n: int) -> NDArray[np.intp]:
        return required_triplets(self, side, n, self.per_photo, self.random_state, self.max_triplets)
