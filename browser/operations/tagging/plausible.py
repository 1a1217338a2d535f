# SPDX-License-Identifier: MIT
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
from focal_photos.browser.operations.tagging.neighborhoods import MAX_PHOTOS, Neighborhoods
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import ProgressReport, no_report
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import build

TAGGED: Final = 30
"""Minimum number of tagged photos: with fewer, too many foreign photos are not recognised."""

MIN_PHOTOS: Final = 150
"""Minimum number of plausible photos to which a space is fitted."""

MIN_FOREIGN_SHARE: Final = 0.1
"""Share of the photos, of the library and of their folder, that must be foreign for them to be left out."""

CHANGED: Final = 0.1
"""Number of photos that must have changed sides, as a share of the plausible ones, for new neighbourhoods."""

MOVED: Final = 0.5
"""The same for a new space, which takes ten times as long to fit."""

_CHECKED: Final = 1000  # photos of which the changes are counted
_FITTED: Final = 1000  # photos to which the space is fitted, in half a second


@dataclass(frozen=True, eq=False)
class PlausiblePhotos:
    """Space and neighbourhoods of the photos that may be of a tagged kind."""

    space: FeatureSpace
    coordinates: Callable[[NDArray[np.int64]], NDArray[np.float32]]
    """Returns the coordinates of any photos in this space, float32 (q, p), for ids (q,)."""
    neighborhoods: Neighborhoods | None
    """None for more than `MAX_PHOTOS` photos. Other photos share neighbours with none."""


class _LastResult(NamedTuple):
    """The last result, and the axes, rows and foreign photos that it was found with.

    `foreign` are the checked photos that were foreign when the neighbourhoods were found, `fitted` those when the space
    was fitted. `rows` are the coordinates of all photos in the space of the neighbourhoods, None if there are too many.
    """

    foreign: NDArray[np.bool_]
    fitted: NDArray[np.bool_]
    wide: bool
    rows: NDArray[np.float32] | None
    plausible: PlausiblePhotos


_LAST_RESULT: Final = CacheEntry[_LastResult]("space and neighbourhoods of plausible photos")


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
    return tagged >= TAGGED and share > MIN_FOREIGN_SHARE and (1 - share) * n >= MIN_PHOTOS


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
    are learned in a space and from neighbourhoods without them; a folder with fewer is not divided. The neighbourhoods
    are cached until as many photos have changed sides as a tenth of the plausible ones, the space until half as many
    have, so that few answers in Review move it. ALGORITHMS.md, 5.13.

    Parameters
    ----------
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
    before = library.cache.get(_LAST_RESULT, stamp)
    if before is not None and before.wide != wide:
        before = None
    if before is not None and not _changed(now, before.foreign, CHANGED):
        return before.plausible
    if not are_left_out(now, len(tagged), n):
        library.cache.forget(_LAST_RESULT)
        return None
    some = some_of(every, MAX_PHOTOS)
    plausible = some[~_are_foreign(foreign, some, tagged)]
    with suppress(KeyError):  # a scan found an edited file meanwhile
        if before is None or _changed(now, before.fitted, MOVED):
            found, rows, fitted = *_in_space(library, looks, plausible, wide=wide), now
        else:
            found, rows, fitted = before.plausible, before.rows, before.fitted
        if rows is not None:
            found = replace(found, neighborhoods=_neighborhoods(looks.ids, rows, plausible, progress))
        library.cache.put(_LAST_RESULT, stamp, _LastResult(now, fitted, wide, rows, found))
        return found
    return None


def _changed(now: NDArray[np.bool_], then: NDArray[np.bool_], least: float) -> bool:
    """Return whether more photos changed sides than a share of those that were plausible."""
    return bool(np.count_nonzero(now != then) > least * np.count_nonzero(~then))


def _are_foreign(foreign: ForeignPhotos, ids: NDArray[np.int64], tagged: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which photos (q,) are left out, given the shares of foreign photos in their folders."""
    shares = foreign.shares(ids)
    found = foreign.odds.are_foreign(foreign.signs(ids).log_odds, shares)
    return found & (shares > MIN_FOREIGN_SHARE) & ~np.isin(ids, tagged)


def _in_space(
    library: Library, looks: MetricGallery, plausible: NDArray[np.int64], *, wide: bool
) -> tuple[PlausiblePhotos, NDArray[np.float32] | None]:
    """Fit the space to photos; return it, and the rows among which neighbours are searched."""
    some = some_of(plausible, _FITTED)
    space = space_among(library, some, looks.loaded.space)
    rows = coordinates(library, space, looks.ids) if len(looks.ids) <= MAX_PHOTOS else None
    if wide:
        space = space_among(library, some, looks.loaded.space, wide=True)
    if wide or rows is None:
        return PlausiblePhotos(space, partial(coordinates, library, space), None), rows
    table, every = looks.row_table, rows
    return PlausiblePhotos(space, lambda ids: every[table[ids]], None), rows


def _neighborhoods(
    ids: NDArray[np.int64], rows: NDArray[np.float32], plausible: NDArray[np.int64], progress: ProgressReport
) -> Neighborhoods:
    """Return the neighbourhoods of photos, searched among the plausible ones."""
    covered = np.flatnonzero(np.isin(ids, plausible))
    graph = build(FloatGallery(np.ascontiguousarray(rows[covered])), progress=progress)
    return Neighborhoods(ids, replace(graph, covered=covered), True)
