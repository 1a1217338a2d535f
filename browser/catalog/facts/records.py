"""The rows of the catalogue as frozen values; everything that travels up from floor 1.

Those that nearly every command uses are named tuples, which are made at once; the others when they are first used.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from focal_photos.browser.catalog.store.deferred import dataclass, field


class FileState(StrEnum):
    """What the last scan found of a file."""

    PRESENT = "present"
    MISSING = "missing"


class Verdict(StrEnum):
    """A person's judgement on a pair of photos."""

    SIMILAR = "similar"
    DISSIMILAR = "dissimilar"


class SuggestionState(StrEnum):
    """Where a suggested tag stands. Only a person moves it out of OPEN."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class TagSource(StrEnum):
    """How a tag came to a photo."""

    HAND = "hand"
    ACCEPTED = "accepted"
    IMPORT = "import"


class Root(NamedTuple):
    """A photo folder of the library."""

    id: int
    path: Path


class Photo(NamedTuple):
    """One photo: a content, wherever its files are.

    Attributes
    ----------
    id : int
        Identity in the library; tags and judgements hang on it.
    content_hash : str
        BLAKE2b-128 of the file's bytes, hexadecimal.
    path : pathlib.Path
        Absolute path of one of its files, a present one where there is one.
    width, height : int or None
        Pixels, right way up; None until it is decoded.
    taken : datetime or None
        From EXIF, without time zone.
    failure : str or None
        Why it could not be decoded, in words for a person; None if it could or was not tried yet.
    missing : bool
        True if none of its files was found by the last scan.
    incomplete : str or None
        How much of it can be decoded, where its file is incomplete.
    """

    id: int
    content_hash: str
    path: Path
    bytes: int
    width: int | None
    height: int | None
    taken: datetime | None
    failure: str | None
    missing: bool
    incomplete: str | None = None


@dataclass(frozen=True)
class FoundFile:
    """A file as a scan found it, new or changed.

    Attributes
    ----------
    root_id : int
        The root that it lies under.
    path : bytes
        `os.fsencode` of its path relative to the root.
    bytes, mtime_ns : int
        Size and modification time: a file that keeps both is not read again.
    content_hash : str or None
        BLAKE2b-128 of its bytes, hexadecimal; None if it could not be read.
    failure : str or None
        Why it could not be read.
    """

    root_id: int
    path: bytes
    bytes: int
    mtime_ns: int
    content_hash: str | None
    failure: str | None = None


class KnownFile(NamedTuple):
    """What the catalogue remembers of a file, to tell whether it must be read again.

    Attributes
    ----------
    photo_id : int or None
        None if it could never be read.
    failure : str or None
        Why it could not be read the last time.
    """

    bytes: int
    mtime_ns: int
    photo_id: int | None
    failure: str | None
    state: FileState


@dataclass(frozen=True)
class Recorded:
    """What a batch of found files came to.

    Attributes
    ----------
    new : tuple of int
        Photos that were not in the library.
    changed : tuple of int
        Photos whose only file was edited: they kept id, tags and judgements, and must be described again.
    placed : tuple of int
        Known photos that were found at a path where they were not before.
    unreadable : int
        Files that could not be read.
    """

    new: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    placed: tuple[int, ...] = ()
    unreadable: int = 0


@dataclass(frozen=True)
class Vanished:
    """What files that were not found any more came to.

    Attributes
    ----------
    missing : tuple of int
        Photos without any present file now.
    moved : tuple of int
        Photos that are present elsewhere.
    """

    missing: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()


@dataclass(frozen=True)
class Tag:
    """A tag; ``/`` in its name makes the hierarchy (``animal/dog``).

    Attributes
    ----------
    count : int
        Photos that carry this tag itself or one below it.
    """

    id: int
    name: str
    count: int


@dataclass(frozen=True)
class Alias:
    """Another name of a tag: whoever types it gives the tag."""

    name: str
    tag: str


@dataclass(frozen=True)
class SavedSearch:
    """A filter that is kept by name.

    Attributes
    ----------
    query : str
        As it stands in the filter's field.
    """

    name: str
    query: str


@dataclass(frozen=True)
class KeptStep:
    """One step of a kept trail: a collection, in its order or ranked by a focal image.

    Attributes
    ----------
    query : str
        As it stands in the filter's field.
    folder : pathlib.Path or None
    among : tuple of int or None
        Only some of these photos.
    order : str
        How they are sorted; see `Order`.
    seed : int
        Which of the random orders.
    focal : int or None
        The focal image.
    label : str
        Its name, or that of the collection.
    like, unlike : tuple of int
        Several examples in the place of a focal image: what is wanted is like these and not like those.
    text : str
        What photos show, in the place of a focal image; empty: nothing is.
    """

    query: str = ""
    folder: Path | None = None
    among: tuple[int, ...] | None = None
    order: str = ""
    seed: int = 0
    focal: int | None = None
    label: str = ""
    like: tuple[int, ...] = ()
    unlike: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class KeptTrail:
    """A trail that is kept by name, its steps oldest first."""

    name: str
    steps: tuple[KeptStep, ...]


class Mark(NamedTuple):
    """What a person thinks of a photo by itself.

    Attributes
    ----------
    rating : int or None
        1 to 5, -1 rejected; None: none.
    label : str or None
        "Red"; None: none.
    """

    rating: int | None = None
    label: str | None = None


@dataclass(frozen=True)
class Information:
    """How a photo was taken, as its file or a sidecar says; all may be unknown.

    Attributes
    ----------
    exposure : str or None
        For a person: "1/250 s  f/2.8  ISO 400".
    latitude, longitude : float or None
        Degrees, north and east positive; both or neither.
    """

    camera: str | None = None
    lens: str | None = None
    exposure: str | None = None
    latitude: float | None = None
    longitude: float | None = None


@dataclass(frozen=True)
class Written:
    """What other programs wrote about a photo that a person can change in Focal.

    Attributes
    ----------
    tags : tuple of str
        As a tag can be named, see `browser.catalog.facts.tags.normalise`.
    """

    tags: tuple[str, ...] = ()
    rating: int | None = None
    label: str | None = None


Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The names in one field of a photo's files: hierarchical ones, flat ones, and flat ones that may be
cut off; see `browser.operations.metadata.metadata.Metadata`."""


