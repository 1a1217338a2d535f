# SPDX-License-Identifier: MIT
"""Make one write, sync, open, rename, truncation or deletion of a user's session fail: each of them in turn.

``python -m tests.benchmarks.faults.failing_calls [--actions 50] [--seed 0] [--stride 1] [--count N]``: a session opens
a library, performs actions and closes it. After each failure, confirmed changes are present and failed ones are absent,
the error message gives a remedy, and the library reopens without damage.
"""

from __future__ import annotations

import argparse
import errno
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.operations.jobs.errors import OperationError
from tests.benchmarks.common.shim import EVERY, Call, Shim, fast_folder, in_child, run_benchmark
from tests.benchmarks.common.user_actions import State, choose, differences, do, follow, new_library

FAULTS: Final = (
    ("no space", Call.WRITE | Call.TRUNCATE | Call.OPEN, errno.ENOSPC, False),
    ("no space from then on", Call.WRITE | Call.TRUNCATE | Call.OPEN, errno.ENOSPC, True),
    ("I/O error", EVERY, errno.EIO, False),
    ("I/O error from then on", EVERY, errno.EIO, True),
)
"""Name, failing calls, error, and whether all later calls fail too."""


def session(shim: Shim, place: Path, fault: tuple[str, int, int, bool], number: int, actions: int, seed: int) -> Any:
    """Run a session in which a call fails; return the number of calls and the problems."""
    _, calls, error, goes_on = fault
    folder = place / "library"
    state, states = State(), [State()]
    problems: list[str] = []
    shim.fail(folder, calls, number, error, goes_on=goes_on)
    chance = random.Random(seed)
    failed = 0
    library: Library | None = None
    uncertain: list[State] = []  # a failed change may be present all the same, if no other followed
    for index in range(actions):
        if library is None:
            try:
                library = Library.open(folder)
            except LibraryError as reason:
                failed += 1
                problems += _unclear(f"opening for action {index}", reason)
                if failed > actions:
                    break
                continue
        step = choose(chance, state, index)
        try:
            do(library, step)
        except (LibraryError, OperationError, OSError) as reason:
            failed += 1
            problems += _unclear(str(step), reason)
            uncertain = [follow(state, step)]
        else:
            state, uncertain = follow(state, step), []
            states.append(state)
    seen = shim.end() if not goes_on else 0
    if library is not None:
        if not problems and goes_on:
            shim.end()
        problems += [f"while it was open: {line}" for line in differences(library, state)] if not goes_on else []
        library.close()
    shim.end()
    problems += _reopen(folder, [state, *uncertain])
    return {"seen": seen, "failed": failed, "problems": problems}


def _unclear(what: str, reason: Exception) -> list[str]:
    text = str(reason)
    if isinstance(reason, OSError) and not isinstance(reason, LibraryError):
        return [] if reason.strerror else [f"{what}: {reason!r}"]
    return [] if text.endswith((".", ")")) and "\n" not in text and len(text) > 20 else [f"{what}: said {text!r}"]


def _reopen(folder: Path, states: list[State]) -> list[str]:
    try:
        with Library.open(folder) as library:
            problems = library.database.check()
            found = [differences(library, state) for state in states]
    except LibraryError as reason:
        return [f"it does not open again: {reason}"]
    return problems + ([] if [] in found else [f"afterwards: {line}" for line in found[0]])


def every_call(shim: Shim, actions: int, seed: int, stride: int, count: int | None) -> Iterator[tuple[str, int, Any]]:
    """Yield the name of the fault, the number of the call and the result for each session."""
    with tempfile.TemporaryDirectory(dir=fast_folder()) as place:
        made, work = Path(place) / "made", Path(place) / "work"
        work.mkdir()
        in_child(lambda: new_library(work / "library"))
        work.rename(made)  # renamed back for each session: a library stores the paths of its photos

        def one(fault: tuple[str, int, int, bool], number: int) -> Any:
            shutil.copytree(made, work)
            try:
                return in_child(lambda: session(shim, work, fault, number, actions, seed))
            finally:
                shutil.rmtree(work)

        for fault in FAULTS:
            whole = one((fault[0], fault[1], fault[2], False), 10**9)
            yield fault[0], -1, whole
            for number in list(range(seed % stride, whole.get("seen", 0), stride))[:count]:
                yield fault[0], number, one(fault, number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actions", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stride", type=int, default=1, help="make every nth call fail")
    parser.add_argument("--count", type=int, help="maximum number of sessions per kind of fault")
    options = parser.parse_args()
    begun = time.perf_counter()
    totals: dict[str, list[int]] = {}
    bad = 0
    for fault, number, found in every_call(Shim(), options.actions, options.seed, options.stride, options.count):
        problems = [found["fault"]] if "fault" in found else found["problems"]
        total = totals.setdefault(fault, [0, 0, 0])
        total[0] += number >= 0
        total[1] += found.get("failed", 0)
        total[2] += bool(problems)
        bad += bool(problems)
        for problem in problems[:3] if bad < 20 else ():
            print(f"{fault}, call {number}, seed {options.seed}: {problem}", flush=True)
    for fault, (sessions, failed, wrong) in totals.items():
        print(f"{fault}: {sessions} sessions, {failed} actions said that they failed, {wrong} with a problem")
    print(f"{time.perf_counter() - begun:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(run_benchmark("failing_calls", main))
