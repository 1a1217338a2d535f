from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.typing import NDArray

from learners import LEARNERS, DistanceLearner, LearnerError, create
from learners.core.base import EmbeddingMixin
from learners.core.feature_space import ColumnGroup
from learners.core.side_information import SideInformation
from learners.galleries.row_gallery import RowGallery, gallery_rows, row_gallery

OTHERS = [name for name, kind in LEARNERS.items() if not issubclass(kind, EmbeddingMixin)]
GROUPS = (ColumnGroup("one", 0, 4, False), ColumnGroup("two", 4, 12, False))


def samples(n: int = 200, d: int = 12) -> NDArray[np.float32]:
    """Four clouds, with a few photos twice."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) + 2 * rng.normal(size=(4, d))[np.arange(n) % 4]
    X[-5:] = X[:5]
    return X.astype(np.float32)


def fitted(name: str, X: NDArray[np.float32], **parameters: object) -> DistanceLearner:
    grouped = {"groups": GROUPS} if "groups" in create(name).get_params() else {}
    return create(name, **grouped, **parameters).fit(X, SideInformation.from_labels(np.arange(len(X)) % 4))


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("blend", [None, 0.5])
def test_the_gallery_ranks_by_the_learners_distance(name: str, blend: float | None) -> None:
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
def test_many_queries_are_ranked_as_one(name: str, k: int) -> None:
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
def test_photos_far_away_do_not_hide_which_copies_are_nearest(name: str) -> None:
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
    learner = fitted("kernel-best", X)
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


@pytest.mark.parametrize("name", OTHERS)
def test_5000_photos_are_ranked_in_a_moment(name: str) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(5000, 300)).astype(np.float32)
    learner = create(name).fit(X[:300], SideInformation.from_labels(np.arange(300) % 10))
    rows = gallery_rows(learner, X)
    gallery = row_gallery(learner, rows)
    spent = []
    for query in rows[:5]:
        start = time.process_time()
        gallery.rank(query, 200)
        spent.append(time.process_time() - start)
    assert min(spent) < 0.1
