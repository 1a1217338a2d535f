"""Backups of the open library: made by themselves, listed, and compared with what is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.catalog.store.rescue.difference import Difference
from focal_photos.browser.models.work.message import Message, Severity
from focal_photos.browser.tasks.runner import Runner, describe

if TYPE_CHECKING:
    from focal_photos.browser.operations.jobs.progress import Job
    from focal_photos.browser.operations.library.backup import BackupReport

FIRST_SECONDS = 120
"""How long after the opening it is first asked whether a backup is due."""
EVERY_SECONDS = 300
"""How often it is asked after that."""


class Backups(QObject):
    """What a person sees of the backups of a library.

    Signals
    -------
    message_posted : Message
        Something went wrong, or was asked for and is done.
    changed : None
        There is another backup.
    """

    message_posted = Signal(object)
    changed = Signal()

    def __init__(self, library: Library, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._runner = runner
        self._told_away = False
        self._timer = QTimer(self, interval=FIRST_SECONDS * 1000)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Back up by itself from now on, and look through a large catalogue that was opened unseen."""
        library = self._library
        if not library.read_only:
            self._timer.start()
        if not library.database.looked_through:

            def done(problem: str | None) -> None:
                if problem is not None:
                    text = self.tr("The catalogue of the library is damaged ({0}): close Focal and open it again.")
                    self.message_posted.emit(Message(text.format(problem), Severity.ERROR))

            def work() -> Job[str | None]:
                from focal_photos.browser.operations.library.check import look_through

                return look_through(library)

            self._runner.start(self.tr("Looking through the catalogue"), work, done, lane="backup")

    def close(self) -> None:
        """Make no more backups by itself: the library is about to be closed."""
        self._timer.stop()

    def look(self) -> None:
        """Make a backup if one is due."""
        from focal_photos.browser.operations.library.backup import backup_is_due

        self._timer.setInterval(EVERY_SECONDS * 1000)
        library = self._library
        title = self.tr("Backing up the library")

        def begin(due: bool) -> None:
            from focal_photos.browser.operations.library.backup import back_up_if_due

            if due:  # else nothing is shown of it
                self._runner.start(title, lambda: back_up_if_due(library), self._made, lane="backup")

        self._runner.read("backup due", lambda: backup_is_due(library), begin)

    def make(self) -> None:
        """Make a backup now."""
        from focal_photos.browser.operations.library.backup import back_up

        def done(report: BackupReport) -> None:
            self._told_away = False
            self._made(report)
            if report.backup is not None and report.away is None:
                text = self.tr("The library is backed up.")
                if report.copied is not None:
                    text = self.tr("The library is backed up, in the second place too.")
                self.message_posted.emit(Message(text))

        library = self._library
        self._runner.start(self.tr("Backing up the library"), lambda: back_up(library), done, lane="backup")

    def read(self, done: Callable[[list[Backup]], None]) -> None:
        """List the backups of both places, the newest first."""
        from focal_photos.browser.operations.library.backup import all_backups

        library = self._library
        self._runner.read("backups", lambda: list(reversed(all_backups(library))), done)

    def compare(self, backup: Backup, done: Callable[[list[Difference]], None], failed: Callable[[str], None]) -> None:
        """Find out what would be lost and gained with a backup in the place of what is there, or why it is none."""
        from focal_photos.browser.operations.library.restore import compare

        def tell(error: Exception) -> bool:
            failed(describe(error))
            return True

        library = self._library
        self._runner.start(self.tr("Comparing"), lambda: compare(library, backup), done, tell, lane="compare")

    def _made(self, report: BackupReport) -> None:
        if report.away is not None and not self._told_away:
            self._told_away = True
            self.message_posted.emit(Message(report.away, Severity.WARNING))
        if report.backup is not None or report.copied is not None:
            self.changed.emit()
