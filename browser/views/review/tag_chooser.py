# SPDX-License-Identifier: MIT
"""Chooses the tags that Review asks about: a button with a summary, which opens a list of check boxes."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QListWidget, QListWidgetItem, QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.review.question_tags import QuestionTags
from focal_photos.browser.models.sidebar.words import Words
from focal_photos.browser.views.base.buttons import ElidedButton, button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row

_WIDTH: Final = 280
_MAX_VISIBLE_ROWS: Final = 12
"""Largest number of visible rows."""
_MAX_UNFILTERED: Final = 12
"""Longest list without a search field."""


class TagChooser(ElidedButton):
    """Shows a summary of the chosen tags; a click opens the list.

    Parameters
    ----------
    words : Words
        Announces changes of the tags.
    """

    def __init__(self, choice: QuestionTags, words: Words) -> None:
        super().__init__("recent", "  \N{BLACK DOWN-POINTING SMALL TRIANGLE}")
        self._choice = choice
        self.popup: TagList | None = None
        self.clicked.connect(lambda _checked=False: self.open())
        choice.changed.connect(self._show)
        words.tags_read.connect(lambda _tree: self._show())
        self._show()

    def open(self) -> None:
        """Show the list below the button."""
        popup = self.popup = TagList(self._choice, self.window())
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        popup.closed.connect(self._forget)
        screen = self.screen().availableGeometry()
        at = self.mapToGlobal(QPoint(0, self.height() + 4))
        popup.move(max(screen.left(), min(at.x(), screen.right() - popup.width())), at.y())
        popup.show()
        popup.list.setFocus()

    def _forget(self) -> None:
        self.popup = None

    def _show(self) -> None:
        text = self.tr("tags: {0}").format(self._choice.in_words())
        self.show_text(text)
        self.setAccessibleName(text)
        self.setToolTip(tool_tip(f"{text}\n" + self.tr("Choose the tags that Review asks about")))


class TagList(QFrame):
    """All tags with check boxes; closing the list applies the choice.

    Signals
    -------
    closed : None
    """

    closed = Signal()

    def __init__(self, choice: QuestionTags, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("tagList")
        self._choice = choice
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find a tag"))
        self.field.setAccessibleName(self.tr("Find a tag"))
        self.field.setVisible(len(choice.tags) > _MAX_UNFILTERED)
        self.field.textChanged.connect(self._find)
        self.list = _CheckList()
        self.list.setAccessibleName(self.tr("Tags that Review asks about"))
        for tag in choice.tags:
            item = QListWidgetItem(tag, self.list)
            item.setCheckState(Qt.CheckState.Unchecked if tag in choice.left_out else Qt.CheckState.Checked)
        if choice.tags:
            self.list.setCurrentRow(0)
        self.all_button = button(self.tr("All"), "link", lambda: self._check(Qt.CheckState.Checked))
        self.none_button = button(self.tr("None"), "link", lambda: self._check(Qt.CheckState.Unchecked))
        self.new_kinds = QCheckBox(self.tr("Ask about new kinds"))
        self.new_kinds.setToolTip(self.tr("Photos that no tag explains"))
        self.new_kinds.setChecked(choice.new_kinds)
        both = in_row(label(self.tr("Tags"), "section"), STRETCH, self.all_button, self.none_button, spacing=8)
        in_column(both, self.field, self.list, self.new_kinds, margins=(10, 8, 10, 10), parent=self)
        height = max(self.list.sizeHintForRow(0), self.fontMetrics().lineSpacing())
        self.list.setFixedHeight(
            min(max(len(choice.tags), 1), _MAX_VISIBLE_ROWS) * height + 2 * self.list.frameWidth() + 2
        )
        self.resize(_WIDTH, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Enter, as with Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Apply the choice."""
        super().hideEvent(event)
        items = [self.list.item(row) for row in range(self.list.count())]
        shown = {item.text() for item in items}
        left_out = {item.text() for item in items if item.checkState() is Qt.CheckState.Unchecked}
        # Undo may restore a deleted tag: keep its exclusion.
        self._choice.choose(left_out | (self._choice.left_out - shown), new_kinds=self.new_kinds.isChecked())
        self.closed.emit()

    def _check(self, state: Qt.CheckState) -> None:
        """Check or uncheck all visible tags."""
        for row in range(self.list.count()):
            if not self.list.isRowHidden(row):
                self.list.item(row).setCheckState(state)

    def _find(self, text: str) -> None:
        found = self._choice.matching(text)
        for row in range(self.list.count()):
            self.list.setRowHidden(row, self.list.item(row).text() not in found)


class _CheckList(QListWidget):
    """Toggles a check box by a click anywhere on its row."""

    def __init__(self) -> None:
        super().__init__()
        self._pressed = Qt.CheckState.Unchecked
        self.itemClicked.connect(self._toggle)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Enter close the popup."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Note the check before the click; a press on the check box itself emits no signal."""
        item = self.itemAt(event.position().toPoint())
        if item is not None:
            self._pressed = item.checkState()
        super().mousePressEvent(event)

    def _toggle(self, item: QListWidgetItem) -> None:
        if item.checkState() is self._pressed:  # otherwise the check box itself was clicked
            checked = self._pressed is Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if checked else Qt.CheckState.Checked)
