# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from focal_photos.browser.operations.mapping.levels import FINEST, Level, levels


def test_the_most_typical_photo_represents_its_cell() -> None:
    places = np.array([[-0.4, -0.4], [-0.3, -0.1], [0.1, 0.1], [0.4, 0.4], [0.12, 0.12]], np.float32)
    typical = np.array([1, 5, 2, 2, 0], np.float32)
    found = levels(places, typical)
    first = found[0]
    assert (first.number, first.side) == (1, 0.5)
    stands = zip(first.cells.tolist(), first.rows.tolist(), first.counts.tolist(), strict=True)
    by_cell = {tuple(cell): (row, count) for cell, row, count in stands}
    # rows 2 and 3 are equally typical: the first represents the cell
    assert by_cell == {(-1, -1): (1, 2), (0, 0): (2, 3)}
    assert found[-1].counts.max() == 1
    assert sorted(found[-1].rows.tolist()) == [0, 1, 2, 3, 4]


def test_levels_can_be_limited_to_some_rows() -> None:
    places = np.zeros((4, 2), np.float32)
    places[3] = 0.3
    found = levels(places, np.arange(4, dtype=np.float32), np.array([0, 1]))
    assert len(found) == FINEST  # they are never separated
    assert all(level.rows.tolist() == [1] and level.counts.tolist() == [2] for level in found)
    assert levels(places, np.zeros(4, np.float32), np.array([], np.intp))[0].rows.tolist() == []


@given(
    arrays(np.float32, st.tuples(st.integers(1, 60), st.just(2)), elements=st.floats(-1, 1, width=32)),
    st.integers(0, 5),
)
def test_levels_are_nested_and_count_every_photo(places: np.ndarray, seed: int) -> None:
    typical = np.random.default_rng(seed).integers(0, 4, len(places)).astype(np.float32)
    found = levels(places, typical)
    before: Level | None = None
    for level in found:
        assert level.counts.sum() == len(places)
        assert len({tuple(cell) for cell in level.cells.tolist()}) == len(level.cells)
        for row, cell, count in zip(level.rows, level.cells, level.counts, strict=True):
            inside = (np.floor(places.astype(float) * 2**level.number) == cell).all(axis=1)
            assert inside[row]
            assert inside.sum() == count
            assert typical[row] == typical[inside].max()
        if before is not None:
            assert set(before.rows.tolist()) <= set(level.rows.tolist())
        before = level
    assert found[-1].number == FINEST or found[-1].counts.max() == 1


@pytest.mark.parametrize("n", [1, 1000])
def test_the_last_level_has_every_row(n: int) -> None:
    places = np.random.default_rng(1).uniform(-0.5, 0.5, (n, 2)).astype(np.float32)
    assert sorted(levels(places, np.zeros(n, np.float32))[-1].rows.tolist()) == list(range(n))
