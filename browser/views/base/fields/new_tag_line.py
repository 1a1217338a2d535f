# SPDX-License-Identifier: MIT
"""The last line of a list of tag completions: the typed text as a new tag."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def new_tag_line(typed: str) -> str:
    """Return the line for a text, with the keys that make it a tag."""
    return QCoreApplication.translate("new tag", "New tag: {0}   (Shift+Enter)").format(typed.strip())
