# SPDX-License-Identifier: MIT
"""Find groups of duplicates in the background; results are saved and updated as photos are added."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.settings import BURST_SECONDS, FOLD
from focal_photos.browser.operations.duplicates.keeper import Member, propose, sharpness
from focal_photos.browser.operations.duplicates.near_pairs import distances, near_pairs, typical_distance
from focal_photos.browser.operations.duplicates.same_picture import Pictures
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.photos.thumbnail import thumbnail
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.learners.core.arrays.distinct import common

STAGE: Final = Text("Looking for duplicates")
MAX_COPY_DISTANCE: Final = 0.55
"""Maximum distance of copies, in typical distances of two photos of the library."""

BURST: Final = 0.6
"""Maximum distance of photos of a burst, in the same unit."""

_MAX_BURST_SPAN: Final = 50  # following photos of a burst with which each is compared
_PREFIX: Final = "duplicates-"
_VERSION: Final = 2  # of the saved pairs: the criterion for the same picture


class GroupKind(StrEnum):
    """Kind of a group."""

    COPIES = "copies"
    BURST = "burst"


@dataclass(frozen=True)
class Group:
    """A group of duplicates, photos or boxes."""

    kind: GroupKind
    members: tuple[Member, ...]
    """The proposed photo to keep first, the others by time and id."""
    why: str
    """Reason for proposing the first photo: the name of a `Reason`."""
    seconds: int = 0
    """Duration of a burst."""

    @property
    def photo_ids(self) -> tuple[int, ...]:
        """Ids of the photos or items of the boxes, the one to keep first."""
        return tuple(member.photo_id for member in self.members)


@dataclass(frozen=True, eq=False)
class Duplicates:
    """All groups of duplicates."""

    groups: list[Group]
    """Largest first."""
    table: NDArray[np.int32]
    """Group number of each photo id; -1: none; shape (largest id + 1,)."""


_FOUND: Final = CacheEntry[Duplicates]("photos that show the same")


def known_duplicates(library: Library) -> Duplicates | None:
    """Return the last result of this session, or None."""
    return library.cache.get(_FOUND, None)


def find_duplicates(library: Library, ranker: Ranker) -> Job[Duplicates]:
    """Find copies and bursts.

    Two photos are copies if their distance in the untrained space is at most `MAX_COPY_DISTANCE` typical distances of
    two photos of the library, and their thumbnails show the same picture
    (`browser.operations.duplicates.same_picture`). They belong to the same burst if they were taken within
    `duplicates.seconds` and are at most `BURST` typical distances apart. Connected pairs form one group. Pairs are
    saved, so that later searches cover only new and changed photos.

    Raises
    ------
    NothingIndexedError
    """
    yield Meter(STAGE).state()
    gallery = ranker.gallery("euclidean")
    seconds = BURST_SECONDS.get(library)
    file = library.path / "derived" / f"{_PREFIX}{_VERSION}-{gallery.loaded.key}.npz"

    def search(report: Callable[[float], None]) -> _Pairs:
        return _search(gallery, _read(file), Pictures(partial(thumbnail, library)), report)

    pairs = yield from in_thread(STAGE, search, keeps=False)
    if not library.read_only:
        _write(file, pairs)
    present = common(gallery.ids, library.photos.ids("-missing"))
    ids, taken = library.photos.taken()
    groups = _together(gallery, pairs, present, ids, taken, seconds, library.not_duplicates.all())
    meter = Meter(STAGE, len(groups))
    found: list[Group] = []
    for kind, photo_ids in groups:
        yield meter.state()
        found.append(_group(library, kind, photo_ids))
        meter.advance(1)
    found.sort(key=largest_first)
    table = np.full(int(gallery.ids.max(initial=0)) + 1, -1, dtype=np.int32)
    for number, group in enumerate(found):
        table[list(group.photo_ids)] = number
    duplicates = Duplicates(found, table)
    library.cache.put(_FOUND, None, duplicates)
    return duplicates


def groups_within(groups: Sequence[Group], photo_ids: NDArray[np.int64]) -> list[Group]:
    """Restrict groups to some photos (n,), or to their boxes; groups with fewer than two of them are dropped."""
    among = frozenset(photo_ids.tolist())
    found = []
    for group in groups:
        members = [one for one in group.members if (one.of_photo or one.photo_id) in among]
        if len(members) == len(group.members):
            found.append(group)
        elif len(members) > 1:
            found.append(made(group.kind, members))
    return sorted(found, key=largest_first)


def largest_first(group: Group) -> tuple[int, int]:
    """Return the key by which groups are sorted."""
    return -len(group.members), min(map(abs, group.photo_ids))


# ---------------------------------------------------------------------- pairs
@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of copies in a gallery: hashes of all searched photos, and of the two photos of each pair."""

    prints: NDArray[np.uint64]
    one: NDArray[np.uint64]
    other: NDArray[np.uint64]
    radius: float


