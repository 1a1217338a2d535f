# SPDX-License-Identifier: MIT
"""The examples that photos are ranked by, in a strip above the photos."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QMenu, QScrollArea, QSizePolicy, QWidget

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.ranking.queries.query import Example, Examples
from focal_photos.browser.views.base.buttons import Menu, tool_button
from focal_photos.browser.views.base.dropping import DropFrame
from focal_photos.browser.views.base.labels import HintLabel, label
from focal_photos.browser.views.base.layouts import STRETCH, clear_layout, in_column, in_row
from focal_photos.browser.views.base.painting import paint_mark, paint_photo
from focal_photos.browser.views.base.theme import Theme, scaled_font

HEIGHT: Final = 140
_PICTURE: Final = 82
_MAX_WIDTH: Final = 150
_MARK: Final = 18.0
_KEYS: Final = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class ExamplePicture(QAbstractButton):
    """One example: a click or Enter ranks by it alone, Delete removes it."""

    dropped_out = Signal()
    """The user wants to remove it."""
    turned_round = Signal()
    """The user wants to make a positive example negative, or the reverse."""

    def __init__(self, session: Session, theme: Theme, example: Example, *, like: bool) -> None:
        super().__init__()
        self.example = example
        self.like = like
        self._session = session
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_name()

    def show_name(self) -> None:
        """Update the name and the proportions when they are loaded."""
        name = self._session.examples.name(self.example)
        text = self.tr("Like {0}") if self.like else self.tr("Not like {0}")
        self.setAccessibleName(text.format(name))
        self.setToolTip(tool_tip(f"{name}\n{self.tr('Click to rank by this photo only, press Delete to remove it')}"))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of its picture."""
        image = self._session.examples.picture(self.example)
        if image is None or image.isNull():
            return QSize(_PICTURE, _PICTURE)
        return QSize(min(round(_PICTURE * image.width() / image.height()), _MAX_WIDTH), _PICTURE)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photo with the mark of its sign, framed under the pointer and when focused."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        image = self._session.examples.picture(self.example)
        if image is None or image.isNull():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("tile"))
            painter.drawRoundedRect(area, 4, 4)
            icon = "image" if image is None else "image-broken"
            spot = QRectF(area.center().x() - 12, area.center().y() - 12, 24, 24)
            self._theme.paint_icon(painter, icon, spot, "text-faint")
        else:
            area = paint_photo(painter, image, area)
        verdict = Verdict.SIMILAR if self.like else Verdict.DISSIMILAR
        paint_mark(painter, self._theme, verdict, QRectF(area.left() + 4, area.top() + 4, _MARK, _MARK))
        if self.hasFocus() or self.underMouse():
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area, 4, 4)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Rank by it on Enter, remove it on Delete."""
        if event.key() in _KEYS:
            self.dropped_out.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep Delete and Backspace from the shortcuts of the window."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.key() in _KEYS:
            event.accept()
            return True
        return super().event(event)

    def menu(self) -> QMenu:
        """Return the context menu."""
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("&Rank by this photo only"), self.click)
        menu.addAction(self.tr("&Not like this") if self.like else self.tr("&Like this"), self.turned_round.emit)
        menu.addAction(self.tr("&Remove from the examples"), self.dropped_out.emit)
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu."""
        self.menu().popup(event.globalPos())


