# SPDX-License-Identifier: MIT
"""Compare tags, ratings, labels and boxes with sidecars, and synchronize both sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Final

from focal_photos.browser.catalog.facts.marks import MarkError, clean_label
from focal_photos.browser.catalog.facts.records import Box, Exchanged, NamedRegion, TagSource
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text, counted
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.metadata.agreement import Conflict, Prefer, Side, State, agree, agreed_on
from focal_photos.browser.operations.metadata.box_merge import (
    USUAL_STEPS,
    Boxes,
    Change,
    Steps,
    changed_boxes,
    changes_of,
    in_order,
    is_near,
)
from focal_photos.browser.operations.metadata.sidecar_regions import (
    Upright,
    change_regions,
    find_regions,
    has_regions,
    upright,
)
from focal_photos.browser.operations.metadata.sidecars import (
    Folder,
    Sidecar,
    content_hash,
    read_bytes,
    read_sidecars,
    write_sidecar,
)
from focal_photos.features.metadata.metadata import Metadata
from focal_photos.features.metadata.xmp import XmpError, can_be_written, merge_xmp, new_packet, parse_xmp

_AT_ONCE: Final = 200  # photos read from the catalogue at once
_KEPT_EVERY: Final = 50  # photos between records of written sidecars

Choices = Mapping[tuple[int, str], Prefer]
"""The user's choices, by photo id and ``rating`` or ``label``."""


class Direction(Enum):
    """Which side an exchange changes."""

    BOTH = "both"
    READ = "read"
    WRITE = "write"


