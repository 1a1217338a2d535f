# SPDX-License-Identifier: MIT
"""The patches of photos: read from the library, or computed for other images."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from typing import Protocol as Interface

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.patches import Patches, PatchStore
from focal_photos.browser.catalog.facts.records import Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.descriptors import decode_limits, local_by_keys, name_of
from focal_photos.browser.operations.jobs.errors import NoPatchesError, OperationError
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.features.decoding.limits import ImageError
from focal_photos.features.description import DescriptionPlan, describe

_FINGERPRINT: Final = 8


@dataclass(frozen=True)
class PhotoPatches:
    """The patches of one photo, one array per kind.

    Attributes
    ----------
    points : tuple of ndarray of float32, each of shape (m, 2)
        x and y in pixels of the working image.
    vectors : tuple of ndarray of float16, each of shape (m, d)
    """

    points: tuple[NDArray[np.float32], ...]
    vectors: tuple[NDArray[np.float16], ...]

    @property
    def counts(self) -> list[int]:
        """Number of patches of each kind."""
        return [len(points) for points in self.points]

    @property
    def kind(self) -> NDArray[np.intp]:
        """Index of the kind of each patch, intp (M,)."""
        return np.repeat(np.arange(len(self.points)), self.counts)

    def __len__(self) -> int:
        return sum(self.counts)

    def fingerprint(self) -> bytes:
        """Return 8 bytes that identify these patches."""
        return fingerprint(self.vectors)


def fingerprint(vectors: Sequence[NDArray[np.float16]]) -> bytes:
    """Return 8 bytes that identify the patches of a photo, given as one array per kind."""
    summary = hashlib.blake2b(repr([len(part) for part in vectors]).encode(), digest_size=_FINGERPRINT)
    for part in vectors:
        summary.update(np.ascontiguousarray(part).data)
    return summary.digest()


class KeepsPatches(Interface):
    """A library, or the view of it on a cluster worker."""

    @property
    def patches(self) -> Patches:
        """The patches of local descriptors."""


class PatchesInFolder:
    """The patches of a library that another process has open, on this or another machine; read-only.

    Raises
    ------
    OperationError
        If the folder is not found.
    """

    def __init__(self, library: Path) -> None:
        folder = library / "derived" / "patches"
        if not folder.is_dir():
            raise OperationError(
                "The patches of the library are not at {0}: connect its drive, and try again. A worker of a "
                "cluster needs the same path to the library.",
                folder,
            )
        self.patches = Patches(folder, read_only=True)


def patch_stores(library: KeepsPatches, keys: Sequence[str]) -> list[PatchStore]:
    """Return the patch stores of keys.

    Raises
    ------
    OperationError
        If the library has no such patches.
    """
    found = []
    for key in keys:
        store = library.patches.open(key)
        if store is None:
            raise OperationError(
                "The library lacks the patches {0}, from which the local distances were learned: "
                "run focal index. If that does not help, train again.",
                name_of(key),
            )
        found.append(store)
    return found


def with_patches(library: Library, keys: Sequence[str], ids: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Return the photos, among `ids` (n,) in their order or else all ascending, that have patches of all kinds.

    A photo without edges counts as having patches.
    """
    rooms = patch_stores(library, keys)
    known = np.sort(rooms[0].ids) if ids is None else ids
    for store in rooms:
        lacking = store.missing(known)
        if len(lacking):
            known = known[~np.isin(known, lacking)]
    return known


def patches_of(library: Library, keys: Sequence[str], photo: Photo) -> PhotoPatches:
    """Return the patches of a photo of the library.

    Raises
    ------
    OperationError
        If they are not known yet, or the photo has none.
    """
    try:
        read = [store.read(photo.id) for store in patch_stores(library, keys)]
    except KeyError:
        if photo.failure is not None:
            raise OperationError("{0} cannot be decoded: {1}", photo.path, photo.failure) from None
        raise OperationError(
            "The patches of {0} are not computed yet: wait until it is indexed, or run focal index.", photo.path.name
        ) from None
    found = PhotoPatches(tuple(points for points, _ in read), tuple(vectors for _, vectors in read))
    if not len(found):
        raise NoPatchesError("{0} has no edge on which to place a patch: it has no local distance.", photo.path.name)
    return found


def patches_outside(library: Library, keys: Sequence[str], source: Path | bytes) -> PhotoPatches:
    """Return the patches of an image outside the library, computed in the same way as the library's.

    Raises
    ------
    OperationError
        If the image cannot be decoded or has no edge, or a fitted descriptor no longer exists.
    """
    what = Text("The image") if isinstance(source, bytes) else str(source)
    found = local_by_keys(library, keys)
    if lost := [name_of(key) for key in keys if key not in found]:
        raise OperationError(
            "The local distances were learned from an earlier version of {0}, which can no longer be "
            "computed for other images: train them again.",
            lost[0],
        )
    plan = DescriptionPlan(tuple(found[key] for key in keys), decode_limits(library), thumbnail_side=None)
    try:
        described = sandbox().call(describe, source, plan, seconds=settings.SECONDS.get(library))
    except ImageError as error:
        raise OperationError("{0} cannot be used as focal image: {1}", what, error) from error
    local = [described.patches[one.name] for one in plan.descriptors]
    # float16 as in the library, so that an image and its copy there are at distance 0.
    made = PhotoPatches(tuple(one.points for one in local), tuple(one.vectors.astype(np.float16) for one in local))
    if not len(made):
        raise NoPatchesError("{0} has no edge on which to place a patch: it has no local distance.", what)
    return made
