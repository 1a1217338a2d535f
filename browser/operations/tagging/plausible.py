"""Photos that may be of a tagged kind, with a space and neighbourhoods fitted to these alone."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.space import coordinates, space_among
from focal_photos.browser.operations.tagging.annotated import some_of
from focal_photos.browser.operations.tagging.foreign_photos import ForeignPhotos
from focal_photos.browser.operations.tagging.neighborhoods import MOST, Neighborhoods
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import ProgressReport, no_report
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import build

TAGGED: Final = 30
"""Minimum number of tagged photos: with fewer, too many foreign photos are not recognised."""

FEWEST: Final = 150
"""Minimum number of plausible photos to which a space is fitted."""

LEAST: Final = 0.1
"""Share of the photos that must be foreign for them to be left out."""

CHANGED: Final = 0.1
"""Number of photos that must have changed sides, as a share of the plausible ones, before these are found again."""

_CHECKED: Final = 1000  # photos of which the changes are counted


@dataclass(frozen=True, eq=False)
class PlausiblePhotos:
    """Space and neighbourhoods of the photos that may be of a tagged kind.

    Attributes
    ----------
    space : FeatureSpace
    coordinates : callable
        Returns the coordinates of any photos in this space, float32 (q, p), for ids (q,).
    neighborhoods : Neighborhoods or None
        None for more than `MOST` photos. Other photos share neighbours with none.
    """

    space: FeatureSpace
    coordinates: Callable[[NDArray[np.int64]], NDArray[np.float32]]
    neighborhoods: Neighborhoods | None


class _State(NamedTuple):
    """The last result, whether it is wide, and which of the checked photos were foreign then."""

    foreign: NDArray[np.bool_]
    wide: bool
    plausible: PlausiblePhotos


_STATE: Final = CacheEntry[_State]("space and neighbourhoods of plausible photos")


def are_left_out(foreign: NDArray[np.bool_], tagged: int, n: int) -> bool:
    """Return whether foreign photos are to be left out.

    Parameters
    ----------
    foreign : ndarray of bool, shape (c,)
        Whether photos of the library, or of a random sample, count as foreign.
    tagged : int
        Number of tagged photos.
    n : int
        Number of photos in the library.
    """
    share = float(foreign.mean())
    return tagged >= TAGGED and share > LEAST and (1 - share) * n >= FEWEST


def find_plausible(
    library: Library,
    looks: MetricGallery,
    foreign: ForeignPhotos,
    tagged: NDArray[np.int64],
    *,
    wide: bool = False,
    progress: ProgressReport = no_report,
) -> PlausiblePhotos | None:
    """Find the photos that may be of a tagged kind: all but those that are likelier foreign than not.

    The space of a library, its scaling and its neighbourhoods depend on all its photos. Photos of another world would
    therefore change which tagged photos a known photo resembles. If more than a tenth of the photos are foreign, tags
    are learned in a space and from neighbourhoods without them. Both are cached until as many photos have changed sides
    as a tenth of the plausible ones, so that few answers in Review move the space. ALGORITHMS.md, 5.13.

    Parameters
    ----------
    library : Library
    looks : MetricGallery
    foreign : ForeignPhotos
    tagged : ndarray of int64, shape (t,)
        Tagged photos, which are plausible.
    wide : bool
        Whether the space has more axes (`ranking.space.prepare_space`).
    progress : callable
        Called with the share done, 0..1; may raise to cancel.

    Returns
    -------
    PlausiblePhotos or None
        None if too few photos are foreign, tagged or plausible, or if a learned metric provides the coordinates.
    """
    n, stamp = len(looks.ids), weakref.ref(looks)
    if looks.loaded.learner is not None or len(tagged) < TAGGED:
        return None
    every = np.sort(looks.ids)
    checked = some_of(every, _CHECKED)
    now = _are_foreign(foreign, checked, tagged)
    before = library.cache.get(_STATE, stamp)
    if before is not None and before.wide == wide:
        changed = np.count_nonzero(now != before.foreign)
        if changed <= CHANGED * np.count_nonzero(~before.foreign):
            return before.plausible
    if not are_left_out(now, len(tagged), n):
        library.cache.forget(_STATE)
        return None
    some = some_of(every, MOST)
    kept = some[~_are_foreign(foreign, some, tagged)]
    with suppress(KeyError):  # a scan found an edited file meanwhile
        found = _fitted(library, looks, kept, wide=wide, progress=progress)
        library.cache.put(_STATE, stamp, _State(now, wide, found))
        return found
    return None


def _are_foreign(foreign: ForeignPhotos, ids: NDArray[np.int64], tagged: NDArray[np.int64]) -> NDArray[np.bool_]:
    return foreign.odds.are_foreign(foreign.signs(ids).log_odds) & ~np.isin(ids, tagged)


def _fitted(
    library: Library, looks: MetricGallery, kept: NDArray[np.int64], *, wide: bool, progress: ProgressReport
) -> PlausiblePhotos:
    """Fit the space to the photos kept, and find their neighbourhoods unless there are too many."""
    space = space_among(library, kept, looks.loaded.space)
    used = space_among(library, kept, looks.loaded.space, wide=True) if wide else space
    found = PlausiblePhotos(used, partial(coordinates, library, used), None)
    if len(looks.ids) > MOST:
        return found
    rows = coordinates(library, space, looks.ids)
    covered = np.flatnonzero(np.isin(looks.ids, kept))
    graph = build(FloatGallery(np.ascontiguousarray(rows[covered])), progress=progress)
    found = replace(found, neighborhoods=Neighborhoods(looks.ids, replace(graph, covered=covered), True))
    if wide:
        return found
    table = looks.row_table
    return replace(found, coordinates=lambda ids: rows[table[ids]])
