# SPDX-License-Identifier: MIT
"""The map beside the grid, with a shared selection."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.scope import Scope
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button, tool_button
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import FlowLayout, in_column, in_row
from focal_photos.browser.views.base.modes import PageBar
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.map.map_view import MapView, tag_by_digit


class MapPanel(QWidget):
    """Shows the photos of the grid on the map while it is visible."""

    close_wanted = Signal()
    """The button that hides the panel was pressed."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Map"))
        self._session, self._map = session, session.map
        self._following = False
        self.view = MapView(session, theme, "map beside")
        self.canvas = self.view.canvas
        self.lasso_button = button(self.tr("Lasso"), "segment", lambda: self.canvas.set_lasso(not self.canvas.lasso))
        self.lasso_button.setCheckable(True)
        self.lasso_button.setToolTip(self.tr("Draw around photos to select them (L, or Shift+drag)"))
        self.fit_button = button(self.tr("Whole map"), "", self.canvas.fit)
        self.fit_button.setToolTip(self.tr("Show the whole map (0)"))
        self.close_button = tool_button(theme, "cross", self.tr("Hide the map"), self.close_wanted.emit)
        bar = PageBar()
        row = in_row((ElidedLabel(self.tr("Map"), "title"), 1), margins=(12, 6, 8, 6), spacing=8, parent=bar)
        buttons = FlowLayout(4)
        for each in (self.lasso_button, self.fit_button):
            buttons.addWidget(each)
        row.addLayout(buttons, 3)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        in_column(bar, (self.view, 1), margins=0, spacing=0, parent=self)
        session.map.moved.connect(self._follow)
        session.map.state_changed.connect(self._follow)
        session.overview.changed.connect(self._follow)
        session.navigator.trail_changed.connect(self._limit)
        self.canvas.walked.connect(session.map.walk_to)
        self.canvas.lasso_changed.connect(lambda: self.lasso_button.setChecked(self.canvas.lasso))
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Start following the library."""
        super().showEvent(event)
        self._following = True
        self._map.open(beside=True)
        self._limit()
        self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop following the library, because the mode Map may be shown next."""
        super().hideEvent(event)
        if self._following:
            self._following = False
            self._map.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add pinned tags on digits."""
        if not tag_by_digit(self._session, event):
            super().keyPressEvent(event)

    def _follow(self) -> None:
        if self._following:
            self.view.follow()

    def _limit(self) -> None:
        """Show the photos of the grid, selected or not."""
        if self._following:
            self._map.limit(Scope(self._session.navigator.collection))
