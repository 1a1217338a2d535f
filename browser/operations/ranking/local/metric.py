"""A local metric of the library: its file, and what was learned of single focal images since."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from browser.catalog.arrays.vectors import VectorStore
from browser.catalog.cache import CacheEntry
from browser.catalog.facts.records import Metric
from browser.catalog.library import Library
from browser.catalog.store.errors import LibraryError
from browser.operations.jobs.errors import UnreadableMetricError
from features.local.edge_channels import POINTS
from learners.local.local_distances import FocalImage, FocalImages
from learners.persistence import PersistenceError, load

LOCAL: Final = "local"
"""Name of the learner."""

TITLE: Final = "Local distances"

SOURCES: Final = ("geometric_blur_large_32", "geometric_blur_small_32", "color_patches_24")
"""Descriptors whose patches are compared: shapes on a large and on a small scale, and colours."""

KINDS: Final = ("Large shapes", "Small shapes", "Colours")
"""The same for a person."""

PARAMETERS: Final[dict[str, Any]] = {"C": 0.1, "K": 5, "tolerance": 1e-3, "at_once": 2000}
"""Of a training; the first three of each focal image (see `learners.local.local_distance.LocalDistance`).

``at_once``: if no more photos than this are tagged or judged against, all of them are learned (a second each on one
core where there are 1,500 photos to compare with, half a second on two); of more, those that others were judged
against. What is not learned at once is learned when it is first asked for.
"""

MOST_PATCHES: Final = len(SOURCES) * POINTS

_PREFIX: Final = "local-"
_HEAD: Final = 16  # numbers before the weights of a record
_DIGEST: Final = slice(8, 16)


@dataclass(eq=False)
class LocalMetric:
    """A metric of local distances, ready to use. Any thread may call.

    What was learned by the end of the training is in the metric's file for ever; focal images that were not are
    learned when they are first asked for, and kept beside it as derived data (`keep`).

    Attributes
    ----------
    metric : Metric
    trained : FocalImages
        As in the file.
    learning : threading.Lock
        Held while a focal image is learned.
    """

    metric: Metric
    trained: FocalImages
    learning: threading.Lock = field(default_factory=threading.Lock)
    _numbers: dict[int, int] = field(default_factory=dict)
    _fresh: dict[int, FocalImage] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._numbers = {int(photo_id): f for f, photo_id in enumerate(self.trained.focal_.tolist())}

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the descriptors whose patches are compared."""
        return self.trained.sources

    def focal_image(self, library: Library, photo_id: int, fingerprint: bytes) -> FocalImage | None:
        """Return what was learned for a photo with these patches (see `fingerprint`); None if nothing was."""
        number = self._numbers.get(photo_id)
        if number is not None:
            found = self.trained.model(number)
            if found.digest.startswith(fingerprint):
                return found
        with self._lock:
            kept = self._fresh.get(photo_id)
        if kept is None:
            kept = read_kept(library, self.trained, [photo_id]).get(photo_id)
        return kept if kept is not None and kept.digest.startswith(fingerprint) else None

    def keep(self, library: Library, photo_id: int, model: FocalImage) -> None:
        """Keep what was learned for a photo, on the disk where that can be written."""
        with self._lock:
            self._fresh[photo_id] = model
        with suppress(LibraryError):  # read-only, or full: it is learned again the next time
            write_kept(library, self.trained, {photo_id: model})

    def models(self, library: Library) -> dict[int, FocalImage]:
        """Return all focal images that were learned, by photo id: those of the training, then those learned since."""
        found = self.trained.models()
        later = [i for i in kept_ids(library, self.trained) if i not in found]
        with self._lock:
            return {**read_kept(library, self.trained, later), **self._fresh, **found}


# ---------------------------------------------------------------- loading
_LAST: Final = CacheEntry[LocalMetric]("the metric of local distances that was read last")


def is_local(metric: Metric) -> bool:
    """Return whether a metric is one of local distances."""
    return metric.learner == LOCAL and metric.file is not None


