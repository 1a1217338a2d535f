# SPDX-License-Identifier: MIT
"""Records of photos and judgements, common to all file formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from focal_photos.browser.catalog.facts.records import SuggestionState

if TYPE_CHECKING:  # the command line lists the formats before opening a library, which must not load numpy
    from focal_photos.browser.catalog.facts.records import Mark, Photo, Root
    from focal_photos.browser.catalog.library import Library

PHOTO_FIELDS: Final = (
    "path",
    "file_name",
    "tags",
    "width",
    "height",
    "taken",
    "bytes",
    "hash",
    "missing",
    "failure",
    "rejected",
    "rating",
    "label",
)
"""Keys of `photo_record`, in order."""

JUDGEMENT_FIELDS: Final = ("focal", "other", "verdict", "at", "focal_hash", "other_hash", "than", "than_hash")
"""Keys of the records of `judgement_records`, in order."""

_BLOCK: Final = 1000  # photos looked up at once


def photo_records(library: Library, query: str = "", *, everything: bool = False) -> Iterator[dict[str, Any]]:
    """Yield a record for each matching photo, sorted by path; see `photo_record`.

    Parameters
    ----------
    everything : bool
        Whether to include photos that are only in removed folders.

    Raises
    ------
    QueryError
        If the query is invalid.
    """
    ids = library.photos.ids(query).tolist() if everything else _listed(library, query)
    for start in range(0, len(ids), _BLOCK):
        yield from records_of(library, ids[start : start + _BLOCK])


def photo_paths(library: Library, query: str = "") -> Iterator[Path]:
    """Yield the absolute path of each matching photo, sorted; raises `QueryError` like `photo_records`."""
    ids = _listed(library, query)
    for start in range(0, len(ids), _BLOCK):
        yield from library.photos.paths(ids[start : start + _BLOCK])


def _listed(library: Library, query: str) -> list[int]:
    few = library.photos.few_listed(query)
    return library.photos.listed(query).tolist() if few is None else few


def records_of(library: Library, ids: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield the records of some photos, in order; see `photo_record`."""
    roots = library.roots.all()
    tags = library.tags.of(ids)
    rejected = library.suggestions.of(ids, SuggestionState.REJECTED)
    marks = library.marks.of(ids)
    for photo in library.photos.get(ids):
        names = sorted(one.tag for one in rejected[photo.id])
        yield photo_record(photo, tags[photo.id], names, marks[photo.id], roots)


def photo_record(
    photo: Photo, tags: list[str], rejected: list[str], mark: Mark, roots: Sequence[Root]
) -> dict[str, Any]:
    """Return the record of a photo.

    ``path`` is absolute, ``file_name`` relative to the photo folder of the library; ``width`` and ``height`` are pixels
    of the upright photo, ``taken`` is ISO 8601 without zone, ``hash`` the BLAKE2b-128 of the file, ``rejected`` the
    tags rejected by the user, ``rating`` 1 to 5, or -1 for rejected. Unknown values are None.
    """
    root = next((root.path for root in roots if photo.path.is_relative_to(root.path)), None)
    return {
        "path": str(photo.path),
        "file_name": str(photo.path if root is None else photo.path.relative_to(root)),
        "tags": tags,
        "width": photo.width,
        "height": photo.height,
        "taken": None if photo.taken is None else photo.taken.isoformat(),
        "bytes": photo.bytes,
        "hash": photo.content_hash,
        "missing": photo.missing,
        "failure": photo.failure,
        "rejected": rejected,
        "rating": mark.rating,
        "label": mark.label,
    }


def judgement_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record for each judgement, oldest first; ``at`` is in UTC.

    ``verdict`` is a `Verdict` or a `Relation`; ``than`` is the photo that is less near, None without one.
    """
    rows: list[tuple[datetime, int, int, str, int | None]] = [
        (one.at, one.focal_id, one.other_id, one.verdict.value, None) for one in library.judgements.all()
    ]
    rows += [
        (one.at, one.focal_id, one.other_id, one.relation.value, one.than_id) for one in library.judged_relations.all()
    ]
    rows.sort(key=lambda one: one[0])
    ids = sorted({number for one in rows for number in (one[1], one[2], one[4]) if number is not None})
    photos = dict(zip(ids, library.photos.get(ids), strict=True))
    for at, focal_id, other_id, verdict, than_id in rows:
        focal, other = photos[focal_id], photos[other_id]
        than = None if than_id is None else photos[than_id]
        yield {
            "focal": str(focal.path),
            "other": str(other.path),
            "verdict": verdict,
            "at": at.isoformat(),
            "focal_hash": focal.content_hash,
            "other_hash": other.content_hash,
            "than": None if than is None else str(than.path),
            "than_hash": None if than is None else than.content_hash,
        }
