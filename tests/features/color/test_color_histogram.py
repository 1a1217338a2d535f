# SPDX-License-Identifier: MIT
from __future__ import annotations

import colorsys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from focal_photos.features.color.color_histogram import ColorHistogram, hsv_moments
from focal_photos.features.decoding.image import WorkingImage
from tests.features.pictures import scene

pixels = arrays(np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 12), st.just(3)))


def vector(rgb: NDArray[np.uint8], **steps: int) -> NDArray[np.float32]:
    return ColorHistogram(**steps).extract(WorkingImage.from_array(np.ascontiguousarray(rgb)))


def plain(*rgb: int) -> NDArray[np.uint8]:
    return np.full((5, 7, 3), rgb, np.uint8)


def slow_vector(hsv: list[tuple[float, float, float]]) -> list[float]:
    """Return the 81 values for hue, saturation and value in 0..1, pixel by pixel in plain Python."""
    bins = [0.0] * 72
    for h, s, v in hsv:
        bins[(int(h * 8) % 8 * 3 + min(int(s * 3), 2)) * 3 + min(int(v * 3), 2)] += 1 / len(hsv)
    moments = []
    for channel in range(3):
        values = [pixel[channel] for pixel in hsv]
        weights = [1.0] * len(hsv)
        if channel == 0:
            values, weights = [(h - 213 / 256) % 1 for h in values], [pixel[1] for pixel in hsv]
        total = sum(weights)
        if total == 0:
            moments += [0.0, 0.0, 0.0]
            continue
        mean = sum(w * x for w, x in zip(weights, values, strict=True)) / total
        second, third = (sum(w * (x - mean) ** k for w, x in zip(weights, values, strict=True)) / total for k in (2, 3))
        moments += [mean, second**0.5, abs(third) ** (1 / 3) * (1 if third > 0 else -1)]
    return bins + moments


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_the_definition_over_the_same_levels(seed: int) -> None:
    image = WorkingImage.from_array(scene(40, 30, seed))
    # Bins treat a level of 256 like a real number of 0..1, but saturation and value are moments of level / 255.
    levels = image.hsv.reshape(-1, 3).tolist()
    expected = slow_vector([(h / 256, s / 256, v / 256) for h, s, v in levels])[:72]
    expected += slow_vector([(h / 256, s / 255, v / 255) for h, s, v in levels])[72:]
    np.testing.assert_allclose(ColorHistogram().extract(image), expected, atol=2e-6)


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_exact_arithmetic_except_at_the_edges_of_bins(seed: int) -> None:
    rgb = scene(60, 40, seed)
    exact = slow_vector([colorsys.rgb_to_hsv(*(pixel / 255)) for pixel in rgb.reshape(-1, 3).astype(float)])
    found = vector(rgb)
    assert np.abs(found[:72] - exact[:72]).sum() < 0.04
    np.testing.assert_allclose(found[72:], exact[72:], atol=0.01)


@pytest.mark.parametrize(
    ("rgb", "place", "hue"),
    [
        ((255, 0, 0), (0, 2, 2), 1 / 6),
        ((0, 255, 0), (2, 2, 2), 1 / 2),
        ((0, 0, 255), (5, 2, 2), 5 / 6),
        ((0, 0, 0), (0, 0, 0), 0),
        ((255, 255, 255), (0, 0, 2), 0),
    ],
)
def test_plain_colours_fall_into_their_bins(rgb: tuple[int, int, int], place: tuple[int, int, int], hue: float) -> None:
    found = vector(plain(*rgb))
    bins = found[:72].reshape(8, 3, 3)
    assert bins[place] == 1
    assert np.count_nonzero(bins) == 1
    assert found[72] == pytest.approx(hue, abs=0.003)
    np.testing.assert_allclose(found[[73, 74, 76, 77, 79, 80]], 0, atol=1e-6)


def test_reds_on_both_sides_of_hue_zero_are_one_colour() -> None:
    orange, crimson = vector(plain(255, 12, 0)), vector(plain(255, 0, 12))
    assert abs(orange[72] - crimson[72]) < 0.03
    both = vector(np.concatenate([plain(255, 12, 0), plain(255, 0, 12)]))
    assert both[73] < 0.02


def test_grey_pixels_do_not_affect_the_hue() -> None:
    blue = plain(20, 40, 200)
    with_grey = np.concatenate([blue, plain(90, 90, 90), plain(0, 0, 0)])
    np.testing.assert_allclose(vector(with_grey)[72:75], vector(blue)[72:75], atol=1e-6)


@given(pixels, st.randoms(use_true_random=False))
def test_the_positions_of_pixels_do_not_matter(rgb: NDArray[np.uint8], random: object) -> None:
    flat = rgb.reshape(-1, 3)
    order = np.random.default_rng(len(flat)).permutation(len(flat))
    np.testing.assert_array_equal(vector(flat[order].reshape(rgb.shape)), vector(rgb))
    np.testing.assert_array_equal(vector(rgb[:, ::-1]), vector(rgb))
    np.testing.assert_array_equal(vector(np.repeat(rgb, 2, axis=0)), vector(rgb))


@given(pixels, st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_shares_sum_to_one_and_moments_are_bounded(rgb: NDArray[np.uint8], h: int, s: int, v: int) -> None:
    found = vector(rgb, hues=h, saturations=s, values=v)
    assert found.shape == (h * s * v + 9,)
    assert found[:-9].min() >= 0
    assert found[:-9].sum() == pytest.approx(1, abs=1e-5)
    assert np.abs(found[-9:]).max() <= 1


@given(pixels)
def test_a_coarser_histogram_is_the_sum_of_a_finer_one(rgb: NDArray[np.uint8]) -> None:
    fine, coarse = vector(rgb, hues=16, saturations=4, values=6)[:-9], vector(rgb, hues=8, saturations=2, values=3)[:-9]
    np.testing.assert_allclose(fine.reshape(8, 2, 2, 2, 3, 2).sum((1, 3, 5)).ravel(), coarse, atol=1e-6)


def test_moments_are_computed_once_and_are_the_last_values() -> None:
    image = WorkingImage.from_array(scene())
    np.testing.assert_array_equal(ColorHistogram().extract(image)[72:], hsv_moments(image))
    assert hsv_moments(image) is hsv_moments(image)


@pytest.mark.parametrize("steps", [{"hues": 0}, {"saturations": 257}, {"values": -3}])
def test_bad_parameters_are_refused(steps: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"must be 1\.\.256"):
        ColorHistogram(**steps)
