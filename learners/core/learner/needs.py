# SPDX-License-Identifier: MIT
"""Triplets that a learner requires, and the error if there are none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.groups import triplets
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.core.side_information import SideInformation


def required_triplets(
    learner: DistanceLearner,
    side: SideInformation,
    n: int,
    per_photo: int = 10,
    seed: int = 0,
    most: int | None = None,
) -> NDArray[np.intp]:
    """Return the first `most` triplets, intp (t, 3), of `groups.triplets`; raise LearnerError if there are none."""
    found = triplets(side, n, per_photo, seed)[:most]
    if not len(found):
        raise learner.nothing_to_learn(
            "" if side.is_empty or not side.pairs().similar.size else "and photos that differ"
        )
    return found
