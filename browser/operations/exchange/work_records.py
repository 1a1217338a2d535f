# SPDX-License-Identifier: MIT
"""Export and import of trails, photo regions, boxes, rotations, confirmations, judgements of regions and texts, more.

Photos are identified by content and path. Together with photos, judgements, saved searches and aliases, the records
form one file with all of the user's work, in which each line has a ``kind``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, TextIO

from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.facts.query.syntax import QueryError
from focal_photos.browser.catalog.facts.records import Box, Region, SavedStep, TagSource, Verdict
from focal_photos.browser.catalog.facts.saved_searches import SearchNameError
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.facts.trails import TrailNameError
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.files.scratch import Scratch
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange.audit_records import audit_records, take_audit_records
from focal_photos.browser.operations.exchange.datasets.shapes import add_missing_boxes
from focal_photos.browser.operations.exchange.escapes import dumped
from focal_photos.browser.operations.exchange.import_file import ImportReport, import_export
from focal_photos.browser.operations.exchange.json_lines_format import read_objects, write_lines
from focal_photos.browser.operations.exchange.provenance.merges import add_merges, merge_records, merges_in
from focal_photos.browser.operations.exchange.records import judgement_records, photo_records
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.photos.find import PhotoFinder

_SEEDS: Final = 1 << 32  # seeds of random orders
_PHOTO: Final = "photo"
_JUDGEMENT: Final = "judgement"
_KINDS: Final = (
    *("search", "alias", "trail", "region", "confirmation", "text judgement", "turn"),
    *("not duplicates", "audit", "box", "region judgement", "rejected box", "merge"),
)
"""Kinds of the lines of `export_everything` besides photos and judgements."""

Line = Mapping[str, Any]
Find = Callable[[object], int | None]
"""Returns the photo id for a photo record, or None if it is not in the library."""


# ---------------------------------------------------------------------- export
def trail_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record of each saved trail."""
    known = set(library.photos.ids().tolist())
    for trail in library.trails.all():
        yield {"name": trail.name, "steps": [_step_record(library, step, known) for step in trail.steps]}


def region_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record of each photo with a region: its sides as fractions 0..1 of the photo."""
    regions = library.regions.all()
    photos = _photo_records(library, list(regions))
    for photo_id, region in regions.items():
        yield {**photos[photo_id], "x0": region.x0, "y0": region.y0, "x1": region.x1, "y1": region.y1}


def box_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record of each box: its sides as fractions 0..1 of the photo, its tag or None, and its source."""
    boxes = library.boxes.all()
    photos = _photo_records(library, sorted({box.photo_id for box in boxes}))
    for box in boxes:
        yield {**_box_record(box, photos), "source": box.source.value}


