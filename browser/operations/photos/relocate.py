"""A folder of the library is elsewhere now: check whether its photos are there, and take their places over."""
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
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.photos.find import content_hash

_SAMPLE: Final = 32  # files whose content is read, unless all are
_GLANCE: Final = 200  # files looked for where a folder may have gone to
_FIRST: Final = 10  # of these, one at least must be there, or nobody looks for the others
_MATCH: Final = 0.8  # share of them that makes a proposal
_NEIGHBORS: Final = 1000  # folders beside a folder that is gone which are looked at
_SYSTEM_MOUNTS: Final = ("/proc", "/sys", "/dev", "/run/credentials", "/boot", "/snap")


@dataclass(frozen=True)
class Relocation:
    """What is found at the place where a folder of the library is to be now.

    Attributes
    ----------
    root : Root
        The root that the folder is, or lies in.
    below : Path
        The folder relative to it; ``Path()`` for the root itself.
    old, new : Path
        Where it was, and where it is to be.
    photos : int
        Files that the library knows in it, without those that were missing before (unless all are).
    found : int
        Those of them that are at the same relative path below `new`, with the same size and, as far as it was read,
        the same content.
    differing, absent : tuple of Path
        Relative paths of those that are there with another content, and of those that are not there.
    compared : int
        Files whose content was read.
    still_there : int
        Those of them that are at the old place too.
    """

    root: Root
    below: Path
    old: Path
    new: Path
    photos: int
    found: int
    differing: tuple[Path, ...] = ()
    absent: tuple[Path, ...] = ()
    compared: int = 0
    still_there: int = 0

    @property
    def undoable(self) -> bool:
        """Whether it is one step of undo; a part of a root is brought back by relocating it the other way."""
        return self.below == Path()


@dataclass
class _Compared:
    found: list[bytes] = field(default_factory=list)
    differing: list[bytes] = field(default_factory=list)
    absent: list[bytes] = field(default_factory=list)


def plan_relocation(library: Library, old: Path, new: Path, *, full: bool = False) -> Job[Relocation]:
    """Look whether the photos of a folder are at another place, by their names and sizes and a sample of contents.

    Where a content of the sample is another one, all contents are read. Nothing is changed.

    Parameters
    ----------
    library : Library
    old : Path
        A root of the library or a folder in one; it need not be there.
    new : Path
        Where it is to be now.
    full : bool
        Read all contents.

    Yields
    ------
    Progress

    Returns
    -------
    Relocation

    Raises
    ------
    OperationError
        It cannot be: the old folder is not in the library, the new one is not there or lies in another folder of the
        library, or none of the photos is in it. The message says what to do.
    """
    old, new = absolute(old), absolute(new)
    root, below = _require_sense(library, old, new)
    known = _known(library, root, below)
    if not known:
        raise OperationError(f"The library knows no photo in {old}: there is nothing to relocate.")
    meter = Meter("Comparing the folders", len(known))
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
        raise OperationError(_nothing_matches(old, new, known))
    still_there = sum(_status(old, path) is not None for path in compared.found)
    return Relocation(
        *(root, below, old, new, len(known), len(compared.found)),
        _paths(compared.differing),
        _paths(compared.absent),
        read,
        still_there,
    )


def relocate(library: Library, relocation: Relocation) -> ChangeSet:
    """Take over the place that was looked at, in one transaction; the files there are compared by the next scan.

    Photos keep everything: tags, judgements, descriptions and thumbnails.
    """
    # What was checked may have changed since.
    _require_sense(library, relocation.old, relocation.new)
    return library.roots.relocate(relocation.root.id, relocation.below, relocation.new)


