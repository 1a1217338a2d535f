from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.operations.tagging.review.side_by_side import side_by_side


def runs(kinds: np.ndarray) -> int:
    return 1 + int(np.count_nonzero(np.diff(kinds)))


def test_alike_photos_stand_side_by_side() -> None:
    # Two kinds of photos, taken in turns by confidence: side by side they make two runs, not forty.
    kinds = np.arange(14) % 2
    rows = np.column_stack([100.0 * kinds, np.zeros(14)])
    order = side_by_side(rows, np.linspace(0.6, 0.4, 14))
    assert order[0] == 0
    assert runs(kinds[order]) == 2
    # Of the sure ones every one keeps its place.
    order = side_by_side(rows, np.linspace(0.99, 0.91, 14))
    np.testing.assert_array_equal(order, np.arange(14))


def test_the_next_is_like_the_last_three_and_not_the_last_alone() -> None:
    rows = np.array([[0.0], [1.0], [2.0], [9.0], [6.2], [4.0]])
    # After 0, 1, 2: the distances from the last three are 8, 5.2 and 3.
    order = side_by_side(rows, np.array([0.99, 0.98, 0.97, 0.5, 0.5, 0.5]))
    np.testing.assert_array_equal(order, [0, 1, 2, 5, 4, 3])


def test_what_is_like_nothing_is_not_put_off_for_ever() -> None:
    rows = np.concatenate([[[0.0]], [[1000.0]], 0.01 * np.arange(40)[:, None]])
    order = side_by_side(rows, np.full(42, 0.5))
    assert order.tolist().index(1) == 17


@given(st.lists(st.tuples(st.integers(-5, 5), st.floats(0, 1)), max_size=60))
def test_every_photo_is_there_once_and_none_comes_much_earlier_or_later(photos: list[tuple[int, float]]) -> None:
    rows = np.array([[place] for place, _ in photos], dtype=np.float32).reshape(-1, 1)
    confidences = np.sort(np.array([sure for _, sure in photos]))[::-1]
    order = side_by_side(rows, confidences)
    assert sorted(order.tolist()) == list(range(len(photos)))
    moved = np.empty(len(photos), dtype=int)
    moved[order] = np.arange(len(photos))
    moved -= np.arange(len(photos))
    assert (moved <= 32).all()
    assert (moved >= -15).all()
    assert (moved[confidences >= 0.9] == 0).all()