def _search(
    gallery: MetricGallery, cached: _Pairs | None, pictures: Pictures, report: Callable[[float], None]
) -> _Pairs:
    rows = gallery.rows
    prints = _prints(gallery.ids, rows)
    radius = MAX_COPY_DISTANCE * typical_distance(rows)
    queries = None
    one = other = np.empty(0, dtype=np.uint64)
    # The typical distance changes slightly with every photo; results for nearly the same distance are retained.
    if cached is not None and abs(cached.radius - radius) <= 0.1 * radius:
        radius = cached.radius
        queries = np.flatnonzero(~np.isin(prints, cached.prints))
        still = np.isin(cached.one, prints) & np.isin(cached.other, prints)
        one, other = cached.one[still], cached.other[still]
    first, second, _ = near_pairs(rows, radius, queries=queries, progress=lambda share: report(0.5 * share))
    same = np.zeros(len(first), dtype=bool)
    for pair in range(len(first)):
        report(0.5 + 0.5 * pair / len(first))
        same[pair] = pictures.same(int(gallery.ids[first[pair]]), int(gallery.ids[second[pair]]))
    first, second = first[same], second[same]
    return _Pairs(prints, np.concatenate([one, prints[first]]), np.concatenate([other, prints[second]]), radius)


def _prints(ids: NDArray[np.int64], rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return a hash of the id and row of each photo, uint64 (n,)."""
    factors = np.random.default_rng(1).integers(0, 1 << 63, rows.shape[1] + 1, dtype=np.uint64) * 2 + 1
    found = np.empty(len(ids), dtype=np.uint64)
    for start in range(0, len(ids), 4096):
        part = slice(start, start + 4096)
        bits = np.ascontiguousarray(rows[part], dtype=np.float32).view(np.uint32).astype(np.uint64)
        found[part] = bits @ factors[1:] + ids[part].astype(np.uint64) * factors[0]
    return found


def _read(file: Path) -> _Pairs | None:
    """Return the saved pairs, or None if missing or damaged; they are derived data and are found again."""
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            prints, one, other, radius = (arrays[name] for name in ("prints", "one", "other", "radius"))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    fits = one.shape == other.shape and prints.ndim == one.ndim == 1 and radius.shape == ()
    if not fits or {prints.dtype, one.dtype, other.dtype} != {np.dtype(np.uint64)}:
        return None
    return _Pairs(prints, one, other, float(radius))


def _write(file: Path, pairs: _Pairs) -> None:
    try:
        with atomic_file(file) as stream:
            np.savez(stream, prints=pairs.prints, one=pairs.one, other=pairs.other, radius=np.float64(pairs.radius))
    except OSError:
        return  # the disk is full; pairs are found again next time
    for former in file.parent.glob(f"{_PREFIX}*.npz"):
        if former != file:
            former.unlink(missing_ok=True)


# ---------------------------------------------------------------------- groups
def _together(
    gallery: MetricGallery,
    pairs: _Pairs,
    present: NDArray[np.int64],
    timed: NDArray[np.int64],
    taken: NDArray[np.int64],
    seconds: int,
    different: Sequence[tuple[int, int]],
) -> list[tuple[GroupKind, list[int]]]:
    """Return disjoint groups of connected photos with their kinds. Pairs in `different` do not connect."""
    n = len(gallery.ids)
    order = np.argsort(pairs.prints)
    copies = tuple(order[np.searchsorted(pairs.prints, side, sorter=order)] for side in (pairs.one, pairs.other))
    burst = _burst_pairs(gallery, timed, taken, seconds, pairs.radius / MAX_COPY_DISTANCE * BURST)
    here = np.isin(gallery.ids, present)
    one, other = (np.concatenate(sides) for sides in zip(copies, burst, strict=True))
    both = here[one] & here[other] & ~_among(gallery, one, other, different)
    graph = scipy.sparse.csr_array((np.ones(int(both.sum())), (one[both], other[both])), shape=(n, n))
    _, part = scipy.sparse.csgraph.connected_components(graph, directed=False)
    sizes = np.bincount(part, minlength=1)
    copied = np.zeros(len(sizes), dtype=bool)
    copied[part[one[: len(copies[0])][both[: len(copies[0])]]]] = True
    members = np.flatnonzero(sizes[part] > 1)
    members = members[np.argsort(part[members], kind="stable")]
    starts = np.flatnonzero(np.diff(part[members], prepend=-1))
    return [
        (GroupKind.COPIES if copied[part[some[0]]] else GroupKind.BURST, gallery.ids[some].tolist())
        for some in np.split(members, starts[1:])
        if len(some)
    ]


def _among(
    gallery: MetricGallery, one: NDArray[np.intp], other: NDArray[np.intp], pairs: Sequence[tuple[int, int]]
) -> NDArray[np.bool_]:
    """Return a mask of the pairs of rows, (p,) each, that are among pairs of photos in either order."""
    known = gallery.rows_of(np.array(pairs, dtype=np.int64).reshape(-1, 2).ravel()).reshape(-1, 2)
    n = len(gallery.ids)
    codes = known.min(axis=1, initial=n) * n + known.max(axis=1, initial=-1)
    return np.isin(np.minimum(one, other) * n + np.maximum(one, other), codes)


def _burst_pairs(
    gallery: MetricGallery, ids: NDArray[np.int64], taken: NDArray[np.int64], seconds: int, radius: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows of similar photos taken within some seconds of each other; `taken` ascends."""
    rows = gallery.rows_of(ids)
    taken, rows = taken[rows >= 0], rows[rows >= 0].astype(np.intp)
    ones, others = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
    for step in range(1, min(_MAX_BURST_SPAN, len(rows))):
        soon = np.flatnonzero(taken[step:] - taken[:-step] <= seconds)
        if not len(soon):
            break
        one, other = rows[soon], rows[soon + step]
        near = distances(gallery.rows, one, other) <= radius
        ones.append(one[near])
        others.append(other[near])
    return np.concatenate(ones), np.concatenate(others)


def _group(library: Library, kind: GroupKind, photo_ids: list[int]) -> Group:
    marks = library.marks.of(photo_ids)
    members = [
        Member(
            photo.id,
            (photo.width or 0) * (photo.height or 0),
            photo.bytes,
            marks[photo.id].rating,
            sharpness(library.thumbnails.get(photo.id)),
            photo.taken,
        )
        for photo in library.photos.get(photo_ids)
    ]
    return made(kind, members)


def made(kind: GroupKind, members: Sequence[Member]) -> Group:
    """Return a group of photos or boxes, with the proposed one first."""
    ordered, why = propose(members, by_sharpness=kind is GroupKind.BURST)
    times = [member.taken for member in members if member.taken is not None]
    span = round((max(times) - min(times)).total_seconds()) if len(times) > 1 else 0
    return Group(kind, tuple(ordered), why, span)


# ---------------------------------------------------------------------- folding
_UNFOLDED: Final = CacheEntry[frozenset[int]]("photos whose duplicates are shown in rankings")


def unfolded(library: Library) -> frozenset[int]:
    """Return the photos whose groups rankings show in full."""
    return library.cache.get(_UNFOLDED, None) or frozenset()


def toggle_fold(library: Library, photo_id: int) -> bool:
    """Expand or fold the group of a photo in rankings; return whether it has one."""
    known = known_duplicates(library)
    if known is None or photo_id >= len(known.table) or known.table[photo_id] < 0:
        return False
    members = frozenset(known.groups[known.table[photo_id]].photo_ids)
    before = unfolded(library)
    library.cache.put(_UNFOLDED, None, before - members if before & members else before | members)
    return True


def fold_ranking(
    library: Library, ids: NDArray[np.int64], judged: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], dict[int, int]] | None:
    """Return the result of `fold` for a ranking; None if nothing is folded or duplicates are unknown."""
    known = known_duplicates(library)
    if known is None or not known.groups or not FOLD.get(library):
        return None
    remaining, counts = fold(known, ids, unfolded(library), judged)
    return None if remaining.all() else (remaining, counts)


