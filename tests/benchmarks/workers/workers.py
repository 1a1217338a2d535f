"""Compares the program's worker processes with those of joblib (loky) and Pebble: speed and resilience.

``python -m tests.benchmarks.workers.workers [--photos 500] [--workers 4] [--only own,loky,pebble]``: photos of 300 x
200 are described with the standard descriptors that need no fitting. Pebble, which is not a dependency, is measured if
it is installed. Calls that hang are abandoned after 40 s.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import importlib.util
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from joblib.externals.loky import ProcessPoolExecutor

from focal_photos.browser.operations.workers.describe_photos import BATCH
from focal_photos.browser.operations.workers.photo_tasks import PhotoTask, describe_photo
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.threads import available_cores
from focal_photos.browser.operations.workers.worker_process import WORKER_ENVIRONMENT
from focal_photos.features.description import DescriptionPlan
from focal_photos.features.table import DESCRIPTORS, STANDARD
from tests.benchmarks.common.report import Report
from tests.browser.operations.album import Album

HANGS = 40.0
PLAN_BYTES = 450_000
_kept: dict[str, Any] = {}


# ------------------------------------------------------------------ in the workers
def keep(plan: DescriptionPlan, padding: bytes) -> None:
    _kept.update(plan=plan, padding=padding)


def describe_kept(task: PhotoTask) -> Any:
    return describe_photo(task, _kept["plan"])


def describe_batch(tasks: Sequence[PhotoTask]) -> list[Any]:
    return [describe_kept(task) for task in tasks]


def end() -> None:
    os._exit(1)


# ------------------------------------------------------------------ the three mechanisms
class Mechanism(ABC):
    """Worker processes that hold a plan."""

    def __init__(self, size: int, plan: DescriptionPlan) -> None:
        self.size, self.setup = size, (plan, bytes(PLAN_BYTES))

    @abstractmethod
    def submit(self, function: Callable[..., Any], *arguments: Any, seconds: float = 60.0) -> Future[Any]: ...

    @abstractmethod
    def describe(self, tasks: Sequence[PhotoTask]) -> list[Future[Any]]: ...

    @abstractmethod
    def close(self) -> None: ...


class Own(Mechanism):
    """`ProcessPool`: separate pipes and a thread for each process; a time limit for each photo of a batch."""

    def __init__(self, size: int, plan: DescriptionPlan) -> None:
        super().__init__(size, plan)
        self.pool = ProcessPool(size, setup=(keep, self.setup))
        self.threads = ThreadPoolExecutor(size)

    def submit(self, function: Callable[..., Any], *arguments: Any, seconds: float = 60.0) -> Future[Any]:
        return self.threads.submit(self.pool.call, function, *arguments, seconds=seconds)

    def describe(self, tasks: Sequence[PhotoTask]) -> list[Future[Any]]:
        batches = [tasks[i : i + BATCH] for i in range(0, len(tasks), BATCH)]
        return [self.threads.submit(self.pool.call_each, describe_kept, batch) for batch in batches]

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.pool.close()


class Loky(Mechanism):
    """joblib's executor: two shared pipes; the death of a process breaks the pool; no time limit."""

    def __init__(self, size: int, plan: DescriptionPlan) -> None:
        super().__init__(size, plan)
        self.executor = ProcessPoolExecutor(
            size, timeout=None, initializer=keep, initargs=self.setup, env=dict(WORKER_ENVIRONMENT)
        )

    def submit(self, function: Callable[..., Any], *arguments: Any, seconds: float = 60.0) -> Future[Any]:
        future: Future[Any] = self.executor.submit(function, *arguments)
        return future

    def describe(self, tasks: Sequence[PhotoTask]) -> list[Future[Any]]:
        return [self.submit(describe_batch, tasks[i : i + BATCH]) for i in range(0, len(tasks), BATCH)]

    def close(self) -> None:
        self.executor.shutdown(wait=False, kill_workers=True)


class Pebble(Mechanism):
    """Pebble's pool of spawned processes: two shared pipes with a lock; a time limit and isolated crashes per task."""

    def __init__(self, size: int, plan: DescriptionPlan) -> None:
        super().__init__(size, plan)
        os.environ.update(WORKER_ENVIRONMENT)
        import multiprocessing

        pebble = importlib.import_module("pebble")
        spawn = multiprocessing.get_context("spawn")
        self.pool = pebble.ProcessPool(size, initializer=keep, initargs=self.setup, context=spawn)

    def submit(self, function: Callable[..., Any], *arguments: Any, seconds: float = 60.0) -> Future[Any]:
        future: Future[Any] = self.pool.schedule(function, args=arguments, timeout=seconds)
        return future

    def describe(self, tasks: Sequence[PhotoTask]) -> list[Future[Any]]:
        return [self.submit(describe_kept, task) for task in tasks]  # one task per photo, for a time limit per photo

    def close(self) -> None:
        self.pool.stop()
        self.pool.join(5)


MECHANISMS: dict[str, type[Mechanism]] = {"own": Own, "loky": Loky, "pebble": Pebble}


