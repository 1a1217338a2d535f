# SPDX-License-Identifier: MIT
"""The middle of the window: the welcome page, or the focal image above the grid, or one photo alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.photos.trail import Collection, GridPosition
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.ranking.queries.query import Example
from focal_photos.browser.views.base.layouts import BoundedStack, in_column
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.examples.examples_strip import ExamplesStrip
from focal_photos.browser.views.metrics.old_order import OldOrder
from focal_photos.browser.views.metrics.why_panel import WhyPanel
from focal_photos.browser.views.photos.boxes.box_layer import BoxLayer
from focal_photos.browser.views.photos.empty_page import EmptyPage
from focal_photos.browser.views.photos.first_steps_bar import FirstStepsBar
from focal_photos.browser.views.photos.focal_panel import HEIGHT as STRIP_HEIGHT
from focal_photos.browser.views.photos.focal_panel import FocalPanel
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.views.photos.photo_viewer import PhotoViewer
from focal_photos.browser.views.photos.region_strip import RegionStrip
from focal_photos.browser.views.photos.text_strip import TextStrip
from focal_photos.browser.views.photos.welcome_page import WelcomePage

_COMPARISON_HEIGHT: Final = 0.52
"""Share of the height that the focal panel takes while two photos are compared."""


_MIN_PAGE_SIZE: Final = QSize(240, 220)
"""Upper bound of the minimum size of the pages, in pixels."""


class PhotoArea(QWidget):
    """A stack of pages of photos; the session's state and the user's actions select the page.

    Attributes
    ----------
    welcome_page : WelcomePage
        Shown while the library has no folders.
    focal_panel : FocalPanel
        The focal image, above the grid.
    examples_strip : ExamplesStrip
        Several examples in its place.
    text_strip : TextStrip
        A text in its place.
    region_strip : RegionStrip
        A part of an image in its place.
    first_steps_bar : FirstStepsBar
        Hints on what to do next, after the first folder of a library was opened.
    empty_page : EmptyPage
        Shown instead of the grid while the grid is empty.
    boxes : BoxLayer
        The boxes over the photo of the viewer.
    splitter : QSplitter
        Between the focal panel and the grid.
    """

    folder_wanted = Signal()
    """The user wants to choose a folder."""
    viewer_closed = Signal()
    welcome_changed = Signal()
    """`welcoming` has changed."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.welcoming = False
        """Whether the library is known to be empty, so that only the welcome page is shown."""
        self._sizes_before: list[int] = []
        self._selected_before: tuple[int, ...] = ()
        self._viewed_in: Collection | None = None
        self._alone = False
        self._pages = BoundedStack(_MIN_PAGE_SIZE)
        self._bars = in_column(spacing=0)
        in_column(self._bars, (self._pages, 1), margins=0, parent=self)
        self._add_welcome_page(theme)
        self._add_focal_panel_and_grid(theme)
        self._add_viewer(theme)
        arranged = (session.grid.modelReset, session.navigator.trail_changed)
        for signal in (*arranged, session.overview.changed, session.jobs.indexing.running_changed):
            signal.connect(self.show_page)

    # ------------------------------------------------------------------ creation
    def add_bar(self, bar: QWidget) -> None:
        """Add a line above all pages."""
        self._bars.addWidget(bar)

    def _add_welcome_page(self, theme: Theme) -> None:
        self.welcome_page = WelcomePage(theme)
        self.welcome_page.folder_wanted.connect(self.folder_wanted)
        self._pages.addWidget(self.welcome_page)

    def _add_focal_panel_and_grid(self, theme: Theme) -> None:
        session, navigator = self._session, self._session.navigator
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self._pages.addWidget(self.splitter)
        self.focal_panel = FocalPanel(session, theme)
        self.splitter.addWidget(self.focal_panel)
        self.why_panel = WhyPanel(session, theme)
        self.focal_panel.set_reasons(self.why_panel)
        self.focal_panel.picture.clicked.connect(self._view_focal)
        self.focal_panel.heat_controls.comparison_wanted.connect(self.compare_patches)
        session.local_view.matches_changed.connect(self._fit_focal_panel)
        # queued, because the panel may be in the middle of its layout
        self.focal_panel.needs_less.connect(self._close_gap, Qt.ConnectionType.QueuedConnection)
        self.grid = GridView(session.grid, theme)
        OldOrder(self.grid, session.metrics.movement)
        self.grid.photo_chosen.connect(navigator.focus)
        self.grid.photo_opened.connect(self.open_viewer)
        self.grid.judged.connect(session.targets.judge)
        self.grid.unfolded.connect(session.duplicates.toggle_fold)
        self.grid.selected.connect(navigator.select)
        session.map.chosen.connect(self.grid.select_photos)
        session.tagging.picking.picked.connect(self._show_picked)
        navigator.position = self.grid.position
        navigator.arranged.connect(self._go_to)
        navigator.focal_changed.connect(self._update_judging)
        session.examples.changed.connect(self._update_judging)
        self.empty_page = EmptyPage(session, theme)
        below = QWidget()
        self.splitter.addWidget(below)
        self._grid_pages = QStackedWidget(below)
        self._grid_pages.addWidget(self.grid)
        self._grid_pages.addWidget(self.empty_page)
        self.first_steps_bar = FirstStepsBar(session, theme)
        self.examples_strip = ExamplesStrip(session, theme)
        self.examples_strip.set_reasons(WhyPanel(session, theme))
        self.text_strip = TextStrip(session, theme, WhyPanel(session, theme))
        self.text_strip.finished.connect(self.focus_photos)
        self.text_strip.writing_changed.connect(self._show_strips)
        self.region_strip = RegionStrip(session, theme)
        self.region_strip.finished.connect(self.focus_photos)
        self.region_strip.choosing_changed.connect(self._show_strips)
        self.focal_panel.part_wanted.connect(self.choose_part)
        self.examples_strip.part_wanted.connect(self.choose_part)
        navigator.trail_changed.connect(self._update_judging)
        in_column(
            self.first_steps_bar,
            self.examples_strip,
            self.text_strip,
            self.region_strip,
            (self._grid_pages, 1),
            margins=0,
            spacing=0,
            parent=below,
        )
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([STRIP_HEIGHT, 900])
        self.splitter.setHandleWidth(1)

    def _add_viewer(self, theme: Theme) -> None:
        self.viewer = PhotoViewer(self._session, theme)
        self.viewer.closed.connect(self.close_viewer)
        self.viewer.stepped.connect(self.step)
        self._session.grid.dataChanged.connect(self._renew_card)
        self._pages.addWidget(self.viewer)
        self.boxes = BoxLayer(self._session, theme, self.viewer)
        self.boxes.searched.connect(self._search_in_viewer)
        self._pages.currentChanged.connect(self._show_boxes)

    def _show_boxes(self) -> None:
        """Show the boxes of the viewed photo, or no longer."""
        self._session.tagging.boxes.view(self.viewer.photo_id if self.viewing else None)

    # ------------------------------------------------------------------ pages
    @property
    def viewing(self) -> bool:
        """Whether the viewer is shown."""
        return self._pages.currentWidget() is self.viewer

    def show_page(self) -> None:
        """Show the page for the current state of the session."""
        self._choose_page()
        welcoming = self._session.overview.loaded and self._pages.currentWidget() is self.welcome_page
        if welcoming != self.welcoming:
            self.welcoming = welcoming
            self.welcome_changed.emit()

    def _choose_page(self) -> None:
        session = self._session
        overview = session.overview.now
        empty = not session.grid.rowCount()
        if (
            session.overview.loaded
            and not overview.photos
            and not overview.roots
            and not session.jobs.indexing.running
            and empty
        ):
            self._pages.setCurrentWidget(self.welcome_page)
            return
        if self._pages.currentWidget() is self.welcome_page:
            self._show_grid()
        had_focus = self.grid.hasFocus() or self.empty_page.hasFocus()
        known = session.overview.loaded and not session.navigator.arranging
        self._grid_pages.setCurrentWidget(self.empty_page if empty and known else self.grid)
        if had_focus:
            self.focus_photos()
        if empty:
            self.empty_page.explain()

    def focus_photos(self) -> None:
        """Give the keyboard focus to the photos."""
        page = self._grid_pages.currentWidget() or self.grid
        (self.viewer if self.viewing else page).setFocus()

    def set_alone(self, alone: bool) -> None:
        """Hide or show the query above the photos."""
        held = self.text_strip.field.hasFocus()
        self._alone = alone
        self._show_strips()
        if held and alone:
            self.focus_photos()

    def _show_strips(self) -> None:
        """Show the query above the photos, or the text field while the user writes a text."""
        writing, choosing = self.text_strip.writing, self.region_strip.choosing
        for strip in (self.focal_panel, self.examples_strip):
            strip.set_suppressed(self._alone or writing or choosing)
        self.text_strip.set_suppressed(self._alone or choosing)
        self.region_strip.set_suppressed(self._alone or writing)
        self.region_strip.fit(self.height())

    def choose_part(self, photo_id: int | None = None) -> None:
        """Let the user choose the part of a photo to search by.

        By default it is the photo in the viewer, the image that photos are ranked by, or else the current photo. If a
        box is current in the viewer, it is searched by at once; elsewhere, choosing begins with the current box.
        """
        session = self._session
        navigator, local, examples = session.navigator, session.local_view, session.navigator.examples
        first, boxes = None, session.tagging.boxes
        box = boxes.current_region()
        if photo_id is None and self.viewing:
            photo_id, card = self.viewer.photo_id, self.viewer.card
            if box is not None and card is not None:
                self._search_in_viewer(rotated_region(box[1], card.quarters))
                return
        self.close_viewer()
        if photo_id is not None:
            source: Example | None = photo_id
        elif navigator.part is not None:
            source = navigator.part.source
        elif navigator.focal_id is not None:
            source = navigator.focal_id
            first = local.shown_region if local.metric is not None else None
        elif examples is not None and len(examples.like) == 1:
            source = examples.like[0]
        else:
            source = self.grid.current_id()
        if box is not None and box[0] == source:
            first = rotated_region(box[1], boxes.quarters)
        if source is not None:
            session.region_search.begin(source, first)
        else:
            text = self.tr("Choose a focal image first: double-click a photo.")
            session.notices.post(text, Severity.WARNING)

    def _search_in_viewer(self, region: Region) -> None:
        """Search by a region of the viewed photo as displayed."""
        card = self.viewer.card
        if card is not None:
            self.close_viewer()
            self._session.region_search.search_in(card, region)

    def select_current(self) -> None:
        """Select the current tile if no photo is selected."""
        index = self.grid.currentIndex()
        if index.isValid() and not self.grid.selected_ids():
            self.grid.make_current(index.row())

    def _show_grid(self) -> None:
        self._pages.setCurrentWidget(self.splitter)
        self.grid.setFocus()

    def _show_picked(self, photo_ids: tuple[int, ...]) -> None:
        """Show photos that are selected for a goal; leave the viewer, so that the selection is visible."""
        self.close_viewer()
        self.grid.select_photos(photo_ids)

    def _go_to(self, position: GridPosition) -> None:
        self.grid.go_to(position)
        self._leave_what_is_not_here()
        self.show_page()

    def _leave_what_is_not_here(self) -> None:
        """Return to the grid if a newly chosen collection lacks the viewed photo.

        A photo that no longer matches the same filter, for example because it was tagged, stays.
        """
        navigator, shown = self._session.navigator, self.viewer.photo_id
        collection = navigator.trail.current.collection
        if not self.viewing or collection == self._viewed_in:
            return
        self._viewed_in = collection
        if shown is not None and shown != navigator.focal_id and self._session.grid.row_of(shown) < 0:
            self.viewer_closed.emit()
            self._pages.setCurrentWidget(self.splitter)

    def _update_judging(self) -> None:
        can = bool(self._session.navigator.judged_against)
        self.grid.set_can_judge(can and not self._session.read_only)

    def _fit_focal_panel(self) -> None:
        """Enlarge the focal panel while two photos are compared, and restore its height afterwards."""
        comparing = self._session.local_view.matching
        if comparing and not self._sizes_before:
            self._sizes_before = self.splitter.sizes()
            whole = sum(self._sizes_before)
            height = max(self._sizes_before[0], round(_COMPARISON_HEIGHT * whole))
            self.splitter.setSizes([height, whole - height])
        elif not comparing and self._sizes_before:
            self.splitter.setSizes(self._sizes_before)
            self._sizes_before = []
            self._close_gap()

    def reset_height(self) -> None:
        """Restore the default height of the focal panel."""
        self.splitter.setSizes([STRIP_HEIGHT, max(self.splitter.height() - STRIP_HEIGHT, 1)])
        self._close_gap()

    def _close_gap(self) -> None:
        """Give unused height of the focal panel to the photos, because the splitter would retain it."""
        (above, below), most = self.splitter.sizes(), self.focal_panel.maximumHeight()
        if above > most:
            self.splitter.setSizes([most, below + above - most])

    # ------------------------------------------------------------------ targets of key commands
    def current_id(self) -> int | None:
        """Return the photo in the viewer, or else the current one of the grid."""
        return self.viewer.photo_id if self.viewing else self.grid.current_id()

    def ids_to_judge(self) -> list[int]:
        """Return the photos to judge: the one held by the navigator, the one in the viewer, or those of the grid."""
        in_hand = self._session.navigator.in_hand
        if in_hand is not None:
            return [in_hand]
        if self.viewing:
            return [self.viewer.photo_id] if self.viewer.photo_id is not None else []
        return self.grid.ids_to_judge()

    # ------------------------------------------------------------------ one photo alone
    def open_viewer(self, photo_id: int | None = None) -> None:
        """Show one photo alone: the given one, or else the current or hovered one, or else the focal image."""
        if photo_id is None:
            chosen = self.grid.ids_to_judge()
            photo_id = chosen[0] if chosen else self._session.navigator.focal_id
        if photo_id is None and len(self._session.grid.ids):
            photo_id = self.grid.current_id() or self._session.grid.photo_id(0)
        if photo_id is not None:
            self._selected_before = tuple(self.grid.selected_ids())
            self._viewed_in = self._session.navigator.trail.current.collection
            self._pages.setCurrentWidget(self.viewer)
            self.viewer.setFocus()
            self.show_in_viewer(photo_id)

    def close_viewer(self) -> bool:
        """Return to the grid; return whether the viewer was open."""
        if not self.viewing:
            return False
        self.viewer_closed.emit()
        self._show_grid()
        viewed = self.viewer.photo_id
        if viewed not in self._selected_before or len(self._selected_before) > 1:
            position = self.grid.position()
            self.grid.go_to(replace(position, current=viewed, selected=self._selected_before))
        return True

    def show_in_viewer(self, photo_id: int) -> None:
        """Show a photo in the viewer, if it is open, and make it the target of keys and panels."""
        if self.viewing:
            navigator = self._session.navigator
            row = self._session.grid.row_of(photo_id)
            if row >= 0:
                self.grid.make_current(row)
            else:
                self.grid.clearSelection()
            card = navigator.focal if photo_id == navigator.focal_id else self._session.grid.card(photo_id)
            self.viewer.show_photo(photo_id, card)
            self._show_boxes()

    def _renew_card(self) -> None:
        """Refresh the viewed photo's card: for example, its rating may have changed."""
        card = None if self.viewer.photo_id is None else self._session.grid.card(self.viewer.photo_id)
        if self.viewing and card is not None:
            self.viewer.set_card(card)

    def _view_focal(self) -> None:
        self.open_viewer(self._session.navigator.focal_id)

    # ------------------------------------------------------------------ keys in the grid or the viewer
    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) photo."""
        if self.viewing and self.viewer.photo_id is not None:
            row = self._session.grid.place_of(self.viewer.photo_id) + by
            if 0 <= row < len(self._session.grid.ids):
                self.show_in_viewer(self._session.grid.photo_id(row))
            elif row >= 0 and not self._session.grid.complete:
                self._session.grid.when_complete(lambda: self.step(by))
        else:
            self.grid.step(by)

    def zoom(self, steps: int) -> None:
        """Zoom the viewer or the tiles: in if `steps` is positive, otherwise out."""
        if self.viewing:
            self.viewer.zoom(1.25**steps)
        else:
            self.grid.zoom(steps)

    def compare_patches(self) -> None:
        """Compare the focal image with another photo: the current or hovered one, or else the nearest."""
        chosen = [photo_id for photo_id in self.ids_to_judge() if photo_id != self._session.navigator.focal_id]
        self.close_viewer()
        if not chosen and len(self._session.grid.ids):
            chosen = [self._session.grid.photo_id(0)]
        if chosen:
            self._session.local_view.show_matches(chosen[0])
