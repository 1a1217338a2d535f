# SPDX-License-Identifier: MIT
"""Messages for the user, and the place where all models post them."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.store.deferred import dataclass, field


class Severity(StrEnum):
    """The severity of a message."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class MessageAction(StrEnum):
    """The action that a message offers; the window carries it out."""

    NONE = ""
    SHOW_FAILURES = "show-failures"
    SHOW_SUGGESTIONS = "show-suggestions"
    RELOCATE = "relocate"
    SHOW_MISSING = "show-missing"
    FORMER_METRIC = "former-metric"
    TRAINED_METRIC = "trained-metric"
    REVIEW = "review"
    REVIEW_NEW_KINDS = "review-new-kinds"
    SHOW_FOLDER = "show-folder"
    VERIFY_BACKUP = "verify-backup"
    UNDO = "undo"
    IMPORT_TAGS = "import-tags"
    ANY_ROTATION = "any-rotation"
    TRAIN_LOCAL = "train-local"
    USE_LOCAL = "use-local"


@dataclass(frozen=True)
class Message:
    """One message."""

    text: str
    """One or two sentences: what happened, what to do."""
    severity: Severity = Severity.INFO
    """Errors stay until they are closed or replaced; other messages have a timeout."""
    action: MessageAction = MessageAction.NONE
    quiet: bool = False
    """Whether it appears only in the log, because it needs no action."""
    prominent: bool = False
    """Whether to show it with a frame and a filled button, without a timeout; for example, if many photos were
    changed."""
    again: bool = field(default=False, compare=False)
    """Whether it was shown before, so that the log has it already."""


class Notices(QObject):
    """Passes the messages of all models to the window.

    Signals
    -------
    posted : Message
    """

    posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._posted_once: set[str] = set()

    def post(
        self,
        text: str,
        severity: Severity = Severity.INFO,
        action: MessageAction = MessageAction.NONE,
        *,
        quiet: bool = False,
        prominent: bool = False,
        again: bool = False,
    ) -> None:
        """Show a message; see `Message` for the parameters."""
        self.posted.emit(Message(text, severity, action, quiet, prominent, again))

    def post_once(self, text: str) -> None:
        """Show a message unless it was shown before."""
        if text not in self._posted_once:
            self._posted_once.add(text)
            self.post(text)
