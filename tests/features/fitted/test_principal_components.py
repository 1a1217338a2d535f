# SPDX-License-Identifier: MIT
from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from focal_photos.features.base import LocalFeatures, NotFittedError
from focal_photos.features.color.color_coherence import ColorCoherence
from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.principal_components import PrincipalComponents, ReducedPatches, principal_axes
from focal_photos.features.fitted.visual_words import VisualWords
from focal_photos.features.local.sift import Sift
from tests.features.pictures import scene


def pictures(count: int) -> list[WorkingImage]:
    return [WorkingImage.from_array(scene(120, 90, seed)[: 60 + 2 * seed]) for seed in range(count)]


def tilted(rows: int, columns: int, seed: int = 0) -> NDArray[np.float64]:
    """Return rows with well-separated variances along their axes."""
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(columns, columns)))[0]
    scaled = rng.normal(size=(rows, columns)) * 2.0 ** -np.arange(columns)
    return np.asarray(scaled @ turn + rng.normal(size=columns))


@pytest.mark.parametrize("shape", [(200, 8), (9, 8), (8, 8), (6, 8), (5, 8)])
def test_agrees_with_scikit_learn(shape: tuple[int, int]) -> None:
    rows = tilted(*shape)
    mean, axes = principal_axes(np.array_split(rows, 3), 4, 8)
    theirs = PCA(4, svd_solver="full").fit(rows)
    np.testing.assert_allclose(mean, theirs.mean_, atol=1e-12)
    signs = np.sign((axes * theirs.components_.T).sum(axis=0))
    np.testing.assert_allclose(axes, theirs.components_.T * signs, atol=1e-6)


@given(st.integers(0, 12), st.integers(1, 8), st.integers(1, 10), st.integers(0, 1000))
def test_axes_are_orthonormal_with_fixed_sign_and_zero_without_variance(
    rows: int, columns: int, components: int, seed: int
) -> None:
    data = np.random.default_rng(seed).normal(size=(rows, columns))
    mean, axes = principal_axes([data], components, columns)
    found = min(components, columns, max(rows - 1, 0))
    assert axes.shape == (columns, components)
    np.testing.assert_allclose(axes.T @ axes, np.diag([1.0] * found + [0.0] * (components - found)), atol=1e-7)
    strongest = axes[np.abs(axes).argmax(axis=0), np.arange(components)]
    assert (strongest[:found] > 0).all()
    variances = ((data - mean) @ axes).var(axis=0) if rows else np.zeros(components)
    assert (np.diff(variances) <= 1e-9).all()


def test_the_partition_of_the_sample_does_not_matter() -> None:
    rows = tilted(50, 6)
    whole, parts = principal_axes([rows], 3, 6), principal_axes([rows[:0], rows[:1], rows[1:31], rows[31:]], 3, 6)
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)


def test_equal_rows_have_no_axes() -> None:
    mean, axes = principal_axes([np.full((1, 5), 0.1, np.float32)] * 9, 3, 5)
    np.testing.assert_allclose(mean, 0.1, rtol=1e-6)
    assert not axes.any()


@pytest.mark.parametrize("base", [ColorMoments(), ColorCoherence()])
def test_a_reduced_global_descriptor_agrees_with_scikit_learn(base: ColorMoments | ColorCoherence) -> None:
    images = pictures(12)
    samples = [base.extract(image)[None] for image in images]
    fitted = PrincipalComponents(base, 5).fit(samples)
    rows = np.concatenate(samples).astype(np.float64)
    rows = StandardScaler().fit_transform(np.sqrt(rows) if base.is_count else rows)
    expected = np.abs(PCA(5, svd_solver="full").fit_transform(rows))
    found = np.abs([fitted.extract(image) for image in images])
    np.testing.assert_allclose(found, expected, atol=1e-4 * expected.max())


def test_name_dimension_and_source_follow_the_base() -> None:
    reduced = PrincipalComponents(ColorCoherence(), 60)
    assert (reduced.name, reduced.dimension, reduced.learned_from) == ("color_coherence_60", 60, ColorCoherence())
    assert PrincipalComponents(ColorMoments(), 500).dimension == 225
    words = PrincipalComponents(VisualWords(Sift(), 20), 50)
    assert (words.name, words.dimension, words.learned_from) == ("sift_words_20_50", 20, Sift())


