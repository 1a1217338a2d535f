# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.features.base import NotFittedError
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_vectors import DrawnPoints, FisherEncoder, FisherVector
from focal_photos.features.local.dense_color import DenseColor
from focal_photos.features.local.dense_grid import PLACE
from focal_photos.features.local.dense_sift import DenseSift
from tests.features.pictures import scene

SMALL = FisherVector(DenseColor(), components=3, local_axes=5, axes=4)


def images(count: int) -> list[WorkingImage]:
    return [WorkingImage.from_array(scene(128, 96, seed=seed)) for seed in range(count)]


def fitted(bare: FisherVector = SMALL, count: int = 12) -> FisherVector:
    return bare.fit([bare.learned_from.extract(image).vectors for image in images(count)])


def log_likelihood(
    x: NDArray[np.float64], w: NDArray[np.float64], m: NDArray[np.float64], s: NDArray[np.float64]
) -> float:
    squares = ((x[:, None] - m) / s) ** 2
    densities = np.exp(-0.5 * squares).prod(axis=2) / s.prod(axis=1) * w
    return float(np.log(densities.sum(axis=1)).mean())


def test_the_gradient_is_that_of_the_log_likelihood_normalised_by_the_information() -> None:
    rng = np.random.default_rng(0)
    d, k = 3, 2
    arrays = {
        "local_mean": np.zeros(d, np.float32),
        "local_axes": np.eye(d, dtype=np.float32),
        "place_weight": np.ones(1, np.float32),
        "weights": np.array([0.4, 0.6], np.float32),
        "means": rng.normal(size=(k, d + PLACE)).astype(np.float32),
        "variances": rng.uniform(0.5, 2, (k, d + PLACE)).astype(np.float32),
    }
    x = rng.normal(size=(40, d + PLACE)).astype(np.float32)
    encoder = FisherEncoder(arrays)
    found = encoder.encode(encoder.assigned(x)).astype(np.float64)
    w, m, s = (arrays["weights"].astype(np.float64), arrays["means"].astype(np.float64), np.sqrt(arrays["variances"]))
    s = s.astype(np.float64)
    step = 1e-5
    by_means, by_deviations = np.empty((k, d + PLACE)), np.empty((k, d + PLACE))
    for at in np.ndindex(k, d + PLACE):
        for result, changed in ((by_means, 0), (by_deviations, 1)):
            moved = []
            for sign in (-1, 1):
                parameters = [m.copy(), s.copy()]
                parameters[changed][at] += sign * step
                moved.append(log_likelihood(x.astype(np.float64), w, *parameters))
            result[at] = (moved[1] - moved[0]) / (2 * step)
    # The information of a mean is w / s^2, that of a deviation 2 w / s^2 (Perronnin 2007, eq. 15 and 16).
    expected = np.concatenate([(by_means * s / np.sqrt(w)[:, None]), (by_deviations * s / np.sqrt(2 * w)[:, None])])
    expected = np.sign(expected) * np.sqrt(np.abs(expected))
    expected = expected.ravel() / np.linalg.norm(expected)
    # Near 0 the root magnifies errors of rounding and of the bounded responsibilities.
    np.testing.assert_allclose(found, expected, atol=0.01)


def test_an_average_photo_has_a_small_gradient() -> None:
    bare = FisherVector(DenseColor(), components=3, local_axes=5, axes=4)
    samples = [bare.learned_from.extract(image).vectors for image in images(12)]
    state = bare.fit(samples).fitted_state()
    encoder = FisherEncoder({name: np.asarray(array, np.float32) for name, array in state.arrays.items()})
    together = np.concatenate(samples)
    x = encoder.reduced({name: np.asarray(a, np.float32) for name, a in state.arrays.items()}, together)
    q = encoder._mixture.responsibilities(x)
    m, v = np.asarray(state["means"], np.float64), np.asarray(state["variances"], np.float64)
    by_means = (q.T @ x - q.sum(axis=0)[:, None] * m) / (np.sqrt(v) * len(x))
    # The gradient is 0 at the maximum of the likelihood, which some rounds of EM approach.
    assert np.abs(by_means).max() < 0.02


def test_axes_are_the_principal_axes_of_the_sample() -> None:
    bare = SMALL
    samples = [bare.learned_from.extract(image).vectors for image in images(12)]
    one = bare.fit(samples)
    vectors = np.stack([one.from_local(photo) for photo in samples]).astype(np.float64)
    np.testing.assert_allclose(vectors.mean(axis=0), 0, atol=1e-4)
    covariance = vectors.T @ vectors / len(vectors)
    encoder = FisherEncoder({name: np.asarray(array, np.float32) for name, array in one.fitted_state().arrays.items()})
    raw = np.stack([encoder.encode(encoder.assigned(photo)) for photo in samples]).astype(np.float64)
    spectrum = np.linalg.eigvalsh(np.cov(raw.T, bias=True))[::-1][: bare.axes]
    np.testing.assert_allclose(covariance, np.diag(spectrum), atol=1e-4)


def test_extract_encodes_all_points() -> None:
    one = fitted()
    image = images(3)[2]
    np.testing.assert_array_equal(one.extract(image), one.from_local(one.local.extract(image).vectors))


def test_order_of_points_does_not_matter() -> None:
    one = fitted()
    vectors = one.local.extract(images(1)[0]).vectors
    shuffled = np.random.default_rng(0).permutation(vectors)
    np.testing.assert_allclose(one.from_local(vectors), one.from_local(shuffled), atol=1e-4)


def test_photos_without_points_give_the_mean() -> None:
    one = fitted(FisherVector(DenseSift(), components=3, local_axes=5, axes=4))
    flat = WorkingImage.from_array(np.full((40, 60, 3), 80, np.uint8))
    np.testing.assert_array_equal(one.extract(flat), np.zeros(4, np.float32))


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_photos_give_zeros_on_undetermined_axes(count: int) -> None:
    one = fitted(FisherVector(DenseSift(), components=3, local_axes=5, axes=4), count)
    found = one.extract(images(3)[2])
    assert found.shape == (4,)
    assert np.isfinite(found).all()
    assert not found[max(count - 1, 0) :].any()


def test_a_sample_without_points_can_be_fitted() -> None:
    bare = FisherVector(DenseSift(), components=3, local_axes=5, axes=4)
    one = bare.fit([np.zeros((0, bare.local.dimension), np.float32)] * 3)
    np.testing.assert_array_equal(one.extract(images(1)[0]), np.zeros(4, np.float32))


def test_drawn_points_are_points_of_the_base_in_order() -> None:
    image = images(1)[0]
    every = DenseColor().extract(image)
    some = DrawnPoints(DenseColor(), 50).extract(image)
    assert len(some) == 50
    at = [int(np.flatnonzero((every.vectors == row).all(axis=1))[0]) for row in some.vectors]
    assert at == sorted(set(at))
    np.testing.assert_array_equal(some.points, every.points[at])
    assert len(DrawnPoints(DenseColor(), 10**6).extract(image)) == len(every)


def test_it_must_be_fitted_with_valid_parameters() -> None:
    with pytest.raises(NotFittedError):
        SMALL.extract(images(1)[0])
    with pytest.raises(ValueError, match="at least 1"):
        FisherVector(DenseColor(), components=0)
    with pytest.raises(ValueError, match="At least 1"):
        DrawnPoints(DenseColor(), 0)
