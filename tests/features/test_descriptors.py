"""Checks of every global descriptor in the table."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.features.base import DescriptorKey, Fitted, GlobalDescriptor, LocalFeatures, NotFittedError
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_vectors import FisherVector
from focal_photos.features.fitted.salient_fisher import SalientFisherVector
from focal_photos.features.table import DESCRIPTORS
from tests.features.descriptor_checks import COMMON, Check
from tests.features.pictures import file_bytes, scene


def vector_of(descriptor: GlobalDescriptor, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    return descriptor.extract(WorkingImage.from_array(rgb))


def unfitted(name: str) -> GlobalDescriptor:
    """Return a descriptor of the table, with its source fitted to a few pictures if it has one."""
    descriptor = DESCRIPTORS[name]
    if isinstance(descriptor, SalientFisherVector):
        fisher = ready(descriptor.fisher.name)
        assert isinstance(fisher, FisherVector)
        return dataclasses.replace(descriptor, fisher=fisher)
    return descriptor


@functools.cache
def ready(name: str) -> GlobalDescriptor:
    """Return a descriptor of the table, fitted to a few pictures if it has a fitted part."""
    descriptor = unfitted(name)
    if not isinstance(descriptor, Fitted):
        return descriptor
    samples = []
    for seed in range(8):
        image = WorkingImage.from_array(scene(128, 96, seed=seed))
        found = descriptor.learned_from.extract(image)
        samples.append(found.vectors if isinstance(found, LocalFeatures) else found[None])
    return descriptor.fit(samples)


def flat(level: int, height: int = 40, width: int = 60) -> NDArray[np.uint8]:
    return np.full((height, width, 3), level, np.uint8)


def check_shape_and_type(descriptor: GlobalDescriptor, folder: Path) -> None:
    vector = vector_of(descriptor, scene())
    assert vector.shape == (descriptor.dimension,)
    assert vector.dtype == np.float32
    assert vector.flags.c_contiguous
    assert np.isfinite(vector).all()


def check_vector_owns_its_memory(descriptor: GlobalDescriptor, folder: Path) -> None:
    image = WorkingImage.from_array(scene())
    first, second = descriptor.extract(image), descriptor.extract(image)
    kept = second.copy()
    first[:] = -1
    np.testing.assert_array_equal(second, kept)


def check_order_of_descriptors_does_not_matter(descriptor: GlobalDescriptor, folder: Path) -> None:
    image = WorkingImage.from_array(scene())
    for other in DESCRIPTORS:
        ready(other).extract(image)
    np.testing.assert_array_equal(descriptor.extract(image), vector_of(descriptor, scene()))


def check_plain_images(descriptor: GlobalDescriptor, folder: Path) -> None:
    for level in (0, 127, 255):
        assert np.isfinite(vector_of(descriptor, flat(level))).all()


def check_odd_sizes(descriptor: GlobalDescriptor, folder: Path) -> None:
    for height, width in ((1, 1), (1, 2), (3, 4), (1, 384), (384, 1), (2, 383), (7, 31)):
        vector = vector_of(descriptor, scene(384, 384)[:height, :width])
        assert vector.shape == (descriptor.dimension,)
        assert np.isfinite(vector).all()


def check_grey_and_transparent_files(descriptor: GlobalDescriptor, folder: Path) -> None:
    grey = scene()[..., 0]
    from_grey = descriptor.extract(decode(file_bytes(grey)))
    np.testing.assert_array_equal(from_grey, vector_of(descriptor, np.repeat(grey[..., None], 3, axis=2)))
    clear = np.dstack([scene(), np.zeros((64, 96), np.uint8)])
    np.testing.assert_array_equal(
        descriptor.extract(decode(file_bytes(clear))), vector_of(descriptor, flat(255, 64, 96))
    )


def check_different_pictures_differ(descriptor: GlobalDescriptor, folder: Path) -> None:
    other = vector_of(descriptor, scene()[::-1, :, ::-1].copy())
    assert np.linalg.norm(vector_of(descriptor, scene()) - other) > 0
    if descriptor.is_count:
        assert other.min() >= 0


CHECKS: list[Callable[[GlobalDescriptor, Path], None]] = [
    check_shape_and_type,
    check_vector_owns_its_memory,
    check_order_of_descriptors_does_not_matter,
    check_plain_images,
    check_odd_sizes,
    check_grey_and_transparent_files,
    check_different_pictures_differ,
]


@pytest.mark.slow
@pytest.mark.parametrize("check", COMMON, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", DESCRIPTORS)
def test_a_descriptor_passes_the_common_checks(name: str, check: Check, tmp_path: Path) -> None:
    check(ready(name), scene, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", DESCRIPTORS)
def test_a_descriptor_passes_the_checks_of_vectors(
    name: str, check: Callable[[GlobalDescriptor, Path], None], tmp_path: Path
) -> None:
    check(ready(name), tmp_path)


def test_the_table_is_keyed_by_name() -> None:
    assert all(name == descriptor.name for name, descriptor in DESCRIPTORS.items())


def test_keys_and_dimensions_of_this_version_are_unchanged() -> None:
    # A changed key rebuilds the vectors of every library: it must be deliberate, with a new version number.
    assert [(str(d.key), d.dimension) for d in DESCRIPTORS.values()] == [
        ("color_moments-2-61a4281e", 225),
        ("color_coherence-2-b84a3178", 1024),
        ("gabor-1-c8f32aad", 2560),
        ("color_histogram-1-7474c7ea", 81),
        ("color_edge_texture-2-9fbabbb6", 36),
        ("edge_directions-2-85ff4031", 37),
        ("gabor_statistics-1-df6ac57e", 120),
        ("lbp-1-44136fa3", 59),
        ("gist-1-e8fe61fe", 512),
        ("sift_words_200-1-f520eb5b", 200),
        ("sift_words_1000-1-344fdc1d", 1000),
        ("orb_words_200-1-d6fe32b4", 200),
        ("orb_words_1000-1-b369f620", 1000),
        ("dense_sift_fisher-3-3f8de689", 128),
        ("dense_color_fisher-3-877366fd", 128),
        ("dense_sift_salient-3-5d20ee67", 128),
        ("dense_color_salient-3-a5301ed5", 128),
        ("color_coherence_60-1-6dc8a502", 60),
        ("gabor_200-1-0a339815", 200),
        ("color_histogram_50-1-6c539af5", 50),
        ("edge_directions_50-1-9eaa84c8", 37),
        ("gabor_statistics_50-1-9a9b623d", 50),
        ("lbp_50-1-3ab22428", 50),
        ("gist_50-1-e70b3800", 50),
        ("sift_words_200_50-1-72d631a6", 50),
        ("sift_words_1000_50-1-ad272884", 50),
        ("orb_words_200_50-1-60f82c77", 50),
        ("orb_words_1000_50-1-73c489f8", 50),
    ]


FITTED = [name for name, descriptor in DESCRIPTORS.items() if isinstance(descriptor, Fitted)]


@pytest.mark.slow
@pytest.mark.parametrize("name", FITTED)
def test_a_fitted_state_is_required_part_of_the_key_and_reproducible(name: str) -> None:
    bare, fitted = unfitted(name), ready(name)
    with pytest.raises(NotFittedError, match="not fitted"):
        bare.extract(WorkingImage.from_array(scene()))
    assert isinstance(bare, Fitted)
    assert isinstance(fitted, Fitted)
    assert fitted.key != bare.key
    ready.cache_clear()
    assert ready(name).key == fitted.key
    assert bare.with_state(fitted.fitted_state()) == fitted


@pytest.mark.parametrize("name", FITTED)
def test_a_tiny_sample_gives_a_working_descriptor(name: str) -> None:
    bare = unfitted(name)
    assert isinstance(bare, Fitted)
    d = bare.learned_from.dimension
    for samples in (
        [],
        [np.zeros((0, d), np.float32)],
        [np.zeros((1, d), np.float32)],
        [np.ones((1, d), np.float32)] * 3,
    ):
        fitted = bare.fit(samples)
        assert isinstance(fitted, GlobalDescriptor)
        vector = vector_of(fitted, scene())
        assert vector.shape == (bare.dimension,)
        assert np.isfinite(vector).all()


def test_keys_can_be_sorted_and_compared() -> None:
    assert DescriptorKey("a", 1, "x") < DescriptorKey("a", 2, "x") < DescriptorKey("b", 1, "x")
