# SPDX-License-Identifier: MIT
"""Simulate a power failure at many points of a user's session: unsynced writes are dropped, kept or torn.

``python -m tests.benchmarks.faults.power_failures [--count 10000] [--actions 50] [--recordings 4] [--seed 0]``: all
writes, syncs and renames of a session are logged once (`shim`). From the log, possible states of the disk are made for
any number of points. A file's bytes are safe once the file is synced, its name once the folder is synced. Of unsynced
writes a random part remains, some only up to a sector. Each such library opens undamaged and has all confirmed changes.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library, LibraryError
from tests.benchmarks.common.shim import (
    Call,
    Shim,
    Written,
    fast_folder,
    in_child,
    read_log,
    run_benchmark,
)
from tests.benchmarks.common.user_actions import State, choose, differences, do, follow, new_library

SECTOR: Final = 512


@dataclass
class _File:
    """A file's safe bytes and the changes since: (offset, data), or (size, None) for a truncation."""

    safe: bytes = b""
    since: list[tuple[int, bytes | None]] = field(default_factory=list)

    def left(self, chosen: Iterable[tuple[int, bytes | None]]) -> bytes:
        content = bytearray(self.safe)
        for offset, data in chosen:
            if data is None:
                del content[offset:]
                content.extend(bytes(offset - len(content)))
            else:
                content.extend(bytes(max(0, offset - len(content))))
                content[offset : offset + len(data)] = data
        return bytes(content)


class Disk:
    """A folder's state on a disk, updated call by call."""

    def __init__(self, folder: Path) -> None:
        files = [path for path in folder.rglob("*") if path.is_file()]
        self._now = {path.relative_to(folder).as_posix(): _File(path.read_bytes()) for path in files}
        self._safe = dict(self._now)
        self._renames: list[tuple[str, str | None, _File | None]] = []  # name, old name if renamed, None if deleted
        self._folders = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir()]

    def see(self, one: Written) -> None:
        """Apply a call."""
        file = self._now.get(one.name)
        if one.name.endswith("-shm"):
            return
        match one.call:
            case Call.OPEN:
                if file is None:
                    file = self._now[one.name] = _File()
                    self._renames.append((one.name, None, file))
                elif one.offset & os.O_TRUNC:
                    file.since.append((0, None))
            case Call.WRITE if file is not None:
                file.since.append((one.offset, one.data))
            case Call.TRUNCATE if file is not None:
                file.since.append((one.offset, None))
            case Call.SYNC if file is not None:
                file.safe, file.since = file.left(file.since), []
            case Call.RENAME if file is not None:
                self._now[one.target] = self._now.pop(one.name)
                self._renames.append((one.target, one.name, file))
            case Call.UNLINK:
                self._now.pop(one.name, None)
                self._renames.append((one.name, None, None))
            case Call.FOLDER_SYNC:
                here = [entry for entry in self._renames if _folder_of(entry[0]) == one.name]
                self._renames = [entry for entry in self._renames if _folder_of(entry[0]) != one.name]
                _apply(self._safe, here)

    def leave(self, target: Path, chance: random.Random) -> None:
        """Write a possible state after a power failure into a new folder."""
        names = dict(self._safe)
        _apply(names, self._renames[: chance.randint(0, len(self._renames))])
        for folder in ["", *self._folders]:
            (target / folder).mkdir(parents=True, exist_ok=True)
        for name, file in names.items():
            (target / name).write_bytes(file.left(_kept(file.since, chance)))


def _folder_of(name: str) -> str:
    return name.rpartition("/")[0]


def _apply(names: dict[str, _File], renames: Iterable[tuple[str, str | None, _File | None]]) -> None:
    for name, before, file in renames:
        if before is not None:
            names.pop(before, None)
        if file is None:
            names.pop(name, None)
        else:
            names[name] = file


def _kept(since: list[tuple[int, bytes | None]], chance: random.Random) -> Iterator[tuple[int, bytes | None]]:
    """Yield the writes that reached the disk: all, none, the first ones, or a random part, some of them torn."""
    way = chance.randrange(4)
    if way < 3:
        yield from since[: (0, len(since), chance.randint(0, len(since)))[way]]
        return
    for offset, data in since:
        if chance.random() < 0.5:
            continue
        if data is not None and len(data) > SECTOR and chance.random() < 0.3:
            end = chance.randrange(0, len(data), SECTOR)
            yield (offset, data[:end]) if chance.random() < 0.5 else (offset + end, data[end:])
        else:
            yield offset, data


def record(shim: Shim, place: Path, log: Path, actions: int, seed: int) -> int:
    """Log a session on the library in `place`, with a mark after each action; return the number of actions."""
    state, chance = State(), random.Random(seed)
    shim.write_down(place / "library", log)
    with Library.open(place / "library") as library:
        for number in range(actions):
            step = choose(chance, state, number)
            do(library, step)
            state = follow(state, step)
            shim.mark(number)
    shim.end()
    return actions


def states_of(actions: int, seed: int) -> list[State]:
    """Return the states of such a session before and after each action."""
    state, chance = State(), random.Random(seed)
    states = [state]
    for number in range(actions):
        state = follow(state, choose(chance, state, number))
        states.append(state)
    return states


def fail_at_points(shim: Shim, count: int, actions: int, seed: int) -> list[str]:
    """Record a session and return the problems after power failures at `count` points."""
    problems: list[str] = []
    with tempfile.TemporaryDirectory(dir=fast_folder()) as name:
        place, log = Path(name) / "work", Path(name) / "log"
        place.mkdir()
        in_child(lambda: new_library(place / "library"))
        before = Path(name) / "before"
        shutil.copytree(place, before)
        found = in_child(lambda: record(shim, place, log, actions, seed))
        if found != actions:
            return [f"seed {seed}: the session itself failed: {found}"]
        calls, states = list(read_log(log)), states_of(actions, seed)
        disk, chance, confirmed = Disk(before / "library"), random.Random(seed), 0
        points = sorted(chance.randrange(len(calls)) for _ in range(count))
        at = 0
        for number, point in enumerate(points):
            for call in itertools.islice(calls, at, point):
                disk.see(call)
                confirmed += call.call is Call.MARK
            at = point
            shutil.rmtree(place / "library")
            draw = random.Random(f"{seed} {number}")
            disk.leave(place / "library", draw)
            wrong = _look(place / "library", states[confirmed : confirmed + 2])
            problems += [
                f"seed {seed}, point {number} (call {point}, {confirmed} confirmed): {one}" for one in wrong[:2]
            ]
    return problems


def _look(folder: Path, states: list[State]) -> list[str]:
    try:
        with Library.open(folder) as library:
            problems = library.database.check()
            found = [differences(library, state) for state in states]
    except (LibraryError, OSError) as reason:
        return [f"it does not open: {reason}"]
    return problems + ([] if [] in found else [line for lines in found for line in lines[:1]])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="number of points over all recordings")
    parser.add_argument("--actions", type=int, default=50)
    parser.add_argument("--recordings", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    begun, shim = time.perf_counter(), Shim()
    problems: list[Any] = []
    for seed in range(options.seed, options.seed + options.recordings):
        problems += fail_at_points(shim, options.count // options.recordings, options.actions, seed)
    print("\n".join(problems[:20]))
    print(
        f"{options.count} points of {options.recordings} recordings of {options.actions} actions: {len(problems)} "
        f"problems; {time.perf_counter() - begun:.0f} s"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(run_benchmark("power_failures", main))
