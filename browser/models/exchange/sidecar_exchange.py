# SPDX-License-Identifier: MIT
"""Synchronisation with sidecars: the differences, the choices for conflicts, and the exchange."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal

from focal_photos.browser.catalog.facts.records import NamedRegion
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.base.rows_table import Index, RowsTable
from focal_photos.browser.models.photos.formatting import rating_text
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.describing.settings import SIDECAR_NAMES, SIDECAR_PREFER, SIDECAR_WRITE
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.metadata import agreement, exchange_sidecars
from focal_photos.browser.tasks.runner import TaskState, TaskStatus, describe

REST_MILLISECONDS = 3000
"""Milliseconds after the last change before sidecars are written automatically."""


class DifferenceTable(RowsTable):
    """Incoming and outgoing changes, one photo per row. The texts of a row are computed when it is shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._photos: Sequence[exchange_sidecars.ComparedPhoto] = ()
        self._direction: exchange_sidecars.Direction  # set once there are photos
        self._choices: dict[tuple[int, str], agreement.Prefer] = {}
        self._texts: dict[int, tuple[str, str, str]] = {}

    def show_photos(
        self,
        photos: Sequence[exchange_sidecars.ComparedPhoto],
        choices: dict[tuple[int, str], agreement.Prefer],
        direction: exchange_sidecars.Direction,
    ) -> None:
        """Show these photos; `choices` is read again after `refresh`."""
        self._direction = direction
        self._show(photos, choices)

    def clear(self) -> None:
        """Show nothing."""
        self._show((), {})

    def _show(
        self, photos: Sequence[exchange_sidecars.ComparedPhoto], choices: dict[tuple[int, str], agreement.Prefer]
    ) -> None:
        self.beginResetModel()
        self._photos, self._choices = photos, choices
        self._texts.clear()
        self.endResetModel()

    def refresh(self, direction: exchange_sidecars.Direction) -> None:
        """Compute all rows again."""
        self._direction = direction
        self._texts.clear()
        self.rows_changed()

    def items(self) -> Sequence[exchange_sidecars.ComparedPhoto]:
        """Return the differing photos."""
        return self._photos

    def titles(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return self.tr("Photo"), self.tr("Imported into Focal"), self.tr("Written to the sidecar")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a cell."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            row = index.row()
            if row not in self._texts:
                self._texts[row] = self._text(self._photos[row])
            return self._texts[row][index.column()]
        return None

    def _text(self, photo: exchange_sidecars.ComparedPhoto) -> tuple[str, str, str]:
        difference = photo.difference(self._direction, agreement.Prefer.ASK, self._choices)
        out = []
        for one, changes in difference.outgoing:
            name = "" if len(difference.outgoing) == 1 else f"{shown(one.path.name)}: "
            new = "" if one.content_hash else self.tr("  (new: {0})").format(shown(one.path.name))
            out.append(name + in_words(changes) + new)
        return shown(photo.path.name), in_words(difference.incoming), "; ".join(out)


class ConflictColumn(IntEnum):
    """The columns of `ConflictTable`."""

    PHOTO = 0
    FIELD = 1
    FOCAL = 2
    SIDECAR = 3


class ConflictTable(RowsTable):
    """Ratings and labels that were changed on both sides; a check mark chooses a side."""

    chosen = Signal()
    """A choice was made or cleared."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._conflicts: Sequence[tuple[exchange_sidecars.ComparedPhoto, agreement.Conflict]] = ()
        self.choices: dict[tuple[int, str], agreement.Prefer] = {}
        """The choices; other conflicts stay unchanged on both sides."""

    def show_conflicts(
        self, conflicts: Sequence[tuple[exchange_sidecars.ComparedPhoto, agreement.Conflict]], prefer: agreement.Prefer
    ) -> None:
        """Show these conflicts, with the same choice for all."""
        self.beginResetModel()
        self._conflicts = conflicts
        self.choices = {}
        self.endResetModel()
        self.choose_all(prefer)

    def choose_all(self, prefer: agreement.Prefer) -> None:
        """Make the same choice for all."""
        self.choices.clear()
        if prefer is not agreement.Prefer.ASK:
            self.choices.update({(photo.photo_id, one.field): prefer for photo, one in self._conflicts})
        self._emit_chosen()

    @property
    def open(self) -> int:
        """Number of conflicts without a choice."""
        return len(self._conflicts) - len(self.choices)

    def items(self) -> Sequence[tuple[exchange_sidecars.ComparedPhoto, agreement.Conflict]]:
        """Return the conflicts."""
        return self._conflicts

    def titles(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return self.tr("Photo"), "", self.tr("In Focal"), self.tr("In the sidecar")

    def is_checkable(self, column: int) -> bool:
        """Return whether it is the column of a side."""
        return _side(column) is not None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a cell, and whether its side is chosen."""
        photo, conflict = self._conflicts[index.row()]
        side = _side(index.column())
        if role == Qt.ItemDataRole.CheckStateRole and side:
            is_chosen = self.choices.get((photo.photo_id, conflict.field)) is side
            return Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return (
                shown(photo.path.name),
                self.tr("Rating") if conflict.field == "rating" else self.tr("Label"),
                value_in_words(conflict.focal),
                value_in_words(conflict.sidecar),
            )[index.column()]
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Choose a side, or clear the choice."""
        side = _side(index.column())
        if role != Qt.ItemDataRole.CheckStateRole or side is None:
            return False
        photo, conflict = self._conflicts[index.row()]
        key = (photo.photo_id, conflict.field)
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self.choices[key] = side
        else:
            self.choices.pop(key, None)
        self._emit_chosen()
        return True

    def _emit_chosen(self) -> None:
        self.rows_changed()
        self.chosen.emit()


class SidecarExchange(Model):
    """Compares photos with their sidecars, stores the choices, and synchronises."""

    compared = Signal()
    """`comparison` is available."""
    progressed = Signal(object)
    """The `Progress` of the comparison (object)."""
    failed = Signal(str)
    """The reason why the comparison ended early; empty if it was cancelled."""

    def __init__(self, services: Services, editor: Editor) -> None:
        super().__init__(services)
        self._task: int | None = None
        self.comparison: exchange_sidecars.Comparison | None = None
        self._direction: exchange_sidecars.Direction | None = None
        self.new_names = SIDECAR_NAMES.default
        """Name pattern of new sidecars."""
        self.differences = DifferenceTable(self)
        self.conflicts = ConflictTable(self)
        self.conflicts.chosen.connect(lambda: self.differences.refresh(self.direction))
        self._runner.task_changed.connect(self._task_changed)
        editor.edited.connect(self._take_changes)
        self._to_write: set[int] = set()
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._write)

    @property
    def direction(self) -> exchange_sidecars.Direction:
        """The sides that an exchange changes."""
        return exchange_sidecars.Direction.BOTH if self._direction is None else self._direction

    def compare(self, photo_ids: Sequence[int]) -> None:
        """Compare photos with their sidecars; an empty sequence means all photos of the library."""
        self.stop()
        self._direction = None
        library, ids = self._library, list(photo_ids)

        def work() -> Job[
            tuple[
                exchange_sidecars.Comparison,
                list[tuple[exchange_sidecars.ComparedPhoto, agreement.Conflict]],
                agreement.Prefer,
                str,
            ]
        ]:
            names = SIDECAR_NAMES.get(library)
            photo_ids = ids or library.photos.listed().tolist()
            with_suffix = names == "photo.jpg.xmp"
            found = yield from exchange_sidecars.compare_sidecars(library, photo_ids, with_suffix=with_suffix)
            conflicts = [(photo, one) for photo in found.differing for one in photo.difference().conflicts]
            return found, conflicts, agreement.Prefer(SIDECAR_PREFER.get(library)), names

        def done(
            result: tuple[
                exchange_sidecars.Comparison,
                list[tuple[exchange_sidecars.ComparedPhoto, agreement.Conflict]],
                agreement.Prefer,
                str,
            ],
        ) -> None:
            self.comparison, conflicts, prefer, self.new_names = result
            self.conflicts.show_conflicts(conflicts, prefer)
            self.differences.show_photos(self.comparison.differing, self.conflicts.choices, self.direction)
            if self.comparison.alike and not self.comparison.differing:
                self.exchange(quiet=True)  # only records that both sides agree
            self.compared.emit()

        def refused(error: Exception) -> bool:
            self.failed.emit(describe(error))
            return True

        title = self.tr("Comparing with sidecars")
        self._task = self._runner.start(title, work, done, refused, lane="sidecars")

    def stop(self) -> None:
        """Cancel the comparison and discard its result."""
        if self._task is not None:
            self._runner.cancel(self._task)
            self._task = None
        self.comparison = None
        self.conflicts.show_conflicts((), agreement.Prefer.ASK)
        self.differences.clear()

    def choose_direction(self, direction: exchange_sidecars.Direction) -> None:
        """Synchronise both ways from now on, or one way only."""
        self._direction = direction
        self.differences.refresh(direction)

    def exchange(self, *, quiet: bool = False) -> None:
        """Carry out the shown changes in the background."""
        comparison = self.comparison
        if comparison is None or self._library.read_only:
            return
        library, direction, choices = self._library, self.direction, dict(self.conflicts.choices)

        def work() -> Job[exchange_sidecars.ExchangeReport]:
            return exchange_sidecars.exchange_sidecars(library, comparison, direction, agreement.Prefer.ASK, choices)

        def done(report: exchange_sidecars.ExchangeReport) -> None:
            if report.changes:
                self._feed.publish(report.changes)
            if not quiet:
                self._post_report(report)

        self.comparison = None
        self._runner.start(self.tr("Syncing with sidecars"), work, done, lane="sidecars")

    def _take_changes(self, changes: ChangeSet) -> None:
        """After a pause, write the sidecars of changed photos, if the setting requests it."""
        if changes.kinds & {Kind.TAGS, Kind.MARKS, Kind.BOXES} and changes.photo_ids and not self._library.read_only:
            self._to_write |= changes.photo_ids
            self._rest.start()

    def close(self) -> None:
        """Stop writing automatically; the next exchange writes the pending changes."""
        self._rest.stop()

    @property
    def waiting(self) -> bool:
        """Whether changes wait to be written automatically."""
        return self._rest.isActive()

    def _write(self) -> None:
        library, ids = self._library, sorted(self._to_write)
        self._to_write.clear()

        def work() -> Job[exchange_sidecars.ExchangeReport]:
            if not SIDECAR_WRITE.get(library):
                return exchange_sidecars.ExchangeReport()
            names = SIDECAR_NAMES.get(library)
            found = yield from exchange_sidecars.compare_sidecars(library, ids, with_suffix=names == "photo.jpg.xmp")
            return (yield from exchange_sidecars.exchange_sidecars(library, found, exchange_sidecars.Direction.WRITE))

        def done(report: exchange_sidecars.ExchangeReport) -> None:
            if report.problems:
                self._post_report(report)

        self._runner.start(self.tr("Writing sidecars"), work, done, lane="sidecars")

    def _post_report(self, report: exchange_sidecars.ExchangeReport) -> None:
        text = QCoreApplication.translate("sidecars", "%n sidecars written.", "", len(report.written))
        text += " " + QCoreApplication.translate(
            "sidecars", "%n photos changed in Focal.", "", len(report.changes.photo_ids)
        )
        if report.open:
            text += " " + QCoreApplication.translate("sidecars", "%n conflicts are unresolved.", "", len(report.open))
        if report.problems:
            path, reason = report.problems[0]
            refused = QCoreApplication.translate(
                "sidecars", "%n sidecars were not written; {0}: {1}", "", len(report.problems)
            )
            text += " " + refused.format(shown(path.name), reason)
        self._notices.post(text, Severity.WARNING if report.problems else Severity.INFO)

    def _task_changed(self, state: TaskState) -> None:
        if state.number != self._task:
            return
        if state.status is TaskStatus.RUNNING and state.progress is not None:
            self.progressed.emit(state.progress)
        if state.status not in (TaskStatus.RUNNING, TaskStatus.WAITING):
            self._task = None
            if state.status is TaskStatus.CANCELLED:
                self.failed.emit("")


def _side(column: int) -> agreement.Prefer | None:
    return {ConflictColumn.FOCAL: agreement.Prefer.FOCAL, ConflictColumn.SIDECAR: agreement.Prefer.SIDECAR}.get(
        ConflictColumn(column)
    )


def value_in_words(value: int | str | None) -> str:
    """Return a rating or a label as text."""
    return value if isinstance(value, str) else rating_text(value)


def in_words(difference: exchange_sidecars.Difference) -> str:
    """Return a difference in one line: tags with a plus or minus, stars, the label, boxes."""
    words = [f"+{shown(tag)}" for tag in difference.added]
    words += [f"\N{MINUS SIGN}{shown(tag)}" for tag in difference.removed]
    if difference.rating is not None:
        rating = difference.rating[1]
        words.append(rating_text(rating) if rating else QCoreApplication.translate("sidecars", "no rating"))
    if difference.label is not None:
        words.append(
            shown(difference.label[1]) if difference.label[1] else QCoreApplication.translate("sidecars", "no label")
        )
    words += [_box_in_words(old, new) for old, new in difference.boxes]
    return "  ".join(words)


def _box_in_words(old: NamedRegion | None, new: NamedRegion | None) -> str:
    """Return the change of a box: added, removed, moved or renamed."""

    def name(box: NamedRegion) -> str:
        return shown(box.tag) if box.tag else QCoreApplication.translate("sidecars", "no name")

    if old is None:
        return "" if new is None else "+" + QCoreApplication.translate("sidecars", "box {0}").format(name(new))
    if new is None:
        return "\N{MINUS SIGN}" + QCoreApplication.translate("sidecars", "box {0}").format(name(old))
    if old.tag == new.tag:
        return QCoreApplication.translate("sidecars", "box {0} moved").format(name(old))
    return QCoreApplication.translate("sidecars", "box {0} renamed to {1}").format(name(old), name(new))
