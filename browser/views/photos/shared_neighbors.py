# SPDX-License-Identifier: MIT
"""Thumbnails of the photos near to both the focal image and a selected photo, which explain their distance."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from focal_photos.browser.models.photos.tiles import SMALL_TILE, PhotoCard
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import FlowLayout, clear_layout, in_column
from focal_photos.browser.views.base.painting import paint_photo
from focal_photos.browser.views.base.theme import Theme

SIZE: Final = QSize(48, 36)


class SharedNeighborsRow(QWidget):
    """A line of text and a few pictures; a click makes one the focal image. Hidden if there are no pictures."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        words = label(self.tr("Both photos are close to these"), "faint", wrap=True)
        self._pictures = FlowLayout(4)
        in_column(words, self._pictures, margins=(0, 4, 0, 0), spacing=5, parent=self)
        session.metrics.shared_neighbors.changed.connect(self._show)
        session.loader.loaded.connect(lambda _ids: self.update())
        theme.changed.connect(self.update)
        self._show()

    def pictures(self) -> list[NeighborPicture]:
        """Return the shown pictures, the nearest first."""
        return [widget for widget in self._pictures.widgets() if isinstance(widget, NeighborPicture)]

    def _show(self) -> None:
        clear_layout(self._pictures)
        cards = self._session.metrics.shared_neighbors.cards
        for card in cards:
            picture = NeighborPicture(self._session, self._theme, card)
            picture.clicked.connect(lambda _=False, one=card.photo.id: self._session.navigator.focus(one))
            self._pictures.addWidget(picture)
        self._session.loader.request("shared neighbors", [card.photo.id for card in cards], SMALL_TILE)
        self.setVisible(bool(cards))


class NeighborPicture(QAbstractButton):
    """One thumbnail."""

    def __init__(self, session: Session, theme: Theme, card: PhotoCard) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._photo_id = card.photo.id
        self.setToolTip(tool_tip(card.name))
        self.setAccessibleName(self.tr("Close to both: {0}").format(card.name))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the common size."""
        return SIZE

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photo, or an icon until it is loaded, with a frame under the pointer and when focused."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        image = self._session.loader.image(self._photo_id, SMALL_TILE)
        if image is None or image.isNull():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("tile"))
            painter.drawRoundedRect(area, 4, 4)
            spot = QRectF(area.center().x() - 10, area.center().y() - 10, 20, 20)
            self._theme.paint_icon(painter, "image", spot, "text-faint")
        else:
            area = paint_photo(painter, image, area)
        if self.hasFocus() or self.underMouse():
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area, 4, 4)
