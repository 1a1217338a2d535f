# SPDX-License-Identifier: MIT
"""Checks of every local descriptor in the table."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.features.base import Fitted, LocalDescriptor, LocalFeatures, NotFittedError
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.table import DESCRIPTORS, LOCAL_DESCRIPTORS
from focal_photos.testing.descriptor_checks import ANY_CHECKS, AnyDescriptor, Draw, assert_same
from tests.features.descriptor_checks import check_in_table
from tests.features.pictures import file_bytes, scene

MOST = 500
"""Largest number of points of a local descriptor; it limits the storage of a library."""


def photo(width: int = 200, height: int = 150, seed: int = 0) -> NDArray[np.uint8]:
    """Return a scene with enough corners and edges for any detector."""
    rgb = scene(width, height, seed)
    squares = np.random.default_rng(seed).integers(0, 256, (9, 12, 3), np.uint8)
    y, x = np.mgrid[0:height, 0:width]
    board: NDArray[np.uint8] = squares[y * 9 // height, x * 12 // width]
    mask = (x > width // 3) & (y > height // 4)
    rgb[mask] = board[mask]
    return rgb


def found_in(descriptor: LocalDescriptor, rgb: NDArray[np.uint8]) -> LocalFeatures:
    return descriptor.extract(WorkingImage.from_array(rgb))


@functools.cache
def ready(name: str) -> LocalDescriptor:
    """Return a descriptor of the table, fitted to a few pictures if it has a fitted part."""
    descriptor = LOCAL_DESCRIPTORS[name]
    if not isinstance(descriptor, Fitted):
        return descriptor
    samples = []
    for seed in range(4):
        found = descriptor.learned_from.extract(WorkingImage.from_array(photo(seed=seed)))
        assert isinstance(found, LocalFeatures)
        samples.append(found.vectors)
    return descriptor.fit(samples)


def assert_sound(descriptor: LocalDescriptor, found: LocalFeatures, width: int, height: int) -> None:
    assert found.points.dtype == np.float32
    assert found.vectors.dtype == np.float32
    assert found.points.shape == (len(found), 2)
    assert found.vectors.shape == (len(found), descriptor.dimension)
    assert found.points.flags.c_contiguous
    assert found.vectors.flags.c_contiguous
    assert np.isfinite(found.vectors).all()
    assert np.isfinite(found.points).all()
    assert len(found) <= MOST
    # The center of the first pixel is 0: the image extends from -0.5 to width - 0.5.
    assert (found.points >= -0.5).all()
    assert (found.points <= (width - 0.5, height - 0.5)).all()


def check_shape_and_type(descriptor: LocalDescriptor, folder: Path) -> None:
    for width, height in ((200, 150), (384, 288), (150, 384)):
        found = found_in(descriptor, photo(width, height))
        assert_sound(descriptor, found, width, height)
        assert len(found) > 10


def check_most_points(descriptor: LocalDescriptor, folder: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (384, 384, 3), np.uint8)
    assert_sound(descriptor, found_in(descriptor, noise), 384, 384)


def check_vectors_fit_into_half_precision(descriptor: LocalDescriptor, folder: Path) -> None:
    vectors = found_in(descriptor, photo()).vectors
    assert np.abs(vectors).max() < 1000  # stored as float16, whose largest is 65,504
    np.testing.assert_allclose(vectors.astype(np.float16), vectors, rtol=1e-3, atol=1e-3 * np.abs(vectors).max())


def check_arrays_are_its_own(descriptor: LocalDescriptor, folder: Path) -> None:
    image = WorkingImage.from_array(photo())
    first, second = descriptor.extract(image), descriptor.extract(image)
    kept = LocalFeatures(second.points.copy(), second.vectors.copy())
    first.points[:] = -1
    first.vectors[:] = -1
    assert_same(second, kept)


def check_order_of_descriptors_does_not_matter(descriptor: LocalDescriptor, folder: Path) -> None:
    image = WorkingImage.from_array(photo())
    for other in LOCAL_DESCRIPTORS:
        ready(other).extract(image)
    assert_same(descriptor.extract(image), found_in(descriptor, photo()))


def check_plain_images(descriptor: LocalDescriptor, folder: Path) -> None:
    for level in (0, 127, 255):
        for width, height in ((60, 40), (384, 384)):
            found = found_in(descriptor, np.full((height, width, 3), level, np.uint8))
            assert_sound(descriptor, found, width, height)
            assert len(found) == 0


def check_odd_sizes(descriptor: LocalDescriptor, folder: Path) -> None:
    for height, width in ((1, 1), (1, 2), (3, 4), (1, 384), (384, 1), (2, 383), (384, 7), (31, 31)):
        found = found_in(descriptor, np.ascontiguousarray(photo(384, 384)[:height, :width]))
        assert_sound(descriptor, found, width, height)


def check_grey_and_transparent_files(descriptor: LocalDescriptor, folder: Path) -> None:
    grey = photo()[..., 0]
    assert_same(descriptor.extract(decode(file_bytes(grey))), found_in(descriptor, np.repeat(grey[..., None], 3, 2)))
    clear = np.dstack([photo(), np.zeros((150, 200), np.uint8)])
    assert len(descriptor.extract(decode(file_bytes(clear)))) == 0
    solid = np.dstack([photo(), np.full((150, 200), 255, np.uint8)])
    assert_same(descriptor.extract(decode(file_bytes(solid))), found_in(descriptor, photo()))


def check_the_same_thing_is_found_again(descriptor: LocalDescriptor, folder: Path) -> None:
    base, other = photo(), photo(seed=1)
    darker = (base * 0.9).astype(np.uint8)
    one, same, different = (found_in(descriptor, rgb).vectors for rgb in (base, darker, other))

    def mean_distance(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
        return float(np.mean([np.linalg.norm(b - vector, axis=1).min() for vector in a]))

    assert mean_distance(one, same) < mean_distance(one, different)


CHECKS: list[Callable[[LocalDescriptor, Path], None]] = [
    check_shape_and_type,
    check_most_points,
    check_vectors_fit_into_half_precision,
    check_arrays_are_its_own,
    check_order_of_descriptors_does_not_matter,
    check_plain_images,
    check_odd_sizes,
    check_grey_and_transparent_files,
    check_the_same_thing_is_found_again,
]


@pytest.mark.parametrize("check", ANY_CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", LOCAL_DESCRIPTORS)
def test_a_local_descriptor_passes_the_common_checks(name: str, check: Callable[[AnyDescriptor, Draw], None]) -> None:
    check(ready(name), photo)
    check_in_table(ready(name))


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", LOCAL_DESCRIPTORS)
def test_a_local_descriptor_passes_the_checks_of_points(
    name: str, check: Callable[[LocalDescriptor, Path], None], tmp_path: Path
) -> None:
    check(ready(name), tmp_path)


def test_the_table_is_keyed_by_name_and_shares_no_name_with_the_global_table() -> None:
    assert all(name == descriptor.name for name, descriptor in LOCAL_DESCRIPTORS.items())
    assert not set(LOCAL_DESCRIPTORS) & set(DESCRIPTORS)
    dimensions = {name: descriptor.dimension for name, descriptor in LOCAL_DESCRIPTORS.items()}
    assert dimensions.items() >= {
        ("geometric_blur_large", 204),
        ("geometric_blur_small", 204),
        ("color_patches", 364),
        ("sift", 128),
        ("orb", 256),
        ("geometric_blur_large_32", 34),
        ("geometric_blur_small_32", 34),
        ("color_patches_24", 26),
    }


def test_keys_of_this_version_are_unchanged() -> None:
    # A changed key rebuilds the patches of every library: it must be deliberate, with a new version number.
    assert {str(descriptor.key) for descriptor in LOCAL_DESCRIPTORS.values()} >= {
        "geometric_blur_large-1-ad4ce2ca",
        "geometric_blur_small-1-9603432a",
        "color_patches-1-643675fc",
    }


FITTED = [name for name, descriptor in LOCAL_DESCRIPTORS.items() if isinstance(descriptor, Fitted)]


@pytest.mark.parametrize("name", FITTED)
def test_a_fitted_state_is_required_and_part_of_the_key(name: str) -> None:
    bare, fitted = LOCAL_DESCRIPTORS[name], ready(name)
    with pytest.raises(NotFittedError, match="not fitted"):
        bare.extract(WorkingImage.from_array(photo()))
    assert isinstance(bare, Fitted)
    assert isinstance(fitted, Fitted)
    assert fitted.key != bare.key
    assert bare.with_state(fitted.fitted_state()) == fitted


@pytest.mark.parametrize("name", FITTED)
def test_a_tiny_sample_gives_a_working_descriptor(name: str) -> None:
    bare = LOCAL_DESCRIPTORS[name]
    assert isinstance(bare, Fitted)
    d = bare.learned_from.dimension
    for samples in ([], [np.zeros((0, d), np.float32)], [np.ones((1, d), np.float32)] * 3):
        fitted = bare.fit(samples)
        assert isinstance(fitted, LocalDescriptor)
        assert_sound(fitted, found_in(fitted, photo()), 200, 150)
