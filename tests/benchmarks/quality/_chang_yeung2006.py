"""What the experiments after Chang & Yeung (2006) share: photos, judgements and the paper's parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.core.base import DistanceLearner
from learners.core.side_information import SideInformation
from tests.benchmarks._described import Described, described
from tests.benchmarks._photo_sets import Floats, Ints
from tests.benchmarks.quality._ranking import distance_matrix, ranked

CDS = {
    "13000": "flowers",
    "100000": "bears",
    "103000": "sea birds",
    "104000": "deer",
    "108000": "tigers",
    "109000": "foxes and coyotes",
    "113000": "horses",
    "152000": "leaves and blossoms",
    "163000": "birds at the nest",
    "173000": "rodents",
}
"""The CDs by the number of their folder, and what their tags say they show; 100 photos each."""

Found = NDArray[np.bool_]

# ALGORITHMS.md, 2.3: 150 components with 150 pairs.
PAPER: dict[str, Any] = {
    "n_components": 150,
    "similar_prior": 0,
    "dissimilar_prior": 0,
    "euclidean_blend": 0,
    "unit": False,
}


def photos(names: tuple[str, ...] | list[str]) -> tuple[Described, Ints, Ints] | None:
    """Return the photo set, the rows of the 10 CDs and their classes."""
    found = described("corel5k", list(names))
    if found is None:
        return None
    rows = np.flatnonzero(np.isin(found.classes, [found.photos.names.index(cd) for cd in CDS]))
    return found, rows, np.unique(found.classes[rows], return_inverse=True)[1].astype(np.intp)


def shown_feedback(
    order: Ints, y: Ints, focal: Ints, relevant: int, irrelevant: int, rng: np.random.Generator, depth: int = 20
) -> SideInformation:
    """Return what a person says in query sessions: some of the first `depth` photos shown, drawn at random.

    Parameters
    ----------
    order : ndarray of intp, shape (q, N)
        What each focal image shows, nearest first.
    y : ndarray of intp
    focal : ndarray of intp, shape (q,)
    relevant, irrelevant : int
        Judgements of both kinds in a session, or as many as are there.
    """
    pairs: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for query, shown in zip(focal, order[:, :depth], strict=True):
        same = y[shown] == y[query]
        for kind, count, into in ((same, relevant, pairs[0]), (~same, irrelevant, pairs[1])):
            into += [(int(query), int(one)) for one in rng.permutation(shown[kind])[:count]]
    similar, dissimilar = (np.array(some, dtype=np.intp).reshape(-1, 2) for some in pairs)
    return SideInformation(similar, dissimilar)


def hits(learner: DistanceLearner, queries: Floats, gallery: Floats, same: Found, skip: Ints | None = None) -> Found:
    """Return whether the photo at each rank is of the query's class."""
    order = ranked(distance_matrix(learner, queries, gallery), skip=skip)
    return np.take_along_axis(same, order, axis=1)


def share_of_classes(y: Ints, share: float, rng: np.random.Generator) -> Ints:
    """Return rows of a share of each class, drawn at random."""
    parts = [rng.permutation(np.flatnonzero(y == label)) for label in range(int(y.max()) + 1)]
    return np.concatenate([part[: round(share * len(part))] for part in parts])
