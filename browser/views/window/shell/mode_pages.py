# SPDX-License-Identifier: MIT
"""The pages of the modes, one of which is shown at a time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QStackedWidget, QWidget

from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.modes import Mode, ModePage
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.compare.compare_page import ComparePage
from focal_photos.browser.views.duplicates.duplicates_page import DuplicatesPage
from focal_photos.browser.views.help.guide_opener import PROPERTY as GUIDE
from focal_photos.browser.views.map.map_page import MapPage
from focal_photos.browser.views.metrics.learning_page import LearningPage
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.views.review.review_page import ReviewPage
from focal_photos.browser.views.window.photo_area import PhotoArea

PageT = TypeVar("PageT", bound=ModePage)


class ModePages(QStackedWidget):
    """Makes the page of a mode when it is first shown; that of Browse is given by the window."""

    left = Signal()
    """A page requests to return to the photos."""
    comparing_wanted = Signal()
    """A page requests to compare photos."""
    tile_size_changed = Signal(int)
    """The user has changed the size of the tiles of a page."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._made: dict[Mode, QWidget] = {}

    def set_browse(self, columns: QWidget, photos: PhotoArea, compared: Sequence[QAction]) -> None:
        """Give the page of Browse.

        Parameters
        ----------
        columns : QWidget
            The page.
        photos : PhotoArea
            The photos on it.
        compared : sequence of QAction
            Actions on photos that Compare offers too.
        """
        self._photos = photos
        self._compared = compared
        self._made[Mode.BROWSE] = columns

    @property
    def mode(self) -> Mode:
        """The current mode."""
        return next(mode for mode, page in self._made.items() if page is self.currentWidget())

    @property
    def page(self) -> QWidget:
        """The current page."""
        return self._made[self.mode]

    @property
    def grid(self) -> GridView | None:
        """The grid of the current page, if it has one."""
        if self.mode is Mode.BROWSE:
            return self._photos.grid
        grid = getattr(self.page, "grid", None)
        return grid if isinstance(grid, GridView) else None

    def show_mode(self, mode: Mode) -> None:
        """Show the page of a mode; leaving Browse sets the scope of the other pages."""
        former = self.currentWidget()
        page: QWidget = self._made[mode] if mode is Mode.BROWSE else getattr(self, f"{mode}_page")
        if self.mode is Mode.BROWSE and mode is not Mode.BROWSE:
            self._session.scope.take_from_browse()
        if former is not page and isinstance(former, ModePage):
            former.leave()
        self.setCurrentWidget(page)

    def _added(self, mode: Mode, page: PageT, guide: str) -> PageT:
        """Add a page; `guide` is its place in the guide."""
        page.setProperty(GUIDE, guide)
        page.left.connect(self.left)
        self._made[mode] = page
        self.addWidget(page)
        return page

    @cached_property
    def review_page(self) -> ReviewPage:
        """The page of Review."""
        page = self._added(Mode.REVIEW, ReviewPage(self._session, self._theme), "reviewing.md#review")
        page.grid.tile_size_changed.connect(self.tile_size_changed)
        return page

    @cached_property
    def map_page(self) -> MapPage:
        """The page of the map."""
        page = self._added(Mode.MAP, MapPage(self._session, self._theme), "browsing.md#map")
        page.left.connect(self._photos.close_viewer)  # it would hide the ranking or the selected photos
        return page

    @cached_property
    def compare_page(self) -> ComparePage:
        """The page of photos side by side."""
        page = ComparePage(self._session, self._theme)
        self._added(Mode.COMPARE, page, "browsing.md#compare-and-slideshow")
        page.current_in_grid = self._photos.current_id
        page.addActions(self._compared)
        return page

    @cached_property
    def duplicates_page(self) -> DuplicatesPage:
        """The page of duplicates."""
        page = self._added(Mode.DUPLICATES, DuplicatesPage(self._session, self._theme), "browsing.md#duplicates")
        page.comparing_wanted.connect(self.comparing_wanted)
        return page

    @cached_property
    def learning_page(self) -> LearningPage:
        """The page of the metrics."""
        return self._added(Mode.LEARNING, LearningPage(self._session, self._theme), "teaching.md#learning-the-mode")
