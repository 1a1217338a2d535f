# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.learners.core.learner.base import no_report
from focal_photos.learners.galleries.clusters import _nearest_centers, nearest_in_clusters
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import MAX_EXACT_ROWS, find_nearest, grow_nearest


def points(n: int, r: int = 8, seed: int = 0) -> NDArray[np.float32]:
    """Return rows of overlapping clusters."""
    rng = np.random.default_rng(seed)
    kinds = rng.normal(size=(max(2, n // 50), r)) * 2
    return (kinds[rng.integers(0, len(kinds), n)] + rng.normal(size=(n, r))).astype(np.float32)


def exactly(rows: NDArray[np.float32], k: int) -> NDArray[np.intp]:
    """Return the nearest other rows of each row by direct distances."""
    far = np.square(rows[:, None].astype(np.float64) - rows).sum(axis=2)
    np.fill_diagonal(far, np.inf)
    return np.argsort(far, axis=1, kind="stable")[:, :k]


def found(before: NDArray[np.integer], now: NDArray[np.integer]) -> float:
    """Return the share of the true nearest rows that were found."""
    return float(np.mean([np.isin(one, other).mean() for one, other in zip(before, now, strict=True)]))


def test_all_nearest_rows_are_found_in_all_clusters() -> None:
    rows = points(400)
    nearest, reach = nearest_in_clusters(FloatGallery(rows), 6, probed=400, progress=no_report)
    assert nearest.dtype == np.int32
    assert np.array_equal(nearest[:, 0], np.arange(400))
    assert np.array_equal(nearest[:, 1:], exactly(rows, 6))
    assert np.allclose(reach, np.linalg.norm(rows - rows[nearest[:, -1]], axis=1))


@pytest.mark.slow
def test_nearly_all_nearest_rows_are_found_in_some_clusters_and_more_in_more() -> None:
    rows = points(2000)
    right = exactly(rows, 10)
    shares = []
    for probed in (1, 4, 12):
        nearest, reach = nearest_in_clusters(FloatGallery(rows), 10, probed=probed, progress=no_report)
        shares.append(found(right, nearest[:, 1:]))
        # Distinct rows, nearest first, and no unlisted row is nearer than the returned distance.
        assert all(len(set(row)) == 11 for row in nearest.tolist())
        far = np.linalg.norm(rows[nearest].astype(np.float64) - rows[:, None], axis=2)
        assert (np.diff(far, axis=1) > -1e-5).all()
        assert np.allclose(far[:, -1], reach)
    assert shares[0] < shares[1] < shares[2]
    assert shares[2] > 0.95


def test_isolated_rows_are_compared_with_all() -> None:
    rows = np.concatenate([points(300), 1000 * np.diag(np.arange(1, 9, dtype=np.float32))[:4]])
    nearest, _ = nearest_in_clusters(FloatGallery(rows), 5, probed=1, progress=no_report)
    assert (nearest >= 0).all()
    assert all(len(set(row)) == 6 for row in nearest.tolist())
    assert np.array_equal(nearest[300:, 1:], exactly(rows, 5)[300:])


def test_equal_rows_list_themselves_first_and_then_each_other() -> None:
    rows = np.repeat(points(60), 5, axis=0)
    nearest, reach = nearest_in_clusters(FloatGallery(rows), 4, probed=60, progress=no_report)
    for i, row in enumerate(nearest.tolist()):
        first = i // 5 * 5
        assert [row[0], *sorted(row[1:])] == [i, *(other for other in range(first, first + 5) if other != i)]
    assert not reach.any()


def test_the_search_reports_progress_and_can_be_cancelled() -> None:
    told: list[float] = []
    nearest_in_clusters(FloatGallery(points(500)), 5, progress=told.append)
    assert told == sorted(told)
    assert 0 < told[0] < told[-1] <= 1

    def end(share: float) -> None:
        if share > 0.3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        nearest_in_clusters(FloatGallery(points(500)), 5, progress=end)


@pytest.mark.slow
def test_large_galleries_are_searched_in_clusters_and_extended_exactly() -> None:
    rows = points(MAX_EXACT_ROWS + 200, r=4)
    part = FloatGallery(rows[: MAX_EXACT_ROWS + 50])
    former = find_nearest(part)
    assert np.array_equal(former.rows, nearest_in_clusters(part, 20, progress=no_report)[0])
    whole = FloatGallery(rows)
    grown = grow_nearest(whole, former, np.arange(MAX_EXACT_ROWS + 50))
    new = np.arange(MAX_EXACT_ROWS + 50, MAX_EXACT_ROWS + 200)
    assert np.array_equal(grown.rows[new, 1:], whole.rank_many(rows[new], 20, skip=new)[0])
    # With many new rows, all rows are searched again.
    before = find_nearest(FloatGallery(rows[:15_000]))
    again = grow_nearest(whole, before, np.arange(15_000))
    assert np.array_equal(again.rows, find_nearest(whole).rows)


@pytest.mark.slow
def test_the_search_is_exact_up_to_the_limit() -> None:
    rows = points(MAX_EXACT_ROWS)
    some = np.arange(0, MAX_EXACT_ROWS, 97)
    nearest = find_nearest(FloatGallery(rows))
    assert np.array_equal(nearest.rows[some, 1:], FloatGallery(rows).rank_many(rows[some], 20, skip=some)[0])


def test_the_clusters_of_a_row_are_the_nearest_in_order() -> None:
    rows, centers = points(300), points(40, seed=1)
    far = np.linalg.norm(rows[:, None].astype(np.float64) - centers, axis=2)
    assert np.array_equal(_nearest_centers(rows, centers, 9), np.argsort(far, axis=1)[:, :9])
