# SPDX-License-Identifier: MIT
"""Loads pictures for the screen in threads, visible ones first, into a cache of limited size."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QImage

log = logging.getLogger(__name__)

CACHE_BYTES = 128 << 20
"""Largest size of the cached pixels in bytes. Less is cached if `CACHE_FACTOR` times the current requests is less."""

LEAST_BYTES = 32 << 20
"""Smallest limit of the cache."""

CACHE_FACTOR = 3
"""Limit of the cache, relative to the currently requested pictures, so that earlier ones are available too."""

_PIXEL = 4  # bytes per pixel

FLUSH_MILLISECONDS = 16


class PixelSize(NamedTuple):
    """Size to fit a picture into, in device pixels."""

    width: int
    height: int


MakeImage = Callable[[int, PixelSize], QImage]
"""Returns the picture of an item (`learning.items`) that fits a size; a null image if there is none. Called in
threads."""

_Key = tuple[int, PixelSize]


class ImageCache:
    """Pictures by photo and size, with least-recently-used eviction.

    Parameters
    ----------
    limit : int
        Largest size of the pixels in bytes.
    """

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self.limit = limit
        self.bytes = 0
        self._images: OrderedDict[_Key, QImage] = OrderedDict()
        self._sizes: dict[int, set[PixelSize]] = {}

    def get(self, photo_id: int, size: PixelSize) -> QImage | None:
        """Return the picture of this size, or None."""
        image = self._images.get((photo_id, size))
        if image is not None:
            self._images.move_to_end((photo_id, size))
        return image

    def nearest(self, photo_id: int, size: PixelSize) -> QImage | None:
        """Return the picture of the closest size, or None."""
        exact = self.get(photo_id, size)
        if exact is not None or photo_id not in self._sizes:
            return exact
        closest = min(self._sizes[photo_id], key=lambda other: abs(other.width - size.width))
        return self.get(photo_id, closest)

    def put(self, photo_id: int, size: PixelSize, image: QImage) -> None:
        """Store a picture, evicting the least recently used ones while the limit is exceeded."""
        self.drop(photo_id, size)
        self._images[photo_id, size] = image
        self._sizes.setdefault(photo_id, set()).add(size)
        self.bytes += image.sizeInBytes()
        while self.bytes > self.limit and len(self._images) > 1:
            oldest = next(iter(self._images))
            self.drop(*oldest)

    def drop(self, photo_id: int, size: PixelSize | None = None) -> None:
        """Remove one picture of a photo, or all of them."""
        sizes = self._sizes.get(photo_id, set())
        for each in list(sizes) if size is None else [size]:
            image = self._images.pop((photo_id, each), None)
            if image is not None:
                self.bytes -= image.sizeInBytes()
                sizes.discard(each)
        if not sizes:
            self._sizes.pop(photo_id, None)

    def clear(self) -> None:
        """Remove all pictures."""
        self._images.clear()
        self._sizes.clear()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._images)

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._images)


class ThumbnailLoader(QObject):
    """Loads pictures in threads and caches them.

    Each consumer (the grid, the trail, ...) has a name; its new request replaces its old one, so that pictures scrolled
    out of sight beforehand are never made.

    Parameters
    ----------
    make : callable
        See `MakeImage`.
    threads : int
        Number of pictures made concurrently.
    pause : callable
        Called in a thread before each picture; may wait.
    """

    loaded = Signal(object)
    """Photos whose pictures have arrived or are known to be unavailable, collected over some milliseconds (list of
    int)."""
    _arrived = Signal(int, object, object)

    def __init__(
        self,
        make: MakeImage,
        parent: QObject | None = None,
        *,
        threads: int = 2,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(parent)
        self.cache = ImageCache()
        self._requested: dict[str, list[_Key]] = {}  # last request of each consumer
        self._stale: set[_Key] = set()  # cached, but outdated
        self._make, self._pause = make, pause
        self._wanted: dict[str, list[_Key]] = {}
        self._making: set[tuple[int, _Key]] = set()  # with the generation, because outdated pictures are discarded
        self._changed = threading.Condition()
        self._closing = False
        self._fresh: list[int] = []
        self._generation = 0
        self._flush = QTimer(self, singleShot=True, interval=FLUSH_MILLISECONDS)
        self._flush.timeout.connect(self._emit_fresh)
        self._arrived.connect(self._keep, Qt.ConnectionType.QueuedConnection)
        self._threads = [
            threading.Thread(target=self._run, name=f"focal-thumbnails-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def image(self, photo_id: int, size: PixelSize) -> QImage | None:
        """Return the cached picture of the closest size, or None. Does not request it."""
        return self.cache.nearest(photo_id, size)

    def request(self, consumer: str, photo_ids: Sequence[int], size: PixelSize) -> None:
        """Request pictures of one size, most urgent first, replacing the consumer's last request."""
        self.request_sizes(consumer, [(photo_id, size) for photo_id in photo_ids])

    def request_sizes(self, consumer: str, wanted: Sequence[tuple[int, PixelSize]]) -> None:
        """Request pictures of individual sizes, most urgent first, replacing the consumer's last request."""
        self._requested[consumer] = list(wanted)
        pixels = sum(size.width * size.height for keys in self._requested.values() for _, size in keys)
        self.cache.limit = min(CACHE_BYTES, max(LEAST_BYTES, CACHE_FACTOR * _PIXEL * pixels))
        keys = [key for key in wanted if self.cache.get(*key) is None or key in self._stale]
        with self._changed:
            self._wanted[consumer] = [key for key in keys if (self._generation, key) not in self._making][::-1]
            self._changed.notify_all()

    def forget(self) -> None:
        """Make all pictures of the latest requests again, also those in progress, because files have changed."""
        with self._changed:
            self.cache.clear()
            self._stale.clear()
            self._generation += 1
            for consumer, keys in self._requested.items():
                self._wanted[consumer] = keys[::-1]
            self._changed.notify_all()

    def renew(self, photo_ids: Iterable[int]) -> None:
        """Make pictures of photos, and of all boxes, again for the latest requests: their appearance has changed.

        Until then, the old ones are shown.
        """
        ids = set(photo_ids)
        with self._changed:
            self._stale |= {key for key in self.cache if key[0] in ids or key[0] < 0}
            # Pictures in progress may show the old appearance.
            open_ = {key for keys in self._wanted.values() for key in keys} | {key for _, key in self._making}
            self._generation += 1
            for consumer, keys in self._requested.items():
                self._wanted[consumer] = [key for key in keys if key[0] in ids or key[0] < 0 or key in open_][::-1]
            self._changed.notify_all()

    @property
    def idle(self) -> bool:
        """Whether no picture is requested, in progress or undelivered."""
        with self._changed:
            return not any(self._wanted.values()) and not self._making and not self._flush.isActive()

    def close(self, timeout: float = 30.0) -> None:
        """Drop all requests and end the threads."""
        with self._changed:
            self._closing = True
            self._wanted.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout)
        self._flush.stop()

    # ------------------------------------------------------------------ threads
    def _next(self) -> _Key | None:
        """Take the most urgent key; consumers that request the fewest pictures come first."""
        lists = sorted((keys for keys in self._wanted.values() if keys), key=len)
        for keys in lists:
            while keys:
                key = keys.pop()
                if (self._generation, key) not in self._making:
                    return key
        return None

    def _run(self) -> None:
        while True:
            with self._changed:
                while not any(self._wanted.values()) and not self._closing:
                    self._changed.wait()
            self._pause()
            with self._changed:
                if self._closing:
                    return
                key = self._next()
                if key is None:
                    continue  # another thread has taken the key
                generation = self._generation
                self._making.add((generation, key))
            try:
                image = self._make(*key)
            except Exception:
                # One failed picture must not stop the others; the tile shows its own error text.
                log.warning("No picture for photo %d.", key[0], exc_info=True)
                image = QImage()
            if self._closing:
                return
            self._arrived.emit(generation, key, image)

    # ------------------------------------------------------------------ main thread
    @Slot(int, object, object)
    def _keep(self, generation: int, key: _Key, image: QImage) -> None:
        photo_id, size = key
        with self._changed:
            self._making.discard((generation, key))
        if self._closing or generation != self._generation:
            return
        for old in [each for each in self._stale if each[0] == photo_id]:
            self._stale.discard(old)
            self.cache.drop(*old)
        self.cache.put(photo_id, size, image)
        self._fresh.append(photo_id)
        if not self._flush.isActive():
            self._flush.start()

    @Slot()
    def _emit_fresh(self) -> None:
        fresh, self._fresh = self._fresh, []
        self.loaded.emit(fresh)
