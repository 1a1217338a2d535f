# SPDX-License-Identifier: MIT
"""A bar of tags that can be added with one key or click; each keeps its place."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.review.tag_keys import TagKeys
from focal_photos.browser.views.base.buttons import FreshButton
from focal_photos.browser.views.base.layouts import FlowLayout, clear_layout

_LETTERS = 22


class KeyBar(QWidget):
    """Shows the tags that have keys, in the order of the keys, followed by others."""

    chosen = Signal(str)
    """A tag was clicked."""

    def __init__(self, keys: TagKeys) -> None:
        super().__init__()
        self._keys = keys
        self._shown: list[tuple[str, str]] = []
        self._flow = FlowLayout(4)
        self.setLayout(self._flow)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_tags(self, others: Sequence[str], likely: Collection[str], *, left_out: Collection[str] = ()) -> None:
        """Show the tags that have keys, and others; the likely ones are emphasised.

        A chip stays as long as its tag and key do, so that the pointer can stay on it from one question to the next.
        """
        tags = [tag for tag in self._keys.in_order() if tag not in left_out]
        tags += [tag for tag in others if tag not in tags and tag not in left_out]
        wanted = [(tag, self._keys.key(tag)) for tag in tags]
        if wanted != self._shown:
            self._shown = wanted
            clear_layout(self._flow)
            for tag, key in wanted:
                self._flow.addWidget(self._chip(tag, key))
        for chip, (tag, _key) in zip(self._flow.widgets(), wanted, strict=True):
            font = chip.font()
            if font.bold() != (tag in likely):
                font.setBold(tag in likely)
                chip.setFont(font)
        self.updateGeometry()

    @property
    def shows_any(self) -> bool:
        """Whether there is a tag to show."""
        return bool(self._shown)

    def _chip(self, tag: str, key: str) -> FreshButton:
        short = tag if len(tag) <= _LETTERS else f"{tag[: _LETTERS - 1]}\N{HORIZONTAL ELLIPSIS}"
        chip = _Chip(f"{key}  {short}" if key else short, "recent")
        chip.setObjectName(f"known {tag}")
        name = self.tr("Add {0}, key {1}").format(tag, key) if key else self.tr("Add {0}").format(tag)
        chip.setAccessibleName(name)
        chip.setToolTip(tool_tip(name))
        chip.clicked.connect(lambda: self.chosen.emit(tag))
        return chip


class _Chip(FreshButton):
    """A chip that ignores the second click of a double-click, which would answer the next question."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ignore the event."""
