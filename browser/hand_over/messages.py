"""What goes over the socket between a command and the window that runs it.

A command begins with `OPENING`, which an earlier version takes for a length that it refuses. Then both sides send
messages: the length in four bytes, and an object of JSON. Nothing is run before the command has said ``go``, so that a
command that was not answered in time knows that nothing is done for it.

========= =============================================================================================
from      message
========= =============================================================================================
command   ``{"protocol", "focal", "library", "command", "argv", "folder", "own_files", "terminal"}``
window    ``{"ready": true}``, or ``{"refused": why}`` (see `Refusal`)
command   ``{"go": true}``
window    ``{"out": text}``, ``{"err": text}``, ``{"progress": [...]}`` or null at the end of a job
command   ``{"cancel": true}``, if the person wants
window    ``{"exit": code}``, or ``{"refused": why}``: it was not begun
========= =============================================================================================
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

PROTOCOL: Final = 1
"""Of these messages; changed with them."""

OPENING: Final = b"FCL\xff"

TAKEN: Final = b"taken"
"""The answer to paths that are to be opened."""

HEADER: Final = 4
"""Bytes of a length."""

MOST: Final = 1 << 22
"""Bytes of a message to the window: no command line and no file manager hands over more."""


class Refusal(StrEnum):
    """Why a window does not run a command."""

    BUSY = "busy"
    """Too many others are connected."""
    CLOSING = "closing"
    OTHER_LIBRARY = "other library"
    READ_ONLY = "read-only"
    VERSION = "version"
    """It is another version of Focal; the message has ``focal`` too."""


class MessageError(Exception):
    """What came is no message, or too long for one."""


def packed(message: dict[str, Any]) -> bytes:
    """Return a message as it is sent."""
    content = json.dumps(message, separators=(",", ":")).encode("ascii")
    return len(content).to_bytes(HEADER, "little") + content


class Unpacker:
    """Puts messages together from the pieces in which they come.

    Parameters
    ----------
    most : int or None
        Bytes of a message; None for no limit.
    """

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self._content = bytearray()

    @property
    def held(self) -> int:
        """Bytes of the messages that are not complete."""
        return len(self._content)

    def messages(self, piece: bytes) -> Iterator[dict[str, Any]]:
        """Yield the messages that are complete with a further piece.

        Raises
        ------
        MessageError
        """
        self._content += piece
        while len(self._content) >= HEADER:
            length = int.from_bytes(self._content[:HEADER], "little")
            if self.most is not None and length > self.most:
                raise MessageError(f"{length} bytes are too many.")
            if len(self._content) < HEADER + length:
                return
            content = bytes(self._content[HEADER : HEADER + length])
            del self._content[: HEADER + length]
            try:
                message = json.loads(content)
            except (ValueError, RecursionError) as error:
                raise MessageError("It is no JSON.") from error
            if not isinstance(message, dict):
                raise MessageError("It is no object of JSON.")
            yield message
