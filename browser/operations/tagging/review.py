"""What to ask a person next: tags with the photos that may carry them, and groups of photos that no tag explains."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from browser.catalog.cache import CacheEntry
from browser.catalog.library import Library
from browser.operations.jobs.progress import Job
from browser.operations.jobs.thread import in_thread
from browser.operations.ranking.gallery import MetricGallery
from browser.operations.ranking.ranker import Ranker
from browser.operations.ranking.space import coordinates
from browser.operations.tagging.annotated import rows_by_id

MOST: Final = 150
"""Photos of a turn: three screens of them."""

_STAGE: Final = "Looking for what to ask next"
_RIDGE: Final = 0.1
_TEMPERATURES: Final = (0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.5, 1.0)
_SMOOTHED: Final = 3  # neighbours that a photo is averaged with
_SMOOTH_UP_TO: Final = 8000  # photos: all distances between them are looked at
_TEACHERS: Final = 3000  # tagged photos that the regression is trained on: its time grows with the cube
_NONE: Final = 0.02  # least probability that none of the tags is right
_LEAST: Final = 0.03  # candidates less sure than this are not shown
_FEWEST: Final = 12  # but so many are, if there are any
_CORE: Final = 10  # photos that stand for a group
_GROUP: Final = 20  # photos that a kind is expected to have
_NAMING: Final = 8.0  # actions that a name costs
_SETTLED_BY_HAND: Final = 0.7  # share of the unsure photos that cost an action of their own


@dataclass(frozen=True, eq=False)
class Turn:
    """One question to a person: which of these photos carry a tag, or belong together.

    Attributes
    ----------
    tag : str or None
        None: a new kind, which has no name yet.
    photo_ids : ndarray of int64, shape (n,)
        The surest first.
    confidences : ndarray of float32, shape (n,)
        0..1, descending, with "none of these" taken into account; of a new kind: how surely a photo belongs to it.
    line : int
        So many from the top are proposed as yes.
    expected : float
        Photos that are about right, among all.
    """

    tag: str | None
    photo_ids: NDArray[np.int64]
    confidences: NDArray[np.float32]
    line: int
    expected: float

    @property
    def worth(self) -> float:
        """Photos settled for each action that it takes."""
        unsure = np.minimum(self.confidences, 1 - self.confidences).sum()
        cost = 1.5 + _SETTLED_BY_HAND * float(unsure) + (_NAMING if self.tag is None else 0.0)
        return self.expected / cost


@dataclass(frozen=True, eq=False)
class Points:
    """All described photos as points of the library's space, each drawn towards its nearest ones.

    Attributes
    ----------
    ids : ndarray of int64, shape (n,)
    rows : ndarray of float32, shape (n, p)
        Of unit length.
    scale : float
        Median squared distance between two of them.
    """

    ids: NDArray[np.int64]
    rows: NDArray[np.float32]
    scale: float

    def similarities(self, one: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return exp(-d^2 / scale) between rows `one` (a,) and `other` (b,), float32 (a, b)."""
        squared = np.maximum(2 - 2 * (self.rows[one] @ self.rows[other].T), 0)
        found: NDArray[np.float32] = np.exp(-squared / self.scale)
        return found


_POINTS: Final = CacheEntry[Points]("photos as points for the review")


def review(
    library: Library, ranker: Ranker, *, passed: frozenset[tuple[int, str]] = frozenset(), most: int = MOST
) -> Job[list[Turn]]:
    """Find what to ask a person: the turn that settles most photos for each action first.

    A kernel ridge regression of the tags on all tagged photos says what tag an untagged photo carries; its temperature
    is learned by leaving one out. Where no photo carries two tags, only photos without any are asked for. Photos that
    are unlike all tagged ones are likely of none of their kinds: these make groups without a name.

    Parameters
    ----------
    library : Library
    ranker : Ranker
    passed : frozenset of (int, str)
        Photos that a person has looked at for a tag and not marked: they are not asked for again.
    most : int
        Photos of a turn, at most.

    Yields
    ------
    Progress

    Returns
    -------
    list of Turn
        Empty where every photo is settled.
    """
    gallery = ranker.gallery()
    rejected = library.suggestions.rejected_pairs()
    return (yield from in_thread(_STAGE, lambda _report: _turns(library, gallery, passed | rejected, rejected, most)))


