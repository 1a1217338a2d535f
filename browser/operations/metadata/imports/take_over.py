"""Enter what other programs wrote about photos into the library: ratings and labels, and tags that the user imports.

What the user did in Focal is never overridden. What was imported from a photo before is known, so that only what is new
in its file or its sidecars comes in: a tag that was removed in Focal does not come back, and a rating that was changed
in Focal stays. Nothing is removed because it is no longer in a file: programs that change pictures lose metadata.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from focal_photos.browser.catalog.facts.records import Exchanged, Mark, TagSource, Waiting
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.metadata.imports.import_choice import ALL, ImportChoice, import_choices, put_choice
from focal_photos.browser.operations.metadata.keywords import Field

T = TypeVar("T")


@dataclass
class MetadataReport:
    """Counts of the metadata that was read and imported.

    Attributes
    ----------
    read : int
        Photos that were read.
    tags, ratings, labels : int
        What was given to photos.
    kinds : int
        Different tags among them.
    photos : int
        Photos that got something.
    left_out : list of (Path, str)
        Tags and labels that Focal cannot have, with the reason.
    problems : list of (Path, str)
        Files whose metadata, or a part of them, cannot be read, with the reason.
    found_tags, found_photos : int
        Different tags that the files read now hold and that their photos do not carry, and how many photos these are;
        nobody has chosen yet whether to import those of their folders.
    changes : ChangeSet
        Of the one step of the journal.
    """

    read: int = 0
    tags: int = 0
    kinds: int = 0
    ratings: int = 0
    labels: int = 0
    photos: int = 0
    left_out: list[tuple[Path, str]] = field(default_factory=list)
    problems: list[tuple[Path, str]] = field(default_factory=list)
    found_tags: int = 0
    found_photos: int = 0
    changes: ChangeSet = field(default_factory=ChangeSet)

    def in_words(self) -> str:
        """Return what was taken over: "412 tags of 9 kinds, 120 ratings from 300 photos"; empty if nothing."""
        counts = [
            counted(self.tags, "tag") + (f" of {counted(self.kinds, 'kind')}" if self.tags else ""),
            counted(self.ratings, "rating"),
            counted(self.labels, "label"),
        ]
        said = [text for text, number in zip(counts, (self.tags, self.ratings, self.labels), strict=True) if number]
        return f"{', '.join(said)} from {counted(self.photos, 'photo')}" if said else ""


def take_over(
    library: Library,
    read: Sequence[Waiting],
    report: MetadataReport,
    chosen: Mapping[int, ImportChoice] | None = None,
) -> None:
    """Enter what is new of what was read, and the tags of folders that are imported from now on, in one step.

    Parameters
    ----------
    library : Library
    read : sequence of Waiting
        Photos that were read since the last time.
    report : MetadataReport
        Is completed.
    chosen : mapping of int to ImportChoice, optional
        What the user has chosen now, by the id of the folder. It is kept, and can be undone with the tags.
    """
    read = [_with_fields(one) for one in read]
    former, chosen = import_choices(library), chosen or {}
    choices = {**former, **chosen}
    read_now = {one.photo_id for one in read}
    earlier = [one for one in library.information.with_names(chosen) if one.photo_id not in read_now]
    rows = [*read, *earlier]
    cameras = [camera for camera, _ in library.information.cameras()]
    with library.journal.action("") as action:
        for choice in dict.fromkeys(chosen.values()):
            put_choice(action, library, [root for root, one in chosen.items() if one == choice], choice)
        ids = [one.photo_id for one in rows]
        roots = library.files.roots_of(ids)
        tags, marks, exchanged = library.tags.of(ids), library.marks.of(ids), library.exchange.of(ids)
        rejected = library.suggestions.rejected_pairs()
        given: dict[int, list[str]] = {}
        wanted: dict[Mark, list[int]] = {}
        done: list[Waiting] = []
        waiting_tags: set[str] = set()
        for one in rows:
            photo = one.photo_id
            of_roots = roots.get(photo, frozenset())
            names = _admitted(one, [choices[root] for root in of_roots if root in choices], cameras)
            imported = _admitted(one, [former[root] for root in of_roots if root in former], cameras)
            # What was exchanged with a sidecar is no news either: it may be gone from Focal since.
            spoken = {name for row in exchanged[photo] for name in row.tags}
            known = {*(name for name in one.before.tags if name in imported), *tags[photo], *spoken}
            new = [name for name in names if name not in known and (photo, name) not in rejected]
            if new:
                given[photo] = new
            if not any(root in choices for root in of_roots):
                left = set(ALL.tags_of(one, cameras)) - known - {*one.before.tags}
                waiting_tags |= left
                report.found_photos += bool(left)
            old = marks[photo]
            ratings = (one.before.rating or None, *(row.rating for row in exchanged[photo]))
            labels = (one.before.label, *(row.label for row in exchanged[photo]))
            mark = Mark(
                _newer(ratings, one.found.rating, old.rating) or None, _newer(labels, one.found.label, old.label)
            )
            if mark != old:
                wanted.setdefault(mark, []).append(photo)
                report.ratings += mark.rating != old.rating
                report.labels += mark.label != old.label
            done.append(replace(one, found=replace(one.found, tags=names if names else one.before.tags)))
        library.tags.give(given, TagSource.IMPORT)
        for mark, photos in wanted.items():
            library.marks.set(photos, rating=mark.rating, label=mark.label)
        # By itself it is no step that the user could undo.
        library.exchange.record(_made_alike(library, rows, read_now), journaled=bool(given or wanted))
        library.information.note_taken_over(done)
        report.found_tags = len(waiting_tags)
        report.tags += sum(map(len, given.values()))
        report.kinds += len({name for line in given.values() for name in line})
        report.photos += len({*given, *(photo for photos in wanted.values() for photo in photos)})
        counts = {"tags": report.tags, "ratings": report.ratings, "labels": report.labels}
        what = _listed([name for name, number in counts.items() if number])
        action.label = f"Take over {what} of {counted(report.photos, 'photo')}" if what else "Choose tags to import"
    report.changes = action.changes


def _with_fields(one: Waiting) -> Waiting:
    """Return what was read by an earlier version, which did not note fields, as what one field holds."""
    if one.fields or not one.found.tags:
        return one
    return replace(one, fields={str(Field.HIERARCHY): (one.found.tags, (), ())})


def _admitted(one: Waiting, choices: Sequence[ImportChoice], cameras: Sequence[str]) -> tuple[str, ...]:
    """Return the tags that a photo gets by any of the choices for its folders."""
    return tuple(dict.fromkeys(name for choice in choices for name in choice.tags_of(one, cameras)))


def _newer(before: Sequence[T | None], found: T | None, present: T | None) -> T | None:
    """Return what a photo shall have: what its file says if that is new and no person has changed it in Focal since.

    `before` is what was taken over from there, or exchanged with it.
    """
    return found if found is not None and found not in before and present in before else present


def _made_alike(library: Library, waiting: Sequence[Waiting], read_now: Collection[int]) -> Iterator[Exchanged]:
    """Yield what photos and their sidecars have in common now; of photos read earlier, if nothing was exchanged since.

    Where they differ, what they had in common before is kept: it tells later which of them has changed.
    """
    ids = [one.photo_id for one in waiting if one.said]
    tags, marks, before = library.tags.of(ids), library.marks.of(ids), library.exchange.of(ids)
    for one in waiting:
        for said in one.said:
            here, there = set(tags[one.photo_id]), set(said.tags)
            old = next((row for row in before[one.photo_id] if row.sidecar == said.sidecar), None)
            if one.photo_id not in read_now and old is not None and old.content_hash != said.content_hash:
                continue
            base = (here & there) | (set(old.tags) & (here ^ there) if old is not None else set())
            mark = marks[one.photo_id]
            yield replace(
                said,
                at=timestamps.now(),  # after the tags were given: what is given later is given again
                tags=tuple(sorted(base)),
                rating=_alike(mark.rating, said.rating or None, old.rating if old is not None else None),
                label=_alike(mark.label, said.label, old.label if old is not None else None),
            )


def _alike(here: T | None, there: T | None, before: T | None) -> T | None:
    return here if here == there else before


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def counted(number: int, name: str) -> str:
    """Return a number of things: ``1 tag``, ``1,200 tags``."""
    return f"{number:,} {name}" + ("" if number == 1 else "s")
