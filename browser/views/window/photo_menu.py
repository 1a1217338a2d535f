# SPDX-License-Identifier: MIT
"""The context menu of photos, dragging them to other programs, and images from other programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QBuffer, QMimeData, QObject, QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDrag, QGuiApplication, QImage, QPixmap
from PySide6.QtWidgets import QMenu, QMessageBox, QWidget

from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.tiles import SMALL_TILE, shown
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.user_settings import TRASH, UserSettings
from focal_photos.browser.operations.ranking.queries.query import DroppedImage, Example
from focal_photos.browser.tasks.pictures import read_picture
from focal_photos.browser.views.base.buttons import Menu
from focal_photos.browser.views.base.dropping import NET, PHOTOS_TYPE, addresses_in, nothing_from_the_net
from focal_photos.browser.views.base.layouts import open_dialog
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.views.window.actions import WindowActions

if TYPE_CHECKING:
    from focal_photos.browser.operations.photos.given_paths import GivenPaths

_MOST_OPENED: Final = 12
"""Largest number of files to open at once in the system's program."""
_MOST_FOLDERS: Final = 3
_PICTURE_SIDE: Final = 4096


class PhotoMenu(QObject):
    """The context menu of the selection, and dragging it.

    Parameters
    ----------
    actions : WindowActions
        Contains the actions that are also in the menus of the window.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        user_settings: UserSettings,
        theme: Theme,
        grid: GridView,
        actions: WindowActions,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._user_settings = user_settings
        self._theme = theme
        self._grid = grid
        self._actions = actions
        grid.menu_wanted.connect(self._show)
        grid.dragged.connect(self._drag)
        actions.copy_wanted.connect(lambda: self.copy_paths(self._paths()))
        actions.paste_wanted.connect(self._paste)
        actions.paste_more_wanted.connect(self._paste_more)

    # ------------------------------------------------------------------ the menu
    def make(self) -> QMenu:
        """Return the menu for the selection, or else for the focal image."""
        session, named = self._session, self._actions.by_name
        targets, paths = session.navigator.targets, self._paths()
        menu = Menu(self._window)
        menu.setObjectName("photoMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not targets:
            for name in ("select_all", "find", "open_folder"):
                menu.addAction(named[name])
            return menu
        if len(targets) == 1:
            menu.addAction(named["focus_selected"])
            menu.addAction(named["choose_part"].text(), lambda: self._actions.choose_part_of(targets[0]))
        else:
            menu.addAction(named["rank_by_selected"])
        if session.navigator.ranked and session.navigator.selected:
            menu.addAction(named["like_these"])
            menu.addAction(named["unlike_these"])
        menu.addAction(self.tr("&View single photo"), self._actions.single)
        if len(targets) > 1:
            menu.addAction(named["compare"])
        menu.addSeparator()
        menu.addAction(self.tr("&Open with the system's program"), lambda: self._open(paths))
        menu.addAction(self.tr("Show in the &file manager"), lambda: self._show_folder(paths))
        menu.addAction(self.tr("Copy the &path"), lambda: self.copy_paths(paths))
        menu.addAction(self.tr("&Copy the image"), lambda: self.copy_image(targets[0]))
        menu.addAction(named["export_copies"])
        menu.addAction(named["export_table"])
        menu.addSeparator()
        for name in ("tag", "similar", "dissimilar"):
            menu.addAction(named[name])
        for submenu in (self._actions.menus["rating"], self._actions.menus["label"]):
            menu.addMenu(submenu)
        menu.addSeparator()
        for name in ("turn_left", "turn_right"):
            menu.addAction(named[name])
        if self._user_settings.get(TRASH) and not session.read_only:
            menu.addSeparator()
            menu.addAction(self.tr("Move to the &trash\N{HORIZONTAL ELLIPSIS}"), lambda: self.ask_to_trash(paths))
        return menu

    def _show(self, _photo_id: int | None, place: QPoint) -> None:
        self.make().popup(place)

    def _paths(self) -> list[Path]:
        """Return the known paths of the target photos."""
        session = self._session
        targets, found = session.navigator.targets, session.tagging.target_tags.now
        if found.photo_ids == targets:
            return list(found.paths)
        cards = (session.grid.card(photo_id) for photo_id in targets)
        focal = session.navigator.focal
        paths = [card.photo.path for card in cards if card is not None]
        if focal is not None and focal.photo.id in targets:
            paths.insert(0, focal.photo.path)
        return paths

    def _open(self, paths: Sequence[Path]) -> None:
        """Open files with the system's program, after checking in the background that they exist."""
        opened = paths[:_MOST_OPENED]

        def found(some: GivenPaths) -> None:
            for path in opened:
                if path not in some.files or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
                    self._warn(self.tr("{0} could not be opened.").format(shown(path.name)))
            if len(paths) > len(opened):
                self._warn(self.tr("The first {0} photos were opened.").format(_MOST_OPENED))

        self._session.photo_folders.paths.sort(opened, found)

    def _show_folder(self, paths: Sequence[Path]) -> None:
        folders = list(dict.fromkeys(path.parent for path in paths))[:_MOST_FOLDERS]

        def found(some: GivenPaths) -> None:
            for folder in folders:
                if folder not in some.folders or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
                    self._warn(self.tr("{0} could not be shown.").format(shown(str(folder))))

        self._session.photo_folders.paths.sort(folders, found)

    def copy_paths(self, paths: Sequence[Path]) -> None:
        """Copy the paths to the clipboard, as text lines and as files."""
        data = QMimeData()
        data.setText("\n".join(shown(str(path)) for path in paths))
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        QGuiApplication.clipboard().setMimeData(data)

    def copy_image(self, photo_id: int) -> None:
        """Copy the pixels of a photo to the clipboard; they are decoded in the background."""
        session = self._session

        def done(image: QImage) -> None:
            if image.isNull():
                self._warn(self.tr("This photo cannot be read now."))
            else:
                QGuiApplication.clipboard().setImage(image)

        session.runner.read("picture", lambda: read_picture(session.library, photo_id, _PICTURE_SIDE).upright, done)

    # ------------------------------------------------------------------ trash
    def ask_to_trash(self, paths: Sequence[Path]) -> None:
        """Ask whether to move files to the trash, and explain which data stays."""
        question = self.tr("Move %n file(s) to the system's trash?", "", len(paths))
        explanation = self.tr(
            "The library keeps their tags, ratings and judgements; they come back if the files are restored. "
            "Copies in other folders and sidecars stay unchanged."
        )
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Move to the trash"), question, parent=self._window)
        box.setInformativeText(explanation)
        move = box.addButton(self.tr("Move to the trash"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
        move.clicked.connect(lambda: self._session.photo_folders.trash.move(paths))
        open_dialog(box)

    # ------------------------------------------------------------------ dragging
    def drag_data(self) -> QMimeData:
        """Return the data of the dragged selection: files for other programs, ids for this window."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in self._paths()])
        data.setData(PHOTOS_TYPE, json.dumps(list(self._session.navigator.selected)).encode())
        return data

    def _drag(self) -> None:
        selected = self._session.navigator.selected
        if not selected:
            return
        drag = QDrag(self._grid)
        drag.setMimeData(self.drag_data())
        image = self._session.loader.image(selected[0], SMALL_TILE)
        if image is not None and not image.isNull():
            drag.setPixmap(QPixmap.fromImage(image.scaledToWidth(96, Qt.TransformationMode.SmoothTransformation)))
        drag.exec(Qt.DropAction.CopyAction)  # other programs copy photos, never move them

    # ------------------------------------------------------------------ images from other programs
    def take_image(self, data: QMimeData) -> bool:
        """Rank by dropped images; return whether there may be any."""
        if data.hasFormat(PHOTOS_TYPE):
            return False
        self._take(data, self._session.navigator.rank_by_examples, dropped=True)
        return data.hasImage() or any(url.isLocalFile() for url in data.urls())

    def add_dropped(self, data: QMimeData, *, like: bool = True) -> None:
        """Add examples to the query: images from outside the library, or photos of the grid."""
        add = partial(self._session.navigator.add_examples, like=like)
        if data.hasFormat(PHOTOS_TYPE):
            add([int(photo_id) for photo_id in json.loads(bytes(data.data(PHOTOS_TYPE).data()))])
        else:
            self._take(data, add, self.tr("The dropped data contains no image."), dropped=True)

    def _take(
        self,
        data: QMimeData,
        use: Callable[[Sequence[Example]], object],
        nothing: str = "",
        known: Callable[[int], object] | None = None,
        *,
        dropped: bool = False,
    ) -> None:
        """Pass the images in pasted or `dropped` data to `use`: all of its files, or the pixels of one image.

        A single file of the library is passed to `known` as a photo. `nothing` is the warning if there is no image.
        """
        # Files are checked in the background, because their disk or network may not answer.
        urls = addresses_in(data)
        files = list(dict.fromkeys(Path(url.toLocalFile()) for url in urls if url.isLocalFile()))

        def found(some: GivenPaths) -> None:
            if known is not None and some.photo_id is not None and len(files) == 1:
                self._session.photo_folders.opening.image_given.emit()
                known(some.photo_id)
            elif len(some.files) == len(files):
                self._session.photo_folders.opening.image_given.emit()
                use(some.files)
            elif nothing:
                self._warn(nothing)

        image = data.imageData() if data.hasImage() and not files else None
        if files:
            self._session.photo_folders.paths.sort(files, found)
        elif isinstance(image, QImage) and not image.isNull():
            buffer = QBuffer()
            image.save(buffer, "PNG")  # type: ignore[call-overload]
            self._session.photo_folders.opening.image_given.emit()
            pixels = bytes(buffer.data().data())
            use([DroppedImage(pixels) if dropped else pixels])
        elif any(url.scheme() in NET for url in urls):
            self._warn(nothing_from_the_net())
        elif nothing:
            self._warn(nothing)

    def _paste(self) -> None:
        navigator = self._session.navigator
        self._take_pasted(navigator.rank_by_examples, navigator.focus)

    def _paste_more(self) -> None:
        self._take_pasted(partial(self._session.navigator.add_examples, like=True))

    def _take_pasted(
        self, use: Callable[[Sequence[Example]], object], known: Callable[[int], object] | None = None
    ) -> None:
        nothing = self.tr("The clipboard contains no image: copy one first.")
        self._take(QGuiApplication.clipboard().mimeData(), use, nothing, known)

    def show_for_focal(self, place: QPoint) -> None:
        """Show the menu for the focal image alone."""
        self._grid.clearSelection()
        self.make().popup(place)

    def _warn(self, text: str) -> None:
        self._session.notices.post(text, Severity.WARNING)
