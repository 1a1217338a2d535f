"""What a file format is: its name, and what it reads and writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TextIO, TypeVar

if TYPE_CHECKING:  # the command line asks for the formats before it knows whether any is used
    from focal_photos.browser.operations.exchange.file_contents import (
        ExportedJudgements,
        ExportedPhoto,
        JudgedPair,
        Record,
        TaggedFile,
    )

T = TypeVar("T")


class Reader(NamedTuple, Generic[T]):
    """How a format is read.

    Attributes
    ----------
    read : callable
        From the path of a file to what it holds, item by item. Raises `OperationError` where it cannot be read.
    help : str
        For a person: what the file must hold.
    """

    read: Callable[[Path], Iterator[T]]
    help: str


class Media(StrEnum):
    """What becomes of the photos' own files in a data set."""

    COPY = "copy"
    LINK = "link"


class PhotoWriter(ABC):
    """Writes a data set photo by photo. What it has written is thrown away unless `finish` was called."""

    @abstractmethod
    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo; return why it was left out, in words for a person, or nothing."""

    def finish(self) -> None:  # noqa: B027 - most have written everything
        """Write what is left."""

    def close(self) -> None:  # noqa: B027 - some have opened nothing
        """Close what is open, finished or not."""


class Saver(NamedTuple):
    """How photos are saved as a file of bytes or a folder.

    Attributes
    ----------
    begin : callable
        From a path where nothing is yet (its folder is there) and what becomes of the photos' files to a writer.
    with_media : bool
        Whether the photos' files become part of it.
    with_suggestions, with_vectors : bool
        What is wanted of each photo.
    """

    begin: Callable[[Path, Media], PhotoWriter]
    with_media: bool = False
    with_suggestions: bool = False
    with_vectors: bool = False


class FileFormat(NamedTuple):
    """One file format, or a folder of files.

    A reader or writer handles one file or folder: a format that has a file for each photo is called for each.

    Attributes
    ----------
    name : str
        In small letters, as in ``--format NAME`` and ``--from-NAME``.
    title : str
        For a person.
    suffixes : tuple of str
        That its files have, with the dot, in small letters; the one that new files get first. Empty for a folder.
    tags : Reader of TaggedFile, or None
        Reads the tags of photos; None where the format is not read, or holds none.
    judgements : Reader of JudgedPair, or None
        Reads judgements; None where the format is not read, or holds none.
    write_photos, write_judgements : callable, or None
        From a text stream and records of photos or of judgements to the number of records written; None where the
        format is not written, or cannot hold them.
    save_photos : Saver or None
        How photos are saved where a text stream cannot hold them.
    save_judgements : callable or None
        From a path where nothing is yet and judgements to the number of those written.
    is_folder : bool
        Whether it is a folder that a person names.
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
        """Whether it is text with a line a photo, which may be read and written by a pipe."""
        return self.write_photos is not None

    @property
    def reads_something(self) -> bool:
        """Whether tags or judgements are read from it."""
        return self.tags is not None or self.judgements is not None

    @property
    def writes_photos(self) -> bool:
        """Whether photos with their tags are written to it."""
        return self.write_photos is not None or self.save_photos is not None

    @property
    def writes_judgements(self) -> bool:
        """Whether judgements are written to it."""
        return self.write_judgements is not None or self.save_judgements is not None
