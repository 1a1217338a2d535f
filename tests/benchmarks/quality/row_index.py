"""An index of ten million photos: recall of exact rankings, search time, and building time.

The vectors are made from 128 principal coordinates of the photos of Corel-5k and Caltech-101 in a library's space. Each
is used many times, blended with one of its 30 nearest and with noise. They are stored in half precision in a memory
map. The candidates of the index are compared exactly by `IndexedGallery`, as in the program.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import faiss
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.table import STANDARD
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.galleries import indexed_gallery
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.indexed_gallery import IndexedGallery, RowIndex
from focal_photos.learners.galleries.inverted_file import InvertedFile
from tests.benchmarks.common.described_photos import CACHE, described
from tests.benchmarks.common.photo_sets import Floats
from tests.benchmarks.common.report import Report
from tests.benchmarks.quality.space import space

D: Final = 128
FIRST: Final = 200
_ROWS: Final = 100_000
_NEAREST: Final = 30
_BLEND, _NOISE = 0.7, 0.5  # maximum share of the neighbour, and noise relative to the distance of the nearest
_APART: Final = 0.05  # noise of queries, relative to the standard deviation of each coordinate


def real_points() -> Floats:
    """Return principal coordinates of real photos, (n, 128)."""
    found = []
    for name in ("corel5k", "caltech101"):
        photos = described(name, STANDARD)
        assert photos is not None, f"{name} is not there"
        points = space(photos, tuple(STANDARD))
        points = points - points.mean(axis=0)
        axes = np.linalg.svd(points[:4000], full_matrices=False)[2][:D]
        found.append((points @ axes.T).astype(np.float32))
    return np.concatenate(found)


def make(count: int, path: Path) -> NDArray[np.float16]:
    """Write generated vectors to a file and return them, float16 (count, 128)."""
    X = real_points()
    n = len(X)
    nearest, distance = np.empty((n, _NEAREST), dtype=np.intp), np.empty(n, dtype=np.float32)
    gallery = FloatGallery(X)
    for part in blocks(n, 1000):
        rows, distances = gallery.rank_many(X[part], _NEAREST, skip=np.arange(n)[part])
        nearest[part], distance[part] = rows, distances[:, 0]
    rng = np.random.default_rng(0)
    made = np.lib.format.open_memmap(path, "w+", np.float16, (count, D))
    for part in blocks(count, _ROWS):
        m = part.stop - part.start
        one, share = rng.integers(0, n, m), rng.uniform(0, _BLEND, (m, 1)).astype(np.float32)
        other = nearest[one, rng.integers(0, _NEAREST, m)]
        noise = rng.standard_normal((m, D), dtype=np.float32) * (_NOISE * distance[one, None] / np.sqrt(D))
        made[part] = (1 - share) * X[one] + share * X[other] + noise
    made.flush()
    return made


class HalfGallery(IndexedGallery):
    """An indexed gallery with float16 rows, which are converted to float64 for comparison."""

    def __init__(self, embedding: NDArray[np.float16]) -> None:
        self.embedding = embedding  # type: ignore[assignment]


def exact_first(rows: NDArray[np.float16], queries: Floats) -> list[NDArray[np.intp]]:
    """Return the exact nearest 200 rows of each query, in one pass over all rows."""
    best = [(np.empty(0, dtype=np.intp), np.empty(0, dtype=np.float32)) for _ in queries]
    for part in blocks(len(rows), _ROWS):
        found, distances = FloatGallery(rows[part].astype(np.float32)).rank_many(queries, FIRST)
        for i, (places, far) in enumerate(best):
            places, far = np.concatenate([places, found[i] + part.start]), np.concatenate([far, distances[i]])
            order = np.argsort(far, kind="stable")[:FIRST]
            best[i] = places[order], far[order]
    return [places for places, _ in best]


def timed(call: Callable[[], object], times: int = 1) -> tuple[float, float]:
    """Return the wall-clock and processor seconds of a call."""
    wall, own = time.perf_counter(), time.process_time()
    for _ in range(times):
        call()
    return (time.perf_counter() - wall) / times, (time.process_time() - own) / times


def peak() -> float:
    """Return the peak memory of this process in GB, including pages of mapped files."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


