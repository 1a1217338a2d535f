# SPDX-License-Identifier: MIT
"""Set operations on integer arrays, by sorting.

NumPy's set functions (``unique``, ``intersect1d``, ``setdiff1d``, ``union1d``) use a hash table since 2.3. It holds the
interpreter lock, which freezes the window (.3 s for 400,000 numbers), and takes up to ten times longer than sorting.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.integer)


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """Return the distinct values, ascending.

    Examples
    --------
    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values, axis=None)
    is_first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first]


def common(one: NDArray[Number], other: NDArray[Number]) -> NDArray[Number]:
    """Return the distinct values that are in both arrays, ascending.

    Examples
    --------
    >>> common(np.array([3, 1, 3]), np.array([2, 3])).tolist()
    [3]
    """
    return np.intersect1d(distinct(one), distinct(other), assume_unique=True)


def without(one: NDArray[Number], other: NDArray[Number]) -> NDArray[Number]:
    """Return the distinct values of the first array that are not in the other, ascending.

    Examples
    --------
    >>> without(np.array([3, 1, 3]), np.array([2, 3])).tolist()
    [1]
    """
    return np.setdiff1d(distinct(one), distinct(other), assume_unique=True)


def together(one: NDArray[Number], other: NDArray[Number]) -> NDArray[Number]:
    """Return the distinct values of both arrays, ascending.

    Examples
    --------
    >>> together(np.array([3, 1, 3]), np.array([2, 3])).tolist()
    [1, 2, 3]
    """
    return distinct(np.concatenate([one, other], axis=None))
