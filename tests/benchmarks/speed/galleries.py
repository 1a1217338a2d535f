# SPDX-License-Identifier: MIT
"""Time of exact rankings, compared with one pass over the matrix and with faiss.

The nearest rows of galleries of several sizes, of all or of those allowed by a mask, and of several queries. Each round
measures one pass over the matrix, rankings by floats, by quantised rows, and by faiss, one after the other, so that
other programs and the processor's cache concern all of them alike. Times are medians of several rounds.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import time
from collections.abc import Callable
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.quantized_rows import QuantizedRows
from tests.benchmarks.common.report import Report

_FIRST = 200
_MANY = 9
_SIZES = ("100000x64", "100000x464", "1000000x64")
Floats = NDArray[np.float32]


class RankedByFloats(FloatGallery):
    """A gallery that does not quantise its rows."""

    def _possible(self, point: Floats, count: int, allowed: NDArray[np.bool_] | None) -> None:
        return None


def floats(report: Report, rows: int, dimension: int, rounds: int, threads: int) -> None:
    """Measure rankings of a float embedding."""
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((rows, dimension), dtype=np.float32)
    by_floats, gallery, flat = RankedByFloats(Z), FloatGallery(Z), Z.reshape(-1)
    index = faiss.IndexFlatL2(dimension)
    index.add(Z)
    queries = rng.choice(rows, rounds)
    for row in queries[:9]:
        gallery.rank(Z[row], 1)  # the ninth ranking quantises the rows of a large gallery

    def ranked(k: int, allowed: NDArray[np.bool_] | None = None) -> list[Callable[[int], object]]:
        """Return the ways to rank the nearest k."""
        parameters = None
        if allowed is not None:
            wrapped: Any = faiss  # the types of its bindings do not declare what the Python wrappers accept
            selector = wrapped.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))
            parameters = wrapped.SearchParameters(sel=selector)
        return [
            lambda i: by_floats.rank(Z[queries[i]], k, allowed=allowed)[0],
            lambda i: gallery.rank(Z[queries[i]], k, allowed=allowed)[0],
            lambda i: index.search(Z[queries[i], None], k, params=parameters)[1][0],
        ]

    tasks = {f"nearest {k}": ranked(k) for k in (20, _FIRST, 1000)}
    for share in (0.5, 0.05):
        tasks[f"nearest {_FIRST} of {100 * share:.0f} % of the rows, by a mask"] = ranked(
            _FIRST, rng.random(rows) < share
        )
    many = Z[queries[:_MANY]]
    tasks[f"nearest {_FIRST}, {_MANY} queries at once, each"] = [
        lambda _: by_floats.rank_many(many, _FIRST)[0],
        lambda _: gallery.rank_many(many, _FIRST)[0],
        lambda _: index.search(many, _FIRST)[1],
    ]
    table = []
    for name, ways in tasks.items():
        times = np.empty((2, rounds, 1 + len(ways)))
        for i in range(rounds):
            found = []
            for j, way in enumerate([lambda _: flat @ flat, *ways]):
                start, elapsed = time.process_time(), time.perf_counter()
                found.append(np.asarray(way(i)))
                times[:, i, j] = time.process_time() - start, time.perf_counter() - elapsed
            assert np.array_equal(found[1], found[2]), "quantised rows must not change a ranking"
        times[:, :, 1:] /= _MANY if "each" in name else 1
        (reading, *processor), (_, *elapsed) = 1000 * np.median(times, axis=1)
        cells = [f"{ms:.2f} ({ms / reading:.2f}) / {wall:.2f}" for ms, wall in zip(processor, elapsed, strict=True)]
        table.append([name, f"{reading:.2f}", *cells])
    report.table(
        f"{rows:,} x {dimension} floats, {Z.nbytes / 2**20:.0f} MiB, on {counted(threads)}",
        ["what", "reading once", "by floats", "Focal", "faiss IndexFlatL2"],
        table,
    )
    rows_of_integers = gallery.__dict__.get("quantized")
    if rows_of_integers is not None:
        start = time.process_time()
        QuantizedRows(Z, np.einsum("ij,ij->i", Z, Z))
        report.text(
            f"Quantising the rows takes {time.process_time() - start:.2f} s and "
            f"{rows_of_integers.nbytes / 2**20:.0f} MiB."
        )


def counted(threads: int) -> str:
    """Return a number of threads in words."""
    return "one thread" if threads == 1 else f"{threads} threads"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", default=_SIZES, metavar="NxR", help="sizes of galleries")
    parser.add_argument("--rounds", type=int, default=21)
    arguments = parser.parse_args()
    report = Report("galleries-floats", "Galleries of floats")
    report.text(
        "Milliseconds of processor time per query (as a share of reading the matrix once) / elapsed. Galleries of "
        "more than 64 MB first read their rows in 8-bit integers, which exclude most of them. By floats: without "
        "these, as before; the rankings are the same."
    )
    for threads in sorted({1, len(os.sched_getaffinity(0))}):
        faiss.omp_set_num_threads(threads)
        for rows, dimension in (map(int, size.split("x")) for size in arguments.sizes):
            with one_thread() if threads == 1 else contextlib.nullcontext():
                floats(report, rows, dimension, arguments.rounds, threads)
    report.save()


if __name__ == "__main__":
    main()
