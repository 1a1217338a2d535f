"""From side information to the pairs that boosted bits are learned from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from learners.boosted.pair_objective import DensePairs, ListedPairs, PairObjective
from learners.core.linalg import blocks, sqd
from learners.core.side_information import SideInformation

Rows = NDArray[np.intp]

TAGGED = 20_000
"""Tags are taken from at most so many photos, drawn at random."""

_RAISED = 10.0
"""A judged pair counts as much as so many photos' tags, up to the weight of all tags together."""

_OTHERS = 500
"""Photos that nobody judged but that take part in the prior."""

_ANCHORS = 512
_ANCHORS_ROOT = 16.0

_PRIOR_NEIGHBORS = 5
_PRIOR_DRAWN = 10


class Choice(NamedTuple):
    """What the pairs are made of.

    Attributes
    ----------
    dense : int
        Up to so many photos with tags every pair of them is one, above pairs are drawn.
    per_photo : int
        Similar and dissimilar pairs drawn for each tagged photo.
    visual_neighbors : int
        Each photo's nearest ones are similar to it, whatever the tags say; 0: no such pairs.
    prior : float
        Where there are no tags, judged pairs are joined by visual neighbours as similar and photos drawn at random
        as dissimilar pairs, which together weigh as much as so many judged ones of either kind.
    seed : int
    """

    dense: int
    per_photo: int
    visual_neighbors: int
    prior: float
    seed: int


def gather(X: NDArray[np.floating], side: SideInformation, choice: Choice) -> tuple[Rows, PairObjective]:
    """Return the rows of X (k,) that take part, in any order, and the objective over them.

    Up to 512 photos are all compared with all. Of more, up to `choice.dense`, those that were judged and drawn ones,
    together 512 or 16 times the root of their number, are compared with all: half of 1000 photos teach as well as
    all of them, in half of the time (precision@10 on 20 classes of Corel-5k .651 and .651, mAP .509 and .513), and what
    a round costs grows with n^1.5. Another part of the pairs each round, which was also tried, is worse (.598 and
    .452): each bit then fits what only its own pairs say.
    """
    rng = np.random.default_rng(choice.seed)
    tagged = side.tagged
    if len(tagged) > TAGGED:
        tagged = np.sort(rng.choice(tagged, TAGGED, replace=False))
    judged = np.unique(np.concatenate([side.similar, side.dissimilar]))
    others = judged if len(tagged) else rng.permutation(len(X))[:_OTHERS]
    rows = np.union1d(np.union1d(tagged, judged), others).astype(np.intp)
    if len(tagged) and _anchors(len(rows), len(judged)) < len(rows) <= choice.dense:
        # The first are the anchors: a pair of two other photos would not be seen.
        rows = np.concatenate([judged, rng.permutation(np.setdiff1d(rows, judged))]).astype(np.intp)
    # From here on rows are counted among those that take part.
    places: Rows = np.zeros(len(X), dtype=np.intp)
    places[rows] = np.arange(len(rows))
    known = SideInformation(places[side.similar], places[side.dissimilar])
    if not len(tagged):
        return rows, _judged(X[rows], known, choice)
    place = places[tagged]
    tags = sp.csr_array(side.tags[tagged]) if side.tags is not None else sp.csr_array((0, 0))
    spread = sp.csr_array((np.ones(len(place)), (place, np.arange(len(place)))), shape=(len(rows), len(place)))
    known = SideInformation(known.similar, known.dissimilar, sp.csr_array(spread @ tags))
    if len(rows) <= choice.dense:
        return rows, _dense(X[rows], known, choice)
    return rows, _drawn(X[rows], known, choice)


