"""The tagged photos that speak for a tag: those that carry it, the nearest first."""

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
"""Witnesses of a tag; hundreds of photos may carry it."""

_BLOCK: Final = 4096


def find_witnesses(
    gallery: MetricGallery, annotated: AnnotatedPhotos, pairs: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the photos that carry a tag and are nearest to a photo, without itself, for pairs of a photo and a tag.

    Parameters
    ----------
    gallery : MetricGallery
        Under whose metric they are near.
    annotated : AnnotatedPhotos
    pairs : iterable of (int, int)
        Ids of photos that the gallery has, and columns of `annotated.tags`.

    Returns
    -------
    dict of (int, int) to tuple of int
        At most `COUNT` ids for each pair, the nearest first.
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
            asked = np.array(photo_ids[start : start + _BLOCK], dtype=np.int64)
            # One more than is wanted: the photo itself may be there.
            nearest, _ = carrying.rank_many(gallery.rows[row_of[asked]], min(COUNT + 1, len(ids)))
            for photo_id, near in zip(asked.tolist(), ids[nearest], strict=True):
                found[photo_id, tag] = _others(near, photo_id)
    return found


def with_witnesses(library: Library, ranker: Ranker, suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Return suggestions with the photos that speak for them, found now where that was left until they are looked at.

    Parameters
    ----------
    library : Library
    ranker : Ranker
        By whose current metric they are near.
    suggestions : sequence of Suggestion

    Returns
    -------
    list of Suggestion
        In their order. Those of a photo that is not described, or of a tag that no described photo carries, stay
        without.
    """
    lacking = [one for one in suggestions if not one.witnesses]
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
    found = find_witnesses(gallery, annotated, sorted(pairs))
    return [
        one if one.witnesses else replace(one, witnesses=found.get((one.photo_id, column.get(one.tag, -1)), ()))
        for one in suggestions
    ]


def _others(near: NDArray[np.int64], photo_id: int) -> tuple[int, ...]:
    return tuple(near[near != photo_id][:COUNT].tolist())
