"""What can be done with photos by the right button and by dragging, and images that come from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QMimeData, QObject, QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDrag, QGuiApplication, QImage, QPixmap
from PySide6.QtWidgets import QMenu, QMessageBox, QWidget

from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.session import SMALL, Session
from focal_photos.browser.models.settings.person import TRASH, Person
from focal_photos.browser.models.work.message import Message, Severity
from focal_photos.browser.operations.ranking.queries import Example
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.grid_view import GridView
from focal_photos.browser.views.sidebar.tag_tree import PHOTOS_TYPE
from focal_photos.browser.views.window.actions import WindowActions

_MOST_OPENED: Final = 12
"""Files that the system's program is asked to open at once."""
_PICTURE_SIDE: Final = 4096


class PhotoMenu(QObject):
    """The menu of what is selected, and dragging it out.

    Parameters
    ----------
    window : QWidget
    session : Session
    person : Person
    theme : Theme
    grid : GridView
    actions : WindowActions
        Has what is in the menus of the window too.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        person: Person,
        theme: Theme,
        grid: GridView,
        actions: WindowActions,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._person = person
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
        """Return the menu for what is selected, else for the focal image."""
        session, named = self._session, self._actions.by_name
        targets, paths = session.navigator.targets, self._paths()
        menu = QMenu(self._window)
        menu.setObjectName("photoMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not targets:
            for name in ("select_all", "find", "open_folder"):
                menu.addAction(named[name])
            return menu
        if len(targets) == 1:
            menu.addAction(named["focus_selected"])
        else:
            menu.addAction(named["rank_by_selected"])
        if session.navigator.ranked and session.navigator.selected:
            menu.addAction(named["like_these"])
            menu.addAction(named["unlike_these"])
        menu.addAction(self.tr("&Look at it alone"), self._actions.single)
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
        menu.addAction(self.tr("Turn &left"), lambda: session.grid.turn(targets, -1))
        menu.addAction(self.tr("Turn &right"), lambda: session.grid.turn(targets, 1))
        if self._person.get(TRASH) and not session.read_only:
            menu.addSeparator()
            menu.addAction(self.tr("Move to the &trash\N{HORIZONTAL ELLIPSIS}"), lambda: self.ask_to_trash(paths))
        return menu

    def _show(self, _photo_id: int | None, place: QPoint) -> None:
        self.make().popup(place)

    def _paths(self) -> list[Path]:
        """Return where the files of the targets are, as far as that is known here."""
        session = self._session
        targets, found = session.navigator.targets, session.target_tags
        if found.photo_ids == targets:
            return list(found.paths)
        cards = (session.grid.card(photo_id) for photo_id in targets)
        focal = session.navigator.focal
        paths = [card.photo.path for card in cards if card is not None]
        if focal is not None and focal.photo.id in targets:
            paths.insert(0, focal.photo.path)
        return paths

    def _open(self, paths: Sequence[Path]) -> None:
        for path in paths[:_MOST_OPENED]:
            if not path.exists() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
                self._warn(self.tr("{0} could not be opened.").format(shown(path.name)))
        if len(paths) > _MOST_OPENED:
            self._warn(self.tr("The first {0} photos were opened.").format(_MOST_OPENED))

    def _show_folder(self, paths: Sequence[Path]) -> None:
        for folder in list(dict.fromkeys(path.parent for path in paths))[:3]:
            if not folder.is_dir() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
                self._warn(self.tr("{0} could not be shown.").format(shown(str(folder))))

    def copy_paths(self, paths: Sequence[Path]) -> None:
        """Put the paths on the clipboard as text, one a line, and as files."""
        data = QMimeData()
        data.setText("\n".join(shown(str(path)) for path in paths))
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        QGuiApplication.clipboard().setMimeData(data)

    def copy_image(self, photo_id: int) -> None:
        """Put the pixels of a photo on the clipboard, decoded in the background."""
        session = self._session

        def done(image: QImage) -> None:
            if image.isNull():
                self._warn(self.tr("This photo cannot be read now."))
            else:
                QGuiApplication.clipboard().setImage(image)

        session.read_picture(photo_id, _PICTURE_SIDE, done)

    # ------------------------------------------------------------------ trash
    def ask_to_trash(self, paths: Sequence[Path]) -> None:
        """Ask whether to move files to the trash, and say what is kept."""
        question = self.tr("Move %n file(s) to the system's trash?", "", len(paths))
        kept = self.tr(
            "The library keeps their tags, ratings and judgements; they come back if the files are restored. "
            "Nothing else is touched, neither copies in other folders nor sidecars."
        )
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Move to the trash"), question, parent=self._window)
        box.setInformativeText(kept)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        move = box.addButton(self.tr("Move to the trash"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
        move.clicked.connect(lambda: self._session.trash.move(paths))
        box.open()

    # ------------------------------------------------------------------ dragging
    def drag_data(self) -> QMimeData:
        """Return what the selected photos are while they are dragged: files for others, ids for this window."""
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
        image = self._session.loader.image(selected[0], SMALL)
        if image is not None and not image.isNull():
            drag.setPixmap(QPixmap.fromImage(image.scaledToWidth(96, Qt.TransformationMode.SmoothTransformation)))
        drag.exec(Qt.DropAction.CopyAction)  # a photo is copied elsewhere, never moved

    # ------------------------------------------------------------------ images from elsewhere
    def take_image(self, data: QMimeData) -> bool:
        """Rank by the images that were pasted or dropped; return whether there is one."""
        if data.hasFormat(PHOTOS_TYPE):
            return False
        images = self._images(data)
        if images:
            self._session.navigator.rank_by_examples(images)
        elif any(url.scheme() in ("http", "https") for url in data.urls()):
            self._warn(self.tr("Focal loads nothing from the net: copy the picture itself, and paste it here."))
        return bool(images)

    def add_dropped(self, data: QMimeData, *, like: bool = True) -> None:
        """Rank by more examples: images from elsewhere, or photos of the grid."""
        some: list[Example] = list(self._images(data))
        if data.hasFormat(PHOTOS_TYPE):
            some = [int(photo_id) for photo_id in json.loads(bytes(data.data(PHOTOS_TYPE).data()))]
        if some:
            self._session.navigator.add_examples(some, like=like)
        else:
            self._warn(self.tr("There is no image in what was dropped."))

    def _images(self, data: QMimeData) -> list[bytes | Path]:
        """Return the images in what was pasted or dropped: files, or the pixels of one."""
        files = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        if data.hasImage() and not files:
            image = data.imageData()
            if isinstance(image, QImage) and not image.isNull():
                buffer = QBuffer()
                image.save(buffer, "PNG")  # type: ignore[call-overload]
                return [bytes(buffer.data().data())]
        return list(files) if all(file.is_file() for file in files) else []

    def _paste(self) -> None:
        data = QGuiApplication.clipboard().mimeData()
        if not self.take_image(data):
            self._warn(self.tr("There is no image on the clipboard: copy one, or a file with one."))

    def _paste_more(self) -> None:
        images = self._images(QGuiApplication.clipboard().mimeData())
        if images:
            self._session.navigator.add_examples(images, like=True)
        else:
            self._warn(self.tr("There is no image on the clipboard: copy one, or a file with one."))

    def show_for_focal(self, place: QPoint) -> None:
        """Show the menu for the focal image alone."""
        self._grid.clearSelection()
        self.make().popup(place)

    def _warn(self, text: str) -> None:
        self._session.message_posted.emit(Message(text, Severity.WARNING))
