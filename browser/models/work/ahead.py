"""Preloading of modules that a click may need, in the background after the first photos are shown.

Learners, training and suggesting are not imported at the start, so that photos appear sooner. Without preloading, the
first click would wait for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from focal_photos.browser.tasks.runner import Runner


def _training() -> None:
    """Import all learners, for Retrain and the menu of learners."""
    import focal_photos.browser.operations.training.train  # noqa: F401


def _tagging() -> None:
    """Import the modules of Review and suggestions."""
    import focal_photos.browser.operations.tagging.review.photo_by_photo
    import focal_photos.browser.operations.tagging.suggest  # noqa: F401


def _reasons() -> None:
    """Import the module that explains why a photo is near."""
    import focal_photos.browser.operations.ranking.why_near  # noqa: F401


def _descriptors() -> None:
    """Import the modules that rankings, settings and indexing need."""
    import focal_photos.features.table  # noqa: F401


_ROOMS: Final[dict[str, Callable[[], None]]] = {
    "descriptors": _descriptors,
    "reasons": _reasons,
    "tagging": _tagging,
    "training": _training,
}


def load_ahead(runner: Runner) -> None:
    """Import the modules group by group; each waits until the window has finished drawing."""
    for name, load in _ROOMS.items():
        runner.read(f"load {name}", load, lambda _: None, aside=True)
