# SPDX-License-Identifier: MIT
"""Relocate a folder of the library: verify that its photos are at the new place, and update their paths."""
# ruff: noqa: PTH116, PTH118

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.records import FileState, KnownFile, Root
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.location import absolute, mounted
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.photos.find import content_hash

_SAMPLE: Final = 32  # files whose content is read unless all are
_GLANCE: Final = 200  # files checked at a possible new place
_PROBED_FILES: Final = 10  # number of these of which at least one must exist before the others are checked
_MATCH: Final = 0.8  # share of matching files for a proposal
_NEIGHBORS: Final = 1000  # folders checked beside a missing folder
_SYSTEM_MOUNTS: Final = ("/proc", "/sys", "/dev", "/run/credentials", "/boot", "/snap")


@dataclass(frozen=True)
class Relocation:
    """Result of checking the new place of a library folder."""

    root: Root
    """The root that is or contains the folder."""
    below: Path
    """The folder relative to the root; ``Path()`` for the root itself."""
    old: Path
    new: Path
    photos: int
    """Number of known files in it, without those missing before (unless all are)."""
    found: int
    """Number of these at the same relative path below `new`, with the same size and, if read, the same content."""
    differing: tuple[Path, ...] = ()
    absent: tuple[Path, ...] = ()
    """`differing` and `absent`: relative paths of files with different content and of absent files."""
    compared: int = 0
    """Number of files whose content was read."""
    still_there: int = 0
    """Number of found files that also exist at the old place."""

    @property
    def undoable(self) -> bool:
        """Whether it is one undo step; a relocated part of a root must be relocated back instead."""
        return self.below == Path()


@dataclass
class _Compared:
    found: list[bytes] = field(default_factory=list)
    differing: list[bytes] = field(default_factory=list)
    absent: list[bytes] = field(default_factory=list)


def plan_relocation(library: Library, old: Path, new: Path, *, full: bool = False) -> Job[Relocation]:
    """Check whether the photos of a folder are at another place, by name, size and a sample of contents.

    If a sampled content differs, all contents are read. Nothing is changed.

    Parameters
    ----------
    old : Path
        A root of the library or a folder in one; it need not exist.
    full : bool
        Whether to read all contents.
        Read all contents.

    Raises
    ------
    OperationError
        If the old folder is not in the library, the new one does not exist or is in another folder of the library, or
        contains none of the photos. The message names the remedy.
    """
    old, new = absolute(old), absolute(new)
    root, below = _require_sense(library, old, new)
    known = _known(library, root, below)
    if not known:
        raise OperationError("The library contains no photo in {0}: there is nothing to relocate.", old)
    meter = Meter(Text("Comparing the folders"), len(known))
    yield meter.state()
    compared = _Compared()
    for number, (path, file) in enumerate(known.items(), start=1):
        status = _status(new, path)
        if status is None:
            compared.absent.append(path)
        else:
            (compared.found if _fits(status, file) else compared.differing).append(path)
        if number % 200 == 0:
            yield meter.advance(200, os.fsdecode(path))
    read = yield from _compare_contents(library, new, known, compared, full=full)
    if not compared.found:
        raise _nothing_matches(old, new, known)
    still_there = sum(_status(old, path) is not None for path in compared.found)
    return Relocation(
        *(root, below, old, new, len(known), len(compared.found)),
        _paths(compared.differing),
        _paths(compared.absent),
        read,
        still_there,
    )


def relocate(library: Library, relocation: Relocation) -> ChangeSet:
    """Apply a checked relocation in one transaction; the next scan compares the files.

    Photos keep their tags, judgements, descriptions and thumbnails.
    """
    # The state may have changed since the check.
    _require_sense(library, relocation.old, relocation.new)
    return library.roots.relocate(relocation.root.id, relocation.below, relocation.new)


