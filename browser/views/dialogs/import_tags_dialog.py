# SPDX-License-Identifier: MIT
"""The choice of tags found in files to import: a list with check marks, and the fields to use."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QHeaderView, QTableView, QWidget

from focal_photos.browser.models.exchange.tag_import import TagColumn, TagImport
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.operations.metadata.keywords import Field
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, FlowLayout, in_dialog, in_row
from focal_photos.browser.views.base.tables import RowTable
from focal_photos.browser.views.base.task_strip import busy_bar
from focal_photos.browser.views.base.theme import Theme


class ImportTagsDialog(QDialog):
    """Lists the tags found in files, and imports the checked ones."""

    def __init__(self, tag_import: TagImport, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import tags from files"))
        self.setProperty("guide", "exchanging.md#tags-found-in-files")
        self._import = tag_import
        self.summary = label(self.tr("Looking for tags in files"), "title", wrap=True)
        self.progress = busy_bar(self.tr("Progress"))
        self.folder_box = ComboBox(theme)
        self.folder_box.setAccessibleName(self.tr("Folder"))
        self.folder_box.activated.connect(self._choose_folder)
        self.field_boxes = {field: QCheckBox(title) for field, title in self._field_titles().items()}
        for field, box in self.field_boxes.items():
            box.setChecked(True)
            box.clicked.connect(lambda on, field=field: self._use_field(str(field), on))
        self.table = self._make_table()
        self.all_button = button(self.tr("Check all"), "", lambda: tag_import.tags.check_all(True))
        self.none_button = button(self.tr("Uncheck all"), "", lambda: tag_import.tags.check_all(False))
        self.cancel_button = button(self.tr("Cancel"), "", self.reject)
        self.import_button = button(self.tr("Import"), "primary", self._do)
        self._arrange()
        tag_import.found.connect(self._show)
        tag_import.failed.connect(self.reject)
        tag_import.tags.checked_changed.connect(self._count)
        self.finished.connect(tag_import.stop)
        self.import_button.setEnabled(False)
        tag_import.begin()

    def _field_titles(self) -> dict[Field, str]:
        return {
            Field.SIDECAR: self.tr("XMP sidecars"),
            Field.HIERARCHY: self.tr("Hierarchical keywords"),
            Field.SUBJECT: self.tr("XMP subject"),
            Field.IPTC: self.tr("IPTC keywords"),
            Field.EXIF: self.tr("Windows keywords"),
        }

    def _make_table(self) -> QTableView:
        view = RowTable(self.tr("Tags found in files"), self._import.tags)
        view.setObjectName("checkedTable")
        header = view.horizontalHeader()
        header.setSectionResizeMode(TagColumn.TAG, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(TagColumn.PHOTOS, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(TagColumn.NOTE, QHeaderView.ResizeMode.ResizeToContents)
        return view

    def _arrange(self) -> None:
        layout = in_dialog(self, self.summary, self.progress, self.folder_box, spacing=10)
        fields = FlowLayout(14)
        for box in self.field_boxes.values():
            fields.addWidget(box)
            box.hide()
        self.folder_box.hide()
        layout.addLayout(fields)
        layout.addWidget(self.table, 1)
        note = self.tr("The same choice applies to files that change later. Photos and sidecars are not written.")
        layout.addWidget(label(note, "faint", wrap=True))
        below = in_row(self.all_button, self.none_button, STRETCH, self.cancel_button, self.import_button)
        layout.addLayout(below)
        for each in (self.all_button, self.none_button, self.cancel_button):
            each.setAutoDefault(False)
        self.import_button.setDefault(True)
        self.resize(560, 560)

    def _show(self) -> None:
        found = self._import
        self.progress.hide()
        self._show_folders()
        for field, box in self.field_boxes.items():
            box.setVisible(str(field) in found.fields)
            box.setChecked(found.fields.get(str(field), True))
        count = len(found.tags.tags)
        if count:
            text = QCoreApplication.translate("import", "Found %n tags in {0}", "", count)
            self.summary.setText(text.format(photos_in_words(found.photos)))
        else:
            self.summary.setText(self.tr("The files contain no tags that are not in Focal already."))
        self._count()

    def _show_folders(self) -> None:
        found = self._import
        self.folder_box.setVisible(len(found.roots) > 1)
        if self.folder_box.count():
            return
        self.folder_box.addItem(self.tr("All folders"), tuple(root.id for root in found.roots))
        for root in found.roots:
            self.folder_box.addItem(shown(str(root.path)), (root.id,))
        places = [self.folder_box.itemData(row) for row in range(self.folder_box.count())]
        if found.chosen not in places:
            self.folder_box.addItem(self.tr("Folders without a choice yet"), found.chosen)
            places.append(found.chosen)
        self.folder_box.setCurrentIndex(places.index(found.chosen))

    def _count(self) -> None:
        found = self._import.tags
        checked = sum(map(found.is_checked, found.tags))
        self.import_button.setEnabled(checked > 0)
        text = QCoreApplication.translate("import", "Import %n tags", "", checked)
        self.import_button.setText(text if checked else self.tr("Import"))
        for each in (self.all_button, self.none_button):
            each.setEnabled(bool(found.tags))

    def _choose_folder(self) -> None:
        self.progress.show()
        self._import.look_at(self.folder_box.currentData())

    def _use_field(self, field: str, on: bool) -> None:
        self._import.use_field(field, on)

    def _do(self) -> None:
        self._import.import_checked()
        self.accept()
