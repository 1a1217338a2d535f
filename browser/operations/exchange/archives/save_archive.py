# SPDX-License-Identifier: MIT
"""Save a whole library as an archive."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.atomic_file import replacing
from focal_photos.browser.catalog.store.files.scratch import Scratch
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import fitted_states_of
from focal_photos.browser.operations.exchange.archives.archive import (
    ALIASES,
    AUDIT,
    BOXES,
    CATALOG,
    CONFIRMATIONS,
    JUDGEMENTS,
    NOT_DUPLICATES,
    PHOTOS,
    README,
    REGION_JUDGEMENTS,
    REGIONS,
    REJECTED_BOXES,
    ROTATIONS,
    SEARCHES,
    TEXT_JUDGEMENTS,
    THUMBNAILS,
    TRAILS,
    ArchiveWriter,
    fits,
    read_blocks,
)
from focal_photos.browser.operations.exchange.archives.portable import leave_local_settings
from focal_photos.browser.operations.exchange.overwriting import require_replaceable
from focal_photos.browser.operations.exchange.provenance.merges import merge_records
from focal_photos.browser.operations.exchange.records import judgement_records, photo_records
from focal_photos.browser.operations.exchange.work_records import (
    box_records,
    confirmation_records,
    not_duplicate_records,
    records_of_audit,
    region_judgement_records,
    region_records,
    rejected_box_records,
    rotation_records,
    text_judgement_records,
    trail_records,
)
from focal_photos.browser.operations.jobs.errors import OperationError, not_written
from focal_photos.browser.operations.jobs.progress import Job, Meter

_LINES: Final = 500  # lines per block of a table
_TEXT: Final = """\
This is a whole library of Focal, a photo browser, without the photos themselves. Any program can read it.

photos.jsonl      a JSON object a line: one photo with its tags, rating, label, and the tags that were rejected for it.
                  "hash" is the BLAKE2b-128 of the file, "path" where it lay, "file_name" the same in its photo folder.
judgements.jsonl  a JSON object a line: "other" is "similar" or "dissimilar" to "focal", "looks alike" without need to
                  mean the same, or is "nearer" to it "than" a third photo; with the hash of each.
searches.jsonl    a JSON object a line: a filter that was saved by name.
aliases.jsonl     a JSON object a line: another name of a tag.
text_judgements.jsonl
                  a JSON object a line: the photo "other" is "similar" or "dissimilar" to what a text says.
trails.jsonl, regions.jsonl, confirmations.jsonl
                  a JSON object a line: trails kept by name, the part of a photo that matters, and tags and judgements
                  that seemed wrong and were confirmed.
turns.jsonl       a JSON object a line: by how many "quarters" a photo is shown turned, clockwise; its file is not.
not_duplicates.jsonl
                  a JSON object a line: two photos, or two boxes, that look alike and are not duplicates.
audit.jsonl       a JSON object a line: a tag that was audited, or a photo that was drawn for it at random, and whether
                  it should carry the tag ("present"; null where that is not answered).
boxes.jsonl       a JSON object a line: a box on a photo, by the fractions of its width and height where it begins
                  ("x0", "y0") and ends ("x1", "y1"), with the tag that names it.
region_judgements.jsonl
                  a JSON object a line: a part of the photo "other" is "similar" or "dissimilar" to a part of "query".
rejected_boxes.jsonl
                  a JSON object a line: a part of a photo that a tag does not name.
catalog.sqlite    all of that and the settings, suggestions, metrics and the steps of undo, as an SQLite database;
                  without the settings of one machine, such as folders and limits.
metrics/          what was learned from judgements and tags; NumPy's .npz.
derived/fitted/   what descriptors learned from the photos; NumPy's .npz.
derived/          else: vectors and thumbnails, which can be made again from the photos.
manifest.json     size and SHA-256 of every file here.

