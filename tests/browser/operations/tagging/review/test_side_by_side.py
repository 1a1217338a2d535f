# SPDX-License-Identifier: MIT
from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.operations.tagging.review.side_by_side import side_by_side


def runs(kinds: np.ndarray) -> int:
    return 1 + int(np.count_nonzero(np.diff(kinds)))


def test_similar_photos_are_adjacent_on_their_side_of_the_line() -> None:
    # Two kinds alternate by confidence; grouped, they form two runs on each side instead of fourteen.
    kinds = np.arange(14) % 2
    rows = np.column_stack([100.0 * kinds + np.arange(14), np.zeros(14)])
    sure = np.linspace(0.6, 0.4, 14)
    order, groups = side_by_side(rows, sure, 7)
    assert order[0] == 0
    assert sorted(order[:7].tolist()) == list(range(7)), "no photo changes sides"
    assert runs(kinds[order]) <= 4
    assert len(set(zip(kinds[order].tolist(), (order < 7).tolist(), strict=True))) == len(set(groups.tolist())) == 4
    # Sure photos keep their places as single groups.
    order, groups = side_by_side(rows, np.linspace(0.99, 0.91, 14), 14)
    np.testing.assert_array_equal(order, np.arange(14))
    np.testing.assert_array_equal(groups, np.arange(14))


def test_a_photo_is_not_grouped_with_a_much_surer_one() -> None:
    rows = np.array([[0.0], [50.0], [0.1], [90.0], [0.2]])
    order, groups = side_by_side(rows, np.array([0.85, 0.75, 0.7, 0.6, 0.51]), 5, 0.2)
    assert order.tolist() == [0, 2, 1, 3, 4]
    assert groups.tolist() == [0, 0, 1, 2, 3]


@given(st.lists(st.tuples(st.integers(-5, 5), st.floats(0, 1)), max_size=60), st.integers(0, 60))
def test_confidence_falls_from_group_to_group(photos: list[tuple[int, float]], line: int) -> None:
    rows = np.array([[place] for place, _ in photos], dtype=np.float32).reshape(-1, 1)
    confidences = np.sort(np.array([sure for _, sure in photos]))[::-1]
    line = min(line, len(photos))
    order, groups = side_by_side(rows, confidences, line)
    assert sorted(order.tolist()) == list(range(len(photos)))
    assert sorted(order[:line].tolist()) == list(range(line))
    assert (np.diff(groups) >= 0).all()
    assert (np.diff(groups) <= 1).all()
    for side in (order < line, order >= line):
        means = [confidences[order[groups == group]].mean() for group in np.unique(groups[side])]
        assert all(one >= other for one, other in pairwise(means))
    for group in np.unique(groups):
        members = order[groups == group]
        assert np.ptp(confidences[members]) <= 0.4 + 1e-9
        assert (confidences[members] >= 0.9).sum() == 0 or len(members) == 1
