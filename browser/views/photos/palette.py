# SPDX-License-Identifier: MIT
"""Colours that tell things apart on photos and on dark and light backgrounds."""

from __future__ import annotations

import zlib
from typing import Final

from PySide6.QtGui import QColor

# Okabe and Ito's colours, which differ for any colour vision, and are readable on dark and light backgrounds.
PALETTE: Final = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#d55e00", "#0072b2", "#b8a800", "#7d6bd6")

_TAG_COLORS: Final = ("#e6194b", "#17c3c3", "#f032e6", "#a6d609", "#ffb3c7", "#9a6324", "#ffe119", "#4363d8")
"""Further colours, for tags: a photo has few of them, with their names."""

_BRIGHT: Final = 0.45
"""Relative luminance from which black text is readable on a colour."""


def legend_color(number: int) -> QColor:
    """Return a colour of the palette by its number, from 1."""
    return QColor(PALETTE[(number - 1) % len(PALETTE)])


def tag_color(tag: str) -> QColor:
    """Return the colour of a tag, the same in every library and on every day."""
    colors = PALETTE + _TAG_COLORS
    return QColor(colors[zlib.crc32(tag.encode("utf-8", "replace")) % len(colors)])


def text_color_on(color: QColor) -> QColor:
    """Return black or white, whichever is readable on a colour."""
    luminance = 0.299 * color.redF() + 0.587 * color.greenF() + 0.114 * color.blueF()
    return QColor("black" if luminance > _BRIGHT else "white")
