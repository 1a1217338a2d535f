# SPDX-License-Identifier: MIT
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners import LEARNERS, LearnerError, create
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin
from focal_photos.learners.core.learner.storage_layout import StorageLayout
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.row_gallery import RowGallery, gallery_rows, row_gallery

OTHERS = [name for name, kind in LEARNERS.items() if not issubclass(kind, EmbeddingMixin)]
FAMILIES = (FeatureFamily("one", 0, 4, False), FeatureFamily("two", 4, 12, False))


def samples(n: int = 200, d: int = 12) -> NDArray[np.float32]:
    """Four clouds with some duplicate photos."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) + 2 * rng.normal(size=(4, d))[np.arange(n) % 4]
    X[-5:] = X[:5]
    return X.astype(np.float32)


def fitted(name: str, X: NDArray[np.float32], **parameters: Any) -> DistanceLearner:
    with_families: dict[str, Any] = {"families": FAMILIES} if "families" in create(name).get_params() else {}
    return create(name, **with_families, **parameters).fit(X, SideInformation.from_labels(np.arange(len(X)) % 4))


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("blend", [None, 0.5])
def test_the_gallery_ranks_by_the_distance_of_the_learner(name: str, blend: float | None) -> None:
    if blend is not None and "euclidean_blend" not in create(name).get_params():
        blend = None
    X = samples()
    learner = fitted(name, X, **({} if blend is None else {"euclidean_blend": blend}))
    rows = gallery_rows(learner, X)
    assert rows.dtype == np.float32
    assert rows.flags.c_contiguous
    gallery = row_gallery(learner, rows)
    assert len(gallery) == len(X)
    expected = learner.distances_from(X[3], X)
    order, distances = gallery.rank(rows[3])
    np.testing.assert_allclose(distances, expected[order], atol=2e-5 * expected.max())
    assert (np.diff(distances) >= 0).all()
    np.testing.assert_array_equal(np.sort(order), np.arange(len(X)))
    ties = np.diff(distances) == 0
    assert (np.diff(order)[ties] > 0).all()
    first, nearest = gallery.rank(rows[3], 20)
    np.testing.assert_array_equal(first, order[:20])
    np.testing.assert_array_equal(nearest, distances[:20])


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("k", [1, 7, 199, 500])
def test_many_queries_are_ranked_like_one(name: str, k: int) -> None:
    X = samples()
    learner = fitted(name, X)
    rows = gallery_rows(learner, X)
    gallery = row_gallery(learner, rows)
    asked = np.array([0, 3, 117, 199])
    skip = np.array([0, -1, 117, 199])
    found, distances = gallery.rank_many(rows[asked], k, skip=skip)
    count = min(k, len(X) - 1)
    assert found.shape == distances.shape == (4, count)
    for i, query in enumerate(asked):
        one, near = gallery.rank(rows[query])
        kept = one != skip[i]
        np.testing.assert_array_equal(found[i], one[kept][:count])
        np.testing.assert_allclose(distances[i], near[kept][:count], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", OTHERS)
def test_photos_far_away_do_not_affect_which_copies_are_nearest(name: str) -> None:
    X = samples()
    learner = fitted(name, X)
    far = np.concatenate([X, 1e4 * X[:3] + 1e5])
    rows = gallery_rows(learner, far)
    gallery = row_gallery(learner, rows)
    found, _ = gallery.rank_many(rows[:200], 10)
    for query in range(0, 200, 20):
        np.testing.assert_array_equal(found[query], gallery.rank(rows[query], 10)[0])


def test_a_family_without_weight_is_not_stored() -> None:
    X = samples()
    learner = fitted("kernel-best", X, euclidean_blend=0)
    assert gallery_rows(learner, X).shape[1] in (4, 8)
    assert gallery_rows(fitted("kernel-best", X, euclidean_blend=0.1), X).shape[1] == 12


@pytest.mark.parametrize("name", OTHERS)
def test_queries_are_checked(name: str) -> None:
    X = samples()
    learner = fitted(name, X)
    gallery = row_gallery(learner, gallery_rows(learner, X))
    assert isinstance(gallery, RowGallery)
    with pytest.raises(LearnerError, match="A query must have"):
        gallery.rank(np.zeros(3, np.float32))
    with pytest.raises(LearnerError, match="NaN"):
        gallery.rank(np.full(gallery.rows.shape[1], np.nan, np.float32))
    assert [part.shape for part in gallery.rank_many(gallery.rows[:2], 0)] == [(2, 0), (2, 0)]


class Given(StorageLayout):
    """Distances and rough scores given by row number for any query; the only value of a row is its number."""

    def __init__(self, distances: ArrayLike, rough: ArrayLike | None = None, slack: float = 0.0) -> None:
        self._distances, self._rough, self._slack = np.array(distances), rough, slack
        self.asked: list[int] = []

    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        return X

    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        self.asked.append(len(rows))
        found: NDArray[np.float64] = self._distances[rows[:, 0].astype(np.intp)]
        return found

    def rough(
        self, queries: NDArray[np.float32], rows: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], float] | None:
        if self._rough is None:
            return None
        return np.tile(np.array(self._rough)[rows[:, 0].astype(np.intp)], (len(queries), 1)), self._slack


def numbered(form: Given) -> RowGallery:
    return RowGallery(form, np.arange(len(form._distances), dtype=np.float32)[:, None])


@pytest.mark.parametrize("k", [None, 1, 10, 3000, 9000, 10_000])
def test_the_nearest_agree_with_a_full_sort(k: int | None) -> None:
    given = np.round(np.random.default_rng(0).random(9000), 2)  # many equal distances
    form = Given(given)
    rows, distances = numbered(form).rank([0.0], k)
    order = np.argsort(given.astype(np.float32), kind="stable")[:k]
    np.testing.assert_array_equal(rows, order)
    np.testing.assert_array_equal(distances, given[order].astype(np.float32))
    assert rows.dtype == np.intp
    assert distances.dtype == np.float32
    assert form.asked == [4096, 4096, 808], "rows are read in blocks"


def test_distances_that_are_nan_are_refused() -> None:
    with pytest.raises(LearnerError, match="NaN"):
        numbered(Given([0.0, np.nan])).rank([0.0])
    assert len(numbered(Given([])).rank([0.0])[0]) == 0
    assert len(numbered(Given([1.0])).rank([0.0], 0)[0]) == 0


def test_distances_equal_in_float32_are_ties() -> None:
    # In double precision the last row is the nearest; in float32, which is compared, all rows are equally near.
    given = 1 + 1e-10 * np.arange(100)[::-1]
    gallery = numbered(Given(given, rough=given))
    assert gallery.rank([0.0], 5)[0].tolist() == [0, 1, 2, 3, 4]
    rows, distances = gallery.rank_many([[0.0]], 5)
    assert rows.tolist() == [[0, 1, 2, 3, 4]]
    assert (distances == 1).all()


def test_the_slack_of_rough_scores_counts_on_both_sides() -> None:
    # The nearest row seems 0.1 farther than it is, and the others 0.1 nearer.
    given = np.array([1.01, 1.02, 1.0, 1.03, 1.04])
    rough = given + 0.1 * np.array([-1, -1, 1, -1, -1])
    rows, _ = numbered(Given(given, rough, slack=0.1)).rank_many([[0.0]], 1)
    assert rows.tolist() == [[2]]
    wrong, _ = numbered(Given(given, rough, slack=0.01)).rank_many([[0.0]], 1)
    assert wrong.tolist() == [[0]], "a form with a wrong bound is not verified"


def test_the_largest_slack_of_all_blocks_counts() -> None:
    class Uneven(Given):
        def rough(
            self, queries: NDArray[np.float32], rows: NDArray[np.float32]
        ) -> tuple[NDArray[np.float64], float] | None:
            found = super().rough(queries, rows)
            return found and (found[0], 0.0 if rows[0, 0] else 0.1)

    given = np.full(4100, 5.0)
    given[:5] = [1.01, 1.02, 1.0, 1.03, 1.04]
    rough = given + 0.1 * np.concatenate([[-1, -1, 1, -1, -1], np.zeros(4095)])
    assert numbered(Uneven(given, rough)).rank_many([[0.0]], 1)[0].tolist() == [[2]]
