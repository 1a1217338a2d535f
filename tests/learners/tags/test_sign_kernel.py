# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.tags.sign_kernel import SignKernel, agreement


def codes_of(n: int, c: int, seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (n, c), dtype=np.uint8)


def signs_of(codes: NDArray[np.uint8]) -> NDArray[np.float64]:
    return np.asarray(2.0 * np.unpackbits(codes, axis=1) - 1, np.float64)


def cosines(codes: NDArray[np.uint8], others: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the kernel between photos and training photos by its definition."""
    mean = signs_of(others).mean(axis=0)
    a, b = signs_of(codes) - mean, signs_of(others) - mean
    return np.asarray((a @ b.T) / np.linalg.norm(a, axis=1)[:, None] / np.linalg.norm(b, axis=1))


@pytest.mark.parametrize("c", [1, 7, 8, 9, 24])
@pytest.mark.parametrize("n", [1, 31, 32, 33, 70])
def test_equal_bits_are_counted(n: int, c: int) -> None:
    one, other = codes_of(n, c), codes_of(40, c, 1)
    np.testing.assert_array_equal(agreement(one, other), signs_of(one) @ signs_of(other).T)
    np.testing.assert_array_equal(agreement(one), signs_of(one) @ signs_of(one).T)


@given(st.integers(2, 50), st.integers(1, 20), st.integers(0, 10))
def test_the_kernel_is_the_cosine_about_the_mean(n: int, c: int, seed: int) -> None:
    codes = codes_of(n, c, seed)
    if (codes == codes[0]).all():
        return
    np.testing.assert_allclose(SignKernel(codes).kernel, cosines(codes, codes), atol=1e-5)


def test_weights_replace_the_training_photos() -> None:
    codes, others = codes_of(300, 17), codes_of(600, 17, 1)
    coefficients = np.random.default_rng(2).normal(size=(300, 4))
    found = SignKernel(codes).weights(coefficients).scores(others)
    np.testing.assert_allclose(found, cosines(others, codes) @ coefficients, atol=1e-4)
    own = SignKernel(codes).weights(coefficients).scores(codes)
    np.testing.assert_allclose(own, SignKernel(codes).kernel @ coefficients, atol=1e-4)


def test_equal_photos_have_kernel_zero() -> None:
    kernel = SignKernel(np.full((4, 9), 77, np.uint8))
    assert not kernel.kernel.any()
    assert not kernel.weights(np.ones((4, 2))).scores(np.full((2, 9), 77, np.uint8)).any()
    one = SignKernel(codes_of(1, 9))
    assert not one.kernel.any()
    assert np.isfinite(one.weights(np.ones((1, 1))).scores(codes_of(3, 9, 5))).all()


def test_photos_that_nearly_equal_the_mean_have_kernel_zero() -> None:
    # Their squared distance from the mean is a share of 6e-8, which single precision does not distinguish from 0.
    codes = np.full((1000, 9), 77, np.uint8)
    codes[-1, 0] ^= 1
    kernel = SignKernel(codes)
    assert not kernel.kernel[:-1].any()
    assert kernel.kernel[-1, -1] == pytest.approx(1)
    assert not kernel.weights(np.ones((1000, 2))).scores(codes[:1]).any()


def test_a_photo_at_the_mean_has_kernel_zero() -> None:
    # Two opposite photos and one half way: the mean is 0 in each bit that differs.
    kernel = SignKernel(np.array([[0], [255]], np.uint8))
    np.testing.assert_allclose(kernel.kernel, [[1, -1], [-1, 1]], atol=1e-6)
