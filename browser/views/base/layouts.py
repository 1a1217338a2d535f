# SPDX-License-Identifier: MIT
"""Layouts that wrap or scroll, clearing of layouts, and keyboard focus in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, Final, TypeVar, cast

from PySide6.QtCore import QEvent, QMargins, QObject, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

STRETCH: Final = 1
"""Empty space of a row or column that takes the room the other parts leave."""

LayoutT = TypeVar("LayoutT", bound=QBoxLayout)

_Part = QWidget | QLayout
Part = _Part | int | tuple[_Part, int] | tuple[_Part, int, Qt.AlignmentFlag]
"""Part of a row or column: a widget or a layout, perhaps with a stretch factor and an alignment, or `STRETCH`."""


def in_row(
    *parts: Part,
    margins: int | tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
    parent: QWidget | None = None,
) -> QHBoxLayout:
    """Return a layout of parts side by side.

    Parameters
    ----------
    margins : int or tuple of int, optional
        Pixels at all sides, or left, top, right and bottom; default: those of the style.
    spacing : int, optional
        Pixels between the parts; default: those of the style.
    parent : QWidget, optional
        The widget that gets the layout.
    """
    return _filled(QHBoxLayout() if parent is None else QHBoxLayout(parent), parts, margins, spacing)


def in_column(
    *parts: Part,
    margins: int | tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
    parent: QWidget | None = None,
) -> QVBoxLayout:
    """Return a layout of parts below each other; see `in_row`."""
    return _filled(QVBoxLayout() if parent is None else QVBoxLayout(parent), parts, margins, spacing)


def in_dialog(dialog: QWidget, *parts: Part, spacing: int = 12) -> QVBoxLayout:
    """Lay out the parts of a dialog below each other."""
    return in_column(*parts, margins=(18, 16, 18, 16), spacing=spacing, parent=dialog)


def open_dialog(dialog: QDialog) -> None:
    """Show a dialog over its window, and delete it once it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def _filled(
    layout: LayoutT, parts: Sequence[Part], margins: int | tuple[int, int, int, int] | None, spacing: int | None
) -> LayoutT:
    if margins is not None:
        layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            layout.addStretch(part)
            continue
        item = part[0] if isinstance(part, tuple) else part
        options: tuple[Any, ...] = part[1:] if isinstance(part, tuple) else ()
        if isinstance(item, QWidget):
            layout.addWidget(item, *options)
        else:
            layout.addLayout(item, *options)
    return layout


