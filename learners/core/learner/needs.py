"""Feedback that learners require, checked before anything is computed, and the error if it is missing."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.groups import triplets
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.core.scatters import count_feedback
from focal_photos.learners.core.side_information import SideInformation

PAIRS_OR_TAGS: Final = "judged pairs, or tags that several photos share"
"""The `needs` of most learners."""


def nothing_to_learn(learner: DistanceLearner, why: str = "") -> LearnerError:
    """Return the error that names the missing feedback of a learner; `why`: a further requirement."""
    return LearnerError(
        f"{learner.title} has nothing to learn from: it needs {learner.needs}{f', {why}' if why else ''}. "
        "Mark photos as similar or dissimilar, or tag some."
    )


def require_feedback(learner: DistanceLearner, side: SideInformation, seed: int) -> None:
    """Raise LearnerError unless there are judged pairs or tags shared by several photos."""
    if not count_feedback(side, seed).any():
        raise nothing_to_learn(learner)


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
        raise nothing_to_learn(
            learner, "" if side.is_empty or not side.pairs().similar.size else "and photos that differ"
        )
    return found
