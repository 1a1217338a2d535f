# SPDX-License-Identifier: MIT
"""Fisher vectors of windows: sums, regions, and the same object at different places."""

from __future__ import annotations

import dataclasses
import functools
import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.features.any_rotation import in_any_rotation
from focal_photos.features.base import NotFittedError
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_vectors import FisherVector
from focal_photos.features.fitted.fisher_windows import CELLS, WIDTH, WINDOWS, FisherWindows, window_values
from focal_photos.features.local.dense_color import DenseColor
from focal_photos.features.local.dense_sift import DenseSift
from tests.features.pictures import scene

BARE = FisherWindows(
    FisherVector(DenseSift(), components=8, local_axes=16, axes=24),
    FisherVector(DenseColor(), components=8, local_axes=12, axes=16),
)


def image(seed: int = 0, width: int = 192, height: int = 128) -> WorkingImage:
    return WorkingImage.from_array(scene(width, height, seed=seed))


def with_thing(seed: int, thing: int, left: int, top: int) -> WorkingImage:
    """Return a scene with a square of small squares in two colours at a place."""
    pixels, rng = scene(192, 128, seed=seed).copy(), np.random.default_rng(thing)
    colors, pattern = rng.integers(0, 255, (2, 3)), rng.integers(0, 2, (8, 6))
    pixels[top : top + 48, left : left + 48] = colors[pattern].repeat(6, axis=0).repeat(8, axis=1)
    return WorkingImage.from_array(pixels)


@functools.cache
def fitted() -> FisherWindows:
    parts = {}
    for name in ("shape", "color"):
        fisher: FisherVector = getattr(BARE, name)
        parts[name] = fisher.fit(
            [fisher.learned_from.extract(image(seed)).vectors for seed in range(8)]
            + [fisher.learned_from.extract(with_thing(seed, seed, 20 * seed, 9 * seed)).vectors for seed in range(8)]
        )
    return dataclasses.replace(BARE, **parts)


def cosines(query: NDArray[np.float32], code: NDArray[np.uint8]) -> NDArray[np.float64]:
    values = window_values(code).astype(np.float64)
    lengths = np.maximum(np.linalg.norm(values, axis=1) * np.linalg.norm(query), 1e-9)
    return np.asarray(values @ query / lengths)


def by_point(fisher: FisherVector, photo: WorkingImage, window: NDArray[np.float32], axes: int) -> NDArray[np.float64]:
    """Compute the coordinates of a window point by point, with the equations of ALGORITHMS.md, 12.2."""
    state = {name: np.asarray(array, np.float64) for name, array in fisher.fitted_state().arrays.items()}
    pi, m, v = state["weights"], state["means"][:, :-3], state["variances"][:, :-3]
    by_means, by_deviations = np.zeros(m.shape), np.zeros(m.shape)
    for vector in fisher.local.of(photo).vectors.astype(np.float64):
        place = np.floor((vector[[-2, -3]] + 0.5) * CELLS).clip(0, CELLS - 1) / CELLS + 0.5 / CELLS
        if not ((window[:2] <= place) & (place <= window[2:])).all():
            continue
        x = (vector[:-3] - state["local_mean"]) @ state["local_axes"]
        density = pi * np.exp(-0.5 * ((x - m) ** 2 / v).sum(axis=1)) / np.sqrt(v.prod(axis=1))
        q = density / density.sum()
        by_means += q[:, None] * (x - m) / np.sqrt(v) / np.sqrt(pi)[:, None]
        by_deviations += q[:, None] * ((x - m) ** 2 / v - 1) / np.sqrt(2 * pi)[:, None]
    padded = np.concatenate([np.pad(one, ((0, 0), (0, 3))) for one in (by_means, by_deviations)])
    rooted = np.sign(padded) * np.sqrt(np.abs(padded))
    looks = np.pad(np.ones((len(padded), m.shape[1])), ((0, 0), (0, 3)))
    vector = rooted / np.linalg.norm(rooted) - state["mean"].reshape(padded.shape) * looks
    found: NDArray[np.float64] = state["axes"][:axes] @ vector.ravel()
    return found


def test_windows_are_the_vectors_of_their_points() -> None:
    found = window_values(fitted().extract(image())).astype(np.float64)
    for number in (0, 3, 9, 20, 54):
        shape = by_point(fitted().shape, image(), WINDOWS[number], 96)
        color = by_point(fitted().color, image(), WINDOWS[number], 48)
        expected = np.zeros(WIDTH)
        expected[: len(shape)] = shape / np.linalg.norm(shape)
        expected[96 : 96 + len(color)] = np.sqrt(0.5) * color / np.linalg.norm(color)
        scaled = expected * 127 / np.abs(expected).max()
        np.testing.assert_allclose(found[number], scaled, atol=1.1)


def test_a_region_that_is_a_window_has_its_values() -> None:
    code = fitted().extract(image())
    for number in (0, 2, 7, 16, 40):
        # Not at the border of cells, where a point may count to either side.
        left, top, right, bottom = WINDOWS[number].tolist()
        near = cosines(fitted().of_region(image(), (left, top, right, bottom)), code)
        assert near[number] > 0.97


