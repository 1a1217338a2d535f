# SPDX-License-Identifier: MIT
"""The learner of local distances: name, descriptors of its patches, and parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from focal_photos.browser.catalog.text import Text

if TYPE_CHECKING:
    from focal_photos.browser.catalog.facts.records import Metric

LOCAL: Final = "local"
"""Name of the learner."""


TITLE: Final = Text("Local distances")


SOURCES: Final = ("geometric_blur_large_32", "geometric_blur_small_32", "color_patches_24")
"""Descriptors whose patches are compared: shapes on a large and a small scale, and colours."""


KINDS: Final = ("Large shapes", "Small shapes", "Colours")
"""Names of the kinds of patches for the user."""


PARAMETERS: Final[dict[str, Any]] = {"C": 0.1, "K": 5, "tolerance": 1e-3, "at_once": 2000}
"""Parameters of a training; for the first three see `learners.local.local_distance.LocalDistance`.

``at_once``: if at most this many photos are tagged or judged against, all of them are learned. One takes a second on
one core with 1,500 photos to compare with, half a second on two. Otherwise only the photos judged against are learned.
The rest are learned on first use.
"""


def newest_local(metrics: Iterable[Metric]) -> Metric | None:
    """Return the metric of local distances trained last; None if there is none."""
    return max((metric for metric in metrics if is_local(metric)), key=lambda metric: metric.id, default=None)


def is_local(metric: Metric) -> bool:
    """Return whether a metric is one of local distances."""
    return metric.learner == LOCAL and metric.file is not None
