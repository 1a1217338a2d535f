# SPDX-License-Identifier: MIT
"""Probabilities, according to many focal images, that an image belongs with them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.metric import LocalMetric
from focal_photos.browser.operations.ranking.local.patches import PhotoPatches, fingerprint, patch_stores
from focal_photos.browser.operations.workers.threads import thread_pool
from focal_photos.features.local.elementary_distances import elementary_distances
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.core.logistic import sigmoid
from focal_photos.learners.local.local_distances import FocalImage

_BLOCK: Final = 8192  # patches of focal images compared at once


class FocalImageGallery:
    """The weighted patches of many focal images, ready for comparison with an image. Thread-safe.

    Parameters
    ----------
    candidates : Candidates
        Patches of photos, including the focal images.
    models : dict of int to FocalImage
        Focal images by photo id; those without training data are ignored.
    since : callable, optional
        Takes a photo id and the fingerprint of its patches, and returns the focal image learned since, or None. Called
        for photos whose model was learned from other patches; by default, these are ignored.
    """

    def __init__(
        self,
        candidates: Candidates,
        models: dict[int, FocalImage],
        since: Callable[[int, bytes], FocalImage | None] | None = None,
    ) -> None:
        self.models: dict[int, FocalImage] = {}
        kinds = candidates.kinds
        parts: list[list[NDArray[np.float16]]] = [[] for _ in range(kinds)]
        weights: list[list[NDArray[np.float32]]] = [[] for _ in range(kinds)]
        for row, photo_id in enumerate(candidates.ids.tolist()):
            model = models.get(photo_id)
            if model is None:
                continue
            vectors = candidates.vectors(row)
            mark = fingerprint(vectors)
            if not model.digest.startswith(mark):
                model = None if since is None else since(photo_id, mark)
            if model is None or not model.triplets:
                continue
            self.models[photo_id] = model
            start = 0
            for kind, own in enumerate(vectors):
                combined = (model.weights * model.factors)[start : start + len(own)]
                start += len(own)
                parts[kind].append(own[combined > 0])
                weights[kind].append(combined[combined > 0])
        found = self.models.values()
        self.ids = np.array(list(self.models), np.int64)
        """The focal images, in the order of the candidates; shape (F,)."""
        self._slopes = np.array([model.slope for model in found])
        self._intercepts = np.array([model.offset for model in found])
        self._parts = [
            (np.concatenate(rows), np.concatenate(own), np.repeat(np.arange(len(found)), [len(one) for one in own]))
            for rows, own in zip(parts, weights, strict=True)
            if rows
        ]

    @property
    def patches(self) -> int:
        """Number of patches compared with an image."""
        return sum(len(rows) for rows, _, _ in self._parts)

    def exponents(self, patches: PhotoPatches, among: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """Return the exponent of the probability for each focal image, float64 (F,): the smaller, the more probable.

        Parameters
        ----------
        among : ndarray of bool, shape (F,), optional
            Focal images to use; the exponents of the others are infinite.
        """
        parts = self._parts
        if among is not None:
            parts = [(rows[among[focal]], own[among[focal]], focal[among[focal]]) for rows, own, focal in parts]
        tasks = [
            (rows[first : first + _BLOCK], vectors)
            for (rows, _, _), vectors in zip(parts, patches.vectors, strict=False)
            for first in range(0, len(rows), _BLOCK)
        ]
        with thread_pool() as executor, one_thread():
            near = list(executor.map(_nearest, tasks))
        sums = np.zeros(len(self.ids))
        if near:
            every = np.concatenate(near)
            weights = np.concatenate([own for _, own, _ in parts])
            owners = np.concatenate([focal for _, _, focal in parts])
            sums += np.bincount(owners, every * weights, len(self.ids))
        found = sums * self._slopes + self._intercepts
        return np.asarray(found if among is None else np.where(among, found, np.inf), np.float64)

    def probabilities(self, exponents: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities for exponents (F,), float64 (F,)."""
        return sigmoid(-exponents)


def _nearest(task: tuple[NDArray[np.float16], NDArray[np.float16]]) -> NDArray[np.float32]:
    focal, vectors = task
    nearest: NDArray[np.float32] = elementary_distances(focal, vectors, np.array([0, len(vectors)]))[0]
    return nearest


# ---------------------------------------------------------------- cache
_READY_FOCAL_IMAGES: Final = CacheEntry[FocalImageGallery]("focal images that are ready to be asked")


def focal_image_gallery(library: Library, local: LocalMetric, ids: NDArray[np.int64]) -> FocalImageGallery:
    """Return the gallery of photos among `ids` (n,) with a learned local distance; the last gallery is cached.

    Raises
    ------
    OperationError
        If patches are missing.
    """
    ordered = np.sort(ids)
    models = local.models(library)
    versions = tuple(store.version for store in patch_stores(library, local.keys))
    stamp = (local, versions, len(models), local.learned_since, ordered.tobytes())
    ready = library.cache.get(_READY_FOCAL_IMAGES, stamp)
    if ready is not None:
        return ready
    made = FocalImageGallery(Candidates(library, local.keys, ordered), models, partial(local.focal_image, library))
    library.cache.put(_READY_FOCAL_IMAGES, stamp, made)
    return made
