"""What files of other programs and data sets say of photos, as it is read from them and written to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Record = Mapping[str, Any]
"""What is written of one photo or one judgement, see `browser.operations.exchange.records`; the values fit JSON."""


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
    """What a file says of one judgement.

    Attributes
    ----------
    line : int
        Where it stands in the file, from 1.
    focal, other : tuple of Path
        At least one each: where the photo may lie, as `files` of `TaggedFile`.
    verdict : str
        As it is written.
    focal_hash, other_hash : str or None
        They count before the paths.
    """

    line: int
    focal: tuple[Path, ...]
    other: tuple[Path, ...]
    verdict: str
    focal_hash: str | None = None
    other_hash: str | None = None


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
