# SPDX-License-Identifier: MIT
"""The dialog to locate a moved folder, which compares both places before any change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog, QFileDialog, QGridLayout, QLineEdit, QListWidget, QWidget

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.folders.relocating import Relocating
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.base.task_strip import busy_bar
from focal_photos.browser.views.base.theme import Theme

if TYPE_CHECKING:
    from focal_photos.browser.operations.photos.relocate import Relocation

_LISTED: Final = 500
_TYPING: Final = 500  # milliseconds after the last key, before places are compared


class RelocateDialog(QDialog):
    """Asks for the new place, shows the comparison, and relocates after confirmation.

    Parameters
    ----------
    folders : sequence of Path
        Folders to choose from; not empty.
    chosen : Path or None
        The proposed folder; the first if None.
    """

    def __init__(
        self,
        relocating: Relocating,
        folders: Sequence[Path],
        chosen: Path | None,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Locate a moved folder"))
        self.setProperty("guide", "libraries.md#folders")
        self._relocating = relocating
        self._folders = list(folders)
        self.folder_box = ComboBox(theme)
        self.folder_box.setAccessibleName(self.tr("Folder of the library"))
        self.folder_box.addItems([shown(str(folder)) for folder in folders])
        if chosen in self._folders:
            self.folder_box.setCurrentIndex(self._folders.index(chosen))
        self.place_field = QLineEdit()
        self.place_field.setAccessibleName(self.tr("New location"))
        self.place_field.setPlaceholderText(self.tr("New location of the folder"))
        self.choose_button = button(self.tr("Choose\N{HORIZONTAL ELLIPSIS}"), "", self._choose)
        self.hint = label("", "faint", wrap=True)
        self.findings = label("", wrap=True)
        self.problem = label("", "error", wrap=True)
        self.differences = QListWidget()
        self.differences.setAccessibleName(self.tr("Missing or different photos"))
        self._busy = busy_bar(self.tr("Comparing the folders"))
        self.cancel_button = button(self.tr("Cancel"), "", self.reject)
        self.relocate_button = button(self.tr("Locate"), "primary", self.accept)
        self._place()
        self._typing = QTimer(self, singleShot=True, interval=_TYPING)
        self._typing.timeout.connect(self._compare)
        self.place_field.textEdited.connect(self._type)
        self.place_field.returnPressed.connect(self._enter)
        self.folder_box.currentIndexChanged.connect(self._switch)
        relocating.proposed.connect(self._take_proposal)
        relocating.state_changed.connect(self._show)
        self.accepted.connect(relocating.relocate)
        self.rejected.connect(relocating.begin)
        for each in (self.cancel_button, self.choose_button, self.relocate_button):
            each.setAutoDefault(False)
        relocating.begin()
        self._switch()
        self.place_field.setFocus()

    @property
    def folder(self) -> Path:
        """The selected folder."""
        return self._folders[self.folder_box.currentIndex()]

    def set_place(self, place: Path) -> None:
        """Set the new place of the folder."""
        self.hint.clear()
        self.place_field.setText(str(place))
        self._compare()

    def _place(self) -> None:
        text = self.tr("Photos keep their tags and judgements, and no file is changed. The old folder need not exist.")
        form = QGridLayout()
        form.setHorizontalSpacing(10)
        form.setVerticalSpacing(8)
        form.setColumnStretch(1, 1)
        form.addWidget(label(self.tr("Folder"), "soft"), 0, 0)
        form.addWidget(self.folder_box, 0, 1, 1, 2)
        form.addWidget(label(self.tr("Now at"), "soft"), 1, 0)
        form.addWidget(self.place_field, 1, 1)
        form.addWidget(self.choose_button, 1, 2)
        form.addWidget(self.hint, 2, 1, 1, 2)
        buttons = in_row(STRETCH, self.cancel_button, self.relocate_button)
        layout = in_dialog(
            self, label(text, "soft", wrap=True), form, self._busy, self.findings, self.problem, (self.differences, 1)
        )
        layout.addStretch(0)
        layout.addLayout(buttons)
        self.resize(680, 400)

    # ------------------------------------------------------------------ user actions
    def _choose(self) -> None:
        start = self.place_field.text() or str(self.folder.parent)
        chosen = QFileDialog.getExistingDirectory(self, self.tr("New location of the folder"), start)
        if chosen:
            self.set_place(Path(chosen))

    def _type(self) -> None:
        self._relocating.begin()
        self.hint.clear()
        self._typing.start()

    def _enter(self) -> None:
        """Compare the typed place on Enter; after the comparison, Enter presses the button instead."""
        if self._typing.isActive() or self._relocating.plan is None:
            self._compare()

    def _switch(self) -> None:
        """Switch to another folder, and search for its new place if it is missing."""
        self.place_field.clear()
        self.hint.clear()
        self._relocating.begin()
        self._relocating.propose(self.folder)

    def _compare(self) -> None:
        self._typing.stop()
        text = self.place_field.text().strip()
        if text:
            self._relocating.compare(self.folder, Path(text).expanduser())

    def _take_proposal(self, old: Path, new: Path) -> None:
        if old == self.folder and not self.place_field.text():
            self.set_place(new)
            self.hint.setText(self.tr("Found automatically: it contains most of the photos."))

    # ------------------------------------------------------------------ results
    def _show(self) -> None:
        plan, problem = self._relocating.plan, self._relocating.problem
        self._busy.setVisible(self._relocating.busy)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.findings.setText(self._text(plan) if plan is not None else "")
        self.findings.setVisible(plan is not None)
        self.differences.clear()
        if plan is not None:
            each = [self.tr("missing: {0}").format(shown(str(path))) for path in plan.absent[:_LISTED]]
            each += [self.tr("different photo: {0}").format(shown(str(path))) for path in plan.differing[:_LISTED]]
            self.differences.addItems(each)
        self.differences.setVisible(self.differences.count() > 0)
        self.relocate_button.setEnabled(plan is not None)
        self.relocate_button.setDefault(plan is not None)

    def _text(self, plan: Relocation) -> str:
        there, whole = grouped(plan.found), grouped(plan.photos)
        text = self.tr("{0} of {1} photos were found; the contents of {2} were compared.")
        lines = [text.format(there, whole, grouped(plan.compared))]
        if plan.absent or plan.differing:
            lines.append(self.tr("The others will be listed as missing or as edited."))
        if plan.still_there:
            text = self.tr("{0} of them are also in the old folder. They stay there but are no longer shown.")
            lines.append(text.format(grouped(plan.still_there)))
        if plan.undoable:
            lines.append(self.tr("Undo (Ctrl+Z) reverts it."))
        else:
            lines.append(
                self.tr(
                    "This cannot be undone with Undo, because it is only part of a library folder: relocate it back "
                    "instead."
                )
            )
        return "\n".join(lines)