@dataclass(frozen=True)
class Difference:
    """Changes to one side."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    """`added` and `removed`: tags, sorted."""
    rating: tuple[int | None, int | None] | None = None
    label: tuple[str | None, str | None] | None = None
    """`rating` and `label`: None if unchanged."""
    boxes: tuple[Change, ...] = ()
    """Changed boxes; None for a box that there was not or will not be."""

    def __bool__(self) -> bool:
        return self != Difference()


@dataclass(frozen=True)
class SidecarSide:
    """A sidecar in a comparison; a new one has no content hash."""

    path: Path
    content_hash: str
    side: Side
    is_own: bool = True
    keeps_label: bool = False
    """Whether its label is invalid in Focal and left alone."""
    other_names: Mapping[str, str] = field(default_factory=dict)
    """Aliases of tags, with the tags; a sidecar may contain an alias."""

    @property
    def keeps_boxes(self) -> bool:
        """Whether its regions are left alone."""
        return self.side.keeps_boxes


@dataclass(frozen=True)
class PhotoDifference:
    """Changes that an exchange makes for one photo."""

    incoming: Difference
    """Changes to the photo in Focal."""
    outgoing: tuple[tuple[SidecarSide, Difference], ...]
    """Sidecars to change."""
    conflicts: tuple[Conflict, ...]
    """Open conflicts, which are not exchanged."""
    target: State
    """Final state of the photo in Focal."""

    def __bool__(self) -> bool:
        return bool(self.incoming or self.outgoing or self.conflicts)


@dataclass(frozen=True)
class ComparedPhoto:
    """A photo and its sidecars at the time of comparison."""

    photo_id: int
    path: Path
    focal: State
    sidecars: tuple[SidecarSide, ...]
    given_again: frozenset[str] = frozenset()
    drawn_again: frozenset[NamedRegion] = frozenset()
    upright: Upright | None = None

    @property
    def steps(self) -> Steps:
        """Differences of the sides of a box that rounding may cause."""
        return USUAL_STEPS if self.upright is None else self.upright.steps

    def difference(
        self, direction: Direction = Direction.BOTH, prefer: Prefer = Prefer.ASK, choices: Choices | None = None
    ) -> PhotoDifference:
        """Return the changes that an exchange makes."""
        chosen = choices or {}
        target, conflicts = agree(
            self.focal,
            [one.side for one in self.sidecars],
            self.given_again,
            lambda name: chosen.get((self.photo_id, name), prefer),
            drawn_again=self.drawn_again,
            steps=self.steps,
        )
        open_fields = {one.field for one in conflicts}
        outgoing = []
        for one in self.sidecars:
            wanted = target
            if "rating" in open_fields:
                wanted = replace(wanted, rating=one.side.now.rating)
            if "label" in open_fields or one.keeps_label:
                wanted = replace(wanted, label=one.side.now.label)
            if one.keeps_boxes:
                wanted = replace(wanted, boxes=one.side.now.boxes)
            # If a shared sidecar contains everything already, no separate one is made.
            said = any(other.side.now.is_like(wanted, self.steps) for other in self.sidecars if not other.is_own)
            if not one.is_own or (said and not one.content_hash) or direction is Direction.READ:
                continue
            found = _difference(one.side.now, wanted, self.steps)
            if any(old is None and new is not None and new.tag is None for old, new in found.boxes):
                # A box without a name is of no use elsewhere, and digiKam reads no region after it.
                named = tuple((old, new) for old, new in found.boxes if old or (new and new.tag))
                found = replace(found, boxes=named)
            if found:
                outgoing.append((one, found))
        if direction is Direction.WRITE:
            target = self.focal
        return PhotoDifference(_difference(self.focal, target, self.steps), tuple(outgoing), tuple(conflicts), target)


@dataclass
class Comparison:
    """Changes that an exchange would make."""

    photos: int = 0
    differing: list[ComparedPhoto] = field(default_factory=list)
    """Photos for which the sides differ."""
    alike: list[ComparedPhoto] = field(default_factory=list)
    """Photos for which the sides have become equal since the last exchange; not shown."""
    problems: list[tuple[Path, str]] = field(default_factory=list)
    """Unreadable sidecars, names in them that cannot be imported or written, and boxes that are not exchanged, with the
    reasons."""


@dataclass
class ExchangeReport:
    """Result of an exchange."""

    written: list[Path] = field(default_factory=list)
    open: list[tuple[Path, Conflict]] = field(default_factory=list)
    """Photos with unsettled conflicts."""
    problems: list[tuple[Path, str]] = field(default_factory=list)
    """Sidecars that could not be written, with the reasons."""
    changes: ChangeSet = field(default_factory=ChangeSet)
    """Changes of the journal step; `photo_ids` are the changed photos."""


# ---------------------------------------------------------------------- comparing
def compare_sidecars(library: Library, ids: Iterable[int], *, with_suffix: bool = True) -> Job[Comparison]:
    """Compare photos with their sidecars without writing.

    Parameters
    ----------
    ids : iterable of int
        Photos; those without a present file are skipped.
    with_suffix : bool
        Whether new sidecars are named ``photo.jpg.xmp``; otherwise ``photo.xmp`` if that belongs to one photo.
    """
    numbers = [int(number) for number in ids]
    meter = Meter(Text("Comparing with sidecars"), len(numbers))
    found = Comparison()
    folders = _Folders({alias.name: alias.tag for alias in library.vocabulary.aliases()})
    yield meter.state()
    for start in range(0, len(numbers), _AT_ONCE):
        batch = numbers[start : start + _AT_ONCE]
        tags, marks, exchanged = library.tags.of(batch), library.marks.of(batch), library.exchange.of(batch)
        boxes = library.boxes.of(batch)
        for number in batch:
            files = library.photos.files(number)
            if files:
                found.photos += 1
                mark = marks[number]
                focal = State(frozenset(tags[number]), mark.rating, mark.label)
                drawn = boxes.get(number, [])
                _compare(library, number, files, focal, drawn, exchanged[number], folders, with_suffix, found)
            yield meter.advance(message=str(files[0]) if files else "")
    return found


class _Folders:
    """The aliases of tags, and a cache of the last folder, since photos are sorted by path."""

    def __init__(self, other_names: Mapping[str, str]) -> None:
        self.other_names = other_names
        self._last: Folder | None = None

    def of(self, file: Path) -> Folder:
        if self._last is None or self._last.path != file.parent:
            self._last = Folder(file.parent)
        return self._last


def _compare(
    library: Library,
    number: int,
    files: Sequence[Path],
    focal: State,
    drawn: Sequence[Box],
    exchanged: Sequence[Exchanged],
    folders: _Folders,
    with_suffix: bool,
    found: Comparison,
) -> None:
    """Compare one photo, which may have several files, with all its sidecars."""
    unwritable = sorted(tag for tag in focal.tags if not can_be_written(tag))
    found.problems += [(files[0], f"The tag {tag} stays in Focal: a sidecar cannot hold it.") for tag in unwritable]
    focal = replace(focal, tags=focal.tags - set(unwritable))
    boxes = _Boxes(library, number, files[0], [box for box in drawn if box.tag not in unwritable])
    sides: list[SidecarSide] = []
    for file in files:
        folder = folders.of(file)
        own = False
        for one in read_sidecars(file, folder):
            if any(one.path == other.path for other in sides):
                continue
            own |= one.is_own
            if one.problem:
                found.problems.append((one.path, one.problem))
                continue
            now, keeps_label, refused = _state(one.metadata, focal, folders.other_names)
            found.problems += [(one.path, reason) for reason in refused]
            before = _before(exchanged, one.path, one.content_hash)
            now, keeps_boxes = boxes.with_regions(one, now, before, folders.other_names, found)
            side = Side(now, before, keeps_boxes)
            sides.append(SidecarSide(one.path, one.content_hash, side, one.is_own, keeps_label, folders.other_names))
        if not own:
            path = folder.path / folder.new_name(file.name, with_suffix=with_suffix)
            sides.append(SidecarSide(path, "", Side(State(), keeps_boxes=bool(drawn) and boxes.are_kept())))
    focal = replace(focal, boxes=boxes.exchanged(sides))
    if boxes.problem:
        found.problems.append((files[0], boxes.problem))
    gone = {tag for one in sides for tag in one.side.before.tags - one.side.now.tags} & focal.tags
    again: frozenset[str] = frozenset()
    if gone:
        last = max(one.at for one in exchanged)
        again = frozenset(tag for tag, at in library.tags.given(number).items() if tag in gone and at > last)
    redrawn = boxes.drawn_again(max((one.at for one in exchanged), default=None))
    compared = ComparedPhoto(number, files[0], focal, tuple(sides), again, redrawn, boxes.upright)
    if compared.difference():
        found.differing.append(compared)
    elif any(agreed_on(focal, one.side, compared.steps) != one.side.before for one in sides if one.content_hash):
        found.alike.append(compared)


class _Boxes:
    """The boxes of a photo in Focal, and the photo's size, which is read when it is needed."""

    def __init__(self, library: Library, number: int, path: Path, drawn: Sequence[Box]) -> None:
        self._library = library
        self._number = number
        self._path = path
        self._drawn = drawn
        self._is_read = False
        self.upright: Upright | None = None
        self.problem = ""

    def are_kept(self) -> bool:
        """Return whether boxes and regions of the photo are left alone; `problem` gives the reason."""
        if not self._is_read:
            self._is_read = True
            (photo,) = self._library.photos.get([self._number])
            if any(box.uncertain for box in self._drawn):
                self.problem = Text(
                    "Its boxes are not exchanged: some are uncertain, because the size of the photo has changed. "
                    "Move or remove them in the preview."
                )
            elif (found := upright(self._path, photo)) is None:
                self.problem = Text(
                    "Its boxes are not exchanged: the photo has changed since it was indexed. Index it."
                )
            else:
                self.upright = found
        return self.upright is None

    def with_regions(
        self, one: Sidecar, now: State, before: State, other_names: Mapping[str, str], found: Comparison
    ) -> tuple[State, bool]:
        """Return a sidecar's state with its regions, and whether these are left alone; add problems to `found`."""
        if not (has_regions(one.content) or before.boxes or self._drawn):
            return now, False
        if self.are_kept() or self.upright is None:
            return now, True
        known = (*before.boxes, *map(_named, self._drawn))
        try:
            regions = find_regions(one.content, self.upright, now.tags, known, other_names)
        except XmpError as error:
            found.problems.append((one.path, str(error)))
            return now, True
        found.problems += [(one.path, reason) for reason in regions.problems]
        if regions.left_alone:
            found.problems.append((one.path, regions.left_alone))
        return replace(now, boxes=regions.boxes), bool(regions.left_alone)

    def exchanged(self, sides: Sequence[SidecarSide]) -> Boxes:
        """Return the boxes that are exchanged: those with a name, and those that a sidecar has or had."""
        if not self._drawn or (self.upright is None and self.are_kept()):
            return ()
        steps = USUAL_STEPS if self.upright is None else self.upright.steps
        theirs = [box.region for one in sides for state in (one.side.now, one.side.before) for box in state.boxes]
        return in_order(
            box
            for box in map(_named, self._drawn)
            if box.tag is not None or any(is_near(box.region, region, steps) for region in theirs)
        )

    def drawn_again(self, last: datetime | None) -> frozenset[NamedRegion]:
        """Return the boxes drawn, moved or named after the last exchange."""
        return frozenset(_named(box) for box in self._drawn if last is not None and box.at > last)


