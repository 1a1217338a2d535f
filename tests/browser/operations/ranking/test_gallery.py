from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from browser.catalog.facts.records import Verdict
from browser.catalog.library import Library
from browser.operations.jobs.progress import finish
from browser.operations.ranking.gallery import drop_old_embeddings, embedding
from browser.operations.ranking.loaded_metric import load_metric
from browser.operations.ranking.ranker import Ranker
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
