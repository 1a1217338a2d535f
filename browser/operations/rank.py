"""Rank the photos of a library by their distance to a focal image."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.catalog.records import Metric
from browser.operations.errors import OperationError
from browser.operations.find import find_content
from browser.operations.gallery import LoadedMetric, embedding, load_metric
from browser.operations.progress import finish
from browser.operations.space import stores
from features import DESCRIPTORS
from features.description import describe
from features.image import ImageError
from learners.galleries import FloatGallery

_CACHED: Final = 4  # metrics kept ready


@dataclass(frozen=True)
class Ranking:
    """Photos by their distance to a focal image, nearest first, without the focal image.

    Attributes
    ----------
    metric : Metric
    focal_id : int or None
        None if the focal image is not in the library.
    photo_ids : ndarray of int64, shape (n,)
    distances : ndarray of float32, shape (n,)
        Ascending.
    """

    metric: Metric
    focal_id: int | None
    photo_ids: NDArray[np.int64]
    distances: NDArray[np.float32]


@dataclass(frozen=True)
class MetricGallery:
    """All described photos under a metric.

    Attributes
    ----------
    ids : ndarray of int64, shape (n,)
    rows : ndarray of float32, shape (n, r)
        Row i is the photo ``ids[i]``.
    """

    loaded: LoadedMetric
    ids: NDArray[np.int64]
    rows: NDArray[np.float32]
    gallery: FloatGallery
    source: tuple[NDArray[np.int64], ...]  # ids of the descriptors' stores when this was made

    def row_of(self, photo_id: int) -> int | None:
        """Return the row of a photo, or None."""
        found = np.flatnonzero(self.ids == photo_id)
        return int(found[0]) if len(found) else None


class Ranker:
    """Answers rankings, and keeps what they need ready for the metrics used last. Any thread may call.

    Photos that were described since the last question and metrics that were trained since are taken into account.

    Parameters
    ----------
    library : Library
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._galleries: OrderedDict[int, MetricGallery] = OrderedDict()

    def rank(
        self,
        focal: int | Path | bytes,
        metric: str | None = None,
        *,
        limit: int | None = None,
        among: NDArray[np.int64] | None = None,
    ) -> Ranking:
        """Rank photos by their distance to a focal image.

        Photos without a description (broken, or not indexed yet) are absent; missing ones are there, unless their
        folder was taken out of the library.

        Parameters
        ----------
        focal : int, Path or bytes
            A photo id, a file in the library or anywhere else, or the content of an image file. A file with the
            content of a photo is that photo, wherever it lies; one that changed since the scan is decoded anew.
        metric : str, optional
            Name of a metric (``kernel-3``) or of a learner (``kernel``: its latest); the current metric, if not given.
        limit : int, optional
            How many; all, if not given.
        among : ndarray of int64, optional
            Ids of the photos that may be in the ranking; all that are listed, if not given.

        Returns
        -------
        Ranking

        Raises
        ------
        OperationError
            The focal image cannot be decoded, nothing is indexed, or the metric's file is damaged.
        UnknownMetricError
            The library has no such metric.
        """
        gallery = self.gallery(metric)
        if among is None and self._library.photos.has_removed_roots():
            among = self._library.photos.listed()
        focal_id, query = self._query(gallery, focal)
        wanted = None if limit is None or among is not None else limit + (focal_id is not None)
        rows, distances = gallery.gallery.rank(query, wanted)
        ids = gallery.ids[rows]
        kept = np.ones(len(ids), dtype=bool) if focal_id is None else ids != focal_id
        if among is not None:
            kept &= np.isin(ids, among)
        ids, distances = ids[kept][:limit], distances[kept][:limit]
        return Ranking(gallery.loaded.metric, focal_id, ids, distances)

    def gallery(self, metric: str | None = None) -> MetricGallery:
        """Return all described photos under a metric, the current one if not given; see `rank` for the errors."""
        metrics = self._library.metrics
        chosen = metrics.current() if metric is None else metrics.by_name(metric)
        with self._lock:
            source = tuple(store.ids for store in stores(self._library))
            kept = self._galleries.get(chosen.id)
            if kept is not None and kept.loaded.metric == chosen and _same(kept.source, source):
                self._galleries.move_to_end(chosen.id)
                return kept
            loaded = kept.loaded if kept is not None and kept.loaded.metric == chosen else None
            if loaded is None or chosen.file is None:
                loaded = load_metric(self._library, chosen)
            ids, rows = finish(embedding(self._library, loaded))
            gallery = MetricGallery(loaded, ids, rows, FloatGallery(rows), source)
            self._galleries[chosen.id] = gallery
            self._galleries.move_to_end(chosen.id)
            while len(self._galleries) > _CACHED:
                self._galleries.popitem(last=False)
            return gallery

    def _query(self, gallery: MetricGallery, focal: int | Path | bytes) -> tuple[int | None, NDArray[np.float32]]:
        """Return the focal image's id, if it has one, and its place under the metric (r,)."""
        focal_id: int | None = None
        source: Path | bytes
        if isinstance(focal, bytes):
            source = focal
        else:
            if isinstance(focal, Path):
                source = focal
                photo = self._library.photos.by_path(focal)
                if photo is None or self._is_edited(focal):
                    same = find_content(self._library, focal)
                    if same is None:
                        return None if photo is None else photo.id, _describe_focal(gallery.loaded, focal)
                    photo = same
            else:
                photo = self._library.photos.get([int(focal)])[0]
                source = photo.path
            if photo is not None:
                focal_id = photo.id
                row = gallery.row_of(photo.id)
                if row is not None:
                    return focal_id, gallery.rows[row]
                if photo.failure is not None:
                    raise OperationError(f"{photo.path} cannot be decoded: {photo.failure}")
        return focal_id, _describe_focal(gallery.loaded, source)

    def _is_edited(self, path: Path) -> bool:
        """Tell whether a known file is not as the last scan found it; one that is gone was not edited."""
        try:
            found = path.stat()
        except OSError:
            return False
        return self._library.photos.recorded(path) != (found.st_size, found.st_mtime_ns)


def _describe_focal(loaded: LoadedMetric, source: Path | bytes) -> NDArray[np.float32]:
    names = list(DESCRIPTORS)
    try:
        description = describe(source, names, thumbnail_side=None)
    except ImageError as error:
        what = "The image" if isinstance(source, bytes) else str(source)
        raise OperationError(f"{what} cannot be used as focal image: {error}") from error
    by_key = {str(DESCRIPTORS[name].key): vector for name, vector in description.vectors.items()}
    vector = np.concatenate([by_key[group.name] for group in loaded.space.groups])
    query: NDArray[np.float32] = loaded.embed(loaded.space.transform(vector[None]))[0]
    return query


def _same(before: tuple[NDArray[np.int64], ...], now: tuple[NDArray[np.int64], ...]) -> bool:
    """Tell whether nothing was described or forgotten meanwhile: a store then hands out the same array of ids."""
    return all(one is other for one, other in zip(before, now, strict=True))
