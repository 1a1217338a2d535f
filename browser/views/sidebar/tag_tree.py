# SPDX-License-Identifier: MIT
"""The tree of tags: F2 renames, Delete deletes, and dragging a tag onto another moves it below or merges it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QMimeData, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import QAbstractItemView, QLabel, QMenu

from focal_photos.browser.catalog.facts.tags import ancestors
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.sidebar.tree_model import TreeRole
from focal_photos.browser.views.base.buttons import Menu
from focal_photos.browser.views.base.dropping import PHOTOS_TYPE
from focal_photos.browser.views.base.layouts import open_dialog
from focal_photos.browser.views.base.theme import Theme, set_property
from focal_photos.browser.views.sidebar.count_tree import CountTree
from focal_photos.browser.views.sidebar.tag_dialogs import DeleteTagDialog, EditTagDialog, MergeTagsDialog

TAG_TYPE: Final = "application/x-focal-tag"
"""MIME type of a dragged tag: its name as JSON."""


class TopLevelPlace(QLabel):
    """A drop target that moves a tag to the top level; shown while a nested tag is dragged.

    The tree itself has no space for it: it is as high as its entries, and each entry accepts drops.
    """

    dropped = Signal(str)
    """The tag."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("topLevelPlace")
        self.setText(self.tr("To the top level"))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAcceptDrops(True)
        self.hide()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept nested tags."""
        if "/" in tag_in(event.mimeData()):
            event.acceptProposedAction()
            set_property(self, "over", True)
        else:
            event.ignore()

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        """Remove the highlight."""
        set_property(self, "over", False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Emit the dropped tag."""
        set_property(self, "over", False)
        tag = tag_in(event.mimeData())
        if "/" in tag:
            event.acceptProposedAction()
            self.dropped.emit(tag)
        else:
            event.ignore()


