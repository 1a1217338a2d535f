"""What a learner cannot do without: it is asked for before anything is computed, or the error says what is missing."""

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
    """Return the error that says in one line what a learner lacks; `why`: what else, if something was given."""
    return LearnerError(
        f"{learner.title} has nothing to learn from: it needs {learner.needs}{f', {why}' if why else ''}. "
        "Mark photos as similar or dissimilar, or tag some."
    )


def require_feedback(learner: DistanceLearner, side: SideInformation, seed: int) -> None:
    """Raise LearnerError unless there are judged pairs, or tags that several photos share."""
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
    """Return triplets, intp (t, 3), as `groups.triplets` does, the first `most` of them; LearnerError for none."""
    found = triplets(side, n, per_photo, seed)[:most]
    if not len(found):
        raise nothing_to_learn(
            learner, "" if side.is_empty or not side.pairs().similar.size else "and photos that differ"
        )
    return found
