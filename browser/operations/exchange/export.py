"""Write photos with their tags, or judged pairs, as a table that other programs read."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TextIO

from browser.catalog.facts.records import Photo, Root
from browser.catalog.library import Library

Format = Literal["csv", "jsonl"]

_BLOCK: Final = 1000  # photos looked up at a time


def export_photos(library: Library, stream: TextIO, form: Format, *, query: str = "") -> int:
    """Write one line a photo and return how many there were.

    The columns are those of `photo_record`. ``file_name`` and ``tags`` make the table what Hugging Face's
    ``imagefolder`` reads as ``metadata.csv`` or ``metadata.jsonl`` in the photo folder; `tag.import_csv` reads it too.

    Parameters
    ----------
    library : Library
    stream : text stream
    form : "csv" or "jsonl"
        In CSV tags are joined by ``;``.
    query : str
        Only photos that match.

    Raises
    ------
    QueryError
        The query cannot be understood.
    """
    return _write(stream, form, photo_records(library, query), list(_PHOTO_COLUMNS))


def export_judgements(library: Library, stream: TextIO, form: Format) -> int:
    """Write one line a judged pair (focal, other, verdict, at) and return how many there were."""
    return _write(stream, form, judgement_records(library), ["focal", "other", "verdict", "at"])


_PHOTO_COLUMNS: Final = ("path", "file_name", "tags", "width", "height", "taken", "bytes", "hash", "missing", "failure")


def photo_records(library: Library, query: str = "") -> Iterator[dict[str, Any]]:
    """Yield a record for each photo that matches, in the order of their paths; see `photo_record`."""
    ids = library.photos.listed(query)
    roots = library.photos.roots()
    for start in range(0, len(ids), _BLOCK):
        block = ids[start : start + _BLOCK].tolist()
        tags = library.tags.of(block)
        for photo in library.photos.get(block):
            yield photo_record(photo, tags[photo.id], roots)


def photo_record(photo: Photo, tags: list[str], roots: Sequence[Root]) -> dict[str, Any]:
    """Return what is written of a photo.

    ``path`` is absolute, ``file_name`` relative to the photo folder of the library; ``width`` and ``height`` are pixels
    right way up, ``taken`` is ISO 8601 without zone, ``hash`` the BLAKE2b-128 of the file; what is unknown is None.
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
    }


def judgement_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record for each judged pair, oldest first; ``at`` is in UTC."""
    judgements = library.judgements.all()
    ids = sorted({number for one in judgements for number in (one.focal_id, one.other_id)})
    paths: dict[int, Path] = dict(zip(ids, library.photos.paths(ids), strict=True))
    for one in judgements:
        yield {
            "focal": str(paths[one.focal_id]),
            "other": str(paths[one.other_id]),
            "verdict": one.verdict.value,
            "at": one.at.isoformat(),
        }


def _write(stream: TextIO, form: Format, records: Iterable[dict[str, Any]], columns: list[str]) -> int:
    count = 0
    table = csv.writer(stream, lineterminator="\n")
    if form == "csv":
        table.writerow(columns)
    for record in records:
        if form == "csv":
            table.writerow([_cell(record[column]) for column in columns])
        else:
            stream.write(json.dumps(record) + "\n")
        count += 1
    return count


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ";".join(value) if isinstance(value, list) else str(value)
