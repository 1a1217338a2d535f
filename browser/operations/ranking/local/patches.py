"""The patches of photos, and how far those of one photo are from those of many others."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from browser.catalog.arrays.patches import PatchStore
from browser.catalog.facts.records import Photo
from browser.catalog.library import Library
from browser.operations.describing import settings
from browser.operations.describing.descriptors import limits, local_by_keys, name_of
from browser.operations.jobs.errors import NoPatchesError, OperationError
from browser.operations.workers.sandbox import sandbox
from features.decoding.decode import WORKING_SIDE, ImageError
from features.decoding.pixels import fit_within
from features.description import DescriptionPlan, describe
from features.local.edge_channels import PIXELS
from features.local.elementary_distances import elementary_distances
from features.local.geometric_blur import GeometricBlur
from learners.core.linalg import one_thread

_BLOCK: Final = 128  # photos whose patches are compared at a time
_FINGERPRINT: Final = 8


@dataclass(frozen=True)
class PhotoPatches:
    """The patches of one photo, kind after kind.

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
        """Number of the kind of each patch, intp (M,)."""
        return np.repeat(np.arange(len(self.points)), self.counts)

    def __len__(self) -> int:
        return sum(self.counts)

    def fingerprint(self) -> bytes:
        """Return 8 bytes that are others for other patches."""
        return fingerprint(self.vectors)


def fingerprint(vectors: Sequence[NDArray[np.float16]]) -> bytes:
    """Return 8 bytes that are others for other patches of a photo, given kind after kind."""
    summary = hashlib.blake2b(repr([len(part) for part in vectors]).encode(), digest_size=_FINGERPRINT)
    for part in vectors:
        summary.update(np.ascontiguousarray(part).data)
    return summary.digest()


def stores(library: Library, keys: Sequence[str]) -> list[PatchStore]:
    """Return the patch stores of keys.

    Raises
    ------
    OperationError
        The library has no such patches (any more).
    """
    found = []
    for key in keys:
        store = library.patches.open(key)
        if store is None:
            raise OperationError(
                f"The library lacks the patches {name_of(key)} that the local distances were learned from: run focal "
                "index, or train again if that does not help."
            )
        found.append(store)
    return found


