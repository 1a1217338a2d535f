# SPDX-License-Identifier: MIT
"""The list of all keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from focal_photos.browser.models.settings.shortcuts import Shortcuts
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row


class ShortcutsDialog(QDialog):
    """The chosen keys by menu, in columns.

    Parameters
    ----------
    walks_on_click : bool
        Whether one click makes a photo the focal image; otherwise a click selects it, and a double-click does.
    here : (str, list of (str, list of str))
        The title of the current page, and its own keys, which come first.
    """

    def __init__(
        self,
        shortcuts: Shortcuts,
        parent: QWidget | None = None,
        *,
        walks_on_click: bool = False,
        here: tuple[str, list[tuple[str, list[str]]]] = ("", []),
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keys"))
        self.setProperty("guide", "keys.md")
        click, double = self.tr("Click"), self.tr("Double click")
        walking = [
            (self.tr("Set as focal image"), [click if walks_on_click else double]),
            (self.tr("View single photo"), [double] if walks_on_click else []),
            (self.tr("Select"), [self.tr("Ctrl+Click") if walks_on_click else click]),
            (self.tr("Select several"), [self.tr("Ctrl+Click"), self.tr("Shift+Click")]),
            (self.tr("Size of the photos"), [self.tr("Ctrl+Wheel")]),
        ]
        groups = {here[0]: [(text, _keys(keys)) for text, keys in here[1]]} if here[1] else {}
        groups[self.tr("Mouse")] = [line for line in walking if line[1]]
        several = {
            "tag": (self.tr("Add the tag of this key"), ["1", "…", "9"]),
            "pin": (self.tr("Assign the last tag to this key"), [*_keys(["Ctrl+1"]), "…", "9"]),
            "rating": (self.tr("Rate, reject, remove the rating"), ["Alt+1", "…", "5", "X", "0"]),
            "label": (self.tr("Label: red, yellow, green, blue"), ["Alt+6", "…", "9"]),
        }
        seen: set[str] = set()
        for one in shortcuts.actions:
            family, dot, _ = one.name.partition(".")
            as_it_comes = not any(
                shortcuts.is_changed(other.name) for other in shortcuts.actions if other.name.startswith(f"{family}.")
            )
            if dot and family in several and as_it_comes:
                if family not in seen:
                    groups.setdefault(one.group, []).append(several[family])
                seen.add(family)
            elif keys := shortcuts.keys(one.name):
                groups.setdefault(one.group, []).append((one.title, _keys(keys)))

        # as large as needed, up to the size of the screen
        room = self.screen().availableGeometry().size() * 0.94
        beside = QSize(80, 110)
        for number in (3, 2, 1):
            page = _columns(groups, number)
            if page.sizeHint().width() + beside.width() <= room.width():
                break
        close = button(self.tr("Close"), "", self.accept)
        close.setDefault(True)
        foot = in_row(STRETCH, close)
        layout = in_column(margins=(24, 20, 24, 18), spacing=18, parent=self)
        scrolled = QScrollArea()
        scrolled.setAccessibleName(self.tr("Keys"))
        scrolled.setWidget(page)
        scrolled.setWidgetResizable(True)
        layout.addWidget(scrolled, 1)
        layout.addLayout(foot)
        self.resize((page.sizeHint() + beside).boundedTo(room))


def _columns(groups: Mapping[str, list[tuple[str, list[str]]]], number: int) -> QWidget:
    """Return the groups side by side, in columns of about equal length."""
    page = QWidget()
    columns = in_row(margins=(0, 0, 10, 0), spacing=36, parent=page)
    lines = [len(group) + 2 for group in groups.values()]
    column, used, limit = QVBoxLayout(), 0, -(-sum(lines) // number) + 1
    column.setSpacing(14)
    columns.addLayout(column)
    for (title, rows), need in zip(groups.items(), lines, strict=True):
        if used and used + need > limit + 2 and columns.count() < number:
            column.addStretch(1)
            column, used = QVBoxLayout(), 0
            column.setSpacing(14)
            columns.addLayout(column)
        column.addLayout(_group(title, rows))
        used += need
    column.addStretch(1)
    return page


def _group(title: str, rows: list[tuple[str, list[str]]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(5)
    grid.setColumnStretch(0, 1)
    grid.addWidget(label(title, "section"), 0, 0, 1, 2)
    for row, (text, keys) in enumerate(rows, start=1):
        grid.addWidget(label(text), row, 0)
        caps = in_row(STRETCH, spacing=4)
        for key in keys:
            cap = label(key, "key")
            cap.setAlignment(Qt.AlignmentFlag.AlignCenter)
            caps.addWidget(cap)
        grid.addLayout(caps, row, 1)
    return grid


def _keys(keys: Sequence[str]) -> list[str]:
    names = [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) or key for key in keys[:2]]
    return [name for name in names if name != "="]
