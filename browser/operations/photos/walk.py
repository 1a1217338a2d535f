# SPDX-License-Identifier: MIT
"""Find the photo files below a folder."""
# ruff: noqa: PTH112, PTH116, PTH118, PTH119

# File names are bytes: Path would be the slowest part of a large walk.

from __future__ import annotations

import heapq
import os
import stat
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.pauses import at_once
from focal_photos.features.decoding import formats
from focal_photos.features.decoding.decoders.dicom_signature import HEAD, is_dicom
from focal_photos.features.decoding.regular_file import open_regular

_BESIDE_PHOTOS: Final = (
    "xmp pp3 dop on1 cos aae json jsonl xml txt md csv tsv html htm url ini cfg conf yaml yml toml db log nfo thm lrv "
    "gpx kml icc icm dcp lut cube mp4 mov m4v avi mkv mts m2ts 3gp webm mpg mpeg wmv mp3 m4a wav flac ogg opus "
    "pdf doc docx odt xls xlsx ods ppt pptx tex epub zip 7z rar gz bz2 xz zst tar iso dmg exe dll so a o jar class "
    "py pyc pyi ipynb js mjs ts css c cc cpp h hpp java go rs sh bat r m rb php pl lua sql ttf otf woff woff2 "
    "sqlite sqlite-wal sqlite-shm sqlite-journal db-wal db-shm npz npy mat h5 hdf5 parquet arrow pkl pt pth onnx "
    "safetensors svg xcf"
)
_COPIES: Final = ".bak .old .orig .backup .tmp .temp .part .partial .crdownload .download .lock .swp .cache ~ _original"
"""Suffixes of copies that other programs leave beside a photo, and of unfinished files."""

_PART: Final = 2048
"""Number of folder entries listed and sorted at once, which takes 2 ms."""

_NEVER_PHOTOS: Final = tuple(
    ending.encode() for ending in (*(f".{suffix}" for suffix in _BESIDE_PHOTOS.split()), *_COPIES.split())
)
"""Lower-case suffixes of files that are never opened: common beside photos, but no photos."""

_UNREAD_KINDS: Final = (
    "ai eps svg svgz cdr wmf emf xcf kra ora clip afphoto afdesign ico icns cur dds pcx pct pict jxl jxr wdp hdp "
    "exr hdr fits fts cin dpx sgi ras xbm xpm qoi pam pfm x3f eip djvu "
    "mp4 mov m4v avi mkv mts m2ts 3gp 3g2 webm mpg mpeg wmv flv ogv mxf insv vob"
)
_UNREAD: Final = tuple(f".{suffix}".encode() for suffix in _UNREAD_KINDS.split())
"""Lower-case suffixes of unsupported pictures and videos."""


@dataclass(frozen=True)
class WalkedFile:
    """A regular file found by a walk."""

    path: bytes
    """Relative to the walked folder."""
    bytes: int
    mtime_ns: int
    """`bytes` and `mtime_ns`: size and modification time, of the target if the file is a symbolic link."""


@dataclass(frozen=True)
class WalkFailure:
    """A folder or file that could not be read."""

    path: bytes
    """Relative to the walked folder; empty for that folder itself."""
    reason: str
    """Reason for the user."""
    is_folder: bool
    """Whether everything below `path` is unknown."""


def why(error: OSError) -> str:
    """Return the reason of an OSError, without the path, which callers show separately."""
    return error.strerror or type(error).__name__


def why_folder(error: OSError) -> str:
    """Return why a folder cannot be read, and what to do about missing permission."""
    if isinstance(error, PermissionError):
        return Text("Focal may not read this folder: change its permissions.")
    return Text("The folder cannot be read: {0}.", why(error))