def _named(box: Box) -> NamedRegion:
    return NamedRegion(box.tag, box.region)


def _state(
    metadata: Metadata, focal: State, other_names: Mapping[str, str] = MappingProxyType({})
) -> tuple[State, bool, list[str]]:
    """Return a sidecar's state in Focal's form, whether its label is left alone, and the reasons for rejected names."""
    tags, refused = set(), []
    for name in metadata.tags:
        try:
            tag = normalise(name)
            tags.add(other_names.get(tag, tag))
        except TagNameError as error:
            refused.append(f"“{name[:80]}” is not imported: {error}")
    try:
        label = clean_label(metadata.label or "") or None
    except MarkError as error:
        return State(frozenset(tags), metadata.rating or None, focal.label), True, [*refused, str(error)]
    return State(frozenset(tags), metadata.rating or None, label), False, refused


def _before(exchanged: Sequence[Exchanged], path: Path, content: str) -> State:
    """Return the common state stored for a sidecar, which may have moved since."""
    for matches in (
        [one for one in exchanged if one.sidecar == path],
        [one for one in exchanged if one.content_hash == content],
        [one for one in exchanged if one.sidecar.name == path.name],
    ):
        if matches:
            return State(frozenset(matches[0].tags), matches[0].rating, matches[0].label, matches[0].boxes)
    return State()


