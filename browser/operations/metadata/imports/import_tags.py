# SPDX-License-Identifier: MIT
"""List the tags found in the files of folders, and import those chosen by the user."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from focal_photos.browser.catalog.facts.records import Waiting
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.metadata.imports.import_choice import ImportChoice, import_choices
from focal_photos.browser.operations.metadata.imports.take_over import MetadataReport, take_over
from focal_photos.browser.operations.metadata.keywords import MAX_FEW_PHOTOS, Doubt, doubt_about, tags_in

_REPORT_EVERY: Final = 500  # photos


@dataclass(frozen=True)
class FoundTag:
    """A tag in the files of photos that at least one of them lacks in Focal."""

    name: str
    photos: int
    """Number of photos that would get it."""
    doubt: Doubt
    """Reason why it is rarely wanted."""
    wanted: bool
    """Whether it is proposed: there is no doubt and no earlier choice that excludes it."""


@dataclass(frozen=True)
class FoundTags:
    """Tags found in the files of folders."""

    tags: tuple[FoundTag, ...] = ()
    """Most frequent first, then by name."""
    photos: int = 0
    """Number of photos that would get any of them."""
    fields: frozenset[str] = frozenset()
    """Fields that contain names, chosen or not."""


def find_tags(library: Library, roots: Collection[int], fields: Collection[str]) -> Job[FoundTags]:
    """Find the tags that can be imported.

    A tag that was imported before and since removed from a photo by the user does not count for that photo.

    Parameters
    ----------
    roots : collection of int
        Ids of folders of the library.
    fields : collection of str
        Fields to use; see `keywords.Field`.
    """
    meter = Meter(Text("Looking for tags in files"))
    yield meter.state()
    choices = import_choices(library)
    cameras = [camera for camera, _ in library.information.cameras()]
    rejected = library.suggestions.rejected_pairs()
    counts: dict[str, int] = {}
    present: set[str] = set()
    photos = 0
    batch = []
    for one in library.information.with_names(roots):
        batch.append(one)
        if len(batch) < _REPORT_EVERY:
            continue
        photos += _count_tags(library, batch, choices, cameras, rejected, fields, counts, present)
        yield meter.advance(len(batch))
        batch = []
    photos += _count_tags(library, batch, choices, cameras, rejected, fields, counts, present)
    excluded = {name for root in roots if root in choices for name in choices[root].excluded}
    found = []
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        doubt = doubt_about(name, cameras)
        if doubt is Doubt.NONE and count == 1 and photos > MAX_FEW_PHOTOS:
            doubt = Doubt.RARE
        found.append(FoundTag(name, count, doubt, doubt is Doubt.NONE and name not in excluded))
    return FoundTags(tuple(found), photos, frozenset(present))


def _count_tags(
    library: Library,
    batch: Sequence[Waiting],
    choices: Mapping[int, ImportChoice],
    cameras: Sequence[str],
    rejected: Collection[tuple[int, str]],
    fields: Collection[str],
    counts: dict[str, int],
    present: set[str],
) -> int:
    """Add the tags that photos would get to `counts`, their fields to `present`; return the number of such photos."""
    ids = [one.photo_id for one in batch]
    tags, roots = library.tags.of(ids), library.files.roots_of(ids)
    photos = 0
    for one in batch:
        present.update(one.fields)
        imported = {
            name
            for root in roots.get(one.photo_id, ())
            if root in choices
            for name in choices[root].tags_of(one, cameras)
            if name in one.before.tags
        }
        known = imported.union(tags[one.photo_id])
        new = [n for n in tags_in(one.fields, fields) if n not in known and (one.photo_id, n) not in rejected]
        for name in new:
            counts[name] = counts.get(name, 0) + 1
        photos += bool(new)
    return photos


def import_found_tags(library: Library, roots: Collection[int], choice: ImportChoice) -> Job[MetadataReport]:
    """Import tags found in the files of folders in one journal step, and again whenever files change."""
    yield Meter(Text("Importing tags")).state()
    report = MetadataReport()
    take_over(library, (), report, dict.fromkeys(roots, choice))
    return report
