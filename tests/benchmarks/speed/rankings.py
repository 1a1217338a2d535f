# SPDX-License-Identifier: MIT
"""Time of rankings of large libraries: first screens, full rankings, with filters and by judgements.

Uses libraries of 100,000 and 1,000,000 photos with full vectors (`tests.benchmarks.common.large_library`) and the calls
of the window. Reports processor milliseconds on one thread, as medians, and a profile of the slowest ranking.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import pstats
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.navigation.arrangement import arrange
from focal_photos.browser.models.photos.trail import Collection, Step
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.learners.core.linalg import one_thread
from tests.benchmarks.common.described_photos import CACHE
from tests.benchmarks.common.large_library import copied, large_library
from tests.benchmarks.common.report import Report

_FIRST = 1000
_FILTERS = ("tagged", "untagged")


def milliseconds(run: Callable[[], object], rounds: int) -> float:
    """Return the median of the rounds, after one warm-up round."""
    run()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return 1000 * float(np.median(times))


def rankings(library: Library, rounds: int) -> tuple[dict[str, float], str]:
    """Measure rankings of a library; return the times and a profile of the last ranking that the window requests."""
    ranker = Ranker(library)
    focal = int(ranker.gallery().ids[77])
    asked: dict[str, Callable[[], object]] = {}
    for rerank, way in ((False, "by the metric"), (True, "by shared neighbours")):
        for limit, what in ((_FIRST, f"first {_FIRST:,}"), (None, "all")):
            asked[f"{what}, {way}"] = lambda limit=limit, rerank=rerank: ranker.rank(focal, limit=limit, rerank=rerank)  # type: ignore[misc]
            for text in _FILTERS:
                among = library.photos.listed(text)
                asked[f"{what}, {way}, {text}"] = lambda limit=limit, rerank=rerank, among=among: ranker.rank(  # type: ignore[misc]
                    focal, limit=limit, rerank=rerank, among=among
                )
    step = Step(Collection(), focal)
    asked["all, as the window shows it"] = lambda: arrange(library, ranker, step)
    found = {name: milliseconds(run, rounds) for name, run in asked.items()}
    profile = cProfile.Profile()
    profile.runcall(arrange, library, ranker, step)
    near = ranker.rank(focal, limit=20).photo_ids.tolist()
    library.judgements.set(focal, near[::2], Verdict.SIMILAR)
    library.judgements.set(focal, near[1::2], Verdict.DISSIMILAR)
    for limit, what in ((_FIRST, f"first {_FIRST:,}"), (None, "all")):
        found[f"{what}, by 20 judgements"] = milliseconds(lambda limit=limit: ranker.rank(focal, limit=limit), rounds)  # type: ignore[misc]
    lines = io.StringIO()
    pstats.Stats(profile, stream=lines).strip_dirs().sort_stats("tottime").print_stats(8)
    return found, lines.getvalue().split("ncalls", 1)[1].strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="*", type=int, default=[100_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--label", default="", help="label in the name of the results file, such as before")
    arguments = parser.parse_args()
    found: dict[int, dict[str, float]] = {}
    profiles: dict[int, str] = {}
    for count in arguments.photos:
        made = large_library(count)
        if made is None:
            continue
        with tempfile.TemporaryDirectory(prefix="run-", dir=CACHE) as folder, one_thread():
            library = Library.open(copied(made, Path(folder) / "library").library)
            found[count], profiles[count] = rankings(library, arguments.rounds)
            library.close()
    report = Report(f"rankings{'-' + arguments.label if arguments.label else ''}", "Rankings of a large library")
    names = list(dict.fromkeys(name for times in found.values() for name in times))
    report.table(
        "Processor milliseconds",
        ["what", *(f"{count:,}" for count in found)],
        [[name, *(f"{times[name]:.1f}" for times in found.values())] for name in names],
    )
    for count, text in profiles.items():
        report.text(f'Profile of "all, as the window shows it", {count:,} photos:\n\n```\nncalls {text}\n```')
    report.save()


if __name__ == "__main__":
    main()