def fold(
    duplicates: Duplicates, ids: NDArray[np.int64], unfolded: frozenset[int], shown: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], dict[int, int]]:
    """Return which photos of a ranking stay, bool (n,), and how many others each represents.

    The first photo of each group in the ranking stays.

    Parameters
    ----------
    ids : ndarray of int64, shape (n,)
        Photos in the order of the ranking.
    unfolded : frozenset of int
        Photos whose groups are shown in full.
    shown : ndarray of int64, shape (m,)
        Photos that always stay: the judged ones.
    """
    table = duplicates.table
    groups = np.full(len(ids), -1, dtype=np.int32)
    known = ids < len(table)
    groups[known] = table[ids[known]]
    remaining = np.ones(len(ids), dtype=bool)
    open_ = {int(table[each]) for each in unfolded if each < len(table)}
    members = np.flatnonzero((groups >= 0) & ~np.isin(groups, list(open_)) & ~np.isin(ids, shown))
    if not len(members):
        return remaining, {}
    _, first, which = np.unique(groups[members], return_index=True, return_inverse=True)
    stays = members[first]
    remaining[members] = False
    remaining[stays] = True
    counts = np.bincount(which) - 1
    return remaining, {int(ids[row]): int(count) for row, count in zip(stays, counts, strict=True) if count}
