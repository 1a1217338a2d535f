# SPDX-License-Identifier: MIT
"""The dialog to confirm removing a folder from the library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.base.theme import Theme


class RemoveFolderDialog(QDialog):
    """Explains the consequences, and lets the user choose among several folders.

    Parameters
    ----------
    folders : sequence of Path
        Folders to choose from; not empty.
    chosen : Path or None
        The proposed folder; the first if None.
    """

    confirmed = Signal(object)

    def __init__(
        self, folders: Sequence[Path], chosen: Path | None, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Remove a folder from the library"))
        self.setProperty("guide", "libraries.md#folders")
        self._folders = list(folders)
        self.folder_box = ComboBox(theme)
        self.folder_box.setAccessibleName(self.tr("Folder"))
        self.folder_box.addItems([shown(str(folder)) for folder in folders])
        if chosen in self._folders:
            self.folder_box.setCurrentIndex(self._folders.index(chosen))
        text = self.tr(
            "The photos stay on disk, unchanged; Focal only stops showing them.\n\nTags and judgements are "
            "kept and come back if you add the folder again."
        )
        self.explanation = label(text, "soft", wrap=True)
        self.cancel_button = button(self.tr("Cancel"), "", self.reject)
        self.remove_button = button(self.tr("Remove from the library"), "primary", self.accept)
        self.accepted.connect(lambda: self.confirmed.emit(self._folders[self.folder_box.currentIndex()]))

        layout = in_dialog(self)
        if len(folders) > 1:
            layout.addWidget(self.folder_box)
        else:
            self.folder_box.setParent(self)
            self.folder_box.hide()
            layout.addWidget(label(shown(str(folders[0])), "title", wrap=True))
        layout.addWidget(self.explanation)
        buttons = in_row(STRETCH, self.cancel_button, self.remove_button)
        layout.addLayout(buttons)
        self.setMinimumWidth(460)
        # a button can become the default only after it was added to the dialog
        self.cancel_button.setAutoDefault(False)
        self.remove_button.setDefault(True)
        self.remove_button.setFocus()
