"""What the filter's ``similar:`` finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.operations.jobs.errors import OperationError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from focal_photos.browser.operations.ranking.ranker import Ranker

MOST: Final = 100
"""Photos that are similar to one, itself among them.

A number, not a distance: distances have other units under each metric, and where a ranking stops being sure follows the
photos that one has, so that a filter by either would find all of them today and none after the next training.
"""


def let_filter_rank(library: Library, ranker: Ranker | None = None) -> None:
    """Let the filter of a library understand ``similar:``, by the current metric.

    Parameters
    ----------
    library : Library
    ranker : Ranker, optional
        That of the window; one is made when it is asked for the first time, if not given.
    """
    made = [] if ranker is None else [ranker]

    def similar(photo_id: int) -> NDArray[np.int64]:
        import numpy as np  # here: most commands never rank

        from focal_photos.browser.operations.ranking.ranker import Ranker

        if not made:
            made.append(Ranker(library, once=True))
        try:
            ids = made[0].rank(photo_id, limit=MOST - 1).photo_ids
        except OperationError as error:
            raise LibraryError(str(error)) from error
        return np.append(ids, photo_id)

    library.photos.similar = similar
