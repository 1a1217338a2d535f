# SPDX-License-Identifier: MIT
"""All judgements as a list, each of which can be changed or cleared."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QItemSelectionModel, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QWidget

from focal_photos.browser.catalog.facts.records import Region, Relation, Verdict
from focal_photos.browser.models.metrics.judged_pairs import Against, Column, JudgedPairs
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.photos.tiles import SMALL_TILE
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.ranking.queries.query import RegionQuery, TextQuery
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.base.painting import square_icon
from focal_photos.browser.views.base.tables import RowTable
from focal_photos.browser.views.base.theme import Theme

_CHANNEL: Final = "judged pairs"
_ICON: Final = 56
_PARTS: Final = PixelSize(512, 384)
"""Size of the pictures from which regions are cut, in device pixels."""


class JudgementsDialog(QDialog):
    """A table of pairs: focal image, photo, verdict.

    Parameters
    ----------
    verdict : Verdict, optional
        Show only judgements with this verdict against the present focal image at first; default: all judgements.
    """

    walk_wanted = Signal(int)
    """The user wants to rank by this focal image."""

    def __init__(
        self, session: Session, theme: Theme, verdict: Verdict | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Judgements"))
        self.setProperty("guide", "teaching.md")
        self._session = session
        self.focal_box, self.verdict_box = ComboBox(theme), ComboBox(theme)
        self._fill_filters(verdict)
        self.model = JudgedPairs(session.library, session.runner, session.editor, self._icon, session.feed, self)
        self.table = _Table(self.windowTitle(), self.model)
        self.table.judged.connect(self.judge)
        self.table.scrolled.connect(self._want_pictures)
        self.table.doubleClicked.connect(lambda index: self._walk(index.row()))
        header = self.table.horizontalHeader()
        for column in (Column.FOCAL, Column.PHOTO):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(Column.VERDICT, 190)
        self.table.setColumnWidth(Column.AT, 150)
        self.model.modelReset.connect(self._reset)
        session.loader.loaded.connect(self._show_pictures)
        self.words = label("", "soft", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.similar_button = button(self.tr("Similar (S)"), "", lambda: self.judge(Verdict.SIMILAR))
        self.dissimilar_button = button(self.tr("Not similar (D)"), "", lambda: self.judge(Verdict.DISSIMILAR))
        self.back_button = button(self.tr("Withdraw (U)"), "", lambda: self.judge(None))
        self._place()
        self.table.selectionModel().selectionChanged.connect(self._enable)
        self._filter()
        self.model.read()
        self._reset()
        self.resize(860, 560)

    def _fill_filters(self, verdict: Verdict | None) -> None:
        judged = self._session.navigator.judged_against
        focal: Against | None = None
        if isinstance(judged, RegionQuery):
            focal = judged
        elif isinstance(judged, TextQuery):
            focal = judged.text
        elif len(judged) == 1:
            focal = judged[0]
        self.focal_box.addItem(self.tr("All focal images"), None)
        if focal is not None:
            part = isinstance(focal, RegionQuery)
            self.focal_box.addItem(self.tr("Current part") if part else self.tr("Current focal image"), focal)
        for text, value in (
            (self.tr("All judgements"), None),
            (self.tr("Similar"), Verdict.SIMILAR),
            (self.tr("Not similar"), Verdict.DISSIMILAR),
            (self.tr("Looks alike"), Relation.LOOKS_ALIKE),
            (self.tr("Nearer than another"), Relation.NEARER),
        ):
            self.verdict_box.addItem(text, value)
        if verdict is not None:
            self.focal_box.setCurrentIndex(self.focal_box.count() - 1)
            self.verdict_box.setCurrentIndex(1 if verdict is Verdict.SIMILAR else 2)
        self.focal_box.setAccessibleName(self.tr("Focal image"))
        self.verdict_box.setAccessibleName(self.tr("Judgement"))
        for box in (self.focal_box, self.verdict_box):
            box.currentIndexChanged.connect(self._filter)

    def _place(self) -> None:
        filters = in_row(self.focal_box, self.verdict_box, (self.words, 1))
        close = button(self.tr("Close"), "", self.accept)
        close.setDefault(True)
        buttons = in_row(self.similar_button, self.dissimilar_button, self.back_button, STRETCH, close)
        in_dialog(self, filters, (self.table, 1), buttons)

    # ------------------------------------------------------------------ user actions
    def judge(self, verdict: Verdict | None) -> None:
        """Give the selected pairs a verdict, or clear their judgements (None)."""
        self.model.judge(self.table.selected_rows(), verdict)

    def _walk(self, row: int) -> None:
        pair = self.model.pairs[row]
        card = self.model.card(pair.focal) if isinstance(pair.focal, int) else None
        if pair.region is not None and card is not None:
            self._session.region_search.search_in(card, rotated_region(pair.region, card.quarters))
        elif isinstance(pair.focal, int):
            self.walk_wanted.emit(pair.focal)
        else:
            return
        self.accept()

    def _filter(self) -> None:
        self.model.set_filter(self.focal_box.currentData(), self.verdict_box.currentData())

    # ------------------------------------------------------------------ display
    def _reset(self) -> None:
        count = len(self.model.pairs)
        hint = self.tr("Double-click a judgement to rank by its focal image.")
        self.words.setText(hint if count else self.tr("There are no such judgements."))
        if count and not self.table.selected_rows():
            select = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.table.selectionModel().setCurrentIndex(self.model.index(0, 0), select)
        self._enable()
        self._want_pictures()

    def _enable(self) -> None:
        chosen = [] if self._session.read_only else [self.model.pairs[row] for row in self.table.selected_rows()]
        for each in (self.similar_button, self.dissimilar_button):
            each.setEnabled(any(pair.kind is None for pair in chosen))
        self.back_button.setEnabled(bool(chosen))

    def _want_pictures(self) -> None:
        first = max(self.table.rowAt(0), 0)
        last = self.table.rowAt(self.table.viewport().height() - 1)
        rows = range(first, (last if last >= 0 else len(self.model.pairs) - 1) + 1)
        size = _PARTS if self.model.has_regions(rows) else SMALL_TILE
        self._session.loader.request(_CHANNEL, self.model.photos(rows), size)

    # A method and no lambda: it is disconnected when the dialog is deleted.
    def _show_pictures(self, _ids: object) -> None:
        self.model.rows_changed()

    def _icon(self, photo_id: int, region: Region | None) -> QIcon:
        image = self._session.loader.image(photo_id, SMALL_TILE if region is None else _PARTS)
        if image is None or image.isNull():
            return QIcon()
        if region is not None:
            corner = QPointF(region.x0 * image.width(), region.y0 * image.height())
            size = QSizeF((region.x1 - region.x0) * image.width(), (region.y1 - region.y0) * image.height())
            image = image.copy(QRectF(corner, size).toAlignedRect())
        return square_icon(image)


class _Table(RowTable):
    """The pairs; keys judge the selected ones, with a Verdict or None."""

    judged = Signal(object)
    scrolled = Signal()
    """Other rows are in sight."""

    def __init__(self, name: str, model: JudgedPairs) -> None:
        super().__init__(name, model, several=True)
        self.setIconSize(QSize(_ICON, _ICON))
        self.verticalHeader().setDefaultSectionSize(_ICON + 8)
        self.verticalScrollBar().valueChanged.connect(self.scrolled)

    def selected_rows(self) -> list[int]:
        """Return the selected rows from top to bottom."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Request the pictures of the visible rows."""
        super().resizeEvent(event)
        self.scrolled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Judge with S, D and U, as in the grid."""
        verdicts = {Qt.Key.Key_S: Verdict.SIMILAR, Qt.Key.Key_D: Verdict.DISSIMILAR}
        if event.key() in verdicts and not event.modifiers():
            self.judged.emit(verdicts[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_U, Qt.Key.Key_Delete) and not event.modifiers():
            self.judged.emit(None)
        else:
            super().keyPressEvent(event)
