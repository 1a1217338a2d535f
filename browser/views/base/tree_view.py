# SPDX-License-Identifier: MIT
"""A tree view whose branches are arrows in the colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QTreeView

from focal_photos.browser.views.base.theme import Theme


class TreeView(QTreeView):
    """Paints an arrow before each entry with children: sideways if it is collapsed, downwards if expanded.

    Parameters
    ----------
    arrow_inset : float
        Distance between the arrow's middle and the edge of the branches next to the entry, in logical pixels.
    """

    def __init__(self, theme: Theme, arrow_inset: float) -> None:
        super().__init__()
        self._theme = theme
        self._arrow_inset = arrow_inset

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        """Paint the arrow."""
        if not self.model().hasChildren(index):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("text-faint"), 1.6))
        mirrored = self.isRightToLeft()
        middle = rect.left() + 1 + self._arrow_inset if mirrored else rect.right() - self._arrow_inset
        center = QPointF(middle, rect.center().y() + 0.5)
        across, along = QPointF(0, 4), QPointF(-2.2 if mirrored else 2.2, 0)
        if self.isExpanded(index):
            across, along = QPointF(4, 0), QPointF(0, 2.2)
        painter.drawPolyline(QPolygonF([center - across - along, center + along, center + across - along]))
        painter.restore()
