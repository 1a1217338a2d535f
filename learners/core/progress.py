# SPDX-License-Identifier: MIT
"""Progress reports of long computations."""

from __future__ import annotations

from collections.abc import Callable

ProgressReport = Callable[[float], None]
"""Called with the share done, 0..1. It may raise to cancel: the learner is then left unfitted."""


def no_report(_share: float, /) -> None:
    """Ignore a progress report."""


def part_of(report: ProgressReport, start: float, share: float) -> ProgressReport:
    """Return the report of a part of the work, which covers `start` to ``start + share`` of the whole."""
    return lambda done: report(start + share * done)