def _box_record(box: Box, photos: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    return {**photos[box.photo_id], **asdict(box.region), "tag": box.tag}


def region_judgement_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record of each judgement of a region: two photos with the sides of their regions, and the verdict."""
    every = library.region_judgements.all()
    photos = _photo_records(library, sorted({photo_id for one in every for photo_id in (one.photo_id, one.other_id)}))
    for one in every:
        yield {
            "query": {**photos[one.photo_id], **asdict(one.region)},
            "other": {**photos[one.other_id], **asdict(one.other_region)},
            "verdict": one.verdict.value,
        }


def rejected_box_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record of each rejected box: its sides as fractions 0..1 of the photo, and the refused tag."""
    boxes = library.boxes.rejected()
    photos = _photo_records(library, sorted({box.photo_id for box in boxes}))
    for box in boxes:
        yield {**photos[box.photo_id], **asdict(box.region), "tag": box.tag}


def rotation_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record of each rotated photo: its clockwise quarter turns relative to the file."""
    turns = library.rotations.all()
    photos = _photo_records(library, list(turns))
    for photo_id, quarters in turns.items():
        yield {**photos[photo_id], "quarters": quarters}


def confirmation_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record of each confirmed tag and judgement."""
    tags, judgements = library.confirmations.tags(), library.confirmations.judgements()
    ids = {photo_id for photo_id, _ in tags} | {photo_id for pair in judgements for photo_id in pair}
    photos = _photo_records(library, sorted(ids))
    for photo_id, tag in sorted(tags):
        yield {"photo": photos[photo_id], "tag": tag}
    for (focal_id, other_id), verdict in sorted(judgements.items()):
        yield {"focal": photos[focal_id], "other": photos[other_id], "verdict": verdict.value}


def text_judgement_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record of each judgement against a text."""
    every = library.text_judgements.all()
    photos = _photo_records(library, sorted({one.other_id for one in every}))
    for one in every:
        yield {"text": one.text, "other": photos[one.other_id], "verdict": one.verdict.value}


def not_duplicate_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record of each pair of photos, and of boxes, that are not duplicates."""
    pairs = library.not_duplicates.all()
    photos = _photo_records(library, sorted({photo_id for pair in pairs for photo_id in pair}))
    for one, other in pairs:
        yield {"photo": photos[one], "other": photos[other]}
    of_boxes = library.not_duplicates.of_boxes()
    if of_boxes:
        items = {item for pair in of_boxes for item in pair}
        boxes = {item_of(box.id): box for box in library.boxes.all() if item_of(box.id) in items}
        photos = _photo_records(library, sorted({box.photo_id for box in boxes.values()}))
        for one, other in of_boxes:
            if one in boxes and other in boxes:
                yield {"box": _box_record(boxes[one], photos), "other_box": _box_record(boxes[other], photos)}


def records_of_audit(library: Library) -> Iterator[dict[str, Any]]:
    """Yield the records of the audit; see `audit_records`."""
    return audit_records(library, _photo_records)


def _photo_records(library: Library, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    return {photo.id: {"hash": photo.content_hash, "path": str(photo.path)} for photo in library.photos.get(ids)}


def _step_record(library: Library, step: SavedStep, known: Set[int]) -> dict[str, Any]:
    alone = {one for one in (step.focal, step.part_of) if one is not None}
    photos = _photo_records(library, sorted({*(step.among or ()), *step.like, *step.unlike, *alone} & known))
    record: dict[str, Any] = {"query": step.query, "order": step.order, "seed": step.seed, "label": step.label}
    if step.folder is not None:
        record["folder"] = str(step.folder)
    if step.text:
        record["text"] = step.text
    if step.focal is not None:
        record["focal"] = photos.get(step.focal, {})
    if step.part_of is not None and step.region is not None:
        record["part_of"], record["region"] = photos.get(step.part_of, {}), asdict(step.region)
    for name, some in (("among", step.among), ("like", step.like), ("unlike", step.unlike)):
        if some:
            record[name] = [photos.get(photo_id, {}) for photo_id in some]
    return record


def export_everything(library: Library, stream: TextIO) -> int:
    """Write all of the user's work as JSON objects with a ``kind``, one per line; return the number of lines.

    Photos of removed folders are included. Metrics and settings are not: only archives contain them.
    """

    def lines() -> Iterator[Line]:
        for kind, records in (
            (_PHOTO, photo_records(library, everything=True)),
            (_JUDGEMENT, judgement_records(library)),
            *_all_records(library).items(),
        ):
            for record in records:
                yield {"kind": kind, **record}

    return write_lines(stream, lines())


def left_out_of_tables(library: Library) -> dict[str, int]:
    """Return the numbers of items that tables of photos and judgements do not contain, by kind, if any."""
    titles = (
        "saved searches",
        "other names of tags",
        "trails",
        "parts of photos",
        "confirmations",
        "judgements against texts",
        "turned photos",
        "pairs that are not duplicates",
        "tags and photos of an audit",
        "boxes",
        "judgements of parts",
        "rejected boxes",
        "records of merges",
    )
    counts = (sum(1 for _ in records) for records in _all_records(library).values())
    return {title: count for title, count in zip(titles, counts, strict=True) if count}


def _all_records(library: Library) -> dict[str, Iterator[dict[str, Any]]]:
    """Return the records of each of `_KINDS`."""
    records = (
        (asdict(one) for one in library.searches.all()),
        (asdict(one) for one in library.vocabulary.aliases()),
        trail_records(library),
        region_records(library),
        confirmation_records(library),
        text_judgement_records(library),
        rotation_records(library),
        not_duplicate_records(library),
        records_of_audit(library),
        box_records(library),
        region_judgement_records(library),
        rejected_box_records(library),
        merge_records(library),
    )
    return dict(zip(_KINDS, records, strict=True))


# ---------------------------------------------------------------------- import
def import_everything(library: Library, path: Path) -> Job[ImportReport]:
    """Import a file of `export_everything`, in one journal step; a line without a kind is a photo.

    In case of conflict, existing data stay; see `import_export` and `add_records`.

    Raises
    ------
    OperationError
        If the file cannot be read or a line is invalid. Nothing was imported.
    """
    records: dict[str, list[Line]] = {kind: [] for kind in _KINDS}
    with Scratch() as scratch:
        photos, judgements = scratch.path / "photos.jsonl", scratch.path / "judgements.jsonl"
        lines = written = 0
        with photos.open("w", encoding="utf-8") as for_photos, judgements.open("w", encoding="utf-8") as for_judgements:
            for number, record in read_objects(path):
                kind = record.pop("kind", _PHOTO)
                if kind not in (_PHOTO, _JUDGEMENT, *_KINDS):
                    raise OperationError(
                        "{0} cannot be read in line {1}: its kind {2!r} is unknown.", path, number, kind
                    )
                # Both files have empty lines for other kinds, so that line numbers agree in all of them.
                for stream, its in ((for_photos, _PHOTO), (for_judgements, _JUDGEMENT)):
                    stream.write("\n" * (number - written - 1) + (dumped(record) if kind == its else "") + "\n")
                lines, written = lines + 1, number
                if kind in records:
                    records[kind].append(record)
        names = [[_pair(line) for line in records.pop(kind)] for kind in _KINDS[:2]]

        def take() -> None:
            take_names(library, *([pair for pair in pairs if pair is not None] for pairs in names))
            add_records(library, *records.values())

        try:
            report = yield from import_export(library, photos, judgements, Text("Import {0}", path.name), more=take)
        except OperationError as error:
            raise OperationError(
                str(error).replace(str(photos), str(path)).replace(str(judgements), str(path))
            ) from error
        report.lines = lines
        return report


def _pair(line: Line) -> tuple[str, str] | None:
    """Return a name and its value; None if the line is no such pair."""
    found = tuple(line.values())
    return found if len(found) == 2 and all(isinstance(value, str) for value in found) else None


def take_names(library: Library, searches: Iterable[tuple[str, str]], aliases: Iterable[tuple[str, str]]) -> None:
    """Add searches whose names are free, and aliases of existing tags."""
    known = {one.name for one in library.searches.all()}
    for name, query in searches:
        if name not in known:
            with suppress(SearchNameError, QueryError):
                library.searches.save(name, query)
    for name, tag in aliases:
        with suppress(TagNameError):
            library.vocabulary.add_alias(name, tag)


def add_records(
    library: Library,
    trails: Iterable[Line],
    regions: Iterable[Line],
    confirmations: Iterable[Line],
    text_judgements: Iterable[Line] = (),
    turns: Iterable[Line] = (),
    not_duplicates: Iterable[Line] = (),
    audit: Iterable[Line] = (),
    boxes: Iterable[Line] = (),
    region_judgements: Iterable[Line] = (),
    rejected_boxes: Iterable[Line] = (),
    merges: Iterable[Line] = (),
) -> None:
    """Add the records of tables; in case of conflict, existing data stay.

    Trail steps whose photos are not in the library are left out, and trails that become empty. Confirmations need an
    existing tag or verdict. Pairs that are "not duplicates" are added; for audits see `take_audit`. Boxes are added
    unless the photo has the same one; one without a name gets the name. Part of a journal step begun by the caller.
    """
    find = _finder(library)
    named = {one.name for one in library.trails.all()}
    for line in trails:
        name, steps = line.get("name"), line.get("steps")
        if isinstance(name, str) and name not in named and isinstance(steps, list):
            found = [_step(step, find) for step in steps if isinstance(step, dict)]
            left = [step for step in found if step is not None]
            if any(step.focal is not None or step.part_of is not None or step.like or step.text for step in left):
                with suppress(SearchNameError, TrailNameError):
                    library.trails.save(name, left)
    here = library.regions.all()
    for line in regions:
        photo_id, region = find(line), _region(line)
        if photo_id is not None and photo_id not in here and region is not None:
            library.regions.set(photo_id, region)
    for line in confirmations:
        _confirm(library, line, find)
    for line in text_judgements:
        _judge(library, line, find)
    rotated = set(library.rotations.all())
    for line in turns:
        photo_id, quarters = find(line), line.get("quarters")
        if photo_id is not None and photo_id not in rotated and quarters in (1, 2, 3):
            library.rotations.rotate([photo_id], int(quarters))
    apart = tuple(not_duplicates)
    pairs = [(find(line.get("photo")), find(line.get("other"))) for line in apart]
    library.not_duplicates.add_pairs((a, b) for a, b in pairs if a is not None and b is not None and a != b)
    take_audit_records(library, audit, find)
    _take_boxes(library, boxes, find)
    _keep_boxes_apart(library, apart, find)
    for line in region_judgements:
        _judge_region(library, line, find)
    rejected = [(find(line), _region(line), line.get("tag")) for line in rejected_boxes]
    library.boxes.reject(
        (photo_id, region, tag)
        for photo_id, region, tag in rejected
        if photo_id is not None and region is not None and isinstance(tag, str) and _is_tag(tag)
    )
    add_merges(library, merges_in(list(merges)))


def _region(line: Line) -> Region | None:
    """Return the region of a record; None if it is invalid."""
    sides = [line.get(side) for side in ("x0", "y0", "x1", "y1")]
    x0, y0, x1, y1 = (side if isinstance(side, int | float) else -1 for side in sides)
    is_valid = 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1
    return Region(*map(float, (x0, y0, x1, y1))) if is_valid else None


def _take_boxes(library: Library, lines: Iterable[Line], find: Find) -> None:
    """Add the boxes of records; see `add_missing_boxes`."""
    drawn: dict[TagSource, list[tuple[int, Region, str | None]]] = {}
    for line in lines:
        photo_id, region, tag = find(line), _region(line), line.get("tag")
        with suppress(TagNameError, ValueError):
            name = normalise(tag) if isinstance(tag, str) else None
            source = TagSource(str(line.get("source", TagSource.IMPORT)))
            if photo_id is not None and region is not None:
                drawn.setdefault(source, []).append((photo_id, region, name))
    for source, boxes in drawn.items():
        add_missing_boxes(library, boxes, source)


def _keep_boxes_apart(library: Library, lines: Iterable[Line], find: Find) -> None:
    """Add pairs of boxes that are not duplicates; the tag of a box counts only if several are at its place."""
    records = [(one, other) for line in lines if (one := line.get("box")) and (other := line.get("other_box"))]
    if not records:
        return
    here: dict[tuple[int, Region], dict[str | None, int]] = {}
    for box in library.boxes.all():
        here.setdefault((box.photo_id, box.region), {})[box.tag] = item_of(box.id)

    def box_of(record: object) -> int | None:
        photo_id = find(record)
        if not isinstance(record, Mapping) or photo_id is None or (region := _region(record)) is None:
            return None
        boxes, tag = here.get((photo_id, region), {}), record.get("tag")
        return boxes.get(tag if isinstance(tag, str) else None, next(iter(boxes.values()), None))

    pairs = [(box_of(one), box_of(other)) for one, other in records]
    library.not_duplicates.add_pairs((a, b) for a, b in pairs if a is not None and b is not None and a != b)


def _judge(library: Library, line: Line, find: Find) -> None:
    """Add a judgement against a text, unless the photo has one already."""
    text, other_id, verdict = line.get("text"), find(line.get("other")), line.get("verdict")
    known = isinstance(text, str) and text.strip() and other_id is not None and verdict in list(Verdict)
    if known and other_id not in library.text_judgements.of(str(text)):
        library.text_judgements.set(str(text), [int(other_id or 0)], Verdict(str(verdict)))


def _judge_region(library: Library, line: Line, find: Find) -> None:
    """Add a judgement of a region, unless its photo has one already for the same query."""
    query, other, verdict = line.get("query"), line.get("other"), line.get("verdict")
    if not isinstance(query, dict) or not isinstance(other, dict) or verdict not in list(Verdict):
        return
    photo_id, other_id, region, found = find(query), find(other), _region(query), _region(other)
    if photo_id is None or other_id is None or region is None or found is None:
        return
    with suppress(LibraryError):  # a region that is empty once its sides are rounded
        if other_id not in library.region_judgements.of(photo_id, region):
            library.region_judgements.set(photo_id, region, [(other_id, found)], Verdict(str(verdict)))


def _is_tag(name: str) -> bool:
    try:
        normalise(name)
    except TagNameError:
        return False
    return True


def _confirm(library: Library, line: Line, find: Find) -> None:
    tag = line.get("tag")
    if isinstance(tag, str):
        photo_id = find(line.get("photo"))
        if photo_id is not None:
            with suppress(TagNameError):
                library.confirmations.confirm_tag(photo_id, normalise(tag))
        return
    focal_id, other_id = find(line.get("focal")), find(line.get("other"))
    if focal_id is None or other_id is None:
        return
    here = library.judgements.of(focal_id).get(other_id)
    if here is not None and here.value == line.get("verdict"):
        library.confirmations.confirm_judgement(focal_id, other_id)


def _finder(library: Library) -> Find:
    found: dict[str, int | None] = {}
    finder = PhotoFinder(library)

    def find(line: object) -> int | None:
        if not isinstance(line, Mapping):
            return None
        key = json.dumps([line.get("hash"), line.get("path")])
        if key not in found:
            content_hash, path = line.get("hash"), line.get("path")
            files = [path] if isinstance(path, str) and path else []
            found[key] = finder.find(content_hash if isinstance(content_hash, str) else None, files)
        return found[key]

    return find


def _step(record: Line, find: Find) -> SavedStep | None:
    """Return a trail step for this library; None if invalid, or if a needed photo or all shown photos are missing."""
    query, order, seed, label = (record.get(name) for name in ("query", "order", "seed", "label"))
    if not (isinstance(query, str) and isinstance(order, str) and isinstance(seed, int) and isinstance(label, str)):
        return None
    if not 0 <= seed < _SEEDS:
        return None
    step = SavedStep(query, order=order, seed=seed, label=label)
    folder = record.get("folder")
    if isinstance(folder, str):
        step = replace(step, folder=Path(folder))
    text = record.get("text")
    if isinstance(text, str):
        step = replace(step, text=" ".join(text.split()))
    if "focal" in record:
        step = replace(step, focal=find(record["focal"]))
        if step.focal is None:
            return None
    if "part_of" in record:
        region = record.get("region")
        step = replace(
            step, part_of=find(record["part_of"]), region=_region(region) if isinstance(region, dict) else None
        )
        if step.part_of is None or step.region is None:
            return None
    groups: dict[str, tuple[int, ...]] = {}
    for name in ("among", "like", "unlike"):
        lines = record.get(name)
        ids = [find(line) for line in lines] if isinstance(lines, list) else []
        groups[name] = tuple(photo_id for photo_id in ids if photo_id is not None)
        if len(groups[name]) < len(ids) and (name != "among" or not groups[name]):
            return None
    if groups["among"]:
        step = replace(step, among=groups["among"])
    return replace(step, like=groups["like"], unlike=groups["unlike"])
