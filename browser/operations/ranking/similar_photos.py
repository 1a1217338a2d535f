# SPDX-License-Identifier: MIT
"""Support for ``similar:`` in the filter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking import ranker as rankers

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_FOUND: Final = 100
"""Number of photos that ``similar:`` finds, including the photo itself.

The number is fixed because distances have a different unit under each metric, and because the end of the sure photos
depends on the library: a filter by either could find all photos today and none after the next training.
"""


def let_filter_rank(library: Library, ranker: rankers.Ranker | None = None) -> None:
    """Enable ``similar:`` in the filter of a library, using the current metric.

    Parameters
    ----------
    ranker : Ranker, optional
        The window's ranker; default: one made on first use.
    """
    made = [] if ranker is None else [ranker]

    def similar(photo_id: int) -> NDArray[np.int64]:
        if not made:
            made.append(rankers.Ranker(library, once=True))
        try:
            ids = made[0].rank(photo_id, limit=MAX_FOUND - 1).photo_ids
        except OperationError as error:
            raise LibraryError(str(error)) from error
        return np.append(ids, photo_id)

    library.photos.similar = similar
