# SPDX-License-Identifier: MIT
"""The families of a library's space: the descriptors that all its photos have."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.store.changes import Kind
from focal_photos.browser.operations.describing.descriptors import ready_descriptors, room_of, vector_store
from focal_photos.features.base import GlobalDescriptor

_ACTIVE: Final = CacheEntry[tuple[GlobalDescriptor, ...]]("families that make the space")

_MIN_SHARE_PRESENT: Final = 0.9
"""Share of the photos that must have a once complete family for it to stay in the space; a few vectors may be lost."""


def space_families(library: Library) -> tuple[GlobalDescriptor, ...]:
    """Return the families of the library's space: those that every described photo has.

    A family that was once complete stays when single vectors are lost; the affected photos must be described again. If
    no family is complete, because all derived data are being recomputed, the families count that most described photos
    have. Missing and failed photos, and those of removed folders, are ignored.
    """
    families = tuple(one for one in ready_descriptors(library) if isinstance(one, GlobalDescriptor))
    stores = [vector_store(library, one) for one in families]
    photos = library.database.stamp(Kind.PHOTOS)
    stamp = (families, photos, _file_stamp(_record(library)), _Identities(store.ids for store in stores))

    def find() -> tuple[GlobalDescriptor, ...]:
        ids = _described(library)
        have = np.array([len(ids) - len(store.missing(ids)) for store in stores], dtype=np.int64)
        whole = have == len(ids) if len(ids) else np.zeros(len(have), dtype=bool)
        nearly = have >= max(1.0, _MIN_SHARE_PRESENT * have.max(initial=0))
        recorded = complete_keys(library) or ()
        counts = whole | (nearly & np.array([store.key in recorded for store in stores], dtype=bool))
        if not counts.any():
            counts = nearly
        return tuple(one for one, counted in zip(families, counts.tolist(), strict=True) if counted)

    if photos is None:
        return find()
    return library.cache.once(_ACTIVE, stamp, find)


def record_complete(library: Library) -> None:
    """Record which descriptors are complete, so that these families stay in the space when single vectors are lost."""
    ids = _described(library)
    if not len(ids) or library.read_only:
        return
    keys = []
    for one in ready_descriptors(library):
        key = str(one.key)
        if not len(room_of(library, one).store(key, one.dimension).missing(ids)):
            keys.append(key)
    if tuple(keys) != complete_keys(library):
        # If the disk is full, there is no record, and only complete families count.
        with suppress(OSError), atomic_file(_record(library)) as stream:
            stream.write(json.dumps({"complete": keys}).encode())


def complete_keys(library: Library) -> tuple[str, ...] | None:
    """Return the keys recorded last by `record_complete`; None without a record."""
    try:
        return tuple(str(key) for key in json.loads(_record(library).read_text())["complete"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _record(library: Library) -> Path:
    return library.path / "derived" / "complete.json"


def _described(library: Library) -> NDArray[np.int64]:
    ids = library.photos.listed("-failed -missing")
    return ids[~np.isin(ids, library.photos.undescribed(ids))]


def _file_stamp(file: Path) -> tuple[int, int] | None:
    """Return a value that changes with a file; None if it does not exist."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class _Identities(tuple[int, ...]):
    """Identities of arrays; references to the arrays prevent the reuse of their ids."""

    arrays: list[NDArray[np.int64]]

    def __new__(cls, arrays: Iterable[NDArray[np.int64]]) -> _Identities:
        held = list(arrays)
        made = super().__new__(cls, (id(array) for array in held))
        made.arrays = held
        return made
