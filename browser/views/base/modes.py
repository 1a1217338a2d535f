# SPDX-License-Identifier: MIT
"""The modes of the window, the base class of their pages, and the bars of a page."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget


class Mode(StrEnum):
    """A mode of the window; each has a button at the top and a page below it."""

    BROWSE = "browse"
    REVIEW = "review"
    MAP = "map"
    COMPARE = "compare"
    DUPLICATES = "duplicates"
    LEARNING = "learning"


class ModePage(QWidget):
    """A page that replaces the columns of photos.

    Esc returns to the photos unless a widget of the page handles it.
    """

    left = Signal()
    """The page requests to return to the photos."""

    tag_field: QWidget | None = None
    """The field for tags, in a page that has selected photos."""

    def keys(self) -> list[tuple[str, list[str]]]:
        """Return the keys of this page alone: a description with its keys, as `QKeySequence` texts or in words."""
        return []

    def enter(self) -> None:
        """Begin when the page is shown; take the keyboard focus."""
        self.setFocus()

    def leave(self) -> None:
        """End activities of the visible page before it is hidden."""


class PageBar(QWidget):
    """A bar for the heading or the foot of a page, which looks like the bar at the top of the window."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("topBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
