"""The metric without learning."""

from __future__ import annotations

from typing import Any, ClassVar

from numpy.typing import NDArray

from learners.core.base import DistanceLearner, EmbeddingMixin, ProgressReport
from learners.core.side_information import SideInformation


class Euclidean(EmbeddingMixin, DistanceLearner):
    """Euclidean distance between the coordinates as they are; side information is not used."""

    name: ClassVar[str] = "euclidean"
    title: ClassVar[str] = "Euclidean (nothing learned)"

    def _learn(
        self,
        X: NDArray[Any],  # noqa: ARG002  nothing is learned
        side_information: SideInformation,  # noqa: ARG002
        report: ProgressReport,  # noqa: ARG002
    ) -> dict[str, Any]:
        return {}

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        return X
