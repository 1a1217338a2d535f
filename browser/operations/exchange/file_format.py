# SPDX-License-Identifier: MIT
"""Definition of a file format: name, readers and writers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TextIO, TypeVar

if TYPE_CHECKING:  # the command line lists the formats before knowing whether any is used
    from focal_photos.browser.operations.exchange.file_contents import (
        ExportedJudgements,
        ExportedPhoto,
        JudgedPair,
        Record,
        TaggedFile,
    )

T = TypeVar("T")


class Reader(NamedTuple, Generic[T]):
    """Reader of a format.

    Attributes
    ----------
    read : callable
        Takes the path of a file and yields its items. Raises `OperationError` if it cannot be read.
    help : str
        Required content of the file, for the user.
    """

    read: Callable[[Path], Iterator[T]]
    help: str


class Media(StrEnum):
    """Treatment of the photo files in a data set."""

    COPY = "copy"
    LINK = "link"


class PhotoWriter(ABC):
    """Writes a data set photo by photo. Without a call of `finish`, the written files are discarded."""

    @abstractmethod
    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo; return the reason if it was left out, for the user, or an empty string."""

    def finish(self) -> None:  # noqa: B027 - most have written everything
        """Write the rest."""

    def close(self) -> None:  # noqa: B027 - some have opened nothing
        """Close open files, finished or not."""


class Saver(NamedTuple):
    """Writer of photos to a binary file or a folder.

    Attributes
    ----------
    begin : callable
        Takes a path that does not exist, in an existing folder, and the treatment of photo files; returns a writer.
    with_media : bool
        Whether photo files are included.
    with_suggestions, with_vectors : bool
        Data needed for each photo.
    with_boxes : bool
        Whether boxes are written, of which it contains those with a name.
    """

    begin: Callable[[Path, Media], PhotoWriter]
    with_media: bool = False
    with_suggestions: bool = False
    with_vectors: bool = False
    with_boxes: bool = False


class FileFormat(NamedTuple):
    """A file format, or a folder of files.

    Readers and writers handle one file or folder; formats with one file per photo are called for each.

    Attributes
    ----------
    name : str
        In lower case, as in ``--format NAME`` and ``--from-NAME``.
    suffixes : tuple of str
        Suffixes of its files with the dot, in lower case, that of new files first. Empty for a folder.
    tags : Reader of TaggedFile, or None
        Reads the tags of photos; None if the format is not read or contains none.
    judgements : Reader of JudgedPair, or None
        Reads judgements; None if the format is not read or contains none.
    write_photos, write_judgements : callable, or None
        Takes a text stream and records of photos or judgements; returns the number of records written. None if the
        format is not written or cannot contain them.
    save_photos : Saver or None
        Saves photos if a text stream cannot contain them.
    save_judgements : callable or None
        Takes a path that does not exist and judgements; returns the number of judgements written.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    tags: Reader[TaggedFile] | None = None
    judgements: Reader[JudgedPair] | None = None
    write_photos: Callable[[TextIO, Iterable[Record]], int] | None = None
    write_judgements: Callable[[TextIO, Iterable[Record]], int] | None = None
    save_photos: Saver | None = None
    save_judgements: Callable[[Path, ExportedJudgements], int] | None = None
    is_folder: bool = False

    @property
    def is_table(self) -> bool:
        """Whether it is text with one line per photo, which can be piped."""
        return self.write_photos is not None

    @property
    def reads_something(self) -> bool:
        """Whether tags or judgements can be read from it."""
        return self.tags is not None or self.judgements is not None

    @property
    def writes_photos(self) -> bool:
        """Whether photos with their tags can be written to it."""
        return self.write_photos is not None or self.save_photos is not None

    @property
    def writes_judgements(self) -> bool:
        """Whether judgements can be written to it."""
        return self.write_judgements is not None or self.save_judgements is not None
