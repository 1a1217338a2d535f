from __future__ import annotations

import numpy as np
import pytest
import scipy.fft
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.stats import skew

from features.decoding.image import WorkingImage
from features.texture.filters import gabor_bank
from features.texture.gabor import Gabor
from features.texture.gabor_statistics import GaborStatistics
from tests.features.pictures import scene


def statistics(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    return GaborStatistics().extract(WorkingImage.from_array(np.ascontiguousarray(rgb))).reshape(5, 8, 3)


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_statistics_of_every_pixel_in_double_precision(seed: int) -> None:
    rgb = scene(128, 128, seed)
    gray = rgb.astype(np.float64) @ (0.299, 0.587, 0.114)
    (full,) = gabor_bank(128, multiple=128)  # nothing is cropped, so that all scales are seen at every pixel
    exact = np.abs(scipy.fft.ifft2(scipy.fft.fft2(gray - gray.mean()) * full.masks)).reshape(40, -1)
    deviation = exact.std(axis=1)
    expected = np.stack([exact.mean(axis=1), deviation, np.cbrt(skew(exact, axis=1)) * deviation], axis=1)
    limit = 0.02 * expected[:, :1].reshape(5, 8, 1).max(axis=(1, 2), keepdims=True)
    assert (np.abs(statistics(rgb) - expected.reshape(5, 8, 3)) <= limit).all()


def test_means_are_those_of_the_cells_of_gabor() -> None:
    image = WorkingImage.from_array(scene(200, 150))
    cells = Gabor().extract(image).reshape(5, 8, 64)
    found = GaborStatistics().extract(image).reshape(5, 8, 3)
    np.testing.assert_allclose(found[..., 0], cells.mean(axis=2), rtol=1e-4)
    assert (found[..., 1] >= cells.std(axis=2) * (1 - 1e-4)).all()  # cells are means, which vary less


def test_responses_are_computed_once_for_both_and_either_order() -> None:
    image, other = (WorkingImage.from_array(scene()) for _ in range(2))
    assert Gabor().magnitudes(image)[0] is Gabor().magnitudes(image)[0]
    gabor, statistic = Gabor().extract(image), GaborStatistics().extract(image)
    np.testing.assert_array_equal(GaborStatistics().extract(other), statistic)
    np.testing.assert_array_equal(Gabor().extract(other), gabor)


@given(arrays(np.uint8, st.tuples(st.integers(1, 30), st.integers(1, 30), st.just(3))))
def test_moments_keep_their_bounds(rgb: NDArray[np.uint8]) -> None:
    mean, deviation, third = np.moveaxis(statistics(rgb), -1, 0)
    assert mean.min() >= 0
    assert deviation.min() >= 0
    # |E d^3| <= max |d| E d^2, and no magnitude is above 255 times the kernel's absolute sum of 8.
    assert (np.abs(third) ** 3 <= 255 * 8 * deviation**2 + 1e-3).all()


@given(st.integers(0, 100), st.integers(1, 2))
def test_brightness_does_not_matter_and_contrast_scales(offset: int, gain: int) -> None:
    rgb = scene(64, 64) // 4
    base, other = statistics(rgb), statistics((rgb * gain + offset).astype(np.uint8))
    np.testing.assert_allclose(other, gain * base, atol=5e-3 * gain * base.max())


@pytest.mark.parametrize("level", [0, 127, 255])
def test_a_plain_image_has_no_texture(level: int) -> None:
    np.testing.assert_allclose(statistics(np.full((30, 40, 3), level, np.uint8)), 0, atol=1e-3)


def test_the_bank_belongs_to_the_key_and_sets_the_dimension() -> None:
    other = GaborStatistics(Gabor(scales=3, orientations=4))
    assert other.dimension == 36
    assert other.key != GaborStatistics().key
    assert other.extract(WorkingImage.from_array(scene())).shape == (36,)
