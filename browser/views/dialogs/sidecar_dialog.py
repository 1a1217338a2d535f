# SPDX-License-Identifier: MIT
"""The dialog to synchronise with sidecars, with a choice for changes on both sides."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QHeaderView, QWidget

from focal_photos.browser.models.exchange.sidecar_exchange import SidecarExchange
from focal_photos.browser.operations.jobs.progress import Progress
from focal_photos.browser.operations.metadata.agreement import Prefer
from focal_photos.browser.operations.metadata.exchange_sidecars import Direction
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.base.tables import RowTable
from focal_photos.browser.views.base.task_strip import busy_bar
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.dialogs.failures_dialog import FailuresDialog

_ROWS = 4  # number of visible conflicts


class SidecarDialog(QDialog):
    """Shows the differences, and synchronises after confirmation.

    Parameters
    ----------
    exchange : SidecarExchange
        Already comparing, or about to.
    """

    def __init__(self, exchange: SidecarExchange, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Sync with XMP sidecars"))
        self.setProperty("guide", "exchanging.md#sidecars")
        self._exchange = exchange
        self.summary = label(self.tr("Comparing photos with the XMP files beside them."), "title", wrap=True)
        self.detail = label("", "soft", wrap=True)
        self.progress = busy_bar(self.tr("Progress"))
        self.problems_button = button("", "link", self._show_problems)

        self.conflicts_label = label(self.tr("Changed on both sides: choose which to keep"), "section")
        self.conflict_view = RowTable(self.conflicts_label.text(), exchange.conflicts)
        self.all_focal = button(self.tr("Focal for all"), "", lambda: self._choose_all(Prefer.FOCAL))
        self.all_sidecar = button(self.tr("Sidecar for all"), "", lambda: self._choose_all(Prefer.SIDECAR))
        self.all_open = button(self.tr("None"), "", lambda: self._choose_all(Prefer.ASK))
        self.differences_label = label(self.tr("What to sync"), "section")
        self.difference_view = RowTable(self.differences_label.text(), exchange.differences)

        self.direction_box = ComboBox(theme)
        self.direction_box.setAccessibleName(self.tr("Direction"))
        for text, direction in (
            (self.tr("Both ways"), Direction.BOTH),
            (self.tr("Import from sidecars only"), Direction.READ),
            (self.tr("Write sidecars only"), Direction.WRITE),
        ):
            self.direction_box.addItem(text, direction)
        self.direction_box.currentIndexChanged.connect(self._choose_direction)
        self.close_button = button(self.tr("Cancel"), "", self.reject)
        self.exchange_button = button(self.tr("Sync"), "primary", self._do)
        self._arrange()
        exchange.compared.connect(self._show)
        exchange.progressed.connect(self._show_progress)
        exchange.failed.connect(self._show_failure)
        exchange.conflicts.chosen.connect(self._count)
        self.finished.connect(exchange.stop)
        self._set_found(False)

    # ------------------------------------------------------------------ creation
    def _arrange(self) -> None:
        above = in_row(self.conflicts_label, STRETCH, self.all_focal, self.all_sidecar, self.all_open)
        layout = in_dialog(
            self,
            self.summary,
            self.detail,
            self.progress,
            above,
            self.conflict_view,
            self.differences_label,
            (self.difference_view, 1),
            spacing=10,
        )
        below = in_row(self.direction_box, self.problems_button, STRETCH, self.close_button, self.exchange_button)
        layout.addStretch()
        layout.addLayout(below)
        header = self.conflict_view.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, 90), (2, 190), (3, 190)):
            self.conflict_view.setColumnWidth(column, width)
        header = self.difference_view.horizontalHeader()
        self.difference_view.setColumnWidth(0, 190)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        row = self.conflict_view.verticalHeader().defaultSectionSize()
        self.conflict_view.setFixedHeight(row * (_ROWS + 1) + 6)
        self.resize(860, 560)
        self.close_button.setAutoDefault(False)
        for each in (self.all_focal, self.all_sidecar, self.all_open, self.problems_button):
            each.setAutoDefault(False)
        self.exchange_button.setDefault(True)

    # ------------------------------------------------------------------ display
    def _set_found(self, found: bool) -> None:
        conflicts = found and self._exchange.conflicts.rowCount() > 0
        differs = found and self._exchange.differences.rowCount() > 0
        for widget in (self.conflicts_label, self.conflict_view, self.all_focal, self.all_sidecar, self.all_open):
            widget.setVisible(conflicts)
        for each in (self.differences_label, self.difference_view, self.direction_box):
            each.setVisible(differs)
        comparison = self._exchange.comparison
        problems = len(comparison.problems) if found and comparison is not None else 0
        text = self.tr("1 problem…") if problems == 1 else self.tr("{0} problems…").format(problems)
        self.problems_button.setText(text)
        self.problems_button.setVisible(problems > 0)
        self.exchange_button.setVisible(differs)
        self.exchange_button.setEnabled(differs)
        self.progress.setVisible(not found)
        self.detail.setVisible(bool(self.detail.text()))

    def _show(self) -> None:
        comparison = self._exchange.comparison
        if comparison is None:  # no differences
            self._show_failure(self.tr("Photos and sidecars agree: nothing to sync."))
            return
        count, photos = len(comparison.differing), comparison.photos
        if count:
            self.summary.setText(self.tr("{0} of {1} photos differ from their sidecars").format(count, photos))
            text = self.tr("New sidecars are named like {0}. Photos themselves are never written.")
            self.detail.setText(text.format(self._exchange.new_names))
        elif photos:
            self.summary.setText(self.tr("Photos and sidecars agree: nothing to sync."))
        else:
            self.summary.setText(self.tr("There are no photos to compare."))
        self.close_button.setText(self.tr("Cancel") if count else self.tr("Close"))
        self._set_found(True)
        self._count()
        if count:
            self.exchange_button.setFocus()

    def _show_progress(self, progress: Progress) -> None:
        self.progress.setRange(0, progress.total or 0)
        self.progress.setValue(progress.done)

    def _show_failure(self, reason: str) -> None:
        self.summary.setText(reason or self.tr("Comparing was stopped."))
        self.close_button.setText(self.tr("Close"))
        self._set_found(False)
        self.progress.hide()

    def _count(self) -> None:
        left = self._exchange.conflicts.open
        text = self.tr("Changed on both sides: choose which to keep")
        if left:
            text = self.tr("Changed on both sides: choose which to keep ({0} stay unchanged)").format(left)
        self.conflicts_label.setText(text)

    # ------------------------------------------------------------------ actions
    def _choose_all(self, prefer: Prefer) -> None:
        self._exchange.conflicts.choose_all(prefer)

    def _choose_direction(self) -> None:
        self._exchange.choose_direction(self.direction_box.currentData())

    def _do(self) -> None:
        self._exchange.exchange()
        self.accept()

    def _show_problems(self) -> None:
        comparison = self._exchange.comparison
        if comparison is not None:
            title = self.tr("Sidecars that cannot be read or written")
            text = self.tr("All others are synced.")
            FailuresDialog(comparison.problems, self, title=title, text=text).open()
