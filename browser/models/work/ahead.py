"""What a click may need first is loaded ahead of it, in the background, once the first photos are there.

A start loads no learners, and nothing that trains or suggests: photos are there sooner without. Whoever then clicks
would wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from focal_photos.browser.tasks.runner import Runner


def _training() -> None:
    """Load what Retrain and the menu of learners need: all learners."""
    import focal_photos.browser.operations.training.train  # noqa: F401


def _tagging() -> None:
    """Load what the review and suggestions need."""
    import focal_photos.browser.operations.tagging.review.photo_by_photo
    import focal_photos.browser.operations.tagging.suggest  # noqa: F401


def _reasons() -> None:
    """Load what says why a photo is near."""
    import focal_photos.browser.operations.ranking.why_near  # noqa: F401


def _descriptors() -> None:
    """Load what rankings, settings and indexing need."""
    import focal_photos.features.table  # noqa: F401


_ROOMS: Final[dict[str, Callable[[], None]]] = {
    "descriptors": _descriptors,
    "reasons": _reasons,
    "tagging": _tagging,
    "training": _training,
}


def load_ahead(runner: Runner) -> None:
    """Load it, room by room; each waits until the window has shown what it has to show."""
    for name, load in _ROOMS.items():
        runner.read(f"load {name}", load, lambda _: None, aside=True)
