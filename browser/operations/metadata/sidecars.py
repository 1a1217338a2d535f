# SPDX-License-Identifier: MIT
"""XMP sidecars of photos: find, read and replace them.

Two naming schemes are supported: ``photo.jpg.xmp`` (digiKam, darktable) and ``photo.xmp`` (Lightroom, Camera Raw).
Ambiguous names are of the first kind: ``a.jpg.xmp`` belongs to ``a.jpg`` if that exists, not to ``a.jpg.png``. Case
matters only if two photos differ in nothing else.

``photo.xmp`` may belong to several photos, mostly a raw file and the JPEG taken with it. All of them read it, because
programs with this scheme treat both as one photo. If exactly one of them is a raw file, only its data are written to
it, because these programs write sidecars for raw files. Otherwise none of the photos is written to it, and each gets
its own sidecar ``photo.jpg.xmp``.

Photos themselves are never written.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.store.atomic_file import replacing
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.photos.walk import may_be_photo, photo_head
from focal_photos.features.decoding.decoders.raw import RAW_SUFFIXES
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES
from focal_photos.features.decoding.regular_file import open_regular
from focal_photos.features.metadata.metadata import Metadata
from focal_photos.features.metadata.xmp import XmpError, parse_xmp
from focal_photos.features.metadata.xmp_packet import MAX_BYTES

SUFFIX: Final = ".xmp"
_UNFINISHED: Final = re.compile(r"\..+\.xmp\.[0-9a-f]{8}\.part", re.IGNORECASE | re.DOTALL)
_STALE_SECONDS: Final = 3600  # seconds after which an unfinished copy is abandoned


@dataclass(frozen=True)
class Sidecar:
    """A sidecar of a photo."""

    path: Path
    """Absolute if the photo's path is."""
    metadata: Metadata = field(default_factory=Metadata)
    """Empty if there is a problem."""
    content_hash: str = ""
    """BLAKE2b-128 of its bytes, hexadecimal; empty if unreadable or not written yet."""
    problem: str = ""
    """Why it cannot be read, for the user; empty if it can."""
    is_own: bool = True
    """Whether this photo's data are written to it."""
    content: bytes = field(default=b"", repr=False)
    """Its bytes; empty if unreadable or not written yet."""


class Folder:
    """The file names in a folder, listed once for all its photos.

    Parameters
    ----------
    path : pathlib.Path
        A folder that cannot be listed has no sidecars.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with os.scandir(path) as entries:
                names = sorted(entry.name for entry in entries)
        except OSError:
            names = []
        photos = [name for name in names if _suffix(name).lower() in IMAGE_SUFFIXES or self._is_misnamed(name)]
        self._photos = set(photos)
        self._folded = {name.casefold() for name in photos}
        self._stems = _by(photos, _stem)
        self._stems_folded = _by(photos, lambda name: _stem(name).casefold())
        sidecars = [name for name in names if _suffix(name).lower() == SUFFIX and _stem(name)]
        self._unfinished = [name for name in names if _UNFINISHED.fullmatch(name)]
        self._sidecars = _by(sidecars, lambda name: _stem(name).casefold())

    def _is_misnamed(self, name: str) -> bool:
        """Tell whether a file is a photo by content though not by name."""
        if name.startswith(".") or not may_be_photo(os.fsencode(name)):
            return False
        try:
            return photo_head(os.fsencode(self.path / name)) is not None
        except OSError:
            return False

    def sidecars_of(self, photo: str) -> list[tuple[str, bool]]:
        """Return the names of a photo's sidecars and whether each is its own, ``a.jpg.xmp`` before ``a.xmp``."""
        found = [
            (name, True)
            for name in self._sidecars.get(photo.casefold(), ())
            if _stem(name) == photo or _stem(name) not in self._photos
        ]
        for name in self._sidecars.get(_stem(photo).casefold(), ()):
            stem = _stem(name)
            if stem.casefold() in self._folded:  # photo.jpg.xmp of another photo
                continue
            if stem == _stem(photo) or stem not in self._stems:
                found.append((name, self._writes(photo, stem)))
        return found

    def new_name(self, photo: str, *, with_suffix: bool) -> str:
        """Return the name for a new sidecar: ``photo.jpg.xmp``, or ``photo.xmp`` if that can be its own."""
        stem = _stem(photo)
        if with_suffix or not stem or stem.casefold() in self._folded or not self._writes(photo, stem):
            return photo + SUFFIX
        return stem + SUFFIX

    def remove_unfinished(self) -> None:
        """Remove unfinished sidecars left by a killed program, once they are old enough."""
        for name in self._unfinished:
            left = self.path / name
            with suppress(OSError):
                if time.time() - left.lstat().st_mtime > _STALE_SECONDS:
                    left.unlink()

    def _writes(self, photo: str, stem: str) -> bool:
        """Return whether this photo's data are written to ``stem.xmp``."""
        sharing = self._stems.get(stem) or self._stems_folded.get(stem.casefold(), [])
        raw = [name for name in sharing if _suffix(name).lower() in RAW_SUFFIXES]
        return [photo] in (sharing, raw)


