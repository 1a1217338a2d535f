# SPDX-License-Identifier: MIT
"""Import ratings, labels and chosen tags from the metadata of other programs.

The user's changes in Focal are never overridden. Earlier imports of a photo are recorded, so that only new metadata are
imported: a tag removed in Focal does not return, and a rating changed in Focal stays. Metadata that vanish from a file
are retained, because image editors often lose them.
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
from focal_photos.browser.catalog.text import Text, counted
from focal_photos.browser.operations.metadata.imports.import_choice import (
    ALL_KEYWORDS,
    ImportChoice,
    import_choices,
    put_choice,
)
from focal_photos.browser.operations.metadata.keywords import Field

T = TypeVar("T")


@dataclass
class MetadataReport:
    """Numbers of metadata read and imported.

    Attributes
    ----------
    tags, ratings, labels : int
        Numbers of items given to photos.
    """

    read: int = 0
    tags: int = 0
    kinds: int = 0
    """Number of distinct tags among them."""
    ratings: int = 0
    labels: int = 0
    photos: int = 0
    """Number of photos that got any."""
    left_out: list[tuple[Path, str]] = field(default_factory=list)
    """Tags and labels that are invalid in Focal, with the reason."""
    problems: list[tuple[Path, str]] = field(default_factory=list)
    """Files with unreadable metadata or parts of them, with the reason."""
    found_tags: int = 0
    found_photos: int = 0
    """`found_tags` and `found_photos`: number of distinct new tags in the files read, and number of their photos, in
    folders without an import choice."""
    changes: ChangeSet = field(default_factory=ChangeSet)
    """Changes of the journal step."""

    def in_words(self) -> str:
        """Return a summary: "412 tags of 9 kinds, 120 ratings from 300 photos"; empty if nothing was imported."""
        counts = [
            with_noun(self.tags, "tag") + (f" of {with_noun(self.kinds, 'kind')}" if self.tags else ""),
            with_noun(self.ratings, "rating"),
            with_noun(self.labels, "label"),
        ]
        said = [text for text, number in zip(counts, (self.tags, self.ratings, self.labels), strict=True) if number]
        return f"{', '.join(said)} from {with_noun(self.photos, 'photo')}" if said else ""


def take_over(
    library: Library,
    read: Sequence[Waiting],
    report: MetadataReport,
    chosen: Mapping[int, ImportChoice] | None = None,
) -> None:
    """Import new metadata, and the tags of newly chosen folders, in one journal step.

    Parameters
    ----------
    read : sequence of Waiting
        Photos read since the last import.
    report : MetadataReport
        Updated in place.
    chosen : mapping of int to ImportChoice, optional
        The user's new choices by folder id. They are saved and can be undone together with the tags.
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
            # Data exchanged with a sidecar are not new either: the user may have removed them since.
            spoken = {name for row in exchanged[photo] for name in row.tags}
            known = {*(name for name in one.before.tags if name in imported), *tags[photo], *spoken}
            new = [name for name in names if name not in known and (photo, name) not in rejected]
            if new:
                given[photo] = new
            if not any(root in choices for root in of_roots):
                left = set(ALL_KEYWORDS.tags_of(one, cameras)) - known - {*one.before.tags}
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
        # On its own, this is no step that the user could undo.
        library.exchange.record(_made_alike(library, rows, read_now), journaled=bool(given or wanted))
        library.information.note_taken_over(done)
        report.found_tags = len(waiting_tags)
        report.tags += sum(map(len, given.values()))
        report.kinds += len({name for line in given.values() for name in line})
        report.photos += len({*given, *(photo for photos in wanted.values() for photo in photos)})
        counts = (Text("tags"), report.tags), (Text("ratings"), report.ratings), (Text("labels"), report.labels)
        action.label = Text("Choose tags to import")
        if what := [name for name, number in counts if number]:
            count = counted(report.photos, "1 photo", "{0:,} photos")
            action.label = Text("Import {0} of {1}", _listed(what), count)
    report.changes = action.changes


def _with_fields(one: Waiting) -> Waiting:
    """Return metadata read by an earlier version, which did not record fields, with all names in one field."""
    if one.fields or not one.found.tags:
        return one
    return replace(one, fields={str(Field.HIERARCHY): (one.found.tags, (), ())})


def _admitted(one: Waiting, choices: Sequence[ImportChoice], cameras: Sequence[str]) -> tuple[str, ...]:
    """Return the tags that a photo gets by any of the choices for its folders."""
    return tuple(dict.fromkeys(name for choice in choices for name in choice.tags_of(one, cameras)))


def _newer(before: Sequence[T | None], found: T | None, present: T | None) -> T | None:
    """Return the value of a photo's file if new (not in `before`) and unchanged in Focal, else the present one."""
    return found if found is not None and found not in before and present in before else present


def _made_alike(library: Library, waiting: Sequence[Waiting], read_now: Collection[int]) -> Iterator[Exchanged]:
    """Yield the common state of photos and their sidecars; for photos read earlier only if not exchanged since.

    Where they differ, the former common state is retained, which shows later which side has changed.
    """
    ids = [one.photo_id for one in waiting if one.exchanged]
    tags, marks, before = library.tags.of(ids), library.marks.of(ids), library.exchange.of(ids)
    for one in waiting:
        for shared in one.exchanged:
            here, there = set(tags[one.photo_id]), set(shared.tags)
            old = next((row for row in before[one.photo_id] if row.sidecar == shared.sidecar), None)
            if one.photo_id not in read_now and old is not None and old.content_hash != shared.content_hash:
                continue
            base = (here & there) | (set(old.tags) & (here ^ there) if old is not None else set())
            mark = marks[one.photo_id]
            yield replace(
                shared,
                at=timestamps.now(),  # after giving the tags: tags given later count as given again
                tags=tuple(sorted(base)),
                rating=_alike(mark.rating, shared.rating or None, old.rating if old is not None else None),
                label=_alike(mark.label, shared.label, old.label if old is not None else None),
                boxes=old.boxes if old is not None else (),  # regions are exchanged only with the sidecars
            )


def _alike(here: T | None, there: T | None, before: T | None) -> T | None:
    return here if here == there else before


def _listed(names: Sequence[Text]) -> Text:
    match len(names):
        case 3:
            return Text("{0}, {1} and {2}", *names)
        case 2:
            return Text("{0} and {1}", *names)
    return names[0]


def with_noun(number: int, name: str) -> str:
    """Return a number with a noun: ``1 tag``, ``1,200 tags``."""
    return f"{number:,} {name}" + ("" if number == 1 else "s")
