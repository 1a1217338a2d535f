# SPDX-License-Identifier: MIT
"""A computation in a subprocess: its progress, result, exceptions and end."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import closing

import numpy as np
import pytest

from focal_photos.browser.operations.workers.idle_processes import idle_processes
from focal_photos.browser.operations.workers.memory import usable_memory
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.subprocess_call import LostError, _listen, run_in_subprocess
from focal_photos.browser.operations.workers.worker_process import EndedProcessError
from tests.browser.operations.workers.processes import is_running, workers_of

Report = Callable[[float], None]
Tell = Callable[[object], None]

LONG = 600.0
"""Duration of a computation that is to be terminated, in seconds."""


def counts(most: int, report: Report, tell: Tell) -> int:
    for number in range(most):
        report(number / most)
        tell(number)
    return os.getpid()


def says_and_waits(report: Report, tell: Tell) -> None:
    tell(np.arange(5))
    report(0.5)
    time.sleep(LONG)


def fails(report: Report, _tell: Tell) -> None:
    report(0.5)
    raise ZeroDivisionError("nothing to divide by")


def dies(_report: Report, _tell: Tell) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(LONG)


def test_a_subprocess_computes_and_reports_progress() -> None:
    shares: list[float] = []
    told: list[int] = []
    pid = run_in_subprocess(counts, 1000, report=shares.append, tell=told.append)
    assert pid != os.getpid()
    assert shares == sorted(shares)
    assert shares[-1] == 0.999
    assert told == sorted(told)
    assert told[-1] == 999  # the last report arrives, although earlier ones may be dropped
    assert idle_processes().pids[-1:] == [pid], "the process is cached, and the next call takes it"
    assert run_in_subprocess(counts, 10, report=lambda _: None) == pid
    idle_processes().end()
    assert not is_running(pid)


def test_the_next_computation_in_the_process_sees_nothing_of_the_previous_one() -> None:
    pid = run_in_subprocess(counts, 10, report=lambda _: None)
    with closing(ProcessPool(1, usable_memory(), background=True, reuse_idle=True)) as pool:
        assert pool.call(os.getpid) == pid
        with pytest.raises(EndedProcessError):
            pool.call(_listen)


@pytest.mark.usefixtures("no_idle_processes")
def test_reports_arrive_during_the_computation_and_an_exception_in_one_ends_it() -> None:
    told: list[np.ndarray] = []
    before = workers_of()

    def report(done: float) -> None:
        if done == 0.5 and told:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        run_in_subprocess(says_and_waits, report=report, tell=told.append)
    np.testing.assert_array_equal(told[0], np.arange(5))
    assert workers_of() == before


def test_an_exception_in_the_subprocess_is_raised() -> None:
    with pytest.raises(ZeroDivisionError, match="divide by"):
        run_in_subprocess(fails, report=lambda _: None)


def test_a_dead_subprocess_is_reported() -> None:
    with pytest.raises(LostError):
        run_in_subprocess(dies, report=lambda _: None)
