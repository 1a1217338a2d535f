# SPDX-License-Identifier: MIT
"""The settings dialog: the user's choices, learning, keys, descriptors, networks, limits of files, plug-ins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QDialog, QLabel, QMessageBox, QStackedWidget, QWidget

from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.shortcuts import Shortcuts
from focal_photos.browser.models.settings.user_settings import UserSettings
from focal_photos.browser.views.base.advanced import AdvancedButton
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, FlowLayout, in_column, in_row, open_dialog
from focal_photos.browser.views.base.task_strip import TaskStrip
from focal_photos.browser.views.base.theme import Theme, set_property
from focal_photos.browser.views.settings.descriptors_page import DescriptorsPage
from focal_photos.browser.views.settings.general_page import GeneralPage
from focal_photos.browser.views.settings.keys_page import KeysPage
from focal_photos.browser.views.settings.learning_page import LearningPage
from focal_photos.browser.views.settings.limits_page import LimitsPage
from focal_photos.browser.views.settings.networks_page import NetworksPage
from focal_photos.browser.views.settings.plugins_page import PluginsPage

_SIZE: Final = (820, 640)


class _PageEntry(NamedTuple):
    """A page with its button, the field that gets the keyboard focus, and its place in the guide."""

    page: QWidget
    title: str
    first_field: Callable[[], QWidget]
    guide: str = ""
    advanced: bool = False


class SettingsDialog(QDialog):
    """Pages side by side; settings of the library, except networks, change only on Apply.

    The user's own settings take effect at once. Apply starts work on all photos, which must not happen by an accidental
    click. So changes wait, and closing the dialog asks whether to apply them. The dialog opens at once and fills when
    the library has been read. Work that it starts continues after it is closed.
    """

    def __init__(
        self,
        session: Session,
        theme: Theme,
        user_settings: UserSettings,
        shortcuts: Shortcuts,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.setProperty("guide", "descriptors.md#settings")
        self._preferences = preferences = session.preferences
        self.descriptors = DescriptorsPage(preferences, theme)
        self.limits = LimitsPage(preferences, theme)
        self.learning = LearningPage(preferences, theme)
        self.general = GeneralPage(user_settings, theme)
        self.keys = KeysPage(shortcuts)
        self.networks = NetworksPage(preferences, session.networks, theme)
        self.plugins = PluginsPage(session.plugins)
        self.advanced = AdvancedButton("segment")
        self._entries = self._page_entries()
        self.page_buttons = [button(entry.title, "segment") for entry in self._entries]
        self._pages = QStackedWidget()
        self._group = QButtonGroup(self)
        bar = self._page_bar()
        self.notice = _notice(self.tr("The library is open read-only: you can view everything but change nothing."))
        self.notice.setVisible(session.read_only)
        self.strip = TaskStrip(session, theme, self, fills=True)
        self.apply_button = button(self.tr("Apply"), "primary", preferences.apply)
        self.close_button = button(self.tr("Close"), "", self.reject)
        self._waits = label("", "soft")
        foot = in_row(self._waits, STRETCH, self.close_button, self.apply_button, spacing=8)
        inside = in_column((self._pages, 1), self.notice, self.strip, foot, margins=(18, 14, 18, 16), spacing=12)
        in_column(bar, (inside, 1), margins=0, spacing=0, parent=self)

        for keys in ("Ctrl+Tab", "Ctrl+PgDown", "Ctrl+PgUp"):
            QShortcut(QKeySequence(keys), self, self.next_page)
        preferences.changed.connect(self._show)
        preferences.refused.connect(self.warn)
        self._leaving = False
        preferences.applied.connect(self._leave)
        if not session.read_only:
            preferences.descriptors.pending_changed.connect(self.notice.hide)
            self.apply_button.clicked.connect(self.notice.hide)
        session.overview.changed.connect(preferences.read)
        session.jobs.indexing.running_changed.connect(self._show)
        self.show_page(self.general)
        preferences.begin()
        self._show()
        self.setMinimumSize(560, 420)
        self.resize(*_SIZE)

    def _page_entries(self) -> tuple[_PageEntry, ...]:
        descriptors, limits, networks, plugins = self.descriptors, self.limits, self.networks, self.plugins
        return (
            _PageEntry(
                self.general,
                self.tr("General"),
                lambda: next(iter(self.general.boxes.values())),
                "libraries.md#libraries-language-keys",
            ),
            _PageEntry(
                self.learning, self.tr("Learning and display"), lambda: next(iter(self.learning.boxes.values()))
            ),
            _PageEntry(self.keys, self.tr("Keys"), lambda: self.keys.list, "keys.md"),
            _PageEntry(
                descriptors,
                self.tr("Descriptors"),
                lambda: descriptors.tree,
                "descriptors.md#what-photos-are-described-by",
                advanced=True,
            ),
            _PageEntry(
                networks,
                self.tr("Networks"),
                lambda: networks.list if networks.list.count() else networks.add_button,
                "descriptors.md#networks",
                advanced=True,
            ),
            _PageEntry(
                limits,
                self.tr("Reading photos"),
                lambda: next(iter(limits.rows.values())).field,
                "descriptors.md#photos-that-are-read",
                advanced=True,
            ),
            _PageEntry(plugins, self.tr("Plug-ins"), lambda: plugins.list, "plug-ins.md", advanced=True),
        )

    def _page_bar(self) -> QWidget:
        """Return the bar with the page buttons, and add the pages to the stack."""
        bar = QWidget()
        bar.setObjectName("settingsBar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        top = FlowLayout(4)  # with a large font, the buttons need two rows
        in_column(top, margins=(18, 9, 18, 9), parent=bar)
        for number, (entry, each) in enumerate(zip(self._entries, self.page_buttons, strict=True)):
            each.setCheckable(True)
            each.setAutoDefault(False)
            self._group.addButton(each, number)
            self._pages.addWidget(entry.page)
            entry.page.setProperty("guide", entry.guide)
            if entry.advanced and entry.page is self.descriptors:
                top.addWidget(self.advanced)
            top.addWidget(each)
            if entry.advanced:
                self.advanced.add(each)
        self._group.idToggled.connect(self._show_page)
        return bar

    def show_page(self, page: QWidget) -> None:
        """Show a page."""
        self.page_buttons[self._pages.indexOf(page)].setChecked(True)

    def next_page(self) -> None:
        """Show the next page."""
        self.page_buttons[(self._group.checkedId() + 1) % len(self.page_buttons)].setChecked(True)

    def warn(self, reason: str) -> None:
        """Show why an action failed."""
        self._leaving = False
        self.notice.setText(reason)
        self.notice.show()

    def reject(self) -> None:
        """Close the dialog, after a question if unsaved changes would be lost."""
        waiting = self._preferences.waiting
        if not waiting:
            super().reject()
            return
        text = self.tr("There are {0} unsaved changes.").format(waiting)
        if waiting == 1:
            text = self.tr("There is 1 unsaved change.")
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Settings"), text, parent=self)
        if self._preferences.can_apply:
            keep = box.addButton(self.tr("Apply"), QMessageBox.ButtonRole.AcceptRole)
            keep.clicked.connect(self._apply_and_leave)
        else:
            box.setInformativeText(self.tr("A field is not valid, so the changes cannot be applied."))
        drop = box.addButton(self.tr("Discard"), QMessageBox.ButtonRole.DestructiveRole)
        drop.clicked.connect(lambda: self.done(QDialog.DialogCode.Rejected))
        stay = box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setEscapeButton(stay)
        box.setDefaultButton(keep if self._preferences.can_apply else stay)
        open_dialog(box)

    def _apply_and_leave(self) -> None:
        self._leaving = True
        self._preferences.apply()

    def _leave(self) -> None:
        if self._leaving:
            self.accept()

    def _show_page(self, number: int, chosen: bool) -> None:
        if not chosen:
            return
        self._pages.setCurrentIndex(number)
        if self.advanced.holds(self.page_buttons[number]):
            self.advanced.setChecked(True)
        if not self.page_buttons[number].hasFocus():
            self._entries[number].first_field().setFocus()

    def _show(self) -> None:
        preferences = self._preferences
        can_apply, waiting = preferences.can_apply, preferences.waiting
        self.apply_button.setEnabled(can_apply)
        # with an invalid field, Enter must do nothing, because closing would lose typed text
        (self.apply_button if can_apply or waiting else self.close_button).setDefault(True)
        self._waits.setText(self.tr("{0} unsaved changes").format(waiting) if waiting > 1 else "")
        if waiting == 1:
            self._waits.setText(self.tr("1 unsaved change"))


def _notice(text: str) -> QLabel:
    notice = label(text, wrap=True)
    notice.setObjectName("settingsNotice")
    notice.setContentsMargins(10, 7, 10, 7)
    set_property(notice, "tone", "warning")
    return notice
