# SPDX-License-Identifier: MIT
"""Rank by photos judged similar and dissimilar to the focal image, immediately and without training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Relation, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.queries.query import RegionQuery, TextQuery
from focal_photos.learners.core.linalg import nearest_first, smallest
from focal_photos.learners.galleries.relevance_feedback import relevance_weights

MAX_JUDGED: Final = 500
"""Maximum number of judged photos used; of more, those most similar to the focal image."""


def nearest_by_judgements(
    gallery: MetricGallery,
    focal: int,
    verdicts: Mapping[int, Verdict],
    count: int | None = None,
    *,
    allowed: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Rank all photos by their nearness to those judged similar to the focal image.

    The distance is 1 - relevance (`learners.galleries.relevance_feedback`): about 0 for photos like the similar ones, 1
    for photos like none of the judged ones, more for photos like the dissimilar ones.

    Parameters
    ----------
    verdicts : mapping of int to Verdict
        Judgements against the focal image by photo id; all photos are in the gallery.
    count : int, optional
        Number of unjudged photos; default: all. Judged photos are always included.
    allowed : ndarray of bool, shape (n,), optional
        Rows that may be in the ranking; default: all.

    Returns
    -------
    ids : ndarray of int64, shape (n,)
        Nearest first; equal distances by id.
    distances : ndarray of float32, shape (n,)
        Ascending, at least 0.
    """
    known, weights = judgement_weights(gallery, focal, verdicts)
    distances = 1 - gallery.similarity_sums(known, weights)
    chosen = np.arange(len(distances)) if allowed is None else np.flatnonzero(allowed)
    judged = gallery.mask(np.fromiter(verdicts, np.int64))
    if count is not None and count < len(chosen) - np.count_nonzero(judged):
        others = chosen[~judged[chosen]]
        others = others[smallest(distances[others], count)] if count > 0 else others[:0]
        chosen = np.concatenate([others, chosen[judged[chosen]]])
    ids, ordered = nearest_first(distances[chosen], gallery.ids[chosen])
    if count is not None:
        # The candidates contain all photos of a tie at the end of the list.
        is_other = ~judged[gallery.rows_of(ids)]
        kept = ~is_other | (np.cumsum(is_other) <= count)
        ids, ordered = ids[kept], ordered[kept]
    return ids, np.maximum(ordered, 0)


def judgement_weights(
    gallery: MetricGallery, focal: int, verdicts: Mapping[int, Verdict]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the rows (c,) from which relevance is computed, the focal image first, and their weights (c,)."""
    judged = np.flatnonzero(gallery.mask(np.fromiter(verdicts, np.int64)))
    if len(judged) > MAX_JUDGED:
        near = gallery.similarities(np.array([focal]), judged)[:, 0]
        judged = np.sort(judged[np.argsort(-near, kind="stable")[:MAX_JUDGED]])
    similar = [verdicts[photo_id] is Verdict.SIMILAR for photo_id in gallery.ids[judged].tolist()]
    known = np.concatenate([[focal], judged])
    return known, relevance_weights(gallery.similarities(known, known), [True, *similar])


def judgements_against(library: Library, judged: Sequence[int] | TextQuery | RegionQuery) -> dict[int, Verdict]:
    """Return the judgements against a text, a region or any of several photos, without contradictory ones."""
    if isinstance(judged, TextQuery):
        return library.text_judgements.of(judged.text)
    if isinstance(judged, RegionQuery):
        photo_id = judged.photo_id
        return {} if photo_id is None else library.region_judgements.of(photo_id, judged.region)
    photo_ids = judged
    found: dict[int, Verdict] = {}
    torn: set[int] = set()
    for photo_id in photo_ids:
        for other, verdict in library.judgements.of(photo_id).items():
            if other not in photo_ids and found.setdefault(other, verdict) is not verdict:
                torn.add(other)
    return {other: verdict for other, verdict in found.items() if other not in torn}


def relations_against(
    library: Library, judged: Sequence[int] | TextQuery | RegionQuery
) -> dict[int, frozenset[Relation]]:
    """Return the photos that look like a photo, or are nearer to it than others, or to any of several photos."""
    found: dict[int, frozenset[Relation]] = {}
    for photo_id in () if isinstance(judged, TextQuery | RegionQuery) else judged:
        for other, relations in library.judged_relations.of(photo_id).items():
            found[other] = found.get(other, frozenset()) | relations
    return found


def judged_apart(
    ids: NDArray[np.int64], distances: NDArray[np.float32], verdicts: Mapping[int, Verdict]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Move photos judged similar to the beginning of a ranking and those judged dissimilar to its end.

    Parameters
    ----------
    ids : ndarray of int64, shape (n,)
        Nearest first.
    distances : ndarray of float32, shape (n,)
        Ascending.

    Returns
    -------
    ids : ndarray of int64, shape (n,)
        Each of the three parts in its previous order.
    distances : ndarray of float32, shape (n,)
        Ascending: a moved photo gets the distance of the nearest or farthest unjudged photo.
    """
    place = np.zeros(len(ids), dtype=np.int8)
    for verdict, value in ((Verdict.SIMILAR, -1), (Verdict.DISSIMILAR, 1)):
        chosen = [photo_id for photo_id, given in verdicts.items() if given is verdict]
        place[np.isin(ids, np.array(chosen, dtype=np.int64))] = value
    order = np.argsort(place, kind="stable")
    place, moved = place[order], distances[order]
    others = moved[place == 0]
    if len(others):
        moved = np.where(place < 0, np.minimum(moved, others[0]), moved)
        moved = np.where(place > 0, np.maximum(moved, others[-1]), moved)
    else:
        moved = np.maximum.accumulate(moved)
    return ids[order], moved
