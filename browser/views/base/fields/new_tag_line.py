"""The last line of a list of tags that complete a text: the text itself, as a new tag."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def new_tag_line(typed: str) -> str:
    """Return the line for a text, with the keys that make a tag of it."""
    return QCoreApplication.translate("new tag", "New tag: {0}   (Shift+Enter)").format(typed.strip())
