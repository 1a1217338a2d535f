# SPDX-License-Identifier: MIT
"""Cost of rankings by shared neighbours, compared with plain ones: building, updating and querying.

Points of unit length are clustered around centres, like those of photos; alternatively, rows of a file are repeated
with noise. Times are processor times on one thread, which other programs do not affect.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.linalg import blocks, one_thread
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import (
    MAX_RERANKED,
    NearestRows,
    ReciprocalNeighbors,
    build,
    build_around,
    find_nearest,
    grow_nearest,
    scale_of,
)
from focal_photos.learners.galleries.relevance_feedback import relevance_weights
from tests.benchmarks.common.photo_sets import Floats
from tests.benchmarks.common.report import Report

_SHOWN = 200
_JUDGED = 11
_NOISE = 0.03
_SPREAD = 1.5
_MOST = 200_000


def points(n: int, dimension: int, file: Path | None) -> Floats:
    """Return n points of unit length as float32."""
    rng = np.random.default_rng(0)
    known = np.load(file) if file is not None else rng.normal(size=(max(2, n // 50), dimension))
    noise = _NOISE if file is not None else _SPREAD
    rows = np.empty((n, known.shape[1]), np.float32)
    for part in blocks(n):
        some = known[rng.integers(0, len(known), part.stop - part.start)]
        some = some + rng.normal(0, noise, some.shape)
        rows[part] = some / np.linalg.norm(some, axis=1, keepdims=True)
    return rows


def seconds(run: Callable[[int], object], rounds: int = 1) -> float:
    """Return the median processor time of the rounds in seconds; `run` gets the number of the round."""
    times = []
    for i in range(rounds):
        start = time.process_time()
        run(i)
        times.append(time.process_time() - start)
    return float(np.median(times))


def size(graph: ReciprocalNeighbors) -> float:
    """Return the size of a graph in MiB."""
    arrays: list[NDArray[Any]] = [graph.nearest.rows, graph.nearest.reach]
    for matrix in (graph.weights, graph.columns):
        arrays += [matrix.data, matrix.indices, matrix.indptr]
    return sum(array.nbytes for array in arrays) / 2**20


def prepared(n: int, dimension: int, file: Path | None, rounds: int) -> list[str]:
    """Measure the work done in the background."""
    rows = points(n, dimension, file)
    gallery = FloatGallery(rows)
    few = max(1, n // 100)
    found: dict[str, NearestRows] = {}
    plain = seconds(lambda i: gallery.rank(rows[i], _SHOWN), rounds)

    def find(_: int) -> None:
        found["all"] = find_nearest(gallery)

    searching = seconds(find)
    nearest = found["all"]
    assembling = seconds(lambda _: build(gallery, nearest))
    before = find_nearest(gallery.among(np.arange(n - few))) if n <= _MOST // 5 else None
    growing = "" if before is None else f"{seconds(lambda _: grow_nearest(gallery, before, np.arange(n - few))):.2f}"
    graph = build(gallery, nearest)
    return [
        f"{n:,}",
        f"{searching:.1f}",
        f"{assembling:.2f}",
        f"{(searching + assembling) / plain:,.0f}",
        growing,
        f"{len(graph.weights.data) / n:.0f}",
        f"{size(graph):.0f}",
        f"{rows.nbytes / 2**20:.0f}",
    ]


def asked(n: int, dimension: int, file: Path | None, rounds: int) -> list[list[str]]:
    """Measure the queries for which a user waits."""
    rows = points(n, dimension, file)
    gallery = FloatGallery(rows)
    graph = build(gallery) if n <= _MOST else None
    scale = scale_of(gallery)
    outside = rows[:rounds] + np.float32(0.01)
    few = max(3, rounds // 7)
    judged = np.random.default_rng(1).integers(0, n, (rounds, _JUDGED))

    def around(i: int) -> ReciprocalNeighbors:
        return build_around(gallery, rows[i], scale=scale)

    similar = np.arange(_JUDGED) % 2 == 0

    def by_judgements(i: int) -> None:
        if graph is not None:
            weights = relevance_weights(graph.similarities(gallery, judged[i], judged[i]), similar)
            np.lexsort((np.arange(n), -graph.similarity_sums(gallery, judged[i], weights)))

    plain = {
        _SHOWN: seconds(lambda i: gallery.rank(rows[i], _SHOWN), rounds),
        None: seconds(lambda i: gallery.rank(rows[i]), few),
    }
    measured = {
        f"first {_SHOWN}, plain": (plain[_SHOWN], _SHOWN),
        f"first {_SHOWN}, neighbourhoods of the first {MAX_RERANKED:,}": (
            seconds(lambda i: around(i).rank(gallery, rows[i], own=i, k=_SHOWN), few),
            _SHOWN,
        ),
        "all, plain": (plain[None], None),
    }
    if graph is not None:
        measured |= {
            f"first {_SHOWN}": (seconds(lambda i: graph.rank(gallery, rows[i], own=i, k=_SHOWN), rounds), _SHOWN),
            f"first {_SHOWN}, image from outside": (
                seconds(lambda i: graph.rank(gallery, outside[i], k=_SHOWN), rounds),
                _SHOWN,
            ),
            "all": (seconds(lambda i: graph.rank(gallery, rows[i], own=i), few), None),
            f"sums of similarities to {_JUDGED}": (
                seconds(lambda i: graph.similarity_sums(gallery, judged[i], np.ones(_JUDGED)), rounds),
                _SHOWN,
            ),
            f"similarities of all to {_JUDGED}": (
                seconds(lambda i: graph.similarities(gallery, judged[i]), rounds),
                _SHOWN,
            ),
            f"all, by {_JUDGED - 1} judgements": (seconds(by_judgements, rounds), None),
        }
    return [
        [f"{n:,}", name, f"{1000 * taken:.1f}", f"{taken / plain[like]:.2f}", f"{1000 * (taken - plain[like]):.1f}"]
        for name, (taken, like) in measured.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[5000, 20_000, 100_000, 1_000_000])
    parser.add_argument("--dimension", type=int, default=320)
    parser.add_argument("--like", type=Path, metavar="FILE.npy", help="rows to repeat with noise")
    parser.add_argument("--rounds", type=int, default=21)
    arguments = parser.parse_args()
    report = Report("reciprocal", "Cost of rankings by shared neighbours")
    with one_thread():
        known = [
            prepared(n, arguments.dimension, arguments.like, arguments.rounds) for n in arguments.rows if n <= _MOST
        ]
        report.table(
            "In the background, processor seconds",
            ["photos", "nearest of all", "neighbourhoods", "x a query", "1 % new", "members", "MiB", "rows, MiB"],
            known,
        )
        report.table(
            "One query, processor milliseconds",
            ["photos", "what", "ms", "x plain", "more than plain"],
            [row for n in arguments.rows for row in asked(n, arguments.dimension, arguments.like, arguments.rounds)],
        )
    report.save()


if __name__ == "__main__":
    main()
