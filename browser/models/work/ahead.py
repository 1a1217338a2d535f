# SPDX-License-Identifier: MIT
"""Executes modules that a click may need, in the background after the first photos are shown.

The start declares learners, training and suggesting, but does not execute them, so that photos appear sooner. Without
this, the first click would wait for them.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from focal_photos.browser.lazy_imports import execute
from focal_photos.browser.operations.ranking import why_near
from focal_photos.browser.operations.tagging import suggest
from focal_photos.browser.operations.tagging.review import photo_by_photo
from focal_photos.browser.operations.training import train
from focal_photos.browser.tasks.runner import Runner
from focal_photos.features import table

_MODULES: Final = (
    table,  # rankings, settings and indexing
    why_near,  # why a photo is near
    *(suggest, photo_by_photo),  # Review and suggestions
    train,  # all learners, for Retrain and the menu of learners
)


def load_ahead(runner: Runner) -> None:
    """Execute the modules one by one; each waits until the window has finished drawing."""
    for module in _MODULES:
        runner.read(f"load {module.__name__}", partial(execute, module), lambda _: None, aside=True)
