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
    """One photo, identified by its content."""

    id: int
    """Identity in the library, to which tags and judgements refer."""
    content_hash: str
    """BLAKE2b-128 of the file's bytes, hexadecimal."""
    path: Path
    """Absolute path of one of its files, preferably a present one."""
    bytes: int
    width: int | None
    height: int | None
    """`width` and `height`: pixels after EXIF orientation; None until decoded."""
    taken: datetime | None
    """Capture date from EXIF, without time zone."""
    failure: str | None
    """Why decoding failed, as text for the user; None if it succeeded or was not yet tried."""
    missing: bool
    """True if the last scan found none of its files."""
    incomplete: str | None = None
    """How much can be decoded, if the file is incomplete."""


@dataclass(frozen=True)
class FoundFile:
    """A new or changed file found by a scan."""

    root_id: int
    path: bytes
    """`os.fsencode` of its path relative to the root."""
    bytes: int
    mtime_ns: int
    """`bytes` and `mtime_ns`: size and modification time; if both are unchanged, the file is not read again."""
    content_hash: str | None
    """BLAKE2b-128 of its bytes, hexadecimal; None if it could not be read."""
    failure: str | None = None


class KnownFile(NamedTuple):
    """Known state of a file, used to decide whether it must be read again."""

    bytes: int
    mtime_ns: int
    photo_id: int | None
    """None if it could never be read."""
    failure: str | None
    state: FileState


@dataclass(frozen=True)
class Recorded:
    """Result of recording a batch of found files."""

    new: tuple[int, ...] = ()
    """Photos that were not in the library."""
    changed: tuple[int, ...] = ()
    """Photos whose only file was edited: they retain id, tags and judgements, but must be described again."""
    placed: tuple[int, ...] = ()
    """Known photos found at a new path."""
    unreadable: int = 0


@dataclass(frozen=True)
class Vanished:
    """Result of marking files as missing."""

    missing: tuple[int, ...] = ()
    """Photos that now have no present file."""
    moved: tuple[int, ...] = ()
    """Photos that have a present file elsewhere."""


@dataclass(frozen=True)
class Tag:
    """A tag; ``/`` in its name separates levels of the hierarchy (``animal/dog``)."""

    id: int
    name: str
    count: int
    """Number of photos that carry this tag or a descendant."""


@dataclass(frozen=True)
class Alias:
    """Another name of a tag, which is replaced by the tag when typed."""

    name: str
    tag: str


@dataclass(frozen=True)
class SavedSearch:
    """A filter saved under a name."""

    name: str
    query: str
    """Text of the filter field."""


@dataclass(frozen=True)
class SavedStep:
    """One step of a saved trail: a collection, sorted or ranked by a focal image."""

    query: str = ""
    folder: Path | None = None
    among: tuple[int, ...] | None = None
    order: str = ""
    seed: int = 0
    focal: int | None = None
    label: str = ""
    """Name of the focal image or of the collection."""
    like: tuple[int, ...] = ()
    unlike: tuple[int, ...] = ()
    """`like` and `unlike`: positive and negative examples, instead of a focal image."""
    text: str = ""
    """Text query, instead of a focal image; empty: none."""
    part_of: int | None = None
    region: Region | None = None
    """`part_of` and `region`: a photo and its region, instead of a focal image."""


@dataclass(frozen=True)
class SavedTrail:
    """A trail saved under a name, its steps oldest first."""

    name: str
    steps: tuple[SavedStep, ...]


class Mark(NamedTuple):
    """The user's rating and label of a photo."""

    rating: int | None = None
    """1 to 5, or -1 for rejected; None if unrated."""
    label: str | None = None
    """Label such as "Red"; None if unlabelled."""


@dataclass(frozen=True)
class Information:
    """Capture settings of a photo from its file or a sidecar; None where unknown."""

    camera: str | None = None
    lens: str | None = None
    exposure: str | None = None
    """Text such as "1/250 s  f/2.8  ISO 400"."""
    latitude: float | None = None
    longitude: float | None = None
    """`latitude` and `longitude`: degrees, north and east positive; both known or both None."""


