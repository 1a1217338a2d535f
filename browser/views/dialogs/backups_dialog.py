# SPDX-License-Identifier: MIT
"""The backups of the library: listed, made, verified, and restored."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QProgressBar, QWidget

from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.catalog.store.rescue.difference import Difference
from focal_photos.browser.catalog.store.verified import Verification
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.backups import Backups
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.dialogs.backup_table import BackupTable, difference_text


class BackupsDialog(QDialog):
    """A table of backups, and the differences of the selected one.

    Parameters
    ----------
    read_only : bool
        Whether backups cannot be made or restored.
    """

    restore_wanted = Signal(object)
    """The user wants to restore this backup after seeing its differences (Backup)."""

    def __init__(self, backups: Backups, *, read_only: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Backups"))
        self.setProperty("guide", "libraries.md#backups")
        self._backups = backups
        self._writable = not read_only
        self._compared: Backup | None = None
        self.explanation = label(
            self.tr(
                "Focal makes a backup every hour if something changed. Backups contain tags, ratings, "
                "judgements, settings, the undo history (10,000 steps) and metrics, but no photos."
            ),
            "soft",
            wrap=True,
        )
        self.table = BackupTable()
        self.table.chosen.connect(self._compare)
        self.difference = label("", "", wrap=True)
        self.difference.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.difference.setTextFormat(Qt.TextFormat.PlainText)
        self.busy = QProgressBar()
        self.busy.setTextVisible(False)
        self.busy.setAccessibleName(self.tr("Verifying"))
        self.make_button = button(self.tr("Back up now"), "", backups.make)
        self.verify_button = button(self.tr("Verify"), "", self._verify)
        self.verify_button.setToolTip(
            self.tr("Restores the backup into a temporary folder, opens it and checks it there")
        )
        self.restore_button = button(self.tr("Restore"), "", self._restore)
        self.close_button = button(self.tr("Close"), "primary", self.reject)
        foot = in_row(self.make_button, self.verify_button, self.restore_button, STRETCH, self.close_button)
        in_dialog(self, self.explanation, (self.table, 1), self.difference, self.busy, foot)
        for each in (self.make_button, self.verify_button, self.restore_button):
            each.setAutoDefault(False)
        self.close_button.setDefault(True)
        self.make_button.setEnabled(self._writable)
        self.restore_button.setEnabled(False)
        self.resize(760, 520)
        backups.changed.connect(self._read)
        backups.verifying_changed.connect(self._show_verifying)
        backups.verified.connect(self._show_verified)
        self._show_verifying()
        self._read()

    def _read(self) -> None:
        self._backups.read(self._show)

    def _show(self, answer: tuple[list[Backup], dict[Path, Verification]]) -> None:
        found, verified = answer
        self.table.show_backups(found, verified)
        if not found:
            self.difference.setText(self.tr("None yet."))
        self._show_verifying()

    def _verify(self) -> None:
        if self._backups.verified_share is not None:
            self._backups.stop_verifying()
        elif self.table.backup is not None:
            self._backups.verify(self.table.backup)

    def _show_verifying(self) -> None:
        share = self._backups.verified_share
        self.busy.setVisible(share is not None)
        self.busy.setRange(0, 100 if share else 0)  # the bar has no end until the progress is known
        self.busy.setValue(round(100 * (share or 0)))
        self.verify_button.setText(self.tr("Verify") if share is None else self.tr("Stop verifying"))
        self.verify_button.setEnabled(share is not None or self.table.backup is not None)

    def _show_verified(self, text: str) -> None:
        """Show the result of the verification here too, because the dialog covers the window's messages."""
        self.difference.setText(shown(text))

    def _compare(self, backup: Backup) -> None:
        if backup == self._compared:
            return
        self._compared = backup
        self.restore_button.setEnabled(False)
        self.difference.setText(self.tr("Comparing with the library\N{HORIZONTAL ELLIPSIS}"))

        def done(found: list[Difference]) -> None:
            if backup == self._compared:
                self.difference.setText(
                    difference_text(found) if found else self.tr("The library is identical to this backup.")
                )
                self.restore_button.setEnabled(self._writable and bool(found))

        def failed(message: str) -> None:
            if backup == self._compared:
                self.difference.setText(shown(message))

        self._backups.compare(backup, done, failed)

    def _restore(self) -> None:
        if self.table.backup is not None:
            self.restore_wanted.emit(self.table.backup)
            self.accept()
