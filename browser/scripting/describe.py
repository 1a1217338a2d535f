# SPDX-License-Identifier: MIT
"""Describe photos that are in no library: arrays or files in, one matrix out."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.describing.descriptors import sources_of
from focal_photos.browser.operations.ranking.space import shows_foreground, unfitted_space
from focal_photos.browser.operations.workers.describe_photos import describe_photos
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask
from focal_photos.features.base import CodeDescriptor, Fitted, GlobalDescriptor, LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.limits import DecodeLimits
from focal_photos.features.description import DescriptionPlan
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, LOCAL_DESCRIPTORS, STANDARD
from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace
from focal_photos.learners.core.linalg import one_thread

Photo = str | os.PathLike[str] | bytes | NDArray[np.uint8]
"""A file, its content, or pixels: uint8 (h, w, 3) in sRGB, or (h, w) in grey."""

AnyDescriptor = GlobalDescriptor | LocalDescriptor | CodeDescriptor

SAMPLE: Final = 400
"""Largest number of photos that descriptors are fitted on, for example vocabularies."""

_LEARNING: Final = 0.3
"""Share of the progress for fitting descriptors."""


class BrokenPhotoError(ValueError):
    """A photo cannot be described; the message names the photo, the reason and the remedy.

    Attributes
    ----------
    number : int
        Index of the photo, from 0.
    """

    def __init__(self, number: int, what: str, reason: str) -> None:
        super().__init__(
            f'Photo {number} ({what}) cannot be described: {reason} With errors="mask" the others are described.'
        )
        self.number = number
        self.reason = reason


class Described(NamedTuple):
    """Result of `describe`.

    Attributes
    ----------
    vectors : ndarray of float32, shape (n, d)
        One row per photo with the concatenated global descriptors; NaN for photos that failed.
    columns : tuple of FeatureFamily
        Name, columns and treatment in `FeatureSpace` of each global descriptor.
    failures : dict of int to str
        Why photos could not be described, by index; empty unless ``errors="mask"``.
    descriptors : tuple of GlobalDescriptor, LocalDescriptor or CodeDescriptor
        The fitted descriptors: passed to `describe` again, they describe other photos in the same way.
    patches : dict of str to tuple of (LocalFeatures or None)
        Local features of each photo, by name of the local descriptor; None for photos that failed.
    codes : ndarray of uint8, shape (n, c)
        One row per photo with the concatenated code descriptors, for `TagClassifier`; 0 for photos that failed.
    """

    vectors: NDArray[np.float32]
    columns: tuple[FeatureFamily, ...]
    failures: dict[int, str]
    descriptors: tuple[AnyDescriptor, ...]
    patches: dict[str, tuple[LocalFeatures | None, ...]]
    codes: NDArray[np.uint8]

    @property
    def good(self) -> NDArray[np.bool_]:
        """Mask of the described photos, bool (n,): ``vectors[good]`` has no NaN."""
        good = np.ones(len(self.vectors), dtype=bool)
        good[list(self.failures)] = False
        return good

    def space(self) -> FeatureSpace:
        """Return the unfitted space in which a library ranks these vectors: half whitened, with unit length."""
        return _space([one for one in self.descriptors if isinstance(one, GlobalDescriptor)], self.vectors[self.good])


def describe(
    photos: Iterable[Photo],
    descriptors: Iterable[str | AnyDescriptor] = STANDARD,
    *,
    errors: Literal["raise", "mask"] = "raise",
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    limits: DecodeLimits | None = None,
    seconds: float = 60.0,
) -> Described:
    """Describe photos on all cores, without a library; nothing is written.

    Parameters
    ----------
    photos : iterable of path, bytes or ndarray
        Files, contents of files, or pixels (uint8 (h, w, 3) in sRGB or (h, w) in grey), also mixed. Larger photos are
        scaled down to the size that descriptors use, 384 pixels on the longest side.
    descriptors : iterable of str, GlobalDescriptor, LocalDescriptor or CodeDescriptor, optional
        Names in `focal_photos.features.table`, or descriptors, including your own. Default: those that a new library
        ranks by. Unfitted descriptors (vocabularies, principal axes) are fitted on a seeded sample of at most 400 of
        these photos: see `Described.descriptors`.
    errors : {"raise", "mask"}
        If a photo cannot be described: raise `BrokenPhotoError`, or continue and leave its row NaN.
    workers : int, optional
        Largest number of processes; default: the number of cores. A photo that kills its process fails like a damaged
        one. Fewer than 16 photos share one process. Your own descriptors run in threads of this process, because worker
        processes cannot import a script.
    progress : callable, optional
        Called with the progress, 0..1. An exception from it cancels the work and ends the processes.
    limits : DecodeLimits, optional
        Images beyond these limits are refused before decoding.
    seconds : float
        Time limit for each photo.

    Returns
    -------
    Described

    Raises
    ------
    BrokenPhotoError
        With ``errors="raise"``.
    ValueError
        If a descriptor is unknown or given twice, an array is not an image, or a descriptor cannot be fitted because no
        photo can be described.
    OperationError
        If no process can be started.

    Examples
    --------
    >>> import numpy as np
    >>> import focal_photos
    >>> red = np.full((40, 60, 3), (255, 0, 0), np.uint8)
    >>> found = focal_photos.describe([red, 255 - red], ["color_moments", "lbp"])
    >>> found.vectors.shape
    (2, 284)
    >>> [(family.name, family.start, family.stop) for family in found.columns]
    [('color_moments', 0, 225), ('lbp', 225, 284)]
    """
    if errors not in ("raise", "mask"):
        raise ValueError(f'errors must be "raise" or "mask", it is {errors!r}.')
    tasks = [_task(number, photo) for number, photo in enumerate(photos)]
    work = _Work(tasks, errors == "mask", workers, limits or DecodeLimits(), seconds, progress or _no_report)
    chosen = [_found(one) for one in descriptors]
    names = [one.name for one in chosen]
    if not chosen or len(set(names)) < len(names):
        raise ValueError(f"Name each descriptor once, and at least one, not {', '.join(names) or 'none'}.")
    work.progress(0.0)
    ready = _learned(chosen, work)
    vector_descriptors = [one for one in ready if isinstance(one, GlobalDescriptor)]
    vectors = np.full((len(tasks), sum(one.dimension for one in vector_descriptors)), np.nan, dtype=np.float32)
    patches: dict[str, list[LocalFeatures | None]] = {
        one.name: [None] * len(tasks) for one in ready if isinstance(one, LocalDescriptor)
    }
    codes = np.zeros((len(tasks), sum(one.dimension for one in ready if isinstance(one, CodeDescriptor))), np.uint8)
    failures: dict[int, str] = {}
    start = _LEARNING if work.learned else 0.0
    for result in work.describe(tasks, ready, start, 1.0 - start):
        number = result.task.photo_id
        if result.description is None:
            failures[number] = result.failure
            continue
        if vector_descriptors:
            vectors[number] = np.concatenate([result.description.vectors[one.name] for one in vector_descriptors])
        for name, found in result.description.patches.items():
            patches[name][number] = found
        if codes.shape[1]:
            codes[number] = np.concatenate(list(result.description.codes.values()))
    work.progress(1.0)
    good = [number for number in range(len(tasks)) if number not in failures]
    return Described(
        vectors,
        _space(vector_descriptors, vectors[good]).families,
        dict(sorted(failures.items())),
        tuple(ready),
        {name: tuple(found) for name, found in patches.items()},
        codes,
    )


@dataclasses.dataclass
class _Work:
    """Common settings and state of the description of photos."""

    tasks: Sequence[PhotoTask]
    mask: bool
    workers: int | None
    limits: DecodeLimits
    seconds: float
    progress: Callable[[float], None]
    learned: bool = False

    def describe(
        self, tasks: Sequence[PhotoTask], descriptors: Sequence[AnyDescriptor], start: float, share: float
    ) -> Iterable[PhotoResult]:
        """Yield the results as they are completed; raise for a broken photo, unless these are masked."""
        plan = DescriptionPlan(tuple(descriptors), self.limits, thumbnail_side=None, seconds_per_photo=self.seconds)
        wanted = [dataclasses.replace(task, names=tuple(one.name for one in descriptors)) for task in tasks]
        own = [one for one in descriptors if any(not _travels(part) for part in _parts(one))]
        done = 0
        described = describe_photos(wanted, plan, workers=self.workers, backend="threads" if own else "processes")
        with closing(described):
            for results in described:
                for result in results:
                    if result.description is None and not self.mask:
                        raise BrokenPhotoError(result.task.photo_id, str(result.task.path), result.failure)
                    yield result
                done += len(results)
                self.progress(start + share * done / len(wanted))


def _space(descriptors: Sequence[GlobalDescriptor], vectors: NDArray[np.float32]) -> FeatureSpace:
    names = [one.name for one in descriptors]
    return unfitted_space(descriptors, names, foreground=shows_foreground(descriptors, vectors))


def _no_report(_share: float) -> None:
    """Ignore a progress report."""


def _task(number: int, photo: Photo) -> PhotoTask:
    """Return the task of describing a photo; ValueError if an array is not an image."""
    if isinstance(photo, bytes):
        return PhotoTask(number, Path(f"{len(photo)} bytes"), (), photo)
    if isinstance(photo, np.ndarray):
        grey = photo.ndim == 2
        if photo.dtype != np.uint8 or not (grey or (photo.ndim == 3 and photo.shape[2] == 3)) or 0 in photo.shape:
            raise ValueError(
                f"Photo {number} is an array of {photo.dtype}, shape {photo.shape}: pixels must be uint8 of "
                "shape (h, w, 3), or (h, w) in grey."
            )
        pixels = np.repeat(photo[:, :, None], 3, axis=2) if grey else photo
        return PhotoTask(number, Path(f"array {photo.shape[1]} x {photo.shape[0]}"), (), pixels)
    return PhotoTask(number, Path(photo), ())


def _found(wanted: str | AnyDescriptor) -> AnyDescriptor:
    if not isinstance(wanted, str):
        if not isinstance(wanted, GlobalDescriptor | LocalDescriptor | CodeDescriptor):
            raise ValueError(
                f"{wanted!r} is not a descriptor: derive from GlobalDescriptor, LocalDescriptor or CodeDescriptor."
            )
        return wanted
    every: Mapping[str, AnyDescriptor] = {**DESCRIPTORS, **LOCAL_DESCRIPTORS, **CODE_DESCRIPTORS}
    if wanted not in every:
        raise ValueError(f"There is no descriptor {wanted!r}; there are: {', '.join(every)}.")
    return every[wanted]


# ---------------------------------------------------------------- fitting


def _learned(chosen: Sequence[AnyDescriptor], work: _Work) -> list[AnyDescriptor]:
    """Return the descriptors, fitted on a sample of the photos where necessary."""
    drawn = np.random.default_rng(0).permutation(len(work.tasks))[:SAMPLE]
    sample = [work.tasks[number] for number in np.sort(drawn)]
    known: dict[str, AnyDescriptor] = {}
    left = _LEARNING
    while unfitted := _to_fit(chosen, known):
        sources = list({str(source.key): source for _, source in unfitted}.values())
        rows = _rows(sample, sources, work, _LEARNING - left, left / 2)
        left /= 2
        for one, source in unfitted:
            if not rows[str(source.key)]:
                raise ValueError(f"{one.title} has nothing to learn from: none of the photos can be described.")
            # The order of sums in several threads varies between runs, and keys depend on the fitted values.
            with one_thread():
                known[str(one.key)] = one.fit(rows[str(source.key)], seed=0)  # type: ignore[union-attr]
        work.learned = True
    return [_complete(one, known) for one in chosen]


def _to_fit(
    chosen: Sequence[AnyDescriptor], known: Mapping[str, AnyDescriptor]
) -> list[tuple[AnyDescriptor, AnyDescriptor]]:
    """Return the descriptors that can be fitted now with their sources; at most one source of each name."""
    found: dict[str, tuple[AnyDescriptor, AnyDescriptor]] = {}
    names: dict[str, str] = {}
    for one in chosen:
        for part in _parts(_complete(one, known)):
            if not isinstance(part, Fitted) or part.is_fitted or not all(map(_is_ready, sources_of(part).values())):
                continue
            source = part.learned_from
            if names.setdefault(source.name, str(source.key)) == str(source.key):
                found[str(part.key)] = part, source
    return list(found.values())


def _rows(
    sample: Sequence[PhotoTask], sources: Sequence[AnyDescriptor], work: _Work, start: float, share: float
) -> dict[str, list[NDArray[np.float32]]]:
    """Return the features of the photos by key of each source, (r, d) each, in order; broken photos are skipped."""
    found: dict[int, dict[str, NDArray[np.float32]]] = {}
    for result in work.describe(sample, sources, start, share):
        if result.description is not None:
            found[result.task.photo_id] = {
                **{name: vector[None] for name, vector in result.description.vectors.items()},
                **{name: some.vectors for name, some in result.description.patches.items()},
            }
    return {str(one.key): [found[number][one.name] for number in sorted(found)] for one in sources}


def _parts(descriptor: AnyDescriptor) -> list[AnyDescriptor]:
    """Return a descriptor, preceded by all descriptors that it is computed from."""
    return [*(part for source in sources_of(descriptor).values() for part in _parts(source)), descriptor]


def _is_ready(descriptor: AnyDescriptor) -> bool:
    return all(not isinstance(part, Fitted) or part.is_fitted for part in _parts(descriptor))


def _complete(descriptor: AnyDescriptor, known: Mapping[str, AnyDescriptor]) -> AnyDescriptor:
    """Return a descriptor with the fitted versions of itself and of its sources, where known."""
    changes = {name: _complete(part, known) for name, part in sources_of(descriptor).items()}
    whole = dataclasses.replace(descriptor, **changes) if changes else descriptor
    return known.get(str(whole.key), whole)


def _travels(descriptor: AnyDescriptor) -> bool:
    """Return whether worker processes can import a descriptor's class; those of a script they cannot."""
    return type(descriptor).__module__.partition(".")[0] == __name__.partition(".")[0]
