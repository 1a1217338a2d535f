# SPDX-License-Identifier: MIT
"""Supporting neighbours of a suggested tag: the nearest photos that carry it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Suggestion
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import AnnotatedPhotos, read_annotated

COUNT: Final = 10
"""Maximum number of supporting neighbours; hundreds of photos may carry the tag."""

_BLOCK: Final = 4096


def find_supporters(
    gallery: MetricGallery, annotated: AnnotatedPhotos, pairs: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the nearest other photos that carry a tag, for pairs of a photo and a tag.

    Parameters
    ----------
    gallery : MetricGallery
        Gallery of the metric.
    pairs : iterable of (int, int)
        Ids of photos in the gallery, and columns of `annotated.tags`.

    Returns
    -------
    dict of (int, int) to tuple of int
        At most `COUNT` ids for each pair, nearest first.
    """
    by_tag: dict[int, list[int]] = {}
    for photo_id, tag in pairs:
        by_tag.setdefault(tag, []).append(photo_id)
    found: dict[tuple[int, int], tuple[int, ...]] = {}
    carriers = annotated.tags.tocsc()
    row_of = gallery.row_table
    for tag, photo_ids in by_tag.items():
        rows = np.sort(carriers.indices[carriers.indptr[tag] : carriers.indptr[tag + 1]]).astype(np.intp)
        ids = annotated.ids[rows]
        carrying = gallery.among(annotated.places[rows])
        for start in range(0, len(photo_ids), _BLOCK):
            block = np.array(photo_ids[start : start + _BLOCK], dtype=np.int64)
            # One more than needed, since the photo itself may be among them.
            nearest, _ = carrying.rank_many(gallery.rows[row_of[block]], min(COUNT + 1, len(ids)))
            for photo_id, near in zip(block.tolist(), ids[nearest], strict=True):
                found[photo_id, tag] = _others(near, photo_id)
    return found


def with_supporters(library: Library, ranker: Ranker, suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Return suggestions with their supporting neighbours, found now unless known.

    Parameters
    ----------
    ranker : Ranker
        Provides the current metric.

    Returns
    -------
    list of Suggestion
        In the same order. Without supporting neighbours if the photo is not described or no described photo carries the
        tag.
    """
    lacking = [one for one in suggestions if not one.supporters]
    if not lacking:
        return list(suggestions)
    try:
        gallery = ranker.gallery()
        annotated = read_annotated(library, gallery, set())
    except OperationError:
        return list(suggestions)
    column = {name: j for j, name in enumerate(annotated.names)}
    known = gallery.rows_of(np.array([one.photo_id for one in lacking], np.int64)) >= 0
    pairs = {
        (one.photo_id, column[one.tag]) for one, row in zip(lacking, known, strict=True) if row and one.tag in column
    }
    found = find_supporters(gallery, annotated, sorted(pairs))
    return [
        one if one.supporters else replace(one, supporters=found.get((one.photo_id, column.get(one.tag, -1)), ()))
        for one in suggestions
    ]


def _others(near: NDArray[np.int64], photo_id: int) -> tuple[int, ...]:
    return tuple(near[near != photo_id][:COUNT].tolist())
