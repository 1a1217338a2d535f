"""What the experiments after Xia et al. (2013) share: splits, triplets and the paper's parameters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from learners.core.base import DistanceLearner
from learners.core.feature_space import ColumnGroup
from learners.core.measures import average_precision
from learners.core.side_information import SideInformation
from tests.benchmarks._described import Described
from tests.benchmarks._photo_sets import Floats, Ints
from tests.benchmarks.quality._measures import precision_at_k
from tests.benchmarks.quality._ranking import distance_matrix, ranked

FIRST = 20
"""Seed of the first split; smaller ones were looked at while the method was made."""

PHOTOS = 100
"""Of a class, at most."""

# Algorithm 1 as printed, save for the coordinates: each family a modality, one pass, no blend.
PAPER: dict[str, Any] = {
    "one_kernel": False,
    "unit": False,
    "components": 100,
    "landmarks": 500,
    "kappa": 5.0,
    "C2": 1.0,
    "margin": 1.0,
    "epochs": 1,
    "euclidean_blend": 0,
    "output_components": 1000,
}
OURS: dict[str, Any] = {"euclidean_blend": 0}


@dataclass(frozen=True)
class Split:
    """Photos of one split, in the features that its training photos define.

    Attributes
    ----------
    X : ndarray of float32, shape (n, d)
        Training photos, validation, queries, test, one after another.
    y : ndarray of intp, shape (n,)
    parts : tuple of slice
        Of these four.
    groups : tuple of ColumnGroup
    asking : ndarray of intp
        Training photos that are queries; the others are their pool.
    """

    X: Floats
    y: Ints
    parts: tuple[slice, slice, slice, slice]
    groups: tuple[ColumnGroup, ...]
    asking: Ints

    @property
    def train(self) -> Floats:
        """Training photos."""
        return self.X[self.parts[0]]

    def triplets(self, count: int, rng: np.random.Generator) -> Ints:
        """Return `count` triplets for each training query: a positive and a negative of the pool, at random."""
        y = self.y[self.parts[0]]
        return draw(y, self.asking, np.setdiff1d(np.arange(len(y)), self.asking), count, rng)

    def mean_precision(self, learner: DistanceLearner, *, validate: bool = False) -> tuple[float, float]:
        """Return mAP and P@10 of queries against test photos, or of validation photos against each other."""
        asked, shown = (self.parts[1], self.parts[1]) if validate else (self.parts[2], self.parts[3])
        skip = np.arange(asked.stop - asked.start) if validate else None
        order = ranked(distance_matrix(learner, self.X[asked], self.X[shown]), skip=skip)
        relevant = np.take_along_axis(self.y[asked][:, None] == self.y[shown], order, axis=1)
        return average_precision(relevant), precision_at_k(relevant, 10)


def draw(y: Ints, asking: Ints, pool: Ints, count: int, rng: np.random.Generator) -> Ints:
    """Return `count` triplets (i, j, k) for each photo i that asks: of the pool, j of its class and k of another."""
    found = []
    for i in asking:
        near, far = pool[y[pool] == y[i]], pool[y[pool] != y[i]]
        found.append(np.column_stack([np.full(count, i), rng.choice(near, count), rng.choice(far, count)]))
    joined = np.concatenate(found).astype(np.intp)
    return joined[rng.permutation(len(joined))]


def side_of(triplets: Ints) -> SideInformation:
    """Return the judged pairs that triplets imply."""
    return SideInformation(triplets[:, :2], triplets[:, [0, 2]])


def split(found: Described, classes: Ints, names: tuple[str, ...], seed: int, photos: int = PHOTOS) -> Split:
    """Return a split of the paper: of each class 50 % train, 10 % validate, 10 % ask and 30 % are the test."""
    rng = np.random.default_rng(seed)
    least = min(photos, int(np.bincount(found.classes)[classes].min()))
    bounds = np.round(np.array([0.0, 0.5, 0.6, 0.7, 1.0]) * least).astype(int)
    taken: list[list[Ints]] = [[], [], [], []]
    for label in classes:
        rows = rng.permutation(np.flatnonzero(found.classes == label))[:least]
        for part, (start, stop) in zip(taken, pairwise(bounds), strict=True):
            part.append(rows[start:stop])
    asking = np.concatenate([i * bounds[1] + np.arange(round(0.4 * bounds[1])) for i in range(len(classes))])
    parts = [np.concatenate(part) for part in taken]
    rows = np.concatenate(parts)
    space, X = found.space(parts[0], names, components=50)
    ends = np.cumsum([0, *map(len, parts)])
    slices = tuple(slice(int(a), int(b)) for a, b in pairwise(ends))
    y = np.searchsorted(classes, found.classes[rows]).astype(np.intp)
    return Split(X[rows], y, slices, space.groups_, asking)  # type: ignore[arg-type]
