"""The tagged photos that speak for a tag: those that carry it, the nearest first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.ranking.gallery import MetricGallery
from focal_photos.browser.operations.tagging.annotated import AnnotatedPhotos

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


def _others(near: NDArray[np.int64], photo_id: int) -> tuple[int, ...]:
    return tuple(near[near != photo_id][:COUNT].tolist())
