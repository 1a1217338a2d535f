# SPDX-License-Identifier: MIT
"""Protocols of cross-validation: training data and queries of each fold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.measures import tag_cosine
from focal_photos.learners.core.side_information import SideInformation, choose_training_rows

Ints = NDArray[np.intp]
GalleryKind = Literal["held-out", "tagged"]
GALLERIES: Final[tuple[GalleryKind, ...]] = ("held-out", "tagged")

_TAGGED: Final = 4  # tagged photos per fold needed to use them as queries
_FOCAL: Final = 2  # focal images per fold needed to hold out judgements by focal image
_QUERIES: Final = 500  # maximum queries per fold: more hardly reduce the standard error
_JUDGEMENTS: Final = 1000  # maximum held-out judgements of each kind per fold
_REFERENCE: Final = 500


@dataclass(frozen=True)
class Fold:
    """One split of the tags and judgements."""

    side: SideInformation
    """Training data."""
    queries: Ints
    """Held-out photos; at most 500, a seeded sample; shape (q,)."""
    gallery: Ints
    """Photos to rank, including the queries, in a random order that breaks ties; shape (g,)."""
    places: Ints
    """Positions of the queries in the gallery; shape (q,)."""
    relevant: NDArray[np.bool_]
    """Whether two photos share a tag; False for the query itself. Each query has at least one relevant photo; shape (q,
    g)."""
    tags: scipy.sparse.csr_array | None
    """Tags of the gallery; None if no tags are known; shape (g, m)."""
    similar: Ints
    dissimilar: Ints
    """`similar` and `dissimilar`: held-out judgements; at most 1,000 of each kind, a seeded sample; shape (s, 2) and
    (t, 2)."""

    @cached_property
    def gains(self) -> NDArray[np.float32]:
        """Tag cosine of queries and gallery, float32 (q, g); 0 for the query itself. Not needed for selection."""
        gains = np.zeros(self.relevant.shape, dtype=np.float32)
        if self.tags is not None:
            gains[:] = tag_cosine(scipy.sparse.csr_array(self.tags[self.places]), self.tags)
            gains[np.arange(len(gains)), self.places] = 0
        return gains


@dataclass(frozen=True)
class Protocol:
    """Folds shared by all learners."""

    folds: tuple[Fold, ...]
    gallery: GalleryKind
    """Photos that are ranked; see `make_protocol`."""
    reference: Ints
    """At most 500 photos that make the distances of judged pairs comparable; shape (m,)."""
    by_focal: bool
    """Whether judgements were held out by focal image."""

    @property
    def queries(self) -> int:
        """Number of queries in all folds."""
        return sum(len(fold.queries) for fold in self.folds)

    @property
    def judgements(self) -> int:
        """Number of held-out judgements in all folds."""
        return sum(len(fold.similar) + len(fold.dissimilar) for fold in self.folds)


def make_protocol(
    n: int, side: SideInformation, folds: int = 3, *, gallery: GalleryKind = "held-out", seed: int = 0
) -> Protocol:
    """Split tags and judgements into folds.

    Tagged photos are dealt so that each fold gets every tag, if there are enough. If there are at least two focal
    images per fold, judgements are held out together with their focal image (in its fold, if it is tagged), otherwise
    one by one. The training data of a fold exclude the tags of its queries and of the focal images of its judgements,
    its judgements, and every other judgement that involves one of its photos. The photos themselves remain as
    unlabelled data. Relative judgements count as pairs (`SideInformation.absolute`).

    Parameters
    ----------
    n : int
        Number of photos, rows of the sample matrix.
    side : SideInformation
    folds : int
        At least 2. Fewer are made if there are fewer than 4 tagged photos or 2 judgements per fold.
    gallery : "held-out" or "tagged"
        Rank held-out photos among the other held-out photos, which are equally new to the learner, or among all tagged
        photos, most of which were in the training data. A learner may score far better on the latter (`kml-dml`), but
        most photos in a library are in no training data. Fewer folds hold out more photos each. If no two photos of a
        fold share a tag, as with two photos per tag, "tagged" is used.
    seed : int

    Raises
    ------
    LearnerError
        If there is too little to hold out, or `folds` is less than 2.
    """
    side.check(n)
    side = side.absolute()
    if folds < 2:
        raise LearnerError(f"At least 2 folds are needed, for training and testing, not {folds}.")
    rng = np.random.default_rng(seed)
    judged = np.concatenate([side.similar, side.dissimilar])
    tagged = _useful(side)
    most = max(len(tagged) // _TAGGED, len(judged) // 2)
    if most < 2:
        raise LearnerError(
            "Too little data to hold out: tag 8 photos with tags that other photos share, or judge 4 pairs."
        )
    count = min(folds, most)
    fold_of = np.full(n, -1, dtype=np.intp)
    if len(tagged) >= _TAGGED * count:
        fold_of[tagged] = _deal_tagged(side, tagged, count, rng)
    query_fold = fold_of.copy()  # an untagged focal image is not a query
    focal = np.unique(judged[:, 0])
    by_focal = len(focal) >= _FOCAL * count
    if by_focal:
        untagged = rng.permutation(focal[fold_of[focal] < 0])
        fold_of[untagged] = np.arange(len(untagged)) % count
        held_out = fold_of[judged[:, 0]]
    else:
        held_out = _deal_pairs(side, count, rng)
    reference = np.sort(rng.permutation(n)[:_REFERENCE]).astype(np.intp)
    order = rng.permutation(n).astype(np.intp)
    is_similar = np.arange(len(judged)) < len(side.similar)

    def made(kind: GalleryKind) -> Protocol:
        folds = []
        for number in range(count):
            mine = held_out == number
            left = _left(side, judged, mine, fold_of == number)
            queries = order[query_fold[order] == number]
            ranked = queries if kind == "held-out" else order[query_fold[order] >= 0]
            folds.append(_fold(left, side, queries, ranked, judged[mine & is_similar], judged[mine & ~is_similar]))
        return Protocol(tuple(folds), kind, reference, by_focal)

    protocol = made(gallery)
    if (query_fold >= 0).any() and not protocol.queries:
        protocol = made("tagged")
    return protocol


def restrict(side: SideInformation, rows: Ints) -> SideInformation:
    """Restrict side information to some rows, intp (m,), ascending, and renumber them by position."""
    feedback = (side.similar, side.dissimilar, side.relative, side.visual, rows[:, None])
    size = int(max((found.max() for found in feedback if len(found)), default=0))
    place = np.full(size + 1, -1, dtype=np.intp)
    place[rows] = np.arange(len(rows))

    def inside(group: Ints) -> Ints:
        found = place[group]
        return found[(found >= 0).all(axis=1)]

    return SideInformation(
        inside(side.similar),
        inside(side.dissimilar),
        None if side.tags is None else scipy.sparse.csr_array(side.tags[rows]),
        inside(side.relative),
        inside(side.visual),
    )


def training_rows(side: SideInformation, n: int, most: int, seed: int = 0) -> Ints:
    """Return `most` rows, intp, sorted: all judged, then seeded samples of the tagged and of the others."""
    rng = np.random.default_rng(seed)
    judged = np.unique(
        np.concatenate([some.ravel() for some in (side.similar, side.dissimilar, side.relative, side.visual)])
    )
    chosen = choose_training_rows(
        judged, side.tagged, np.arange(n), most, lambda rest, count: rng.permutation(rest)[:count]
    )
    return chosen.astype(np.intp)


def _left(side: SideInformation, judged: Ints, mine: NDArray[np.bool_], hidden: NDArray[np.bool_]) -> SideInformation:
    """Return the training data if some judgements (j,) and the tags of some photos (n,) are held out."""
    learned = ~mine & ~hidden[judged].any(axis=1)
    untold = hidden.copy()
    untold[judged[mine, 0]] = True
    is_similar = np.arange(len(judged)) < len(side.similar)
    tags = None if side.tags is None else _without(side.tags, untold)
    visual = side.visual[~hidden[side.visual].any(axis=1)]
    return SideInformation(judged[learned & is_similar], judged[learned & ~is_similar], tags, visual=visual)


def _fold(
    left: SideInformation, side: SideInformation, queries: Ints, ranked: Ints, alike: Ints, different: Ints
) -> Fold:
    places = np.flatnonzero(np.isin(ranked, queries)).astype(np.intp)
    if side.tags is None or not len(places):
        nothing = np.empty((0, len(ranked)), dtype=bool)
        return Fold(left, ranked[:0], ranked, places[:0], nothing, None, alike, different)
    theirs = scipy.sparse.csr_array(side.tags[ranked])
    shared = np.asarray((scipy.sparse.csr_array(side.tags[ranked[places]]) @ theirs.T).toarray()) > 0
    shared[np.arange(len(places)), places] = False
    chosen = np.flatnonzero(shared.any(axis=1))[:_QUERIES]  # the gallery is in a random order
    places, shared = places[chosen], shared[chosen]
    return Fold(left, ranked[places], ranked, places, shared, theirs, alike, different)


def _some(judged: Ints, rng: np.random.Generator) -> Ints:
    return judged[np.sort(rng.permutation(len(judged))[:_JUDGEMENTS])]


def _useful(side: SideInformation) -> Ints:
    """Return the photos that share a tag with another; only these have relevant photos."""
    if side.tags is None:
        return np.empty(0, dtype=np.intp)
    common = np.bincount(side.tags.indices, minlength=side.tags.shape[1]) > 1
    return np.flatnonzero(side.tags @ common.astype(np.float64)).astype(np.intp)


def _deal_tagged(side: SideInformation, tagged: Ints, count: int, rng: np.random.Generator) -> Ints:
    """Return the fold of each tagged photo; photos are dealt round-robin, grouped by rarest tag."""
    assert side.tags is not None
    tags = scipy.sparse.csr_array(side.tags[tagged])
    used = np.bincount(tags.indices, minlength=tags.shape[1])
    used = np.where(used > 1, used, len(tagged) + 1)
    rarest = np.array(
        [
            own[np.argmin(used[own])]
            for own in (tags.indices[a:b] for a, b in zip(tags.indptr, tags.indptr[1:], strict=False))
        ]
    )
    mixed = rng.permutation(len(tagged))
    order = mixed[np.argsort(rarest[mixed], kind="stable")]
    fold = np.empty(len(tagged), dtype=np.intp)
    fold[order] = np.arange(len(tagged)) % count
    return fold


def _deal_pairs(side: SideInformation, count: int, rng: np.random.Generator) -> Ints:
    """Return the fold of each judgement, similar ones first; both kinds are spread, (a, b) goes with (b, a)."""
    judged = np.sort(np.concatenate([side.similar, side.dissimilar]), axis=1)
    pairs, first, inverse = np.unique(judged, axis=0, return_index=True, return_inverse=True)
    mixed = rng.permutation(len(pairs))
    order = mixed[np.argsort(first[mixed] >= len(side.similar), kind="stable")]
    fold = np.empty(len(pairs), dtype=np.intp)
    fold[order] = np.arange(len(pairs)) % count
    return fold[inverse.reshape(-1)]


def _without(tags: scipy.sparse.csr_array, hidden: NDArray[np.bool_]) -> scipy.sparse.csr_array:
    """Return the tag matrix with the tags of some photos removed."""
    remaining = tags.copy()
    remaining.data = remaining.data * ~np.repeat(hidden, np.diff(tags.indptr))
    remaining.eliminate_zeros()
    return scipy.sparse.csr_array(remaining)
