# SPDX-License-Identifier: MIT
"""Repair of a library that cannot be opened, by restoring a backup or rescuing its data."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.operations.library.backup import backups_of
from focal_photos.browser.operations.library.restore import Restored, rescue_library, restore
from focal_photos.browser.tasks.runner import Failure, Runner


class Repair(QObject):
    """The repair of one closed library."""

    listed = Signal(object)
    """Its backups, the newest first (list of Backup)."""
    compared = Signal(object, object)
    """The result that restoring this backup, or a rescue, would have ((Backup or None, Restored))."""
    done = Signal(object)
    """The library is repaired (Restored)."""
    failed = Signal(str)
    """Reason of a failure, for the user."""

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self.runner = Runner(self)
        self.runner.failed.connect(self._report)

    def list(self) -> None:
        """Read the list of backups."""
        folder = self._folder
        self.runner.read("backups", lambda: [*reversed(backups_of(folder))], self.listed.emit)

    def compare(self, backup: Backup | None) -> None:
        """Find out the result of restoring a backup, or of a rescue if None; comparisons run one after another."""

        def done(result: Restored) -> None:
            self.compared.emit(backup, result)

        folder = self._folder
        if backup is None:
            self.runner.start(self.tr("Reading"), lambda: rescue_library(folder, dry_run=True), done)
        else:
            self.runner.start(self.tr("Comparing"), lambda: restore(folder, backup, dry_run=True), done)

    def repair(self, backup: Backup | None) -> None:
        """Restore a backup, or rescue the undamaged data if None."""
        folder = self._folder
        title = self.tr("Repairing the library")
        if backup is None:
            self.runner.start(title, lambda: rescue_library(folder), self.done.emit)
        else:
            self.runner.start(title, lambda: restore(folder, backup), self.done.emit)

    def close(self) -> None:
        """End all work; each operation is either complete or has no effect."""
        self.runner.close()

    def _report(self, failure: Failure) -> None:
        self.failed.emit(failure.message)
