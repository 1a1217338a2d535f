"""Photos per second of indexing, memory, disk space, and milliseconds per photo by stage.

``python -m tests.benchmarks.workers.indexing [DIR] [--workers N] [--backend NAME[,NAME...]] [--scheduler ADDRESS]
[--descriptors NAME,...|all|standard] [--photos N] [--megapixels M]``; without DIR: drawn photos, 600 of 6 megapixels.
With several back ends (``processes,threads``), each indexes the same photos in turn into a new library.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

import focal_photos.browser.environment  # noqa: F401 - before numpy
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import ready_descriptors
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.workers.threads import available_cores
from focal_photos.features.table import DESCRIPTORS, LOCAL_DESCRIPTORS
from tests.browser.operations.album import Album

_DIFFERENT = 20  # number of drawn photos; the others are copies with extra bytes after the picture
_MIB = 1 << 20


@dataclass
class Memory:
    """Samples the memory of this process and its children as a context manager.

    Attributes
    ----------
    whole : int
        Maximum total bytes at one moment. Shared pages count once (PSS) if the system reports them.
    worker : int
        Maximum resident bytes of one child.
    own : int
        Maximum resident bytes of this process.
    """

    whole: int = 0
    worker: int = 0
    own: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Memory:
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _sample(self) -> None:
        this = psutil.Process()
        while not self._stop.wait(0.1):
            together = 0
            for process in [this, *this.children(recursive=True)]:
                try:
                    memory = process.memory_full_info()
                    tracker = "resource_tracker" in " ".join(process.cmdline())
                except psutil.Error:  # it has ended
                    continue
                together += getattr(memory, "pss", memory.rss)
                if process == this:
                    self.own = max(self.own, memory.rss)
                elif not tracker:  # joblib's own process
                    self.worker = max(self.worker, memory.rss)
            self.whole = max(self.whole, together)


@dataclass
class Options:
    workers: int | None
    scheduler: str | None
    descriptors: tuple[str, ...] | None


def measure(folder: Path, backend: str, options: Options) -> float:
    """Index a folder twice into a new library, print the costs and return the photos described per second."""
    marks: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place, Library.open(Path(place) / "library") as library:
        set_enabled(library, options.descriptors)
        with Memory() as memory:
            start, worked = time.perf_counter(), sum(os.times()[:4])
            job = index(library, [folder], workers=options.workers, backend=backend, scheduler=options.scheduler)
            while True:
                try:
                    marks[next(job).stage] = time.perf_counter()
                except StopIteration as stop:
                    report = stop.value
                    break
            total, worked = time.perf_counter() - start, sum(os.times()[:4]) - worked
        names = ", ".join(descriptor.name for descriptor in ready_descriptors(library))
        print(f"\n{backend}, {options.workers or available_cores()} workers: {names}")
        print(f"{report.photos} photos, {report.new} new, {len(report.failed)} failed")
        print(f"{report.extract.done / total:.1f} photos/s from nothing to a ready ranking ({total:.1f} s)")
        print(f"{1000 * worked / max(1, report.extract.done):.1f} ms of processor time a photo for all that")
        speed, before = 0.0, start
        for stage, end in marks.items():
            print(f"  {stage:<44} {end - before:8.2f} s")
            if stage == "Reading photos":
                speed = report.extract.done / (end - before)
                print(f"  {'':<44} {speed:8.2f} photos/s")
            before = end
        print("milliseconds a photo, summed over the workers:")
        for stage, milliseconds in report.stages.items():
            print(f"  {stage:<44} {milliseconds:8.2f}")
        print(f"memory at most: {memory.whole / _MIB:.0f} MiB in all, ", end="")
        print(f"{memory.worker / _MIB:.0f} the largest worker, {memory.own / _MIB:.0f} this process")
        print_sizes(library, max(1, report.extract.done))
        start = time.perf_counter()
        for _ in index(library, [folder], workers=options.workers):
            pass
        print(f"again, with nothing new: {time.perf_counter() - start:.2f} s")
    return speed


def print_sizes(library: Library, photos: int) -> None:
    """Print the size of the library in bytes, by component."""
    sizes = {key: store.size_on_disk(key) for store in (library.vectors, library.patches) for key in store.keys()}  # noqa: SIM118
    whole = sum(path.stat().st_size for path in library.path.rglob("*") if path.is_file())
    sizes["thumbnails and catalogue"] = whole - sum(sizes.values())
    print(f"on disk: {whole / _MIB:.1f} MiB, {whole / photos / 1024:.1f} KiB a photo")
    for key, size in sizes.items():
        print(f"  {key:<44} {size / _MIB:8.2f} MiB")


def draw(album: Album, photos: int, megapixels: float) -> None:
    """Draw photos with an aspect ratio of 3:2."""
    width = round((1.5e6 * megapixels) ** 0.5)
    for number in range(photos):
        if number < _DIFFERENT:
            album.draw(f"{number}.jpg", seed=number, size=(width, round(width / 1.5)))
        else:  # bytes after the image give the same picture another content hash
            source = album.path(f"{number % _DIFFERENT}.jpg").read_bytes()
            album.path(f"{number}.jpg").write_bytes(source + number.to_bytes(4, "big"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--backend", default="processes", help="back end, or several to compare, separated by commas")
    parser.add_argument("--scheduler")
    parser.add_argument("--descriptors", default="standard")
    parser.add_argument("--photos", type=int, default=600)
    parser.add_argument("--megapixels", type=float, default=6.0)
    arguments = parser.parse_args()
    every = (*DESCRIPTORS, *LOCAL_DESCRIPTORS)
    wanted = {"all": every, "standard": None}.get(arguments.descriptors, tuple(arguments.descriptors.split(",")))
    options = Options(arguments.workers, arguments.scheduler, wanted)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the workers
    with tempfile.TemporaryDirectory() as place:
        folder = arguments.folder
        if folder is None:
            album = Album(Path(place))
            draw(album, arguments.photos, arguments.megapixels)
            folder = album.folder
        backends = arguments.backend.split(",")
        speeds = {backend: measure(folder, backend, options) for backend in backends}
    if len(backends) > 1:
        print("\nphotos a second of reading and describing:")
        for backend, speed in sorted(speeds.items(), key=lambda item: -item[1]):
            print(f"  {backend:<20} {speed:8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