def find_moved(library: Library, old: Path, among: Sequence[Path] = ()) -> Path | None:
    """Return the apparent new place of a missing folder, where most of its photos match by name and size.

    The search covers the folders beside it, the same path on all connected drives, and `among` with the folders in
    these.

    Parameters
    ----------
    old : Path
        A root of the library or a folder in one, which does not exist.
    among : sequence of Path
        Further folders to check.
    """
    found = library.roots.containing(old)
    if found is None:
        return None
    known = _known(library, *found)
    glance = dict(list(known.items())[:: max(1, len(known) // _GLANCE)])
    if not glance:
        return None
    roots = [root.path for root in library.roots.all()]
    best, share = None, _MATCH
    for candidate in dict.fromkeys(_candidates(old, among)):
        # Photos in other roots are found by their content.
        if candidate == old or any(candidate.is_relative_to(path) or path.is_relative_to(candidate) for path in roots):
            continue
        fits = _share_there(candidate, glance)
        if fits >= share and (best is None or fits > share):
            best, share = candidate, fits
    return best


# ---------------------------------------------------------------------- checks
def _require_sense(library: Library, old: Path, new: Path) -> tuple[Root, Path]:
    """Return the root that is or contains the old folder, and the path relative to it."""
    found = library.roots.containing(old)
    if found is None:
        roots = ", ".join(str(root.path) for root in library.roots.all()) or Text("none yet")
        raise OperationError(
            "{0} is not in a folder of the library: name one of these folders or a folder in one: {1}.", old, roots
        )
    root, below = found
    if new == old:
        raise OperationError("{0} is the old location of the folder: name its new location.", new)
    if not new.is_dir():
        if new.exists():
            raise OperationError("{0} is a file: name the folder that contains the photos now.", new)
        raise OperationError(
            "{0} is not there: connect its drive, or name the folder that contains the photos now.", new
        )
    for other in library.roots.all():
        ours = other.id == root.id
        if not ours and new.is_relative_to(other.path):
            raise OperationError(
                "{0} lies in {1}, which is in the library already: look for changes there (focal index, or "
                "F5), and photos that were moved are found by their content. Then take {2} out.",
                new,
                other.path,
                root.path,
            )
        if other.path.is_relative_to(new) and (not ours or (below != Path() and other.path != new)):
            raise OperationError(
                "{0}, a folder of the library, is in {1}: name the folder that contains the photos.", other.path, new
            )
    return root, below


def _nothing_matches(old: Path, new: Path, known: Mapping[bytes, KnownFile]) -> OperationError:
    example = Path(os.fsdecode(next(iter(known))))
    text = Text(
        "None of the {0} photos of {1} is in {2}: {3} is not there, or another photo.",
        len(known),
        old,
        new,
        new / example,
    )
    glance = dict(list(known.items())[:_GLANCE])
    for candidate in (new / old.name, new.parent, *_folders_in(new)):
        if _share_there(candidate, glance):
            return OperationError("{0} Did you mean {1}?", text, candidate)
    return OperationError("{0} Name the folder that contains them now.", text)


def _candidates(old: Path, among: Sequence[Path]) -> Iterator[Path]:
    parts = old.parts[1:]
    for point, _ in mounted():
        if point != "/" and not point.startswith(_SYSTEM_MOUNTS):
            # /media/me/STICK/trip may now be /media/me/STICK1/trip or /media/me/NAME/STICK/trip.
            for start in range(len(parts)):
                yield Path(point, *parts[start:])
            yield Path(point)
    parents = [parent for parent in (old.parent, old.parent.parent) if parent != parent.parent]
    for folder in (*among, *parents):
        yield folder
        yield folder / old.name
        for inner in _folders_in(folder):
            yield inner
            yield inner / old.name
    for folder in among:
        for inner in _folders_in(folder):
            yield from _folders_in(inner)


def _folders_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir()]
    except OSError:
        return []
    return [folder / name for name in sorted(names)[:_NEIGHBORS]]


# ---------------------------------------------------------------------- comparing
def _known(library: Library, root: Root, below: Path) -> dict[bytes, KnownFile]:
    """Return the known photo files below a folder by relative path, sorted; missing ones only if all are missing."""
    inner = b"" if below == Path() else os.fsencode(below)
    cut = len(inner) + 1 if inner else 0
    files = library.files.known(root.id, inner)
    photos = {path: files[path] for path in sorted(files) if files[path].photo_id is not None}
    present = {path: file for path, file in photos.items() if file.state is FileState.PRESENT}
    return {path[cut:]: file for path, file in (present or photos).items()}


def _share_there(folder: Path, files: Mapping[bytes, KnownFile]) -> float:
    """Return the share of files in a folder with the right size; 0 if none of the first ones match."""
    fits = 0
    for number, (path, file) in enumerate(files.items()):
        if number == _PROBED_FILES and not fits:
            return 0.0
        status = _status(folder, path)
        fits += status is not None and _fits(status, file)
    return fits / len(files)


def _paths(names: Sequence[bytes]) -> tuple[Path, ...]:
    return tuple(Path(os.fsdecode(name)) for name in names)


def _status(folder: Path, path: bytes) -> os.stat_result | None:
    try:
        return os.stat(os.path.join(os.fsencode(folder), path))
    except (OSError, ValueError):
        return None


def _fits(status: os.stat_result, file: KnownFile) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_size == file.bytes


def _compare_contents(
    library: Library, new: Path, known: Mapping[bytes, KnownFile], compared: _Compared, *, full: bool
) -> Job[int]:
    """Read a sample of contents, or all if one differs; return the number read."""
    sample = compared.found[:: 1 if full else max(1, len(compared.found) // _SAMPLE)]
    if (yield from _sort_out(library, new, known, sample, compared)):
        rest = [path for path in compared.found if path not in set(sample)]
        yield from _sort_out(library, new, known, rest, compared)
        return len(sample) + len(rest)
    return len(sample)


def _sort_out(
    library: Library, new: Path, known: Mapping[bytes, KnownFile], paths: Sequence[bytes], compared: _Compared
) -> Job[bool]:
    """Move files with different content from found to differing; return whether there are any."""
    ids = [number for path in paths if (number := known[path].photo_id) is not None]
    hashes = {photo.id: photo.content_hash for photo in library.photos.get(ids)}
    meter = Meter(Text("Reading photos"), len(paths))
    differing = set()
    for path in paths:
        if content_hash(new / os.fsdecode(path)) != hashes[known[path].photo_id or 0]:
            differing.add(path)
        yield meter.advance(1, os.fsdecode(path))
    compared.found[:] = [path for path in compared.found if path not in differing]
    compared.differing[:] = sorted([*compared.differing, *differing])
    return bool(differing)
