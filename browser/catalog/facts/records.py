# SPDX-License-Identifier: MIT
"""Rows of the catalogue as immutable values, which the upper floors use.

The types that most commands use are named tuples, created at import. The others are created when first used.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from focal_photos.browser.catalog.store.deferred import dataclass, field
from focal_photos.browser.catalog.text import Text


class FileState(StrEnum):
    """Whether the last scan found a file."""

    PRESENT = "present"
    MISSING = "missing"


class Verdict(StrEnum):
    """The user's judgement on a pair of photos."""

    SIMILAR = "similar"
    DISSIMILAR = "dissimilar"


class Relation(StrEnum):
    """A judgement beside `Verdict`: how a photo is related to a focal image."""

    LOOKS_ALIKE = "looks alike"
    NEARER = "nearer"


class SuggestionState(StrEnum):
    """State of a suggested tag. Only the user moves it out of OPEN."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class TagSource(StrEnum):
    """Origin of a tag on a photo, or of a box."""

    HAND = "hand"
    ACCEPTED = "accepted"
    IMPORT = "import"


class Root(NamedTuple):
    """A photo folder of the library."""

    id: int
    path: Path


class Photo(NamedTuple):
    """One photo, identified by its content.

    Attributes
    ----------
    id : int
        Identity in the library, to which tags and judgements refer.
    content_hash : str
        BLAKE2b-128 of the file's bytes, hexadecimal.
    path : pathlib.Path
        Absolute path of one of its files, preferably a present one.
    width, height : int or None
        Pixels after EXIF orientation; None until decoded.
    taken : datetime or None
        Capture date from EXIF, without time zone.
    failure : str or None
        Why decoding failed, as text for the user; None if it succeeded or was not yet tried.
    missing : bool
        True if the last scan found none of its files.
    incomplete : str or None
        How much can be decoded, if the file is incomplete.
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
    """A new or changed file found by a scan.

    Attributes
    ----------
    path : bytes
        `os.fsencode` of its path relative to the root.
    bytes, mtime_ns : int
        Size and modification time; if both are unchanged, the file is not read again.
    content_hash : str or None
        BLAKE2b-128 of its bytes, hexadecimal; None if it could not be read.
    """

    root_id: int
    path: bytes
    bytes: int
    mtime_ns: int
    content_hash: str | None
    failure: str | None = None


class KnownFile(NamedTuple):
    """Known state of a file, used to decide whether it must be read again.

    Attributes
    ----------
    photo_id : int or None
        None if it could never be read.
    """

    bytes: int
    mtime_ns: int
    photo_id: int | None
    failure: str | None
    state: FileState


@dataclass(frozen=True)
class Recorded:
    """Result of recording a batch of found files.

    Attributes
    ----------
    new : tuple of int
        Photos that were not in the library.
    changed : tuple of int
        Photos whose only file was edited: they retain id, tags and judgements, but must be described again.
    placed : tuple of int
        Known photos found at a new path.
    """

    new: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    placed: tuple[int, ...] = ()
    unreadable: int = 0


@dataclass(frozen=True)
class Vanished:
    """Result of marking files as missing.

    Attributes
    ----------
    missing : tuple of int
        Photos that now have no present file.
    moved : tuple of int
        Photos that have a present file elsewhere.
    """

    missing: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()


@dataclass(frozen=True)
class Tag:
    """A tag; ``/`` in its name separates levels of the hierarchy (``animal/dog``).

    Attributes
    ----------
    count : int
        Number of photos that carry this tag or a descendant.
    """

    id: int
    name: str
    count: int


@dataclass(frozen=True)
class Alias:
    """Another name of a tag, which is replaced by the tag when typed."""

    name: str
    tag: str


@dataclass(frozen=True)
class SavedSearch:
    """A filter saved under a name.

    Attributes
    ----------
    query : str
        Text of the filter field.
    """

    name: str
    query: str


@dataclass(frozen=True)
class SavedStep:
    """One step of a saved trail: a collection, sorted or ranked by a focal image.

    Attributes
    ----------
    label : str
        Name of the focal image or of the collection.
    like, unlike : tuple of int
        Positive and negative examples, instead of a focal image.
    text : str
        Text query, instead of a focal image; empty: none.
    part_of, region : int and Region, or None
        A photo and its region, instead of a focal image.
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
    part_of: int | None = None
    region: Region | None = None


@dataclass(frozen=True)
class SavedTrail:
    """A trail saved under a name, its steps oldest first."""

    name: str
    steps: tuple[SavedStep, ...]


class Mark(NamedTuple):
    """The user's rating and label of a photo.

    Attributes
    ----------
    rating : int or None
        1 to 5, or -1 for rejected; None if unrated.
    label : str or None
        Label such as "Red"; None if unlabelled.
    """

    rating: int | None = None
    label: str | None = None


@dataclass(frozen=True)
class Information:
    """Capture settings of a photo from its file or a sidecar; None where unknown.

    Attributes
    ----------
    exposure : str or None
        Text such as "1/250 s  f/2.8  ISO 400".
    latitude, longitude : float or None
        Degrees, north and east positive; both known or both None.
    """

    camera: str | None = None
    lens: str | None = None
    exposure: str | None = None
    latitude: float | None = None
    longitude: float | None = None


@dataclass(frozen=True)
class Written:
    """Metadata from other programs that the user can change in Focal.

    Attributes
    ----------
    tags : tuple of str
        Valid tag names, see `browser.catalog.facts.tags.normalise`.
    """

    tags: tuple[str, ...] = ()
    rating: int | None = None
    label: str | None = None


Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Names in one metadata field of a photo's files: hierarchical names, flat names, and flat names that may be truncated;
see `features.metadata.metadata.Metadata`."""


