"""Describe photos that are in no library: arrays in, or files, and one matrix out."""

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
from focal_photos.browser.operations.ranking.space import unfitted_space
from focal_photos.browser.operations.workers.describe_photos import describe_photos
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask
from focal_photos.features.base import CodeDescriptor, Fitted, GlobalDescriptor, LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.limits import DecodeLimits
from focal_photos.features.description import DescriptionPlan
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, LOCAL_DESCRIPTORS, STANDARD
from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace
from focal_photos.learners.core.linalg import one_thread

Photo = str | os.PathLike[str] | bytes | NDArray[np.uint8]
"""A file, the content of one, or pixels: uint8 (h, w, 3) in sRGB, or (h, w) in grey."""

AnyDescriptor = GlobalDescriptor | LocalDescriptor | CodeDescriptor

SAMPLE: Final = 400
"""Photos that vocabularies and the like are learned from, at most."""

_LEARNING: Final = 0.3
"""Share of the progress that belongs to what has to be learned first."""


class BrokenPhotoError(ValueError):
    """A photo cannot be described; the message says which one, why, and what to do.

    Attributes
    ----------
    number : int
        Its place among the photos, from 0.
    reason : str
    """

    def __init__(self, number: int, what: str, reason: str) -> None:
        super().__init__(
            f'Photo {number} ({what}) cannot be described: {reason} With errors="mask" the others are described.'
        )
        self.number = number
        self.reason = reason


class Described(NamedTuple):
    """What `describe` found.

    Attributes
    ----------
    vectors : ndarray of float32, shape (n, d)
        A row a photo, the global descriptors side by side; NaN in the rows of photos that failed.
    columns : tuple of FeatureFamily
        Which columns are whose: names of descriptors, and how `FeatureSpace` is to take them.
    failures : dict of int to str
        By the number of the photo why it could not be described; empty unless ``errors="mask"``.
    descriptors : tuple of GlobalDescriptor, LocalDescriptor or CodeDescriptor
        As they were used, with what they learned: given to another `describe`, they describe other photos alike.
    patches : dict of str to tuple of (LocalFeatures or None)
        By name of each local descriptor what it found in each photo; None for photos that failed.
    codes : ndarray of uint8, shape (n, c)
        A row a photo, the code descriptors side by side, for `TagClassifier`; 0 in the rows of photos that failed.
    """

    vectors: NDArray[np.float32]
    columns: tuple[FeatureFamily, ...]
    failures: dict[int, str]
    descriptors: tuple[AnyDescriptor, ...]
    patches: dict[str, tuple[LocalFeatures | None, ...]]
    codes: NDArray[np.uint8]

    @property
    def good(self) -> NDArray[np.bool_]:
        """Which photos were described, bool (n,): ``vectors[good]`` has no NaN."""
        good = np.ones(len(self.vectors), dtype=bool)
        good[list(self.failures)] = False
        return good

    def space(self) -> FeatureSpace:
        """Return the space in which a library ranks such vectors, not fitted yet: half whitened, and of unit length."""
        return _space([one for one in self.descriptors if isinstance(one, GlobalDescriptor)])


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
        Files, contents of files, or pixels, uint8 (h, w, 3) in sRGB or (h, w) in grey; also of several kinds. All are
        brought to the size at which descriptors see photos, 384 pixels at the longest side; smaller ones stay.
    descriptors : iterable of str, GlobalDescriptor, LocalDescriptor or CodeDescriptor, optional
        Names of `focal_photos.features.table` or descriptors, also of your own; those that a new library
        ranks by, if not given.
        What has to learn first (vocabularies, principal axes) and has not, learns from a seeded sample of at most 400
        of these photos: see `Described.descriptors`.
    errors : {"raise", "mask"}
        At the first photo that cannot be described: raise `BrokenPhotoError`, or go on and leave its row NaN.
    workers : int, optional
        Processes at most; as many as there are cores, if not given. A photo that kills its process fails like one that
        is damaged. Fewer than 16 photos take turns in one process, and descriptors of your own run in threads of this
        one, since worker processes cannot import a script.
    progress : callable, optional
        Called with the share done, 0..1; raise in it to cancel, which ends the processes.
    limits : DecodeLimits, optional
        What is refused before decoding.
    seconds : float
        After so long a photo is given up.

    Returns
    -------
    Described

    Raises
    ------
    BrokenPhotoError
        With ``errors="raise"``; and where nothing can be learned from, because no photo can be described.
    ValueError
        An unknown descriptor, two of one name, or an array that is no picture.
    OperationError
        No process can be started.

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
    columns = _space(vector_descriptors).families
    vectors = np.full((len(tasks), columns[-1].stop if columns else 0), np.nan, dtype=np.float32)
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
        for family in columns:
            vectors[number, family.start : family.stop] = result.description.vectors[family.name]
        for name, found in result.description.patches.items():
            patches[name][number] = found
        if codes.shape[1]:
            codes[number] = np.concatenate(list(result.description.codes.values()))
    work.progress(1.0)
    return Described(
        vectors,
        columns,
        dict(sorted(failures.items())),
        tuple(ready),
        {name: tuple(found) for name, found in patches.items()},
        codes,
    )


