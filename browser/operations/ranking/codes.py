"""The codes of a library's photos, of all descriptors that give some side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import ready_descriptors
from focal_photos.features.base import CodeDescriptor


@dataclass(frozen=True)
class Codes:
    """What gives the codes of photos.

    Attributes
    ----------
    stores : tuple of CodeStore
        At least one.
    """

    stores: tuple[CodeStore, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Of the descriptors."""
        return tuple(store.key for store in self.stores)

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the codes of photos (q,): uint8 (q, c); a KeyError if one has none."""
        return np.concatenate([store.rows(ids) for store in self.stores], axis=1)


def codes_of_all(library: Library, ids: NDArray[np.int64]) -> Codes | None:
    """Return the codes that all of these photos have; None where there are none.

    In a library that was described before there were codes they come with the next indexing.
    """
    every = [one for one in ready_descriptors(library) if isinstance(one, CodeDescriptor)]
    stores = [library.codes.store(str(one.key), one.dimension) for one in every]
    whole = tuple(store for store in stores if len(ids) and not len(store.missing(ids)))
    return Codes(whole) if whole else None
