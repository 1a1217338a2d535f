# SPDX-License-Identifier: MIT
from __future__ import annotations

import threading
from pathlib import Path

from focal_photos.browser.catalog.cache import Cache, CacheEntry
from focal_photos.browser.catalog.library import Library

NUMBER = CacheEntry[int]("a number")
WORDS = CacheEntry[list[str]]("words")


def test_values_are_cached_while_nothing_changes() -> None:
    cache, found = Cache(), []

    def find() -> int:
        found.append(1)
        return len(found)

    assert [cache.once(NUMBER, stamp, find) for stamp in ("a", "a", "b", "b", "a")] == [1, 1, 2, 2, 3]


def test_only_the_last_value_of_each_kind_is_cached() -> None:
    cache = Cache()
    cache.put(NUMBER, (1, 2), 7)
    cache.put(WORDS, (1, 2), ["one"])
    assert cache.get(NUMBER, (1, 2)) == 7
    assert cache.get(WORDS, (1, 2)) == ["one"]
    assert cache.get(NUMBER, (1, 3)) is None
    cache.put(NUMBER, (1, 3), 8)
    assert cache.get(NUMBER, (1, 2)) is None
    assert repr(NUMBER) == "CacheEntry('a number')"


def test_one_kind_is_dropped_and_the_others_stay() -> None:
    cache = Cache()
    cache.put(NUMBER, 1, 7)
    cache.put(WORDS, 1, ["one"])
    cache.forget(NUMBER)
    cache.forget(NUMBER)
    assert cache.get(NUMBER, 1) is None
    assert cache.get(WORDS, 1) == ["one"]


def test_two_threads_do_not_compute_the_same_value_twice() -> None:
    cache, calls, begun = Cache(), [], threading.Event()

    def find() -> int:
        calls.append(1)
        begun.set()
        return len(calls)

    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(cache.once(NUMBER, 0, find))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert begun.is_set()
    assert found == [1] * 8


def test_computing_a_value_may_need_another() -> None:
    cache = Cache()
    assert cache.once(WORDS, 0, lambda: ["x"] * cache.once(NUMBER, 0, lambda: 2)) == ["x", "x"]
    assert cache.get(NUMBER, 0) == 2


def test_a_closed_library_caches_nothing(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        library.cache.put(NUMBER, 0, 1)
        assert library.cache.get(NUMBER, 0) == 1
        with Library.open(tmp_path / "other") as other:
            assert other.cache.get(NUMBER, 0) is None
    assert library.cache.get(NUMBER, 0) is None
    library.cache.put(NUMBER, 0, 1)
    assert library.cache.get(NUMBER, 0) is None
    assert library.cache.once(NUMBER, 0, lambda: 5) == 5
    assert library.cache.get(NUMBER, 0) is None
