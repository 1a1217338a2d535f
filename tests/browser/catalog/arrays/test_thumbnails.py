# SPDX-License-Identifier: MIT
from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from focal_photos.browser.catalog.arrays.thumbnails import Thumbnails


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "thumbnails.sqlite"


@pytest.fixture
def cache(path: Path) -> Iterator[Thumbnails]:
    cache = Thumbnails(path, max_bytes=10_000)
    yield cache
    cache.close()


def test_thumbnails_are_stored_read_and_forgotten(cache: Thumbnails) -> None:
    assert cache.get(1) is None
    cache.put(1, b"one")
    cache.put_many({2: b"two", 3: b"three"})
    cache.put_many({})
    assert [cache.get(number) for number in (1, 2, 3)] == [b"one", b"two", b"three"]
    cache.put(1, b"one again")
    assert cache.get(1) == b"one again"
    assert cache.size() == 17
    cache.forget([1, 3, 99])
    assert [cache.get(number) for number in (1, 2, 3)] == [None, b"two", None]
    assert cache.size() == 3


def test_missing_thumbnails_are_listed(cache: Thumbnails) -> None:
    cache.put_many({2: b"two", 3: b"three"})
    assert cache.missing([5, 3, 1, 2, 5]) == [5, 1, 5]


def test_thumbnails_survive_a_restart(path: Path, cache: Thumbnails) -> None:
    cache.put(1, b"one")
    cache.close()
    cache.close()
    again = Thumbnails(path)
    assert again.get(1) == b"one"
    assert again.size() == 3
    again.close()
    assert again.get(1) is None
    again.put(1, b"x")


def test_the_least_recently_used_are_dropped_first(cache: Thumbnails) -> None:
    for number in range(10):
        cache.put(number, bytes(1000))
    assert cache.get(0)
    cache.put(10, bytes(1000))
    assert cache.size() <= 9_000
    assert cache.get(0) is not None
    assert cache.get(1) is None
    assert cache.get(10) is not None


def test_times_of_use_survive_a_restart(path: Path) -> None:
    cache = Thumbnails(path, max_bytes=3_000)
    for number in range(3):
        cache.put(number, bytes(1000))
    assert cache.get(0)
    cache.close()
    cache = Thumbnails(path, max_bytes=3_000)
    cache.put(3, bytes(1000))
    assert cache.get(0) is not None
    assert cache.get(1) is None
    cache.close()


def test_many_uses_are_written_at_once(path: Path) -> None:
    cache = Thumbnails(path)
    cache.put_many(dict.fromkeys(range(300), b"x"))
    for number in range(300):
        cache.get(number)
    with sqlite3.connect(path) as connection:
        (stamps,) = connection.execute("SELECT count(DISTINCT at) FROM use").fetchone()
    connection.close()
    assert 256 <= stamps < 300
    cache.close()


def test_a_thumbnail_above_the_limit_is_not_stored(cache: Thumbnails) -> None:
    cache.put(1, bytes(20_000))
    assert cache.get(1) is None
    assert cache.size() == 0


def test_a_lower_limit_applies_from_the_next_write(path: Path) -> None:
    cache = Thumbnails(path, max_bytes=10_000)
    cache.put_many({number: bytes(1000) for number in range(9)})
    cache.close()
    cache = Thumbnails(path, max_bytes=2_000)
    cache.put(9, bytes(1000))
    assert cache.size() <= 2_000
    assert cache.get(9)
    cache.close()


