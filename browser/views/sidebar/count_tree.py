# SPDX-License-Identifier: MIT
"""A tree of names, each with an icon before it and a count at the right."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QPen, QShowEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.sidebar.tree_model import CountTreeModel, TreeRole
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.base.tree_view import TreeView

_ROW: Final = 27
"""Minimum height of a row in logical pixels."""


class CountDelegate(QStyledItemDelegate):
    """Paints an icon, a name, and a count at the right."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(60, max(_ROW, option.fontMetrics.height() + 9))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint an entry."""
        theme = self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect).adjusted(0, 1, -4, -1)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        tree = self.parent()
        over = tree.drop_index if isinstance(tree, CountTree) else None
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver) or over == index
        if selected or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selected" if selected else "hover"))
            painter.drawRoundedRect(rect, 5, 5)
        if over == index or (option.state & QStyle.StateFlag.State_HasFocus and not selected):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        whole = rect.toRect()

        def mirrored(place: QRectF) -> QRectF:  # text itself is aligned to the other side automatically
            return QRectF(QStyle.visualRect(option.direction, whole, place.toRect()))

        icon = mirrored(QRectF(rect.left() + 5, rect.center().y() - 8, 16, 16))
        faint = bool(index.data(TreeRole.FAINT))
        ink = "text-faint" if faint and not (selected or hovered) else "text-soft"
        theme.paint_icon(painter, index.data(TreeRole.ICON) or "tag", icon, ink)
        count = grouped(index.data(TreeRole.COUNT) or 0)
        painter.setFont(scaled_font(option.font, 0.9))
        painter.setPen(theme.color("text-soft" if selected or hovered else "text-faint"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(mirrored(rect.adjusted(0, 0, -7, 0)), middle | Qt.AlignmentFlag.AlignRight, count)
        taken = painter.fontMetrics().horizontalAdvance(count) + 14
        painter.setFont(option.font)
        painter.setPen(theme.color(ink if faint else "text"))
        room = mirrored(rect.adjusted(27, 0, -taken, 0))
        name = index.data(Qt.ItemDataRole.DisplayRole)
        cut = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, middle, cut)
        painter.restore()


class CountTree(TreeView):
    """A tree that is as high as its rows, so that several of them scroll together."""

    chosen = Signal(object)
    """The key of an entry that was clicked or entered (object)."""
    menu_wanted = Signal(object, QPoint)
    """The key of an entry whose context menu is requested, and its place on the screen (object, QPoint)."""

    def __init__(self, model: CountTreeModel, theme: Theme, name: str) -> None:
        super().__init__(theme, arrow_inset=7)
        self.drop_index = QPersistentModelIndex()
        """The entry that would receive the dragged data; it is framed."""
        self.setAccessibleName(name)
        self.setModel(model)
        self.setItemDelegate(CountDelegate(theme, self))
        self.setHeaderHidden(True)
        self.setIndentation(16)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setAnimated(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._emit_chosen)
        # A model that adds a thousand tags emits a thousand signals, so the height is updated once afterwards.
        self._resizing = QTimer(self, singleShot=True, interval=0)
        self._resizing.timeout.connect(self._resize)
        for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset, self.expanded, self.collapsed):
            signal.connect(self._resizing.start)
        self._resize()

    def select_key(self, key: object) -> None:
        """Select the entry with a key; None selects nothing."""
        model = self.model()
        index = model.find(key) if key is not None and isinstance(model, CountTreeModel) else QModelIndex()
        if index.isValid():
            self.setCurrentIndex(index)
        else:
            self.selectionModel().clear()

    def show_only(self, text: str) -> None:
        """Show the entries whose names contain a text, with their ancestors; all entries if the text is empty."""
        wanted = text.strip().casefold()
        opened = self._show_matches(QModelIndex(), wanted)
        if wanted and opened:
            self.expandAll()
        self._resize()

    def _show_matches(self, parent: QModelIndex, wanted: str) -> bool:
        """Hide the entries without a text; return whether any child of an entry is shown."""
        model, shown = self.model(), False
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            below = self._show_matches(index, wanted)
            matches = below or wanted in str(index.data(Qt.ItemDataRole.DisplayRole)).casefold()
            self.setRowHidden(row, parent, not matches)
            shown |= matches
        return shown

    def go_to_first(self) -> None:
        """Make the first shown entry the current one, if there is no current one."""
        first = self.model().index(0, 0)
        while first.isValid() and self.isIndexHidden(first):
            first = first.siblingAtRow(first.row() + 1)
        if first.isValid() and not self.currentIndex().isValid():
            self.setCurrentIndex(first)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the current entry on Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._emit_chosen(self.currentIndex())
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the entry under the pointer, or of the current one for the menu key."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            place = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
            self.menu_wanted.emit(index.data(TreeRole.KEY), place)

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the height to the rows before the first painting."""
        super().showEvent(event)
        self._resize()

    def _emit_chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(index.data(TreeRole.KEY))

    def _resize(self) -> None:
        rows, index = 0, self.model().index(0, 0)
        while index.isValid():
            rows, index = rows + 1, self.indexBelow(index)
        self.setFixedHeight(rows * max(_ROW, self.fontMetrics().height() + 9) + 2)
