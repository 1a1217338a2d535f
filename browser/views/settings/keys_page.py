# SPDX-License-Identifier: MIT
"""The settings page of keyboard shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHeaderView, QKeySequenceEdit, QTreeWidget, QTreeWidgetItem, QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.settings.shortcuts import Shortcuts
from focal_photos.browser.views.base.buttons import add_clear_button, button
from focal_photos.browser.views.base.labels import ElidedLabel, label
from focal_photos.browser.views.base.layouts import in_column, in_row

_NAME = Qt.ItemDataRole.UserRole


class KeysPage(QWidget):
    """The actions with their keys, and a field for new keys of the current action."""

    def __init__(self, shortcuts: Shortcuts) -> None:
        super().__init__()
        self._shortcuts = shortcuts
        self._wanted = ""
        self.list = QTreeWidget()
        self.list.setObjectName("keysList")
        self.list.setAccessibleName(self.tr("Keys"))
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.header().setStretchLastSection(False)
        self.field = QKeySequenceEdit()
        self.field.setAccessibleName(self.tr("Keys for it"))
        self.field.setMaximumSequenceLength(1)
        add_clear_button(self.field)
        self.field.installEventFilter(self)
        self.set_button = button(self.tr("Set"), "primary", self.set_keys)
        self.reset_button = button(self.tr("Default"), "", self._reset)
        self.reset_all_button = button(self.tr("Reset all"), "", shortcuts.reset_all)
        self.message = label("", "soft", wrap=True)
        for each in (self.set_button, self.reset_button, self.reset_all_button):
            each.setAutoDefault(False)
        self.title = ElidedLabel("", asks=True)
        line = in_row(self.title, (self.field, 1), self.set_button, self.reset_button, self.reset_all_button)
        in_column((self.list, 1), line, self.message, margins=0, spacing=10, parent=self)
        self._items: dict[str, QTreeWidgetItem] = {}
        self._fill()
        self.list.currentItemChanged.connect(self._choose)
        self.field.keySequenceChanged.connect(self._typed)
        shortcuts.changed.connect(self._show)
        self._show()
        first = self._items[shortcuts.actions[0].name]
        self.list.setCurrentItem(first)

    @property
    def current(self) -> str:
        """Name of the current action; empty if there is none."""
        item = self.list.currentItem()
        return str(item.data(0, _NAME) or "") if item is not None else ""

    def choose(self, name: str) -> None:
        """Go to an action."""
        self.list.setCurrentItem(self._items[name])

    def set_keys(self) -> None:
        """Give the current action the keys in the field; if another action has them, only on the second press."""
        name, key = self.current, self.field.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        if not name:
            return
        other = self._shortcuts.owner(key, apart_from=name) if key else None
        if other is not None and self._wanted != key:
            self._wanted = key
            text = self.tr("{0} is {1}. Press Set again to use it here instead.")
            self._show_message(text.format(_native(key), other.title))
            return
        self._wanted = ""
        self._shortcuts.set(name, [key] if key else [])
        self._show_message("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Tab move the focus instead of being recorded as a key."""
        tabs = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in tabs:
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
            return True
        return super().eventFilter(watched, event)

    def _fill(self) -> None:
        groups: dict[str, QTreeWidgetItem] = {}
        for one in self._shortcuts.actions:
            if one.group not in groups:
                head = groups[one.group] = QTreeWidgetItem(self.list, [one.group])
                head.setFlags(Qt.ItemFlag.ItemIsEnabled)
                font = head.font(0)
                font.setBold(True)
                head.setFont(0, font)
                head.setExpanded(True)
            item = self._items[one.name] = QTreeWidgetItem(groups[one.group], [one.title])
            item.setData(0, _NAME, one.name)
        self.list.expandAll()

    def _show(self) -> None:
        for name, item in self._items.items():
            keys = "   ".join(map(_native, self._shortcuts.keys(name)))
            changed = self._shortcuts.is_changed(name)
            item.setText(1, f"{keys} *" if changed else keys)
            item.setToolTip(1, tool_tip(self.tr("Your choice") if changed else ""))
        self.reset_button.setEnabled(bool(self.current) and self._shortcuts.is_changed(self.current))
        self.reset_all_button.setEnabled(self._shortcuts.any_changed)

    def _choose(self) -> None:
        self._wanted = ""
        item = self.list.currentItem()
        self.title.setText(self.tr("Keys for {0}").format(item.text(0)) if self.current and item is not None else "")
        keys = self._shortcuts.keys(self.current) if self.current else ()
        self.field.setKeySequence(QKeySequence(keys[0] if keys else ""))
        self._show_message("")
        self._show()

    def _typed(self) -> None:
        self._wanted = ""
        self._show_message("")

    def _reset(self) -> None:
        if self.current:
            self._shortcuts.reset(self.current)
            self._choose()

    def _show_message(self, text: str) -> None:
        self.message.setText(text or self.tr("A star marks keys that you have changed."))


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