@dataclasses.dataclass
class _Work:
    """How photos are described, whatever by."""

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
        """Yield the results in the order in which they are ready; raise for a broken photo, unless they are masked."""
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


def _space(descriptors: Sequence[GlobalDescriptor]) -> FeatureSpace:
    return unfitted_space(descriptors, [one.name for one in descriptors])


def _no_report(_share: float) -> None:
    """Take a report of progress and do nothing with it."""


def _task(number: int, photo: Photo) -> PhotoTask:
    """Return the task of describing a photo, or raise ValueError for an array that is no picture."""
    if isinstance(photo, bytes):
        return PhotoTask(number, Path(f"{len(photo)} bytes"), (), photo)
    if isinstance(photo, np.ndarray):
        grey = photo.ndim == 2
        if photo.dtype != np.uint8 or not (grey or (photo.ndim == 3 and photo.shape[2] == 3)) or 0 in photo.shape:
            raise ValueError(
                f"Photo {number} is an array of {photo.dtype}, shape {photo.shape}: "
                "pixels are uint8 of shape (h, w, 3), or (h, w) in grey."
            )
        pixels = np.repeat(photo[:, :, None], 3, axis=2) if grey else photo
        return PhotoTask(number, Path(f"array {photo.shape[1]} x {photo.shape[0]}"), (), pixels)
    return PhotoTask(number, Path(photo), ())


def _found(wanted: str | AnyDescriptor) -> AnyDescriptor:
    if not isinstance(wanted, str):
        if not isinstance(wanted, GlobalDescriptor | LocalDescriptor | CodeDescriptor):
            raise ValueError(
                f"{wanted!r} is no descriptor: derive from GlobalDescriptor, LocalDescriptor or CodeDescriptor."
            )
        return wanted
    every: Mapping[str, AnyDescriptor] = {**DESCRIPTORS, **LOCAL_DESCRIPTORS, **CODE_DESCRIPTORS}
    if wanted not in every:
        raise ValueError(f"There is no descriptor {wanted!r}; there are: {', '.join(every)}.")
    return every[wanted]


# ---------------------------------------------------------------- what has to be learned first


def _learned(chosen: Sequence[AnyDescriptor], work: _Work) -> list[AnyDescriptor]:
    """Return descriptors with all that they have to learn, learned from a sample of the photos."""
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
            # How several threads share a sum differs from one time to the next, and keys depend on what is learned.
            with one_thread():
                known[str(one.key)] = one.fit(rows[str(source.key)], seed=0)  # type: ignore[union-attr]
        work.learned = True
    return [_complete(one, known) for one in chosen]


def _to_fit(
    chosen: Sequence[AnyDescriptor], known: Mapping[str, AnyDescriptor]
) -> list[tuple[AnyDescriptor, AnyDescriptor]]:
    """Return what can learn now, each with what it learns from; what shares a decoding has sources of other names."""
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
    """Return by key of each source what photos give, (r, d) each, in their order; nothing of those that are broken."""
    found: dict[int, dict[str, NDArray[np.float32]]] = {}
    for result in work.describe(sample, sources, start, share):
        if result.description is not None:
            found[result.task.photo_id] = {
                **{name: vector[None] for name, vector in result.description.vectors.items()},
                **{name: some.vectors for name, some in result.description.patches.items()},
            }
    return {str(one.key): [found[number][one.name] for number in sorted(found)] for one in sources}


def _parts(descriptor: AnyDescriptor) -> list[AnyDescriptor]:
    """Return a descriptor after all those that it is computed from."""
    return [*(part for source in sources_of(descriptor).values() for part in _parts(source)), descriptor]


def _is_ready(descriptor: AnyDescriptor) -> bool:
    return all(not isinstance(part, Fitted) or part.is_fitted for part in _parts(descriptor))


def _complete(descriptor: AnyDescriptor, known: Mapping[str, AnyDescriptor]) -> AnyDescriptor:
    """Return a descriptor with what is known of it and of what it is computed from."""
    changes = {name: _complete(part, known) for name, part in sources_of(descriptor).items()}
    whole = dataclasses.replace(descriptor, **changes) if changes else descriptor
    return known.get(str(whole.key), whole)


def _travels(descriptor: AnyDescriptor) -> bool:
    """Tell whether worker processes can import a descriptor's class: one of a script's own they cannot."""
    return type(descriptor).__module__.partition(".")[0] == __name__.partition(".")[0]
