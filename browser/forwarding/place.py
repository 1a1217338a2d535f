# SPDX-License-Identifier: MIT
"""Path of the socket on which a library's window listens."""

from __future__ import annotations

import hashlib
import os
import socket
import stat
import struct
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.store.location import absolute

_MAX_PATH_BYTES: Final = 103
"""Largest length of a socket's path in bytes: 107 on Linux, 103 on macOS."""


def socket_name(library: Path) -> str | None:
    """Return the name on which the window of a library listens, in a folder that no other user can access.

    None if there is no such folder. A folder of that name among the temporary files then belongs to another user, who
    could receive the paths that this user opens, or make this user's window open paths.
    """
    name = _name(library)
    if os.name == "nt":
        return name  # a pipe that only this user can open
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    if runtime.is_absolute() and runtime.is_dir() and _fits(runtime / name):
        return str(runtime / name)
    for temporary in dict.fromkeys((tempfile.gettempdir(), "/tmp")):
        folder = Path(temporary) / f"focal-{os.getuid()}"
        if _fits(folder / name):
            return str(folder / name) if _is_private(folder) else None
    return None


def socket_names(library: Path) -> list[str]:
    """Return the possible names on which a window listens, the likeliest first.

    A command of a timer or of another login may lack the variable for the user's folder of sockets.
    """
    if os.name == "nt":
        return []
    usual = Path(f"/run/user/{os.getuid()}") / _name(library)
    names = [socket_name(library), str(usual) if usual.is_socket() else None]
    return list(dict.fromkeys(name for name in names if name is not None))


def is_own(connected: socket.socket) -> bool:
    """Return whether the peer of a connection is a process of this user, as far as the system can tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    shape = struct.Struct("3i")  # process, user, group
    _, user, _ = shape.unpack(connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, shape.size))
    return bool(user == os.getuid())


def _name(library: Path) -> str:
    return f"focal-{hashlib.sha256(os.fsencode(os.path.realpath(absolute(library)))).hexdigest()[:16]}"


def _fits(path: Path) -> bool:
    return len(os.fsencode(path)) <= _MAX_PATH_BYTES


def _is_private(folder: Path) -> bool:
    """Create a private folder if missing; return whether it is private."""
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