# ------------------------------------------------------------------ what is measured
def elapsed(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def finished(futures: Sequence[Future[Any]], seconds: float = 300.0) -> None:
    _, left = wait(futures, seconds)
    if left:
        raise TimeoutError
    for future in futures:
        future.result()


def noticed(mechanism: Mechanism, function: Callable[..., Any], *arguments: Any, seconds: float = 60.0) -> str:
    """Return the time until a call that cannot succeed ends, and whether the next call works."""
    start = time.perf_counter()
    future = mechanism.submit(function, *arguments, seconds=seconds)
    _, left = wait([future], HANGS)
    took = time.perf_counter() - start
    if left:
        return f"not within {HANGS:g} s"
    try:
        finished([mechanism.submit(abs, -1)], HANGS)
        after = "the others go on"
    except Exception as error:
        after = f"all others are lost ({type(error).__name__})"
    return f"{took - (seconds if seconds < HANGS else 0):.2f} s, {after}"


def strike_at_start(name: str, strike: int) -> str:
    """Return the outcome of a call whose first process is killed or stopped at its start, in a separate program."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.workers.workers", "--strike", f"{name}:{strike}"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stdout.strip().splitlines()[-1] if done.stdout.strip() else "no answer"


def struck(name: str, strike: int) -> None:
    """Do the work of `strike_at_start`, print the outcome, and end."""
    from focal_photos.browser.operations.workers import worker_process

    worker_process.START_SECONDS = 10.0  # type: ignore[misc]
    ours = os.getpid()

    def children() -> list[int]:
        found = []
        for task in Path(f"/proc/{ours}/task").glob("*"):
            found += [int(pid) for pid in (task / "children").read_text().split()]
        marks = (b"worker_main", b"LokyProcess", b"spawn_main")
        return [pid for pid in found if any(mark in Path(f"/proc/{pid}/cmdline").read_bytes() for mark in marks)]

    def lie_in_wait() -> None:
        while not (found := children()):
            time.sleep(0.001)
        os.kill(found[0], strike)

    threading.Thread(target=lie_in_wait, daemon=True).start()
    answers: list[str] = []

    def call() -> None:
        start = time.perf_counter()
        try:
            mechanism = MECHANISMS[name](1, DescriptionPlan())
            finished([mechanism.submit(abs, -1)], 2 * HANGS)
            answers.append(f"done after {time.perf_counter() - start:.1f} s")
        except Exception as error:
            answers.append(f"{type(error).__name__} after {time.perf_counter() - start:.1f} s")

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(HANGS)
    print(answers[0] if answers else f"hangs ({HANGS:g} s)", flush=True)
    for pid in children():
        os.kill(pid, signal.SIGKILL)
    os._exit(0)


def measure(name: str, size: int, paths: Sequence[Path]) -> list[str]:
    """Return one column of the table."""
    plan = DescriptionPlan(
        tuple(DESCRIPTORS[each] for each in STANDARD if DESCRIPTORS[each].kind != "fisher"),
        seconds_per_photo=60.0,
    )
    make = partial(MECHANISMS[name], size, plan)
    tasks = [PhotoTask(number, path, tuple(plan.by_name)) for number, path in enumerate(paths)]
    column = []

    starts = []
    for _ in range(3):
        start = time.perf_counter()
        mechanism = MECHANISMS[name](1, plan)
        finished([mechanism.submit(abs, -1)])
        starts.append(time.perf_counter() - start)
        mechanism.close()
    column.append(f"{statistics.median(starts):.2f} s")

    mechanism = make()
    finished([mechanism.submit(time.sleep, 0.5) for _ in range(size)])  # all processes have started
    finished(mechanism.describe(tasks[: 4 * BATCH * size]))
    seconds = [elapsed(lambda: finished(mechanism.describe(tasks))) for _ in range(3)]
    column.append(f"{min(seconds):.1f} s, {len(tasks) / min(seconds):.0f} a second")
    seconds = [elapsed(lambda: finished([mechanism.submit(abs, -1) for _ in range(2000)])) for _ in range(3)]
    column.append(f"{1e6 * min(seconds) / 2000:.0f} us")
    seconds = [elapsed(lambda: finished([mechanism.submit(abs, -1)])) for _ in range(300)]
    column.append(f"{1e6 * statistics.median(seconds):.0f} us")
    seconds = [elapsed(lambda: finished([mechanism.submit(np.ones, 2_500_000)])) for _ in range(20)]
    column.append(f"{1000 * statistics.median(seconds):.0f} ms")
    column.append(noticed(mechanism, time.sleep, 600, seconds=1.0))
    mechanism.close()
    mechanism = make()
    finished([mechanism.submit(abs, -1)])
    column.append(noticed(mechanism, end))
    mechanism.close()
    column += [strike_at_start(name, strike) for strike in (signal.SIGKILL, signal.SIGSTOP)]
    return column


ROWS = (
    "start of one process, to its first answer",
    "photos described",
    "a trivial task among 2000",
    "a trivial task alone, there and back",
    "an array of 20 MB",
    "a call that hangs, beyond its limit of 1 s",
    "a process that dies (twice, for a call that is tried again)",
    "killed as it starts, with a setup of 450 kB",
    "stopped as it starts (own limit for this test: 10 s)",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=500)
    parser.add_argument("--workers", type=int, default=available_cores())
    parser.add_argument("--only", default=",".join(MECHANISMS))
    parser.add_argument("--strike", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.strike:
        name, strike = options.strike.split(":")
        struck(name, int(strike))
    names = [name for name in options.only.split(",") if name != "pebble" or importlib.util.find_spec("pebble")]
    with tempfile.TemporaryDirectory() as folder:
        album = Album(Path(folder))
        paths = [album.draw(f"{n}.jpg", seed=n, size=(300, 200)) for n in range(options.photos)]
        columns = {name: measure(name, options.workers, paths) for name in names}
    report = Report("workers", "Worker processes: Focal's, joblib's loky and Pebble")
    report.text(
        f"{options.photos} photos of 300 x 200, {options.workers} workers on {available_cores()} cores; "
        f"load of the machine at the end {os.getloadavg()[0]:.0f}."
    )
    report.table(
        "Times and resilience",
        ["", *names],
        [[row, *(columns[n][i] for n in names)] for i, row in enumerate(ROWS)],
    )
    report.save()


if __name__ == "__main__":
    # Imported by its full name: worker processes have another `__main__`.
    from tests.benchmarks.workers import workers

    workers.main()
