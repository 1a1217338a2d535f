# SPDX-License-Identifier: MIT
"""The descriptors of the library in groups, each with a check mark that takes effect when applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QAbstractItemModel, QCoreApplication, QModelIndex, QObject, Qt, Signal

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.formatting import file_size, grouped
from focal_photos.browser.models.photos.grid_model import Index
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.operations.describing import overview
from focal_photos.browser.operations.describing.enabled import all_descriptors
from focal_photos.browser.tasks.messages import in_words
from focal_photos.features.base import Descriptor


@dataclass(frozen=True)
class Group:
    """A group of descriptors that are shown together."""

    key: str
    title: str
    """`key` and `title`: the title is translated when it is shown."""


def _group(key: str, title: object) -> Group:
    return Group(key, str(title))


GROUPS: Final[tuple[Group, ...]] = (
    _group("color", QT_TRANSLATE_NOOP("descriptors", "Colour")),
    _group("texture", QT_TRANSLATE_NOOP("descriptors", "Texture")),
    _group("shape", QT_TRANSLATE_NOOP("descriptors", "Shape and edges")),
    _group("other", QT_TRANSLATE_NOOP("descriptors", "Others")),
    _group("fisher", QT_TRANSLATE_NOOP("descriptors", "Fisher vectors")),
    _group("signs", QT_TRANSLATE_NOOP("descriptors", "Signs of Fisher vectors, for suggestions")),
    _group("windows", QT_TRANSLATE_NOOP("descriptors", "Windows, for searches by a region")),
    _group("words", QT_TRANSLATE_NOOP("descriptors", "Visual words")),
    _group("network", QT_TRANSLATE_NOOP("descriptors", "Your own networks")),
    _group("local", QT_TRANSLATE_NOOP("descriptors", "Local (points of the photo)")),
    _group("reduction", QT_TRANSLATE_NOOP("descriptors", "Principal components of the above")),
)
"""The groups in display order; groups without descriptors are left out, except the networks."""


@dataclass(frozen=True)
class DescriptorsRead:
    """The state of the library's descriptors."""

    groups: tuple[tuple[Group, tuple[overview.DescriptorState, ...]], ...] = ()
    photos: int = 0
    """Number of photos that can have descriptors: neither missing nor unreadable."""


def read_descriptors(library: Library) -> DescriptorsRead:
    """Read the state of all descriptors; for the read lane."""
    every = all_descriptors(library)
    found: dict[str, list[overview.DescriptorState]] = {group.key: [] for group in GROUPS}
    for state in overview.overview(library):
        found[_key(every[state.name])].append(state)
    groups = ((group, tuple(found[group.key])) for group in GROUPS)
    return DescriptorsRead(
        tuple((group, states) for group, states in groups if states or group.key == "network"),
        len(library.photos.ids("-failed -missing")),
    )


def _key(descriptor: Descriptor) -> str:
    if descriptor.is_reduction:
        return "reduction"
    return descriptor.subject if descriptor.kind == "global" else descriptor.kind


class Column(IntEnum):
    """The columns of the model."""

    TITLE = 0
    DIMENSION = 1
    PHOTOS = 2
    BYTES = 3


class DescriptorRole(IntEnum):
    """Item data roles in addition to Qt's."""

    NAME = Qt.ItemDataRole.UserRole + 1
    """Name of a descriptor; key of a group."""
    PENDING = Qt.ItemDataRole.UserRole + 2
    """Whether the check mark has not been applied yet."""
    IS_NETWORK = Qt.ItemDataRole.UserRole + 3
    """Whether the descriptor is one of the user's networks."""


