# SPDX-License-Identifier: MIT
"""The dialog that asks whether to merge or unpack an archive."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row


class OpenArchiveDialog(QDialog):
    """Explains both ways, and lets the user choose.

    Parameters
    ----------
    can_merge : bool
        Whether the open library can be changed.

    Signals
    -------
    merging_wanted, unpacking_wanted : None
    """

    merging_wanted = Signal()
    unpacking_wanted = Signal()

    def __init__(self, file: Path, *, can_merge: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open an archive"))
        self.setProperty("guide", "libraries.md#archives")
        text = self.tr(
            "Merge: adds tags, ratings, labels and judgements of photos that are also in this library. Photos "
            "are matched by their contents. Nothing is removed, and one Undo reverts the merge.\n\nUnpack: "
            "creates a new library in an empty folder, with everything in the archive."
        )
        self.cancel_button = button(self.tr("Cancel"), "", self.reject)
        self.unpack_button = button(self.tr("Unpack into a new library…"), "", self._unpack)
        self.merge_button = button(self.tr("Merge into this library"), "primary", self._merge)
        self.merge_button.setEnabled(can_merge)
        buttons = in_row(STRETCH, self.cancel_button, self.unpack_button, self.merge_button)
        in_dialog(self, label(shown(file.name), "title", wrap=True), label(text, "soft", wrap=True), buttons)
        self.setMinimumWidth(520)
        # a button can become the default only after it was added to the dialog
        self.cancel_button.setAutoDefault(False)
        chosen = self.merge_button if can_merge else self.unpack_button
        chosen.setDefault(True)
        chosen.setFocus()

    def _merge(self) -> None:
        self.accept()
        self.merging_wanted.emit()

    def _unpack(self) -> None:
        self.accept()
        self.unpacking_wanted.emit()
