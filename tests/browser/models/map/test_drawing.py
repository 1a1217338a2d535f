# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter, QPolygonF, Qt

from focal_photos.browser.models.map.drawing import SMALLEST_TILE, MapDrawing, Viewport, whole_of

VIEW = Viewport(-0.5, -0.5, 400.0, 400, 400)


def drawing(n: int = 200, listed: np.ndarray | None = None) -> MapDrawing:
    rng = np.random.default_rng(0)
    places = rng.uniform(-0.5, 0.5, (n, 2)).astype(np.float32)
    return MapDrawing.of(np.arange(10, 10 + n), places, rng.uniform(size=n).astype(np.float32), listed)


def test_each_cell_shows_one_photo_and_all_are_counted() -> None:
    drawn = drawing()
    tiles = drawn.tiles(VIEW)
    side = tiles[0].rect.width()
    assert SMALLEST_TILE <= side < 2 * SMALLEST_TILE
    assert sum(tile.count for tile in tiles) == 200
    assert len({(tile.rect.x(), tile.rect.y()) for tile in tiles}) == len(tiles)
    for tile in tiles:
        assert drawn.ids[tile.row] == tile.photo_id
        x, y = drawn.places[tile.row].tolist()
        assert tile.rect.contains(VIEW.to_screen(x, y))
    middle = QPointF(200, 200)
    far = [(tile.rect.center() - middle).manhattanLength() for tile in (tiles[0], tiles[-1])]
    assert far[0] < far[1]


def test_a_zoomed_map_shows_each_photo_once_and_none_outside() -> None:
    drawn = drawing(20)
    near = VIEW.zoomed(64, QPointF(200, 200))
    found: dict[int, int] = {}
    step = near.width / near.scale
    for column in range(-33, 33):
        for row in range(-33, 33):
            view = Viewport(column * step, row * step, near.scale, near.width, near.height)
            tiles = drawn.tiles(view)
            assert all(tile.rect.intersects(QRectF(0, 0, 400, 400)) for tile in tiles)
            found.update({tile.photo_id: tile.count for tile in tiles})
    assert found == dict.fromkeys(range(10, 30), 1)


def test_a_view_without_extent_is_drawn_as_one_pixel() -> None:
    image = drawing(20).marks(Viewport(-0.5, -0.5, 400.0, 0, 0), 1.0, [10], 0xFFFF0000)
    assert (image.width(), image.height()) == (1, 1)


@given(st.floats(0.1, 10), st.floats(0, 400), st.floats(0, 400))
def test_zooming_keeps_the_point_under_the_pointer(factor: float, x: float, y: float) -> None:
    about = QPointF(x, y)
    before, after = VIEW.to_map(about), VIEW.zoomed(factor, about).to_map(about)
    assert after == pytest.approx(before, abs=1e-9)
    there = VIEW.to_screen(*before)
    assert (there.x(), there.y()) == pytest.approx((x, y), abs=1e-6)


def test_moving_moves_the_content() -> None:
    at = VIEW.to_screen(0.1, 0.2)
    moved = VIEW.moved(30, -10).to_screen(0.1, 0.2)
    assert (moved.x() - at.x(), moved.y() - at.y()) == pytest.approx((30, -10))


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_dots_have_the_colours_of_their_photos(ratio: float) -> None:
    places = np.array([[-0.25, -0.25], [0.25, 0.25], [0.25, -0.25]], np.float32)
    drawn = MapDrawing.of(np.array([1, 2, 3]), places, np.zeros(3, np.float32), np.array([1, 2]))
    image = drawn.dots(VIEW, ratio, np.array([0, 1, 1], np.int8), [0xFF112233, 0xFF445566], 0x80FFFFFF)
    assert (image.width(), image.height()) == (400 * ratio, 400 * ratio)
    assert image.devicePixelRatio() == ratio

    def pixel(x: float, y: float) -> int:
        return image.pixel(round(x * ratio), round(y * ratio))

    assert pixel(100, 100) == 0xFF112233
    assert pixel(300, 300) == 0xFF445566
    assert pixel(300, 100) == 0x80FFFFFF  # does not match the filter
    assert pixel(200, 200) == 0


