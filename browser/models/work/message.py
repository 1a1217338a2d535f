"""A message on its way to a person."""

from __future__ import annotations

from enum import StrEnum

from focal_photos.browser.catalog.store.deferred import dataclass


class Severity(StrEnum):
    """How a message is meant."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class MessageAction(StrEnum):
    """What a message offers to do; the window knows how."""

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
        Shown with a frame and a filled button, without a timeout: many photos were changed, say.
    quiet : bool
        It stands in the log and is not shown: good to know, and nothing to do about it.
    """

    text: str
    severity: Severity = Severity.INFO
    action: MessageAction = MessageAction.NONE
    quiet: bool = False
    prominent: bool = False
