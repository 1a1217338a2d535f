"""What the window shows and how: shape of the tiles, captions, order of the photos, columns, what a click does."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from browser.catalog.facts.order import Order
from browser.models.session import Session
from browser.views.photos.grid_view import GridView, TileShape

_Choice = TypeVar("_Choice", bound=StrEnum)


class ViewMenu(QObject):
    """Adds its entries to a menu, applies what was chosen in an earlier session, and keeps what is chosen.

    Parameters
    ----------
    menu : QMenu
    session : Session
    settings : QSettings
    grid : GridView
    columns : dict of str to (QWidget, str, str)
        Columns that can be hidden: by the name under which that is kept, with the title of the entry and its key.

    Attributes
    ----------
    by_name : dict of str to QAction
        ``shape.square``, ``order.date``, ``captions``, ``walk``, ``sidebar``, ...
    """

    def __init__(
        self,
        menu: QMenu,
        session: Session,
        settings: QSettings,
        grid: GridView,
        columns: dict[str, tuple[QWidget, str, str]],
    ) -> None:
        super().__init__(menu)
        self._session = session
        self._settings = settings
        self._grid = grid
        self.by_name: dict[str, QAction] = {}
        menu.addSeparator()
        shapes = {
            TileShape.JUSTIFIED: self.tr("Whole, in lines of one height"),
            TileShape.SQUARE: self.tr("Cut to squares"),
        }
        kept = _kept(settings, "grid.shape", TileShape.JUSTIFIED)
        self._choices(menu.addMenu(self.tr("&Photos")), "shape", shapes, kept, self._set_shape)
        orders = {
            Order.FOLDER: self.tr("By folder"),
            Order.NAME: self.tr("By name"),
            Order.DATE: self.tr("By date, the newest first"),
            Order.RATING: self.tr("By rating, the best first"),
            Order.SIZE: self.tr("By size, the largest first"),
            Order.RANDOM: self.tr("At random"),
        }
        sort = menu.addMenu(self.tr("So&rt"))
        self._choices(sort, "order", orders, Order.FOLDER, session.navigator.sort)
        session.navigator.trail_changed.connect(self._show_order)
        self._switch(menu, "captions", self.tr("&Captions below the photos"), "Shift+C", False, grid.set_captions)
        self._switch(menu, "walk", self.tr("One clic&k makes the focal image"), "", False, self._set_walk)
        for name, (column, title, key) in columns.items():
            self._switch(menu, name, title, key, True, column.setVisible)

    def _choices(
        self, menu: QMenu, name: str, titles: dict[_Choice, str], chosen: _Choice, choose: Callable[[_Choice], object]
    ) -> None:
        group = QActionGroup(self)
        for value, title in titles.items():
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(value is chosen)
            action.triggered.connect(lambda _=False, value=value: choose(value))
            group.addAction(action)
            self.by_name[f"{name}.{value}"] = action
        if name == "shape":
            choose(chosen)

    def _switch(
        self, menu: QMenu, name: str, title: str, key: str, default: bool, switch: Callable[[bool], object]
    ) -> None:
        action = menu.addAction(title)
        action.setCheckable(True)
        action.setShortcut(QKeySequence(key))
        on = self._settings.value(f"view/{name}", default) in (True, "true")
        action.setChecked(on)
        switch(on)
        action.toggled.connect(switch)
        action.toggled.connect(lambda on: self._settings.setValue(f"view/{name}", on))
        self.by_name[name] = action

    def _set_shape(self, shape: TileShape) -> None:
        self._grid.set_shape(shape)
        self._settings.setValue("grid.shape", str(shape))

    def _set_walk(self, on: bool) -> None:
        self._grid.walks_on_click = on
        self._settings.setValue("browse.click", "walk" if on else "select")

    def _show_order(self) -> None:
        self.by_name[f"order.{self._session.navigator.collection.order}"].setChecked(True)


def _kept(settings: QSettings, name: str, default: _Choice) -> _Choice:
    """Return what was chosen, or the default where nothing was or what nobody knows."""
    value = settings.value(name)
    return next((each for each in type(default) if str(each) == value), default)