def test_the_same_object_is_found_at_another_place() -> None:
    region = (8 / 192, 8 / 128, 56 / 192, 56 / 128)
    for thing in range(100, 104):
        query = fitted().of_region(with_thing(1, thing, 8, 8), region)
        with_it = cosines(query, fitted().extract(with_thing(2, thing, 136, 72)))
        without_it = cosines(query, fitted().extract(image(2)))
        assert with_it.max() > without_it.max() + 0.1
        x0, y0, x1, y1 = WINDOWS[int(with_it.argmax())]
        assert x0 < 184 / 192
        assert x1 > 136 / 192
        assert y0 < 120 / 128
        assert y1 > 72 / 128


def test_the_grid_of_windows_lies_in_the_photo() -> None:
    assert WINDOWS.shape == (55, 4)
    assert WINDOWS.min() == 0
    assert WINDOWS.max() == 1
    assert (WINDOWS[:, :2] < WINDOWS[:, 2:]).all()
    assert len(np.unique(WINDOWS, axis=0)) == 55
    # Each size covers the photo.
    for side in np.unique((WINDOWS[:, 2] - WINDOWS[:, 0]).round(4)):
        some = WINDOWS[(WINDOWS[:, 2] - WINDOWS[:, 0]).round(4) == side]
        for point in np.linspace(0, 1, 25):
            assert ((some[:, 0] <= point + 1e-6) & (point <= some[:, 2] + 1e-6)).any()


def test_a_window_without_points_is_zero() -> None:
    half = np.full((128, 192, 3), 127, np.uint8)
    half[:, 96:] = scene(96, 128)
    shapes = window_values(fitted().extract(WorkingImage.from_array(half)))[:, :96]
    left = (WINDOWS[:, 2] <= 5 / CELLS + 1e-6).nonzero()[0]
    assert len(left)
    assert not shapes[left].any()
    assert shapes[0].any()


def test_odd_sizes_and_plain_photos() -> None:
    for height, width in ((1, 1), (1, 384), (384, 1), (3, 4), (7, 31)):
        code = fitted().extract(WorkingImage.from_array(scene(384, 384)[:height, :width]))
        assert code.shape == (fitted().dimension,)
        assert code.dtype == np.uint8
    plain = WorkingImage.from_array(np.full((64, 96, 3), 127, np.uint8))
    assert not window_values(fitted().extract(plain))[:, :96].any()


def test_unfitted_windows_refuse_and_fitted_ones_are_pickled() -> None:
    with pytest.raises(NotFittedError):
        BARE.extract(image())
    again = pickle.loads(pickle.dumps(fitted()))
    np.testing.assert_array_equal(again.extract(image()), fitted().extract(image()))
    assert again.key == fitted().key


def test_windows_depend_on_the_rotation_even_if_other_descriptors_do_not() -> None:
    assert in_any_rotation(fitted()) is fitted()


def test_windows_are_computed_from_cached_local_vectors() -> None:
    locals_ = [one.of(image()).vectors for one in fitted().computed_from]
    np.testing.assert_array_equal(fitted().from_local(*locals_), fitted().extract(image()))


def test_photos_without_points_in_the_sample_give_zeros() -> None:
    fisher = BARE.shape.fit([np.empty((0, BARE.shape.local.dimension), np.float32)] * 3)
    empty = dataclasses.replace(fitted(), shape=fisher)
    assert not window_values(empty.extract(image()))[:, :96].any()


def test_rectangles_of_cells_are_windows_and_regions() -> None:
    photo = with_thing(3, 3, 60, 27)
    windows = fitted().of_rectangles(photo, np.rint(WINDOWS * CELLS).astype(np.intp))
    stored = window_values(fitted().extract(photo)).astype(np.float64)
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    windows /= np.linalg.norm(windows, axis=1, keepdims=True)
    assert (windows * stored).sum(axis=1).min() > 0.999
    (found,) = fitted().of_rectangles(photo, np.array([[1, 5, 8, 7]]))
    wanted = fitted().of_region(photo, (1 / CELLS, 5 / CELLS, 8 / CELLS, 7 / CELLS))
    assert found @ wanted / np.linalg.norm(found) / np.linalg.norm(wanted) > 0.98  # points on the border


def test_rectangles_without_points_are_zero() -> None:
    flat = WorkingImage.from_array(np.full((64, 64, 3), 128, np.uint8))
    assert not len(fitted().shape.local.of(flat))
    assert len(fitted().color.local.of(flat))
    found = fitted().of_rectangles(flat, np.array([[0, 0, 3, 4], [0, 0, 12, 12]]))
    shapes, colors = np.split(found, [96], axis=1)
    assert not shapes.any()
    assert colors.any(axis=1).all()
    assert fitted().of_rectangles(flat, np.empty((0, 4), np.intp)).shape == (0, WIDTH)
