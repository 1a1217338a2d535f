# SPDX-License-Identifier: MIT
"""The name of the library at the top of the left column; a click shows other libraries and actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.user_settings import UserSettings
from focal_photos.browser.views.base.buttons import Menu
from focal_photos.browser.views.base.layouts import open_dialog
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.sidebar.tag_dialogs import NamingDialog


class LibraryButton(QToolButton):
    """Shows the name of the library.

    Parameters
    ----------
    user_settings : UserSettings
        Has the list of recently opened libraries.
    """

    library_wanted = Signal(object)
    """The user wants to open another library instead of this one (Path)."""
    new_wanted = Signal()
    open_wanted = Signal()
    move_wanted = Signal()
    """`new_wanted`, `open_wanted` and `move_wanted`: the user wants to choose the folder of a new library, of another
    one, or of this one."""

    def __init__(self, session: Session, user_settings: UserSettings, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("libraryButton")
        self._session, self._user_settings = session, user_settings
        self._others: dict[Path, QAction] = {}
        self._gone: frozenset[Path] = frozenset()
        self._looking = False
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.set_icon(self, "library")
        self._menu = Menu(self)
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(self.fill)
        self.setMenu(self._menu)
        self.setToolTip(tool_tip(shown(str(session.library.path))))
        self._show(session.library.name)

    def fill(self) -> QMenu:
        """Fill the menu and return it."""
        menu = self._menu
        menu.clear()
        self._others = {}
        here = self._session.library.path
        for folder in [here, *(one for one in self._user_settings.recent_libraries() if one != here)]:
            name = self.text() if folder == here else self._user_settings.library_name(folder)
            action = QAction(shown(name) or str(folder), menu)
            action.setCheckable(True)
            action.setChecked(folder == here)
            action.setToolTip(tool_tip(shown(str(folder))))
            action.setEnabled(folder not in self._gone)
            action.triggered.connect(lambda _=False, folder=folder: self._open(folder))
            menu.addAction(action)
            if folder != here:
                self._others[folder] = action
        menu.addSeparator()
        menu.addAction(self.tr("New library…"), self.new_wanted.emit)
        menu.addAction(self.tr("Open a library…"), self.open_wanted.emit)
        menu.addSeparator()
        rename = menu.addAction(self.tr("Rename this library…"), self.rename)
        move = menu.addAction(self.tr("Move this library…"), self.move_wanted.emit)
        for action in (rename, move):
            action.setEnabled(not self._session.read_only)
        self._look(list(self._others))
        return menu

    def _look(self, folders: Sequence[Path]) -> None:
        """Disable the libraries that no longer exist. Their disks may take long to answer, or never do."""

        def done(there: frozenset[Path]) -> None:
            self._looking = False
            self._gone = frozenset(folders) - there
            for folder, action in self._others.items():
                action.setEnabled(folder not in self._gone)

        if not self._looking and folders:
            self._looking = True
            self._session.photo_folders.paths.find_libraries(folders, done)

    def rename(self) -> None:
        """Ask for a new name of the library."""
        open_dialog(LibraryNameDialog(self._session, self.text(), self._show, self.window()))

    def _open(self, folder: Path) -> None:
        """Open another library if it exists; otherwise a new one would be created in its place."""

        def done(there: frozenset[Path]) -> None:
            if there:
                self.library_wanted.emit(folder)
            else:
                text = self.tr("There is no library in {0}.").format(shown(str(folder)))
                self._session.notices.post(text, Severity.WARNING)

        if folder != self._session.library.path:
            self._session.photo_folders.paths.find_libraries([folder], done)

    def _show(self, name: str) -> None:
        self._user_settings.note_name(self._session.library.path, name)
        self.setText(shown(name))
        self.setAccessibleName(self.tr("Library: {0}").format(shown(name)))


class LibraryNameDialog(NamingDialog):
    """A dialog to rename the library.

    Parameters
    ----------
    renamed : callable
        Called with the new name. A signal of the dialog would not arrive, because the dialog may be deleted by then.
    """

    def __init__(self, session: Session, name: str, renamed: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(session, "", str(session.library.path), "", "", parent)
        self._renamed = renamed
        self.setWindowTitle(self.tr("Rename the library"))
        self.do_button.setText(self.tr("Rename"))
        self.name_field = self.add_field(self.tr("Name"), name)
        self.name_field.setToolTip(
            self.tr("Leave empty to use the name of its folder. The folder itself is not renamed.")
        )

    def do(self) -> None:
        """Rename the library."""
        library, name = self._session.library, self.name_field.text()

        def work() -> str:
            library.rename(name)
            return library.name

        self.accept()
        self._session.runner.write(self.tr("Renaming the library"), work, self._renamed)
