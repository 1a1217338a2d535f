# SPDX-License-Identifier: MIT
"""Damage a library in many ways and restore it with commands alone, again and again.

``python -m tests.benchmarks.faults.restoring [--count 1000] [--seed 0]``: a simulated user makes changes, a backup is
made, more changes follow, and the catalogue is damaged. ``focal restore`` must restore the contents of the backup.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.cli import main as main_of_focal
from tests.benchmarks.common.shim import fast_folder
from tests.benchmarks.common.user_actions import State, choose, differences, do, follow, new_library

Damage = Callable[[Path, random.Random], None]


def _flip(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 20, 400])):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def _cut(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.choice([0, 1, 100, 4096, chance.randrange(path.stat().st_size)]))


def _overwrite(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    at, size = chance.randrange(len(content)), chance.choice([512, 4096, 65536])
    content[at : at + size] = chance.randbytes(min(size, len(content) - at))
    path.write_bytes(content)


def _delete(path: Path, _chance: random.Random) -> None:
    path.unlink()


def _replace(path: Path, _chance: random.Random) -> None:
    path.write_bytes(b"no database at all\n" * 1000)


def _leave(_path: Path, _chance: random.Random) -> None:
    """Do nothing: users may also restore a backup to drop changes."""


DAMAGES: Final[tuple[Damage, ...]] = (_flip, _flip, _flip, _cut, _overwrite, _delete, _replace, _leave)


class Round:
    def __init__(self, folder: Path, seed: int) -> None:
        self.problems: list[str] = []
        self.counts: Counter[str] = Counter()
        self._folder = folder
        self._seed = seed
        self._chance = random.Random(seed)
        self._state = State()
        self._number = 0
        new_library(folder)

    def run(self, count: int) -> None:
        for number in range(count):
            damage = self._chance.choice(DAMAGES)
            where = f"seed {self._seed}, {number}, {damage.__name__[1:]}"
            with Library.open(self._folder) as library:
                self._steps(library, 3)
                library.back_up()
                kept = self._state
                self._steps(library, 2)
            damage(self._folder / "catalog.sqlite", self._chance)
            self.counts[damage.__name__[1:]] += 1
            found = self._focal("restore")
            if "error" in found:
                self.problems.append(f"{where}: {found['error']}")
                return
            self._state = kept
            try:
                with Library.open(self._folder) as library:
                    wrong = library.database.check() + differences(library, kept)
            except LibraryError as error:
                wrong = [f"it does not open: {error}"]
            self.problems += [f"{where}: {line}" for line in wrong[:2]]
            if wrong:
                return

    def _steps(self, library: Library, count: int) -> None:
        for _ in range(count):
            step = choose(self._chance, self._state, self._number)
            self._number += 1
            do(library, step)
            self._state = follow(self._state, step)

    def _focal(self, *words: str) -> dict[str, Any]:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = main_of_focal([*words, "--library", str(self._folder), "--json"])
        found: dict[str, Any] = {"error": f"{code}: {err.getvalue()}"} if code else json.loads(out.getvalue())
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=fast_folder()) as name:
        rounds = Round(Path(name) / "library", options.seed)
        rounds.run(options.count)
    kinds = ", ".join(f"{number} of {kind}" for kind, number in sorted(rounds.counts.items()))
    print("\n".join(rounds.problems))
    took = time.perf_counter() - begun
    print(f"{sum(rounds.counts.values())} restored ({kinds}): {len(rounds.problems)} problems; {took:.0f} s")
    return 1 if rounds.problems else 0


if __name__ == "__main__":
    sys.exit(main())