class FlowLayout(QLayout):
    """Lays widgets out side by side, centred in their line, and wraps at the end of the line.

    A widget with an ignored width, such as an `ElidedLabel`, takes the space that its line leaves.
    """

    def __init__(self, spacing: int = 5) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}  # by width, because Qt requests them again and again
        self._sizes: list[tuple[int, int]] = []  # of the items; empty: not computed
        self.setSpacing(spacing)
        self.setContentsMargins(QMargins())

    def addItem(self, item: QLayoutItem) -> None:
        """Add an item at the end."""
        self._items.append(item)
        self._forget()

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return an item."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove an item and return it."""
        self._forget()
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def widgets(self) -> list[QWidget]:
        """Return the widgets in order."""
        return [widget for item in self._items if (widget := item.widget()) is not None]

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrower flow is taller."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that a width needs."""
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def invalidate(self) -> None:
        """Clear cached heights and sizes after an item has changed."""
        self._forget()
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:
        """Place the items."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        """Return the minimum size."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Return the size of the largest item."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _forget(self) -> None:
        self._heights.clear()
        self._sizes.clear()

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        if not self._sizes:
            sizes = [(item, item.sizeHint()) for item in self._items]
            self._sizes = [(0 if _ignores_width(item) else size.width(), size.height()) for item, size in sizes]
        room, spacing = rect.width(), self.spacing()
        lines: list[list[tuple[QLayoutItem, int, int, int]]] = [[]]
        x, y = 0, rect.y()
        for item, (wished, height) in zip(self._items, self._sizes, strict=True):
            width = min(wished, room)
            if x and x + width > room:
                lines.append([])
                x = 0
            lines[-1].append((item, x, width, height))
            x += 0 if item.isEmpty() else width + spacing  # hidden widgets leave no gap
        for line in lines:
            tallest = max((height for *_, height in line), default=0)
            moved = 0
            for item, x, width, height in line if move else ():
                left = rect.x() + x + moved
                if _ignores_width(item):
                    width = moved = room - sum(line[-1][1:3])
                item.setGeometry(QRect(left, y + (tallest - height) // 2, width, height))
            y += tallest + spacing
        return y - spacing - rect.y()


def _ignores_width(item: QLayoutItem) -> bool:
    widget = item.widget()
    return widget is not None and widget.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored


class OneLine(QWidget):
    """A heading with buttons beside it; buttons at the end that do not fit are hidden, and a heading alone too."""

    _spacing: Final = 4

    def __init__(self) -> None:
        super().__init__()
        self._widgets: list[QWidget] = []
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def set_widgets(self, widgets: Sequence[QWidget]) -> None:
        """Show other widgets; the former ones are deleted."""
        for widget in self._widgets:
            widget.hide()
            widget.deleteLater()
        self._widgets = list(widgets)
        for widget in self._widgets:
            widget.setParent(self)
        self.updateGeometry()
        self._arrange()

    def widgets(self) -> list[QWidget]:
        """Return the widgets in order, hidden ones included."""
        return list(self._widgets)

    def sizeHint(self) -> QSize:
        """Return the size of all widgets in one line."""
        sizes = [widget.sizeHint() for widget in self._widgets]
        width = sum(size.width() for size in sizes) + self._spacing * max(len(sizes) - 1, 0)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        """Return the height of the line, and width 0."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the widgets that fit."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        ends = list(accumulate(widget.sizeHint().width() + self._spacing for widget in self._widgets))
        fitting = sum(end - self._spacing <= self.width() for end in ends)
        for place, (widget, end) in enumerate(zip(self._widgets, ends, strict=True)):
            size = widget.sizeHint()
            left = end - self._spacing - size.width()
            if self.isRightToLeft():
                left = self.width() - left - size.width()
            widget.setGeometry(left, (self.height() - size.height()) // 2, size.width(), size.height())
            widget.setVisible(fitting > 1 and place < fitting)


class FittingScrollArea(QScrollArea):
    """A scroll area as high as its content; with less space, the content scrolls and is never squeezed.

    Parameters
    ----------
    content : QWidget
        A widget whose layout has a height for every width.
    """

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        content.setObjectName("content")
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        content.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the height when that of the content changes."""
        if watched is self._content and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._choose_bar()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the scroll bar if the content fits without it."""
        super().resizeEvent(event)
        self._choose_bar()

    def _choose_bar(self) -> None:
        """Hide the scroll bar if the content fits without it; Qt keeps a visible one, beside which it does not fit."""
        room = self.maximumViewportSize()
        fits = self.heightForWidth(room.width()) <= room.height()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)

    def heightForWidth(self, width: int) -> int:
        """Return the height that the content needs."""
        content = self._content
        return content.heightForWidth(width) if content.hasHeightForWidth() else content.sizeHint().height()

    def sizeHint(self) -> QSize:
        """Return the size of the content."""
        return self._content.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return the minimum width of the content, and the height of up to three lines."""
        least = self._content.minimumSizeHint()
        return QSize(least.width(), min(least.height(), 3 * self.fontMetrics().lineSpacing()))


class BoundedStack(QStackedWidget):
    """A stack of pages with a bounded minimum size; pages that do not fit are cut off.

    Qt's minimum is the size of the largest page, even if hidden: with a large font, the window would not fit on the
    screen.

    Parameters
    ----------
    most : QSize
        Upper bound of the minimum size.
    """

    def __init__(self, most: QSize) -> None:
        super().__init__()
        self._most = most

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size of the pages, up to the bound."""
        return super().minimumSizeHint().boundedTo(self._most)


class ColumnScrollArea(QScrollArea):
    """A column that scrolls vertically, with its own minimum width."""

    def __init__(self, content: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def minimumSizeHint(self) -> QSize:
        """Return the minimum width of the column, and the height of a few lines."""
        return QSize(self.minimumWidth(), 4 * self.fontMetrics().lineSpacing())


def fair_shares(needs: Sequence[int], room: int) -> list[int]:
    """Divide a height: parts that need less than an equal share get what they need; the others divide the rest equally.

    Parameters
    ----------
    needs : sequence of int
        Pixels that each part could use.

    Returns
    -------
    list of int
        Pixels of each part, never more than it needs; they fill the available space if the needs do.

    Examples
    --------
    >>> fair_shares([50, 400, 600], 500)
    [50, 225, 225]
    """
    shares = [0] * len(needs)
    left = room
    for count, place in enumerate(sorted(range(len(needs)), key=lambda place: needs[place])):
        shares[place] = min(needs[place], max(left, 0) // (len(needs) - count))
        left -= shares[place]
    return shares


def clear_layout(layout: QLayout) -> None:
    """Remove all widgets of a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def holds_keyboard(widget: QWidget) -> bool:
    """Return whether the focused widget is inside a widget."""
    holder: QWidget | None = widget.window().focusWidget()
    return False if holder is None else widget.isAncestorOf(holder)


def focus_neighbor(window: QWidget, *, forward: bool) -> bool:
    """Move the keyboard focus to the next or previous widget in reading order; for `QWidget.focusNextPrevChild`.

    Qt's own order is that of creation: widgets created during use, such as buttons of tags, would come last.

    Returns
    -------
    bool
        False if no other widget takes the focus.
    """
    order = list(_in_reading_order(window))
    focused = window.focusWidget()
    at = order.index(focused) if focused in order else -1 if forward else 0
    ways = [*order[at + 1 :], *order[: max(at, 0)]] if forward else [*order[:at][::-1], *order[at + 1 :][::-1]]
    for widget in ways:
        takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if takes and widget.isEnabled() and widget.focusProxy() is None:
            widget.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
            _scroll_to(widget)
            return True
    return False


def _in_reading_order(widget: QWidget) -> Iterator[QWidget]:
    """Yield the visible widgets inside a widget, parents before children."""
    for child in _parts(widget):
        if child.isVisible():
            yield child
            yield from _in_reading_order(child)


def _parts(widget: QWidget) -> list[QWidget]:
    """Return the children of a widget: those in its layout, then those placed by hand, sorted by position."""
    if isinstance(widget, QAbstractItemView):
        return []
    if isinstance(widget, QSplitter):
        return [part for number in range(widget.count()) if (part := widget.widget(number)) is not None]
    layout = widget.layout()
    placed = [] if layout is None else list(_placed(layout))
    others = [
        child
        for child in widget.children()
        if isinstance(child, QWidget) and not child.isWindow() and child not in placed
    ]
    return [*placed, *sorted(others, key=lambda child: (child.y(), child.x()))]


def _placed(layout: QLayout) -> Iterator[QWidget]:
    """Yield the widgets of a layout and of nested layouts in order; those of a grid line by line."""
    numbers = list(range(layout.count()))
    if isinstance(layout, QGridLayout):
        grid = layout
        numbers.sort(key=lambda number: cast(tuple[int, int, int, int], grid.getItemPosition(number)))
    for number in numbers:
        item = layout.itemAt(number)
        if item is None:
            continue
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            yield widget
        elif inner is not None:
            yield from _placed(inner)


def _scroll_to(widget: QWidget) -> None:
    """Scroll a widget into view."""
    parent = widget.parentWidget()
    while parent is not None and not parent.isWindow():
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()
