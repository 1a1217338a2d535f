"""The photos' files in the folder of a data set: their names there, copies and links of them."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from focal_photos.browser.operations.exchange.escapes import UNSEEN
from focal_photos.browser.operations.exchange.file_format import Media
from focal_photos.browser.operations.jobs.errors import OperationError

_UNSAFE: Final = re.compile(rf'[%/\\:*?"<>|\x00{UNSEEN}]|^\.|[. ]$')
_LONGEST: Final = 255  # bytes of the name of a file
_NUMBER: Final = 12  # bytes for what makes a name another one
_ESCAPED: Final = re.compile("(?:%[0-9A-F]{2})+")


def safe_name(name: str) -> str:
    """Return a name that any file system takes for one file or folder; `plain_name` gives the name back.

    What a file system may refuse is written as in an address, "animal/dog" as ``animal%2Fdog``.
    """
    return _UNSAFE.sub(
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass")), name
    )


def plain_name(name: str) -> str:
    """Return the name that `safe_name` made a file name of."""
    return _ESCAPED.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace"), name)


def fits(name: str) -> bool:
    """Tell whether a name is short enough for a file or a folder."""
    return len(os.fsencode(name)) <= _LONGEST


class Names:
    """Gives each file a name of its own in a data set.

    Parameters
    ----------
    with_suffix : bool
        Whether files that differ in their suffixes alone may have the same name but for it.
    """

    def __init__(self, *, with_suffix: bool = True) -> None:
        self._with_suffix = with_suffix
        self._taken: set[str] = set()

    def free(self, wanted: PurePosixPath) -> PurePosixPath:
        """Return the wanted relative path, or one with a number where it is taken, in any case of letters.

        A name that is too long for a file is cut.
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
    if len(os.fsencode(suffix)) > _NUMBER:  # a dot in a long name, no ending of a kind of file
        stem, suffix = path.name, ""
    while len(os.fsencode(stem + suffix)) > _LONGEST - _NUMBER:
        stem = stem[:-1]
    return path.with_name(stem + suffix)


def place(source: Path, target: Path, media: Media) -> str:
    """Copy a photo's file, or link to it; return why it cannot be read, in words for a person, or nothing.

    Raises
    ------
    OperationError
        Links cannot be made there.
    OSError
        Nothing can be written there.
    """
    from focal_photos.features.decoding.regular_file import open_regular

    target.parent.mkdir(parents=True, exist_ok=True)
    if media is Media.LINK:
        try:
            target.symlink_to(os.path.realpath(source))
        except (OSError, NotImplementedError) as error:
            raise OperationError(f"No links can be made in {target.parent}: choose copies instead.") from error
        return ""
    try:
        stream = open_regular(source)
    except OSError as error:
        return f"The file cannot be read: {error.strerror or error}."
    with stream, target.open("xb") as copy:
        shutil.copyfileobj(stream, copy, 1 << 20)
    return ""


def image_files(folder: Path) -> Iterator[PurePosixPath]:
    """Yield the image files below a folder, relative to it, in the order of their names; hidden ones are left out.

    Links to files are followed, links to folders are not.
    """
    from focal_photos.features.decoding.formats import IMAGE_SUFFIXES

    yield from files_below(folder, IMAGE_SUFFIXES)


def files_below(folder: Path, suffixes: Collection[str]) -> Iterator[PurePosixPath]:
    """Yield the files below a folder that have one of the suffixes, as `image_files` does.

    Raises
    ------
    OperationError
        The folder cannot be read.
    """
    if not folder.is_dir():
        raise OperationError(f"{folder} is no folder: name the folder of the data set.")
    for here, folders, names in os.walk(folder, onerror=_unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        relative = Path(here).relative_to(folder)
        for name in sorted(names):
            if Path(name).suffix.lower() in suffixes and not name.startswith("."):
                yield PurePosixPath(relative, name)


def _unreadable(error: OSError) -> None:
    raise OperationError(f"{error.filename} cannot be read: {error.strerror or error}.") from error
