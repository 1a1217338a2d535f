# SPDX-License-Identifier: MIT
from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from focal_photos.features.base import LocalFeatures
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local.sift import Sift, root
from tests.examples import examples
from tests.features.pictures import scene


def found(rgb: NDArray[np.uint8], sift: Sift | None = None) -> LocalFeatures:
    return (sift or Sift()).extract(WorkingImage.from_array(rgb))


def blobs(height: int = 200, width: int = 300, seed: int = 0) -> NDArray[np.uint8]:
    """Return smooth grey spots of many sizes."""
    rng = np.random.default_rng(seed)
    picture = sum(
        amplitude * cv2.resize(rng.normal(size=(height // size, width // size)), (width, height))
        for size, amplitude in ((4, 8), (8, 15), (20, 25))
    )
    gray = np.clip(128 + np.asarray(picture), 0, 255).astype(np.uint8)
    return np.repeat(gray[..., None], 3, axis=2)


def test_points_agree_with_opencv() -> None:
    rgb = blobs()
    gray = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    ours = found(rgb, Sift(points=10_000))
    theirs = cv2.SIFT.create(0, 3, 0.01, 20).detect(gray, None)
    assert len(ours) == len({(point.pt, point.size) for point in theirs}) > 50
    assert {tuple(point) for point in ours.points.tolist()} == {point.pt for point in theirs}
    # One spot at a time, upright and twice as large in the next octave.
    for point in theirs[:40]:
        x, y = point.pt
        octave = (point.octave & ~255) | ((point.octave + 1) & 255)
        alone = cv2.KeyPoint(x, y, 2 * point.size, 0.0, point.response, octave)
        _, vectors = cv2.SIFT.create(0, 3, 0.01, 20).compute(gray, [alone])
        expected = np.asarray(vectors, np.float64).ravel()
        at = np.flatnonzero((ours.points == np.array([x, y], np.float32)).all(axis=1))
        errors = np.abs(ours.vectors[at] - np.sqrt(expected / expected.sum())).max(axis=1)
        assert errors.min() < 1e-6


def test_the_points_of_highest_contrast_are_kept() -> None:
    rgb = blobs()
    many, few = found(rgb, Sift(points=10_000)), found(rgb, Sift(points=20))
    assert len(few) == 20
    np.testing.assert_array_equal(few.points, many.points[:20])
    np.testing.assert_array_equal(few.vectors, many.vectors[:20])


def test_equal_points_do_not_exceed_the_limit() -> None:
    squares = np.kron(np.indices((24, 24)).sum(0) % 2, np.ones((16, 16))) * 255
    rgb = np.repeat(squares.astype(np.uint8)[..., None], 3, axis=2)
    assert len(found(rgb, Sift(points=100))) == 100


def test_vectors_have_unit_length_and_points_are_in_the_photo() -> None:
    features = found(blobs())
    assert features.vectors.dtype == features.points.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(features.vectors, axis=1), 1, atol=1e-5)
    assert features.vectors.min() >= 0
    assert (features.points >= 0).all()
    assert (features.points < (300, 200)).all()


def test_parallel_runs_give_the_same() -> None:
    threads = cv2.getNumThreads()
    results = []
    try:
        for count in (1, 4, 4):
            cv2.setNumThreads(count)
            results.append(found(blobs()))
    finally:
        cv2.setNumThreads(threads)
    for other in results[1:]:
        np.testing.assert_array_equal(other.points, results[0].points)
        np.testing.assert_array_equal(other.vectors, results[0].vectors)


def test_a_moved_pattern_has_the_same_vectors() -> None:
    rgb = np.full((240, 240, 3), 128, np.uint8)
    moved = rgb.copy()
    rgb[60:140, 60:140] = blobs(80, 80)
    moved[76:156, 92:172] = blobs(80, 80)
    # A shift by a multiple of 16 pixels samples all octaves at the same positions.
    first, second = found(rgb), found(moved)
    assert len(first) > 5
    np.testing.assert_allclose(second.points - (32, 16), first.points, atol=1e-3)
    np.testing.assert_allclose(second.vectors, first.vectors, atol=0.05)


@settings(max_examples=examples(60))
@given(arrays(np.uint8, st.tuples(st.integers(1, 60), st.integers(1, 60), st.just(3))))
def test_any_picture_can_be_described(rgb: NDArray[np.uint8]) -> None:
    features = found(rgb)
    assert features.vectors.shape == (len(features.points), 128)
    assert np.isfinite(features.vectors).all()


@pytest.mark.parametrize("shape", [(1, 1), (1, 384), (384, 1), (2, 2), (8, 384)])
def test_small_and_flat_pictures_have_few_points_or_none(shape: tuple[int, int]) -> None:
    assert len(found(scene(384, 384)[: shape[0], : shape[1]])) < 500
    for level in (0, 255):
        features = found(np.full((*shape, 3), level, np.uint8))
        assert len(features) == 0
        assert features.vectors.shape == (0, 128)


@given(arrays(np.float32, (3, 128), elements=st.floats(0, 255, width=32)))
def test_root_turns_euclidean_distance_into_hellinger_distance(vectors: NDArray[np.float32]) -> None:
    shares = vectors.astype(np.float64) / np.maximum(vectors.sum(axis=1, keepdims=True, dtype=np.float64), 1e-300)
    np.testing.assert_allclose(root(vectors) ** 2, shares, atol=1e-5)


@pytest.mark.parametrize("parameters", [{"points": 0}, {"layers": 0}, {"contrast": -0.1}, {"edges": 0.0}])
def test_bad_parameters_are_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="positive"):
        Sift(**parameters)
