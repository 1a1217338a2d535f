# SPDX-License-Identifier: MIT
"""Protocol between a command and the window that runs it.

A command begins with `OPENING`, which earlier versions read as an excessive length and reject. Then both sides send
messages: the length in four bytes, followed by a JSON object. Nothing is executed before the command has sent ``go``,
so a command that times out earlier knows that nothing is done for it.

========= =============================================================================================
from      message
========= =============================================================================================
command   ``{"protocol", "focal", "library", "command", "argv", "folder", "own_files", "terminal"}``
window    ``{"ready": true}``, or ``{"refused": why}`` (see `Refusal`)
command   ``{"go": true}``
window    ``{"out": text}``, ``{"err": text}``, ``{"progress": [...]}`` or null at the end of a job
command   ``{"cancel": true}``, if the user cancels
window    ``{"exit": code}``, or ``{"refused": why}`` if the command did not begin
========= =============================================================================================
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

PROTOCOL: Final = 1
"""Version of the protocol; increased with every change of the messages."""

OPENING: Final = b"FCL\xff"

TAKEN: Final = b"taken"
"""Answer to forwarded paths."""

HEADER: Final = 4
"""Size of the length field in bytes."""

MAX_MESSAGE_BYTES: Final = 1 << 22
"""Largest size in bytes of a message to the window; no command line and no file manager sends more."""


class Refusal(StrEnum):
    """Why a window does not run a command."""

    BUSY = "busy"
    """Too many connections."""
    CLOSING = "closing"
    OTHER_LIBRARY = "other library"
    READ_ONLY = "read-only"
    VERSION = "version"
    """The versions of Focal differ; the message also contains ``focal``, the window's version."""


class MessageError(Exception):
    """The received data is not a message, or too long."""


def packed(message: dict[str, Any]) -> bytes:
    """Encode a message for sending."""
    content = json.dumps(message, separators=(",", ":")).encode("ascii")
    return len(content).to_bytes(HEADER, "little") + content


class Unpacker:
    """Decodes messages from received pieces.

    Parameters
    ----------
    most : int or None
        Largest size of a message in bytes; None: no limit.
    """

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self._content = bytearray()

    @property
    def held(self) -> int:
        """Number of bytes of incomplete messages."""
        return len(self._content)

    def messages(self, piece: bytes) -> Iterator[dict[str, Any]]:
        """Yield the messages completed by a further piece.

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
