"""What can be done about a library that cannot be opened: restored, rescued, in the background."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.operations.library.backup import backups_of
from focal_photos.browser.operations.library.restore import Restored, rescue_library, restore
from focal_photos.browser.tasks.runner import Failure, Runner


class Repair(QObject):
    """The repair of one library that nobody has open.

    Signals
    -------
    listed : list of Backup
        The backups there are, the newest first.
    compared : (Backup or None, Restored)
        What a restore of this backup, or a rescue, would do.
    done : Restored
        It is repaired.
    failed : str
        It is not; why, for a person.
    """

    listed = Signal(object)
    compared = Signal(object, object)
    done = Signal(object)
    failed = Signal(str)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self.runner = Runner(self)
        self.runner.failed.connect(self._tell)

    def list(self) -> None:
        """Read which backups there are."""
        folder = self._folder
        self.runner.read("backups", lambda: [*reversed(backups_of(folder))], self.listed.emit)

    def compare(self, backup: Backup | None) -> None:
        """Find out what a restore would do, or a rescue where there is no backup given; one after the other."""

        def done(result: Restored) -> None:
            self.compared.emit(backup, result)

        folder = self._folder
        if backup is None:
            self.runner.start(self.tr("Reading"), lambda: rescue_library(folder, dry_run=True), done)
        else:
            self.runner.start(self.tr("Comparing"), lambda: restore(folder, backup, dry_run=True), done)

    def repair(self, backup: Backup | None) -> None:
        """Restore a backup, or rescue what is sound where none is given."""
        folder = self._folder
        title = self.tr("Repairing the library")
        if backup is None:
            self.runner.start(title, lambda: rescue_library(folder), self.done.emit)
        else:
            self.runner.start(title, lambda: restore(folder, backup), self.done.emit)

    def close(self) -> None:
        """End all work; what was begun is finished or not there."""
        self.runner.close()

    def _tell(self, failure: Failure) -> None:
        self.failed.emit(failure.message)
