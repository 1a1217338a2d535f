"""What a file format is: its name, and what it reads and writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TextIO, TypeVar

if TYPE_CHECKING:  # the command line asks for the formats before it opens a library: that must load no numpy
    import numpy as np
    from numpy.typing import NDArray

Record = Mapping[str, Any]
"""What is written of one photo or one judgement, see `browser.operations.exchange.records`; the values fit JSON."""

T = TypeVar("T")


@dataclass(frozen=True)
class TaggedFile:
    """What a file says of the tags of one photo.

    Attributes
    ----------
    line : int
        Where it stands in the file, from 1.
    files : tuple of Path
        At least one: where the photo may lie, the likeliest first; relative ones start from a folder of the reader's.
    tags : tuple of str
        As they are written; they need not be names that a tag can have.
    content_hash : str or None
        BLAKE2b-128 of the photo's file, hexadecimal, where it is known: that counts before `files`.
    rejected : tuple of str
        Tags that a person does not want for it; as they are written.
    rating, label : str or None
        As they are written; None: the file says nothing of it.
    boxes : tuple of str
        What boxes, outlines and points are called that show where in the photo something is: tags of the whole photo
        only where a person wants that.
    any_folder : bool
        The paths are those of another machine: where none is known, the one photo of the library that has the file
        name of the first is meant.
    """

    line: int
    files: tuple[Path, ...]
    tags: tuple[str, ...]
    content_hash: str | None = None
    rejected: tuple[str, ...] = ()
    rating: str | None = None
    label: str | None = None
    boxes: tuple[str, ...] = ()
    any_folder: bool = False


@dataclass(frozen=True)
class JudgedPair:
    """What a file says of one judgement; `verdict` is as it is written, hashes count before paths."""

    line: int
    focal: Path
    other: Path
    verdict: str
    focal_hash: str | None = None
    other_hash: str | None = None


@dataclass(frozen=True)
class Reader(Generic[T]):
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


@dataclass(frozen=True)
class ScoredTag:
    """A suggested tag, how sure it is (0..1), and the name of the metric that it was found by, if that is known."""

    tag: str
    confidence: float
    metric: str | None


@dataclass(frozen=True)
class ExportedPhoto:
    """One photo of a data set.

    Attributes
    ----------
    record : Record
        See `browser.operations.exchange.records.photo_record`.
    file : pathlib.Path or None
        One of its files that is there.
    suggestions : tuple of ScoredTag
        Open ones, the surest first; empty where the format does not want them.
    vector : ndarray of float32, shape (d,), or None
        None where it is not described, or the format wants no vectors.
    """

    record: Record
    file: Path | None
    suggestions: tuple[ScoredTag, ...] = ()
    vector: NDArray[np.float32] | None = None


@dataclass(frozen=True)
class ExportedJudgements:
    """All judgements, with the photos that they are about.

    Attributes
    ----------
    photos : sequence of ExportedPhoto
        In the order of their paths.
    pairs : ndarray of int64, shape (m, 2)
        Places in `photos` of the focal image and of the other one, oldest judgement first.
    similar : ndarray of bool, shape (m,)
    """

    photos: Sequence[ExportedPhoto]
    pairs: NDArray[np.int64]
    similar: NDArray[np.bool_]


class PhotoWriter(ABC):
    """Writes a data set photo by photo. What it has written is thrown away unless `finish` was called."""

    @abstractmethod
    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo; return why it was left out, in words for a person, or nothing."""

    def finish(self) -> None:  # noqa: B027 - most have written everything
        """Write what is left."""

    def close(self) -> None:  # noqa: B027 - some have opened nothing
        """Close what is open, finished or not."""


@dataclass(frozen=True)
class Saver:
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


@dataclass(frozen=True)
class FileFormat:
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
