# SPDX-License-Identifier: MIT
"""The list of saved searches: a click shows one, F2 renames it, Delete deletes it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from focal_photos.browser.catalog.facts.records import SavedSearch
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.sidebar.tree_model import TreeRole
from focal_photos.browser.views.base.buttons import Menu
from focal_photos.browser.views.base.layouts import open_dialog
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.sidebar.count_tree import CountTree
from focal_photos.browser.views.sidebar.tag_dialogs import NamingDialog


class SearchTree(CountTree):
    """The saved searches of the library."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session.sidebar.searches, theme, "")
        self.setAccessibleName(self.tr("Saved searches"))
        self.setRootIsDecorated(False)
        self._session = session
        self.chosen.connect(self._show_search)
        self.menu_wanted.connect(self._show_menu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Rename the current search on F2, delete it on Delete."""
        search = self.currentIndex().data(TreeRole.KEY) if self.currentIndex().isValid() else None
        if not isinstance(search, SavedSearch) or self._session.read_only:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_F2:
            self.rename(search)
        elif event.key() == Qt.Key.Key_Delete:
            self._session.naming.delete_search(search.name)
        else:
            super().keyPressEvent(event)

    def show_query(self, query: str | None) -> None:
        """Select the saved search with this filter, if there is one; None selects nothing."""
        found = next((one for one in self._session.sidebar.searches.searches if one.query == query), None)
        self.select_key(found)

    def rename(self, search: SavedSearch) -> None:
        """Ask for a new name of a search."""
        open_dialog(SearchNameDialog(self._session, search.query, search.name, self.window()))

    def menu_for(self, search: SavedSearch) -> QMenu:
        """Return the context menu of a search."""
        menu = Menu(self)
        menu.addAction(self.tr("Show photos"), lambda: self._show_search(search))
        if not self._session.read_only:
            menu.addSeparator()
            menu.addAction(self.tr("Rename…"), lambda: self.rename(search))
            menu.addAction(self.tr("Delete"), lambda: self._session.naming.delete_search(search.name))
        return menu

    def _show_menu(self, search: SavedSearch, place: QPoint) -> None:
        menu = self.menu_for(search)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def _show_search(self, search: object) -> None:
        if isinstance(search, SavedSearch):
            self._session.navigator.show_collection(Collection(search.query))


class SearchNameDialog(NamingDialog):
    """A dialog to save a filter under a name, or to rename a saved search.

    Parameters
    ----------
    name : str
        Its present name; empty to save a new search.
    """

    def __init__(self, session: Session, query: str, name: str, parent: QWidget) -> None:
        super().__init__(session, "", query, "", "", parent)
        self.setWindowTitle(self.tr("Rename a search") if name else self.tr("Save the search"))
        self.do_button.setText(self.tr("Rename") if name else self.tr("Save"))
        self._query, self._name = query, name
        self.name_field = self.add_field(self.tr("Name"), name or query)

    def do(self) -> None:
        """Save or rename the search; replacing one of that name needs a second press."""
        name = " ".join(self.name_field.text().split())
        naming, there = self._session.naming, self._session.sidebar.searches.find_named(name)
        if self._name:
            naming.rename_search(self._name, name, self._wait())
        elif there is not None and there.query != self._query and not self.problem_label.isVisible():
            self.show_error(self.tr("A search of this name already exists: press Save again to replace it."))
        else:
            naming.save_search(name, self._query, self._wait())
