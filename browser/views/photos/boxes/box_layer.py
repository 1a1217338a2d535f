# SPDX-License-Identifier: MIT
"""The boxes over the photo of the viewer: painted always, and edited by mouse and keys in box mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHelpEvent, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from focal_photos.browser.catalog.facts.records import Box, Region
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.labels import HintLabel
from focal_photos.browser.views.base.painting import paint_window
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.boxes.box_geometry import (
    Handle,
    box_at,
    handle_at,
    moved,
    on_photo,
    on_screen,
    resized,
    snapped,
)
from focal_photos.browser.views.photos.boxes.box_name_field import BoxNameField
from focal_photos.browser.views.photos.boxes.box_painting import (
    box_color,
    box_reason,
    box_title,
    paint_frame,
    paint_handles,
    paint_name,
)
from focal_photos.browser.views.photos.photo_viewer import PhotoViewer

_HANDLE_DISTANCE: Final = 7.0
"""Distance in pixels within which a handle is grabbed."""
_MIN_SIDE: Final = 4.0
"""Smallest side of a drawn box in pixels of the screen."""
_STEP: Final = 8.0
"""Pixels of the screen by which an arrow key moves or resizes a box."""
_PLACED: Final = 0.3
"""Share of the visible part of the photo that a box placed by key covers, in each direction."""
_FIELD_WIDTH: Final = 220
_HINT_LINES: Final = 2
_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_CURSORS: Final = {
    0: Qt.CursorShape.SizeVerCursor,
    1: Qt.CursorShape.SizeFDiagCursor,
    -1: Qt.CursorShape.SizeBDiagCursor,
}


@dataclass
class _Drag:
    """A drag that draws (no region), moves or resizes (with a handle) a box, or draws the region of a search."""

    start: QPointF
    region: Region | None = None
    handle: Handle | None = None
    begun: bool = False
    searches: bool = False


class BoxLayer(QWidget):
    """Lies over the viewer.

    In box mode a drag draws a box, also inside another one with Shift; a drag inside a box moves it, and its handles
    resize the current box. The middle button moves the photo. Outside box mode, a drag with Shift draws a region to
    search by; all other clicks and keys are the viewer's.
    """

    searched = Signal(object)
    """The user wants to search by this region of the displayed photo (Region)."""

    def __init__(self, session: Session, theme: Theme, viewer: PhotoViewer) -> None:
        super().__init__(viewer)
        self._session, self._theme, self._viewer = session, theme, viewer
        self._boxes = session.tagging.boxes
        self._drag: _Drag | None = None
        self._panned: QPointF | None = None
        self._drawn: QRectF | None = None
        self._draft: Region | None = None
        """The current box while it is moved, on the displayed photo."""
        self._hovered: int | None = None
        self.setMouseTracking(True)
        self.hint = HintLabel(
            self.tr(
                "Boxes: drag to draw, T names, Delete removes, Esc ends. B puts a box in the middle. "
                "Arrow keys move it, with Shift they resize it. Tab goes to the next box."
            ),
            "box-hint",
        )
        self.hint.setParent(self)
        self.hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hint.hide()
        self.field = BoxNameField(session, self)
        self.field.entered.connect(self._enter)
        self.field.left.connect(self._close_field)
        self._named: tuple[int, str | None] | None = None
        """The box that the field names, and its former name."""
        viewer.installEventFilter(self)
        viewer.view_changed.connect(self._follow_view)
        viewer.decoded.connect(self._follow_view)
        session.grid.modelReset.connect(self.update)
        self._boxes.changed.connect(self._show)
        self._boxes.editing_changed.connect(self._follow_mode)
        self._boxes.naming_wanted.connect(self._ask)
        theme.changed.connect(self.update)

    # ------------------------------------------------------------------ state
    @property
    def _quarters(self) -> int:
        """Quarter turns of the displayed photo."""
        shown = self._viewer.quarters
        return self._boxes.quarters if shown is None else shown

    @property
    def _here(self) -> tuple[Box, ...]:
        """The boxes of the viewer's photo."""
        return self._boxes.boxes if self._boxes.photo_id == self._viewer.photo_id else ()

    def region_of(self, box: Box) -> Region:
        """Return the region of a box on the displayed photo, while it is moved too."""
        if self._draft is not None and box == self._boxes.current:
            return self._draft
        return rotated_region(box.region, self._quarters)

    def rect_of(self, box: Box) -> QRectF:
        """Return the rectangle of a box in pixels of the viewer."""
        return on_screen(self.region_of(box), self._viewer.photo_rect())

    def _show(self) -> None:
        """Follow changes of the boxes and of the current box."""
        current = self._boxes.current
        if self._named is not None and (current is None or (current.id, current.tag) != self._named):
            self._close_field()
        if current is None and self._drag is not None and self._drag.region is not None:
            self._drag = self._draft = None
        self._say_current()
        self._place_field()
        self.update()

    def _follow_view(self) -> None:
        self._place_field()
        self.update()

    def _follow_mode(self) -> None:
        self._drag = self._drawn = self._draft = None
        self._close_field()
        self.hint.setVisible(self._boxes.editing)
        self._place_hint()
        self.setCursor(Qt.CursorShape.CrossCursor if self._boxes.editing else Qt.CursorShape.ArrowCursor)
        self.update()

    def _say_current(self) -> None:
        """Describe the current box for screen readers."""
        current = self._boxes.target
        if current is not None:
            place = [box.id for box in self._here].index(current.id) + 1
            text = self.tr("Box {0} of {1}: {2}").format(place, len(self._here), box_title(current))
            self._viewer.setAccessibleDescription(f"{text}. {reason}" if (reason := box_reason(current)) else text)

    # ------------------------------------------------------------------ box mode
    def keys(self) -> list[tuple[str, list[str]]]:
        """Return the keys of box mode: a description with its keys, as `QKeySequence` texts or in words."""
        return [
            (self.tr("Put a box in the middle"), ["B", "Ins"]),
            (self.tr("Move the current box"), ["Left", "Right"]),
            (self.tr("Move it by a pixel"), ["Ctrl+Left", "Ctrl+Right"]),
            (self.tr("Resize it"), ["Shift+Left", "Shift+Right"]),
            (self.tr("Name it"), ["T", "1"]),
            (self.tr("Remove it"), ["Del"]),
            (self.tr("Next and previous box"), ["Tab", "Shift+Tab"]),
            (self.tr("End"), ["Esc"]),
        ]

    def begin(self) -> None:
        """Begin box mode, or put a box in the middle if it has begun."""
        if self._boxes.editing:
            self.place_box()
        else:
            self._boxes.start()

    def place_box(self) -> None:
        """Put a box in the middle of the visible part of the photo."""
        photo = self._viewer.photo_rect()
        seen = photo.intersected(QRectF(self.rect()))
        side = QSizeF(max(seen.width() * _PLACED, _MIN_SIDE), max(seen.height() * _PLACED, _MIN_SIDE))
        corner = seen.center() - QPointF(side.width() / 2, side.height() / 2)
        self._add(QRectF(corner, side), names=False)

    def _add(self, rect: QRectF, *, names: bool) -> None:
        region = on_photo(rect, self._viewer.photo_rect())
        if region is not None and self._boxes.photo_id == self._viewer.photo_id:
            self._boxes.draw(self._stored(region), names=names)

    def _stored(self, region: Region) -> Region:
        """Return a displayed region as stored: with sides between pixels, without the rotation."""
        return rotated_region(snapped(region, self._viewer.pixels), -self._quarters)

    def _least(self) -> QSizeF:
        photo = self._viewer.photo_rect()
        return QSizeF(_MIN_SIDE / photo.width(), _MIN_SIDE / photo.height())

    def _keep_draft(self) -> None:
        """Move the current box to where it was dragged."""
        draft, self._draft = self._draft, None
        if draft is not None:
            self._boxes.move(self._stored(draft))
        self.update()

    # ------------------------------------------------------------------ names
    def _ask(self) -> None:
        current = self._boxes.target
        if current is None:
            return
        self._named = current.id, current.tag
        offered = self._boxes.offered
        self._place_field()
        self.field.ask(current.tag or (offered[0] if offered else ""))

    def _enter(self, tag: str) -> None:
        self._close_field()
        if tag:
            self._boxes.name(tag)

    def _close_field(self) -> None:
        if self._named is None:
            return
        self._named = None
        held = self.field.hasFocus()
        self.field.hide()
        if held:
            self._viewer.setFocus()

    def _place_field(self) -> None:
        """Put the field below its box, or above it if there is no space below."""
        current = self._boxes.current
        if self._named is None or current is None:
            return
        rect = self.rect_of(current)
        size = QSizeF(min(_FIELD_WIDTH, self.width()), self.field.sizeHint().height())
        top = rect.bottom() + 6
        if top + size.height() > self.height():
            top = max(rect.top() - 6 - size.height(), 0)
        left = min(max(rect.left(), 0), self.width() - size.width())
        self.field.setGeometry(QRectF(QPointF(left, min(top, self.height() - size.height())), size).toRect())

    def _place_hint(self) -> None:
        """Put the hint above the photo, in two lines at most."""
        metrics = self.hint.fontMetrics()
        whole = metrics.horizontalAdvance(self.hint.full_text()) + 30
        width = max(min(whole, self.width() - 20), 0)
        lines = 1 if width == whole else _HINT_LINES
        frame = self.hint.height() - self.hint.contentsRect().height()
        self.hint.setGeometry((self.width() - width) // 2, 10, width, lines * metrics.lineSpacing() + frame)

    # ------------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the match of a ranking by a region, and the boxes, the current one last."""
        boxes, pending, shown = self._here, self._boxes.pending, self._viewer.photo_id
        match = None if shown is None else self._session.grid.window(shown)
        if not boxes and not pending and self._drawn is None and match is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        photo, current, whole = self._viewer.photo_rect(), self._boxes.current, QRectF(self.rect())
        if match is not None:
            paint_window(painter, self._theme, on_screen(match, photo))
        for box in sorted(boxes, key=lambda box: box == current):
            rect = self.rect_of(box)
            if rect.intersects(whole):
                chosen = box == current
                paint_frame(painter, rect, box_color(box), dashed=box.tag is None, strong=chosen)
                strong = chosen or box.id == self._hovered
                paint_name(painter, self._theme, box, rect, whole=whole, current=strong)
                if chosen and self._boxes.editing:
                    paint_handles(painter, rect, box_color(box))
        drawn = [on_screen(rotated_region(region, self._quarters), photo) for region in pending]
        for rect in [*drawn, *([] if self._drawn is None else [self._drawn])]:
            paint_frame(painter, rect, self._theme.color("focal-on-photo"), dashed=True)

    # ------------------------------------------------------------------ mouse
    def _box_at(self, point: QPointF) -> Box | None:
        boxes = self._here
        index = box_at([self.rect_of(box) for box in boxes], point)
        return None if index is None else boxes[index]

    def _handle_at(self, point: QPointF) -> Handle | None:
        current = self._boxes.target
        return None if current is None else handle_at(self.rect_of(current), point, _HANDLE_DISTANCE)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to draw, move or resize a box, or to move the photo."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not self._boxes.editing and shift and event.button() == Qt.MouseButton.LeftButton:
            self._viewer.setFocus()
            self._drag = _Drag(event.position(), searches=True)
        elif not self._boxes.editing:
            event.ignore()
        elif event.button() == Qt.MouseButton.MiddleButton:
            self._panned = event.position()
        elif event.button() == Qt.MouseButton.LeftButton:
            self._viewer.setFocus()
            self._press(event.position(), draws=shift)
        else:
            event.ignore()

    def _press(self, at: QPointF, *, draws: bool) -> None:
        handle, box = (None, None) if draws else (self._handle_at(at), self._box_at(at))
        current = self._boxes.current
        if handle is not None and current is not None:
            self._drag = _Drag(at, self.region_of(current), handle)
        elif box is not None:
            self._boxes.select(box.id)
            self._drag = _Drag(at, self.region_of(box))
        else:
            self._boxes.select(None)
            self._drag = _Drag(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw, move or resize; without a button, show what a drag would do."""
        at, drag = event.position(), self._drag
        self.hint.setVisible(self._boxes.editing and not QRectF(self.hint.geometry()).contains(at))
        if self._panned is not None:
            self._viewer.pan(self._panned - at)
            self._panned = at
        elif drag is not None:
            far = (at - drag.start).manhattanLength() >= QGuiApplication.styleHints().startDragDistance()
            drag.begun = drag.begun or far
            if drag.begun:
                self._drag_to(drag, at)
        else:
            self._hover(at)
            if not self._boxes.editing:
                shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                self.setCursor(Qt.CursorShape.CrossCursor if shift else Qt.CursorShape.ArrowCursor)
            if event.buttons():
                event.ignore()  # the photo is dragged

    def _drag_to(self, drag: _Drag, at: QPointF) -> None:
        photo = self._viewer.photo_rect()
        across, down = (at.x() - drag.start.x()) / photo.width(), (at.y() - drag.start.y()) / photo.height()
        if drag.region is None:
            self._drawn = QRectF(drag.start, at).normalized().intersected(photo)
        elif drag.handle is None:
            self._draft = moved(drag.region, across, down)
        else:
            self._draft = resized(drag.region, drag.handle, across, down, self._least())
        self.update()

    def _hover(self, at: QPointF) -> None:
        box = self._box_at(at)
        if (box.id if box else None) != self._hovered:
            self._hovered = box.id if box else None
            self.update()
        if self._boxes.editing:
            handle = self._handle_at(at)
            if handle is not None:
                straight = not handle.across or not handle.down
                shape = _CURSORS[0 if straight else handle.across * handle.down]
                self.setCursor(Qt.CursorShape.SizeHorCursor if not handle.down else shape)
            else:
                self.setCursor(Qt.CursorShape.SizeAllCursor if box else Qt.CursorShape.CrossCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag: save the box."""
        drag, drawn = self._drag, self._drawn
        self._panned = self._drag = self._drawn = None
        if drag is None:
            event.ignore()
        elif drawn is not None:
            region = on_photo(drawn, self._viewer.photo_rect())
            if region is None or min(drawn.width(), drawn.height()) < _MIN_SIDE:
                pass  # hardly a drag
            elif drag.searches:
                self.searched.emit(region)
            else:
                self._add(drawn, names=True)
        else:
            self._keep_draft()
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Name the box in box mode; otherwise the viewer zooms."""
        box = self._box_at(event.position())
        if self._boxes.editing and box is not None:
            self._drag = None
            self._boxes.select(box.id)
            self._boxes.ask_name()
        else:
            self._drag = None
            event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        """Show the name of the small box under the pointer no longer."""
        self._hovered = None
        self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        """End box mode when another page is shown, but not when the window is minimized."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._boxes.stop()

    def event(self, event: QEvent) -> bool:
        """Show the name of the box under the pointer, and why it is uncertain."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            box = self._box_at(QPointF(event.pos()))
            if box is not None:
                text = " ".join(filter(None, (f"{box_title(box)}.", box_reason(box))))
                QToolTip.showText(event.globalPos(), tool_tip(text), self)
                return True
        return super().event(event)

    # ------------------------------------------------------------------ keys of the viewer
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the viewer, and take its keys in box mode."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._viewer.rect())
            self._place_field()
            self._place_hint()
        elif isinstance(event, QKeyEvent) and self._boxes.editing:
            if event.type() == QEvent.Type.ShortcutOverride and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Insert):
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                return self._press_key(event)
            if event.type() == QEvent.Type.KeyRelease and event.key() in _ARROWS and not event.isAutoRepeat():
                self._keep_draft()
        return super().eventFilter(watched, event)

    def _press_key(self, event: QKeyEvent) -> bool:
        """Carry out a key of box mode; return whether it was one."""
        key, current = Qt.Key(event.key()), self._boxes.current
        if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab) and self._here:
            self._keep_draft()
            self._boxes.step(1 if key == Qt.Key.Key_Tab else -1)
            self._bring_in_sight()
        elif key == Qt.Key.Key_Insert:
            self.place_box()
        elif key == Qt.Key.Key_Delete:
            self._draft = None
            self._boxes.remove()
        elif key in _ARROWS and current is not None:
            self._nudge(current, key, event.modifiers())
        else:
            return False
        return True

    def _nudge(self, current: Box, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
        """Move the current box by a step, or with Shift its right or lower side; with Ctrl by a pixel of the photo."""
        photo, (wide, high) = self._viewer.photo_rect(), self._viewer.pixels
        step = QSizeF(_STEP / photo.width(), _STEP / photo.height())
        if wide and high:
            pixel = QSizeF(1 / wide, 1 / high)
            fine = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
            step = pixel if fine else step.expandedTo(pixel)
        across, down = _ARROWS[key][0] * step.width(), _ARROWS[key][1] * step.height()
        region = self.region_of(current)
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._draft = resized(region, Handle(int(bool(across)), int(bool(down))), across, down, self._least())
        else:
            self._draft = moved(region, across, down)
        self._bring_in_sight()
        self.update()

    def _bring_in_sight(self) -> None:
        """Move the zoomed photo so that the middle of the current box is visible."""
        current = self._boxes.current
        if current is not None:
            middle, inside = self.rect_of(current).center(), QRectF(self.rect())
            if not inside.contains(middle):
                self._viewer.pan(middle - inside.center())
