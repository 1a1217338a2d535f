"""Time of exact rankings, compared with one pass over the matrix and with faiss.

Floats: the nearest rows of galleries of several sizes, of all or of those allowed by a mask, and of several queries.
Each round measures one pass over the matrix, rankings by floats, by quantised rows, and by faiss, one after the other,
so that other programs and the processor's cache concern all of them alike. Bits: the nearest 200 of 1,000,000 x 128, by
weighted Hamming distance.

faiss' fast scan, with the corners of a hypercube as centroids (ALGORITHMS.md, 8.2), rounds its tables to 8 bits, so its
results are compared with the exact ones; faiss' flat index of bits does not support weights. Boosted bits with their
share of Euclidean distance, as ranked by the window, are measured as an embedding and as packed codes plus Euclidean
axes. Times are medians of several rounds.
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

from focal_photos.learners.core.linalg import blocks, one_thread, smallest
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.quantized_rows import QuantizedRows
from tests.benchmarks.common.bit_gallery import BitGallery
from tests.benchmarks.common.report import Report

_FIRST = 200
_MANY = 9
_SIZES = ("100000x64", "100000x464", "1000000x64")
Floats = NDArray[np.float32]


def median_ms(run: Callable[[int], object], rounds: int) -> float:
    """Return the median processor time of the rounds in milliseconds; `run` gets the number of the round."""
    times = []
    for i in range(rounds):
        start = time.process_time()
        run(i)
        times.append(time.process_time() - start)
    return float(np.median(times)) * 1000


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


class FastScan:
    """faiss' fast scan on weighted bits: each four bits of a code are one of 16 corners, centroids of a sub-quantiser.

    The scan rounds its tables to 8 bits (ALGORITHMS.md, 8.2), so it finds more candidates than requested and sums them
    again in double precision. The result is exact if the last candidate exceeds the last result by more than the
    rounding error.
    """

    def __init__(self, codes: NDArray[np.uint8], weights: NDArray[np.float64]) -> None:
        count = 8 * codes.shape[1]
        self._codes, self._weights = codes, weights
        corners = np.unpackbits(np.arange(16, dtype=np.uint8)[:, None], axis=1, bitorder="little")[:, :4]
        self._scale = np.sqrt(weights).astype(np.float32)
        scan = faiss.IndexPQFastScan(count, count // 4, 4)
        scan.pq.train(np.zeros((16, count), np.float32)) if not scan.pq.centroids.size() else None
        centroids = corners[None] * self._scale.reshape(-1, 1, 4)
        faiss.copy_array_to_vector(centroids.astype(np.float32).ravel(), scan.pq.centroids)
        scan.is_trained = True
        for part in blocks(len(codes), 1 << 16):
            scan.add(self._points(codes[part]))
        self._scan = scan
        # Half a quantisation step of the widest table, times the number of tables.
        self._rounding = count // 4 / 2 * weights.reshape(-1, 4).sum(axis=1).max() / 255

    def candidates(self, query: NDArray[np.uint8], k: int) -> tuple[NDArray[np.int64], float]:
        """Return the k nearest rows by rounded distances, and the last of these distances."""
        distances, found = self._scan.search(self._points(query[None]), k)
        return found[0], float(distances[0, -1])

    def nearest(self, query: NDArray[np.uint8], first: int, k: int) -> tuple[NDArray[np.int64], bool]:
        """Return the first of k candidates by exact distances, and whether they are proven to be the nearest of all."""
        found, last = self.candidates(query, k)
        differ = np.unpackbits(self._codes[found] ^ query, axis=1, bitorder="little")
        exact = differ @ self._weights
        order = np.lexsort((found, exact))[:first]
        return found[order], bool(last - self._rounding > exact[order[-1]])

    def _points(self, codes: NDArray[np.uint8]) -> NDArray[np.float32]:
        return np.unpackbits(codes, axis=1, bitorder="little").astype(np.float32) * self._scale


def bits(rows: int, count: int, rounds: int) -> None:
    """Measure rankings of packed bits."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 256, (rows, count // 8), dtype=np.uint8)
    weights = rng.gamma(2.0, size=count)
    start = time.perf_counter()
    gallery = BitGallery(codes, weights)
    made = time.perf_counter() - start
    queries = rng.choice(rows, rounds)
    # Measured before faiss runs: its threads keep spinning for a while afterwards.
    measured = {
        f"by tables of 16 bits, nearest {_FIRST}": median_ms(lambda i: gallery.rank(codes[queries[i]], _FIRST), rounds)
    }
    scan, flat = FastScan(codes, weights), faiss.IndexBinaryFlat(count)
    flat.add(codes)
    faiss.omp_set_num_threads(1)
    many = 2 * _FIRST
    measured |= {
        f"faiss' fast scan, rounded, nearest {_FIRST}": median_ms(
            lambda i: scan.candidates(codes[queries[i]], _FIRST), rounds
        ),
        f"its {many} candidates, then exact, nearest {_FIRST}": median_ms(
            lambda i: scan.nearest(codes[queries[i]], _FIRST, many), rounds
        ),
        f"faiss IndexBinaryFlat, without weights, nearest {_FIRST}": median_ms(
            lambda i: flat.search(codes[queries[i], None], _FIRST), rounds
        ),
    }
    words = codes.reshape(-1).view(np.uint64)
    measured["reading the codes once"] = median_ms(lambda _: np.bitwise_xor.reduce(words), rounds)
    exact = [gallery.rank(codes[i], _FIRST)[0] for i in queries]
    rounded = [scan.candidates(codes[i], _FIRST)[0] for i in queries]
    refined = [scan.nearest(codes[i], _FIRST, many) for i in queries]
    agreement = np.mean([len(np.intersect1d(a, b)) / _FIRST for a, b in zip(exact, rounded, strict=True)])
    same = sum(np.array_equal(a, b) for a, (b, _) in zip(exact, refined, strict=True))
    proven = sum(sure for _, sure in refined)
    report = Report("galleries-bits", f"Galleries: {rows:,} x {count} weighted bits")
    report.text(
        f"{codes.nbytes / 2**20:.0f} MiB; making the gallery takes {made:.2f} s. The fast scan alone finds "
        f"{100 * agreement:.1f} % of the exact first {_FIRST}. With {many} candidates summed again in double "
        f"precision, the results are exact and in order for {same} of {rounds} queries, and proven exact, by the "
        f"largest rounding error, for {proven}."
    )
    report.table(
        "Processor milliseconds per query on one thread, except for the tables, which use all cores",
        ["what", "ms"],
        [[name, f"{ms:.2f}"] for name, ms in measured.items()],
    )
    packed(report, max(rows // 10, _FIRST), 300, 128, rounds)
    report.save()


class PackedRows:
    """Boosted bits as packed codes, ranked by tables, plus Euclidean axes, ranked by a product.

    The order equals that of the embedding: possible results are compared by their coordinates in the embedding.
    """

    def __init__(self, codes: NDArray[np.uint8], weights: NDArray[np.float64], axes: NDArray[np.float32]) -> None:
        self._bits, self._axes = BitGallery(codes, weights), axes
        self._roots = np.sqrt(weights).astype(np.float32)
        self._norms = np.einsum("ij,ij->i", axes, axes)
        self._step = float(weights.sum()) / 60_000  # exceeds the unit of the tables; each table loses less than one
        self._slack = self._step * codes.shape[1] + 1e-5 * float(self._norms.max())

    def embedding(self, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the embedding of the given rows, float32 (c, T + r)."""
        bits = np.unpackbits(self._bits.codes[rows], axis=1, bitorder="little")[:, : len(self._roots)]
        return np.concatenate([bits * self._roots, self._axes[rows]], axis=1)

    def nearest(self, row: int, k: int) -> NDArray[np.intp]:
        """Return the k nearest rows."""
        scores = self._bits.scores(self._bits.codes[row])
        plain = self._axes @ self._axes[row]
        plain *= -2
        plain += self._norms
        plain += scores
        found = smallest(plain, k, self._slack)
        points, point = self.embedding(found).astype(np.float64), self.embedding(np.array([row]))[0]
        distances = np.sqrt(np.square(points - point).sum(axis=1)).astype(np.float32)
        return found[np.lexsort((found, distances))[:k]]


def packed(report: Report, rows: int, count: int, axes: int, rounds: int) -> None:
    """Measure rankings by boosted bits with their share of Euclidean distance, as in the window."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 256, (rows, -(-count // 8)), dtype=np.uint8)
    codes[:, -1] &= (1 << (count - 1) % 8 + 1) - 1
    weights = rng.gamma(2.0, size=count)
    beside = rng.standard_normal((rows, axes), dtype=np.float32) * np.float32(np.sqrt(weights.sum() / 16 / axes))
    small = PackedRows(codes, weights, beside)
    Z = small.embedding(np.arange(rows))
    gallery, queries = FloatGallery(Z), rng.choice(rows, rounds)
    same = sum(np.array_equal(gallery.rank(Z[i], _FIRST)[0], small.nearest(i, _FIRST)) for i in queries.tolist())
    report.text(
        f"In the window, boosted bits rank by {count} bits and {axes} Euclidean axes, which are part of every such "
        f"metric and break its ties. Packed, {rows:,} photos have the same first {_FIRST}, in order, for {same} of "
        f"{rounds} queries."
    )
    by_rows = median_ms(lambda i: gallery.rank(Z[queries[i]], _FIRST), rounds)
    by_codes = median_ms(lambda i: small.nearest(int(queries[i]), _FIRST), rounds)
    report.table(
        f"{rows:,} photos under boosted bits, nearest {_FIRST}",
        ["rows", "bytes a photo", "ms"],
        [
            ["embedding", f"{Z[0].nbytes:,}", f"{by_rows:.2f}"],
            ["codes and axes", f"{codes[0].nbytes + beside[0].nbytes:,}", f"{by_codes:.2f}"],
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000, help="codes of bits")
    parser.add_argument(
        "--sizes", nargs="*", default=_SIZES, metavar="NxR", help="galleries of floats; none: skip them"
    )
    parser.add_argument("--bits", type=int, default=128, help="bits per code; 0: skip them")
    parser.add_argument("--rounds", type=int, default=21)
    arguments = parser.parse_args()
    if arguments.bits:
        with one_thread():
            bits(arguments.rows, arguments.bits, arguments.rounds)
    if arguments.sizes:
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
