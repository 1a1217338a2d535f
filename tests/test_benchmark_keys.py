# SPDX-License-Identifier: MIT
"""The simulated user of the key benchmark answers with the fewest actions."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.tagging.annotate_by_keys import fewest_actions, runs_of


def _cost(right: list[bool], at: int, line: int) -> int:
    """Count the runs of equal answers to change above and below the line."""
    changes = 0
    for rows, wanted in ((range(at), True), (range(at, len(right)), False)):
        before = False
        for row in rows:
            wrong = right[row] is not wanted
            changes += wrong and not before
            before = wrong
    return changes + (at != line)


@given(st.lists(st.booleans(), max_size=12), st.integers(0, 12))
def test_no_other_line_needs_fewer_actions(right: list[bool], line: int) -> None:
    line = min(line, len(right))
    at, runs = fewest_actions(right, line)
    assert len(runs) + (at != line) == min(_cost(right, each, line) for each in range(len(right) + 1))
    answers = [row < at for row in range(len(right))]
    for first, last in runs:
        for row in range(first, last + 1):
            answers[row] = not answers[row]
    assert answers == right


def test_runs_of_joins_adjacent_right_answers() -> None:
    for right in product([False, True], repeat=5):
        rows = [row for first, last in runs_of(right) for row in range(first, last + 1)]
        assert rows == [row for row, each in enumerate(right) if each]
        assert all(
            later[0] > earlier[1] + 1 for earlier, later in zip(runs_of(right), runs_of(right)[1:], strict=False)
        )
