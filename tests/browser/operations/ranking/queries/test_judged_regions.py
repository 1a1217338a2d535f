# SPDX-License-Identifier: MIT
"""Rankings by a region that follow judgements of regions, and metrics for windows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import BY_JUDGEMENTS
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.queries import window_metric
from focal_photos.browser.operations.ranking.queries.by_region import rank_judged, rank_windows, window_store
from focal_photos.browser.operations.ranking.queries.query import RegionQuery
from focal_photos.browser.operations.ranking.queries.window_metric import read_window_training, train_window_metric
from focal_photos.browser.operations.ranking.queries.window_relevance import RERANKED_PHOTOS, JudgedWindows
from focal_photos.browser.operations.ranking.queries.windows import nearest_window, unit_windows
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import train
from focal_photos.features.fitted.fisher_windows import WIDTH, WINDOWS
from focal_photos.learners.core.measures import average_precision
from tests.browser.catalog.albums import id_of
from tests.browser.operations.ranking.queries.test_by_region import (  # noqa: F401 - fixtures
    PLACES,
    REGION,
    THINGS,
    bare,
    prepared,
)


@pytest.fixture
def store(tmp_path: Path) -> CodeStore:
    return CodeStore(tmp_path / "codes", "windows", len(WINDOWS) * WIDTH)


def _region_of(number: int) -> Region:
    left, top = PLACES[number]
    return Region(left / 192, top / 128, (left + 48) / 192, (top + 48) / 128)


def _id(library: Library, thing: int, number: int) -> int:
    return id_of(library, library.roots.all()[0].path / f"{thing}-{number}.png")


def _two_kinds(store: CodeStore, photos: int) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Enter photos of which every third holds what the query is half like; return the query and these photos."""
    rng = np.random.default_rng(0)
    query, wanted, trap = np.linalg.qr(rng.normal(size=(WIDTH, 3)))[0].T
    holds = np.arange(photos) % 3 == 0
    rows = rng.normal(size=(photos, len(WINDOWS), WIDTH)) / np.sqrt(WIDTH)
    windows = rng.integers(0, len(WINDOWS), photos)
    rows[np.arange(photos), windows] = np.where(holds[:, None], 0.6 * query + wanted, 0.62 * query + trap)
    rows[np.arange(photos), windows] += 0.3 * rng.normal(size=(photos, WIDTH)) / np.sqrt(WIDTH)
    codes = np.rint(100 * rows / np.abs(rows).max(axis=2, keepdims=True)).astype(np.int8)
    store.append(np.arange(photos) + 1, codes.view(np.uint8).reshape(photos, -1))
    return np.rint(100 * query / np.abs(query).max()).astype(np.int8), holds


def _judged(store: CodeStore, values: NDArray[np.int8], holds: NDArray[np.bool_], count: int) -> JudgedWindows:
    ranked = rank_windows(store, store.ids, values)
    ids = ranked.ids[:count]
    numbers = [int(np.abs(WINDOWS - one).sum(axis=1).argmin()) for one in ranked.windows[:count]]
    return JudgedWindows(unit_windows(store, ids)[np.arange(count), numbers], holds[ids - 1])


def test_judgements_move_unjudged_photos(store: CodeStore) -> None:
    values, holds = _two_kinds(store, 90)
    before = rank_windows(store, store.ids, values).ids
    reached = []
    for count in (4, 12):
        judged = _judged(store, values, holds, count)
        assert 0 < judged.similar.sum() < count or count == 4
        after = rank_judged(store, store.ids, values, judged)
        assert sorted(after.ids.tolist()) == store.ids.tolist()
        assert (np.diff(after.distances) >= 0).all()
        assert after.distances[0] >= 0
        rest = ~np.isin(after.ids, before[:count])
        reached.append(average_precision([holds[after.ids[rest] - 1]]))
    plain = average_precision([holds[before[12:] - 1]])
    assert reached[0] > plain
    assert reached[1] > max(plain + 0.3, 0.9)


def test_one_dissimilar_region_does_not_lose_the_query(store: CodeStore) -> None:
    values, _ = _two_kinds(store, 90)
    row = unit_windows(store, store.ids[1:2])[0, :1]
    after = rank_judged(store, store.ids, values, JudgedWindows(row, np.array([False])))
    before = rank_windows(store, store.ids, values)
    assert len(set(after.ids[:20].tolist()) & set(before.ids[:30].tolist())) >= 15


