# SPDX-License-Identifier: MIT
from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from focal_photos.browser.tasks.thumbnail_loader import (
    CACHE_BYTES,
    CACHE_FACTOR,
    LEAST_BYTES,
    ImageCache,
    PixelSize,
    ThumbnailLoader,
)

SIZE = PixelSize(40, 30)


def picture(size: PixelSize = SIZE) -> QImage:
    return QImage(*size, QImage.Format.Format_RGB32)


def test_the_cache_is_bounded_and_drops_the_least_recently_used() -> None:
    cache = ImageCache(limit=3 * picture().sizeInBytes())
    for photo_id in (1, 2, 3):
        cache.put(photo_id, SIZE, picture())
    assert cache.get(1, SIZE) is not None
    cache.put(4, SIZE, picture())
    assert cache.get(2, SIZE) is None
    assert cache.get(1, SIZE) is not None
    assert cache.bytes <= cache.limit
    assert len(cache) == 3


def test_a_remade_picture_counts_once() -> None:
    cache = ImageCache()
    for _ in range(3):
        cache.put(1, SIZE, picture())
    assert (len(cache), cache.bytes) == (1, picture().sizeInBytes())
    cache.drop(1)
    assert (len(cache), cache.bytes) == (0, 0)


def test_the_cache_gives_the_nearest_size() -> None:
    cache = ImageCache()
    small, large = PixelSize(10, 10), PixelSize(100, 100)
    cache.put(1, small, picture(small))
    cache.put(1, large, picture(large))
    nearest = cache.nearest(1, PixelSize(80, 80))
    assert nearest is not None
    assert nearest.width() == 100
    assert cache.nearest(2, small) is None
    cache.drop(1)
    assert cache.bytes == 0
    assert cache.nearest(1, small) is None


class Maker:
    """Makes pictures while the gate is open and records their order."""

    def __init__(self) -> None:
        self.made: list[int] = []
        self.gate = threading.Event()
        self.started = threading.Event()

    def __call__(self, photo_id: int, size: PixelSize) -> QImage:
        self.made.append(photo_id)
        self.started.set()
        self.gate.wait(60)
        if photo_id < 0:
            raise OSError("gone")
        return picture(size)


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
def make_loader(qtbot: QtBot, maker: Maker) -> Iterator[Callable[[], ThumbnailLoader]]:
    loaders: list[ThumbnailLoader] = []

    def make() -> ThumbnailLoader:
        loaders.append(ThumbnailLoader(maker, threads=1))
        return loaders[-1]

    yield make
    maker.gate.set()
    for loader in loaders:
        loader.close()


def test_a_new_request_drops_invisible_pictures(
    make_loader: Callable[[], ThumbnailLoader], maker: Maker, qtbot: QtBot
) -> None:
    loader = make_loader()
    loader.request("grid", [1, 2, 3, 4], SIZE)
    assert maker.started.wait(60)
    loader.request("grid", [7, 8], SIZE)
    maker.gate.set()
    qtbot.waitUntil(lambda: loader.idle)
    assert maker.made == [1, 7, 8]
    assert loader.image(8, SIZE) is not None
    assert loader.image(2, SIZE) is None


def test_a_small_request_has_priority_over_a_large_one(
    make_loader: Callable[[], ThumbnailLoader], maker: Maker, qtbot: QtBot
) -> None:
    loader = make_loader()
    loader.request("grid", range(10, 30), SIZE)
    assert maker.started.wait(60)
    loader.request("focal", [1], SIZE)
    maker.gate.set()
    qtbot.waitUntil(lambda: loader.idle)
    assert maker.made[1] == 1


def test_cached_pictures_are_not_made_again(
    make_loader: Callable[[], ThumbnailLoader], maker: Maker, qtbot: QtBot
) -> None:
    loader, arrived = make_loader(), list[int]()
    loader.loaded.connect(arrived.extend)
    maker.gate.set()
    loader.request("grid", [1, 2], SIZE)
    qtbot.waitUntil(lambda: loader.idle and len(arrived) == 2)
    loader.request("grid", [1, 2, 3], SIZE)
    qtbot.waitUntil(lambda: loader.idle and len(arrived) == 3)
    assert sorted(maker.made) == [1, 2, 3]


