# SPDX-License-Identifier: MIT
"""Progress and cancellation of long operations, which are generators that yield their progress."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator
from typing import TypeVar

from focal_photos.browser.catalog.store.deferred import dataclass

T = TypeVar("T")


@dataclass(frozen=True)
class Progress:
    """Progress of a long operation."""

    stage: str
    """Present activity, for the user: "Reading photos"."""
    done: int
    total: int | None = None
    """`done` and `total`: number of completed and of all items; total is None if unknown."""
    rate: float | None = None
    """Items per second over the last seconds."""
    seconds_left: float | None = None
    """Estimate from rate and total."""
    message: str = ""
    """The present item or its error; may be empty."""
    is_share: bool = False
    """Whether `done` and `total` express a share instead of numbers of items."""

    @property
    def percent(self) -> str:
        """The completed share of the total, for the user: ``31 %``."""
        return f"{100 * self.done // max(self.total or 0, 1)} %"


Job = Generator[Progress, None, T]
"""A long operation with result T. ``close()`` cancels it and leaves everything consistent."""


class Meter:
    """Converts counts to `Progress`, with the rate over a sliding window.

    Parameters
    ----------
    window : float
        Seconds over which the rate is measured.
    clock : callable
        Time in seconds; tests replace it.
    """

    def __init__(
        self,
        stage: str,
        total: int | None = None,
        *,
        window: float = 10.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.stage = stage
        self.total = total
        self.done = 0
        self._window = window
        self._clock = clock
        self._marks: deque[tuple[float, int]] = deque([(clock(), 0)])

    def advance(self, items: int = 1, message: str = "") -> Progress:
        """Count `items` more as done and return the progress."""
        self.done += items
        now = self._clock()
        self._marks.append((now, self.done))
        while len(self._marks) > 2 and now - self._marks[0][0] > self._window:
            self._marks.popleft()
        return self.state(message)

    def state(self, message: str = "") -> Progress:
        """Return the present progress."""
        (t0, n0), (t1, n1) = self._marks[0], self._marks[-1]
        rate = (n1 - n0) / (t1 - t0) if t1 > t0 and n1 > n0 else None
        left = (self.total - self.done) / rate if rate and self.total is not None else None
        return Progress(self.stage, self.done, self.total, rate, left, message)


def finish(job: Job[T], report: Callable[[Progress], None] | None = None) -> T:
    """Run a job to its end and return its result, passing each progress to `report`."""
    while True:
        try:
            progress = next(job)
        except StopIteration as stop:
            result: T = stop.value
            return result
        if report is not None:
            report(progress)