def test_dots_at_the_edges_are_cut_and_those_outside_skipped() -> None:
    places = np.array([[-0.5, -0.5], [0.4999, 0.4999], [3, 3], [-3, 0]], np.float32)
    drawn = MapDrawing.of(np.arange(4), places, np.zeros(4, np.float32))
    image = drawn.dots(VIEW, 1.0, np.zeros(4, np.int8), [0xFFFFFFFF], 0)
    lit = [(x, y) for x in range(400) for y in range(400) if image.pixel(x, y)]
    assert (0, 0) in lit
    assert (399, 399) in lit
    assert all((x < 3 and y < 3) or (x > 396 and y > 396) for x, y in lit)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_only_requested_photos_are_marked(ratio: float) -> None:
    places = np.array([[-0.25, -0.25], [0.25, 0.25], [0.4999, -0.5], [3, 3]], np.float32)
    drawn = MapDrawing.of(np.array([1, 2, 3, 4]), places, np.zeros(4, np.float32))
    image = drawn.marks(VIEW, ratio, [1, 3, 4], 0xFF112233)
    assert (image.width(), image.height(), image.devicePixelRatio()) == (400 * ratio, 400 * ratio, ratio)
    assert image.pixel(round(100 * ratio), round(100 * ratio)) == 0xFF112233
    assert image.pixel(round(300 * ratio), round(300 * ratio)) == 0
    assert image.pixel(round(400 * ratio) - 1, 0) == 0xFF112233  # at the edge
    lit = sum(image.pixel(x, y) != 0 for x in range(image.width()) for y in range(image.height() // 2))
    assert lit < 2 * (5 * ratio) ** 2


@given(
    st.lists(st.tuples(st.floats(-0.125, 1.125, width=32), st.floats(-0.125, 1.125, width=32)), max_size=12),
    st.sampled_from([0.8, 1.0, 1.5, 2.0]),
)
def test_marks_are_squares_around_their_photos_cut_at_the_edges(
    points: list[tuple[float, float]], ratio: float
) -> None:
    view = Viewport(0, 0, 50, 50, 30)
    places = np.array(points, np.float32).reshape(-1, 2)
    drawing = MapDrawing.of(np.arange(len(points)), places, np.ones(len(points), np.float32))
    image = drawing.marks(view, ratio, range(len(points)), 0xFF112233)
    side = max(4, round(5 * ratio))
    expected = np.zeros((image.height(), image.width()), bool)
    for x, y in np.round(places.astype(np.float64) * (50 * ratio) - side / 2).astype(int):
        expected[max(y, 0) : max(y + side, 0), max(x, 0) : max(x + side, 0)] = True
    found = [[image.pixel(x, y) == 0xFF112233 for x in range(image.width())] for y in range(image.height())]
    assert np.array_equal(found, expected)


def test_a_lasso_selects_the_visible_photos_in_it() -> None:
    drawn = drawing(200, np.arange(10, 150))
    mask = QImage(400, 400, QImage.Format.Format_Grayscale8)
    mask.fill(0)
    painter = QPainter(mask)
    painter.setBrush(Qt.GlobalColor.white)
    painter.drawPolygon(QPolygonF([QPointF(0, 0), QPointF(200, 0), QPointF(200, 400), QPointF(0, 400)]))
    painter.end()
    found = drawn.within(VIEW, mask)
    side = drawn.tiles(VIEW)[0].rect.width() / VIEW.scale
    expected = [
        photo_id
        for photo_id, (x, _) in zip(drawn.ids.tolist(), drawn.places.tolist(), strict=True)
        if photo_id < 150 and (np.floor(x / side) + 0.5) * side < 0
    ]
    assert found == expected
    shown = {tile.photo_id for tile in drawn.tiles(VIEW) if tile.rect.center().x() < 200}
    assert shown <= set(found)
    mask.fill(0)
    assert drawn.within(VIEW, mask) == []


def test_a_click_finds_the_nearest_dot_within_reach() -> None:
    drawn = drawing(50, np.arange(11, 60))
    x, y = drawn.places[7].tolist()
    at = VIEW.to_screen(x, y)
    assert drawn.nearest(VIEW, at, 2) == 17
    x, y = drawn.places[0].tolist()
    assert drawn.nearest(VIEW, VIEW.to_screen(x, y), 1e-3) is None  # does not match the filter
    assert drawn.place_of(17) == pytest.approx(tuple(drawn.places[7].tolist()))
    assert drawn.place_of(5) is None


def test_the_bounds_contain_the_shown_photos() -> None:
    drawn = drawing(50, np.array([17]))
    x, y = drawn.places[7].tolist()
    assert drawn.bounds() == QRectF(x, y, 0, 0)
    nothing = MapDrawing.of(np.empty(0, np.int64), np.empty((0, 2), np.float32), np.empty(0, np.float32))
    assert nothing.bounds() == QRectF(-0.5, -0.5, 1, 1)
    assert nothing.tiles(VIEW) == []
    assert nothing.nearest(VIEW, QPointF(0, 0), 100) is None


@given(st.integers(150, 2500), st.integers(150, 2500), st.integers(0, 9))
def test_the_whole_map_shows_all_tiles(width: int, height: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = (rng.uniform(-0.5, 0.5, (40, 2)) * (1, rng.uniform())).astype(np.float32)
    drawn = MapDrawing.of(np.arange(40), places, np.zeros(40, np.float32))
    tiles = drawn.tiles(whole_of(drawn.bounds(), width, height))
    assert sum(tile.count for tile in tiles) == 40
    if min(width, height) > 4 * SMALLEST_TILE:
        seen = QRectF(0, 0, width, height)
        assert all(seen.contains(tile.rect) for tile in tiles)