def local_metric(library: Library, metric: Metric) -> LocalMetric:
    """Return a metric of local distances, ready to use; the one read last is kept.

    Raises
    ------
    UnreadableMetricError
        It is none, or its file is missing, damaged or of a newer version.
    """
    file = library.metrics.path(metric)
    if file is None or not is_local(metric):
        raise UnreadableMetricError(
            f"The metric {metric.name} has no local distances: train them with focal train --learner {LOCAL}."
        )
    try:
        status = file.stat()
        stamp = (metric.name, status.st_mtime_ns, status.st_size)
        ready = library.cache.get(_LAST, stamp)
        if ready is not None:
            return ready
        trained = load(file).get("local")
    except (PersistenceError, OSError) as error:
        raise UnreadableMetricError(
            f"The metric {metric.name} cannot be used ({error}): choose another one, or train again."
        ) from error
    if not isinstance(trained, FocalImages):
        raise UnreadableMetricError(f"The file of the metric {metric.name} holds no local distances: train again.")
    made = LocalMetric(metric, trained)
    library.cache.put(_LAST, stamp, made)
    return made


def needed_keys(library: Library, ready: tuple[str, ...]) -> set[str]:
    """Return the keys of patches, and of what was learned from them, that local metrics need.

    Parameters
    ----------
    library : Library
    ready : tuple of str
        Keys of the patches that a training would use now: what an interrupted one has learned is needed too.
    """
    sources = {ready}
    for metric in library.metrics.all():
        if is_local(metric):
            with suppress(UnreadableMetricError):
                sources.add(local_metric(library, metric).keys)
    marks = tuple(f"{_PREFIX}{_short(keys)}-" for keys in sources if keys)
    stored = library.vectors.keys()
    return {*(key for keys in sources for key in keys), *(key for key in stored if key.startswith(marks))}


# ---------------------------------------------------------------- focal images as derived data
def read_kept(library: Library, like: FocalImages, ids: list[int]) -> dict[int, FocalImage]:
    """Return what is kept of some photos, learned with the same patches and parameters; others are absent."""
    store = _store(library, like)
    if store is None or not ids:
        return {}
    lacking = set(store.missing(ids).tolist())
    there = [photo_id for photo_id in ids if photo_id not in lacking]
    try:
        rows = store.rows(there)
    except KeyError:  # forgotten meanwhile: a photo was edited
        return {}
    return dict(zip(there, map(_unpacked, rows), strict=True))


def kept_ids(library: Library, like: FocalImages) -> list[int]:
    """Return the ids of the photos of which something is kept."""
    store = _store(library, like)
    return [] if store is None else store.ids.tolist()


def forget_kept(library: Library, like: FocalImages, ids: list[int]) -> None:
    """Drop what is kept of photos."""
    store = _store(library, like)
    if store is not None and ids:
        store.forget(ids)


def write_kept(library: Library, like: FocalImages, models: Mapping[int, FocalImage]) -> None:
    """Keep what was learned of photos; all of it is on the disk at the end.

    Raises
    ------
    LibraryFullError, LibraryReadOnlyError
    """
    if models:
        store = library.vectors.store(_key(like), _HEAD + 2 * MOST_PATCHES)
        store.append(list(models), np.stack([_packed(model) for model in models.values()]))


def _store(library: Library, like: FocalImages) -> VectorStore | None:
    store = library.vectors.open(_key(like))
    return store if store is not None and store.dimension == _HEAD + 2 * MOST_PATCHES else None


def _key(like: FocalImages) -> str:
    return f"{_PREFIX}{_short(like.sources)}-{_short((like.C, like.K, like.tolerance))}"


def _short(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:8]


def _packed(model: FocalImage) -> NDArray[np.float32]:
    """Return a focal image as one vector: numbers, its digest as 8 whole numbers, weights and factors."""
    row = np.zeros(_HEAD + 2 * MOST_PATCHES, np.float32)
    count = len(model.weights)
    row[:5] = count, model.slope, model.offset, model.gap, model.triplets
    row[_DIGEST] = np.frombuffer(model.digest, "<u2")
    row[_HEAD : _HEAD + count] = model.weights
    row[_HEAD + MOST_PATCHES : _HEAD + MOST_PATCHES + count] = model.factors
    return row


def _unpacked(row: NDArray[np.float32]) -> FocalImage:
    count, slope, offset, gap, triplets = row[:5].tolist()
    weights = row[_HEAD : _HEAD + int(count)].copy()
    factors = row[_HEAD + MOST_PATCHES : _HEAD + MOST_PATCHES + int(count)].copy()
    digest = row[_DIGEST].astype("<u2").tobytes()
    return FocalImage(weights, factors, slope, offset, gap, int(triplets), digest)