def test_boxes_are_made_again_when_any_box_or_photo_changes(
    qtbot: QtBot, maker: Maker, make_loader: Callable[[], ThumbnailLoader]
) -> None:
    maker.gate.set()
    loader = make_loader()
    loader.request("map", [1, -2, 3], SIZE)
    qtbot.waitUntil(lambda: loader.idle, timeout=60_000)
    loader.renew(())
    qtbot.waitUntil(lambda: loader.idle, timeout=60_000)
    loader.renew([3])
    qtbot.waitUntil(lambda: loader.idle, timeout=60_000)
    assert sorted(maker.made) == [-2, -2, -2, 1, 3, 3]


def test_a_failed_picture_does_not_stop_others(
    make_loader: Callable[[], ThumbnailLoader], maker: Maker, qtbot: QtBot
) -> None:
    loader = make_loader()
    maker.gate.set()
    loader.request("grid", [-1, 2], SIZE)
    qtbot.waitUntil(lambda: loader.idle)
    failed = loader.image(-1, SIZE)
    assert failed is not None
    assert failed.isNull()
    assert loader.image(2, SIZE) is not None


def test_a_picture_of_the_old_file_is_not_cached(
    make_loader: Callable[[], ThumbnailLoader], maker: Maker, qtbot: QtBot
) -> None:
    loader = make_loader()
    loader.request("grid", [1], SIZE)
    assert maker.started.wait(60)
    loader.forget()
    maker.gate.set()
    qtbot.waitUntil(lambda: loader.idle)
    assert loader.image(1, SIZE) is not None
    assert maker.made == [1, 1]
    loader.request("grid", [], SIZE)
    loader.forget()
    assert loader.image(1, SIZE) is None
    assert (len(loader.cache), loader.cache.bytes) == (0, 0)


def test_changed_files_are_shown_again_by_every_consumer(
    make_loader: Callable[[], ThumbnailLoader], maker: Maker, qtbot: QtBot
) -> None:
    loader = make_loader()
    maker.gate.set()
    loader.request("grid", [1, 2], SIZE)
    loader.request("review", [3], SIZE)
    qtbot.waitUntil(lambda: loader.idle)
    loader.forget()
    qtbot.waitUntil(lambda: loader.idle)
    assert all(loader.image(photo_id, SIZE) is not None for photo_id in (1, 2, 3))


def test_a_picture_requested_while_the_old_file_is_decoded_is_made_again(
    make_loader: Callable[[], ThumbnailLoader], maker: Maker, qtbot: QtBot
) -> None:
    loader = make_loader()
    loader.request("grid", [1, 2], SIZE)
    assert maker.started.wait(60)
    loader.forget()
    loader.request("grid", [1, 2], SIZE)
    maker.gate.set()
    qtbot.waitUntil(lambda: loader.idle)
    assert [loader.image(photo_id, SIZE) is not None for photo_id in (1, 2)] == [True, True]
    assert sorted(maker.made) == [1, 1, 2]


def test_a_small_window_caches_fewer_pictures_than_a_large_one(
    make_loader: Callable[[], ThumbnailLoader], maker: Maker, qtbot: QtBot
) -> None:
    loader = make_loader()
    maker.gate.set()
    large = PixelSize(2000, 1000)
    assert loader.cache.limit == CACHE_BYTES
    loader.request("grid", range(2), SIZE)
    assert loader.cache.limit == LEAST_BYTES
    loader.request("grid", range(3), large)
    loader.request("focal", [9], large)
    assert loader.cache.limit == CACHE_FACTOR * 4 * picture(large).sizeInBytes()
    qtbot.waitUntil(lambda: loader.idle)
    assert all(loader.cache.get(photo_id, large) is not None for photo_id in (0, 1, 2, 9))
    loader.request("grid", range(100), large)
    assert loader.cache.limit == CACHE_BYTES
    loader.request("grid", [], large)
    loader.request("focal", [], large)
    assert loader.cache.limit == LEAST_BYTES
