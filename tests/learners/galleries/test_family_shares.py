# SPDX-License-Identifier: MIT
"""The shares of the families add up to the squared distance for every learner of the table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners import LEARNERS, create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.family_shares import family_shares
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery
from tests.examples import examples

FAMILIES = (FeatureFamily("a", 0, 2, False), FeatureFamily("b", 2, 5, False), FeatureFamily("c", 5, 6, False))
POINTS = np.random.default_rng(0).normal(size=(40, 6)).astype(np.float32)


def shares(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float64]:
    return family_shares(None, one, other, FAMILIES)


def fitted(name: str) -> DistanceLearner:
    learner = create(name)
    if "families" in learner.get_params():
        learner.set_params(families=FAMILIES)
    kinds = np.arange(40) % 3
    one, other = np.triu_indices(40, 1)
    same = kinds[one] == kinds[other]
    pairs = np.column_stack([one, other])
    rng = np.random.default_rng(1)
    alike, apart = pairs[same], pairs[~same]
    side = SideInformation(rng.permutation(alike)[:60].astype(np.intp), rng.permutation(apart)[:60].astype(np.intp))
    shifted = POINTS + np.pad(np.eye(3)[kinds] * 2, ((0, 0), (0, 3))).astype(np.float32)
    learner.fit(shifted, side | SideInformation.from_labels(kinds))
    return learner


@pytest.mark.parametrize("name", ["kernel", "bdm", "rca"])
@pytest.mark.parametrize("orders", [None, 1])
def test_shares_of_several_photos_are_computed_in_one_embedding(
    name: str, orders: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = fitted(name)
    calls = []

    def embed(learner: DistanceLearner, points: NDArray[np.float32]) -> NDArray[np.float32]:
        calls.append(len(points))
        return gallery_rows(learner, points)

    monkeypatch.setattr("focal_photos.learners.galleries.family_shares.gallery_rows", embed)

    def split(other: NDArray[np.float32]) -> NDArray[np.float64]:
        return family_shares(learner, POINTS[0], other, FAMILIES, orders=orders)

    together = split(POINTS[1:6])
    assert together.shape == (5, 3)
    assert len(calls) == 1
    np.testing.assert_allclose(together, [split(other) for other in POINTS[1:6]], atol=1e-4 * np.abs(together).max())


@pytest.mark.parametrize("name", LEARNERS)
def test_shares_add_up_for_every_learner(name: str) -> None:
    learner = fitted(name)
    rows = gallery_rows(learner, POINTS)
    gallery = row_gallery(learner, rows)
    for i, j in ((0, 1), (7, 30)):
        found = family_shares(learner, POINTS[i], POINTS[j], FAMILIES)
        there = np.square(gallery.distances(rows[i], np.array([j])).astype(np.float64))
        back = np.square(gallery.distances(rows[j], np.array([i])).astype(np.float64))
        itself = [np.square(gallery.distances(rows[k], np.array([k])).astype(np.float64)) for k in (i, j)]
        whole = float(((there + back) / 2 - sum(itself) / 2)[0])
        assert found.sum() == pytest.approx(whole, rel=1e-4, abs=1e-5)


@given(st.integers(0, 39), st.integers(0, 39))
@settings(max_examples=examples(30))
def test_shares_are_sums_of_squares_and_symmetric_and_zero_for_a_photo_itself(i: int, j: int) -> None:
    found = shares(POINTS[i], POINTS[j])
    delta = np.square(POINTS[i].astype(np.float64) - POINTS[j])
    resolution = 2 * np.finfo(np.float32).eps * delta.sum()  # differences of squares of float32 distances
    np.testing.assert_allclose(found, [delta[:2].sum(), delta[2:5].sum(), delta[5:].sum()], rtol=1e-5, atol=resolution)
    np.testing.assert_allclose(found, shares(POINTS[j], POINTS[i]), atol=1e-9)
    np.testing.assert_array_equal(shares(POINTS[i], POINTS[i]), np.zeros(3))


def test_a_linear_map_gives_each_family_its_own_part_and_half_of_the_common_part() -> None:
    learner = fitted("rca")
    assert isinstance(learner, EmbeddingMixin)
    A = (learner.transform(np.eye(6)) - learner.transform(np.zeros((1, 6)))).astype(np.float32)
    found = family_shares(learner, POINTS[2], POINTS[9], FAMILIES)
    delta = (POINTS[2] - POINTS[9]).astype(np.float64)
    mapped = [delta[f.start : f.stop] @ A[f.start : f.stop] for f in FAMILIES]
    np.testing.assert_allclose(found, [part @ sum(mapped) for part in mapped], rtol=1e-4)


def test_a_family_without_difference_has_no_share() -> None:
    other = POINTS[1].copy()
    other[:2] = POINTS[0, :2]
    assert shares(POINTS[0], other)[0] == 0


def test_invalid_families_are_refused() -> None:
    with pytest.raises(LearnerError, match="cover the 6 columns"):
        family_shares(None, POINTS[0], POINTS[1], FAMILIES[:2])
