# SPDX-License-Identifier: MIT
"""A metric of local distances: its file, and the focal images learned since."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.operations.jobs.errors import UnreadableMetricError
from focal_photos.browser.operations.ranking.local.focal_store import (
    key_prefix,
    read_focal_images,
    stored_ids,
    write_focal_images,
)
from focal_photos.browser.operations.ranking.local.learner import LOCAL, is_local
from focal_photos.learners.local.local_distances import FocalImage, FocalImages
from focal_photos.learners.persistence import PersistenceError, load


@dataclass(eq=False)
class LocalMetric:
    """A metric of local distances, ready to use. Thread-safe.

    Focal images learned in training are stored permanently in the metric's file. Others are learned on first use and
    saved beside it as derived data (`keep`).
    """

    metric: Metric
    trained: FocalImages
    """Content of the file."""
    learning: threading.Lock = field(default_factory=threading.Lock)
    """Held while a focal image is learned."""
    learned_since: int = 0
    """Number of focal images learned since the file was read."""
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
        """Return the focal image of a photo with these patches (see `fingerprint`); None if not learned."""
        number = self._numbers.get(photo_id)
        if number is not None:
            found = self.trained.model(number)
            if found.digest.startswith(fingerprint):
                return found
        with self._lock:
            image = self._fresh.get(photo_id)
        if image is None:
            image = read_focal_images(library, self.trained, [photo_id]).get(photo_id)
        return image if image is not None and image.digest.startswith(fingerprint) else None

    def keep(self, library: Library, photo_id: int, model: FocalImage) -> None:
        """Cache a learned focal image, and save it if possible."""
        with self._lock:
            self._fresh[photo_id] = model
            self.learned_since += 1
        with suppress(LibraryError):  # read-only or full: it is learned again next time
            write_focal_images(library, self.trained, {photo_id: model})

    def models(self, library: Library) -> dict[int, FocalImage]:
        """Return all learned focal images by photo id: those of the training, then later ones."""
        found = self.trained.models()
        later = [i for i in stored_ids(library, self.trained) if i not in found]
        with self._lock:
            return {**read_focal_images(library, self.trained, later), **self._fresh, **found}


_LAST_METRIC: Final = CacheEntry[LocalMetric]("the metric of local distances that was read last")


def local_metric(library: Library, metric: Metric) -> LocalMetric:
    """Return a metric of local distances, ready to use; the last one read is cached.

    Raises
    ------
    UnreadableMetricError
        If the metric is of another kind, or its file is missing, damaged or of a newer version.
    """
    file = library.metrics.path(metric)
    if file is None or not is_local(metric):
        raise UnreadableMetricError(
            "The metric {0} has no local distances: train them with focal train --learner {1}.", metric.name, LOCAL
        )
    try:
        status = file.stat()
        stamp = (metric.name, status.st_mtime_ns, status.st_size)
        ready = library.cache.get(_LAST_METRIC, stamp)
        if ready is not None:
            return ready
        trained = load(file).get("local")
    except (PersistenceError, OSError) as error:
        raise UnreadableMetricError(
            "The metric {0} cannot be used ({1}): choose another one, or train again.", metric.name, error
        ) from error
    if not isinstance(trained, FocalImages):
        raise UnreadableMetricError("The file of the metric {0} contains no local distances: train again.", metric.name)
    made = LocalMetric(metric, trained)
    library.cache.put(_LAST_METRIC, stamp, made)
    return made


def needed_keys(library: Library, ready: tuple[str, ...]) -> set[str]:
    """Return the keys of patches, and of the focal images learned from them, that local metrics need.

    Parameters
    ----------
    ready : tuple of str
        Keys of the patches that a training would use now; results of an interrupted training are needed too.
    """
    sources = {ready}
    for metric in library.metrics.all():
        if is_local(metric):
            with suppress(UnreadableMetricError):
                sources.add(local_metric(library, metric).keys)
    marks = tuple(key_prefix(keys) for keys in sources if keys)
    stored = library.vectors.keys()
    return {*(key for keys in sources for key in keys), *(key for key in stored if key.startswith(marks))}
