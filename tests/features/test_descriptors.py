# SPDX-License-Identifier: MIT
"""Checks of every global descriptor in the table."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

import numpy as np
import pytest

from focal_photos.features.base import DescriptorKey, Fitted, GlobalDescriptor, LocalFeatures, NotFittedError
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_vectors import FisherVector
from focal_photos.features.fitted.salient_fisher import SalientFisherVector
from focal_photos.features.table import DESCRIPTORS
from focal_photos.testing import DESCRIPTOR_CHECKS
from focal_photos.testing.descriptor_checks import vector_of
from focal_photos.testing.pictures import scene
from tests.features.descriptor_checks import check_in_table


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


def check_order_of_all_descriptors_does_not_matter(descriptor: GlobalDescriptor) -> None:
    image = WorkingImage.from_array(scene())
    for other in DESCRIPTORS:
        ready(other).extract(image)
    np.testing.assert_array_equal(descriptor.extract(image), vector_of(descriptor, scene()))


CHECKS = [*DESCRIPTOR_CHECKS, check_in_table, check_order_of_all_descriptors_does_not_matter]


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", DESCRIPTORS)
def test_a_descriptor_passes_the_common_checks(name: str, check: Callable[[GlobalDescriptor], None]) -> None:
    check(ready(name))


def test_the_table_is_keyed_by_name() -> None:
    assert all(name == descriptor.name for name, descriptor in DESCRIPTORS.items())


def test_keys_and_dimensions_of_this_version_are_unchanged() -> None:
    # A changed key rebuilds the vectors of every library: it must be deliberate, with a new version number.
    assert [(str(d.key), d.dimension) for d in DESCRIPTORS.values()] == [
        ("color_moments-3-61a4281e", 225),
        ("color_coherence-3-b84a3178", 1024),
        ("gabor-2-c8f32aad", 2560),
        ("color_histogram-1-7474c7ea", 81),
        ("color_edge_texture-3-7de60706", 36),
        ("edge_directions-3-85ff4031", 37),
        ("gabor_statistics-2-9a3557b2", 120),
        ("lbp-1-44136fa3", 59),
        ("gist-2-e8fe61fe", 512),
        ("sift_words_200-1-f520eb5b", 200),
        ("sift_words_1000-1-344fdc1d", 1000),
        ("orb_words_200-1-d6fe32b4", 200),
        ("orb_words_1000-1-b369f620", 1000),
        ("dense_sift_fisher-4-b14f1f6b", 128),
        ("dense_color_fisher-4-ad09c910", 128),
        ("dense_sift_salient-5-9983cd54", 128),
        ("dense_color_salient-5-e4658e12", 128),
        ("color_coherence_60-1-3045fab6", 60),
        ("gabor_200-1-6aff8ba4", 200),
        ("color_histogram_50-1-6c539af5", 50),
        ("edge_directions_50-1-e088bd20", 37),
        ("gabor_statistics_50-1-e4b2f96f", 50),
        ("lbp_50-1-3ab22428", 50),
        ("gist_50-1-34025421", 50),
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
