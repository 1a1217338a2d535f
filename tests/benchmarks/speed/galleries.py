"""Time of exact rankings, compared with one pass over the matrix and with faiss.

Floats: the nearest 200 of 1,000,000 x 64 and x 464, a full ranking, and the nearest rows allowed by a mask, also
compared with plain numpy and scikit-learn. Bits: the nearest 200 of 1,000,000 x 128, by weighted Hamming distance.

faiss' fast scan, with the corners of a hypercube as centroids (ALGORITHMS.md, 8.2), rounds its tables to 8 bits, so its
results are compared with the exact ones; faiss' flat index of bits does not support weights. Boosted bits with their
share of Euclidean distance, as ranked by the window, are measured as an embedding and as packed codes plus Euclidean
axes. Times are medians of several rounds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import faiss
import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from focal_photos.learners.core.linalg import blocks, one_thread, smallest
from focal_photos.learners.galleries.float_gallery import FloatGallery
from tests.benchmarks.common.bit_gallery import BitGallery
from tests.benchmarks.common.report import Report

_FIRST = 200


def median_ms(run: Callable[[int], object], rounds: int) -> float:
    """Return the median processor time of the rounds in milliseconds; `run` gets the number of the round."""
    times = []
    for i in range(rounds):
        start = time.process_time()
        run(i)
        times.append(time.process_time() - start)
    return float(np.median(times)) * 1000


def floats(report: Report, rows: int, dimension: int, rounds: int) -> None:
    """Measure rankings of a float embedding."""
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((rows, dimension), dtype=np.float32)
    start = time.perf_counter()
    gallery = FloatGallery(Z)
    made = time.perf_counter() - start
    flat = Z.reshape(-1)
    queries = rng.choice(rows, rounds)
    index = faiss.IndexFlatL2(dimension)
    index.add(Z)

    def direct(i: int) -> None:
        delta = Z - Z[queries[i]]
        np.argsort(np.einsum("ij,ij->i", delta, delta), kind="stable")

    def nearest(k: int | None) -> Callable[[int], object]:
        return lambda i: gallery.rank(Z[queries[i]], k)

    few = max(3, rounds // 7)
    many = Z[queries]
    # The inner product of the matrix with itself reads it once and computes almost nothing.
    measured = {"reading the matrix once": median_ms(lambda _: flat @ flat, rounds)}
    for k in (20, _FIRST, 1000):
        measured[f"nearest {k}"] = median_ms(nearest(k), rounds)
    measured[f"nearest {_FIRST}, {rounds} queries at once, each"] = (
        median_ms(lambda _: gallery.rank_many(many, _FIRST), few) / rounds
    )
    measured["all, in order"] = median_ms(nearest(None), few)
    for share in (0.5, 0.05):
        allowed = rng.random(rows) < share
        measured[f"nearest {_FIRST} of {100 * share:.0f} % of the rows, by a mask"] = median_ms(
            lambda i, allowed=allowed: gallery.rank(Z[queries[i]], _FIRST, allowed=allowed),  # type: ignore[misc]
            rounds,
        )
    measured["difference and argsort"] = median_ms(direct, few)
    brute = NearestNeighbors(n_neighbors=_FIRST, algorithm="brute").fit(Z)
    measured[f"scikit-learn, brute force, nearest {_FIRST}"] = median_ms(
        lambda i: brute.kneighbors(Z[queries[i], None]), few
    )
    faiss.omp_set_num_threads(1)
    measured[f"faiss IndexFlatL2, nearest {_FIRST}"] = median_ms(
        lambda i: index.search(Z[queries[i], None], _FIRST), rounds
    )
    _, found = index.search(Z[queries], _FIRST)
    exact = gallery.rank_many(many, _FIRST)[0]
    agreement = np.mean([len(np.intersect1d(a, b)) / _FIRST for a, b in zip(exact, found, strict=True)])
    reading = measured["reading the matrix once"]
    report.text(
        f"{rows:,} x {dimension} floats, {Z.nbytes / 2**20:.0f} MiB; making the gallery takes {made:.2f} s. "
        f"faiss finds {100 * agreement:.2f} % of the same photos."
    )
    report.table(
        "Processor milliseconds per query",
        ["what", "ms", "x reading"],
        [[name, f"{ms:.2f}", f"{ms / reading:.2f}"] for name, ms in measured.items()],
    )


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
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument(
        "--dimension", type=int, nargs="*", default=[64, 464], help="dimensions of floats; none: skip them"
    )
    parser.add_argument("--bits", type=int, default=128, help="bits per code; 0: skip them")
    parser.add_argument("--rounds", type=int, default=21)
    arguments = parser.parse_args()
    with one_thread():
        if arguments.bits:
            bits(arguments.rows, arguments.bits, arguments.rounds)
        if arguments.dimension:
            report = Report("galleries-floats", "Galleries of floats")
            for dimension in arguments.dimension:
                floats(report, arguments.rows, dimension, arguments.rounds)
            report.save()


if __name__ == "__main__":
    main()
