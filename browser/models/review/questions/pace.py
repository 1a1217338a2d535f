# SPDX-License-Identifier: MIT
"""Estimate of the remaining time of a review from the user's pace."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from statistics import mean, median
from typing import Final

_RECENT_ANSWERS: Final = 12  # number of answers
_MIN_ANSWERS: Final = 3  # number of answers before the first estimate


class Pace:
    """The times and numbers of photos of recent answers.

    Examples
    --------
    >>> times = iter([0.0, 4.0, 10.0, 16.0, 20.0, 25.0])
    >>> pace = Pace(clock=lambda: next(times))
    >>> for _ in range(3):
    ...     pace.ask()
    ...     pace.answer(photos=2)
    >>> pace.seconds_for(20)
    50.0
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._shown_at: float | None = None
        self._answers: deque[tuple[float, int]] = deque(maxlen=_RECENT_ANSWERS)

    def ask(self) -> None:
        """Start the clock, because a question is shown."""
        self._shown_at = self._clock()

    def answer(self, photos: int) -> None:
        """Record an answer that tagged this number of photos."""
        if self._shown_at is not None:
            self._answers.append((self._clock() - self._shown_at, photos))
        self._shown_at = None

    def seconds_for(self, photos: int) -> float | None:
        """Estimate the seconds for a number of photos; None while too little is known.

        This is the median time of an answer, which one long break hardly changes, times `photos` over the mean number
        of photos per answer.
        """
        settled = mean(count for _, count in self._answers) if self._answers else 0
        if len(self._answers) < _MIN_ANSWERS or not settled:
            return None
        return median(seconds for seconds, _ in self._answers) * photos / settled
