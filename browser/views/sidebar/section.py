# SPDX-License-Identifier: MIT
"""A section of the left column: a heading, a filter field, and a tree that scrolls separately."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QScrollArea, QSizePolicy, QWidget

from focal_photos.browser.views.base.buttons import add_clear_button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row
from focal_photos.browser.views.sidebar.count_tree import CountTree

_MIN_FILTERED_ENTRIES: Final = 12
"""Number of entries from which there is a filter field."""


class SidebarSection(QWidget):
    """Heading, filter field and tree.

    Parameters
    ----------
    find : str
        Placeholder text of the field.
    extra : QWidget, optional
        Shown beside the heading.
    hides_empty : bool
        Whether to hide the section while the tree is empty.
    """

    need_changed = Signal()
    """The section needs another height, or was hidden or shown."""

    def __init__(
        self, title: str, find: str, tree: CountTree, extra: QWidget | None = None, *, hides_empty: bool = False
    ) -> None:
        super().__init__()
        self._hides_empty, self._short = hides_empty, False
        self.setObjectName("content")
        self.setAccessibleName(title)
        self.tree = tree
        self.field = _FilterField(tree)
        self.field.setPlaceholderText(find)
        self.field.setAccessibleName(find)
        add_clear_button(self.field)
        self.field.textChanged.connect(tree.show_only)
        heading = in_row(label(title, "section"), STRETCH, margins=(14, 11, 8, 3))
        if extra is not None:
            heading.addWidget(extra)
        field_row = in_row(self.field, margins=(10, 0, 10, 3))
        self.scrolled = QScrollArea()
        self.scrolled.setWidgetResizable(True)
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        in_column(heading, field_row, (self.scrolled, 1), margins=0, spacing=0, parent=self)
        inside = QWidget()
        inside.setObjectName("content")
        self.scrolled.setWidget(inside)
        self.body = in_column(tree, STRETCH, margins=(8, 0, 2, 6), spacing=0, parent=inside)
        self._above = heading, field_row
        self._below: list[QWidget] = []
        self._inside = inside
        inside.installEventFilter(self)
        self.setMinimumHeight(84)
        self.scrolled.setMinimumHeight(24)  # so that the heading stays whole
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        # once for all entries that arrive together, which may be hundreds
        self._changed = QTimer(self, singleShot=True, interval=0)
        self._changed.timeout.connect(self._entries_changed)
        model = tree.model()
        for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset):
            signal.connect(lambda *_: self._changed.start())
        tree.selectionModel().currentChanged.connect(self._show_current)
        self._entries_changed()

    def _entries_changed(self) -> None:
        model = self.tree.model()
        count = model.rowCount() + sum(model.rowCount(model.index(row, 0)) for row in range(min(model.rowCount(), 50)))
        if self._hides_empty:
            self.setVisible(count > 0)
            self.need_changed.emit()
        self.field.setVisible(count >= _MIN_FILTERED_ENTRIES or bool(self.field.text()))
        if self.field.text():
            self.tree.show_only(self.field.text())

    def add_below(self, widget: QWidget) -> None:
        """Put a widget below the tree, where it stays in sight while the tree scrolls."""
        layout = self.layout()
        assert layout is not None
        layout.addWidget(widget)
        self._below.append(widget)

    def set_short(self, short: bool) -> None:
        """Take only the space of the heading and two lines below it, and leave the rest to other sections."""
        self._short = short
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the number of visible entries."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Limit the height to that of the entries, and leave the rest to larger sections."""
        height = sum(each.sizeHint().height() for each in (*self._above, self._inside))
        height += sum(each.sizeHint().height() for each in self._below if not each.isHidden())
        if self._short:
            height = self._above[0].sizeHint().height() + 2 * self.fontMetrics().lineSpacing() + 8
        need = max(height, self.minimumHeight())
        if need != self.maximumHeight():
            self.setMaximumHeight(need)
            self.need_changed.emit()

    def _show_current(self, current: QModelIndex) -> None:
        if current.isValid():
            rect = self.tree.visualRect(current)
            self.scrolled.ensureVisible(rect.left(), self.tree.y() + rect.center().y(), 0, rect.height())


class _FilterField(QLineEdit):
    """A filter field: Down goes to the tree, Esc clears the filter."""

    def __init__(self, tree: CountTree) -> None:
        super().__init__()
        self._tree = tree

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the tree on Down or Enter; clear the field on Esc."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._tree.setFocus()
            self._tree.go_to_first()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
