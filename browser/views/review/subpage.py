# SPDX-License-Identifier: MIT
"""The base class of the pages within Review, one of which is shown at a time."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget


class Subpage(QWidget):
    """A page within Review."""

    left = Signal()
    """The user leaves the page: for the questions of Review, and from the questions for the photos."""

    pauses_questions = False
    """Whether no questions are computed while it is shown."""
    asks_chosen_tags = True
    """Whether it asks about the chosen tags, so that the choice is shown above it."""
    counts_photos_left = True
    """Whether the number of photos left is shown above it."""
    asks_about_boxes = False
    """Whether it can ask about boxes instead of photos."""
    gives_way = False
    """Whether questions about single photos replace it as soon as there are some."""

    def keys(self) -> list[tuple[str, list[str]]] | None:
        """Return the keys of this page, as `ModePage.keys`; None if they are those of Review."""
        return None

    def enter(self) -> None:
        """Begin when the page is shown; take the keyboard focus."""

    def leave(self) -> None:
        """End activities of the page before another page is shown."""

    def follow_scope(self) -> None:
        """Follow a change of the scope while the page is shown."""

    def follow_items(self) -> None:
        """Follow a switch between photos and boxes while the page is shown."""

    def escape(self) -> None:
        """Handle Esc: leave the page."""
        self.left.emit()