def test_only_the_first_photos_are_ranked_again(store: CodeStore) -> None:
    rng = np.random.default_rng(0)
    ids = np.arange(RERANKED_PHOTOS + 100) + 1
    store.append(ids, rng.integers(0, 256, (len(ids), store.dimension), np.uint8))
    values = rng.integers(-127, 128, WIDTH).astype(np.int8)
    row = rng.normal(size=(1, WIDTH)).astype(np.float32)
    judged = JudgedWindows(row / np.linalg.norm(row), np.array([True]))
    after = rank_judged(store, ids, values, judged)
    assert sorted(after.ids.tolist()) == ids.tolist()
    assert (np.diff(after.distances) >= 0).all()
    again = rank_judged(store, ids[:50], values, judged)
    assert (len(again.ids), again.windows.shape) == (50, (50, 4))


def test_the_ranking_of_a_library_follows_its_judgements(prepared: Library) -> None:  # noqa: F811
    focal = _id(prepared, 0, 0)
    query, ranker = RegionQuery(focal, REGION), Ranker(prepared)
    plain = ranker.rank(query)
    far = int(plain.photo_ids[-1])
    near = int(plain.photo_ids[0])
    prepared.region_judgements.set(focal, REGION, [(far, _region_of(1))], Verdict.SIMILAR)
    prepared.region_judgements.set(focal, REGION, [(near, _region_of(1))], Verdict.DISSIMILAR)
    ranking = ranker.rank(query)
    assert (ranking.photo_ids[0], ranking.photo_ids[-1], ranking.judgements) == (far, near, 2)
    assert (np.diff(ranking.distances) >= 0).all()
    assert ranking.windows is not None
    assert ranking.windows.shape == (len(ranking.photo_ids), 4)
    np.testing.assert_array_equal(ranker.rank(query, by_judgements=False).photo_ids, plain.photo_ids)
    other = ranker.rank(RegionQuery(focal, Region(0.0, 0.0, 0.5, 0.5)))
    assert other.judgements == 0, "another region"
    BY_JUDGEMENTS.set(prepared, False)
    np.testing.assert_array_equal(ranker.rank(query).photo_ids, plain.photo_ids)
    BY_JUDGEMENTS.set(prepared, True)
    limited = ranker.rank(query, among=np.array([far, near]), limit=1)
    assert (limited.photo_ids.tolist(), limited.total) == ([far], 2)


def test_training_data_are_windows_with_judgements_and_tags(prepared: Library) -> None:  # noqa: F811
    a, b, c, d = (_id(prepared, thing, 0) for thing in range(THINGS))
    prepared.region_judgements.set(a, _region_of(0), [(b, _region_of(1))], Verdict.SIMILAR)
    prepared.judgements.set(a, [c], Verdict.DISSIMILAR)
    prepared.boxes.add([(d, _region_of(2), "animal/fox")])
    prepared.tags.change([d, c], ["sea"])
    store = window_store(prepared)
    training = read_window_training(prepared, store)
    side = training.side
    units = unit_windows(store, np.array([a, b, c, d]))
    (pair,), (apart,) = side.similar.tolist(), side.dissimilar.tolist()
    np.testing.assert_array_equal(training.rows[pair[0]], units[0, nearest_window(_region_of(0))])
    np.testing.assert_array_equal(training.rows[pair[1]], units[1, nearest_window(_region_of(1))])
    np.testing.assert_array_equal(training.rows[apart], units[[0, 2], 0])
    assert side.tags is not None
    tagged = {tuple(training.rows[row]): side.tags[[row]].sum() for row in side.tagged}
    assert tagged == {
        tuple(units[3, nearest_window(_region_of(2))]): 2,  # animal and animal/fox
        tuple(units[3, 0]): 1,  # the fox is only a part of the photo
        tuple(units[2, 0]): 1,
    }
    assert len(training.rows) > 100
    np.testing.assert_allclose(np.linalg.norm(training.rows, axis=1), 1, atol=1e-5)


def _tag_things(library: Library) -> None:
    for thing in range(THINGS):
        for number in range(len(PLACES)):
            library.boxes.add([(_id(library, thing, number), _region_of(number), f"thing {thing}")])


