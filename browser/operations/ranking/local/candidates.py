# SPDX-License-Identifier: MIT
"""Elementary distances from the patches of a photo to those of many others."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.local.patches import KeepsPatches, PhotoPatches, patch_stores
from focal_photos.features.local.elementary_distances import elementary_distances
from focal_photos.learners.core.linalg import one_thread

_BLOCK: Final = 128  # photos whose patches are compared at once


class Candidates:
    """The patches of many photos, ready for comparison. Thread-safe.

    Patches stored in the order of their writing are read from disk, so their number matters little.

    Parameters
    ----------
    library : Library or PatchesInFolder
    ids : ndarray of int64, shape (n,)
        Photos with stored patches.

    Raises
    ------
    OperationError
        If the patches of a photo are missing because it was edited meanwhile.
    """

    def __init__(self, library: KeepsPatches, keys: Sequence[str], ids: NDArray[np.int64]) -> None:
        self.ids = ids
        self._parts: list[tuple[NDArray[np.float16], NDArray[np.int64], NDArray[np.intp]]] = []
        for store in patch_stores(library, keys):
            wanted = store.ids[np.isin(store.ids, ids)]
            order = np.argsort(ids, kind="stable")
            if len(wanted) != len(ids):
                raise OperationError("Photos were edited meanwhile: wait until they are indexed, then try again.")
            rows = order[np.searchsorted(ids, wanted, sorter=order)]
            try:
                vectors, offsets = store.gather(wanted)
            except KeyError:
                raise OperationError("Photos were edited meanwhile: try again.") from None
            self._parts.append((vectors, offsets, rows))
        self._places = [np.argsort(rows) for _, _, rows in self._parts]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def kinds(self) -> int:
        """Number of kinds of patches."""
        return len(self._parts)

    def vectors(self, row: int) -> list[NDArray[np.float16]]:
        """Return the patches of a candidate, one array per kind."""
        found = []
        for (vectors, offsets, _), place in zip(self._parts, self._places, strict=True):
            i = place[row]
            found.append(vectors[offsets[i] : offsets[i + 1]])
        return found

    def patches(self, row: int) -> PhotoPatches:
        """Return the patches of a candidate for comparison; their positions are not read."""
        vectors = tuple(self.vectors(row))
        return PhotoPatches(tuple(np.zeros((len(part), 2), np.float32) for part in vectors), vectors)

    def distances(
        self,
        patches: PhotoPatches,
        used: NDArray[np.bool_] | None = None,
        *,
        executor: Executor | None = None,
    ) -> NDArray[np.float32]:
        """Return the elementary distances from the patches of a photo to the candidates.

        Parameters
        ----------
        used : ndarray of bool, shape (M,), optional
            Patches to compare; default: all.
        executor : Executor, optional
            Threads that share the work.

        Returns
        -------
        ndarray of float32, shape (n, number of used patches)
        """
        parts = _split(patches, used)
        widths = [len(vectors) for vectors in parts]
        result = np.empty((len(self.ids), sum(widths)), np.float32)
        tasks: list[tuple[Any, ...]] = []
        start = 0
        for (vectors, offsets, own), focal in zip(self._parts, parts, strict=True):
            columns = slice(start, start + len(focal))
            start = columns.stop
            if not len(focal):
                continue
            for first in range(0, len(own), _BLOCK):
                last = min(first + _BLOCK, len(own))
                tasks.append((result, columns, own[first:last], focal, vectors, offsets[first : last + 1]))
        with one_thread():
            for _ in map(_compare, tasks) if executor is None else executor.map(_compare, tasks):
                pass
        return result


def _compare(task: tuple[Any, ...]) -> None:
    result, columns, rows, focal, vectors, bounds = task
    result[rows, columns] = elementary_distances(focal, vectors[bounds[0] : bounds[-1]], bounds - bounds[0])


def _split(patches: PhotoPatches, used: NDArray[np.bool_] | None) -> list[NDArray[np.float16]]:
    if used is None:
        return list(patches.vectors)
    bounds = np.cumsum([0, *patches.counts])
    return [
        vectors[used[low:high]] for vectors, low, high in zip(patches.vectors, bounds[:-1], bounds[1:], strict=True)
    ]
