# SPDX-License-Identifier: MIT
"""Items: photos and boxes, each named by one number, so that the same code handles both.

A photo is named by its id, and a box by the negative of its id.
"""

from __future__ import annotations

from collections.abc import Iterable


def item_of(box_id: int) -> int:
    """Return the item of a box."""
    return -box_id


def box_ids_of(items: Iterable[int]) -> list[int]:
    """Return the ids of the boxes among items, in order."""
    return [-item for item in items if item < 0]