def witnesses(library: Library, ranker: Ranker, photo_id: int, tag: str, count: int = 8) -> list[int]:
    """Return the photos that carry a tag and are nearest to a photo: those that speak for it."""
    points = photo_points(library, ranker.gallery())
    row_of = _rows_of(points.ids)
    carrying, names = library.tags.matrix(points.ids)
    if tag not in names or photo_id >= len(row_of) or row_of[photo_id] < 0:
        return []
    rows = np.flatnonzero(carrying[:, [names.index(tag)]].toarray().ravel())
    rows = rows[points.ids[rows] != photo_id]
    alike = points.similarities(np.array([row_of[photo_id]]), rows)[0]
    found: list[int] = points.ids[rows[np.argsort(-alike, kind="stable")[:count]]].tolist()
    return found


def held_out_right(library: Library, ranker: Ranker) -> dict[int, bool]:
    """Return for tagged photos whether their best suggestion is right when their own tags are left out.

    A photo whose tags nobody else carries can tell nothing and is left out.
    """
    points = photo_points(library, ranker.gallery())
    matrix, names = library.tags.matrix(points.ids)
    tags = sp.csr_array(matrix)
    teachers = _teachers(tags)
    if len(teachers) < 2 or len(names) < 2:
        return {}
    best = _Regression(points, tags, teachers).left_out.argmax(axis=1)
    own = tags[teachers].toarray()
    asked = np.flatnonzero((own * (own.sum(axis=0) - 1)).sum(axis=1))
    return {int(points.ids[teachers[row]]): bool(own[row, best[row]]) for row in asked}


def photo_points(library: Library, gallery: MetricGallery) -> Points:
    """Return all photos that are present and described as points; kept until the gallery is another."""
    stamp = weakref.ref(gallery)
    kept = library.cache.get(_POINTS, stamp)
    if kept is not None:
        return kept
    row_of = rows_by_id(gallery)
    listed = library.photos.ids("-missing")
    listed = listed[listed < len(row_of)]
    ids = listed[row_of[listed] >= 0]
    rows = coordinates(library, gallery.loaded.space, ids)
    rows = _unit(rows - rows.mean(axis=0, dtype=np.float64).astype(np.float32)) if len(rows) else rows
    if _SMOOTHED < len(ids) <= _SMOOTH_UP_TO:
        alike = rows @ rows.T
        nearest = np.argpartition(-alike, _SMOOTHED, axis=1)[:, : _SMOOTHED + 1]
        rows = _unit(rows[nearest].mean(axis=1))
    rng = np.random.default_rng(0)
    some = rng.choice(len(ids), min(len(ids), 1000), replace=False)
    squared = 2 - 2 * (rows[some] @ rows[some].T)
    scale = float(np.median(squared[~np.eye(len(some), dtype=bool)])) if len(some) > 1 else 1.0
    points = Points(ids, rows, max(scale, 1e-6))
    library.cache.put(_POINTS, stamp, points)
    return points