def _difference(now: State, wanted: State, steps: Steps) -> Difference:
    return Difference(
        tuple(sorted(wanted.tags - now.tags)),
        tuple(sorted(now.tags - wanted.tags)),
        None if now.rating == wanted.rating else (now.rating, wanted.rating),
        None if now.label == wanted.label else (now.label, wanted.label),
        changes_of(now.boxes, wanted.boxes, steps),
    )


# ---------------------------------------------------------------------- exchanging
def exchange_sidecars(
    library: Library,
    comparison: Comparison,
    direction: Direction = Direction.BOTH,
    prefer: Prefer = Prefer.ASK,
    choices: Choices | None = None,
) -> Job[ExchangeReport]:
    """Synchronize photos in Focal with their sidecars.

    Sidecars are written first, each atomically. Then all incoming changes are made in one journal step. An interrupted
    exchange can be repeated: see `browser.operations.metadata.agreement`. Photos are never written. Sidecars that
    cannot be written or that changed since the comparison are reported, and the exchange continues.

    Parameters
    ----------
    prefer : Prefer
        Side that wins conflicts without a choice.
    """
    report = ExchangeReport()
    meter = Meter(Text("Writing sidecars"), len(comparison.differing))
    coming: list[tuple[ComparedPhoto, Difference, list[Exchanged]]] = []
    going: list[Exchanged] = []
    for photo in comparison.alike:
        going += _rows(photo, photo.focal, {})
    cleaned: set[Path] = set()
    try:
        yield meter.state()
        for photo in comparison.differing:
            difference = photo.difference(direction, prefer, choices)
            report.open += [(photo.path, conflict) for conflict in difference.conflicts]
            for folder in {one.path.parent for one, _ in difference.outgoing} - cleaned:
                cleaned.add(folder)
                Folder(folder).remove_unfinished()
            rows = _rows(photo, difference.target, _write_all(photo, difference, report))
            if difference.incoming:
                coming.append((photo, difference.incoming, rows))
            else:
                going += rows
            if len(going) >= _KEPT_EVERY:
                library.exchange.record(going, journaled=False)
                going.clear()
            yield meter.advance(message=str(photo.path))
    finally:  # record what was written before the interruption
        if going:
            library.exchange.record(going, journaled=False)
        report.changes = _take_in(library, coming)
    return report


def _write_all(
    photo: ComparedPhoto, difference: PhotoDifference, report: ExchangeReport
) -> dict[Path, tuple[str, State]]:
    """Write the sidecars of a photo; return content hash and state of those written."""
    written = {}
    for one, changes in difference.outgoing:
        try:
            written[one.path] = _write(photo, one, changes)
            report.written.append(one.path)
        except (OperationError, XmpError) as error:
            report.problems.append((one.path, str(error)))
    return written


