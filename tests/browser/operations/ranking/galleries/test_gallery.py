# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import UnreadableMetricError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.galleries.gallery import drop_old_rows, embedding
from focal_photos.browser.operations.ranking.learner_file import write_learners
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import coordinates, current_space, space_key, stores
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.galleries.float_gallery import FloatGallery
from tests.browser.operations.album import Album


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 3, 4, 6, 7, None])
def test_equal_distances_are_ordered_by_id_also_at_the_end_of_the_list(indexed: Library, count: int | None) -> None:
    rows = np.array([[0], [1], [1], [1], [1], [2], [9], [9], *([9],) * 40], np.float32)
    ids = np.arange(len(rows), 0, -1)  # not described in the order of ids
    gallery = replace(Ranker(indexed).gallery(), ids=ids, rows=rows, gallery=FloatGallery(rows))
    found, distances = gallery.nearest(rows[0], count)
    order = np.lexsort((ids, rows[:, 0]))[:count]
    np.testing.assert_array_equal(found, ids[order])
    np.testing.assert_array_equal(distances, rows[order, 0])


def test_rows_of_recently_used_metrics_and_the_current_one_stay(
    indexed: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stored() -> list[str]:
        return sorted(key.rpartition("-")[0] for key in indexed.vectors.keys() if key.startswith("metric-"))  # noqa: SIM118 - no mapping

    monkeypatch.setattr("focal_photos.browser.operations.ranking.galleries.gallery._RETAINED_METRICS", 2)
    focal, *others = indexed.photos.ids().tolist()
    indexed.judgements.set(focal, others[:3], Verdict.SIMILAR)
    indexed.judgements.set(focal, others[6:9], Verdict.DISSIMILAR)
    for _ in range(4):
        finish(train(indexed, "kernel"))
    assert stored() == ["metric-kernel-3", "metric-kernel-4"]
    first = indexed.metrics.by_name("kernel-1")
    indexed.metrics.set_current(first.id)
    ids, rows = finish(embedding(indexed, load_metric(indexed, first)))  # deleted, so computed again
    assert len(ids) == len(rows) == 12
    drop_old_rows(indexed)
    assert stored() == ["metric-kernel-1", "metric-kernel-3", "metric-kernel-4"]
    Ranker(indexed).gallery("kernel-3")
    drop_old_rows(indexed)
    assert stored() == ["metric-kernel-1", "metric-kernel-3", "metric-kernel-4"]
    Ranker(indexed).gallery("kernel-1")
    finish(train(indexed, "kernel"))
    assert stored() == ["metric-kernel-1", "metric-kernel-5"]
    (indexed.path / "derived" / "rows-used.json").write_text("[]")  # damaged: the newest count as used
    Ranker(indexed).gallery("kernel-4")
    (indexed.path / "derived" / "rows-used.json").write_text('{"x": ')
    drop_old_rows(indexed)
    assert stored() == ["metric-kernel-4", "metric-kernel-5"]


def test_new_photos_get_coordinates_in_the_space_of_the_library_under_any_metric(
    indexed: Library, album: Album
) -> None:
    focal, *others = indexed.photos.ids().tolist()
    indexed.judgements.set(focal, others[:3], Verdict.SIMILAR)
    indexed.judgements.set(focal, others[6:9], Verdict.DISSIMILAR)
    metric = finish(train(indexed, "kernel"))
    space = current_space(indexed)
    store = indexed.vectors.store(space_key(space), space.families_[-1].stop)
    store.forget(others[:2])
    finish(embedding(indexed, load_metric(indexed, metric)))
    assert len(store) == 12
    for seed in (40, 41):
        album.draw(f"green/{seed}.jpg", kind="green", seed=seed)
    finish(index(indexed, backend="threads", workers=1))
    assert indexed.metrics.current() == metric
    assert len(store) == len(indexed.photos.ids()) == 14
    indexed.vectors.remove(space_key(space))
    finish(index(indexed, backend="threads", workers=1))
    assert len(Ranker(indexed).gallery("euclidean").ids) == 14
    assert len(indexed.vectors.store(space_key(space), store.dimension)) == 14


def test_stored_coordinates_are_not_computed_again(indexed: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    space, ids = current_space(indexed), indexed.photos.ids()
    expected = np.array(coordinates(indexed, space, ids))
    store = indexed.vectors.store(space_key(space), expected.shape[1])
    store.forget(ids[[1, 7]])
    asked: list[int] = []
    transform = FeatureSpace.transform

    def note(one: FeatureSpace, X: ArrayLike) -> NDArray[np.float32]:
        found = transform(one, X)
        asked.append(len(found))
        return found

    monkeypatch.setattr(FeatureSpace, "transform", note)
    # In another order, so that uninitialised memory gives wrong rows.
    np.testing.assert_allclose(coordinates(indexed, space, ids[::-1]), expected[::-1], atol=1e-6)
    assert asked == [2]


def test_rows_stay_memory_mapped_after_photos_are_edited(indexed: Library) -> None:
    edited, other = indexed.photos.ids().tolist()[4:6]
    ranker = Ranker(indexed)
    before = ranker.gallery()
    expected = np.array(before.rows[before.row_of(other)])
    key = space_key(before.loaded.space)
    indexed.vectors.store(key, before.rows.shape[1]).forget([edited])
    finish(embedding(indexed, before.loaded))
    ids, rows = indexed.vectors.store(key, before.rows.shape[1]).snapshot()
    assert isinstance(rows, np.memmap)
    assert ids[-1] == edited, "the edited photo was described again"
    np.testing.assert_array_equal(rows[ids == other][0], expected)
    np.testing.assert_array_equal(before.rows[before.row_of(other)], expected)


def test_the_largest_galleries_leave_the_cache_first(indexed: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    focal, *others = indexed.photos.ids().tolist()
    indexed.judgements.set(focal, others[:3], Verdict.SIMILAR)
    indexed.judgements.set(focal, others[6:9], Verdict.DISSIMILAR)
    finish(train(indexed, "kernel"))
    finish(train(indexed, "kernel"))
    ranker = Ranker(indexed)
    names = ["euclidean", "kernel-1", "kernel-2"]
    galleries = {name: ranker.gallery(name) for name in names}
    assert all(ranker.gallery(name) is galleries[name] for name in names)
    for name in names:
        ranker.rank(focal, name, rerank=True)  # computes the neighbourhoods
    least = min(one.owned_bytes for one in galleries.values())
    assert least > 12 * 8 + 12 * 4 * 10, "neighbourhoods count towards memory, rows in files do not"
    monkeypatch.setattr("focal_photos.browser.operations.ranking.gallery_store._OWNED", least + least // 2)
    ranker.gallery("kernel-2")
    assert ranker.gallery("kernel-2") is galleries["kernel-2"]
    assert ranker.gallery("kernel-1") is galleries["kernel-1"]
    assert ranker.gallery("euclidean") is not galleries["euclidean"]


def test_a_photo_that_loses_its_vectors_during_the_computation_is_left_out(indexed: Library) -> None:
    current = load_metric(indexed, indexed.metrics.current())
    indexed.vectors.remove(space_key(current.space))
    lost, *others = indexed.photos.ids().tolist()
    job = embedding(indexed, current)
    assert next(job).total == 12
    stores(indexed)[0].forget([lost])  # as a scan does that finds an edited file
    ids, rows = finish(job)
    assert sorted(ids.tolist()) == others
    assert len(rows) == 11


def test_a_file_without_a_metric_is_refused(indexed: Library) -> None:
    focal, *others = indexed.photos.ids().tolist()
    indexed.judgements.set(focal, others[:3], Verdict.SIMILAR)
    indexed.judgements.set(focal, others[6:9], Verdict.DISSIMILAR)
    metric = finish(train(indexed, "kernel"))
    path = indexed.metrics.path(metric)
    assert path is not None
    write_learners(path, space=current_space(indexed))
    with pytest.raises(UnreadableMetricError, match="The file of the metric kernel-1 contains no metric: train again"):
        load_metric(indexed, metric)


def test_a_mask_selects_exactly_the_given_photos(indexed: Library) -> None:
    ranker = Ranker(indexed)
    gallery = ranker.gallery()
    some = gallery.ids[[2, 5]]
    asked = np.concatenate([some, [0, -3, gallery.ids.max() + 1, 10**12]])
    np.testing.assert_array_equal(gallery.mask(asked), np.isin(gallery.ids, some))
    assert gallery.rows_of(asked).tolist() == [2, 5, -1, -1, -1, -1]
    assert sorted(ranker.rank(int(gallery.ids[0]), among=asked).photo_ids) == sorted(some)
    assert gallery.row_of(10**12) is None
