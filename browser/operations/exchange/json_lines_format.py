# SPDX-License-Identifier: MIT
"""JSON Lines: one JSON object per line, in ASCII. Used for exports and for the tables of archives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from focal_photos.browser.operations.exchange.escapes import dumped
from focal_photos.browser.operations.exchange.file_contents import JudgedPair, Record, TaggedFile
from focal_photos.browser.operations.exchange.text_lines import text_lines
from focal_photos.browser.operations.jobs.errors import OperationError


def write_lines(stream: TextIO, records: Iterable[Record]) -> int:
    """Write one line per record; return the number of records."""
    count = 0
    for record in records:
        stream.write(dumped(record) + "\n")
        count += 1
    return count


def read_tags(path: Path) -> Iterator[TaggedFile]:
    """Yield the photo in each line: ``path`` or ``file_name`` (or ``file``), ``tags``, ``hash`` and more.

    Further keys are ``rejected``, ``rating`` and ``label`` (see `TaggedFile`).

    Raises
    ------
    OperationError
        If the file cannot be read, or a line is no such object.
    """
    for line, record in read_objects(path):
        files = [Path(text) for text in _texts(path, line, record, "path", "file_name", "file") if text]
        hashes = _texts(path, line, record, "hash")
        if not files and not hashes:
            raise _wrong(path, line, "it names no file: it needs path, file_name or hash")
        # An absolute path does not depend on the table's folder.
        files.sort(key=lambda file: not file.is_absolute())
        yield TaggedFile(
            line,
            tuple(files) or (Path(),),
            _names(path, line, record, "tags"),
            next(iter(hashes), None),
            _names(path, line, record, "rejected"),
            _rating(path, line, record.get("rating")),
            next(iter(_texts(path, line, record, "label")), None),
        )


def read_judgements(path: Path) -> Iterator[JudgedPair]:
    """Yield the judgement in each line: ``focal``, ``other``, ``verdict``, ``than`` and the hashes of the photos.

    For errors see `read_tags`.
    """
    for line, record in read_objects(path):
        texts = {
            key: next(iter(_texts(path, line, record, key)), None)
            for key in ("focal", "other", "verdict", "than", "focal_hash", "other_hash", "than_hash")
        }
        for key in ("focal", "other"):
            if texts[key] is None and texts[f"{key}_hash"] is None:
                raise _wrong(path, line, f"it has no {key}")
        yield JudgedPair(
            line,
            (Path(texts["focal"] or ""),),
            (Path(texts["other"] or ""),),
            texts["verdict"] or "",
            texts["focal_hash"],
            texts["other_hash"],
            (Path(texts["than"]),) if texts["than"] else (),
            texts["than_hash"],
        )


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number, from 1, and object of each non-blank line.

    Raises
    ------
    OperationError
    """
    for number, text in enumerate(text_lines(path), start=1):
        if not text.strip():
            continue
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _wrong(path, number, "it is no JSON") from error
        if not isinstance(found, dict):
            raise _wrong(path, number, "it is no object")
        yield number, found


def _texts(path: Path, line: int, record: Record, *keys: str) -> list[str]:
    """Return the texts of the keys that are present."""
    found = [record[key] for key in keys if record.get(key) is not None]
    for one in found:
        if not isinstance(one, str) or "\0" in one:
            raise _wrong(path, line, f"its {keys[0]} is no text")
    return found


def _names(path: Path, line: int, record: Record, key: str) -> tuple[str, ...]:
    found = record.get(key) or []
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise _wrong(path, line, f"its {key} are no list of texts")
    return tuple(found)


def _rating(path: Path, line: int, found: object) -> str | None:
    if found is not None and (not isinstance(found, int) or isinstance(found, bool)):
        raise _wrong(path, line, "its rating is no whole number")
    return None if found is None else str(found)


def _wrong(path: Path, line: int, detail: str) -> OperationError:
    return OperationError("{0} cannot be read in line {1}: {2}.", path, line, detail)