class ExamplesStrip(QWidget):
    """The query of a ranking without a focal image from the library; hidden otherwise."""

    dropped = Signal(QMimeData, bool)
    """Images or photos were dropped as positive (True) or negative examples ((QMimeData, bool))."""
    part_wanted = Signal()
    """The user wants to choose a part of the only example to search by."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("focalPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Examples"))
        self.setFixedHeight(HEIGHT)
        self.setAcceptDrops(True)
        self.drop_frame = DropFrame(self, theme, adds=True)
        self._session = session
        self._theme = theme
        self._suppressed = False
        self._title = label("", "title")
        self._title.setFont(scaled_font(self.font(), 1.15))
        self._hint = HintLabel()
        self.close_button = tool_button(
            theme, "cross", self.tr("Leave the ranking (G)"), session.navigator.leave_ranking
        )
        self._row = in_row(margins=0, spacing=6)
        inside = QWidget()
        inside.setLayout(self._row)
        self._pictures = QScrollArea()
        self._pictures.setWidget(inside)
        self._pictures.setWidgetResizable(True)
        self._pictures.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._pictures.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._pictures.setFixedHeight(_PICTURE + 12)
        self.part_button = tool_button(
            theme, "part", self.tr("Search by a part of the photo (R)"), self.part_wanted.emit
        )
        heading = in_row(self._title, (self._hint, 1), self.part_button, self.close_button, spacing=8)
        self._reasons: QWidget | None = None
        rows = in_column(heading, self._pictures, STRETCH, spacing=4)
        self._columns = in_row((rows, 1), margins=(12, 8, 12, 4), spacing=14, parent=self)
        session.examples.changed.connect(self._show)
        session.examples.pictures_arrived.connect(self._show_pictures)
        session.navigator.marks_changed.connect(self._show_title)
        theme.changed.connect(self.update)
        self._show()

    def set_reasons(self, widget: QWidget) -> None:
        """Add a widget at the right that explains why a photo is near to a single query image."""
        self._reasons = widget
        self._columns.addWidget(widget, 1)
        self._show()

    def set_suppressed(self, suppressed: bool) -> None:
        """Hide the strip, or show it again if it is needed."""
        self._suppressed = suppressed
        self.setVisible(self._session.examples.examples is not None and not suppressed)

    def pictures(self) -> list[ExamplePicture]:
        """Return the shown pictures, positive examples first."""
        items = (self._row.itemAt(place) for place in range(self._row.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, ExamplePicture)]

    # ------------------------------------------------------------------ display
    def _show(self) -> None:
        examples = self._session.examples.examples
        had_focus = any(picture.hasFocus() for picture in self.pictures())
        clear_layout(self._row)
        if examples is not None:
            self._add(examples)
        self._show_title()
        alone = examples is not None and len(examples.like) + len(examples.unlike) == 1
        self.part_button.setVisible(alone)
        if self._reasons is not None:
            # the distance to several examples has no parts that add up
            self._reasons.setVisible(alone)
        self.set_suppressed(self._suppressed)
        if had_focus and self.pictures():
            self.pictures()[0].show()  # it cannot take the focus before it is shown
            self.pictures()[0].setFocus()

    def _add(self, examples: Examples) -> None:
        for example in examples.like:
            self._row.addWidget(self._picture(example, like=True))
        if examples.unlike:
            self._row.addSpacing(10)
            self._row.addWidget(label(self.tr("not like"), "soft"))
        for example in examples.unlike:
            self._row.addWidget(self._picture(example, like=False))
        self._row.addStretch(1)

    def _picture(self, example: Example, *, like: bool) -> ExamplePicture:
        navigator = self._session.navigator
        picture = ExamplePicture(self._session, self._theme, example, like=like)
        picture.clicked.connect(lambda _=False: navigator.rank_by_examples([example]))
        picture.dropped_out.connect(lambda: navigator.drop_example(example))
        picture.turned_round.connect(lambda: navigator.add_examples([example], like=not like))
        return picture

    def _show_title(self) -> None:
        examples = self._session.examples.examples
        if examples is None:
            return
        like, unlike = len(examples.like), len(examples.unlike)
        if like == 1 and not unlike:
            self._title.setText(self._session.examples.name(examples.like[0]))
        else:
            text = self.tr("Like these {0}").format(like) if like > 1 else self.tr("Like this one")
            self._title.setText(text + (self.tr(", not like {0}").format(unlike) if unlike else ""))
        if not examples.photos:
            hint = self.tr("Not in the library. Shift+S adds the selection, Shift+D adds it as a counterexample.")
        else:
            hint = self.tr(
                "S and D judge photos against all of these. Shift+S adds the selection, Shift+D adds it as a "
                "counterexample."
            )
        self._hint.setText(hint)

    def _show_pictures(self) -> None:
        for picture in self.pictures():
            picture.show_name()
        self._show_title()

    # ------------------------------------------------------------------ drops
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept photos and images as additional examples."""
        event.acceptProposedAction()
        self.drop_frame.hold(event.mimeData())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Remove the drop frame."""
        self.drop_frame.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add dropped data to the examples; to the negative ones if dropped there."""
        self.drop_frame.hide()
        unlike = [picture for picture in self.pictures() if not picture.like]
        place = event.position().toPoint()
        beyond = bool(unlike) and place.x() >= unlike[0].mapTo(self, unlike[0].rect().topLeft()).x()
        self.dropped.emit(event.mimeData(), not beyond)
        event.acceptProposedAction()