def visual_pairs(X: NDArray[np.floating], neighbors: int) -> Rows:
    """Return the pairs (s, 2), first row below second, of photos of which one is among the other's nearest.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
    neighbors : int
        Each photo's nearest by Euclidean distance; of equally near ones those with the lower row.
    """
    n = len(X)
    count = min(neighbors, n - 1)
    if count < 1:
        return np.empty((0, 2), dtype=np.intp)
    points = X.astype(np.float32) - X.mean(axis=0, dtype=np.float64).astype(np.float32)
    found = []
    for part in blocks(n, max(1, (1 << 22) // n)):
        distances = sqd(points[part], points)
        own = np.arange(part.start, part.stop)
        distances[np.arange(len(own)), own] = np.inf
        nearest = np.argpartition(distances, count - 1, axis=1)[:, :count]
        found.append(np.column_stack([np.repeat(own, count), nearest.ravel()]))
    return np.unique(np.sort(np.concatenate(found), axis=1), axis=0).astype(np.intp)


def _dense(X: NDArray[np.floating], side: SideInformation, choice: Choice) -> PairObjective:
    """Return the objective over all pairs of anchors; what was judged overrides what the tags say."""
    n, tagged = len(X), side.tagged
    anchors = _anchors(n, len(np.unique(np.concatenate([side.similar, side.dissimilar]))))
    first = tagged[tagged < anchors]
    carried = sp.csr_array((sp.csr_array(side.tags)[tagged] != 0).astype(np.float32))
    shares = (carried[: len(first)] @ carried.T).toarray() > 0
    P, N = np.zeros((2, anchors, n), dtype=np.float32)
    P[np.ix_(first, tagged)] = shares
    N[np.ix_(first, tagged)] = ~shares
    np.fill_diagonal(P, 0)

    def put(pairs: Rows, here: NDArray[np.float32], there: NDArray[np.float32], weight: float) -> None:
        for i, j in (pairs.T, pairs[:, ::-1].T):
            at = i[i < anchors], j[i < anchors]
            here[at], there[at] = weight, 0

    put(visual_pairs(X, choice.visual_neighbors), P, N, 1.0)
    judged = len(side.similar) + len(side.dissimilar)
    photos = min(_RAISED, max(1.0, len(tagged) / judged)) if judged else 0.0
    for pairs, here, there in ((side.similar, P, N), (side.dissimilar, N, P)):
        # A photo's tags say as much as the mean row's sum; a judgement counts at both its photos.
        put(pairs, here, there, max(1.0, photos * float(here.sum()) / max(1, len(first)) / 2))
    return DensePairs(P, N, 1 / n if judged else 0.0)


def _anchors(n: int, judged: int) -> int:
    """Return how many of n photos are compared with all."""
    return min(n, max(_ANCHORS, int(_ANCHORS_ROOT * np.sqrt(n)), judged))


def _drawn(X: NDArray[np.floating], side: SideInformation, choice: Choice) -> PairObjective:
    """Return the objective over judged pairs and pairs drawn from the tags."""
    n = len(X)
    pairs = side.pairs(choice.per_photo, choice.seed)
    similar, similar_weights = pairs.similar, pairs.similar_weights
    dissimilar, dissimilar_weights = pairs.dissimilar, pairs.dissimilar_weights
    visual = _without(visual_pairs(X, choice.visual_neighbors), np.concatenate([similar, side.dissimilar]), n)
    if len(visual):
        kept = ~np.isin(_code(dissimilar, n), _code(visual, n))
        dissimilar, dissimilar_weights = dissimilar[kept], dissimilar_weights[kept]
        weight = float(similar_weights.mean()) if len(similar) else 1.0
        similar = np.concatenate([similar, visual])
        similar_weights = np.concatenate([similar_weights, np.full(len(visual), weight)])
    judged = len(side.similar) + len(side.dissimilar)
    return ListedPairs(n, similar, dissimilar, similar_weights, dissimilar_weights, 1 / n if judged else 0.0)


def _judged(X: NDArray[np.floating], side: SideInformation, choice: Choice) -> PairObjective:
    """Return the objective over judged pairs and the prior: what looks alike is similar, two random photos are not."""
    n = len(X)
    judged = np.concatenate([side.similar, side.dissimilar])
    neighbors = choice.visual_neighbors or _PRIOR_NEIGHBORS
    visual = _without(visual_pairs(X, neighbors), judged, n)
    drawn = np.random.default_rng(choice.seed).integers(0, n, (_PRIOR_DRAWN * n, 2))
    drawn = _without(drawn[drawn[:, 0] != drawn[:, 1]], np.concatenate([judged, visual]), n)

    def join(said: Rows, prior: Rows, weight: float) -> tuple[Rows, NDArray[np.float64]]:
        weights = np.concatenate([np.ones(len(said)), np.full(len(prior), weight / max(1, len(prior)))])
        return np.concatenate([said, prior]).astype(np.intp), weights

    similar, similar_weights = join(side.similar, visual, choice.prior * neighbors / _PRIOR_NEIGHBORS)
    dissimilar, dissimilar_weights = join(side.dissimilar, drawn, choice.prior)
    return ListedPairs(n, similar, dissimilar, similar_weights, dissimilar_weights, 1 / n)


def _without(pairs: Rows, others: Rows, n: int) -> Rows:
    return pairs[~np.isin(_code(pairs, n), _code(others, n))]


def _code(pairs: Rows, n: int) -> NDArray[np.int64]:
    ordered = np.sort(pairs, axis=1).astype(np.int64)
    return ordered[:, 0] * n + ordered[:, 1]
