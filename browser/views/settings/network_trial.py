# SPDX-License-Identifier: MIT
"""The result of a network trial as text."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from focal_photos.browser.models.photos.formatting import file_size, grouped, photos_in_words
from focal_photos.browser.operations.describing.try_network import NetworkTrial
from focal_photos.browser.tasks.messages import Localized


def trial_in_words(trial: NetworkTrial) -> str:
    """Return time per photo, dimension, back end, and time and space for all photos."""
    first = QCoreApplication.translate("networks", "{0:.0f} ms a photo, {1} values, run by {2} ({3} tried).").format(
        1000 * trial.seconds, grouped(trial.dimension), trial.backend, photos_in_words(trial.tried)
    )
    second = QCoreApplication.translate("networks", "All {0}: about {1}, {2} on the disk.").format(
        photos_in_words(trial.photos), _duration(trial.library_seconds), file_size(trial.library_bytes)
    )
    return f"{first} {second}"


def _duration(seconds: float) -> str:
    if seconds < 100:
        return QCoreApplication.translate("networks", "{0:.0f} s").format(max(1.0, seconds))
    if seconds < 6000:
        return QCoreApplication.translate("networks", "{0:.0f} min").format(seconds / 60)
    return QCoreApplication.translate("networks", "{0:.1f} h").format(Localized(seconds / 3600))
