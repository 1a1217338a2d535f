# SPDX-License-Identifier: MIT
"""Shapley values: differences when a part is left out, averaged over all orders of the parts."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError

MAX_EXACT_PARTS: Final = 9
"""Number of parts up to which all sets are evaluated; for more, orders are sampled."""

_ORDERS: Final = 24  # and the same number reversed

Value = Callable[[NDArray[np.bool_]], NDArray[np.float64]]
"""Values (m,) of sets of parts (m, f), True: in the set. The value of the empty set need not be 0.

Or (m, n), for n wholes made of such parts."""


def shapley_values(value: Value, parts: int, *, orders: int | None = None) -> NDArray[np.float64]:
    """Split the value of all parts together, less that of the empty set, among the parts.

        phi_i = sum over sets S without i of |S|! (f - |S| - 1)! / f! (v(S with i) - v(S))

    They sum to ``v(all) - v(none)``. A part that never changes the value gets 0, and parts with equal effects get equal
    shares. If the value is quadratic in the parts, as a squared Mahalanobis distance is in the differences of feature
    families, each part gets its own square and half of its products with the others.

    Parameters
    ----------
    value : callable
        Value of the sets, see `Value`; called once.
    parts : int
        f, at least 1.
    orders : int, optional
        Number of seeded random orders to evaluate, together with their reverses, instead of all sets. Default: all sets
        for up to `MAX_EXACT_PARTS` parts, 24 orders for more. Every order telescopes, so the shares sum exactly; for a
        quadratic value, an order and its reverse give the exact shares.

    Returns
    -------
    ndarray of float64, shape (f,) or (f, n)

    Raises
    ------
    LearnerError
        If there are no parts, or a value is not finite.

    References
    ----------
    L. S. Shapley, "A value for n-person games", 1953. Orders with their reverses: R. Mitchell et al., "Sampling
    permutations for Shapley value estimation", JMLR 2022.

    Examples
    --------
    >>> shapley_values(lambda sets: np.square(sets @ [1.0, 2.0]), 2).tolist()
    [3.0, 6.0]
    """
    if parts < 1:
        raise LearnerError("There are no parts to distribute a value over.")
    return (
        _by_sets(value, parts)
        if orders is None and parts <= MAX_EXACT_PARTS
        else _by_orders(value, parts, orders or _ORDERS)
    )


def _by_sets(value: Value, parts: int) -> NDArray[np.float64]:
    numbers = np.arange(1 << parts)
    sets = (numbers[:, None] >> np.arange(parts)) & 1 == 1
    worth = _finite(value(sets))
    sizes = sets.sum(axis=1)
    weights = np.array([1 / (parts * comb(parts - 1, size)) for size in range(parts)])
    found = np.empty((parts, *worth.shape[1:]))
    for part in range(parts):
        without = numbers[~sets[:, part]]
        found[part] = weights[sizes[without]] @ (worth[without | (1 << part)] - worth[without])
    return found


def _by_orders(value: Value, parts: int, count: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(0)
    drawn = np.stack([rng.permutation(parts) for _ in range(count)])
    orders = np.concatenate([drawn, drawn[:, ::-1]])
    places = np.argsort(orders, axis=1)
    # The sets of the first 0, 1, ..., f parts of each order.
    sets = places[:, None, :] < np.arange(parts + 1)[None, :, None]
    worth = _finite(value(sets.reshape(-1, parts)))
    gains = np.diff(worth.reshape(len(orders), parts + 1, *worth.shape[1:]), axis=1)
    places = places.reshape(*places.shape, *(1 for _ in worth.shape[1:]))
    found: NDArray[np.float64] = np.take_along_axis(gains, places, axis=1).mean(axis=0)
    return found


def _finite(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    if not np.isfinite(worth).all():
        raise LearnerError("A value is NaN or infinite.")
    return np.asarray(worth, dtype=np.float64)