@dataclass(frozen=True)
class Reading:
    """What was read from one photo and what lies beside it.

    Attributes
    ----------
    content_hash : str
        Of the photo when it was read.
    sidecars : str
        Which sidecars were read, in any form that changes when they do.
    taken : datetime or None
        Noted only where decoding finds no date.
    said : tuple of Exchanged
        What each of the sidecars said by itself.
    fields : mapping of str to Names
        The names that could be tags, by the field that holds them.
    """

    photo_id: int
    content_hash: str
    sidecars: str
    written: Written
    information: Information
    taken: datetime | None = None
    said: tuple[Exchanged, ...] = ()
    fields: Mapping[str, Names] = field(default_factory=dict)


@dataclass(frozen=True)
class Waiting:
    """What was read from a photo and can be imported.

    Attributes
    ----------
    before : Written
        What was imported from it before.
    found : Written
        What the photo and its sidecars say together.
    said : tuple of Exchanged
        What each of the sidecars said by itself.
    fields : mapping of str to Names
        The names that could be tags, by the field that holds them.
    """

    photo_id: int
    before: Written
    found: Written
    said: tuple[Exchanged, ...] = ()
    fields: Mapping[str, Names] = field(default_factory=dict)


@dataclass(frozen=True)
class Exchanged:
    """What a photo and one of its sidecars both had when they were last made alike.

    Attributes
    ----------
    sidecar : pathlib.Path
        Absolute.
    content_hash : str
        BLAKE2b-128 of the sidecar's bytes, hexadecimal; empty if unknown.
    """

    photo_id: int
    sidecar: Path
    content_hash: str
    tags: tuple[str, ...]
    rating: int | None
    label: str | None
    at: datetime


@dataclass(frozen=True)
class Judgement:
    """A pair judged by a person: `other` seen from `focal`."""

    focal_id: int
    other_id: int
    verdict: Verdict
    at: datetime


@dataclass(frozen=True)
class TextJudgement:
    """A photo judged by a person against a text by which photos were ranked."""

    text: str
    other_id: int
    verdict: Verdict
    at: datetime


@dataclass(frozen=True)
class Suggestion:
    """A tag that the neighbours of a photo speak for.

    Attributes
    ----------
    confidence : float
        0..1.
    witnesses : tuple of int
        Ids of the nearest photos that carry the tag, nearest first.
    metric_id : int or None
        The metric under which they are near; None where that is not known any more.
    """

    photo_id: int
    tag: str
    confidence: float
    state: SuggestionState
    witnesses: tuple[int, ...]
    metric_id: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Region:
    """A part of a photo: its sides as shares 0..1 of the width and the height of the upright photo.

    Attributes
    ----------
    x0, y0, x1, y1 : float
        Left, top, right and bottom; ``x0 < x1`` and ``y0 < y1``.
    """

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class Metric:
    """One metric of the library's history; the built-in Euclidean one has no file.

    Attributes
    ----------
    name : str
        Unique: ``euclidean``, ``kernel-3``.
    title : str
        For a person: "Euclidean", "Kernel metric (v3)".
    learner : str
        Name in the table of learners.
    version : int
        Counts up for each learner.
    file : str or None
        File name in the library's ``metrics`` folder.
    at : datetime
        When its side information was read, in UTC: judgements after it are new to this metric.
    judgements, tagged : int
        How many judgements and tagged photos it learned from.
    """

    id: int
    name: str
    title: str
    learner: str
    version: int
    file: str | None
    at: datetime
    judgements: int
    tagged: int

    @property
    def named(self) -> bool:
        """Whether a person gave it its title."""
        return self.file is not None and not self.title.endswith(f" (v{self.version})")
