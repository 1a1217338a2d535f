"""Messages for the user."""

from __future__ import annotations

from enum import StrEnum

from focal_photos.browser.catalog.store.deferred import dataclass


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
    TRAIN_LOCAL = "train-local"
    USE_LOCAL = "use-local"


@dataclass(frozen=True)
class Message:
    """One message.

    Attributes
    ----------
    text : str
        One or two sentences: what happened, what to do.
    severity : Severity
        Errors stay until they are closed or replaced; other messages have a timeout.
    action : MessageAction
        A button beside the text.
    prominent : bool
        Whether to show it with a frame and a filled button, without a timeout; for example, if many photos were
        changed.
    quiet : bool
        Whether it appears only in the log, because it needs no action.
    """

    text: str
    severity: Severity = Severity.INFO
    action: MessageAction = MessageAction.NONE
    quiet: bool = False
    prominent: bool = False
