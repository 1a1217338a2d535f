# SPDX-License-Identifier: MIT
"""Rank photos by a region of an image: by their most similar window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import simsimd
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.catalog.facts.records import RegionJudgement, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import descriptors, settings
from focal_photos.browser.operations.describing.enabled import change_enabled, enabled_names
from focal_photos.browser.operations.jobs.errors import ForeignImageError, OperationError
from focal_photos.browser.operations.ranking.queries import window_relevance
from focal_photos.browser.operations.ranking.queries.query import RegionQuery
from focal_photos.browser.operations.ranking.queries.window_relevance import JudgedWindows
from focal_photos.browser.operations.ranking.queries.windows import nearest_window, unit_windows
from focal_photos.browser.operations.ranking.queries.windows import overlaps as overlaps
from focal_photos.browser.operations.workers.sandbox import decode_in_sandbox
from focal_photos.features.decoding.limits import WORKING_SIDE, ImageError
from focal_photos.features.fitted.fisher_windows import WIDTH, WINDOWS, FisherWindows
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.core.linalg import nearest_first

_BLOCK: Final = 512  # photos compared at a time, so that their distances stay in the processor's cache
_MAX_INT8: Final = 127


class NoWindowsError(OperationError):
    """The library's photos are not described for searches by a region."""


class RegionRanking(NamedTuple):
    """Photos ranked by their most similar window."""

    ids: NDArray[np.int64]
    """Most similar first; ties by id; shape (n,)."""
    distances: NDArray[np.float32]
    """1 - the cosine of the region and the window, 0..2, ascending. With judgements or a metric: 1 - relevance, at
    least 0 (`window_relevance`); shape (n,)."""
    windows: NDArray[np.float32]
    """Left, top, right and bottom of the window as shares of the photo's sides, after EXIF orientation; shape (n,
    4)."""


def prepares_regions(library: Library) -> bool:
    """Return whether photos are described for searches by a region."""
    return FisherWindows.name in enabled_names(library)


def prepare_regions(library: Library) -> None:
    """Let the next indexing describe photos for searches by a region."""
    change_enabled(library, on=[FisherWindows.name])


def nearest_to_region(
    library: Library,
    query: RegionQuery,
    allowed: NDArray[np.int64] | None = None,
    *,
    judgements: Sequence[RegionJudgement] = (),
    learner: DistanceLearner | None = None,
) -> RegionRanking:
    """Rank photos by their most similar window.

    Photos that are not described for searches by a region are absent, and so is the photo of the query.

    With judgements or a metric, the 2,000 photos nearest by the cosine, to the region moved towards the windows judged
    similar and away from the dissimilar ones, are ranked by relevance (`window_relevance.relevance`). The rest follow
    in the order of the cosine.

    Parameters
    ----------
    allowed : ndarray of int64, shape (n,), optional
        Photos that may be in the ranking; default: all.
    judgements : sequence of RegionJudgement
        Judgements against the region, oldest first; those on photos without windows have no effect.
    learner : DistanceLearner, optional
        Metric of windows, fitted to rows of unit length (n, 144).

    Raises
    ------
    NoWindowsError
        If no photo is described for searches by a region.
    ForeignImageError
        If the image cannot be decoded.
    OperationError
        If the region shows neither shapes nor colours.
    """
    descriptor = window_descriptor(library)
    store = library.codes.store(str(descriptor.key), descriptor.dimension)
    ids = store.ids
    if not len(ids):
        raise _nothing_yet()
    if allowed is not None:
        ids = ids[np.isin(ids, allowed)]
    if query.photo_id is not None:
        ids = ids[ids != query.photo_id]
    values = _region_values(library, descriptor, query)
    judged = _judged_windows(store, judgements)
    if learner is None and not len(judged.rows):
        return rank_windows(store, ids, values)
    return rank_judged(store, ids, values, judged, learner)


def rank_judged(
    store: CodeStore,
    ids: NDArray[np.int64],
    values: NDArray[np.int8],
    judged: JudgedWindows,
    learner: DistanceLearner | None = None,
) -> RegionRanking:
    """Rank photos by their most relevant window.

    Parameters
    ----------
    store : CodeStore
        Codes of windows.
    ids : ndarray of int64, shape (n,)
        Photos in the store.
    values : ndarray of int8, shape (144,)
        Values of the region, on any scale.
    learner : DistanceLearner, optional
        Metric of windows.
    """
    wanted = values.astype(np.float32)
    region: NDArray[np.float32] = wanted / np.float32(np.linalg.norm(wanted))
    near = window_relevance.sought(region, judged)
    found = rank_windows(store, ids, _scaled(near))
    first, rest = found.ids[: window_relevance.RERANKED_PHOTOS], slice(window_relevance.RERANKED_PHOTOS, None)
    relevant, windows = window_relevance.relevance(store, first, near, region, judged, learner)
    order, distances = nearest_first(np.maximum(1 - relevant, 0), first)
    places = np.empty(int(first.max(initial=0)) + 1, np.intp)
    places[first] = windows
    return RegionRanking(
        np.concatenate([order, found.ids[rest]]),
        np.concatenate([distances, np.maximum(found.distances[rest], distances.max(initial=0))]),
        np.concatenate([WINDOWS[places[order]], found.windows[rest]]),
    )


