# SPDX-License-Identifier: MIT
"""The view menu: theme, shape of the tiles, captions, order of the photos, columns, effect of a click."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final, TypeVar

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QWidget

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.shortcuts import Keyed, Shortcuts
from focal_photos.browser.models.settings.user_settings import CAPTIONS, CLICK, SHAPE, THEME, UserSettings
from focal_photos.browser.views.base.buttons import Menu
from focal_photos.browser.views.base.layouts import holds_keyboard
from focal_photos.browser.views.base.theme import Theme, ThemeChoice
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape

_Choice = TypeVar("_Choice", bound=StrEnum)

_HIDDEN_AT_FIRST: Final = {"map"}


class ViewMenu(QObject):
    """Adds its entries to a menu, applies the saved choices, and saves new ones.

    Parameters
    ----------
    settings : QSettings
        Saves which columns are shown.
    user_settings : UserSettings
        Saves the other choices, which the settings dialog shows too; the window follows them.
    columns : dict of str to (QWidget, str, str)
        Columns that can be hidden: name in the settings -> widget, title of the entry, and key.
    shortcuts : Shortcuts
        Has the keys of all entries.
    """

    keyboard_freed = Signal()
    """A column with the keyboard focus was hidden."""
    reset_wanted = Signal()
    """The user wants to restore the default layout."""

    def __init__(
        self,
        menu: Menu,
        session: Session,
        theme: Theme,
        settings: QSettings,
        user_settings: UserSettings,
        columns: dict[str, tuple[QWidget, str, str]],
        shortcuts: Shortcuts,
    ) -> None:
        super().__init__(menu)
        self._session = session
        self._theme = theme
        self._settings = settings
        self._user_settings = user_settings
        self._shortcuts = shortcuts
        self._group = menu.title().replace("&", "")
        self.by_name: dict[str, QAction] = {}
        """``shape.square``, ``order.date``, ``captions``, ``walk``, ``sidebar``, ..."""
        self._themes = self._add_themes(menu.add_submenu(self.tr("&Theme")))
        menu.addSeparator()
        shapes = {
            TileShape.JUSTIFIED: self.tr("Uncropped, justified rows"),
            TileShape.SQUARE: self.tr("Cropped to squares"),
        }
        shape = TileShape(user_settings.get(SHAPE))
        self._choices(
            menu.add_submenu(self.tr("&Photos")), "shape", shapes, shape, lambda one: user_settings.set(SHAPE, str(one))
        )
        orders = {
            Order.FOLDER: self.tr("By folder"),
            Order.NAME: self.tr("By name"),
            Order.DATE: self.tr("By date, the newest first"),
            Order.RATING: self.tr("By rating, the best first"),
            Order.SIZE: self.tr("By size, the largest first"),
            Order.RANDOM: self.tr("Random"),
        }
        sort = menu.add_submenu(self.tr("So&rt"))
        self._choices(sort, "order", orders, Order.FOLDER, session.navigator.sort)
        session.navigator.trail_changed.connect(self._show_order)
        captions = self._switch(menu, "captions", self.tr("&Captions below the photos"), "Shift+C")
        captions.toggled.connect(lambda on: user_settings.set(CAPTIONS, on))
        walk = self._switch(menu, "walk", self.tr("Set focal image with one clic&k"), "")
        walk.toggled.connect(lambda on: user_settings.set(CLICK, "walk" if on else "select"))
        user_settings.changed.connect(self._show_user_settings)
        user_settings.changed.connect(self._take_theme)
        self._show_user_settings()
        for name, (column, title, key) in columns.items():
            self._add_column(self._switch(menu, name, title, key), name, column)
        reset = menu.addAction(self.tr("Reset la&yout"))
        reset.triggered.connect(lambda _=False: self.reset_wanted.emit())
        self._bind("reset", self.tr("Reset la&yout"), "", reset)

    def _add_themes(self, menu: Menu) -> dict[ThemeChoice, QAction]:
        group, actions = QActionGroup(self), {}
        titles = {
            ThemeChoice.SYSTEM: self.tr("Follow system"),
            ThemeChoice.DARK: self.tr("Dark"),
            ThemeChoice.LIGHT: self.tr("Light"),
        }
        for choice, title in titles.items():
            action = actions[choice] = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(choice is self._theme.choice)
            action.triggered.connect(lambda _=False, choice=choice: self.choose_theme(choice))
            group.addAction(action)
        return actions

    def _take_theme(self, name: str) -> None:
        """Apply a theme that was chosen in the settings dialog."""
        choice = ThemeChoice(self._user_settings.get(THEME))
        if name == THEME.name and choice is not self._theme.choice:
            self._theme.choose(choice)
            self._themes[choice].setChecked(True)

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Apply a theme and save the choice."""
        self._theme.choose(choice)
        self._user_settings.set(THEME, str(choice))

    def _choices(
        self, menu: Menu, name: str, titles: dict[_Choice, str], chosen: _Choice, choose: Callable[[_Choice], object]
    ) -> None:
        group = QActionGroup(self)
        for value, title in titles.items():
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(value is chosen)
            action.triggered.connect(lambda _=False, value=value: choose(value))
            group.addAction(action)
            self._bind(f"{name}.{value}", f"{menu.title()}: {title}", "", action)

    def _switch(self, menu: Menu, name: str, title: str, key: str) -> QAction:
        action: QAction = menu.addAction(title)
        action.setCheckable(True)
        self._bind(name, title, key, action)
        return action

    def _bind(self, name: str, title: str, key: str, action: QAction) -> None:
        self.by_name[name] = action
        keyed = Keyed(f"view.{name}", self._group, title.replace("&", ""), (key,) if key else ())
        self._shortcuts.bind(keyed, action)

    def _add_column(self, action: QAction, name: str, column: QWidget) -> None:
        on = self._settings.value(f"view/{name}", name not in _HIDDEN_AT_FIRST) in (True, "true")
        action.setChecked(on)
        column.setVisible(on)
        action.toggled.connect(lambda on: self._show_column(column, on))
        action.toggled.connect(lambda on: self._settings.setValue(f"view/{name}", on))

    def _show_column(self, column: QWidget, on: bool) -> None:
        """Show or hide a column; on hiding, do not let Qt pass its keyboard focus to the next widget."""
        held = holds_keyboard(column)
        column.setVisible(on)
        if held and not on:
            self.keyboard_freed.emit()

    def _show_user_settings(self) -> None:
        """Show the user's choices, made here or in the settings."""
        self.by_name[f"shape.{self._user_settings.get(SHAPE)}"].setChecked(True)
        self.by_name["captions"].setChecked(self._user_settings.get(CAPTIONS))
        self.by_name["walk"].setChecked(self._user_settings.get(CLICK) == "walk")

    def _show_order(self) -> None:
        self.by_name[f"order.{self._session.navigator.collection.order}"].setChecked(True)
