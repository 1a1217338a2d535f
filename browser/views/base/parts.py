"""Small widgets that several panels use."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMargins, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPolygonF, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLayout,
    QLayoutItem,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QWidget,
)

from browser.catalog.facts.records import Verdict
from browser.views.base.marks import paint_mark
from browser.views.base.theme import Theme, set_property
from browser.views.photos.heat_map import paint_heat
from browser.views.photos.tile_delegate import paint_photo


def label(text: str = "", variant: str = "", *, wrap: bool = False) -> QLabel:
    """Return a plain-text label; `variant` names a style of the sheet."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setWordWrap(wrap)
    if variant:
        widget.setProperty("variant", variant)
    return widget


def button(text: str, variant: str = "", on_click: Callable[[], object] | None = None) -> QPushButton:
    """Return a push button that takes the keyboard focus by Tab only, so that clicks leave it in the grid."""
    widget = QPushButton(text)
    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if variant:
        widget.setProperty("variant", variant)
    if on_click is not None:
        widget.clicked.connect(lambda _checked=False: on_click())
    return widget


def tool_button(theme: Theme, icon: str, name: str, on_click: Callable[[], object] | None = None) -> QToolButton:
    """Return an icon button; `name` is its accessible name and tool tip."""
    widget = QToolButton()
    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    widget.setIconSize(QSize(18, 18))
    widget.setAccessibleName(name)
    widget.setToolTip(name)
    theme.set_icon(widget, icon)
    if on_click is not None:
        widget.clicked.connect(lambda _checked=False: on_click())
    return widget


class ElidedLabel(QLabel):
    """A label that shortens its text in the middle instead of asking for more room."""

    def __init__(self, text: str = "", variant: str = "") -> None:
        super().__init__()
        self._text = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        if variant:
            self.setProperty("variant", variant)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text."""
        self._text = text
        self.setToolTip(text)
        self.setAccessibleName(text)
        self._elide()

    def full_text(self) -> str:
        """Return the whole text."""
        return self._text

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the text for the new width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = max(20, self.width() - 2)
        super().setText(self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideMiddle, room))


class VerdictBadge(QWidget):
    """A judgement's sign with a number beside it."""

    def __init__(self, theme: Theme, verdict: Verdict) -> None:
        super().__init__()
        self._theme = theme
        self._verdict = verdict
        self._count = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_count(0)

    def set_count(self, count: int) -> None:
        """Show a number."""
        self._count = count
        similar = self._verdict is Verdict.SIMILAR
        text = self.tr("{0} judged similar") if similar else self.tr("{0} judged not similar")
        self.setAccessibleName(text.format(count))
        self.setToolTip(text.format(count))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for sign and number."""
        return QSize(26 + self.fontMetrics().horizontalAdvance(str(self._count)) + 6, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint sign and number."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_mark(painter, self._theme, self._verdict, QRectF(1, 2, 18, 18))
        painter.setPen(self._theme.color("text"))
        painter.drawText(self.rect().adjusted(25, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, str(self._count))


class Picture(QWidget):
    """One photo, fitted into the widget; asks for a larger picture when it grows.

    Signals
    -------
    clicked : None
        It was clicked.
    resized : None
        It needs a picture of another size.
    """

    clicked = Signal()
    resized = Signal()

    def __init__(self, theme: Theme, radius: float = 6.0) -> None:
        super().__init__()
        self._theme = theme
        self._radius = radius
        self._image: QImage | None = None
        self._heat: QImage | None = None
        self._icon = "image"

    def show_image(self, image: QImage | None, icon: str = "image") -> None:
        """Show an image; None or a null one shows an icon instead."""
        self._image, self._icon = image, icon
        self.update()

    def show_heat(self, image: QImage | None) -> None:
        """Lay a heat map over the photo; None takes it away."""
        self._heat = image
        self.update()

    @property
    def aspect(self) -> float:
        """Width of the photo over its height; 1.5 while it is unknown."""
        if self._image is None or self._image.isNull():
            return 1.5
        return self._image.width() / self._image.height()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photo or the icon."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        if self._image is not None and not self._image.isNull():
            photo = paint_photo(painter, self._image, QRectF(self.rect()), self._radius)
            if self._heat is not None:
                paint_heat(painter, self._heat, photo, self._radius)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("tile"))
        painter.drawRoundedRect(self.rect(), self._radius, self._radius)
        side = min(40, self.height() - 4)
        center = QPointF(self.rect().center())
        self._theme.paint_icon(
            painter, self._icon, QRectF(center.x() - side / 2, center.y() - side / 2, side, side), "text-faint"
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell that it was clicked."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that another size is needed."""
        super().resizeEvent(event)
        self.resized.emit()


class ComboBox(QComboBox):
    """A combo box whose arrow follows the theme."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame and text by the style, then the arrow."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("text-soft"))
        middle = QPointF(self.width() - 14, self.height() / 2)
        painter.drawPolyline(QPolygonF([middle + QPointF(-4, -2), middle + QPointF(0, 2.2), middle + QPointF(4, -2)]))


class FlowLayout(QLayout):
    """Lays widgets side by side and breaks into a new line where the room ends."""

    def __init__(self, spacing: int = 5) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(QMargins())

    def addItem(self, item: QLayoutItem) -> None:
        """Add an item at the end."""
        self._items.append(item)

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return an item."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove an item and return it."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def widgets(self) -> list[QWidget]:
        """Return the widgets in order."""
        return [widget for item in self._items if (widget := item.widget()) is not None]

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrower flow is taller."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that a width needs."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """GridPosition the items."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        """Return the least size."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Return the size of the largest item."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        x, y, tallest = rect.x(), rect.y(), 0
        for item in self._items:
            size = item.sizeHint()
            width = min(size.width(), rect.width())
            if x > rect.x() and x + width > rect.right() + 1:
                x, y, tallest = rect.x(), y + tallest + self.spacing(), 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), QSize(width, size.height())))
            x += width + self.spacing()
            tallest = max(tallest, size.height())
        return y + tallest - rect.y()


def clear_layout(layout: QLayout) -> None:
    """Remove all widgets of a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def mark_wrong(widget: QWidget, reason: str, otherwise: str = "") -> None:
    """Frame a field as wrong and say why; an empty reason takes it back to the tool tip `otherwise`."""
    set_property(widget, "wrong", bool(reason))
    widget.setToolTip(reason or otherwise)