@dataclass(frozen=True)
class Written:
    """Metadata from other programs that the user can change in Focal."""

    tags: tuple[str, ...] = ()
    """Valid tag names, see `browser.catalog.facts.tags.normalise`."""
    rating: int | None = None
    label: str | None = None


Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Names in one metadata field of a photo's files: hierarchical names, flat names, and flat names that may be truncated;
see `features.metadata.metadata.Metadata`."""


@dataclass(frozen=True)
class Reading:
    """Metadata read from one photo and its sidecars."""

    photo_id: int
    content_hash: str
    """Content hash of the photo when it was read."""
    sidecars: str
    """Fingerprint of the sidecars that were read, which changes when they do."""
    written: Written
    information: Information
    taken: datetime | None = None
    """Capture date, used only if decoding finds none."""
    exchanged: tuple[Exchanged, ...] = ()
    fields: Mapping[str, Names] = field(default_factory=dict)
    """Possible tag names by metadata field."""


@dataclass(frozen=True)
class Region:
    """A rectangle in a photo, in fractions 0..1 of the width and height after EXIF orientation."""

    x0: float
    y0: float
    x1: float
    y1: float
    """`x0`, `y0`, `x1` and `y1`: left, top, right and bottom; ``x0 < x1`` and ``y0 < y1``."""


class NamedRegion(NamedTuple):
    """A region of a photo and the tag that names it; None: no name."""

    tag: str | None
    region: Region


@dataclass(frozen=True)
class Waiting:
    """Metadata read from a photo that can be imported."""

    photo_id: int
    before: Written
    """Values imported before."""
    found: Written
    """Combined values of the photo and its sidecars."""
    exchanged: tuple[Exchanged, ...] = ()
    fields: Mapping[str, Names] = field(default_factory=dict)
    """Possible tag names by metadata field."""


@dataclass(frozen=True)
class Exchanged:
    """Values shared by a photo and one of its sidecars at their last synchronisation."""

    photo_id: int
    sidecar: Path
    """Absolute path."""
    content_hash: str
    """BLAKE2b-128 of the sidecar's bytes, hexadecimal; empty if unknown."""
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
    """The user's judgement that `other` looks like `focal`, or is nearer to it than another photo."""

    focal_id: int
    other_id: int
    relation: Relation
    at: datetime
    than_id: int | None = None
    """The photo that is less near; None if the photos look alike."""


@dataclass(frozen=True)
class TextJudgement:
    """The user's judgement on a photo compared with a text query."""

    text: str
    other_id: int
    verdict: Verdict
    at: datetime


@dataclass(frozen=True)
class Suggestion:
    """A suggested tag of a photo, derived from its neighbours."""

    photo_id: int
    tag: str
    confidence: float
    """0..1."""
    state: SuggestionState
    supporters: tuple[int, ...]
    """Supporting neighbours: ids of the nearest photos that carry the tag, nearest first."""
    metric_id: int | None = field(default=None, compare=False)
    """Metric of the neighbourhood; None if no longer known."""


@dataclass(frozen=True)
class Box:
    """A region that the user has drawn on a photo."""

    id: int
    photo_id: int
    region: Region
    tag: str | None
    """The tag that names it, which the photo carries too; None: no name."""
    source: TagSource
    at: datetime
    """When it was drawn, moved or named last."""
    uncertain: bool = False
    """True if the photo was edited since to another size, so that the box may be in the wrong place."""


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
    """A metric in the library's history; the built-in Euclidean one has no file."""

    id: int
    name: str
    """Unique name, such as ``euclidean`` or ``kernel-3``."""
    title: str
    """Displayed name, such as "Euclidean" or "Kernel metric (v3)"."""
    learner: str
    version: int
    file: str | None
    """File name in the library's ``metrics`` folder."""
    at: datetime
    """When its training data was read, in UTC: later judgements are new to this metric."""
    judgements: int
    tagged: int
    """`judgements` and `tagged`: number of judgements and tagged photos in the training data."""

    @property
    def named(self) -> bool:
        """Whether the user chose the title."""
        return self.file is not None and not self.title.endswith(f" (v{self.version})")

    @property
    def text(self) -> str:
        """The title as a text that can be translated, unless the user chose it."""
        return self.title if self.named else Text(self.title)
