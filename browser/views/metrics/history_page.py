# SPDX-License-Identifier: MIT
"""The history of metrics: a summary of the one in use, then a table with actions on its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QLineEdit, QWidget

from focal_photos.browser.models.metrics.history import MetricRow
from focal_photos.browser.models.photos.formatting import metric_titles, training_data_in_words
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.exchange.lenses.lens_file import SUFFIX
from focal_photos.browser.operations.exchange.lenses.portable.export_metric import Portable
from focal_photos.browser.operations.training.held_out import sentence
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.field_error import FieldMessage, show_field_error
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import FlowLayout, in_column, open_dialog
from focal_photos.browser.views.base.separator import separator
from focal_photos.browser.views.base.tables import RowTable
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.metrics.learning_summary import LearningSummary
from focal_photos.browser.views.metrics.lens_dialog import LensDialog

_ID: Final = Qt.ItemDataRole.UserRole


class HistoryPage(QWidget):
    """All metrics, the Euclidean one first, then the newest."""

    comparison_wanted = Signal(object)
    """The user wants to compare two metrics side by side (tuple of int)."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._history = session.metrics.history
        self._theme = theme
        self.table = _Table()
        self._filling = False
        headings = [self.tr("Name"), self.tr("Learned from"), self.tr("Correct"), self.tr("Better or worse")]
        self._model = QStandardItemModel(0, len(headings), self)
        self._model.setHorizontalHeaderLabels(headings)
        self._model.itemChanged.connect(self._renamed)
        self.table.setModel(self._model)
        self.table.selectionModel().selectionChanged.connect(self._show_buttons)
        self.table.delete_wanted.connect(self.delete)
        self.use_button = button(self.tr("Use"), "", self.use)
        self.rename_button = button(self.tr("Rename (F2)"), "", self.rename)
        self.measure_button = button(self.tr("Measure"), "", self.measure)
        self.measure_button.setToolTip(self.tr("Train on some of your tags and judgements and test on the rest"))
        self.compare_button = button(self.tr("Compare the two"), "", self.compare)
        self.delete_button = button(self.tr("Delete"), "", self.delete)
        self.share_button = button(self.tr("Share…"), "", self.share)
        self.share_button.setToolTip(
            self.tr("Save the metric as a file for other people's photos, or for other programs")
        )
        self.open_button = button(self.tr("Open a lens…"), "", self.open_lens)
        self.open_button.setToolTip(self.tr("Import a metric that someone else has shared"))
        buttons = FlowLayout(6)
        for each in (
            self.use_button,
            self.compare_button,
            self.measure_button,
            self.rename_button,
            self.delete_button,
            self.share_button,
            self.open_button,
        ):
            buttons.addWidget(each)
        text = self.tr(
            "Every trained metric stays in this list. Rename one to keep it as a lens beside Retrain. "
            "“Correct” is the share of right photos among the first ten, measured on held-out photos. “Better "
            "or worse” compares this share with the untrained distance (95 % interval)."
        )
        in_column(
            LearningSummary(session),
            separator(),
            label(self.tr("History"), "title"),
            label(text, "soft", wrap=True),
            buttons,
            (self.table, 1),
            margins=(18, 14, 18, 14),
            spacing=10,
            parent=self,
        )
        self._history.changed.connect(self._show)
        self._history.rename_refused.connect(self._type_again)
        self._show()

    def enter(self) -> None:
        """Read the history, and move the focus to the table."""
        self._history.read()
        self.table.setFocus()

    def selected(self) -> list[int]:
        """Return the metrics of the selected rows."""
        return [int(index.data(_ID)) for index in self.table.selectionModel().selectedRows()]

    def use(self) -> None:
        """Rank by the selected metric."""
        if len(self.selected()) == 1:
            self._history.use(self.selected()[0])

    def rename(self) -> None:
        """Edit the name of the selected metric."""
        rows = self.table.selectionModel().selectedRows()
        if len(rows) == 1:
            self.table.edit(rows[0])

    def measure(self) -> None:
        """Measure the selected metric."""
        if len(self.selected()) == 1:
            self._history.measure(self.selected()[0])

    def compare(self) -> None:
        """Compare the two selected metrics, or the selected one with the one in use."""
        chosen = self.selected()
        current = [row.metric.id for row in self._history.rows if row.current]
        if len(chosen) == 1 and chosen != current:
            chosen = [*current, *chosen]
        if len(chosen) == 2:
            self.comparison_wanted.emit(tuple(chosen))

    def share(self) -> None:
        """Let the user choose a format and a file, and export the selected metric."""
        rows = {row.metric.id: row.metric for row in self._history.rows}
        metric = rows.get(next(iter(self.selected()), 0))
        if metric is None or len(self.selected()) != 1:
            return
        start = Path.home() / f"{metric.name}{SUFFIX}"
        folders = {
            self.tr("Folder with a Python script for programs without Focal (*)"): Portable.PYTHON,
            self.tr("Folder with an ONNX file for programs without Focal (*)"): Portable.ONNX,
        }
        kinds = ";;".join((self.tr("Lenses (*{0})").format(SUFFIX), *folders))
        chosen, kind = QFileDialog.getSaveFileName(self, self.tr("Share a metric"), str(start), kinds)
        if chosen and kind in folders:
            self._history.export(metric.id, Path(chosen.removesuffix(SUFFIX)), folders[kind])
        elif chosen:
            self._history.share(metric.id, Path(chosen if chosen.endswith(SUFFIX) else chosen + SUFFIX))

    def open_lens(self) -> None:
        """Let the user choose a lens, try it and import it."""
        kinds = self.tr("Lenses (*{0})").format(SUFFIX)
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Open a lens"), str(Path.home()), kinds)
        if chosen:
            open_dialog(LensDialog(self._history, Path(chosen), self))

    def delete(self) -> None:
        """Delete the selected metrics."""
        self._history.delete(self.selected())

    def _show(self) -> None:
        selected = self.selected()
        self._filling = True
        self._model.setRowCount(0)
        for row in self._history.rows:
            self._model.appendRow(self._cells(row))
        self._filling = False
        self.table.fit()
        flags = self.table.selectionModel().SelectionFlag
        for number, row in enumerate(self._history.rows):
            if row.metric.id in selected:
                self.table.selectionModel().select(self._model.index(number, 0), flags.Select | flags.Rows)
        self._show_buttons()

    def _cells(self, row: MetricRow) -> list[QStandardItem]:
        metric = row.metric
        title = self._titles()[metric.id]
        plain = metric.file is None
        sources = training_data_in_words(metric.judgements, metric.tagged)
        when = "" if plain else f"{metric.at.astimezone():%Y-%m-%d %H:%M}"
        texts = [title, self.tr("nothing") if plain else sources, row.score, row.gain]
        cells = [QStandardItem(text) for text in texts]
        for cell in cells:
            cell.setEditable(False)
            cell.setData(metric.id, _ID)
        cells[0].setEditable(not self._history.read_only)
        if not plain:
            cells[0].setToolTip(tool_tip(f"{in_words(metric.title)}, {when}"))
        if row.current:
            font = self.font()
            font.setBold(True)
            cells[0].setFont(font)
            cells[0].setIcon(self._theme.icon("check", "accent"))
        if row.held_out is not None:
            for cell in cells[2:]:
                cell.setToolTip(tool_tip(in_words(sentence(row.held_out))))
        spoken = self.tr("{0}, in use") if row.current else "{0}"
        cells[0].setData(spoken.format(title), Qt.ItemDataRole.AccessibleTextRole)
        return cells

    def _titles(self) -> dict[int, str]:
        return metric_titles(row.metric for row in self._history.rows)

    def _renamed(self, item: QStandardItem) -> None:
        if self._filling:
            return
        metric_id = int(item.data(_ID))
        before = self._titles().get(metric_id)
        if item.column() == 0 and before is not None and item.text() != before:
            self._history.rename(metric_id, item.text())

    def _type_again(self, metric_id: int, typed: str, reason: str) -> None:
        """Open the field of a refused name again, with the typed text and the reason; Esc restores the old name."""
        numbers = [number for number, row in enumerate(self._history.rows) if row.metric.id == metric_id]
        if not numbers or not self.table.isVisible():
            return
        index = self._model.index(numbers[0], 0)
        self.table.setCurrentIndex(index)
        self.table.edit(index)
        field = self.table.indexWidget(index)
        if not isinstance(field, QLineEdit):
            return
        field.setText(typed)
        field.selectAll()
        words = FieldMessage(field)
        field.destroyed.connect(words.deleteLater)
        show_field_error(field, reason)
        words.show_text(reason)

        def typing() -> None:
            show_field_error(field, "")
            words.show_text("")

        field.textEdited.connect(typing)

    def _show_buttons(self) -> None:
        chosen = self.selected()
        rows = {row.metric.id: row for row in self._history.rows}
        one = rows.get(chosen[0]) if len(chosen) == 1 else None
        writable = not self._history.read_only
        self.use_button.setEnabled(writable and one is not None and not one.current)
        self.rename_button.setEnabled(writable and one is not None)
        can_measure = one is not None and one.metric.file is not None and not self._history.measuring
        self.measure_button.setEnabled(writable and can_measure)
        self.measure_button.setText(
            self.tr("Measuring\N{HORIZONTAL ELLIPSIS}") if self._history.measuring else self.tr("Measure")
        )
        self.share_button.setEnabled(one is not None and one.metric.file is not None)
        self.open_button.setEnabled(writable)
        self.compare_button.setEnabled(len(chosen) == 2 or (one is not None and not one.current))
        self.delete_button.setEnabled(writable and any(rows[it].metric.file is not None for it in chosen if it in rows))


class _Table(RowTable):
    """A table of whole rows; Delete requests to delete the selected ones."""

    delete_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("", several=True)
        self.setAccessibleName(self.tr("History"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked)

    def fit(self) -> None:
        """Fit each column to its content, and the last one to the remaining width."""
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        self.resizeColumnsToContents()
        header.setStretchLastSection(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete the selected rows on Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)
