# SPDX-License-Identifier: MIT
"""Export and import of data sets of other programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QDialog, QFileDialog, QWidget

from focal_photos.browser.models.exchange.data_sets import DataSets
from focal_photos.browser.operations.exchange.file_format import FileFormat, Media
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.base.theme import Theme


class DataSetDialog(QDialog):
    """A list of the formats, options for photos and boxes, and two buttons that ask for the place.

    Parameters
    ----------
    query : str
        Only matching photos are exported.
    folder : Path
        Start folder of the file dialogs.
    """

    def __init__(
        self, data_sets: DataSets, query: str, folder: Path, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Data sets of other programs"))
        self.setProperty("guide", "exchanging.md#other-programs")
        self._data_sets = data_sets
        self._query = query
        self._folder = folder
        self.forms = ComboBox(theme)
        self.forms.setAccessibleName(self.tr("Format"))
        self._known: dict[str, FileFormat] = {}
        self._add(FORMATS)
        self.links = QCheckBox(self.tr("Links to the photos instead of copies"))
        self.boxes = QCheckBox(self.tr("Import boxes, whose names become tags of the photo"))
        self.close_button = button(self.tr("Close"), "", self.reject)
        self.save_button = button(self.tr("Save as…"), "", self.save)
        self.take_button = button(self.tr("Import…"), "", self.take_in)
        text = self.tr(
            "Export writes the photos that the filter shows, with their tags. Import adds the tags of a data "
            "set to photos of this library in one undo step; nothing is removed."
        )
        buttons = in_row(STRETCH, self.close_button, self.take_button, self.save_button)
        in_dialog(self, label(text, "soft", wrap=True), self.forms, self.links, self.boxes, buttons)
        self.setMinimumWidth(520)
        self.forms.currentIndexChanged.connect(self._show)
        data_sets.formats_read.connect(self._add)
        data_sets.read_formats()
        self._show()

    def _add(self, formats: Mapping[str, FileFormat]) -> None:
        """Add formats to the list: first Focal's own, then those of plug-ins once they are read."""
        for form in formats.values():
            if form.name not in self._known and (form.tags is not None or form.writes_photos):
                self._known[form.name] = form
                self.forms.addItem(in_words(form.title), form.name)

    @property
    def form(self) -> FileFormat:
        """The selected format."""
        return self._known[self.forms.currentData()]

    def save(self) -> None:
        """Let the user choose a new folder or a file, and export."""
        form = self.form
        suffix = form.suffixes[0] if form.suffixes else ""
        start = str(self._folder / f"photos{suffix}")
        kinds = "" if form.is_folder else f"{in_words(form.title)} (*{suffix})"
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Export a data set"), start, kinds)
        if chosen:
            place = Path(chosen if chosen.endswith(suffix) else chosen + suffix)
            media = Media.LINK if self.links.isChecked() and self.links.isEnabled() else Media.COPY
            self.accept()
            self._data_sets.save(form, place, self._query, media)

    def take_in(self) -> None:
        """Let the user choose the folder or the file, and import it."""
        form, title = self.form, self.tr("Import a data set")
        if form.is_folder:
            chosen = QFileDialog.getExistingDirectory(self, title, str(self._folder))
        else:
            kinds = f"{in_words(form.title)} ({' '.join(f'*{suffix}' for suffix in form.suffixes)})"
            chosen, _ = QFileDialog.getOpenFileName(self, title, str(self._folder), kinds)
        if chosen:
            self.accept()
            self._data_sets.take_in(form, Path(chosen), boxes=self.boxes.isChecked())

    def _show(self) -> None:
        form = self.form
        self.links.setEnabled(form.save_photos is not None and form.save_photos.with_media)
        self.boxes.setEnabled(form.tags is not None)
        self.save_button.setEnabled(form.writes_photos)
        self.take_button.setEnabled(form.tags is not None and not self._data_sets.read_only)
