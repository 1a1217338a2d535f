# SPDX-License-Identifier: MIT
"""A tree of descriptor groups with check marks, usable with keys or mouse."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from focal_photos.browser.models.settings.descriptor_model import Column, DescriptorModel, DescriptorRole
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.base.tree_view import TreeView

_ROW: Final = 30
_BOX: Final = 16
_GAP: Final = 10
_MARGIN: Final = 8  # that of the header in the style sheet
_INDENT: Final = 20
_COLLAPSED: Final = frozenset({"reduction"})
"""Groups that are collapsed at first."""


class DescriptorDelegate(QStyledItemDelegate):
    """Paints a check box below the group's title, a title, the command-line name, and numbers at the right."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(80, max(_ROW, option.fontMetrics.height() + 12))

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Leave clicks and keys to the tree, where the whole row is active."""
        return False

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a cell."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect)
        leaf = index.parent().isValid()
        pending = bool(index.data(DescriptorRole.PENDING))
        if index.column() == Column.TITLE:
            if leaf:
                usable = bool(index.flags() & Qt.ItemFlag.ItemIsUserCheckable)
                on = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
                box = QRectF(rect.left() - _INDENT + 1, rect.center().y() - _BOX / 2, _BOX, _BOX)
                self._paint_box(painter, box, on=on, usable=usable)
                rect.setLeft(box.right() + _GAP)
            self._paint_title(painter, option, rect, index, leaf=leaf, pending=pending)
        else:
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            waits = pending and index.column() == Column.PHOTOS
            painter.setFont(scaled_font(option.font, 0.95 if leaf else 0.9))
            stands_out = _stands_out(option)
            ink = "text-soft" if leaf or stands_out else "text-faint"
            painter.setPen(self._theme.color("accent" if waits and not stands_out else ink))
            rect.adjust(0, 0, -_MARGIN, 0)
            text = index.data(Qt.ItemDataRole.DisplayRole)
            painter.drawText(
                rect, right, painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(rect.width()))
            )
        painter.restore()

    def _paint_box(self, painter: QPainter, box: QRectF, *, on: bool, usable: bool) -> None:
        theme = self._theme
        front, back = ("accent-text", "accent") if usable else ("window", "text-faint")
        painter.setPen(QPen(theme.color(back if on else "text-faint"), 1.2))
        painter.setBrush(theme.color(back) if on else theme.color("field"))
        painter.drawRoundedRect(box.adjusted(0.6, 0.6, -0.6, -0.6), 4, 4)
        if on:
            painter.setPen(QPen(theme.color(front), 2, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
            x, y = box.left(), box.top()
            painter.drawPolyline(
                QPolygonF([QPointF(x + 4.2, y + 8.4), QPointF(x + 7, y + 11.2), QPointF(x + 12, y + 5)])
            )

    def _paint_title(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        rect: QRectF,
        index: QModelIndex | QPersistentModelIndex,
        *,
        leaf: bool,
        pending: bool,
    ) -> None:
        theme, middle, font = self._theme, Qt.AlignmentFlag.AlignVCenter, option.font
        stands_out = _stands_out(option)
        rect = rect.adjusted(0, 0, -8, 0)
        painter.setFont(scaled_font(font, 1.0, QFont.Weight.DemiBold if pending or not leaf else None))
        painter.setPen(theme.color("accent" if pending and not stands_out else "text" if leaf else "text-soft"))
        metrics = painter.fontMetrics()
        title = metrics.elidedText(
            index.data(Qt.ItemDataRole.DisplayRole), Qt.TextElideMode.ElideRight, int(rect.width())
        )
        painter.drawText(rect, middle, title)
        if leaf:
            rect.setLeft(rect.left() + metrics.horizontalAdvance(title) + _GAP)
            painter.setFont(scaled_font(font, 0.88))
            painter.setPen(theme.color("text-soft" if stands_out else "text-faint"))
            metrics = painter.fontMetrics()
            name = metrics.elidedText(index.data(DescriptorRole.NAME), Qt.TextElideMode.ElideRight, int(rect.width()))
            if len(name) > 3 or name == index.data(DescriptorRole.NAME):
                painter.drawText(rect, middle, name)


def _stands_out(option: QStyleOptionViewItem) -> bool:
    """Return whether a row has a highlighted background, on which faint text is unreadable."""
    return bool(option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver))


class DescriptorTree(TreeView):
    """A tree in which Space or a click checks a descriptor, and expands or collapses a group."""

    def __init__(self, model: DescriptorModel, theme: Theme) -> None:
        super().__init__(theme, arrow_inset=8)
        self._closed = set(_COLLAPSED)
        self._resetting = False
        self._name = ""
        self.setObjectName("descriptors")
        self.setAccessibleName(self.tr("Descriptors"))
        self.setModel(model)
        self.setItemDelegate(DescriptorDelegate(theme, self))
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENT)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsClickable(False)
        header.setSectionsMovable(False)
        for column in Column:
            stretches = column is Column.TITLE
            mode = QHeaderView.ResizeMode.Stretch if stretches else QHeaderView.ResizeMode.Fixed
            header.setSectionResizeMode(column, mode)
        digit = self.fontMetrics().horizontalAdvance("0")
        for column, digits in ((Column.DIMENSION, 11), (Column.PHOTOS, 19), (Column.BYTES, 14)):
            self.setColumnWidth(column, digits * digit)
        self.clicked.connect(self._clicked)
        self.collapsed.connect(lambda index: self._note(index, closed=True))
        self.expanded.connect(lambda index: self._note(index, closed=False))
        model.modelAboutToBeReset.connect(self._hold)
        model.modelReset.connect(self._open)
        theme.changed.connect(self.viewport().update)
        self._open()

    def current_network(self) -> str | None:
        """Return the name of the current network; None if the current row is not a network."""
        index = self.currentIndex()
        return index.data(DescriptorRole.NAME) if index.data(DescriptorRole.IS_NETWORK) else None

    def drawRow(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the background of a row, then its cells."""
        theme = self._theme
        row = QRectF(option.rect).adjusted(4, 1, -4, -1)
        row.setRight(self.viewport().width() - 4)
        current = self.currentIndex().row() == index.row() and self.currentIndex().parent() == index.parent()
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if current:
            painter.setBrush(theme.color("selected" if self.hasFocus() else "hover"))
            painter.drawRoundedRect(row, 5, 5)
        elif hovered:
            painter.setBrush(theme.color("hover"))
            painter.drawRoundedRect(row, 5, 5)
        painter.restore()
        super().drawRow(painter, option, index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Space as a click; leave Enter to the dialog."""
        if event.key() == Qt.Key.Key_Space:
            self._clicked(self.currentIndex())
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
            return
        super().keyPressEvent(event)

    def _clicked(self, index: QModelIndex) -> None:
        model = self.model()
        if not index.isValid() or not isinstance(model, DescriptorModel):
            return
        if index.parent().isValid():
            model.toggle(index)
        else:
            group = index.siblingAtColumn(0)
            self.setExpanded(group, not self.isExpanded(group))

    def _note(self, index: QModelIndex, *, closed: bool) -> None:
        if not self._resetting:
            (self._closed.add if closed else self._closed.discard)(index.data(DescriptorRole.NAME))

    def _hold(self) -> None:
        self._resetting = True
        self._name = self.currentIndex().data(DescriptorRole.NAME) or ""

    def _open(self) -> None:
        """Expand the groups that were not collapsed, and restore the current row."""
        model = self.model()
        self._resetting = True
        for row in range(model.rowCount()):
            index = model.index(row, 0)
            self.setExpanded(index, index.data(DescriptorRole.NAME) not in self._closed)
        self._resetting = False
        if isinstance(model, DescriptorModel) and model.rowCount():
            before = model.find(self._name)
            self.setCurrentIndex(before if before.isValid() else model.index(0, 0, model.index(0, 0)))