class TagTree(CountTree):
    """The tags of the library."""

    photos_dropped = Signal(str, object)
    """Photos were dropped on a tag (str, list of int)."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session.sidebar.tags, theme, "")
        self.setAccessibleName(self.tr("Tags"))
        self._session = session
        self._theme_of_dialogs = theme
        self.top_level = TopLevelPlace()
        """Shown below the tree while a nested tag is dragged."""
        self.top_level.dropped.connect(lambda tag: self.move_tag(tag, ""))
        if not session.read_only:
            self.setDragEnabled(True)
            self.setAcceptDrops(True)
            self.setDropIndicatorShown(True)
            self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
            self.setAutoExpandDelay(600)
        self.menu_wanted.connect(self._show_menu)

    # ------------------------------------------------------------------ keys and menu
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Rename the current tag on F2; on Delete, ask whether to delete it."""
        tag = self.currentIndex().data(TreeRole.KEY) if self.currentIndex().isValid() else None
        if not isinstance(tag, str) or self._session.read_only:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_F2:
            self.edit_tag(tag)
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_tag(tag)
        else:
            super().keyPressEvent(event)

    def edit_tag(self, tag: str) -> None:
        """Ask for a new name of a tag, and for its aliases."""
        dialog = EditTagDialog(self._session, self._theme_of_dialogs, tag, self.window())
        dialog.merging_wanted.connect(lambda into: self.merge_tag(tag, into))
        self._open(dialog)

    def delete_tag(self, tag: str) -> None:
        """List the uses of a tag, and ask whether to delete it."""
        self._open(DeleteTagDialog(self._session, self._theme_of_dialogs, tag, self.window()))

    def merge_tag(self, tag: str, into: str = "") -> None:
        """Ask whether to merge a tag into another one, and into which if none is given."""
        self._open(MergeTagsDialog(self._session, self._theme_of_dialogs, tag, into, self.window()))

    def _open(self, dialog: EditTagDialog | DeleteTagDialog | MergeTagsDialog) -> None:
        open_dialog(dialog)

    def _show_menu(self, tag: object, place: QPoint) -> None:
        menu = self.menu_for(str(tag))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.aboutToHide.connect(self._mark_shown)
        menu.popup(place)

    def _mark_shown(self) -> None:
        """Select the tag whose photos are shown again, after a drag or menu has selected another one."""
        self.select_key(self._session.navigator.shown_tag)

    def menu_for(self, tag: str) -> QMenu:
        """Return the context menu of a tag."""
        menu = Menu(self)
        menu.addAction(self.tr("Show photos"), lambda: self._session.navigator.show_tag(tag))
        if self._session.read_only:
            return menu
        targets = self._session.navigator.targets
        give = menu.addAction(self.tr("Add to the selected photos"), lambda: self._session.targets.tag([tag]))
        give.setEnabled(bool(targets))
        menu.addSeparator()
        self._add(menu, self.tr("Rename, other names…"), lambda: self.edit_tag(tag), Qt.Key.Key_F2)
        top = menu.addAction(self.tr("Move to the top level"), lambda: self.move_tag(tag, ""))
        top.setEnabled("/" in tag)
        menu.addAction(self.tr("Merge into…"), lambda: self.merge_tag(tag))
        menu.addSeparator()
        self._add(menu, self.tr("Delete…"), lambda: self.delete_tag(tag), Qt.Key.Key_Delete)
        return menu

    def _add(self, menu: QMenu, text: str, call: object, key: Qt.Key) -> QAction:
        action: QAction = menu.addAction(text, call)  # type: ignore[call-overload]  # any callable will do
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # the tree handles the key itself
        return action

    # ------------------------------------------------------------------ drag and drop
    def move_tag(self, tag: str, above: str) -> None:
        """Move a tag below another one or to the top level; if the new name exists, ask whether to merge."""
        new = f"{above}/{tag.rpartition('/')[2]}" if above else tag.rpartition("/")[2]
        if new == tag:
            return
        if new in self._session.sidebar.words.tags:
            self.merge_tag(tag, new)
        else:
            self._session.naming.rename_tag(tag, new, self._warn)

    def startDrag(self, _actions: Qt.DropAction) -> None:
        """Drag the current tag."""
        tag = self.currentIndex().data(TreeRole.KEY)
        if isinstance(tag, str):
            drag = QDrag(self)
            drag.setMimeData(tag_data(tag))
            self.top_level.setVisible("/" in tag)
            drag.exec(Qt.DropAction.MoveAction | Qt.DropAction.CopyAction, Qt.DropAction.MoveAction)
            self.top_level.hide()
            self._mark_shown()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept tags and photos."""
        if self._dragged(event.mimeData()) is not None:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show the drop target; a tag cannot be dropped on itself or on tags below it."""
        super().dragMoveEvent(event)
        fits = self._fits(event)
        self._mark(self.indexAt(event.position().toPoint()) if fits else QModelIndex())
        event.setAccepted(fits)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Remove the highlight."""
        super().dragLeaveEvent(event)
        self._mark(QModelIndex())

    def _mark(self, index: QModelIndex | QPersistentModelIndex) -> None:
        """Highlight the tag that would receive the drop, because the dragged picture covers the pointer."""
        self.drop_index = QPersistentModelIndex(index)
        self.viewport().update()

    def dropEvent(self, event: QDropEvent) -> None:
        """Move a dropped tag below the one under the pointer, or merge it with Shift; tag dropped photos."""
        over, dragged = self._key_at(event), self._dragged(event.mimeData())
        self._mark(QModelIndex())
        if not self._fits(event):
            event.ignore()
            return
        event.acceptProposedAction()
        if isinstance(dragged, str):
            merges = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier) and bool(over)
            self.merge_tag(dragged, over) if merges else self.move_tag(dragged, over)
        elif dragged is not None:
            self.photos_dropped.emit(over, list(dragged))

    def _fits(self, event: QDropEvent) -> bool:
        """Return whether photos are over a tag, or a tag is neither over itself nor over one below it."""
        over, dragged = self._key_at(event), self._dragged(event.mimeData())
        if isinstance(dragged, str):
            return over != dragged and dragged not in ancestors(over)
        return bool(dragged) and bool(over)

    def _key_at(self, event: QDropEvent) -> str:
        """Return the tag under the pointer; empty if there is none."""
        index: QModelIndex | QPersistentModelIndex = self.indexAt(event.position().toPoint())
        return str(index.data(TreeRole.KEY)) if index.isValid() else ""

    def _dragged(self, data: QMimeData) -> str | Sequence[int] | None:
        if data.hasFormat(TAG_TYPE):
            return tag_in(data) or None
        if data.hasFormat(PHOTOS_TYPE):
            return [int(photo) for photo in json.loads(bytes(data.data(PHOTOS_TYPE).data()))]
        return None

    def _warn(self, problem: str) -> None:
        if problem:
            self._session.notices.post(shown(problem), Severity.WARNING)


def tag_data(tag: str) -> QMimeData:
    """Return the data of a dragged tag; other programs receive its name as text."""
    data = QMimeData()
    data.setData(TAG_TYPE, json.dumps(tag).encode())
    data.setText(tag)
    return data


def tag_in(data: QMimeData) -> str:
    """Return the dragged tag; empty if the data is not a tag."""
    tag = json.loads(bytes(data.data(TAG_TYPE).data())) if data.hasFormat(TAG_TYPE) else ""
    return tag if isinstance(tag, str) else ""
