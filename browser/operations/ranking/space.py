# SPDX-License-Identifier: MIT
"""The feature space on which all metrics are built: fitted to the library's photos, saved, and refitted as it grows."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.vectors import VectorStore
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text, counted
from focal_photos.browser.operations.describing.descriptors import vector_store
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.jobs.errors import NothingIndexedError
from focal_photos.browser.operations.jobs.progress import Job, finish
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.cached_numbers import cached_number
from focal_photos.browser.operations.ranking.learner_file import write_learners
from focal_photos.features.base import GlobalDescriptor
from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace
from focal_photos.learners.persistence import PersistenceError, load

_COMPONENTS: Final = 32  # of families that do not specify their number
_WHITENING: Final = 0.5
_SAMPLE: Final = 5000  # photos to which a space is fitted
_COLORLESS: Final = 0.95  # share of photos without colours from which colour families are left out
_STILL_COLORLESS: Final = 0.9  # share down to which they stay left out
_FOREGROUND: Final = 1.3  # contrast of the middle to the border from which photos show a foreground
_STILL_FOREGROUND: Final = 1.25  # contrast down to which they still do
_LOOKED_AT: Final = 1000  # photos checked for colours and foreground
_BLOCK: Final = 2048  # photos whose descriptors are in memory at once
_WIDE_COMPONENTS: Final = 128  # components of every family in the wide space
_WIDE_SAMPLE: Final = 2000  # photos to which the wide space is fitted: fewer than the widest family has columns
_NAME: Final = re.compile(r"(wide-)?space-(\d+)(?:-[0-9a-f]+)?\.npz")  # contains the number of photos when fitted


def stores(library: Library, keys: Sequence[str] | None = None) -> list[VectorStore]:
    """Return the vector stores of descriptors.

    Parameters
    ----------
    keys : sequence of str, optional
        Keys of present or former descriptors; default: those of the families in the space.

    Raises
    ------
    KeyError
        If there are no vectors of a key.
    """
    if keys is None:
        return [vector_store(library, one) for one in space_families(library)]
    found = []
    for key in keys:
        store = library.vectors.open(key)
        if store is None:
            raise KeyError(f"The library has no vectors {key}.")
        found.append(store)
    return found


def described(library: Library, keys: Sequence[str] | None = None) -> NDArray[np.int64]:
    """Return the ids of the photos that have all descriptors, in the order of description; int64, (n,).

    Parameters
    ----------
    keys : sequence of str, optional
        See `stores`.
    """
    try:
        first, *others = stores(library, keys)
    except (KeyError, ValueError):
        return np.empty(0, dtype=np.int64)
    ids = first.ids
    for store in others:
        lacking = store.missing(ids)
        if len(lacking):
            ids = ids[~np.isin(ids, lacking)]
    return ids


def current_space(library: Library) -> FeatureSpace:
    """Return the library's feature space.

    It is fitted to a seeded sample of the photos and saved in ``derived/``. It is fitted again when its families or
    their parameters change, or when the number of photos has doubled. Families that need colours are left out if nearly
    all photos have none. The salient family of shape weighs more if the middle of the photos stands out from their
    borders. A read-only library keeps its space as long as the families are the same.

    Raises
    ------
    NothingIndexedError
        If no photo is described yet.
    """
    return finish(prepare_space(library))


def prepare_space(library: Library, *, wide: bool = False) -> Job[FeatureSpace]:
    """Return the same as `current_space` as a job, because fitting takes seconds.

    Parameters
    ----------
    wide : bool
        Whether to return the space for tags: the same families with 128 axes each. Rankings get worse with that many
        axes, while learners that know which of them matter get better (ALGORITHMS.md, 5.7).
    """
    every = space_families(library)
    ids = described(library, [str(one.key) for one in every])
    if not len(ids):
        raise _nothing_indexed(library)
    folder = library.path / "derived"
    wanted, *others = _suitable(library, every, ids, wide=wide)
    for count, file in _space_files(folder, wide):
        if 2 * count <= len(ids):
            continue
        try:
            space = load(file)["space"]
        except (PersistenceError, KeyError):
            continue  # derived data: damaged files are made again
        if isinstance(space, FeatureSpace) and any(
            _made_alike(space, one, by_names_only=library.read_only) for one in (wanted, *others)
        ):
            return space
    chosen = np.sort(ids)
    if len(chosen) > wanted.sample:
        chosen = np.sort(np.random.default_rng(0).choice(chosen, wanted.sample, replace=False))

    def fit(report: Callable[[float], None]) -> FeatureSpace:
        rows = library.vectors.matrix(stores(library, [family.name for family in wanted.families]), chosen)
        return wanted.fit(rows, progress=report)

    space = yield from in_thread(Text("Preparing the ranking"), fit, keeps=False)
    if not library.read_only:
        name = f"{'wide-' if wide else ''}space-{len(ids)}-{space.digest_[:8]}.npz"
        _keep(library, space, folder / name, wide)
    return space


def space_among(library: Library, ids: NDArray[np.int64], like: FeatureSpace, *, wide: bool = False) -> FeatureSpace:
    """Return a space fitted to some photos alone, with the families of another space; it is not saved.

    Parameters
    ----------
    ids : ndarray of int64, shape (n,)
        At least one described photo.
    like : FeatureSpace
        The library's space.
    wide : bool
        See `prepare_space`.

    Raises
    ------
    KeyError
        If a photo lacks a descriptor.
    """
    names = {family.name for family in like.families}
    descriptors = [one for one in space_families(library) if str(one.key) in names]
    rows = library.vectors.matrix(stores(library, [str(one.key) for one in descriptors]), np.sort(ids))
    return unfitted_space(descriptors, wide=wide, foreground=shows_foreground(descriptors, rows)).fit(rows)


def left_out(library: Library) -> frozenset[str]:
    """Return the keys of colour families that were left out of the space because photos lack colours."""
    families = space_families(library)
    rest = {str(one.key) for one in families if not one.needs_color}
    for _, file in _space_files(library.path / "derived"):
        with suppress(PersistenceError, KeyError):
            space = load(file)["space"]
            if isinstance(space, FeatureSpace):
                without = {family.name for family in space.families} == rest
                return frozenset(str(one.key) for one in families if one.needs_color and without)
    return frozenset()


def _nothing_indexed(library: Library) -> NothingIndexedError:
    lost = len(library.photos.listed("-failed -missing"))
    if not lost:
        return NothingIndexedError("No photo is indexed yet: index a folder with photos first.")
    return NothingIndexedError(
        "The descriptions of {0} are missing: run focal index, or open the window again.",
        counted(lost, "1 photo", "{0} photos"),
    )


def space_key(space: FeatureSpace) -> str:
    """Return the key under which coordinates in a space are stored."""
    return f"space-{space.digest_}"


def coordinates(library: Library, space: FeatureSpace, ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the coordinates of photos.

    Stored coordinates (see `ranking.galleries.gallery`) are read; the others are computed in blocks.

    Parameters
    ----------
    ids : ndarray of int64, shape (n,)
        Described photos.

    Returns
    -------
    ndarray of float32, shape (n, p)

    Raises
    ------
    KeyError
        If a photo lacks a descriptor, or a descriptor no longer exists.
    """
    width = space.families_[-1].stop
    key = space_key(space)
    result = np.empty((len(ids), width), dtype=np.float32)
    lacking = np.arange(len(ids))
    if key in library.vectors.keys():  # noqa: SIM118 - no mapping
        store = library.vectors.store(key, width)
        missing = store.missing(ids)
        if not len(missing):
            return store.rows(ids)
        is_missing = np.isin(ids, missing)
        lacking = np.flatnonzero(is_missing)
        result[~is_missing] = store.rows(ids[~is_missing])
    sources = stores(library, [family.name for family in space.families])
    for start in range(0, len(lacking), _BLOCK):
        places = lacking[start : start + _BLOCK]
        result[places] = space.transform(library.vectors.matrix(sources, ids[places]))
    return result


