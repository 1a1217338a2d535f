# SPDX-License-Identifier: MIT
"""Photo files in the folder of a data set: names, copies and links."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange.escapes import INVISIBLE
from focal_photos.browser.operations.exchange.file_format import Media
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.decoding import formats, regular_file

_UNSAFE: Final = re.compile(rf'[%/\\:*?"<>|\x00{INVISIBLE}]|^\.|[. ]$')
_MAX_NAME_BYTES: Final = 255  # bytes of a file name
_NUMBER: Final = 12  # bytes reserved for a number that makes a name unique
_ESCAPED: Final = re.compile("(?:%[0-9A-F]{2})+")


def safe_name(name: str) -> str:
    """Return a name that is valid for a file or folder on any file system; `plain_name` reverses it.

    Characters that a file system may reject are percent-encoded: "animal/dog" becomes ``animal%2Fdog``.
    """
    return _UNSAFE.sub(
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass")), name
    )


def plain_name(name: str) -> str:
    """Return the name from which `safe_name` made a file name."""
    return _ESCAPED.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace"), name)


def fits(name: str) -> bool:
    """Tell whether a name is short enough for a file or a folder."""
    return len(os.fsencode(name)) <= _MAX_NAME_BYTES


class Names:
    """Gives each file a unique name in a data set.

    Parameters
    ----------
    with_suffix : bool
        Whether files may share a name if their suffixes differ.
    """

    def __init__(self, *, with_suffix: bool = True) -> None:
        self._with_suffix = with_suffix
        self._taken: set[str] = set()

    def free(self, wanted: PurePosixPath) -> PurePosixPath:
        """Return the wanted relative path, or one with a number if it is taken; case is ignored.

        Names that are too long for a file are truncated.
        """
        parts = [part for part in wanted.parts if part not in ("/", "..", ".")]
        wanted = _cut(PurePosixPath(*parts)) if parts else PurePosixPath("photo")
        name, number = wanted, 1
        while (key := self._key(name)) in self._taken:
            number += 1
            name = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
        self._taken.add(key)
        return name

    def _key(self, name: PurePosixPath) -> str:
        return str(name if self._with_suffix else name.with_suffix("")).casefold()


def _cut(path: PurePosixPath) -> PurePosixPath:
    stem, suffix = path.stem, path.suffix
    if len(os.fsencode(suffix)) > _NUMBER:  # a dot in a long name, not a suffix
        stem, suffix = path.name, ""
    while len(os.fsencode(stem + suffix)) > _MAX_NAME_BYTES - _NUMBER:
        stem = stem[:-1]
    return path.with_name(stem + suffix)


def place(source: Path, target: Path, media: Media) -> str:
    """Copy or link a photo's file; return the reason if it cannot be read, for the user, or an empty string.

    Raises
    ------
    OperationError
        If no link can be made.
    OSError
        If the target cannot be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    if media is Media.LINK:
        try:
            target.symlink_to(os.path.realpath(source))
        except (OSError, NotImplementedError) as error:
            raise OperationError("No links can be made in {0}: choose copies instead.", target.parent) from error
        return ""
    try:
        stream = regular_file.open_regular(source)
    except OSError as error:
        return Text("The file cannot be read: {0}.", error.strerror or error)
    with stream, target.open("xb") as copy:
        shutil.copyfileobj(stream, copy, 1 << 20)
    return ""


def image_files(folder: Path) -> Iterator[PurePosixPath]:
    """Yield the image files below a folder, relative to it, sorted by name, without hidden ones.

    Links to files are followed, links to folders are not.
    """
    yield from files_below(folder, formats.IMAGE_SUFFIXES)


def files_below(folder: Path, suffixes: Collection[str]) -> Iterator[PurePosixPath]:
    """Yield the files below a folder with one of the suffixes, like `image_files`.

    Raises
    ------
    OperationError
        If the folder cannot be read.
    """
    if not folder.is_dir():
        raise OperationError("{0} is no folder: name the folder of the data set.", folder)
    for here, folders, names in os.walk(folder, onerror=_unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        relative = Path(here).relative_to(folder)
        for name in sorted(names):
            if Path(name).suffix.lower() in suffixes and not name.startswith("."):
                yield PurePosixPath(relative, name)


def _unreadable(error: OSError) -> None:
    raise OperationError("{0} cannot be read: {1}.", error.filename, error.strerror or error) from error
