"""The trail as a film strip: where the walk through image space has led, each photo one click away."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from focal_photos.browser.models.photos.navigator import collection_name
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.photos.trail import Step
from focal_photos.browser.models.session import SMALL, Session
from focal_photos.browser.operations.ranking.queries.query import Examples, TextQuery
from focal_photos.browser.views.base.buttons import Menu, tool_button
from focal_photos.browser.views.base.layouts import clear_layout
from focal_photos.browser.views.base.painting import paint_cut
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.window.trail_menu import TrailMenu

HEIGHT: Final = 40
_FRAME: Final = QSize(50, 36)
_PLACE: Final = QSize(30, 36)
"""Size of a step that is no photo: a folder, or a filter."""


class TrailStep(QAbstractButton):
    """One step: a photo, or the sign of a folder or a filter; its name is its tool tip."""

    def __init__(
        self, session: Session, theme: Theme, step: Step, *, current: bool, ahead: bool, branches: int
    ) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self.step = step
        self._current = current
        self._ahead = ahead
        self._branches = branches
        name = step.label or self.tr("All photos")
        filtered = step.focal_id is not None and not step.collection.everything
        self.setText(f"{name} \N{MIDDLE DOT} {collection_name(step.collection)}" if filtered else name)
        left = self.tr("Right click: {0} other ways from here").format(branches)
        self.setToolTip(tool_tip(f"{self.text()}\n{left}" if branches else self.text()))
        self.setAccessibleName(self.tr("Step of the trail: {0}").format(self.text()))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the size of a photo in the strip, or of a sign."""
        return _PLACE if self.photo_id is None else _FRAME

    @property
    def photo_id(self) -> int | None:
        """The photo that stands for the step: the focal image, or the first of several examples."""
        asked = self.step.asked
        return next(iter(asked.photos), None) if isinstance(asked, Examples) else self.step.focal_id

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint photo or sign; the current step is framed, those ahead are dim, a dot says that ways branch off."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        theme, area = self._theme, QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setOpacity(0.45 if self._ahead else 1.0)
        photo_id = self.photo_id
        image = None if photo_id is None else self._session.loader.image(photo_id, SMALL)
        if image is not None and not image.isNull():
            paint_cut(painter, image, area)
        else:
            sign = "image" if self.step.focal_id is not None else "folder" if self.step.collection.folder else "photos"
            sign = "search" if self.step.focal_id is None and self.step.collection.query else sign
            sign = "image" if self.step.asked is not None else sign
            sign = "search" if isinstance(self.step.asked, TextQuery) else sign
            spot = QRectF(area.center().x() - 9, area.center().y() - 9, 18, 18)
            theme.paint_icon(painter, sign, spot, "text-soft")
        if isinstance(self.step.asked, Examples):
            spot = QRectF(area.right() - 17, area.top() + 2, 15, 15)
            painter.fillRect(spot, QColor(0, 0, 0, 165))
            theme.paint_icon(painter, "stack", spot.adjusted(1.5, 1.5, -1.5, -1.5), "on-photo")
        painter.setOpacity(1.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._current or self.underMouse() or self.hasFocus():
            color = "accent" if self.hasFocus() else "focal" if self._current else "text-soft"
            painter.setPen(QPen(theme.color(color), 2))
            painter.drawRect(area)
        if self._branches:
            painter.setPen(QPen(QColor(0, 0, 0, 170), 1))
            painter.setBrush(theme.color("accent"))
            painter.drawEllipse(QRectF(area.right() - 10, area.bottom() - 10, 8, 8))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Leave the menu to the strip."""
        event.ignore()


class TrailBar(QWidget):
    """Back, forward, and the photos of the walk around the current one that there is room for.

    The strip is there while one walks; before the first focal image there is nothing to go back to.

    Signals
    -------
    walked : None
        A step, back or forward was pressed: the keyboard goes to the photos.
    """

    walked = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Trail"))
        self._session = session
        self._theme = theme
        navigator = session.navigator
        ways = ("forward", "back") if self.isRightToLeft() else ("back", "forward")  # as the buttons lie
        self.back_button = tool_button(theme, ways[0], self.tr("Back (Alt+Left)"), self._back)
        self.forward_button = tool_button(theme, ways[1], self.tr("Forward (Alt+Right)"), self._forward)
        self._steps = QHBoxLayout()
        self._steps.setSpacing(2)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.back_button)
        layout.addWidget(self.forward_button)
        layout.addSpacing(4)
        layout.addLayout(self._steps)
        layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(80)
        self.setFixedHeight(HEIGHT)
        navigator.trail_changed.connect(self._show)
        session.loader.loaded.connect(lambda _ids: self.update())
        theme.changed.connect(self.update)
        self._show()

    def _back(self) -> None:
        self._session.navigator.back()
        self.walked.emit()

    def _forward(self) -> None:
        self._session.navigator.forward()
        self.walked.emit()

    def _go(self, number: int) -> None:
        self._session.navigator.go(number)
        self.walked.emit()

    def steps(self) -> list[TrailStep]:
        """Return the steps that are shown."""
        items = (self._steps.itemAt(place) for place in range(self._steps.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, TrailStep)]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many steps as there is room for."""
        self._show()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the ways that branch off from a step, and the kept trails."""
        step = self.childAt(event.pos())
        steps = self.steps()
        number = self._first + steps.index(step) if isinstance(step, TrailStep) else None
        self.show_branches(number, event.globalPos())

    def show_branches(self, number: int | None, place: QPoint) -> None:
        """Show the menu of the ways that branch off from a step of the trail, and of the kept trails."""
        branches = [] if number is None else self._session.navigator.trail.branches(number)
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setObjectName("branches")
        for branch, way in enumerate(branches):
            names = " \N{RIGHTWARDS ARROW} ".join(step.label or self.tr("All photos") for step in way[:4])
            action = menu.addAction(names.replace("&", "&&"))
            action.triggered.connect(
                lambda _=False, branch=branch: self._session.navigator.take_branch(number or 0, branch)
            )
        menu.addSeparator()
        menu.addMenu(TrailMenu(self._session, menu))
        menu.popup(place)

    def _show(self) -> None:
        trail = self._session.navigator.trail
        steps = trail.steps
        self.back_button.setEnabled(trail.can_go_back)
        self.forward_button.setEnabled(trail.can_go_forward)
        clear_layout(self._steps)
        walked = any(step.focal_id is not None or step.asked is not None for step in steps)
        room = max(1, (self.width() - 76) // (_FRAME.width() + 2))
        # The current step, what lies ahead as far as a third of the strip, and as much of the past as fits.
        last = min(len(steps) - 1, trail.at + max(0, room // 3))
        self._first = max(0, last - room + 1)
        if not walked:
            return
        wanted = []
        for number in range(self._first, last + 1):
            step = steps[number]
            widget = TrailStep(
                self._session,
                self._theme,
                step,
                current=number == trail.at,
                ahead=number > trail.at,
                branches=len(trail.branches(number)),
            )
            widget.clicked.connect(lambda _=False, number=number: self._go(number))
            self._steps.addWidget(widget)
            if widget.photo_id is not None:
                wanted.append(widget.photo_id)
        self._session.loader.request("trail", wanted, SMALL)
