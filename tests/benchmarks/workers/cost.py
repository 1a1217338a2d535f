# SPDX-License-Identifier: MIT
"""Cost of new photos in decodings: describing, by stage, and indexing from nothing to a re-ranked ranking.

A decoding is the processor time for decoding a photo to its working size, as the median of photos that are decoded one
after the other. Describing runs on one thread with the environment of a worker process; each photo's fastest of several
rounds counts, and the median of the photos. Indexing includes all processes and their start. ``--keep FILE`` saves the
figures for a later run with ``--before FILE``.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import psutil

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.workers.worker_process import WORKER_ENVIRONMENT
from focal_photos.features.base import CodeDescriptor, GlobalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.description import DescriptionPlan, describe
from focal_photos.features.table import STANDARD, STANDARD_CODES
from tests.benchmarks.common.photo_sets import photo_set, ready
from tests.benchmarks.common.report import Report

Costs = dict[str, float]
"""Decodings per photo, by stage."""


def describing(files: Sequence[Path], rounds: int) -> tuple[float, Costs]:
    """Return the milliseconds of a decoding, and the costs of describing photos."""
    tables = ready([decode(file) for file in files], [*STANDARD, *STANDARD_CODES])
    chosen = [one for one in tables.values() if isinstance(one, GlobalDescriptor | CodeDescriptor)]
    plan = DescriptionPlan(tuple(chosen))
    best: defaultdict[str, list[float]] = defaultdict(lambda: [np.inf] * len(files))

    def note(stage: str, row: int, seconds: float) -> None:
        best[stage][row] = min(best[stage][row], seconds)

    for _ in range(rounds):
        for row, file in enumerate(files):
            start = time.thread_time()
            decode(file)
            note("a decoding", row, time.thread_time() - start)
        for row, file in enumerate(files):
            start = time.thread_time()
            found = describe(file, plan)
            note("describing", row, time.thread_time() - start)
            for stage, seconds in found.seconds.items():
                note(stage, row, seconds)
    unit = float(np.median(best.pop("a decoding")))
    whole = best.pop("describing")
    costs = {stage: float(np.median(seconds)) / unit for stage, seconds in best.items()}
    return 1000 * unit, costs | {"together": float(np.median(whole)) / unit}


def indexing(folder: Path, photos: int, unit: float) -> Costs:
    """Return the costs of indexing a folder, given the milliseconds of a decoding."""
    costs: defaultdict[str, float] = defaultdict(float)
    with tempfile.TemporaryDirectory() as place, Library.open(Path(place) / "library") as library:
        start, stage = _processor_seconds(), "Preparing"
        for progress in index(library, [folder]):
            if progress.stage != stage:  # not at each report, which would cost as much as decoding a photo
                now = _processor_seconds()
                costs[stage] += now - start
                start, stage = now, str(progress.stage)
        now = _processor_seconds()
        costs[stage] += now - start
        start = now
        Ranker(library).rank(int(library.photos.ids()[0]), limit=200)
        costs["First ranking"] += _processor_seconds() - start
    costs["together"] = sum(costs.values())
    return {stage: 1000 * seconds / photos / unit for stage, seconds in costs.items()}


def _processor_seconds() -> float:
    """Return the processor time of this process and of its children, ended or not."""
    total = sum(os.times()[:4])
    for child in psutil.Process().children(recursive=True):
        used = child.cpu_times()
        total += used.user + used.system
    return total


def rows_of(now: Costs, before: Costs) -> list[list[str]]:
    return [
        [stage, *(f"{some[stage]:.1f}" if stage in some else "" for some in (before, now))]
        for stage in [*(stage for stage in before if stage not in now), *now]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=int, default=60, help="number of photos to describe, of each set")
    parser.add_argument("--new", type=int, default=300, help="number of photos to index")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--keep", type=Path, metavar="FILE")
    parser.add_argument("--before", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    if not WORKER_ENVIRONMENT.items() <= os.environ.items():
        os.execve(sys.executable, sys.orig_argv, os.environ | WORKER_ENVIRONMENT)
    cv2.setNumThreads(1)
    figures: dict[str, Costs] = {}
    before: dict[str, Costs] = json.loads(arguments.before.read_text()) if arguments.before else {}
    report = Report("cost", "Cost of new photos, in decodings")
    for name in ("caltech101", "corel5k"):
        photos = photo_set(name)
        if photos is None:
            continue
        rng = np.random.default_rng(0)
        rows = np.sort(rng.choice(len(photos.files), arguments.photos, replace=False))
        unit, figures[name] = describing([photos.files[row] for row in rows], arguments.rounds)
        title = f"Describing a photo of {name}; a decoding takes {unit:.2f} ms of processor time"
        report.table(title, ["stage", "before", "now"], rows_of(figures[name], before.get(name, {})))
        if name == "caltech101":
            with tempfile.TemporaryDirectory() as place:
                for row in rng.choice(len(photos.files), arguments.new, replace=False):
                    shutil.copyfile(photos.files[row], Path(place) / f"{row}.jpg")
                figures["new"] = indexing(Path(place), arguments.new, unit)
            title = f"Indexing {arguments.new} new photos of {name}, per photo"
            report.table(title, ["stage", "before", "now"], rows_of(figures["new"], before.get("new", {})))
    if arguments.keep:
        arguments.keep.write_text(json.dumps(figures))
    report.save()


if __name__ == "__main__":
    main()
