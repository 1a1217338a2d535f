"""All keys at a glance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from focal_photos.browser.views.base.action_spec import ActionSpec, translated
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label


class ShortcutsDialog(QDialog):
    """Keys by menu, in columns.

    Parameters
    ----------
    specs : sequence of ActionSpec
        The actions whose keys are listed.
    parent : QWidget, optional
    keys : callable, optional
        From the name of an action to the keys that a person has chosen; those that it comes with, if not given.
    """

    def __init__(
        self,
        specs: Sequence[ActionSpec],
        parent: QWidget | None = None,
        keys: Callable[[str], tuple[str, ...]] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keys"))
        groups: dict[str, list[tuple[str, list[str]]]] = {
            self.tr("Mouse"): [
                (self.tr("Make it the focal image"), [self.tr("Click")]),
                (self.tr("Select"), [self.tr("Ctrl+Click"), self.tr("Shift+Click")]),
                (self.tr("Look at it alone"), [self.tr("Double click")]),
                (self.tr("Size of the photos"), [self.tr("Ctrl+Wheel")]),
            ]
        }
        for spec in specs:
            chosen = spec.keys if keys is None else keys(spec.name)
            if chosen:
                title = translated(spec.menu).replace("&", "")
                groups.setdefault(title, []).append((_plain(spec), _keys(chosen)))
        tags = translated("&Tags").replace("&", "")
        groups[tags].insert(1, (self.tr("Give the tag on this key"), ["1", "…", "9"]))
        groups[tags].insert(2, (self.tr("Put the last tag on this key"), ["Ctrl+1", "…", "9"]))
        groups[tags].append((self.tr("Rate, or take the rating off"), ["Alt+1", "…", "5", "0"]))
        groups[tags].append((self.tr("Reject the photo"), ["Alt+X"]))
        groups[tags].append((self.tr("Label: red, yellow, green, blue"), ["Alt+6", "…", "9"]))

        columns = QHBoxLayout()
        columns.setSpacing(36)
        lines = [len(group) + 2 for group in groups.values()]
        column, used, limit = QVBoxLayout(), 0, -(-sum(lines) // 3) + 1
        column.setSpacing(14)
        columns.addLayout(column)
        for (title, rows), need in zip(groups.items(), lines, strict=True):
            if used and used + need > limit + 2:
                column.addStretch(1)
                column, used = QVBoxLayout(), 0
                column.setSpacing(14)
                columns.addLayout(column)
            column.addLayout(_group(title, rows))
            used += need
        column.addStretch(1)

        close = button(self.tr("Close"), "", self.accept)
        close.setDefault(True)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(18)
        layout.addLayout(columns)
        layout.addLayout(foot)


def _group(title: str, rows: list[tuple[str, list[str]]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(5)
    grid.setColumnStretch(0, 1)
    grid.addWidget(label(title, "section"), 0, 0, 1, 2)
    for row, (text, keys) in enumerate(rows, start=1):
        grid.addWidget(label(text), row, 0)
        caps = QHBoxLayout()
        caps.setSpacing(4)
        caps.addStretch(1)
        for key in keys:
            cap = label(key, "key")
            cap.setAlignment(Qt.AlignmentFlag.AlignCenter)
            caps.addWidget(cap)
        grid.addLayout(caps, row, 1)
    return grid


def _plain(spec: ActionSpec) -> str:
    return translated(spec.text).replace("&", "").rstrip("…")


def _keys(keys: Sequence[str]) -> list[str]:
    names = [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys[:2]]
    return [name for name in names if name != "="]
