# SPDX-License-Identifier: MIT
"""Import of tags found in files: a list with check marks, and the fields to use."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from focal_photos.browser.catalog.facts.records import Root
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.base.rows_table import Index, RowsTable
from focal_photos.browser.models.photos.formatting import grouped, photos_in_words
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.metadata import keywords
from focal_photos.browser.operations.metadata.imports import import_choice, import_tags

if TYPE_CHECKING:
    from focal_photos.browser.operations.metadata.imports.take_over import MetadataReport


class TagColumn(IntEnum):
    """The columns of `FoundTagTable`."""

    TAG = 0
    PHOTOS = 1
    NOTE = 2


class FoundTagTable(RowsTable):
    """Tags found in files, each with a check mark.

    Signals
    -------
    checked_changed : None
    """

    checked_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tags: Sequence[import_tags.FoundTag] = ()
        self._checked: dict[str, bool] = {}  # changed by the user

    def show_tags(self, tags: Sequence[import_tags.FoundTag]) -> None:
        """Show other tags; the user's check marks stay."""
        self.beginResetModel()
        self.tags = tags
        self.endResetModel()
        self.checked_changed.emit()

    def clear(self) -> None:
        """Show nothing, and discard the user's check marks."""
        self._checked.clear()
        self.show_tags(())

    def is_checked(self, tag: import_tags.FoundTag) -> bool:
        """Return whether to import a tag."""
        return self._checked.get(tag.name, tag.wanted)

    def check_all(self, on: bool) -> None:
        """Check all tags, or none."""
        self._checked.update({tag.name: on for tag in self.tags})
        self._emit_changed()

    def items(self) -> Sequence[import_tags.FoundTag]:
        """Return the tags."""
        return self.tags

    def titles(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return self.tr("Tag"), self.tr("Photos"), self.tr("Note")

    def is_checkable(self, column: int) -> bool:
        """Return whether it is the column of the tags."""
        return column == TagColumn.TAG

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a cell, and whether its tag is checked."""
        tag, column = self.tags[index.row()], index.column()
        if role == Qt.ItemDataRole.CheckStateRole and column == TagColumn.TAG:
            return Qt.CheckState.Checked if self.is_checked(tag) else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.TextAlignmentRole and column == TagColumn.PHOTOS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return (shown(tag.name), grouped(tag.photos), self._note(tag))[column]
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Check a tag, or uncheck it."""
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != TagColumn.TAG:
            return False
        self._checked[self.tags[index.row()].name] = Qt.CheckState(value) is Qt.CheckState.Checked
        self._emit_changed()
        return True

    def _note(self, tag: import_tags.FoundTag) -> str:
        notes = {
            keywords.Doubt.YEAR: self.tr("a number or a date"),
            keywords.Doubt.CAMERA: self.tr("a camera"),
            keywords.Doubt.RARE: self.tr("in a single photo"),
        }
        return notes.get(tag.doubt, "" if tag.wanted else self.tr("skipped before"))

    def _emit_changed(self) -> None:
        self.rows_changed()
        self.checked_changed.emit()


class TagImport(Model):
    """Finds tags in the files of folders, and imports the checked ones."""

    found = Signal()
    """`tags` and `fields` were read again."""
    failed = Signal()
    """The search for tags ended early."""

    def __init__(self, services: Services, indexing: Indexing) -> None:
        super().__init__(services)
        self._indexing = indexing
        self._task: int | None = None
        self.tags = FoundTagTable(self)
        self.photos = 0
        """Number of photos that would get any of the tags."""
        self.roots: list[Root] = []
        """The folders of the library."""
        self.chosen: tuple[int, ...] = ()
        """Ids of the folders to search."""
        self.fields: dict[str, bool] = {}
        """The fields that contain keywords, and whether each is used."""

    def begin(self) -> None:
        """Search the folders for which the user has not chosen yet, or all folders if there are none."""
        library = self._library

        def done(read: tuple[list[Root], Collection[int]]) -> None:
            self.roots, chosen = read
            ids = [root.id for root in self.roots]
            self.look_at([root for root in ids if root not in chosen] or ids)

        self.tags.clear()
        self.fields = {}
        self._runner.read("tag imports", lambda: (library.roots.all(), import_choice.import_choices(library)), done)

    def look_at(self, roots: Sequence[int]) -> None:
        """Find the tags in the files of other folders."""
        self.chosen, self.fields = tuple(roots), {}
        self._find()

    def use_field(self, field: str, on: bool) -> None:
        """Use a field, or stop using it."""
        self.fields[field] = on
        self._find()

    def stop(self) -> None:
        """Cancel the search and discard its result."""
        if self._task is not None:
            self._runner.cancel(self._task)
            self._task = None
        self.tags.clear()

    def _find(self) -> None:
        if self._task is not None:
            self._runner.cancel(self._task)
        library, roots, fields = self._library, self.chosen, dict(self.fields)

        def work() -> Job[import_tags.FoundTags]:
            wanted = [str(field) for field in keywords.Field if fields.get(str(field), True)]
            return import_tags.find_tags(library, roots, wanted)

        def done(found: import_tags.FoundTags) -> None:
            self._task = None
            self.photos = found.photos
            self.fields = {field: fields.get(field, True) for field in sorted(found.fields)}
            self.tags.show_tags(found.tags)
            self.found.emit()

        def failed(_error: Exception) -> bool:
            self._task = None
            self.failed.emit()
            return False

        self._task = self._runner.start(self.tr("Looking for tags in files"), work, done, failed, lane="import")

    def import_checked(self) -> None:
        """Import the checked tags in the background; the other ones are ignored from now on."""
        listed = [(tag, self.tags.is_checked(tag)) for tag in self.tags.tags]
        kinds = {keywords.Doubt.YEAR, keywords.Doubt.CAMERA} & {tag.doubt for tag, _ in listed}
        kinds -= {tag.doubt for tag, checked in listed if checked}
        choice = import_choice.ImportChoice(
            frozenset(str(field) for field in keywords.Field if self.fields.get(str(field), True)),
            frozenset(tag.name for tag, checked in listed if not checked),
            frozenset(map(str, kinds)),
        )
        library, roots = self._library, self.chosen

        def work() -> Job[MetadataReport]:
            return import_tags.import_found_tags(library, roots, choice)

        def done(report: MetadataReport) -> None:
            if report.changes:
                self._feed.publish(report.changes)
                self._indexing.forget_found_tags()
            text = QCoreApplication.translate("import", "Imported %n tags from {0}.", "", report.kinds)
            text = text.format(photos_in_words(report.photos)) if report.tags else self.tr("No tag was imported.")
            offer = MessageAction.UNDO if report.changes else MessageAction.NONE
            self._notices.post(text, action=offer)

        self._runner.start(self.tr("Importing tags"), work, done, lane="import")
