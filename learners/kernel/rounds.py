# SPDX-License-Identifier: MIT
"""Reports of the steps of a metric learned in batches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.scatters import BETWEEN, DISSIMILAR, SIMILAR, WITHIN

COLUMNS = 6
"""Columns: similar pairs (or tagged photos), dissimilar pairs; objective before, after; ordered share before, after."""


@dataclass(frozen=True)
class Round:
    """One step, learned from one batch."""

    similar: int
    dissimilar: int
    """`similar` and `dissimilar`: judged pairs of the batch; for a step from tags, the number of tagged photos and
    0."""
    before: float
    after: float
    """`before` and `after`: objective in the space before and after the step: the mean squared distance of similar
    pairs divided by that of dissimilar ones (Chang & Yeung 2006 pull the former together and push the latter apart).
    All photos replace a missing kind; for tags, the scatters within and between them are used."""
    right_before: float
    right_after: float
    """`right_before` and `right_after`: share of the couples of a similar and a dissimilar pair of the batch in which
    the similar pair is nearer; nan if there are none."""

    def row(self) -> NDArray[np.float64]:
        """Return the step as a row (6,) of the fitted attribute."""
        numbers = (self.similar, self.dissimilar, self.before, self.after, self.right_before, self.right_after)
        return np.array(numbers, dtype=np.float64)


def rounds_of(rows: NDArray[np.float64]) -> tuple[Round, ...]:
    """Return the rounds of a fitted attribute (k, 6)."""
    return tuple(Round(int(row[0]), int(row[1]), *map(float, row[2:])) for row in rows)


def round_of(
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    sums: NDArray[np.float64],
    counts: NDArray[np.float64],
    total: NDArray[np.float64],
    similar: NDArray[np.float64],
    dissimilar: NDArray[np.float64],
) -> Round:
    """Return the report of a step.

    Parameters
    ----------
    before, after : ndarray of float64, shape (p, p)
        Product of the steps without and with this one.
    sums, counts : ndarray of float64, shape (4, p, p) and (4,)
        The batch (`learners.core.scatters`).
    total : ndarray of float64, shape (p, p)
        Scatter of all photos.
    similar, dissimilar : ndarray of float64, shape (s, p) and (t, p)
        Differences of the judged pairs of the batch, if known.
    """
    near, far = (SIMILAR, DISSIMILAR) if counts[SIMILAR] or counts[DISSIMILAR] else (WITHIN, BETWEEN)

    def objective(steps: NDArray[np.float64]) -> float:
        everywhere = 2 * _spread(steps, total)
        alike = _spread(steps, sums[near]) / counts[near] if counts[near] else everywhere
        apart = _spread(steps, sums[far]) / counts[far] if counts[far] else everywhere
        return alike / apart if apart > 0 else float("nan")

    def right(steps: NDArray[np.float64]) -> float:
        if not (len(similar) and len(dissimilar)):
            return float("nan")
        closer = np.sort(((similar @ steps) ** 2).sum(axis=1))
        return float(np.searchsorted(closer, ((dissimilar @ steps) ** 2).sum(axis=1)).mean() / len(closer))

    return Round(
        int(counts[near]),
        int(counts[DISSIMILAR]),
        objective(before),
        objective(after),
        right(before),
        right(after),
    )


def _spread(steps: NDArray[np.float64], scatter: NDArray[np.float64]) -> float:
    """Return the trace of a scatter in the space of the steps."""
    return float(np.sum((scatter @ steps) * steps))
