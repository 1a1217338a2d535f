"""How photos are stored as rows of a gallery, and what the distance of two such rows is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


class RowForm(ABC):
    """How photos are stored as rows for one fitted learner, and what the distance of two rows is.

    A learner without an embedding gives its own where something is quicker to compare than coordinates are; see
    `learners.core.learner.base.DistanceLearner.row_form`.
    """

    @abstractmethod
    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return what is stored of photos: float (n, r) of validated coordinates, float (n, d)."""

    @abstractmethod
    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the distances, float64 (N,), from a query (r,), the focal image, to rows (N, r), both float32."""

    def rough(
        self,
        queries: NDArray[np.float32],  # noqa: ARG002  those that can override this
        rows: NDArray[np.float32],  # noqa: ARG002
    ) -> tuple[NDArray[np.float64], float] | None:
        """Return scores that rise with the distances, by one matrix product instead of a pass over the rows a query.

        Parameters
        ----------
        queries, rows : ndarray of float32, shape (q, r) and (N, r)

        Returns
        -------
        scores : ndarray of float64, shape (q, N)
        slack : float
            How wrong each may be.

        None: there is no short cut.
        """
        return None


class Coordinates(RowForm):
    """Rows are the photos' coordinates, and their distance is the learner's own.

    Parameters
    ----------
    distances_from : callable
        That of the fitted learner: from coordinates (d,) to coordinates (N, d).
    """

    def __init__(
        self, distances_from: Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float64]]
    ) -> None:
        self._distances_from = distances_from

    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the coordinates (n, d) as they are."""
        return X

    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the learner's distances, float64 (N,), from coordinates (d,) to coordinates (N, d)."""
        return self._distances_from(query, rows)
