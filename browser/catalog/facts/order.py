"""In what order photos are shown: by folder, name, date, rating or size, or at random."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from focal_photos.browser.catalog.store.database import Database

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


_VALUES = {
    Order.DATE: ("SELECT id FROM photo WHERE taken IS NOT NULL", "SELECT CAST(strftime('%s', taken) AS INTEGER) {}"),
    Order.RATING: ("SELECT photo_id FROM mark WHERE rating IS NOT NULL", "SELECT rating {}"),
    Order.SIZE: ("SELECT id FROM photo", "SELECT bytes {}"),
}
"""For each order by a number: the photos that have one, and the numbers, in the same order."""


def natural_key(name: str) -> list[str | int]:
    """Return what a name is sorted by: letters without their case, and numbers as numbers, so that 2 is before 10.

    Texts and numbers take turns, beginning with a text, so that any two keys can be compared.
    """
    return [int(part) if part.isdecimal() else part.casefold() for part in _NUMBER.split(name)]


def in_order(
    database: Database, ids: NDArray[np.int64], order: Order, *, names: list[str] | None = None, seed: int = 0
) -> NDArray[np.int64]:
    """Return photos in an order; what is equal in it keeps the order that it comes in.

    Parameters
    ----------
    database : Database
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
    which, numbers = _VALUES[order]
    rest = which[which.index("FROM") :] + " ORDER BY " + which.split()[1]
    with database.reading():
        photos = database.integers(which + " ORDER BY " + which.split()[1])
        values = database.integers(numbers.format(rest))
    missing = -(1 << 62) if order is Order.DATE else 0
    size = int(max(ids.max(initial=0), photos.max(initial=0))) + 1
    table = np.full(size, missing, np.int64)
    table[photos] = values
    return ids[np.argsort(-table[ids], kind="stable")]
