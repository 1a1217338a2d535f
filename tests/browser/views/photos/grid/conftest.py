# SPDX-License-Identifier: MIT
"""The parts of a grid without its widget: twelve photos in three lines of four, in a view of 400 x 250 pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtWidgets import QApplication, QScrollBar

from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.trail import GridPosition
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.grid.grid_keyboard import GridKeyboard
from focal_photos.browser.views.photos.grid.grid_mouse import GridMouse, MouseState
from focal_photos.browser.views.photos.grid.grid_scroll import GridScroll
from focal_photos.browser.views.photos.grid.grid_selection import GridSelection
from focal_photos.browser.views.photos.grid.hover import Hover
from focal_photos.browser.views.photos.grid.tile_arrangement import TileArrangement, TileMargins, TileShape
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton, TileDelegate

LEFT, NO_BUTTON = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
NONE = Qt.KeyboardModifier.NoModifier
WIDTH, PAGE, SIDE = 400, 250, 100


class GridParts:
    """The parts of a grid; `button` is the button under the pointer."""

    def __init__(self) -> None:
        self.runner = Runner()
        self.loader = ThumbnailLoader(lambda _id, _size: QImage(), threads=0)
        self.photos = GridModel(lambda _ids: {}, self.runner, self.loader)
        self.bar = QScrollBar()
        self.button: TileButton | None = None
        self.tiles = TileArrangement(self.photos, TileShape.SQUARE)
        self.tiles.tile_size = SIDE
        self.scroll = GridScroll(self.bar, self.photos, self.tiles)
        self.selection = GridSelection(self.photos, self.tiles, QItemSelectionModel(self.photos))
        self.delegate = TileDelegate(cast("Theme", None))
        self.hover = Hover(self.delegate, self._find)
        self.keyboard = GridKeyboard(self.photos, self.tiles, self.scroll, self.selection, self.hover)
        self.mouse = GridMouse(self.photos, self.selection, self.hover, self.bar)
        self.signals: list[tuple[object, ...]] = []
        """Name and values of the signals of the mouse."""
        for name in ("photo_chosen", "photo_opened", "unfolded", "judged", "dragged"):
            getattr(self.mouse, name).connect(lambda *values, name=name: self.signals.append((name, *values)))
        self.show(range(1, 13))

    def _find(self, point: QPointF) -> tuple[int, TileButton | None]:
        row = self.tiles.row_at(point.toPoint() + QPoint(0, self.bar.value()))
        return row, self.button if row >= 0 else None

    def show(self, photo_ids: range, *, total: int | None = None, wide: bool = False, weak: int | None = None) -> None:
        """Show these photos, which are as high as wide, or alternately twice as wide."""
        ids = np.array(photo_ids, dtype=np.int64)
        aspects = np.where(ids % 2, 1, 2).astype(np.float32) if wide else None
        self.photos.arrange(ids, total=total, aspects=aspects, weak_from=weak)
        self.lay_out()

    def lay_out(self) -> None:
        self.tiles.arrange(WIDTH, TileMargins(), 20)
        self.scroll.lay_out(GridPosition(), PAGE)

    # ------------------------------------------------------------------ mouse
    def state(self) -> MouseState:
        return self.mouse.state

    def point(self, row: int) -> QPoint:
        """Return the middle of a tile in the viewport; row -1: a place below all tiles."""
        return self.tiles.rect(row).center() - QPoint(0, self.bar.value()) if row >= 0 else QPoint(WIDTH - 20, 5000)

    def press(self, at: int | QPoint, keys: Qt.KeyboardModifier = NONE, button: Qt.MouseButton = LEFT) -> None:
        self.mouse.press(self._event(QEvent.Type.MouseButtonPress, at, button, keys))

    def release(self, at: int | QPoint, keys: Qt.KeyboardModifier = NONE) -> None:
        self.mouse.release(self._event(QEvent.Type.MouseButtonRelease, at, LEFT, keys))

    def double_click(self, at: int | QPoint) -> None:
        self.mouse.double_click(self._event(QEvent.Type.MouseButtonDblClick, at, LEFT, NONE))

    def click(self, at: int | QPoint, keys: Qt.KeyboardModifier = NONE) -> None:
        self.press(at, keys)
        self.release(at, keys)

    def move(self, at: int | QPoint, held: Qt.MouseButton = LEFT) -> None:
        point = QPointF(at if isinstance(at, QPoint) else self.point(at))
        self.mouse.move(QMouseEvent(QEvent.Type.MouseMove, point, point, NO_BUTTON, held, NONE))

    def _event(
        self, kind: QEvent.Type, at: int | QPoint, button: Qt.MouseButton, keys: Qt.KeyboardModifier
    ) -> QMouseEvent:
        point = QPointF(at if isinstance(at, QPoint) else self.point(at))
        return QMouseEvent(kind, point, point, button, button, keys)


@pytest.fixture
def parts(qapp: QApplication) -> Iterator[GridParts]:
    parts = GridParts()
    yield parts
    parts.runner.close()
    parts.loader.close()
    for each in (parts.delegate, parts.bar, parts.photos):
        each.deleteLater()
