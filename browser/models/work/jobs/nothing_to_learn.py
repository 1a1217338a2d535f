# SPDX-License-Identifier: MIT
"""The message of a job that has nothing to learn from."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.operations.jobs.errors import NothingIndexedError, NothingToLearnError
from focal_photos.browser.tasks.messages import in_words


def explain_nothing(text: str, indexing: Indexing, post: Callable[[str], None]) -> Callable[[Exception], bool]:
    """Return a handler of errors that explains what to do first if there is nothing to learn from.

    `text` is the message if no data exists (empty: no message); a learner that needs more data has its own. `indexing`
    determines whether to wait or to open a folder.
    """

    def failed(error: Exception) -> bool:
        if isinstance(error, NothingIndexedError):
            if text:
                post(_nothing_described(indexing))
            return True
        if isinstance(error, NothingToLearnError):
            if text:
                post(text if not error.__cause__ else in_words(str(error)))
            return True
        return False

    return failed


def _nothing_described(indexing: Indexing) -> str:
    """Explain what to do if no photo is described."""
    if indexing.running:
        return QCoreApplication.translate("jobs", "No photo is described yet: wait until the first ones are.")
    return QCoreApplication.translate("jobs", "There are no photos to learn from yet: open a folder first.")
