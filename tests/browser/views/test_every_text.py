# SPDX-License-Identifier: MIT
"""All texts of the window, its modes, dialogs and menus are in the user's language and fully visible."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QTableView,
    QToolButton,
    QTreeView,
    QWidget,
)

from focal_photos.browser.views.base import translation
from focal_photos.browser.views.base.labels import ElidedLabel, HintLabel
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.views.window.bars.trail_bar import TrailStep
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.places import dialogs, in_use, modes
from tests.translations import translations

SIZES: Final = [QSize(1024, 700), QSize(1366, 768)]

_ENGLISH: Final = re.compile(
    r"\b(the|of|and|or|with|without|is|are|not|nothing|for|from|to|this|these|that|it|by|photos|tags|as|each|every|you|"
    r"your|which|what|where|when|than|all|no|yes|first|new|open|save|show|choose|rating|settings)\b"
)
"""Lower-case words that occur in no German text."""

_MEANT: Final = re.compile(
    r"focal [a-z]+( --[\w-]+)*|[\w.]+\.(json|onnx|xmp|jpg)|\bauto\b|tag:\S+|\bor\b(?= und Klammern|n? tag:| tag)|text:|"
    r"\(Strand or |untagged|judged|rating>=3|\bask\b|FROM|ridge|votes|standard"
)
"""Typed input, which is the same in every language."""


def said(root: QWidget) -> Iterator[tuple[str, str]]:
    """Yield the texts of a window, for eyes and screen readers, with their places."""
    for widget in [root, *root.findChildren(QWidget)]:
        if isinstance(widget, GridView) or not (widget.isVisible() or isinstance(widget, QMenu)):
            continue
        where = f"{type(widget).__name__} {widget.objectName()}"
        texts = [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle()]
        if isinstance(widget, ElidedLabel | HintLabel):
            texts.append(widget.full_text())
        elif isinstance(widget, QLabel | QAbstractButton):
            texts.append(widget.text())
        if isinstance(widget, QLineEdit):
            texts.append(widget.placeholderText())
        if isinstance(widget, QMenu):
            texts.append(widget.title())
        if isinstance(widget, QComboBox):
            texts += [widget.itemText(number) for number in range(widget.count())]
        if isinstance(widget, QAbstractItemView):
            texts += cells(widget)
        for text in texts:
            if text:
                yield where, text
    for action in root.findChildren(QAction):
        for text in (action.text(), action.toolTip(), action.statusTip()):
            yield "QAction", text


def cells(view: QAbstractItemView) -> list[str]:
    """Return the texts of the cells and headings of a view."""
    model, found = view.model(), []
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
    if isinstance(model, QAbstractListModel):
        return [str(model.index(row).data(role) or "") for row in range(min(model.rowCount(), 200)) for role in roles]
    columns = range(model.columnCount())
    found += [str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns]

    def read(parent: QModelIndex) -> None:
        for row in range(min(model.rowCount(parent), 200)):
            for column in range(model.columnCount(parent)):
                index = model.index(row, column, parent)
                found.extend(str(index.data(role) or "") for role in roles)
            read(model.index(row, 0, parent))

    if not isinstance(view, QHeaderView):
        read(QModelIndex())
    return found


def english(text: str, translated: frozenset[str]) -> bool:
    """Return whether a text has English words or should have been translated, ignoring paths of test folders."""
    text = re.sub(r"<[^>]*>", " ", text)
    return text in translated or bool(_ENGLISH.search(_MEANT.sub("", re.sub(r"/\S+", "/", text))))


@pytest.mark.slow
@pytest.mark.parametrize("speaking", ["de"], indirect=True)
def test_nothing_is_left_in_english(speaking: str, driver: WindowDriver) -> None:
    in_use(driver)
    driver.window.message_bar.show_log()
    # numbers need no translation of their decimal separator, nor keys in the list of keys
    words = {text: forms for text, forms in translations("de").items() if any(map(str.isalpha, text))}
    translated = frozenset(text for text, forms in words.items() if forms != [text])
    found = {
        f"{name}: {where}: {text!r}"
        for places in (modes, dialogs)
        for name, root in places(driver)
        for where, text in said(root)
        if english(text, translated)
    }
    assert not found, "\n".join(sorted(found))


# -------------------------------------------------------------------- room
def cut_off(root: QWidget) -> Iterator[str]:
    """Yield the texts that have less space than they need."""
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not root:
            continue
        said, room, need = "", widget.width(), 0
        if isinstance(widget, ElidedLabel | TrailStep):
            continue  # names, counts and messages have the omitted part in the tool tip
        if isinstance(widget, QToolButton) and widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly:
            continue
        if isinstance(widget, HintLabel):
            if widget.full_text() and not widget.text():
                yield f"HintLabel {widget.full_text()!r} has no room"
            continue
        if isinstance(widget, QLabel):
            said = widget.text()
            if widget.wordWrap():
                room, need = widget.height(), widget.heightForWidth(widget.width())
            else:
                need = widget.sizeHint().width()
        elif isinstance(widget, QAbstractButton):
            said, need = widget.text(), widget.sizeHint().width()
        elif isinstance(widget, QComboBox):
            said = widget.currentText()
            need = widget.fontMetrics().horizontalAdvance(said) + 24
        elif isinstance(widget, QLineEdit):
            said = widget.placeholderText() if not widget.text() else ""
            need = widget.fontMetrics().horizontalAdvance(said) + 12
        if said and need > room + 1:
            yield f"{type(widget).__name__} {said!r} has {room} of {need}"
        elif said and (sides := outside(widget)):
            yield f"{type(widget).__name__} {said!r} is cut at the {sides}"
        if isinstance(widget, QTableView | QTreeView):
            yield from headings_cut_off(widget)


def outside(widget: QWidget) -> str:
    """Return the side at which a widget is cut off by a parent, unless it can be scrolled to."""
    inner, parent = widget, widget.parentWidget()
    while parent is not None and not inner.isWindow():
        rect = QRect(widget.mapTo(parent, QPoint(0, 0)), widget.size())
        scrolls = isinstance(parent.parentWidget(), QScrollArea)
        if rect.right() > parent.rect().right() + 1 or rect.left() < -1:
            return "side"
        if not scrolls and (rect.bottom() > parent.rect().bottom() + 1 or rect.top() < -1):
            return "top or bottom"
        if scrolls:
            return ""
        inner, parent = parent, parent.parentWidget()
    return ""


def headings_cut_off(view: QTableView | QTreeView) -> Iterator[str]:
    header = view.horizontalHeader() if isinstance(view, QTableView) else view.header()
    if not header.isVisible():
        return
    for column in range(header.count()):
        title = str(view.model().headerData(column, Qt.Orientation.Horizontal) or "")
        need = header.fontMetrics().horizontalAdvance(title) + 8
        if title and not header.isSectionHidden(column) and need > header.sectionSize(column):
            yield f"heading {title!r} has {header.sectionSize(column)} of {need}"


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width()}x{size.height()}")
@pytest.mark.parametrize("speaking", translation.LANGUAGES, indirect=True)
def test_nothing_is_cut_off(speaking: str, driver: WindowDriver, size: QSize) -> None:
    driver.window.resize(size)
    in_use(driver)
    found = []
    for name, root in modes(driver):
        assert driver.window.size() == size, f"{name} needs {driver.window.size()}"
        found += [f"{name}: {text}" for text in cut_off(root)]
        counts = driver.window.modes.review_page.question_page.heading.counts
        if counts.isVisible() and counts.text() != counts.full_text():
            found.append(f"{name}: the number of candidates is shortened to {counts.text()!r}")
    for name, root in dialogs(driver):
        root.resize(root.size().boundedTo(size))
        assert root.width() <= size.width(), name
        assert root.height() <= size.height(), name
        driver.wait_until_idle("the dialog")
        found += [f"{name}: {text}" for text in cut_off(root)]
    assert not found, "\n".join(dict.fromkeys(found))
