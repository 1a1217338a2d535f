# SPDX-License-Identifier: MIT
"""Apply all kinds of changes to a library, with undo and redo, and compare it with a simple model.

``python -m tests.benchmarks.faults.undo_and_redo [--count 10000] [--seed 0]``: the model is compared after each random
step, and the library is closed and reopened from time to time.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from focal_photos.browser.catalog.library import Library
from tests.benchmarks.common.user_actions import State, choose, differences, do, follow, new_library

REOPENED_EVERY = 50
CHECKED_EVERY = 500


def walk(folder: Path, count: int, seed: int) -> list[str]:
    """Do `count` steps on a new library in `folder`, and return the first differences from the model."""
    new_library(folder)
    chance, state = random.Random(seed), State()
    library = Library.open(folder)
    try:
        for number in range(count):
            step = choose(chance, state, number)
            do(library, step)
            state = follow(state, step)
            if chance.random() < 1 / REOPENED_EVERY:
                library.close()
                library = Library.open(folder)
            problems = differences(library, state)
            if number % CHECKED_EVERY == CHECKED_EVERY - 1 or number == count - 1:
                problems += library.database.check()
            if problems:
                return [f"seed {seed}, after step {step}: {problem}" for problem in problems]
    finally:
        library.close()
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        problems = walk(Path(place) / "library", options.count, options.seed)
    print("\n".join(problems) or f"{options.count} steps of seed {options.seed}: the library and the model agree.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
