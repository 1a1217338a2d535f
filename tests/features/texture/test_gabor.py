# SPDX-License-Identifier: MIT
from __future__ import annotations

import cmath
import math

import numpy as np
import pytest
import scipy.fft
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.stats import skew
from skimage.filters import gabor as skimage_gabor

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.texture.gabor import Gabor, GaborStatistics
from focal_photos.features.texture.gabor_bank import HIGHEST, LOWEST, gabor_bank, pass_bands
from tests.features.pictures import scene


def responses(rgb: NDArray[np.uint8], **parameters: int) -> NDArray[np.float32]:
    descriptor = Gabor(**parameters)
    vector = descriptor.extract(WorkingImage.from_array(rgb))
    return vector.reshape(descriptor.scales, descriptor.orientations, descriptor.cells, descriptor.cells)


def grating(frequency: float, angle: float, side: int = 128) -> NDArray[np.uint8]:
    """Return a grey wave; `frequency` in cycles per pixel, rounded so that the wave is periodic."""
    y, x = np.mgrid[0:side, 0:side]
    u, v = (round(frequency * f(angle) * side) / side for f in (math.cos, math.sin))
    wave = 127.5 + 100 * np.cos(2 * np.pi * (u * x + v * y))
    return np.repeat(np.rint(wave).astype(np.uint8)[..., None], 3, axis=2)


