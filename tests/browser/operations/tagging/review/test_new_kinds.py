"""The groups of photos that no tag explains, and the confidences of their photos."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.operations.tagging.review.new_kinds import NewKind, confidence_of_kind, find_new_kinds

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
    # 2.4 + .17 logit(.998) + 1.1 log(.5) = 2.694, and 2.4 + .17 logit(.5) + 1.1 log(.1) = -.133
    sure = confidence_of_kind(np.array([0.999, 0.5]), np.array([0.5, 0.1]))
    assert sure == pytest.approx([0.937, 0.467], abs=5e-4)


@given(st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=20))
def test_no_photo_is_more_certain_than_the_one_before_it(photos: list[tuple[float, float]]) -> None:
    belonging, shared = np.array(photos).T
    sure = confidence_of_kind(belonging, shared)
    assert (np.diff(sure) <= 0).all()
    assert ((sure > 0) & (sure < 1)).all()


@pytest.mark.parametrize("share", [0.1, 0.4, 0.8])
def test_photos_of_the_core_are_not_compared_with_themselves(share: float) -> None:
    assert only_group(alike(share)).shared == pytest.approx(np.full(15, share))


def test_a_single_photo_is_its_own_kind() -> None:
    assert only_group(alike(0.5, 1)).shared.tolist() == [1.0]


def test_a_group_of_unlike_photos_is_less_certain() -> None:
    mixed, clear = only_group(alike(0.05, 10)), only_group(alike(0.6, 10))
    assert mixed.belonging == pytest.approx(clear.belonging, abs=0.02), "belonging is relative to the group"
    unsure, sure = (confidence_of_kind(one.belonging, one.shared) for one in (mixed, clear))
    assert (unsure < 0.5).all()
    assert (sure > 0.85).all()
