# SPDX-License-Identifier: MIT
"""Make a library of an archive, or merge an archive into a library."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library, LibraryDamagedError, LibraryTooNewError
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.atomic_file import sync
from focal_photos.browser.catalog.store.files.scratch import Scratch
from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.catalog.store.schema.plain_words import named_words, named_words_in_steps
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange.archives.archive import (
    ALIASES,
    AUDIT,
    BOXES,
    CATALOG,
    CONFIRMATIONS,
    JUDGEMENTS,
    NOT_DUPLICATES,
    PHOTOS,
    REGION_JUDGEMENTS,
    REGIONS,
    REJECTED_BOXES,
    ROTATIONS,
    SEARCHES,
    TEXT_JUDGEMENTS,
    TRAILS,
    Archive,
    ArchiveError,
    stem_of,
)
from focal_photos.browser.operations.exchange.archives.catalogue import StrangeCatalogueError, problems_in, settle
from focal_photos.browser.operations.exchange.archives.save_archive import counts_of
from focal_photos.browser.operations.exchange.import_file import ImportReport, import_export
from focal_photos.browser.operations.exchange.provenance.merges import merges_in, record_merge
from focal_photos.browser.operations.exchange.text_lines import text_lines
from focal_photos.browser.operations.exchange.work_records import add_records, take_names
from focal_photos.browser.operations.jobs.errors import OperationError, not_written
from focal_photos.browser.operations.jobs.progress import Job, Meter

_WORDS_OF_TAGS: Final = 5
"""Version of archives since which plain words match tags too, not only names."""
_ALL_JUDGEMENTS: Final = 8
"""Version of archives since which their number of judgements includes those against texts."""
_RECORDS: Final = (
    *(TRAILS, REGIONS, CONFIRMATIONS, TEXT_JUDGEMENTS, ROTATIONS, NOT_DUPLICATES, AUDIT, BOXES),
    *(REGION_JUDGEMENTS, REJECTED_BOXES),
)
_RESERVE: Final = 16 << 20  # bytes left free on the disk


@dataclass
class UnpackReport:
    """Result of unpacking an archive."""

    folder: Path
    counts: dict[str, int] = field(default_factory=dict)
    """Numbers of items according to the archive: ``photos``, ``tags``, ``judgements``, ``metrics``."""


def unpack_archive(file: Path, folder: Path) -> Job[UnpackReport]:
    """Make a new library of an archive; it appears only when complete and checked.

    All digests are compared, and the catalogue is checked as by `focal check`. Photos that have moved are found by
    their content when their folder is indexed.

    Parameters
    ----------
    folder : pathlib.Path
        New or empty folder of the library.

    Raises
    ------
    ArchiveError
        If the file is no archive, is damaged, or has content that Focal's archives never have.
    OperationError
        If the folder is not empty or cannot be written.
    LibraryError
        If the library cannot be written.
    """
    folder = absolute(folder)
    with Archive(file) as archive:
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise OperationError("{0} exists already: choose a new or an empty folder for the library.", folder)
            folder.parent.mkdir(parents=True, exist_ok=True)
            part = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part")
            part.mkdir(mode=0o700)
            try:
                yield from unpack_members(archive, part, archive.members)
                yield from _check(part, archive)
                if folder.exists():
                    folder.rmdir()
                part.rename(folder)
            except BaseException:
                shutil.rmtree(part, ignore_errors=True)
                raise
            sync(folder.parent)
        except OSError as error:
            raise not_written(Text("The library {0}", folder), error) from error
        return UnpackReport(folder, archive.counts)


def merge_archive(
    library: Library, file: Path, *, before_record: Callable[[str], None] = lambda _: None
) -> Job[ImportReport]:
    """Merge the data about photos in an archive into a library, in one journal step.

    These are tags, ratings, labels, rejected tags and judgements, saved searches, aliases of tags, saved trails, photo
    regions, rotations, confirmations, judgements against texts and of regions, pairs that are not duplicates, boxes,
    rejected boxes, and the audit. Photos are identified by content, otherwise by path. Nothing is removed, and in case
    of conflict, existing data stay. If anything changed, the step records the name of the other library and its own
    merges (`merges_of`).

    Parameters
    ----------
    before_record : callable
        Called in this step before the merge is recorded, with the name of the other library.

    Raises
    ------
    ArchiveError
        As for `unpack_archive`.
    """
    with Archive(file) as archive, Scratch() as scratch:
        place = scratch.path
        try:
            more = [name for name in (SEARCHES, ALIASES, *_RECORDS) if name in archive.members]
            yield from unpack_members(archive, place, (PHOTOS, JUDGEMENTS, *more))
        except OSError as error:
            raise OperationError("{0} cannot be unpacked: {1}.", file, error.strerror or error) from error

        def take() -> None:
            searches, aliases = (_pairs(place / name) for name in (SEARCHES, ALIASES))
            records: list[Iterable[dict[str, Any]]] = [_lines(place / name) for name in _RECORDS]
            if archive.version < _WORDS_OF_TAGS:
                searches = [(name, named_words(query)) for name, query in searches]
                trails = _RECORDS.index(TRAILS)
                records[trails] = map(_of_names, records[trails])
            take_names(library, searches, aliases)
            add_records(library, *records)

        began = timestamps.now()

        def record() -> None:
            name = archive.library or stem_of(file.name)
            before_record(name)
            record_merge(library, name, file.name, began, earlier=merges_in(archive.merges))

        tables = place / PHOTOS, place / JUDGEMENTS
        label = Text("Merge {0}", file.name)
        try:
            return (yield from import_export(library, *tables, label, more=take, if_changed=record))
        except OperationError as error:  # name the archive, not the temporary folder
            raise ArchiveError(str(error).replace(f"{place}{os.sep}", f"{file}: ")) from error


def _of_names(trail: dict[str, Any]) -> dict[str, Any]:
    """Return a trail of an older archive, in which plain words match only names."""
    steps = trail.get("steps")
    return {**trail, "steps": named_words_in_steps(steps)} if isinstance(steps, list) else trail


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects in a table, without invalid lines; a missing table is empty."""
    for line in text_lines(path) if path.exists() else ():
        with suppress(ValueError, RecursionError):
            entry = json.loads(line)
            if isinstance(entry, dict):
                yield entry


