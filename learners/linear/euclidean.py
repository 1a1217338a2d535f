# SPDX-License-Identifier: MIT
"""The unlearned metric."""

from __future__ import annotations

from typing import Any, ClassVar

from numpy.typing import NDArray

from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin, ProgressReport
from focal_photos.learners.core.map_steps import MapSteps
from focal_photos.learners.core.side_information import SideInformation


class Euclidean(EmbeddingMixin, DistanceLearner):
    """Euclidean distance between the coordinates; side information is ignored.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.linear.euclidean import Euclidean
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 4.0]])
    >>> Euclidean().fit(X).distances_from(X[0], X)
    array([0., 3., 1., 5.])
    """

    name: ClassVar[str] = "euclidean"
    title: ClassVar[str] = "Euclidean (nothing learned)"
    needs: ClassVar[str] = ""

    def _learn(
        self,
        X: NDArray[Any],  # noqa: ARG002  nothing is learned
        side_information: SideInformation,  # noqa: ARG002
        report: ProgressReport,  # noqa: ARG002
    ) -> dict[str, Any]:
        return {}

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        return X

    def _add_steps(self, steps: MapSteps, x: int) -> int:  # noqa: ARG002
        return x
