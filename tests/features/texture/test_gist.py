# SPDX-License-Identifier: MIT
from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import pytest
import scipy.fft
import scipy.ndimage
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.texture.gist import Gist, normalised
from tests.features.pictures import scene


def energies(rgb: NDArray[np.uint8], **parameters: int) -> NDArray[np.float32]:
    descriptor = Gist(**parameters)
    found = descriptor.extract(WorkingImage.from_array(np.ascontiguousarray(rgb)))
    return found.reshape(descriptor.scales, descriptor.orientations, descriptor.cells, descriptor.cells)


def grey(levels: NDArray[Any]) -> NDArray[np.uint8]:
    return np.repeat(np.rint(levels).astype(np.uint8)[..., None], 3, axis=2)


def slow_energies(gray: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the vector at full resolution and double precision, filter by filter from the equations."""
    side = len(gray)
    logarithm = np.log(gray + 1)
    detail = logarithm - scipy.ndimage.gaussian_filter(logarithm, 6 * side / 128, mode="reflect", truncate=5)
    local = np.sqrt(scipy.ndimage.gaussian_filter(detail**2, 6 * side / 128, mode="reflect", truncate=5))
    spectrum = np.fft.fft2(detail / (0.2 + local))
    u, v = np.meshgrid(np.fft.fftfreq(side), np.fft.fftfreq(side))
    result = np.zeros((4, 8, 4, 4))
    for s in range(4):
        f = 0.05 * 2**s
        sigma_u = f / (3 * math.sqrt(2 * math.log(2)))
        c = 2 * math.log(2)
        sigma_v = math.tan(math.pi / 16) * (f - c * sigma_u**2 / f) / math.sqrt(c - (c * sigma_u / f) ** 2)
        for o in range(8):
            along = u * math.cos(o * math.pi / 8) + v * math.sin(o * math.pi / 8)
            across = v * math.cos(o * math.pi / 8) - u * math.sin(o * math.pi / 8)
            gain = np.exp(-(((along - f) / sigma_u) ** 2 + (across / sigma_v) ** 2) / 2)
            gain[0, 0] = 0
            magnitude = np.abs(np.fft.ifft2(spectrum * gain))
            for row in range(4):
                for column in range(4):
                    y, x = (slice(i * side // 4, (i + 1) * side // 4) for i in (row, column))
                    result[s, o, row, column] = magnitude[y, x].mean()
    return result


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_definition_at_full_resolution(seed: int) -> None:
    rgb = scene(128, 128, seed)
    exact = slow_energies(rgb.astype(np.float64) @ (0.299, 0.587, 0.114))
    limit = 0.01 * exact.max(axis=(1, 2, 3), keepdims=True)
    assert (np.abs(energies(rgb) - exact) <= limit).all()


@pytest.mark.parametrize("scale", range(4))
@pytest.mark.parametrize("orientation", [0, 2, 4, 7])
def test_a_wave_responds_in_its_own_scale_and_direction_in_every_cell(scale: int, orientation: int) -> None:
    y, x = np.mgrid[0:128, 0:128]
    u, v = (round(0.05 * 2**scale * f(orientation * math.pi / 8) * 128) / 128 for f in (math.cos, math.sin))
    found = energies(grey(128 + 60 * np.cos(2 * np.pi * (u * x + v * y))))
    winners = found.reshape(32, 16).argmax(axis=0)
    assert (winners == 8 * scale + orientation).all()


def test_texture_is_found_at_its_position() -> None:
    levels = np.full((128, 128), 128.0)
    levels[:32, 96:] += 80 * np.cos(2 * np.pi * 0.2 * np.arange(32))
    cells = energies(grey(levels)).sum(axis=(0, 1))
    assert np.unravel_index(cells.argmax(), (4, 4)) == (0, 3)
    assert cells[0, 3] > 0.5 * cells.sum()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("gain", [0.5, 0.7])
def test_darker_copies_have_similar_values(seed: int, gain: float) -> None:
    rgb = 60 + scene(128, 128, seed) // 2
    base, darker = energies(rgb), energies(np.rint(rgb * gain).astype(np.uint8))
    assert np.linalg.norm(darker - base) < 0.1 * np.linalg.norm(base)


@pytest.mark.parametrize("seed", range(3))
def test_contrast_has_less_than_proportional_influence(seed: int) -> None:
    wide = scene(128, 128, seed).mean(axis=2)
    strong, faint = energies(grey(64 + wide / 2)), energies(grey(96 + wide / 4))
    ratio = np.linalg.norm(faint) / np.linalg.norm(strong)
    assert 0.55 < ratio < 1


def test_uneven_light_is_removed() -> None:
    rng = np.random.default_rng(0)
    texture = cv2.GaussianBlur(rng.normal(0, 1, (128, 128)), (0, 0), 1.5) * 25 + 128
    shade = np.linspace(0.4, 1.0, 128)[None, :]
    base, shaded = energies(grey(texture)), energies(grey(texture * shade))
    assert np.linalg.norm(shaded - base) < 0.1 * np.linalg.norm(base)


@pytest.mark.parametrize("seed", range(3))
def test_mirroring_mirrors_cells_and_directions(seed: int) -> None:
    rgb = scene(128, 128, seed)
    # Direction k of pi / 8 becomes 8 - k; sampling every second pixel causes a small error.
    mirrored = energies(rgb[:, ::-1])[:, (8 - np.arange(8)) % 8, :, ::-1]
    np.testing.assert_allclose(mirrored, energies(rgb), atol=0.01 * mirrored.max())


@given(arrays(np.uint8, st.tuples(st.integers(1, 30), st.integers(1, 30), st.just(3))))
def test_values_are_finite_and_not_negative(rgb: NDArray[np.uint8]) -> None:
    found = energies(rgb)
    assert np.isfinite(found).all()
    assert found.min() >= 0


@given(arrays(np.float32, (16, 16), elements=st.floats(0, 255, width=32)))
def test_normalised_values_are_bounded(gray: NDArray[np.float32]) -> None:
    # A value is at most its own share of the local deviation: 1 / sqrt of the weight of the central pixel.
    even = normalised(gray)
    assert even.dtype == np.float32
    assert np.isfinite(even).all()
    assert np.abs(even).max() < 16


@pytest.mark.parametrize("level", [0, 127, 255])
def test_a_plain_image_has_no_layout(level: int) -> None:
    for shape in ((1, 1, 3), (1, 384, 3), (40, 60, 3)):
        np.testing.assert_allclose(energies(np.full(shape, level, np.uint8)), 0, atol=1e-4)


@pytest.mark.parametrize("parameters", [{"cells": 5}, {"side": 0}, {"scales": 0}, {"orientations": -1}])
def test_bad_parameters_are_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must"):
        Gist(**parameters)
