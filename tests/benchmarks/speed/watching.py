"""Cost of watching folders: start, rest, one new file, many copied files; on folders made for the purpose.

Prints seconds of processor time, and the time until a change was reported.
"""

from __future__ import annotations

import argparse
import queue
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import differing, scan, scan_paths
from focal_photos.browser.operations.photos.watch import FolderWatch

IN_A_FOLDER = 20
COPIED = 1000


def make(folder: Path, count: int) -> None:
    """Make `count` small files, twenty per folder, with a hundred folders in each parent folder."""
    for number in range(count):
        inner = number // IN_A_FOLDER
        path = folder / f"{inner // 100:03}" / f"{inner % 100:02}" / f"{number % IN_A_FOLDER}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"%d" % number)


class Clock:
    """Prints the time since it was made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def say(self, what: str) -> None:
        cpu, wall = time.process_time() - self._cpu, time.perf_counter() - self._wall
        print(f"{cpu:8.3f} s processor {wall:8.2f} s wall   {what}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="folder for the files (default: a temporary folder)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as place:
        photos = Path(place, "photos")
        make(photos, arguments.photos)
        with Library.open(Path(place, "library")) as library:
            clock = Clock()
            finish(scan(library, [photos]))
            clock.say(f"first scan of {arguments.photos:,} files")
            measure(library, photos)


def measure(library: Library, photos: Path) -> None:
    clock = Clock()
    finish(scan(library))
    clock.say("scan without any change")
    clock = Clock()
    assert not list(differing(library, library.roots.all()[0]))
    clock.say("looking through, as where folders are polled")
    changes: queue.Queue[Sequence[Path]] = queue.Queue()
    states: queue.Queue[object] = queue.Queue()
    before = psutil.Process().memory_info().rss
    watch = FolderWatch(library, lambda paths, _: changes.put(paths), states.put)
    clock = Clock()
    watch.start()
    clock.say("start() has returned")
    states.get()
    clock.say(f"all folders are watched ({(psutil.Process().memory_info().rss - before) / 1e6:.0f} MB)")
    time.sleep(3)
    clock = Clock()
    time.sleep(10)
    clock.say("rest")
    clock = Clock()
    (photos / "000" / "07" / "new.jpg").write_bytes(b"new")
    told = changes.get()
    clock.say("one new file is reported")
    clock = Clock()
    finish(scan_paths(library, told))
    clock.say("and scanned")
    copy_many(library, photos, changes)
    clock = Clock()
    watch.close()
    clock.say("end")


def copy_many(library: Library, photos: Path, changes: queue.Queue[Sequence[Path]]) -> None:
    source = photos.parent / "source"
    source.mkdir()
    for number in range(COPIED):
        (source / f"{number}.jpg").write_bytes(b"copy %d" % number)
    wanted = library.photos.count() + COPIED
    clock, scans = Clock(), 0
    shutil.copytree(source, photos / "copy")
    while library.photos.count() < wanted:
        finish(scan_paths(library, changes.get()))
        scans += 1
    clock.say(f"a copy of {COPIED:,} files, in {scans} scans")
    clock = Clock()
    (photos / "copy").rename(photos / "renamed")
    finish(scan_paths(library, changes.get()))
    clock.say("the copied folder renamed")


if __name__ == "__main__":
    main()
