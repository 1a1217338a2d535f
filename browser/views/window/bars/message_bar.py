# SPDX-License-Identifier: MIT
"""Messages in one line of the status bar, and a log of all messages."""

from __future__ import annotations

from collections import deque
from datetime import datetime
from time import monotonic
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QLabel, QListWidget, QListWidgetItem, QSizePolicy

from focal_photos.browser.models.base.notices import Message, MessageAction, Severity
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.views.base.buttons import button, tool_button
from focal_photos.browser.views.base.labels import ElidedLabel, label
from focal_photos.browser.views.base.layouts import in_column, in_row
from focal_photos.browser.views.base.theme import Theme, set_property

SHOWN_MILLISECONDS: Final = 9000
WAITING_SECONDS: Final = 300
"""Seconds that a message waits behind newer ones; after that, it is only in the log."""
MOST_WAITING: Final = 20
MAX_LOGGED: Final = 200
"""Number of messages in the log."""
_LASTING_ACTIONS: Final = (
    MessageAction.REVIEW,
    MessageAction.REVIEW_NEW_KINDS,
    MessageAction.SHOW_FOLDER,
    MessageAction.RELOCATE,
    MessageAction.FORMER_METRIC,
    MessageAction.TRAINED_METRIC,
    MessageAction.VERIFY_BACKUP,
    MessageAction.IMPORT_TAGS,
    MessageAction.ANY_ROTATION,
)
"""Actions of messages without a timeout, because the user may be absent when they arrive."""
_LOG_SIZE: Final = (560, 320)
_ICONS: Final = {Severity.INFO: "info", Severity.WARNING: "warning", Severity.ERROR: "warning"}
_COLORS: Final = {Severity.INFO: "accent", Severity.WARNING: "warning", Severity.ERROR: "error"}


