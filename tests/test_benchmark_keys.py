# SPDX-License-Identifier: MIT
"""The simulated user of the key benchmark answers with the fewest actions."""

from __future__ import annotations

from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.tagging.annotate_by_keys import runs_of
from tests.benchmarks.tagging.strokes import PIECES, fewest_actions, straight_pieces


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
def test_in_one_column_no_other_line_needs_fewer_actions(right: list[bool], line: int) -> None:
    line = min(line, len(right))
    at, strokes = fewest_actions(right, line)
    assert len(strokes) + (at != line) == min(_cost(right, each, line) for each in range(len(right) + 1))


@given(st.lists(st.booleans(), max_size=36), st.integers(0, 36), st.integers(1, 5))
def test_strokes_go_from_tile_to_tile_and_give_all_photos_their_answers(
    right: list[bool], line: int, columns: int
) -> None:
    at, strokes = fewest_actions(right, min(line, len(right)), columns)
    answers = [row < at for row in range(len(right))]
    for stroke in strokes:
        wanted = not answers[stroke[0]]
        assert straight_pieces(stroke, columns) <= PIECES
        for here, there in pairwise(divmod(row, columns) for row in stroke):
            assert max(abs(here[0] - there[0]), abs(here[1] - there[1])) == 1
        for before, row in zip(stroke, stroke[2:], strict=False):
            assert before != row, "going back would restore a photo"
        for row in stroke:
            assert right[row] is wanted
            answers[row] = wanted
    assert answers == right


def test_a_block_of_wrong_tiles_takes_one_stroke() -> None:
    block = [row // 6 in (1, 2) and 1 <= row % 6 <= 4 for row in range(24)]
    at, (stroke,) = fewest_actions(block, 0, 6)
    assert at == 0
    assert sorted(stroke) == [7, 8, 9, 10, 13, 14, 15, 16]
    assert straight_pieces([7, 8, 9, 10, 16, 15, 14, 13], 6) == 3
    assert straight_pieces([7, 14, 21], 6) == straight_pieces([7], 6) == 1


def test_runs_of_joins_adjacent_right_answers() -> None:
    for right in product([False, True], repeat=5):
        rows = [row for first, last in runs_of(right) for row in range(first, last + 1)]
        assert rows == [row for row, each in enumerate(right) if each]
        assert all(
            later[0] > earlier[1] + 1 for earlier, later in zip(runs_of(right), runs_of(right)[1:], strict=False)
        )
