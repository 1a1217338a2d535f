# SPDX-License-Identifier: MIT
"""Where two metrics of a library differ, for example the user's and that of a colleague's lens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import name_of
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import coordinates
from focal_photos.learners.evaluation.metric_differences import mean_shares, neighbor_disagreement
from focal_photos.learners.galleries.family_shares import family_shares

NEIGHBORS: Final = 10
"""Number of neighbours that are compared."""

QUERIES: Final = 500
"""Largest number of photos whose neighbours are compared."""

_ANCHORS: Final = 30
_BLOCK: Final = 20


@dataclass(frozen=True)
class PhotoDifference:
    """A photo with its neighbours under two metrics."""

    photo_id: int
    share: float
    """Share of the `NEIGHBORS` nearest photos that the metrics do not have in common, 0..1."""
    only_one: tuple[int, ...]
    only_other: tuple[int, ...]
    """`only_one` and `only_other`: these photos under each metric, nearest first."""


@dataclass(frozen=True)
class FamilyDifference:
    """A feature family with its mean share in the squared distances under two metrics, 0..1."""

    name: str
    one: float
    other: float


@dataclass(frozen=True)
class MetricDifferences:
    """Differences of two metrics."""

    one: str
    other: str
    """`one` and `other`: names of the metrics."""
    compared: int
    """Number of photos whose neighbours were compared."""
    share: float
    """Mean of `PhotoDifference.share` over these photos."""
    photos: tuple[PhotoDifference, ...]
    """The largest differences first."""
    families: tuple[FamilyDifference, ...]
    """The largest differences first."""


def compare_metrics(
    library: Library, ranker: Ranker, one: str, other: str, *, limit: int = 20, seed: int = 0
) -> Job[MetricDifferences]:
    """Compare the neighbourhoods and the weights of families under two metrics.

    Parameters
    ----------
    one, other : str
        Names of metrics of the library; a colleague's lens becomes one when it is opened.
    limit : int
        Largest number of photos in the result.
    seed : int
        Seed of the sample of photos.

    Raises
    ------
    OperationError
        If a metric is unknown or a local distance, or too few photos are described.
    """
    meter = Meter(Text("Comparing metrics"))
    yield meter.state()
    galleries = [ranker.gallery(name) for name in (one, other)]
    if any(is_local(gallery.loaded.metric) for gallery in galleries):
        raise OperationError("Local distances have no families to compare: choose other metrics.")
    ids = np.intersect1d(galleries[0].ids, galleries[1].ids)
    if len(ids) <= NEIGHBORS:
        raise OperationError("More than {0} photos must be described under both metrics: index more.", NEIGHBORS)
    rng = np.random.default_rng(seed)
    queries = np.sort(rng.choice(len(ids), min(QUERIES, len(ids)), replace=False))
    rows = [gallery.rows_of(ids) for gallery in galleries]
    meter.total = len(queries)
    found: list[PhotoDifference] = []
    for start in range(0, len(queries), _BLOCK):
        block = queries[start : start + _BLOCK]
        far = np.empty((2, len(block), len(ids)))
        for place, (gallery, of) in enumerate(zip(galleries, rows, strict=True)):
            for at, query in enumerate(block.tolist()):
                far[place, at] = gallery.gallery.distances(gallery.rows[of[query]], of)
                far[place, at, query] = np.inf
        shares = neighbor_disagreement(far[0], far[1], NEIGHBORS)
        near = np.argsort(far, axis=2, kind="stable")[:, :, :NEIGHBORS]
        for at, query in enumerate(block.tolist()):
            first, second = (ids[near[place, at]].tolist() for place in range(2))
            found.append(
                PhotoDifference(
                    int(ids[query]),
                    float(shares[at]),
                    tuple(number for number in first if number not in second),
                    tuple(number for number in second if number not in first),
                )
            )
        yield meter.advance(len(block))
    mean = float(np.mean([each.share for each in found]))
    found.sort(key=lambda each: (-each.share, each.photo_id))
    families = _families(library, galleries, ids, rng)
    names = galleries[0].loaded.metric.name, galleries[1].loaded.metric.name
    return MetricDifferences(*names, len(queries), mean, tuple(found[:limit]), families)


def _families(
    library: Library, galleries: list[MetricGallery], ids: NDArray[np.int64], rng: np.random.Generator
) -> tuple[FamilyDifference, ...]:
    """Return the mean shares of the families in the distances of some pairs of photos."""
    sample = rng.choice(ids, min(2 * _ANCHORS, len(ids)), replace=False)
    half = len(sample) // 2
    weights: list[dict[str, float]] = []
    for gallery in galleries:
        loaded = gallery.loaded
        points = coordinates(library, loaded.space, sample)
        parts = [
            family_shares(loaded.learner, point, points[half:], loaded.space.families_, orders=1)
            for point in points[:half]
        ]
        shares = mean_shares(np.concatenate(parts))
        weights.append(dict(zip(map(name_of, loaded.keys), shares.tolist(), strict=True)))
    names = sorted({name for each in weights for name in each})
    found = [FamilyDifference(name, *(each.get(name, 0.0) for each in weights)) for name in names]
    return tuple(sorted(found, key=lambda each: (-abs(each.one - each.other), each.name)))
