"""The middle of the window: which page of photos is shown there, and how high the strip above the grid is."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from browser.models.session import Session
from browser.views.photos.focal_panel import FocalPanel
from browser.views.photos.grid_view import GridView
from browser.views.photos.photo_viewer import PhotoViewer
from browser.views.photos.welcome import Nothing, Welcome

_FOCAL: Final = 232
_COMPARING: Final = 0.52
"""Share of the height that the strip takes while two photos are compared."""


class Center(QWidget):
    """The welcome, or the strip of the focal image above the grid, or one photo alone.

    Parameters
    ----------
    session : Session
        Its state says which page is due.
    welcome : Welcome
        Shown while the library has no folders.
    focal_panel : FocalPanel
        The strip.
    grid : GridView
        Photos.
    nothing : Nothing
        In place of the grid where it is empty.
    viewer : PhotoViewer
        One photo.
    """

    def __init__(
        self,
        session: Session,
        *,
        welcome: Welcome,
        focal_panel: FocalPanel,
        grid: GridView,
        nothing: Nothing,
        viewer: PhotoViewer,
    ) -> None:
        super().__init__()
        self._session = session
        self._welcome, self._grid, self._nothing, self._viewer = welcome, grid, nothing, viewer
        self._sizes_before: list[int] = []
        self._grid_pages = QStackedWidget()
        self._grid_pages.addWidget(grid)
        self._grid_pages.addWidget(nothing)
        self.browse = QSplitter(Qt.Orientation.Vertical)
        self.browse.addWidget(focal_panel)
        self.browse.addWidget(self._grid_pages)
        self.browse.setChildrenCollapsible(False)
        self.browse.setStretchFactor(1, 1)
        self.browse.setSizes([_FOCAL, 900])
        self.browse.setHandleWidth(1)
        self._pages = QStackedWidget()
        for page in (welcome, self.browse, viewer):
            self._pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)

    @property
    def viewing(self) -> bool:
        """Whether one photo is shown alone."""
        return self._pages.currentWidget() is self._viewer

    def view(self) -> None:
        """Show one photo alone."""
        self._pages.setCurrentWidget(self._viewer)
        self._viewer.setFocus()

    def leave_viewer(self) -> None:
        """Show the grid, which has the keyboard then."""
        self._pages.setCurrentWidget(self.browse)
        self._grid.setFocus()

    def focus_photos(self) -> None:
        """Give the keyboard to the photos."""
        page = self._grid_pages.currentWidget() or self._grid
        (self._viewer if self.viewing else page).setFocus()

    def show_page(self) -> None:
        """Show the page that the session's state asks for."""
        session = self._session
        overview, navigator = session.overview, session.navigator
        empty = not session.grid.rowCount()
        at_work = session.jobs.indexing
        if session.loaded and not overview.photos and not overview.roots and not at_work and empty:
            self._pages.setCurrentWidget(self._welcome)
            return
        if self._pages.currentWidget() is self._welcome:
            self.leave_viewer()
        keyboard = self._grid.hasFocus() or self._nothing.hasFocus()
        self._grid_pages.setCurrentWidget(self._nothing if empty and session.loaded else self._grid)
        if keyboard:
            self.focus_photos()
        if not empty:
            return
        if navigator.focal_id is not None and navigator.collection.query:
            text, icon = (
                self.tr("No other photo fits \N{LEFT DOUBLE QUOTATION MARK}{0}\N{RIGHT DOUBLE QUOTATION MARK}."),
                "search",
            )
            text = text.format(navigator.collection.query)
        elif navigator.focal_id is not None:
            text, icon = self.tr("No other photo to rank here yet."), "photos"
        elif not navigator.collection.everything:
            text, icon = (
                self.tr("No photo fits \N{LEFT DOUBLE QUOTATION MARK}{0}\N{RIGHT DOUBLE QUOTATION MARK}."),
                "search",
            )
            text = text.format(navigator.collection.query or navigator.trail.current.label)
        elif at_work:
            text, icon = self.tr("Looking for photos\N{HORIZONTAL ELLIPSIS}"), "photos"
        else:
            text, icon = self.tr("There are no photos in these folders."), "folder"
        self._nothing.explain(text, icon, clearable=not navigator.collection.everything)

    def make_room(self) -> None:
        """Give the strip above the grid more height while two photos are compared."""
        comparing = self._session.local_view.matching
        if comparing and not self._sizes_before:
            self._sizes_before = self.browse.sizes()
            whole = sum(self._sizes_before)
            strip = max(self._sizes_before[0], round(_COMPARING * whole))
            self.browse.setSizes([strip, whole - strip])
        elif not comparing and self._sizes_before:
            self.browse.setSizes(self._sizes_before)
            self._sizes_before = []
