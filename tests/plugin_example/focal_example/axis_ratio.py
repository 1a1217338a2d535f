# SPDX-License-Identifier: MIT
"""A metric with a weight for each principal component."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.plugins import (
    BlendedLearner,
    Candidate,
    LinearMap,
    ProgressReport,
    SideInformation,
    check_blend,
)


class AxisRatio(BlendedLearner):
    """Weights components by their deviation among similar photos.

    Parameters
    ----------
    ridge : float
        Added to the deviations, relative to the largest.
    euclidean_blend : float
        Weight of the unlearned squared distance; the other has 1.
    output_components : int
        Maximum dimension of the embedding.
    unit : bool or "auto"
        Whether to normalize the embedding to length 1.
    """

    name: ClassVar[str] = "axis-ratio"
    title: ClassVar[str] = "Axis ratio"
    family: ClassVar[str] = "Plug-ins"
    summary: ClassVar[str] = "A weight for each principal component"
    source: ClassVar[str] = ""
    is_quick: ClassVar[bool] = True
    candidates: ClassVar[tuple[Candidate, ...]] = (Candidate(),)

    def __init__(
        self,
        ridge: float = 0.1,
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        unit: Any = "auto",
    ) -> None:
        self.ridge = ridge
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.unit = unit

    def _learn(
        self,
        X: NDArray[Any],
        side_information: SideInformation,
        report: ProgressReport,
    ) -> dict[str, Any]:
        check_blend(self.euclidean_blend, self.output_components)
        similar = side_information.pairs().similar
        if not len(similar):
            raise self.nothing_to_learn("and two similar photos")
        start = LinearMap.fit(X)
        report(0.5)
        points = start.transform(X)
        differences = points[similar[:, 0]] - points[similar[:, 1]]
        deviations = np.sqrt(np.square(differences).mean(axis=0))
        largest = deviations.max() or 1.0
        scales = 1 / (deviations / largest + self.ridge)
        return self._finish(start, np.diag(scales), side_information)
