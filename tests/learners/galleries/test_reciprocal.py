# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners import create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.neighborhoods import SMOOTHED
from focal_photos.learners.galleries.reciprocal import (
    JACCARD,
    NearestRows,
    ReciprocalNeighbors,
    build,
    build_around,
    find_nearest,
    grow_nearest,
    neighborhood_size,
    scale_of,
)
from focal_photos.learners.galleries.row_gallery import Gallery, gallery_rows, row_gallery
from tests.examples import examples


def points(n: int, r: int = 4, seed: int = 0, clusters: int = 4) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    centers = rng.normal(0, 2, (clusters, r))
    return (centers[rng.integers(0, clusters, n)] + rng.normal(size=(n, r))).astype(np.float32)


def slow_weights(squared: NDArray[np.float64], k1: int, scale: float) -> tuple[NDArray[np.float64], list[list[int]]]:
    """Return the weights before averaging, computed photo by photo with sets, and the order of photos around each."""
    n = len(squared)
    order = [sorted(range(n), key=lambda j: (j != i, squared[i, j], j)) for i in range(n)]

    def mutual(i: int, k: int) -> set[int]:
        return {j for j in order[i][: k + 1] if i in order[j][: k + 1]}

    weights = np.zeros((n, n))
    for i in range(n):
        own = mutual(i, k1)
        members = set(own)
        for c in own:
            theirs = mutual(c, k1 // 2)
            if len(theirs & own) > 2 / 3 * len(theirs):
                members |= theirs
        for j in members:
            weights[i, j] = np.exp(-squared[i, j] / scale)
        weights[i] /= weights[i].sum()
    return weights, order


def slow(squared: NDArray[np.float64], k1: int, k2: int, scale: float) -> NDArray[np.float64]:
    """Return the distances of all pairs."""
    weights, order = slow_weights(squared, k1, scale)
    smoothed = np.stack([weights[order[i][:k2]].mean(axis=0) for i in range(len(squared))])
    smaller = np.minimum(smoothed[:, None], smoothed).sum(axis=2)
    larger = np.maximum(smoothed[:, None], smoothed).sum(axis=2)
    return np.asarray(JACCARD * (1 - smaller / larger) + (1 - JACCARD) * squared / scale)


def nearest_first(distances: NDArray[np.float64], squared: NDArray[np.float64], k1: int) -> NDArray[np.float64]:
    """Return the distances as ranked: a mutual nearest neighbour comes before all other photos."""
    n, result = len(squared), distances.copy()
    order = [sorted(range(n), key=lambda j: (j != i, squared[i, j], j)) for i in range(n)]
    for i in range(n):
        near = order[i][1]
        if i in order[near][: k1 + 1]:
            result[i, near] = np.delete(distances[i], i).min()
    return result


def squares(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    delta = rows[:, None].astype(np.float64) - rows
    return np.asarray((delta**2).sum(axis=2))


def full(graph: ReciprocalNeighbors, rows: NDArray[np.float32], own: int) -> NDArray[np.float32]:
    """Return the distances by row."""
    found, distances = graph.rank(FloatGallery(rows), rows[own], own=own)
    result = np.full(len(rows), np.nan, np.float32)
    result[found] = distances
    return result


def smoothed(n: int, k1: int) -> int:
    return min(SMOOTHED, min(k1, n - 1) + 1)


@settings(max_examples=examples(25))
@given(st.integers(3, 60), st.integers(1, 12), st.integers(0, 1000))
def test_neighbourhoods_agree_with_a_slow_reference(n: int, k1: int, seed: int) -> None:
    rows = points(n, seed=seed)
    gallery = FloatGallery(rows)
    graph = build(gallery, neighbors=k1)
    expected = slow(squares(rows), min(k1, n - 1), smoothed(n, k1), graph.scale)
    ranked = nearest_first(expected, squares(rows), min(k1, n - 1))
    np.testing.assert_allclose(np.stack([full(graph, rows, i) for i in range(n)]), ranked, atol=2e-5)
    chosen = np.random.default_rng(seed).permutation(n)[: n // 2 + 1]
    np.testing.assert_allclose(graph.similarities(gallery, chosen), 1 - expected[:, chosen], atol=2e-5)
    np.testing.assert_allclose(
        graph.similarities(gallery, chosen[:2], chosen), 1 - expected[np.ix_(chosen, chosen[:2])], atol=2e-5
    )
    weights = np.random.default_rng(seed + 1).normal(size=len(chosen))
    sums = graph.similarity_sums(gallery, chosen, weights)
    np.testing.assert_allclose(sums, (1 - expected[:, chosen]) @ weights, atol=2e-4)
    jaccard = 1 - (expected - (1 - JACCARD) * squares(rows) / graph.scale) / JACCARD
    np.testing.assert_allclose(graph.shared(chosen).toarray(), jaccard[chosen], atol=2e-5)


def test_an_outside_image_has_the_neighbourhood_of_the_definition() -> None:
    rows, outside = points(60, seed=5), points(1, seed=6)[0]
    gallery = FloatGallery(rows)
    k1 = 8
    graph = build(gallery, neighbors=k1)
    squared, far = squares(rows), ((rows.astype(np.float64) - outside) ** 2).sum(axis=1)
    weights, order = slow_weights(squared, k1, graph.scale)
    near = np.argsort(far, kind="stable")[: k1 + 1]
    # Mutual neighbours: photos that would have the image among their own nearest.
    mutual = {int(j) for j in near if far[j] <= squared[j, order[j][k1]]}
    members = set(mutual)
    for c in mutual:
        theirs = {j for j in order[c][: k1 // 2 + 1] if c in order[j][: k1 // 2 + 1]}
        if len(theirs & mutual) > 2 / 3 * len(theirs):
            members |= theirs
    own = np.zeros(60)
    own[[*members]] = np.exp(-far[[*members]] / graph.scale)
    own /= own.sum()
    query = np.mean([own, *weights[near[:SMOOTHED]]], axis=0)
    others = np.stack([weights[order[i][:SMOOTHED]].mean(axis=0) for i in range(60)])
    jaccard = np.minimum(query, others).sum(axis=1) / np.maximum(query, others).sum(axis=1)
    expected = JACCARD * (1 - jaccard) + (1 - JACCARD) * far / graph.scale
    if int(near[0]) in mutual:
        expected[near[0]] = expected.min()
    found, distances = graph.rank(gallery, outside)
    np.testing.assert_allclose(distances, expected[found], atol=2e-5)
    assert sorted(found.tolist()) == list(range(60))
    assert (np.diff(distances) >= 0).all()


def test_an_image_equal_to_a_row_ranks_like_the_row() -> None:
    rows = points(100)
    gallery = FloatGallery(rows)
    graph = build(gallery)
    found, distances = graph.rank(gallery, rows[7] + np.float32(1e-4))
    expected = graph.rank(gallery, rows[7], own=7)
    np.testing.assert_array_equal(found, expected[0])
    np.testing.assert_allclose(distances, expected[1], atol=1e-4)


def test_an_image_far_from_all_has_the_neighbourhood_of_its_nearest_photo() -> None:
    rows = points(100)
    gallery = FloatGallery(rows)
    far = (rows.max(axis=0) * 50).astype(np.float32)
    found, distances = build(gallery).rank(gallery, far)
    assert sorted(found.tolist()) == list(range(100))
    assert np.isfinite(distances).all()
    assert found[0] == gallery.rank(far, 1)[0][0]


@pytest.mark.parametrize("outside", [False, True])
def test_a_limit_gives_the_beginning_of_the_whole_ranking(outside: bool) -> None:
    rows = points(300, seed=3)
    gallery = FloatGallery(rows)
    graph = build(gallery)
    for own in (0, 17, 299):
        query, row = (rows[own] + np.float32(0.3), None) if outside else (rows[own], own)
        everything = graph.rank(gallery, query, own=row)
        for k in (0, 1, 5, 20, 60, 250):
            some = graph.rank(gallery, query, own=row, k=k)
            np.testing.assert_array_equal(some[0], everything[0][:k])
            np.testing.assert_array_equal(some[1], everything[1][:k])


@settings(max_examples=examples(40))
@given(
    n=st.integers(2, 250),
    share=st.sampled_from([0.02, 0.3, 0.9]),
    outside=st.booleans(),
    around=st.booleans(),
    coarse=st.booleans(),
    seed=st.integers(0, 4),
)
def test_some_rows_have_the_places_and_distances_of_the_full_ranking(
    n: int, share: float, outside: bool, around: bool, coarse: bool, seed: int
) -> None:
    rows = points(n, 3, seed=seed)
    if coarse:  # equal photos, and equal distances
        rows = np.round(rows)
    gallery = FloatGallery(rows)
    own = seed % n
    query, row = (rows[own] + np.float32(0.2), None) if outside else (rows[own], own)
    graph = build_around(gallery, query, first=max(2, n // 3)) if around else build(gallery)
    allowed = np.random.default_rng(seed).random(n) < share
    everything = graph.rank(gallery, query, own=row)
    kept = allowed[everything[0]]
    for k in (None, 0, 1, 7, n):
        some = graph.rank(gallery, query, own=row, k=k, allowed=allowed)
        np.testing.assert_array_equal(some[1], everything[1][kept][:k])
        np.testing.assert_array_equal(some[0], everything[0][kept][:k])


def test_the_ranking_follows_a_shape_that_the_metric_alone_misses() -> None:
    # Two long crescents: the far end of the same crescent is farther than the near end of the other.
    t = np.linspace(0, np.pi, 60)
    one = np.stack([np.cos(t), np.sin(t)], axis=1)
    other = np.stack([1 - np.cos(t), 0.3 - np.sin(t)], axis=1)
    rows = np.concatenate([one, other]).astype(np.float32)
    gallery = FloatGallery(rows)
    graph = build(gallery, neighbors=10)
    label = np.arange(120) // 60

    def right(ranked: NDArray[np.intp], own: int) -> float:
        return float((label[ranked[ranked != own][:30]] == label[own]).mean())

    plain = np.mean([right(gallery.rank(rows[i])[0], i) for i in range(120)])
    again = np.mean([right(graph.rank(gallery, rows[i], own=i)[0], i) for i in range(120)])
    assert again > plain


def test_a_mutual_nearest_photo_stays_first() -> None:
    rows = points(300, seed=9, clusters=8)
    gallery = FloatGallery(rows)
    graph = build(gallery)
    kept = 0
    for own in range(300):
        near = int(gallery.rank(rows[own], 2)[0][1])
        found, distances = graph.rank(gallery, rows[own], own=own)
        plain = np.argsort(-graph.similarities(gallery, np.array([own]))[:, 0], kind="stable")
        assert found[0] == own
        assert (np.diff(distances) >= 0).all()
        assert graph.first_of(own) == (near if own in graph.nearest.rows[near] else None)
        if own in graph.nearest.rows[near]:
            assert found[1] == near
            assert distances[1] < distances[2]
            rest = plain[(plain != own) & (plain != near)]
            np.testing.assert_allclose(
                graph.similarities(gallery, np.array([own]), found[2:]).ravel(),
                graph.similarities(gallery, np.array([own]), rest).ravel(),
                atol=1e-6,
            )
            kept += plain[1] != near
        else:
            assert found[1] == plain[1]
    assert kept > 30
    # A photo far from all others: its nearest photo has nearer neighbours, so it is not necessarily first.
    far = np.concatenate([rows, rows[:1] + 100])
    graph = build(FloatGallery(far))
    nearest = graph.nearest.rows[300, 1]
    assert 300 not in graph.nearest.rows[nearest]
    assert graph.first_of(300) is None
    found, distances = graph.rank(FloatGallery(far), far[300], own=300)
    similar = graph.similarities(FloatGallery(far), np.array([300]))[:, 0]
    np.testing.assert_allclose(distances, 1 - similar[found], rtol=1e-5, atol=1e-5)


def test_the_photo_itself_comes_first_at_distance_0() -> None:
    rows = points(100)
    gallery = FloatGallery(rows)
    graph = build(gallery)
    for i in range(100):
        found, distances = graph.rank(gallery, rows[i], own=i, k=1)
        assert found.tolist() == [i]
        assert distances[0] == pytest.approx(0, abs=1e-6)


@settings(max_examples=examples(20))
@given(st.integers(1, 5), st.booleans())
def test_few_or_equal_photos_can_be_ranked(n: int, equal: bool) -> None:
    rows = np.zeros((n, 2), np.float32) if equal else points(n, 2)
    gallery = FloatGallery(rows)
    graph = build(gallery)
    for own in (*range(n), None):
        found, distances = graph.rank(gallery, rows[0 if own is None else own], own=own)
        assert sorted(found.tolist()) == list(range(n))
        assert np.isfinite(distances).all()
        assert (distances >= 0).all()


def test_neighbourhoods_of_few_photos_are_small() -> None:
    sizes = [neighborhood_size(n) for n in (1, 2, 3, 29, 30, 100, 199, 200, 100_000)]
    assert sizes == [0, 1, 2, 2, 3, 10, 19, 20, 20]
    rows = points(100)
    assert build(FloatGallery(rows)).nearest.rows.shape == (100, 11)


def of_pairs(X: NDArray[np.float32]) -> tuple[Gallery, NDArray[np.float32]]:
    """Return a gallery with a distance that is not Euclidean, and its rows."""
    side = SideInformation(similar=np.array([[0, 1], [2, 3], [4, 5]]), dissimilar=np.array([[0, 2], [1, 4], [3, 5]]))
    learner = create("dist-boost", euclidean_blend=0.25).fit(X, side)
    rows = gallery_rows(learner, X)
    return row_gallery(learner, rows), rows


@pytest.mark.parametrize("euclidean", [True, False])
def test_both_kinds_of_galleries_compare_rows_in_the_same_way(euclidean: bool) -> None:
    X = points(60, 6, seed=2)
    gallery, rows = (FloatGallery(X), X) if euclidean else of_pairs(X)
    np.testing.assert_array_equal(gallery.rows, rows)
    places, far = gallery.rank_many(rows, 60)
    D = np.empty((60, 60), np.float32)
    np.put_along_axis(D, places, far, axis=1)
    one, other = np.array([3, 0, 3, 7]), np.array([1, 5, 2, 7])
    np.testing.assert_array_equal(gallery.pair_distances(one, other), D[one, other])
    np.testing.assert_array_equal(gallery.distances(rows[3], other), D[3, other])
    expected = np.square(D)
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(gallery.squared_distances(one), expected[one], atol=1e-4)
    np.testing.assert_allclose(gallery.squared_distances(one, other), expected[np.ix_(one, other)], atol=1e-4)
    weights = np.array([2.0, -1.0, 0.5, 0.25])
    np.testing.assert_allclose(gallery.squared_distance_sums(one, weights), weights @ expected[one], atol=1e-4)
    some = gallery.among(np.array([4, 9, 30]))
    np.testing.assert_array_equal(some.pair_distances(np.array([0]), np.array([2])), D[[4], [30]])
    reach = D[:, 9].copy()
    reach[5] = -1
    row, reached, near = gallery.within(np.array([9, 11]), reach)
    expected_pairs = {(i, j) for i in range(60) for j in (9, 11) if D[i, j] <= reach[i]}
    assert set(zip(row.tolist(), reached.tolist(), strict=True)) == expected_pairs
    np.testing.assert_array_equal(near, D[row, reached])


def test_galleries_without_an_embedding_have_neighbourhoods_too() -> None:
    X = points(60, 6, seed=2)
    gallery, rows = of_pairs(X)
    found, distances = build(gallery, neighbors=5).rank(gallery, rows[7], own=7, k=10)
    assert len(found) == 10
    assert (np.diff(distances) >= 0).all()


def same(one: NearestRows, other: NearestRows) -> None:
    np.testing.assert_array_equal(one.rows, other.rows)
    np.testing.assert_array_equal(one.reach, other.reach)


@settings(max_examples=examples(30))
@given(
    n=st.integers(200, 320),
    gone=st.integers(0, 30),
    edited=st.integers(0, 20),
    new=st.integers(0, 120),
    coarse=st.booleans(),
    seed=st.integers(0, 100),
)
def test_extended_neighbours_equal_those_computed_from_scratch(
    n: int, gone: int, edited: int, new: int, coarse: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    before = points(n, 3, seed)
    kept = np.sort(rng.permutation(n)[gone + edited :])
    after = np.concatenate([before[kept], points(edited + new, 3, seed + 1)])
    # New rows are inserted between old ones, as in a gallery in another order.
    place = np.sort(rng.permutation(len(after))[: len(kept)])
    whole = np.empty_like(after)
    whole[place] = before[kept]
    whole[np.setdiff1d(np.arange(len(after)), place)] = after[len(kept) :]
    if coarse:  # many equal distances
        before, whole = np.round(before), np.round(whole)
    places = np.full(n, -1)
    places[kept] = place
    gallery = FloatGallery(whole)
    same(grow_nearest(gallery, find_nearest(FloatGallery(before)), places), find_nearest(gallery))


def test_neighbours_of_other_distances_can_be_extended_too() -> None:
    X = points(230, 6, seed=2)
    gallery, _ = of_pairs(X)
    former = find_nearest(gallery.among(np.arange(205)))
    same(grow_nearest(gallery, former, np.arange(205)), find_nearest(gallery))


@pytest.mark.parametrize("places", [[2, 1, 0, *range(3, 250)], [*range(100), *[-1] * 150]])
def test_neighbours_of_reordered_or_mostly_removed_rows_are_computed_again(places: list[int]) -> None:
    rows = points(250)
    gallery = FloatGallery(rows)
    former = find_nearest(FloatGallery(points(250, seed=4)))  # of other photos, so nothing is reusable
    same(grow_nearest(gallery, former, np.array(places)), find_nearest(gallery))


def test_neighbourhoods_around_a_photo_equal_those_of_the_whole_gallery() -> None:
    rows = points(800, 5, seed=8, clusters=12)
    gallery = FloatGallery(rows)
    whole = build(gallery)
    for own in (3, 500):
        near = build_around(gallery, rows[own], scale=whole.scale, first=500)
        assert near.covered is not None
        assert len(near) == 500
        found, distances = near.rank(gallery, rows[own], own=own)
        expected = whole.rank(gallery, rows[own], own=own)
        np.testing.assert_array_equal(found[:20], expected[0][:20])
        np.testing.assert_allclose(distances[:20], expected[1][:20], atol=1e-5)
        assert sorted(found.tolist()) == list(range(800))
        assert (np.diff(distances) >= 0).all()
        some = near.rank(gallery, rows[own], own=own, k=30)
        np.testing.assert_array_equal(some[0], found[:30])
        chosen = np.array([own, int(found[5]), int(found[-1])])
        similar = near.similarities(gallery, chosen)
        weights = np.array([1.5, -0.5, 0.25])
        np.testing.assert_allclose(near.similarity_sums(gallery, chosen, weights), similar @ weights, atol=1e-5)
        np.testing.assert_allclose(similar[found[2:], 0], 1 - distances[2:], atol=1e-5)
        assert found[1] == gallery.rank(rows[own], 2)[0][1]
        assert distances[1] <= distances[2]
        # The last photo is only in its own neighbourhood here.
        far = np.square(gallery.distances(rows[chosen[2]], np.arange(800)).astype(np.float64))
        expected_last = (1 - JACCARD) * (1 - far / whole.scale)
        expected_last[chosen[2]] = 1
        np.testing.assert_allclose(similar[:, 2], expected_last, atol=1e-5)
        outside, _ = near.rank(gallery, rows[own] + np.float32(0.01))
        assert len(set(outside[:20].tolist()) & set(found[:20].tolist())) >= 16


def test_neighbourhoods_around_a_photo_cover_a_small_gallery() -> None:
    rows = points(120)
    gallery = FloatGallery(rows)
    near = build_around(gallery, rows[3])
    assert near.covered is None
    np.testing.assert_array_equal(near.weights.toarray(), build(gallery).weights.toarray())


def test_shared_members_are_in_both_neighbourhoods() -> None:
    rows = points(80)
    graph = build(FloatGallery(rows))
    other = int(graph.nearest.rows[3, 1])
    shared, weights = graph.in_common(3, other)
    dense = graph.weights.toarray()
    both = np.minimum(dense[3], dense[other])
    both[[3, other]] = 0
    assert len(shared) > 0
    assert set(shared.tolist()) == set(np.flatnonzero(both).tolist())
    np.testing.assert_array_equal(weights, both[shared])
    assert (np.diff(weights) <= 0).all()
    near = build_around(FloatGallery(rows), rows[3], first=40)
    assert near.covered is not None
    assert set(near.in_common(3, other)[0].tolist()) <= set(near.covered.tolist())
    away = int(np.setdiff1d(np.arange(80), near.covered)[0])
    assert len(near.in_common(3, away)[0]) == 0


def test_the_scale_is_twice_the_median_squared_distance() -> None:
    rows = points(400)
    D = squares(rows)
    expected = 2 * np.median(D[np.triu_indices(400, 1)])
    assert scale_of(FloatGallery(rows)) == pytest.approx(expected, rel=0.05)
    assert scale_of(FloatGallery(rows[:1])) == 1


def test_progress_is_reported_and_errors_are_raised() -> None:
    rows = points(50)
    gallery = FloatGallery(rows)
    seen: list[float] = []
    graph = build(gallery, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    with pytest.raises(LearnerError, match="50"):
        graph.rank(FloatGallery(rows[:40]), rows[0])
    with pytest.raises(LearnerError, match="no photos"):
        build(FloatGallery(rows[:0]))


@pytest.mark.parametrize("n", range(2, 12))
def test_the_scale_is_the_median_of_the_drawn_pairs(n: int) -> None:
    gallery = FloatGallery(points(n))
    one, other = np.random.default_rng(0).integers(0, n, (2, n * n))
    far = gallery.pair_distances(one[one != other], other[one != other]).astype(np.float64)
    assert scale_of(gallery) == 2 * np.median(np.square(far))


def test_columns_are_the_transposed_rows() -> None:
    graph = build(FloatGallery(points(90)))
    np.testing.assert_array_equal(graph.columns.toarray(), graph.weights.toarray().T)
    back = graph.columns.transposed()
    for name in ("indptr", "indices", "data"):  # ascending in each row, as at first
        np.testing.assert_array_equal(getattr(back, name), getattr(graph.weights, name))
