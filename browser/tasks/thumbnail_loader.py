"""Pictures for the screen: made in threads, visible ones first, kept in a cache of bounded size."""

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
"""Of pixels at most; a window that shows fewer keeps fewer: `KEPT` times what is asked for, which is some screens."""

LEAST_BYTES = 32 << 20
"""Kept in any case."""

KEPT = 3
"""How many times what is asked for now is kept, for who comes back to it."""

_PIXEL = 4  # bytes

FLUSH_MILLISECONDS = 16


class PixelSize(NamedTuple):
    """The size that a picture is to fit into, in device pixels."""

    width: int
    height: int


MakeImage = Callable[[int, PixelSize], QImage]
"""Photo id and size -> picture that fits into the size; a null image where there is none. Called in threads."""

_Key = tuple[int, PixelSize]


class ImageCache:
    """Pictures by photo and size, least recently used dropped first.

    Parameters
    ----------
    limit : int
        Bytes of pixels to keep at most.
    """

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self.limit = limit
        self.bytes = 0
        self._images: OrderedDict[_Key, QImage] = OrderedDict()
        self._sizes: dict[int, set[PixelSize]] = {}

    def get(self, photo_id: int, size: PixelSize) -> QImage | None:
        """Return the picture made for this size, or None."""
        image = self._images.get((photo_id, size))
        if image is not None:
            self._images.move_to_end((photo_id, size))
        return image

    def nearest(self, photo_id: int, size: PixelSize) -> QImage | None:
        """Return the picture of this photo that was made for the closest size, or None."""
        exact = self.get(photo_id, size)
        if exact is not None or photo_id not in self._sizes:
            return exact
        closest = min(self._sizes[photo_id], key=lambda other: abs(other.width - size.width))
        return self.get(photo_id, closest)

    def put(self, photo_id: int, size: PixelSize, image: QImage) -> None:
        """Keep a picture, dropping the ones not used for longest while the limit is exceeded."""
        self.drop(photo_id, size)
        self._images[photo_id, size] = image
        self._sizes.setdefault(photo_id, set()).add(size)
        self.bytes += image.sizeInBytes()
        while self.bytes > self.limit and len(self._images) > 1:
            oldest = next(iter(self._images))
            self.drop(*oldest)

    def drop(self, photo_id: int, size: PixelSize | None = None) -> None:
        """Forget one picture of a photo, or all of them."""
        sizes = self._sizes.get(photo_id, set())
        for each in list(sizes) if size is None else [size]:
            image = self._images.pop((photo_id, each), None)
            if image is not None:
                self.bytes -= image.sizeInBytes()
                sizes.discard(each)
        if not sizes:
            self._sizes.pop(photo_id, None)

    def clear(self) -> None:
        """Forget everything."""
        self._images.clear()
        self._sizes.clear()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._images)

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._images)


class ThumbnailLoader(QObject):
    """Loads pictures in threads and keeps them.

    Each consumer (the grid, the trail, ...) names itself; a new request of a consumer replaces its old one, so that
    pictures scrolled out of sight before their turn are never made.

    Parameters
    ----------
    make : callable
        See `MakeImage`.
    threads : int
        How many pictures are made at once.
    limit : int
        Bytes of the cache at most; it has less where less is asked for.
    turn : callable
        Called in a thread before each picture; it may wait.

    Signals
    -------
    loaded : list of int
        Photos whose picture has arrived (or is known to be unavailable), collected over some milliseconds.
    """

    loaded = Signal(object)
    _arrived = Signal(int, object, object)

    def __init__(
        self,
        make: MakeImage,
        parent: QObject | None = None,
        *,
        threads: int = 2,
        limit: int = CACHE_BYTES,
        turn: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(parent)
        self.cache = ImageCache(limit)
        self._limit = limit
        self._asked: dict[str, list[_Key]] = {}  # what each consumer asked for last
        self._stale: set[_Key] = set()  # kept, but shown otherwise now
        self._make, self._turn = make, turn
        self._wanted: dict[str, list[_Key]] = {}
        self._making: set[tuple[int, _Key]] = set()  # with the generation, for what is old by then is not kept
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
        """Return what the cache has for this photo, nearest in size; None if nothing. Asks for nothing."""
        return self.cache.nearest(photo_id, size)

    def request(self, consumer: str, photo_ids: Sequence[int], size: PixelSize) -> None:
        """Ask for pictures of one size, most urgent first, in place of the consumer's last request."""
        self.request_sizes(consumer, [(photo_id, size) for photo_id in photo_ids])

    def request_sizes(self, consumer: str, wanted: Sequence[tuple[int, PixelSize]]) -> None:
        """Ask for pictures, each in a size of its own, most urgent first, in place of the consumer's last request."""
        self._asked[consumer] = list(wanted)
        pixels = sum(size.width * size.height for keys in self._asked.values() for _, size in keys)
        self.cache.limit = min(self._limit, max(LEAST_BYTES, KEPT * _PIXEL * pixels))
        keys = [key for key in wanted if self.cache.get(*key) is None or key in self._stale]
        with self._changed:
            self._wanted[consumer] = [key for key in keys if (self._generation, key) not in self._making][::-1]
            self._changed.notify_all()

    def forget(self) -> None:
        """Drop all pictures, those being made too, because files have changed; who still wants some asks again."""
        with self._changed:
            self.cache.clear()
            self._stale.clear()
            self._generation += 1

    def renew(self, photo_ids: Iterable[int]) -> None:
        """Make pictures of some photos again, because they are shown otherwise; whoever asked last gets them.

        Until then the old ones stand in for them.
        """
        ids = set(photo_ids)
        with self._changed:
            self._stale |= {key for key in self.cache if key[0] in ids}
            # Those in the making may be as they were.
            open_ = {key for keys in self._wanted.values() for key in keys} | {key for _, key in self._making}
            self._generation += 1
            for consumer, asked in self._asked.items():
                self._wanted[consumer] = [key for key in asked if key[0] in ids or key in open_][::-1]
            self._changed.notify_all()

    @property
    def idle(self) -> bool:
        """Whether nothing is wanted, in the making or undelivered."""
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
        """Take the most urgent key; the consumers that want fewest pictures come first."""
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
            self._turn()
            with self._changed:
                if self._closing:
                    return
                key = self._next()
                if key is None:
                    continue  # another thread has taken it
                generation = self._generation
                self._making.add((generation, key))
            try:
                image = self._make(*key)
            except Exception:
                # A picture that cannot be shown must not stop the others; the tile says why in its own words.
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