# ---------------------------------------------------------------------- inside
def _rows_of(ids: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the row of each photo id in `ids` (n,), intp (largest id + 1,); -1 for those that it lacks."""
    row_of = np.full(int(ids.max(initial=0)) + 1, -1, dtype=np.intp)
    row_of[ids] = np.arange(len(ids))
    return row_of


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    found: NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return found


def _teachers(tags: sp.csr_array) -> NDArray[np.intp]:
    tagged = np.flatnonzero(np.diff(tags.indptr))
    if len(tagged) > _TEACHERS:
        tagged = np.sort(np.random.default_rng(0).choice(tagged, _TEACHERS, replace=False))
    return tagged


class _Regression:
    """Tags by kernel ridge regression on tagged photos, with a temperature learned by leaving one out."""

    def __init__(self, points: Points, tags: sp.csr_array, teachers: NDArray[np.intp]) -> None:
        self._points, self._teachers = points, teachers
        own = tags[teachers].toarray()
        self._mean = own.mean(axis=0)
        kernel = points.similarities(teachers, teachers).astype(np.float64)
        inverse = np.linalg.inv(kernel + _RIDGE * np.eye(len(teachers)))
        self._weights = inverse @ (own - self._mean)
        self.left_out = own - self._weights / np.diag(inverse)[:, None]
        self.exclusive = bool((own.sum(axis=1) <= 1).all())
        self._temperature = min(_TEMPERATURES, key=lambda t: self._loss(own, t))
        np.fill_diagonal(kernel, 0)
        self.familiar = float(np.median(kernel.max(axis=1))) if len(teachers) > 1 else 0.5

    def _loss(self, own: NDArray[np.float64], temperature: float) -> float:
        share = self._confidence(self.left_out, temperature)
        right = (share * own).sum(axis=1)
        return -float(np.log(np.maximum(right, 1e-4)).mean())

    def _confidence(self, scores: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
        if self.exclusive:
            powers = np.exp((scores - scores.max(axis=1, keepdims=True)) / temperature)
            found: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        else:
            found = 1 / (1 + np.exp(np.clip((0.5 - scores) / temperature, -50, 50)))
        return found

    def confidences(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the confidence of each tag, (n, m), and the probability of none of them, (n,)."""
        kernel = self._points.similarities(rows, self._teachers)
        nearest = kernel.max(axis=1).astype(np.float64)
        none = 1 / (1 + np.exp(np.clip((nearest - 0.75 * self.familiar) / 0.05, -50, 50)))
        share = self._confidence(kernel @ self._weights + self._mean, self._temperature)
        return share * (1 - none[:, None]), none


def _turns(
    library: Library,
    gallery: MetricGallery,
    passed: frozenset[tuple[int, str]] | set[tuple[int, str]],
    rejected: set[tuple[int, str]],
    most: int,
) -> list[Turn]:
    points = photo_points(library, gallery)
    if not len(points.ids):
        return []
    matrix, names = library.tags.matrix(points.ids)
    tags = sp.csr_array(matrix)
    teachers = _teachers(tags)
    untagged = np.flatnonzero(np.diff(tags.indptr) == 0)
    none = np.ones(len(untagged))
    turns: list[Turn] = []
    if len(teachers):
        regression = _Regression(points, tags, teachers)
        rows = untagged if regression.exclusive else np.arange(len(points.ids))
        share, none_of = regression.confidences(rows)
        place = np.full(len(points.ids), -1, dtype=np.intp)
        place[rows] = np.arange(len(rows))
        share[tags[rows].toarray() > 0] = -1
        seen = _places(points.ids[rows], names, passed)
        # What a person has looked at and not marked is not this tag: the others, or none of them, take its place.
        share[seen] = -1
        if regression.exclusive and len(rows):
            whole = np.maximum(share, 0).sum(axis=1) + np.maximum(none_of, _NONE)
            share = np.where(share < 0, share, share / whole[:, None])
            none_of = np.maximum(none_of, _NONE) / whole
        gone = _places(points.ids[rows], names, rejected)
        share[gone] = -1
        none = none_of[place[untagged]]
        turns = [_turn(name, points.ids[rows], share[:, j], most) for j, name in enumerate(names)]
    turns += _new_kinds(points, untagged, none, most)
    return sorted((turn for turn in turns if len(turn.photo_ids)), key=lambda turn: -turn.worth)


def _places(
    ids: NDArray[np.int64], names: Sequence[str], pairs: frozenset[tuple[int, str]] | set[tuple[int, str]]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    column = {name: j for j, name in enumerate(names)}
    row = {photo_id: i for i, photo_id in enumerate(ids.tolist())}
    places = [(row[photo_id], column[tag]) for photo_id, tag in pairs if photo_id in row and tag in column]
    i, j = np.array(places, dtype=np.intp).reshape(-1, 2).T
    return i, j


def _turn(name: str, ids: NDArray[np.int64], share: NDArray[np.float64], most: int) -> Turn:
    order = np.argsort(-share, kind="stable")[:most]
    wanted = max(int((share[order] >= _LEAST).sum()), min(_FEWEST, int((share[order] >= 0).sum())))
    order = order[:wanted]
    found = share[order].astype(np.float32)
    return Turn(name, ids[order], found, int((found >= 0.5).sum()), float(found.sum()))


def _new_kinds(points: Points, rows: NDArray[np.intp], none: NDArray[np.float64], most: int) -> list[Turn]:
    """Return the group of photos that are most alike and least explained by any tag, as a turn without a name."""
    if not len(rows):
        return []
    alike = points.similarities(rows, rows) if len(rows) <= _SMOOTH_UP_TO else None
    if alike is None:
        some = np.sort(np.random.default_rng(0).choice(len(rows), _SMOOTH_UP_TO, replace=False))
        rows, none = rows[some], none[some]
        alike = points.similarities(rows, rows)
    weighed = alike * none[None, :]
    near = min(_GROUP, len(rows) - 1)
    density = -np.partition(-weighed, near, axis=1)[:, : near + 1].mean(axis=1) * none
    core = np.array([int(np.argmax(density))])
    for _ in range(3):
        score = alike[:, core].mean(axis=1) * none
        core = np.argsort(-score, kind="stable")[:_CORE]
    order = np.argsort(-score, kind="stable")[:most]
    top = max(float(score[core].mean()), 1e-9)
    belongs = np.clip(none[order] / (1 + np.exp(np.clip((0.8 - score[order] / top) / 0.06, -50, 50))), 0, 1)
    belongs = np.minimum.accumulate(belongs)
    found = belongs.astype(np.float32)
    ids = points.ids[rows[order]]
    return [Turn(None, ids, found, int((found >= 0.5).sum()), float(found.sum()))]
