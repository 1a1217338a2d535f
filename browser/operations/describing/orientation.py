# SPDX-License-Identifier: MIT
"""Measure without tags whether the photos of a library have an "up"."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.descriptors import ready_descriptors, vector_store
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.features.base import GlobalDescriptor
from focal_photos.learners.core.linalg import sqd

MIN_PHOTOS: Final = 500
"""Number of photos from which the measure is meaningful."""

_SAMPLE: Final = 1000
_MIN_UPRIGHT_SHARE: Final = 0.58
"""Share of upright neighbours from which photos have an up (ALGORITHMS.md, 12.8)."""


_REPORTED: Final = "descriptors.no_up_told"


def newly_without_up(library: Library) -> Job[bool]:
    """Return whether the photos have no "up" according to `have_no_up`; a library returns True once."""
    if library.read_only or library.settings.get(_REPORTED, False):
        return False
    found = yield from in_thread(Text("Comparing photos with rotated ones"), lambda _: have_no_up(library), keeps=False)
    if found:
        library.settings.set(_REPORTED, True)
    return found


def have_no_up(library: Library) -> bool:
    """Return whether the photos of a library have no consistent "up", although it describes them as if they had.

    In a sample of 1,000 photos, each photo's nearest other photo is compared with its nearest other photo rotated by
    180 degrees. Without an up, either is nearer equally often. The vectors of the rotated photos are computed from
    stored ones, for the descriptors that allow it; any of them may show an up.
    """
    if settings.ANY_ROTATION.get(library):
        return False
    shares = [
        share
        for one in ready_descriptors(library)
        if isinstance(one, GlobalDescriptor) and (share := _upright_share(library, one)) is not None
    ]
    return bool(shares) and max(shares) < _MIN_UPRIGHT_SHARE


def _upright_share(library: Library, one: GlobalDescriptor) -> float | None:
    """Return the share of photos whose nearest other photo is upright; None if a descriptor does not show it."""
    store = vector_store(library, one)
    if len(store) < MIN_PHOTOS or one.upside_down(np.zeros((1, one.dimension), np.float32)) is None:
        return None
    ids = np.random.default_rng(0).permutation(np.sort(store.ids))[:_SAMPLE]
    rows = np.asarray(store.rows(ids), np.float32)
    rotated = one.upside_down(rows)
    assert rotated is not None
    return upright_share(rows, rotated)


def upright_share(upright: NDArray[np.float32], rotated: NDArray[np.float32]) -> float:
    """Return the share of photos that are nearer to another upright photo than to another rotated one; ties are halves.

    Parameters
    ----------
    upright, rotated : ndarray of float32, shape (n, d)
        Vectors of the same photos, upright and rotated; n >= 2.
    """
    nearest = []
    for others in (upright, rotated):
        distances = sqd(upright, others)
        np.fill_diagonal(distances, np.inf)
        nearest.append(distances.min(axis=1))
    near, far = nearest
    return float(np.mean((near < far) + 0.5 * (near == far)))
