# SPDX-License-Identifier: MIT
"""The focal image and another photo side by side, with numbered pairs of matching patches."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.local.patch_matches import Matches
from focal_photos.browser.models.photos.rotation import rotated_point
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.painting import paint_photo
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.matches.matches_painting import RADIUS, Pair, paint_pairs, separate

_GAP: Final = 46
_MARGIN: Final = 4
_CORNER: Final = 6.0
_HIT_DISTANCE: Final = 13.0
"""Largest distance between pointer and point for a hit, in logical pixels."""


class MatchesCanvas(QWidget):
    """Paints both photos and the pairs, and highlights the pair under the pointer."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._matches: Matches | None = None
        self.pairs: list[Pair] = []
        """The painted pairs, in widget coordinates."""
        self.chosen: int | None = None
        """The pair under the pointer."""
        self.setMouseTracking(True)
        self.setMinimumSize(200, 90)
        session.loader.loaded.connect(self._pictures_arrived)
        theme.changed.connect(self.update)

    def show_matches(self, matches: Matches | None) -> None:
        """Show other matches; None clears the canvas."""
        self._matches = matches
        self.setAccessibleDescription("\n".join(map(self._description, range(self._count()))))
        self._request_pictures()
        self._arrange()

    # ------------------------------------------------------------------ pictures
    def _box(self) -> PixelSize:
        side = -(-round(max(self.width() / 2, self.height()) * self.devicePixelRatioF()) // 128) * 128
        return PixelSize(side, side)

    def _ids(self) -> list[int]:
        return [] if self._matches is None else [self._matches.focal.photo.id, self._matches.other.photo.id]

    def _request_pictures(self) -> None:
        if self.isVisible():
            self._session.loader.request("matches", self._ids(), self._box())

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        if set(photo_ids) & set(self._ids()):
            self._arrange()

    def _images(self) -> list[QImage | None]:
        return [self._session.loader.image(photo_id, self._box()) for photo_id in self._ids()]

    # ------------------------------------------------------------------ places
    def _count(self) -> int:
        return 0 if self._matches is None else len(self._matches.pairs)

    def _photos(self) -> list[QRectF]:
        """Return the rectangles of both photos: as large as possible, side by side in the middle."""
        if self._matches is None:
            return []
        room = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        sizes = []
        for card in (self._matches.focal, self._matches.other):
            photo = card.photo
            aspect = photo.width / photo.height if photo.width and photo.height else 1.5
            aspect = 1 / aspect if card.quarters % 2 else aspect
            height = min(room.height(), (room.width() - _GAP) / 2 / aspect)
            sizes.append((height * aspect, height))
        left = room.center().x() - (sizes[0][0] + _GAP + sizes[1][0]) / 2
        lefts = left, left + sizes[0][0] + _GAP
        return [
            QRectF(start, room.center().y() - height / 2, width, height)
            for start, (width, height) in zip(lefts, sizes, strict=True)
        ]

    def _arrange(self) -> None:
        """Compute the places of points and numbers."""
        self.pairs, self.chosen = [], None
        matches, places = self._matches, self._photos()
        if matches is not None:
            ends, labels = [], []
            for number, (place, card) in enumerate(zip(places, (matches.focal, matches.other), strict=True)):
                shares = [rotated_point(*(pair.focal, pair.other)[number], card.quarters) for pair in matches.pairs]
                ends.append(
                    [QPointF(place.left() + x * place.width(), place.top() + y * place.height()) for x, y in shares]
                )
                inside = place.adjusted(RADIUS, RADIUS, -RADIUS, -RADIUS)
                labels.append(separate(ends[-1], inside, 2 * RADIUS + 3))
            heat_map = self._session.local_view.heat_map
            reach = heat_map.reach if heat_map is not None else (0.0,) * len(self._session.local_view.kinds)
            longest = [max(place.width(), place.height()) for place in places]
            self.pairs = [
                Pair(
                    pair.kind,
                    (ends[0][number], ends[1][number]),
                    (labels[0][number], labels[1][number]),
                    (reach[pair.kind] * longest[0], reach[pair.kind] * longest[1]),
                )
                for number, pair in enumerate(matches.pairs)
            ]
        self.update()

    def _nearest(self, point: QPointF) -> int | None:
        """Return the pair whose number or point is nearest to a point, within reach."""
        near = [
            (min(_length(spot - point) for spot in (*pair.labels, *pair.ends)), number)
            for number, pair in enumerate(self.pairs)
        ]
        return min(near)[1] if near and min(near)[0] <= _HIT_DISTANCE else None

    def _description(self, number: int) -> str:
        if self._matches is None:
            return ""
        pair = self._matches.pairs[number]
        kind = self.tr(self._session.local_view.kinds[pair.kind])
        return self.tr("{0}: {1}, {2:.0f} % of the similarity").format(number + 1, kind, 100 * pair.share)

    # ------------------------------------------------------------------ events
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photos, then the pairs."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        for place, image in zip(self._photos(), self._images(), strict=True):
            if image is not None and not image.isNull():
                paint_photo(painter, image, place, _CORNER)
            else:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._theme.color("tile"))
                painter.drawRoundedRect(place, _CORNER, _CORNER)
        paint_pairs(painter, self.pairs, self.chosen)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the pair under the pointer."""
        self._choose(self._nearest(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Highlight no pair."""
        self._choose(None)

    def _choose(self, number: int | None) -> None:
        if number != self.chosen:
            self.chosen = number
            self.setToolTip(tool_tip("" if number is None else self._description(number)))
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange both photos again, and request pictures of the new size."""
        super().resizeEvent(event)
        self._request_pictures()
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Request the pictures."""
        super().showEvent(event)
        self._request_pictures()


def _length(step: QPointF) -> float:
    return math.hypot(step.x(), step.y())