class DescriptorModel(QAbstractItemModel):
    """A tree of groups and their descriptors; check marks take effect when they are applied."""

    pending_changed = Signal()
    """The user has changed `pending`."""
    refused = Signal(str)
    """A check mark cannot be changed, for the given reason."""

    def __init__(self, *, read_only: bool = False, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read_only = read_only
        self._read = DescriptorsRead()
        self._pending: dict[str, bool] = {}

    # ------------------------------------------------------------------ pending check marks
    @property
    def pending(self) -> dict[str, bool]:
        """The descriptors to switch on or off, by name."""
        return dict(self._pending)

    @property
    def incomplete(self) -> bool:
        """Whether some photos lack a descriptor that is on; the next indexing computes it."""
        return any(state.on and state.photos < self._read.photos for state in self._states())

    def show_descriptors(self, read: DescriptorsRead) -> None:
        """Show new states; pending check marks stay."""
        names = [[state.name for state in states] for _, states in read.groups]
        if names == [[state.name for state in states] for _, states in self._read.groups]:
            self._read = read
            for row in range(len(read.groups)):
                parent = self.index(row, 0)
                self.dataChanged.emit(parent, self.index(row, Column.BYTES))
                last = self.rowCount(parent) - 1
                if last >= 0:
                    self.dataChanged.emit(self.index(0, 0, parent), self.index(last, Column.BYTES, parent))
        else:
            self.beginResetModel()
            self._read = read
            self.endResetModel()
        there = {state.name: state.on for state in self._states()}
        self._pending = {name: on for name, on in self._pending.items() if there.get(name, on) != on}

    def revert(self) -> None:
        """Discard the pending check marks."""
        self._pending.clear()
        self.show_descriptors(self._read)
        self.pending_changed.emit()

    def toggle(self, index: Index) -> None:
        """Check or uncheck a descriptor."""
        state = self._state(index)
        if state is not None:
            checked = Qt.CheckState.Unchecked if self._on(state) else Qt.CheckState.Checked
            self.setData(self.index(index.row(), 0, self.parent(index)), checked, Qt.ItemDataRole.CheckStateRole)

    def _on(self, state: overview.DescriptorState) -> bool:
        return self._pending.get(state.name, state.on)

    def _states(self) -> Sequence[overview.DescriptorState]:
        return [state for _, states in self._read.groups for state in states]

    # ------------------------------------------------------------------ structure
    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        """Return the index of a group or descriptor; a descriptor's internal id is its group's number + 1."""
        if not 0 <= row < self.rowCount(parent) or not 0 <= column < len(Column):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = QModelIndex()) -> Any:  # noqa: B008
        """Return the group of a descriptor."""
        if not index.isValid() or not index.internalId():
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of groups, or of descriptors in a group."""
        if not parent.isValid():
            return len(self._read.groups)
        if parent.internalId() or parent.column():
            return 0
        return len(self._read.groups[parent.row()][1])

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns."""
        return len(Column)

    def find(self, name: str) -> QModelIndex:
        """Return the index of a descriptor; an invalid index if it is absent."""
        for row, (_, states) in enumerate(self._read.groups):
            for inside, state in enumerate(states):
                if state.name == name:
                    return self.index(inside, 0, self.index(row, 0))
        return QModelIndex()

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of an item; in a read-only library, descriptors cannot be checked."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.internalId() and not index.column() and not self._read_only:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    # ------------------------------------------------------------------ content
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the titles of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Descriptor"), self.tr("Values"), self.tr("Photos"), self.tr("On disk"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a group or descriptor."""
        if not index.isValid():
            return None
        state = self._state(index)
        if state is None:
            return self._group_data(index, role)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(state, Column(index.column()))
        if role == Qt.ItemDataRole.CheckStateRole and not index.column():
            return Qt.CheckState.Checked if self._on(state) else Qt.CheckState.Unchecked
        if role == DescriptorRole.NAME:
            return state.name
        if role == DescriptorRole.PENDING:
            return state.name in self._pending
        if role == DescriptorRole.IS_NETWORK:
            return state.kind == "network"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(self._tip(state))
        if role == Qt.ItemDataRole.AccessibleTextRole and not index.column():
            on = self.tr("on") if self._on(state) else self.tr("off")
            return f"{in_words(state.title)}, {on}"
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Check or uncheck a descriptor, except the last one that photos can be ranked by."""
        state = self._state(index)
        if state is None or role != Qt.ItemDataRole.CheckStateRole or self._read_only:
            return False
        on = Qt.CheckState(value) == Qt.CheckState.Checked
        if not on and not any(
            self._on(other)
            for other in self._states()
            if other.kind not in ("local", "signs", "windows") and other.name != state.name
        ):
            text = self.tr("{0} stays on: rankings need a descriptor of the whole photo, and this is the last one.")
            self.refused.emit(text.format(in_words(state.title)))
            return False
        if on == state.on:
            self._pending.pop(state.name, None)
        else:
            self._pending[state.name] = on
        parent = self.parent(index)
        self.dataChanged.emit(self.index(index.row(), 0, parent), self.index(index.row(), Column.BYTES, parent))
        self.dataChanged.emit(self.index(parent.row(), 0), self.index(parent.row(), Column.BYTES))
        self.pending_changed.emit()
        return True

    # ------------------------------------------------------------------ private
    def _state(self, index: Index) -> overview.DescriptorState | None:
        if not index.isValid() or not index.internalId():
            return None
        return self._read.groups[index.internalId() - 1][1][index.row()]

    def _group_data(self, index: Index, role: int) -> Any:
        group, states = self._read.groups[index.row()]
        title = QCoreApplication.translate("descriptors", group.title)
        on = sum(self._on(state) for state in states)
        count = self.tr("{0} of {1} on").format(on, len(states)) if states else self.tr("none yet")
        if role == Qt.ItemDataRole.DisplayRole:
            return (title, "", "", count)[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{title}, {count}"
        if role == DescriptorRole.NAME:
            return group.key
        return None

    def _text(self, state: overview.DescriptorState, column: Column) -> str:
        if column is Column.TITLE:
            return in_words(state.title)
        if column is Column.DIMENSION:
            return grouped(state.dimension)
        if column is Column.BYTES:
            return file_size(state.bytes) if state.bytes else "\N{EN DASH}"
        if self._on(state) and not state.photos and self._read.photos:
            return self.tr("next indexing")
        if 0 < state.photos < self._read.photos:
            return self.tr("{0} of {1}").format(grouped(state.photos), grouped(self._read.photos))
        return grouped(state.photos) if state.photos else "\N{EN DASH}"

    def _tip(self, state: overview.DescriptorState) -> str:
        lines = [self.tr("{0} (on the command line: {1})").format(in_words(state.title), state.name)]
        if state.learned_from is not None:
            lines.append(self.tr("Learned from {0} of your photos").format(grouped(state.learned_from)))
        elif state.key is None:
            lines.append(self.tr("Fitted to your photos at the next indexing"))
        return "\n".join(lines)