def _judged_windows(store: CodeStore, judgements: Sequence[RegionJudgement]) -> JudgedWindows:
    """Return the window that overlaps most with each judged region."""
    lacking = set(store.missing(np.array([one.other_id for one in judgements], np.int64)).tolist())
    used = [one for one in judgements if one.other_id not in lacking][-window_relevance.MAX_JUDGED :]
    rows = unit_windows(store, np.array([one.other_id for one in used], np.int64))
    windows = [nearest_window(one.other_region) for one in used]
    return JudgedWindows(
        rows[np.arange(len(used)), windows], np.array([one.verdict is Verdict.SIMILAR for one in used], np.bool_)
    )


def rank_windows(store: CodeStore, ids: NDArray[np.int64], values: NDArray[np.int8]) -> RegionRanking:
    """Rank photos by their most similar window.

    Parameters
    ----------
    store : CodeStore
        Codes of windows.
    ids : ndarray of int64, shape (n,)
        Photos in the store.
    values : ndarray of int8, shape (144,)
        Values of the region, on any scale.
    """
    distances, best = np.empty(len(ids), np.float32), np.empty(len(ids), np.intp)
    for start in range(0, len(ids), _BLOCK):
        part = slice(start, start + _BLOCK)
        rows = store.rows(ids[part]).view(np.int8).reshape(-1, WIDTH)
        found = np.asarray(simsimd.cdist(values[None], rows, "cosine"))[0].reshape(-1, len(WINDOWS))
        best[part] = found.argmin(axis=1)
        distances[part] = found.min(axis=1)
    order, ordered = nearest_first(distances, ids)
    places = np.empty(int(ids.max(initial=0)) + 1, np.intp)
    places[ids] = best
    return RegionRanking(order, ordered, WINDOWS[places[order]])


def window_store(library: Library) -> CodeStore:
    """Return the codes of the photos' windows; raises `NoWindowsError` as `window_descriptor` does."""
    descriptor = window_descriptor(library)
    return library.codes.store(str(descriptor.key), descriptor.dimension)


def without_windows(library: Library, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the photos among `ids` (n,) that are not described for searches by a region."""
    descriptor = window_descriptor(library)
    return library.codes.store(str(descriptor.key), descriptor.dimension).missing(ids)


def window_descriptor(library: Library) -> FisherWindows:
    """Return the library's descriptor of windows.

    Raises
    ------
    NoWindowsError
        If it is not in use, or not fitted yet.
    """
    for one in descriptors.ready_descriptors(library):
        if isinstance(one, FisherWindows):
            return one
    if prepares_regions(library):
        raise _nothing_yet()
    raise NoWindowsError(
        "Photos are not described for searches by a region: run focal descriptors --on {0}, then focal index.",
        FisherWindows.name,
    )


def _nothing_yet() -> NoWindowsError:
    return NoWindowsError("No photo is described for searches by a region yet: run focal index.")


def _region_values(library: Library, descriptor: FisherWindows, query: RegionQuery) -> NDArray[np.int8]:
    """Return the values (144,) of the query's region, scaled like those of windows.

    If the file of a photo is missing, the window that overlaps most with the region is used.
    """
    source = query.source
    if isinstance(source, int):
        (photo,) = library.photos.get([source])
        if photo.missing:
            store = library.codes.store(str(descriptor.key), descriptor.dimension)
            if len(store.missing([source])):
                raise OperationError("{0} is missing: connect its drive, or choose another photo.", photo.path)
            values = store.rows([source]).view(np.int8).reshape(-1, WIDTH)
            stored: NDArray[np.int8] = values[nearest_window(query.region)].copy()
            return stored
        source = photo.path
    try:
        image = decode_in_sandbox(
            source,
            side=WORKING_SIDE,
            limits=descriptors.decode_limits(library),
            seconds=settings.SECONDS.get(library),
        )
    except ImageError as error:
        what = Text("The image") if isinstance(source, bytes) else str(source)
        raise ForeignImageError("{0} cannot be used as focal image: {1}", what, error) from error
    region = query.region
    found = descriptor.of_region(image, (region.x0, region.y0, region.x1, region.y1))
    if not found.any():
        raise OperationError("The region shows nothing that can be compared: draw a larger one.")
    return _scaled(found)


def _scaled(values: NDArray[np.float32]) -> NDArray[np.int8]:
    scaled: NDArray[np.int8] = np.rint(values * (_MAX_INT8 / float(np.abs(values).max()))).astype(np.int8)
    return scaled
