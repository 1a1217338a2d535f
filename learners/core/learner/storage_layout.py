# SPDX-License-Identifier: MIT
"""Storage layouts of photos as rows of a gallery, with the distance of two rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


class StorageLayout(ABC):
    """Storage layout of photos for a fitted learner, and the distance of two rows.

    A learner without an embedding may define one that is faster to compare than coordinates; see
    `learners.core.learner.base.DistanceLearner.storage_layout`.
    """

    @abstractmethod
    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the rows to store, float (n, r), of photos with validated coordinates, float (n, d)."""

    @abstractmethod
    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the distances, float64 (N,), from a query (r,), the focal image, to rows (N, r), both float32."""

    def rough(
        self,
        queries: NDArray[np.float32],  # noqa: ARG002  those that can override this
        rows: NDArray[np.float32],  # noqa: ARG002
    ) -> tuple[NDArray[np.float64], float] | None:
        """Return scores that increase with the distances, by one matrix product instead of a pass per query.

        Parameters
        ----------
        queries, rows : ndarray of float32, shape (q, r) and (N, r)

        Returns
        -------
        scores : ndarray of float64, shape (q, N)
        slack : float
            Maximum error of each score.

        None if there is no such shortcut.
        """
        return None


class Coordinates(StorageLayout):
    """Rows are the photos' coordinates, with the learner's own distance.

    Parameters
    ----------
    distances_from : callable
        Distances of the fitted learner from coordinates (d,) to coordinates (N, d).
    """

    def __init__(
        self, distances_from: Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float64]]
    ) -> None:
        self._distances_from = distances_from

    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the coordinates (n, d) unchanged."""
        return X

    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the learner's distances, float64 (N,), from coordinates (d,) to coordinates (N, d)."""
        return self._distances_from(query, rows)
