# SPDX-License-Identifier: MIT
"""The main window: each of its regions is created, placed and connected in one method."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.user_settings import CAPTIONS, CLICK, OFFER_VERIFYING, SHAPE
from focal_photos.browser.views.base.layouts import focus_neighbor, in_column
from focal_photos.browser.views.base.modes import Mode, ModePage
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.help.guide_opener import PROPERTY as GUIDE
from focal_photos.browser.views.help.guide_opener import GuideOpener
from focal_photos.browser.views.map.map_panel import MapPanel
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
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
from focal_photos.browser.views.window.shell.full_screen import FullScreen
from focal_photos.browser.views.window.shell.message_offers import MessageOffers
from focal_photos.browser.views.window.shell.mode_pages import ModePages
from focal_photos.browser.views.window.shell.outside_files import OutsideFiles
from focal_photos.browser.views.window.shell.saved_sizes import SavedSizes
from focal_photos.browser.views.window.sidebar import Sidebar
from focal_photos.browser.views.window.view_menu import ViewMenu

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
        rows = in_column(margins=0, spacing=0, parent=workspace)
        self.setCentralWidget(workspace)  # set while empty, because Qt visits all widgets that move to another window
        self.top_bar = TopBar(session, theme)
        rows.addWidget(self.top_bar)
        self.modes = ModePages(session, theme)
        rows.addWidget(self.modes, 1)
        self._add_columns(settings)
        self._add_status_bar()
        rows.addWidget(self.status_bar)
        self._add_actions(settings)
        self._connect_modes()
        self.dialogs.user_settings.changed.connect(self._take_choices)
        self._take_choices()
        session.navigator.focal_changed.connect(self._show_focal_name)
        self._full_screen = FullScreen(
            [self.menuBar(), self.top_bar, self.status_bar, self.sidebar, self.right_column], self.photos
        )
        splitters = {"window/columns": self._columns, "window/browse": self.photos.splitter}
        splitters["window/map"] = self._middle
        self._sizes = SavedSizes(settings, self, splitters, self.photos.grid)
        self._sizes.restore()
        self.status_bar.set_tile_size(self.photos.grid.tile_size)
        self.outside_files = OutsideFiles(
            session, theme, workspace, dialogs=self.dialogs, photos=self.photos, photo_menu=self.photo_menu
        )
        self.outside_files.ranking_shown.connect(lambda: self.show_mode(Mode.BROWSE))
        self.photos.show_page()

    # ------------------------------------------------------------------ regions
    def _add_columns(self, settings: QSettings) -> None:
        # Containers are added to the window before they are filled: with a style sheet, Qt visits all widgets inside a
        # moved container.
        self._columns = QSplitter(Qt.Orientation.Horizontal)
        self._columns.setHandleWidth(1)
        self.modes.addWidget(self._columns)
        self._add_sidebar()
        self._add_photos()
        self.right_column = RightColumn(self.session, self.theme, self.dialogs.user_settings, settings, self._columns)
        self.right_column.tags.field.finished.connect(self.focus_photos)
        self._columns.addWidget(self.right_column)
        self._columns.setStretchFactor(1, 1)
        self._columns.setCollapsible(1, False)
        self._set_column_widths()

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
        self._columns.addWidget(self._middle)

    def _show_right_column(self) -> None:
        """Show the right column once there are photos."""
        self.right_column.setVisible(self.view_menu.by_name["right"].isChecked() and not self.photos.welcoming)

    def _show_keys(self) -> None:
        page = self.modes.page
        if isinstance(page, ModePage):
            here = page.accessibleName(), page.keys()
        elif self.session.tagging.boxes.editing:
            here = self.tr("Boxes"), self.photos.boxes.keys()
        else:
            here = "", []
        self.dialogs.show_shortcuts(here)

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
        self.message_bar = MessageBar(self.theme)
        self.status_bar.add_messages(self.message_bar)

    def _connect_modes(self) -> None:
        """Add the buttons of the modes, and the offers of messages that lead to them."""
        modes = self.modes
        modes.set_browse(self._columns, self.photos, self.window_actions.compared)
        modes.left.connect(lambda: self.show_mode(Mode.BROWSE))
        modes.comparing_wanted.connect(lambda: self.show_mode(Mode.COMPARE))
        modes.tile_size_changed.connect(self.status_bar.set_tile_size)
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
        self.top_bar.mode_wanted.connect(self.show_mode)
        self._offers = MessageOffers(self.session, self.message_bar, self.dialogs)
        self._offers.mode_wanted.connect(self.show_mode)
        self._offers.suggestions_wanted.connect(self.right_column.suggestions.list.setFocus)

    def _add_actions(self, settings: QSettings) -> None:
        """Add the menus and the shortcuts."""
        self.window_actions = WindowActions(
            self,
            self.session,
            self.theme,
            dialogs=self.dialogs,
            photos=self.photos,
            suggestion_panel=self.right_column.suggestions,
            page=lambda: self.modes.page,
        )
        menu = self.window_actions.menus["view"]
        columns = {
            "sidebar": (self.sidebar, self.tr("&Left column"), "F9"),
            "right": (self.right_column, self.tr("&Right column"), "Shift+F9"),
            "map": (self.map_panel, self.tr("&Map beside the grid"), "Ctrl+F9"),
        }
        self.view_menu = ViewMenu(
            menu, self.session, self.theme, settings, self.dialogs.user_settings, columns, self.dialogs.shortcuts
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
            (self.right_column.boxes, _BOXES_GUIDE),
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
        return self.modes.mode

    def show_mode(self, mode: Mode) -> None:
        """Switch to the page of a mode."""
        self.modes.show_mode(mode)
        self._offers.follow_mode(mode)
        self.top_bar.show_mode(mode)
        self._show_tile_size()
        page = self.modes.page
        if isinstance(page, ModePage):
            page.enter()
        else:
            self.focus_photos()

    def toggle_mode(self, mode: Mode) -> None:
        """Show a mode, or return from it to the photos."""
        self.show_mode(Mode.BROWSE if self.mode is mode else mode)

    def focus_tags(self) -> None:
        """Show the tag field and give it the keyboard focus."""
        field: QWidget | None = getattr(self.modes.page, "tag_field", None)
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
        self.modes.review_page.ask()

    def check_tags(self) -> None:
        """Show likely label errors in tags and judgements."""
        self.show_mode(Mode.REVIEW)
        self.modes.review_page.check()

    def review_boxes(self) -> None:
        """Show suggested boxes."""
        self.show_mode(Mode.REVIEW)
        self.modes.review_page.boxes()

    def compare_tags(self) -> None:
        """Show the agreement with other annotators."""
        self.show_mode(Mode.REVIEW)
        self.modes.review_page.compare()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return to the photos on Esc if no widget has handled it."""
        if event.key() == Qt.Key.Key_Escape and self.mode is not Mode.BROWSE:
            self.show_mode(Mode.BROWSE)
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus with Tab in reading order."""
        return focus_neighbor(self, forward=forward)

    def _set_tile_size(self, size: int) -> None:
        if self.modes.grid is not None:
            self.modes.grid.set_tile_size(size)

    def _show_tile_size(self) -> None:
        """Set the slider to the size of the visible tiles, or hide it if there are none."""
        grid = self.modes.grid
        self.status_bar.show_slider(grid is not None)
        if grid is not None:
            self.status_bar.set_tile_size(grid.tile_size)

    # ------------------------------------------------------------------ painting
    def event(self, event: QEvent) -> bool:
        """Give painting priority over background work."""
        if event.type() == QEvent.Type.UpdateRequest:
            self.session.runner.priority.take()
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Hide all except the photos in full screen, and show the other widgets again afterwards."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and hasattr(self, "_full_screen"):
            self._full_screen.follow(self.isFullScreen())

    # ------------------------------------------------------------------ drags
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept folders, files and images from other programs."""
        self.outside_files.enter(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """End the display of a drag."""
        self.outside_files.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take files from other programs."""
        self.outside_files.drop(event)

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

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save the sizes, hide at once, then end all work in order."""
        self.session.local_view.leave_matches()
        self._sizes.save()
        self.hide()
        self.session.close()
        super().closeEvent(event)
