# SPDX-License-Identifier: MIT
"""Decodes thousands of damaged files in worker processes with limited memory and time.

``python -m tests.benchmarks.decoding.fuzz_decoding [--count 20000] [--seed 0] [--only FORMAT]``: small files of each
format are generated and damaged at random. A file that kills a process or hangs is reported with its format, seed and
number; ``--only FORMAT --seed SEED --first NUMBER --count 1`` repeats it. Every outcome except a picture or a typed
error with a message is a fault. The exit code is 1 if there is a fault or a hang. Killed processes are only counted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.worker_process import EndedProcessError, TookTooLongError
from tests.features.damaged_files import Survey, seeds, survey

MEMORY = 1 << 30
SECONDS = 10.0
BATCH = 50
KINDS = ("decoded", "UnreadableImage", "UnsupportedFormat", "ImageTooLarge")


class Fuzzer:
    """Decodes damaged files of one format and finds those that kill the process."""

    def __init__(self, kind: str, seed: int, memory: int = MEMORY) -> None:
        self.kind, self.seed = kind, seed
        self.total = Survey()
        self.ends: Counter[str] = Counter()
        self.ended: list[tuple[int, str]] = []
        self._pool = ProcessPool(size=1, memory=memory)

    def run(self, first: int, count: int) -> None:
        """Decode `count` files, then end the process."""
        try:
            for start in range(first, first + count, BATCH):
                self._look(start, min(BATCH, first + count - start))
        finally:
            self._pool.close()

    def _look(self, first: int, count: int) -> None:
        content = seeds()[self.kind]
        try:
            found = self._pool.call(survey, self.kind, content, self.seed, first, count, seconds=SECONDS)
        except (EndedProcessError, TookTooLongError) as error:
            if count > 1:
                for number in range(first, first + count):
                    self._look(number, 1)
            else:
                what = "hang" if isinstance(error, TookTooLongError) else "crash"
                self.ends[what] += 1
                self.ended.append((first, what))
            return
        self.total.outcomes += found.outcomes
        self.total.faults += found.faults
        self.total.slowest = max(self.total.slowest, found.slowest)
        self.total.memory = max(self.total.memory, found.memory)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000, help="number of damaged files over all formats")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--only", choices=list(seeds()), help="test one format")
    options = parser.parse_args()
    kinds = [options.only] if options.only else list(seeds())
    begun = time.perf_counter()
    faults = hangs = crashes = done = 0
    print(f"{'format':20}{'files':>7}" + "".join(f"{k:>19}" for k in KINDS), end="")
    print(f"{'crashes':>9}{'hangs':>7}{'slowest ms':>12}{'peak MB':>9}", flush=True)
    reports = []
    for place, kind in enumerate(kinds):
        count = options.count // len(kinds) + (place < options.count % len(kinds))
        fuzzer = Fuzzer(kind, options.seed)
        fuzzer.run(options.first, count)
        total = fuzzer.total
        print(f"{kind:20}{count:7}" + "".join(f"{total.outcomes[k]:19}" for k in KINDS), end="")
        print(f"{fuzzer.ends['crash']:9}{fuzzer.ends['hang']:7}", end="")
        print(f"{1000 * total.slowest:12.0f}{total.memory / 1e6:9.0f}", flush=True)
        reports += [f"{kind}, seed {options.seed}, number {n}: {what}" for n, what in fuzzer.ended + total.faults]
        done += count
        faults, hangs, crashes = faults + len(total.faults), hangs + fuzzer.ends["hang"], crashes + fuzzer.ends["crash"]
    print(
        f"\n{done} files in {time.perf_counter() - begun:.0f} s: {crashes} ended their process, {hangs} hung, ", end=""
    )
    print(f"{faults} gave neither a picture nor a typed error.")
    for report in reports:
        print(report)
    return int(bool(faults or hangs))


if __name__ == "__main__":
    sys.exit(main())
