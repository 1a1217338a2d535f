# SPDX-License-Identifier: MIT
"""Binary codes of a library's photos, from all descriptors that provide codes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.catalog.cache import Cache, CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import ready_descriptors
from focal_photos.features.base import CodeDescriptor
from focal_photos.learners.core.arrays.distinct import common, distinct
from focal_photos.learners.tags.sign_kernel import agreement


@dataclass(frozen=True)
class Codes:
    """Sources of the codes of photos."""

    stores: tuple[CodeStore, ...]
    """At least one."""
    cache: Cache
    lacking: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), compare=False)
    """Photos that may be requested although they have no code; all bits are 0, as for photos without points; shape
    (k,)."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the descriptors."""
        return tuple(store.key for store in self.stores)

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the codes of photos (q,): uint8 (q, c); KeyError if a photo not in `lacking` has none."""
        if not len(self.lacking):
            return np.concatenate([store.rows(ids) for store in self.stores], axis=1)
        known = ~np.isin(ids, self.lacking)
        found = np.zeros((len(ids), sum(store.dimension for store in self.stores)), np.uint8)
        found[known] = np.concatenate([store.rows(ids[known]) for store in self.stores], axis=1)
        return found

    def agreement(self, ids: NDArray[np.int64], codes: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Return the number of agreeing minus differing bits between photos (n,): int32 (n, n).

        The result for the last photos is cached, up to 36 MB; after a few answers only new photos are compared.

        Parameters
        ----------
        ids : ndarray of int64, shape (n,)
            Ascending.
        codes : ndarray of uint8, shape (n, c)
            Codes of the photos.
        """
        stamp = (self.keys, tuple(store.version for store in self.stores))
        before = self.cache.get(_AGREEMENT, stamp)
        if before is None or len(common(before.ids, ids)) < len(ids) // 2:
            found = agreement(codes)
        else:
            found = np.empty((len(ids), len(ids)), np.int32)
            known = np.isin(ids, before.ids)
            places = np.searchsorted(before.ids, ids[known])
            found[np.ix_(known, known)] = before.products[np.ix_(places, places)]
            if not known.all():
                found[~known] = agreement(codes[~known], codes)
                found[:, ~known] = found[~known].T
        if len(ids) <= _MAX_CACHED_PHOTOS:
            self.cache.put(_AGREEMENT, stamp, _Agreement(ids, found))
        return found


class _Agreement(NamedTuple):
    ids: NDArray[np.int64]
    products: NDArray[np.int32]


_AGREEMENT: Final = CacheEntry[_Agreement]("bits in which tagged photos agree")
_MAX_CACHED_PHOTOS: Final = 3000
_MAX_SHARE_MISSING: Final = 0.05  # share of photos


def codes_of_most(library: Library, ids: NDArray[np.int64], learned_from: NDArray[np.int64]) -> Codes | None:
    """Return codes of photos for learning, or None if there are none.

    Photos missing since before codes were introduced have none. As long as they are few, among all photos and among the
    training photos, the codes of the others are used.

    Parameters
    ----------
    ids, learned_from : ndarray of int64
        All photos, and the training photos among them.
    """
    every = [one for one in ready_descriptors(library) if isinstance(one, CodeDescriptor) and one.kind == "signs"]
    stores = [library.codes.store(str(one.key), one.dimension) for one in every]
    lacks = [store.missing(ids) for store in stores]
    if not len(ids) or not stores:
        return None
    if any(map(len, lacks)):
        present = library.photos.ids("-missing")

        def are_few(lacking: NDArray[np.int64]) -> bool:
            shares = [np.isin(some, lacking).mean() for some in (ids, learned_from) if len(some)]
            return max(shares) <= _MAX_SHARE_MISSING and not np.isin(lacking, present).any()

        kept = [are_few(lacking) for lacking in lacks]
        stores = [store for store, is_used in zip(stores, kept, strict=True) if is_used]
        lacks = [lacking for lacking, is_used in zip(lacks, kept, strict=True) if is_used]
    return Codes(tuple(stores), library.cache, distinct(np.concatenate(lacks))) if stores else None


def codes_of_all(library: Library, ids: NDArray[np.int64]) -> Codes | None:
    """Return the codes that all of these photos have, or None if there are none.

    In a library described before codes were introduced, the next indexing computes them.
    """
    every = [one for one in ready_descriptors(library) if isinstance(one, CodeDescriptor) and one.kind == "signs"]
    stores = [library.codes.store(str(one.key), one.dimension) for one in every]
    whole = tuple(store for store in stores if len(ids) and not len(store.missing(ids)))
    return Codes(whole, library.cache) if whole else None
