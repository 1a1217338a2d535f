# SPDX-License-Identifier: MIT
"""Data about photos in files and data sets of other programs, as read and written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from focal_photos.browser.catalog.facts.records import Box

Record = Mapping[str, Any]
"""Data written about one photo or judgement, see `browser.operations.exchange.records`; the values fit JSON."""


@dataclass(frozen=True)
class FoundBox:
    """A box, outline or mask in a file."""

    label: str
    """As written; empty: it has no name."""
    sides: tuple[float, float, float, float]
    """Left, top, right and bottom, of an outline those of the smallest box around it; NaN where the file has no
    number."""
    size: tuple[float, float] | None
    """Width and height of the image in the unit of the sides; None: the sides are pixels of the photo."""
    is_outline: bool = False
    """Whether it was more than a box."""


@dataclass(frozen=True)
class TaggedFile:
    """Tags of one photo in a file.

    Attributes
    ----------
    line : int
        Line number in the file, from 1.
    files : tuple of Path
        Possible files of the photo, at least one, likeliest first; relative paths start from a folder given to the
        import.
    tags : tuple of str
        As written; they may be invalid as tags.
    content_hash : str or None
        BLAKE2b-128 of the photo's file, hexadecimal, if known; takes precedence over `files`.
    rejected : tuple of str
        Tags that the user has rejected, as written.
    rating, label : str or None
        As written; None: not in the file.
    boxes : tuple of str
        Labels of boxes, outlines and points that mark a place in the photo; tags of the whole photo only on request.
    drawn : tuple of FoundBox
        Those of them that have an extent.
    any_folder : bool
        Whether the paths are of another machine: if none is known, the only photo in the library with the first file
        name is meant.
    """

    line: int
    files: tuple[Path, ...]
    tags: tuple[str, ...]
    content_hash: str | None = None
    rejected: tuple[str, ...] = ()
    rating: str | None = None
    label: str | None = None
    boxes: tuple[str, ...] = ()
    drawn: tuple[FoundBox, ...] = ()
    any_folder: bool = False


@dataclass(frozen=True)
class JudgedPair:
    """A judgement in a file.

    Attributes
    ----------
    focal, other : tuple of Path
        Possible files, at least one each, like `files` of `TaggedFile`.
    verdict : str
        As written.
    focal_hash, other_hash : str or None
        Take precedence over the paths.
    than : tuple of Path
        Possible files of the photo that is less near than the other; empty if there is none.
    than_hash : str or None
    """

    line: int
    focal: tuple[Path, ...]
    other: tuple[Path, ...]
    verdict: str
    focal_hash: str | None = None
    other_hash: str | None = None
    than: tuple[Path, ...] = ()
    than_hash: str | None = None


@dataclass(frozen=True)
class ScoredTag:
    """A suggested tag, its confidence (0..1), and the name of the metric that suggested it, if known."""

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
        One of its existing files.
    suggestions : tuple of ScoredTag
        Open suggestions, most confident first; empty if the format does not need them.
    vector : ndarray of float32, shape (d,), or None
        None if the photo is not described or the format does not need vectors.
    """

    record: Record
    file: Path | None
    suggestions: tuple[ScoredTag, ...] = ()
    vector: NDArray[np.float32] | None = None
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True)
class ExportedJudgements:
    """All judgements with their photos.

    Attributes
    ----------
    photos : sequence of ExportedPhoto
        Sorted by path.
    pairs : ndarray of int64, shape (m, 2)
        Indices into `photos` of the focal image and the other photo, oldest judgement first.
    similar : ndarray of bool, shape (m,)
    relative : ndarray of int64, shape (t, 3)
        Indices of the focal image, of the nearer photo and of the less near one.
    visual : ndarray of int64, shape (v, 2)
        Indices of the focal image and of a photo that looks like it.
    """

    photos: Sequence[ExportedPhoto]
    pairs: NDArray[np.int64]
    similar: NDArray[np.bool_]
    relative: NDArray[np.int64]
    visual: NDArray[np.int64]
