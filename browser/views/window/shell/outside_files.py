# SPDX-License-Identifier: MIT
"""Images and folders from other programs: dropped on the window, or given to rank by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.dropping import PHOTOS_TYPE, DropFrame, addresses_in, comes_from_elsewhere
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.window.dialog_opener import DialogOpener
from focal_photos.browser.views.window.photo_area import PhotoArea
from focal_photos.browser.views.window.photo_menu import PhotoMenu

if TYPE_CHECKING:
    from focal_photos.browser.operations.photos.given_paths import GivenPaths


class OutsideFiles(QObject):
    """Ranks by images from outside and opens folders; the window passes its drags on to it.

    Parameters
    ----------
    workspace : QWidget
        The area of the window that a frame surrounds during a drag.
    """

    ranking_shown = Signal()
    """The ranking by an image from outside has arrived."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        workspace: QWidget,
        *,
        dialogs: DialogOpener,
        photos: PhotoArea,
        photo_menu: PhotoMenu,
    ) -> None:
        super().__init__(workspace)
        self._session = session
        self._dialogs = dialogs
        self._photos = photos
        self._photo_menu = photo_menu
        self.frame = DropFrame(workspace, theme)
        self._awaits_ranking = False
        session.photo_folders.opening.image_given.connect(self._await_ranking)
        session.navigator.trail_changed.connect(self._show_awaited_ranking)
        session.navigator.arranger.image_refused.connect(self._forget_ranking)

    def _await_ranking(self) -> None:
        """Show the next ranking when it arrives; do nothing if the file is not an image."""
        self._awaits_ranking = True

    def _forget_ranking(self) -> None:
        self._awaits_ranking = False

    def _show_awaited_ranking(self) -> None:
        if self._awaits_ranking:
            self._awaits_ranking = False
            self._photos.close_viewer()
            self.ranking_shown.emit()

    # ------------------------------------------------------------------ drags
    def enter(self, event: QDragEnterEvent) -> None:
        """Accept folders, files (for their folder) and images to rank by."""
        if comes_from_elsewhere(event.mimeData()):
            event.acceptProposedAction()
            if self._photos.welcoming:
                self._photos.welcome_page.set_drop(True)
            else:
                self.frame.hold(event.mimeData())

    def leave(self) -> None:
        """Remove the frame when the drag leaves the window."""
        self._photos.welcome_page.set_drop(False)
        self.frame.hide()

    def drop(self, event: QDropEvent) -> None:
        """Rank by an image or open folders; in an empty library, a file opens its folder."""
        self.leave()
        paths = [Path(url.toLocalFile()) for url in addresses_in(event.mimeData()) if url.isLocalFile()]
        if paths and not event.mimeData().hasFormat(PHOTOS_TYPE):
            event.acceptProposedAction()
            self._session.photo_folders.paths.sort(paths, self._open)
        elif self._session.overview.now.photos and self._photo_menu.take_image(event.mimeData()):
            event.acceptProposedAction()

    def _open(self, dropped: GivenPaths) -> None:
        folders = list(dict.fromkeys([*dropped.folders, *(file.parent for file in dropped.files)]))
        if self._session.overview.now.photos and dropped.files and not dropped.folders:
            self._session.photo_folders.opening.image_given.emit()
            if dropped.photo_id is not None and len(dropped.files) == 1:
                self._session.navigator.focus(dropped.photo_id)
            else:
                self._session.navigator.rank_by_examples(dropped.files)
        elif folders:
            self._dialogs.open_folders(folders)