def test_words_fitted_with_the_reduction_equal_words_fitted_alone() -> None:
    images = pictures(10)
    samples = [Sift().extract(image).vectors for image in images]
    words = VisualWords(Sift(), 12)
    reduced = PrincipalComponents(words, 4).fit(samples, seed=3)
    with_words = PrincipalComponents(words.fit(samples, seed=3), 4).fit(samples)
    for image in images:
        vector = reduced.extract(image)
        assert vector.shape == (4,)
        np.testing.assert_array_equal(vector, with_words.extract(image))
    rebuilt = PrincipalComponents(words, 4).with_state(reduced.fitted_state())
    assert rebuilt == reduced
    assert rebuilt.key == reduced.key
    other = PrincipalComponents(words, 4).fit(samples, seed=4)
    assert other.key != reduced.key


def test_the_key_depends_on_the_base() -> None:
    keys = {
        PrincipalComponents(base, 4).key.digest
        for base in (VisualWords(Sift(), 12), VisualWords(Sift(points=99), 12), ColorMoments(), ColorMoments(grid=4))
    }
    assert len(keys) == 4


def test_the_base_is_computed_once() -> None:
    base = ColorMoments()
    image = pictures(1)[0]
    image.cached(base, lambda: base.extract(image) + np.float32(1))
    fitted = PrincipalComponents(base, 3).fit([base.extract(other)[None] for other in pictures(6)])
    assert np.abs(fitted.extract(image) - fitted.extract(pictures(1)[0])).max() > 0.1


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_patches_fitted_on_a_tiny_sample_are_zero_on_undetermined_axes(rows: int) -> None:
    samples = [np.random.default_rng(0).normal(size=(rows, 128)).astype(np.float32)]
    found = ReducedPatches(Sift(), 8).fit(samples).extract(pictures(1)[0])
    assert found.vectors.shape == (len(found.points), 8)
    assert np.isfinite(found.vectors).all()
    assert not found.vectors[:, max(rows - 1, 0) :].any()


def test_reduced_patches_retain_positions_and_distances() -> None:
    images = pictures(6)
    samples = [Sift().extract(image) for image in images]
    reduced = ReducedPatches(Sift(), 64).fit([found.vectors for found in samples])
    assert (reduced.name, reduced.dimension, reduced.learned_from) == ("sift_64", 64, Sift())
    for image, whole in zip(images, samples, strict=True):
        found = reduced.extract(image)
        np.testing.assert_array_equal(found.points, whole.points)
        distances = [
            np.linalg.norm(vectors[:, None] - vectors[None], axis=2) for vectors in (found.vectors, whole.vectors)
        ]
        assert (distances[0] <= distances[1] + 1e-5).all()
        assert distances[0].sum() > 0.95 * distances[1].sum()
        half = found.vectors.astype(np.float16).astype(np.float32)
        np.testing.assert_allclose(half, found.vectors, atol=1e-3)


def test_the_position_of_a_patch_is_relative_to_width_and_height() -> None:
    images = pictures(6)
    plain = ReducedPatches(Sift(), 8).fit([Sift().extract(image).vectors for image in images])
    placed = dataclasses.replace(plain, location=0.5)
    assert (placed.name, placed.dimension) == ("sift_8", 10)
    assert placed.key != plain.key
    found, size = placed.extract(images[0]), np.array(images[0].rgb.shape[1::-1], np.float32)
    np.testing.assert_array_equal(found.vectors[:, :8], plain.extract(images[0]).vectors)
    np.testing.assert_allclose(found.vectors[:, 8:], 0.5 * found.points / size, atol=1e-6)


def test_a_photo_without_points_has_no_patches() -> None:
    reduced = ReducedPatches(Sift(), 3).fit([np.eye(128, dtype=np.float32)])
    found = reduced.extract(WorkingImage.from_array(np.zeros((20, 20, 3), np.uint8)))
    assert isinstance(found, LocalFeatures)
    assert found.vectors.shape == (0, 3)


def test_needs_to_be_fitted() -> None:
    image = pictures(1)[0]
    for reduced in (PrincipalComponents(ColorMoments(), 3), ReducedPatches(Sift(), 3)):
        with pytest.raises(NotFittedError, match="not fitted"):
            reduced.extract(image)


def test_bad_parameters_are_refused() -> None:
    for reduced in (PrincipalComponents(ColorMoments(), 3), ReducedPatches(Sift(), 3)):
        with pytest.raises(ValueError, match="at least 1 component, not 0"):
            dataclasses.replace(reduced, components=0)
    with pytest.raises(ValueError, match="at least 0 and finite, not -1"):
        ReducedPatches(Sift(), 3, -1.0)
    with pytest.raises(TypeError, match="cannot be reduced"):
        PrincipalComponents(PrincipalComponents(ColorMoments(), 3), 2)
    with pytest.raises(TypeError, match="reduced already"):
        ReducedPatches(ReducedPatches(Sift(), 3), 2)
