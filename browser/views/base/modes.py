"""The modes of the window, and what a page needs to be one of them."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget


class Mode(StrEnum):
    """What the whole window is used for; each has a button at the top and a page below it."""

    BROWSE = "browse"
    REVIEW = "review"
    MAP = "map"
    COMPARE = "compare"
    DUPLICATES = "duplicates"
    LEARNING = "learning"


class ModePage(QWidget):
    """A page that takes the place of all columns of photos.

    Esc, where nothing in the page takes it, returns to the photos.

    Signals
    -------
    left : None
        The page wants to return to the photos.
    """

    left = Signal()

    tag_field: QWidget | None = None
    """Where tags are typed, in a page that has selected photos."""

    def keys(self) -> list[tuple[str, list[str]]]:
        """Return what keys do in this page alone, each with its keys as `QKeySequence` writes them or in words."""
        return []

    def enter(self) -> None:
        """Begin, after the page has come in sight; take the keyboard focus."""
        self.setFocus()

    def leave(self) -> None:
        """End what goes on only while the page is in sight; it is hidden next."""