def unfitted_space(
    descriptors: Sequence[GlobalDescriptor],
    names: Sequence[str] | None = None,
    *,
    wide: bool = False,
    foreground: bool = False,
) -> FeatureSpace:
    """Return the unfitted space of descriptors: half whitened, scaled to unit length.

    Parameters
    ----------
    descriptors : sequence of GlobalDescriptor
        In the order of their columns.
    names : sequence of str, optional
        Names of the families; default: the keys of the descriptors, which identify the vectors that the space fits.
    wide : bool
        See `prepare_space`.
    foreground : bool
        Whether the middle of the photos stands out from their borders; see `shows_foreground`.
    """
    families, start = [], 0
    for i, descriptor in enumerate(descriptors):
        stop = start + descriptor.dimension
        families.append(
            FeatureFamily(
                str(descriptor.key) if names is None else names[i],
                start,
                stop,
                descriptor.is_count,
                descriptor.is_scaled,
                _WIDE_COMPONENTS if wide else descriptor.components_in_space,
                descriptor.weight_beside(descriptors, foreground=foreground),
            )
        )
        start = stop
    sample = _WIDE_SAMPLE if wide else _SAMPLE
    return FeatureSpace(tuple(families), components=_COMPONENTS, sample=sample, whitening=_WHITENING, unit_length=True)


