# SPDX-License-Identifier: MIT
"""Lets the window that has the library open run a command of this process."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import LibraryError
from focal_photos.browser.cli.terminal import Terminal
from focal_photos.browser.forwarding.messages import OPENING, PROTOCOL, MessageError, Refusal, Unpacker, packed
from focal_photos.browser.forwarding.place import is_own, socket_names
from focal_photos.browser.operations.jobs.progress import Progress

_ANSWER_SECONDS: Final = 5.0
"""Time limit for the answer to a request; a busier window is asked again later."""
_END_SECONDS: Final = 10.0
"""Time limit for the end of a cancelled command."""
_PIECE: Final = 1 << 16


def version() -> str:
    """Return the version of this program."""
    return metadata.version("focal-photos")


class Window:
    """A connection to a window that runs a command.

    Parameters
    ----------
    messages : iterator
        Messages of the window until the end of the connection.
    """

    def __init__(self, connected: socket.socket, messages: _Messages) -> None:
        self._socket = connected
        self._messages = messages

    def result(self, terminal: Terminal) -> int | None:
        """Write the command's output, and return its exit code; None if the window did not begin it.

        Ctrl+C cancels the command in the window.
        """
        with self._socket:
            try:
                return self._written(terminal)
            except (KeyboardInterrupt, SystemExit):
                terminal.end_progress()
                if self._cancelled(terminal):
                    raise
                return 0

    def _written(self, terminal: Terminal) -> int | None:
        for message in self._messages:
            if message.get("refused"):
                return None
            if isinstance(code := message.get("exit"), int):
                return code
            if isinstance(text := message.get("out"), str):
                terminal.pass_on(text)
            if isinstance(text := message.get("err"), str):
                terminal.pass_on(text, is_error=True)
            if "progress" in message:
                if message["progress"] is None:
                    terminal.end_progress()
                else:
                    terminal.show(Progress(*message["progress"]))
        terminal.end_progress()
        terminal.say(
            "focal: the window ended, or the connection with it, before it said how the command went: whether the "
            "change was made is not known. See what the library holds now (focal list, focal tags), and repeat the "
            "command if it was not."
        )
        return 1

    def _cancelled(self, terminal: Terminal) -> bool:
        """Cancel the command, and return whether that was before its end."""
        with suppress(OSError):
            self._socket.settimeout(_END_SECONDS)
            self._socket.sendall(packed({"cancel": True}))
        return self._written(terminal) != 0


def ask_window(
    library: Path, command: str, argv: Sequence[str], own_files: Mapping[str, str], terminal: Terminal
) -> Window | None:
    """Let the window that has a library open run a command; None if there is no such window.

    `argv` includes the name of the command; for `own_files` see `make_absolute`. Raise LibraryError if the window is of
    another version.
    """
    try:
        folder = str(Path.cwd())
    except FileNotFoundError:  # the working directory was deleted
        folder = ""
    request = {
        "protocol": PROTOCOL,
        "focal": version(),
        "library": os.path.realpath(library),
        "command": command,
        "argv": list(argv),
        "folder": folder,
        "own_files": dict(own_files),
        "terminal": terminal.out_is_terminal,
    }
    for connected in _connections(library):
        window = None
        try:
            window = _agreed(connected, request)
        finally:
            if window is None:
                connected.close()
        if window is not None:
            return window
    return None


def has_window(library: Path) -> bool:
    """Return whether a window has a library open."""
    found = False
    for connected in _connections(library):
        connected.close()
        found = True
    return found


def _agreed(connected: socket.socket, request: dict[str, Any]) -> Window | None:
    """Ask a window to run a command; return None if it refuses or does not answer."""
    messages = _Messages(connected)
    connected.settimeout(_ANSWER_SECONDS)
    try:
        connected.sendall(OPENING + packed(request))
        answer = next(messages, {})
        if answer.get("ready"):
            connected.sendall(packed({"go": True}))
            connected.settimeout(None)
            return Window(connected, messages)
    except OSError:
        return None
    if answer.get("refused") == Refusal.VERSION:
        raise LibraryError(
            "The library {0} is open in a window of Focal {1}, and this is Focal "
            "{2}: close the window, and start it again with this version.",
            request["library"],
            answer.get("focal"),
            request["focal"],
        )
    return None


def _connections(library: Path) -> Iterator[socket.socket]:
    """Yield a connection to each process of this user that listens on a name of the library's window."""
    for name in socket_names(library):
        connected = socket.socket(socket.AF_UNIX)
        connected.settimeout(_ANSWER_SECONDS)
        try:
            connected.connect(name)
            if not is_own(connected):
                raise PermissionError(name)
        except OSError:
            connected.close()
        else:
            yield connected


class _Messages:
    """Messages of the window until it closes the connection or a time limit. They continue after an interruption."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._unpacker = Unpacker()
        self._ready: deque[dict[str, Any]] = deque()

    def __iter__(self) -> _Messages:
        return self

    def __next__(self) -> dict[str, Any]:
        while not self._ready:
            try:
                piece = self._socket.recv(_PIECE)
                self._ready.extend(self._unpacker.messages(piece))
            except (OSError, MessageError):
                raise StopIteration from None
            if not piece:
                raise StopIteration
        return self._ready.popleft()
