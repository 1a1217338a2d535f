"""In what order photos are shown: by folder, name, date, rating or size, or at random."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from focal_photos.browser.catalog.columns.columns import Columns

_NUMBER = re.compile(r"(\d+)")


class Order(StrEnum):
    """How what is shown is sorted, before any ranking."""

    FOLDER = "folder"
    """By path, bytewise."""
    NAME = "name"
    """By the name of the file, numbers in it as numbers, letters without their case."""
    DATE = "date"
    """When they were taken, the newest first; photos without a date last."""
    RATING = "rating"
    """The best first, rejected ones last, behind those without a rating."""
    SIZE = "size"
    """Bytes of the file, the largest first."""
    RANDOM = "random"


def natural_key(name: str) -> list[str | int]:
    """Return what a name is sorted by: letters without their case, and numbers as numbers, so that 2 is before 10.

    Texts and numbers take turns, beginning with a text, so that any two keys can be compared.
    """
    return [int(part) if part.isdecimal() else part.casefold() for part in _NUMBER.split(name)]


def in_order(
    columns: Columns, ids: NDArray[np.int64], order: Order, *, names: list[str] | None = None, seed: int = 0
) -> NDArray[np.int64]:
    """Return photos in an order; what is equal in it keeps the order that it comes in.

    Parameters
    ----------
    columns : Columns
        Of the library, with dates, ratings and sizes.
    ids : ndarray of int64, shape (n,)
        Each once.
    order : Order
    names : list of str, optional
        The names of their files, for `Order.NAME`.
    seed : int
        Another number, another random order.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    import numpy as np

    if order is Order.FOLDER or not len(ids):
        return ids
    if order is Order.NAME:
        keys = [natural_key(name) for name in names or []]
        return ids[sorted(range(len(keys)), key=keys.__getitem__)]
    if order is Order.RANDOM:
        # A photo's place comes from its own number: those that come or go leave the order of the others as it is.
        mixed = (ids.astype(np.uint64) + np.uint64(seed + 1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        return ids[np.argsort(mixed ^ (mixed >> np.uint64(27)), kind="stable")]
    if order is Order.DATE:
        values = columns.dates.now().of(ids, -(1 << 62))
    else:
        values = (columns.ratings if order is Order.RATING else columns.sizes).now().of(ids, 0)
    return ids[largest_first(values)]


def largest_first(values: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the places of numbers (n,) from the largest down, equal ones in the order that they come in.

    The place is made a part of the number where there is room: what is different sorts several times faster than what
    must keep its order.
    """
    import numpy as np

    n, known = len(values), values > -(1 << 62)
    if not known.any():
        return np.arange(n)
    least, most = int(values[known].min()), int(values[known].max())
    if (most - least + 2) * n >= 1 << 63:
        return np.argsort(-values, kind="stable")
    after = np.where(known, most - values, most - least + 1)
    after *= n
    after += np.arange(n)
    return np.argsort(after)
