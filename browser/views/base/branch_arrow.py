"""The arrow before an entry of a tree that has others below it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QPainter, QPen, QPolygonF

from browser.views.base.theme import Theme


def paint_branch_arrow(painter: QPainter, theme: Theme, rect: QRect, *, inset: float, expanded: bool) -> None:
    """Paint the arrow.

    Parameters
    ----------
    painter : QPainter
        Left as it was.
    theme : Theme
        Colours.
    rect : QRect
        Where the tree has its branches.
    inset : float
        From its right edge to the middle of the arrow, in pixels.
    expanded : bool
        Whether what lies below is shown: the arrow points down, else to the right.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("text-faint"), 1.6))
    center = QPointF(rect.right() - inset, rect.center().y() + 0.5)
    across, along = (QPointF(4, 0), QPointF(0, 2.2)) if expanded else (QPointF(0, 4), QPointF(2.2, 0))
    painter.drawPolyline(QPolygonF([center - across - along, center + along, center + across - along]))
    painter.restore()
