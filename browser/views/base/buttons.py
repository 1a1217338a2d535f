# SPDX-License-Identifier: MIT
"""Buttons that do not take the keyboard focus on a click, buttons that fold sections or clear fields, and menus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QSize, Qt
from PySide6.QtGui import QAction, QCursor, QGuiApplication, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QKeySequenceEdit, QLineEdit, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.views.base.theme import Theme

_LEAST_LETTERS: Final = 8
"""Number of letters that an `ElidedButton` always shows."""
_LARGEST_WIDTH: Final = 360
"""Largest width of an `ElidedButton` in pixels."""


def button(text: str, variant: str = "", on_click: Callable[[], object] | None = None) -> QPushButton:
    """Return a push button that takes the keyboard focus by Tab only, so that clicks leave it in the grid."""
    widget = QPushButton(text)
    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if variant:
        widget.setProperty("variant", variant)
    if on_click is not None:
        widget.clicked.connect(lambda _checked=False: on_click())
    return widget


class ElidedButton(QPushButton):
    """A button that elides the end of its text when space is short.

    Parameters
    ----------
    variant : str
        Style variant.
    mark : str
        Suffix that is never elided.
    """

    def __init__(self, variant: str, mark: str) -> None:
        super().__init__()
        self._whole, self._mark = "", mark
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("variant", variant)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def full_text(self) -> str:
        """Return the whole text."""
        return self._whole

    def show_text(self, text: str, mark: str | None = None) -> None:
        """Set the text, and another suffix if it is given."""
        self._whole = text
        self._mark = self._mark if mark is None else mark
        self._elide()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size for the whole text, limited to the largest width."""
        return QSize(min(_LARGEST_WIDTH, self._around() + self._width(self._whole)), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the size for a few letters."""
        least = self._width(self._whole[:_LEAST_LETTERS])
        return QSize(min(self._around() + least, self.sizeHint().width()), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide the text again."""
        super().resizeEvent(event)
        self._elide()

    def _width(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(f"{text}{self._mark}") + 2

    def _around(self) -> int:
        """Return the width of the frame."""
        return super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())

    def _elide(self) -> None:
        metrics = self.fontMetrics()
        room = self.width() - self._around() - metrics.horizontalAdvance(self._mark)
        shown = metrics.elidedText(self._whole, Qt.TextElideMode.ElideRight, room)
        text = f"{shown}{self._mark}".replace("&", "&&")
        if text != self.text():
            self.setText(text)


class FreshButton(QPushButton):
    """A button that ignores a press until the pointer has moved; for rows that are rebuilt while the user works.

    Otherwise the second half of a double-click would press the button that has replaced the clicked one.
    """

    def __init__(self, text: str, variant: str = "") -> None:
        super().__init__(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("variant", variant)
        self._came_under = QCursor.pos()
        self._moved = False
        self.setMouseTracking(True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Record that the pointer has moved."""
        self._moved = self.moved(event)
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Record that the pointer has left: when it comes back, presses are intended."""
        self._moved = True
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Handle the press unless the pointer has not moved since the button was created."""
        if self.moved(event):
            super().mousePressEvent(event)

    def moved(self, event: QMouseEvent) -> bool:
        """Return whether the pointer has moved since the button was created."""
        moved = (event.globalPosition().toPoint() - self._came_under).manhattanLength()
        return self._moved or moved > QGuiApplication.styleHints().mouseDoubleClickDistance()


class FoldButton(QToolButton):
    """The heading of a section; a press hides or shows the content below it.

    The user's choice is saved.

    Parameters
    ----------
    body : QWidget
        The content.
    """

    def __init__(self, theme: Theme, title: str, body: QWidget) -> None:
        super().__init__()
        self._theme, self._body = theme, body
        self._settings: QSettings | None = None
        self._name = ""
        self.folded = False
        """Whether the content is hidden."""
        self.setObjectName("foldButton")
        self.setText(title)
        self.setIconSize(QSize(12, 12))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(self.tr("Collapse or expand this section"))
        self.clicked.connect(self._toggle)
        self._show()

    def keep_in(self, settings: QSettings, name: str) -> None:
        """Restore the choice saved under a name, and save later choices there."""
        self._settings, self._name = settings, f"fold/{name}"
        self.folded = str(settings.value(self._name, "false")) == "true"
        self._show()

    def unfold(self) -> None:
        """Show the content."""
        if self.folded:
            self._toggle()

    def _toggle(self) -> None:
        self.folded = not self.folded
        if self._settings is not None:
            self._settings.setValue(self._name, "true" if self.folded else "false")
        self._show()

    def _show(self) -> None:
        name = self.tr("Expand {0}") if self.folded else self.tr("Collapse {0}")
        self.setAccessibleName(name.format(self.text()))
        self._theme.set_icon(self, "chevron-right" if self.folded else "chevron-down", "text-soft")
        self._body.setVisible(not self.folded)


def tool_button(theme: Theme, icon: str, name: str, on_click: Callable[[], object] | None = None) -> QToolButton:
    """Return an icon button; `name` is its accessible name and tool tip."""
    widget = QToolButton()
    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    widget.setIconSize(QSize(18, 18))
    name_tool_button(widget, name)
    theme.set_icon(widget, icon)
    if on_click is not None:
        widget.clicked.connect(lambda _checked=False: on_click())
    return widget


def name_tool_button(widget: QToolButton, name: str) -> None:
    """Set the accessible name and tool tip of an icon button."""
    widget.setAccessibleName(name)
    widget.setToolTip(tool_tip(name))


def add_clear_button(field: QLineEdit | QKeySequenceEdit) -> None:
    """Add a clear button to a field, with an accessible name, which Qt's own button lacks."""
    field.setClearButtonEnabled(True)
    for action in field.findChildren(QAction):
        if not action.text():
            action.setText(QCoreApplication.translate("buttons", "Clear the field"))


class Menu(QMenu):
    """A menu that receives all letter keys while it is open.

    Otherwise Qt would give priority to the shortcuts of the focused widget: ``S`` would judge a photo instead of
    selecting an entry.
    """

    def add_submenu(self, title: str) -> Menu:
        """Add a submenu."""
        menu = Menu(title, self)
        self.addMenu(menu)
        return menu

    def event(self, event: QEvent) -> bool:
        """Accept typed characters before Qt treats them as shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            others = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
            if event.text() and not event.modifiers() & (others | Qt.KeyboardModifier.MetaModifier):
                event.accept()
                return True
        return super().event(event)
