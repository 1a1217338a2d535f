"""A list of completions under a text field."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QStringListModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListView


class Completer(QObject):
    """Shows completions while a person types.

    The list is a child of the window and never takes the keyboard, so that it behaves alike under every window system.

    Parameters
    ----------
    field : QLineEdit
        Where they type.
    complete : callable
        Text and position of the cursor -> completions, as whole texts of the field.
    """

    def __init__(self, field: QLineEdit, complete: Callable[[str, int], Sequence[str]]) -> None:
        super().__init__(field)
        self._field = field
        self._complete = complete
        self._model = QStringListModel(self)
        self._list: QListView | None = None
        field.textEdited.connect(self.show)
        field.installEventFilter(self)

    @property
    def shown(self) -> bool:
        """Whether the list is on the screen."""
        return self._list is not None and self._list.isVisible()

    def show(self) -> None:
        """Show the completions of the text as it is now."""
        completions = list(self._complete(self._field.text(), self._field.cursorPosition()))
        self._model.setStringList(completions)
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
            self._list.clicked.connect(lambda index: self._take(index.data()))
        shown = min(len(completions), 10)
        height = shown * self._list.sizeHintForRow(0) + 12
        corner = self._field.mapTo(self._field.window(), QPoint(0, self._field.height() + 2))
        self._list.setGeometry(corner.x(), corner.y(), self._field.width(), height)
        self._list.clearSelection()
        self._list.setCurrentIndex(self._model.index(-1, 0))
        self._list.show()
        self._list.raise_()

    def hide(self) -> None:
        """Hide the list."""
        if self._list is not None:
            self._list.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and Down choose a completion, Enter takes the chosen one, Tab that or the first, Esc hides the list."""
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
        elif self.shown and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._key(event.key())
        return super().eventFilter(watched, event)

    def _key(self, key: int) -> bool:
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
        if key == Qt.Key.Key_Tab or (key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0):
            self._take(self._model.index(max(row, 0), 0).data())
            return True
        return False

    def _take(self, text: str) -> None:
        self.hide()
        self._field.setText(text)
