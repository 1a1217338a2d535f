# SPDX-License-Identifier: MIT
"""Opening of the guide, from any window of the program, at the chapter on its current part."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from shiboken6 import isValid

from focal_photos.browser.models.help.guide import INDEX, Place
from focal_photos.browser.models.settings.plugins import Plugins
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.help import guide_window

PROPERTY: Final = "guide"
"""Property of a widget: its place in the guide, such as ``browsing.md#map``; by default, that of its parent."""


class GuideOpener(QObject):
    """Shows the guide.

    Parameters
    ----------
    plugins : Plugins
        Their rows are added to the guide's tables.
    action : QAction
        The action that calls `show`; its keys also work in dialogs.
    """

    def __init__(self, window: QWidget, theme: Theme, plugins: Plugins, action: QAction) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._plugins = plugins
        self._action = action
        self.guide: guide_window.GuideWindow | None = None
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._take_focus)

    def show(self) -> None:
        """Show the guide to the widget with the keyboard focus, or the contents if that is the guide itself."""
        focus = QApplication.focusWidget() or self._window
        wanted = place_of(focus)
        within = focus.window()
        if isinstance(within, guide_window.GuideWindow):
            within.show_place(Place(INDEX))
            return
        # a dialog blocks all windows except its own
        owner = QApplication.activeModalWidget() or self._window
        if self.guide is not None and isValid(self.guide) and self.guide.parentWidget() is not owner:
            self.guide.close()  # there is only one guide at a time
            self.guide.deleteLater()
            self.guide = None
        if self.guide is None or not isValid(self.guide):
            self.guide = guide_window.GuideWindow(self._theme, self._plugins, owner)
        self.guide.show_place(wanted)
        self.guide.show()
        self.guide.raise_()
        self.guide.activateWindow()
        self.guide.text.setFocus()

    def _take_focus(self, _former: QWidget | None, now: QWidget | None) -> None:
        """Let the shortcut work in the focused window, for example in an open dialog of the main window."""
        if now is not None and isValid(self._action) and self._window.isVisible():
            window = now.window()
            # a menu would show it as an entry
            if window is not self._window and not isinstance(window, QMenu) and self._action not in window.actions():
                window.addAction(self._action)


def place_of(widget: QWidget) -> Place:
    """Return the place in the guide of a widget or its nearest ancestor; by default, the contents."""
    each: QWidget | None = widget
    while each is not None:
        link = each.property(PROPERTY)
        if isinstance(link, str) and link:
            file, _, anchor = link.partition("#")
            return Place(file, anchor)
        each = each.parentWidget()
    return Place(INDEX)
