# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.learners.core.scatters import shared_tags, tag_axes, tag_scatters
from focal_photos.learners.core.side_information import SideInformation

Floats = NDArray[np.float64]


def samples(n: int, d: int) -> Floats:
    return np.random.default_rng(0).normal(size=(n, d))


@pytest.mark.parametrize("most", [1, 5])
def test_tag_scatters_equal_a_loop(most: int) -> None:
    """With 0/1 and with counts."""
    rng = np.random.default_rng(0)
    tags = SideInformation.from_tags((rng.random((9, 4)) < 0.5) * rng.integers(1, most + 1, (9, 4))).tags
    assert tags is not None
    tags = tags[np.flatnonzero(np.diff(tags.indptr))]
    Y, dense = samples(tags.shape[0], 3), tags.toarray()
    means = [np.average(Y, axis=0, weights=dense[:, t]) for t in range(4)]
    predicted = np.array([np.average(means, axis=0, weights=row) for row in dense])
    within, between = tag_scatters(Y, tags)
    np.testing.assert_allclose(within, (Y - predicted).T @ (Y - predicted), atol=1e-10)
    centred = predicted - predicted.mean(axis=0)
    np.testing.assert_allclose(between, centred.T @ centred, atol=1e-10)


def test_the_scatter_within_single_tags_is_that_of_the_classes() -> None:
    Y, y = samples(12, 3), np.arange(12) % 4
    tags = SideInformation.from_labels(y).tags
    assert tags is not None
    expected = sum(np.cov(Y[y == c].T, bias=True) * 3 for c in range(4))
    np.testing.assert_allclose(tag_scatters(Y, tags)[0], expected, atol=1e-10)


def test_only_tags_shared_by_two_photos_are_used() -> None:
    rows, tags = shared_tags(SideInformation.from_tags([[1, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 0]]))
    np.testing.assert_array_equal(rows, [0, 1])
    np.testing.assert_array_equal(tags.toarray(), [[1], [1]])
    rows, tags = shared_tags(SideInformation.from_tags([[2, 0, 3], [1, 0, 0], [0, 5, 0], [0, 0, 0]]))
    np.testing.assert_array_equal(rows, [0, 1])
    np.testing.assert_array_equal(tags.toarray(), [[2], [1]])


def test_the_tags_of_very_many_photos_come_from_a_seeded_sample() -> None:
    labels = SideInformation.from_labels(np.arange(30_000) % 7)
    rows, tags = shared_tags(labels, seed=1)
    assert len(rows) == tags.shape[0] == 20_000
    np.testing.assert_array_equal(rows, shared_tags(labels, seed=1)[0])


@pytest.mark.parametrize(
    ("k", "p", "names", "pairs"), [(12, 30, 4, 3), (12, 30, 14, 0), (40, 10, 4, 3), (40, 10, 15, 5)]
)
def test_the_axes_of_tags_come_from_their_scatters(k: int, p: int, names: int, pairs: int) -> None:
    """With fewer and more photos than coordinates, fewer and more tags than either, and several tags per photo."""
    rng = np.random.default_rng(0)
    Y, differences = rng.standard_normal((k, p)) + 3, rng.standard_normal((pairs, p))
    carried = rng.random((k, names)) < 0.3
    carried[np.arange(k), np.arange(k) % names] = True
    tags = sp.csr_array(carried * rng.integers(1, 6, carried.shape).astype(np.float64))
    within, between = tag_scatters(Y, tags)
    expected = within + differences.T @ differences, between
    for (values, vectors), scatter in zip(tag_axes(Y, tags, differences), expected, strict=True):
        np.testing.assert_allclose((vectors * values) @ vectors.T, scatter, atol=1e-9)
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(values)), atol=1e-6)
        assert len(values) == np.linalg.matrix_rank(scatter, tol=1e-8)
