# SPDX-License-Identifier: MIT
"""Gain of several workers: describing photos for a library, compared with the scaling of the machine itself.

``python -m tests.benchmarks.workers.scaling DIR [--workers 1,2,4] [--photos N] [--rounds 2]``. Running processes read
the photos in three ways: only decoded; described, with the results dropped; and described for a library, which stores
all results. Fitted descriptors are fitted beforehand. The fastest of the rounds counts, with its processor seconds.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import description_plan
from focal_photos.browser.operations.describing.extraction.extract import extract
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.workers.photo_tasks import PhotoTask, describe_photo
from focal_photos.browser.operations.workers.process_executor import background_pool
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.threads import available_cores
from focal_photos.features.decoding.decode import decode
from focal_photos.features.description import DescriptionPlan
from tests.benchmarks.common.report import Report

_WARMING = 32
_WHAT = ("decoded", "described", "for a library")
_kept: dict[str, Any] = {}


# ------------------------------------------------------------------ in the workers
def keep(plan: DescriptionPlan) -> None:
    _kept["plan"] = plan


def decode_all(paths: Sequence[Path]) -> int:
    for path in paths:
        decode(path)
    return len(paths)


def describe_all(paths: Sequence[Path]) -> int:
    plan: DescriptionPlan = _kept["plan"]
    names = tuple(plan.by_name)
    return sum(describe_photo(PhotoTask(1, path, names), plan).description is not None for path in paths)


# ------------------------------------------------------------------ in this process
class Took(NamedTuple):
    """Seconds of one round: wall clock, processor time of all processes, and processor time of this process."""

    wall: float
    every: float
    own: float


def measured(work: Callable[[], object], pids: Sequence[int]) -> Took:
    """Return the time that some work takes in the given processes and in this one."""

    def processor() -> tuple[float, float]:
        times = [psutil.Process(pid).cpu_times() for pid in pids]
        own = time.process_time()
        return own + sum(one.user + one.system for one in times), own

    start, (every, own) = time.perf_counter(), processor()
    work()
    wall, (every_after, own_after) = time.perf_counter() - start, processor()
    return Took(wall, every_after - every, own_after - own)


def by_themselves(pool: ProcessPool, size: int, function: Callable[..., int], paths: Sequence[Path]) -> Took:
    """Let each process work through its share of the photos without communication."""
    together = threading.Barrier(size)

    def begin(number: int) -> None:
        together.wait()  # so that each call occupies a different process
        pool.call(function, paths[number:_WARMING:size], seconds=600)

    def work(number: int) -> int:
        return pool.call(function, paths[number::size], seconds=600)

    with ThreadPoolExecutor(size) as threads:
        list(threads.map(begin, range(size)))
        return measured(lambda: list(threads.map(work, range(size))), pool.pids)


def for_a_library(library: Library, size: int) -> Took:
    """Describe all photos of a library again with the fitted descriptors."""
    ids = library.photos.ids().tolist()
    with closing(background_pool(size)) as pool:
        for some in (ids[:_WARMING], ids):
            library.forget_derived(some)
            took = measured(lambda: finish(extract(library, workers=size, pool=pool)), pool.pids)
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", default=f"1,2,{available_cores()}")
    parser.add_argument("--photos", type=int, help="number of photos, the first by path")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--name", default="scaling", help="name of the results file")
    options = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the workers
    sizes = [int(size) for size in options.workers.split(",")]
    with tempfile.TemporaryDirectory() as place, Library.open(Path(place) / "library") as library:
        folder = options.folder
        if options.photos is not None:
            folder = Path(place) / "photos"
            folder.mkdir()
            for number, path in enumerate(sorted(options.folder.rglob("*.jpg"))[: options.photos]):
                (folder / f"{number}.jpg").write_bytes(path.read_bytes())
        finish(index(library, [folder]))
        paths = library.photos.paths(library.photos.ids().tolist())
        plan = description_plan(library)
        found: dict[tuple[str, int], Took] = {}
        for _ in range(options.rounds):
            for size in sizes:
                with closing(ProcessPool(size, setup=(keep, (plan,)), background=True)) as pool:
                    took = [by_themselves(pool, size, work, paths) for work in (decode_all, describe_all)]
                took.append(for_a_library(library, size))
                for what, one in zip(_WHAT, took, strict=True):
                    found[what, size] = min(found.get((what, size), one), one)
    report = Report(options.name, "Gain of several workers for a library, compared with this machine alone")
    report.text(
        f"{len(paths)} photos, {available_cores()} cores; load of the machine at the end {os.getloadavg()[0]:.0f}. "
        "Ratios are relative to one worker. Processor milliseconds per photo include all processes; several workers "
        "need more than one because they compete for caches, memory and clock rate."
    )
    columns = ["what", *(f"{size} worker{'s' * (size > 1)}" for size in sizes)]
    texts: dict[str, Callable[[Took, Took], str]] = {
        "Photos a second": lambda one, first: f"{len(paths) / one.wall:.1f} ({first.wall / one.wall:.2f})",
        "Processor, ms a photo": lambda one, _: f"{1000 * one.every / len(paths):.1f}",
        "Of these by the program itself": lambda one, _: f"{1000 * one.own / len(paths):.2f}",
        "Cores at work": lambda one, _: f"{one.every / one.wall:.2f}",
    }
    for title, text in texts.items():
        rows = [[what, *(text(found[what, size], found[what, sizes[0]]) for size in sizes)] for what in _WHAT]
        report.table(title, columns, rows)
    report.save()


if __name__ == "__main__":
    # Imported by its full name: worker processes have another `__main__`.
    from tests.benchmarks.workers import scaling

    scaling.main()
