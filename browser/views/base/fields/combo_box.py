# SPDX-License-Identifier: MIT
"""A combo box in the colours of the theme."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QComboBox, QStyle, QStyledItemDelegate, QStyleOptionComboBox, QStylePainter

from focal_photos.browser.views.base.theme import Theme

_MARGINS: Final = 8
"""Pixels that Qt's own size hint lacks under a style sheet."""


class ComboBox(QComboBox):
    """A combo box whose arrow follows the theme."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setItemDelegate(QStyledItemDelegate(self))  # Qt's own one ignores the theme's highlight

    def sizeHint(self) -> QSize:
        """Return the size of the longest text with the margins of the style sheet."""
        hint = super().sizeHint()
        return QSize(hint.width() + _MARGINS, hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame and text by the style, then the arrow."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        field = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        option.currentText = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, field.width() - 2
        )
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("text-soft"))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        middle = QPointF(14 if mirrored else self.width() - 14, self.height() / 2)
        painter.drawPolyline(QPolygonF([middle + QPointF(-4, -2), middle + QPointF(0, 2.2), middle + QPointF(4, -2)]))
