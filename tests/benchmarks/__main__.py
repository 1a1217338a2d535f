# SPDX-License-Identifier: MIT
"""Run the benchmarks one after another, each in a separate process: ``make bench [ARGS="rankings galleries"]``.

Arguments after the name of a single benchmark are passed to it: ``make bench ARGS="million 10000 --light"``. Benchmarks
can also be run directly: ``python -m tests.benchmarks.speed.rankings --help``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from focal_photos.browser.operations.workers.worker_process import WORKER_ENVIRONMENT


def main() -> int:
    here = Path(__file__).parent
    known = {
        file.stem: f"{room}.{file.stem}"
        for room in ("speed", "workers", "quality", "parts", "tagging", "papers", "decoding", "faults")
        for file in sorted((here / room).glob("*.py"))
    }
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"benchmarks to run, of {', '.join(known)}; all by default"
    )
    parser.add_argument("options", nargs=argparse.REMAINDER, help="options of the benchmark, if one is named")
    given = parser.parse_args()
    chosen, options = given.names or list(known), given.options
    if chosen[0] in known and not any(name in known for name in chosen[1:]):
        chosen, options = chosen[:1], [*chosen[1:], *options]
    if options and len(chosen) > 1:
        parser.error("options are for a single benchmark")
    if unknown := [name for name in chosen if name not in known]:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(known)}")
    failed = []
    for name in chosen:
        print(f"\n## {name}\n", flush=True)
        keeps = {key: value for key, value in WORKER_ENVIRONMENT.items() if key.startswith("MALLOC")}
        done = subprocess.run(
            [sys.executable, "-m", f"tests.benchmarks.{known[name]}", *options], env=os.environ | keeps, check=False
        )
        if done.returncode:
            failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
