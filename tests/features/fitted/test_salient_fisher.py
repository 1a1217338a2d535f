# SPDX-License-Identifier: MIT
from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.features.base import NotFittedError
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted import salient_fisher
from focal_photos.features.fitted.fisher_signs import FisherSigns
from focal_photos.features.fitted.fisher_vectors import FisherVector, unit_roots
from focal_photos.features.fitted.principal_components import principal_axes
from focal_photos.features.fitted.salient_fisher import SalientFisherVector
from focal_photos.features.local.dense_color import DenseColor
from focal_photos.features.local.dense_sift import DenseSift
from focal_photos.features.local.saliency import SIDE, Saliency
from focal_photos.features.table import DESCRIPTORS
from tests.features.pictures import scene

BARE = FisherVector(DenseColor(), components=3, local_axes=5, axes=4)


def image(seed: int = 0, width: int = 128, height: int = 96) -> WorkingImage:
    return WorkingImage.from_array(scene(width, height, seed=seed))


def samples(bare: FisherVector = BARE, count: int = 8) -> list[NDArray[np.float32]]:
    return [bare.learned_from.extract(image(seed)).vectors for seed in range(count)]


def fitted(bare: FisherVector = BARE, count: int = 8) -> SalientFisherVector:
    return SalientFisherVector(bare.fit(samples(bare, count)))


def axes_of(salient: SalientFisherVector) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean and the salient axes (d, r)."""
    mean, axes = (np.asarray(salient.fisher.fitted_state()[f"salient_{name}"], np.float64) for name in ("mean", "axes"))
    return mean, axes.T


def by_point(salient: SalientFisherVector, photo: WorkingImage, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the unprojected vector (2 k d,) of a photo, point by point, with the equations of
    ALGORITHMS.md, 12.2.
    """
    state = {name: np.asarray(array, np.float64) for name, array in salient.fisher.fitted_state().arrays.items()}
    pi, m, v = state["weights"], state["means"], state["variances"]
    by_means, by_deviations = np.zeros(m.shape), np.zeros(m.shape)
    for vector, weight in zip(salient.local.of(photo).vectors.astype(np.float64), weights, strict=True):
        look = (vector[:-3] - state["local_mean"]) @ state["local_axes"]
        x = np.concatenate([look, vector[-3:] * state["place_weight"]])
        density = pi * np.exp(-0.5 * ((x - m) ** 2 / v).sum(axis=1)) / np.sqrt(v.prod(axis=1))
        q = density / density.sum() * weight
        by_means += q[:, None] * (x - m) / np.sqrt(v) / np.sqrt(pi)[:, None]
        by_deviations += q[:, None] * ((x - m) ** 2 / v - 1) / np.sqrt(2 * pi)[:, None]
    gradient = np.concatenate([by_means.ravel(), by_deviations.ravel()]) / weights.sum()
    rooted = np.sign(gradient) * np.sqrt(np.abs(gradient))
    return np.asarray(rooted / np.linalg.norm(rooted))


def test_each_point_counts_as_much_as_the_photo_stands_out_at_its_place() -> None:
    salient, photo = fitted(), image(20, 64, 48)
    saliency = Saliency().extract(photo).vectors.reshape(SIDE, SIDE)
    places = salient.local.of(photo).vectors[:, -3:-1] + 0.5
    weights = np.array([saliency[min(int(y * SIDE), 47), min(int(x * SIDE), 47)] for y, x in places], np.float64)
    assert weights.max() > 3 * weights.min()
    mean, axes = axes_of(salient)
    expected = (by_point(salient, photo, weights) - mean) @ axes
    np.testing.assert_allclose(salient.extract(photo), expected, atol=2e-3)


def test_equal_saliency_gives_the_plain_fisher_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(salient_fisher, "at_places", lambda _, places: np.full(len(places), 0.3, np.float32))
    salient, photo = fitted(), image(21)
    points = salient.fisher.assigned(photo)
    assert points is not None
    mean, axes = axes_of(salient)
    np.testing.assert_allclose(salient.extract(photo), (unit_roots(points.gradient) - mean) @ axes, atol=1e-3)


