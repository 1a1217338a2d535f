# SPDX-License-Identifier: MIT
"""The main window: each of its regions is created, placed and connected in one method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QByteArray, QEvent, QSettings, QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QWidget

from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.models.base.notices import Message, MessageAction
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.user_settings import CAPTIONS, CLICK, OFFER_VERIFYING, SHAPE
from focal_photos.browser.views.base.dropping import PHOTOS_TYPE, DropFrame, addresses_in, comes_from_elsewhere
from focal_photos.browser.views.base.layouts import focus_neighbor, holds_keyboard, in_column
from focal_photos.browser.views.base.modes import Mode, ModePage
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.compare.compare_page import ComparePage
from focal_photos.browser.views.duplicates.duplicates_page import DuplicatesPage
from focal_photos.browser.views.help.guide_opener import PROPERTY as GUIDE
from focal_photos.browser.views.help.guide_opener import GuideOpener
from focal_photos.browser.views.map.map_page import MapPage
from focal_photos.browser.views.map.map_panel import MapPanel
from focal_photos.browser.views.metrics.learning_page import LearningPage
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
from focal_photos.browser.views.review.review_page import ReviewPage
from focal_photos.browser.views.sidebar.library_button import LibraryButton
from focal_photos.browser.views.window.actions import WindowActions
from focal_photos.browser.views.window.bars.message_bar import MessageBar
from focal_photos.browser.views.window.bars.status_bar import StatusBar
from focal_photos.browser.views.window.bars.top_bar import TopBar
from focal_photos.browser.views.window.culling import CullingBar, CullingKeys
from focal_photos.browser.views.window.dialog_opener import DialogOpener
from focal_photos.browser.views.window.photo_area import PhotoArea
from focal_photos.browser.views.window.photo_menu import PhotoMenu
from focal_photos.browser.views.window.right_column import RightColumn
from focal_photos.browser.views.window.sidebar import Sidebar
from focal_photos.browser.views.window.view_menu import ViewMenu

if TYPE_CHECKING:
    from focal_photos.browser.operations.photos.given_paths import GivenPaths

_FIRST_SIZE: Final = QSize(1440, 900)
_FRAME_SIZE: Final = QSize(16, 48)
"""Size of the window frame and title bar that the system draws, in pixels."""

PageT = TypeVar("PageT", bound=ModePage)

_BOXES_GUIDE: Final = "reviewing.md#boxes"
"""Place of the guide that explains boxes."""
_SIDEBAR_WIDTH: Final = 220
_RIGHT_WIDTH: Final = 264
_SIDEBAR_LIMITS: Final = (130, 420)
"""Its smallest and largest width, in pixels."""
_USUAL_FONT: Final = 15
"""Line height in pixels for which the columns have their default widths; they grow with the font."""


class MainWindow(QMainWindow):
    """One window on one session.

    A panel receives the session and the theme, and connects itself to the session. Its requests to the rest of the
    window are signals, connected here, where the panel is created and placed.

    Parameters
    ----------
    session : Session
        Closed together with the window.
    settings : QSettings
        Saves sizes and choices.
    """

    def __init__(self, session: Session, theme: Theme, settings: QSettings) -> None:
        super().__init__()
        self.session = session
        # deleted with the window, because Python cannot free objects that their own signals refer to
        session.setParent(self)
        self.theme = theme
        self._settings = settings
        self._hidden: list[QWidget] = []
        self.setWindowTitle("Focal")
        self.setAcceptDrops(not session.read_only)
        self.dialogs = DialogOpener(self, session, theme, settings)
        self.restore: Backup | None = None
        """The backup to restore after the window is closed."""
        self.next_library: Path | None = None
        """The library to open after the window is closed."""
        self.moves_to: Path | None = None
        """The folder to move the library to after the window is closed."""
        self.dialogs.restore_wanted.connect(self._close_to_restore)
        self.dialogs.library_wanted.connect(self.close_to_open)
        self.dialogs.move_wanted.connect(self._close_to_move)
        workspace = QWidget()
        workspace.setObjectName("workspace")
        self._rows = in_column(margins=0, spacing=0, parent=workspace)
        self.setCentralWidget(workspace)  # set while empty, because Qt visits all widgets that move to another window
        self._add_top_bar()
        self._add_columns()
        self._add_modes()
        self._add_status_bar()
        self._add_actions()
        self.dialogs.user_settings.changed.connect(self._take_choices)
        self._take_choices()
        session.navigator.focal_changed.connect(self._show_focal_name)
        self._awaits_ranking = False
        session.photo_folders.opening.image_given.connect(self._await_ranking)
        session.navigator.trail_changed.connect(self._show_awaited_ranking)
        session.navigator.image_refused.connect(self._forget_ranking)
        self._restore_sizes()
        self.drop_frame = DropFrame(workspace, theme)
        self.photos.show_page()

    # ------------------------------------------------------------------ regions
    def _add_top_bar(self) -> None:
        self.top_bar = TopBar(self.session, self.theme)
        self._rows.addWidget(self.top_bar)

    def _add_columns(self) -> None:
        # Containers are added to the window before they are filled: with a style sheet, Qt visits all widgets inside a
        # moved container.
        self._pages: dict[Mode, QWidget] = {}
        self._stack = QStackedWidget()
        self._rows.addWidget(self._stack, 1)
        self._columns = QSplitter(Qt.Orientation.Horizontal)
        self._columns.setHandleWidth(1)
        self._pages[Mode.BROWSE] = self._columns
        self._stack.addWidget(self._columns)
        self._add_sidebar()
        self._add_photos()
        self._add_right_column()
        self._columns.setStretchFactor(1, 1)
        self._columns.setCollapsible(1, False)
        self._set_column_widths()
        self.top_bar.mode_wanted.connect(self.show_mode)

    def _add_sidebar(self) -> None:
        self.sidebar = Sidebar(self.session, self.theme, self._columns)
        self.sidebar.setMinimumWidth(_SIDEBAR_LIMITS[0])
        self.sidebar.setMaximumWidth(_SIDEBAR_LIMITS[1])
        self.library_button = LibraryButton(self.session, self.dialogs.user_settings, self.theme)
        self.library_button.library_wanted.connect(self.close_to_open)
        self.library_button.new_wanted.connect(lambda: self.dialogs.ask_for_library(new=True))
        self.library_button.open_wanted.connect(lambda: self.dialogs.ask_for_library(new=False))
        self.library_button.move_wanted.connect(self.dialogs.ask_where_to_move)
        self.sidebar.set_heading(self.library_button)
        self.sidebar.folder_wanted.connect(self.dialogs.ask_for_folder)
        self.sidebar.judgements_wanted.connect(self.dialogs.show_judgements)
        self.sidebar.removal_wanted.connect(self.dialogs.ask_to_remove)
        self.sidebar.relocation_wanted.connect(self.dialogs.ask_to_relocate)
        self.sidebar.search.finished.connect(self.focus_photos)
        self._columns.addWidget(self.sidebar)

    def _add_photos(self) -> None:
        """Add the pages of photos, and the map beside them."""
        self._middle = QSplitter(Qt.Orientation.Horizontal, self._columns)
        self._middle.setHandleWidth(1)
        self._middle.setChildrenCollapsible(False)
        self.photos = PhotoArea(self.session, self.theme, self._middle)
        self.map_panel = MapPanel(self.session, self.theme, self._middle)
        self._middle.addWidget(self.photos)
        self._middle.addWidget(self.map_panel)
        self._middle.setSizes([500, 500])
        self.photos.folder_wanted.connect(self.dialogs.ask_for_folder)
        self.culling_bar = CullingBar(self.session, self.theme)
        self.photos.add_bar(self.culling_bar)
        CullingKeys(self.session, self.photos)
        self.top_bar.trail.walked.connect(self.focus_photos)
        for strip in (self.photos.focal_panel, self.photos.text_strip, self.photos.region_strip):
            strip.judgements_wanted.connect(self.dialogs.show_judgements)
        self.message_bar = MessageBar(self.theme)
        self.message_bar.offered.connect(self._take_offer)
        # undo would now apply to this change instead of the one in the message
        self.session.editor.edited.connect(lambda _changes: self.message_bar.settle(MessageAction.UNDO))
        self.session.notices.posted.connect(self._show_message)
        self._training = False
        self.session.jobs.training.running_changed.connect(self._follow_training)
        self._metric: int | None = None
        self.session.overview.changed.connect(self._follow_metric)
        self._columns.addWidget(self._middle)

    def _add_modes(self) -> None:
        """Add the buttons of the modes, whose pages are made when they are first opened."""
        for mode, title, tip in (
            (Mode.BROWSE, self.tr("Browse"), self.tr("The photos (Esc)")),
            (Mode.REVIEW, self.tr("Review"), self.tr("Tag photos quickly, one tag at a time (Ctrl+Shift+G)")),
            (Mode.MAP, self.tr("Map"), self.tr("Map of your photos, similar photos close together (Ctrl+Shift+M)")),
            (Mode.COMPARE, self.tr("Compare"), self.tr("Compare two to four photos side by side (C)")),
            (Mode.DUPLICATES, self.tr("Duplicates"), self.tr("Duplicates, versions and bursts (Ctrl+D)")),
            (
                Mode.LEARNING,
                self.tr("Learning"),
                self.tr("What Focal has learned, and whether it helped (Ctrl+Shift+L)"),
            ),
        ):
            self.top_bar.add_mode(mode, title, tip)

    def _added(self, mode: Mode, page: PageT, guide: str) -> PageT:
        """Add the page of a mode, which replaces all others; `guide` is its place in the guide."""
        page.setProperty(GUIDE, guide)
        page.left.connect(lambda: self.show_mode(Mode.BROWSE))
        self._pages[mode] = page
        self._stack.addWidget(page)
        return page

    @cached_property
    def review_page(self) -> ReviewPage:
        """The page of Review."""
        page = self._added(Mode.REVIEW, ReviewPage(self.session, self.theme), "reviewing.md#review")
        page.grid.tile_size_changed.connect(self.status_bar.set_tile_size)
        return page

    @cached_property
    def map_page(self) -> MapPage:
        """The page of the map."""
        page = self._added(Mode.MAP, MapPage(self.session, self.theme), "browsing.md#map")
        page.left.connect(self.photos.close_viewer)  # it would hide the ranking or the selected photos
        return page

    @cached_property
    def compare_page(self) -> ComparePage:
        """The page of photos side by side."""
        page = self._added(Mode.COMPARE, ComparePage(self.session, self.theme), "browsing.md#compare-and-slideshow")
        page.current_in_grid = self.photos.current_id
        page.addActions(self.window_actions.compared)
        return page

    @cached_property
    def duplicates_page(self) -> DuplicatesPage:
        """The page of duplicates."""
        page = self._added(Mode.DUPLICATES, DuplicatesPage(self.session, self.theme), "browsing.md#duplicates")
        page.comparing_wanted.connect(lambda: self.show_mode(Mode.COMPARE))
        return page

    @cached_property
    def learning_page(self) -> LearningPage:
        """The page of the metrics."""
        return self._added(Mode.LEARNING, LearningPage(self.session, self.theme), "teaching.md#learning-the-mode")

    def _page(self, mode: Mode) -> QWidget:
        page: QWidget = self._columns if mode is Mode.BROWSE else getattr(self, f"{mode}_page")
        return page

    def _show_right_column(self) -> None:
        """Show the right column once there are photos."""
        self.right_column.setVisible(self.view_menu.by_name["right"].isChecked() and not self.photos.welcoming)

    def _show_keys(self) -> None:
        page = self._stack.currentWidget()
        if isinstance(page, ModePage):
            here = page.accessibleName(), page.keys()
        elif self.session.tagging.boxes.editing:
            here = self.tr("Boxes"), self.photos.boxes.keys()
        else:
            here = "", []
        self.dialogs.show_shortcuts(here)

    def _add_right_column(self) -> None:
        self.right_column = RightColumn(
            self.session, self.theme, self.dialogs.user_settings, self._settings, self._columns
        )
        self.tag_panel, self.box_list, self.suggestion_panel, self.info_panel = self.right_column.panels
        self.tag_panel.field.finished.connect(self.focus_photos)
        self._columns.addWidget(self.right_column)

    def _set_column_widths(self) -> None:
        """Set the default widths of the columns, larger with a large font."""
        factor = min(max(self.fontMetrics().height() / _USUAL_FONT, 1.0), 1.6)
        widths = [round(width * factor) for width in (_SIDEBAR_WIDTH, _RIGHT_WIDTH)]
        self._columns.setSizes([widths[0], max(self.width() - sum(widths), 300), widths[1]])

    def reset_layout(self) -> None:
        """Restore the default layout: columns and panels visible, unfolded and at their default sizes."""
        self.show_mode(Mode.BROWSE)
        for name in ("sidebar", "right"):
            self.view_menu.by_name[name].setChecked(True)
        self.view_menu.by_name["map"].setChecked(False)
        for panel in self.right_column.panels:
            panel.fold.unfold()
        self._set_column_widths()
        self.sidebar.share_height()
        self.photos.reset_height()

    def _add_status_bar(self) -> None:
        self.status_bar = StatusBar(self.session, self.theme)
        self.status_bar.failures_wanted.connect(self.dialogs.show_failures)
        self.status_bar.tile_size_wanted.connect(self._set_tile_size)
        self.photos.grid.tile_size_changed.connect(self.status_bar.set_tile_size)
        self.status_bar.add_messages(self.message_bar)
        self._rows.addWidget(self.status_bar)

    def _add_actions(self) -> None:
        """Add the menus and the shortcuts."""
        self.window_actions = WindowActions(
            self,
            self.session,
            self.theme,
            dialogs=self.dialogs,
            photos=self.photos,
            suggestion_panel=self.suggestion_panel,
            page=lambda: self._pages[self.mode],
        )
        menu = self.window_actions.menus["view"]
        columns = {
            "sidebar": (self.sidebar, self.tr("&Left column"), "F9"),
            "right": (self.right_column, self.tr("&Right column"), "Shift+F9"),
            "map": (self.map_panel, self.tr("&Map beside the grid"), "Ctrl+F9"),
        }
        self.view_menu = ViewMenu(
            menu, self.session, self.theme, self._settings, self.dialogs.user_settings, columns, self.dialogs.shortcuts
        )
        self.view_menu.keyboard_freed.connect(self.focus_photos)
        self.view_menu.reset_wanted.connect(self.reset_layout)
        self.map_panel.close_wanted.connect(lambda: self.view_menu.by_name["map"].setChecked(False))
        self.photos.welcome_changed.connect(self._show_right_column)
        self.photo_menu = PhotoMenu(
            self, self.session, self.dialogs.user_settings, self.theme, self.photos.grid, self.window_actions
        )
        picture, viewer = self.photos.focal_panel.picture, self.photos.viewer
        picture.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        picture.customContextMenuRequested.connect(lambda at: self.photo_menu.show_for_focal(picture.mapToGlobal(at)))
        viewer.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        viewer.customContextMenuRequested.connect(lambda at: self.photo_menu.make().popup(viewer.mapToGlobal(at)))
        for strip in (self.photos.focal_panel, self.photos.examples_strip):
            strip.dropped.connect(lambda data, like: self.photo_menu.add_dropped(data, like=like))
        self.sidebar.tag_tree.photos_dropped.connect(lambda tag, ids: self.session.targets.tag_dropped(ids, tag))
        guide = self.window_actions.by_name["guide"]
        self.guide_opener = GuideOpener(self, self.theme, self.session.plugins, guide)
        self.window_actions.guide_wanted.connect(self.guide_opener.show)
        self.window_actions.keys_wanted.connect(self._show_keys)
        for widget, place in (
            (self._columns, "browsing.md"),
            (self.right_column, "reviewing.md"),
            (self.box_list, _BOXES_GUIDE),
            (self.photos.why_panel, "browsing.md#why-is-this-near"),
            (self.photos.examples_strip, "browsing.md#several-examples-like-these-not-like-those"),
            (self.photos.region_strip, "browsing.md#searching-by-a-region"),
            (self.sidebar, "libraries.md#folders"),
            (self.sidebar.search, "browsing.md#filter"),
            (self.sidebar.tag_tree, "reviewing.md#tags-in-order"),
            (self.library_button, "libraries.md#libraries-language-keys"),
            (self.top_bar, "teaching.md"),
        ):
            widget.setProperty(GUIDE, place)
        boxes = self.session.tagging.boxes
        boxes.editing_changed.connect(lambda: viewer.setProperty(GUIDE, _BOXES_GUIDE if boxes.editing else ""))
        self.window_actions.mode_wanted.connect(self.toggle_mode)
        self.window_actions.tagging_wanted.connect(self.focus_tags)
        self.window_actions.filter_wanted.connect(self.focus_filter)
        self.window_actions.text_wanted.connect(self.write_text)
        self.window_actions.asking_wanted.connect(self.ask_next)
        self.window_actions.check_wanted.connect(self.check_tags)
        self.window_actions.boxes_wanted.connect(self.review_boxes)
        self.window_actions.agreement_wanted.connect(self.compare_tags)

    # ------------------------------------------------------------------ modes
    @property
    def mode(self) -> Mode:
        """The current mode."""
        return next(mode for mode, page in self._pages.items() if page is self._stack.currentWidget())

    def show_mode(self, mode: Mode) -> None:
        """Switch to the page of a mode; leaving Browse sets the scope of the other pages."""
        former, page = self._stack.currentWidget(), self._page(mode)
        if self.mode is Mode.BROWSE and mode is not Mode.BROWSE:
            self.session.scope.take_from_browse()
        if former is not page and isinstance(former, ModePage):
            former.leave()
        self._stack.setCurrentWidget(page)
        if mode is Mode.REVIEW:
            self.message_bar.settle(MessageAction.REVIEW)
            if self.session.review_pages.covers_reported_folder:
                self.message_bar.settle(MessageAction.REVIEW_NEW_KINDS)
        self.top_bar.show_mode(mode)
        self._show_tile_size()
        if isinstance(page, ModePage):
            page.enter()
        else:
            self.focus_photos()

    def toggle_mode(self, mode: Mode) -> None:
        """Show a mode, or return from it to the photos."""
        self.show_mode(Mode.BROWSE if self.mode is mode else mode)

    def focus_tags(self) -> None:
        """Show the tag field and give it the keyboard focus."""
        field: QWidget | None = getattr(self._pages[self.mode], "tag_field", None)
        if field is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        self._show_column("right")
        self.right_column.write_tags()

    def focus_filter(self) -> None:
        """Show the filter field and give it the keyboard focus."""
        self._show_column("sidebar")
        self.sidebar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.sidebar.search.selectAll()

    def _show_column(self, name: str) -> None:
        """Show the photos with one of the columns, even if it was hidden."""
        self.show_mode(Mode.BROWSE)
        self._leave_full_screen()
        self.view_menu.by_name[name].setChecked(True)

    def _leave_full_screen(self) -> None:
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)

    def ask_next(self) -> None:
        """Ask about the photos whose tags are most informative."""
        self.show_mode(Mode.REVIEW)
        self.review_page.ask()

    def check_tags(self) -> None:
        """Show likely label errors in tags and judgements."""
        self.show_mode(Mode.REVIEW)
        self.review_page.check()

    def review_boxes(self) -> None:
        """Show suggested boxes."""
        self.show_mode(Mode.REVIEW)
        self.review_page.boxes()

    def compare_tags(self) -> None:
        """Show the agreement with other annotators."""
        self.show_mode(Mode.REVIEW)
        self.review_page.compare()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return to the photos on Esc if no widget has handled it."""
        if event.key() == Qt.Key.Key_Escape and self.mode is not Mode.BROWSE:
            self.show_mode(Mode.BROWSE)
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus with Tab in reading order."""
        return focus_neighbor(self, forward=forward)

    @property
    def _grid(self) -> GridView | None:
        """The grid of the current page, if it has one."""
        if self.mode is Mode.BROWSE:
            return self.photos.grid
        grid = getattr(self._pages[self.mode], "grid", None)
        return grid if isinstance(grid, GridView) else None

    def _set_tile_size(self, size: int) -> None:
        if self._grid is not None:
            self._grid.set_tile_size(size)

    def _show_tile_size(self) -> None:
        """Set the slider to the size of the visible tiles, or hide it if there are none."""
        self.status_bar.show_slider(self._grid is not None)
        if self._grid is not None:
            self.status_bar.set_tile_size(self._grid.tile_size)

    # ------------------------------------------------------------------ painting
    def event(self, event: QEvent) -> bool:
        """Give painting priority over background work."""
        if event.type() == QEvent.Type.UpdateRequest:
            self.session.runner.priority.take()
        return super().event(event)

    # ------------------------------------------------------------------ full screen
    def changeEvent(self, event: QEvent) -> None:
        """Hide all except the photos in full screen, and show the other widgets again afterwards."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and hasattr(self, "status_bar"):
            self._hide_all_but_photos(self.isFullScreen())

    def _hide_all_but_photos(self, hide: bool) -> None:
        if hide == bool(self._hidden):
            return
        if hide:
            parts: list[QWidget] = [self.menuBar(), self.top_bar, self.status_bar, self.sidebar, self.right_column]
            self._hidden = [part for part in parts if not part.isHidden()]
            held = any(holds_keyboard(part) for part in self._hidden)
            for part in self._hidden:
                part.hide()
            if held and self.mode is Mode.BROWSE:
                self.focus_photos()
        else:
            for part in self._hidden:
                part.show()
            self._hidden = []
        self.photos.set_alone(hide)

    # ------------------------------------------------------------------ requests of panels
    def write_text(self) -> None:
        """Let the user type a text to rank by."""
        self.show_mode(Mode.BROWSE)
        self._leave_full_screen()
        if self.photos.viewing:
            self.photos.close_viewer()
        self.photos.text_strip.write()

    def focus_photos(self) -> None:
        """Give the keyboard focus to the photos."""
        self.photos.focus_photos()

    def _show_message(self, message: Message) -> None:
        """Show a message, without its action if the window already shows the result."""
        if message.action is MessageAction.REVIEW and self.mode is Mode.REVIEW:
            message = replace(message, action=MessageAction.NONE)
        self.message_bar.show_message(message)

    def _follow_training(self) -> None:
        """Remove the offers of the last training when the next one begins, because they refer to its former metric."""
        begins = self.session.jobs.training.running and not self._training
        self._training = self.session.jobs.training.running
        if begins:
            self.message_bar.settle(
                MessageAction.FORMER_METRIC, MessageAction.TRAINED_METRIC, MessageAction.TRAIN_LOCAL
            )

    def _follow_metric(self) -> None:
        """Remove the offers of the last training once its metric is no longer current."""
        metric = self.session.overview.now.metric
        former, self._metric = self._metric, metric.id if metric is not None else None
        if self._metric not in (former, self.session.jobs.training.reported_metric):
            self.message_bar.settle(MessageAction.FORMER_METRIC, MessageAction.TRAINED_METRIC)

    def _take_offer(self, offer: MessageAction) -> None:
        session, dialogs, training = self.session, self.dialogs, self.session.jobs.training
        if offer is MessageAction.SHOW_FOLDER:
            self.show_mode(Mode.BROWSE)
        elif offer in (MessageAction.REVIEW, MessageAction.REVIEW_NEW_KINDS):
            self.show_mode(Mode.REVIEW)
        takers: dict[MessageAction, Callable[[], object]] = {
            MessageAction.SHOW_FAILURES: dialogs.show_failures,
            MessageAction.RELOCATE: dialogs.ask_to_relocate,
            MessageAction.SHOW_MISSING: dialogs.show_missing,
            MessageAction.FORMER_METRIC: training.use_former_metric,
            MessageAction.TRAINED_METRIC: training.use_nevertheless,
            MessageAction.SHOW_SUGGESTIONS: self.suggestion_panel.list.setFocus,
            MessageAction.SHOW_FOLDER: session.photo_folders.opening.show_opened_folder,
            MessageAction.REVIEW_NEW_KINDS: session.review_pages.review_new_kinds,
            MessageAction.VERIFY_BACKUP: session.backups.verify,
            MessageAction.IMPORT_TAGS: dialogs.import_tags,
            MessageAction.ANY_ROTATION: session.preferences.ignore_rotation,
            MessageAction.UNDO: session.editor.undo,
            MessageAction.TRAIN_LOCAL: session.local_view.use_local_distances,
            MessageAction.USE_LOCAL: session.local_view.use_local_distances,
        }
        if offer in takers:
            takers[offer]()

    def close_to_open(self, folder: Path) -> None:
        """Close the window so that another library can be opened; only one at a time can be open, with one writer."""
        self.next_library = folder
        self.close()

    def _close_to_move(self, folder: Path) -> None:
        self.moves_to = folder
        self.close()

    def _take_choices(self, _name: str = "") -> None:
        """Apply the user's choices for clicks, tiles and offers."""
        user_settings, grid = self.dialogs.user_settings, self.photos.grid
        grid.mouse.walks_on_click = user_settings.get(CLICK) == "walk"
        grid.set_shape(TileShape(user_settings.get(SHAPE)))
        grid.set_captions(user_settings.get(CAPTIONS))
        self.session.backups.offers_verifying = user_settings.get(OFFER_VERIFYING)

    def _close_to_restore(self, backup: Backup) -> None:
        self.restore = backup
        self.close()

    def _show_focal_name(self) -> None:
        focal = self.session.navigator.focal
        self.setWindowTitle(f"{focal.name} \N{EN DASH} Focal" if focal is not None and focal.name else "Focal")

    # ------------------------------------------------------------------ images and folders from other programs
    def _await_ranking(self) -> None:
        """Switch to the photos when the next ranking arrives; do nothing if the file is not an image."""
        self._awaits_ranking = True

    def _forget_ranking(self) -> None:
        self._awaits_ranking = False

    def _show_awaited_ranking(self) -> None:
        if self._awaits_ranking:
            self._awaits_ranking = False
            self.photos.close_viewer()
            self.show_mode(Mode.BROWSE)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept folders, files (for their folder) and images to rank by."""
        if comes_from_elsewhere(event.mimeData()):
            event.acceptProposedAction()
            if self.photos.welcoming:
                self.photos.welcome_page.set_drop(True)
            else:
                self.drop_frame.hold(event.mimeData())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Remove the drop frame when the drag leaves the window."""
        self.photos.welcome_page.set_drop(False)
        self.drop_frame.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Rank by an image or open folders; in an empty library, a file opens its folder."""
        self.photos.welcome_page.set_drop(False)
        self.drop_frame.hide()
        paths = [Path(url.toLocalFile()) for url in addresses_in(event.mimeData()) if url.isLocalFile()]
        if paths and not event.mimeData().hasFormat(PHOTOS_TYPE):
            event.acceptProposedAction()
            self.session.photo_folders.paths.sort(paths, self._open_dropped)
        elif self.session.overview.now.photos and self.photo_menu.take_image(event.mimeData()):
            event.acceptProposedAction()

    def _open_dropped(self, dropped: GivenPaths) -> None:
        folders = list(dict.fromkeys([*dropped.folders, *(file.parent for file in dropped.files)]))
        if self.session.overview.now.photos and dropped.files and not dropped.folders:
            self.session.photo_folders.opening.image_given.emit()
            if dropped.photo_id is not None and len(dropped.files) == 1:
                self.session.navigator.focus(dropped.photo_id)
            else:
                self.session.navigator.rank_by_examples(dropped.files)
        elif folders:
            self.dialogs.open_folders(folders)

    # ------------------------------------------------------------------ sizes, and closing
    def _splitters(self) -> dict[str, QSplitter]:
        """Return the splitters by the names under which their states are saved."""
        return {"window/columns": self._columns, "window/browse": self.photos.splitter, "window/map": self._middle}

    def _restore_sizes(self) -> None:
        settings = self._settings
        # The first window must fit on a small screen; Qt checks a saved size itself.
        self.resize(_FIRST_SIZE.boundedTo(self.screen().availableSize() - _FRAME_SIZE))
        geometry = settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        for name, splitter in self._splitters().items():
            state = settings.value(name)
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
        size = settings.value("grid/tile_size")
        if isinstance(size, (int, str)) and str(size).isdecimal():
            self.photos.grid.set_tile_size(int(size))
        self.status_bar.set_tile_size(self.photos.grid.tile_size)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save the sizes, hide at once, then end all work in order."""
        self.session.local_view.leave_matches()
        settings = self._settings
        settings.setValue("window/geometry", self.saveGeometry())
        for name, splitter in self._splitters().items():
            settings.setValue(name, splitter.saveState())
        settings.setValue("grid/tile_size", self.photos.grid.tile_size)
        settings.sync()
        self.hide()
        self.session.close()
        super().closeEvent(event)
