# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest

from focal_photos.browser.models.map.orientation import FRAME, Orientation

RIGHT, DOWN, NEAR = np.array([[0.5, 0, 0], [0, 0.5, 0], [0, 0, -0.5]], np.float32)


def projected(orientation: Orientation, point: np.ndarray) -> tuple[float, float, float]:
    (place,), (nearness,) = orientation.projected(point[None])
    return float(place[0]), float(place[1]), float(nearness)


def test_points_are_seen_from_the_front_at_first() -> None:
    assert projected(Orientation(), RIGHT) == (0.5, 0, 0)
    assert projected(Orientation(), DOWN) == (0, 0.5, 0)
    assert projected(Orientation(), NEAR) == (0, 0, 0.5)


def test_the_near_side_follows_the_turn() -> None:
    quarter = math.pi / 2
    assert projected(Orientation().rotated(quarter, 0), NEAR) == pytest.approx((0.5, 0, 0), abs=1e-6)
    assert projected(Orientation().rotated(0, quarter), NEAR) == pytest.approx((0, 0.5, 0), abs=1e-6)
    assert projected(Orientation().rotated(quarter, 0), DOWN) == pytest.approx((0, 0.5, 0), abs=1e-6)
    # turns are about the axes of the screen, not about those of the points
    assert projected(Orientation().rotated(quarter, 0).rotated(0, quarter), NEAR) == pytest.approx(
        (0.5, 0, 0), abs=1e-6
    )


def test_many_turns_keep_distances_and_stay_in_the_frame() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(50, 3))
    points = (points / (2 * np.linalg.norm(points, axis=1, keepdims=True))).astype(np.float32)
    orientation = Orientation()
    for right, down in rng.uniform(-1, 1, (2000, 2)).tolist():
        orientation = orientation.rotated(right, down)
    places, nearness = orientation.projected(points)
    np.testing.assert_allclose(np.square(places).sum(axis=1) + np.square(nearness), 0.25, rtol=1e-4)
    assert (np.abs(places) <= FRAME.right() + 1e-4).all()
