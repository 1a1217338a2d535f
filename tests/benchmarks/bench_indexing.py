"""Photos a second of indexing, and milliseconds a photo by stage.

``python -m tests.benchmarks.bench_indexing [DIR] [--workers N]``; without DIR: 600 drawn photos of 3000 x 2000.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import browser.environment  # noqa: F401 - before numpy
from browser.catalog.library import Library
from browser.operations.index import index
from browser.operations.pool import available_cores
from browser.operations.progress import Progress
from tests.browser.operations.album import Album

_DRAWN, _SIZE = 600, (3000, 2000)


def measure(folder: Path, workers: int | None) -> None:
    """Index a folder into a new library, then again, and print what it took."""
    marks: dict[str, float] = {}

    def note(progress: Progress) -> None:
        marks[progress.stage] = time.perf_counter()

    with tempfile.TemporaryDirectory() as place, Library.open(Path(place) / "library") as library:
        start = time.perf_counter()
        job = index(library, [folder], workers=workers)
        while True:
            try:
                note(next(job))
            except StopIteration as stop:
                report = stop.value
                break
        total = time.perf_counter() - start
        failed = len(report.failed)
        print(f"{report.photos} photos, {report.new} new, {failed} failed, {workers or available_cores()} processes")
        print(f"{report.extract.done / total:.1f} photos/s from nothing to a ready ranking ({total:.1f} s)")
        before = start
        for stage, end in marks.items():
            print(f"  {stage:<24} {end - before:8.2f} s")
            before = end
        print("milliseconds of processor time a photo:")
        for stage, milliseconds in report.stages.items():
            print(f"  {stage:<24} {milliseconds:8.2f}")
        start = time.perf_counter()
        for _ in index(library, [folder], workers=workers):
            pass
        print(f"again, with nothing new: {time.perf_counter() - start:.2f} s")


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--workers", type=int)
    arguments = parser.parse_args()
    if arguments.folder is not None:
        measure(arguments.folder, arguments.workers)
        return 0
    with tempfile.TemporaryDirectory() as place:
        album = Album(Path(place))
        for number in range(_DRAWN):
            if number < 20:
                album.draw(f"{number}.jpg", seed=number, size=_SIZE)
            else:  # a comment behind the image makes another content of the same picture
                source = album.path(f"{number % 20}.jpg").read_bytes()
                album.path(f"{number}.jpg").write_bytes(source + number.to_bytes(4, "big"))
        measure(album.folder, arguments.workers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
