# SPDX-License-Identifier: MIT
"""Location of a library, and its suitability."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

import platformdirs

from focal_photos.browser.catalog.store.atomic_file import atomic_file

# SQLite's write-ahead log needs shared memory and reliable locks; network drives guarantee neither.
_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ncpfs", "9p", "ceph", "glusterfs", "davfs"})

OWN_NAME = "focal"
"""Name of the folder of the user's own library."""


def default_path() -> Path:
    """Return the folder of the user's own library, which may have been moved from the default place.

    A moved library counts even if its drive is offline: a new, empty one in the default folder would look as if all
    work were lost.
    """
    own = _own_path()
    if not (own / "catalog.sqlite").exists():
        with suppress(OSError):
            return Path(os.fsdecode(_moved(own).read_bytes()))
    return own


def note_of_moved(path: Path) -> Path | None:
    """Return the file that says that the user's own library was moved to `path`, if it is missing there; else None."""
    if (path / "catalog.sqlite").exists():
        return None
    own = _own_path()
    if (own / "catalog.sqlite").exists() or path != absolute(default_path()):
        return None
    return _moved(own) if _moved(own).exists() else None


def note_move(source: Path, target: Path) -> None:
    """Record the new location of the user's own library for `default_path`; ignore other libraries."""
    own = _own_path()
    if source == absolute(own) or source == absolute(default_path()):
        with atomic_file(_moved(own)) as stream:
            stream.write(os.fsencode(target))


def _own_path() -> Path:
    return platformdirs.user_data_path(OWN_NAME)


def _moved(own: Path) -> Path:
    return own.with_name(f"{own.name}.moved")


def absolute(path: Path) -> Path:
    """Return the absolute path without ``..`` but with symbolic links, so that users see the path they gave."""
    return Path(os.path.normpath(path.absolute()))


def is_path(text: str) -> bool:
    """Return whether a text is an absolute path without a zero byte."""
    try:
        return b"\0" not in os.fsencode(text) and Path(text).is_absolute()
    except UnicodeEncodeError:
        return False


def file_name(name: bytes) -> str:
    """Return a path from the catalogue as text.

    A zero byte, which only a hand-made catalogue has, is replaced by its symbol, so that the file counts as missing
    instead of making every system call fail.
    """
    return os.fsdecode(name.replace(b"\0", "\N{SYMBOL FOR NULL}".encode()))


def readable(name: str) -> str:
    """Return a file name as text that can be stored and shown: undecodable bytes are replaced."""
    text = os.fsencode(name).decode(errors="replace")
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def file_system(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """Return the type of the file system that holds `path` (``ext4``, ``nfs4``, ``fuse.sshfs``); empty if unknown.

    Parameters
    ----------
    mounts : pathlib.Path
        Linux mount table; without it, nothing is known.
    """
    target = os.path.realpath(path)
    best, kind = "", ""
    for point, each in mounted(mounts):
        inside = target == point or target.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, each
    return kind


def mounted(mounts: Path = Path("/proc/self/mountinfo")) -> list[tuple[str, str]]:
    """Return the mount points with their file system types; empty if unknown."""
    try:
        lines = mounts.read_text(errors="surrogateescape").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        left, _, right = line.partition(" - ")
        # Blanks in a mount point are written as octal escapes.
        point = re.sub(r"\\(\d{3})", lambda match: chr(int(match[1], 8)), left.split()[4])
        found.append((point, right.split()[0]))
    return found


def network_drive(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str | None:
    """Return the type of network drive that holds `path` (``nfs4``, ``cifs``, ...), or None for a local one.

    Parameters
    ----------
    mounts : pathlib.Path
        Linux mount table; without it, every drive counts as local.
    """
    bare = file_system(path, mounts).removeprefix("fuse.")
    return bare if bare in _NETWORK or bare in {"sshfs", "rclone", "s3fs", "gvfsd-fuse"} else None
