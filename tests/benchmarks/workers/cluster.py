# SPDX-License-Identifier: MIT
"""Gain of a Dask cluster of one and of two workers on this machine, compared with this process alone.

``python -m tests.benchmarks.workers.cluster [--rounds 3] [--photos 10000] [--classes 10]``: vocabularies and local
distances on photos of Caltech-101; Automatic and the evaluation of five learners on vectors of a large library. Each
worker has one thread. The variants alternate, so that other programs affect all of them equally.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import distributed
import numpy as np
import psutil

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.extraction.fit_descriptors import fit_descriptors
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.ranking.local.focal_store import forget_focal_images, stored_ids
from focal_photos.browser.operations.ranking.local.learner import LOCAL, SOURCES
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.training.automatic import train_automatic
from focal_photos.browser.operations.training.evaluate import evaluate
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.local.local_distances import FocalImages
from tests.benchmarks.common.large_library import copied, large_library
from tests.benchmarks.common.photo_sets import photo_set
from tests.benchmarks.common.report import Report

_WORDS: Final = ("sift_words_200", "orb_words_200", "dense_sift_fisher", "dense_color_fisher")
_LEARNERS: Final = ("kernel", "rca", "lmnn", "dist-boost", "omdl-lr")
_OF_A_CLASS: Final = 12
_WAYS: Final = ("here", "one worker", "two workers")

Work = Callable[[str | None], object]


@contextmanager
def cluster(workers: int, folder: Path) -> Iterator[Any]:
    made: Any = distributed.LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", local_directory=str(folder)
    )
    with made:
        yield made


class Taken(NamedTuple):
    """Wall-clock seconds, processor seconds of this process, and those of the busiest worker."""

    wall: float
    here: float
    worker: float


def timed(work: Work, there: Any) -> Taken:
    workers = [] if there is None else [psutil.Process(one.pid) for one in there.workers.values()]
    start, own, before = time.perf_counter(), time.process_time(), [sum(one.cpu_times()[:2]) for one in workers]
    work(None if there is None else there.scheduler_address)
    busy = [sum(one.cpu_times()[:2]) - since for one, since in zip(workers, before, strict=True)]
    return Taken(time.perf_counter() - start, time.process_time() - own, max(busy, default=0.0))


def works(caltech: Path, large: Library, small: Library, folder: Path) -> Mapping[str, Work]:
    """Return the timed tasks by name; each is called with the address of a scheduler, or None."""

    def words(scheduler: str | None) -> None:
        with Library.open(Path(tempfile.mkdtemp(dir=folder)) / "library") as library:
            set_enabled(library, _WORDS)
            finish(scan(library, [caltech]))
            backend = "threads" if scheduler is None else "dask"
            finish(
                fit_descriptors(library, workers=1 if scheduler is None else None, backend=backend, scheduler=scheduler)
            )

    def local(scheduler: str | None) -> None:
        metric = finish(train(small, LOCAL, scheduler=scheduler))
        like = FocalImages(**local_metric(small, metric).trained.get_params())
        small.journal.undo()
        forget_focal_images(small, like, stored_ids(small, like))

    return {
        f"{len(_WORDS)} vocabularies and mixtures, the sample described": words,
        f"local distances of {len(small.photos.ids())} focal images": local,
        f"evaluation of {len(_LEARNERS)} learners, 3 folds": lambda scheduler: finish(
            evaluate(large, _LEARNERS, scheduler=scheduler)
        ),
        "Automatic": lambda scheduler: finish(train_automatic(large, scheduler=scheduler)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--photos", type=int, default=10_000, help="number of photos in the large library")
    parser.add_argument("--classes", type=int, default=10, help="number of classes of Caltech-101, with 12 photos each")
    given = parser.parse_args()
    photos = photo_set("caltech101")
    if photos is None:
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for number in range(given.classes):
            for file in np.array(photos.files, object)[photos.classes == number][:_OF_A_CLASS]:
                target = folder / "photos" / photos.names[number] / file.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(file)
        large = large_library(given.photos)
        if large is None:
            return
        with Library.open(copied(large, folder / "large").library) as many, Library.open(folder / "small") as small:
            tagged = len(many.photos.ids("tagged"))
            set_enabled(small, ("color_moments", *SOURCES))
            finish(index(small, [folder / "photos"]))
            for number in range(given.classes):
                small.tags.change(small.photos.ids(f"path:{photos.names[number]}"), [photos.names[number]])
            with cluster(1, folder / "one") as one, cluster(2, folder / "two") as two:
                rows = []
                for name, work in works(folder / "photos", many, small, folder).items():
                    taken = [[timed(work, there) for there in (None, one, two)] for _ in range(given.rounds)]
                    middle = [Taken(*np.median(way, axis=0)) for way in zip(*taken, strict=True)]
                    here, first, second = middle
                    cells = [f"{here.here:.1f}", *(f"{way.here:.1f} + {way.worker:.1f}" for way in (first, second))]
                    gains = [f"{here.here / (way.here + way.worker):.2f}" for way in (first, second)]
                    rows.append([name, *cells, *gains, *(f"{way.wall:.1f}" for way in middle)])
                    print(rows[-1], flush=True)
    report = Report("cluster", "A Dask cluster on this machine")
    report.text(
        f"Processor seconds, medians of {given.rounds} rounds: this process alone; with a cluster, this process plus "
        "its busiest worker. These are added although they overlap: with free cores, the gain is at least the one "
        f"given. One thread per worker. The clock times had {os.cpu_count()} cores and, at the end, a load of "
        f"{os.getloadavg()[0]:.0f}. Learners on {given.photos:,} photos, {tagged:,} of them tagged; 5,000 are used."
    )
    columns = [
        "what",
        "here",
        "one worker",
        "two workers",
        "gain of one",
        "of two",
        *(f"{way}, clock" for way in _WAYS),
    ]
    report.table("Times", columns, rows)
    report.save()


if __name__ == "__main__":
    main()
