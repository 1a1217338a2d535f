# SPDX-License-Identifier: MIT
"""The tool tips of a grid."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QToolTip, QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip

_MARGINS: Final = 30
_BELOW_POINTER: Final = 12


def show_beside(viewport: QWidget, tile: QRect, text: str) -> None:
    """Show a tool tip below or above a tile, never over its photo."""
    height = len(text.splitlines()) * QFontMetrics(QToolTip.font()).lineSpacing() + _MARGINS
    place = viewport.mapToGlobal(QPoint(tile.left(), min(tile.bottom(), viewport.height()) + 1))
    if place.y() + height > viewport.screen().availableGeometry().bottom():
        place = viewport.mapToGlobal(tile.topLeft()) - QPoint(0, height)
    # Qt shows it lower, where the pointer would not cover it
    QToolTip.showText(place - QPoint(0, _BELOW_POINTER), tool_tip(text), viewport, tile)


def show_below(viewport: QWidget, band: QRect, x: int, text: str) -> None:
    """Show a tool tip below a band, at the pointer's distance from the left edge."""
    place = viewport.mapToGlobal(band.bottomLeft() + QPoint(x, 0))
    QToolTip.showText(place, tool_tip(text), viewport, band)