def _pairs(path: Path) -> list[tuple[str, str]]:
    """Return the pairs of name and value in a table, without invalid lines."""
    found = [tuple(entry.values()) for entry in _lines(path)]
    return [pair for pair in found if len(pair) == 2 and all(isinstance(value, str) for value in pair)]


def unpack_members(archive: Archive, folder: Path, names: Iterable[str]) -> Job[None]:
    """Write members to a folder, comparing each with its digest."""
    names = list(names)
    free, wanted = shutil.disk_usage(folder).free, sum(archive.members[name].bytes for name in names)
    if wanted + _RESERVE > free:
        raise OperationError(
            "{0} unpacks to {1} bytes, and only {2} are free: free some space.", archive.path, wanted, free
        )
    meter = Meter(Text("Unpacking"), len(names))
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as stream:
            for block in archive.blocks(name):
                stream.write(block)
                yield meter.state(name)
        sync(path)
        if name.startswith(("metrics/", "derived/fitted/")):
            archive.require_modest(name, path)
        yield meter.advance(message=name)
    for path in {(folder / name).parent for name in names}:
        sync(path)


def _check(folder: Path, archive: Archive) -> Job[None]:
    """Check all of an unpacked library, migrate it, and delete settings that archives leave out."""
    meter = Meter(Text("Checking the library"))
    yield meter.state()
    try:
        settle(folder / CATALOG)
        with Library.open(folder) as library:
            problems = library.database.check()
            problems += [
                f"the file of the metric {metric.name} lies outside of the library"
                for metric in (() if problems else library.metrics.all())
                if metric.file is not None and Path(metric.file).name != metric.file
            ]
            for problem in () if problems else problems_in(library):
                raise StrangeCatalogueError(problem)
            held = {} if problems else counts_of(library)
            if held and archive.version < _ALL_JUDGEMENTS:
                held["judgements"] -= library.text_judgements.count()
    except LibraryTooNewError as error:
        raise ArchiveError("The archive was written by a later version of Focal: update Focal to open it.") from error
    except StrangeCatalogueError as error:
        raise ArchiveError(
            "The catalogue in the archive was not written by Focal ({0}): nothing was imported. Use an archive written "
            "by focal archive, or use another copy.",
            error,
        ) from error
    except (LibraryDamagedError, sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        raise _damaged(Text("it cannot be opened")) from error
    if problems:
        raise _damaged(problems[0])
    for thing, count in archive.counts.items():
        if held.get(thing, count) != count:
            raise _damaged(Text("it holds {0} {1}, and the manifest says {2}", held[thing], thing, count))


def _damaged(detail: str) -> ArchiveError:
    return ArchiveError(
        "The catalogue in the archive is damaged ({0}): nothing was imported. Use another copy.", detail
    )
