# SPDX-License-Identifier: MIT
"""Explanation of a distance: a bar for each part, beside the focal image."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from focal_photos.browser.models.metrics.reasons import Bar
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.ranking import why_near
from focal_photos.browser.tasks.messages import Localized
from focal_photos.browser.views.base.labels import ElidedLabel, NamesLabel, label
from focal_photos.browser.views.base.layouts import in_column
from focal_photos.browser.views.base.theme import Theme, scaled_font

ROW: Final = 16
_MAX_REASONS: Final = 5
_FONT: Final = 0.9
"""Size of the texts over that of the font."""

_MIN_LINE_HEIGHT: Final = 0.8
"""Least height of a line over that of its font."""
_TITLES: Final = 0.36
"""Largest share of the width for the titles."""

_NARROW_WIDTH: Final = 320
_TITLES_WHERE_NARROW: Final = 0.55


class WhyPanel(QWidget):
    """The name of the photo, a bar for each part, and a sentence; without a selection, a hint."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.title = NamesLabel("title")
        self.bars = PartBars(theme)
        self.note = ElidedLabel("", "faint", lines=2)
        self.hint = label("", "faint", wrap=True)
        self.setAccessibleName(self.tr("Why is this near?"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(180)
        in_column(self.title, (self.bars, 1), self.note, self.hint, margins=0, spacing=2, parent=self)
        session.metrics.reasons.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        shown = self._session.metrics.reasons.shown
        for widget in (self.title, self.bars, self.note):
            widget.setVisible(not shown.hint)
        self.hint.setVisible(bool(shown.hint))
        self.hint.setText(shown.hint)
        self.title.show_names(shown.heading, shown.names)
        self.note.setText(shown.note)
        self.bars.show_bars(shown.bars)
        lines = [shown.title, *(f"{bar.title} {Localized(bar.value):.3f}" for bar in shown.bars), shown.note]
        self.setAccessibleDescription("\n".join(filter(None, lines)) or shown.hint)


class PartBars(QWidget):
    """Bars on one scale, with a mark at the usual value; negative bars go to the left."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.shown: tuple[Bar, ...] = ()
        theme.changed.connect(self.update)

    def show_bars(self, bars: tuple[Bar, ...]) -> None:
        """Show other bars."""
        self.shown = bars
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size with one line for each bar."""
        return QSize(260, self.row_height() * max(len(self.shown), 1))

    def minimumSizeHint(self) -> QSize:
        """Return a size with a few lines; if there are more bars, they become flatter."""
        return QSize(160, round(0.75 * self.row_height()) * min(max(len(self.shown), 1), _MAX_REASONS))

    def bar_rect(self, number: int) -> QRectF:
        """Return the rectangle of a bar, from 0 to its value."""
        low, high = self._range()
        area = self._lane(number)
        start, end = ((value - low) / (high - low) for value in sorted((0.0, self.shown[number].value)))
        return QRectF(area.left() + start * area.width(), area.top(), (end - start) * area.width(), area.height())

    def _range(self) -> tuple[float, float]:
        values = [0.0, *(bar.value for bar in self.shown), *(bar.usual for bar in self.shown if bar.usual is not None)]
        low, high = min(values), max(values)
        return (low, high) if high > low else (0.0, 1.0)

    def _height(self) -> float:
        return min(float(self.row_height()), self.height() / max(len(self.shown), 1))

    def row_height(self) -> int:
        """Return the height of a line that needs no smaller font."""
        return max(ROW, round(_MIN_LINE_HEIGHT * QFontMetricsF(scaled_font(self.font(), _FONT)).height()))

    def _title_width(self) -> float:
        metrics = QFontMetricsF(self._font())
        widest = max((metrics.horizontalAdvance(bar.title) for bar in self.shown), default=0.0)
        return min(widest + 10, self.width() * (_TITLES if self.width() > _NARROW_WIDTH else _TITLES_WHERE_NARROW))

    def _number_width(self) -> float:
        return QFontMetricsF(self._font()).horizontalAdvance("-0.0000") + 6

    def _font(self) -> QFont:
        """Return the font; it is smaller where bars are flat, so that lines never overlap."""
        wanted = scaled_font(self.font(), _FONT)
        share = self._height() / (_MIN_LINE_HEIGHT * QFontMetricsF(wanted).height())
        return scaled_font(self.font(), _FONT * share) if share < 1 else wanted

    def _lane(self, number: int) -> QRectF:
        """Return the space for a bar."""
        height, left = self._height(), self._title_width()
        return QRectF(
            left, number * height + height * 0.22, max(self.width() - left - self._number_width(), 10), height * 0.56
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint title, bar, mark and number of each part, from left to right in every language, like a scale."""
        painter, theme = QPainter(self), self._theme
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font())
        metrics = QFontMetricsF(painter.font())
        low, high = self._range()
        height, middle = self._height(), Qt.AlignmentFlag.AlignVCenter
        for number, bar in enumerate(self.shown):
            lane = self._lane(number)
            line = QRectF(0, number * height, self.width(), height)
            painter.setPen(theme.color("text-soft"))
            title = metrics.elidedText(bar.title, Qt.TextElideMode.ElideRight, lane.left() - 8)
            painter.drawText(line, middle | Qt.AlignmentFlag.AlignLeft, title)
            painter.drawText(line, middle | Qt.AlignmentFlag.AlignRight, f"{Localized(bar.value):.3f}")
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("line"))
            painter.drawRoundedRect(lane, 2, 2)
            painter.setBrush(self._color(bar))
            painter.drawRoundedRect(self.bar_rect(number), 2, 2)
            if bar.usual is not None:
                at = lane.left() + (bar.usual - low) / (high - low) * lane.width()
                painter.setPen(QPen(theme.color("text"), 1.4))
                painter.drawLine(QPointF(at, lane.top() - 2), QPointF(at, lane.bottom() + 2))

    def _color(self, bar: Bar) -> QColor:
        if bar.kind is why_near.PartKind.JUDGEMENTS:
            return self._theme.color("similar" if bar.value < 0 else "dissimilar")
        return self._theme.color("focal" if bar.kind is why_near.PartKind.NEIGHBORS else "accent")

    def event(self, event: QEvent) -> bool:
        """Show the content of the bar under the pointer as a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            number = int(event.pos().y() / self._height())
            text = self.tip(number) if 0 <= number < len(self.shown) else ""
            QToolTip.showText(event.globalPos(), tool_tip(text) if text else "", self)
            return True
        return super().event(event)

    def tip(self, number: int) -> str:
        """Return the tool tip of a bar."""
        bar = self.shown[number]
        lines = [f"{bar.title}: {Localized(bar.value):.3f}"]
        if bar.usual is not None:
            lines.append(self.tr("The mark is at the typical value: {0:.3f}").format(Localized(bar.usual)))
        return "\n".join([*lines, *bar.details])
