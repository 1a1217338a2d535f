# SPDX-License-Identifier: MIT
"""The drawing functions behind the demo album."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from focal_photos.resources.demo_album import KINDS
from focal_photos.resources.scenes.canvas import (
    Sketch,
    add_light,
    below,
    blur,
    color,
    curve,
    disc,
    glow,
    gradient,
    mix,
    noise,
    plane,
    polygon,
    profile,
    rotated,
    smoothstep,
    strokes,
)
from focal_photos.resources.scenes.picture import Picture

SHAPE = (40, 60)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_scene_is_finished_and_reproducible(kind: str) -> None:
    draw: Callable[[np.random.Generator], Picture] = KINDS[kind]
    for seed in range(3):
        one, other = draw(np.random.default_rng(seed)), draw(np.random.default_rng(seed))
        assert one.pixels.dtype == np.uint8
        assert one.pixels.ndim == 3
        assert max(one.pixels.shape) <= 480
        np.testing.assert_array_equal(one.pixels, other.pixels)
        assert one.tags == other.tags
        assert kind in one.tags


def test_colours_are_parsed_from_hex_codes() -> None:
    np.testing.assert_allclose(color("ff8000"), [1, 128 / 255, 0])


def test_mix_is_a_weighted_mean_and_does_not_change_its_input() -> None:
    under = np.full((*SHAPE, 3), 0.2, np.float32)
    mask = np.zeros(SHAPE, np.float32)
    mask[10:20, 30:50] = 0.5
    mixed = mix(under, color("ffffff"), mask)
    np.testing.assert_allclose(mixed[15, 40], 0.6, atol=1e-6)
    np.testing.assert_array_equal(np.delete(mixed, np.s_[10:20], axis=0), under[:30])
    assert under.max() == np.float32(0.2)
    image = np.ones((*SHAPE, 3), np.float32)
    np.testing.assert_array_equal(mix(under, image, mask), mixed)
    np.testing.assert_allclose(mix(under, image, 0.25), 0.4, atol=1e-6)


def test_light_only_brightens_and_stays_in_range() -> None:
    under = np.linspace(0, 1, 40 * 60 * 3, dtype=np.float32).reshape(*SHAPE, 3)
    lit = add_light(under, color("ffcc88"), np.ones(SHAPE, np.float32))
    assert (lit >= under).all()
    assert lit.max() <= 1
    np.testing.assert_allclose(add_light(under, color("000000"), np.ones(SHAPE, np.float32)), under, atol=1e-6)


def test_masks_have_the_area_of_their_shapes() -> None:
    square = polygon(SHAPE, [(10.5, 10.5), (30.5, 10.5), (30.5, 30.5), (10.5, 30.5)])
    assert square.sum() == pytest.approx(400, rel=0.16)  # OpenCV counts the border as inside
    assert disc(SHAPE, 30, 20, 12, 8).sum() == pytest.approx(np.pi * 96, rel=0.16)
    line = [(5, 20), (55, 20)]
    faint, thin, thick = (strokes(SHAPE, [line], width) for width in (0.3, 1.0, 7.0))
    assert 0 < faint.sum() < thin.sum() < thick.sum()
    assert 7 * 50 <= thick.sum() <= 9 * 60  # including the round ends
    np.testing.assert_allclose(below(SHAPE, np.full(60, 25.0))[[20, 30], 7], [0, 1])
    outside = polygon(SHAPE, [(100, 100), (120, 100), (110, 130)])
    assert outside.sum() == 0


def test_noise_is_standardised_and_seeded() -> None:
    for field in (noise(np.random.default_rng(1), SHAPE, 9, stretch=2), profile(np.random.default_rng(1), 200, 40)):
        assert field.mean() == pytest.approx(0, abs=1e-4)
        assert field.std() == pytest.approx(1, abs=1e-3)
    again = noise(np.random.default_rng(1), SHAPE, 9, stretch=2)
    np.testing.assert_array_equal(again, noise(np.random.default_rng(1), SHAPE, 9, stretch=2))


def test_a_plane_fades_at_its_horizon() -> None:
    field = np.abs(plane(np.random.default_rng(0), (200, 100), 100.0, 12))
    assert field[99:102].max() < 0.1
    assert field[180:].mean() > 0.3
    assert np.isfinite(field).all()


def test_light_spots_and_curves_have_the_right_shape() -> None:
    spot = glow(SHAPE, 20, 10, 5)
    assert divmod(int(spot.argmax()), SHAPE[1]) == (10, 20)
    assert spot[39, 59] == 0
    line = curve((0, 0), (5, 10), (10, 0), points=11)
    np.testing.assert_allclose(line[[0, 5, 10]], [(0, 0), (5, 5), (10, 0)])
    np.testing.assert_allclose(rotated([(1, 0)], np.pi / 2), [(0, 1)], atol=1e-12)  # clockwise: y points down
    assert smoothstep(0.5, 0, 1) == 0.5
    assert smoothstep(np.array([0.0, 2.0]), 1, 0).tolist() == [1, 0]


@pytest.mark.parametrize("sigma", [0, 2, 8, 15])
def test_blur_keeps_the_mean_of_a_smooth_field(sigma: float) -> None:
    field = gradient((120, 160), [(0, color("000000")), (1, color("ffffff"))])
    assert blur(field, sigma).shape == field.shape
    assert blur(field, sigma).mean() == pytest.approx(field.mean(), abs=0.01)


def test_a_sketch_leaves_the_rest_unchanged() -> None:
    scene = np.full((*SHAPE, 3), 0.3333, np.float32)
    sketch = Sketch(scene)
    sketch.fill(color("ff0000"), [(10, 10), (20, 10), (20, 20), (10, 20)])
    drawn = sketch.done()
    np.testing.assert_allclose(drawn[15, 15], [1, 0, 0], atol=1e-6)
    np.testing.assert_array_equal(drawn[30:], scene[30:])
    assert scene.max() == np.float32(0.3333)
