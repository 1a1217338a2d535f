# SPDX-License-Identifier: MIT
"""The galleries of the metrics that were used last, within a limit of memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking import space
from focal_photos.browser.operations.ranking.cached_numbers import cached_number
from focal_photos.browser.operations.ranking.galleries import row_index
from focal_photos.browser.operations.ranking.galleries.gallery import (
    MetricGallery,
    Source,
    embedding,
    is_large,
    note_use,
)
from focal_photos.browser.operations.ranking.galleries.neighbors import attach_nearest
from focal_photos.browser.operations.ranking.loaded_metric import LoadedMetric, load_metric
from focal_photos.browser.operations.ranking.noted_space import (
    SpaceNote,
    note_space,
    noted_space,
    stamp_of,
)
from focal_photos.learners.galleries import indexed_gallery
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.row_gallery import row_gallery

if TYPE_CHECKING:
    from focal_photos.learners.core.feature_space import FeatureSpace

_CACHED: Final = 4  # metrics cached
_OWNED: Final = 50 << 20  # bytes of memory for metrics not in use, mapped files excluded


class GalleryStore:
    """Makes the galleries of metrics, and caches those used last. Thread-safe.

    Parameters
    ----------
    once : bool
        Whether the caller ranks only once, as a command does. The space of the library's own metric is then read from a
        note, if one is up to date. A second ranking does not use the note.
    """

    def __init__(self, library: Library, *, once: bool = False) -> None:
        self._library = library
        self._once = once
        self._lock = threading.Lock()
        self._galleries: OrderedDict[int, MetricGallery] = OrderedDict()
        self._moved: tuple[int, object, MetricGallery] | None = None

    def gallery(self, metric: str | None = None, *, as_trained: bool = False) -> MetricGallery:
        """Return the gallery of all described photos under a metric (default: the current one).

        A metric that online updates have moved (`browser.operations.training.online_update`) is returned in its present
        form, unless `as_trained` is set or photos were added or removed since. For errors see `Ranker.rank`.
        """
        metrics = self._library.metrics
        chosen = metrics.current() if metric is None else metrics.by_name(metric)
        trained = self._trained(chosen)
        moved = self._moved
        if as_trained or moved is None or moved[0] != chosen.id or not _is_made_from(moved[2], trained):
            return trained
        return moved[2]

    def move(self, metric: Metric, gallery: MetricGallery | None, why: object) -> bool:
        """Replace the gallery of a metric, or restore the trained one. Return whether this changes anything.

        Parameters
        ----------
        gallery : MetricGallery or None
            None: the trained one.
        why : object
            Reason for the move, returned by `moved_by`.
        """
        before = self._moved
        self._moved = None if gallery is None else (metric.id, why, gallery)
        return gallery is not None or (before is not None and before[0] == metric.id)

    def moved_by(self, metric: Metric, trained: MetricGallery) -> object | None:
        """Return the reason for moving a metric; None if it is as trained or photos were added or removed since."""
        moved = self._moved
        if moved is None or moved[0] != metric.id or not _is_made_from(moved[2], trained):
            return None
        return moved[1]

    def is_moved(self, gallery: MetricGallery) -> bool:
        """Return whether judgements have moved a gallery."""
        return self._moved is not None and self._moved[2] is gallery

    def _trained(self, chosen: Metric) -> MetricGallery:
        with self._lock:
            cached = self._galleries.get(chosen.id)
            if cached is not None and cached.loaded.metric == chosen:
                if cached.source is not None and _same(cached.source, self._source(cached.loaded)):
                    self._galleries.move_to_end(chosen.id)
                    self._make_room(cached)
                    return cached
                # The library's own space may have changed; that of a trained metric does not.
                loaded = cached.loaded if chosen.file is not None else None
            else:
                loaded = None
            gallery = self._noted(chosen) if cached is None else None
            if gallery is None:
                gallery = self._made(chosen, loaded)
            self._use_stored(gallery)
            if chosen.id not in self._galleries:
                note_use(self._library, gallery.loaded)
            self._galleries[chosen.id] = gallery
            self._galleries.move_to_end(chosen.id)
            self._make_room(gallery)
            return gallery

    def _made(self, chosen: Metric, loaded: LoadedMetric | None) -> MetricGallery:
        """Make the gallery of all described photos under a metric, loading it unless given."""
        stamp = stamp_of(self._library) if self._asks_notes(chosen) else None
        if loaded is None:
            loaded = load_metric(self._library, chosen)
        source = self._source(loaded)
        ids, rows = finish(embedding(self._library, loaded))
        if stamp is not None:
            self._note(stamp, loaded, ids)
        return self._gallery_of(loaded, ids, rows, source)

    def _gallery_of(
        self, loaded: LoadedMetric, ids: NDArray[np.int64], rows: NDArray[np.float32], source: Source | None
    ) -> MetricGallery:
        searched = row_gallery(loaded.learner, rows)
        if not isinstance(searched, FloatGallery) or not is_large(self._library, len(ids)):
            return MetricGallery(loaded, ids, rows, searched, source)

        gallery = MetricGallery(loaded, ids, rows, indexed_gallery.IndexedGallery(rows), source)
        row_index.attach_stored(self._library, gallery)
        return gallery

    def _asks_notes(self, chosen: Metric) -> bool:
        return self._once and chosen.file is None

    def _noted(self, chosen: Metric) -> MetricGallery | None:
        """Return the same as `_made` from a note, or None if there is none or it is out of date."""
        note = noted_space(self._library) if self._asks_notes(chosen) else None
        store = None if note is None else self._library.vectors.open(note.key)
        if note is None or store is None or store.print() != note.rows:
            return None

        def find_space() -> FeatureSpace:
            return space.current_space(self._library)

        return self._gallery_of(LoadedMetric(chosen, find_space, None, note.key), *store.snapshot(), None)

    def _note(self, stamp: str, loaded: LoadedMetric, ids: NDArray[np.int64]) -> None:
        """Note the space of the library's own metric, in the state described by the stamp."""
        store = self._library.vectors.open(loaded.key)
        rows = "" if store is None else store.print()
        if store is not None and store.ids is ids:  # all rows are stored
            note_space(self._library, SpaceNote(stamp, rows, loaded.key))

    def _use_stored(self, gallery: MetricGallery) -> None:
        """Connect a gallery to the numbers and neighbours saved for its rows, if all rows are stored."""
        store = self._library.vectors.open(gallery.loaded.key)
        stamp = "" if store is None else store.print()
        # rows are only in memory, or another thread has appended some
        if store is None or store.ids is not gallery.ids:
            return
        name, neighbors = f"scale {gallery.loaded.key}", gallery.neighbors
        neighbors.cached_scale = lambda find: cached_number(self._library, name, stamp, find)
        neighbors.stamp = stamp
        attach_nearest(self._library, gallery)

    def _make_room(self, used: MetricGallery) -> None:
        """Drop the least recently used galleries if there are too many or they take too much memory."""
        while len(self._galleries) > 1:
            owned = sum(one.owned_bytes for one in self._galleries.values() if one is not used)
            if len(self._galleries) <= _CACHED and owned <= _OWNED:
                return
            self._galleries.popitem(last=False)

    def _source(self, loaded: LoadedMetric) -> Source:
        """Return the current state of the stores that a metric and the library's own space depend on."""
        families = space.stores(self._library)
        own = [store for key in loaded.keys if (store := self._library.vectors.open(key)) is not None]
        return families, {store.key: store.ids for store in (*families, *own)}


def _is_made_from(moved: MetricGallery, trained: MetricGallery) -> bool:
    """Return whether a gallery that judgements moved was made from this trained one."""
    return moved.ids is trained.ids and moved.source is trained.source


def _same(before: Source, now: Source) -> bool:
    """Tell whether nothing was described or removed meanwhile; a store then returns the same array of ids."""
    families, ids = now
    return before[0] == families and before[1].keys() == ids.keys() and all(before[1][key] is ids[key] for key in ids)
