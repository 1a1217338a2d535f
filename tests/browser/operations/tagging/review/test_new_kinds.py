# SPDX-License-Identifier: MIT
"""The groups of photos that no tag explains, and the confidences of their photos."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.operations.tagging.review.new_kinds import (
    NewKind,
    confidence_of_kind,
    find_new_kinds,
    relative_distances,
)
from focal_photos.learners.galleries.float_gallery import FloatGallery

SHARES = st.floats(0, 1)


class Shares:
    """Neighbourhoods of photos 0, 1, ... given by the shares of neighbours that they have in common."""

    def __init__(self, shared: np.ndarray) -> None:
        self.ids, self._shared = np.arange(len(shared)), shared

    def shared(self, rows: np.ndarray) -> sp.csr_array:
        """Return the shares of rows and all photos."""
        return sp.csr_array(self._shared[rows])


def only_group(shared: np.ndarray) -> NewKind:
    """Return the group of photos without any tags."""
    found = find_new_kinds(Shares(shared), np.arange(len(shared)), np.ones(len(shared)), groups=1)  # type: ignore[arg-type]
    return found[0]


def alike(share: float, n: int = 15) -> np.ndarray:
    """Return photos that have the same share of neighbours in common, each with every other."""
    shared = np.full((n, n), share)
    np.fill_diagonal(shared, 1)
    return shared


def test_the_confidence_in_a_photo_follows_the_formula() -> None:
    belonging, shared, distances = np.array([0.999, 0.5]), np.array([0.5, 0.1]), np.array([0.7, 0.9])
    # With 400 photos: 2.4 + .17 logit(.998) + 1.1 log(.5) = 2.694, and 2.4 + .17 logit(.5) + 1.1 log(.1) = -.133
    many = confidence_of_kind(belonging, shared, distances, 400, 400)
    assert many == pytest.approx([0.937, 0.467], abs=5e-4)
    # With 200: -1 + .09 logit(.998) + 1.1 log(.5) - 11 log(.7) = 2.720, and -1 + 1.1 log(.1) - 11 log(.9) = -2.374
    few = confidence_of_kind(belonging, shared, distances, 200, 200)
    assert few == pytest.approx([0.938, 0.085], abs=5e-4)
    # With 283, half of both: (-.133 - 2.374) / 2 = -1.253
    between = confidence_of_kind(belonging, shared, distances, 283, 283)
    assert between == pytest.approx([0.937, 0.222], abs=1e-3)
    # With 100, half of them tagged: .6 log(.5) log(shared) - 1.5 log(.5) more, 4.048 and -.377
    fewer = confidence_of_kind(belonging, shared, distances, 100, 50)
    assert fewer == pytest.approx([0.983, 0.407], abs=5e-4)


@given(SHARES, SHARES, st.floats(0, 2), st.integers(1, 10_000), st.floats(0, 1))
def test_a_photo_is_more_certain_if_it_belongs_shares_and_is_near(
    belonging: float, shared: float, distance: float, photos: int, untagged: float
) -> None:
    nearer = [[(1 + belonging) / 2, shared, distance], [belonging, (1 + shared) / 2, distance]]
    signs = np.array([[belonging, shared, distance], *nearer, [belonging, shared, distance / 2]])
    sure = confidence_of_kind(signs[:, 0], signs[:, 1], signs[:, 2], photos, max(1, round(untagged * photos)))
    assert ((sure > 0) & (sure < 1)).all()
    assert (sure[1:] >= sure[0]).all()


def test_distances_to_the_core_are_relative_to_those_to_all_photos() -> None:
    gallery = FloatGallery(np.array([[0], [1], [3], [9]], np.float32))
    # Distances 1, 3 | 9; 1, 2 | 8; 3, 2 | 6: means to the core 2, 1.5 and 2.5, to all 13/3, 11/3 and 11/3.
    found = relative_distances(gallery, np.arange(3), np.arange(4))
    assert found == pytest.approx([6 / 13, 4.5 / 11, 7.5 / 11])


def test_photos_beyond_the_tenth_are_not_in_the_core() -> None:
    gallery = FloatGallery(np.arange(11, dtype=np.float32)[:, None])
    assert relative_distances(gallery, np.arange(11), np.arange(11))[-1] == pytest.approx(1)


def test_photos_at_one_place_are_as_near_to_the_core_as_to_all() -> None:
    gallery = FloatGallery(np.ones((3, 2), np.float32))
    assert relative_distances(gallery, np.arange(3), np.arange(3)).tolist() == [1, 1, 1]
    assert relative_distances(gallery, np.arange(1), np.arange(1)).tolist() == [1]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12, unique=True))
def test_relative_distances_do_not_depend_on_the_scale(points: list[tuple[int, int]]) -> None:
    rows, group = np.array(points, np.float32), np.arange(len(points))
    found, larger = (relative_distances(FloatGallery(size * rows), group, group) for size in (1, 8))
    assert larger == pytest.approx(found, abs=1e-3)


@pytest.mark.parametrize("share", [0.1, 0.4, 0.8])
def test_photos_of_the_core_are_not_compared_with_themselves(share: float) -> None:
    assert only_group(alike(share)).shared == pytest.approx(np.full(15, share))


def test_a_single_photo_is_its_own_kind() -> None:
    assert only_group(alike(0.5, 1)).shared.tolist() == [1.0]


def test_a_group_of_unlike_photos_is_less_certain() -> None:
    mixed, clear = only_group(alike(0.05, 10)), only_group(alike(0.6, 10))
    assert mixed.belonging == pytest.approx(clear.belonging, abs=0.02), "belonging is relative to the group"
    unsure, sure = (confidence_of_kind(one.belonging, one.shared, np.ones(10), 400, 400) for one in (mixed, clear))
    assert (unsure < 0.5).all()
    assert (sure > 0.85).all()


def test_photos_of_a_small_folder_that_share_neighbours_need_not_be_alike() -> None:
    """Where a neighbourhood is a large part of the folder, distances tell a kind from other photos."""
    kind = only_group(alike(0.5, 10))
    near, far = (confidence_of_kind(kind.belonging, kind.shared, np.full(10, one), 60, 60) for one in (0.7, 0.95))
    assert (near > 0.85).all()
    assert (far < 0.5).all()