def test_axes_are_those_of_centrally_weighted_samples() -> None:
    salient = fitted()
    encoder = salient.fisher.encoder()
    assert encoder is not None
    raw = []
    for photo in samples():
        points = encoder.assigned(photo)
        weights = np.exp(-(points.places[:, 0] ** 2 + points.places[:, 1] ** 2) / (2 * 0.22**2))
        raw.append(unit_roots(encoder.gradient((points.q * weights) @ points.terms)))
    mean, axes = principal_axes([np.array(raw)], 4, len(raw[0]))
    found = axes_of(salient)
    np.testing.assert_allclose(found[0], mean, atol=1e-5)
    np.testing.assert_allclose(np.abs((axes * found[1]).sum(axis=0)), 1, atol=1e-3)


def test_a_change_of_the_background_matters_less_than_of_the_object() -> None:
    salient = fitted()
    rgb = np.full((96, 128, 3), 200, np.uint8)
    rgb[30:66, 44:84] = (180, 30, 30)
    border, middle = rgb.copy(), rgb.copy()
    border[:12, :60] = (150, 170, 220)
    middle[36:48, 50:70] = (30, 30, 180)
    plain, *changed = (
        [one.extract(WorkingImage.from_array(some)) for one in (salient, salient.fisher)]
        for some in (rgb, border, middle)
    )
    by_border, by_middle = ([np.linalg.norm(a - b) for a, b in zip(some, plain, strict=True)] for some in changed)
    assert by_border[0] / by_middle[0] < by_border[1] / by_middle[1]


def test_the_vector_from_local_vectors_equals_that_of_the_photo() -> None:
    salient, photo = fitted(), image(22)
    parts = [one.extract(photo).vectors for one in salient.computed_from]
    np.testing.assert_array_equal(salient.from_local(*parts), salient.extract(photo))


def test_shared_points_change_neither_the_fisher_vector_nor_its_signs() -> None:
    salient = fitted()
    alone, shared = image(23), image(23)
    salient.extract(shared)
    np.testing.assert_array_equal(salient.fisher.extract(shared), salient.fisher.extract(alone))
    signs = FisherSigns(salient.fisher)
    np.testing.assert_array_equal(signs.extract(shared), signs.extract(alone))
    np.testing.assert_array_equal(salient.extract(alone), salient.extract(shared))


@pytest.mark.parametrize("rgb", [scene(700, 9), scene(9, 700), scene(1, 1), np.full((40, 60, 3), 80, np.uint8)])
@pytest.mark.parametrize("local", [DenseColor(), DenseSift()])
def test_odd_photos_give_finite_vectors(local: DenseColor | DenseSift, rgb: NDArray[np.uint8]) -> None:
    found = fitted(FisherVector(local, components=3, local_axes=5, axes=4)).extract(WorkingImage.from_array(rgb))
    assert found.shape == (4,)
    assert np.isfinite(found).all()


def test_photos_without_points_give_the_mean() -> None:
    salient = fitted(FisherVector(DenseSift(), components=3, local_axes=5, axes=4))
    flat = WorkingImage.from_array(np.full((40, 60, 3), 80, np.uint8))
    np.testing.assert_array_equal(salient.extract(flat), np.zeros(4, np.float32))


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_photos_give_zeros_on_undetermined_axes(count: int) -> None:
    found = fitted(count=count).extract(image(9))
    assert found.shape == (4,)
    assert np.isfinite(found).all()
    assert not found[max(count - 1, 0) :].any()


def test_it_needs_a_fitted_fisher_vector() -> None:
    with pytest.raises(NotFittedError, match="FisherVector is not fitted"):
        SalientFisherVector(BARE).extract(image())
    salient = fitted()
    assert pickle.loads(pickle.dumps(salient)).key == salient.key
    other = dataclasses.replace(salient, fisher=BARE.fit(samples(count=5)))
    assert other.key != salient.key


def test_shape_weighs_as_much_as_before_unless_photos_show_a_foreground() -> None:
    every = [one for one in DESCRIPTORS.values() if one.kind == "fisher"]
    plain = [one for one in every if isinstance(one, FisherVector)]
    assert [one.weight_beside(plain, foreground=True) for one in plain] == [4, 2]
    assert [one.weight_beside(every, foreground=False) for one in every] == [2, 2, 2, 2]
    assert [one.weight_beside(every, foreground=True) for one in every] == [2, 2, 8, 2]
    assert [one.needs_color for one in every] == [False, False, False, True]
