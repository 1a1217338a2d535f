# SPDX-License-Identifier: MIT
"""Find the distance at which a ranking stops being sure: up to it, photos are more likely alike than not."""

from __future__ import annotations

import weakref
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.columns.column import position
from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.learners.galleries.reciprocal import JACCARD, MAX_RERANKED

_FOCALS: Final = 60
_SAMPLED_PHOTOS: Final = 600
_LEAST_TAGGED: Final = 20
_LEAST_PAIRS: Final = 30
"""Minimum number of alike and of unlike pairs; with fewer, the boundary between them is chance."""
_LEAST_WITHOUT: Final = 5
"""Minimum number of tagged photos without the most frequent tag: a single one would be in all unlike pairs."""
_MOST_JUDGED: Final = 2000


class Evidence(StrEnum):
    """Source of the sure distance."""

    TAGS = "tags"
    """Pairs of tagged photos with or without a common tag."""
    JUDGEMENTS = "judgements"
    """Pairs judged similar or dissimilar."""
    NEIGHBORS = "neighbors"
    """No user input: photos beyond the distance share no neighbours."""


@dataclass(frozen=True)
class SureDistance:
    """Distance up to which photos are more likely alike than not."""

    distance: float
    """In the unit shown by rankings with one focal image."""
    evidence: Evidence
    within: float | None = None
    beyond: float | None = None
    """`within` and `beyond`: share of alike pairs within the distance, and in the same number of pairs just beyond.
    None if the only evidence is shared neighbours."""


_CACHED_DISTANCE: Final = CacheEntry[SureDistance | None]("up to which distance photos are alike")


def sure_distance(library: Library, gallery: MetricGallery, *, rerank: bool) -> SureDistance | None:
    """Find the distance up to which photos are more likely alike than not.

    If photos are tagged, it is the distance that best separates pairs with a common tag from pairs without one, over a
    seeded sample of 60 photos against 600. Otherwise judged pairs are separated in the same way. Without tags and
    judgements, photos are sure as long as they share neighbours with the focal image.

    Share of right photos (within the distance / the next 20; 150 focal images of each of four sets): by neighbours in
    untagged libraries, .66 and .71 / .45 and .49 on Corel-5k (10 classes), .47 and .59 / .26 and .24 on Caltech-101 (20
    classes); by the tags of 120 of about 1,000 photos, .57 / .40 and .63 / .33; for the untagged photos under a kernel
    metric trained on these tags, .81 / .60 and .67 / .34.

    Parameters
    ----------
    gallery : MetricGallery
        Gallery of the ranking metric.
    rerank : bool
        Whether rankings count shared neighbours.

    Returns
    -------
    SureDistance or None
        None without evidence, or if focal images have no common unit of distance (local distances).
    """
    if is_local(gallery.loaded.metric):
        return None
    with library.database.reading() as connection:
        at = position(connection)
    known = gallery.neighbors.of_all is not None or len(gallery.ids) <= MAX_RERANKED
    stamp = (weakref.ref(gallery), at, library.judgements.state(), rerank, known)
    return library.cache.once(_CACHED_DISTANCE, stamp, lambda: _find(library, gallery, rerank=rerank, known=known))


def _find(library: Library, gallery: MetricGallery, *, rerank: bool, known: bool) -> SureDistance | None:
    # Until all neighbourhoods are known, pairs of photos far apart have no distance.
    found = None
    if known or not rerank:
        found = _by_tags(library, gallery, rerank=rerank) or _by_judgements(library, gallery, rerank=rerank)
    if found is None and rerank:
        return SureDistance(JACCARD, Evidence.NEIGHBORS)
    return found


def _by_tags(library: Library, gallery: MetricGallery, *, rerank: bool) -> SureDistance | None:
    tagged = library.photos.ids("tagged -missing")
    tagged = tagged[gallery.rows_of(tagged) >= 0]
    if len(tagged) < _LEAST_TAGGED:
        return None
    drawn = np.sort(np.random.default_rng(0).permutation(len(tagged))[:_SAMPLED_PHOTOS])
    others = tagged[drawn]
    focals = others[np.random.default_rng(1).permutation(len(others))[:_FOCALS]]
    matrix, _ = library.tags.matrix(np.concatenate([focals, others]))
    if len(others) - matrix[len(focals) :].sum(axis=0).max() < _LEAST_WITHOUT:
        return None
    alike = (matrix[: len(focals)] @ matrix[len(focals) :].T).toarray() > 0
    far = _distances(gallery, gallery.rows_of(focals), gallery.rows_of(others), rerank=rerank)
    pairs = focals[:, None] != others
    return _split(far[pairs], alike[pairs], Evidence.TAGS)


def _by_judgements(library: Library, gallery: MetricGallery, *, rerank: bool) -> SureDistance | None:
    judged = library.judgements.all()[-_MOST_JUDGED:]
    rows = gallery.rows_of(np.array([(one.focal_id, one.other_id) for one in judged], np.int64).reshape(-1, 2))
    alike = np.array([one.verdict is Verdict.SIMILAR for one in judged], dtype=bool)
    described = (rows >= 0).all(axis=1)
    rows, alike = rows[described], alike[described]
    if alike.sum() < _LEAST_PAIRS or (~alike).sum() < _LEAST_PAIRS:
        return None
    far = np.empty(len(rows), dtype=np.float32)
    for focal in np.unique(rows[:, 0]):
        own = rows[:, 0] == focal
        far[own] = _distances(gallery, np.array([focal]), rows[own, 1], rerank=rerank)[0]
    return _split(far, alike, Evidence.JUDGEMENTS)


def _distances(
    gallery: MetricGallery, rows: NDArray[np.intp], others: NDArray[np.intp], *, rerank: bool
) -> NDArray[np.float32]:
    """Return the distances (m, c) between rows (m,) and others (c,), as shown by rankings."""
    if rerank:
        return 1 - gallery.similarities(rows, others).T
    found: NDArray[np.float32] = np.sqrt(gallery.gallery.squared_distances(rows, others))
    return found


def _split(far: NDArray[np.float32], alike: NDArray[np.bool_], evidence: Evidence) -> SureDistance | None:
    """Return the distance that classifies most pairs correctly; None with too few pairs or uninformative distances."""
    if alike.sum() < _LEAST_PAIRS or (~alike).sum() < _LEAST_PAIRS:
        return None
    order = np.argsort(far, kind="stable")
    far, alike = far[order], alike[order]
    gain = np.cumsum(np.where(alike, 1, -1))
    gain[:-1][far[:-1] == far[1:]] = 0  # equal distances stay on one side
    best = int(np.argmax(gain))
    if gain[best] <= 0:
        return None
    count = best + 1
    rest = alike[count : 2 * count]
    return SureDistance(
        float(far[best]), evidence, float(alike[:count].mean()), float(rest.mean()) if len(rest) else None
    )
