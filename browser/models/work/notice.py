"""A message on its way to a person."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """How a notice is meant."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Offer(StrEnum):
    """What a notice offers to do; the window knows how."""

    NONE = ""
    SHOW_FAILURES = "show-failures"
    SHOW_SUGGESTIONS = "show-suggestions"


@dataclass(frozen=True)
class Notice:
    """One message.

    Attributes
    ----------
    text : str
        One or two sentences: what happened, what to do.
    tone : Tone
        Errors stay until they are closed, the rest goes by itself.
    offer : Offer
        A button beside the text.
    """

    text: str
    tone: Tone = Tone.INFO
    offer: Offer = Offer.NONE
