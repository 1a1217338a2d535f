"""What a file format is: its name, and what it reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TextIO, TypeVar

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
    """

    line: int
    files: tuple[Path, ...]
    tags: tuple[str, ...]
    content_hash: str | None = None
    rejected: tuple[str, ...] = ()
    rating: str | None = None
    label: str | None = None


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


@dataclass(frozen=True)
class FileFormat:
    """One file format. A reader or writer handles one file: a format that has a file for each photo is called for each.

    Attributes
    ----------
    name : str
        In small letters, as in ``--format NAME`` and ``--from-NAME``.
    title : str
        For a person.
    suffixes : tuple of str
        That its files have, with the dot, in small letters; the one that new files get first.
    tags : Reader of TaggedFile, or None
        Reads the tags of photos; None where the format is not read, or holds none.
    judgements : Reader of JudgedPair, or None
        Reads judgements; None where the format is not read, or holds none.
    write_photos, write_judgements : callable, or None
        From a text stream and records of photos or of judgements to the number of records written; None where the
        format is not written, or cannot hold them.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    tags: Reader[TaggedFile] | None = None
    judgements: Reader[JudgedPair] | None = None
    write_photos: Callable[[TextIO, Iterable[Record]], int] | None = None
    write_judgements: Callable[[TextIO, Iterable[Record]], int] | None = None