class Trial:
    """Vectors, queries, and the measurements made with them.

    Parameters
    ----------
    count : int
    queries : int
    folder : Path
        Folder for the vectors and the index.
    """

    def __init__(self, count: int, queries: int, folder: Path) -> None:
        self.path, self.file = folder / f"rows-{count}.npy", folder / f"rows-{count}.faiss"
        self.rows = np.load(self.path, mmap_mode="r") if self.path.exists() else make(count, self.path)
        self.ids = np.arange(count)
        chosen = np.sort(np.random.default_rng(1).choice(count, queries, replace=False))
        # Queries are new photos close to existing ones.
        noise = np.random.default_rng(2).standard_normal((queries, D)).astype(np.float32)
        spread = self.rows[:_ROWS].astype(np.float32).std(axis=0)
        self.queries = self.rows[chosen].astype(np.float32) + _APART * noise * spread
        self.lines: list[list[str]] = []

    def note(self, what: str, call: Callable[[], object], times: int = 1, share: float = 1.0) -> None:
        """Measure a call that does a share of the work."""
        wall, own = (seconds / share for seconds in timed(call, times))
        self.lines.append([what, f"{wall:.3g}", f"{own:.3g}"])
        print(*self.lines[-1], f"(peak {peak():.1f} GB)", flush=True)

    def build(self) -> InvertedFile:
        """Build and extend the index, and open it from the disk."""
        made: list[InvertedFile] = []
        self.note(
            "centres learned, all put in lists",
            lambda: made.append(InvertedFile.build(self.rows, self.ids, progress=_said())),
        )
        self.note("written", lambda: made[0].write(self.file))
        some = self.rows[:10_000].astype(np.float32)
        self.note("10,000 photos more", lambda: made[0].add(some, np.arange(10_000) + len(self.ids)))
        made.clear()
        self.note("opened, mapped", lambda: made.append(InvertedFile.read(self.file)))
        return made[0]

    def exact(self) -> list[NDArray[np.intp]]:
        """Return the exact nearest 200 rows of the queries; time one query on rows in memory."""
        part = self.rows[:1_000_000].astype(np.float32)
        plain, query = FloatGallery(part), self.queries[0]
        self.note(
            "an exact query, reckoned from 1,000,000 rows",
            lambda: plain.rank(query, FIRST),
            10,
            len(part) / len(self.ids),
        )
        return exact_first(self.rows, self.queries)

    def search(self, index: InvertedFile, truth: list[NDArray[np.intp]], probes: int, fewest: int) -> list[str]:
        """Return a table row: recall and time for given numbers of lists and candidates."""
        gallery = HalfGallery(self.rows)
        gallery.index = RowIndex(InvertedFile(index.index, probes), self.ids.astype(np.int32), self.ids[:0])
        indexed_gallery._FEWEST = fewest  # type: ignore[misc]

        def search() -> list[NDArray[np.intp]]:
            return [gallery.rank(query, FIRST)[0] for query in self.queries]

        found = search()  # not timed: it reads pages from the disk
        wall, own = (1000 * seconds / len(found) for seconds in timed(search))
        shares = 100 * np.array([np.isin(right, got).mean() for right, got in zip(truth, found, strict=True)])
        shown = [f"{probes}", f"{fewest:,}", f"{shares.mean():.1f} %", f"{np.quantile(shares, 0.1):.1f} %"]
        print(*shown, f"{wall:.1f}", f"{own:.1f}", flush=True)
        return [*shown, f"{wall:.1f}", f"{own:.1f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=10_000_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--folder", type=Path, default=CACHE, help="folder with space for 400 bytes per photo")
    parser.add_argument("--save", action="store_true", help="write the table to the results")
    given = parser.parse_args()
    faiss.omp_set_num_threads(2)
    trial = Trial(given.count, given.queries, given.folder)
    index = trial.build()
    faiss.omp_set_num_threads(1)
    truth = trial.exact()
    table = [trial.search(index, truth, probes, fewest) for probes in (16, 32, 64, 128) for fewest in (1000, 4000)]
    report = Report("row-index", f"An index of {given.count:,} photos")
    titles = [
        "lists looked through",
        "candidates",
        "found of the first 200",
        "of the worst tenth",
        "ms",
        "of the processor",
    ]
    report.table(
        f"{given.count:,} generated vectors of {D} coordinates, {given.queries} queries, one thread", titles, table
    )
    report.table("Costs, two threads", ["what", "seconds", "of the processor"], trial.lines)
    sizes = [f"{path.stat().st_size / 1e9:.2f}" for path in (trial.file, trial.path)]
    report.text(
        f"The index takes {sizes[0]} GB on the disk, the vectors {sizes[1]}; the peak memory of the process was "
        f"{peak():.1f} GB, including pages of mapped files."
    )
    if given.save:
        report.save()
    trial.file.unlink()
    trial.path.unlink()


def _said() -> Callable[[float], None]:
    last = [0.0]

    def report(share: float) -> None:
        if share - last[0] >= 0.05:
            last[0] = share
            print(f"  {100 * share:.0f} %", flush=True)

    return report


if __name__ == "__main__":
    main()
