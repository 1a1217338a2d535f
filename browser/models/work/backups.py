# SPDX-License-Identifier: MIT
"""Backups of the open library: made automatically, listed, verified, and compared with the library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QTimer, Signal

from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.catalog.store.rescue.difference import Difference
from focal_photos.browser.catalog.store.verified import Verification
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.operations.library import backup as library_backup
from focal_photos.browser.operations.library import check, drill, restore, verify_backups
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import TaskState, TaskStatus, describe

if TYPE_CHECKING:
    from focal_photos.browser.operations.jobs.progress import Job

FIRST_SECONDS = 120
"""Seconds between opening the library and the first check whether a backup is due."""
EVERY_SECONDS = 300
"""Seconds between later checks."""


class Backups(Model):
    """The state and the messages of a library's backups."""

    changed = Signal()
    """A backup was made or verified."""
    verified = Signal(str)
    """The result of verifying a backup, as text."""
    verifying_changed = Signal()
    """Verification started, progressed or ended."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._reported_offline = False
        self.offers_verifying = True
        """Whether to offer to verify a backup if none was verified for a month."""
        self._offered = False
        self._verifying: TaskState | None = None
        self._runner.task_changed.connect(self._follow)
        self._timer = QTimer(self, interval=FIRST_SECONDS * 1000)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Make backups automatically, and check a large catalogue that was opened unchecked."""
        library = self._library
        if not library.read_only:
            self._timer.start()
        if not library.database.looked_through:

            def done(problem: str | None) -> None:
                if problem is not None:
                    text = self.tr("The catalogue of the library is damaged ({0}): close Focal and open it again.")
                    self._notices.post(text.format(problem), Severity.ERROR)

            def work() -> Job[str | None]:
                return check.look_through(library)

            self._runner.start(self.tr("Checking the catalogue"), work, done, lane="backup")

    def close(self) -> None:
        """Stop making backups automatically, because the library is about to be closed."""
        self._timer.stop()

    def look(self) -> None:
        """Make a backup if one is due."""
        self._timer.setInterval(EVERY_SECONDS * 1000)
        library = self._library
        title = self.tr("Backing up the library")

        def begin(due: bool) -> None:
            if due:  # otherwise no task is shown
                self._runner.start(title, lambda: library_backup.back_up_if_due(library), self._made, lane="backup")

        self._runner.read("backup due", lambda: library_backup.backup_is_due(library), begin)
        self._offer_verifying()

    def _offer_verifying(self) -> None:
        """Offer once to verify a backup if none was verified for a month."""
        if self._offered or not self.offers_verifying or self._library.read_only:
            return
        self._offered = True
        library = self._library

        def due() -> bool:
            return verify_backups.verification_is_due(library)

        def offer(overdue: bool) -> None:
            if overdue and self.offers_verifying and self._verifying is None:
                text = self.tr("No backup has been verified for a month: Focal can try to restore the newest one.")
                self._notices.post(text, action=MessageAction.VERIFY_BACKUP)

        self._runner.read("verification due", due, offer, aside=True)

    # ------------------------------------------------------------------ verifying
    @property
    def verified_share(self) -> float | None:
        """Verified share of a backup, 0..1; None if no verification is running."""
        if self._verifying is None:
            return None
        progress = self._verifying.progress
        return progress.done / progress.total if progress is not None and progress.total else 0.0

    def verify(self, backup: Backup | None = None) -> None:
        """Restore a backup (default: the newest) into a temporary folder and report the result."""
        if self._verifying is not None:
            return
        library = self._library

        def work() -> Job[drill.Drill]:
            made = library_backup.all_backups(library)
            chosen = backup or (made[-1] if made else restore.find_backup(library.path))  # raises if there is no backup
            return drill.drill(library.path, chosen, library)

        def failed(error: Exception) -> bool:
            self._post(describe(error), Severity.ERROR)
            return True

        self._offered = True
        title = self.tr("Verifying a backup")
        number = self._runner.start(title, work, self._report_verified, failed, lane="verify")
        self._verifying = next(one for one in self._runner.tasks() if one.number == number)
        self.verifying_changed.emit()

    def stop_verifying(self) -> None:
        """Cancel the running verification, leaving no files behind."""
        if self._verifying is not None:
            self._runner.cancel(self._verifying.number)

    def _follow(self, state: TaskState) -> None:
        if self._verifying is not None and state.number == self._verifying.number:
            going_on = state.status in (TaskStatus.WAITING, TaskStatus.RUNNING)
            self._verifying = state if going_on else None
            self.verifying_changed.emit()

    def _report_verified(self, result: drill.Drill) -> None:
        self.changed.emit()
        made = f"{result.backup.at.astimezone():%Y-%m-%d %H:%M}"
        if not result.sound:
            text = self.tr("The backup of {0} is damaged: make a new backup now. {1}")
            self._post(text.format(made, in_words(result.problems[0])), Severity.ERROR)
            return
        text = self.tr("The backup of {0} is sound: {1} photos, {2} tags and {3} judgements were restored and checked.")
        counts = [grouped(result.restored[name]) for name in ("photos", "tagged", "judgements")]
        text = text.format(made, *counts)
        if result.changes:
            since = QCoreApplication.translate("backups", "%n changes have been made since.", "", result.changes)
            text += " " + since
        self._post(text)

    def _post(self, text: str, severity: Severity = Severity.INFO) -> None:
        self._notices.post(text, severity)
        self.verified.emit(text)

    def make(self) -> None:
        """Make a backup now."""

        def done(report: library_backup.BackupReport) -> None:
            self._reported_offline = False
            self._made(report)
            if report.backup is not None and report.away is None:
                text = self.tr("The library is backed up.")
                if report.copied is not None:
                    text = self.tr("The library is backed up, also in the second folder.")
                self._notices.post(text)

        library = self._library
        self._runner.start(
            self.tr("Backing up the library"), lambda: library_backup.back_up(library), done, lane="backup"
        )

    def read(self, done: Callable[[tuple[list[Backup], dict[Path, Verification]]], None]) -> None:
        """List the backups of both places, the newest first, with the results of their last verification."""
        library = self._library

        def work() -> tuple[list[Backup], dict[Path, Verification]]:
            return list(reversed(library_backup.all_backups(library))), verify_backups.last_verified(library)

        self._runner.read("backups", work, done)

    def compare(self, backup: Backup, done: Callable[[list[Difference]], None], failed: Callable[[str], None]) -> None:
        """Compare a backup with the library: what a restore would lose and gain; `failed` receives the error."""

        def take_error(error: Exception) -> bool:
            failed(describe(error))
            return True

        library = self._library
        self._runner.start(
            self.tr("Comparing"), lambda: restore.compare(library, backup), done, take_error, lane="compare"
        )

    def _made(self, report: library_backup.BackupReport) -> None:
        if report.away is not None and not self._reported_offline:
            self._reported_offline = True
            self._notices.post(report.away, Severity.WARNING)
        if report.backup is not None or report.copied is not None:
            self.changed.emit()
