# SPDX-License-Identifier: MIT
"""The trail as a film strip: the steps through image space, each photo one click away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from focal_photos.browser.models.photos.navigator import collection_name
from focal_photos.browser.models.photos.tiles import SMALL_TILE
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.photos.trail import Step
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.ranking.queries.query import Examples, RegionQuery, TextQuery
from focal_photos.browser.views.base.buttons import Menu, tool_button
from focal_photos.browser.views.base.layouts import clear_layout, in_row
from focal_photos.browser.views.base.painting import paint_cut
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.window.trail_menu import TrailMenu

HEIGHT: Final = 40
_FRAME: Final = QSize(50, 36)
_PLACE: Final = QSize(30, 36)
"""Size of a chip without a name, for folders and filters."""
_WIDEST_CHIP: Final = 150


class TrailStep(QAbstractButton):
    """A photo of the trail, or a chip for consecutive folders and filters.

    Parameters
    ----------
    step : Step
        The shown step; for a group of steps, the target of a click.
    ahead : bool
        Whether it comes after the current step.
    branches : int
        Number of branches that start there.
    """

    def __init__(
        self, session: Session, theme: Theme, step: Step, number: int, *, current: bool, ahead: bool, branches: int
    ) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self.step = step
        self.number = number
        self._current = current
        self._ahead = ahead
        self._branches = branches
        name = step.label or self.tr("All photos")
        filtered = step.focal_id is not None and not step.collection.everything
        self.setText(f"{name} \N{MIDDLE DOT} {collection_name(step.collection)}" if filtered else name)
        left = self.tr("Right-click: {0} other paths from here").format(branches)
        self.setToolTip(tool_tip(f"{self.text()}\n{left}" if branches else self.text()))
        self.setAccessibleName(self.tr("Step of the trail: {0}").format(self.text()))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the size of a photo in the strip, or of a chip with its name."""
        if self.photo_id is not None or self.step.query is not None:
            return _PLACE if self.photo_id is None else _FRAME
        name = self.fontMetrics().horizontalAdvance(self._chip_name())
        return QSize(min(_PLACE.width() + name + 4 * bool(name), _WIDEST_CHIP), _PLACE.height())

    def _chip_name(self) -> str:
        """Return the text of a chip beside its icon: the folder and the filter; empty for all photos."""
        unranked = self.step.focal_id is None and self.step.query is None
        return collection_name(self.step.collection) if unranked else ""

    @property
    def photo_id(self) -> int | None:
        """The photo that represents the step: the focal image, or the first of several examples."""
        query = self.step.query
        if isinstance(query, RegionQuery):
            return query.photo_id
        return next(iter(query.photos), None) if isinstance(query, Examples) else self.step.focal_id

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint photo or icon; the current step has a frame, later ones are dim, and a dot marks branches."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        theme, area = self._theme, QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setOpacity(0.45 if self._ahead else 1.0)
        photo_id = self.photo_id
        image = None if photo_id is None else self._session.loader.image(photo_id, SMALL_TILE)
        if image is not None and not image.isNull():
            paint_cut(painter, image, area)
        else:
            sign = "image" if self.step.focal_id is not None else "folder" if self.step.collection.folder else "photos"
            sign = "search" if self.step.focal_id is None and self.step.collection.query else sign
            sign = "image" if self.step.query is not None else sign
            sign = "search" if isinstance(self.step.query, TextQuery) else sign
            name = self._chip_name()
            left = area.left() + 5 if name else area.center().x() - 9
            theme.paint_icon(painter, sign, QRectF(left, area.center().y() - 9, 18, 18), "text-soft")
            if name:
                text = area.adjusted(27, 0, -4, 0)
                cut = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(text.width()))
                painter.setPen(theme.color("text-soft"))
                painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, cut)
        if isinstance(self.step.query, Examples | RegionQuery):
            spot = QRectF(area.right() - 17, area.top() + 2, 15, 15)
            painter.fillRect(spot, QColor(0, 0, 0, 165))
            kind = "stack" if isinstance(self.step.query, Examples) else "part"
            theme.paint_icon(painter, kind, spot.adjusted(1.5, 1.5, -1.5, -1.5), "on-photo")
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
    """Back, forward, and as many photos of the trail around the current step as fit.

    The strip appears with the first ranked step; before that, there is nothing to go back to.
    """

    walked = Signal()
    """A step, back or forward was pressed, so the photos should receive the keyboard focus."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Trail"))
        self._session = session
        self._theme = theme
        navigator = session.navigator
        ways = ("forward", "back") if self.isRightToLeft() else ("back", "forward")  # icons in the order of the buttons
        self.back_button = tool_button(theme, ways[0], self.tr("Back (Alt+Left)"), self._back)
        self.forward_button = tool_button(theme, ways[1], self.tr("Forward (Alt+Right)"), self._forward)
        self._steps = in_row(spacing=2)
        layout = in_row(self.back_button, self.forward_button, margins=0, spacing=2, parent=self)
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
        """Return the shown steps."""
        items = (self._steps.itemAt(place) for place in range(self._steps.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, TrailStep)]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many steps as fit."""
        self._show()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the branches at a step, and of the saved trails."""
        step = self.childAt(event.pos())
        number = step.number if isinstance(step, TrailStep) else None
        self.show_branches(number, event.globalPos())

    def show_branches(self, number: int | None, place: QPoint) -> None:
        """Show the menu of the branches at a step of the trail, and of the saved trails."""
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
        if not any(step.ranked for step in steps):
            return
        groups = shown_together(steps)
        here = next(place for place, group in enumerate(groups) if trail.at in group)
        widgets = [self._make_step(group, here - place) for place, group in enumerate(groups)]
        # the current step, up to a third of the strip for later steps, and as many earlier ones as fit
        room, most_ahead = self.width() - 76, (self.width() - 76) // 3
        ahead = _fitting(widgets[here + 1 :], most_ahead)
        left = room - sum(map(_room, [*ahead, widgets[here]]))
        past = _fitting(widgets[:here][::-1], left)[::-1]
        wanted = []
        for widget in [*past, widgets[here], *ahead]:
            self._steps.addWidget(widget)
            if widget.photo_id is not None:
                wanted.append(widget.photo_id)
        self._session.loader.request("trail", wanted, SMALL_TILE)

    def _make_step(self, group: range, behind: int) -> TrailStep:
        """Return the widget for a group of steps: the current one if it belongs to the group, otherwise the last."""
        trail = self._session.navigator.trail
        number = trail.at if behind == 0 else group[-1]
        branches = sum(len(trail.branches(each)) for each in group)
        step = trail.steps[number]
        widget = TrailStep(
            self._session, self._theme, step, number, current=behind == 0, ahead=behind < 0, branches=branches
        )
        widget.clicked.connect(lambda _=False: self._go(number))
        return widget


def shown_together(steps: Sequence[Step]) -> list[range]:
    """Group the steps that share a widget: those of one photo under several filters, and folders and filters."""
    groups: list[range] = []
    for number, step in enumerate(steps):
        before = steps[number - 1] if number else None
        if before is not None and (before.focal_id, before.query) == (step.focal_id, step.query):
            groups[-1] = range(groups[-1].start, number + 1)
        else:
            groups.append(range(number, number + 1))
    return groups


def _room(widget: TrailStep) -> int:
    return widget.sizeHint().width() + 2


def _fitting(widgets: Sequence[TrailStep], room: int) -> list[TrailStep]:
    """Return as many of the first widgets as fit."""
    taken: list[TrailStep] = []
    for widget in widgets:
        room -= _room(widget)
        if room < 0:
            break
        taken.append(widget)
    return taken
