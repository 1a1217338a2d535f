# SPDX-License-Identifier: MIT
"""Photos with missing files: their tags and judgements, and the possible new places of the files."""
# ruff: noqa: PTH116, PTH118

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.records import FileState, Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.location import readable
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.photos.find import content_hash
from focal_photos.browser.operations.photos.missing_files.copy_statements import copy_statements
from focal_photos.browser.operations.photos.offline import look_for_offline
from focal_photos.browser.operations.photos.relocate import find_moved, plan_relocation, relocate
from focal_photos.browser.operations.photos.scan import scan, scan_paths
from focal_photos.browser.operations.photos.walk import WalkedFile, walk
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES

_WALK: Final = 50_000  # files checked beside missing ones
_REPORT_EVERY: Final = 500


@dataclass(frozen=True)
class MissingPhoto:
    """A photo whose file is missing."""

    photo: Photo
    """Its path is the last known one."""
    tags: tuple[str, ...]
    judgements: int
    """Number of judgements that involve it."""
    marked: bool
    """Whether it has a rating or a label."""
    boxes: int = 0
    """Number of boxes on it, named or not."""

    @property
    def bare(self) -> bool:
        """Whether it has no tags, judgements, rating, label or boxes."""
        return not (self.tags or self.judgements or self.marked or self.boxes)


class ProposalKind(StrEnum):
    """Kind of a proposal."""

    RELOCATE = "relocate"
    """A folder has moved."""
    SAME_CONTENT = "same-content"
    """The same file is in another place."""
    SAME_NAME = "same-name"
    """Another photo has its name, and its size or date: the file may have been edited and moved."""


@dataclass(frozen=True)
class Proposal:
    """A possible new place of missing photos."""

    kind: ProposalKind
    old: Path
    new: Path
    """`old` and `new`: folders if a folder has moved, otherwise files."""
    photo_ids: tuple[int, ...] = ()
    """The missing photos; empty for an offline folder."""
    other_id: int | None = None
    """The photo at `new`, if it is in the library."""


def missing_photos(library: Library) -> dict[Path, list[MissingPhoto]]:
    """Return the photos with missing files by their last known folder, sorted by path."""
    ids = [int(number) for number in library.photos.listed("missing")]
    tags, judged, marks = library.tags.of(ids), library.judgements.counts(), library.marks.of(ids)
    boxes = library.boxes.of(ids)
    folders: dict[Path, list[MissingPhoto]] = defaultdict(list)
    for photo in sorted(library.photos.get(ids), key=lambda photo: os.fsencode(photo.path)):
        mark = marks[photo.id]
        marked = mark.rating is not None or mark.label is not None
        found = MissingPhoto(
            photo, tuple(tags[photo.id]), judged.get(photo.id, 0), marked, len(boxes.get(photo.id, ()))
        )
        folders[photo.path.parent].append(found)
    return dict(folders)


def propose(library: Library, among: Sequence[Path] = ()) -> Job[list[Proposal]]:
    """Search for the new places of missing photos and offline folders, without changing anything.

    The search covers folders beside the missing ones, other drives, the other photos of the library, and `among`.

    Parameters
    ----------
    among : sequence of Path
        Folders to search recursively.

    Returns
    -------
    list of Proposal
        Each photo is in at most one: folders come first, then files with the same content, then others.
    """
    meter = Meter(Text("Looking for missing photos"))
    yield meter.state()
    missing = missing_photos(library)
    proposals: list[Proposal] = []
    explained: set[int] = set()
    for folder in sorted({*look_for_offline(library), *_gone(missing)}, key=os.fsencode):
        if any(folder.is_relative_to(done.old) for done in proposals):
            continue
        new = find_moved(library, folder, among)
        yield meter.advance(1, str(folder))
        if new is not None:
            inside = [
                each.photo.id for path, photos in missing.items() if path.is_relative_to(folder) for each in photos
            ]
            proposals.append(Proposal(ProposalKind.RELOCATE, folder, new, tuple(inside)))
            explained.update(inside)
    left = [each.photo for photos in missing.values() for each in photos if each.photo.id not in explained]
    for proposal in (yield from _same_content(left, [*among, *_beside(library, missing)])):
        proposals.append(proposal)
        explained.update(proposal.photo_ids)
    proposals += _same_name(library, [photo for photo in left if photo.id not in explained])
    return proposals


def accept(library: Library, proposal: Proposal) -> Job[ChangeSet]:
    """Apply a proposal.

    A folder is relocated and then scanned. The folder of a found file is added to the library, unless it is in the
    library already. For an edited photo, the tags and judgements are transferred to the photo of the same name.

    Returns
    -------
    ChangeSet
        The changes that can be undone, if any.

    Raises
    ------
    OperationError
        If the proposal is no longer valid.
    """
    changes = ChangeSet()
    if proposal.kind is ProposalKind.RELOCATE:
        plan = yield from plan_relocation(library, proposal.old, proposal.new)
        changes = relocate(library, plan)
        yield from scan(library, [proposal.new])
    elif proposal.kind is ProposalKind.SAME_CONTENT:
        if not proposal.new.exists():
            raise OperationError("{0} no longer exists: search again.", proposal.new)
        if library.roots.containing(proposal.new) is None:
            yield from scan(library, [proposal.new.parent])
        else:
            yield from scan_paths(library, [proposal.new])
    elif proposal.other_id is not None:
        changes = take_over(library, proposal.photo_ids[0], proposal.other_id)
    return changes