def slow_responses(gray: list[list[float]], scales: int, orientations: int, cells: int) -> NDArray[np.float64]:
    """Return cell means of magnitudes by Fourier sums, in plain Python and double precision.

    Written from the equations of Manjunath and Ma, not from the code: a = (Uh / Ul) ** (1 / (S - 1)), and so on.
    """
    side = len(gray)
    mean = sum(map(sum, gray)) / side**2
    unit = [cmath.exp(-2j * math.pi * k / side) for k in range(side)]
    half = [[sum((v - mean) * unit[x * k % side] for x, v in enumerate(row)) for k in range(side)] for row in gray]
    spectrum = [[sum(half[y][k] * unit[y * m % side] for y in range(side)) for k in range(side)] for m in range(side)]
    a = (0.4 / 0.05) ** (1 / (scales - 1))
    result = np.zeros((scales, orientations, cells, cells))
    for s in range(scales):
        f = 0.05 * a**s
        sigma_u = (a - 1) * f / ((a + 1) * math.sqrt(2 * math.log(2)))
        c = 2 * math.log(2)
        sigma_v = math.tan(math.pi / (2 * orientations)) * (f - c * sigma_u**2 / f)
        sigma_v /= math.sqrt(c - c**2 * sigma_u**2 / f**2)
        for o in range(orientations):
            angle = math.pi * o / orientations
            filtered = [[0j] * side for _ in range(side)]
            for m in range(side):
                for k in range(side):
                    u, v = ((i if i < side / 2 else i - side) / side for i in (k, m))
                    along = u * math.cos(angle) + v * math.sin(angle) - f
                    across = v * math.cos(angle) - u * math.sin(angle)
                    gain = math.exp(-((along / sigma_u) ** 2 + (across / sigma_v) ** 2) / 2)
                    filtered[m][k] = 0j if m == k == 0 else spectrum[m][k] * gain
            rows = [[sum(r[k] * unit[-x * k % side] for k in range(side)) for x in range(side)] for r in filtered]
            for y in range(side):
                for x in range(side):
                    z = sum(rows[m][x] * unit[-y * m % side] for m in range(side)) / side**2
                    result[s, o, y * cells // side, x * cells // side] += abs(z) / (side // cells) ** 2
    return result


def test_agrees_with_the_fourier_sums() -> None:
    rgb = scene(16, 16)
    gray = (rgb.astype(np.float64) @ (0.299, 0.587, 0.114)).tolist()
    exact = slow_responses(gray, scales=4, orientations=3, cells=4)
    fast = responses(rgb, side=16, scales=4, orientations=3, cells=4)
    np.testing.assert_allclose(fast, exact, atol=1e-4)


def test_agrees_with_the_fourier_sums_if_the_spectrum_is_cropped() -> None:
    assert [len(scale.masks[0]) for scale in gabor_bank(32, scales=4, orientations=8, multiple=8)] == [8, 16, 16, 16]
    rgb = scene(32, 32)
    gray = (rgb.astype(np.float64) @ (0.299, 0.587, 0.114)).tolist()
    exact = slow_responses(gray, scales=4, orientations=8, cells=2)
    fast = responses(rgb, side=32, scales=4, orientations=8, cells=2)
    limit = 0.01 * exact.max(axis=(1, 2, 3), keepdims=True)
    assert (np.abs(fast - exact) <= limit).all()


def full_masks() -> NDArray[np.float32]:
    """Return the transfer functions of the bank over the whole spectrum, in the order of `scipy.fft.fft2`."""
    full = gabor_bank(128, multiple=128)  # 64 is not a multiple of 128: nothing is cropped
    assert all(scale.corners == ((0, 0),) * 8 for scale in full)
    return np.fft.ifftshift(np.concatenate([scale.masks for scale in full]), axes=(1, 2)).real


@pytest.mark.parametrize("seed", range(4))
def test_cropped_spectra_are_within_one_percent_of_the_full_ones(seed: int) -> None:
    rgb = scene(128, 128, seed)
    gray = WorkingImage.from_array(rgb).gray.astype(np.float64)
    spectrum = scipy.fft.fft2(gray - gray.mean())
    magnitudes = np.abs(scipy.fft.ifft2(spectrum * full_masks())).reshape(5, 8, 8, 16, 8, 16).mean((3, 5))
    limit = 0.01 * magnitudes.max(axis=(1, 2, 3), keepdims=True)
    assert (np.abs(responses(rgb) - magnitudes) <= limit).all()
    assert [len(scale.masks[0]) for scale in gabor_bank(128, multiple=32)] == [32, 32, 64, 64, 64]


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize("orientation", [0, 1, 5])
def test_agrees_with_scikit_image(scale: int, orientation: int) -> None:
    rgb = scene(128, 128)
    gray = WorkingImage.from_array(rgb).gray.astype(np.float64)
    frequencies, along, across = pass_bands(5, 8)
    real, imaginary = skimage_gabor(  # type: ignore[no-untyped-call]
        gray - gray.mean(),
        frequencies[scale],
        theta=orientation * np.pi / 8,
        sigma_x=1 / (2 * np.pi * along[scale]),
        sigma_y=1 / (2 * np.pi * across[scale]),
        n_stds=4,
        mode="wrap",
    )
    expected = np.hypot(real, imaginary).reshape(8, 16, 8, 16).mean((1, 3))
    found = responses(rgb)[scale, orientation]
    np.testing.assert_allclose(found, expected, atol=0.02 * expected.max())


@pytest.mark.parametrize("scale", range(5))
@pytest.mark.parametrize("orientation", [0, 2, 4, 7])
def test_a_wave_responds_in_its_own_scale_and_direction(scale: int, orientation: int) -> None:
    frequency = pass_bands(5, 8)[0][scale]
    found = responses(grating(frequency, orientation * np.pi / 8)).mean((2, 3))
    assert np.unravel_index(found.argmax(), found.shape) == (scale, orientation)
    assert found.max() == pytest.approx(50, rel=0.12)  # half the amplitude, as one of two frequencies


def test_texture_is_found_at_its_position() -> None:
    rgb = np.full((128, 128, 3), 128, np.uint8)
    rgb[:64, 64:] = grating(0.24, 0.0)[:64, 64:]
    found = responses(rgb)[3, 0]
    assert found[:4, 4:].mean() > 10 * found[4:, :4].mean()


def test_a_flat_image_is_nearly_zero_everywhere() -> None:
    assert responses(np.full((50, 80, 3), 200, np.uint8)).max() < 1e-3


@given(arrays(np.uint8, st.tuples(st.integers(1, 40), st.integers(1, 40), st.just(3))))
def test_values_are_not_negative_and_bounded(rgb: NDArray[np.uint8]) -> None:
    found = responses(rgb)
    assert found.min() >= 0
    assert found.max() <= 255 * 8  # the absolute sum of the kernel is below 8


@given(st.integers(0, 100), st.integers(1, 2))
def test_brightness_does_not_matter_and_contrast_scales(offset: int, gain: int) -> None:
    rgb = scene(64, 64) // 4
    base, other = responses(rgb), responses((rgb * gain + offset).astype(np.uint8))
    np.testing.assert_allclose(other, gain * base, atol=2e-3 * gain * base.max())


def test_the_bank_has_no_response_to_frequency_zero_and_touches_at_half_peak() -> None:
    masks = full_masks()
    assert (masks[:, 0, 0] == 0).all()
    assert masks.max() <= 1
    frequencies, along, across = pass_bands(5, 8)
    assert frequencies[0] == pytest.approx(LOWEST)
    assert frequencies[-1] == pytest.approx(HIGHEST)
    reach = math.sqrt(2 * math.log(2))  # where a Gaussian has fallen to one half
    np.testing.assert_allclose(frequencies[:-1] + reach * along[:-1], frequencies[1:] - reach * along[1:])
    # The line between two directions touches the half-peak ellipse: its distance is that of a tangent.
    angle = math.pi / 16
    reached = np.hypot(reach * along * math.sin(angle), reach * across * math.cos(angle))
    np.testing.assert_allclose(reached, frequencies * math.sin(angle))


@pytest.mark.parametrize(("cells", "sides"), [(2, [16, 32, 32]), (8, [32, 32, 32])])
def test_wide_pass_bands_are_not_cropped(cells: int, sides: list[int]) -> None:
    assert [len(scale.masks[0]) for scale in gabor_bank(32, scales=3, orientations=2, multiple=4 * cells)] == sides
    rgb = scene(32, 32)
    exact = slow_responses((rgb.astype(np.float64) @ (0.299, 0.587, 0.114)).tolist(), 3, 2, cells)
    found = responses(rgb, side=32, scales=3, orientations=2, cells=cells)
    wide = np.array(sides) == 32
    np.testing.assert_allclose(found[wide], exact[wide], atol=2e-4)
    np.testing.assert_allclose(found[~wide], exact[~wide], atol=0.002 * exact.max())


def test_a_single_scale_and_direction_work() -> None:
    assert np.isfinite(responses(scene(), scales=1, orientations=1)).all()


@pytest.mark.parametrize("parameters", [{"cells": 7}, {"side": 0}, {"scales": 0}, {"orientations": -1}])
def test_bad_parameters_are_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must"):
        Gabor(**parameters)


# ---------------------------------------------------------------------- statistics of the responses
def statistics(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    return GaborStatistics().extract(WorkingImage.from_array(np.ascontiguousarray(rgb))).reshape(5, 8, 3)


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_statistics_of_every_pixel_in_double_precision(seed: int) -> None:
    rgb = scene(128, 128, seed)
    gray = rgb.astype(np.float64) @ (0.299, 0.587, 0.114)
    exact = np.abs(scipy.fft.ifft2(scipy.fft.fft2(gray - gray.mean()) * full_masks())).reshape(40, -1)
    deviation = exact.std(axis=1)
    expected = np.stack([exact.mean(axis=1), deviation, np.cbrt(skew(exact, axis=1)) * deviation], axis=1)
    limit = 0.02 * expected[:, :1].reshape(5, 8, 1).max(axis=(1, 2), keepdims=True)
    assert (np.abs(statistics(rgb) - expected.reshape(5, 8, 3)) <= limit).all()


def test_means_equal_those_of_the_cells_of_gabor() -> None:
    image = WorkingImage.from_array(scene(200, 150))
    cells = Gabor().extract(image).reshape(5, 8, 64)
    found = GaborStatistics().extract(image).reshape(5, 8, 3)
    np.testing.assert_allclose(found[..., 0], cells.mean(axis=2), rtol=1e-4)
    assert (found[..., 1] >= cells.std(axis=2) * (1 - 1e-4)).all()  # cells are means, which vary less


def test_responses_are_computed_once_for_both_descriptors_in_any_order() -> None:
    image, other = (WorkingImage.from_array(scene()) for _ in range(2))
    assert Gabor().magnitudes(image) is Gabor().magnitudes(image)
    gabor, statistic = Gabor().extract(image), GaborStatistics().extract(image)
    np.testing.assert_array_equal(GaborStatistics().extract(other), statistic)
    np.testing.assert_array_equal(Gabor().extract(other), gabor)


@given(arrays(np.uint8, st.tuples(st.integers(1, 30), st.integers(1, 30), st.just(3))))
def test_moments_are_bounded(rgb: NDArray[np.uint8]) -> None:
    mean, deviation, third = np.moveaxis(statistics(rgb), -1, 0)
    assert mean.min() >= 0
    assert deviation.min() >= 0
    # |E d^3| <= max |d| E d^2, and no magnitude is above 255 times the absolute kernel sum of 8.
    assert (np.abs(third) ** 3 <= 255 * 8 * deviation**2 + 1e-3).all()


@given(st.integers(0, 100), st.integers(1, 2))
def test_statistics_scale_with_contrast_and_ignore_brightness(offset: int, gain: int) -> None:
    rgb = scene(64, 64) // 4
    base, other = statistics(rgb), statistics((rgb * gain + offset).astype(np.uint8))
    np.testing.assert_allclose(other, gain * base, atol=5e-3 * gain * base.max())


@pytest.mark.parametrize("level", [0, 127, 255])
def test_a_plain_image_has_no_texture_statistics(level: int) -> None:
    np.testing.assert_allclose(statistics(np.full((30, 40, 3), level, np.uint8)), 0, atol=1e-3)


def test_the_bank_is_part_of_the_key_and_determines_the_dimension() -> None:
    other = GaborStatistics(Gabor(scales=3, orientations=4))
    assert other.dimension == 36
    assert other.key != GaborStatistics().key
    assert other.extract(WorkingImage.from_array(scene())).shape == (36,)
