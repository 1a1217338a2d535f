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
from focal_photos.features.local.orb import Orb
from tests.examples import examples
from tests.features.pictures import scene


def found(rgb: NDArray[np.uint8], orb: Orb | None = None) -> LocalFeatures:
    return (orb or Orb()).extract(WorkingImage.from_array(rgb))


def test_descriptors_agree_with_opencv() -> None:
    rgb = scene(300, 200)
    gray = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    features = found(rgb)
    orb = cv2.ORB.create(nfeatures=500, edgeThreshold=31, fastThreshold=5)
    corners = list(orb.detect(gray, None))
    for corner in corners:
        corner.angle = 0.0
    points, packed = orb.compute(gray, corners)
    assert 50 < len(features) <= 500
    np.testing.assert_array_equal(features.points, [point.pt for point in points[:500]])
    # Bit b of byte i is comparison 8 i + 7 - b.
    for row, code in zip(features.vectors, packed[:500], strict=True):
        assert row.tolist() == [byte >> bit & 1 for byte in code.tolist() for bit in range(7, -1, -1)]


def test_the_squared_distance_is_the_hamming_distance() -> None:
    vectors = found(scene(300, 200)).vectors
    codes = [int("".join(str(int(bit)) for bit in row), 2) for row in vectors[:30]]
    for i, first in enumerate(codes):
        for j, second in enumerate(codes):
            assert ((vectors[i] - vectors[j]) ** 2).sum() == (first ^ second).bit_count()


def test_the_number_of_points_is_limited() -> None:
    assert len(found(scene(384, 384), Orb(points=40))) <= 40


def test_corners_of_equal_strength_do_not_exceed_the_limit() -> None:
    rgb = np.full((384, 384, 3), 40, np.uint8)
    for y in range(40, 350, 32):
        for x in range(40, 350, 32):
            rgb[y : y + 6, x : x + 6] = 230
    opencv = cv2.ORB.create(nfeatures=10, edgeThreshold=31, fastThreshold=5)
    assert len(opencv.detect(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), None)) > 10
    assert len(found(rgb, Orb(points=10))) == 10


def test_repeated_and_parallel_runs_give_the_same() -> None:
    threads = cv2.getNumThreads()
    results = []
    try:
        for count in (1, 4, 4):
            cv2.setNumThreads(count)
            results.append(found(scene(300, 200)))
    finally:
        cv2.setNumThreads(threads)
    for other in results[1:]:
        np.testing.assert_array_equal(other.points, results[0].points)
        np.testing.assert_array_equal(other.vectors, results[0].vectors)


@settings(max_examples=examples(60))
@given(arrays(np.uint8, st.tuples(st.integers(1, 90), st.integers(1, 90), st.just(3))))
def test_any_picture_can_be_described(rgb: NDArray[np.uint8]) -> None:
    features = found(rgb)
    assert features.vectors.shape == (len(features.points), 256)
    assert np.isin(features.vectors, (0, 1)).all()


def test_any_size_can_be_described() -> None:
    picture = scene(384, 384)
    for height in (1, 2, 5, 15, 16, 17, 31, 33, 63, 64, 70, 384):
        for width in (1, 2, 15, 16, 17, 33, 64, 384):
            assert found(picture[:height, :width]).vectors.shape[1] == 256


@pytest.mark.parametrize("shape", [(1, 1), (1, 384), (384, 1), (20, 20), (200, 300)])
def test_small_and_flat_pictures_have_no_points(shape: tuple[int, int]) -> None:
    for level in (0, 255):
        features = found(np.full((*shape, 3), level, np.uint8))
        assert features.points.shape == (0, 2)
        assert features.vectors.shape == (0, 256)


@pytest.mark.parametrize("parameters", [{"points": 0}, {"threshold": 0}, {"border": -1}])
def test_bad_parameters_are_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="positive"):
        Orb(**parameters)
