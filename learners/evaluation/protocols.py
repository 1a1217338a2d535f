"""What a fold of cross-validation hides from training, and what is asked of it then."""

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

_TAGGED: Final = 4  # tagged photos that a fold must have, for their tags to be asked for
_FOCAL: Final = 2  # focal images that a fold must have, for judgements to be held out by focal image
_QUERIES: Final = 500  # held-out photos of a fold that are asked for: more make the error of a mean hardly smaller
_JUDGEMENTS: Final = 1000  # of a kind and a fold
_REFERENCE: Final = 500


@dataclass(frozen=True)
class Fold:
    """One split of what a person taught.

    Attributes
    ----------
    side : SideInformation
        What is left for training.
    queries : ndarray of intp, shape (q,)
        Held-out photos; at most 500, a seeded sample.
    gallery : ndarray of intp, shape (g,)
        Photos that are ranked, the queries among them, in a random order that breaks ties.
    places : ndarray of intp, shape (q,)
        Where in the gallery each query stands.
    relevant : ndarray of bool, shape (q, g)
        Whether two photos share a tag; False for the query itself. Each query has a relevant photo.
    tags : csr_array, shape (g, m), or None
        Of the gallery; None where no tags are known.
    similar, dissimilar : ndarray of intp, shape (s, 2) and (t, 2)
        Judgements that were held out; at most 1,000 of a kind, a seeded sample.
    """

    side: SideInformation
    queries: Ints
    gallery: Ints
    places: Ints
    relevant: NDArray[np.bool_]
    tags: scipy.sparse.csr_array | None
    similar: Ints
    dissimilar: Ints

    @cached_property
    def gains(self) -> NDArray[np.float32]:
        """Cosine of the tags of queries and gallery, float32 (q, g); 0 for the query itself. A choice needs none."""
        gains = np.zeros(self.relevant.shape, dtype=np.float32)
        if self.tags is not None:
            gains[:] = tag_cosine(scipy.sparse.csr_array(self.tags[self.places]), self.tags)
            gains[np.arange(len(gains)), self.places] = 0
        return gains


@dataclass(frozen=True)
class Protocol:
    """The same folds for all learners.

    Attributes
    ----------
    folds : tuple of Fold
    gallery : "held-out" or "tagged"
        Which photos are ranked; see `make_protocol`.
    reference : ndarray of intp, shape (m,)
        Photos, at most 500, against which the distances of judged pairs are made comparable.
    by_focal : bool
        Whether judgements were held out by focal image.
    """

    folds: tuple[Fold, ...]
    gallery: GalleryKind
    reference: Ints
    by_focal: bool

    @property
    def queries(self) -> int:
        """Number of photos that are asked for, in all folds."""
        return sum(len(fold.queries) for fold in self.folds)

    @property
    def judgements(self) -> int:
        """Number of judgements that were held out, in all folds."""
        return sum(len(fold.similar) + len(fold.dissimilar) for fold in self.folds)


