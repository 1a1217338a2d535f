from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from learners.core.errors import LearnerError
from learners.evaluation.out_of_fold import HeldOut, out_of_fold_neighbors, some_of
from learners.galleries.row_gallery import Gallery, row_gallery


class Learning:
    """Learns nothing, and remembers what it was to learn without."""

    def __init__(self, n: int) -> None:
        self.X = np.random.default_rng(0).normal(size=(n, 3)).astype(np.float32)
        self.seen: list[HeldOut] = []

    def __call__(self, fold: HeldOut, _rng: np.random.Generator) -> tuple[Gallery, NDArray[np.float32]]:
        self.seen.append(fold)
        return row_gallery(None, self.X[fold.others]), self.X[fold.asked]


def test_neighbours_come_from_the_other_folds() -> None:
    learn = Learning(60)
    rows, neighbors, distances = out_of_fold_neighbors(learn, 60, 50, folds=3)
    np.testing.assert_array_equal(rows, np.arange(60))
    assert neighbors.shape == distances.shape == (60, 50)
    assert neighbors.dtype == np.intp
    for number, fold in enumerate(learn.seen):
        assert fold.number == number
        np.testing.assert_array_equal(np.union1d(fold.rows, fold.others), np.arange(60))
        np.testing.assert_array_equal(fold.asked, fold.rows)
        for row in fold.rows:
            expected = np.linalg.norm(learn.X[fold.others].astype(np.float64) - learn.X[row], axis=1)
            order = np.argsort(expected, kind="stable")
            np.testing.assert_array_equal(neighbors[row, :40], fold.others[order])
            np.testing.assert_allclose(distances[row, :40], expected[order], rtol=1e-6)
            assert (neighbors[row, 40:] == -1).all()
            assert np.isinf(distances[row, 40:]).all()


def test_where_time_is_short_some_folds_and_samples_are_enough() -> None:
    learn = Learning(60)
    rows, neighbors, _ = out_of_fold_neighbors(learn, 60, 5, folds=3, parts=2, most_asked=25, most_others=30)
    assert [len(fold.rows) for fold in learn.seen] == [20, 20]
    assert [len(fold.asked) for fold in learn.seen] == [13, 13], "half of the 25 in each, rounded up"
    assert [len(fold.others) for fold in learn.seen] == [30, 30]
    assert len(rows) == 26
    assert (np.diff(rows) > 0).all()
    for fold in learn.seen:
        assert np.isin(fold.asked, fold.rows).all()
        assert not np.isin(fold.others, fold.rows).any()
        assert np.isin(neighbors[np.isin(rows, fold.rows)], fold.others).all()


def test_a_photo_alone_has_no_neighbours() -> None:
    rows, neighbors, distances = out_of_fold_neighbors(Learning(1), 1, 5)
    assert rows.tolist() == [0]
    assert (neighbors == -1).all()
    assert np.isinf(distances).all()
    nothing = out_of_fold_neighbors(Learning(0), 0, 5)
    assert [part.shape for part in nothing] == [(0,), (0, 5), (0, 5)]


def test_one_fold_is_no_fold() -> None:
    with pytest.raises(LearnerError, match="folds must be at least 2"):
        out_of_fold_neighbors(Learning(60), 60, 5, folds=1)


def test_a_sample_is_taken_only_of_more_than_wanted() -> None:
    rows, rng = np.arange(10, 20), np.random.default_rng(0)
    assert some_of(rows, None, rng) is rows
    assert some_of(rows, 10, rng) is rows
    some = some_of(rows, 9, rng)
    assert len(some) == 9
    assert (np.diff(some) > 0).all()