def test_a_metric_without_gain_is_not_used_silently(prepared: Library) -> None:  # noqa: F811
    focal = _id(prepared, 0, 0)
    query = RegionQuery(focal, REGION)
    plain = Ranker(prepared).rank(query)
    assert (plain.metric.name, plain.provisional, plain.why_cosine) == ("euclidean", False, "")
    _tag_things(prepared)
    metric = finish(train(prepared, "rca"))
    ranking = Ranker(prepared, once=True).rank(query)
    assert ranking.metric.name == "euclidean"
    np.testing.assert_array_equal(ranking.photo_ids, plain.photo_ids)
    assert str(ranking.why_cosine).startswith("The metric does not rank parts of photos: ")
    assert "too few boxes" in str(ranking.why_cosine), "12 boxes are not enough to measure a gain"
    named = Ranker(prepared, once=True).rank(query, metric.name)
    assert (named.metric.name, named.why_cosine) == (metric.name, ""), "a metric that is asked for is used"
    assert not np.array_equal(named.distances, plain.distances)


def test_a_metric_is_trained_in_the_background_and_again_with_more_data(prepared: Library) -> None:  # noqa: F811
    query = RegionQuery(_id(prepared, 0, 0), REGION)
    _tag_things(prepared)
    metric = finish(train(prepared, "rca"))
    ranker = Ranker(prepared)
    first = ranker.rank(query)
    assert (first.metric.name, first.provisional, first.why_cosine) == ("euclidean", True, "")
    assert finish(ranker.find_neighbors())
    second = ranker.rank(query)
    assert not second.provisional
    trained, outgrown = window_metric.known_window_metric(prepared, metric)
    assert trained is not None
    assert trained.learner is not None
    assert not outgrown
    prepared.boxes.add([(_id(prepared, 0, 0), Region(0.0, 0.0, number / 9, 1.0), "other") for number in range(1, 7)])
    assert ranker.rank(query).provisional, "many boxes are new"
    prepared.metrics.set_current(prepared.metrics.by_name("euclidean").id)
    assert not ranker.rank(query).provisional


def _with_nuisance(library: Library) -> None:
    """Replace the windows by ones of four kinds, which larger variations without meaning hide; box some of them."""
    store, rng = window_store(library), np.random.default_rng(0)
    ids = store.ids.copy()
    axes = np.linalg.qr(rng.normal(size=(WIDTH, WIDTH)))[0]
    kinds = rng.integers(0, 4, (len(ids), len(WINDOWS)))
    rows = (
        0.6 * axes[kinds]
        + rng.normal(size=(*kinds.shape, 6)) @ axes[4:10]
        + 0.02 * rng.normal(size=(*kinds.shape, WIDTH))
    )
    codes = np.rint(100 * rows / np.abs(rows).max(axis=2, keepdims=True)).astype(np.int8)
    store.forget(ids)
    store.append(ids, codes.view(np.uint8).reshape(len(ids), -1))
    boxes = [
        (int(photo), Region(*map(float, WINDOWS[window])), f"kind {kinds[place, window]}")
        for place, photo in enumerate(ids)
        for window in range(1, 13)
    ]
    library.boxes.add(boxes)


def test_a_metric_with_gain_ranks_parts(prepared: Library) -> None:  # noqa: F811
    _with_nuisance(prepared)
    metric = finish(train(prepared, "rca"))
    query, ranker = RegionQuery(_id(prepared, 0, 0), REGION), Ranker(prepared)
    before = ranker.rank(query)
    assert (before.metric.name, before.provisional) == ("euclidean", True)
    assert finish(ranker.find_neighbors())
    after = ranker.rank(query)
    assert (after.metric.name, after.provisional, after.why_cosine) == (metric.name, False, "")
    assert after.total == before.total
    assert (np.diff(after.distances) >= 0).all()
    assert not np.array_equal(after.distances, before.distances)
    found = finish(train_window_metric(prepared, window_store(prepared), metric))
    assert (found.gains, found.reason) == (True, "")
    store = window_store(prepared)
    units = unit_windows(store, store.ids)[:, 13:].reshape(-1, WIDTH)  # windows without a box
    axes = np.linalg.qr(np.random.default_rng(0).normal(size=(WIDTH, WIDTH)))[0]
    kinds = (units @ axes[:4].T).argmax(axis=1)
    assert found.learner is not None
    both = 1 - units @ units[0], found.learner.distances_from(units[0], units)
    of_kind = [(kinds == kinds[0])[np.argsort(far, kind="stable")[1:]] for far in both]
    cosine, learned = (average_precision([one]) for one in of_kind)
    assert learned > max(cosine + 0.2, 0.8)