def shows_foreground(descriptors: Sequence[GlobalDescriptor], rows: NDArray[np.float32]) -> bool:
    """Return whether the middle of photos stands out from their borders; False if no descriptor shows it.

    Parameters
    ----------
    rows : ndarray of float32, shape (n, sum of the dimensions)
        Vectors of all descriptors, side by side.
    """
    start = 0
    for one in descriptors:
        found = one.foreground(rows[:, start : start + one.dimension]) if len(rows) else None
        if found is not None:
            return found >= _FOREGROUND
        start += one.dimension
    return False


def _suitable(
    library: Library, descriptors: tuple[GlobalDescriptor, ...], ids: NDArray[np.int64], *, wide: bool
) -> list[FeatureSpace]:
    """Return the unfitted space that suits a library's photos, followed by alternatives acceptable if they exist.

    If photos have no colours, descriptors that need colours only repeat the brightness.
    """
    rest = tuple(one for one in descriptors if not one.needs_color)
    colorless = _share_without_color(library, descriptors, ids) if rest and len(rest) < len(descriptors) else 0.0
    families = [rest] if colorless >= _COLORLESS else [descriptors]
    if _STILL_COLORLESS <= colorless < _COLORLESS:
        families.append(rest)
    contrast = _foreground(library, descriptors, ids)
    foreground = [contrast >= _FOREGROUND]
    if _STILL_FOREGROUND <= contrast < _FOREGROUND:
        foreground.append(True)
    return [unfitted_space(some, wide=wide, foreground=one) for some in families for one in foreground]


def _share_without_color(library: Library, descriptors: Sequence[GlobalDescriptor], ids: NDArray[np.int64]) -> float:
    """Return the share of photos without colours in a seeded sample; 0 if no descriptor can tell."""

    def share(one: GlobalDescriptor, rows: NDArray[np.float32]) -> float | None:
        found = one.without_color(rows)
        return None if found is None else float(found.mean())

    descriptors = [one for one in descriptors if type(one).without_color is not GlobalDescriptor.without_color]
    return _first_answer(library, "share without colors", descriptors, ids, share)


def _foreground(library: Library, descriptors: Sequence[GlobalDescriptor], ids: NDArray[np.int64]) -> float:
    """Return how much the middle of photos of a seeded sample stands out; 0 if no descriptor can tell."""
    descriptors = [one for one in descriptors if type(one).foreground is not GlobalDescriptor.foreground]
    return _first_answer(library, "foreground", descriptors, ids, lambda one, rows: one.foreground(rows))


def _first_answer(
    library: Library,
    name: str,
    descriptors: Sequence[GlobalDescriptor],
    ids: NDArray[np.int64],
    ask: Callable[[GlobalDescriptor, NDArray[np.float32]], float | None],
) -> float:
    """Return a cached number that the first of some descriptors tells about a seeded sample of photos, or 0."""

    def find() -> float:
        sample = np.sort(np.random.default_rng(0).choice(np.sort(ids), min(len(ids), _LOOKED_AT), replace=False))
        for one in descriptors:
            with suppress(KeyError):  # a scan found an edited file meanwhile
                found = ask(one, vector_store(library, one).rows(sample))
                if found is not None:
                    return found
        return 0.0

    prints = [vector_store(library, one).print() for one in descriptors]
    return cached_number(library, name, f"{zlib.crc32(ids.tobytes()):08x} {' '.join(prints)}", find)


def _made_alike(space: FeatureSpace, wanted: FeatureSpace, *, by_names_only: bool) -> bool:
    """Return whether a space has the same parameters as another, or the same families if `by_names_only`."""
    if by_names_only:
        return [family.name for family in space.families] == [family.name for family in wanted.families]
    return bool(space.get_params() == wanted.get_params())


def _space_files(folder: Path, wide: bool = False) -> list[tuple[int, Path]]:
    """Return the saved spaces and the number of photos when each was fitted, newest first."""
    matches = [(_NAME.fullmatch(file.name), file) for file in folder.glob("*space-*.npz")]
    found = [(_modified(file), int(match[2]), file) for match, file in matches if match and bool(match[1]) == wide]
    return [(count, file) for _, count, file in sorted(found, reverse=True)]


def _modified(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:  # deleted by another thread meanwhile
        return 0


def _keep(library: Library, space: FeatureSpace, file: Path, wide: bool) -> None:
    """Save the space and delete all but the previous one, which another thread may still use."""
    try:
        write_learners(file, space=space)
    except PersistenceError:
        return  # the disk is full; the space is fitted again next time
    needed = {space_key(space)}
    for _, other in _space_files(file.parent, wide):
        if other == file:
            continue
        if len(needed) < 2:
            with suppress(PersistenceError, KeyError, AttributeError):
                needed.add(space_key(load(other)["space"]))
                continue
        other.unlink(missing_ok=True)
    for key in () if wide else library.vectors.keys():  # coordinates in wide spaces are not stored
        if key.startswith("space-") and key not in needed:
            library.vectors.remove(key)
