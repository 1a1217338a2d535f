# SPDX-License-Identifier: MIT
"""The photos of a step of the trail in their order, as found in the read lane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.catalog.facts.records import Metric, Relation, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.photos.trail import Collection, GridPosition, Step
from focal_photos.browser.operations.duplicates import find_duplicates, stacks
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.browser.operations.ranking.queries.by_judgements import judgements_against, relations_against
from focal_photos.browser.operations.ranking.queries.query import Examples, RegionQuery, TextQuery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.sure_distance import SureDistance
from focal_photos.learners.core.arrays.distinct import without

FIRST_PHOTOS: Final = 1000
"""Number of photos of a new ranking that are shown at once, more than the first screens hold; the rest follows."""

MAX_WHOLE_RANKING: Final = 20_000
"""Rankings of up to this number of photos are shown whole, which takes only milliseconds longer."""

JudgedAgainst = tuple[int, ...] | TextQuery | RegionQuery
"""The query that judgements refer to; see `judged_against`."""


@dataclass(frozen=True)
class Arrangement:
    """The photos of a step."""

    ids: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Photos in the order of the grid, without the focal image; shape (n,)."""
    scores: NDArray[np.float32] | None = None
    """Their distances, if ranked; shape (n,)."""
    metric: Metric | None = None
    focal: PhotoCard | None = None
    marks: dict[int, Verdict] | None = None
    relations: dict[int, frozenset[Relation]] | None = None
    provisional: bool = False
    """Whether rankings improve once the neighbourhoods of all photos are found, or get faster once an index is
    built."""
    by_index: bool = False
    """Whether an index proposed the photos, so that a few missing ones may follow later."""
    why_all: str = ""
    """Why all photos were compared although the library is large enough for an index; otherwise empty."""
    why_cosine: str = ""
    """Why a ranking by a region does not follow the metric; otherwise empty."""
    judgements: int = 0
    """Number of judgements that the order follows."""
    unranked: int = 0
    """Number of photos that are not described yet and so have no place in the ranking."""
    total: int = 0
    """Total number of photos; more than `ids` while the rest is still to be found."""
    seconds: float = 0.0
    """Seconds that finding them took."""
    aspects: NDArray[np.float32] | None = None
    """Width over height of each photo, (n,)."""
    folded: Mapping[int, int] = field(default_factory=dict)
    """Photos that represent their duplicates, with the number of these."""
    weak_from: int | None = None
    """First place in `ids` with weak matches; None if it is unknown or no match is weak."""
    sure: SureDistance | None = None
    """The evidence for `weak_from`."""
    windows: NDArray[np.float32] | None = None
    """In a ranking by a region: the matching part of each photo, (n, 4); see `Ranking`."""


def judged_against(step: Step) -> JudgedAgainst:
    """Return the query that judgements in a step refer to; empty if there is none.

    It is the focal image, the positive examples that are photos of the library, a text, or a part of such a photo.
    """
    if step.focal_id is not None:
        return (step.focal_id,)
    if isinstance(step.query, TextQuery):
        return step.query
    if isinstance(step.query, RegionQuery):
        return step.query if step.query.photo_id is not None else ()
    return step.query.photos if isinstance(step.query, Examples) else ()


def holds(ids: NDArray[np.int64], position: GridPosition) -> bool:
    """Return whether all photos of a position are among ids (n,)."""
    wanted = {position.anchor, position.current, *position.selected} - {None}
    return bool(np.isin(np.array(sorted(wanted), dtype=np.int64), ids).all())  # type: ignore[type-var]


def arrange(library: Library, ranker: Ranker, step: Step, limit: int | None = None) -> Arrangement:
    """Find the photos of a step, or the first `limit` of a ranking; for the read lane.

    Raises
    ------
    QueryError
        If the filter text has a mistake.
    OperationError
        If ranking by the focal image is impossible.
    """
    query = step.query if step.focal_id is None else step.focal_id
    own_id = query.photo_id if isinstance(query, RegionQuery) else step.focal_id
    ranked = query is not None  # ordered by distance
    collection = replace(step.collection, order=Order.FOLDER) if ranked else step.collection
    listed = collection_ids(library, collection)
    if query is None:
        return _stacked(library, listed)
    if len(listed) <= MAX_WHOLE_RANKING or is_local(library.metrics.current()):
        limit = None  # local distances order the beginning by data of all photos
    ranking = ranker.rank(query, among=None if step.collection.everything else listed, limit=limit)
    marks = judgements_against(library, judged_against(step))
    ids, distances, total, windows = ranking.photo_ids, ranking.distances, ranking.total, ranking.windows
    counted = None if isinstance(query, TextQuery | RegionQuery) else ranker.count_sure(ranking)
    surely = 0 if counted is None else counted[0]
    judged = np.fromiter(marks, dtype=np.int64, count=len(marks))
    folded = find_duplicates.fold_ranking(library, ids, judged)
    if folded is not None:
        ids, distances, surely = ids[folded[0]], distances[folded[0]], int(folded[0][:surely].sum())
        windows = None if windows is None else windows[folded[0]]
    if total == len(ranking.photo_ids):
        total = len(ids)
    else:  # the rest is needed, if only to find duplicates of the first photos
        total = max(_total_folded(library, listed[listed != own_id], judged, total), len(ids) + 1)
    lacking = ranker.unranked(query, listed)
    waiting = without(lacking, library.photos.ids("failed")) if len(lacking) else lacking
    return Arrangement(
        ids,
        distances,
        None if isinstance(query, RegionQuery) else ranking.metric,
        None if step.focal_id is None else fetch_cards(library, [step.focal_id]).get(step.focal_id),
        marks,
        relations_against(library, judged_against(step)),
        ranking.provisional or ranking.wants_index,
        ranking.by_index,
        ranking.why_all,
        ranking.why_cosine,
        ranking.judgements,
        int(np.count_nonzero(waiting != own_id)),
        total,
        folded={} if folded is None else folded[1],
        weak_from=surely if counted is not None and surely < len(ids) else None,
        sure=None if counted is None else counted[1],
        windows=windows,
    )


def _stacked(library: Library, listed: NDArray[np.int64]) -> Arrangement:
    """Arrange photos that are not ranked; while they are culled, in stacks."""
    found = stacks.stack(library, listed)
    ids, folded = (listed, {}) if found is None else found
    return Arrangement(ids, total=len(ids), folded=folded)


def _total_folded(library: Library, others: NDArray[np.int64], judged: NDArray[np.int64], total: int) -> int:
    """Return the total number of photos of a ranking after folding all duplicates, even those far behind.

    `others` are the photos without the focal image: its group counts one photo less.
    """
    folded = find_duplicates.fold_ranking(library, others, judged)
    return total if folded is None else total - int(np.count_nonzero(~folded[0]))


def collection_ids(library: Library, collection: Collection) -> NDArray[np.int64]:
    """Return the photos of a collection in its order, unreadable ones last, (n,); for the read lane.

    Raises
    ------
    QueryError
        If the filter text has a mistake.
    """
    ids = library.photos.listed(collection.query, folder=collection.folder)
    if collection.among is not None:
        ids = ids[np.isin(ids, np.array(collection.among, dtype=np.int64))]
    ids = library.photos.sorted(ids, collection.order, collection.seed)
    failed = np.isin(ids, library.photos.ids("failed"))
    return np.concatenate([ids[~failed], ids[failed]]) if failed.any() else ids
