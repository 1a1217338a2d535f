"""The learner of local distances: its name, the descriptors whose patches it compares, its parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from focal_photos.browser.catalog.facts.records import Metric

LOCAL: Final = "local"
"""Name of the learner."""


TITLE: Final = "Local distances"


SOURCES: Final = ("geometric_blur_large_32", "geometric_blur_small_32", "color_patches_24")
"""Descriptors whose patches are compared: shapes on a large and on a small scale, and colours."""


KINDS: Final = ("Large shapes", "Small shapes", "Colours")
"""The same for a person."""


PARAMETERS: Final[dict[str, Any]] = {"C": 0.1, "K": 5, "tolerance": 1e-3, "at_once": 2000}
"""Of a training; the first three of each focal image (see `learners.local.local_distance.LocalDistance`).

``at_once``: if no more photos than this are tagged or judged against, all of them are learned (a second each on one
core where there are 1,500 photos to compare with, half a second on two); of more, those that others were judged
against. What is not learned at once is learned when it is first asked for.
"""


def newest_local(metrics: Iterable[Metric]) -> Metric | None:
    """Return the metric of local distances that was trained last; None if there is none."""
    return max((metric for metric in metrics if is_local(metric)), key=lambda metric: metric.id, default=None)


def is_local(metric: Metric) -> bool:
    """Return whether a metric is one of local distances."""
    return metric.learner == LOCAL and metric.file is not None
