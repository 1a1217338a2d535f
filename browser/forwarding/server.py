# SPDX-License-Identifier: MIT
"""The window's side of the socket, with limits on bytes, connections and time."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from focal_photos.browser.forwarding.messages import (
    HEADER,
    MAX_MESSAGE_BYTES,
    OPENING,
    TAKEN,
    MessageError,
    Refusal,
    Unpacker,
    packed,
)
from focal_photos.browser.forwarding.place import is_own, socket_name
from focal_photos.browser.forwarding.start import connected

MOST_ASKING: Final = 16
"""Largest number of connections without a complete request."""
MOST_RUNNING: Final = 128
"""Largest number of connections of commands that wait for their result."""
MOST_HELD: Final = 2 * MAX_MESSAGE_BYTES
"""Largest size in bytes of all incomplete messages together."""
ASKING_MILLISECONDS: Final = 5000
"""Time after which a connection without a complete request is closed."""
_LAST_MILLISECONDS: Final = 2000
"""Time that a closing window waits until an answer is received."""
_PIECE: Final = 1 << 16  # bytes read at a time
_MOST_ANSWERED: Final = 1 << 10  # largest size in bytes of a message after the request


class HandOverServer(QObject):
    """Listens for other Focal processes during its lifetime.

    Parameters
    ----------
    library : Path
        The library's folder, which this process has open.
    parent : QObject
        Parent object: this object ends with it.
    holds : bool
        Whether this process is the only one that can write to the library: an existing socket was then left by a killed
        process. A read-only process leaves the name to the window that listens there.
    """

    received = Signal(list)
    """Paths to open, possibly none: the window comes to the front (list of Path)."""
    requested = Signal(object)
    """A command asks to be run; the receiver calls `Caller.accept` or `Caller.refuse` (Caller)."""
    closing = Signal()
    """The last moment at which commands can receive their result."""

    def __init__(self, library: Path, parent: QObject, *, holds: bool = True) -> None:
        super().__init__(parent)
        name = socket_name(library)
        self.callers: set[Caller] = set()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept)
        if name is not None and (holds or connected(name) is None):
            QLocalServer.removeServer(name)
            self._server.listen(name)

    def _accept(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            if not _is_of_this_user(connection):
                connection.abort()
                connection.deleteLater()
            elif self._is_full():
                connection.write(packed({"refused": Refusal.BUSY}))
                connection.flush()
                connection.abort()
                connection.deleteLater()
            else:
                Caller(connection, self)

    def _is_full(self) -> bool:
        running = sum(caller.is_running for caller in self.callers)
        return running >= MOST_RUNNING or len(self.callers) - running >= MOST_ASKING

    def close(self) -> None:
        """Stop listening, and tell waiting callers that the window is closing."""
        self._server.close()
        self.closing.emit()
        for caller in list(self.callers):
            caller.close()


class Caller(QObject):
    """A connection to another process, until it has been answered."""

    confirmed = Signal()
    """The command waits for its result and is to run now."""
    left = Signal()
    """The command was cancelled, or its process has ended."""

    def __init__(self, connection: QLocalSocket, server: HandOverServer) -> None:
        super().__init__(server)
        self._server = server
        self._socket: QLocalSocket | None = connection
        self._head: bytearray | None = bytearray()
        self._length = 0  # of paths
        self._unpacker = Unpacker(MAX_MESSAGE_BYTES)
        self.request: dict[str, Any] = {}
        """The command's request; empty until it is complete."""
        self.is_running = False
        """Whether the command waits for its result."""
        server.callers.add(self)
        connection.setParent(self)
        connection.setReadBufferSize(_PIECE)  # the system buffers the rest and blocks the sender
        connection.readyRead.connect(self._read)
        connection.disconnected.connect(self._gone)
        self._time = QTimer(self, singleShot=True, interval=ASKING_MILLISECONDS)
        self._time.timeout.connect(self.drop)
        self._time.start()
        self._read()

    def accept(self) -> None:
        """Tell the command that it can run; `confirmed` follows if it still waits."""
        self.send(packed({"ready": True}))

    def refuse(self, why: Refusal, **more: Any) -> None:
        """Tell the command that it is refused, and why."""
        self.send(packed({"refused": why, **more}))
        self.drop()

    def close(self) -> None:
        """Refuse an unanswered command because the window is closing, and end the connection."""
        if self._socket is not None and self._socket.state() is QLocalSocket.LocalSocketState.ClosingState:
            self._socket.waitForDisconnected(_LAST_MILLISECONDS)
            self.drop()
        else:
            self.refuse(Refusal.CLOSING)

    def finish(self, code: int) -> None:
        """Send the exit code of the command."""
        self.send(packed({"exit": code}))
        self._end()

    def send(self, content: bytes) -> None:
        """Send messages, unless the connection is closed."""
        if self._socket is not None:
            self._socket.write(content)

    @property
    def _held(self) -> int:
        return self._unpacker.held + len(self._head or b"")

    def _read(self) -> None:
        while self._socket is not None and self._socket.bytesAvailable():
            if self._socket.state() is not QLocalSocket.LocalSocketState.ConnectedState:
                return  # already answered
            piece = bytes(self._socket.read(_PIECE).data())
            if sum(caller._held for caller in self._server.callers) + len(piece) > MOST_HELD:
                self.drop()
            elif self._head is not None:
                self._read_head(piece)
            else:
                self._read_messages(piece)

    def _read_head(self, piece: bytes) -> None:
        """Read the beginning, which distinguishes commands from paths, and the paths."""
        assert self._head is not None
        self._head += piece
        if len(self._head) < HEADER:
            return
        if self._head.startswith(OPENING):
            rest, self._head = bytes(self._head[HEADER:]), None
            self._read_messages(rest)
            return
        length = int.from_bytes(self._head[:HEADER], "little")
        if length > MAX_MESSAGE_BYTES or len(self._head) > HEADER + length:
            self.drop()
        elif len(self._head) == HEADER + length:
            paths = bytes(self._head[HEADER:]).split(b"\0") if length else []
            self.send(TAKEN)
            self._end()
            self._server.received.emit([Path(os.fsdecode(path)) for path in paths])

    def _read_messages(self, piece: bytes) -> None:
        try:
            for message in self._unpacker.messages(piece):
                self._take(message)
        except MessageError:
            self.drop()

    def _take(self, message: dict[str, Any]) -> None:
        if not self.request:
            if not message:
                raise MessageError("It asks for nothing.")
            self.request = message
            self._unpacker.most = _MOST_ANSWERED
            self._time.start()
            self._server.requested.emit(self)
        elif message.get("cancel"):
            self.left.emit()
        elif message.get("go") and not self.is_running:
            self.is_running = True
            self._time.stop()
            self.confirmed.emit()

    def _end(self) -> None:
        """Close the connection after all data has been received."""
        if self._socket is not None:
            self._time.stop()
            self._socket.disconnectFromServer()

    def drop(self) -> None:
        """Close the connection immediately."""
        if self._socket is not None:
            self._socket.flush()
            self._socket.abort()
            self._gone()

    def _gone(self) -> None:
        if self._socket is not None:
            self._socket = None
            self._head, self._unpacker = None, Unpacker()
            self._server.callers.discard(self)
            self._time.stop()
            self.left.emit()
            self.deleteLater()


def _is_of_this_user(connection: QLocalSocket) -> bool:
    if os.name == "nt":
        return True  # a pipe that only this user can open
    with suppress(OSError), socket.socket(fileno=os.dup(int(connection.socketDescriptor()))) as copy:
        return is_own(copy)
    return False
