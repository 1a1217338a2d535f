# SPDX-License-Identifier: MIT
"""A list of completions under a text field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRectF, QStringListModel, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from focal_photos.browser.models.sidebar.words import Proposal

_MARGIN: Final = 8
"""Pixels beside the text of a chip."""
_FAINT: Final = 170
"""Opacity of kinds and keys beside the text, 0..255."""
LINES: Final = 10
"""Number of lines that are in view, and that have keys: Ctrl with 1 to 9, then 0."""


def line_key(line: int) -> str:
    """Return the displayed key of a line, 0 for the first of `LINES`; empty for lines without a key."""
    key = QKeySequence(f"Ctrl+{(line + 1) % LINES}") if line < LINES else QKeySequence()
    return key.toString(QKeySequence.SequenceFormat.NativeText)


def pressed_line(event: QKeyEvent) -> int:
    """Return the line whose key was pressed, 0 for the first; -1 for any other key."""
    digit = event.key() - Qt.Key.Key_0.value
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.ControlModifier
    return (digit - 1) % LINES if plain and 0 <= digit < LINES else -1


class Completer(QObject):
    """Shows completions while the user types.

    The list is a child of the window and never takes the keyboard focus, so that it behaves alike under every window
    system.

    Parameters
    ----------
    complete : callable
        Text and cursor position -> completions, as whole texts of the field or as proposals.
    as_typed : callable, optional
        Text and cursor position -> the last line of the list, which uses the typed text. With it, the first completion
        is selected from the start, and Enter passes the selected line to the field; Shift+Enter passes the typed text.
        The key of a line (`line_key`), which is shown beside it, selects the line and passes it like Enter.
    """

    def __init__(
        self,
        field: QLineEdit,
        complete: Callable[[str, int], Sequence[str | Proposal]],
        as_typed: Callable[[str, int], str] | None = None,
    ) -> None:
        super().__init__(field)
        self._field = field
        self._complete = complete
        self._as_typed = as_typed
        self._completions = 0
        """Number of lines of the list that are completions."""
        self._model = QStringListModel(self)
        self._chips = _ChipDelegate(self, keyed=as_typed is not None)
        self._list: QListView | None = None
        field.textEdited.connect(self.show)
        field.installEventFilter(self)

    @property
    def shown(self) -> bool:
        """Whether the list is on the screen."""
        return self._list is not None and self._list.isVisible()

    def show(self) -> None:
        """Show the completions of the current text."""
        text, cursor = self._field.text(), self._field.cursorPosition()
        found = [each if isinstance(each, Proposal) else Proposal(each) for each in self._complete(text, cursor)]
        completions = [each.text for each in found]
        if completions == [text]:  # nothing is left to complete
            completions = []
        self._completions = len(completions)
        if completions and self._as_typed is not None and text not in completions:
            completions.append(self._as_typed(text, cursor))
        self._model.setStringList(completions)
        self._chips.proposals = found
        if not completions or not self._field.hasFocus():
            self.hide()
            return
        if self._list is None:
            self._list = QListView(self._field.window())
            self._list.setObjectName("completions")
            self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self._list.setAccessibleName(self.tr("Proposals"))
            self._list.setModel(self._model)
            self._list.setItemDelegate(self._chips)
            self._list.clicked.connect(lambda index: self._take(index.row()))
        shown = min(len(completions), LINES)
        height = shown * self._list.sizeHintForRow(0) + 12
        corner = self._field.mapTo(self._field.window(), QPoint(0, self._field.height() + 2))
        self._list.setGeometry(corner.x(), corner.y(), self._field.width(), height)
        self._list.clearSelection()
        self._list.setCurrentIndex(self._model.index(-1 if self._as_typed is None else 0, 0))
        self._list.show()
        self._list.raise_()

    def hide(self) -> None:
        """Hide the list."""
        if self._list is not None:
            self._list.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys: Up and Down select a line, Enter takes it, Tab takes it or the first one, Esc hides the list."""
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
        elif self.shown and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if self._keyed_line(event) >= 0:  # not the shortcut of the window
                event.accept()
                return True
        elif self.shown and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            line = self._keyed_line(event)
            if line >= 0:
                self._enter(line)
                return True
            return self._key(event.key(), event.modifiers())
        return super().eventFilter(watched, event)

    def _keyed_line(self, event: QKeyEvent) -> int:
        """Return the line whose key was pressed; -1 for any other key."""
        line = pressed_line(event) if self._as_typed is not None else -1
        return line if line < self._model.rowCount() else -1

    def _enter(self, line: int) -> None:
        """Select a line and press Enter."""
        if self._list is not None:
            self._list.setCurrentIndex(self._model.index(line, 0))
            enter = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
            QApplication.sendEvent(self._field, enter)

    def _key(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Handle a key; return whether to hide it from the field."""
        if self._list is None:
            return False
        row, last = self._list.currentIndex().row(), self._model.rowCount() - 1
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            step = 1 if key == Qt.Key.Key_Down else -1
            self._list.setCurrentIndex(self._model.index(min(max(row + step, -1), last), 0))
            return True
        if key == Qt.Key.Key_Escape:
            self.hide()
            return True
        enters = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enters and modifiers & Qt.KeyboardModifier.ShiftModifier:
            self.hide()
        elif key == Qt.Key.Key_Tab or (enters and row >= 0):
            self._take(max(row, 0))
            return self._as_typed is None or not enters
        return False

    def _take(self, row: int) -> None:
        """Put a completion into the field; the line below the completions leaves the text unchanged."""
        self.hide()
        if row < self._completions:
            proposal = self._chips.proposals[row]
            self._field.setText(f"{proposal.text} " if proposal.chip else proposal.text)  # another term may follow


class _ChipDelegate(QStyledItemDelegate):
    """Paints whole terms as chips with their kind at the other end of the line, and other completions as text."""

    def __init__(self, parent: QObject, *, keyed: bool) -> None:
        super().__init__(parent)
        self.proposals: list[Proposal] = []
        """By row; further rows are text."""
        self._keyed = keyed
        """Whether the lines have keys, shown at the other end of the line."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one line."""
        proposal = self.proposals[index.row()] if index.row() < len(self.proposals) else Proposal("")
        if not proposal.chip:
            super().paint(painter, option, index)
            if self._keyed:
                self._paint_key(painter, option, index)
            return
        line = QStyleOptionViewItem(option)
        self.initStyleOption(line, index)
        chosen = bool(line.state & QStyle.StateFlag.State_Selected)
        color = line.palette.color(QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text)
        whole = QRectF(line.rect).adjusted(_MARGIN, 3, -_MARGIN, -3)
        metrics = line.fontMetrics
        room = whole.width() - metrics.horizontalAdvance(proposal.kind) - 4 * _MARGIN
        text = metrics.elidedText(proposal.chip, Qt.TextElideMode.ElideRight, max(int(room), 0))
        chip = QRectF(whole)
        chip.setWidth(metrics.horizontalAdvance(text) + 2 * _MARGIN)
        end = Qt.AlignmentFlag.AlignRight
        if line.direction == Qt.LayoutDirection.RightToLeft:
            chip.moveRight(whole.right())
            end = Qt.AlignmentFlag.AlignLeft
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(line.palette.brush(QPalette.ColorRole.Highlight))
            painter.drawRoundedRect(QRectF(line.rect), 4, 4)
        fill, edge, faint = QColor(color), QColor(color), QColor(color)
        fill.setAlpha(28)
        edge.setAlpha(80)
        faint.setAlpha(_FAINT)
        painter.setBrush(fill)
        painter.setPen(edge)
        painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2)
        painter.setPen(color)
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
        painter.setPen(faint)
        painter.drawText(whole, end | Qt.AlignmentFlag.AlignVCenter, proposal.kind)
        painter.restore()

    def _paint_key(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the key of a line at its end, unless the text needs that space."""
        line = QStyleOptionViewItem(option)
        self.initStyleOption(line, index)
        rect, key = QRectF(line.rect).adjusted(_MARGIN, 0, -_MARGIN, 0), line_key(index.row())
        if line.fontMetrics.horizontalAdvance(line.text + key) + 2 * _MARGIN > rect.width():
            return
        chosen = bool(line.state & QStyle.StateFlag.State_Selected)
        color = line.palette.color(QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text)
        color.setAlpha(_FAINT)
        left = line.direction == Qt.LayoutDirection.RightToLeft
        painter.save()
        painter.setPen(color)
        end = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        painter.drawText(rect, end | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, key)
        painter.restore()