def walk(
    folder: bytes,
    suffixes: Collection[str],
    by_content: Callable[[bytes], bool] | None = None,
    entering: Callable[[bytes], object] | None = None,
    unread: Callable[[bytes], object] | None = None,
    pause: Callable[[], object] = at_once,
) -> Iterator[WalkedFile | WalkFailure]:
    """Yield each file with one of the suffixes, and each other file that is a photo by content, once.

    Hidden files and folders (with a leading dot) are left out. Folders are read depth first in the order of names, so
    that photos of a folder follow each other. Symbolic links are followed last. Links into walked folders, further
    links to a target, loops, and links to a folder that contains `folder` are ignored.

    Parameters
    ----------
    folder : bytes
        Absolute path (a file name need not be UTF-8).
    suffixes : collection of str
        In lower case with the dot; case is ignored in the comparison.
    by_content : callable, optional
        Called with the relative path of each other file that may be a photo (`may_be_photo`); returns whether to yield
        it. By default, only the suffix counts.
    entering : callable, optional
        Called with the relative path of each folder before it is read.
    unread : callable, optional
        Called with the relative path of each unsupported picture or video.
    pause : callable
        Called before each entry of a folder is inspected and repeatedly during listing; may wait.

    Yields
    ------
    WalkedFile or WalkFailure
    """
    endings = tuple(suffix.encode() for suffix in suffixes)
    top = os.path.realpath(folder)
    walked: set[bytes] = set()  # real paths of folders
    identities: set[tuple[int, int]] = set()  # of these folders, because mounts can form loops too
    misnamed: set[bytes] = set()  # real paths of files that are photos by content
    folders, links, file_links = [b""], deque[bytes](), []
    while folders or links:
        if not folders:
            link = links.popleft()
            target = os.path.realpath(os.path.join(folder, link))
            if not os.path.isdir(target):
                file_links.append((link, target))
            elif not (top + b"/").startswith(target.rstrip(b"/") + b"/"):
                folders.append(link)
            continue
        relative = folders.pop()
        here = os.path.join(folder, relative) if relative else folder
        if entering is not None:
            entering(relative)
        try:
            status = os.stat(here)
            found = _listed(here, pause)
        except OSError as error:
            yield WalkFailure(relative, why_folder(error), is_folder=True)
            continue
        if (status.st_dev, status.st_ino) in identities:
            continue
        identities.add((status.st_dev, status.st_ino))
        walked.add(os.path.realpath(here))
        below: list[bytes] = []
        for entry in found:
            pause()
            if entry.name.startswith(b"."):
                continue
            path = os.path.join(relative, entry.name) if relative else entry.name
            try:
                if entry.is_symlink():
                    links.append(path)
                elif entry.is_dir(follow_symlinks=False):
                    below.append(path)
                elif entry.name.lower().endswith(endings) and entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    yield WalkedFile(path, status.st_size, status.st_mtime_ns)
                elif (
                    by_content is not None
                    and may_be_photo(entry.name)
                    and entry.is_file(follow_symlinks=False)
                    and by_content(path)
                ):
                    misnamed.add(os.path.join(os.path.realpath(here), entry.name))
                    status = entry.stat(follow_symlinks=False)
                    yield WalkedFile(path, status.st_size, status.st_mtime_ns)
                elif unread is not None and entry.name.lower().endswith(_UNREAD):
                    unread(path)
            except OSError as error:
                yield WalkFailure(path, Text("The file cannot be read: {0}.", why(error)), is_folder=False)
        folders.extend(reversed(below))
    yield from _follow(folder, file_links, walked, misnamed, endings, by_content)


def _listed(folder: bytes, pause: Callable[[], object]) -> Iterable[os.DirEntry[bytes]]:
    """Return the entries of a folder in the order of names, sorted in parts so that other threads never wait long."""
    parts: list[list[os.DirEntry[bytes]]] = []
    with os.scandir(folder) as entries:
        while part := list(islice(entries, _PART)):
            pause()
            part.sort(key=_by_name)
            parts.append(part)
    return parts[0] if len(parts) == 1 else heapq.merge(*parts, key=_by_name)


def _by_name(entry: os.DirEntry[bytes]) -> bytes:
    return entry.name


def may_be_photo(name: bytes) -> bool:
    """Tell whether a file without a photo's suffix may be a photo; see `photo_head`."""
    return not name.lower().endswith(_NEVER_PHOTOS)


def photo_head(path: bytes) -> bytes | None:
    """Return the first bytes of a file that is a photo by content, otherwise None.

    Raises
    ------
    OSError
        If it cannot be read or is no regular file.
    """
    with open_regular(path) as stream:
        head = stream.read(HEAD)
        if is_dicom(head):
            return None if os.path.basename(path).upper() == b"DICOMDIR" else head  # DICOMDIR only lists other files

        return head if formats.is_photo_beyond_doubt(head, stream) else None


def _follow(
    folder: bytes,
    links: Sequence[tuple[bytes, bytes]],
    walked: set[bytes],
    misnamed: set[bytes],
    endings: tuple[bytes, ...],
    by_content: Callable[[bytes], bool] | None,
) -> Iterator[WalkedFile | WalkFailure]:
    """Yield each target of links to files once, unless the walk has found it already."""
    followed: set[bytes] = set()
    for link, target in links:
        is_named = link.lower().endswith(endings)
        if not is_named and (by_content is None or not may_be_photo(link)):
            continue
        try:
            status = os.stat(os.path.join(folder, link))
        except OSError as error:
            if is_named:
                yield WalkFailure(link, Text("The link leads to no file ({0}).", why(error)), is_folder=False)
            continue
        place, name = os.path.split(target)
        seen = target in misnamed or (place in walked and not name.startswith(b".") and name.lower().endswith(endings))
        if not stat.S_ISREG(status.st_mode) or seen or target in followed:
            continue
        if is_named or (by_content is not None and by_content(link)):
            followed.add(target)
            yield WalkedFile(link, status.st_size, status.st_mtime_ns)