@dataclass(frozen=True)
class Reading:
    """Metadata read from one photo and its sidecars.

    Attributes
    ----------
    content_hash : str
        Content hash of the photo when it was read.
    sidecars : str
        Fingerprint of the sidecars that were read, which changes when they do.
    taken : datetime or None
        Capture date, used only if decoding finds none.
    fields : mapping of str to Names
        Possible tag names by metadata field.
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
class Region:
    """A rectangle in a photo, in fractions 0..1 of the width and height after EXIF orientation.

    Attributes
    ----------
    x0, y0, x1, y1 : float
        Left, top, right and bottom; ``x0 < x1`` and ``y0 < y1``.
    """

    x0: float
    y0: float
    x1: float
    y1: float


class NamedRegion(NamedTuple):
    """A region of a photo and the tag that names it; None: no name."""

    tag: str | None
    region: Region


@dataclass(frozen=True)
class Waiting:
    """Metadata read from a photo that can be imported.

    Attributes
    ----------
    before : Written
        Values imported before.
    found : Written
        Combined values of the photo and its sidecars.
    fields : mapping of str to Names
        Possible tag names by metadata field.
    """

    photo_id: int
    before: Written
    found: Written
    said: tuple[Exchanged, ...] = ()
    fields: Mapping[str, Names] = field(default_factory=dict)


@dataclass(frozen=True)
class Exchanged:
    """Values shared by a photo and one of its sidecars at their last synchronisation.

    Attributes
    ----------
    sidecar : pathlib.Path
        Absolute path.
    content_hash : str
        BLAKE2b-128 of the sidecar's bytes, hexadecimal; empty if unknown.
    boxes : tuple of NamedRegion
    """

    photo_id: int
    sidecar: Path
    content_hash: str
    tags: tuple[str, ...]
    rating: int | None
    label: str | None
    at: datetime
    boxes: tuple[NamedRegion, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """The user's judgement on a pair of photos: `other` seen from `focal`."""

    focal_id: int
    other_id: int
    verdict: Verdict
    at: datetime


@dataclass(frozen=True)
class JudgedRelation:
    """The user's judgement that `other` looks like `focal`, or is nearer to it than another photo.

    Attributes
    ----------
    than_id : int or None
        The photo that is less near; None if the photos look alike.
    """

    focal_id: int
    other_id: int
    relation: Relation
    at: datetime
    than_id: int | None = None


@dataclass(frozen=True)
class TextJudgement:
    """The user's judgement on a photo compared with a text query."""

    text: str
    other_id: int
    verdict: Verdict
    at: datetime


@dataclass(frozen=True)
class Suggestion:
    """A suggested tag of a photo, derived from its neighbours.

    Attributes
    ----------
    confidence : float
        0..1.
    supporters : tuple of int
        Supporting neighbours: ids of the nearest photos that carry the tag, nearest first.
    metric_id : int or None
        Metric of the neighbourhood; None if no longer known.
    """

    photo_id: int
    tag: str
    confidence: float
    state: SuggestionState
    supporters: tuple[int, ...]
    metric_id: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Box:
    """A region that the user has drawn on a photo.

    Attributes
    ----------
    tag : str or None
        The tag that names it, which the photo carries too; None: no name.
    at : datetime
        When it was drawn, moved or named last.
    uncertain : bool
        True if the photo was edited since to another size, so that the box may be in the wrong place.
    """

    id: int
    photo_id: int
    region: Region
    tag: str | None
    source: TagSource
    at: datetime
    uncertain: bool = False


@dataclass(frozen=True)
class RegionJudgement:
    """The user's judgement on a region of a photo, `other_id`, found by a region of another, `photo_id`."""

    photo_id: int
    region: Region
    other_id: int
    other_region: Region
    verdict: Verdict
    at: datetime


@dataclass(frozen=True)
class RejectedBox:
    """A region of a photo for which the user refused a tag."""

    id: int
    photo_id: int
    region: Region
    tag: str
    at: datetime


@dataclass(frozen=True)
class Metric:
    """A metric in the library's history; the built-in Euclidean one has no file.

    Attributes
    ----------
    name : str
        Unique name, such as ``euclidean`` or ``kernel-3``.
    title : str
        Displayed name, such as "Euclidean" or "Kernel metric (v3)".
    file : str or None
        File name in the library's ``metrics`` folder.
    at : datetime
        When its training data was read, in UTC: later judgements are new to this metric.
    judgements, tagged : int
        Number of judgements and tagged photos in the training data.
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
        """Whether the user chose the title."""
        return self.file is not None and not self.title.endswith(f" (v{self.version})")

    @property
    def text(self) -> str:
        """The title as a text that can be translated, unless the user chose it."""
        return self.title if self.named else Text(self.title)