def with_patches(library: Library, keys: Sequence[str], ids: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Return those of some photos whose patches of all kinds are known, int64, in their order; of all, ascending.

    A photo without an edge counts as known.
    """
    rooms = stores(library, keys)
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
        They are not known yet, or the photo has none.
    """
    try:
        read = [store.read(photo.id) for store in stores(library, keys)]
    except KeyError:
        if photo.failure is not None:
            raise OperationError(f"{photo.path} cannot be decoded: {photo.failure}") from None
        raise OperationError(
            f"The patches of {photo.path.name} are not worked out yet: wait until it is indexed, or run focal index."
        ) from None
    found = PhotoPatches(tuple(points for points, _ in read), tuple(vectors for _, vectors in read))
    if not len(found):
        raise NoPatchesError(f"{photo.path.name} has no edge that a patch could lie on: it has no local distance.")
    return found


def patches_outside(library: Library, keys: Sequence[str], source: Path | bytes) -> PhotoPatches:
    """Return the patches of an image from elsewhere, worked out as the library's were.

    Raises
    ------
    OperationError
        It cannot be decoded or has no edge, or what the descriptors learned is not there any more.
    """
    what = "The image" if isinstance(source, bytes) else str(source)
    found = local_by_keys(library, keys)
    if lost := [name_of(key) for key in keys if key not in found]:
        raise OperationError(
            f"The local distances were learned from {lost[0]} as it was then, which cannot be worked out for other "
            "images any more: train them again."
        )
    plan = DescriptionPlan(tuple(found[key] for key in keys), limits(library), thumbnail_side=None)
    try:
        described = sandbox().call(describe, source, plan, seconds=settings.SECONDS.get(library))
    except ImageError as error:
        raise OperationError(f"{what} cannot be used as focal image: {error}") from error
    local = [described.patches[one.name] for one in plan.descriptors]
    # As float16, as the library's are kept: an image and its copy in the library are then at distance 0.
    made = PhotoPatches(tuple(one.points for one in local), tuple(one.vectors.astype(np.float16) for one in local))
    if not len(made):
        raise NoPatchesError(f"{what} has no edge that a patch could lie on: it has no local distance.")
    return made


# ---------------------------------------------------------------- where patches lie
def working_size(photo: Photo) -> tuple[int, int]:
    """Return width and height in pixels of the image that a photo's points lie in.

    Raises
    ------
    OperationError
        The photo was not decoded yet.
    """
    if not photo.width or not photo.height:
        raise OperationError(f"{photo.path.name} was not decoded yet: wait until it is indexed, or run focal index.")
    return fit_within((photo.width, photo.height), WORKING_SIDE)


def shares(points: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """Return points (m, 2) in pixels of the working image as shares 0..1 of its width and height, float32."""
    found: NDArray[np.float32] = np.clip((points + 0.5) / np.array(size, np.float32), 0, 1).astype(np.float32)
    return found


def radius_of(name: str, size: tuple[int, int]) -> float:
    """Return how far a patch of a descriptor reaches, as a share of the longer side of a working image."""
    reduced = min(1.0, math.sqrt(PIXELS / (size[0] * size[1])))
    pixels = {"geometric_blur_large": GeometricBlur().radius, "geometric_blur_small": 42.0}
    reach = next((radius for start, radius in pixels.items() if name.startswith(start)), 8.5)
    return reach / (reduced * max(size))


# ---------------------------------------------------------------- distances
class Candidates:
    """The patches of many photos, ready to be compared with those of others. Any thread may call.

    Patches that lie on the disk in the order in which they were written are read from there; so it matters little how
    many there are.

    Parameters
    ----------
    library : Library
    keys : sequence of str
    ids : ndarray of int64, shape (n,)
        Photos whose patches are known.

    Raises
    ------
    OperationError
        The patches of a photo are gone: it was edited meanwhile.
    """

    def __init__(self, library: Library, keys: Sequence[str], ids: NDArray[np.int64]) -> None:
        self.ids = ids
        self._parts: list[tuple[NDArray[np.float16], NDArray[np.int64], NDArray[np.intp]]] = []
        for store in stores(library, keys):
            wanted = store.ids[np.isin(store.ids, ids)]
            order = np.argsort(ids, kind="stable")
            if len(wanted) != len(ids):
                raise OperationError("Photos were edited meanwhile: wait until they are indexed, then try again.")
            rows = order[np.searchsorted(ids, wanted, sorter=order)]
            try:
                vectors, offsets = store.gather(wanted)
            except KeyError:
                raise OperationError("Photos were edited meanwhile: try again.") from None
            self._parts.append((vectors, offsets, rows))
        self._places = [np.argsort(rows) for _, _, rows in self._parts]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def kinds(self) -> int:
        """Number of kinds of patches."""
        return len(self._parts)

    def vectors(self, row: int) -> list[NDArray[np.float16]]:
        """Return the patches of a candidate, kind after kind."""
        found = []
        for (vectors, offsets, _), place in zip(self._parts, self._places, strict=True):
            i = place[row]
            found.append(vectors[offsets[i] : offsets[i + 1]])
        return found

    def distances(
        self,
        patches: PhotoPatches,
        used: NDArray[np.bool_] | None = None,
        *,
        executor: Executor | None = None,
    ) -> NDArray[np.float32]:
        """Return the elementary distances of the candidates from the patches of a photo.

        Parameters
        ----------
        patches : PhotoPatches
        used : ndarray of bool, shape (M,), optional
            Patches that are compared; all, if not given.
        executor : Executor, optional
            Threads that share the work.

        Returns
        -------
        ndarray of float32, shape (n, number of used patches)
        """
        kept = _split(patches, used)
        widths = [len(vectors) for vectors in kept]
        result = np.empty((len(self.ids), sum(widths)), np.float32)
        tasks: list[tuple[Any, ...]] = []
        start = 0
        for (vectors, offsets, own), focal in zip(self._parts, kept, strict=True):
            columns = slice(start, start + len(focal))
            start = columns.stop
            if not len(focal):
                continue
            for first in range(0, len(own), _BLOCK):
                last = min(first + _BLOCK, len(own))
                tasks.append((result, columns, own[first:last], focal, vectors, offsets[first : last + 1]))
        with one_thread():
            for _ in map(_compare, tasks) if executor is None else executor.map(_compare, tasks):
                pass
        return result


def _compare(task: tuple[Any, ...]) -> None:
    result, columns, rows, focal, vectors, bounds = task
    result[rows, columns] = elementary_distances(focal, vectors[bounds[0] : bounds[-1]], bounds - bounds[0])


def _split(patches: PhotoPatches, used: NDArray[np.bool_] | None) -> list[NDArray[np.float16]]:
    if used is None:
        return list(patches.vectors)
    bounds = np.cumsum([0, *patches.counts])
    return [
        vectors[used[low:high]] for vectors, low, high in zip(patches.vectors, bounds[:-1], bounds[1:], strict=True)
    ]