def _write(photo: ComparedPhoto, one: SidecarSide, changes: Difference) -> tuple[str, State]:
    """Write a sidecar; return its content hash and new state."""
    now = one.side.now
    old = read_bytes(one.path) if one.content_hash else None
    if old is not None and content_hash(old) != one.content_hash:
        raise OperationError("It has changed since it was compared: sync again.")
    rating = None if changes.rating is None else changes.rating[1] or 0
    label = None if changes.label is None else changes.label[1] or ""
    others = [name for name, tag in one.other_names.items() if tag in changes.removed]
    new = merge_xmp(old, changes.added, rating, label, removed=[*changes.removed, *others])
    wanted = State(
        (now.tags | set(changes.added)) - set(changes.removed),
        now.rating if changes.rating is None else changes.rating[1],
        now.label if changes.label is None else changes.label[1],
        changed_boxes(now.boxes, changes.boxes),
    )
    if changes.boxes and photo.upright is not None:
        known = (*one.side.before.boxes, *photo.focal.boxes)
        there = find_regions(old or b"", photo.upright, now.tags, known, one.other_names)
        new = change_regions(new or new_packet(), photo.upright, there, changes.boxes, wanted.tags)
    says, *_ = _state(parse_xmp(new), wanted, one.other_names)
    if wanted.boxes and photo.upright is not None:
        there = find_regions(new, photo.upright, says.tags, wanted.boxes, one.other_names)
        says = replace(says, boxes=there.boxes)
    if not says.is_like(wanted, photo.steps):
        raise OperationError("Its contents could not be preserved exactly: it was left unchanged.")
    write_sidecar(one.path, new, one.content_hash)
    return content_hash(new), wanted


def _rows(photo: ComparedPhoto, focal: State, written: Mapping[Path, tuple[str, State]]) -> list[Exchanged]:
    """Return the records of an exchange, one for each existing sidecar."""
    rows = []
    for one in photo.sidecars:
        content, now = written.get(one.path, (one.content_hash, one.side.now))
        agreed = agreed_on(focal, Side(now, one.side.before, one.keeps_boxes), photo.steps)
        if content:
            tags = tuple(sorted(agreed.tags))
            values = (content, tags, agreed.rating, agreed.label, timestamps.now(), agreed.boxes)
            rows.append(Exchanged(photo.photo_id, one.path, *values))
    return rows


def _take_in(library: Library, coming: Sequence[tuple[ComparedPhoto, Difference, list[Exchanged]]]) -> ChangeSet:
    """Make the incoming changes in one journal step; changes by the user since the comparison stay."""
    if not coming:
        return ChangeSet()
    count = counted(len(coming), "1 photo", "{0} photos")
    marks = library.marks.of([photo.photo_id for photo, _, _ in coming])
    with library.journal.action(Text("Import what sidecars say of {0}", count)) as action:
        kept = library.tags.of([photo.photo_id for photo, one, _ in coming if one.boxes])
        for photo, one, _ in coming:
            _take_in_boxes(library, photo.photo_id, one.boxes)
        given = {photo.photo_id: list(one.added) for photo, one, _ in coming if one.added}
        for photo, one, _ in coming:  # a box may have taken away a tag that the sidecar still has
            gone = set(kept.get(photo.photo_id, ())) - set(one.removed)
            if gone:
                given.setdefault(photo.photo_id, []).extend(sorted(gone))
        library.tags.give(given, TagSource.IMPORT)
        for photo, one, _ in coming:
            if one.removed:
                library.tags.change([photo.photo_id], remove=one.removed)
        ratings: dict[int | None, list[int]] = {}
        labels: dict[str | None, list[int]] = {}
        for photo, one, _ in coming:
            mark = marks[photo.photo_id]
            if one.rating is not None and mark.rating == one.rating[0]:
                ratings.setdefault(one.rating[1], []).append(photo.photo_id)
            if one.label is not None and mark.label == one.label[0]:
                labels.setdefault(one.label[1], []).append(photo.photo_id)
        for rating, ids in ratings.items():
            library.marks.set(ids, rating=rating)
        for label, ids in labels.items():
            library.marks.set(ids, label=label)
        now = timestamps.now()
        library.exchange.record((replace(row, at=now) for _, _, rows in coming for row in rows), journaled=True)
    return action.changes


def _take_in_boxes(library: Library, number: int, changes: Sequence[Change]) -> None:
    """Change the boxes of a photo, unless they have changed since the comparison."""
    if not changes:
        return
    here = library.boxes.of([number]).get(number, [])
    for old, new in changes:
        box = next((one for one in here if old is not None and _named(one) == old), None)
        if box is not None:
            here.remove(box)
        if old is None and new is not None:
            library.boxes.add([(number, new.region, new.tag)], TagSource.IMPORT)
        elif box is not None and new is None:
            library.boxes.remove([box.id])
        elif box is not None and new is not None:
            if new.region != box.region:
                library.boxes.move(box.id, new.region)
            if new.tag != box.tag:
                library.boxes.name([box.id], new.tag)
