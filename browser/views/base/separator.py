# SPDX-License-Identifier: MIT
"""A line between two panels or rows."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def separator() -> QWidget:
    """Return a horizontal line, one pixel high."""
    line = QWidget()
    line.setObjectName("line")
    line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    line.setFixedHeight(1)
    return line
