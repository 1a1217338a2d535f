# SPDX-License-Identifier: MIT
"""Incremental learning of several tags per photo while the user tags, so that an answer costs only its changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.codes import Codes
from focal_photos.browser.operations.tagging.annotated import AnnotatedPhotos
from focal_photos.learners.core.arrays.distinct import without
from focal_photos.learners.tags.incremental_ridge import IncrementalRidge

MIN_PHOTOS: Final = 1000
"""Number of training photos above which the model is retained; fewer are trained again in a second."""

_GROWTH: Final = 0.1
"""Share of training photos that may be added or removed before family weights and parameters are found again."""

_MAX_OTHERS: Final = 4000
"""Maximum number of other photos whose kernel with the training photos is cached, at 4 bytes per pair."""


class AnnotatedDigests(NamedTuple):
    """Photos with a hash of their tags."""

    ids: NDArray[np.int64]
    digests: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class IncrementalTags:
    """Retained model to which the next answers are added."""

    ids: NDArray[np.int64]
    """Training photos, ascending; shape (n,)."""
    tags: scipy.sparse.csr_array
    rejected: scipy.sparse.csr_array
    """`tags` and `rejected`: tags and rejections of the training photos; shape (n, m)."""
    ridge: IncrementalRidge
    coordinates: Callable[[NDArray[np.int64]], NDArray[np.float32]]
    """Returns the ridge's input for photo ids."""
    codes: Codes | None
    first: AnnotatedDigests
    """All annotated photos at the start."""
    count: int
    """Number of training photos at the start."""
    others: NDArray[np.int64]
    """Other photos, ascending; empty if too many; shape (q,)."""
    kernel: NDArray[np.float32]
    """Kernel between these and the landmarks of the ridge; shape (q, l)."""


INCREMENTAL: Final = CacheEntry[IncrementalTags]("what the next answers about several tags a photo are added to")


def forget(library: Library) -> None:
    """Release the retained model of some 200 MB."""
    library.cache.forget(INCREMENTAL)


def begin(
    annotated: AnnotatedPhotos,
    rows: NDArray[np.intp],
    ridge: IncrementalRidge,
    coordinates: Callable[[NDArray[np.int64]], NDArray[np.float32]],
    codes: Codes | None,
    every: NDArray[np.int64],
) -> IncrementalTags:
    """Start with the model of some rows of the annotated photos, and compute the kernel with the others of `every`."""
    ids = annotated.ids[rows]
    others = without(every, ids)
    others = others if len(others) <= _MAX_OTHERS else others[:0]
    return IncrementalTags(
        ids,
        annotated.tags[rows],
        annotated.rejected[rows],
        ridge,
        coordinates,
        codes,
        _digests(annotated, np.arange(len(annotated.ids))),
        len(ids),
        others,
        _kernel(ridge, coordinates, codes, others, slice(None)),
    )


def grow(before: IncrementalTags, annotated: AnnotatedPhotos, every: NDArray[np.int64]) -> IncrementalTags | None:
    """Extend the model by all photos annotated since.

    Returns
    -------
    IncrementalTags or None
        None if too many photos were added or removed, so that training must start again.

    Raises
    ------
    KeyError
        If a photo is no longer described.
    LearnerError
        If tags now exclude each other, or another caller has extended the model.
    """
    first, ridge = before.first, before.ridge
    here = np.flatnonzero(np.isin(annotated.ids, every))
    here = here[np.argsort(annotated.ids[here])]
    now = _digests(annotated, here)
    order = np.argsort(first.ids)
    at = order[np.minimum(np.searchsorted(first.ids, now.ids, sorter=order), len(order) - 1)]
    same = (first.ids[at] == now.ids) & (first.digests[at] == now.digests)
    chosen = here[~same | np.isin(now.ids, before.ids)]
    ids, tags = annotated.ids[chosen], annotated.tags[chosen]
    rows = np.where(np.isin(ids, before.ids), np.searchsorted(before.ids, ids), -1)
    new, came = ids[rows < 0], len(ridge.landmarks_)
    most = _GROWTH * before.count
    if came + len(new) - before.count > most or came - np.count_nonzero(rows >= 0) > most:
        return None
    samples = before.coordinates(new) if len(new) else np.empty((0, len(ridge.scale_)), np.float32)
    coded = None if before.codes is None or not len(new) else before.codes.of(new)
    grown = ridge.grown(samples, tags, rows, rejected=annotated.rejected[chosen], codes=coded)
    stay = np.isin(before.others, ids, invert=True)
    others = before.others[stay]
    fresh = _kernel(grown, before.coordinates, before.codes, others, slice(came, None))
    return replace(
        before,
        ids=ids,
        tags=tags,
        rejected=annotated.rejected[chosen],
        ridge=grown,
        others=others,
        kernel=np.concatenate([before.kernel[stay], fresh], axis=1),
    )


def _kernel(
    ridge: IncrementalRidge,
    coordinates: Callable[[NDArray[np.int64]], NDArray[np.float32]],
    codes: Codes | None,
    others: NDArray[np.int64],
    learned: slice,
) -> NDArray[np.float32]:
    """Return the kernel between photos and some landmarks of a ridge."""
    count = len(ridge.landmarks_[learned])
    if not len(others) or not count:
        return np.empty((len(others), count), np.float32)
    return ridge.kernel(coordinates(others), None if codes is None else codes.of(others), learned)


def _digests(annotated: AnnotatedPhotos, rows: NDArray[np.intp]) -> AnnotatedDigests:
    """Return photos with a hash of their tags."""
    tags = scipy.sparse.csr_array(annotated.tags[rows])
    numbers = np.array([hash(name) for name in annotated.names], np.int64).view(np.uint64)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(numbers[tags.indices], dtype=np.uint64)])
    return AnnotatedDigests(annotated.ids[rows], sums[tags.indptr[1:]] - sums[tags.indptr[:-1]])