@pytest.mark.parametrize("content", [b"", b"no database" * 1000, b"SQLite format 3\0" + b"\xa5" * 5000])
def test_a_file_that_is_not_a_database_is_recreated(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    cache = Thumbnails(path)
    cache.put(1, b"one")
    assert cache.get(1) == b"one"
    cache.close()


@pytest.mark.parametrize("word", [b"CREATE TABLE thumbnail", b"PRIMARY KEY", b"use_at", b"BLOB"])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_damaged_schema_only_clears_the_cache(path: Path, word: bytes, read_only: bool) -> None:
    """SQLite's own message is not valid text in this case."""
    with_picture = Thumbnails(path)
    with_picture.put(1, b"old")
    with_picture.close()
    content = path.read_bytes()
    for at in [match.start() for match in re.finditer(re.escape(word), content)]:
        content = content[: at + 2] + b"\xe5" + content[at + 3 :]
    path.write_bytes(content)
    cache = Thumbnails(path, read_only=read_only)
    assert cache.get(1) in (None, b"old")
    cache.put(2, b"new")
    assert cache.get(2) == (None if read_only else b"new")
    cache.copy_to(path.with_name("copy"))
    cache.close()


def test_a_picture_changed_to_text_is_dropped(path: Path, cache: Thumbnails) -> None:
    cache.put(1, b"picture")
    cache.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE thumbnail SET jpeg = 'picture'")
        connection.commit()
    again = Thumbnails(path)
    assert again.check() == [1]
    assert again.get(1) is None
    again.close()


def test_a_file_damaged_while_open_is_recreated(path: Path, cache: Thumbnails) -> None:
    for number in range(9):
        cache.put(number, bytes([number]) * 1000)
    cache.close()
    cache = Thumbnails(path)
    with path.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xa5" * (path.stat().st_size - 4096))
    assert [cache.get(number) for number in range(9)] == [None] * 9
    cache.put(1, b"one")
    assert cache.get(1) == b"one"
    assert cache.check() == []
    cache.close()


def test_a_cache_with_another_schema_is_recreated(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE thumbnail (photo_id INTEGER PRIMARY KEY, jpeg BLOB)")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    cache = Thumbnails(path)
    cache.put(1, b"one")
    assert cache.get(1) == b"one"
    cache.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    cache = Thumbnails(path)
    assert cache.get(1) is None
    cache.close()


def test_a_damaged_picture_is_not_returned(path: Path, cache: Thumbnails) -> None:
    cache.put_many({1: b"one", 2: b"two", 3: b"three"})
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE thumbnail SET jpeg = x'00' WHERE photo_id IN (1, 3)")
    connection.close()
    assert cache.get(1) is None
    assert cache.check() == [3]
    assert cache.check() == []
    assert cache.get(2) == b"two"
    assert cache.size() == 3


def test_a_read_only_cache_is_not_written(path: Path, cache: Thumbnails) -> None:
    assert Thumbnails(path.with_name("none.sqlite"), read_only=True).get(1) is None
    assert not path.with_name("none.sqlite").exists()
    cache.put(1, b"one")
    reader = Thumbnails(path, read_only=True)
    assert reader.get(1) == b"one"
    reader.put(2, b"two")
    reader.forget([1])
    assert cache.get(1) == b"one"
    assert cache.get(2) is None
    reader.close()


def test_a_read_only_cache_leaves_a_damaged_file(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)
    reader = Thumbnails(path, read_only=True)
    assert reader.get(1) is None
    assert path.read_bytes() == b"no database" * 1000
    reader.close()


def test_a_full_disk_is_ignored_except_when_forgetting(path: Path) -> None:
    from focal_photos.browser.catalog.library import LibraryFullError

    cache = Thumbnails(path)
    cache.put(1, bytes(50_000))
    connection = cache._connection
    assert connection is not None
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    cache.put(2, bytes(500_000))
    assert cache.get(2) is None
    assert cache.size() == 50_000
    assert cache.get(1) is not None
    connection.execute("PRAGMA query_only = ON")
    with pytest.raises(LibraryFullError.__base__):  # type: ignore[arg-type]  # LibraryError
        cache.forget([1])
    connection.execute("PRAGMA query_only = OFF")
    cache.forget([1])
    assert cache.get(1) is None
    cache.close()


def test_many_threads_use_the_cache(cache: Thumbnails) -> None:
    faults: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(50):
                key = number * 100 + turn % 5
                cache.put(key, b"%d" % key)
                assert cache.get(key) in (None, b"%d" % key)
                if turn % 10 == 0:
                    cache.forget([key])
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
