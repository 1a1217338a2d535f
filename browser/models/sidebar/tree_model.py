"""A tree of named entries with counts that is brought up to date in place, so that what is open stays open."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.tool_tip import tool_tip


class TreeRole(IntEnum):
    """Roles beside Qt's own."""

    KEY = Qt.ItemDataRole.UserRole + 1
    """What the entry stands for: a tag's name, a folder."""
    COUNT = Qt.ItemDataRole.UserRole + 2
    """Number of photos, shown at the right."""
    ICON = Qt.ItemDataRole.UserRole + 3
    """Name of the icon."""
    FAINT = Qt.ItemDataRole.UserRole + 4
    """Whether what it stands for is not there now."""


@dataclass
class Node:
    """One entry.

    Attributes
    ----------
    key : hashable
        Identity among its siblings, and what the entry stands for.
    title : str
        What is shown.
    count : int
        Number of photos.
    icon : str
        Name of the icon.
    tip : str
        Shown under the pointer.
    faint : bool
        Whether what it stands for is not there now.
    """

    key: Hashable
    title: str
    count: int
    icon: str = ""
    tip: str = ""
    faint: bool = False
    children: list[Node] = field(default_factory=list)


class CountTreeModel(QStandardItemModel):
    """Shows a list of `Node` trees."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setColumnCount(1)
        self._shown: Sequence[Node] = ()

    def update_tree(self, nodes: Sequence[Node]) -> None:
        """Show these entries, which stay as they are from now on; unchanged ones are not touched."""
        self._sync(self.invisibleRootItem(), nodes, self._shown)
        self._shown = nodes

    def find(self, key: Hashable) -> QModelIndex:
        """Return the index of the entry with this key, anywhere in the tree; an invalid one if there is none."""
        pending = [self.invisibleRootItem()]
        while pending:
            item = pending.pop()
            for row in range(item.rowCount()):
                child = item.child(row)
                if child.data(TreeRole.KEY) == key:
                    return child.index()
                pending.append(child)
        return QModelIndex()

    def _sync(self, parent: QStandardItem, nodes: Sequence[Node], shown: Sequence[Node]) -> None:
        """Bring the children of an item, which show some entries, to others."""
        wanted = {node.key for node in nodes}
        for row in range(parent.rowCount() - 1, -1, -1):
            if parent.child(row).data(TreeRole.KEY) not in wanted:
                parent.removeRow(row)
        before = {node.key: node for node in shown}
        for row, node in enumerate(nodes):
            item = parent.child(row) if row < parent.rowCount() else None
            if item is None or item.data(TreeRole.KEY) != node.key:
                item = _taken(parent, node.key, row)
                if item is None:
                    # With all that is below it: outside the model nobody is told of each.
                    item = QStandardItem()
                    item.setEditable(False)
                    item.setData(node.key, TreeRole.KEY)
                    self._fill(item, node)
                    self._sync(item, node.children, ())
                    parent.insertRow(row, [item])
                    continue
                parent.insertRow(row, [item])  # the list hands the item over to Qt, a single item it would not
            known = before.get(node.key)
            if known != node:
                self._fill(item, node)
                self._sync(item, node.children, known.children if known is not None else ())

    def _fill(self, item: QStandardItem, node: Node) -> None:
        told = (item.data(TreeRole.COUNT), item.text(), item.toolTip(), bool(item.data(TreeRole.FAINT)))
        if told == (node.count, node.title, tool_tip(node.tip), node.faint):
            return
        item.setText(node.title)
        item.setData(node.count, TreeRole.COUNT)
        item.setData(node.icon, TreeRole.ICON)
        item.setToolTip(tool_tip(node.tip))
        item.setData(node.faint, TreeRole.FAINT)
        spoken = self.tr("{0}, {1}, away") if node.faint else "{0}, {1}"
        item.setAccessibleText(spoken.format(node.title, photos_in_words(node.count)))


def _taken(parent: QStandardItem, key: Hashable, start: int) -> QStandardItem | None:
    """Take the child with this key out of its later place; None if there is none."""
    for row in range(start, parent.rowCount()):
        if parent.child(row).data(TreeRole.KEY) == key:
            taken: QStandardItem = parent.takeRow(row)[0]
            return taken
    return None