focal unpack FILE --library DIR makes a library of it; focal merge FILE takes tags, ratings, labels, rejected tags,
judgements, searches, other names of tags, trails, parts of photos, turned photos, boxes, rejected boxes,
confirmations, "not duplicates" and the audit into one that is there. Photos are found again by their content when their
folder is indexed.
"""


@dataclass
class ArchiveReport:
    """Result of saving an archive."""

    file: Path
    bytes: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    """``photos``, ``tags``, ``judgements``, ``boxes``, ``metrics``."""


def save_archive(library: Library, file: Path, *, with_derived: bool = False) -> Job[ArchiveReport]:
    """Write a library to one file atomically.

    The archive contains the catalogue at one moment, all metrics, the fitted descriptors (so that saved metrics rank as
    before once photos are described again), and tables for other programs. Photos, network files, backups and the
    settings of this machine (see `portable`) are not included.

    Parameters
    ----------
    library : Library
        May be read-only.
    file : pathlib.Path
        An existing file is replaced.
    with_derived : bool
        Whether to include vectors, patches and thumbnails; indexing must not run meanwhile.

    Raises
    ------
    OperationError
        If the file cannot be written or is in the library itself.
    LibraryError
    """
    file = file.absolute()
    if file.exists() and not file.is_file():
        raise OperationError("{0} is not a file: choose another name for the archive.", file)
    require_replaceable(library, file, (), force=True)
    meter = Meter(Text("Saving the library"))
    yield meter.state()
    try:
        with Scratch() as scratch, replacing(file, follow_link=True) as part:
            library.database.copy_to(scratch.path / CATALOG)
            leave_local_settings(scratch.path / CATALOG)
            # Metric files are written before their rows: all metrics in the copied catalogue exist now.
            with closing(ArchiveWriter(part)) as writer, Library.open(scratch.path, read_only=True) as copy:
                yield from _add_all(writer, library, copy, meter, with_derived=with_derived)
                counts = counts_of(copy)
                made = timestamps.to_text(timestamps.now())
                source = {"library": library.name, "merges": list(merge_records(copy))}
                writer.finish({"program": "Focal", "made": made, **source, "counts": counts})
    except OSError as error:
        raise not_written(Text("The archive {0}", file), error) from error
    return ArchiveReport(file, file.stat().st_size, counts)


def _add_all(writer: ArchiveWriter, library: Library, copy: Library, meter: Meter, *, with_derived: bool) -> Job[None]:
    yield from _add(writer, README, iter([_TEXT.encode()]), meter)
    with (copy.path / CATALOG).open("rb") as stream:
        yield from _add(writer, CATALOG, read_blocks(stream), meter)
    yield from _add(writer, PHOTOS, _table(photo_records(copy, everything=True)), meter)
    yield from _add(writer, JUDGEMENTS, _table(judgement_records(copy)), meter)
    yield from _add(writer, SEARCHES, _table(asdict(one) for one in copy.searches.all()), meter)
    yield from _add(writer, ALIASES, _table(asdict(one) for one in copy.vocabulary.aliases()), meter)
    yield from _add(writer, TRAILS, _table(trail_records(copy)), meter)
    yield from _add(writer, REGIONS, _table(region_records(copy)), meter)
    yield from _add(writer, CONFIRMATIONS, _table(confirmation_records(copy)), meter)
    yield from _add(writer, TEXT_JUDGEMENTS, _table(text_judgement_records(copy)), meter)
    yield from _add(writer, ROTATIONS, _table(rotation_records(copy)), meter)
    yield from _add(writer, NOT_DUPLICATES, _table(not_duplicate_records(copy)), meter)
    yield from _add(writer, AUDIT, _table(records_of_audit(copy)), meter)
    yield from _add(writer, BOXES, _table(box_records(copy)), meter)
    yield from _add(writer, REGION_JUDGEMENTS, _table(region_judgement_records(copy)), meter)
    yield from _add(writer, REJECTED_BOXES, _table(rejected_box_records(copy)), meter)
    for path in _files(library, with_derived=with_derived):
        name = path.relative_to(library.path).as_posix()
        if fits(name):
            with path.open("rb") as stream:
                yield from _add(writer, name, read_blocks(stream), meter, compressed=False)
    if with_derived:
        thumbnails = copy.path / "thumbnails.sqlite"
        library.thumbnails.copy_to(thumbnails)
        if thumbnails.exists():
            with thumbnails.open("rb") as stream:
                yield from _add(writer, THUMBNAILS, read_blocks(stream), meter, compressed=False)


def _add(
    writer: ArchiveWriter, name: str, blocks: Iterator[bytes], meter: Meter, *, compressed: bool = True
) -> Job[None]:
    for _ in writer.add(name, blocks, compressed=compressed):
        yield meter.state(name)
    yield meter.advance(message=name)


def _files(library: Library, *, with_derived: bool) -> list[Path]:
    """Return the files other than the catalogue that are saved unchanged."""
    folders = [library.path / "metrics", fitted_states_of(library).folder]
    if with_derived:
        folders += [library.vectors.folder, library.patches.folder, library.codes.folder]
    return [path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir()) if path.is_file()]


def _table(records: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    lines: list[str] = []
    for record in records:
        lines.append(json.dumps(record) + "\n")
        if len(lines) == _LINES:
            yield "".join(lines).encode()
            lines.clear()
    yield "".join(lines).encode()


def counts_of(library: Library) -> dict[str, int]:
    """Return the numbers of ``photos``, ``tags``, ``judgements``, ``boxes`` and ``metrics`` for the manifest."""
    return {
        "photos": len(library.photos.ids()),
        "tags": len(library.tags.all()),
        "judgements": sum(
            kind.count()
            for kind in (
                library.judgements,
                library.judged_relations,
                library.text_judgements,
                library.region_judgements,
            )
        ),
        "boxes": library.boxes.count(),
        "metrics": len(library.metrics.all()),
    }
