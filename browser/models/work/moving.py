# SPDX-License-Identifier: MIT
"""Moving a closed library to another folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.operations.library.move_library import move_library
from focal_photos.browser.tasks.runner import Failure, Runner


class Moving(QObject):
    """The move of one library."""

    done = Signal(object)
    """Its new folder (Path)."""
    failed = Signal(str)
    """Reason why it was not moved, for the user."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runner = Runner(self)
        self.runner.failed.connect(self._report)

    def move(self, source: Path, target: Path) -> None:
        """Move a library."""
        self.runner.start(self.tr("Moving the library"), lambda: move_library(source, target), self.done.emit)

    def close(self) -> None:
        """Cancel an unfinished move: delete the copied files and leave the library in its place."""
        self.runner.close()

    def _report(self, failure: Failure) -> None:
        self.failed.emit(failure.message)