def read_sidecars(photo: Path, folder: Folder | None = None) -> tuple[Sidecar, ...]:
    """Return the sidecars of a photo with their metadata, or why they cannot be read.

    Parameters
    ----------
    folder : Folder, optional
        Its folder, if already listed.
    """
    folder = folder or Folder(photo.parent)
    return tuple(_read(folder.path / name, own) for name, own in folder.sidecars_of(photo.name))


def _read(path: Path, own: bool) -> Sidecar:
    try:
        content = read_bytes(path)
        return Sidecar(path, parse_xmp(content), content_hash(content), is_own=own, content=content)
    except (OperationError, XmpError) as error:
        return Sidecar(path, problem=str(error), is_own=own)


def content_hash(content: bytes) -> str:
    """Return the BLAKE2b-128 of a sidecar's bytes, hexadecimal."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a sidecar.

    Raises
    ------
    OperationError
        If it cannot be read, is no regular file (a pipe would never end), or is too large for a sidecar.
    """
    try:
        with open_regular(path, MAX_BYTES) as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise OperationError("It cannot be read: {0}.", error.strerror or error) from error


def write_sidecar(path: Path, content: bytes, replaced: str) -> None:
    """Write a sidecar atomically.

    Parameters
    ----------
    replaced : str
        Content hash of the sidecar to replace; empty for a new one.

    Raises
    ------
    OperationError
        If it has changed since it was read, is a link out of its folder, or cannot be written.
    """
    try:
        _check_place(path)
        mode = _check_unchanged(path, replaced)
        with replacing(path, follow_link=True) as part:
            part.write_bytes(content)
            if mode is not None:
                with suppress(OSError):  # not every drive stores permissions
                    part.chmod(mode)
    except OSError as error:
        raise OperationError(_why_not(error)) from error


def _check_place(path: Path) -> None:
    if path.is_symlink() and Path(os.path.realpath(path)).parent != Path(os.path.realpath(path.parent)):
        raise OperationError("It is a link into another folder: it was left unchanged.")


def _check_unchanged(path: Path, replaced: str) -> int | None:
    """Return the permissions of the existing file; None if it does not exist, as expected."""
    if not os.path.lexists(path):
        if replaced:
            raise OperationError("It no longer exists: sync again.")
        return None
    if not replaced or content_hash(read_bytes(path)) != replaced:
        raise OperationError("It has changed since it was compared: sync again.")
    if not os.access(path, os.W_OK):
        raise OperationError("It is write-protected: allow writing, and sync again.")
    return stat.S_IMODE(path.stat().st_mode)


def _why_not(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Text("Its disk is full: free some space, and sync again.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return Text("Nothing can be written to its folder: allow writing, and sync again.")
    if error.errno == errno.ENAMETOOLONG:
        return Text("Its name would be too long: shorten that of the photo.")
    return Text("It cannot be written: {0}.", error.strerror or error)


def _suffix(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    return dot + suffix if stem else ""


def _stem(name: str) -> str:
    return name.removesuffix(_suffix(name))


def _by(names: list[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(key(name), []).append(name)
    return found
