# SPDX-License-Identifier: MIT
"""Import tags and judgements from a file of the user or another program."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path, PurePath
from typing import Final, Protocol, TypeVar

from focal_photos.browser.catalog.facts.learning.judged_relations import Related
from focal_photos.browser.catalog.facts.marks import MAX_RATING, REJECTED, MarkError, clean_label
from focal_photos.browser.catalog.facts.records import Relation, TagSource, Verdict
from focal_photos.browser.catalog.facts.tags import MAX_LENGTH, TagNameError, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange import json_lines_format
from focal_photos.browser.operations.exchange.datasets import shapes
from focal_photos.browser.operations.exchange.file_contents import JudgedPair, TaggedFile
from focal_photos.browser.operations.exchange.file_format import FileFormat
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.photos.find import PhotoFinder

_REPORT_EVERY: Final = 200
_AMBIGUOUS: Final = 0  # instead of a photo id
_MOST_NAMES: Final = 1024  # tags whose normal form is cached
_RATINGS: Final = frozenset(map(str, range(REJECTED, MAX_RATING + 1)))

_INVALID: Final = (
    "empty, inverted, outside the photo, in another unit than the format's, or for an image of another shape"
)

_join: Final = os.path.join  # making a Path for each row would take longer than the look-up

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


@dataclass
class ImportReport:
    """Result of an import."""

    lines: int = 0
    """Number of lines in the file, without the header."""
    taken: int = 0
    """Number of lines with imported data, including data present already."""
    unknown: list[Path] = field(default_factory=list)
    """Files that are not in the library."""
    refused: list[tuple[int, str]] = field(default_factory=list)
    """Line numbers with rejected data, and the reasons."""
    boxed: int = 0
    """Number of photos with boxes that were not imported."""
    boxes: int = 0
    outlines: int = 0
    clipped: int = 0
    invalid: int = 0
    """`boxes`, `outlines`, `clipped` and `invalid`: numbers of imported boxes, of those that are the smallest boxes
    around outlines or masks, of those that were cut to the photo, and of boxes that were left out because they are
    invalid."""
    changes: ChangeSet = field(default_factory=ChangeSet)
    """Changes of the journal step; `photo_ids` are the changed photos."""


def import_tags(
    library: Library, path: Path, form: FileFormat, base: Path | None = None, *, boxes: bool = False
) -> Job[ImportReport]:
    """Import tags, ratings and labels of photos from a file, in one journal step.

    Parameters
    ----------
    base : pathlib.Path, optional
        Folder for relative paths; default: the file's own folder.
    boxes : bool
        Whether to import boxes and outlines as boxes; their labels become tags of the photo.

    Raises
    ------
    OperationError
        If the file cannot be read or lacks required data, or the format contains no tags. Nothing was imported.
    """
    if form.tags is None:
        raise OperationError("Tags are not read from {0}: choose another format.", form.title)
    collected = _Tags(library, _folder(path, base, form), boxes=boxes)
    return (yield from _import(library, form.tags.read(path), collected, Text("Reading tags"), Text("Import tags")))


def import_judgements(library: Library, path: Path, form: FileFormat, base: Path | None = None) -> Job[ImportReport]:
    """Import judgements from a file, in one journal step; otherwise like `import_tags`."""
    if form.judgements is None:
        raise OperationError("Judgements are not read from {0}: choose another format.", form.title)
    collected = _Judgements(library, _folder(path, base, form))
    return (
        yield from _import(
            library, form.judgements.read(path), collected, Text("Reading judgements"), Text("Import judgements")
        )
    )


def import_export(
    library: Library,
    photos: Path,
    judgements: Path,
    label: str,
    *,
    more: Callable[[], None] = lambda: None,
    if_changed: Callable[[], None] = lambda: None,
) -> Job[ImportReport]:
    """Import JSON Lines files written by `export_photos` and `export_judgements`, in one journal step.

    Existing judgements, ratings and labels stay.

    Parameters
    ----------
    more : callable
        Makes further changes in the same step.
    if_changed : callable
        Makes changes at the end of the step if there were others.

    Returns
    -------
    ImportReport
        For both files: unknown photos are listed once, and refused lines are those of the first file, then of the
        second.

    Raises
    ------
    OperationError
        If a file cannot be read.
    """
    report = ImportReport()
    tags = _Tags(library, photos.parent, keep=True)
    judged = _Judgements(library, judgements.parent, keep=True)
    yield from _understand(library, json_lines_format.read_tags(photos), tags, report, Meter(Text("Reading tags")))
    yield from _understand(
        library, json_lines_format.read_judgements(judgements), judged, report, Meter(Text("Reading judgements"))
    )
    report.unknown = list(dict.fromkeys(report.unknown))
    with library.journal.action(label) as action:
        tags.enter()
        judged.enter()
        more()
        if action.has_changes:
            if_changed()
    report.changes = action.changes
    return report


def _folder(path: Path, base: Path | None, form: FileFormat) -> Path:
    if base is not None:
        return base
    return path.absolute() if form.is_folder else path.absolute().parent


class _Wanted(Protocol[T_contra]):
    """Data requested by a file, collected line by line and then entered together."""

    def understand(self, line: T_contra, finder: PhotoFinder, report: ImportReport) -> None:
        """Collect the data of a line, or report why not."""

    def enter(self) -> None:
        """Enter all collected data into the library."""


def _import(library: Library, lines: Iterable[T], wanted: _Wanted[T], stage: str, label: str) -> Job[ImportReport]:
    report = ImportReport()
    meter = Meter(stage)
    yield from _understand(library, lines, wanted, report, meter)
    with library.journal.action(label) as action:
        wanted.enter()
    report.changes = action.changes
    yield meter.state()
    return report


def _understand(
    library: Library, lines: Iterable[T], wanted: _Wanted[T], report: ImportReport, meter: Meter
) -> Job[None]:
    rest, finder = iter(lines), PhotoFinder(library)
    while True:
        # Close the reader while the job waits: an open one prevents checkpoints of the catalogue.
        with finder.at_once():
            before = report.lines
            for line in islice(rest, _REPORT_EVERY):
                report.lines += 1
                wanted.understand(line, finder, report)
        if report.lines - before < _REPORT_EVERY:
            return
        yield meter.advance(_REPORT_EVERY)


class _Tags:
    """Photos by the tags, ratings and labels to enter, and their rejected tags.

    With `keep`, existing ratings and labels stay; with `boxes`, boxes are entered, and their labels become tags.
    """

    def __init__(self, library: Library, folder: Path, *, keep: bool = False, boxes: bool = False) -> None:
        self._library = library
        self._folder = folder
        self._start = str(folder)
        self._keep = keep
        self._boxes = boxes
        self._by_name: dict[str, int] | None = None
        self._photos: dict[tuple[str, ...], list[int]] = {}
        self._rejected: list[tuple[int, str]] = []
        self._ratings: dict[int, list[int]] = {}
        self._labels: dict[str, list[int]] = {}
        self._drawn: list[shapes.Named] = []

    def understand(self, line: TaggedFile, finder: PhotoFinder, report: ImportReport) -> None:
        photo_id = finder.find(line.content_hash, [_join(self._start, file) for file in line.files])
        if photo_id is None and line.any_folder:
            photo_id = self._only_one_named(line.files[0].name)
        if photo_id is None:
            report.unknown.append(self._folder / line.files[0])
            return
        refused = len(report.refused)
        report.boxed += bool(line.boxes or line.drawn) and not self._boxes
        wanted = (*line.tags, *line.boxes) if self._boxes else line.tags
        names, rejected = _names(line.line, wanted, report), _names(line.line, line.rejected, report)
        marked = self._understand_mark(line, photo_id, report)
        if self._boxes and line.drawn:
            self._understand_boxes(line, photo_id, report)
        report.taken += bool(names or rejected or marked) or len(report.refused) == refused
        self._photos.setdefault(names, []).append(photo_id)
        self._rejected += [(photo_id, name) for name in rejected]

    def enter(self) -> None:
        given: dict[int, list[str]] = {}
        for names, photo_ids in self._photos.items():
            for photo_id in photo_ids:
                given.setdefault(photo_id, []).extend(names)
        shapes.add_missing_boxes(self._library, self._drawn, TagSource.IMPORT)
        self._library.tags.give(given, TagSource.IMPORT)
        carried = self._library.tags.of({photo for photo, _ in self._rejected})
        # Tags that a photo already carries are not rejected.
        self._library.suggestions.reject([pair for pair in self._rejected if pair[1] not in carried[pair[0]]])
        marks = self._library.marks.of(
            [photo for ids in (*self._ratings.values(), *self._labels.values()) for photo in ids]
        )
        for rating, ids in self._ratings.items():
            free = [photo for photo in ids if not self._keep or marks[photo].rating is None]
            self._library.marks.set(free, rating=rating)
        for label, ids in self._labels.items():
            free = [photo for photo in ids if not self._keep or marks[photo].label is None]
            self._library.marks.set(free, label=label)

    def _understand_boxes(self, line: TaggedFile, photo_id: int, report: ImportReport) -> None:
        (photo,) = self._library.photos.get([photo_id])
        invalid = 0
        for found in line.drawn:
            region, clipped = shapes.fitted(found, photo)
            names = _names(line.line, [found.label], ImportReport()) if found.label else (None,)
            if region is None or not names:
                invalid += region is None
                continue
            self._drawn.append((photo_id, region, names[0]))
            report.boxes += 1
            report.outlines += found.is_outline
            report.clipped += clipped
        if invalid:
            report.invalid += invalid
            report.refused.append((line.line, f"{invalid} of its {len(line.drawn)} boxes are invalid: {_INVALID}."))

    def _only_one_named(self, name: str) -> int | None:
        """Return the photo with a file of this name, with or without suffix, if it is unique."""
        if self._by_name is None:
            self._by_name = {}
            for photo_id, files in self._library.files.present_names():
                for known in {text for _, file in files for text in (file, PurePath(file).stem)}:
                    self._by_name[known] = _AMBIGUOUS if known in self._by_name else photo_id
        found = self._by_name.get(name, _AMBIGUOUS)
        return None if found == _AMBIGUOUS else found

    def _understand_mark(self, line: TaggedFile, photo_id: int, report: ImportReport) -> bool:
        """Collect rating and label; return whether there was any."""
        marked = False
        if line.rating is not None:
            if line.rating in _RATINGS:
                self._ratings.setdefault(int(line.rating), []).append(photo_id)
                marked = True
            else:
                report.refused.append((line.line, f"The rating {line.rating!r} must be between -1 (rejected) and 5."))
        if line.label is not None:
            try:
                self._labels.setdefault(clean_label(line.label), []).append(photo_id)
                marked = True
            except MarkError as error:
                report.refused.append((line.line, str(error)))
        return marked


def _names(line: int, texts: Iterable[str], report: ImportReport) -> tuple[str, ...]:
    """Return the distinct normal forms of tags; report invalid ones."""
    names: dict[str, None] = {}
    for text in texts:
        try:
            names[_short_name(text) if len(text) <= MAX_LENGTH else normalise(text)] = None
        except TagNameError as error:
            report.refused.append((line, str(error)))
    return tuple(names)


_short_name = lru_cache(_MOST_NAMES)(normalise)  # most rows have the same few tags


class _Judgements:
    """Judged photos by focal image and verdict, and relations; with `keep`, existing judgements stay."""

    def __init__(self, library: Library, folder: Path, *, keep: bool = False) -> None:
        self._keep = keep
        self._library = library
        self._folder = folder
        self._others: dict[tuple[int, Verdict], list[int]] = {}
        self._related: list[Related] = []

    def understand(self, line: JudgedPair, finder: PhotoFinder, report: ImportReport) -> None:
        verdict = line.verdict.lower()
        named = [(line.focal_hash, line.focal), (line.other_hash, line.other)]
        if verdict == Relation.NEARER and (line.than or line.than_hash):
            named.append((line.than_hash, line.than or (Path(),)))
        photos = []
        for content_hash, files in named:
            photo_id = finder.find(content_hash, [_join(self._folder, file) for file in files])
            if photo_id is None:
                report.unknown.append(self._folder / files[0])
            else:
                photos.append(photo_id)
        if verdict not in {*Verdict, *Relation}:
            known = ", ".join((*Verdict, *Relation))
            report.refused.append((line.line, f"The verdict {verdict!r} is unknown: it must be one of {known}."))
        elif verdict == Relation.NEARER and len(named) < 3:
            report.refused.append((line.line, "The photo that is less near is missing: name it in the column than."))
        elif len(photos) < len(named):
            return
        elif len(set(photos)) < len(photos):
            report.refused.append((line.line, "A photo cannot be judged against itself."))
        else:
            report.taken += 1
            if verdict in set(Verdict):
                self._others.setdefault((photos[0], Verdict(verdict)), []).append(photos[1])
            else:
                self._related.append((photos[0], photos[1], photos[2] if len(photos) > 2 else None))

    def enter(self) -> None:
        for (focal_id, verdict), other_ids in self._others.items():
            judged = self._library.judgements.of(focal_id) if self._keep else {}
            self._library.judgements.set(focal_id, [other for other in other_ids if other not in judged], verdict)
        opposite = {(focal, far, near) for focal, near, far in self._library.judged_relations.relative()}
        self._library.judged_relations.set(
            [one for one in self._related if not (self._keep and one in opposite)], holds=True
        )
