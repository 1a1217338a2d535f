# SPDX-License-Identifier: MIT
"""Description of each learner for the user: family, purpose and paper."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import all_descriptors
from focal_photos.browser.operations.ranking.local.learner import LOCAL, TITLE
from focal_photos.learners import LEARNERS
from focal_photos.learners.persistence import PersistenceError, peek


@dataclass(frozen=True)
class LearnerInfo:
    """A learner that can be trained."""

    name: str
    title: str
    family: str
    """Heading under which it is listed."""
    text: str
    """One sentence about what the learner does."""
    needs: str
    """Training data that it uses; empty if none."""
    source: str
    """Paper that describes it."""


AUTOMATIC: Final = LearnerInfo(
    "automatic",
    "Automatic",
    "Automatic",
    "Tries the learners that suit the data, and uses the one that ranks held-out data best",
    "judged pairs or tags",
    "",
)
"""Option instead of a learner, implemented in `browser.operations.training.automatic`."""

_COMPARISON: Final = "For comparison"
_LOCAL_TEXT: Final = "Every photo has its own distance, which shows the parts of it that matter"


def learner_table() -> tuple[LearnerInfo, ...]:
    """Return all learners that can be trained, family by family, from the attributes of their classes.

    Those for comparison only are at the end.
    """
    table = [
        LearnerInfo(name, kind.title, kind.family, kind.summary, kind.needs, kind.source)
        for name, kind in LEARNERS.items()
        if kind.family
    ]
    table.append(LearnerInfo(LOCAL, TITLE, TITLE, _LOCAL_TEXT, "judged pairs, tags", "Frome et al. 2006"))
    return tuple(sorted(table, key=lambda one: one.family == _COMPARISON))


def family_weights(library: Library, metric: Metric) -> dict[str, float]:
    """Return the weights of the feature families in a metric by name, largest first; their sum is 1.

    Empty if the metric does not distinguish families or its file cannot be read.
    """
    file = library.metrics.path(metric)
    kind = LEARNERS.get(metric.learner)
    if file is None or (metric.learner != AUTOMATIC.name and (kind is None or "families" not in kind().get_params())):
        return {}
    found: dict[str, float] = {}
    with suppress(PersistenceError):
        found = {str(name): float(weight) for name, weight in peek(file, "learner").get("family_weights_", {}).items()}
    if len(found) < 2:
        return {}
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def titled_family_weights(library: Library, metric: Metric) -> tuple[tuple[str, float], ...]:
    """Return `family_weights` with the descriptors' titles."""
    weights = family_weights(library, metric)
    table = all_descriptors(library, list(weights)) if weights else {}
    return tuple((table[name].title if name in table else name, weight) for name, weight in weights.items())
