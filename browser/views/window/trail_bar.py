"""The trail as a film strip: where the walk through image space has led, each step one click away."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from browser.models.photos.navigator import collection_name
from browser.models.photos.tool_tip import tool_tip
from browser.models.photos.trail import Step
from browser.models.session import SMALL, Session
from browser.views.base.buttons import tool_button
from browser.views.base.layouts import clear_layout
from browser.views.base.painting import paint_photo
from browser.views.base.theme import Theme, scaled_font

HEIGHT = 40
WIDEST = 150


class TrailStep(QAbstractButton):
    """One step: a small picture and a name."""

    def __init__(self, session: Session, theme: Theme, step: Step, *, current: bool, ahead: bool) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._step = step
        self._current = current
        self._ahead = ahead
        name = step.label or self.tr("All photos")
        filtered = step.focal_id is not None and not step.collection.everything
        self.setText(f"{name} \N{MIDDLE DOT} {collection_name(step.collection)}" if filtered else name)
        self.setToolTip(tool_tip(self.text()))
        self.setAccessibleName(self.tr("Step of the trail: {0}").format(self.text()))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFont(scaled_font(self.font(), 0.92))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return room for picture and name."""
        text = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(min(WIDEST, self._text_left() + text + 9), HEIGHT)

    def _text_left(self) -> int:
        return 33 if self._step.focal_id is None else 51

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint picture and name; the current step is highlighted, those ahead are dim."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        theme = self._theme
        painter.setPen(theme.color("accent") if self.hasFocus() else Qt.PenStyle.NoPen)
        if self._current or self.underMouse() or self.hasFocus():
            painter.setBrush(theme.color("raised" if self._current else "hover"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)
        if self._ahead:
            painter.setOpacity(0.5)
        picture = QRectF(5, 5, self._text_left() - 11, HEIGHT - 10)
        image = None
        if self._step.focal_id is not None:
            image = self._session.loader.image(self._step.focal_id, SMALL)
        if image is not None and not image.isNull():
            paint_photo(painter, image, picture, 3)
        else:
            icon = "photos" if self._step.focal_id is None else "image"
            side = 20.0
            spot = QRectF(picture.center().x() - side / 2, picture.center().y() - side / 2, side, side)
            theme.paint_icon(painter, icon, spot, "text-soft")
        painter.setPen(theme.color("text" if self._current else "text-soft"))
        room = self.rect().adjusted(self._text_left(), 0, -7, 0)
        name = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, name)


class TrailBar(QWidget):
    """Back, forward, and the steps around the current one that there is room for."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Trail"))
        self._session = session
        self._theme = theme
        navigator = session.navigator
        self.back_button = tool_button(theme, "back", self.tr("Back (Alt+Left)"), navigator.back)
        self.forward_button = tool_button(theme, "forward", self.tr("Forward (Alt+Right)"), navigator.forward)
        self._steps = QHBoxLayout()
        self._steps.setSpacing(2)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.back_button)
        layout.addWidget(self.forward_button)
        layout.addSpacing(6)
        layout.addLayout(self._steps)
        layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(200)
        self.setFixedHeight(HEIGHT)
        navigator.trail_changed.connect(self._show)
        session.loader.loaded.connect(lambda _ids: self.update())
        theme.changed.connect(self.update)
        self._show()

    def steps(self) -> list[TrailStep]:
        """Return the steps that are shown."""
        items = (self._steps.itemAt(place) for place in range(self._steps.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, TrailStep)]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many steps as there is room for."""
        self._show()

    def _show(self) -> None:
        trail = self._session.navigator.trail
        self.back_button.setEnabled(trail.can_go_back)
        self.forward_button.setEnabled(trail.can_go_forward)
        clear_layout(self._steps)
        steps = trail.steps
        room = max(1, (self.width() - 80) // (WIDEST + 2))
        # The current step, one ahead if there is one, and as much of the past as fits.
        last = min(len(steps) - 1, trail.at + (1 if room > 2 else 0))
        first = max(0, last - room + 1)
        wanted = []
        for number in range(first, last + 1):
            step = steps[number]
            widget = TrailStep(self._session, self._theme, step, current=number == trail.at, ahead=number > trail.at)
            widget.clicked.connect(lambda _=False, number=number: self._session.navigator.go(number))
            self._steps.addWidget(widget)
            if step.focal_id is not None:
                wanted.append(step.focal_id)
        self._session.loader.request("trail", wanted, SMALL)
