"""Messages: one line in the status bar, which covers no photo, and a log of all of them that opens."""

from __future__ import annotations

from collections import deque
from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QSizePolicy, QVBoxLayout

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.work.message import Message, MessageAction, Severity
from focal_photos.browser.views.base.buttons import button, tool_button
from focal_photos.browser.views.base.labels import ElidedLabel, label
from focal_photos.browser.views.base.theme import Theme, set_property

SHOWN_MILLISECONDS: Final = 9000
KEPT: Final = 200
"""Messages that the log keeps."""
_STAYING: Final = (
    MessageAction.REVIEW,
    MessageAction.REVIEW_NEW_KINDS,
    MessageAction.SHOW_FOLDER,
    MessageAction.RELOCATE,
    MessageAction.FORMER_METRIC,
    MessageAction.TRAINED_METRIC,
    MessageAction.VERIFY_BACKUP,
    MessageAction.IMPORT_TAGS,
)
"""Offers that come when the person may be elsewhere, or looks around first: they stay until something else is said."""
_LOG_SIZE: Final = (560, 320)
_ICONS: Final = {Severity.INFO: "info", Severity.WARNING: "warning", Severity.ERROR: "warning"}
_COLORS: Final = {Severity.INFO: "accent", Severity.WARNING: "warning", Severity.ERROR: "error"}


class MessageBar(QFrame):
    """Shows one message at a time; an error waits for its turn, anything else replaces what is not an error.

    Signals
    -------
    offered : MessageAction
        The button of a message was pressed.
    turned : None
        Another message is shown now, or none.

    Attributes
    ----------
    log : list of (datetime, Message)
        What was said in this session, the newest last.
    more : QLabel
        How many messages wait.
    close_button : QToolButton
    log_button : QToolButton
        Opens the log; it stands in the status bar.
    """

    offered = Signal(object)
    turned = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("messageBar")
        self._theme = theme
        self._waiting: deque[Message] = deque(maxlen=20)
        self._message: Message | None = None
        self.log: deque[tuple[datetime, Message]] = deque(maxlen=KEPT)
        self.log_button = tool_button(theme, "info", self.tr("Messages of this session"), self.show_log)
        self._icon = QLabel()
        self._text = ElidedLabel(asks=True)
        self._offer = button("", "link", self._take_offer)
        self.more = label("", "soft")
        self.more.hide()
        self.close_button = tool_button(theme, "cross", self.tr("Close the message"), self._next)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(9, 0, 2, 0)
        layout.setSpacing(8)
        layout.addWidget(self._icon)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._offer)
        layout.addWidget(self.more)
        layout.addWidget(self.close_button)
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MILLISECONDS)
        self._timer.timeout.connect(self._next)
        self._offer.hide()
        self.hide()

    @property
    def message(self) -> Message | None:
        """What is shown now."""
        return self._message

    def show_message(self, message: Message) -> None:
        """Show a message, now or behind the error that is shown, and note it in the log; a quiet one is only noted."""
        if message not in self._waiting:
            self.log.append((datetime.now(), message))
        if not message.quiet:
            self._show_now(message)

    def _show_now(self, message: Message) -> None:
        if self._message is not None and self._message.severity is Severity.ERROR and message != self._message:
            self._waiting.append(message)
            self._count_waiting()
            return
        self._message = message
        self._count_waiting()
        self._icon.setPixmap(
            self._theme.pixmap(_ICONS[message.severity], 16, _COLORS[message.severity], self.devicePixelRatioF())
        )
        self._text.setText(message.text)
        self.setAccessibleName(message.text)
        offers = {
            MessageAction.SHOW_FAILURES: self.tr("Show the list"),
            MessageAction.SHOW_SUGGESTIONS: self.tr("Show them"),
            MessageAction.RELOCATE: self.tr("Locate…"),
            MessageAction.SHOW_MISSING: self.tr("Show them"),
            MessageAction.FORMER_METRIC: self.tr("Back to the former metric"),
            MessageAction.TRAINED_METRIC: self.tr("Use it nevertheless"),
            MessageAction.SHOW_FOLDER: self.tr("Show the photos"),
            MessageAction.REVIEW: self.tr("Tag them in Review"),
            MessageAction.REVIEW_NEW_KINDS: self.tr("Review new kinds there"),
            MessageAction.VERIFY_BACKUP: self.tr("Verify it"),
            MessageAction.IMPORT_TAGS: self.tr("Import\N{HORIZONTAL ELLIPSIS}"),
            MessageAction.UNDO: self.tr("Undo"),
            MessageAction.TRAIN_LOCAL: self.tr("Train local distances"),
            MessageAction.USE_LOCAL: self.tr("Use this metric"),
        }
        self._offer.setText(offers.get(message.action, ""))
        self._offer.setVisible(message.action is not MessageAction.NONE)
        set_property(self, "tone", str(message.severity))
        self.show()
        if message.severity is Severity.ERROR or message.action in _STAYING:
            self._timer.stop()
        else:
            self._timer.start()
        self.turned.emit()

    def _count_waiting(self) -> None:
        """Say how many messages come when this one is closed, lest what was done since seems to have failed too."""
        count = len(self._waiting)
        self.more.setText(QCoreApplication.translate("messages", "%n more", "", count))
        self.more.setVisible(count > 0)

    def settle(self, *offers: MessageAction) -> None:
        """Put the message away if it offers what a person has done by another way, or what can be had no more."""
        if self._message is not None and self._message.action in offers:
            self._next()

    def _take_offer(self) -> None:
        if self._message is not None:
            self.offered.emit(self._message.action)
        self._next()

    def _next(self) -> None:
        self._message = None
        self._timer.stop()
        if self._waiting:
            self._show_now(self._waiting.popleft())
        else:
            self.hide()
            self.turned.emit()

    def show_log(self) -> None:
        """Open the log of this session above the status bar; it closes with a click elsewhere, Esc, or another key."""
        opened = _Log(self.window(), Qt.WindowType.Popup)
        opened.setObjectName("messageLog")
        opened.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        entries = QListWidget()
        entries.setAccessibleName(self.tr("Messages of this session"))
        entries.setWordWrap(True)
        for at, message in reversed(self.log):
            entry = QListWidgetItem(f"{at:%H:%M}   {message.text}")
            entry.setIcon(self._theme.icon(_ICONS[message.severity], _COLORS[message.severity]))
            entry.setToolTip(tool_tip(message.text))
            entries.addItem(entry)
        layout = QVBoxLayout(opened)
        layout.setContentsMargins(10, 8, 10, 10)
        layout.addWidget(label(self.tr("Messages"), "section"))
        layout.addWidget(entries if self.log else label(self.tr("No messages yet."), "faint"))
        width, height = _LOG_SIZE[0], _LOG_SIZE[1] if self.log else layout.sizeHint().height()
        opened.resize(width, height)
        corner = self.log_button.mapToGlobal(self.log_button.rect().topRight())
        opened.move(max(corner.x() - width, 0), max(corner.y() - height - 6, 0))
        opened.show()
        entries.setFocus()


class _Log(QFrame):
    """Closes where the keys of something else are pressed, which then happens: a popup would take all keys."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what the keys stand for in the window."""
        keys, window = QKeySequence(event.keyCombination()), self.parentWidget()
        for action in window.actions() if window is not None else ():
            if action.isEnabled() and keys in action.shortcuts():
                self.close()
                action.trigger()
                return
        super().keyPressEvent(event)
