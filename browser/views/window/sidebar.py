# SPDX-License-Identifier: MIT
"""The sidebar: filter, library, folders and tags, which select the photos of the grid."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.sidebar.tree_model import CountTreeModel, Node
from focal_photos.browser.views.base.buttons import Menu, tool_button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import fair_shares, in_column
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.sidebar.count_tree import CountTree
from focal_photos.browser.views.sidebar.search_tree import SearchTree
from focal_photos.browser.views.sidebar.section import SidebarSection
from focal_photos.browser.views.sidebar.tag_tree import TagTree
from focal_photos.browser.views.window.search_field import SearchField

MANY_FOLDERS: Final = 24
"""Above this number of folders, they are collapsed at first, so that they do not push the tags out of sight."""
_JUDGED: Final = "judged"
"""Key of the entry that lists the judgements."""


class Sidebar(QWidget):
    """Filter field above library, folders and tags."""

    judgements_wanted = Signal()
    """The user wants to list the judgements."""
    folder_wanted = Signal()
    """The user wants to choose a folder to open."""
    removal_wanted = Signal(object)
    """The user wants to remove this root from the library (Path)."""
    relocation_wanted = Signal(object)
    """The user wants to give the new place of this folder (Path)."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session = session
        self._top, library = QVBoxLayout(), QHBoxLayout()
        self.sections = QSplitter(Qt.Orientation.Vertical)
        self._dragged = False
        """Whether the user has chosen the heights of the sections."""
        self._needs = QTimer(self, singleShot=True, interval=0)
        self._needs.timeout.connect(self._share)
        self.sections.splitterMoved.connect(self._note_dragging)
        layout = in_column(self._top, library, (self.sections, 1), margins=0, spacing=0, parent=self)
        layout.addStretch(0)  # below sections that need no more space
        self.search = SearchField(session, theme)
        self._library = CountTreeModel(self)
        self.library_tree = CountTree(self._library, theme, self.tr("Library"))
        self.library_tree.setRootIsDecorated(False)
        self.folder_tree = CountTree(session.sidebar.folders, theme, self.tr("Folders"))
        self.tag_tree = TagTree(session, theme)
        self.search_tree = SearchTree(session, theme)
        add = tool_button(theme, "add-folder", self.tr("Open a folder of photos (Ctrl+O)"), self.folder_wanted.emit)
        add.setEnabled(not session.read_only)
        self._no_tags = label(self.tr("No tags yet: select photos and press T."), "faint", wrap=True)
        self._no_tags.setContentsMargins(8, 2, 8, 0)

        self.folder_section = SidebarSection(self.tr("Folders"), self.tr("Find in folders"), self.folder_tree, add)
        self.tag_section = SidebarSection(self.tr("Tags"), self.tr("Find in tags"), self.tag_tree)
        self.tag_section.body.insertWidget(1, self._no_tags)
        self.tag_section.add_below(self.tag_tree.top_level)
        self.sections.setChildrenCollapsible(False)
        self.sections.setHandleWidth(1)
        self.add_section(self.folder_section)
        self.add_section(self.tag_section)
        searches = self.tr("Saved searches"), self.tr("Find in saved searches")
        self.add_section(SidebarSection(*searches, self.search_tree, hides_empty=True))
        library.setContentsMargins(8, 0, 8, 4)
        library.addWidget(self.library_tree)
        self._top.setContentsMargins(10, 8, 10, 6)
        self._top.setSpacing(6)
        self._top.addWidget(self.search)

        self.library_tree.chosen.connect(self._library_chosen)
        self.folder_tree.chosen.connect(self._folder_chosen)
        self.folder_tree.menu_wanted.connect(self._show_folder_menu)
        self.tag_tree.chosen.connect(session.navigator.show_tag)
        session.navigator.trail_changed.connect(self._show_collection)
        session.overview.changed.connect(self._show)
        # the tag tree may be updated later than the photos, for example after a tag was renamed
        session.sidebar.words.tags_read.connect(self._show_collection)
        session.sidebar.searches.rowsInserted.connect(self._show_collection)
        for model in (session.sidebar.folders, session.sidebar.tags):
            model.rowsInserted.connect(self._expand_top)
            model.rowsRemoved.connect(self._show)
        self._show()

    def set_heading(self, widget: QWidget) -> None:
        """Put a widget at the top of the column: the name of the library."""
        self._top.insertWidget(0, widget)

    def add_section(self, section: SidebarSection) -> None:
        """Add a section below the tags; it scrolls separately."""
        self.sections.addWidget(section)
        section.need_changed.connect(self._needs.start)

    def share_height(self) -> None:
        """Divide the height between the sections by their needs, discarding the user's choice."""
        self._dragged = False
        self._share()

    def _share(self) -> None:
        """Give each section the height it needs, or an equal share of the rest, unless the user has chosen heights."""
        widgets = [self.sections.widget(place) for place in range(self.sections.count())]
        needs = [0 if each is None or each.isHidden() else each.maximumHeight() for each in widgets]
        if not self._dragged and any(needs):
            self.sections.setSizes(fair_shares(needs, self.sections.height()))

    def _note_dragging(self) -> None:
        self._dragged = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the new height."""
        super().resizeEvent(event)
        self._needs.start()

    def _show(self) -> None:
        overview = self._session.overview.now
        nodes = [
            Node("", self.tr("All photos"), overview.photos, "photos"),
            Node("untagged", self.tr("Untagged"), overview.untagged, "untagged"),
        ]
        if overview.open_suggestions:
            nodes.append(Node("suggested", self.tr("With suggestions"), overview.suggested_photos, "suggest"))
        if overview.judgements:
            nodes.append(Node(_JUDGED, self.tr("Judged"), overview.judgements, "judged"))
        if overview.missing_photos:
            nodes.append(Node("missing", self.tr("Missing files"), overview.missing_photos, "image-missing"))
        if overview.failed_photos:
            nodes.append(Node("failed", self.tr("Not readable"), overview.failed_photos, "image-broken"))
        self._library.update_tree(nodes)
        self._show_no_tags()
        self._show_collection()

    def _show_no_tags(self) -> None:
        """Show that there are no tags yet, in little space."""
        none = not self._session.sidebar.tags.rowCount()
        self._no_tags.setVisible(none)
        self.tag_section.set_short(none)

    def _show_collection(self) -> None:
        collection = self._session.navigator.collection
        self.folder_tree.select_key(collection.folder)  # even while a filter hides some of its photos
        self.library_tree.select_key(collection.query if collection.folder is None else None)
        self.tag_tree.select_key(self._session.navigator.shown_tag)
        self.search_tree.show_query(collection.query if collection.folder is None else None)

    def _expand_top(self, parent: QModelIndex) -> None:
        folders = self._session.sidebar.folders
        if not parent.isValid() or not parent.parent().isValid():
            tops = [folders.index(row, 0) for row in range(folders.rowCount())]
            below = sum(folders.rowCount(top) for top in tops)
            for top in tops:
                self.folder_tree.setExpanded(top, below <= MANY_FOLDERS)
        self._show_no_tags()

    def _library_chosen(self, query: object) -> None:
        """Show the photos of an entry; judgements are pairs of photos and get a list instead."""
        if query == _JUDGED:
            self.judgements_wanted.emit()
            self._show_collection()
        else:
            self._session.navigator.show_collection(Collection(str(query)))

    def _folder_chosen(self, folder: object) -> None:
        if isinstance(folder, Path):
            self._session.navigator.show_folder(folder)

    def _show_folder_menu(self, folder: Path, place: QPoint) -> None:
        """Show the context menu of a folder; only a root can be removed."""
        if self._session.read_only:
            return
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Locate…"), lambda: self.relocation_wanted.emit(folder))
        if folder in [root.path for root in self._session.overview.now.roots]:
            menu.addAction(
                self.tr("Remove from the library\N{HORIZONTAL ELLIPSIS}"), lambda: self.removal_wanted.emit(folder)
            )
        menu.popup(place)