def find_moved(library: Library, old: Path, among: Sequence[Path] = ()) -> Path | None:
    """Return where a folder that is gone seems to be now: most of its photos are there by name and size.

    Looked at are the folders beside it, the same path on all drives that are connected, and `among` with the folders
    in these.

    Parameters
    ----------
    library : Library
    old : Path
        A root of the library or a folder in one, which is not there.
    among : sequence of Path
        Folders to look at too.
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
        # Photos that another root holds are found by their content.
        if candidate == old or any(candidate.is_relative_to(path) or path.is_relative_to(candidate) for path in roots):
            continue
        fits = _share_there(candidate, glance)
        if fits >= share and (best is None or fits > share):
            best, share = candidate, fits
    return best


# ---------------------------------------------------------------------- what makes sense
def _require_sense(library: Library, old: Path, new: Path) -> tuple[Root, Path]:
    """Return the root that the old folder is or lies in, and the path relative to it."""
    found = library.roots.containing(old)
    if found is None:
        roots = ", ".join(str(root.path) for root in library.roots.all()) or "none yet"
        raise OperationError(f"{old} is in no folder of the library: name one of these or a folder in one: {roots}.")
    root, below = found
    if new == old:
        raise OperationError(f"{new} is where the folder was: name the place where it is now.")
    if not new.is_dir():
        what = "is a file" if new.exists() else "is not there"
        raise OperationError(f"{new} {what}: connect its drive, or name the folder that holds the photos now.")
    for other in library.roots.all():
        ours = other.id == root.id
        if not ours and new.is_relative_to(other.path):
            raise OperationError(
                f"{new} lies in {other.path}, which is in the library already: look for changes there (focal index, or "
                f"F5), and photos that were moved are found by their content. Then take {root.path} out."
            )
        if other.path.is_relative_to(new) and (not ours or (below != Path() and other.path != new)):
            raise OperationError(
                f"{other.path}, a folder of the library, lies in {new}: name the folder that holds the photos."
            )
    return root, below


def _nothing_matches(old: Path, new: Path, known: Mapping[bytes, KnownFile]) -> str:
    example = Path(os.fsdecode(next(iter(known))))
    text = f"None of the {len(known)} photos of {old} is in {new}: {new / example} is not there, or another photo."
    glance = dict(list(known.items())[:_GLANCE])
    for candidate in (new / old.name, new.parent, *_folders_in(new)):
        if _share_there(candidate, glance):
            return f"{text} Did you mean {candidate}?"
    return f"{text} Name the folder that holds them now."


def _candidates(old: Path, among: Sequence[Path]) -> Iterator[Path]:
    parts = old.parts[1:]
    for point, _ in mounted():
        if point != "/" and not point.startswith(_SYSTEM_MOUNTS):
            # /media/me/STICK/trip may be /media/me/STICK1/trip now, or /media/me/NAME/STICK/trip.
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
    """Return the files known below a folder that hold a photo, by their path relative to it, in order.

    Those that were missing before count only where all are, as when the folder was deleted or moved within a root.
    """
    inner = b"" if below == Path() else os.fsencode(below)
    cut = len(inner) + 1 if inner else 0
    files = library.files.known(root.id, inner)
    photos = {path: files[path] for path in sorted(files) if files[path].photo_id is not None}
    present = {path: file for path, file in photos.items() if file.state is FileState.PRESENT}
    return {path[cut:]: file for path, file in (present or photos).items()}


def _share_there(folder: Path, files: Mapping[bytes, KnownFile]) -> float:
    """Return the share of files that are in a folder with their size; nought if none of the first ones is."""
    fits = 0
    for number, (path, file) in enumerate(files.items()):
        if number == _FIRST and not fits:
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
    """Read a sample of contents, all if one of them is another; return how many were read."""
    sample = compared.found[:: 1 if full else max(1, len(compared.found) // _SAMPLE)]
    if (yield from _sort_out(library, new, known, sample, compared)):
        rest = [path for path in compared.found if path not in set(sample)]
        yield from _sort_out(library, new, known, rest, compared)
        return len(sample) + len(rest)
    return len(sample)


def _sort_out(
    library: Library, new: Path, known: Mapping[bytes, KnownFile], paths: Sequence[bytes], compared: _Compared
) -> Job[bool]:
    """Move files of another content from those found to those that differ; return whether there are any."""
    ids = [number for path in paths if (number := known[path].photo_id) is not None]
    hashes = {photo.id: photo.content_hash for photo in library.photos.get(ids)}
    meter = Meter("Reading photos", len(paths))
    differing = set()
    for path in paths:
        if content_hash(new / os.fsdecode(path)) != hashes[known[path].photo_id or 0]:
            differing.add(path)
        yield meter.advance(1, os.fsdecode(path))
    compared.found[:] = [path for path in compared.found if path not in differing]
    compared.differing[:] = sorted([*compared.differing, *differing])
    return bool(differing)
