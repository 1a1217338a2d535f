"""Buttons that leave the keyboard focus where it is when they are clicked, and what empties fields."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QAction, QCursor, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QKeySequenceEdit, QLineEdit, QPushButton, QToolButton

from browser.models.photos.tool_tip import tool_tip
from browser.views.base.theme import Theme


def button(text: str, variant: str = "", on_click: Callable[[], object] | None = None) -> QPushButton:
    """Return a push button that takes the keyboard focus by Tab only, so that clicks leave it in the grid."""
    widget = QPushButton(text)
    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if variant:
        widget.setProperty("variant", variant)
    if on_click is not None:
        widget.clicked.connect(lambda _checked=False: on_click())
    return widget


class FreshButton(QPushButton):
    """A button in a row that is made again as one works: it answers no press of a pointer that it came under.

    The second half of a double-click would else fall on what has taken the place of the button that was clicked.
    """

    def __init__(self, text: str, variant: str = "") -> None:
        super().__init__(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("variant", variant)
        self._came_under = QCursor.pos()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Answer, unless the pointer has not moved since the button is there."""
        moved = (event.globalPosition().toPoint() - self._came_under).manhattanLength()
        if moved > QGuiApplication.styleHints().mouseDoubleClickDistance():
            super().mousePressEvent(event)


def tool_button(theme: Theme, icon: str, name: str, on_click: Callable[[], object] | None = None) -> QToolButton:
    """Return an icon button; `name` is its accessible name and tool tip."""
    widget = QToolButton()
    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    widget.setIconSize(QSize(18, 18))
    widget.setAccessibleName(name)
    widget.setToolTip(tool_tip(name))
    theme.set_icon(widget, icon)
    if on_click is not None:
        widget.clicked.connect(lambda _checked=False: on_click())
    return widget


def add_clear_button(field: QLineEdit | QKeySequenceEdit) -> None:
    """Let a field be emptied by a button in it; Qt's own has no name that could be read aloud."""
    field.setClearButtonEnabled(True)
    for action in field.findChildren(QAction):
        if not action.text():
            action.setText(QCoreApplication.translate("buttons", "Empty the field"))
