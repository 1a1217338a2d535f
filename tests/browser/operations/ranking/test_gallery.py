from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from browser.catalog.facts.records import Verdict
from browser.catalog.library import Library
from browser.operations.jobs.errors import UnreadableMetricError
from browser.operations.jobs.progress import finish
from browser.operations.ranking.gallery import drop_old_embeddings, embedding
from browser.operations.ranking.learner_file import write_learners
from browser.operations.ranking.loaded_metric import load_metric
from browser.operations.ranking.ranker import Ranker
from browser.operations.ranking.space import current_space, space_key, stores
from browser.operations.training.train import train
from learners.galleries.float_gallery import FloatGallery


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6, 7, None])
def test_equal_distances_are_in_the_order_of_ids_also_where_the_list_ends(indexed: Library, count: int | None) -> None:
    rows = np.array([[0], [1], [1], [1], [1], [2], [9], [9], *([9],) * 40], np.float32)
    ids = np.arange(len(rows), 0, -1)  # described in another order than that of their ids
    gallery = replace(Ranker(indexed).gallery(), ids=ids, rows=rows, gallery=FloatGallery(rows))
    found, distances = gallery.nearest(rows[0], count)
    order = np.lexsort((ids, rows[:, 0]))[:count]
    np.testing.assert_array_equal(found, ids[order])
    np.testing.assert_array_equal(distances, rows[order, 0])


def test_embeddings_of_the_newest_metrics_and_the_current_one_stay(
    indexed: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stored() -> list[str]:
        return sorted(key.rpartition("-")[0] for key in indexed.vectors.keys() if key.startswith("metric-"))  # noqa: SIM118 - no mapping

    monkeypatch.setattr("browser.operations.ranking.gallery._KEPT", 2)
    focal, *others = indexed.photos.ids().tolist()
    indexed.judgements.set(focal, others[:3], Verdict.SIMILAR)
    indexed.judgements.set(focal, others[6:9], Verdict.DISSIMILAR)
    for _ in range(4):
        finish(train(indexed, "kernel"))
    assert stored() == ["metric-kernel-3", "metric-kernel-4"]
    first = indexed.metrics.by_name("kernel-1")
    indexed.metrics.set_current(first.id)
    ids, rows = finish(embedding(indexed, load_metric(indexed, first)))  # gone, hence made again
    assert len(ids) == len(rows) == 12
    drop_old_embeddings(indexed)
    assert stored() == ["metric-kernel-1", "metric-kernel-3", "metric-kernel-4"]


def test_a_photo_that_loses_its_description_while_rows_are_made_is_left_out(indexed: Library) -> None:
    current = load_metric(indexed, indexed.metrics.current())
    indexed.vectors.remove(space_key(current.space))
    lost, *others = indexed.photos.ids().tolist()
    job = embedding(indexed, current)
    assert next(job).total == 12
    stores(indexed)[0].forget([lost])  # as a scan does that finds the file edited
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
    with pytest.raises(UnreadableMetricError, match="The file of the metric kernel-1 holds no metric: train again"):
        load_metric(indexed, metric)
