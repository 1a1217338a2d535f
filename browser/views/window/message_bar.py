"""A message that does not interrupt: it floats over the photos and goes by itself, or when it is closed."""

from __future__ import annotations

from collections import deque
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QGraphicsDropShadowEffect, QHBoxLayout, QLabel, QWidget

from browser.models.work.message import Message, MessageAction, Severity
from browser.views.base.buttons import button, tool_button
from browser.views.base.labels import label
from browser.views.base.theme import Theme, set_property

SHOWN_MILLISECONDS: Final = 9000
MARGIN: Final = 18
WIDTH: Final = 480
_ICONS: Final = {Severity.INFO: "info", Severity.WARNING: "warning", Severity.ERROR: "warning"}
_COLORS: Final = {Severity.INFO: "accent", Severity.WARNING: "warning", Severity.ERROR: "error"}


class MessageBar(QFrame):
    """Shows one message at a time; an error waits for its turn, anything else replaces what is not an error.

    Signals
    -------
    offered : MessageAction
        The button of a message was pressed.
    """

    offered = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("messageBar")
        self._theme = theme
        self._waiting: deque[Message] = deque(maxlen=20)
        self._message: Message | None = None
        self._icon = QLabel()
        self._text = label(wrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._offer = button("", "link", self._take_offer)
        self._close = tool_button(theme, "cross", self.tr("Close the message"), self._next)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 5, 6, 5)
        layout.setSpacing(10)
        layout.addWidget(self._icon)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._offer)
        layout.addWidget(self._close)
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MILLISECONDS)
        self._timer.timeout.connect(self._next)
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setBlurRadius(28)
        shadow.setOffset(0, 4)
        shadow.setColor(theme.color("shadow"))
        self.setGraphicsEffect(shadow)
        self.hide()

    def float_over(self, host: QWidget) -> None:
        """Lie over the lower edge of a widget: nothing moves under the pointer when a message comes or goes."""
        self.setParent(host)
        host.installEventFilter(self)
        self.setVisible(self._message is not None)
        self._place()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the place when the widget below changes its size."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        host = self.parentWidget()
        if host is None:
            return
        text = self._text.fontMetrics().horizontalAdvance(self._text.text())
        others = sum(widget.sizeHint().width() for widget in (self._icon, self._offer, self._close))
        width = min(host.width() - 2 * MARGIN, max(WIDTH, text + others + 90), 2 * WIDTH)
        lines = -(-text // max(1, width - others - 80))
        height = 24 + max(24, lines * self._text.fontMetrics().lineSpacing())
        self.setGeometry((host.width() - width) // 2, host.height() - height - MARGIN, width, height)

    @property
    def message(self) -> Message | None:
        """What is shown now."""
        return self._message

    def show_message(self, message: Message) -> None:
        """Show a message, now or behind the error that is shown."""
        if self._message is not None and self._message.severity is Severity.ERROR and message != self._message:
            self._waiting.append(message)
            return
        self._message = message
        self._icon.setPixmap(
            self._theme.pixmap(_ICONS[message.severity], 18, _COLORS[message.severity], self.devicePixelRatioF())
        )
        self._text.setText(message.text)
        self.setAccessibleName(message.text)
        offers = {
            MessageAction.SHOW_FAILURES: self.tr("Show the list"),
            MessageAction.SHOW_SUGGESTIONS: self.tr("Show them"),
            MessageAction.RELOCATE: self.tr("Relocate\N{HORIZONTAL ELLIPSIS}"),
            MessageAction.SHOW_MISSING: self.tr("Show them"),
            MessageAction.FORMER_METRIC: self.tr("Back to the former metric"),
            MessageAction.TRAINED_METRIC: self.tr("Use it nevertheless"),
        }
        self._offer.setText(offers.get(message.action, ""))
        self._offer.setVisible(message.action is not MessageAction.NONE)
        set_property(self, "tone", str(message.severity))
        self.show()
        self._place()
        self.raise_()
        if message.severity is Severity.ERROR:
            self._timer.stop()
        else:
            self._timer.start()

    def _take_offer(self) -> None:
        if self._message is not None:
            self.offered.emit(self._message.action)
        self._next()

    def _next(self) -> None:
        self._message = None
        self._timer.stop()
        if self._waiting:
            self.show_message(self._waiting.popleft())
        else:
            self.hide()
