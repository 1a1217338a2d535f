"""Runs the benchmarks one after another, each in a process of its own: ``make bench [ARGS="features galleries"]``.

Each also runs alone, with options of its own: ``python -m tests.benchmarks.speed.features --help``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from browser.environment import WORKER_ENVIRONMENT


def main() -> int:
    here = Path(__file__).parent
    known = {
        file.stem: f"{room}.{file.stem}"
        for room in ("speed", "quality", "papers", "faults")
        for file in sorted((here / room).glob("*.py"))
    }
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}; all by default")
    chosen = parser.parse_args().names or list(known)
    if unknown := [name for name in chosen if name not in known]:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(known)}")
    failed = []
    for name in chosen:
        print(f"\n## {name}\n", flush=True)
        keeps = {key: value for key, value in WORKER_ENVIRONMENT.items() if key.startswith("MALLOC")}
        done = subprocess.run(
            [sys.executable, "-m", f"tests.benchmarks.{known[name]}"], env=os.environ | keeps, check=False
        )
        if done.returncode:
            failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
