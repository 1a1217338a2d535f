# SPDX-License-Identifier: MIT
"""A tree of named entries with counts that is updated in place, so that expanded entries stay expanded."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.tool_tip import tool_tip

Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
_AT_HAND: Final = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_OF_ENTRIES: Final = _AT_HAND | Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsDropEnabled
"""Combined once, because flags are requested for each painted entry."""


class TreeRole(IntEnum):
    """Item data roles in addition to Qt's."""

    KEY = Qt.ItemDataRole.UserRole + 1
    """Key of the entry: for example, a tag's name or a folder."""
    COUNT = Qt.ItemDataRole.UserRole + 2
    """Number of photos, shown at the right."""
    ICON = Qt.ItemDataRole.UserRole + 3
    """Name of the icon."""
    FAINT = Qt.ItemDataRole.UserRole + 4
    """Whether the entry is unavailable at present."""


@dataclass
class Node:
    """One entry."""

    key: Hashable
    """Key of the entry, unique among its siblings."""
    title: str
    count: int
    icon: str = ""
    tip: str = ""
    faint: bool = False
    """Whether the entry is unavailable at present."""
    children: list[Node] = field(default_factory=list)


class _Entry:
    """A node with its place in the tree; `number` is the internal id of its indices, 0 for the root."""

    __slots__ = ("above", "entries", "node", "number", "row")

    def __init__(self, node: Node, above: _Entry | None, row: int, number: int) -> None:
        self.node, self.above, self.row, self.number = node, above, row, number
        self.entries: list[_Entry] = []

    def renumber(self, start: int) -> None:
        """Update the rows of the children from `start`."""
        for row in range(start, len(self.entries)):
            self.entries[row].row = row

    def with_all_below(self) -> Iterator[_Entry]:
        """Yield this entry and all below it."""
        yield self
        for entry in self.entries:
            yield from entry.with_all_below()


class CountTreeModel(QAbstractItemModel):
    """An item model for a list of `Node` trees.

    The data of a row is computed when it is painted, so that thousands of rows are added at once.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = count(1)
        self._root = _Entry(Node(None, "", 0), None, 0, 0)
        self._entries: dict[int, _Entry] = {}

    def update_tree(self, nodes: Sequence[Node]) -> None:
        """Show these entries, which must not be modified afterwards; unchanged entries are not touched."""
        self._sync(self._root, nodes)

    def find(self, key: Hashable) -> QModelIndex:
        """Return the index of the entry with this key, anywhere in the tree; an invalid index if there is none."""
        found = (entry for entry in self._root.with_all_below() if entry.number and entry.node.key == key)
        return self._index_of(next(found, self._root))

    # ------------------------------------------------------------------ Qt's model
    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        """Return the index of a row."""
        entries = self._entry(parent).entries
        if column or not 0 <= row < len(entries):
            return QModelIndex()
        return self.createIndex(row, 0, entries[row].number)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        """Return the index of an entry's parent."""
        above = self._entry(index).above
        return QModelIndex() if above is None else self._index_of(above)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return the number of an entry's children."""
        return len(self._entry(parent).entries)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return 1."""
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return flags that allow selecting and dragging entries, and dropping on and between them."""
        return _OF_ENTRIES if index.isValid() else Qt.ItemFlag.ItemIsDropEnabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of an entry."""
        if not index.isValid():
            return None
        node = self._entry(index).node
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return node.title
            case TreeRole.KEY:
                return node.key
            case TreeRole.COUNT:
                return node.count
            case TreeRole.ICON:
                return node.icon
            case TreeRole.FAINT:
                return node.faint
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(node.tip)
            case Qt.ItemDataRole.AccessibleTextRole:
                spoken = self.tr("{0}, {1}, offline") if node.faint else "{0}, {1}"
                return spoken.format(node.title, photos_in_words(node.count))
        return None

    # ------------------------------------------------------------------ private
    def _entry(self, index: Index) -> _Entry:
        return self._entries[index.internalId()] if index.isValid() else self._root

    def _index_of(self, entry: _Entry) -> QModelIndex:
        return self.createIndex(entry.row, 0, entry.number) if entry.number else QModelIndex()

    def _made(self, node: Node, above: _Entry, row: int) -> _Entry:
        """Create an entry with all below it, without notifying views."""
        entry = _Entry(node, above, row, next(self._numbers))
        self._entries[entry.number] = entry
        entry.entries = [self._made(each, entry, below) for below, each in enumerate(node.children)]
        return entry

    def _sync(self, above: _Entry, nodes: Sequence[Node]) -> None:
        """Replace the children of an entry, moving and keeping those with equal keys."""
        self._remove_all_but({node.key for node in nodes}, above)
        left = {entry.node.key for entry in above.entries}
        row = 0
        while row < len(nodes):
            end = row
            while end < len(nodes) and nodes[end].key not in left:
                end += 1
            if end > row:
                self._insert(nodes[row:end], above, row)
                row = end
                continue
            node = nodes[row]
            self._bring_to(row, node.key, above)
            entry = above.entries[row]
            if entry.node != node:
                below_changed, entry.node = entry.node.children != node.children, node
                index = self._index_of(entry)
                self.dataChanged.emit(index, index)
                if below_changed:
                    self._sync(entry, node.children)
            row += 1

    def _remove_all_but(self, wanted: set[Hashable], above: _Entry) -> None:
        last = len(above.entries) - 1
        while last >= 0:
            if above.entries[last].node.key in wanted:
                last -= 1
                continue
            first = last
            while first > 0 and above.entries[first - 1].node.key not in wanted:
                first -= 1
            self.beginRemoveRows(self._index_of(above), first, last)
            for entry in above.entries[first : last + 1]:
                for gone in entry.with_all_below():
                    del self._entries[gone.number]
            del above.entries[first : last + 1]
            above.renumber(first)
            self.endRemoveRows()
            last = first - 1

    def _insert(self, nodes: Sequence[Node], above: _Entry, row: int) -> None:
        made = [self._made(node, above, place) for place, node in enumerate(nodes, start=row)]
        self.beginInsertRows(self._index_of(above), row, row + len(made) - 1)
        above.entries[row:row] = made
        above.renumber(row + len(made))
        self.endInsertRows()

    def _bring_to(self, row: int, key: Hashable, above: _Entry) -> None:
        """Move the entry with a key, which is in this row or a later one, to this row."""
        place = next(place for place in range(row, len(above.entries)) if above.entries[place].node.key == key)
        if place > row:
            index = self._index_of(above)
            self.beginMoveRows(index, place, place, index, row)
            above.entries.insert(row, above.entries.pop(place))
            above.renumber(row)
            self.endMoveRows()
