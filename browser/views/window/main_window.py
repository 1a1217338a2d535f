"""The window: where everything stands, and how the parts work together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QMainWindow,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from browser.models.photos.trail import Collection, GridPosition
from browser.models.session import Session
from browser.models.work.message import MessageAction
from browser.views.base.separator import separator
from browser.views.base.theme import Theme, ThemeChoice
from browser.views.dialogs.remove_folder_dialog import RemoveFolderDialog
from browser.views.photos.focal_panel import FocalPanel
from browser.views.photos.grid_view import GridView
from browser.views.photos.info_panel import InfoPanel
from browser.views.photos.photo_viewer import PhotoViewer
from browser.views.photos.welcome import Nothing, Welcome
from browser.views.settings.settings_dialog import SettingsDialog
from browser.views.tags.suggestion_panel import SuggestionPanel
from browser.views.tags.tag_panel import TagPanel
from browser.views.window.center import Center
from browser.views.window.commands import Commands
from browser.views.window.message_bar import MessageBar
from browser.views.window.sidebar import Sidebar
from browser.views.window.status_bar import StatusBar
from browser.views.window.top_bar import TopBar

_SIDE: Final = 236
_RIGHT: Final = 316


class MainWindow(QMainWindow):
    """One window on one session.

    Parameters
    ----------
    session : Session
        The window closes it when it is closed.
    theme : Theme
        The theme.
    settings : QSettings
        Where sizes and choices are kept.
    """

    def __init__(self, session: Session, theme: Theme, settings: QSettings) -> None:
        super().__init__()
        self.session = session
        self.theme = theme
        self._settings = settings
        self.setWindowTitle("Focal")
        self.setAcceptDrops(not session.read_only)

        self.top_bar = TopBar(session, theme)
        self.sidebar = Sidebar(session, theme, self.ask_for_folder, self.ask_to_remove)
        self.message_bar = MessageBar(theme)
        self.focal_panel = FocalPanel(session, theme)
        self.grid = GridView(session.grid, theme)
        self.nothing = Nothing(theme, lambda: session.navigator.show_collection(Collection()))
        self.welcome = Welcome(theme, self.ask_for_folder)
        self.viewer = PhotoViewer(session, theme)
        self.tag_panel = TagPanel(session, theme)
        self.suggestion_panel = SuggestionPanel(session, theme)
        self.info_panel = InfoPanel(session)
        self.status_bar = StatusBar(session, theme)
        self._selected_before: tuple[int, ...] = ()
        self._build()
        self.commands = Commands(self)
        self._connect()
        self._restore()
        self._center.show_page()

    # ------------------------------------------------------------------ building
    def _build(self) -> None:
        self._center = Center(
            self.session,
            welcome=self.welcome,
            focal_panel=self.focal_panel,
            grid=self.grid,
            nothing=self.nothing,
            viewer=self.viewer,
        )
        self.message_bar.float_over(self._center)

        right = QWidget()
        right.setObjectName("rightPanel")
        right.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tag_panel)
        column.addWidget(separator())
        column.addWidget(self.suggestion_panel, 1)
        column.addWidget(separator())
        column.addWidget(self.info_panel)

        self._columns = QSplitter(Qt.Orientation.Horizontal)
        self._columns.setHandleWidth(1)
        for widget in (self.sidebar, self._center, right):
            self._columns.addWidget(widget)
        self._columns.setStretchFactor(1, 1)
        self._columns.setCollapsible(1, False)
        self._columns.setSizes([_SIDE, 1000, _RIGHT])
        self.sidebar.setMinimumWidth(130)
        right.setMinimumWidth(220)

        whole = QWidget()
        whole.setObjectName("workspace")
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.top_bar)
        layout.addWidget(self._columns, 1)
        layout.addWidget(self.status_bar)
        self.setCentralWidget(whole)
        for before, after in (
            (self.sidebar.search, self.grid),
            (self.grid, self.tag_panel.field),
            (self.tag_panel.field, self.suggestion_panel.list),
        ):
            QWidget.setTabOrder(before, after)

    def photo_widgets(self) -> list[QWidget]:
        """Return the widgets where the keys of photos count: the middle of the window, and the suggestions."""
        return [self._center, self.suggestion_panel.list]

    def _connect(self) -> None:
        session, navigator = self.session, self.session.navigator
        navigator.position = self.grid.position
        navigator.arranged.connect(self._arranged)
        navigator.focal_changed.connect(self._focal_changed)
        session.local_view.matches_changed.connect(self._center.make_room)
        session.grid.modelReset.connect(self._center.show_page)
        session.overview_changed.connect(self._center.show_page)
        session.jobs.busy_changed.connect(self._center.show_page)
        session.message_posted.connect(self.message_bar.show_message)
        self.message_bar.offered.connect(self._offered)
        self.grid.photo_chosen.connect(navigator.focus)
        self.grid.photo_opened.connect(self._open_focal)
        self.grid.judged.connect(session.judge)
        self.grid.selected.connect(navigator.select)
        self.grid.tile_size_changed.connect(self.status_bar.set_tile_size)
        self.status_bar.tile_size_wanted.connect(self.grid.set_tile_size)
        self.status_bar.failures_wanted.connect(self.commands.on_show_failures)
        self.focal_panel.picture.clicked.connect(self._open_focal)
        self.focal_panel.heat_controls.comparison_wanted.connect(self.compare_patches)
        self.sidebar.search.left.connect(self.focus_photos)
        self.tag_panel.field.left.connect(self.focus_photos)
        self.viewer.closed.connect(self.close_viewer)
        self.viewer.stepped.connect(self.step)

    def _restore(self) -> None:
        settings = self._settings
        self.resize(1440, 900)
        geometry = settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        for name, splitter in (("columns", self._columns), ("browse", self._center.browse)):
            state = settings.value(f"window/{name}")
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
        size = settings.value("grid/tile_size")
        if isinstance(size, (int, str)) and str(size).isdecimal():
            self.grid.set_tile_size(int(size))
        self.status_bar.set_tile_size(self.grid.tile_size)

    # ------------------------------------------------------------------ what is shown
    def focus_photos(self) -> None:
        """Give the keyboard to the photos."""
        self._center.focus_photos()

    def _arranged(self, position: GridPosition) -> None:
        self.grid.go_to(position)
        self._center.show_page()

    def _focal_changed(self) -> None:
        navigator = self.session.navigator
        self.grid.set_can_judge(navigator.focal_id is not None and not self.session.read_only)
        name = navigator.focal.name if navigator.focal is not None else ""
        self.setWindowTitle(f"{name} \N{EN DASH} Focal" if name else "Focal")

    # ------------------------------------------------------------------ single photo
    def open_viewer(self, photo_id: int | None = None) -> None:
        """Show one photo alone: the given one, else the current or hovered one, else the focal image."""
        if photo_id is None:
            chosen = self.grid.judged_ids()
            photo_id = chosen[0] if chosen else self.session.navigator.focal_id
        if photo_id is None and len(self.session.grid.ids):
            photo_id = self.grid.current_id() or self.session.grid.photo_id(0)
        if photo_id is not None:
            self._selected_before = tuple(self.grid.selected_ids())
            self._center.view()
            self.follow_in_viewer(photo_id)

    def close_viewer(self) -> bool:
        """Return to the grid; returns whether the viewer was open."""
        if not self._center.viewing:
            return False
        self._center.leave_viewer()
        viewed = self.viewer.photo_id
        if viewed not in self._selected_before or len(self._selected_before) > 1:
            position = self.grid.position()
            self.grid.go_to(replace(position, current=viewed, selected=self._selected_before))
        return True

    def follow_in_viewer(self, photo_id: int) -> None:
        """Show a photo in the viewer, if it is open; keys and panels mean that photo then."""
        if self._center.viewing:
            navigator = self.session.navigator
            row = self.session.grid.row_of(photo_id)
            if row >= 0:
                self.grid.make_current(row)
            else:
                self.grid.clearSelection()
            card = navigator.focal if photo_id == navigator.focal_id else self.session.grid.card(photo_id)
            self.viewer.show_photo(photo_id, card)

    def viewed_id(self) -> int | None:
        """Return the photo that is shown alone, if one is."""
        return self.viewer.photo_id if self._center.viewing else None

    def _open_focal(self) -> None:
        self.open_viewer(self.session.navigator.focal_id)

    # ------------------------------------------------------------------ comparing two photos
    def compare_patches(self) -> None:
        """Show what the focal image and another photo share: the current or hovered one, else the nearest."""
        chosen = [photo_id for photo_id in self.judged_ids() if photo_id != self.session.navigator.focal_id]
        self.close_viewer()
        if not chosen and len(self.session.grid.ids):
            chosen = [self.session.grid.photo_id(0)]
        if chosen:
            self.session.local_view.show_matches(chosen[0])

    # ------------------------------------------------------------------ what commands need
    def judged_ids(self) -> list[int]:
        """Return the photos that a judging key means."""
        if self._center.viewing:
            return [self.viewer.photo_id] if self.viewer.photo_id is not None else []
        return self.grid.judged_ids()

    def step(self, by: int) -> None:
        """Go to the next or previous photo."""
        if self._center.viewing and self.viewer.photo_id is not None:
            row = self.session.grid.row_of(self.viewer.photo_id) + by
            if 0 <= row < len(self.session.grid.ids):
                self.follow_in_viewer(self.session.grid.photo_id(row))
        else:
            self.grid.step(by)

    def zoom(self, steps: int) -> None:
        """Zoom the viewer or the tiles."""
        if self._center.viewing:
            self.viewer.zoom(1.25**steps)
        else:
            self.grid.zoom(steps)

    def focus_current(self) -> None:
        """Make the current photo (or that of the current suggestion) the focal image."""
        photo_id = self.grid.current_id()
        if self._center.viewing:
            photo_id = self.viewer.photo_id
        elif self.suggestion_panel.list.hasFocus():
            row = self.suggestion_panel.list.current_row()
            photo_id = row.suggestion.photo_id if row is not None else None
        if photo_id is not None:
            self.close_viewer()
            self.session.navigator.focus(photo_id)

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Put a theme in force and remember it."""
        self._settings.setValue("window/theme", str(choice))
        self.theme.choose(choice)

    def show_settings(self) -> None:
        """Show by what photos are described, and how much of a file is read."""
        dialog = SettingsDialog(self.session, self.theme, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _offered(self, offer: MessageAction) -> None:
        if offer is MessageAction.SHOW_FAILURES:
            self.commands.on_show_failures()
        elif offer is MessageAction.SHOW_SUGGESTIONS:
            self.suggestion_panel.list.setFocus()

    # ------------------------------------------------------------------ folders
    def ask_for_folder(self) -> None:
        """Ask for a folder and take it in."""
        start = self._settings.value("window/last_folder", str(Path.home()))
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Open a folder of photos"), str(start))
        if chosen:
            self.open_folders([Path(chosen)])

    def ask_to_remove(self, folder: Path | None = None) -> None:
        """Ask whether to take a root out of the library: the given one, else one that is chosen then."""
        roots = [root.path for root in self.session.overview.roots]
        shown = self.session.navigator.collection.folder
        if folder is None:
            folder = next((root for root in roots if shown is not None and shown.is_relative_to(root)), None)
        elif folder in roots:
            roots = [folder]
        if roots:
            dialog = RemoveFolderDialog(roots, folder, self.theme, self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.confirmed.connect(self.session.forget_folder)
            dialog.open()

    def open_folders(self, folders: list[Path]) -> None:
        """Take folders in and show them."""
        self._settings.setValue("window/last_folder", str(folders[0]))
        self.session.jobs.open_folders(folders)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take folders, and files for the folder they are in."""
        if _folders(event):
            event.acceptProposedAction()
            self.welcome.set_drop(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They went elsewhere."""
        self.welcome.set_drop(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Take them in."""
        self.welcome.set_drop(False)
        folders = _folders(event)
        if folders:
            event.acceptProposedAction()
            self.open_folders(folders)

    # ------------------------------------------------------------------ end
    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember sizes, disappear at once, then end all work in order."""
        self.session.local_view.leave_matches()
        settings = self._settings
        settings.setValue("window/geometry", self.saveGeometry())
        settings.setValue("window/columns", self._columns.saveState())
        settings.setValue("window/browse", self._center.browse.saveState())
        settings.setValue("grid/tile_size", self.grid.tile_size)
        settings.sync()
        self.hide()
        self.session.close()
        super().closeEvent(event)


def _folders(event: QDropEvent) -> list[Path]:
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return list(dict.fromkeys(path if path.is_dir() else path.parent for path in paths if path.exists()))
