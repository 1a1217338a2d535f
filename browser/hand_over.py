"""A second start hands what it is to open to the window that has the library open already.

So "Open with Focal" in a file manager works while Focal runs. The window listens on a local socket named after its
library; what goes over it are paths, NUL between them, with their length in front, and `TAKEN` comes back.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from focal_photos.browser.catalog.store.location import absolute

TAKEN: Final = b"taken"
_HEADER: Final = 4  # bytes of the length
_MOST: Final = 1 << 22  # bytes of paths: no file manager hands over more
_CONNECT_MILLISECONDS: Final = 500
_ANSWER_MILLISECONDS: Final = 5000


def socket_name(library: Path) -> str | None:
    """Return the name under which the window of a library listens, in a folder that nobody else can reach.

    None where there is no such folder: what has its name among the temporary files belongs to somebody else, who could
    listen for what this user opens, or let this user's window open something.
    """
    name = f"focal-{hashlib.sha256(os.fsencode(os.path.realpath(absolute(library)))).hexdigest()[:16]}"
    if os.name == "nt":
        return name  # a pipe, which only the user can open
    folder = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    if not folder.is_absolute() or not folder.is_dir():
        folder = Path(tempfile.gettempdir()) / f"focal-{os.getuid()}"
        if not _is_private(folder):
            return None
    return str(folder / name)


def _is_private(folder: Path) -> bool:
    """Make a folder for the user alone; return whether it is one, whoever made it."""
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077


def hand_over(library: Path, paths: Sequence[Path]) -> bool:
    """Give paths to the window that has a library open; False where none answers.

    Parameters
    ----------
    library : Path
        The library's folder.
    paths : sequence of Path
        Folders and images; none only brings the window to the front.
    """
    name = socket_name(library)
    socket = None if name is None else _connected(name)
    if socket is None:
        return False
    content = b"\0".join(os.fsencode(absolute(path)) for path in paths)
    socket.write(len(content).to_bytes(_HEADER, "little") + content)
    answer = b""
    while len(answer) < len(TAKEN) and socket.waitForReadyRead(_ANSWER_MILLISECONDS):
        answer += socket.readAll().data()
    socket.abort()
    return answer == TAKEN


def _connected(name: str) -> QLocalSocket | None:
    """Return a connection with whoever listens under a name; None where nobody does."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    return socket if socket.waitForConnected(_CONNECT_MILLISECONDS) else None


class HandOverServer(QObject):
    """Listens for what other starts hand over, as long as it lives.

    Parameters
    ----------
    library : Path
        The library's folder, which this process has open.
    parent : QObject
        Ends it.
    holds : bool
        Whether no other process can write to the library: what has the name already was left by one that was killed.
        One that only reads leaves the name to the window that listens there.
    """

    received = Signal(list)
    """Paths, at least none: the window comes to the front."""

    def __init__(self, library: Path, parent: QObject, *, holds: bool = True) -> None:
        super().__init__(parent)
        name = socket_name(library)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept)
        if name is not None and (holds or _connected(name) is None):
            QLocalServer.removeServer(name)
            self._server.listen(name)

    def _accept(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            _Caller(socket, self)

    def close(self) -> None:
        """Listen no more."""
        self._server.close()


class _Caller(QObject):
    """One other start, until it has said what it wants."""

    def __init__(self, socket: QLocalSocket, server: HandOverServer) -> None:
        super().__init__(server)
        self._socket, self._server, self._content = socket, server, b""
        socket.setParent(self)
        socket.readyRead.connect(self._read)
        socket.disconnected.connect(self.deleteLater)
        self._read()

    def _read(self) -> None:
        self._content += self._socket.readAll().data()
        length = int.from_bytes(self._content[:_HEADER], "little")
        if length > _MOST:
            self._socket.abort()
        elif len(self._content) >= _HEADER and len(self._content) == _HEADER + length:
            self._socket.write(TAKEN)
            self._socket.flush()
            paths = self._content[_HEADER:].split(b"\0") if length else []
            self._server.received.emit([Path(os.fsdecode(path)) for path in paths])
