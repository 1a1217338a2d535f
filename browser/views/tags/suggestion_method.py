# SPDX-License-Identifier: MIT
"""The button in the heading of the suggestions that shows and changes the method that suggests tags."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QPoint
from PySide6.QtGui import QAction, QActionGroup

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.tagging.suggestion_method import SuggestionMethod
from focal_photos.browser.views.base.buttons import ElidedButton, Menu
from focal_photos.browser.views.base.theme import Theme

_METHODS: Final = {
    "ridge": (
        QT_TRANSLATE_NOOP("SuggestionMethodButton", "Learned"),
        QT_TRANSLATE_NOOP("SuggestionMethodButton", "&Learned from all tagged photos"),
    ),
    "votes": (
        QT_TRANSLATE_NOOP("SuggestionMethodButton", "Votes"),
        QT_TRANSLATE_NOOP("SuggestionMethodButton", "&Votes of the nearest photos, by distance"),
    ),
    "votes-by-rank": (
        QT_TRANSLATE_NOOP("SuggestionMethodButton", "Votes by rank"),
        QT_TRANSLATE_NOOP("SuggestionMethodButton", "Votes of the five nearest photos, by &rank"),
    ),
}
"""Name on the button and in the menu, by value of the setting."""


class SuggestionMethodButton(ElidedButton):
    """Opens a menu of the methods, which are measured while it is open."""

    def __init__(self, method: SuggestionMethod, theme: Theme) -> None:
        super().__init__("", "")
        self._method = method
        self.menu_of_methods = Menu(self)
        self.menu_of_methods.setObjectName("suggestionMethodMenu")
        self.menu_of_methods.setAccessibleName(self.tr("Method"))
        group = QActionGroup(self)
        self._actions: dict[str, QAction] = {}
        for by in _METHODS:
            action = self.menu_of_methods.addAction("")
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _checked=False, by=by: method.choose(by))
            self._actions[by] = action
        self.menu_of_methods.addSeparator()
        self._note = self.menu_of_methods.addAction("")
        self._note.setEnabled(False)
        self.menu_of_methods.aboutToHide.connect(method.cancel)
        self.clicked.connect(self._open)
        theme.set_icon(self, "chevron-down")
        method.changed.connect(self._show)
        self._show()

    def _open(self) -> None:
        self._method.read()
        self._method.measure()
        right = self.width() - self.menu_of_methods.sizeHint().width()
        self.menu_of_methods.popup(self.mapToGlobal(QPoint(right, self.height())))

    def _show(self) -> None:
        method, found = self._method, self._method.accuracy
        name = self.tr(str(_METHODS[method.by][0]))
        self.show_text(name)
        self.setAccessibleName(self.tr("Method: {0}").format(name))
        self.setToolTip(tool_tip(self.tr("The method that suggests tags, and how accurate each is")))
        for by, action in self._actions.items():
            share = f"\t{round(100 * found.right[by] / found.photos)} %" if found is not None else ""
            action.setText(self.tr(str(_METHODS[by][1])) + share)
            action.setChecked(by == method.by)
        if found is not None:
            note = self.tr("Right first suggestions for {0} photos with hidden tags").format(grouped(found.photos))
        else:
            note = method.obstacle or self.tr("Measuring on tagged photos…")
        self._note.setText(note)
