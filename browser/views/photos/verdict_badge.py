# SPDX-License-Identifier: MIT
"""The number of judgements with one verdict, beside their mark; a click lists them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.views.base.painting import paint_mark
from focal_photos.browser.views.base.theme import Theme


class VerdictBadge(QAbstractButton):
    """A button with the mark of a verdict and a number beside it."""

    def __init__(self, theme: Theme, verdict: Verdict) -> None:
        super().__init__()
        self._theme = theme
        self._verdict = verdict
        self._count = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_count(0)

    def set_count(self, count: int) -> None:
        """Show a number."""
        self._count = count
        similar = self._verdict is Verdict.SIMILAR
        text = self.tr("{0} judged similar") if similar else self.tr("{0} judged not similar")
        self.setAccessibleName(text.format(count))
        self.setToolTip(tool_tip(self.tr("{0}: click to list them").format(text.format(count))))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of mark and number."""
        return QSize(26 + self.fontMetrics().horizontalAdvance(str(self._count)) + 6, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint mark and number."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_mark(painter, self._theme, self._verdict, QRectF(1, 2, 18, 18))
        if self.hasFocus():
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(self._theme.color("text"))
        painter.drawText(self.rect().adjusted(25, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, str(self._count))