class MessageBar(QFrame):
    """Shows the newest message; errors and offers behind it wait, are counted, and expire.

    Nothing changes under the pointer: a new message is shown after the pointer has left the bar.
    """

    offered = Signal(object)
    """The button of a message was pressed (MessageAction)."""
    message_changed = Signal()
    """Another message is shown, or none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("messageBar")
        self._theme = theme
        self._waiting: list[tuple[float, Message]] = []
        """Expiry time by `monotonic` and message, the newest last."""
        self._message: Message | None = None
        self._coming: Message | None = None
        """The message to show after the pointer has left the bar."""
        self._pointed_at = False
        self.log: deque[tuple[datetime, Message]] = deque(maxlen=MAX_LOGGED)
        """The messages of this session, the newest last."""
        self.log_button = tool_button(theme, "info", self.tr("Messages of this session"), self.show_log)
        """Opens the log; the status bar contains it."""
        self._icon = QLabel()
        self._text = ElidedLabel(asks=True)
        self._offer = button("", "link", self._take_offer)
        self.more = button("", "link", self.show_log)
        """The number of waiting messages; a click opens the log."""
        self.more.setToolTip(self.tr("Show all messages of this session"))
        self.more.setAccessibleName(self.more.toolTip())
        self.more.hide()
        self.close_button = tool_button(theme, "cross", self.tr("Close the message"), self._next)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        in_row(
            self._icon,
            (self._text, 1),
            self._offer,
            self.more,
            self.close_button,
            margins=(9, 0, 2, 0),
            spacing=8,
            parent=self,
        )
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MILLISECONDS)
        self._timer.timeout.connect(self._time_is_over)
        self._expiry = QTimer(self, interval=1000 * WAITING_SECONDS // 10)
        self._expiry.timeout.connect(self._count_waiting)
        self._offer.hide()
        self.hide()

    @property
    def message(self) -> Message | None:
        """The shown message."""
        return self._message

    @property
    def unread(self) -> list[Message]:
        """The shown message, then the waiting ones, newest first."""
        every = [self._message, self._coming, *(message for _, message in reversed(self._waiting))]
        return [message for message in every if message is not None]

    def show_message(self, message: Message) -> None:
        """Log a message unless the log has it, and show it unless it is quiet."""
        if not message.again:
            self.log.append((datetime.now(), message))
        if message.quiet:
            return
        if self._pointed_at and self._message is not None:
            self._wait(self._coming)
            self._coming = message
            self._count_waiting()
        else:
            self._wait(self._message)
            self._show_now(message)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Freeze the bar while the pointer is over it."""
        self._pointed_at = True
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Show the message that arrived meanwhile."""
        self._pointed_at = False
        coming, self._coming = self._coming, None
        if coming is not None:
            self._wait(self._message)
            self._show_now(coming)
        super().leaveEvent(event)

    def _wait(self, message: Message | None) -> None:
        """Add a message to the waiting ones unless it has a timeout."""
        if message is not None and _stays(message):
            self._waiting = [each for each in self._waiting if each[1] != message]
            self._waiting.append((monotonic() + WAITING_SECONDS, message))

    def _show_now(self, message: Message) -> None:
        self._waiting = [each for each in self._waiting if each[1] != message]
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
            MessageAction.FORMER_METRIC: self.tr("Back to the previous metric"),
            MessageAction.TRAINED_METRIC: self.tr("Use it anyway"),
            MessageAction.SHOW_FOLDER: self.tr("Show the photos"),
            MessageAction.REVIEW: self.tr("Tag them in Review"),
            MessageAction.REVIEW_NEW_KINDS: self.tr("Review new kinds there"),
            MessageAction.VERIFY_BACKUP: self.tr("Verify it"),
            MessageAction.IMPORT_TAGS: self.tr("Import\N{HORIZONTAL ELLIPSIS}"),
            MessageAction.ANY_ROTATION: self.tr("Ignore rotation"),
            MessageAction.UNDO: self.tr("Undo"),
            MessageAction.TRAIN_LOCAL: self.tr("Train local distances"),
            MessageAction.USE_LOCAL: self.tr("Use this metric"),
        }
        self._offer.setText(offers.get(message.action, ""))
        self._offer.setVisible(message.action is not MessageAction.NONE)
        set_property(self._offer, "variant", "primary" if message.prominent else "link")
        set_property(self, "tone", "prominent" if message.prominent else str(message.severity))
        self.show()
        if _stays(message):
            self._timer.stop()
        else:
            self._timer.start()
        self.message_changed.emit()

    def _count_waiting(self) -> None:
        """Show the number of waiting messages, and drop expired ones."""
        now = monotonic()
        self._waiting = [each for each in self._waiting if each[0] > now][-MOST_WAITING:]
        count = len(self._waiting) + (self._coming is not None)
        self.more.setText(QCoreApplication.translate("messages", "%n more", "", count))
        self.more.setVisible(count > 0)
        if not self._waiting:
            self._expiry.stop()
        elif not self._expiry.isActive():
            self._expiry.start()

    def settle(self, *offers: MessageAction) -> None:
        """Remove messages whose offers have been carried out in another way or are no longer possible."""
        self._waiting = [each for each in self._waiting if each[1].action not in offers]
        if self._coming is not None and self._coming.action in offers:
            self._coming = None
        self._count_waiting()
        if self._message is not None and self._message.action in offers:
            self._next()

    def _take_offer(self) -> None:
        if self._message is not None:
            self.offered.emit(self._message.action)
        self._next()

    def _time_is_over(self) -> None:
        """Close the message unless the pointer is on it."""
        if self._pointed_at:
            self._timer.start()
        else:
            self._next()

    def _next(self) -> None:
        """Close the message and show the newest of the waiting ones."""
        self._message = None
        self._timer.stop()
        self._count_waiting()
        coming, self._coming = self._coming, None
        if coming is not None:
            self._show_now(coming)
        elif self._waiting:
            self._show_now(self._waiting[-1][1])
        else:
            self._pointed_at = False
            self.hide()
            self.message_changed.emit()

    def show_log(self) -> None:
        """Open the log of this session above the status bar; a click elsewhere, Esc or another key closes it."""
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
        layout = in_column(
            label(self.tr("Messages"), "section"),
            entries if self.log else label(self.tr("No messages yet."), "faint"),
            margins=(10, 8, 10, 10),
            parent=opened,
        )
        width, height = _LOG_SIZE[0], _LOG_SIZE[1] if self.log else layout.sizeHint().height()
        opened.resize(width, height)
        corner = self.log_button.mapToGlobal(self.log_button.rect().topRight())
        opened.move(max(corner.x() - width, 0), max(corner.y() - height - 6, 0))
        opened.show()
        entries.setFocus()


def _stays(message: Message) -> bool:
    """Return whether a message stays until it is closed or replaced."""
    return message.severity is Severity.ERROR or message.prominent or message.action in _LASTING_ACTIONS


class _Log(QFrame):
    """A popup that passes shortcuts to the window and closes, because popups receive all keys."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Trigger the window's action for the keys."""
        keys, window = QKeySequence(event.keyCombination()), self.parentWidget()
        for action in window.actions() if window is not None else ():
            if action.isEnabled() and keys in action.shortcuts():
                self.close()
                action.trigger()
                return
        super().keyPressEvent(event)
