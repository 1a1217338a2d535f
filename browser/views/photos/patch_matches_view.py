"""The focal image and another photo side by side, with the patches that are taken for the same."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from browser.models.local.patch_matches import Matches
from browser.models.session import Session
from browser.tasks.thumbnail_loader import PixelSize
from browser.views.base.buttons import tool_button
from browser.views.base.labels import ElidedLabel, label
from browser.views.base.painting import paint_photo
from browser.views.base.theme import Theme
from browser.views.photos.matched_points import RADIUS, Pair, paint_pairs, shape, spread

_GAP: Final = 46
_MARGIN: Final = 4
_CORNER: Final = 6.0
_REACH: Final = 13.0
"""How near the pointer has to be to a point."""


class PatchMatchesView(QWidget):
    """Two photos with numbered pairs of points; what is pointed at stands out."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Matching patches"))
        self._session = session
        self._local = session.local_view
        self.canvas = MatchCanvas(session, theme)
        self.title = ElidedLabel("", "title")
        self.status = label(variant="soft")
        self.close_button = tool_button(
            theme, "cross", self.tr("Leave the comparison (Esc)"), self._local.leave_matches
        )
        heading = QHBoxLayout()
        heading.addWidget(self.title, 1)
        heading.addWidget(self.close_button)
        foot = QHBoxLayout()
        foot.setSpacing(14)
        for number, name in enumerate(self._local.kinds):
            foot.addWidget(KindSign(theme, number, self.tr(name)))
        foot.addStretch(1)
        foot.addWidget(self.status)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(heading)
        layout.addWidget(self.canvas, 1)
        layout.addLayout(foot)
        self._local.matches_changed.connect(self._show)
        self._local.heat_changed.connect(self._show_status)

    def _show(self) -> None:
        matches = self._local.matches
        if matches is not None:
            self.title.setText(f"{matches.focal.name}  \N{LEFT RIGHT ARROW}  {matches.other.name}")
        elif not self._local.matching:
            self.title.setText("")
        self.canvas.show_matches(matches)
        self._show_status()

    def _show_status(self) -> None:
        local, matches = self._local, self._local.matches
        waiting = matches is None or matches.other.photo.id != local.other_id
        if local.failure:
            text = local.failure
        elif local.computing:
            text = self.tr("Learning what matters in this photo\N{HORIZONTAL ELLIPSIS}")
        elif local.other_id is None:
            text = self.tr("Select a photo to compare with.")
        elif waiting or matches is None:
            text = self.tr("Comparing the patches\N{HORIZONTAL ELLIPSIS}")
        elif not matches.pairs:
            text = self.tr("No patch of the focal image is nearer to this photo than to most.")
        else:
            text = self.tr("{0} patches: {1:.0f} % of what speaks for this photo")
            text = text.format(len(matches.pairs), 100 * sum(pair.share for pair in matches.pairs))
        self.status.setText(text)


class KindSign(QWidget):
    """The shape of a kind of patch, with its name."""

    def __init__(self, theme: Theme, kind: int, name: str) -> None:
        super().__init__()
        self._theme, self._kind, self._name = theme, kind, name
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return room for shape and name."""
        metrics = self.fontMetrics()
        return QSize(19 + metrics.horizontalAdvance(self._name), metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint shape and name."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("text-faint"))
        painter.drawPath(shape(self._kind, QPointF(6.5, self.height() / 2), 5))
        painter.setPen(self._theme.color("text-soft"))
        painter.drawText(self.rect().adjusted(19, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._name)


class MatchCanvas(QWidget):
    """Paints both photos and the pairs."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._matches: Matches | None = None
        self.pairs: list[Pair] = []
        """What is painted, in the coordinates of the widget."""
        self.chosen: int | None = None
        """The pair under the pointer."""
        self.setMouseTracking(True)
        self.setMinimumSize(200, 90)
        session.loader.loaded.connect(self._pictures_arrived)
        theme.changed.connect(self.update)

    def show_matches(self, matches: Matches | None) -> None:
        """Show other matches; None shows nothing."""
        self._matches = matches
        self.setAccessibleDescription("\n".join(map(self._words, range(self._count()))))
        self._ask()
        self._arrange()

    # ------------------------------------------------------------------ pictures
    def _box(self) -> PixelSize:
        side = -(-round(max(self.width() / 2, self.height()) * self.devicePixelRatioF()) // 128) * 128
        return PixelSize(side, side)

    def _ids(self) -> list[int]:
        return [] if self._matches is None else [self._matches.focal.photo.id, self._matches.other.photo.id]

    def _ask(self) -> None:
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
        """Return where both photos lie: as large as there is room, side by side in the middle."""
        if self._matches is None:
            return []
        room = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        sizes = []
        for card in (self._matches.focal, self._matches.other):
            photo = card.photo
            aspect = photo.width / photo.height if photo.width and photo.height else 1.5
            height = min(room.height(), (room.width() - _GAP) / 2 / aspect)
            sizes.append((height * aspect, height))
        left = room.center().x() - (sizes[0][0] + _GAP + sizes[1][0]) / 2
        lefts = left, left + sizes[0][0] + _GAP
        return [
            QRectF(start, room.center().y() - height / 2, width, height)
            for start, (width, height) in zip(lefts, sizes, strict=True)
        ]

    def _arrange(self) -> None:
        """Find where points and numbers lie."""
        self.pairs, self.chosen = [], None
        matches, places = self._matches, self._photos()
        if matches is not None:
            ends, labels = [], []
            for number, place in enumerate(places):
                shares = [(pair.focal, pair.other)[number] for pair in matches.pairs]
                ends.append(
                    [QPointF(place.left() + x * place.width(), place.top() + y * place.height()) for x, y in shares]
                )
                inside = place.adjusted(RADIUS, RADIUS, -RADIUS, -RADIUS)
                labels.append(spread(ends[-1], inside, 2 * RADIUS + 3))
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
        """Return the pair whose number or point lies under a point."""
        near = [
            (min(_length(spot - point) for spot in (*pair.labels, *pair.ends)), number)
            for number, pair in enumerate(self.pairs)
        ]
        return min(near)[1] if near and min(near)[0] <= _REACH else None

    def _words(self, number: int) -> str:
        if self._matches is None:
            return ""
        pair = self._matches.pairs[number]
        kind = self.tr(self._session.local_view.kinds[pair.kind])
        return self.tr("{0}: {1}, {2:.0f} % of what speaks for this photo").format(number + 1, kind, 100 * pair.share)

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
        """Let the pair under the pointer stand out."""
        self._choose(self._nearest(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Show all pairs alike."""
        self._choose(None)

    def _choose(self, number: int | None) -> None:
        if number != self.chosen:
            self.chosen = number
            self.setToolTip("" if number is None else self._words(number))
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find the places anew, and ask for pictures of the new size."""
        super().resizeEvent(event)
        self._ask()
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the pictures."""
        super().showEvent(event)
        self._ask()


def _length(step: QPointF) -> float:
    return math.hypot(step.x(), step.y())
