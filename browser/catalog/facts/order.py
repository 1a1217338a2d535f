# SPDX-License-Identifier: MIT
"""Sort orders of photos: by folder, name, date, rating or size, or random."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from focal_photos.browser.catalog.columns.columns import Columns

_NUMBER = re.compile(r"(\d+)")


class Order(StrEnum):
    """Sort order of the shown photos, before any ranking."""

    FOLDER = "folder"
    """By path, bytewise."""
    NAME = "name"
    """By file name, case-insensitive, with digits compared as numbers."""
    DATE = "date"
    """By capture date, newest first; photos without a date last."""
    RATING = "rating"
    """By rating, best first, then unrated photos, then rejected ones."""
    SIZE = "size"
    """By file size, largest first."""
    RANDOM = "random"


def natural_key(name: str) -> list[str | int]:
    """Return the sort key of a name: case-insensitive, with digits compared as numbers, so that 2 is before 10.

    Texts and numbers alternate, beginning with a text, so that any two keys are comparable.
    """
    return [int(part) if part.isdecimal() else part.casefold() for part in _NUMBER.split(name)]


def in_order(
    columns: Columns, ids: NDArray[np.int64], order: Order, *, names: list[str] | None = None, seed: int = 0
) -> NDArray[np.int64]:
    """Sort photos; the sort is stable.

    Parameters
    ----------
    ids : ndarray of int64, shape (n,)
        Photo ids, each once.
    names : list of str, optional
        File names of the photos, for `Order.NAME`.
    """
    if order is Order.FOLDER or not len(ids):
        return ids
    if order is Order.NAME:
        keys = [natural_key(name) for name in names or []]
        return ids[sorted(range(len(keys)), key=keys.__getitem__)]
    if order is Order.RANDOM:
        # The place depends on the photo's id alone, so added or removed photos do not change the order of the others.
        mixed = (ids.astype(np.uint64) + np.uint64(seed + 1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        return ids[np.argsort(mixed ^ (mixed >> np.uint64(27)), kind="stable")]
    if order is Order.DATE:
        values = columns.dates.now().of(ids, -(1 << 62))
    else:
        values = (columns.ratings if order is Order.RATING else columns.sizes).now().of(ids, 0)
    return ids[largest_first(values)]


def largest_first(values: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the indices that sort numbers (n,) in descending order, stably.

    Where it fits, the index is encoded into the number: distinct numbers need no stable sort, which is several times
    slower.
    """
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
