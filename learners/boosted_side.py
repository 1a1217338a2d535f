"""From side information to the pairs that boosted bits are learned from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from learners.boosted_pairs import DensePairs, ListedPairs, PairObjective
from learners.linalg import blocks, sqd
from learners.side_information import SideInformation

Rows = NDArray[np.intp]

TAGGED = 20_000
"""Tags are taken from at most so many photos, drawn at random."""

_RAISED = 10.0
"""A judged pair counts as much as so many photos' tags, up to the weight of all tags together."""

_OTHERS = 500
"""Photos that nobody judged but that take part in the prior."""

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
    """Return the rows of X (k,) that take part, ascending, and the objective over them."""
    rng = np.random.default_rng(choice.seed)
    tagged = side.tagged
    if len(tagged) > TAGGED:
        tagged = np.sort(rng.choice(tagged, TAGGED, replace=False))
    judged = np.unique(np.concatenate([side.similar, side.dissimilar]))
    others = judged if len(tagged) else rng.permutation(len(X))[:_OTHERS]
    rows = np.union1d(np.union1d(tagged, judged), others).astype(np.intp)
    # From here on rows are counted among those that take part.
    known = SideInformation(np.searchsorted(rows, side.similar), np.searchsorted(rows, side.dissimilar))
    if not len(tagged):
        return rows, _judged(X[rows], known, choice)
    place = np.searchsorted(rows, tagged)
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
    """Return the objective over all pairs of tagged photos; what was judged overrides what the tags say."""
    n, tagged = len(X), side.tagged
    carried = sp.csr_array((sp.csr_array(side.tags)[tagged] != 0).astype(np.float32))
    P, N = np.zeros((n, n), dtype=np.float32), np.zeros((n, n), dtype=np.float32)
    shares = (carried @ carried.T).toarray() > 0
    P[np.ix_(tagged, tagged)] = shares
    N[np.ix_(tagged, tagged)] = ~shares
    np.fill_diagonal(P, 0)
    i, j = visual_pairs(X, choice.visual_neighbors).T
    P[i, j] = P[j, i] = 1
    N[i, j] = N[j, i] = 0
    judged = len(side.similar) + len(side.dissimilar)
    photos = min(_RAISED, max(1.0, len(tagged) / judged)) if judged else 0.0
    for pairs, here, there in ((side.similar, P, N), (side.dissimilar, N, P)):
        # A photo's tags say as much as the mean row's sum; a judgement counts at both its photos.
        weight = max(1.0, photos * float(here.sum()) / len(tagged) / 2)
        i, j = pairs.T
        there[i, j] = there[j, i] = 0
        here[i, j] = here[j, i] = weight
    return DensePairs(P, N, 1 / n if judged else 0.0)


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
