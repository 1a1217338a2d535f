# SPDX-License-Identifier: MIT
"""Layouts of tiles, compared with their documentation and with a slow layout of one photo after the other."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.browser.models.photos.tile_layout import (
    MOST_STRETCHED,
    DividedLayout,
    JustifiedLayout,
    TileLayout,
    UniformLayout,
)

GAP = 2

aspects = st.lists(st.floats(0.3125, 3.875, width=32), min_size=1, max_size=120).map(
    lambda values: np.asarray(values, np.float32)
)


def justified(photos: NDArray[np.float32], width: int = 800, wanted: int = 140, caption: int = 0) -> JustifiedLayout:
    layout = JustifiedLayout(photos, width, wanted, GAP, caption)
    layout.extend(len(photos))
    return layout


def line_starts(photos: NDArray[np.float32], width: int, wanted: int) -> list[int]:
    """Break lines one photo after the other."""
    starts, at = [], 0
    while at < len(photos):
        starts.append(at)
        used, end = 0.0, at
        while end < len(photos) and used + float(photos[end]) * wanted + GAP <= width:
            used += float(photos[end]) * wanted + GAP
            end += 1
        if end < len(photos):
            more = used + float(photos[end]) * wanted + GAP
            if end == at or more - width < width - used:
                end += 1
        at = end
    return starts


@given(aspects, st.integers(200, 1600), st.integers(60, 300))
def test_rows_break_as_if_photos_were_added_one_by_one(photos: NDArray[np.float32], width: int, wanted: int) -> None:
    layout = justified(photos, width, wanted)
    assert [layout.line_rows(line)[0] for line in range(layout.lines)] == line_starts(photos, width, wanted)


@given(aspects, st.integers(200, 1600), st.integers(60, 300))
def test_cells_fill_their_lines_without_overlap(photos: NDArray[np.float32], width: int, wanted: int) -> None:
    layout = justified(photos, width, wanted)
    top = 0
    for line in range(layout.lines):
        start, end = layout.line_rows(line)
        cells = [layout.cell(row) for row in range(start, end)]
        assert cells[0].x == 0
        assert {cell.y for cell in cells} == {top}
        assert len({cell.height for cell in cells}) == 1
        for left, right in pairwise(cells):
            assert left.x + left.width == right.x
        height = cells[0].height - GAP
        assert height <= MOST_STRETCHED * wanted + 1
        full = line < layout.lines - 1 and height < round(MOST_STRETCHED * wanted)
        if full:
            assert cells[-1].x + cells[-1].width == width, "the row fills the width"
        top += cells[0].height
    assert layout.height == top


@given(aspects, st.integers(300, 1600))
def test_a_photo_keeps_its_aspect_up_to_rounding(photos: NDArray[np.float32], width: int) -> None:
    layout = justified(photos, width, caption=20)
    for row, aspect in enumerate(photos.tolist()):
        cell = layout.cell(row)
        height = cell.height - GAP - 20
        # the rounding of the line's height is shared among its photos
        assert abs(cell.width - GAP - aspect * height) <= 1 + 0.51 * aspect


def layouts(count: int) -> list[TileLayout]:
    rng = np.random.default_rng(0)
    uniform = UniformLayout(7, 110, 90)
    uniform.extend(count)
    photos = rng.uniform(0.5, 2, count).astype(np.float32)
    divided = [
        DividedLayout(UniformLayout(7, 110, 90), UniformLayout(7, 110, 90), 30, 25),
        DividedLayout(
            JustifiedLayout(photos[:30], 800, 140, GAP, 0), JustifiedLayout(photos[30:], 800, 140, GAP, 0), 30, 25
        ),
        DividedLayout(UniformLayout(7, 110, 90), UniformLayout(7, 110, 90), 0, 25),
    ]
    for layout in divided:
        layout.extend(count)
    return [uniform, justified(photos), *divided]


IDS = ["uniform", "justified", "divided uniform", "divided justified", "divided at the top"]


@pytest.mark.parametrize("layout", layouts(200), ids=IDS)
def test_points_rows_and_lines_are_consistent(layout: TileLayout) -> None:
    for row in range(200):
        cell = layout.cell(row)
        assert layout.row_at(cell.x, cell.y) == row
        assert layout.row_at(cell.x + cell.width - 1, cell.y + cell.height - 1) == row
        start, end = layout.line_rows(layout.line_of(row))
        assert start <= row < end
        assert layout.line_top(layout.line_of(row)) == cell.y
        assert layout.line_at(cell.y) == layout.line_of(row)
    last = layout.cell(199)
    assert layout.row_at(last.x + last.width, last.y) == -1
    assert layout.row_at(0, layout.height) == -1
    assert layout.row_at(0, -1) == -1


@pytest.mark.parametrize("layout", layouts(200), ids=IDS)
def test_the_row_below_is_the_one_under_the_middle(layout: TileLayout) -> None:
    for row in range(200):
        cell, beside = layout.cell(row), layout.row_beside(row, 1)
        if layout.line_of(row) == layout.lines - 1:
            assert beside == row
            continue
        under = layout.cell(beside)
        assert layout.line_of(beside) == layout.line_of(row) + 1
        middle = cell.x + cell.width / 2
        last = beside == layout.line_rows(layout.line_of(beside))[1] - 1
        assert under.x <= middle
        assert middle < under.x + under.width or last


@pytest.mark.parametrize("layout", layouts(200), ids=IDS)
def test_a_rectangle_finds_the_cells_it_overlaps(layout: TileLayout) -> None:
    left, top, right, bottom = 130, 200, 420, 640
    met = []
    for row in range(200):
        cell = layout.cell(row)
        across = cell.x <= right and cell.x + cell.width > left
        if across and cell.y <= bottom and cell.y + cell.height > top:
            met.append(row)
    runs = layout.rows_in(left, top, right, bottom)
    assert [row for first, last in runs for row in range(first, last + 1)] == met
    assert layout.rows_in(0, -50, 10, -1) == []


@given(aspects, st.lists(st.integers(1, 60), max_size=5))
def test_a_layout_in_parts_equals_a_layout_at_once(photos: NDArray[np.float32], parts: list[int]) -> None:
    whole = justified(photos)
    layout = JustifiedLayout(photos[: len(photos) // 2], 800, 140, GAP, 0)
    for count in np.cumsum(parts).tolist():
        layout.extend(count)
    layout.append(photos[len(photos) // 2 :])
    layout.extend(len(photos))
    assert layout.laid == whole.laid
    assert [layout.cell(row) for row in range(len(photos))] == [whole.cell(row) for row in range(len(photos))]


def test_existing_cells_stay_when_photos_are_added() -> None:
    photos = np.random.default_rng(1).uniform(0.5, 2, 500).astype(np.float32)
    layout = JustifiedLayout(photos, 900, 150, GAP, 0)
    layout.extend(300)
    full = layout.line_rows(layout.lines - 1)[0]
    before = [layout.cell(row) for row in range(full)]
    layout.extend(500)
    assert [layout.cell(row) for row in range(full)] == before


def test_the_last_line_is_not_stretched() -> None:
    layout = justified(np.ones(8, np.float32), width=1000, wanted=200)
    assert [layout.line_rows(line) for line in range(layout.lines)] == [(0, 5), (5, 8)]
    assert [layout.cell(row).height - GAP for row in (0, 5)] == [198, 200]


def test_a_tie_between_widths_prefers_fewer_photos() -> None:
    layout = justified(np.ones(20, np.float32), width=550, wanted=98)
    assert layout.line_rows(0) == (0, 5)


def test_a_line_that_grew_is_measured_again() -> None:
    photos = np.ones(6, np.float32)
    layout = JustifiedLayout(photos, 1000, 200, GAP, 0)
    layout.extend(3)
    layout.cell(2)
    layout.extend(6)
    assert layout.cell(4).x + layout.cell(4).width == 1000


def test_a_rectangle_does_not_find_adjacent_cells() -> None:
    layout = UniformLayout(5, 100, 50)
    layout.extend(5)
    assert layout.rows_in(100, 10, 199, 20) == [(1, 1)]
    assert layout.rows_in(100, 10, 200, 20) == [(1, 2)]


def test_whole_lines_below_each_other_are_one_run() -> None:
    layout = UniformLayout(5, 100, 50)
    layout.extend(15)
    assert layout.rows_in(0, 10, 499, 120) == [(0, 14)]
    assert layout.rows_in(0, 10, 150, 60) == [(0, 1), (5, 6)]
    assert layout.rows_in(0, 10, 350, 60) == [(0, 3), (5, 8)], "the row between them is not in the rectangle"


def test_a_band_divides_the_rows_and_belongs_to_none() -> None:
    photos = np.random.default_rng(1).uniform(0.5, 2, 100).astype(np.float32)
    upper, lower = justified(photos[:37]), justified(photos[37:])
    divided = DividedLayout(
        JustifiedLayout(photos[:37], 800, 140, GAP, 0), JustifiedLayout(photos[37:], 800, 140, GAP, 0), 37, 25
    )
    for count in (10, 40, 100):
        divided.extend(count)
        assert divided.laid == count
    assert divided.band_top == upper.height
    assert divided.height == upper.height + 25 + lower.height
    assert divided.cell(36) == upper.cell(36)
    below = lower.cell(0)
    assert divided.cell(37).y == upper.height + 25 + below.y
    assert divided.line_of(37) == divided.line_of(36) + 1
    for y in (upper.height, upper.height + 24):
        assert divided.row_at(100, y) == -1
    assert divided.rows_between(upper.height + 26, upper.height + 30) == lower_rows(lower)
    assert divided.rows_in(0, upper.height + 5, 800, upper.height + 30)[-1][1] >= 37


def lower_rows(lower: JustifiedLayout) -> tuple[int, int]:
    start, end = lower.line_rows(0)
    return start + 37, end + 36
