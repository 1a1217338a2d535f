# SPDX-License-Identifier: MIT
"""Forwards the paths of a second start to the window that has the library open.

This makes "Open with Focal" in a file manager work while Focal runs. The socket transfers the paths, separated by NUL
and preceded by their total length; the answer is `TAKEN`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtNetwork import QLocalSocket

from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.forwarding.messages import HEADER, TAKEN
from focal_photos.browser.forwarding.place import socket_name

_CONNECT_MILLISECONDS: Final = 500
_ANSWER_MILLISECONDS: Final = 5000


def forwarding(library: Path, paths: Sequence[Path]) -> bool:
    """Forward paths to the window that has a library open; return False if none answers.

    Parameters
    ----------
    paths : sequence of Path
        Folders and images; empty: only bring the window to the front.
    """
    name = socket_name(library)
    socket = None if name is None else connected(name)
    if socket is None:
        return False
    content = b"\0".join(os.fsencode(absolute(path)) for path in paths)
    socket.write(len(content).to_bytes(HEADER, "little") + content)
    answer = b""
    while len(answer) < len(TAKEN) and socket.waitForReadyRead(_ANSWER_MILLISECONDS):
        answer += socket.readAll().data()
    socket.abort()
    return answer == TAKEN


def connected(name: str) -> QLocalSocket | None:
    """Return a connection to the listener of a name; None if there is none."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    return socket if socket.waitForConnected(_CONNECT_MILLISECONDS) else None
