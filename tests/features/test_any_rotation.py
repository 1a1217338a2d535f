# SPDX-License-Identifier: MIT
"""Descriptors that ignore the rotation of a photo."""

from __future__ import annotations

import functools
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.features.any_rotation import AnyRotation, AnyRotationCode, in_any_rotation
from focal_photos.features.base import CodeDescriptor, GlobalDescriptor
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_signs import FisherSigns
from focal_photos.features.fitted.fisher_vectors import FisherVector
from focal_photos.features.fitted.salient_fisher import SalientFisherVector
from focal_photos.features.local.dense_sift import DenseSift
from focal_photos.features.table import DESCRIPTORS, LOCAL_DESCRIPTORS, STANDARD
from focal_photos.features.texture.gist import Gist
from tests.benchmarks.common.photo_sets import ready
from tests.examples import examples
from tests.features.pictures import scene

FISHER = FisherVector(DenseSift(), components=3, local_axes=5, axes=4)


def image(rgb: NDArray[np.uint8]) -> WorkingImage:
    return WorkingImage.from_array(rgb)


@functools.cache
def fisher() -> FisherVector:
    return FISHER.fit([FISHER.learned_from.extract(image(scene(64, 48, seed=seed))).vectors for seed in range(8)])


@functools.cache
def standard() -> dict[str, Any]:
    """Return the standard descriptors, fitted to a few pictures."""
    return ready([image(scene(96, 64, seed=seed)) for seed in range(8)], list(STANDARD))


@pytest.mark.slow
@pytest.mark.parametrize("name", STANDARD)
@settings(max_examples=examples(12), deadline=None)
@given(seed=st.integers(0, 99), width=st.integers(20, 90), quarters=st.integers(1, 3))
def test_rotated_photos_have_equal_vectors(name: str, seed: int, width: int, quarters: int) -> None:
    descriptor = in_any_rotation(standard()[name])
    assert isinstance(descriptor, GlobalDescriptor)
    rgb = scene(width, 64, seed=seed)
    vector = descriptor.extract(image(rgb))
    found = descriptor.extract(image(np.rot90(rgb, quarters)))
    # Gabor responses are sampled, at places that a rotation does not map onto each other.
    tolerance = 5e-3 if name in ("gabor", "gist") else 1e-6
    np.testing.assert_allclose(found, vector, rtol=1e-5, atol=tolerance * np.abs(vector).max())


def test_a_vector_is_the_mean_of_those_of_the_four_rotations() -> None:
    rgb = scene(60, 40)
    copies = [np.rot90(rgb, quarters) for quarters in range(4)]
    base = fisher()
    expected = np.mean([base.extract(image(np.ascontiguousarray(copy))) for copy in copies], axis=0)
    assert np.linalg.norm(expected - base.extract(image(rgb))) > 0.1 * np.linalg.norm(expected)
    np.testing.assert_allclose(AnyRotation(base).extract(image(rgb)), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_rotated_photos_have_equal_codes(quarters: int) -> None:
    code = in_any_rotation(FisherSigns(fisher()))
    assert isinstance(code, CodeDescriptor)
    rgb = scene(80, 60, seed=2)
    found, other = (np.unpackbits(code.extract(image(one))) for one in (rgb, np.rot90(rgb, quarters)))
    assert found.any()
    assert (found != other).mean() < 0.01  # a sum near 0 may have either sign


def test_the_code_of_several_photos_has_the_signs_of_their_summed_gradients() -> None:
    signs = FisherSigns(fisher())
    photos = [image(scene(80, 60, seed=seed)) for seed in (1, 2)]
    points = [fisher().assigned(photo) for photo in photos]
    summed = sum(one.gradient for one in points if one is not None)
    assert isinstance(summed, np.ndarray)
    bits = np.packbits(summed > 0)
    np.testing.assert_array_equal(signs.of_several(photos)[: len(bits)], bits)


def test_everything_but_the_vectors_and_the_key_is_that_of_the_base() -> None:
    for base in DESCRIPTORS.values():
        found = in_any_rotation(base)
        assert isinstance(found, AnyRotation)
        for name in ("name", "title", "summary", "source", "dimension", "kind", "subject", "version", "is_reduction"):
            assert getattr(found, name) == getattr(base, name), name
        for name in ("is_count", "is_scaled", "components_in_space", "weight_in_space", "needs_color", "distance"):
            assert getattr(found, name) == getattr(base, name), name
        assert found.key != base.key
        assert pickle.loads(pickle.dumps(found)) == found
        assert pickle.loads(pickle.dumps(found)).is_count == base.is_count


def test_weights_beside_others_are_those_of_the_bases() -> None:
    salient = SalientFisherVector(FISHER)
    pair = (AnyRotation(FISHER), AnyRotation(salient))
    assert pair[0].weight_beside(pair, foreground=True) == FISHER.weight_beside((FISHER, salient), foreground=True)
    assert pair[0].weight_beside(pair[:1], foreground=True) == FISHER.weight_beside((FISHER,), foreground=True)
    assert pair[1].weight_beside(pair, foreground=True) == 8.0


def test_local_descriptors_stay_upright() -> None:
    assert all(in_any_rotation(one) is one for one in LOCAL_DESCRIPTORS.values())
    code = in_any_rotation(FisherSigns(FISHER))
    assert isinstance(code, AnyRotationCode)
    assert (code.name, code.dimension, code.version) == ("dense_sift_signs", FisherSigns(FISHER).dimension, 4)
    assert code.computed_from == (), "the local vectors of the upright photo do not determine it"


@pytest.mark.parametrize("name", ["gist", "color_moments"])
def test_vectors_of_upside_down_photos_follow_from_those_of_the_photos(name: str) -> None:
    rgb = scene(100, 80)
    descriptor = DESCRIPTORS[name]
    vector = descriptor.extract(image(rgb))
    expected = descriptor.extract(image(np.rot90(rgb, 2)))
    found = descriptor.upside_down(vector[None])
    assert found is not None
    np.testing.assert_allclose(found[0], expected, rtol=1e-4, atol=1e-5)
    assert np.abs(vector - expected).max() > 0.05
    assert DESCRIPTORS["lbp"].upside_down(np.zeros((1, 59), np.float32)) is None


@pytest.mark.parametrize(("width", "height"), [(100, 80), (61, 47)])
@pytest.mark.parametrize("name", ["gabor", "gist", "color_coherence"])
def test_vectors_of_rotated_photos_follow_from_those_of_the_photos(name: str, width: int, height: int) -> None:
    rgb = scene(width, height)
    descriptor = DESCRIPTORS[name]
    found = descriptor.rotated(descriptor.extract(image(rgb))[None])
    expected = descriptor.extract(image(np.rot90(rgb)))
    assert found is not None
    np.testing.assert_allclose(found[0], expected, rtol=0, atol=5e-3 * expected.max())
    assert np.linalg.norm(found[0] - expected) <= 2e-3 * np.linalg.norm(expected)


def test_an_odd_number_of_directions_cannot_be_rotated() -> None:
    descriptor = Gist(scales=2, orientations=3)
    assert descriptor.rotated(np.zeros((1, descriptor.dimension), np.float32)) is None
    vector = AnyRotation(descriptor).extract(image(rgb := scene(60, 40)))
    np.testing.assert_allclose(AnyRotation(descriptor).extract(image(np.rot90(rgb))), vector, rtol=1e-5, atol=1e-6)
