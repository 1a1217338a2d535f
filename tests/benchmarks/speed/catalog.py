# SPDX-License-Identifier: MIT
"""Speed of the catalogue: opening, filtering, counting, tagging, undo and vectors, on a library made for the purpose.

Prints the median and the maximum of several runs, and the first run, which may have cold caches.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from focal_photos.browser.catalog.facts.records import FoundFile, Suggestion, SuggestionState, Verdict
from focal_photos.browser.catalog.library import Library

BATCH = 5000


def build(library: Library, folder: Path, count: int) -> None:
    """Add `count` photos in folders of 200; nine in ten have three of 300 tags in 30 families."""
    chance = random.Random(0)
    root = library.roots.add(folder)
    start = time.perf_counter()
    for first in range(0, count, BATCH):
        numbers = range(first, min(count, first + BATCH))
        library.files.record(
            FoundFile(root.id, b"trip %04d/IMG_%07d.jpg" % (number // 200, number), 4_000_000, 1, f"{number:032x}")
            for number in numbers
        )
    print(f"{count / (time.perf_counter() - start):12,.0f}  files recorded a second (in batches of {BATCH})")
    ids = library.photos.ids()
    with library.database.transaction() as connection:  # like a large import, but without its journal
        connection.executemany("INSERT INTO tag (name) VALUES (?)", [(f"kind {n % 30}/tag {n}",) for n in range(300)])
        connection.executemany("INSERT OR IGNORE INTO tag (name) VALUES (?)", [(f"kind {n}",) for n in range(30)])
        connection.executemany(
            "INSERT OR IGNORE INTO photo_tag VALUES (?, ?, 'import', '2024-01-01T00:00:00.000000')",
            ((number, chance.randrange(1, 301)) for number in ids.tolist() if chance.random() < 0.9 for _ in range(3)),
        )
        connection.executemany(
            "UPDATE photo SET width = 6000, height = 4000, taken = ? WHERE id = ?",
            ((f"{chance.randrange(2005, 2025)}-{chance.randrange(1, 13):02}-10T12:00:00", i) for i in ids.tolist()),
        )


def measure(name: str, work: Callable[[], object], runs: int = 7) -> None:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    print(f"{statistics.median(times):10.2f} ms {max(times):10.2f} {times[0]:10.2f}   {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=100_000)
    count = parser.parse_args().photos
    with tempfile.TemporaryDirectory(prefix="focal-bench-") as name:
        place, folder = Path(name) / "library", Path(name) / "album"
        folder.mkdir()
        with Library.open(place) as library:
            build(library, folder, count)
        print(f"{(place / 'catalog.sqlite').stat().st_size / count:12,.0f}  bytes a photo in the catalogue")
        print(f"{'median':>13} {'worst':>10} {'first':>10}   of {count:,} photos")
        measure("open and close, with the check of the whole file", lambda: Library.open(place).close(), 3)
        with Library.open(place) as library:
            run(library, count)


def run(library: Library, count: int) -> None:
    photos, tags = library.photos, library.tags
    root = library.roots.all()[0]
    measure("all ids in the order of their paths", photos.ids)
    for query in ("untagged", 'tag:"kind 3"', '"IMG_00012"', "größe", "date:2024-05", "-missing -failed"):
        measure(f"ids: {query}", lambda query=query: photos.ids(query))  # type: ignore[misc]  # early binding
    measure("folders with counts", lambda: library.roots.folders(root.id))
    ids = photos.ids()
    measure("rows of 200 photos", lambda: photos.get(ids[:200]))
    measure("tags of 200 photos", lambda: tags.of(ids[:200]))
    thousand, turns = ids[:1000], iter(range(10**6))
    measure("give 1,000 photos a new tag", lambda: tags.change(thousand, [f"new {next(turns)}"]))
    measure("undo of 1,000 tags", library.journal.undo)
    measure("redo of 1,000 tags", library.journal.redo)

    def count_again() -> None:
        tags.change(ids[:1], [f"one {next(turns)}"])
        tags.all()

    measure("give a tag to one photo, and all counts again", count_again)
    measure("recent tags", tags.recent)
    measure("tag matrix of all photos", lambda: tags.matrix(ids), 3)
    others = iter(ids[1:].tolist())
    measure("one judgement", lambda: library.judgements.set(int(ids[0]), [next(others)], Verdict.SIMILAR), 50)
    some = ids[:5000].tolist()
    suggested = [
        Suggestion(photo, f"kind {k}/tag {k}", 0.5, SuggestionState.OPEN, (1, 2, 3)) for photo in some for k in range(5)
    ]
    measure("replace 25,000 suggestions of 5,000 photos", lambda: library.suggestions.replace_open(suggested, 1), 3)
    pairs = iter(library.database.rows("SELECT photo_id, name FROM suggestion JOIN tag ON tag.id = tag_id"))
    measure("accept one suggestion", lambda: library.suggestions.accept([next(pairs)]), 50)
    measure("backup", library.back_up, 3)

    store = library.vectors.store("bench", 100)
    for first in range(0, count, 10_000):
        batch = ids[first : first + 10_000]
        store.append(batch, np.random.default_rng(first).random((len(batch), 100), dtype=np.float32))
    key = iter(range(count + 1, 10**7, 32))
    rows = np.ones((32, 100), np.float32)

    def append() -> None:
        first = next(key)
        store.append(np.arange(first, first + 32), rows)

    measure("append 32 vectors of 100", append, 50)
    measure("which of all photos lack a vector", lambda: store.missing(ids))
    measure("all vectors in order, mapped", lambda: store.rows(ids))
    shuffled = np.random.default_rng(0).permutation(ids)[:10_000]
    measure("10,000 vectors here and there", lambda: store.rows(shuffled))
    measure("check all vectors", store.check, 3)
    library.vectors.close()
    measure("open the vectors", lambda: type(store)(library.path / "derived" / "vectors", "bench", 100).close())
    numbers = ids[:2000].tolist()
    measure("keep 100 thumbnails", lambda: library.thumbnails.put_many(dict.fromkeys(numbers[:100], bytes(15_000))))
    measure("get a thumbnail", lambda: library.thumbnails.get(numbers[7]), 200)


if __name__ == "__main__":
    main()
