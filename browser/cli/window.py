"""A window that has the library open runs a command in the place of the process that was asked to."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import LibraryError
from focal_photos.browser.cli.terminal import Terminal
from focal_photos.browser.hand_over.messages import OPENING, PROTOCOL, MessageError, Refusal, Unpacker, packed
from focal_photos.browser.hand_over.place import is_own, socket_names
from focal_photos.browser.operations.jobs.progress import Progress

_ANSWER_SECONDS: Final = 5.0
"""For an answer to the request; a window that is busy for longer is asked again later."""
_END_SECONDS: Final = 10.0
"""For the end of a command that was cancelled."""
_PIECE: Final = 1 << 16


def version() -> str:
    """Return the version of this program."""
    from importlib import metadata  # here: it loads e-mail

    return metadata.version("focal-photos")


class Window:
    """A connection with a window that has agreed to run a command, and was told to.

    Parameters
    ----------
    connected : socket.socket
    messages : iterator
        What the window says, until it says no more.
    """

    def __init__(self, connected: socket.socket, messages: _Messages) -> None:
        self._socket = connected
        self._messages = messages

    def result(self, terminal: Terminal) -> int | None:
        """Write what the command writes, and return its exit code; None if the window has not begun it.

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
        """Cancel the command, and return whether that came before its end."""
        with suppress(OSError):
            self._socket.settimeout(_END_SECONDS)
            self._socket.sendall(packed({"cancel": True}))
        return self._written(terminal) != 0


def ask_window(
    library: Path, command: str, argv: Sequence[str], own_files: Mapping[str, str], terminal: Terminal
) -> Window | None:
    """Let the window that has a library open run a command; None where no window does.

    Parameters
    ----------
    library : pathlib.Path
        The library's folder.
    command : str
        Its name.
    argv : sequence of str
        The words of the command line, the name among them.
    own_files : mapping of str to str
        See `make_absolute`.
    terminal : Terminal

    Raises
    ------
    LibraryError
        The window is of another version.
    """
    try:
        folder = str(Path.cwd())
    except FileNotFoundError:  # it was deleted
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


def _agreed(connected: socket.socket, request: dict[str, Any]) -> Window | None:
    """Tell a window to run a request; return None if it refuses or does not answer."""
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
            f"The library {request['library']} is open in a window of Focal {answer.get('focal')}, and this is Focal "
            f"{request['focal']}: close the window, and start it again with this version."
        )
    return None


def _connections(library: Path) -> Iterator[socket.socket]:
    """Yield a connection with each program of this user that listens where the window of a library would."""
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
    """What the window says, until it has gone, or says nothing for too long. An interruption ends nothing."""

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
