# SPDX-License-Identifier: MIT
"""Maps of boxes: their places, in a subprocess and from former ones, and the reason why there is no map."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.mapping.lay_out import box_rows, lay_out, principal_components
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.boxes.learn_boxes import sides
from focal_photos.browser.operations.training.train import train
from tests.browser.operations.tagging.boxes.test_box_errors import name_boxes
from tests.browser.operations.tagging.boxes.test_suggest_boxes import bare as bare


def test_boxes_of_a_kind_are_neighbours_on_both_maps(bare: Library) -> None:
    kinds = np.array([box.tag for box in reversed(name_boxes(bare))])
    ranker = Ranker(bare)
    for found in (
        finish(lay_out(bare, ranker, boxes=True, in_subprocess=False)),
        finish(principal_components(bare, ranker, boxes=True)),
    ):
        assert found.metric.file is None
        assert found.ids.tolist() == sorted(-box.id for box in bare.boxes.all())
        apart = np.linalg.norm(found.places[:, None] - found.places, axis=2)
        np.fill_diagonal(apart, np.inf)
        assert (kinds[apart.argmin(axis=1)] == kinds).mean() > 0.8


@pytest.mark.slow
def test_a_subprocess_finds_the_same_places_and_nothing_is_saved(bare: Library) -> None:
    name_boxes(bare)
    here, there = (finish(lay_out(bare, Ranker(bare), boxes=True, in_subprocess=aside)) for aside in (False, True))
    np.testing.assert_allclose(there.places, here.places, atol=1e-3)
    assert not list((bare.path / "derived").glob("map-*"))


def test_without_boxes_there_is_no_map(bare: Library) -> None:
    for make in (lay_out, principal_components):
        with pytest.raises(OperationError, match="draw a box first"):
            finish(make(bare, Ranker(bare), boxes=True))


def test_boxes_are_arranged_by_the_metric_in_use(bare: Library, tmp_path: Path) -> None:
    (box, *_) = reversed(name_boxes(bare))
    metric = finish(train(bare, "rca"))
    ranker = Ranker(bare)
    assert finish(principal_components(bare, ranker, boxes=True)).metric == metric
    gallery = ranker.gallery(as_trained=True)
    rows = finish(box_rows(bare, gallery))
    place = np.rint(np.multiply(sides(box.region), (192, 128, 192, 128))).astype(int).tolist()
    Image.open(bare.photos.paths([box.photo_id])[0]).crop(tuple(place)).save(tmp_path / "part.png")
    alone = ranker.locate(tmp_path / "part.png")
    assert isinstance(alone, np.ndarray)
    assert rows.ids[0] == item_of(box.id)
    expected = gallery.loaded.embed(alone[None])[0]
    assert rows.read()[0] == pytest.approx(expected, abs=0.01 * float(np.abs(expected).max()))
