"""The filter, the library, its folders and its tags: where a person says which photos the grid shows."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from browser.models.photos.trail import Collection
from browser.models.session import Session
from browser.models.sidebar.tree_model import CountTreeModel, Node
from browser.views.base.buttons import tool_button
from browser.views.base.labels import label
from browser.views.base.theme import Theme
from browser.views.sidebar.count_tree import CountTree
from browser.views.sidebar.search_tree import SearchTree
from browser.views.sidebar.tag_tree import TagTree
from browser.views.window.search_field import SearchField


class Sidebar(QWidget):
    """Filter field above library, folders and tags.

    Signals
    -------
    folder_wanted : None
        A person wants to choose a folder to open.
    removal_wanted : Path
        A person wants to remove this root from the library.
    relocation_wanted : Path
        A person wants to say where this folder is now.
    """

    folder_wanted = Signal()
    removal_wanted = Signal(object)
    relocation_wanted = Signal(object)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session = session
        self.search = SearchField(session, theme)
        self._library = CountTreeModel(self)
        self.library_tree = CountTree(self._library, theme, self.tr("Library"))
        self.library_tree.setRootIsDecorated(False)
        self.folder_tree = CountTree(session.folders, theme, self.tr("Folders"))
        self.tag_tree = TagTree(session, theme)
        self.search_tree = SearchTree(session, theme)
        add = tool_button(theme, "add-folder", self.tr("Open a folder of photos (Ctrl+O)"), self.folder_wanted.emit)
        add.setEnabled(not session.read_only)
        self._no_tags = label(self.tr("No tags yet: select photos and press T."), "faint", wrap=True)
        self._no_tags.setContentsMargins(8, 2, 8, 0)

        scroll = QScrollArea()
        scroll.setWidget(self._make_content(add))
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        top = QHBoxLayout()
        top.setContentsMargins(10, 10, 10, 6)
        top.addWidget(self.search)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(scroll, 1)

        self.library_tree.chosen.connect(lambda query: session.navigator.show_collection(Collection(query)))
        self.folder_tree.chosen.connect(self._folder_chosen)
        self.folder_tree.menu_wanted.connect(self._show_folder_menu)
        self.tag_tree.chosen.connect(session.navigator.show_tag)
        session.navigator.trail_changed.connect(self._show_collection)
        session.overview_changed.connect(self._show)
        session.searches.rowsInserted.connect(self._show_collection)
        for model in (session.folders, session.tags):
            model.rowsInserted.connect(self._expand_top)
            model.rowsRemoved.connect(self._show)
        self._show()

    def _make_content(self, add: QWidget) -> QWidget:
        """Return the trees, one below the other; `add` stands beside the heading of the folders."""
        content = QWidget()
        content.setObjectName("content")
        inside = QVBoxLayout(content)
        inside.setContentsMargins(8, 2, 4, 12)
        inside.setSpacing(1)
        inside.addWidget(self.library_tree)
        for title, tree, extra in (
            (self.tr("Folders"), self.folder_tree, add),
            (self.tr("Tags"), self.tag_tree, None),
            (self.tr("Saved searches"), self.search_tree, None),
        ):
            heading = QHBoxLayout()
            heading.setContentsMargins(6, 12, 4, 3)
            heading.addWidget(label(title, "section"))
            heading.addStretch(1)
            if extra is not None:
                heading.addWidget(extra)
            inside.addLayout(heading)
            inside.addWidget(tree)
            if tree is self.tag_tree:
                inside.addWidget(self._no_tags)
        inside.addStretch(1)
        return content

    def _show(self) -> None:
        overview = self._session.overview
        nodes = [
            Node("", self.tr("All photos"), overview.photos, "photos"),
            Node("untagged", self.tr("Untagged"), overview.untagged, "untagged"),
        ]
        if overview.open_suggestions:
            nodes.append(Node("suggested", self.tr("With suggestions"), overview.suggested_photos, "suggest"))
        if overview.judged_photos:
            nodes.append(Node("judged", self.tr("Judged"), overview.judged_photos, "judged"))
        if overview.missing_photos:
            nodes.append(Node("missing", self.tr("Missing files"), overview.missing_photos, "image-missing"))
        if overview.failed_photos:
            nodes.append(Node("failed", self.tr("Not readable"), overview.failed_photos, "image-broken"))
        self._library.update_tree(nodes)
        self._no_tags.setVisible(not self._session.tags.rowCount())
        self._show_collection()

    def _show_collection(self) -> None:
        collection = self._session.navigator.collection
        folder_shown = collection.folder is not None and not collection.query
        self.folder_tree.select_key(collection.folder if folder_shown else None)
        self.library_tree.select_key(collection.query if collection.folder is None else None)
        self.tag_tree.select_key(self._session.navigator.shown_tag)
        self.search_tree.show_query(collection.query if collection.folder is None else None)

    def _expand_top(self, parent: QModelIndex) -> None:
        if not parent.isValid():
            self.folder_tree.expandToDepth(0)
        self._no_tags.setVisible(not self._session.tags.rowCount())

    def _folder_chosen(self, folder: object) -> None:
        if isinstance(folder, Path):
            self._session.navigator.show_folder(folder)

    def _show_folder_menu(self, folder: Path, place: QPoint) -> None:
        """Show what can be done with a folder; a root alone can be taken out."""
        if self._session.read_only:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Relocate\N{HORIZONTAL ELLIPSIS}"), lambda: self.relocation_wanted.emit(folder))
        if folder in [root.path for root in self._session.overview.roots]:
            menu.addAction(
                self.tr("Remove from the library\N{HORIZONTAL ELLIPSIS}"), lambda: self.removal_wanted.emit(folder)
            )
        menu.popup(place)
