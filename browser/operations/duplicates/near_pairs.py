# SPDX-License-Identifier: MIT
"""Find pairs of near rows without comparing all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

ALL_WITH_ALL: Final = 2000
"""Number of rows up to which all are compared with each other."""

_TABLES: Final = 32
_WINDOW: Final = 12  # following rows with the same code with which a row is compared
_BLOCK: Final = 4096
_SAMPLE: Final = 4000

Rows = NDArray[np.float32]
Places = NDArray[np.intp]


def typical_distance(rows: Rows) -> float:
    """Return the median distance of random pairs of rows (n, d); 0 for fewer than two rows."""
    n = len(rows)
    if n < 2:
        return 0.0
    rng = np.random.default_rng(0)
    one = rng.integers(n, size=_SAMPLE)
    other = (one + rng.integers(1, n, size=_SAMPLE)) % n
    return float(np.median(distances(rows, one, other)))


def near_pairs(
    rows: Rows,
    radius: float,
    *,
    queries: Places | None = None,
    progress: Callable[[float], None] = lambda _share: None,
) -> tuple[Places, Places, NDArray[np.float32]]:
    """Find pairs of rows at most `radius` apart: all pairs among up to 2,000 rows, nearly all among more.

    Larger sets compare rows on the same sides of random planes, in 32 trials [1]_. Each doubling of the rows adds a
    plane, so that the number of comparisons per row stays about the same.

    Parameters
    ----------
    rows : ndarray of float32, shape (n, d)
    queries : ndarray of intp, shape (q,), optional
        Rows of which each pair must contain at least one; default: all.
    progress : callable
        Called with the completed share, 0..1; may raise to cancel.

    Returns
    -------
    first, second : ndarray of intp, shape (p,)
        Sorted by the first, then the second; the first is the smaller of two.
    apart : ndarray of float32, shape (p,)
        Distances of the pairs.

    References
    ----------
    .. [1] M. S. Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002.
    """
    n = len(rows)
    wanted = np.ones(n, dtype=bool)
    if queries is not None:
        wanted[:] = False
        wanted[queries] = True
    keys, apart = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.float32)]
    candidates = _every(n) if n <= ALL_WITH_ALL else _by_planes(rows, progress)
    for one, other in candidates if wanted.any() else ():
        is_query = wanted[one] | wanted[other]
        one, other = one[is_query], other[is_query]
        far = distances(rows, one, other)
        near = far <= radius
        keys.append(np.minimum(one, other)[near].astype(np.int64) * n + np.maximum(one, other)[near])
        apart.append(far[near])
    progress(1.0)
    pairs, once = np.unique(np.concatenate(keys), return_index=True)
    return (pairs // max(n, 1)).astype(np.intp), (pairs % max(n, 1)).astype(np.intp), np.concatenate(apart)[once]


def _every(n: int) -> Iterator[tuple[Places, Places]]:
    for row in range(n - 1):
        other = np.arange(row + 1, n)
        yield np.full(len(other), row), other


def _by_planes(rows: Rows, progress: Callable[[float], None]) -> Iterator[tuple[Places, Places]]:
    """Yield pairs of rows on the same sides of random planes through the mean."""
    n, d = rows.shape
    bits = int(np.ceil(np.log2(n))) - 1
    rng = np.random.default_rng(0)
    planes = rng.normal(size=(d, _TABLES * bits)).astype(np.float32)
    middle = np.asarray(rows[:: max(1, n // _SAMPLE)], dtype=np.float64).mean(axis=0).astype(np.float32)
    powers = (1 << np.arange(bits)).astype(np.int64)
    codes = np.empty((_TABLES, n), dtype=np.int64)
    for start in range(0, n, _BLOCK):
        progress(0.3 * start / n)
        part = slice(start, start + _BLOCK)
        sides = ((rows[part] - middle) @ planes > 0).reshape(-1, _TABLES, bits)
        codes[:, part] = (sides @ powers).T
    for table in range(_TABLES):
        progress(0.3 + 0.7 * table / _TABLES)
        shuffled = rng.permutation(n)  # among many rows with one code, each trial compares others
        order = shuffled[np.argsort(codes[table][shuffled], kind="stable")]
        sorted_codes = codes[table][order]
        for step in range(1, _WINDOW + 1):
            same = sorted_codes[step:] == sorted_codes[:-step]
            if not same.any():
                break
            yield order[:-step][same], order[step:][same]


def distances(rows: Rows, one: Places, other: Places) -> NDArray[np.float32]:
    """Return the distances of pairs of rows, float32 (p,)."""
    found = np.empty(len(one), dtype=np.float32)
    for start in range(0, len(one), _BLOCK):
        part = slice(start, start + _BLOCK)
        found[part] = np.sqrt(np.square(rows[one[part]] - rows[other[part]]).sum(axis=1))
    return found