def make_protocol(
    n: int, side: SideInformation, folds: int = 3, *, gallery: GalleryKind = "held-out", seed: int = 0
) -> Protocol:
    """Split what a person taught into folds.

    Tagged photos are dealt to the folds so that each tag is in all of them, as far as there are enough. Judgements are
    held out together with their focal image (that fold of it, if it is tagged) where there are two focal images a fold
    or more, otherwise one by one. From the training of a fold are hidden the tags of its photos and of the focal
    images of its judgements, its judgements, and every other one that touches a photo which it holds out. The photos
    themselves stay, as any photo does that nobody taught.

    Parameters
    ----------
    n : int
        Photos, rows of the sample matrix.
    side : SideInformation
    folds : int
        At least 2; fewer are made where there is too little: a fold has 4 tagged photos or 2 judgements.
    gallery : "held-out" or "tagged"
        Photos held out are ranked among the others held out, of which the learner knows as little, or among all tagged
        ones, of which most were taught. A learner may do far better on the latter (`kml-dml`), but what it ranks in a
        library are mostly photos that nobody taught. The fewer the folds, the more photos are held out in each. Where
        no two photos of a fold share a tag, as with two photos a tag, they are ranked among all tagged ones.
    seed : int

    Raises
    ------
    LearnerError
        There is too little to hold anything back, or fewer than 2 folds are wanted.
    """
    side.check(n)
    if folds < 2:
        raise LearnerError(f"At least 2 folds are needed, one to learn from and one to ask for; wanted: {folds}.")
    rng = np.random.default_rng(seed)
    judged = np.concatenate([side.similar, side.dissimilar])
    tagged = _useful(side)
    most = max(len(tagged) // _TAGGED, len(judged) // 2)
    if most < 2:
        raise LearnerError(
            "There is too little to hold anything back: tag 8 photos with tags that others have too, or judge 4 pairs."
        )
    count = min(folds, most)
    fold_of = np.full(n, -1, dtype=np.intp)
    if len(tagged) >= _TAGGED * count:
        fold_of[tagged] = _deal_tagged(side, tagged, count, rng)
    asked = fold_of.copy()  # a focal image that is not tagged is no query
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
            queries = order[asked[order] == number]
            ranked = queries if kind == "held-out" else order[asked[order] >= 0]
            folds.append(_fold(left, side, queries, ranked, judged[mine & is_similar], judged[mine & ~is_similar]))
        return Protocol(tuple(folds), kind, reference, by_focal)

    protocol = made(gallery)
    if (asked >= 0).any() and not protocol.queries:
        protocol = made("tagged")
    return protocol


def restrict(side: SideInformation, rows: Ints) -> SideInformation:
    """Return what is known about some rows only, by their place in `rows`, intp (m,), ascending."""
    size = int(max((pairs.max() for pairs in (side.similar, side.dissimilar, rows[:, None]) if len(pairs)), default=0))
    place = np.full(size + 1, -1, dtype=np.intp)
    place[rows] = np.arange(len(rows))

    def pairs(of: Ints) -> Ints:
        found = place[of]
        return found[(found >= 0).all(axis=1)]

    return SideInformation(
        pairs(side.similar),
        pairs(side.dissimilar),
        None if side.tags is None else scipy.sparse.csr_array(side.tags[rows]),
    )


def training_rows(side: SideInformation, n: int, most: int, seed: int = 0) -> Ints:
    """Return all judged rows, a seeded sample of the tagged, then of the others: `most` in all, intp (m,), sorted."""
    rng = np.random.default_rng(seed)
    judged = np.unique(np.concatenate([side.similar, side.dissimilar]))
    chosen = choose_training_rows(
        judged, side.tagged, np.arange(n), most, lambda rest, count: rng.permutation(rest)[:count]
    )
    return chosen.astype(np.intp)


def _left(side: SideInformation, judged: Ints, mine: NDArray[np.bool_], hidden: NDArray[np.bool_]) -> SideInformation:
    """Return what is left for training where some judgements (j,) and the tags of some photos (n,) are held out."""
    learned = ~mine & ~hidden[judged].any(axis=1)
    untold = hidden.copy()
    untold[judged[mine, 0]] = True
    is_similar = np.arange(len(judged)) < len(side.similar)
    tags = None if side.tags is None else _without(side.tags, untold)
    return SideInformation(judged[learned & is_similar], judged[learned & ~is_similar], tags)


def _fold(
    left: SideInformation, side: SideInformation, asked: Ints, ranked: Ints, alike: Ints, different: Ints
) -> Fold:
    places = np.flatnonzero(np.isin(ranked, asked)).astype(np.intp)
    if side.tags is None or not len(places):
        nothing = np.empty((0, len(ranked)), dtype=bool)
        return Fold(left, ranked[:0], ranked, places[:0], nothing, None, alike, different)
    theirs = scipy.sparse.csr_array(side.tags[ranked])
    shared = np.asarray((scipy.sparse.csr_array(side.tags[ranked[places]]) @ theirs.T).toarray()) > 0
    shared[np.arange(len(places)), places] = False
    kept = np.flatnonzero(shared.any(axis=1))[:_QUERIES]  # the gallery is in a random order
    places, shared = places[kept], shared[kept]
    return Fold(left, ranked[places], ranked, places, shared, theirs, alike, different)


def _some(judged: Ints, rng: np.random.Generator) -> Ints:
    return judged[np.sort(rng.permutation(len(judged))[:_JUDGEMENTS])]


def _useful(side: SideInformation) -> Ints:
    """Return the photos with a tag that another has too: of others nothing can be asked."""
    if side.tags is None:
        return np.empty(0, dtype=np.intp)
    common = np.bincount(side.tags.indices, minlength=side.tags.shape[1]) > 1
    return np.flatnonzero(side.tags @ common.astype(np.float64)).astype(np.intp)


def _deal_tagged(side: SideInformation, tagged: Ints, count: int, rng: np.random.Generator) -> Ints:
    """Return the fold of each tagged photo; photos are dealt in turn, those with the same rarest tag one by one."""
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
    """Return the fold of each judgement, similar ones first; both kinds are spread, (a, b) stays with (b, a)."""
    judged = np.sort(np.concatenate([side.similar, side.dissimilar]), axis=1)
    pairs, first, inverse = np.unique(judged, axis=0, return_index=True, return_inverse=True)
    mixed = rng.permutation(len(pairs))
    order = mixed[np.argsort(first[mixed] >= len(side.similar), kind="stable")]
    fold = np.empty(len(pairs), dtype=np.intp)
    fold[order] = np.arange(len(pairs)) % count
    return fold[inverse.reshape(-1)]


def _without(tags: scipy.sparse.csr_array, hidden: NDArray[np.bool_]) -> scipy.sparse.csr_array:
    """Return a tag matrix in which some photos have no tags."""
    kept = tags.copy()
    kept.data = kept.data * ~np.repeat(hidden, np.diff(tags.indptr))
    kept.eliminate_zeros()
    return scipy.sparse.csr_array(kept)
