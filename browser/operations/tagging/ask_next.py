"""Which untagged photos to ask about next: those that stand for most others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.operations.jobs.progress import Job
from browser.operations.jobs.thread import in_thread
from browser.operations.ranking.gallery import MetricGallery
from browser.operations.ranking.ranker import Ranker
from browser.operations.tagging.review import photo_points

_MOST = 4000  # photos that are looked at: all similarities between them are


def ask_next(library: Library, ranker: Ranker, count: int = 10) -> Job[list[int]]:
    """Choose untagged photos greedily so that every photo has one like it among them or among the tagged ones.

    Facility location: the next photo is the one that raises sum_i max_j s_ij most, j over the tagged and the chosen
    photos, s_ij = exp(-d_ij^2 / scale) (ALGORITHMS.md, 12.5).

    Yields
    ------
    Progress

    Returns
    -------
    list of int
        Photo ids, at most `count`.
    """
    gallery = ranker.gallery()
    return (yield from in_thread("Looking for what to ask next", lambda _report: _choose(library, gallery, count)))


def _choose(library: Library, gallery: MetricGallery, count: int) -> list[int]:
    points = photo_points(library, gallery)
    untagged: NDArray[np.intp] = np.flatnonzero(np.isin(points.ids, library.photos.ids("untagged")))
    if len(untagged) > _MOST:
        untagged = np.sort(np.random.default_rng(0).choice(untagged, _MOST, replace=False))
    if not len(untagged):
        return []
    tagged = np.setdiff1d(np.arange(len(points.ids)), untagged)[:_MOST]
    alike = points.similarities(untagged, untagged)
    covered = points.similarities(untagged, tagged).max(axis=1) if len(tagged) else np.zeros(len(untagged), np.float32)
    chosen: list[int] = []
    for _ in range(min(count, len(untagged))):
        gain = np.maximum(alike - covered[:, None], 0).sum(axis=0)
        gain[chosen] = -1
        best = int(np.argmax(gain))
        chosen.append(best)
        covered = np.maximum(covered, alike[:, best])
    found: list[int] = points.ids[untagged[chosen]].tolist()
    return found
