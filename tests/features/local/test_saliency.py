# SPDX-License-Identifier: MIT
from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local import dense_grid
from focal_photos.features.local.saliency import SIDE, Saliency, at_places
from tests.features.pictures import scene

BORDER, COLORS = 2, 5


def saliency(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    return Saliency().extract(WorkingImage.from_array(rgb)).vectors.reshape(SIDE, SIDE)


def reference(rgb: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Compute the saliency pixel by pixel, with a plain k-means from the same start."""
    image = WorkingImage.from_array(rgb)
    small = cv2.resize(dense_grid.scaled(image), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2LAB), np.float64)
    border = np.array(
        [lab[y, x] for y in range(SIDE) for x in range(SIDE) if min(y, x, SIDE - 1 - y, SIDE - 1 - x) < BORDER]
    )
    centers = [border[((border - border.mean(axis=0)) ** 2).sum(axis=1).argmin()]]
    while len(centers) < COLORS:
        centers.append(border[np.min([((border - one) ** 2).sum(axis=1) for one in centers], axis=0).argmax()])
    for _ in range(20):
        nearest = np.argmin([((border - one) ** 2).sum(axis=1) for one in centers], axis=0)
        centers = [border[nearest == k].mean(axis=0) for k in range(COLORS)]
    apart = np.min([np.sqrt(((lab - one) ** 2).sum(axis=2)) for one in centers], axis=0)
    contrast = cv2.GaussianBlur(apart, (0, 0), 1.0)
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    found: NDArray[np.float64] = contrast / contrast.max() * np.exp(-(y**2 + x**2) / (2 * 8**2)) + 0.001
    return found


def objects(seed: int) -> NDArray[np.uint8]:
    """Return an object of another colour in front of four plain colours, with grain."""
    rng = np.random.default_rng(seed)
    rgb = np.zeros((120, 160, 3))
    for number, part in enumerate((np.s_[:60, :80], np.s_[:60, 80:], np.s_[60:, :80], np.s_[60:, 80:])):
        rgb[part] = ((200, 40, 40), (40, 200, 40), (40, 40, 200), (200, 200, 40))[number]
    rgb[45:80, 60:110] = (20, 20, 20)
    return np.clip(rgb + rng.normal(0, 3, rgb.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_distance_to_the_colors_of_the_border_times_a_central_weight(seed: int) -> None:
    rgb = objects(seed)
    np.testing.assert_allclose(saliency(rgb), reference(rgb), atol=0.02)


def test_the_colors_of_the_border_are_five() -> None:
    rgb = objects(0)
    rgb[40:80, :40], rgb[40:80, 120:] = (200, 110, 40), (40, 150, 200)  # two more at the sides
    found = saliency(rgb)
    np.testing.assert_allclose(found, reference(rgb), atol=0.02)
    assert found[10:14, :2].max() > 0.05, "a mixed color is not the color of these pixels"


def test_an_object_in_the_middle_stands_out_and_the_background_does_not() -> None:
    found = saliency(objects(0))
    assert found[12, 12] > 0.8
    assert max(found[12, 3], found[3, 12], found[21, 21]) < 0.1


@pytest.mark.parametrize("level", [0, 119, 255])
@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 500), (500, 3), (90, 120)])
def test_in_a_plain_photo_only_the_place_counts(level: int, height: int, width: int) -> None:
    found = saliency(np.full((height, width, 3), level, np.uint8))
    np.testing.assert_allclose(found, found[::-1, ::-1], atol=1e-6)
    assert found.max() == pytest.approx(1.0, abs=0.01)
    assert found.argmax() in {s * SIDE + t for s in (11, 12) for t in (11, 12)}


@pytest.mark.parametrize("rgb", [scene(), scene(700, 9), scene(9, 700), scene(1, 1), np.repeat(scene()[..., :1], 3, 2)])
def test_values_are_finite_and_in_their_range(rgb: NDArray[np.uint8]) -> None:
    assert Saliency().extract(WorkingImage.from_array(rgb)).vectors.shape == (SIDE * SIDE, Saliency().dimension)
    found = saliency(rgb)
    assert found.dtype == np.float32
    assert np.isfinite(found).all()
    assert 0.001 <= found.min() <= found.max() <= 1.0011


@pytest.mark.parametrize(("ring", "stands_out"), [(BORDER - 1, False), (BORDER, True)])
def test_the_border_is_two_pixels_wide(ring: int, stands_out: bool) -> None:
    rgb = np.full((SIDE, SIDE, 3), 200, np.uint8)
    cv2.rectangle(rgb, (ring, ring), (SIDE - 1 - ring, SIDE - 1 - ring), (180, 30, 30))
    found = saliency(rgb)
    if stands_out:
        assert found[12, ring] > 0.3
        assert found[12, 12] == found[12, -12] == pytest.approx(0.001, abs=1e-5)
    else:
        assert found[12, 12] > 0.99  # without contrast only the place counts


def test_a_mirrored_photo_has_the_mirrored_saliency() -> None:
    rgb = objects(1)
    np.testing.assert_allclose(saliency(rgb[:, ::-1]), saliency(rgb)[:, ::-1], atol=0.02)


def test_places_read_the_pixel_that_they_lie_in() -> None:
    values = np.arange(SIDE * SIDE, dtype=np.float32)[:, None]
    places = np.array([[-0.5, -0.5, 0], [0.5, 0.5, 1], [0, 0, 2], [-0.5, 0.499, 0]], np.float32)
    assert at_places(values, places).tolist() == [0, SIDE * SIDE - 1, 12 * SIDE + 12, SIDE - 1]


def test_points_are_the_centers_of_the_pixels() -> None:
    found = Saliency().extract(WorkingImage.from_array(scene(96, 48)))
    np.testing.assert_allclose(found.points[[0, 1, -1]], [[2, 1], [6, 1], [94, 47]], atol=1e-4)
