# SPDX-License-Identifier: MIT
"""Boxes as rows of numbers: the window of the photo that overlaps most with each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.facts.records import Box, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.queries.by_region import window_store
from focal_photos.browser.operations.ranking.queries.windows import nearest_window, unit_windows
from focal_photos.features.fitted.fisher_windows import WIDTH
from focal_photos.learners.core.linalg import blocks

_BLOCK = 256  # boxes whose photos' windows are in memory at once, as float32: 8 MB


class OnPhoto(Protocol):
    """A region of a photo."""

    @property
    def photo_id(self) -> int:
        """The photo."""

    @property
    def region(self) -> Region:
        """Where it is."""


class DescribedBoxes(NamedTuple):
    """Boxes with their descriptions."""

    boxes: list[Box]
    """The n boxes, by descending id."""
    items: NDArray[np.int64]
    """Their items (`catalog.facts.learning.items`), ascending; shape (n,)."""
    rows: NDArray[np.float32]
    """Of unit length; 0 without points; shape (n, 144)."""


def described_boxes(library: Library) -> DescribedBoxes:
    """Return all boxes of photos that are described for searches by a region.

    No photo is decoded. Boxes of missing photos, and of photos edited to another size since, are left out.

    Raises
    ------
    NoWindowsError
        If photos are not described for searches by a region.
    """
    store = window_store(library)
    boxes = [box for box in reversed(library.boxes.all()) if not box.uncertain]
    photos = np.array([box.photo_id for box in boxes], np.int64)
    here = np.isin(photos, library.photos.ids("-missing")) & ~np.isin(photos, store.missing(np.unique(photos)))
    boxes = [box for box, is_here in zip(boxes, here.tolist(), strict=True) if is_here]
    return DescribedBoxes(boxes, np.array([item_of(box.id) for box in boxes], np.int64), window_rows(store, boxes))


def window_rows(store: CodeStore, boxes: Sequence[OnPhoto]) -> NDArray[np.float32]:
    """Return the window of the photo that overlaps most with each of n drawn or suggested boxes: (n, 144)."""
    rows = np.empty((len(boxes), WIDTH), np.float32)
    for part in blocks(len(boxes), _BLOCK):
        some = boxes[part]
        windows = unit_windows(store, np.array([box.photo_id for box in some], np.int64))
        rows[part] = windows[np.arange(len(some)), [nearest_window(box.region) for box in some]]
    return rows
