# SPDX-License-Identifier: MIT
"""Storage of learned focal images as derived data: one record each, in the vector stores."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.vectors import VectorStore
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.local.learner import SOURCES
from focal_photos.features.local.edge_channels import POINTS
from focal_photos.learners.local.local_distances import FocalImage, FocalImages

MOST_PATCHES: Final = len(SOURCES) * POINTS


_PREFIX: Final = "local-"


_HEAD: Final = 16  # numbers before the weights of a record


_DIGEST: Final = slice(8, 16)


def key_prefix(sources: tuple[str, ...]) -> str:
    """Return the key prefix of all stores of focal images that compare patches of these descriptors."""
    return f"{_PREFIX}{_short(sources)}-"


def read_focal_images(library: Library, like: FocalImages, ids: list[int]) -> dict[int, FocalImage]:
    """Return the saved focal images of photos, learned with the same patches and parameters; others are absent."""
    store = _store(library, like)
    if store is None or not ids:
        return {}
    lacking = set(store.missing(ids).tolist())
    there = [photo_id for photo_id in ids if photo_id not in lacking]
    try:
        rows = store.rows(there)
    except KeyError:  # removed meanwhile: a photo was edited
        return {}
    return dict(zip(there, map(_unpacked, rows), strict=True))


def stored_ids(library: Library, like: FocalImages) -> list[int]:
    """Return the ids of the photos with saved focal images."""
    store = _store(library, like)
    return [] if store is None else store.ids.tolist()


def forget_focal_images(library: Library, like: FocalImages, ids: list[int]) -> None:
    """Delete the saved focal images of photos."""
    store = _store(library, like)
    if store is not None and ids:
        store.forget(ids)


def write_focal_images(library: Library, like: FocalImages, models: Mapping[int, FocalImage]) -> None:
    """Save focal images; all are on disk on return.

    Raises
    ------
    LibraryFullError, LibraryReadOnlyError
    """
    if models:
        store = library.vectors.store(_key(like), _HEAD + 2 * MOST_PATCHES)
        store.append(list(models), np.stack([_packed(model) for model in models.values()]))


def _store(library: Library, like: FocalImages) -> VectorStore | None:
    store = library.vectors.open(_key(like))
    return store if store is not None and store.dimension == _HEAD + 2 * MOST_PATCHES else None


def _key(like: FocalImages) -> str:
    return f"{key_prefix(like.sources)}{_short((like.C, like.K, like.tolerance))}"


def _short(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:8]


def _packed(model: FocalImage) -> NDArray[np.float32]:
    """Return a focal image as one vector: numbers, the digest as 8 integers, weights and factors."""
    row = np.zeros(_HEAD + 2 * MOST_PATCHES, np.float32)
    count = len(model.weights)
    row[:5] = count, model.slope, model.offset, model.gap, model.triplets
    row[_DIGEST] = np.frombuffer(model.digest, "<u2")
    row[_HEAD : _HEAD + count] = model.weights
    row[_HEAD + MOST_PATCHES : _HEAD + MOST_PATCHES + count] = model.factors
    return row


def _unpacked(row: NDArray[np.float32]) -> FocalImage:
    count, slope, offset, gap, triplets = row[:5].tolist()
    weights = row[_HEAD : _HEAD + int(count)].copy()
    factors = row[_HEAD + MOST_PATCHES : _HEAD + MOST_PATCHES + int(count)].copy()
    digest = row[_DIGEST].astype("<u2").tobytes()
    return FocalImage(weights, factors, slope, offset, gap, int(triplets), digest)
