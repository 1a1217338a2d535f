"""Folders, tags and the filter: what is shown in the grid."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from browser.models.photos.texts import grouped
from browser.models.photos.trail import Collection
from browser.models.session import Session
from browser.models.sidebar.tree_model import CountTreeModel, Node, TreeRole
from browser.views.base.buttons import tool_button
from browser.views.base.labels import label
from browser.views.base.theme import Theme, scaled_font
from browser.views.base.tree_view import TreeView
from browser.views.window.search_field import SearchField

ROW = 27


class CountDelegate(QStyledItemDelegate):
    """An icon, a name, and a count at the right."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(60, max(ROW, option.fontMetrics.height() + 9))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint an entry."""
        theme = self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect).adjusted(0, 1, -4, -1)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if selected or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selected" if selected else "hover"))
            painter.drawRoundedRect(rect, 5, 5)
        if option.state & QStyle.StateFlag.State_HasFocus and not selected:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        icon = QRectF(rect.left() + 5, rect.center().y() - 8, 16, 16)
        theme.paint_icon(painter, index.data(TreeRole.ICON) or "tag", icon, "text-soft")
        count = grouped(index.data(TreeRole.COUNT) or 0)
        painter.setFont(scaled_font(option.font, 0.9))
        painter.setPen(theme.color("text-faint"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(rect.adjusted(0, 0, -7, 0), middle | Qt.AlignmentFlag.AlignRight, count)
        taken = painter.fontMetrics().horizontalAdvance(count) + 14
        painter.setFont(option.font)
        painter.setPen(theme.color("text"))
        room = rect.adjusted(27, 0, -taken, 0)
        name = painter.fontMetrics().elidedText(
            index.data(Qt.ItemDataRole.DisplayRole), Qt.TextElideMode.ElideMiddle, int(room.width())
        )
        painter.drawText(room, middle, name)
        painter.restore()


class CountTree(TreeView):
    """A tree that is as high as its rows, so that several of them scroll together.

    Signals
    -------
    chosen : object
        The key of an entry that was clicked or entered.
    menu_wanted : object, QPoint
        The key of an entry whose context menu is asked for, and where it should open on the screen.
    """

    chosen = Signal(object)
    menu_wanted = Signal(object, QPoint)

    def __init__(self, model: CountTreeModel, theme: Theme, name: str) -> None:
        super().__init__(theme, arrow_inset=7)
        self.setAccessibleName(name)
        self.setModel(model)
        self.setItemDelegate(CountDelegate(theme, self))
        self.setHeaderHidden(True)
        self.setIndentation(16)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setAnimated(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._choose)
        # A model that takes in a thousand tags says so a thousand times: the height is taken once afterwards.
        self._resizing = QTimer(self, singleShot=True, interval=0)
        self._resizing.timeout.connect(self._resize)
        for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset, self.expanded, self.collapsed):
            signal.connect(self._resizing.start)
        self._resize()

    def mark(self, key: object) -> None:
        """Show which entry the grid shows; None for none of them."""
        model = self.model()
        index = model.find(key) if key is not None and isinstance(model, CountTreeModel) else QModelIndex()
        if index.isValid():
            self.setCurrentIndex(index)
        else:
            self.selectionModel().clear()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the entry under the pointer; of the current one if a key asks."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            place = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
            self.menu_wanted.emit(index.data(TreeRole.KEY), place)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(index.data(TreeRole.KEY))

    def _resize(self) -> None:
        rows, index = 0, self.model().index(0, 0)
        while index.isValid():
            rows, index = rows + 1, self.indexBelow(index)
        self.setFixedHeight(rows * max(ROW, self.fontMetrics().height() + 9) + 2)


class Sidebar(QWidget):
    """Filter field above library, folders and tags."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        open_folder: Callable[[], object],
        remove_folder: Callable[[Path], object],
    ) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session = session
        self._remove_folder = remove_folder
        self.search = SearchField(session, theme)
        self._library = CountTreeModel(self)
        self.library_tree = CountTree(self._library, theme, self.tr("Library"))
        self.library_tree.setRootIsDecorated(False)
        self.folder_tree = CountTree(session.folders, theme, self.tr("Folders"))
        self.tag_tree = CountTree(session.tags, theme, self.tr("Tags"))
        add = tool_button(theme, "add-folder", self.tr("Open a folder of photos (Ctrl+O)"), open_folder)
        add.setEnabled(not session.read_only)
        self._no_tags = label(self.tr("No tags yet: select photos and press T."), "faint", wrap=True)
        self._no_tags.setContentsMargins(8, 2, 8, 0)

        content = QWidget()
        content.setObjectName("content")
        inside = QVBoxLayout(content)
        inside.setContentsMargins(8, 2, 4, 12)
        inside.setSpacing(1)
        inside.addWidget(self.library_tree)
        for title, tree, extra in (
            (self.tr("Folders"), self.folder_tree, add),
            (self.tr("Tags"), self.tag_tree, None),
        ):
            heading = QHBoxLayout()
            heading.setContentsMargins(6, 12, 4, 3)
            heading.addWidget(label(title, "section"))
            heading.addStretch(1)
            if extra is not None:
                heading.addWidget(extra)
            inside.addLayout(heading)
            inside.addWidget(tree)
        inside.addWidget(self._no_tags)
        inside.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(content)
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
        session.navigator.trail_changed.connect(self._mark)
        session.overview_changed.connect(self._show)
        for model in (session.folders, session.tags):
            model.rowsInserted.connect(self._expand_top)
            model.rowsRemoved.connect(self._show)
        self._show()

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
        self._mark()

    def _mark(self) -> None:
        collection = self._session.navigator.collection
        folder_shown = collection.folder is not None and not collection.query
        self.folder_tree.mark(collection.folder if folder_shown else None)
        self.library_tree.mark(collection.query if collection.folder is None else None)
        self.tag_tree.mark(self._session.navigator.shown_tag)

    def _expand_top(self, parent: QModelIndex) -> None:
        if not parent.isValid():
            self.folder_tree.expandToDepth(0)
        self._no_tags.setVisible(not self._session.tags.rowCount())

    def _folder_chosen(self, folder: object) -> None:
        if isinstance(folder, Path):
            self._session.navigator.show_folder(folder)

    def _show_folder_menu(self, folder: Path, place: QPoint) -> None:
        """Show what can be done with a root; the folders inside one have no menu."""
        if folder in [root.path for root in self._session.overview.roots] and not self._session.read_only:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(
                self.tr("Remove from the library\N{HORIZONTAL ELLIPSIS}"), lambda: self._remove_folder(folder)
            )
            menu.popup(place)
