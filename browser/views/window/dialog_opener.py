# SPDX-License-Identifier: MIT
"""The dialogs of the window, and the folders that the user opens and removes with them."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.exchange.archives import SUFFIX
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.shortcuts import Shortcuts
from focal_photos.browser.models.settings.user_settings import CLICK, UserSettings
from focal_photos.browser.views.base.layouts import open_dialog
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.dialogs import (
    backups_dialog,
    data_set_dialog,
    failures_dialog,
    import_tags_dialog,
    judgements_dialog,
    missing_dialog,
    open_archive_dialog,
    relocate_dialog,
    remove_folder_dialog,
    shortcuts_dialog,
    sidecar_dialog,
)
from focal_photos.browser.views.settings import settings_dialog
from focal_photos.browser.views.tags import pick_dialog

if TYPE_CHECKING:
    from focal_photos.browser.operations.photos.given_paths import LibraryPlace

_EXPORTED: Final = "window/export_folder"


class DialogOpener(QObject):
    """Opens dialogs over a window.

    Parameters
    ----------
    window : QWidget
        Parent of all dialogs.
    settings : QSettings
        Saves the folder opened last, where the next dialog starts.
    """

    restore_wanted = Signal(object)
    """The user wants to restore a backup of the library (Backup)."""
    library_wanted = Signal(object)
    move_wanted = Signal(object)
    """`library_wanted` and `move_wanted`: the user wants to open another library instead, or to move this one
    (Path)."""

    def __init__(self, window: QWidget, session: Session, theme: Theme, settings: QSettings) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._theme = theme
        self._settings = settings
        self.user_settings = UserSettings(settings, self)
        self.shortcuts = Shortcuts(self.user_settings, (), self)

    # ------------------------------------------------------------------ folders
    def ask_for_folder(self) -> None:
        """Let the user choose a folder, and open it."""
        start = self._settings.value("window/last_folder", str(Path.home()))
        chosen = QFileDialog.getExistingDirectory(self._window, self.tr("Open a folder of photos"), str(start))
        if chosen:
            self.open_folders([Path(chosen)])

    def open_folders(self, folders: list[Path]) -> None:
        """Add folders to the library and show them."""
        self._settings.setValue("window/last_folder", str(folders[0]))
        self._session.photo_folders.opening.open_folders(folders)

    def ask_to_remove(self, folder: Path | None = None) -> None:
        """Ask whether to remove a root from the library: the given one, or one chosen in the dialog."""
        roots = [root.path for root in self._session.overview.now.roots]
        shown = self._session.navigator.collection.folder
        if folder is None:
            folder = next((root for root in roots if shown is not None and shown.is_relative_to(root)), None)
        elif folder in roots:
            roots = [folder]
        if roots:
            dialog = remove_folder_dialog.RemoveFolderDialog(roots, folder, self._theme, self._window)
            dialog.confirmed.connect(self._session.photo_folders.forget)
            open_dialog(dialog)

    def ask_to_relocate(self, folder: Path | None = None) -> None:
        """Ask for the new place of a folder: the given one, or else an offline one, or else the shown one."""
        session = self._session
        folders = [root.path for root in session.overview.now.roots]
        shown = session.navigator.collection.folder
        offline = [state.path for state in session.photo_folders.watching.states if state.offline]
        if folder is None:
            folder = offline[0] if offline else shown
        if folder is not None and folder not in folders:
            folders.append(folder)
        if folders:
            open_dialog(
                relocate_dialog.RelocateDialog(
                    session.photo_folders.relocating, folders, folder, self._theme, self._window
                )
            )

    def show_missing(self) -> None:
        """List the photos without a file, and search for their files."""
        session = self._session
        open_dialog(
            missing_dialog.MissingDialog(
                session.photo_folders.missing, read_only=session.read_only, parent=self._window
            )
        )

    # ------------------------------------------------------------------ libraries
    def ask_for_library(self, *, new: bool) -> None:
        """Let the user choose the folder of another library, existing or new, and open it instead of this one."""
        title = self.tr("Choose an empty folder for the new library") if new else self.tr("Folder of the library")
        here = self._session.library.path
        chosen = QFileDialog.getExistingDirectory(self._window, title, str(here.parent))
        if chosen:
            folder = Path(chosen)
            self._session.photo_folders.paths.look_at_place(
                folder, lambda found: self._open_library(folder, found, new=new)
            )

    def _open_library(self, folder: Path, found: LibraryPlace, *, new: bool) -> None:
        if found.problem:
            self._warn_unreadable(folder, found)
        elif new and not found.empty:
            self._warn(self.tr("{0} is not empty: choose or create an empty folder for the new library."), folder)
        elif not new and not found.library:
            self._warn(self.tr("There is no library in {0}."), folder)
        elif folder != self._session.library.path:
            self.library_wanted.emit(folder)

    def ask_where_to_move(self) -> None:
        """Let the user choose a folder, and move the library into it."""
        here = self._session.library.path
        title = self.tr("Move the library into this folder")
        chosen = QFileDialog.getExistingDirectory(self._window, title, str(here.parent))
        if chosen:
            folder = Path(chosen)
            self._session.photo_folders.paths.look_at_place(folder, lambda found: self._move_library(folder, found))

    def _move_library(self, folder: Path, found: LibraryPlace) -> None:
        if found.problem:
            self._warn_unreadable(folder, found)
        else:
            self.move_wanted.emit(folder if found.empty else folder / self._session.library.path.name)

    def _warn_unreadable(self, folder: Path, found: LibraryPlace) -> None:
        text = self.tr("{0} cannot be read ({1}): choose another folder.").format(shown(str(folder)), found.problem)
        self._session.notices.post(text, Severity.WARNING)

    def _warn(self, text: str, folder: Path) -> None:
        self._session.notices.post(text.format(shown(str(folder))), Severity.WARNING)

    # ------------------------------------------------------------------ archives
    def save_archive(self) -> None:
        """Let the user choose a file, and save the library as an archive."""
        start = Path.home() / f"{self._session.library.path.name}{SUFFIX}"
        title, kinds = self.tr("Save the library as an archive"), self.tr("Archives (*.zip)")
        chosen, _ = QFileDialog.getSaveFileName(self._window, title, str(start), kinds)
        if chosen:
            self._session.exchange.archives.save(Path(chosen if chosen.endswith(".zip") else chosen + SUFFIX))

    def export_copies(self) -> None:
        """Let the user choose a folder, and copy the target photos into it."""
        targets = self._session.navigator.targets
        start = str(self._settings.value(_EXPORTED, str(Path.home())))
        chosen = QFileDialog.getExistingDirectory(self._window, self.tr("Copy the photos into a folder"), start)
        if chosen and targets:
            self._settings.setValue(_EXPORTED, chosen)
            self._session.exchange.exporting.copy(targets, Path(chosen))

    def export_table(self) -> None:
        """Let the user choose a file, and write the metadata of the target photos as a table."""
        targets = self._session.navigator.targets
        start = Path(str(self._settings.value(_EXPORTED, str(Path.home())))) / "photos.csv"
        title, kinds = self.tr("Export metadata of the photos"), self.tr("CSV (*.csv);;JSON Lines (*.jsonl)")
        chosen, kind = QFileDialog.getSaveFileName(self._window, title, str(start), kinds)
        if chosen and targets:
            file = Path(chosen)
            if not file.suffix and "jsonl" in kind:
                file = file.with_name(f"{file.name}.jsonl")
            self._settings.setValue(_EXPORTED, str(file.parent))
            self._session.exchange.exporting.save_table(targets, file)

    def show_data_sets(self) -> None:
        """Let the user choose a data set of another program to export or import."""
        query = self._session.navigator.collection.query
        folder = Path(str(self._settings.value(_EXPORTED, str(Path.home()))))
        open_dialog(
            data_set_dialog.DataSetDialog(self._session.exchange.data_sets, query, folder, self._theme, self._window)
        )

    def open_archive(self) -> None:
        """Let the user choose an archive, and then whether to merge or unpack it."""
        title, kinds = self.tr("Open an archive"), self.tr("Archives (*.zip)")
        chosen, _ = QFileDialog.getOpenFileName(self._window, title, str(Path.home()), kinds)
        if chosen:
            self.ask_about_archive(Path(chosen))

    def ask_about_archive(self, file: Path) -> None:
        """Ask whether to merge an archive or to unpack it."""
        dialog = open_archive_dialog.OpenArchiveDialog(file, can_merge=not self._session.read_only, parent=self._window)
        dialog.merging_wanted.connect(lambda: self._session.exchange.archives.merge(file))
        dialog.unpacking_wanted.connect(lambda: self._unpack(file))
        open_dialog(dialog)

    def _unpack(self, file: Path) -> None:
        title = self.tr("Choose an empty folder for the new library")
        chosen = QFileDialog.getExistingDirectory(self._window, title, str(file.parent))
        if chosen:
            self._session.exchange.archives.unpack(file, Path(chosen))

    # ------------------------------------------------------------------ others
    def import_tags(self) -> None:
        """List the tags found in files, and import the checked ones."""
        open_dialog(import_tags_dialog.ImportTagsDialog(self._session.exchange.tag_import, self._theme, self._window))

    def pick(self) -> None:
        """Let the user select photos for a goal."""
        open_dialog(pick_dialog.PickDialog(self._session.tagging.picking, self._theme, self._window))

    def exchange_with_sidecars(self) -> None:
        """Compare several selected photos, or else all photos, with their sidecars, and show the differences."""
        exchange = self._session.exchange.sidecars
        dialog = sidecar_dialog.SidecarDialog(exchange, self._theme, self._window)
        selected = self._session.navigator.targets
        exchange.compare(selected if len(selected) > 1 else ())
        open_dialog(dialog)

    def show_failures(self) -> None:
        """List the files that could not be read."""
        self._session.photo_folders.read_failures(
            lambda failures: failures_dialog.FailuresDialog(failures, self._window).open()
        )

    def show_judgements(self, verdict: Verdict | None = None) -> None:
        """List all judgements, or those with one verdict against the current query."""
        dialog = judgements_dialog.JudgementsDialog(self._session, self._theme, verdict, self._window)
        dialog.walk_wanted.connect(self._session.navigator.focus)
        open_dialog(dialog)

    def show_backups(self) -> None:
        """List the backups of the library."""
        dialog = backups_dialog.BackupsDialog(
            self._session.backups, read_only=self._session.read_only, parent=self._window
        )
        dialog.restore_wanted.connect(self.restore_wanted)
        open_dialog(dialog)

    def show_settings(self) -> None:
        """Show the settings of the library."""
        open_dialog(
            settings_dialog.SettingsDialog(self._session, self._theme, self.user_settings, self.shortcuts, self._window)
        )

    def show_shortcuts(self, here: tuple[str, list[tuple[str, list[str]]]] = ("", [])) -> None:
        """List the keys of all actions, after those of the current page."""
        walks = self.user_settings.get(CLICK) == "walk"
        open_dialog(shortcuts_dialog.ShortcutsDialog(self.shortcuts, self._window, walks_on_click=walks, here=here))

    def show_about(self) -> None:
        """Show information about the program."""
        text = self.tr(
            "Focal {0}\n\nA photo browser that learns your own notion of similar.\n"
            "Everything runs on this machine; your photos are never changed.\n\nLibrary: {1}"
        )
        try:
            number = metadata.version("focal-photos")
        except metadata.PackageNotFoundError:
            number = "0"
        about = tool_tip(text.format(number, self._session.library.path))
        QMessageBox.about(self._window, self.tr("About Focal"), about)
