# SPDX-License-Identifier: MIT
"""Subsets of rows: known answers, and properties."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.galleries.subsets import balanced, farthest_first, oddness, typical


def line(*places: float) -> NDArray[np.float32]:
    """Return points on a line."""
    return np.array(places, dtype=np.float32)[:, None]


def clusters(*sizes: int, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Return rows in narrow clusters that are far apart, and the cluster of each."""
    rng = np.random.default_rng(seed)
    of = np.repeat(np.arange(len(sizes)), sizes)
    return (rng.normal(0, 0.1, (len(of), 3)) + 10 * np.eye(len(sizes), 3)[of]).astype(np.float32), of


def test_the_farthest_point_comes_next() -> None:
    assert farthest_first(line(0, 1, 5, 10, 6), 4, 1).tolist() == [1, 3, 2, 0]
    assert farthest_first(line(0, 1), 5, 0).tolist() == [0, 1]
    assert farthest_first(line(3, 3, 3), 2, 1).tolist() == [1, 0], "ties by row"


@given(st.lists(st.integers(0, 60), min_size=1, max_size=9), st.integers(1, 4), st.integers(0, 8))
def test_farthest_first_is_within_twice_the_optimum(places: list[int], count: int, start: int) -> None:
    from itertools import combinations

    X = line(*places)
    chosen = farthest_first(X, count, start % len(places))
    assert len(set(chosen.tolist())) == min(count, len(places))

    def radius(rows: tuple[int, ...]) -> float:
        return float(np.abs(X - X[list(rows), 0]).min(axis=1).max())

    best = min(radius(rows) for rows in combinations(range(len(places)), min(count, len(places))))
    assert radius(tuple(chosen.tolist())) <= 2 * best + 1e-4


def test_typical_rows_are_one_of_each_cluster_in_order_of_size() -> None:
    X, of = clusters(5, 30, 12)
    chosen = typical(X, 3, 0)
    assert of[chosen].tolist() == [1, 2, 0], "the larger first"
    for row in chosen:
        own = X[of == of[row]]
        from_middle = np.linalg.norm(own - own.mean(axis=0), axis=1)
        assert np.linalg.norm(X[row] - own.mean(axis=0)) <= np.median(from_middle)
    assert sorted(typical(X, 100, 0).tolist()) == list(range(47))
    assert typical(line(2), 1, 0).tolist() == [0]
    assert len(set(typical(line(1, 1, 1), 3, 0).tolist())) == 3


def test_many_rows_are_represented_by_a_seeded_sample() -> None:
    X, of = clusters(3000, 1500, 800)
    one, again, other = typical(X, 20, 1), typical(X, 20, 1), typical(X, 20, 2)
    assert one.tolist() == again.tolist() != other.tolist()
    assert set(of[one[:3]]) == {0, 1, 2}
    far = np.vstack([X, [[50, 50, 50]]]).astype(np.float32)
    assert oddness(far, 0).argmax() == len(X)
    assert oddness(far, 0).tolist() == oddness(far, 0).tolist()


def test_a_row_far_from_all_others_is_odd() -> None:
    X, _ = clusters(20, 20)
    found = oddness(np.vstack([X, [[30, 0, 0]], X[:2] + 3]).astype(np.float32), 0)
    assert found.argmax() == 40
    assert set(np.argsort(-found)[1:3]) == {41, 42}, "a pair is odd too, though each has a near one"
    assert oddness(line(4), 0).tolist() == [0]
    assert oddness(line(0, 3), 0) == pytest.approx([3, 3])


def test_each_tag_gets_the_same_number() -> None:
    X, of = clusters(40, 4, 10)
    tags = sp.csr_array(np.eye(3)[of] * (np.arange(len(of)) != 0)[:, None])  # row 0 has none
    chosen = balanced(X, tags, 12, 0)
    assert np.bincount(of[chosen]).tolist() == [4, 4, 4]
    assert 0 not in chosen
    assert np.bincount(of[balanced(X, tags, 20, 0)]).tolist() == [8, 4, 8], "a tag without further rows is done"
    assert len(balanced(X, tags, 1000, 0)) == 53
    assert balanced(X, tags, 12, 0).tolist() == chosen.tolist()


def test_rows_of_a_tag_are_typical_and_a_row_with_two_tags_counts_for_both() -> None:
    X = line(0, 1, 2, 9, 100)
    tags = sp.csr_array(np.array([[1, 0], [1, 0], [1, 0], [1, 1], [0, 1]]))
    found = balanced(X, tags, 5, 0).tolist()
    assert found[0] in (3, 4), "the rarer tag begins"
    assert set(found[:2]) == {3, 4} or found[1] == 1, "then the middle of the other one"
    assert sorted(found) == [0, 1, 2, 3, 4]
    X, of = clusters(30, 30)
    X = np.vstack([X, [[0, 0, 60]]]).astype(np.float32)  # an odd row of the first tag
    tags = sp.csr_array(np.eye(2)[[*of, 0]])
    assert 60 not in balanced(X, tags, 2, 0)


@given(st.integers(1, 30), st.integers(1, 12), st.integers(0, 3))
def test_subsets_have_distinct_rows_and_begin_alike(n: int, count: int, seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(n, 4)).astype(np.float32)
    tags = sp.csr_array(np.random.default_rng(seed).integers(0, 2, (n, 3)))
    for chosen, fewer in (
        (farthest_first(X, count, 0), farthest_first(X, count - 1, 0)),
        (typical(X, count, seed), typical(X, count - 1, seed)),
        (balanced(X, tags, count, seed), balanced(X, tags, count - 1, seed)),
    ):
        assert len(set(chosen.tolist())) == len(chosen) <= count
        assert chosen[: len(fewer)].tolist() == fewer.tolist()