def take_over(library: Library, photo_id: int, other_id: int) -> ChangeSet:
    """Transfer tags, judgements and rotation from a missing photo to another and remove it, in one undo step."""
    (photo,) = library.photos.get([photo_id])
    with library.journal.action(Text("Take over {0}", readable(photo.path.name))) as action:
        copy_statements(library, photo_id, other_id, rejection=True)
        turns = library.rotations.of([photo_id, other_id])
        if not turns[other_id]:
            library.rotations.rotate([other_id], turns[photo_id])
        library.photos.forget([photo_id])
    return action.changes


def forget(library: Library, photo_ids: Iterable[int], *, with_work: bool = False) -> ChangeSet:
    """Remove missing photos from the list, in one undo step; they reappear if their file is found.

    Parameters
    ----------
    photo_ids : iterable of int
        Photos whose files are missing.
    with_work : bool
        Whether to include photos with tags, judgements, a rating, a label or boxes.
    """
    wanted = set(photo_ids)
    ids = [
        each.photo.id
        for photos in missing_photos(library).values()
        for each in photos
        if each.photo.id in wanted and (with_work or each.bare)
    ]
    return library.photos.forget(ids) if ids else ChangeSet()


# ---------------------------------------------------------------------- possible places
def _gone(missing: Iterable[Path]) -> list[Path]:
    """Return the folders of missing photos that no longer exist, and the topmost missing folder of each."""
    gone: dict[Path, None] = {}
    for folder in missing:
        highest = None
        for above in (folder, *folder.parents):
            if above.exists():
                break
            highest = above
        if highest is not None:
            gone[highest] = None
            gone[folder] = None
    return list(gone)


def _beside(library: Library, missing: Iterable[Path]) -> list[Path]:
    """Return the parent folders of missing photos outside the library's folders."""
    roots = [root.path for root in library.roots.all()]
    around: dict[Path, None] = {}
    for folder in missing:
        above = next((root.parent for root in roots if folder.is_relative_to(root)), folder.parent)
        if above != above.parent and above.is_dir():
            around[above] = None
    return list(around)


def _same_content(missing: Sequence[Photo], folders: Sequence[Path]) -> Job[list[Proposal]]:
    """Find the files of missing photos in folders, by size first, then by content."""
    by_size: dict[int, list[Photo]] = defaultdict(list)
    for photo in missing:
        by_size[photo.bytes].append(photo)
    meter = Meter(Text("Searching for their files"))
    yield meter.state()
    found: dict[int, Proposal] = {}
    seen = 0
    for folder in folders:
        top = os.fsencode(folder)

        def may_be_missing(path: bytes, top: bytes = top) -> bool:
            return os.stat(os.path.join(top, path)).st_size in by_size

        for file in walk(top, IMAGE_SUFFIXES, may_be_missing) if by_size else ():
            seen += 1
            if seen % _REPORT_EVERY == 0:
                yield meter.advance(_REPORT_EVERY, str(folder))
            if seen > _WALK or len(found) == len(missing):
                return list(found.values())
            if not isinstance(file, WalkedFile) or file.bytes not in by_size:
                continue
            path = Path(os.fsdecode(os.path.join(top, file.path)))
            digest = content_hash(path)
            for photo in by_size[file.bytes]:
                if photo.content_hash == digest and photo.id not in found:
                    found[photo.id] = Proposal(ProposalKind.SAME_CONTENT, photo.path, path, (photo.id,))
    return list(found.values())


def _same_name(library: Library, missing: Sequence[Photo]) -> list[Proposal]:
    """Find photos of the library with the name and the size or date of a missing photo."""
    wanted: dict[bytes, list[Photo]] = defaultdict(list)
    for photo in missing:
        wanted[os.fsencode(photo.path.name)].append(photo)
    named: dict[bytes, list[int]] = defaultdict(list)
    for root in library.roots.all() if wanted else ():
        for path, file in library.files.known(root.id).items():
            name = path.rpartition(b"/")[2]
            if name in wanted and file.state is FileState.PRESENT and file.photo_id is not None:
                named[name].append(file.photo_id)
    proposals = []
    for name, others in named.items():
        candidates = library.photos.get(dict.fromkeys(others))
        for photo in wanted[name]:
            like = [other for other in candidates if _alike(photo, other)]
            if len(like) == 1:
                new = like[0]
                proposals.append(Proposal(ProposalKind.SAME_NAME, photo.path, new.path, (photo.id,), new.id))
    return proposals


def _alike(photo: Photo, other: Photo) -> bool:
    same_date = photo.taken is not None and photo.taken == other.taken
    return photo.bytes == other.bytes or same_date
