"""How long an exact ranking takes, against the time of reading the whole matrix once."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from learners.galleries import FloatGallery


def median_ms(run: Callable[[int], object], rounds: int) -> float:
    """Return the median of the rounds in milliseconds; the round's number is passed on."""
    times = []
    for i in range(rounds):
        start = time.perf_counter()
        run(i)
        times.append(time.perf_counter() - start)
    return float(np.median(times)) * 1000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--dimension", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=21)
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((arguments.rows, arguments.dimension), dtype=np.float32)
    start = time.perf_counter()
    gallery = FloatGallery(Z)
    print(f"{len(Z)} x {Z.shape[1]}, {Z.nbytes / 2**20:.0f} MiB, made in {time.perf_counter() - start:.2f} s")

    flat = Z.reshape(-1)
    queries = rng.choice(len(Z), arguments.rounds)

    def direct(i: int) -> None:
        delta = Z - Z[queries[i]]
        np.argsort(np.einsum("ij,ij->i", delta, delta), kind="stable")

    # The inner product of the matrix with itself reads it once and computes next to nothing.
    reading = median_ms(lambda _: flat @ flat, arguments.rounds)
    print(f"  {'':28}{'ms':>9}{'x reading':>11}")
    print(f"  {'reading the matrix once':28}{reading:>9.2f}{1:>11.2f}")
    for k in (20, 100, 1000):
        ms = median_ms(lambda i, k=k: gallery.rank(Z[queries[i]], k), arguments.rounds)  # type: ignore[misc]
        print(f"  {f'nearest {k}':28}{ms:>9.2f}{ms / reading:>11.2f}")
    few = max(1, arguments.rounds // 7)
    for name, run in (("all, in order", lambda i: gallery.rank(Z[queries[i]])), ("difference and argsort", direct)):
        ms = median_ms(run, few)
        print(f"  {name:28}{ms:>9.2f}{ms / reading:>11.2f}")
    many = gallery.embedding[queries]
    ms = median_ms(lambda _: gallery.rank_many(many, 200), few) / len(many)
    print(f"  {'nearest 200, many at once':28}{ms:>9.2f}{ms / reading:>11.2f}")


if __name__ == "__main__":
    main()
